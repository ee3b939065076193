"""Where a run went wrong: in the prompt, in a tool or in what executes them, and whether its
evidence was found.

The rule is that of the course. Nothing in the trace shows that the model asked for what it needed:
the prompt did not tell it to. It asked and did not do as the answer said: the tool, its schema or
its description. It did everything right and was cut off: the executor and its caps. A run that was
ended from outside, also by the end of its process, or found nothing where it looked, is no fault
of any layer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.messages import CAPS
from agent.traces.reading import UNFINISHED, Call, Event, Step, TracedRun

Layer = Literal["prompt", "tool", "executor", "none"]
Found = Literal["used", "never_retrieved", "unused", "misread", "unknown"]

VERDICTS = frozenset({"check_sufficiency", "judge_relevance"})
"""Tools that say whether what was found is enough."""

_OUTSIDE = frozenset(
    {"network", "quota", "rejected", "blocked", "interrupted", "unsupported", "held", UNFINISHED}
)
_MISUSED = frozenset(
    {
        "invalid_arguments",
        "unknown_tool",
        "unknown_ids",
        "unknown_corpus",
        "unknown_product",
        "query_not_allowed",
        "needs_unmet",
        "already_found",
        "filter_loosened",
        "outside_filters",
        "plan_rejected",
        "nothing_searched",
    }
)
_REPEATED = frozenset({"repeated_call", "near_repeat", "known_empty"})
_FAILED = frozenset({"tool_failed", "unavailable"})
_UNUSABLE = frozenset({"malformed", "empty", "truncated"})


@dataclass(frozen=True)
class Verdict:
    """What is the matter, why in one word for the catalogue, its values, and the lines that show
    it."""

    is_: str
    why: str
    values: dict[str, str]
    lines: Sequence[Event]


@dataclass(frozen=True)
class Diagnosis:
    """The layer of a run, and what became of its evidence."""

    layer: Verdict
    evidence: Verdict


def diagnose(run: TracedRun, expected: Collection[str] = ()) -> Diagnosis:
    """Diagnose one run. ``expected`` are the ids of passages that the answer should rest on, where
    somebody knows them."""
    layer = next(_layers(run), None) or _verdict("none", "answered", _last(run))
    return Diagnosis(layer, _expected(run, expected) if expected else _evidence(run))


def _verdict(is_: Layer | Found, why: str, lines: Sequence[Event | None], **values: str) -> Verdict:
    known = {event.line: event for event in lines if event is not None}
    return Verdict(is_, why, values, [known[line] for line in sorted(known)])


def _layers(run: TracedRun) -> Iterator[Verdict]:
    """What fits, in the order of the rule; the first counts."""
    if run.stop_reason in _OUTSIDE:
        why = "unfinished" if run.stop_reason == UNFINISHED else "outside"
        yield _verdict("none", why, _last(run), stop=run.stop_reason)
    answered = bool(run.record and run.record["answer"] is not None)
    faulty = not answered or bool(run.record and run.record["unsupported"])
    if faulty:
        yield from _prompt(run)
    yield from _not_followed(run)
    if not answered:
        yield from _tools(run)
        yield from _executor(run)
        if run.stop_reason in _UNUSABLE:
            yield _verdict("none", "unusable", _last(run), stop=run.stop_reason)
        if run.record and not run.searches:
            told = run.record["message"]
            yield _verdict("none", "not_begun", _last(run), stop=run.stop_reason, told=told)
        lines = [*_without_hits(run), *_last(run)]
        yield _verdict("none", "nothing_found", lines, stop=run.stop_reason)


def _prompt(run: TracedRun) -> Iterator[Verdict]:
    """No trace of a call that the model should have made, or of citations that it should have
    written."""
    asked = [step for step in run.steps if step.request and step.reply]
    offered = {each.get("name") for step in asked for each in step.tools}
    made = {call.name for step in run.steps for call in step.calls}
    if asked and offered and not made and asked[-1].outcome == "answer":
        yield _verdict("prompt", "no_call", [asked[0].request, asked[-1].reply])
    judges = sorted(VERDICTS & offered)
    if judges and not VERDICTS & made and (after := _after_search(run)) is not None:
        searches = run.searches
        lines = [asked[0].request, *searches, *(each.reply for each in after)]
        yield _verdict("prompt", "no_verdict", lines, tools=", ".join(judges))
    record = run.record
    if record and record["answer"] is None and not record["missing"] and _hits(run):
        if asked and asked[-1].outcome == "answer":
            returned = [each for each in asked[-1].named("consulted") if each.data["objection"]]
            lines = [asked[-1].request, *returned, asked[-1].reply, run.end]
            yield _verdict("prompt", "refused", lines)


def _after_search(run: TracedRun) -> list[Step] | None:
    """The turns of the model after its first search; None where it had none."""
    first = next((place for place, step in enumerate(run.steps) if step.searches), None)
    if first is None:
        return None
    return [step for step in run.steps[first + 1 :] if step.request and step.reply] or None


def _not_followed(run: TracedRun) -> Iterator[Verdict]:
    """The last verdict said that more is needed, and the model did not search for it."""
    asked = [step for step in run.steps if step.request and step.reply]
    for place, step in enumerate(asked):
        is_last = place == len(asked) - 1
        verdict = next(filter(None, map(_last_verdict, reversed(asked[:place]))), None)
        judges = _only_judges(step) and (not is_last or verdict is None or verdict.name == "search")
        if verdict is None or _is_enough(verdict) or judges:
            continue
        acted = [call for call in step.calls if not _is_repeat(call)]
        if step.outcome == "answer" or (
            step.outcome == "calls" and (not acted or _only_judges(step))
        ):
            lines = [event for call in step.calls for event in (call.asked, call.answered)]
            yield _verdict("tool", "not_followed", [verdict, step.reply, *lines])


def _only_judges(step: Step) -> bool:
    return bool(step.calls) and all(call.name in VERDICTS for call in step.calls)


def _last_verdict(step: Step) -> Event | None:
    """What a step said last on whether the evidence is enough: a judge, else a search whose plan
    knows what it misses."""
    verdicts = step.named("sufficiency", "judge") or step.searches
    return verdicts[-1] if verdicts else None


def _is_enough(verdict: Event) -> bool:
    match verdict.name:
        case "sufficiency":
            return bool(verdict.data["sufficient"])
        case "judge":
            return bool(verdict.data["verdict"] != "no")
        case _:
            return not verdict.data["missing"]


def _is_repeat(call: Call) -> bool:
    return _code(call.error) in _REPEATED


def _tools(run: TracedRun) -> Iterator[Verdict]:
    """Calls that were wrong, or that failed, and were never put right."""
    calls = [call for step in run.steps for call in step.calls]
    worked = {call.name for call in calls if call.response and call.error is None}
    for why, codes in (("misused", _MISUSED), ("failed", _FAILED)):
        wrong = [
            call
            for call in calls
            if call.name not in worked and call.error and _code(call.error) in codes
        ]
        if wrong:
            lines = [event for call in wrong for event in (call.asked, call.answered)]
            names = dict.fromkeys(f"{call.name}: {_code(call.error)}" for call in wrong)
            yield _verdict("tool", why, lines, calls=", ".join(names))


def _executor(run: TracedRun) -> Iterator[Verdict]:
    if run.stop_reason in CAPS:
        lines = [*run.searches[-1:], *_last(run)]
        yield _verdict("executor", "cap", lines, stop=run.stop_reason)


def _evidence(run: TracedRun) -> Verdict:
    """What became of the evidence, as far as the run itself says what it needed."""
    record = run.record
    if record is None or run.stop_reason in _OUTSIDE:
        return _verdict("unknown", "no_end", _last(run))
    missing: list[str] = record["missing"]
    if missing or not _hits(run):
        lines = _searches_for(run, missing, record["sub_questions"])
        if any(each.data["outcome"] == "unavailable" for each in lines):
            return _verdict("unknown", "unavailable", lines)
        if not run.searches:
            return _verdict("never_retrieved", "no_search", _last(run))
        if missing and not lines:
            lines = [*run.searches, *_last(run)]
            return _verdict("never_retrieved", "not_searched", lines, missing=", ".join(missing))
        if missing and any(each.data["hits"] for each in lines):
            return _verdict("unknown", "not_covering", lines, missing=", ".join(missing))
        if missing:
            return _verdict("never_retrieved", "missing", lines, missing=", ".join(missing))
        return _verdict("never_retrieved", "none", lines)
    hits = _hits(run)
    if record["answer"] is None:
        return _verdict("unused", "no_answer", [*hits, *_last(run)])
    if record["unsupported"]:
        lacking = ", ".join(word for each in record["unsupported"] for word in each["lacking"])
        return _verdict("misread", "unsupported", [*hits, *_last(run)], lacking=lacking)
    return _verdict("used", "cited", [*hits, *_last(run)])


def _expected(run: TracedRun, expected: Collection[str]) -> Verdict:
    """What became of passages that the answer should rest on."""
    found = [each for each in run.searches if set(_ids(each)) & set(expected)]
    lacking = [each for each in expected if not any(each in _ids(search) for search in found)]
    if lacking:
        lines = run.searches or _last(run)
        if any(each.data["outcome"] == "unavailable" for each in lines if each.name == "search"):
            return _verdict("unknown", "unavailable", lines)
        return _verdict("never_retrieved", "expected", lines, ids=", ".join(lacking))
    cited = {each["id"] for each in (run.record or {}).get("citations", [])}
    unused = [each for each in expected if each not in cited]
    lines = [*found, *_last(run)]
    if run.record is None or run.record["answer"] is None:
        is_: Found = "unknown" if run.stop_reason in _OUTSIDE else "unused"
        return _verdict(is_, "expected_no_answer", lines, ids=", ".join(expected))
    if unused:
        return _verdict("unused", "expected", lines, ids=", ".join(unused))
    if run.record and run.record["unsupported"]:
        return _evidence(run)
    return _verdict("used", "expected", lines)


def _last(run: TracedRun) -> list[Event]:
    """The last reply and the end, or the last that is known."""
    replies = [step.reply for step in run.steps if step.reply][-1:]
    return [*replies, run.end or run.events[-1]]


def _hits(run: TracedRun) -> list[Event]:
    return [each for each in run.searches if each.data["hits"]]


def _without_hits(run: TracedRun) -> list[Event]:
    return [each for each in run.searches if not each.data["hits"]]


def _searches_for(run: TracedRun, missing: Sequence[str], wanted: Sequence[str]) -> list[Event]:
    """The searches for missing slots; where no search is for a slot, all but those that were for
    another of the pieces ``wanted``."""
    planned = [each for each in run.searches if each.data["slot"] in missing]
    covered = {*wanted} - {*missing} if missing else set[str]()
    return planned or [
        each
        for each in run.searches
        if each.data["slot"] is None and each.data["query"] not in covered
    ]


def _ids(search: Event) -> list[str]:
    return [hit["id"] for hit in search.data["hits"]]


def _code(error: Mapping[str, object] | None) -> str:
    return str((error or {}).get("code", ""))
