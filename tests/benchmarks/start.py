"""How long a person waits for the first prompt: ``make bench-start``.

A real terminal (a pty), the offline model, from the start of the process until the prompt is on
the screen, against ``python -c pass`` on the same machine in the same minute.
"""

from __future__ import annotations

import argparse
import os
import pty
import select
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
MOST = 15.0
"""Times ``python -c pass`` that the first prompt may take."""


def seconds_to_prompt(data: str) -> float:
    """Start the chat in a terminal and wait for its ``>``."""
    environ = {**os.environ, "BARELOOP_DATA": data, "BARELOOP_MODEL": "offline", "TERM": "xterm"}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.execve(sys.executable, [sys.executable, "-m", "agent.cli", "chat"], environ)
    seen = b""
    while b">" not in seen:
        if not select.select([terminal], [], [], 30)[0]:
            raise SystemExit(f"no prompt came: {seen!r}")
        seen += os.read(terminal, 65536)
    taken = time.perf_counter() - started
    os.write(terminal, b"\x04")
    os.close(terminal)
    os.waitpid(pid, 0)
    return taken


def seconds_of_nothing() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as data:
        seconds_to_prompt(data)  # the first start writes bytecode
        pairs = [(seconds_to_prompt(data), seconds_of_nothing()) for _ in range(rounds)]
    prompt, nothing = (statistics.median(each) for each in zip(*pairs, strict=True))
    times = prompt / nothing
    print(f"python -c pass  {nothing * 1000:7.1f} ms (median of {rounds})")
    print(f"first prompt    {prompt * 1000:7.1f} ms = {times:.1f} times that (at most {MOST:.0f})")
    return 0 if times <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
