"""What has been found for one question, what is still missing, and whether an answer may be shown.

Code owns the checklist: the plan's slots, the searches that ran, the ledger of passages that may
be cited. Completeness of the material is not truth of its content.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from agent.citations import Citation, Unsupported, cited, unsupported
from agent.json_safe import clean
from agent.messages import StopReason
from agent.toolbox import Later
from tools.corpus import Corpus
from tools.disagreements import Disagreement, contrary, differing_values, disagreements, opposed
from tools.documents import Passage
from tools.fences import without_orders
from tools.problems import InputError, ToolProblem, Unavailable
from tools.slots import Slot
from tools.sources.dates import Time
from tools.tokens import fold, units

if TYPE_CHECKING:
    from agent.checklist import Checklist

MAX_QUERY = 1_000
"""Characters of a query; every one comes back to the model with each search."""

T = TypeVar("T")

_LOOSE_BREADTH, _BREADTH = 10, 5

_SAYS_ITSELF = 4
"""Units from which on the same words in two places are taken to say the same."""

SearchOutcome = Literal["hits", "none", "unavailable"]
"""A source that could not be asked is never reported as one that has nothing."""


def shown(passages: Sequence[Passage]) -> list[dict[str, Any]]:
    """Passages as a tool's response gives them to the model; ``under`` are the headings and the
    table row that a line stands under, where it has any; ``closest`` marks one that only comes
    near in meaning."""
    return [
        {"id": each.id, "text": each.text, "source": each.source}
        | ({"under": each.context} if each.context else {})
        | ({"closest": True} if each.closest else {})
        for each in passages
    ]


def _as_passages(found: Any) -> Sequence[Passage]:
    passages: Sequence[Passage] = found
    return passages


_NONE_FAILED: Mapping[str, Exception] = MappingProxyType({})

Show = Callable[[Sequence[Passage]], list[dict[str, Any]]]
"""How passages are written for the model."""


def _whole(passages: Sequence[Passage], show: Show) -> list[dict[str, Any]]:
    return show(passages)


class Search(NamedTuple):
    """One search that ran: at which step, for which slot, what it found, what was then missing.
    ``no_room`` counts passages that it found and that no room was left for; ``unasked`` are sources
    beside the slot's own that could not be asked."""

    step: int
    tool: str
    slot: str | None
    query: str
    outcome: SearchOutcome
    hits: tuple[Passage, ...] = ()
    missing: tuple[str, ...] = ()
    no_room: int = 0
    unasked: tuple[str, ...] = ()

    def as_record(self) -> dict[str, Any]:
        return {
            "step": self.step,
            "tool": self.tool,
            "slot": self.slot,
            "query": self.query,
            "hits": [
                {"id": hit.id, "score": hit.score} | ({"closest": True} if hit.closest else {})
                for hit in self.hits
            ],
            "outcome": self.outcome,
            "missing": list(self.missing),
            **({"no_room": self.no_room} if self.no_room else {}),
            **({"unavailable": list(self.unasked)} if self.unasked else {}),
        }


@dataclass
class Evidence:
    """The evidence of one question.

    ``slots`` are required, in the plan's order; without slots the question is open, and any hit
    is evidence. ``ledger`` holds every passage of the conversation by id; slots, searches and
    budgets start anew with each question. ``left_out`` are names that no answer may hold, because
    the person's conditions leave them out. ``chosen`` are lines of passages, ``unread`` passages of
    which the model saw only the beginning, ``present`` how a search shows what it found.
    ``refused`` maps a slot to the permission that its
    source asks for and the person lacks. ``as_of`` is the time that the evidence is to be of, where
    that counts; ``untold`` are the question's words for one that it does not come down to, and
    ``unsettled`` maps a slot to the versions of which no single one held all that time. ``given``
    are texts of the person, whose numbers need no evidence. ``step`` is set by the run as it
    records.

    An open question has a ``checklist`` where it takes several rounds, ``one_search`` where the
    model is to write once a search found something, and ``weighty`` where a person should look when
    nothing at all is found. In a planned one every step with a search is a round; ``max_rounds``
    bounds them where it is set, ``max_queries`` the searches of each. ``beyond`` says what
    a planned question asks that neither its plan nor the texts found speak of, and ``left_over``
    which of its words neither of them has.
    """

    slots: tuple[Slot, ...] = ()
    prepared_only: bool = False
    max_searches: int = 3
    max_chunks: int = 30
    max_rounds: int | None = None
    max_queries: int | None = None
    beyond: Callable[[tuple[str, ...]], tuple[str, ...]] = lambda texts: ()
    left_over: Callable[[tuple[str, ...]], tuple[str, ...]] = lambda texts: ()
    checklist: Checklist | None = None
    one_search: bool = False
    weighty: bool = False
    given: Sequence[str] = ()
    conditions: str = ""
    ledger: dict[str, Passage] = field(default_factory=dict[str, Passage])
    on_search: Callable[[Search], None] = lambda search: None
    step: int = 0
    prepared_tried: int = 0
    searches: list[Search] = field(default_factory=list[Search])
    accepted: dict[str, Passage] = field(default_factory=dict[str, Passage])
    found: dict[str, Passage] = field(default_factory=dict[str, Passage])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    as_of: Time | None = None
    untold: Sequence[str] = ()
    unsettled: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    left_out: Sequence[str] = ()
    chosen: dict[str, Passage] = field(default_factory=dict[str, Passage])
    unread: set[str] = field(default_factory=set[str])
    present: Callable[[Sequence[Passage], Show], list[dict[str, Any]]] = _whole
    beside: dict[str, Sequence[Passage]] = field(default_factory=dict[str, Sequence[Passage]])

    def __post_init__(self) -> None:
        self._running: list[str | None] = []
        self._worded: list[tuple[str, str]] = []
        self.faults: list[InputError] = []
        """What is wrong with a source that could not be asked, where the reader can mend it."""
        self._ran: set[tuple[str, str | None, str, str]] = set()
        self._texts_seen: dict[tuple[str, str], str] = {}
        self._waiting = 0

    @property
    def missing(self) -> list[str]:
        """The slots that still have no evidence, in the plan's order, and what the question asks
        beyond its plan; of an open question what its checklist misses."""
        if self.checklist is not None:
            return list(self.checklist.missing(list(self.found.values())))
        further = self.beyond(self._all_texts) if self.accepted else ()
        if len(further) > 1:
            from tools.decomposition import named_once

            further = named_once(further)
        return [*self.open_slots, *further]

    @property
    def unconfirmed(self) -> list[str]:
        """Where nothing is missing, what the evidence does not confirm all the same: the words of a
        planned question that nothing found has, of another what its checklist tells."""
        if self.missing:
            return []
        if self.checklist is not None:
            return list(self.checklist.unconfirmed(list(self.found.values())))
        return list(self.left_over(self._all_texts))

    @property
    def open_slots(self) -> list[str]:
        """The slots that still have no evidence, in the plan's order."""
        return [slot.name for slot in self.slots if slot.name not in self.accepted]

    @property
    def of_orders(self) -> list[str]:
        """The slots that nothing fills but text that reads as if it told the model what to do:
        without that it would not have been taken."""
        return [
            slot.name
            for slot in self.slots
            if slot.name in self.accepted and not self._is_told_plainly(slot)
        ]

    def _is_told_plainly(self, slot: Slot) -> bool:
        pattern = slot.pattern(slot.bindings(self._texts))
        for passage in (self.accepted[slot.name], *self.beside[slot.name]):
            if not passage.reads_like_orders:
                return True
            plain = without_orders(passage.body or passage.text)
            if pattern.search(plain) if pattern else slot.asked & {*units(plain)}:
                return True
        return False

    @property
    def asks_beyond(self) -> bool:
        """Whether every slot is filled, and the question asks for more."""
        return bool(self.slots and self.missing) and not self.open_slots

    @property
    def wanted(self) -> list[str]:
        """The missing slots that the person may have searched for, and that can be told apart."""
        left_out = self.refused.keys() | self.unsettled.keys()
        return [name for name in self.open_slots if name not in left_out]

    @property
    def status(self) -> Literal["complete", "incomplete"]:
        """Whether the material that a plan needs is complete."""
        return "incomplete" if self.missing or self.of_orders else "complete"

    @property
    def listed(self) -> list[tuple[str | None, Passage]]:
        """(slot, passage) for the reader, in order: what fills each slot, followed by what says
        otherwise (``beside``); where nothing is planned, everything that was found."""
        if not self.slots:
            return [(None, each) for each in (*self.ranked, *self.chosen.values())]
        return [
            (slot, passage)
            for slot, accepted in self.accepted.items()
            for passage in (accepted, *self.beside[slot])
        ]

    @property
    def ranked(self) -> list[Passage]:
        """What was found, in the order found; where it took rounds, the likeliest evidence first
        (``tools.sufficiency.in_order``, a round being what was searched in one step)."""
        if self.checklist is None:
            return list(self.found.values())
        from tools.bridges import Searched, in_order

        rounds: dict[int, list[Searched]] = {}
        for search in self.searches:
            hits = [self.found[hit.id] for hit in search.hits if hit.id in self.found]
            rounds.setdefault(search.step, []).append((search.query, hits))
        asked = self.checklist.question
        order = dict.fromkeys([*in_order(asked, [*rounds.values()]), *self.found])
        return [self.found[each] for each in order]

    @property
    def is_loose(self) -> bool:
        """Whether a passage may have few words of a query: that of a question in one piece whose
        answer is put together from several."""
        return self.checklist is not None and not self.checklist.requirements

    @property
    def breadth(self) -> int:
        """Passages that a search should bring: more for a question in one piece, whose answer is
        put together from several. On half of MultiHop-RAG all evidence was found for .82 of the
        questions with ten of each search, for .70 with five after the first, at a fifth more
        tokens."""
        return _LOOSE_BREADTH if self.is_loose else _BREADTH

    @property
    def disagreements(self) -> list[Disagreement]:
        """Where passages differ: in one sentence, or in what fills a slot and what stands beside
        it. The model and the reader are told of each."""
        return [*self._in_one_sentence, *self._beside]

    @property
    def _in_one_sentence(self) -> list[Disagreement]:
        return disagreements(list(self.found.values()))

    @property
    def _beside(self) -> list[Disagreement]:
        """Where what fills a slot and what stands beside it say yes and no, or name two things."""
        found: list[Disagreement] = []
        for slot in self.slots:
            beside = self.beside.get(slot.name)
            if beside and slot.is_of_one_thing:
                said = [self.accepted[slot.name], *beside]
                about = slot.pattern(slot.bindings(self._texts))
                differing = [*differing_values(said, self._reads), opposed(said, slot.asked)]
                differing += contrary(said, about)
                found += [each for each in differing if each and not self._is_told(each)]
        return found

    def _is_told(self, said: Disagreement) -> bool:
        """Whether the sentences that it is of differ in nothing else, which is told already."""
        return any(
            each.keys() >= said.keys()
            and all(each[name].endswith(fold(said[name])) for name in said)
            for each in self._in_one_sentence
        )

    @property
    def _reads(self) -> list[str]:
        """The patterns of the values that one slot reads from the evidence of another."""
        return [pattern for slot in self.slots for pattern in slot.needs.values()]

    @property
    def rounds(self) -> int:
        """The rounds of searching so far; all searches are one where rounds are not counted."""
        if self.checklist is not None:
            return self.checklist.rounds
        if self.max_rounds is not None:
            return len({search.step for search in self.searches})
        return 1 if self.searches else 0

    @property
    def in_rounds(self) -> bool:
        """Whether rounds are counted."""
        return self.checklist is not None or self.max_rounds is not None

    @property
    def requirements(self) -> list[str]:
        """What is looked for piece by piece, where rounds are counted."""
        if self.checklist is not None:
            return list(self.checklist.requirements)
        return [slot.description or slot.name for slot in self.slots] if self.in_rounds else []

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """What was covered and missing after each round; of a plan its slots."""
        if self.checklist is not None:
            return self.checklist.as_record()
        if self.max_rounds is None:
            return []
        last = {search.step: search for search in self.searches}
        asked = [[each.query for each in self.searches if each.step == step] for step in last]
        verdicts: list[dict[str, Any]] = []
        for place, search in enumerate(last.values()):
            covered = [each.name for each in self.slots if each.name not in search.missing]
            verdicts.append(
                {
                    "sufficient": not search.missing,
                    "covered": covered,
                    "missing": list(search.missing),
                    "next_queries": asked[place + 1] if place + 1 < len(asked) else [],
                    "evidence": {each: [self.accepted[each].id] for each in covered},
                }
            )
        return verdicts

    @property
    def progress(self) -> int:
        """Grows with every new passage, with every prepared query that was tried, and with the
        plan and the verdicts of a checklist: working through a plan is progress even where nothing
        is found."""
        planned = self.checklist.steps if self.checklist is not None else self.prepared_tried
        return len(self.found) + len(self.chosen) + planned

    @property
    def is_full(self) -> bool:
        """Whether no more passages can be shown."""
        return len(self.found) >= self.max_chunks

    @property
    def unasked(self) -> list[str]:
        """Sources that could not be asked beside one that had something: they may say otherwise."""
        return list(dict.fromkeys(name for search in self.searches for name in search.unasked))

    @property
    def no_room(self) -> int:
        """Passages that were found and that no room was left for, once for each search."""
        return sum(search.no_room for search in self.searches)

    def untried(self) -> list[tuple[str, str]]:
        """(slot, prepared query) that may be asked now: slot missing, needs met, not tried."""
        tried = {(search.slot, fold(search.query)) for search in self.searches}
        return [
            (slot.name, query)
            for slot in self.slots
            if slot.name in self.wanted
            for query in slot.filled_queries(self._texts)
            if (slot.name, fold(query)) not in tried
        ]

    @property
    def nothing_found(self) -> StopReason:
        """Why a question ends whose searches found nothing. What could not be asked may hold it, so
        then there is nothing yet for a person to look at."""
        asked = all(search.outcome != "unavailable" for search in self.searches)
        return "held" if self.weighty and asked else "exhausted"

    def next_move(self, repeats: int, idle: int) -> Literal["search", "write"] | StopReason:
        """What may happen next: another search, the answer, or the reason to stop.

        ``repeats`` and ``idle`` are the toolbox's counts of repeated calls and of steps in a row
        that brought nothing new.
        """
        if self.slots:
            return self._planned(repeats, idle)
        if self.checklist is not None:
            return self._checked(self.checklist, repeats, idle)
        return self._open(repeats, idle)

    def _planned(self, repeats: int, idle: int) -> Literal["search", "write"] | StopReason:
        if not self.missing:
            return "write"
        if repeats >= 2:
            return "repeated_call"
        if not self.wanted or (self.prepared_only and not self.untried()):
            return "exhausted"
        if self.max_rounds is not None and self.rounds >= self.max_rounds:
            return "max_rounds"
        if len(self.searches) >= self.max_searches:
            return "max_searches"
        if self.is_full:
            return "context_full"
        return "no_progress" if idle >= 2 else "search"

    def _checked(
        self, checklist: Checklist, repeats: int, idle: int
    ) -> Literal["search", "write"] | StopReason:
        """With a checklist: write when it is covered, stop with what is missing when a limit
        bites before. A limit of a question that is one piece ends the searches, not the run."""
        if self.found and checklist.is_sufficient(list(self.found.values())):
            return "write"
        reason = self._limit(checklist, repeats, idle)
        if reason is None:
            return "search"
        if self.found:
            return reason if self.missing else "write"
        return self.nothing_found if self.searches and reason != "repeated_call" else reason

    def _limit(self, checklist: Checklist, repeats: int, idle: int) -> StopReason | None:
        if repeats >= 2:
            return "repeated_call"
        if checklist.is_used_up:
            return "max_rounds"
        if checklist.verdicts and all(each.outcome == "unavailable" for each in self.searches):
            return "no_progress"
        if self.is_full:
            return "context_full"
        if checklist.is_stale or checklist.knows_no_way or idle >= 2:
            return "no_progress"
        return "max_searches" if len(self.searches) >= self.max_searches else None

    def _open(self, repeats: int, idle: int) -> Literal["search", "write"] | StopReason:
        spent = len(self.searches) >= self.max_searches or self.is_full
        stuck = repeats >= 2 or idle >= 2
        over = stuck or (spent and not self.unread)
        if not over:
            return "search"
        if self.found:
            return "write"
        if repeats >= 2:
            return "repeated_call"
        return self.nothing_found if self.searches else "no_progress"

    def search_slot(self, slot: Slot, query: str, corpus: Corpus) -> Later[Any]:
        """Search for one slot's evidence. Raises ToolProblem for a search that may not run.

        A search that may depend on one still running (for the same slot, or with a value to read
        from evidence) waits for it, and so does every later one: what runs is what would run one
        after the other.
        """
        query = clean(query).strip()[:MAX_QUERY]
        depends = self._running and (slot.needs or slot.name in self._running)
        if not depends and not self._waiting:
            return self._search_slot(slot, query, corpus)
        self._waiting += 1

        def in_turn(_: None) -> Any:
            self._waiting -= 1
            return self._search_slot(slot, query, corpus).now()

        return Later(lambda: None, in_turn)

    def _search_slot(self, slot: Slot, query: str, corpus: Corpus) -> Later[Any]:
        try:
            corpus.check(slot)
        except ToolProblem as problem:
            self.refused[slot.name] = problem.details["permission"]
            raise ToolProblem(
                problem.code, problem.message, **problem.details, missing=self.wanted
            ) from None
        values = self._allowed(slot, query)
        pattern = slot.pattern(values)
        show = shown
        if corpus.is_on_the_web(slot):
            from tools.search_web import for_model as show
        failed: dict[str, Exception] = {}

        def told(_: Sequence[Passage]) -> dict[str, Any]:
            return {"unavailable": [*failed]} if failed else {}

        return self._search(
            slot.tool,
            slot.name,
            query,
            lambda: corpus.retrieve(slot, query, pattern, self._reads, failed.__setitem__),
            corpus.numbered,
            show,
            told,
            failed=failed,
        )

    def search_open(
        self,
        tool: str,
        query: str,
        find: Callable[[str], T],
        show: Show = shown,
        *,
        take: Callable[[T], Sequence[Passage]] = _as_passages,
        add: Callable[[T], dict[str, Any]] = lambda found: {},
        scope: str = "",
        variant: str = "",
    ) -> Later[Any]:
        """Search a source that no plan describes; ``scope`` names the part of it that is searched,
        ``variant`` what else makes it another search than one with the same words.

        ``find`` may run beside other searches; what it brings is turned into passages by ``take``,
        in the order asked, written for the model by ``show``, and told with what ``add`` says of
        it. Raises ToolProblem when the budget is spent.
        """
        query = clean(query).strip()[:MAX_QUERY]
        place = f"{tool} {fold(scope)}"
        if self.checklist is not None and query:
            used = [each for where, each in self._worded if where == place]
            self.checklist.refuse_query(query, used)
        later = self._search(
            tool, None, query, lambda: find(query), take, show, add, f"{place} {variant}"
        )
        self._worded.append((place, query))
        if self.checklist is not None:
            self.checklist.in_round.append(query)
        return later

    def add(self, passages: Sequence[Passage]) -> None:
        """Let these passages be cited from now on. One that was found stays so when it is only the
        closest to another query."""
        for passage in passages:
            known = self.found.get(passage.id)
            if known is None or known.closest or not passage.closest:
                self.ledger[passage.id] = self.found[passage.id] = passage

    def add_lines(self, lines: Sequence[Passage]) -> None:
        """Let lines of passages be cited, beside the passages themselves."""
        for line in lines:
            self.ledger[line.id] = self.chosen[line.id] = line

    def only_closest(self, citations: Sequence[Citation]) -> bool:
        """Whether all that is cited, or without a citation all that was found, only comes near in
        meaning."""
        closest = {each.id for each in self.ledger.values() if each.closest}
        used = [each.id for each in citations if each.ok] or [*self.found]
        return bool(used) and all(
            each in closest or each.rpartition("#L")[0] in closest for each in used
        )

    def objection(self, answer: str) -> str | None:
        """Why an answer may not be shown, in words for the model; None for one that may."""
        if self.missing:
            return f"evidence is still missing for {', '.join(self.missing)}; search for it first"
        citations = cited(answer, self.ledger)
        unknown = [each.id for each in citations if not each.ok]
        if unknown:
            return f"no tool returned [{'], ['.join(unknown)}]; cite only ids of tool results"
        if not citations:
            return "it cites nothing; put the [id] of its evidence after a claim"
        if named := self._named_all_the_same(answer):
            return f"it names {', '.join(named)}, which the person's conditions leave out"
        return None

    def _named_all_the_same(self, answer: str) -> list[str]:
        """The left-out names that an answer holds, outside of what it quotes from evidence."""
        said = fold(answer)
        for passage in self.ledger.values():
            said = said.replace(fold(passage.text), " ")
        return [name for name in self.left_out if fold(name) in said]

    def citations(self, answer: str, faults: Sequence[Unsupported]) -> list[Citation]:
        """Every passage the answer cites, in order, each once; ``faults`` are its sentences that
        are not supported."""
        return cited(answer, self.ledger, faults)

    def unsupported(self, answer: str) -> list[Unsupported]:
        """The sentences of an answer that say what their evidence does not."""
        return unsupported(answer, self.ledger, self.given)

    @property
    def _texts(self) -> list[str]:
        """The accepted texts, from which the values of ``needs`` are read."""
        return [passage.text for passage in self.accepted.values()]

    @property
    def _all_texts(self) -> tuple[str, ...]:
        return tuple(passage.text for _, passage in self.listed)

    def _allowed(self, slot: Slot, query: str) -> list[dict[str, str]]:
        """The values that fit ``query``, or the reason why it may not run."""
        if slot.name in self.accepted:
            raise ToolProblem(
                "already_found", f"{slot.name} has its evidence.", missing=self.missing
            )
        values = slot.bindings(self._texts)
        if not values:
            raise ToolProblem(
                "needs_unmet",
                f"{slot.name} first needs: {', '.join(slot.needs)}.",
                missing=self.missing,
            )
        fitting = [value for value in values if fold(query) in map(fold, slot.written(value))]
        if self.prepared_only and not fitting:
            allowed = [each for name, each in self.untried() if name == slot.name]
            raise ToolProblem(
                "query_not_allowed", "Only the prepared queries may run.", allowed=allowed
            )
        self.prepared_tried += bool(fitting)
        return fitting or values

    def _search(
        self,
        tool: str,
        slot: str | None,
        query: str,
        find: Callable[[], T],
        take: Callable[[T], Sequence[Passage]],
        show: Show = shown,
        add: Callable[[T], dict[str, Any]] = lambda found: {},
        place: str = "",
        failed: Mapping[str, Exception] = _NONE_FAILED,
    ) -> Later[Any]:
        """A search whose place in the budget is taken now, and whose record is made when it is
        done."""
        if not query:
            raise ToolProblem("invalid_arguments", "The query is empty.")
        key = (tool, slot, place, fold(query))
        if key in self._ran:
            raise ToolProblem("repeated_call", "This search was made already and is not run again.")
        if len(self.searches) + len(self._running) >= self.max_searches:
            raise ToolProblem(
                "search_budget_spent",
                f"All {self.max_searches} searches of this question are used; no more will run.",
                missing=self.missing,
            )
        in_round = sum(search.step == self.step for search in self.searches) + len(self._running)
        if self.max_queries is not None and in_round >= self.max_queries:
            raise ToolProblem(
                "round_full",
                f"All {self.max_queries} searches of this turn are used.",
                missing=self.missing,
            )
        if self.is_full:
            raise ToolProblem(
                "context_full",
                f"{len(self.found)} passages were shown, and no more can be: answer from them.",
                missing=self.missing,
            )
        self._running.append(slot)
        self._ran.add(key)

        def work() -> Callable[[], T]:
            try:
                found = find()
            except KeyboardInterrupt:
                raise
            except BaseException as failure:  # a panic of an engine in Rust is no Exception
                return _raising(failure)
            return lambda: found

        def then(result: Callable[[], T]) -> dict[str, Any]:
            self._running.remove(slot)
            try:
                found = result()
                hits = take(found)
            except KeyboardInterrupt:
                raise
            except BaseException as failure:
                if isinstance(failure, ToolProblem) and not isinstance(failure, Unavailable):
                    if slot and failure.code == "several_versions":
                        self.unsettled[slot] = failure.details["versions"]
                    raise
                self._log(tool, slot, query, "unavailable", [])
                if isinstance(failure, InputError):
                    self.faults.append(failure)
                if isinstance(failure, Unavailable):
                    raise
                raise Unavailable(f"The source failed ({type(failure).__name__}).") from failure
            self.faults += [each for each in failed.values() if isinstance(each, InputError)]
            return self._found(tool, slot, query, hits, show, [*failed]) | add(found)

        return Later(work, then)

    def _found(
        self,
        tool: str,
        slot: str | None,
        query: str,
        hits: Sequence[Passage],
        show: Show,
        unasked: Sequence[str] = (),
    ) -> dict[str, Any]:
        """Take in what a search brought, as far as there is room, and say it to the model."""
        if slot is None:
            hits = self._folded(hits)
        room = self.max_chunks - len(self.found)
        fresh = [hit.id for hit in hits if hit.id not in self.found][:room]
        taken = [hit for hit in hits if hit.id in self.found or hit.id in fresh]
        left_out, hits = len(hits) - len(taken), taken
        self.add(hits)
        if slot and hits:
            self.accepted[slot], self.beside[slot] = hits[0], hits[1:]
        outcome: SearchOutcome = "hits" if hits or left_out else "none"
        self._log(tool, slot, query, outcome, hits, left_out, unasked)
        response: dict[str, Any] = {
            "hits": self.present(hits, show),
            "missing": self.wanted,
            "tried": [search.query for search in self.searches if search.slot == slot],
        }
        new = {hit.id for hit in hits}
        if left_out:
            response["no_room"] = left_out
        if differing := [each for each in self.disagreements if new & each.keys()]:
            response["note"] = _told_to_name(differing)
        elif hits and all(hit.closest for hit in hits):
            response["note"] = _ONLY_CLOSEST
        if left_out:
            told = _NO_ROOM.format(count=left_out, most=self.max_chunks)
            response["note"] = f"{response['note']} {told}" if "note" in response else told
        return response

    def _folded(self, hits: Sequence[Passage]) -> list[Passage]:
        """The passages, each text once: the same words under the same headings are one passage
        that names every source. A few words alone may be about anything, and stay apart."""
        kept: dict[str, Passage] = {}
        for hit in hits:
            key = (fold(hit.text), fold(hit.context))
            name = hit.id
            if len(units(hit.text)) >= _SAYS_ITSELF:
                name = self._texts_seen.setdefault(key, hit.id)
            first = kept.get(name) or self.found.get(name)
            if first is None:
                kept[name] = hit
            else:
                sources, closest = _both(first.source, hit.source), first.closest and hit.closest
                kept[name] = replace(first, source=sources, closest=closest)
        return list(kept.values())

    def _log(
        self,
        tool: str,
        slot: str | None,
        query: str,
        outcome: SearchOutcome,
        hits: Sequence[Passage],
        no_room: int = 0,
        unasked: Sequence[str] = (),
    ) -> None:
        missing = tuple(self.missing)
        search = Search(
            self.step, tool, slot, query, outcome, tuple(hits), missing, no_room, tuple(unasked)
        )
        self.searches.append(search)
        self.on_search(search)


def _both(sources: str, source: str) -> str:
    return sources if source in sources.split(", ") else f"{sources}, {source}"


def _raising(failure: BaseException) -> Callable[[], Any]:
    def result() -> Any:
        raise failure

    return result


_ONLY_CLOSEST = (
    "Nothing has the words of the query or clearly its meaning; these hits only come closest. Use "
    "one only if it does answer the question, and say where it does not."
)


_NO_ROOM = (
    "This search found {count} more that cannot be shown: all {most} passages that fit were shown. "
    "Not shown does not mean not there."
)


def _told_to_name(differing: Sequence[Disagreement]) -> str:
    """For the model: what one says must not stand alone where another says something else."""
    said = "; ".join(
        ", ".join(f"[{name}] says {number}" for name, number in each.items()) for each in differing
    )
    return f"They differ: {said}. If you use one, name all with their ids."
