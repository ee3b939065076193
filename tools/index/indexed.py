"""The corpora that were indexed: each a folder of its own under one data folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal
from unicodedata import normalize

from tools.choosing import Sample
from tools.documents import Passage, carried, content_words, held, present
from tools.home import tilde
from tools.index import ABOUT, FOLDER, indexed_names
from tools.index.columns import Column
from tools.index.engine import EngineDamaged, IndexFault
from tools.index.server import ANONYMOUS, Login, ServerFault
from tools.index.where import Where
from tools.morphemes import is_verb
from tools.patterns import lazy_pattern
from tools.permission import PUBLIC
from tools.problems import Unavailable

if TYPE_CHECKING:
    from tools.index.index import Index, Ranked, Rerank
    from tools.index.reading.rules import Rules
    from tools.index.store import Store

_NAME = lazy_pattern(r"\w(?:[\w .-]{0,62}[\w-])?")
_NEAR_THE_BEST = 0.5
TOP_K = 5
"""Passages that a search brings unless it is told otherwise."""
_LOOKED_AT = 4

_NO_FIELDS: Mapping[str, Column] = {}

Forms = Sequence[tuple[frozenset[str], frozenset[str]]]
"""The morphemes of each word of a question, with its units."""

There = Callable[[str], frozenset[str]]
"""The units of a text, for one question."""

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

    def where(self, *conditions: str, others: Mapping[str, Column] = _NO_FIELDS) -> IndexedCorpus:
        """The same corpus under more conditions. Raises FilterError for one that cannot be kept;
        fields that only ``others`` have are none that it has nothing to say of."""
        read = self.index.where(*conditions, others=others)
        return IndexedCorpus(self.about, self.index, self.conditions & read)

    def sample(self, question: str, k: int) -> Sample:
        """What it has for a question, to compare it with other corpora. Raises Unavailable as
        ``search`` does."""
        tokens = self.index.tokens
        query = self._asked(question)
        with _reachable():
            known = self.index.frequencies(tokens.of_question(query))
            # as many as a search looks at, which is then answered from memory
            found = self.index.search(query, self.conditions, max(k, TOP_K * _LOOKED_AT))[:k]
        return Sample(known, found, lambda passage: tokens.of_text(passage.searched))

    def search(
        self,
        query: str,
        top_k: int = TOP_K,
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
        query = self._asked(query)
        words = self._words(query)
        unbounded = self._words(self._without_bounds(query))
        there = cache(partial(self._present, self._forms(query)))
        with _reachable():
            ranked = self.index.ranked(query, self.conditions, top_k * _LOOKED_AT, rerank)
        best = max((each.words for each in ranked), default=0.0)
        found = [
            each
            for each in ranked
            if (each.cosine or 0.0) >= MEANS_IT
            or (loosely and each.words > 0)
            or (
                each.words >= _NEAR_THE_BEST * best > 0
                and _is_carried((words, unbounded), there, each.passage)
            )
        ]
        if not loosely:
            found = _to_the_point(words, there, found)
        closest = (
            replace(each.passage, closest=True)
            for each in ranked
            if (each.cosine or 0.0) >= COMES_NEAR
        )
        return [each.passage for each in found[:top_k]] or [*closest][:top_k]

    def _asked(self, query: str) -> str:
        """What is looked for: a query without the bounds that are conditions."""
        if not self.conditions.conditions:
            return query
        from tools.proposals import indexed_fields, without_bounds

        bound = {each.field for each in self.conditions.conditions}
        known = indexed_fields(self.index.columns())
        return without_bounds(query, [each for each in known if each.name in bound])

    def _without_bounds(self, query: str) -> str:
        """A query without the bounds that may be meant as conditions, which a passage that keeps
        them need not say (10만원 이하)."""
        from tools.proposals import indexed_fields, without_bounds
        from tools.stated import stated

        if not any(each.bounds for each in stated(query)):
            return query
        return without_bounds(query, indexed_fields(self.index.columns()))

    def _words(self, question: str) -> list[frozenset[str]]:
        """The content words; where the index knows forms also verbs whose ending alone looks like
        that of any question (듣나요)."""
        written = re.findall(r"[\w.-]+", question)
        verbs = (each for each in written if any(map(is_verb, self.index.tokens.morphemes(each))))
        return list(dict.fromkeys([*content_words(question), *map(present, verbs)]))

    def _forms(self, question: str) -> Forms:
        """The morphemes of each word of the question, with its units; none where the index knows
        no forms."""
        written = re.findall(r"[\w.-]+", question)
        read = ((frozenset(self.index.tokens.morphemes(each)), each) for each in written)
        return [(morphemes, present(each)) for morphemes, each in read if morphemes]

    def _present(self, forms: Forms, text: str) -> frozenset[str]:
        """The units of a text, with those of each word of the question that is there in another
        form."""
        there = present(text)
        if not forms:
            return there
        morphemes = frozenset(self.index.tokens.morphemes(text))
        return there.union(*(units for form, units in forms if form <= morphemes))


def _is_carried(ways: Sequence[Sequence[frozenset[str]]], there: There, passage: Passage) -> bool:
    """Whether a passage has enough of the words of a question, in one of the ways to count
    them."""
    known = there(passage.context) | there(passage.body)
    return any(carried(words, known) for words in ways)


def _to_the_point(
    words: Sequence[frozenset[str]], there: There, found: Sequence[Ranked]
) -> list[Ranked]:
    """Without passages that have words of the question in their headings alone, where another
    below the same headings has one that these lack. Of 62 passages that 25 questions brought
    from two handbooks 46 are left; of 800 questions to KorQuAD and HotpotQA, a sentence a
    passage, none lost its answer."""
    has_own: set[str] = set()
    told: set[tuple[str, str]] = set()
    for each in found:
        passage = each.passage
        own = held(words, there(passage.body))
        above = held(words, there(passage.context))
        if own or (each.cosine or 0.0) >= MEANS_IT:
            has_own.add(passage.id)
        if any(word not in above for word in own):
            told.add((passage.source, passage.context))
    return [
        each
        for each in found
        if each.passage.id in has_own or (each.passage.source, each.passage.context) not in told
    ]


@contextmanager
def _reachable() -> Generator[None]:
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
    return data / FOLDER / name


def read_about(data: Path, name: str) -> About | None:
    """What is known of an indexed corpus; None where there is none of that name. Raises IndexFault
    for one whose description cannot be read: nobody knows who may search it."""
    path = index_folder(data, name) / ABOUT
    if not name or name not in indexed_names(data):
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return About(
            str(found["name"]),
            str(found["description"]),
            tuple(map(os.path.expanduser, found["paths"])),
            str(found.get("language", "")),
            str(found.get("role", "")),
            str(found.get("permission", PUBLIC)),
        )
    except FileNotFoundError as error:
        reason = error.strerror or ""
    except OSError as error:
        raise IndexFault("closed", folder=path.parent, reason=error.strerror or "") from None
    except (ValueError, KeyError, TypeError) as error:
        reason = type(error).__name__
    raise IndexFault("about", name=name, path=path, reason=reason)


def write_about(data: Path, about: About) -> None:
    """Note what a corpus is made of, whole or not at all."""
    folder = index_folder(data, about.name)
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / f"{ABOUT}.{os.getpid()}"
    kept = asdict(about) | {"paths": [tilde(path) for path in about.paths]}
    written.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    written.replace(folder / ABOUT)


def find_indexed(data: Path, name: str, login: Login = ANONYMOUS) -> IndexedCorpus | None:
    """The indexed corpus of that name, open; None where there is none. ``login`` is for one that
    lies on a search server. Raises IndexFault, also for one that was never completed and has
    nothing: what is not in it may still come."""
    known = corpus_name(name)
    about = read_about(data, known) if known else None
    if known is None or about is None:
        return None
    from tools.index.index import Index
    from tools.index.semantic import installed_embedder

    folder = index_folder(data, known)
    index = Index(folder, login=login, embedder=installed_embedder(), make=False)
    if (fault := index.unfinished) is not None:
        if index.is_empty:
            index.close()
            raise fault
        index.notices.append(fault)
    return IndexedCorpus(about, index)


def fault_of(data: Path, name: str) -> IndexFault | None:
    """What keeps an indexed corpus from being searched, or from being searched whole. A search
    server is not asked."""
    from tools.index.store import Store

    try:
        read_about(data, name)
        store = Store(index_folder(data, name), make=False)
        try:
            store.verify()
            return store.unfinished or _engine_fault(store)
        finally:
            store.close()
    except IndexFault as fault:
        return fault


def _engine_fault(store: Store) -> IndexFault | None:
    """What is wrong with the files of an engine that lies on this machine."""
    from tools.index.index import local_engine

    place = store.note("engine")
    if not place or store.note("server"):
        return None
    fault = IndexFault("engine_damaged", name=store.folder.name)
    if not (store.folder / place).is_dir():
        return fault
    try:
        engine = local_engine(store.folder / place)
        try:
            engine.verify()
            return None if str(engine.stats()["rows"]) == store.note("rows") else fault
        finally:
            engine.close()
    except EngineDamaged:
        return fault
    except ImportError:
        return None


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
