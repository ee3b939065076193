"""Esc as a second key beside Ctrl-C: some input methods for Korean swallow Ctrl-C."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TextIO

from agent.console import decode, visible

_ESCAPE = b"\x1b"
_SEQUENCE_S = 0.05
"""An arrow key is Esc and more, which follows at once. Esc itself may come right after a syllable
that an input method ends with it."""


class Typed:
    """What was typed while an answer was under way, for the next prompt."""

    def __init__(self) -> None:
        self.bytes = b""

    def take(self) -> str:
        """The text so far, which is then forgotten."""
        text, _ = decode(self.bytes)
        self.bytes = b""
        return visible(text.replace("\r", "\n")).strip("\n")


@contextmanager
def watching(stdin: TextIO, typed: Typed) -> Generator[None]:
    """While an answer is under way, let Esc do what Ctrl-C does, echo nothing, and keep what is
    typed in ``typed``. Where the terminal cannot be set so, only Ctrl-C works."""
    try:
        import termios

        terminal = stdin.fileno()
        before = termios.tcgetattr(terminal)
    except (ImportError, OSError, ValueError, AttributeError):
        yield
        return
    during = list(before)
    during[0] &= ~termios.ICRNL
    during[3] &= ~(termios.ICANON | termios.ECHO)
    done, wake = os.pipe()
    watcher = threading.Thread(target=_watch, args=(terminal, done, typed), daemon=True)
    try:
        termios.tcsetattr(terminal, termios.TCSANOW, during)
        watcher.start()
        yield
    finally:
        os.close(wake)
        watcher.join(1)
        os.close(done)
        with suppress(termios.error):
            termios.tcsetattr(terminal, termios.TCSANOW, before)


def _watch(terminal: int, done: int, typed: Typed) -> None:
    while True:
        ready, _, _ = select.select([terminal, done], [], [])
        if done in ready:
            return
        data = os.read(terminal, 4096)
        if not data:
            return
        text, escape, rest = data.partition(_ESCAPE)
        typed.bytes += text
        is_key = bool(escape) and not rest.strip(_ESCAPE)
        if is_key and not select.select([terminal, done], [], [], _SEQUENCE_S)[0]:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
