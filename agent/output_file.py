"""Files that a command writes: never over what it read, nor over what somebody else wrote."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from agent.catalogue import Problem


def check_output(path: Path, begins: str, inputs: Sequence[Path] = ()) -> None:
    """Raises Problem for an output that is one of the ``inputs``, and for a file that is there and
    does not begin as this command begins its own. An empty one may be written."""
    if any(_is_same(path, each) for each in inputs):
        raise Problem("output.is_input", path=path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return  # nothing is lost there; a folder is told when it is opened
        with path.open("rb") as file:
            start = file.read(len(begins.encode()))
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unwritable(path, error) from None
    if start and start != begins.encode():
        raise Problem("output.not_ours", path=path)


def write_output(path: Path, text: str, begins: str, inputs: Sequence[Path] = ()) -> None:
    """Write ``text``, which begins with ``begins``, to a file that only its owner can read: it
    holds what the traces and the conversations hold. Raises Problem as ``check_output`` does, and
    when the file cannot be written."""
    check_output(path, begins, inputs)
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "w", encoding="utf-8", errors="replace", newline="\n") as written:
            for_owner(file)
            written.write(text)
    except OSError as error:
        raise _unwritable(path, error) from None


def replace_file(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, whole or not at all: until then what was there
    stays. Raises OSError."""
    import tempfile

    file, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(data)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def for_owner(file: int) -> None:
    """Let only its owner read a file that is open, whoever could before."""
    mode = os.fstat(file).st_mode
    if stat.S_ISREG(mode) and stat.S_IMODE(mode) & 0o077 and hasattr(os, "fchmod"):
        with suppress(PermissionError):  # somebody else's, and theirs to say
            os.fchmod(file, 0o600)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.abspath(one) == os.path.abspath(other)


def _unwritable(path: Path, error: OSError) -> Problem:
    return Problem("trace.not_written", path=path, reason=error.strerror or "")
