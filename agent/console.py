"""The console a person sits at, whatever it can show."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO


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
    try:
        print(line, end=end, file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)
    except (ValueError, AttributeError):
        pass  # closed, or never there


def drop(stream: TextIO) -> None:
    """Let what ``stream`` could not write go nowhere, or Python would try again at its end and
    make a failure of it."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
