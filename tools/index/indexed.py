"""The corpora that were indexed: each a folder of its own under one data folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal
from unicodedata import normalize

from tools.choosing import Sample
from tools.documents import Passage, carried, content_words, present
from tools.home import tilde
from tools.index.server import ANONYMOUS, Login, ServerFault
from tools.index.where import Where
from tools.morphemes import is_verb
from tools.permission import PUBLIC
from tools.problems import Unavailable

if TYPE_CHECKING:
    from tools.index.index import Index, Rerank
    from tools.index.reading.rules import Rules

_NAME = re.compile(r"\w(?:[\w .-]{0,62}[\w-])?")
_ABOUT = "corpus.json"
_NEAR_THE_BEST = 0.5
_LOOKED_AT = 4

MEANS_IT, COMES_NEAR = 0.87, 0.82
"""Cosines of multilingual-e5-small. None of 40 questions without an answer came to the first; of
paraphrased questions 85 % came to the second, and of those without an answer 25 %."""


@dataclass(frozen=True)
class About:
    """What an indexed corpus is made of: the ``paths`` that were named, absolute; and what its
    ``corpus.toml`` says of it, as ``tools.index.reading.rules.Rules`` has it."""

    name: str
    description: str = ""
    paths: tuple[str, ...] = ()
    language: str = ""
    role: str = ""
    permission: str = PUBLIC


class IndexedCorpus:
    """An index as a source of evidence, under the person's conditions."""

    kind: ClassVar[Literal["index"]] = "index"

    def __init__(self, about: About, index: Index, conditions: Where | None = None) -> None:
        self.about = about
        self.index = index
        self.conditions = conditions or Where()

    @property
    def name(self) -> str:
        """The corpus's name."""
        return self.about.name

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to find."""
        return self.index.is_empty

    def where(self, *conditions: str) -> IndexedCorpus:
        """The same corpus under more conditions. Raises FilterError for one that cannot be kept."""
        return IndexedCorpus(
            self.about, self.index, self.conditions & self.index.where(*conditions)
        )

    def sample(self, question: str, k: int) -> Sample:
        """What it has for a question, to compare it with other corpora. Raises Unavailable as
        ``search`` does."""
        tokens = self.index.tokens
        with _reachable():
            known = self.index.frequencies(tokens.of_question(question))
            found = self.index.search(question, self.conditions, k)
        return Sample(known, found, lambda passage: tokens.of_text(passage.searched))

    def search(
        self,
        query: str,
        top_k: int = 5,
        rerank: Rerank | None = None,
        *,
        loosely: bool = False,
    ) -> list[Passage]:
        """The best passages that keep the conditions, best first: those that have, with their
        headings, at least half of the words that say what the question is about, or that clearly
        mean it. Where there are none, the closest in meaning, marked as such; none that is far.
        ``loosely`` brings every passage with a word of it: where an answer is put together from
        several, none needs to have half (Recall@10 of one search is .86 for .03 on MultiHop-RAG).
        Raises Unavailable when they lie on a search server that cannot be asked."""
        if self.conditions.conditions:
            from tools.proposals import without_bounds

            query = without_bounds(query, [each.field for each in self.conditions.conditions])
        words = self._words(query)
        forms = self._forms(query)
        with _reachable():
            ranked = self.index.ranked(query, self.conditions, top_k * _LOOKED_AT, rerank)
        best = max((each.words for each in ranked), default=0.0)
        found = [
            each.passage
            for each in ranked
            if (each.cosine or 0.0) >= MEANS_IT
            or (loosely and each.words > 0)
            or (
                each.words >= _NEAR_THE_BEST * best > 0
                and carried(words, self._present(forms, each.passage.searched))
            )
        ]
        closest = (
            replace(each.passage, closest=True)
            for each in ranked
            if (each.cosine or 0.0) >= COMES_NEAR
        )
        return found[:top_k] or [*closest][:top_k]

    def _words(self, question: str) -> list[frozenset[str]]:
        """The content words; where the index knows forms also verbs whose ending alone looks like
        that of any question (듣나요)."""
        written = re.findall(r"[\w.-]+", question)
        verbs = (each for each in written if any(map(is_verb, self.index.tokens.morphemes(each))))
        return list(dict.fromkeys([*content_words(question), *map(present, verbs)]))

    def _forms(self, question: str) -> list[tuple[frozenset[str], frozenset[str]]]:
        """The morphemes of each word of the question, with its units; none where the index knows
        no forms."""
        written = re.findall(r"[\w.-]+", question)
        read = ((frozenset(self.index.tokens.morphemes(each)), each) for each in written)
        return [(morphemes, present(each)) for morphemes, each in read if morphemes]

    def _present(
        self, forms: Sequence[tuple[frozenset[str], frozenset[str]]], text: str
    ) -> frozenset[str]:
        """The units of a text, with those of each word of the question that is there in another
        form."""
        there = present(text)
        if not forms:
            return there
        morphemes = frozenset(self.index.tokens.morphemes(text))
        return there.union(*(units for form, units in forms if form <= morphemes))


@contextmanager
def _reachable() -> Iterator[None]:
    try:
        yield
    except ServerFault as fault:
        raise Unavailable("The search server cannot be asked now.", reason=fault.key) from None


def corpus_name(written: str) -> str | None:
    """A name as folders bear it; None for what is none: letters, digits, ``_``, ``-``, dots
    and spaces."""
    name = normalize("NFC", written)
    return name if _NAME.fullmatch(name) else None


def index_folder(data: Path, name: str) -> Path:
    """Where the index of a corpus lies in the data folder."""
    return data / "corpora" / name


def indexed_names(data: Path) -> list[str]:
    """The corpora that were indexed, by name."""
    return sorted(
        normalize("NFC", each.parent.name) for each in (data / "corpora").glob(f"*/{_ABOUT}")
    )


def read_about(data: Path, name: str) -> About | None:
    """What is known of an indexed corpus; None where there is none of that name."""
    try:
        found = json.loads((index_folder(data, name) / _ABOUT).read_text(encoding="utf-8"))
        return About(
            str(found["name"]),
            str(found["description"]),
            tuple(map(os.path.expanduser, found["paths"])),
            str(found.get("language", "")),
            str(found.get("role", "")),
            str(found.get("permission", PUBLIC)),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_about(data: Path, about: About) -> None:
    """Note what a corpus is made of, whole or not at all."""
    folder = index_folder(data, about.name)
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / f"{_ABOUT}.{os.getpid()}"
    kept = asdict(about) | {"paths": [tilde(path) for path in about.paths]}
    written.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    written.replace(folder / _ABOUT)


def find_indexed(data: Path, name: str, login: Login = ANONYMOUS) -> IndexedCorpus | None:
    """The indexed corpus of that name, open; None where there is none. ``login`` is for one that
    lies on a search server. Raises IndexFault."""
    known = corpus_name(name)
    about = read_about(data, known) if known else None
    if about is None:
        return None
    from tools.index.index import Index
    from tools.index.semantic import installed_embedder

    folder = index_folder(data, about.name)
    return IndexedCorpus(about, Index(folder, login=login, embedder=installed_embedder()))


def under(about: About | None, name: str, rules: Rules | None, paths: Sequence[Path]) -> About:
    """What a corpus is from now on: what its ``corpus.toml`` says, all as before where there is
    none (a file that went missing opens nothing); without ``paths``, made of the same as before."""
    known = about or About(name)
    if rules is not None:
        known = replace(
            known,
            description=rules.description,
            language=rules.language,
            role=rules.role,
            permission=rules.permission,
        )
    return replace(known, paths=tuple(str(path) for path in paths) or known.paths)
