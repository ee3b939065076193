"""A trace: one JSON line for each event of a run, appended as it happens."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from agent.catalogue import Problem

VERSION = 2
"""The shape of the events; the first line of every trace names it. agent/README.md lists them."""


class JsonlTrace:
    """A listener that appends each event to a file only its owner can read.

    A line is written at once and whole, so that a killed process leaves every event before the
    last; a line that an earlier process left unfinished is ended first. When the disk stops taking
    lines the run goes on; ``failed`` says so. Raises Problem when the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failed = False
        try:
            unfinished = _is_unfinished(path)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise Problem("trace.unwritable", path=path, reason=error.strerror) from None
        if unfinished:
            self._append(b"\n")
        self({"event": "trace", "version": VERSION})

    def __call__(self, event: dict[str, Any]) -> None:
        line = json.dumps(event, ensure_ascii=False, default=str) + "\n"
        self._append(line.encode("utf-8", "replace"))

    def _append(self, line: bytes) -> None:
        if self.failed:
            return
        try:
            self.failed = os.write(self._file, line) < len(line)
        except OSError:
            self.failed = True

    def close(self) -> None:
        """Give the file back."""
        os.close(self._file)


def _is_unfinished(path: Path) -> bool:
    """Whether the last line of a file lacks its end."""
    if not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"
