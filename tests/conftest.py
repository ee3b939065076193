"""Every test runs without a key, without a proxy, in no language, and reaches this machine only."""

import ipaddress
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

_SURROUNDINGS = re.compile(
    r"BARELOOP_.*|GOOGLE_.*|GEMINI_.*|DDGS_.*|.*_PROXY|LANG|LANGUAGE|LC_.*|NO_COLOR|FORCE_COLOR"
    r"|PYTHONIOENCODING|PYTHONUTF8|PYTHONWARNINGS|XDG_.*|SSL_CERT_.*|COLUMNS|LINES",
    re.IGNORECASE,
)
"""What a developer's machine may set, and a test must not see."""


class NetworkReached(RuntimeError):
    """A test tried to leave this machine."""


def _is_loopback(host: object) -> bool:
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _stay_on_this_machine(event: str, args: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        host = address[0] if isinstance(address, tuple) and address else None
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    if not _is_loopback(host):
        raise NetworkReached(f"a test tried to reach {host!r}; tests use loopback only")


# Before any test: fixtures of a module start before those of a test.
for _name in filter(_SURROUNDINGS.fullmatch, list(os.environ)):
    del os.environ[_name]

# A script that starts the tests in the background has its jobs ignore Ctrl-C, and so would every
# program that a test presses Ctrl-C for.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# An audit hook sees every socket of this process, whatever library opened it in Python.
sys.addaudithook(_stay_on_this_machine)


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A bare environment with a home of its own; subprocesses inherit it."""
    for name in list(os.environ):
        if _SURROUNDINGS.fullmatch(name):
            monkeypatch.delenv(name)
    home = tmp_path_factory.getbasetemp() / "home"  # where no test's own folder lies
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("HOME", str(home))


@pytest.fixture
def python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run this Python in a subprocess: ``python("-c", "...", stdin="", **variables)``.

    Output is decoded as UTF-8 unless PYTHONIOENCODING says otherwise; a minute is the limit.
    """

    def run(
        *arguments: str,
        stdin: str = "",
        cwd: Path = ROOT,
        environ: Mapping[str, str] | None = None,
        **variables: str,
    ) -> subprocess.CompletedProcess[str]:
        environ = {**(os.environ if environ is None else environ), **variables}
        return subprocess.run(
            [sys.executable, *arguments],
            input=stdin,
            cwd=cwd,
            env={"PYTHONIOENCODING": "utf-8", **environ},
            capture_output=True,
            encoding=environ.get("PYTHONIOENCODING", "utf-8").partition(":")[0],
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture
def bareloop(
    python: Callable[..., subprocess.CompletedProcess[str]],
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command as a person would: ``bareloop("ask", "...", BARELOOP_LANG="ko")``."""

    def run(*arguments: str, **options: str) -> subprocess.CompletedProcess[str]:
        return python("-m", "agent.cli", *arguments, **options)

    return run
