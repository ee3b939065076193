"""The documents of an index, kept in one SQLite file: texts, fields, and what the search engine
has yet to hear of. Everything else in an index can be made again from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tools.index.engine import Row
from tools.index.where import Kind, Value

WAIT_SECONDS = 10.0


@dataclass(frozen=True)
class Chunk:
    """A piece of a document that can be cited. ``id`` is how (``guide.md:12``, ``a.pdf:p3:12``),
    ``text`` what is shown; ``body`` is searched (default: the text) together with ``context``
    (the headings and names it stands under). ``fields`` add to those of the document."""

    id: str
    text: str
    body: str = ""
    context: str = ""
    fields: Mapping[str, Value] = field(default_factory=dict)
    line: int | None = None
    page: int | None = None


@dataclass(frozen=True)
class Document:
    """A file as it was when it was read. ``path`` is relative, NFC, with ``/``; ``digest`` any text
    that changes with its content; ``size`` in bytes, ``mtime_ns`` as ``os.stat`` gives it."""

    path: str
    digest: str
    size: int = 0
    mtime_ns: int = 0
    title: str = ""
    fields: Mapping[str, Value] = field(default_factory=dict)


class Store:
    """Documents and chunks in ``folder``/store.sqlite3. Readers work beside a writer; raises
    IndexFault for a disk that is full, a file that is no store, or one of a later version."""

    def __init__(self, folder: Path) -> None: ...

    @contextmanager
    def lock(self, wait: float = WAIT_SECONDS) -> Iterator[None]:
        """Being the one writer, across processes. Raises IndexFault ``index.busy`` after ``wait``
        seconds. The end of the process, however it comes, frees the lock."""
        yield

    def documents(self) -> dict[str, Document]:
        """Every document by its path."""
        ...

    def put(self, document: Document, chunks: Iterable[Chunk]) -> None:
        """Puts a document in, in place of what its path held before."""

    def touch(self, document: Document) -> None:
        """Notes a new time and size of a document whose content is the same."""

    def delete(self, path: str) -> None:
        """Takes a document out; a path that is not there is no error."""

    def kinds(self) -> dict[str, set[Kind]]:
        """Every field that some chunk has, with the kinds of its values."""
        ...

    def rows(self, ids: Sequence[int] | None = None) -> Iterator[Row]:
        """What the engine is to hold of these chunks, or of all."""
        ...
