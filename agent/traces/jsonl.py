"""A trace: one JSON line for each event of a run, appended as it happens."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from agent.catalogue import Problem

VERSION = 1
"""The shape of the events; the first line of every trace names it."""


class JsonlTrace:
    """A listener that appends each event to a file only its owner can read.

    A line is written at once and whole, so that a killed process leaves every event before the
    last. When the disk stops taking lines the run goes on; ``failed`` says so.
    Raises Problem when the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failed = False
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise Problem("trace.unwritable", path=path, reason=error.strerror) from None
        self({"event": "trace", "version": VERSION})

    def __call__(self, event: dict[str, Any]) -> None:
        if self.failed:
            return
        line = json.dumps(event, ensure_ascii=False, default=str) + "\n"
        try:
            os.write(self._file, line.encode("utf-8", "replace"))
        except OSError:
            self.failed = True

    def close(self) -> None:
        """Give the file back."""
        os.close(self._file)
