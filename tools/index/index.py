"""A corpus of documents that is searched: the store, its engine, and what lies between them.

The store is what counts. A commit writes documents there together with the list of chunks the
engine has yet to hear of, then tells the engine, then strikes the list. A process that ends in
between leaves the list, and the next one to open the index goes on from it.
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from typing import Any, Literal, TypeVar

from tools.documents import Passage
from tools.index.columns import Column
from tools.index.database import folder_bytes, is_writable
from tools.index.engine import Engine, EngineDamaged, Frequencies, Hit, IndexFault
from tools.index.semantic import (
    Embedded,
    Embedder,
    Meaning,
    Progress,
    embed,
    fused,
    rarities,
    share,
)
from tools.index.semantic_store import Vectors
from tools.index.server import ANONYMOUS, Login, Server, ServerFault
from tools.index.sqlite_engine import SqliteEngine
from tools.index.store import OPEN, WAIT_SECONDS, WHOLE, Chunk, Document, Found, Store
from tools.index.where import Where
from tools.morphemes import named
from tools.tokens import TERMS, Tokens

EngineName = Literal["tantivy", "sqlite"]

_PACKAGES = {"tantivy": "tantivy", "opensearch": "bareloop[opensearch]"}

CHUNKS_PER_COMMIT = 10_000
REMEMBERED_SEARCHES = 256
RERANKED = 30
"""How many passages a reranking step is given at least."""

Rerank = Callable[[str, Sequence[Passage]], Sequence[int]]
"""Given a question and passages, their numbers (from 0) in a better order; some may be left out."""

T = TypeVar("T")

_EVERYTHING = Where()
_NO_FIELDS: Mapping[str, Column] = {}
_MOST_HITS = 2_000


@dataclass(frozen=True)
class Ranked:
    """A passage that may be what was asked for. ``words`` is its BM25 score, 0 without a word of
    the question, ``cosine`` how near its meaning is; None where nothing says what it means."""

    passage: Passage
    words: float
    cosine: float | None = None


@dataclass(frozen=True)
class Stray:
    """A field in which some values are not of its column's type; ``place`` and ``value`` are those
    of the first."""

    name: str
    column: Column
    place: str
    value: str


class Writer:
    """The one who may change an index; got from ``Index.writer``.

    What was put is durable and can be found after ``commit``; one happens by itself every few
    thousand chunks and at the end of the ``with`` block. After an exception in the block only what
    was committed is there, always whole documents.
    """

    def __init__(self, store: Store, publish: Callable[[], None]) -> None:
        self._store = store
        self._publish = publish
        self._documents = store.documents()
        self._uncommitted = 0
        self.is_complete = True
        """Whether the index will have all of what it is made of; else the next one goes on."""

    def documents(self) -> dict[str, Document]:
        """Every document by its path, with what was put since."""
        return dict(self._documents)

    def put(self, document: Document, chunks: Iterable[Chunk]) -> None:
        """Puts a document in, in place of what its path held before."""
        self._uncommitted += 1 + self._store.put(document, chunks)
        self._documents[document.path] = document
        if self._uncommitted >= CHUNKS_PER_COMMIT:
            self.commit()

    def touch(self, document: Document) -> None:
        """Notes a new digest, time and size of a document whose chunks are the same."""
        self._store.touch(document)
        self._documents[document.path] = document
        self._uncommitted += 1

    def delete(self, path: str) -> None:
        """Takes a document and its chunks out; a path that is not there is no error."""
        self._store.delete(path)
        self._documents.pop(path, None)
        self._uncommitted += 1

    def commit(self) -> None:
        """Makes what was put and deleted durable, and seen by searches."""
        if self._uncommitted:
            self._store.commit()
            self._publish()
            self._uncommitted = 0


class Index:
    """A folder's index. ``engine`` None takes the one that a writer was last told to use, else
    tantivy, or SQLite where tantivy is not installed. On a search server the ``login`` is used;
    one that cannot be reached leaves the index open, with its reason in ``unreachable`` and among
    the notices, and every search raises ServerFault until it answers.

    ``notices`` tells what had to be done to keep it usable (IndexFault as values, for the reader).
    Opening makes the index if there is none, goes on from an interrupted commit, and makes the
    engine's files again when they are missing, damaged or of another kind; for that it waits for a
    writer at most ``wait`` seconds. Raises IndexFault. May be searched from several threads.
    ``tokens`` None takes those that the index was made with. Without ``make`` there must be one,
    which may lie where nothing can be written.

    With an ``embedder``, and vectors of its making (``embed``), passages are also found by meaning.
    """

    def __init__(
        self,
        folder: Path,
        *,
        engine: EngineName | Server | None = None,
        wait: float = WAIT_SECONDS,
        embedder: Embedder | None = None,
        login: Login = ANONYMOUS,
        tokens: Tokens | None = None,
        make: bool = True,
    ) -> None:
        self.folder = folder
        self.notices: list[IndexFault] = []
        self._wait = wait
        self._mutex = RLock()
        self._answers: OrderedDict[tuple[object, ...], list[Ranked]] = OrderedDict()
        self._keeping: dict[str, set[int]] = {}
        self._embedder = embedder
        self._vectors: Meaning | None = None
        self.unreachable: ServerFault | None = None
        self._asked = engine
        self._login = login
        self._best = "tantivy" if find_spec("tantivy") else "sqlite"
        self._kind = self._choice = ""
        self._server: Server | None = None
        self._seen = -1
        self._place = ""
        self._new_alias = ""
        self._doubtful = False
        self._elsewhere: TemporaryDirectory[str] | None = None
        self._engine: Engine | None = None
        self._store = Store(folder, make=make)
        self._told = tokens
        self.tokens = tokens or TERMS
        try:
            self._open_any()
            if embedder is not None and self.has_vectors and not self._can_use_vectors():
                self.notices.append(IndexFault("no_vectors", folder=folder))
        except BaseException:
            self.close()
            raise

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether there is an index in ``folder``."""
        return (folder / "store.sqlite3").is_file()

    @property
    def name(self) -> str:
        """The corpus's name: the folder's own."""
        return self.folder.resolve().name

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to find."""
        return self._store.is_empty

    @property
    def unfinished(self) -> IndexFault | None:
        """What a reader should know when a writer has not come to its end: it is at work, or was
        stopped."""
        return self._store.unfinished

    @contextmanager
    def writer(self, wait: float | None = None) -> Generator[Writer]:
        """Becomes the one writer; waits for another at most ``wait`` seconds, then raises
        IndexFault ``index.busy``. Verifies the engine's files before it adds to them."""
        with self._store.lock(self._wait if wait is None else wait):
            with self._mutex:
                self._refresh()
                try:
                    self._opened.verify()
                except EngineDamaged:
                    self._mend()
                self._catch_up()
                self._keep_choice()
                before = self._store.note("state")
                self._store.enter(OPEN)
            writer = Writer(self._store, self._publish)
            try:
                yield writer
                writer.commit()
                if writer.is_complete:
                    self._store.enter(WHOLE)
            except BaseException as error:
                # a full disk must not hide the reason by failing again
                with suppress(IndexFault):
                    self._store.rollback()
                    if isinstance(error, IndexFault) and error.key == "index.emptied":
                        self._store.enter(before)
                raise
            finally:
                with self._mutex:
                    self._reopen()

    def where(self, *conditions: str, others: Mapping[str, Column] = _NO_FIELDS) -> Where:
        """The conditions that a person wrote, read by what this index's fields are, and those of
        ``others`` that it lacks. Raises FilterError."""
        own = self.columns()
        return Where.parse(
            conditions,
            {**others, **own},
            lambda name: self._store.words(name) if name in own else None,
        )

    def columns(self) -> dict[str, Column]:
        """The fields of this index, with what their values are."""
        return self._store.columns()

    def words(self, name: str) -> list[str]:
        """Some of the words that a field holds."""
        return self._store.words(name)

    def keeping(self, where: Where) -> int:
        """The number of passages that keep the conditions. Looks at every one."""
        return len(self._store.matching(where))

    def strays(self) -> list[Stray]:
        """Fields in which some values are not of the field's type, and meet no comparison."""
        return [
            Stray(name, column, *self._store.stray(name, column))
            for name, column in self.columns().items()
            if column.strays
        ]

    @property
    def has_vectors(self) -> bool:
        """Whether passages were given vectors, of whatever model, or were about to be."""
        return Vectors.path(self.folder).is_file()

    def embed(
        self,
        progress: Progress = lambda done, total, name: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Embedded:
        """Gives every passage a vector of the index's embedder, as ``tools.index.semantic.embed``
        does; waits for a writer like one. Raises IndexFault."""
        if self._embedder is None:
            raise ValueError("an index without an embedder makes no vectors")
        with self._store.lock(self._wait):
            with self._mutex:
                self._forget_vectors()
            try:
                vectors = Vectors(self.folder)
            except EngineDamaged:
                Vectors.forget(self.folder)
                vectors = Vectors(self.folder)
            try:
                return embed(self._store, vectors, self._embedder, progress, stop)
            finally:
                vectors.close()

    def search(
        self,
        query: str,
        where: Where = _EVERYTHING,
        k: int = 5,
        rerank: Rerank | None = None,
    ) -> list[Passage]:
        """The ``k`` best passages for a question among those that keep ``where``, best first.
        Passages with the same text are one: the best of them. ``rerank`` has the last word about
        the order of the first few."""
        return [each.passage for each in self.ranked(query, where, k, rerank)]

    def ranked(
        self,
        query: str,
        where: Where = _EVERYTHING,
        k: int = 5,
        rerank: Rerank | None = None,
    ) -> list[Ranked]:
        """The same with what ranks each of them."""
        with self._mutex:
            found = self._remembered(query, where, max(k, RERANKED) if rerank else k)
        if rerank is not None:
            order = rerank(query, [each.passage for each in found])
            found = [found[each] for each in order]
        return found[:k]

    def frequencies(self, tokens: Sequence[str]) -> Frequencies:
        """In how many passages each of the tokens is, as the engine tells it."""
        with self._mutex:
            self._refresh()
            return self._from_engine(lambda engine: engine.frequencies(tokens))

    def stats(self) -> dict[str, Any]:
        """``documents``, ``chunks``, ``engine``, ``bytes`` on disk, ``generation`` (grows with
        every commit) and ``fields`` with the kinds of their values."""
        with self._mutex:
            self._refresh()
            return {
                **self._store.counts(),
                "engine": self._opened.stats()["engine"],
                "bytes": folder_bytes(self.folder),
                "generation": self._generation(),
                "fields": {
                    name: sorted(each.kinds) for name, each in self._store.columns().items()
                },
            }

    def close(self) -> None:
        """Lets go of every file."""
        with self._mutex:
            if self._engine is not None:
                with suppress(EngineDamaged, IndexFault):
                    self._engine.close()
                self._engine = None
            if self._elsewhere is not None:
                self._elsewhere.cleanup()
                self._elsewhere = None
            self._forget_vectors()
            self._store.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Searching

    def _remembered(self, query: str, where: Where, k: int) -> list[Ranked]:
        self._refresh()
        meaning = self._meaning()
        asked = self.tokens.of_question(query)
        key = (*asked, query if meaning else "", where.told, k)
        if key in self._answers:
            self._answers.move_to_end(key)
            return list(self._answers[key])
        found = self._found(query, asked, where, k, meaning)
        self._answers[key] = found
        if len(self._answers) > REMEMBERED_SEARCHES:
            self._answers.popitem(last=False)
        return list(found)

    def _found(
        self, query: str, asked: list[str], where: Where, k: int, meaning: Meaning | None
    ) -> list[Ranked]:
        """Asks for more as long as hits fall away: chunks that have gone, and texts that were
        there before."""
        limit = k + 5
        while True:
            hits = first = self._hits(asked, where, limit)
            cosines: dict[int, float] = {}
            if meaning is not None:
                also = [hit.id for hit in first]
                cosines = meaning.nearest(query, limit, also, self._allowed(where))
                hits = self._fused(asked, first, cosines)
            words = {hit.id: hit.score for hit in first}
            known = self._store.found([hit.id for hit in hits])
            # vectors may know chunks that have gone: they are made later
            gone = {hit.id for hit in hits if hit.id in words and hit.id not in known}
            if gone and self._is_mended_without(gone):
                continue
            found = [
                Ranked(passage, words.get(each, 0.0), cosines.get(each))
                for each, passage in _distinct(hits, known)
            ]
            if len(found) >= k or max(len(first), len(cosines)) < limit or limit > _MOST_HITS:
                return found[:k]
            limit *= 4

    def _is_mended_without(self, gone: set[int]) -> bool:
        """Whether the engine was made again, because it was damaged where it found chunks that the
        store has not. Raises IndexFault when it is sound, so that the store has lost them: those
        that a commit has just taken out it knows of. What a search server holds may lag behind."""
        if self._server is not None or self._elsewhere is not None:
            return False
        if gone.issubset(self._store.pending()) or self._store.changes() != self._seen:
            return False
        try:
            self._opened.verify()
        except EngineDamaged:
            self._mend()
            return True
        raise IndexFault("damaged", folder=self.folder, name=self.name)

    def _fused(self, asked: list[str], hits: list[Hit], cosines: dict[int, float]) -> list[Hit]:
        """What words and what meaning found, in one order."""
        words = {hit.id: hit.score for hit in hits}
        texts = self._store.searched(list(words))
        rarity = rarities(self._from_engine(lambda engine: engine.frequencies(asked)))
        shares = {
            each: share(rarity, self.tokens.of_text(text)) for each, (_, text) in texts.items()
        }
        return fused(words, shares, cosines)

    def _allowed(self, where: Where) -> set[int] | None:
        """The chunks that keep the conditions; None without any."""
        if not where.conditions:
            return None
        if where.told not in self._keeping:
            self._keeping[where.told] = self._store.matching(where)
        return self._keeping[where.told]

    def _meaning(self) -> Meaning | None:
        """The vectors, where there are any of the embedder's making."""
        if self._embedder is None or not self.has_vectors or not self._can_use_vectors():
            return None
        return None if self._vectors is None or self._vectors.is_empty else self._vectors

    def _can_use_vectors(self) -> bool:
        """Opens the vectors and sees what was committed since; not those that are damaged or of
        another model."""
        assert self._embedder is not None
        try:
            if self._vectors is None:
                self._vectors = Meaning(Vectors(self.folder), self._embedder)
            if self._vectors.refresh():
                self._answers.clear()
        except EngineDamaged:
            self._forget_vectors()
            return False
        return self._vectors.vectors.model in ("", self._embedder.name)

    def _forget_vectors(self) -> None:
        """Lets go of the vectors' files; the next search opens them again."""
        if self._vectors is not None:
            self._vectors.vectors.close()
            self._vectors = None

    def _hits(self, asked: list[str], where: Where, limit: int) -> list[Hit]:
        return self._from_engine(lambda engine: engine.search(asked, where, limit))

    def _from_engine(self, ask: Callable[[Engine], T]) -> T:
        """What the engine answers; one that is damaged is made again first, once."""
        try:
            return ask(self._opened)
        except EngineDamaged:
            self._mend()
        try:
            return ask(self._opened)
        except EngineDamaged:
            raise IndexFault("damaged", folder=self.folder, name=self.name) from None

    def _refresh(self) -> None:
        """Sees what has been committed since, by whomever."""
        changes = self._store.changes()
        if changes == self._seen and self._engine is not None:
            return
        if self._engine is None or self._store.note("engine") != self._place:
            self._open()
            return
        try:
            self._opened.reload()
        except EngineDamaged:
            self._mend()
        self._seen = changes
        self._forget_answers()

    def _forget_answers(self) -> None:
        self._answers.clear()
        self._keeping.clear()

    # Opening and mending

    @property
    def _opened(self) -> Engine:
        if self._engine is None:
            raise RuntimeError("this index is closed")
        return self._engine

    def _choose(self) -> None:
        """Takes the engine that was asked for, here or by another process since, or the best."""
        kept = self._store.note("choice")
        choice = self._asked or (engine_choice(kept) if kept else "")
        if isinstance(choice, Server):
            self._server, self._kind, self._choice = choice, "opensearch", choice.url
            return
        self._server, self._choice = None, choice
        self._kind = choice if choice == "sqlite" or self._asked else self._best

    def _keep_choice(self) -> None:
        """Notes the engine that was asked for, where it is already in use."""
        if self._choice != self._store.note("choice"):
            self._store.set_notes({"choice": self._choice})
            self._store.commit()

    def _open_any(self) -> None:
        """Opens with the engine that was asked for, or with the best there is."""
        try:
            self._open()
        except ServerFault as fault:
            self.unreachable = fault
            self.notices.append(fault)
        except ImportError:
            if self._asked or self._server:
                package = _PACKAGES[self._kind]
                raise IndexFault("not_installed", name=self._kind, package=package) from None
            self._best = "sqlite"
            self._open()
        if self._kind == "sqlite" and self._choice != "sqlite":
            self.notices.append(IndexFault("no_tantivy", folder=self.folder))

    def _open(self) -> None:
        """Opens the engine that the store names, when it is the right one and whole; else makes it
        again. Also goes on from an interrupted commit, unless a writer is at it."""
        self._forget_answers()
        self._choose()
        self.tokens = self._told or named(self._store.note("terms"))
        if not self._is_whole():
            if self._is_for_reading():
                self._stand_in()
                return
            with self._store.lock(self._wait):
                if not self._is_whole():
                    self._rebuild()
        elif self._store.pending():
            with suppress(IndexFault), self._store.lock(0):
                self._catch_up()
                self._reopen()
        self._seen = self._store.changes()

    def _mend(self) -> None:
        """Makes the engine's files again, which turned out to be damaged."""
        if self._is_for_reading():
            self._stand_in()
            return
        damaged = self._place
        with self._store.lock(self._wait):
            if self._store.note("engine") == damaged:
                self._rebuild()
        self._open()

    def _is_for_reading(self) -> bool:
        """Whether the engine would lie where nothing can be written."""
        return self._server is None and not is_writable(self.folder)

    def _stand_in(self) -> None:
        """Searches with SQLite for as long as this index is open, from a folder that goes with it,
        where the engine cannot be made again in its place."""
        self._let_go()
        self._elsewhere = self._elsewhere or TemporaryDirectory(prefix="bareloop-")
        engine = SqliteEngine(Path(self._elsewhere.name) / secrets.token_hex(4))
        engine.add(self._store.rows(self.tokens))
        engine.commit()
        self._engine = engine
        self._place = self._store.note("engine")
        self._seen = self._store.changes()
        self.notices.append(IndexFault("stand_in", folder=self.folder))

    def _is_whole(self) -> bool:
        """Opens the engine and looks whether it holds what the store says it should."""
        before = self._store.changes()
        place = self._store.note("engine")
        kind = place.partition("-")[0]
        if kind != self._kind or self._store.note("terms") != self.tokens.name:
            return False
        if self._server is None and not (self.folder / place).is_dir():
            return False
        if self._server is not None and not self._server.holds(self._store.note("server")):
            return False
        try:
            self._use(place)
            rows = self._opened.stats()["rows"]
        except EngineDamaged:
            return False
        # while a commit is on its way the two may differ
        if self._store.pending() or str(rows) == self._store.note("rows"):
            return True
        return self._store.changes() != before and self._is_whole()

    def _rebuild(self) -> None:
        """Makes the engine anew beside the old one, and changes over when it is complete."""
        old = self._store.note("engine")
        before = self._store.note("server"), self._store.note("alias")
        is_same = self._store.note("terms") == self.tokens.name
        self._store.verify()  # else what it lost would never have been
        pending = self._store.pending()
        place = f"{self._kind}-{secrets.token_hex(4)}"
        try:
            self._use(place, is_new=True)
            self._opened.add(self._store.rows(self.tokens))
            self._opened.commit()
            self._store.told(pending)
            self._note(place)
            self._reopen()
        except EngineDamaged as error:
            raise IndexFault("unwritable", folder=self.folder, reason=error) from None
        except ServerFault:
            # half an index must not be taken for one that has nothing
            self._let_go()
            raise
        if is_same and old.startswith(self._kind) and before[0] == self._store.note("server"):
            self.notices.append(IndexFault("rebuilt", folder=self.folder))
        self._sweep(place)
        self._sweep_server(*before)

    def _let_go(self) -> None:
        if self._engine is not None:
            with suppress(EngineDamaged, IndexFault):
                self._engine.close()
            self._engine = None

    def _use(self, place: str, *, is_new: bool = False) -> None:
        """Opens the engine at this place, instead of the one that is open."""
        self._let_go()
        self._engine = self._made(place, is_new)
        self._place = place

    def _made(self, place: str, is_new: bool) -> Engine:
        if self._server is None:
            return local_engine(self.folder / place)
        from tools.index.opensearch_engine import OpenSearchEngine

        token = place.partition("-")[2]
        return OpenSearchEngine(self._server, self._login, self._alias(), token, is_new=is_new)

    def _alias(self) -> str:
        """What the corpus is called on its server; no other corpus of anybody is."""
        if self._server is None:
            return ""
        if self._server.is_near(self._store.note("server"), self._server.prefix):
            return self._store.note("alias")
        if not self._new_alias.startswith(f"{self._server.prefix}-"):
            words = re.sub(r"[^a-z0-9]+", "-", self.name.casefold()).strip("-")[:40] or "corpus"
            self._new_alias = f"{self._server.prefix}-{words}-{secrets.token_hex(4)}"
        return self._new_alias

    def _reopen(self) -> None:
        """Lets go of the engine's writer; a fault is met again by the next search."""
        with suppress(EngineDamaged, IndexFault):
            self._use(self._place)

    def _sweep(self, place: str) -> None:
        """Takes away what earlier engines and an interrupted rebuilding left."""
        for other in self.folder.iterdir():
            if other.name != place and other.name.startswith(("tantivy-", "sqlite-")):
                shutil.rmtree(other, ignore_errors=True)

    def _sweep_server(self, url: str, alias: str) -> None:
        """Takes away what lies on the server from before. Another server than the one that is used
        now is not asked: the login may be none of its business."""
        if not url:
            return
        server = Server.parse(url)
        try:
            if self._server is not None and not self._server.is_near(url):
                raise ServerFault("server_left")
            from tools.index.opensearch_engine import OpenSearchEngine

            token = self._place.partition("-")[2]
            old = OpenSearchEngine(server, self._login, alias, token, is_new=True)
            old.sweep(keep=alias == self._store.note("alias"))
            old.close()
        except (ServerFault, ImportError):
            self.notices.append(IndexFault("server_left", server=server.told, names=f"{alias}-*"))

    # Writing

    def _catch_up(self) -> None:
        """Tells the engine what an interrupted commit did not; it may know some of it."""
        pending = self._store.pending()
        if pending:
            self._tell(pending, pending)

    def _publish(self) -> None:
        """Tells the engine what a commit to the store has changed."""
        with self._mutex:
            pending = self._store.pending()
            gone = pending if self._doubtful else self._store.missing(pending)
            self._tell(pending, gone)

    def _tell(self, pending: list[int], gone: list[int]) -> None:
        self._doubtful = True
        try:
            self._opened.delete(gone)
            self._opened.add(self._store.rows(self.tokens, pending))
            self._opened.commit()
            self._store.told(pending)
            self._note(self._place)
        except EngineDamaged:
            self._rebuild()
        self._doubtful = False

    def _note(self, place: str) -> None:
        self._store.set_notes(
            {
                "engine": place,
                "terms": self.tokens.name,
                "rows": self._opened.stats()["rows"],
                "generation": self._generation() + 1,
                "server": self._server.url if self._server else "",
                "alias": self._alias(),
                "choice": self._choice,
            }
        )
        self._store.commit()

    def _generation(self) -> int:
        return int(self._store.note("generation") or 0)


def engine_choice(told: str) -> EngineName | Server:
    """The engine that a person names: ``tantivy``, ``sqlite``, or the URL of a search server.
    Raises IndexFault."""
    match told.strip():
        case "tantivy" | "sqlite" as name:
            return name
        case _:
            return Server.parse(told)


def local_engine(folder: Path) -> Engine:
    """The engine whose files lie in a folder of this name. Raises EngineDamaged, and ImportError
    for one that is not installed."""
    if folder.name.startswith("sqlite-"):
        return SqliteEngine(folder)
    from tools.index.tantivy_engine import TantivyEngine

    return TantivyEngine(folder)


def _distinct(hits: Iterable[Hit], known: dict[int, Found]) -> list[tuple[int, Passage]]:
    """The passages of hits with their ids, each text once: the best, which names the others."""
    passages: dict[bytes, tuple[int, Passage]] = {}
    for hit in hits:
        if hit.id not in known:
            continue
        found = known[hit.id]
        chunk = found.chunk
        if found.same in passages:
            place, first = passages[found.same]
            passages[found.same] = place, replace(first, also=(*first.also, chunk.id))
        else:
            passage = Passage(
                chunk.id,
                chunk.text,
                found.path,
                round(hit.score, 4),
                chunk.body or chunk.text,
                chunk.context,
                chunk.line or 0,
            )
            passages[found.same] = (hit.id, passage)
    return list(passages.values())
