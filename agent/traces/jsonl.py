"""A trace: one JSON line for each event of a run, appended as it happens."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent.catalogue import Problem
from agent.confidential import without_secrets
from agent.output_file import for_owner

VERSION = 2
"""The shape of the events; the first line of every trace names it. agent/README.md lists them."""

HEAD = b'{"event": "trace", "version": '
"""What every trace begins with."""


class JsonlTrace:
    """A listener that appends each event to a file only its owner can read.

    A line is written at once and whole, so that a killed process leaves every event before the
    last; a line that an earlier process left unfinished is ended first. When the disk stops taking
    lines the run goes on; ``failed`` says so. What looks like a secret is named in its place, and
    the person's ``own`` keys are left out. Raises Problem when the file cannot be opened, and for
    one that holds something else.
    """

    def __init__(self, path: Path, own: Sequence[str] = ()) -> None:
        self.path = path
        self.failed = False
        self._own = own
        if str(path) == "-":
            raise Problem("trace.dash")
        try:
            unfinished = _is_unfinished(path)
            self._file = _open(path)
        except OSError as error:
            raise Problem("trace.unwritable", path=path, reason=error.strerror) from None
        for_owner(self._file)
        if unfinished:
            self._append(b"\n")
        self({"event": "trace", "version": VERSION})

    def __call__(self, event: dict[str, Any]) -> None:
        line = json.dumps(without_secrets(event, self._own), ensure_ascii=False, default=str)
        self._append(f"{line}\n".encode("utf-8", "replace"))

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


def _open(path: Path) -> int:
    """Open a file to append to it. A pipe that nobody reads is an error, where opening it would
    wait for a reader."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    if not path.is_fifo():
        return os.open(path, flags, 0o600)
    file = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(file, True)
    return file


def _is_unfinished(path: Path) -> bool:
    """Whether the last line of a file lacks its end. Raises Problem for a file that holds
    something else than traces: its first line would tell, and whoever reads it would choke on
    ours."""
    if not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        begins = file.read(4096).lstrip().partition(b"\n")[0][: len(HEAD)]
        if not HEAD.startswith(begins):
            raise Problem("trace.foreign", path=path)
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"
