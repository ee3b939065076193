"""How long a person waits: ``make bench-start``.

Each command as a process of its own with the offline model, from its start to its end, and the chat
in a real terminal (a pty) until its prompt is on the screen; against ``python -c pass`` on the same
machine, all of them taking turns.
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
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
COMMAND = Path(sys.executable).with_name("bareloop")
ENGLISH = "invoice export steps and permission"
KOREAN = "청구서 내보내기 절차와 권한"
MOST = {"bareloop --help": 6.0, "bareloop ask": 10.0, "bareloop ask (ko)": 10.0, "prompt": 15.0}
"""Times ``python -c pass`` that each may take."""


def seconds_to_prompt(environ: dict[str, str]) -> float:
    """Start the chat in a terminal and wait for its ``>``."""
    started = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.execve(COMMAND, [str(COMMAND), "chat"], environ | {"TERM": "xterm"})
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


def seconds(environ: dict[str, str], *command: str | Path) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, env=environ, cwd=ROOT, capture_output=True)
    return time.perf_counter() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as data:
        environ = {**os.environ, "BARELOOP_DATA": data, "BARELOOP_MODEL": "offline"}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        measured: dict[str, Callable[[], float]] = {
            "python -c pass": lambda: seconds(environ, sys.executable, "-c", "pass"),
            "bareloop --help": lambda: seconds(environ, COMMAND, "--help"),
            "bareloop ask": lambda: seconds(environ, COMMAND, "ask", ENGLISH),
            "bareloop ask (ko)": lambda: seconds(environ, COMMAND, "ask", KOREAN),
            "prompt": lambda: seconds_to_prompt(environ),
        }
        for run in measured.values():  # the first start writes bytecode
            run()
        taken = [{name: run() for name, run in measured.items()} for _ in range(rounds)]
    median = {name: statistics.median(each[name] for each in taken) for name in measured}
    nothing = median["python -c pass"]
    for name, each in median.items():
        most = f" (at most {MOST[name]:.0f})" if name in MOST else f", median of {rounds}"
        print(f"{name:18} {each * 1000:7.1f} ms = {each / nothing:4.1f} times{most}")
    return 0 if all(median[name] <= most * nothing for name, most in MOST.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
