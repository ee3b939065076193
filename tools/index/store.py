"""The documents of an index, kept in one SQLite file: texts, fields, and what the search engine
has yet to hear of. Everything else in an index can be made again from it."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from threading import get_ident
from typing import Any
from unicodedata import normalize

from tools.documents import searched
from tools.index.columns import Column, Held, Value, each_of, field_name, reading
from tools.index.database import connect, faults, is_writable, transaction
from tools.index.engine import EngineDamaged, IndexFault, Row
from tools.index.where import MOST_WORDS, Where, kept_value
from tools.problems import FilterError
from tools.tokens import TERMS, Tokens, fold

WAIT_SECONDS = 10.0
SCHEMA_VERSION = 3
OPEN, WHOLE = "open", "whole"
"""States of an index: a writer has begun, and one has come to its end."""

# Ids are never used again, so that an engine that has not heard of a change cannot mistake one
# chunk for another.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, title TEXT NOT NULL, fields TEXT NOT NULL,
    ctime_ns INTEGER NOT NULL DEFAULT 0, inode INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, name TEXT NOT NULL,
    text TEXT NOT NULL, body TEXT NOT NULL, context TEXT NOT NULL, fields TEXT NOT NULL,
    line INTEGER, page INTEGER, same BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS chunks_by_document ON chunks(document);
CREATE TABLE IF NOT EXISTS columns (
    field TEXT, reading TEXT, count INTEGER NOT NULL, PRIMARY KEY (field, reading)
);
CREATE TABLE IF NOT EXISTS pending (id INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS problems (path TEXT NOT NULL, fault TEXT NOT NULL, given TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS problems_by_path ON problems(path);
"""
_AT_ONCE = 500


Problem = tuple[str, Mapping[str, str]]
"""What is wrong with a part of a document: the fault's key, and the values of its sentence."""


@dataclass(frozen=True)
class Chunk:
    """A piece of a document that can be cited. ``id`` is how (``guide.md:12``, ``a.pdf:p3:12``),
    ``text`` what is shown; ``body`` is searched (default: the text) together with ``context``
    (the headings and names it stands under). ``fields`` add to those of the document."""

    id: str
    text: str
    body: str = ""
    context: str = ""
    fields: Mapping[str, Held] = field(default_factory=dict)
    line: int | None = None
    page: int | None = None


@dataclass(frozen=True)
class Document:
    """A file as it was when it was read. ``path`` is relative, NFC, with ``/``; ``digest`` any text
    that changes with its content; ``size`` in bytes, ``mtime_ns``, ``ctime_ns`` and ``inode`` as
    ``os.stat`` gives them; ``problems`` are its parts that could not be read."""

    path: str
    digest: str
    size: int = 0
    mtime_ns: int = 0
    title: str = ""
    fields: Mapping[str, Held] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    ctime_ns: int = 0
    inode: int = 0


@dataclass(frozen=True)
class Found:
    """A chunk as it is shown, and the path of its document. ``same`` is equal for chunks that say
    the same: but for case and spaces one text."""

    chunk: Chunk
    path: str
    same: bytes


class Store:
    """Documents and chunks in ``folder``/store.sqlite3, which is made when it is not there, unless
    ``make`` is False. One of an earlier version is brought up to this. Readers work beside a writer
    and see what is committed. Raises IndexFault for a disk that is full, a file that is no store,
    one of a later version, one of an earlier that may not be written, or none that was to be read.
    """

    def __init__(self, folder: Path, *, make: bool = True) -> None:
        self.folder = folder
        self.path = folder / "store.sqlite3"
        self._lock = folder / "writer.lock"
        self._locked_by: int | None = None
        self._counted: Counter[tuple[str, str]] = Counter()
        with self._faults():
            if make:
                folder.mkdir(parents=True, exist_ok=True)
            elif not self.path.is_file() or not self.path.stat().st_size:
                raise IndexFault("nothing_yet", name=folder.name)
            self._reading = connect(self.path)
            self._writing = connect(self.path)
            self._prepare(make)

    @contextmanager
    def lock(self, wait: float = WAIT_SECONDS) -> Generator[None]:
        """Being the one writer, across processes. Raises IndexFault ``index.busy`` after ``wait``
        seconds. The end of the process, however it comes, frees the lock; the thread that has it
        may ask again."""
        if self._locked_by == get_ident():
            yield
            return
        with faults(self._lock):
            try:
                holder = _locked(self._lock, wait)
            except sqlite3.DatabaseError as error:
                if _is_busy(error):
                    raise IndexFault("busy", folder=self.folder, seconds=round(wait)) from None
                raise
        self._locked_by = get_ident()
        try:
            yield
        finally:
            self._locked_by = None
            holder.close()

    # What is read: committed data only.

    def documents(self) -> dict[str, Document]:
        """Every document by its path."""
        problems: dict[str, list[Problem]] = {}
        with self._faults():
            found = self._reading.execute(
                "SELECT path, digest, size, mtime_ns, title, fields, ctime_ns, inode "
                "FROM documents ORDER BY path"
            ).fetchall()
            told = self._reading.execute("SELECT path, fault, given FROM problems ORDER BY rowid")
            for path, fault, given in told:
                problems.setdefault(path, []).append((fault, _loaded(given)))
            return {
                path: Document(
                    *(path, digest, size, mtime_ns, title, _loaded(fields)),
                    *(problems.get(path, ()), ctime_ns, inode),
                )
                for path, digest, size, mtime_ns, title, fields, ctime_ns, inode in found
            }

    def found(self, ids: Sequence[int]) -> dict[int, Found]:
        """The chunks with these ids, but for those that are no longer there."""
        known: dict[int, Found] = {}
        with self._faults():
            for some in _batches(ids):
                for place, name, text, body, context, fields, *rest in self._reading.execute(
                    "SELECT c.id, c.name, c.text, c.body, c.context, c.fields, c.line, c.page, "
                    "d.path, c.same FROM chunks c JOIN documents d ON d.id = c.document "
                    f"WHERE c.id IN ({_marks(some)})",
                    some,
                ):
                    line, page, path, same = rest
                    chunk = Chunk(name, text, body, context, _loaded(fields), line, page)
                    known[place] = Found(chunk, path, same)
        return known

    def columns(self) -> dict[str, Column]:
        """Every field that some document or chunk has, with what its values are."""
        with self._faults():
            known: dict[str, dict[str, int]] = {}
            for name, each, count in self._reading.execute(
                "SELECT field, reading, count FROM columns WHERE count > 0 ORDER BY field"
            ):
                known.setdefault(name, {})[each] = count
        return {name: Column(counts) for name, counts in known.items()}

    def stray(self, name: str, column: Column) -> tuple[str, str]:
        """The first value of a field that is not of its column's type, after where it stands."""
        path = f'$."{name}"'
        statement = (
            "SELECT {0}, each.value FROM {1}, json_each({2}.fields, ?) AS each "
            "ORDER BY {2}.id, each.id"
        )
        with self._faults():
            for given in (
                ("d.path", "documents AS d", "d"),
                ("c.name", "chunks AS c", "c"),
            ):
                for where, value in self._reading.execute(statement.format(*given), (path,)):
                    if not column.fits(reading(value)):
                        return str(where), str(value)
        return "", ""

    def words(self, name: str) -> list[str]:
        """The words that a field holds: at most ``MOST_WORDS`` and one."""
        each = "json_each({}.fields, ?) AS each WHERE each.type = 'text'"
        statement = (
            f"SELECT each.value FROM documents AS d, {each.format('d')} "
            f"UNION SELECT each.value FROM chunks AS c, {each.format('c')} LIMIT ?"
        )
        path = f'$."{name}"'
        with self._faults():
            found = self._reading.execute(statement, (path, path, MOST_WORDS + 1))
            return [str(row[0]) for row in found]

    def counts(self) -> dict[str, int]:
        """``documents`` and ``chunks``."""
        with self._faults():
            return {
                table: int(self._reading.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
                for table in ("documents", "chunks")
            }

    def note(self, name: str) -> str:
        """A fact about the index that was noted with ``set_notes``, or nothing."""
        with self._faults():
            row = self._reading.execute("SELECT value FROM notes WHERE name = ?", (name,))
            found = row.fetchone()
        return str(found[0]) if found else ""

    @property
    def is_empty(self) -> bool:
        """Whether the engine was told of nothing."""
        return self.note("rows") in ("", "0")

    @property
    def unfinished(self) -> IndexFault | None:
        """What a reader should know when a writer has not come to its end. An index of an earlier
        version has no state: it is finished when there is something in it."""
        if self.note("state") == WHOLE or (not self.note("state") and not self.is_empty):
            return None
        return IndexFault("nothing_yet" if self.is_empty else "unfinished", name=self.folder.name)

    def enter(self, state: str) -> None:
        """Notes, durably, that the index is from now on in this state."""
        self.set_notes({"state": state})
        self.commit()

    def changes(self) -> int:
        """A number that is another one after any commit, by whichever process."""
        with self._faults():
            return int(self._reading.execute("PRAGMA data_version").fetchone()[0])

    def pending(self) -> list[int]:
        """The ids of chunks that came or went, of which the engine has not yet been told."""
        with self._faults():
            return [row[0] for row in self._reading.execute("SELECT id FROM pending")]

    def missing(self, ids: Sequence[int]) -> list[int]:
        """Which of these chunks are no longer there."""
        there: set[int] = set()
        with self._faults():
            for some in _batches(ids):
                picked = f"SELECT id FROM chunks WHERE id IN ({_marks(some)})"
                there.update(row[0] for row in self._reading.execute(picked, some))
        return [each for each in ids if each not in there]

    def rows(self, tokens: Tokens = TERMS, ids: Sequence[int] | None = None) -> Iterator[Row]:
        """What the engine is to hold of these chunks, or of all; those no longer there left out."""
        statement = (
            "SELECT c.id, c.text, c.body, c.context, c.fields, d.fields "
            "FROM chunks c JOIN documents d ON d.id = c.document"
        )
        with self._faults():
            if ids is None:
                for found in self._reading.execute(f"{statement} ORDER BY c.id"):
                    yield _row(found, tokens)
                return
            for some in _batches(ids):
                picked = f"{statement} WHERE c.id IN ({_marks(some)})"
                for found in self._reading.execute(picked, some).fetchall():
                    yield _row(found, tokens)

    def ids(self) -> list[int]:
        """Every chunk's id, in order."""
        with self._faults():
            return [row[0] for row in self._reading.execute("SELECT id FROM chunks ORDER BY id")]

    def searched(self, ids: Sequence[int]) -> dict[int, tuple[str, str]]:
        """What is searched of these chunks, after how each is cited; those no longer there left
        out."""
        known: dict[int, tuple[str, str]] = {}
        with self._faults():
            for some in _batches(ids):
                picked = (
                    f"SELECT id, name, text, body, context FROM chunks WHERE id IN ({_marks(some)})"
                )
                for place, name, *parts in self._reading.execute(picked, some):
                    known[place] = (name, searched(*parts))
        return known

    def matching(self, where: Where) -> set[int]:
        """The ids of all chunks that keep the conditions."""
        kept: set[int] = set()
        with self._faults():
            shared = {
                place: _loaded(fields)
                for place, fields in self._reading.execute("SELECT id, fields FROM documents")
            }
            whole = {place for place, fields in shared.items() if where.matches(fields)}
            for place, document, own in self._reading.execute(
                "SELECT id, document, fields FROM chunks"
            ):
                if own == "{}":
                    keeps = document in whole
                else:
                    keeps = where.matches({**shared.get(document, {}), **_loaded(own)})
                if keeps:
                    kept.add(place)
        return kept

    def verify(self) -> None:
        """Raises IndexFault for a file that is damaged. SQLite keeps no checksums: its structure is
        looked at, and whether every chunk has its document."""
        with self._faults():
            if self._reading.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise EngineDamaged("quick_check")
            lone = "SELECT 1 FROM chunks WHERE document NOT IN (SELECT id FROM documents) LIMIT 1"
            if self._reading.execute(lone).fetchone():
                raise EngineDamaged("a chunk without its document")

    # What is written: seen by nobody before ``commit``.

    def put(self, document: Document, chunks: Iterable[Chunk]) -> int:
        """Puts a document in, in place of what its path held before; gives the number of chunks."""
        with self._faults():
            self._begin()
            self._take_out(document.path)
            fields = _fields(document.fields)
            place = self._writing.execute(
                "INSERT INTO documents"
                "(path, digest, size, mtime_ns, title, fields, ctime_ns, inode) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    _path(document.path),
                    document.digest,
                    document.size,
                    document.mtime_ns,
                    document.title,
                    _json(fields),
                    document.ctime_ns,
                    document.inode,
                ),
            ).lastrowid
            self._writing.executemany(
                "INSERT INTO problems VALUES (?, ?, ?)",
                [(_path(document.path), fault, _json(given)) for fault, given in document.problems],
            )
            count = 0
            self._counted.update(_readings(fields))
            for chunk in chunks:
                own = _fields(chunk.fields)
                self._counted.update(_readings(own))
                self._put_chunk(place, chunk, own)
                count += 1
        return count

    def touch(self, document: Document) -> None:
        """Notes a new digest, time and size of a document whose chunks are the same."""
        with self._faults():
            self._begin()
            self._writing.execute(
                "UPDATE documents SET digest = ?, size = ?, mtime_ns = ?, ctime_ns = ?, inode = ? "
                "WHERE path = ?",
                (
                    *(document.digest, document.size, document.mtime_ns),
                    *(document.ctime_ns, document.inode, _path(document.path)),
                ),
            )

    def delete(self, path: str) -> None:
        """Takes a document and its chunks out; a path that is not there is no error."""
        with self._faults():
            self._begin()
            self._take_out(path)

    def set_notes(self, notes: Mapping[str, object]) -> None:
        """Notes facts about the index."""
        with self._faults():
            self._begin()
            self._writing.executemany(
                "INSERT OR REPLACE INTO notes VALUES (?, ?)",
                [(name, str(value)) for name, value in notes.items()],
            )

    def told(self, ids: Iterable[int]) -> None:
        """Notes that the engine knows of these chunks."""
        with self._faults():
            self._begin()
            self._writing.executemany("DELETE FROM pending WHERE id = ?", [(i,) for i in ids])

    def commit(self) -> None:
        """Makes everything since the last commit durable, and seen."""
        with self._faults():
            self._keep_counts()
            self._writing.commit()

    def rollback(self) -> None:
        """Forgets everything since the last commit."""
        with self._faults():
            self._counted.clear()
            self._writing.rollback()

    def close(self) -> None:
        """Lets go of the file; what was not committed is forgotten."""
        self._reading.close()
        self._writing.close()

    def _prepare(self, make: bool) -> None:
        version = int(self._writing.execute("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA_VERSION:
            raise IndexFault("newer", folder=self.folder)
        if not make and version == 0:
            raise IndexFault("nothing_yet", name=self.folder.name)
        if version == SCHEMA_VERSION:
            return
        if not is_writable(self.path):
            raise IndexFault("older", folder=self.folder, name=self.folder.name)
        with transaction(self._writing):
            version = int(self._writing.execute("PRAGMA user_version").fetchone()[0])
            for statement in _SCHEMA.split(";"):
                self._writing.execute(statement)
            if 0 < version < SCHEMA_VERSION:
                self._bring_up()
            self._writing.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _bring_up(self) -> None:
        """Makes an index of an earlier version one of this. What its fields are is counted, and its
        engine, which knows no quantities, is forgotten, to be made again."""
        there = [row[1] for row in self._writing.execute("PRAGMA table_info(documents)")]
        for each in {"ctime_ns", "inode"}.difference(there):
            self._writing.execute(
                f"ALTER TABLE documents ADD COLUMN {each} INTEGER NOT NULL DEFAULT 0"
            )
        for table in ("documents", "chunks"):
            for (fields,) in self._writing.execute(f"SELECT fields FROM {table}"):
                self._counted.update(_readings(_loaded(fields)))
        self._keep_counts()
        self._writing.execute("DELETE FROM notes WHERE name = 'engine'")

    def _put_chunk(self, document: int | None, chunk: Chunk, fields: Mapping[str, Held]) -> None:
        text = normalize("NFC", chunk.text)
        body = normalize("NFC", chunk.body)
        place = self._writing.execute(
            "INSERT INTO chunks(document, name, text, body, context, fields, line, page, same) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                document,
                normalize("NFC", chunk.id),
                text,
                "" if body == text else body,
                normalize("NFC", chunk.context),
                _json(fields),
                chunk.line,
                chunk.page,
                _same(text),
            ),
        ).lastrowid
        self._writing.execute("INSERT INTO pending VALUES (?)", (place,))

    def _take_out(self, path: str) -> None:
        which = "(SELECT id FROM documents WHERE path = ?)"
        given = (_path(path),)
        for table, key in (("documents", "id"), ("chunks", "document")):
            held = self._writing.execute(f"SELECT fields FROM {table} WHERE {key} = {which}", given)
            for (fields,) in held:
                self._counted.subtract(_readings(_loaded(fields)))
        self._writing.execute(
            f"INSERT OR IGNORE INTO pending SELECT id FROM chunks WHERE document = {which}", given
        )
        self._writing.execute(f"DELETE FROM chunks WHERE document = {which}", given)
        self._writing.execute("DELETE FROM documents WHERE path = ?", given)
        self._writing.execute("DELETE FROM problems WHERE path = ?", given)

    def _keep_counts(self) -> None:
        """Adds what was put and taken out to what is known of the fields."""
        changed = [(*key, count) for key, count in self._counted.items() if count]
        if changed:
            self._begin()
            self._writing.executemany(
                "INSERT INTO columns VALUES (?, ?, ?) "
                "ON CONFLICT DO UPDATE SET count = count + excluded.count",
                changed,
            )
        self._counted.clear()

    def _begin(self) -> None:
        if not self._writing.in_transaction:
            self._writing.execute("BEGIN IMMEDIATE")

    @contextmanager
    def _faults(self) -> Generator[None]:
        try:
            with faults(self.path):
                yield
        except EngineDamaged:
            raise IndexFault("damaged", folder=self.folder, name=self.folder.name) from None


def _row(found: tuple[Any, ...], tokens: Tokens) -> Row:
    place, text, body, context, own, shared = found
    fields = {**_loaded(shared), **_loaded(own)}
    return Row(place, tokens.of_text(searched(text, body, context)), fields)


def _fields(given: Mapping[str, Held]) -> dict[str, Held]:
    return {
        field_name(name): tuple(map(_storable, held))
        if isinstance(held, tuple | list)
        else _storable(held)
        for name, held in given.items()
    }


def _readings(fields: Mapping[str, Held]) -> Counter[tuple[str, str]]:
    """How many values of each field read as what."""
    return Counter(
        (name, reading(value)) for name, held in fields.items() for value in each_of(held)
    )


def _locked(path: Path, wait: float) -> sqlite3.Connection:
    """A connection that alone has the lock file. That holds nothing, so one that is damaged is
    emptied. It stays the same file: were it another, two writers could each have theirs."""
    holder = sqlite3.connect(path, timeout=wait, isolation_level=None)
    try:
        holder.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError as error:
        holder.close()
        if _is_busy(error) or not path.is_file() or not path.stat().st_size:
            raise
        os.truncate(path, 0)
        return _locked(path, wait)
    return holder


def _is_busy(error: sqlite3.DatabaseError) -> bool:
    return error.sqlite_errorname.startswith("SQLITE_BUSY")


def _storable(value: Value) -> Value:
    """A number that no engine can hold is kept as the word that writes it."""
    try:
        return kept_value(value)
    except FilterError:
        return str(value)


def _same(text: str) -> bytes:
    return blake2b(fold(text).encode("utf-8", "replace"), digest_size=8).digest()


def _path(path: str) -> str:
    return normalize("NFC", path)


def _loaded(text: str) -> Any:
    """What ``_json`` wrote."""
    try:
        return json.loads(text)
    except (ValueError, TypeError):
        raise EngineDamaged("no JSON") from None


def _json(fields: Mapping[str, Held]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), _AT_ONCE):
        yield ids[start : start + _AT_ONCE]
