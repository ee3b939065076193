"""Several corpora as one source: a question searches those that it is about.

Each corpus stays an index of its own. Who may search it is looked up with every search, and one
that cannot be read is told as such and costs the others nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import RLock
from typing import ClassVar, Literal, Protocol

from tools.choosing import CANDIDATES, NEAR_THE_BEST, Pooled, Sample, chosen
from tools.documents import Passage, carried, content_words, held, present
from tools.index.indexed import About
from tools.permission import PUBLIC
from tools.problems import ToolProblem, Unavailable
from tools.tokens import fold

MOST_CORPORA = 2
"""Corpora that one query of nobody's choosing looks into; see ``tools.choosing``."""


class Corpus(Protocol):
    """What is searched: an ``IndexedCorpus`` or a ``Folder``."""

    @property
    def is_empty(self) -> bool: ...

    def sample(self, question: str, k: int) -> Sample: ...

    def search(self, query: str, top_k: int = 5, *, loosely: bool = False) -> list[Passage]: ...


@dataclass(frozen=True)
class Shelf:
    """A corpus of a library. ``about`` reads what is known of it now (None when it has gone),
    ``open`` opens it and raises what keeps it from being read."""

    name: str
    about: Callable[[], About | None]
    open: Callable[[], Corpus]


@dataclass(frozen=True)
class Found:
    """What a search of several corpora brought: ``searched`` are those that were asked for it,
    ``failed`` those that could not be asked."""

    passages: tuple[Passage, ...]
    searched: tuple[str, ...]
    failed: tuple[str, ...] = ()


class Library:
    """Corpora side by side.

    Those with a permission other than ``public`` are searched only when it is among
    ``permissions``. With ``named`` corpora every search goes through all of them; else through the
    two that the query is about. ``on_failure`` is told of each corpus that cannot be read, once.
    May be searched from several threads.
    """

    kind: ClassVar[Literal["library"]] = "library"

    def __init__(
        self,
        shelves: Sequence[Shelf],
        permissions: Collection[str] = (),
        named: Collection[str] = (),
        on_failure: Callable[[str, Exception], None] = lambda name, failure: None,
    ) -> None:
        self._shelves = {shelf.name: shelf for shelf in shelves}
        self._permissions = {PUBLIC, *permissions}
        self._named = named
        self._on_failure = on_failure
        self._mutex = RLock()
        self._opened: dict[str, Corpus] = {}
        self._failed: set[str] = set()

    @property
    def abouts(self) -> list[About]:
        """What is known of each corpus that may be searched now."""
        return self._known()[0]

    @property
    def names(self) -> list[str]:
        """The corpora that may be searched now."""
        return [about.name for about in self.abouts]

    @property
    def name(self) -> str:
        """All of them, as one text."""
        return ", ".join(self.names)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to find in any of them."""
        names = self.names
        return all(corpus.is_empty for _, corpus in self._readable(names)) and not self._failed

    def covers(self, question: str) -> bool:
        """Whether some corpus may have something on the question: a passage with two words that say
        what it is about (or half of them), one found by its meaning, or nobody knows."""
        picked, failed = self._picked(question)
        words = content_words(question)
        if failed or any(_has_enough(words, each) for c in picked for each in c.sample.passages):
            return True
        try:
            return bool(self.search(question, top_k=1).passages)
        except Unavailable:
            return True

    def called(self, corpus: str) -> str:
        """The corpus that a model calls by this name. Raises ToolProblem ``unknown_corpus`` and
        ``not_permitted``, and Unavailable where nobody can tell."""
        known = {fold(name): name for name in self._shelves}
        name = known.get(fold(corpus))
        about = self._about(name) if name else None
        if name is None or about is None:
            there = self.names
            raise ToolProblem("unknown_corpus", f"There is no corpus {corpus}.", corpora=there)
        if not self._allows(about):
            raise ToolProblem("not_permitted", f"{name} may not be searched without permission.")
        return name

    def search(
        self, query: str, corpus: str = "", top_k: int = 5, *, loosely: bool = False
    ) -> Found:
        """The best passages for a query, best first, from one ``corpus`` or from those that it is
        about. Their ids begin with the corpus's name. Passages with the same text are one.
        ``loosely`` is as ``IndexedCorpus.search`` has it.

        Raises ToolProblem ``unknown_corpus`` and ``not_permitted``, and Unavailable when nothing
        was found and not all could be asked.
        """
        picked, failed = self._picked(query, self.called(corpus) if corpus else "")
        passages: list[tuple[float, int, Passage]] = []
        for choice in picked:
            try:
                found = choice.corpus.search(query, top_k, loosely=loosely)
            except Exception as failure:
                self._note(choice.name, failure)
                failed.append(choice.name)
                continue
            for place, each in enumerate(found):
                passages.append((choice.score(each), place, _of(choice.name, each)))
        in_order = sorted(passages, key=lambda each: (-each[0], each[1], each[2].id))
        best = _distinct(in_order, 0.0 if loosely else NEAR_THE_BEST)
        if failed and not best:
            raise Unavailable(f"Could not be asked: {', '.join(failed)}.", corpora=failed)
        searched = [choice.name for choice in picked if choice.name not in failed]
        return Found(tuple(best[:top_k]), tuple(searched), tuple(failed))

    def _allows(self, about: About) -> bool:
        return about.permission in self._permissions

    def _about(self, name: str) -> About | None:
        """What is known of a corpus. Raises Unavailable when that cannot be read: who may search
        it is not known then."""
        try:
            return self._shelves[name].about()
        except Exception as failure:
            self._note(name, failure)
            raise Unavailable(f"Could not be asked: {name}.", corpora=[name]) from None

    def _known(self) -> tuple[list[About], list[str]]:
        """What is known of the corpora that may be searched, and the names of those of which it
        cannot be read."""
        known: list[About] = []
        failed: list[str] = []
        for name in self._shelves:
            try:
                about = self._about(name)
            except Unavailable:
                failed.append(name)
                continue
            if about and self._allows(about):
                known.append(about)
        return known, failed

    def _picked(self, query: str, within: str = "") -> tuple[list[_Choice], list[str]]:
        """The corpora to search, best first, and those that could not be asked; ``within`` one
        of them, or of all."""
        known, unknown = ([], []) if within else self._known()
        names = [within] if within else [about.name for about in known]
        samples: dict[str, Sample] = {}
        corpora: dict[str, Corpus] = {}
        for name, corpus in self._readable(names):
            try:
                samples[name] = corpus.sample(query, CANDIDATES)
                corpora[name] = corpus
            except Exception as failure:
                self._note(name, failure)
        pooled = Pooled([*samples.values()])
        there = order = [*samples]
        if not self._named and len(names) > 1:
            places = chosen([*samples.values()], pooled, MOST_CORPORA)
            order = [there[place] for place in places]
            # without a word of the question, what was found by its meaning
            order = order or [name for name in there if samples[name].passages][:MOST_CORPORA]
        choices = [_Choice(name, corpora[name], samples[name], pooled) for name in order]
        return choices, [*unknown, *(name for name in names if name not in samples)]

    def _readable(self, names: Sequence[str]) -> Iterator[tuple[str, Corpus]]:
        """Those of the corpora that can be opened."""
        for name in names:
            with self._mutex:
                if name not in self._opened:
                    try:
                        self._opened[name] = self._shelves[name].open()
                    except Exception as failure:
                        self._note(name, failure)
                        continue
                corpus = self._opened[name]
            yield name, corpus

    def _note(self, name: str, failure: Exception) -> None:
        """A corpus that cannot be asked is opened anew the next time."""
        with self._mutex:
            self._opened.pop(name, None)
            is_new = name not in self._failed
            self._failed.add(name)
        if is_new:
            self._on_failure(name, failure)


@dataclass(frozen=True)
class _Choice:
    """A corpus that is to be searched, and how well passages of it fit beside those of others."""

    name: str
    corpus: Corpus
    sample: Sample
    pooled: Pooled

    def score(self, passage: Passage) -> float:
        return self.pooled.score(self.sample.tokens(passage))


def _has_enough(words: Sequence[frozenset[str]], passage: Passage) -> bool:
    """Whether a passage has two of the words, or half of them; a part of a longer question has
    no more."""
    there = present(passage.searched)
    return len(held(words, there)) >= 2 or bool(carried(words, there))


def _of(name: str, passage: Passage) -> Passage:
    """A passage that says which corpus it is from."""
    also = tuple(f"{name}:{each}" for each in passage.also)
    return replace(passage, id=f"{name}:{passage.id}", source=name, also=also)


def _distinct(scored: Sequence[tuple[float, int, Passage]], share: float) -> list[Passage]:
    """Each text once, without what is below this share of the best. What has no word of the query
    was found by its meaning and stays, after the others; what only comes near goes where there is
    more."""
    if any(not passage.closest for _, _, passage in scored):
        scored = [each for each in scored if not each[2].closest]
    least = share * max((score for score, _, _ in scored), default=0.0)
    kept: dict[str, Passage] = {}
    for score, _, passage in scored:
        if score and score < least:
            continue
        told = fold(passage.text)
        if told in kept:
            also = (*kept[told].also, passage.id, *passage.also)
            kept[told] = replace(kept[told], also=also)
        else:
            kept[told] = replace(passage, score=round(score, 4))
    return list(kept.values())
