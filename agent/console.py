"""The console a person sits at, whatever it can show."""

from __future__ import annotations

import sys
from contextlib import suppress


def forgive() -> None:
    """Let a console that lacks a character show a mark in its place instead of ending the
    program."""
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")


def shows_unicode() -> bool:
    """Whether standard output takes every character as it is."""
    encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
    return encoding.startswith("utf")


def aside(line: str, end: str = "\n") -> None:
    """Write progress to standard error. It must never decide how a run ends, so a console that
    takes no more is left alone."""
    with suppress(OSError, ValueError, AttributeError):
        print(line, end=end, file=sys.stderr, flush=True)
