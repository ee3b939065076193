"""The vectors of an index: what each passage means, as numbers that can be compared.

A vector belongs to a content, so that a text that moves or comes again is not computed again. The
numbers lie one after the other in ``vectors.f32``, which is mapped into memory; SQLite says which
place holds which content. The file is on the disk before SQLite names a place in it, and a place is
only written again once nothing names it: a process may end anywhere and nothing committed is lost.
Everything here can be made again from the store.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from tools.index.database import connect, disk_fault, faults, is_writable, transaction
from tools.index.engine import EngineDamaged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SCHEMA = """
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS vectors (place INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS chunks (id INTEGER PRIMARY KEY, place INTEGER NOT NULL);
"""
_BYTES = 4


def content_digest(text: str) -> bytes:
    """What a vector is kept under."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Vectors:
    """The vectors in ``folder``, made when there are none. One writer at a time: the caller holds
    the store's lock. Raises IndexFault for the disk, EngineDamaged for files that are no vectors.
    """

    def __init__(self, folder: Path) -> None:
        self._path = self.path(folder)
        self._file = folder / "vectors.f32"
        with faults(self._path):
            self._reading = connect(self._path)
            self._writing = connect(self._path)
            if is_writable(self._path):
                self._writing.executescript(_SCHEMA)
        if self._held() > self._size():
            self.close()
            raise EngineDamaged("vectors.f32 is too short")

    @staticmethod
    def path(folder: Path) -> Path:
        """The file that is there when an index has vectors, or is about to have some."""
        return folder / "vectors.sqlite3"

    @staticmethod
    def forget(folder: Path) -> None:
        """Takes all vectors of an index away."""
        for file in folder.glob("vectors.*"):
            with suppress(OSError):
                file.unlink()

    @property
    def model(self) -> str:
        """The name of what made the vectors; nothing before the first."""
        return self._note("model")

    def changes(self) -> int:
        """A number that is another one after any commit, by whichever process."""
        with faults(self._path):
            return int(self._reading.execute("PRAGMA data_version").fetchone()[0])

    def places(self) -> dict[int, int]:
        """Where the vector of each chunk lies, by chunk id."""
        with faults(self._path):
            return dict(self._reading.execute("SELECT id, place FROM chunks ORDER BY id"))

    def matrix(self) -> NDArray[np.float32]:
        """Every place's vector, one a row, read from the disk as they are looked at."""
        import numpy as np

        length = int(self._note("dimensions") or 0)
        if not self._size():
            return np.empty((0, length), np.float32)
        rows = self._size() // (_BYTES * length)
        with faults(self._file):
            return np.memmap(self._file, np.float32, "r", shape=(rows, length))

    def use(self, model: str, dimensions: int) -> None:
        """From now on vectors of this model: those of another one are forgotten."""
        if (self.model, self._note("dimensions")) == (model, str(dimensions)):
            return
        with faults(self._path), transaction(self._writing):
            for table in ("chunks", "vectors"):
                self._writing.execute(f"DELETE FROM {table}")
            self._writing.executemany(
                "INSERT OR REPLACE INTO notes VALUES (?, ?)",
                [("model", model), ("dimensions", str(dimensions))],
            )

    def known(self, digests: Iterable[bytes]) -> set[bytes]:
        """Which of these contents have a vector."""
        with faults(self._path):
            return {each for each in digests if self._place(each) is not None}

    def add(
        self, made: Mapping[bytes, NDArray[np.float32]], chunks: Sequence[tuple[int, bytes]]
    ) -> None:
        """Keeps new vectors by content, and which chunks (id, content) have one; durable when this
        returns."""
        places = dict(zip(made, self._free(), strict=False))
        self._write({places[digest]: vector for digest, vector in made.items()})
        with faults(self._path), transaction(self._writing):
            self._writing.executemany(
                "INSERT INTO vectors VALUES (?, ?)",
                [(place, digest) for digest, place in places.items()],
            )
            self._writing.executemany(
                "INSERT OR REPLACE INTO chunks VALUES (?, (SELECT place FROM vectors WHERE "
                "digest = ?))",
                chunks,
            )

    def drop(self, chunks: Iterable[int]) -> None:
        """Forgets these chunks, and contents that no chunk has."""
        with faults(self._path), transaction(self._writing):
            self._writing.executemany("DELETE FROM chunks WHERE id = ?", [(i,) for i in chunks])
            self._writing.execute(
                "DELETE FROM vectors WHERE place NOT IN (SELECT place FROM chunks)"
            )

    def close(self) -> None:
        """Lets go of the files."""
        self._reading.close()
        self._writing.close()

    def _note(self, name: str) -> str:
        with faults(self._path):
            row = self._writing.execute("SELECT value FROM notes WHERE name = ?", (name,))
            found = row.fetchone()
        return str(found[0]) if found else ""

    def _place(self, digest: bytes) -> int | None:
        found = self._writing.execute("SELECT place FROM vectors WHERE digest = ?", (digest,))
        row = found.fetchone()
        return int(row[0]) if row else None

    def _free(self) -> Iterator[int]:
        """Places that nothing names, from the first."""
        with faults(self._path):
            taken = {row[0] for row in self._writing.execute("SELECT place FROM vectors")}
        place = 0
        while True:
            if place not in taken:
                yield place
            place += 1

    def _write(self, vectors: Mapping[int, NDArray[np.float32]]) -> None:
        length = int(self._note("dimensions"))
        with self._disk():
            self._file.touch()
            with self._file.open("r+b") as file:
                for place, vector in vectors.items():
                    file.seek(place * length * _BYTES)
                    file.write(vector.astype("<f4").tobytes())
                file.flush()
                os.fsync(file.fileno())

    def _held(self) -> int:
        """How long the file must be at least, in bytes."""
        with faults(self._path):
            row = self._writing.execute("SELECT coalesce(max(place) + 1, 0) FROM vectors")
            return int(row.fetchone()[0]) * int(self._note("dimensions") or 0) * _BYTES

    def _size(self) -> int:
        with suppress(FileNotFoundError):
            return self._file.stat().st_size
        return 0

    @contextmanager
    def _disk(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            raise disk_fault(self._file, error.strerror or str(error)) from None
