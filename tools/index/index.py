"""A corpus of documents that is searched: the store, its engine, and what lies between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from tools.documents import Passage
from tools.index.engine import IndexFault
from tools.index.store import WAIT_SECONDS, Chunk, Document
from tools.index.where import Where

EngineName = Literal["tantivy", "sqlite"]


class Writer:
    """The one who may change an index; got from ``Index.writer``.

    What was put is durable and can be found after ``commit``; one happens by itself every few
    thousand chunks and at the end of the ``with`` block. After an exception in the block only what
    was committed is there, always whole documents.
    """

    def documents(self) -> dict[str, Document]:
        """Every document by its path, with what was put since."""
        ...

    def put(self, document: Document, chunks: Iterable[Chunk]) -> None:
        """Puts a document in, in place of what its path held before."""

    def touch(self, document: Document) -> None:
        """Notes a new time and size of a document whose content is the same."""

    def delete(self, path: str) -> None:
        """Takes a document and its chunks out; a path that is not there is no error."""

    def commit(self) -> None:
        """Makes what was put and deleted durable, and seen by searches."""


class Index:
    """A folder's index. ``engine`` None takes tantivy, or SQLite where tantivy is not installed.

    ``notices`` tells what had to be done to open it (IndexFault as values, for the reader).
    Raises IndexFault.
    """

    notices: list[IndexFault]

    def __init__(
        self, folder: Path, *, engine: EngineName | None = None, wait: float = WAIT_SECONDS
    ) -> None: ...

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether there is an index in ``folder``."""
        ...

    @contextmanager
    def writer(self, wait: float | None = None) -> Iterator[Writer]:
        """Becomes the one writer; waits for another at most ``wait`` seconds, then raises
        IndexFault ``index.busy``."""
        ...

    def where(self, *conditions: str) -> Where:
        """The conditions that a person wrote, read by the kinds of this index's fields."""
        ...

    def search(self, query: str, where: Where = Where(), k: int = 5) -> list[Passage]:
        """The ``k`` best passages for a question among those that keep ``where``, best first."""
        ...

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to find."""
        ...

    def stats(self) -> dict[str, Any]:
        """``documents``, ``chunks``, ``bytes``, ``engine``, ``generation``, ``fields``."""
        ...

    def close(self) -> None:
        """Lets go of every file."""
