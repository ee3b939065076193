"""Terminals that a test types into and reads whole screens from: a pty with an emulator behind
it, which is always there, and tmux, where it is installed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pyte

ROOT = Path(__file__).parent.parent
ENTER, CTRL_C, CTRL_D, ESCAPE, TAB, UP = "\r", "\x03", "\x04", "\x1b", "\t", "\x1b[A"
LONGEST_S = 30.0
_QUIET_S = 0.15


class Terminal(Protocol):
    """A program behind a screen."""

    def send(self, keys: str) -> None: ...

    def screen(self) -> str: ...

    def cursor_line(self) -> str: ...

    def exit_code(self) -> int | None: ...

    def close(self) -> None: ...


def until(terminal: Terminal, holds: Callable[[], bool]) -> None:
    """Wait until something holds, and show the screen if it never does."""
    end = time.monotonic() + LONGEST_S
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"it never came:\n{terminal.screen()}")
        time.sleep(0.02)


def ready(terminal: Terminal) -> None:
    """Wait for an empty prompt on a screen that has come to rest."""

    def rests() -> bool:
        if terminal.cursor_line() != ">":
            return False
        before = terminal.screen()
        time.sleep(_QUIET_S)
        return terminal.screen() == before and terminal.cursor_line() == ">"

    until(terminal, rests)


def enter(terminal: Terminal, line: str) -> None:
    """Type a line, send it, and wait for the next prompt."""
    terminal.send(line)
    until(terminal, lambda: terminal.cursor_line() != ">")
    terminal.send(ENTER)
    until(terminal, lambda: terminal.cursor_line() != f"> {line}")
    ready(terminal)


def ended(terminal: Terminal) -> int:
    """Wait for the end of the program; its exit code."""
    until(terminal, lambda: terminal.exit_code() is not None)
    code = terminal.exit_code()
    assert code is not None
    return code


def steady(screen: str) -> str:
    """A screen without what differs between two times, or when an instruction is worded anew:
    seconds, ids of conversations, tokens and characters."""
    screen = re.sub(r"\d\.\d(?=초| s)", "0.0", screen)
    screen = re.sub(r"토큰 (\d+)|대화: (\d+)자", lambda each: re.sub(r"\d", "0", each[0]), screen)
    return re.sub(r"\d{8}-\d{6}-[0-9a-f]{4}", "20261130-120000-abcd", screen)


class PtyTerminal:
    """A pty, with pyte as the terminal behind it; ``written`` is every byte that came."""

    def __init__(
        self,
        arguments: list[str],
        environ: Mapping[str, str],
        columns: int = 80,
        lines: int = 24,
        program: Sequence[str] = ("-m", "agent.cli"),
    ) -> None:
        self._emulator = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._emulator)
        self.written = b""
        self._code: int | None = None
        command = [sys.executable, *program, *arguments]
        self.pid, self._pty = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            size = struct.pack("HHHH", lines, columns, 0, 0)
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execve(sys.executable, command, {**os.environ, "TERM": "xterm-256color", **environ})
        self._emulator.write_process_input = self.send  # answers to what the program asks

    def send(self, keys: str | bytes) -> None:
        os.write(self._pty, keys if isinstance(keys, bytes) else keys.encode())

    def screen(self) -> str:
        self._read()
        return "\n".join(line.rstrip() for line in self._emulator.display).rstrip()

    def cursor_line(self) -> str:
        self._read()
        return self._emulator.display[self._emulator.cursor.y].rstrip()

    def exit_code(self) -> int | None:
        self._read()
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
                self._read()  # the last bytes may come after the end
        return self._code

    def kill(self) -> None:
        """End the program as a closed window does, or worse."""
        os.kill(self.pid, signal.SIGKILL)
        until(self, lambda: self.exit_code() is not None)

    def close(self) -> None:
        if self.exit_code() is None:
            self.kill()
        os.close(self._pty)

    def _read(self) -> None:
        while select.select([self._pty], [], [], 0)[0]:
            try:
                data = os.read(self._pty, 65536)
            except OSError:  # the other end has gone
                return
            if not data:
                return
            self.written += data
            self._stream.feed(data)


class TmuxTerminal:
    """tmux, driven with send-keys and read with capture-pane."""

    def __init__(
        self, arguments: list[str], environ: Mapping[str, str], columns: int = 80, lines: int = 24
    ) -> None:
        self._name = f"bareloop-{uuid.uuid4().hex[:8]}"
        self._folder = tempfile.TemporaryDirectory()
        self._code = Path(self._folder.name) / "code"
        given = [f"{name}={value}" for name, value in environ.items()]
        command = ["env", *given, sys.executable, "-m", "agent.cli", *arguments]
        # the window stays when the program has ended, so that its last screen can be read
        script = f'trap : INT; "$@"; echo $? > {shlex.quote(str(self._code))}; exec cat'
        self._tmux(
            *("-f", os.devnull, "start-server", ";"),
            *("set-option", "-g", "status", "off", ";"),
            *("set-option", "-s", "escape-time", "10", ";"),
            *("new-session", "-d", "-x", str(columns), "-y", str(lines), "-c", str(ROOT)),
            *("sh", "-c", script, "sh", *command),
        )

    def send(self, keys: str) -> None:
        named = {ENTER: "Enter", CTRL_C: "C-c", CTRL_D: "C-d", ESCAPE: "Escape", TAB: "Tab"}
        if keys in named:
            self._tmux("send-keys", named[keys])
        else:
            self._tmux("send-keys", "-l", keys)

    def screen(self) -> str:
        lines = self._tmux("capture-pane", "-p").splitlines()
        return "\n".join(line.rstrip() for line in lines).rstrip()

    def cursor_line(self) -> str:
        row = int(self._tmux("display-message", "-p", "#{cursor_y}"))
        lines = self._tmux("capture-pane", "-p").splitlines()
        return lines[row].rstrip() if row < len(lines) else ""

    def exit_code(self) -> int | None:
        written = self._code.read_text() if self._code.exists() else ""
        return int(written) if written.endswith("\n") else None

    def close(self) -> None:
        self._tmux("kill-server")
        self._folder.cleanup()

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-u", "-L", self._name, *arguments],
            capture_output=True,
            encoding="utf-8",
            env=dict(os.environ),  # not what readline, in this process, has put beside it
            check=True,
            timeout=LONGEST_S,
        )
        return done.stdout


TMUX = shutil.which("tmux")
