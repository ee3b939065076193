"""The passages of a set as an index, made once and kept."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, get_args

from agent.evaluation.sets import QuestionSet, Text, read_distractors
from tools.index.index import Index
from tools.index.indexed import About, IndexedCorpus
from tools.index.store import Chunk, Document
from tools.library import Shelf

Distractors = Literal["none", "same", "corpora"]
"""Where the passages lie that no question asks for: nowhere, in the same index, in a corpus of
their own beside it."""

DISTRACTORS: tuple[Distractors, ...] = get_args(Distractors)
POOL = "pool"
"""The name of the corpus of distractors."""

_WHOLE = "whole"


class Material:
    """The passages of ``questions`` as sources to answer from. Indexes lie under ``cache`` by what
    is in them, and are made when they are needed; ``told`` hears which one is being made."""

    def __init__(
        self, questions: QuestionSet, data: Path, cache: Path, told: Callable[[str], None]
    ) -> None:
        self._set = questions
        self._data = data
        self._cache = cache
        self._told = told
        self._opened: dict[str, IndexedCorpus] = {}
        self._pool: tuple[Text, ...] | None = None

    def corpus(self, distractors: Distractors) -> IndexedCorpus:
        """The set's passages, with the distractors where they are in the same index."""
        if distractors == "same":
            return self._index(f"{self._set.name}-same", [*self._set.texts, *self.pool])
        return self._index(self._set.name, self._set.texts)

    def corpora(self) -> dict[str, IndexedCorpus]:
        """The set's passages and the distractors, each a corpus, by name."""
        pool = self._index(f"{self._set.name}-{POOL}", self.pool)
        return {self._set.name: self.corpus("none"), POOL: pool}

    def shelves(self) -> list[Shelf]:
        """Both corpora, as a library takes them."""
        return [_shelf(name, corpus) for name, corpus in self.corpora().items()]

    @property
    def pool(self) -> tuple[Text, ...]:
        """The distractors: passages of the pool that are not in the set."""
        if self._pool is None:
            self._pool = read_distractors(self._data, self._set)
        return self._pool

    def _index(self, name: str, texts: Sequence[Text]) -> IndexedCorpus:
        if name not in self._opened:
            folder = self._cache / f"{name}-{digest(texts)}"
            if not (folder / _WHOLE).exists():
                self._told(name)
                _build(folder, texts)
            self._opened[name] = IndexedCorpus(About(name), Index(folder))
        return self._opened[name]

    def close(self) -> None:
        """Lets go of every index."""
        for corpus in self._opened.values():
            corpus.index.close()


def _shelf(name: str, corpus: IndexedCorpus) -> Shelf:
    return Shelf(name, lambda: About(name), lambda: corpus)


def _build(folder: Path, texts: Sequence[Text]) -> None:
    """An index is whole once it says so: one that was being made when the process ended is made
    anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with Index(folder) as index, index.writer() as writer:
        for each in texts:
            chunk = Chunk(each.id, each.text, context=each.context)
            writer.put(Document(each.id, "1"), [chunk])
    (folder / _WHOLE).touch()


def digest(texts: Sequence[Text]) -> str:
    """A name for these passages."""
    hashed = hashlib.sha256()
    for each in texts:
        hashed.update(f"{each.id}\0{each.context}\0{each.text}\0".encode())
    return hashed.hexdigest()[:12]
