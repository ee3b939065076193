"""The record of one question: what was said, what was found, why it ended."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from agent.catalogue import Language, say, tell
from agent.citations import Citation, Unsupported, marked
from agent.conditions import unchecked
from agent.evidence import Evidence
from agent.limits import cost_usd
from agent.messages import (
    Content,
    Declaration,
    Reply,
    StopReason,
    ToolCall,
    ToolMode,
    ToolResult,
    Usage,
    function_calls,
    model_says,
    observation,
    user,
)
from tools.disagreements import Disagreement
from tools.documents import Passage
from tools.fences import looks_like_orders, unfence, without_orders
from tools.tokens import SAYS_NOTHING, units

if TYPE_CHECKING:
    from agent.selections import Selection
    from tools.judge import Verdict

Status = Literal["complete", "incomplete", "unsupported", "open", "held"]
Route = Literal["simple", "complex", "held"]
Event = dict[str, Any]

_BUDGETS = {"time_budget", "token_budget", "cost_budget"}
_REPLIED = {"calls", "answer", "truncated", "blocked", "empty", "malformed"}


@dataclass
class Run:
    """One question and everything that happened to it.

    ``contents`` is the conversation so far, ``ledger`` its passages by id; both go on with the
    next question (``following``), everything else starts anew. ``listeners`` get each event as it
    happens; without ``evidence`` an answer passes as it is. ``suspected`` names sources whose
    description reads like orders. ``conversation`` is the id of the chat it belongs to. ``there``
    names what a question that no corpus fits could have been about.
    """

    contents: list[Content] = field(default_factory=list[Content])
    ledger: dict[str, Passage] = field(default_factory=dict[str, Passage])
    evidence: Evidence | None = None
    language: Language = "en"
    listeners: tuple[Callable[[Event], None], ...] = ()
    clock: Callable[[], float] = time.monotonic
    question: str = ""
    model: str = ""
    route: Route = "simple"
    route_reason: str = ""
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    sources: list[str] = field(default_factory=list[str])
    there: tuple[str, ...] = ()
    proposals: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    trace: str | None = None
    request_id: str = field(default_factory=lambda: os.urandom(16).hex())
    conversation: str = ""

    steps: int = 0
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    model_seconds: float = 0.0
    tool_seconds: float = 0.0
    stage_seconds: dict[str, float] = field(default_factory=dict[str, float])
    seconds: float = 0.0
    answer: str | None = None
    partial: str | None = None
    message: str = ""
    stop_reason: StopReason | None = None
    citations: list[Citation] = field(default_factory=list[Citation])
    unsupported: list[Unsupported] = field(default_factory=list[Unsupported])
    judgements: list[Verdict] = field(default_factory=list["Verdict"])
    suspected: Sequence[str] = ()
    selections: list[Selection] = field(default_factory=list["Selection"])
    turn_tokens: int = 0
    """Tokens of the last turn, with its request."""
    tool_errors: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def __post_init__(self) -> None:
        self._started = self.clock()
        self.asked_at = self.now()
        self._since = len(self.contents)
        self._priced = True
        self._told: dict[str, Any] = {}
        self.is_over = False

    @classmethod
    def following(cls, previous: Run | None, **settings: Any) -> Run:
        """The run of the next question of a conversation, or of its first."""
        if previous is None:
            return cls(**settings)
        return cls(contents=previous.contents, ledger=previous.ledger, **settings)

    @property
    def elapsed(self) -> float:
        """Seconds since the question."""
        return self.clock() - self._started

    @property
    def status(self) -> Status:
        if self.stop_reason in ("unsupported", "held"):
            return "unsupported" if self.stop_reason == "unsupported" else "held"
        if self.evidence and self.evidence.slots:
            return self.evidence.status
        return "open" if self.answer is not None else "incomplete"

    @property
    def missing(self) -> list[str]:
        return self.evidence.missing if self.evidence else []

    @property
    def rounds(self) -> int:
        """How often was searched for what was missing; 1 where rounds are not counted."""
        return self.evidence.rounds if self.evidence else 0

    @property
    def shown(self) -> str | None:
        """The answer as a person is to see it: what its evidence does not say is marked."""
        if self.answer is None:
            return None
        return marked(self.answer, self.unsupported, say("run.unsupported", self.language))

    @property
    def cited_sources(self) -> list[str]:
        """Where the cited evidence came from, each source once."""
        cited = [self.ledger[each.id] for each in self.citations if each.id in self.ledger]
        return list(dict.fromkeys(each.source for each in cited))

    @property
    def caveats(self) -> list[str]:
        """What the reader must know of the evidence whatever the answer says, in sentences."""
        told = [
            say("run.disagreement", self.language, said=_written(each))
            for each in (self.evidence.disagreements if self.evidence else [])
        ]
        if self.evidence:
            met = (tell(fault, self.language) for fault in self.evidence.faults)
            told += dict.fromkeys(met)
        if self.evidence and (unasked := self.evidence.unasked):
            told.append(say("run.unasked", self.language, sources=", ".join(unasked)))
        for slot, permission in (self.evidence.refused if self.evidence else {}).items():
            told.append(say("run.not_permitted", self.language, slot=slot, permission=permission))
        if orders := self.orders:
            told.append(say("run.orders", self.language, names=", ".join(orders)))
        if self.evidence and self.evidence.as_of and self.evidence.searches:
            key = "run.of_day" if self.evidence.as_of.only else "run.as_of"
            told.append(say(key, self.language, day=self.evidence.as_of))
        if self.evidence and self.evidence.only_closest(self.citations):
            told.append(say("run.closest", self.language))
        if self.evidence and (words := self.evidence.unconfirmed):
            told.append(say("run.unconfirmed", self.language, words=", ".join(words)))
        if self.evidence and (count := self.evidence.no_room):
            most = self.evidence.max_chunks
            told.append(say("run.no_room", self.language, count=count, most=most))
        if conditions := self._unchecked:
            told.append(say("run.unchecked", self.language, conditions=", ".join(conditions)))
        return told

    @property
    def orders(self) -> list[str]:
        """The sources and the passages with text that reads as if it told the model what to do:
        it was data all the same, and the reader should look at it."""
        found = self.evidence.found.values() if self.evidence else ()
        return [*self.suspected, *(each.id for each in found if each.reads_like_orders)]

    @property
    def circumstances(self) -> list[str]:
        """When a question that took rounds was searched, and under which conditions."""
        evidence = self.evidence
        if evidence is None or not evidence.in_rounds or not evidence.searches:
            return []
        when = self.asked_at.strftime("%Y-%m-%d %H:%M")
        told = [say("run.searched_at", self.language, when=when)]
        if evidence.conditions:
            told.append(say("run.conditions", self.language, conditions=evidence.conditions))
        return told

    def emit(self, event: str, **details: Any) -> None:
        """Tell the listeners what happened; agent/README.md lists the events."""
        for listener in self.listeners:
            at = round(self.elapsed, 6)
            listener({"event": event, "run": self.request_id[:8], "at": at, **details})

    def begin(self) -> None:
        """Tell the listeners what is asked, and what was said before it. The question's time begins
        here: what was loaded for it, or asked of the person, is not in it."""
        self._started = self.clock()
        self.emit(
            "start",
            request_id=self.request_id,
            time=self.asked_at.isoformat(),
            question=self.question,
            model=self.model,
            history=self.contents[:],
            **({"conversation": self.conversation} if self.conversation else {}),
        )

    def requested(self, tools: list[Declaration], system: str, mode: ToolMode) -> None:
        """Tell the listeners that the model is asked for its next turn. ``tools`` and ``system``
        are told where they are not those of the request before."""
        given = {"system": system, "tools": tools}
        new = {name: each for name, each in given.items() if self._told.get(name) != each}
        self._told = given
        self.emit("request", step=self.steps + 1, mode=mode, history=len(self.contents), **new)

    def spend_on_tools(self, seconds: float) -> None:
        """Add to the time spent in tools."""
        self.tool_seconds += seconds

    @contextmanager
    def timed(self, stage: str) -> Generator[None]:
        """Add the seconds of a ``with`` block to a stage of the question."""
        started = self.elapsed
        try:
            yield
        finally:
            spent = self.elapsed - started
            self.stage_seconds[stage] = self.stage_seconds.get(stage, 0.0) + spent

    @property
    def latency(self) -> dict[str, float]:
        """Seconds by stage, of those there were; what tools took apart from planning and verdicts
        is searching."""
        beside = sum(self.stage_seconds.get(name, 0.0) for name in ("planning", "sufficiency"))
        return {
            "model": self.model_seconds,
            "tools": self.tool_seconds,
            **self.stage_seconds,
            "search": max(0.0, self.tool_seconds - beside),
        }

    def took(self, result: ToolResult, started: float, seconds: float) -> None:
        """Keep what a call was refused or failed for, and tell the listeners how long it took from
        ``started`` on, a time of ``clock``."""
        error = result.response.get("error")
        if error is not None:
            self.tool_errors.append({"tool": result.call.name, **error})
        self.emit(
            "tool",
            step=self.steps,
            name=result.call.name,
            id=result.call.id,
            started=round(max(0.0, started - self._started), 6),
            seconds=round(seconds, 6),
            error=None if error is None else error["code"],
        )

    def record(self, content: Content | None, reply: Reply | None = None) -> None:
        """Append one turn to the history, verbatim; ``reply`` is what a model turn came with."""
        if reply is not None:
            self._account(reply)
        if content is not None:
            self.contents.append(content)
            self.emit("content", step=self.steps, content=content)

    def consult(self, reply: Reply, objection: str = "") -> None:
        """Account for a reply that is no turn of the conversation: a selection, a verdict, or an
        answer that went back because of ``objection``."""
        self._spend(reply)
        self.emit(
            "consulted",
            step=self.steps,
            outcome=reply.outcome,
            cause=reply.cause,
            text=reply.text,
            objection=objection,
            prompt_tokens=reply.usage.prompt_tokens,
            output_tokens=reply.usage.output_tokens,
        )

    def finish(self, reply: Reply) -> Run:
        """End the run: ask the gate, say why it ended, leave a legal history. An end that an
        interrupt cut short gives way to the next one, unless the run ``is_over``: then every
        listener may know how it ended."""
        self._account(reply)
        self.stop_reason = reply.ends_with
        self.answer, self.partial = None, None
        self.citations, self.unsupported = [], []
        self._gate(reply)
        self.message = self._explain(reply)
        self._close(reply)
        self.seconds = self.elapsed
        self.is_over = True
        self.emit("end", record=self.as_record())
        return self

    def as_record(self) -> dict[str, Any]:
        """The run as JSON, for ``--json``, traces, smoke tests and evaluation."""
        evidence = self.evidence or Evidence()
        return {
            "request_id": self.request_id,
            "question": self.question,
            "answer": self.answer,
            "partial": self.partial,
            "message": self.message,
            "status": self.status,
            "stop_reason": self.stop_reason,
            "steps": self.steps,
            "model": self.model,
            "route": self.route,
            "route_reason": self.route_reason,
            "sub_questions": evidence.requirements,
            "sources": self.sources,
            "asked_at": self.asked_at.isoformat(timespec="seconds"),
            "rounds": self.rounds,
            "sufficiency": evidence.verdicts,
            "proposals": self.proposals,
            "selections": [each.as_record(self.steps) for each in self.selections],
            "judgements": list(self.judgements),
            "tool_errors": self.tool_errors,
            "searches": [search.as_record() for search in evidence.searches],
            "evidence": [
                {
                    "id": passage.id,
                    "slot": slot,
                    "source": passage.source,
                    "text": passage.text,
                    **({"closest": True} if passage.closest else {}),
                    **({"also_in": list(passage.also)} if passage.also else {}),
                }
                for slot, passage in evidence.listed
            ],
            "disagreements": evidence.disagreements,
            "unchecked": self._unchecked,
            "unconfirmed": evidence.unconfirmed,
            "orders": self.orders,
            "missing": self.missing,
            "citations": [
                {"id": each.id, "ok": each.ok, "supported": each.supported}
                for each in self.citations
            ],
            "unsupported": [
                {"sentence": each.sentence, "lacking": list(each.lacking), "ids": list(each.ids)}
                for each in self.unsupported
            ],
            "cited_sources": self.cited_sources,
            "usage": {
                "requests": self.usage.requests,
                "prompt_tokens": self.usage.prompt_tokens,
                "output_tokens": self.usage.output_tokens,
                "cost_usd": self.cost_usd,
            },
            "latency": {stage: round(spent, 6) for stage, spent in self.latency.items()},
            "seconds": round(self.seconds, 6),
            "trace": self.trace,
        }

    def _account(self, reply: Reply) -> None:
        self.steps += reply.outcome in _REPLIED
        self._spend(reply)
        self.turn_tokens = reply.usage.tokens
        if self.evidence:
            self.evidence.step = self.steps
        self.emit(
            "reply",
            step=self.steps,
            outcome=reply.outcome,
            finish_reason=reply.finish_reason,
            cause=reply.cause,
            note=reply.note,
            status_code=reply.status_code,
            model=reply.model,
            prompt_tokens=reply.usage.prompt_tokens,
            output_tokens=reply.usage.output_tokens,
            text=reply.text,
        )

    def _spend(self, reply: Reply) -> None:
        self.usage += reply.usage
        if reply.usage.requests:
            price = cost_usd(reply.model, reply.usage)
            self._priced = self._priced and price is not None
            self.cost_usd = (self.cost_usd or 0.0) + (price or 0.0) if self._priced else None

    def _gate(self, reply: Reply) -> None:
        """Let an answer through only when its evidence is complete, every citation exists, and
        something else supports it than text that reads as if it gave the model orders."""
        text = unfence(reply.text)
        faults: list[Unsupported] = []
        if reply.outcome in ("answer", "truncated", "blocked") and self.evidence:
            faults = self.evidence.unsupported(text)
            self.citations = self.evidence.citations(text, faults)
        if reply.outcome in ("truncated", "blocked") and not self.missing:
            self.partial = text if text and all(each.ok for each in self.citations) else None
        if reply.outcome != "answer":
            return
        if self._rests_on_orders(text) or (self.evidence and self.evidence.of_orders):
            return
        if self.evidence is None or self.evidence.objection(text) is None:
            self.answer = text
            self.unsupported = faults
        elif self.evidence.searches and not self.evidence.slots and not self.evidence.found:
            self.stop_reason = self.evidence.nothing_found

    def _explain(self, reply: Reply) -> str:
        """What the reader is told, by the reason the run ended."""
        found = self.evidence is not None and self.evidence.found
        values = {
            "code": reply.status_code or "",
            "model": self.model,
            "missing": ", ".join(self.missing),
            "searches": len(self.evidence.searches) if self.evidence else 0,
            "steps": self.steps,
            "rounds": self.rounds,
            "most": self.evidence.max_chunks if self.evidence else 0,
            "kept": f"{say('run.kept', self.language)} " if found else "",
            "unsearched": ", ".join(self.unsearched),
            "there": ", ".join(self.there),
            "untold": ", ".join(self.evidence.untold) if self.evidence else "",
            "time": (self.evidence and self.evidence.as_of) or "",
            "versions": ", ".join(self._versions),
            "unknown": ", ".join(each.id for each in self.citations if not each.ok),
            "of_orders": ", ".join(self.evidence.of_orders) if self.evidence else "",
        }
        told = say(f"stop.{self.stop_reason}.{self._cause(reply)}", self.language, **values)
        if found and self.stop_reason in _BUDGETS:
            told = f"{told} {say('run.found', self.language)}"
        searched = self.evidence and self.evidence.searches
        if self.missing and (searched or self.stop_reason in _BUDGETS):
            told = f"{told} {say('run.missing', self.language, **values)}"
        return " ".join([told, *self.caveats])

    def _cause(self, reply: Reply) -> str:
        if self.stop_reason == "unsupported" and self.there and not reply.cause:
            return "there"
        if self.stop_reason == "no_progress" and self.evidence and self.evidence.checklist:
            checklist = self.evidence.checklist
            return "no_way" if checklist.knows_no_way and not checklist.is_stale else "rounds"
        if self.stop_reason == "held" and self.evidence and self.evidence.searches:
            return "nothing_found"
        if self.stop_reason == "exhausted" and self.evidence and self.evidence.untold:
            return "untold_time"
        if self.stop_reason == "exhausted" and self.evidence and self.evidence.unsettled:
            return "several_versions"
        if self.stop_reason == "exhausted" and self.evidence and self.evidence.refused:
            return "not_permitted"
        if self.stop_reason == "exhausted" and self.evidence and self.evidence.asks_beyond:
            return "beyond"
        if self.stop_reason == "exhausted" and self._unavailable:
            return "unavailable"
        if self.stop_reason == "exhausted" and not (self.evidence and self.evidence.found):
            return "nothing_found"
        if self.stop_reason == "answered" and self.answer is not None and self.status == "open":
            return "open"
        if self.stop_reason != "answered" or self.answer is not None:
            return reply.cause or "plain"
        if self.missing:
            return "incomplete"
        if self.citations:
            known = all(each.ok for each in self.citations)
            if known and self._rests_on_orders(reply.text):
                return "orders"
            if known and self.evidence and self.evidence.of_orders:
                return "slot_of_orders"
            return "left_out" if known else "unknown_citation"
        return "uncited" if self.evidence and self.evidence.searches else "from_memory"

    def _rests_on_orders(self, text: str) -> bool:
        """Whether every passage that is cited reads as if it told the model what to do, and most
        of what the answer says is in nothing else of them."""
        cited = [self.ledger[each.id] for each in self.citations if each.ok]
        if not cited or not all(each.reads_like_orders for each in cited):
            return False
        if looks_like_orders(text):
            return True
        said = _words(re.sub(r"\[[^\[\]\n]+\]", " ", text))
        plain = _words(" ".join(without_orders(each.text) for each in cited))
        return len(said & plain) * 2 < len(said)

    @property
    def _versions(self) -> list[str]:
        unsettled = self.evidence.unsettled.values() if self.evidence else ()
        return [each for versions in unsettled for each in versions]

    @property
    def _unchecked(self) -> list[str]:
        return unchecked(self.contents[self._since :])

    @property
    def _unavailable(self) -> bool:
        """Whether a source could not be asked that might hold what is missing."""
        searches = self.evidence.searches if self.evidence else []
        return any(
            search.outcome == "unavailable" and search.slot in (None, *self.missing)
            for search in searches
        )

    @property
    def unsearched(self) -> list[str]:
        """The tools whose source could not be asked, not even once, so that nothing is known about
        what it holds."""
        searches = self.evidence.searches if self.evidence else []
        asked = {search.tool for search in searches if search.outcome != "unavailable"}
        return list(dict.fromkeys(each.tool for each in searches if each.tool not in asked))

    def _close(self, reply: Reply) -> None:
        """Leave a history the API takes: no open call, and a model turn at the end."""
        if reply.outcome == "rejected":
            del self.contents[self._since + 1 :]
        if reply.outcome == "blocked" and not reply.finish_reason:
            # the filter read the prompt, and would find in it the next time what it found now
            self.contents[self._since :] = [user("(A question that was blocked is left out.)")]
        if self.contents and (calls := function_calls(self.contents[-1])):
            self.record(observation([_interrupted(call) for call in calls]))
        elif self.contents and self.contents[-1]["role"] == "model":
            self.contents.pop()
        accepted = self.answer is not None and reply.content is not None
        self.record(reply.content if accepted else model_says(self.message))


def _written(disagreement: Disagreement) -> str:
    return ", ".join(f"{number} [{name}]" for name, number in disagreement.items())


def _interrupted(call: dict[str, Any]) -> ToolResult:
    asked = ToolCall(call.get("name", ""), call.get("args") or {}, call.get("id"))
    return ToolResult(asked, {"error": {"code": "interrupted", "message": "Not run."}})


def _words(text: str) -> set[str]:
    """The units of ``text`` that say something, however its numbers are written."""
    return {*units(re.sub(r"(?<=\d),(?=\d{3})", "", text))} - SAYS_NOTHING
