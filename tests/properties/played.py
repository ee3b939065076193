"""Plays one question against a hostile model, hostile tools and any limits, and says what went
wrong: nothing may."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from agent.ask import Source, ask
from agent.chat.telling import exit_code, progress, result, short_result
from agent.evidence import Evidence
from agent.history import is_question
from agent.limits import Limits
from agent.messages import StopReason, function_calls
from agent.models.retrying import RetryBudget
from agent.offline.model import OfflineModel
from agent.offline.protocol import Answer, Request, Rules, read, read_json
from agent.offline.refusals import Refusal
from agent.offline.responder import Raw, Response
from agent.run import Run
from agent.search_tools import Toolset
from agent.toolbox import Later
from tests.cases.legality import faults
from tools.arguments import Bounds
from tools.corpus import Corpus, find_corpus
from tools.documents import Folder, Passage
from tools.filters import Filters, parse_where
from tools.products import Finding, ProductCorpus, find_products
from tools.search_web import WebSearch
from tools.slots import Slot
from tools.tokens import fold
from tools.web.backend import SearchHit

from agent.consultant import MAX_CONSULTATIONS  # isort: skip

OFFICE = Folder(Path(__file__).parent.parent / "data/office")
BILLING = find_corpus("billing")
PRODUCTS = find_products("products")
CHEAP = parse_where("max_won<=100000", "connection=usb-c")
assert BILLING and PRODUCTS

RULES = Rules(ids="echoed", signatures="minted")


def fresh(reply: Response) -> Response:
    """``reply`` with a body that nobody else holds."""
    return reply if isinstance(reply, Raw) else reply._replace(body=copy.deepcopy(reply.body))


class HostileGemini:
    """Refuses what the API refuses, after the bytes of the body; plays ``answers`` to the rest,
    from the beginning again when they are used up."""

    def __init__(self, answers: Sequence[Response], clock: Clock) -> None:
        self.requests: list[Any] = []
        self.refusals: list[Any] = []
        self.sent_at: list[float] = []
        self._answers = answers
        self._clock = clock

    def respond(self, request: Request) -> Response:
        body = read_json(json.dumps(request.body).encode())
        found = body if isinstance(body, Refusal) else read(request._replace(body=body), RULES)
        self.requests.append(copy.deepcopy(request.body))
        self.sent_at.append(self._clock())
        self._clock.pass_(0.5)
        if isinstance(found, Refusal | Answer):
            self.refusals.append(found)
            return found if isinstance(found, Answer) else Answer.refusing(found)
        return self.reply(request)

    def reply(self, request: Request) -> Response:
        """What comes to a legal request."""
        return fresh(self._answers[(len(self.requests) - 1) % len(self._answers)])


@dataclass
class Clock:
    """Seconds that pass only when they are told to."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += max(seconds, 0.0)


@dataclass
class Ran:
    """What really happened behind the tools."""

    tools: list[tuple[str, str]] = field(default_factory=list)
    queries: list[tuple[Any, ...]] = field(default_factory=list)


Action = Callable[[], Any]


def hostile_tools(
    ran: Ran, actions: Sequence[Action], brought: Sequence[Action], clock: Clock
) -> Any:
    """Tools that do what ``actions`` say, one after the other."""

    def act(name: str, *given: Any) -> Any:
        ran.tools.append((name, repr(given)))
        clock.pass_(len(ran.tools) * 10.0)
        return actions[len(ran.tools) % len(actions)]()

    def find(query: str) -> Any:
        ran.queries.append(("look", fold(query)))
        return brought[len(ran.queries) % len(brought)]()

    def made(evidence: Evidence) -> list[Callable[..., Any]]:
        def look(query: Annotated[str, "words"]) -> Later[Any]:
            """Find lines."""
            ran.tools.append(("look", repr(query)))
            return evidence.search_open("look", query, find)

        def count(number: Annotated[int, "how many", Bounds(0, 10**9)]) -> Any:
            """Count."""
            return act("count", number)

        def choose(size: Annotated[Literal["large", "small"], "which"] = "large") -> Any:
            """Choose."""
            return act("choose", size)

        def rest() -> Any:
            """Do nothing."""
            return act("rest")

        return [look, count, choose, rest]

    return made


@dataclass(frozen=True)
class HostileCorpus(Corpus):
    """The billing corpus, whose documents may be anything."""

    ran: Ran = field(default_factory=Ran, repr=False)
    brought: Sequence[Action] = field(default=(), repr=False)

    def retrieve(self, slot: Slot, query: str, *how: Any) -> list[Passage]:
        self.ran.queries.append((slot.name, fold(query)))
        if not self.brought:
            return super().retrieve(slot, query, *how)
        found: list[Passage] = self.brought[len(self.ran.queries) % len(self.brought)]()
        return found


@dataclass(frozen=True)
class WatchedProducts(ProductCorpus):
    """Products that remember what was searched."""

    ran: Ran = field(default_factory=Ran, repr=False)

    def search(self, query: str, filters: Filters | None = None, top_k: int = 3) -> Finding:
        self.ran.queries.append((fold(query), filters, top_k))
        return super().search(query, filters, top_k)


class HostileWeb:
    """A search service that sends what it likes."""

    def __init__(self, ran: Ran, brought: Sequence[Action]) -> None:
        self._ran, self._brought = ran, brought

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        self._ran.queries.append(("web", fold(query)))
        found = self._brought[len(self._ran.queries) % len(self._brought)]()
        if not isinstance(found, list):
            return found  # type: ignore[no-any-return]
        return [
            SearchHit(each.id, f"https://a.example/{each.id}", each.text)
            if isinstance(each, Passage)
            else each
            for each in found
        ]


KINDS = ("tools", "planned", "hostile plan", "products", "folder", "narrowed", "web")
QUESTIONS = {
    "planned": ["invoice export steps and permission", "청구서 내보내기 절차와 권한"],
    "hostile plan": ["invoice export steps and permission"],
    "products": ["저소음 사무실 키보드"],
}
OPEN_QUESTIONS = (
    "노트북 분실은 어디에 알려?",
    "노트북 분실과 출장비 정산의 차이는?",
    "Which of the two rules came first, and who wrote the one that was used before 2020?",
    "a b c d e f g h i j k l m n o p q r s t?",
)


def source_of(kind: str, ran: Ran, actions: Any, brought: Any, clock: Clock) -> Source:
    match kind:
        case "tools":
            return Toolset(("hostile",), hostile_tools(ran, actions, brought, clock))
        case "planned":
            return HostileCorpus(**vars(BILLING), ran=ran)
        case "hostile plan":
            return HostileCorpus(**vars(BILLING), ran=ran, brought=brought)
        case "products":
            return WatchedProducts(**{**vars(PRODUCTS), "filters": CHEAP}, ran=ran)
        case "web":
            return WebSearch(HostileWeb(ran, brought), sleep=clock.pass_, clock=clock)
        case _:
            return OFFICE


def play(
    kind: str,
    question: str,
    answers: Sequence[Response],
    actions: Sequence[Action],
    brought: Sequence[Action],
    limits: Limits,
    *,
    remote: bool = True,
    previous: Run | None = None,
) -> Run:
    """One question, and after it every promise."""
    clock, ran = Clock(), Ran()
    source = source_of(kind, ran, actions, brought, clock)
    gemini = HostileGemini(answers, clock)
    events: list[Any] = []
    told: list[str] = []
    run = Run.following(
        previous,
        language="ko",
        clock=clock,
        now=lambda: datetime(2026, 1, 1).astimezone() - timedelta(seconds=clock.now),
        listeners=(events.append, progress(told.append, "ko", verbose=True)),
    )
    since = len(run.contents)
    before = repr(source)
    done = ask(
        question,
        source,
        OfflineModel(gemini, remote=remote),
        limits,
        run,
        narrowing=kind == "narrowed",
        sleep=clock.pass_,
    )
    assert done is run and repr(source) == before
    stops(run, gemini, limits, remote)
    is_legal(run, gemini)
    keeps_its_rules(gemini)
    assert len([each for each in run.contents[since:] if is_question(each)]) == 1
    runs_what_was_asked(run, ran, limits, since)
    tells(run, events)
    return run


def stops(run: Run, gemini: HostileGemini, limits: Limits, remote: bool) -> None:
    """Every request is a step, an answer sent back once, a repetition out of the budget of the
    question, or a consultation, which has a budget too."""
    budget = RetryBudget()
    beside = [each for each in gemini.requests if "generationConfig" in each]
    again = budget.retries + budget.rewrites if remote else 0
    assert len(gemini.requests) - len(beside) <= limits.max_steps + 1 + again
    assert len(beside) <= MAX_CONSULTATIONS + again
    assert len(gemini.requests) <= limits.max_steps + 1 + MAX_CONSULTATIONS + again
    # an interrupt leaves the request behind that is under way, with those before it that were lost
    is_whole = run.stop_reason != "interrupted" or run.usage.requests > len(gemini.requests)
    assert run.usage.requests == len(gemini.requests) or not is_whole
    assert run.steps <= limits.max_steps
    if limits.max_seconds is not None and gemini.sent_at:
        # a wait that was begun is kept, and is bounded by the budget of waits
        assert gemini.sent_at[-1] < 1000.0 + limits.max_seconds + budget.wait_s + 1


def is_legal(run: Run, gemini: HostileGemini) -> None:
    assert gemini.refusals == []
    for body in gemini.requests:
        assert faults(body["contents"]) == []
    assert faults([*run.contents, {"role": "user", "parts": [{"text": "and now?"}]}]) == []
    json.dumps(run.contents, allow_nan=False)


def keeps_its_rules(gemini: HostileGemini) -> None:
    """Rules, plan and tools are the same in every request; only our own note may stand before."""
    steps = [each for each in gemini.requests if "generationConfig" not in each]
    systems = {each["systemInstruction"]["parts"][0]["text"] for each in steps}
    rules = min(systems, key=len, default="")
    for system in systems:
        note = system.removesuffix(rules)
        assert system.endswith(rules) and (not note or note.startswith("Note: your previous "))
    assert len({json.dumps(each.get("tools")) for each in steps}) <= 1


def runs_what_was_asked(run: Run, ran: Ran, limits: Limits, since: int) -> None:
    asked = [
        call.get("name")
        for content in run.contents[since:]
        if content["role"] == "model"
        for call in function_calls(content)
    ]
    for name in {name for name, _ in ran.tools}:
        times = [given for each, given in ran.tools if each == name]
        assert len(times) <= asked.count(name) or run.stop_reason in ("rejected", "blocked")
        assert len(set(times)) == len(times)
    assert len(set(ran.queries)) == len(ran.queries)
    evidence = run.evidence
    if evidence is None:
        return
    most = limits.searches_in_rounds if evidence.checklist else limits.searches
    assert len(evidence.searches) <= most == evidence.max_searches
    assert len(evidence.found) <= limits.max_context_chunks == evidence.max_chunks


def tells(run: Run, events: list[Any]) -> None:
    """The record is JSON, the reader is told something, and the status is true."""
    record = json.loads(json.dumps(run.as_record(), allow_nan=False).encode())
    assert record["stop_reason"] in get_args(StopReason)
    assert run.message.strip()
    assert result(run).strip() and short_result(run).strip()
    assert exit_code(run) in (0, 3, 4, 5, 6, 130)
    assert [each["event"] for each in events][-1] == "end"
    if record["status"] == "complete":
        assert record["missing"] == []
    if record["answer"] is None:
        assert exit_code(run) != 0
        return
    assert record["stop_reason"] == "answered" and record["status"] in ("complete", "open")
    assert record["missing"] == []
    assert record["citations"] and all(each["ok"] for each in record["citations"])
    assert {each["id"] for each in record["citations"]} <= run.ledger.keys()
