"""SQLite as the index uses it: connections, and its faults in words a reader can be told."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager, suppress
from errno import EACCES
from pathlib import Path

from tools.index.engine import EngineDamaged, IndexFault

BUSY_SECONDS = 10.0


def is_writable(path: Path) -> bool:
    """Whether a file, or files in a folder, may be written; one that is not there yet as its
    folder."""
    there = path if path.exists() else path.parent
    return os.access(there, os.W_OK) and (there.is_dir() or os.access(there.parent, os.W_OK))


def connect(path: Path, busy: float = BUSY_SECONDS) -> sqlite3.Connection:
    """A connection without implicit transactions; a lock is waited for ``busy`` seconds. What may
    not be written is opened to be read. Raises IndexFault for what may not be read either."""
    if path.exists() and not os.access(path, os.R_OK):
        raise IndexFault("closed", folder=path.parent, reason=os.strerror(EACCES))
    if path.exists() and not is_writable(path):
        return _connect_to_read(path, busy)
    connection = sqlite3.connect(path, timeout=busy, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    return connection


def _connect_to_read(path: Path, busy: float) -> sqlite3.Connection:
    """SQLite makes files beside a database in WAL mode, also to read it; where it may not, the
    database alone is read, unless a commit lies in such a file."""
    wal = path.with_name(f"{path.name}-wal")
    alone = "" if wal.exists() and wal.stat().st_size else "&immutable=1"
    address = f"{path.resolve().as_uri()}?mode=ro{alone}"
    return sqlite3.connect(
        address, uri=True, timeout=busy, isolation_level=None, check_same_thread=False
    )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.execute("COMMIT")


_ROOM_BYTES = 32_000_000


@contextmanager
def faults(path: Path) -> Generator[None]:
    """Turns what SQLite and the file system raise into IndexFault, and a file that is no database
    into EngineDamaged."""
    try:
        yield
    except sqlite3.Error as error:
        raise _fault(path, error) from None
    except OSError as error:
        raise disk_fault(path, error.strerror or str(error)) from None


def disk_fault(path: Path, reason: str) -> IndexFault:
    """A failed write as the person is told of it."""
    full = ("no space", "space left", "disk is full", "disk quota", "file too large")
    # a thread of tantivy that cannot write ends without saying why
    if any(words in reason.casefold() for words in full) or _is_nearly_full(path.parent):
        return IndexFault("disk_full", folder=path.parent)
    return IndexFault("unwritable", folder=path.parent, reason=reason)


def _is_nearly_full(folder: Path) -> bool:
    """Whether less is free than one step of writing may take; where nobody may write, that is not
    the reason."""
    try:
        return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free < _ROOM_BYTES
    except OSError:
        return False


def folder_bytes(folder: Path) -> int:
    """The size of all files in a folder, some of which a writer may just be taking away."""
    total = 0
    for file in folder.rglob("*"):
        with suppress(OSError):
            total += file.stat().st_size if file.is_file() else 0
    return total


def _fault(path: Path, error: sqlite3.Error) -> Exception:
    name = getattr(error, "sqlite_errorname", None) or ""
    # a text that is none any more has no error code of its own
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or "decode to UTF-8" in str(error):
        return EngineDamaged(str(error))
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return IndexFault("busy", folder=path.parent, seconds=int(BUSY_SECONDS))
    if name in ("SQLITE_ERROR", "SQLITE_SCHEMA") or name.startswith("SQLITE_CONSTRAINT"):
        return EngineDamaged(str(error))
    return disk_fault(path, str(error))
