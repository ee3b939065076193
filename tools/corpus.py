"""A corpus: a folder with ``corpus.toml`` and documents, and the plans that say which evidence
each kind of question needs."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatchcase
from functools import cached_property, partial, reduce
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, cast, get_args
from unicodedata import normalize

from tools.disagreements import contrary, differing_values, disagreements, opposed
from tools.documents import Passage, content_words, held, present, read_text
from tools.entries import ENTRIES, Entries
from tools.patterns import lazy_pattern
from tools.permission import PUBLIC
from tools.problems import CorpusError, ToolProblem, Unavailable
from tools.regex import bounded
from tools.slots import Slot, When, placeholders, values_in
from tools.sources.dates import Period, Time
from tools.sources.reading import read_documents, read_store
from tools.sources.source import INTERFACES, Interface, Source, Store, Texts, Unread, periods_of
from tools.sources.web import Page, Web
from tools.tokens import covers, fold, units

if TYPE_CHECKING:
    from tools.search_web import WebSearch

INSTALLED = Path(__file__).parent / "corpora"
"""The folder of the built-in corpora."""

_COMPARED = 10
"""Documents, from the best on, whose numbers are compared."""

_WANTS = lazy_pattern(
    r"몇|며칠|얼마|누구|누가|언제|어디|왜|\bhow (?:many|much|long|often)\b"
    r"|\b(?:who(?:se|m)?|when|where|why)\b"
    r"|아닌|아니라|말고|제외|빼고|외에|외의|이외|\b(?:not|but|except|other)\b|n't\b"
    r"|전(?=[의에엔까\s?.,]|$)|이전|예전|과거|옛|[가-힣]던 "
    r"|\b(?:before|prior|old|former(?:ly)?|previous(?:ly)?|earlier|past|used to)\b"
    r"|\b(?:all|every|each|both|two|three|four|five|(?:which|what) [\w-]{2,}s (?:ha[sd]|have|did|do"
    r"|were|are|happened|occurred|hit))\b|양쪽|(?<![가-힣])(?:[두세네] |[둘셋넷] ?다)"
    r"|모든|온갖|모두|전부|빠짐없이|하나하나| 다(?=\s|[?.]|$)"
    r"|\d ?(?:코어|cores?|[kmgt]b)",
    re.IGNORECASE,
)
"""The words by which a question wants an answer of a kind (``tools.wants``), or another than what
it names or than the present one, or every one, or several (``tools.which``)."""

_TOOL_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def _raised(source: str, failure: Exception) -> None:
    raise failure


class Plan(NamedTuple):
    """One kind of question: the words it has, and the slots it needs, in order.

    A word may be one of several (``"cause|원인"``). ``words`` are others that such a question may
    have, for what the slots answer; what it asks beside them is named as missing. ``asks`` maps a
    placeholder to the pattern of a value that the question itself must name, one and no more. One
    with ``won_from`` is for questions that name so many won or more, or an amount that cannot be
    read. A plan with ``hold`` is for questions a person should look at; no model is asked.
    """

    all_words: tuple[str, ...]
    slots: tuple[Slot, ...]
    hold: bool = False
    asks: Mapping[str, str] = MappingProxyType({})
    won_from: int = 0
    words: tuple[str, ...] = ()

    def matches(self, question: str) -> bool:
        """Whether every word of the plan, and every value it asks for, is in the question."""
        return (
            _covers(question, self.all_words)
            and (not self.asks or self.values(question) is not None)
            and (not self.won_from or self._names_won(question))
        )

    def _names_won(self, question: str) -> bool:
        from tools.amounts import won_named  # takes longer to load than to read a question without

        return (won_named(question) or 0) >= self.won_from

    def values(self, question: str) -> dict[str, str] | None:
        """The values the question names; None when one is missing, or is more than one."""
        found = {name: _asked(pattern, question) for name, pattern in self.asks.items()}
        if any(len(values) != 1 for values in found.values()):
            return None
        return {name: values[0] for name, values in found.items()}

    def given(self, question: str) -> Plan:
        """The plan with the question's values in its slots."""
        values = self.values(question)
        return self._replace(slots=tuple(s.given(values) for s in self.slots)) if values else self

    @property
    def alternatives(self) -> list[str]:
        """Every word that it is asked in."""
        return [each for word in (*self.all_words, *self.words) for each in word.split("|")]

    def in_words_of(self, text: str, question: str) -> str:
        """``question`` with the plan's words that ``text`` lacks as others of the same meaning that
        it has: bicycle for bike."""
        there = present(text)
        for word in (*self.all_words, *self.words):
            ways = [each for each in word.split("|") if each.isascii() and each.isalpha()]
            said = next((each for each in ways if present(each) <= there), "")
            for way in ways:
                if said and not present(way) <= there:
                    question = re.sub(rf"\b{way}\b", said, question, flags=re.IGNORECASE)
        return question

    @property
    def things_of_time(self) -> list[str]:
        """Its words for what a time chooses one of, which are no words of its other slots."""
        others = frozenset[str]().union(
            *(slot.asked | present(f"{slot.name} {slot.description}")
              for slot in self.slots if not slot.when)
        )  # fmt: skip
        groups = [word.split("|") for word in (*self.all_words, *self.words)]
        if not any(slot.when == "latest" for slot in self.slots):
            return []
        return [each for words in groups if not present(" ".join(words)) & others for each in words]

    def told(self, question: str) -> str:
        """All that the plan speaks of: its words, the question's values, what its slots say."""
        values = (self.values(question) or {}).values()
        slots = (f"{slot.name} {slot.description} {' '.join(slot.queries)}" for slot in self.slots)
        return "\n".join([*self.alternatives, *values, *slots])

    def speaks_of_all(self, question: str) -> bool:
        """Whether no word of the question is beyond the plan."""
        words = content_words(question)
        is_one_of_several = re.search(r"(?<![A-Za-z])A(?![A-Za-z])", question)
        return (
            len(held(words, present(self.told(question)))) == len(words) and not is_one_of_several
        )

    def may_lack(self, question: str) -> bool:
        """Whether the question may ask what the plan does not answer: by a word beyond it, or for a
        number, a person or another than it names."""
        return bool(_WANTS.search(question)) or not self.speaks_of_all(question)

    def joined(self, other: Plan) -> Plan:
        """The plan with the slots of ``other`` as well, where that has a word of its own. As it is
        where two tools would have one name."""
        names = {slot.name for slot in self.slots}
        more = [slot for slot in other.slots if slot.name not in names]
        tools = {slot.tool for slot in self.slots} & {slot.tool for slot in more}
        if {*other.all_words} <= {*self.all_words} or tools:
            return self
        return self._replace(
            all_words=tuple(dict.fromkeys([*self.all_words, *other.all_words])),
            slots=(*self.slots, *more),
            asks={**other.asks, **self.asks},
            words=(*self.words, *other.words),
        )


@dataclass(frozen=True)
class Corpus:
    """The material one kind of question is answered from.

    ``prepared_only`` allows the prepared queries and no others. ``permission`` names who may
    read it; a corpus that is not ``public`` is searched only for a person with that permission.
    ``agentic`` corpora are searched in rounds. ``permissions`` are the person's, ``on`` is the time
    that counts, and ``names_a_time`` says that the question named it; ``unclear`` are its words for
    one that it does not come down to. ``web`` is what searches the web for its sources there.
    """

    kind: ClassVar[Literal["plans"]] = "plans"
    name: str
    description: str
    sources: tuple[Source, ...]
    plans: tuple[Plan, ...]
    permission: str = PUBLIC
    prepared_only: bool = False
    agentic: bool = False
    permissions: frozenset[str] = frozenset()
    on: Time = field(default_factory=lambda: Time.of(date.today()))
    names_a_time: bool = False
    unclear: tuple[str, ...] = ()
    web: WebSearch | None = None

    @property
    def documents(self) -> tuple[Passage, ...]:
        """Every passage of its sources that is known without a search."""
        return tuple(passage for source in self.sources for passage in source.passages)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to find."""
        return all(source.is_empty for source in self.sources)

    @property
    def searches_web(self) -> bool:
        """Whether one of its sources is the web."""
        return any(source.is_on_the_web for source in self.sources)

    def plan_for(self, question: str) -> Plan | None:
        """The first plan that fits the question, with the question's values in it, together with
        every other that fits it by a word of its own; one that holds the question goes before all
        others."""
        fitting = [plan.given(question) for plan in self.plans if plan.matches(question)]
        holding = [plan for plan in fitting if plan.hold]
        if holding or not fitting:
            return holding[0] if holding else None
        return reduce(Plan.joined, fitting)

    @property
    def asks_for(self) -> frozenset[str]:
        """The permissions that it and its sources ask for, ``public`` among them."""
        return frozenset([self.permission, *(each.permission for each in self.sources)])

    def permitted(self, permissions: Collection[str]) -> Corpus:
        """The corpus for a person with these permissions."""
        return replace(self, permissions=frozenset(permissions))

    def asking(self, web: WebSearch) -> Corpus:
        """The corpus with ``web`` as what searches the web. No page gets the id of a document."""
        web.keep(self.documents)
        return replace(self, web=web, sources=tuple(each.asking(web) for each in self.sources))

    def asked(self, question: str, today: date) -> Corpus:
        """The corpus at the time a question asks about, else ``today``. Raises CorpusError for a
        day that the calendar lacks, where days count."""
        if not self.counts_days:
            return replace(self, on=Time.of(today))
        from tools.sources.asked import Unclear, asked_time

        named = asked_time(question, today)
        if isinstance(named, Unclear):
            return replace(self, on=Time.of(today), unclear=named.words)
        return replace(self, on=named or Time.of(today), names_a_time=named is not None)

    @property
    def counts_days(self) -> bool:
        """Whether a day chooses among the evidence of a slot."""
        return any(slot.when for plan in self.plans for slot in plan.slots)

    def as_of(self, plan: Plan) -> Time | None:
        """The time that evidence for a plan is of, for the reader: named in the question, or needed
        to know what is in force."""
        times = {slot.when for slot in plan.slots}
        if "in_force" in times:
            return self.on._replace(only=False)
        return self.on if self.names_a_time and any(times) else None

    def has_more(self, plan: Plan, texts: Collection[str]) -> bool:
        """Whether there are others than ``texts`` that fill a slot of the latest, at an earlier
        time among those that count."""
        for slot in plan.slots:
            if slot.when != "latest" or not (values := slot.bindings([*texts])):
                continue
            pattern, source = slot.pattern(values), self.source_of(slot)
            if any(
                each.text not in texts and self._may_fill(slot, pattern, source, each)
                for each in source.passages
            ):
                return True
        return False

    def untold(self, plan: Plan) -> tuple[str, ...]:
        """The question's words for a time that it does not come down to, where a time counts."""
        return self.unclear if any(slot.when for slot in plan.slots) else ()

    def source_of(self, slot: Slot) -> Source:
        """Where a slot's evidence is looked for first."""
        return self._by_name[slot.source] if slot.source else self.sources[0]

    def sources_of(self, slot: Slot) -> tuple[Source, ...]:
        """Everywhere that a slot's evidence is looked for."""
        return (self.source_of(slot), *(self._by_name[each] for each in slot.other_sources))

    def is_on_the_web(self, slot: Slot) -> bool:
        """Whether a slot's evidence is looked for on the web, so that its texts are strangers'."""
        return any(source.is_on_the_web for source in self.sources_of(slot))

    def check(self, slot: Slot) -> None:
        """Raises ToolProblem (``not_permitted``, with the ``permission``) when the person may not
        search the corpus or a slot's source."""
        if self.permission not in (PUBLIC, *self.permissions):
            raise ToolProblem(
                "not_permitted",
                f"The corpus {self.name} may be searched only with the permission "
                f"{self.permission}, which this person does not have.",
                permission=self.permission,
            )
        for source in self.sources_of(slot):
            source.check(self.permissions)

    def about(self, slot: Slot) -> str:
        """What a slot's tool searches, in words for the model."""
        if not slot.source:
            return self.description or self.name
        return "; ".join(source.about for source in self.sources_of(slot))

    def retrieve(
        self,
        slot: Slot,
        query: str,
        must_match: re.Pattern[str] | None,
        reads: Collection[str] = (),
        on_failure: Callable[[str, Exception], None] = _raised,
    ) -> list[Passage]:
        """The best passage of a slot for a query, or none: only those of its source, its documents
        and its time count, then only those whose text (not a heading) matches, and the score comes
        last. It is followed by the others that give another number for a sentence of it, another
        value for a pattern that is read (``reads``), or a no where it says yes; where the latest
        counts, also by those of the very same time.

        Raises ToolProblem for a source that the person may not search and (``several_versions``)
        where within the time asked about more than one passage was the best, Unavailable and
        CorpusError for a source that could not be read or asked; where the slot's own source has
        something, ``on_failure`` is told the name of another that could not.
        """
        self.check(slot)
        found: list[Passage] = []
        at_once: set[str] = set()
        for source in self.sources_of(slot):
            try:
                hits = source.find(query, partial(self._may_fill, slot, must_match, source))
            except (Unavailable, CorpusError) as failure:
                if not found:
                    raise
                on_failure(source.name, failure)
                continue
            if slot.when == "latest":
                newest = max((source.periods[each.id].start for each in hits), default=None)
                hits = [each for each in hits if source.periods[each.id].start == newest]
                at_once |= {*{fold(each.text): each.id for each in reversed(hits)}.values()}
            if slot.when == "in_force":
                hits = self._of_one_version(slot, source, hits)
            known = {each.id for each in found}
            found += [each for each in hits if each.id not in known]
        hits = found[:_COMPARED]
        groups = [each for each in disagreements(hits) if hits[0].id in each]
        differing = {name for each in groups for name in each} | at_once
        if slot.is_of_one_thing:
            differing |= {name for each in differing_values(hits, reads) for name in each}
        if hits and slot.is_of_one_thing and not slot.when:
            there = [
                each
                for source in self.sources_of(slot)
                for each in source.passages
                if self._may_fill(slot, must_match, source, each)
            ]
            there += [each for each in hits if isinstance(each, Page)]
            others = [each for each in there if each.id != hits[0].id]
            for said in (
                opposed([hits[0], *others], slot.asked),
                *contrary([hits[0], *others], must_match),
            ):
                if hits[0].id in said:
                    hits += [each for each in others if each.id not in {hit.id for hit in hits}]
                    differing |= said.keys()
        hits = hits[:1] + [each for each in hits[1:] if each.id in differing]
        for pattern in reads:  # one that takes too long is told now, and not when it is used
            values_in(pattern, [each.text for each in hits])
        return hits

    def numbered(self, hits: Sequence[Passage]) -> list[Passage]:
        """What ``retrieve`` brought, each page of the web with an id to cite it by. They are
        counted in the order in which they come here, so that searches can run side by side."""
        return [
            replace(self.web.passages([(each.source, each.text)])[0], score=each.score)
            if isinstance(each, Page) and self.web
            else each
            for each in hits
        ]

    def _may_fill(
        self, slot: Slot, must_match: re.Pattern[str] | None, source: Source, passage: Passage
    ) -> bool:
        return (
            _is_one_of(passage, slot.documents)
            and (must_match is None or bool(must_match.search(passage.body)))
            and self._counts(slot, source, passage)
        )

    def _counts(self, slot: Slot, source: Source, passage: Passage) -> bool:
        """Whether a passage is of a time that counts. One of no known time never is."""
        period = source.periods.get(passage.id)
        match slot.when:
            case "":
                return True
            case "latest":
                on = self._time_of(slot, source)
                return period is not None and on.as_known(period.start.date())
            case "in_force":
                return period is not None and any(
                    map(period.holds_on, self.on.turning_points([period]))
                )

    def _time_of(self, slot: Slot, source: Source) -> Time:
        """The time that counts for a slot of the latest: where the question names the day on which
        something happened, what followed may be of a later one, and what a source tells from when
        until when it holds is of every day by then."""
        if not self.on.only:
            return self.on
        if slot.name in self._following:
            return Time(self.on.first, None)
        return self.on._replace(only=not any(each.end for each in source.periods.values()))

    def _of_one_version(self, slot: Slot, source: Source, found: list[Passage]) -> list[Passage]:
        """What was found, if the best of it is the same on every day of the time that counts."""
        periods = source.periods
        days = self.on.turning_points(periods[each.id] for each in found)
        by_day = [[each for each in found if periods[each.id].holds_on(day)] for day in days]
        best = {each[0].id if each else "" for each in by_day}
        if len(best) > 1:
            told = [f"{name} ({periods[name]})" for name in sorted(filter(None, best))]
            raise ToolProblem(
                "several_versions",
                f"Between {self.on} there was not one {slot.name}: {', '.join(told)}.",
                time=str(self.on),
                versions=told,
            )
        return by_day[0] if by_day else []

    @cached_property
    def _following(self) -> frozenset[str]:
        """The slots that need a value which stands in evidence that a time chooses (what was done
        about that incident)."""
        slots = {slot.name: slot for plan in self.plans for slot in plan.slots if slot.when}
        return frozenset(
            name
            for name, slot in slots.items()
            for other in slots.values()
            if other.name != name
            for pattern in slot.needs.values()
            if values_in(pattern, [each.text for each in self.source_of(other).passages])
        )

    @cached_property
    def _by_name(self) -> dict[str, Source]:
        return {source.name: source for source in self.sources}


def _is_one_of(passage: Passage, documents: str) -> bool:
    if isinstance(passage, Page):
        return passage.is_one_of(documents)
    return fnmatchcase(passage.id, documents)


def _asked(pattern: str, question: str) -> list[str]:
    return values_in(pattern, [normalize("NFC", question)])


def read_corpus(folder: Path) -> Corpus:
    """The corpus in ``folder``. Raises CorpusError, naming the file and the entry, for anything
    that could not work later."""
    return _corpus(folder, _entries(folder))


def _corpus(folder: Path, entries: Entries) -> Corpus:
    entries.only(*ENTRIES)
    name = entries.text("name", folder.name)
    sources = _sources(folder, name, entries)
    plans = entries.rows("plan")
    asked = {placeholder for plan in plans for placeholder in plan.patterns("asks")}
    slots = {
        slot: _slot(slot, each, asked, sources) for slot, each in entries.tables("slots").items()
    }
    return Corpus(
        name=name,
        description=entries.text("description"),
        sources=sources,
        plans=tuple(_plan(each, slots) for each in plans),
        permission=entries.permission(),
        prepared_only=entries.flag("prepared_only", False),
        agentic=entries.flag("agentic", False),
    )


def _entries(folder: Path) -> Entries:
    path = folder / "corpus.toml"
    if not path.is_file():
        raise CorpusError("no_corpus_file", folder=folder)
    try:
        return Entries(path, tomllib.loads(read_text(path)))
    except tomllib.TOMLDecodeError as error:
        raise CorpusError("bad_toml", path=path, reason=str(error)) from None


def installed_corpora(root: Path = INSTALLED, question: str | None = None) -> list[Corpus]:
    """Every corpus under ``root``, by name; with a ``question`` only those that have a plan with
    words of it, because documents that nobody asks about need not be read."""
    read = [(each.parent, _entries(each.parent)) for each in root.glob("*/corpus.toml")]
    asked = [each for each in read if question is None or _has_words(each[1], question)]
    return sorted((_corpus(*each) for each in asked), key=lambda corpus: corpus.name)


def installed_names(root: Path = INSTALLED) -> dict[str, Path]:
    """The folder of each corpus under ``root``, by name."""
    folders = [each.parent for each in root.glob("*/corpus.toml")]
    return {_entries(folder).text("name", folder.name): folder for folder in sorted(folders)}


def _has_words(entries: Entries, question: str) -> bool:
    return any(_covers(question, plan.texts("all_words")) for plan in entries.rows("plan"))


def _covers(question: str, words: Sequence[str]) -> bool:
    return all(any(covers(question, each) for each in word.split("|")) for word in words)


def find_corpus(name: str, root: Path = INSTALLED, beside: Sequence[str] = ()) -> Corpus:
    """The installed corpus of that name, else the corpus in the folder ``name``; a name with a
    slash is a folder. Raises CorpusError, which names what there is, with the other material
    ``beside`` it."""
    folders = installed_names(root)
    if os.sep in name or (name not in folders and (Path(name) / "corpus.toml").is_file()):
        path = Path(name)
        return read_corpus(path.parent if path.name == "corpus.toml" else path)
    if name not in folders:
        raise CorpusError("unknown", name=name, names=", ".join(sorted({*folders, *beside})))
    return read_corpus(folders[name])


def choose_corpus(
    question: str, corpora: Sequence[Corpus], permissions: Collection[str] = ()
) -> Corpus | None:
    """The first corpus, by name, that has a plan for the question and is public or permitted."""
    allowed = {PUBLIC, *permissions}
    fitting = (each for each in corpora if each.permission in allowed and each.plan_for(question))
    return next(fitting, None)


def _sources(folder: Path, corpus: str, entries: Entries) -> tuple[Source, ...]:
    """The sources a corpus names; one of all its documents where it names none."""
    rows = entries.rows("source")
    if not rows:
        return (Source(corpus, Texts(read_documents(folder, corpus))),)
    found: dict[str, Source] = {}
    ids: set[str] = set()
    for row in rows:
        source = _source(folder, corpus, row)
        if source.name in found:
            raise row.wrong("name", f"there is another source named {source.name}")
        if twice := sorted(ids & {passage.id for passage in source.passages}):
            raise CorpusError("same_document_id", id=twice[0], folder=folder)
        ids |= {passage.id for passage in source.passages}
        found[source.name] = source
    return tuple(found.values())


_OF_A_SOURCE = ("name", "role", "description", "language", "permission", "interface")


def _source(folder: Path, corpus: str, entries: Entries) -> Source:
    interface = cast(Interface, entries.one_of("interface", INTERFACES))
    entries.only(*_OF_A_SOURCE, *(("site",) if interface == "web" else ("path", "date")))
    name = entries.text("name")
    if not units(name) or "/" in name:
        raise entries.wrong("name", "a name is needed, without /")
    store: Store
    if interface == "web":
        store, periods = Web(name, _site(entries)), _NO_PERIODS
    else:
        store, periods = _read(folder, corpus, name, interface, entries)
    return Source(
        name=name,
        store=store,
        role=entries.text("role"),
        description=entries.text("description"),
        language=entries.text("language"),
        permission=entries.permission(),
        periods=periods,
    )


def _site(entries: Entries) -> str:
    from tools.web.links import is_host

    site = entries.text("site")
    if site and not is_host(site):
        raise entries.wrong("site", "a host such as example.org is needed")
    return site


_NO_PERIODS: Mapping[str, Period] = {}


def _read(
    folder: Path, corpus: str, name: str, interface: Interface, entries: Entries
) -> tuple[Store, Mapping[str, Period]]:
    """What lies in the corpus's folder, and the times that its passages are about."""
    path = folder / entries.text("path")
    if path == folder or not path.resolve().is_relative_to(folder.resolve()):
        raise entries.wrong("path", "a place inside the corpus's folder is needed")
    pattern = entries.text("date")
    try:
        written = bounded(pattern)
    except ValueError as error:
        raise entries.wrong("date", str(error)) from None
    if pattern and written.groups not in (1, 2):
        reason = (
            "one group in parentheses for the first day is needed, and one for the last at most"
        )
        raise entries.wrong("date", reason)
    is_there = path.is_dir() if interface == "documents" else path.is_file()
    if not is_there:
        return Unread(name), _NO_PERIODS
    try:
        store = read_store(interface, path, name, f"{corpus}/{name}")
        return store, periods_of(path, store.passages, written) if pattern else _NO_PERIODS
    except CorpusError as fault:
        return Unread(name, fault), _NO_PERIODS


def _plan(entries: Entries, slots: Mapping[str, Slot]) -> Plan:
    entries.only("all_words", "words", "slots", "hold", "asks", "won_from")
    names = entries.texts("slots")
    unknown = [name for name in names if name not in slots]
    if unknown:
        raise entries.wrong("slots", f"no [slots.{unknown[0]}] table")
    tools = [slots[name].tool for name in names]
    if len(set(tools)) < len(tools):
        raise entries.wrong("slots", "two slots of one plan have the same tool name")
    words = entries.texts("all_words")
    hold = entries.flag("hold", False)
    if not any(units(word) for word in words):
        raise entries.wrong("all_words", "at least one word is needed")
    if not names and not hold:
        raise entries.wrong("slots", "at least one slot is needed")
    asks = entries.patterns("asks")
    chosen = tuple(slots[name] for name in dict.fromkeys(names))
    for slot in chosen:
        named = set[str]().union(*map(placeholders, [*slot.queries, slot.must_match]))
        if missing := named - {*slot.needs, *asks}:
            raise entries.wrong("asks", f"{{{min(missing)}}} of [slots.{slot.name}] is not in it")
    return Plan(words, chosen, hold, asks, entries.count("won_from"), entries.texts("words"))


def _slot(name: str, entries: Entries, asked: Collection[str], sources: Sequence[Source]) -> Slot:
    entries.only(
        *("tool", "description", "source", "other_sources", "documents", "when"),
        *("queries", "needs", "must_match"),
    )
    slot = Slot(
        name=name,
        tool=entries.text("tool", f"find_{name}"),
        description=entries.text("description"),
        documents=entries.text("documents", "*"),
        queries=entries.texts("queries"),
        needs=entries.patterns("needs"),
        must_match=entries.text("must_match"),
        source=_named_source(entries, sources),
        other_sources=_other_sources(entries, sources),
        when=cast(When, entries.one_of("when", get_args(When))),
    )
    if not _TOOL_NAME.fullmatch(slot.tool):
        reason = "a slot whose name is not ASCII letters, digits and _ needs a tool name that is"
        raise entries.wrong("tool", reason)
    if not slot.queries or not all(units(query) for query in slot.queries):
        raise entries.wrong("queries", "at least one query is needed, and each needs a word")
    known = {*slot.needs, *asked}
    for entry, templates in (("queries", slot.queries), ("must_match", [slot.must_match])):
        for template in templates:
            if missing := placeholders(template) - known:
                raise entries.wrong(entry, f"{{{min(missing)}}} is not in needs")
    try:
        slot.pattern([dict.fromkeys(known, "value")])
    except ValueError as error:
        raise entries.wrong("must_match", str(error)) from None
    first = slot.source or sources[0].name
    if slot.when and any(
        each.is_on_the_web for each in sources if each.name in (first, *slot.other_sources)
    ):
        raise entries.wrong("when", "pages of the web have no date that could count")
    if slot.when and not any(
        each.periods or not each.passages for each in sources if each.name == first
    ):
        raise entries.wrong(
            "when", "its source has no dates: give it a date pattern that finds one"
        )
    return slot


def _other_sources(entries: Entries, sources: Sequence[Source]) -> tuple[str, ...]:
    names = [source.name for source in sources]
    others = entries.texts("other_sources")
    for each in others:
        if each not in names or each == entries.text("source"):
            raise entries.wrong("other_sources", f"no other such source; there are: {names}")
    return others


def _named_source(entries: Entries, sources: Sequence[Source]) -> str:
    names = [source.name for source in sources]
    name = entries.text("source")
    if name and name not in names:
        raise entries.wrong("source", f"no such [[source]]; there are: {', '.join(names)}")
    if not name and len(names) > 1:
        raise entries.wrong("source", f"one of these is needed: {', '.join(names)}")
    return name
