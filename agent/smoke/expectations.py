"""What came of one question, against what its script expects."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from agent.messages import function_calls
from agent.run import Event
from agent.smoke.regex import is_found
from agent.smoke.script import Calls, Count, Evidence, Expect, TextMatch, ValueMatch

_SAME = 1e-9
"""How far two numbers may be apart, relatively, and still be one: the API sends 3 as 3.0."""


@dataclass(frozen=True)
class Call:
    """One tool that the model asked for, and in which of its turns."""

    step: int
    name: str
    args: Mapping[str, Any]

    def __str__(self) -> str:
        args = ", ".join(f"{name}={_written(value)}" for name, value in self.args.items())
        return f"{self.name}({args})"


@dataclass(frozen=True)
class Failure:
    """An expectation that did not hold, as it was written and as it came; ``step`` is the first
    turn of the model that went another way, where there is one. ``key`` is the place of the
    expectation in the script."""

    key: tuple[str | int, ...]
    expected: str
    got: str
    step: int | None = None


@dataclass(frozen=True)
class Observed:
    """What came of one question: its record, the calls of the model, every text of the trace
    so far with the step that it belongs to, and the tools that the model was offered."""

    record: Mapping[str, Any]
    calls: Sequence[Call]
    texts: Sequence[tuple[int, str]]
    offered: Sequence[str] = ()


def calls_of(events: Iterable[Event]) -> list[Call]:
    """The calls in the events of one question, in the order asked."""
    return [
        Call(event["step"], call.get("name", ""), call.get("args") or {})
        for event in events
        if event["event"] == "content" and event["content"].get("role") == "model"
        for call in function_calls(event["content"])
    ]


def offered_in(events: Iterable[Event]) -> list[str]:
    """The tools that the events of one question declare."""
    told = [tool["name"] for event in events for tool in event.get("tools", ())]
    return list(dict.fromkeys(told))


def texts_of(events: Iterable[Event]) -> Iterator[tuple[int, str]]:
    """Every text in the events, with its step."""
    step = 0
    for event in events:
        step = event.get("step", step) or step
        for text in _strings({**event, "event": None, "run": None}):
            yield step, normalize("NFC", text)


def _strings(value: Any) -> Iterator[str]:
    """The texts in a value; names of entries are the trace's own and none."""
    match value:
        case str():
            yield value
        case Mapping():
            for key, each in value.items():
                if not _is_ours(key, value):
                    yield from _strings(each)
        case list() | tuple():
            for each in value:
                yield from _strings(each)
        case _:
            pass


def _is_ours(key: str, around: Mapping[str, Any]) -> bool:
    """Whether nobody wrote the value of an entry: it is the same in every trace, or drawn by
    lot."""
    if key == "role":
        return "parts" in around
    return key == "thoughtSignature" or (
        key in ("request_id", "conversation") and "question" in around
    )


def failures(expect: Expect, observed: Observed) -> list[Failure]:
    """Every expectation that did not hold, in the order of the script's classes."""
    found: list[Failure] = []
    for name in type(expect).model_fields:
        if name in expect.model_fields_set:
            found += _CHECKS[name](name, getattr(expect, name), observed)
    if not expect.model_fields_set and (stop := observed.record["stop_reason"]) in _NOTHING_KNOWN:
        found.append(Failure(("stop",), f"not {stop}", stop))
    return found


_NOTHING_KNOWN = frozenset({"network", "quota", "rejected"})
"""Ends after which nothing is known of the agent; a question of which nothing is expected must at
least have come to another."""


def unknown_tool(expect: Expect, observed: Observed) -> tuple[tuple[str | int, ...], str] | None:
    """A tool that something is expected of, and that was neither offered nor called: where it is
    named, and its name. None where no tool was offered at all: then the calls fail or hold."""
    known = {*observed.offered, *(call.name for call in observed.calls)}
    named = ((key, name) for key, name in _named_tools(expect) if name not in known)
    return next(named, None) if observed.offered else None


def _named_tools(expect: Expect) -> Iterator[tuple[tuple[str | int, ...], str]]:
    given = expect.model_fields_set
    if "tools" in given and isinstance(expect.tools, list):
        yield from ((("tools", place), name) for place, name in enumerate(expect.tools))
    elif "tools" in given and isinstance(expect.tools, Calls):
        for key in ("exact", "in_order", "any_order"):
            for place, name in enumerate(getattr(expect.tools, key) or ()):
                yield ("tools", key, place), name
        if isinstance(most := expect.tools.at_most, dict):
            yield from ((("tools", "at_most", name), name) for name in most if most[name])
    if "args" in given:
        yield from ((("args", name), name) for name in expect.args)


def _word(name: str, expected: Any, observed: Observed) -> Iterator[Failure]:
    got = observed.record["stop_reason" if name == "stop" else name]
    if got != expected:
        yield Failure((name,), str(expected), str(got))


def _missing(name: str, expected: list[str], observed: Observed) -> Iterator[Failure]:
    got = observed.record["missing"]
    if sorted(got) != sorted(expected):
        yield Failure((name,), _listed(expected), _listed(got))


def _evidence(name: str, expected: list[str] | Evidence, observed: Observed) -> Iterator[Failure]:
    got = list(dict.fromkeys(each["id"] for each in observed.record["evidence"]))
    if isinstance(expected, list):
        if set(got) != {*expected}:
            yield Failure((name,), _listed(expected), _listed(got))
        return
    if lacking := [each for each in expected.contains or () if each not in got]:
        yield Failure((name, "contains"), _listed(lacking), _listed(got))
    if found := [each for each in expected.not_ or () if each in got]:
        yield Failure((name, "not"), f"not {_listed(found)}", _listed(got))


def _count(name: str, expected: float | Count | None, observed: Observed) -> Iterator[Failure]:
    record = observed.record
    got: float | None
    match name:
        case "searches":
            got = len(record["searches"])
        case "cost":
            got = record["usage"]["cost_usd"]
        case _:
            got = record[name]
    if _counts(got, expected):
        return
    step = None
    if name == "searches" and isinstance(got, int):
        most = expected.at_most if isinstance(expected, Count) else expected
        beyond = record["searches"][int(most) :] if most is not None else []
        step = beyond[0]["step"] if beyond else record["steps"]
    yield Failure((name,), _bounds(expected), _written(got), step)


def _counts(got: float | None, expected: float | Count | None) -> bool:
    if got is None or expected is None:
        return got is expected
    if not isinstance(expected, Count):
        return math.isclose(got, expected, rel_tol=_SAME)
    low = -math.inf if expected.at_least is None else expected.at_least
    high = math.inf if expected.at_most is None else expected.at_most
    return low <= got <= high


def _bounds(expected: float | Count | None) -> str:
    if not isinstance(expected, Count):
        return _written(expected)
    return _written(_plain(expected))


def _tools(name: str, expected: list[str] | Calls, observed: Observed) -> Iterator[Failure]:
    calls = observed.calls
    names = [call.name for call in calls]
    if isinstance(expected, list):
        if names != expected:
            yield Failure((name,), _listed(expected), _listed(names), _parting(expected, calls))
        return
    if expected.exact is not None and names != expected.exact:
        step = _parting(expected.exact, calls)
        yield Failure((name, "exact"), _listed(expected.exact), _listed(names), step)
    if expected.in_order is not None:
        rest = iter(names)
        if not all(each in rest for each in expected.in_order):
            yield Failure((name, "in_order"), _listed(expected.in_order), _listed(names))
    if expected.any_order is not None:
        wanted = expected.any_order
        if any(names.count(each) < wanted.count(each) for each in wanted):
            yield Failure((name, "any_order"), _listed(wanted), _listed(names))
    if isinstance(expected.at_most, int):
        if len(calls) > expected.at_most:
            step = calls[expected.at_most].step
            yield Failure((name, "at_most"), str(expected.at_most), _listed(names), step)
    for tool, most in (expected.at_most if isinstance(expected.at_most, dict) else {}).items():
        made = [call for call in calls if call.name == tool]
        if len(made) > most:
            step = made[most].step
            yield Failure((name, "at_most", tool), str(most), str(len(made)), step)


def _parting(expected: Sequence[str], calls: Sequence[Call]) -> int:
    """The step of the first call that is another one, or that is not there."""
    for place, call in enumerate(calls):
        if place >= len(expected) or call.name != expected[place]:
            return call.step
    return calls[-1].step + 1 if calls else 1


def _args(name: str, expected: Mapping[str, Any], observed: Observed) -> Iterator[Failure]:
    for tool, wanted in expected.items():
        calls = [call for call in observed.calls if call.name == tool]
        if isinstance(wanted, list):
            for place, each in enumerate(wanted):
                call = calls[place] if place < len(calls) else None
                if call is None or not _fits(call.args, each):
                    got = str(call) if call else f"{len(calls)} × {tool}"
                    step = call.step if call else None
                    yield Failure((name, tool, place), _wanted(each), got, step)
        elif not any(_fits(call.args, wanted) for call in calls):
            got = "; ".join(map(str, calls)) or f"0 × {tool}"
            yield Failure((name, tool), _wanted(wanted), got, calls[0].step if calls else None)


def _fits(args: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether every argument that is named is there and as it should be."""
    return all(name in args and _is(args[name], each) for name, each in wanted.items())


def _is(got: Any, wanted: Any) -> bool:
    if not isinstance(wanted, ValueMatch):
        return _equal(got, wanted)
    given = wanted.model_fields_set
    if "ignore" in given:
        return True
    if "number" in given and wanted.number is not None:
        tolerance = wanted.tolerance or 0.0
        if not _is_number(got) or not math.isclose(
            got, wanted.number, rel_tol=_SAME, abs_tol=tolerance
        ):
            return False
    if "equals" in given and not _equal(got, wanted.equals):
        return False
    if wanted.contains is None and wanted.regex is None:
        return True
    return isinstance(got, str) and not [*_lacks(got, wanted.contains, (), wanted.regex)]


def _equal(got: Any, wanted: Any) -> bool:
    if _is_number(got) and _is_number(wanted):
        return math.isclose(got, wanted, rel_tol=_SAME)
    match got, wanted:
        case str(), str():
            return normalize("NFC", got) == normalize("NFC", wanted)
        case list(), list():
            pairs = zip(got, wanted, strict=False)
            return len(got) == len(wanted) and all(_equal(*pair) for pair in pairs)
        case dict(), dict():
            return got.keys() == wanted.keys() and all(_equal(got[k], wanted[k]) for k in got)
        case _:
            return type(got) is type(wanted) and bool(got == wanted)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(name: str, expected: str | TextMatch | None, observed: Observed) -> Iterator[Failure]:
    got = observed.record[name]
    if got is None or expected is None:
        if got is not expected:
            yield Failure((name,), _written(_plain(expected)), _written(got))
        return
    if isinstance(expected, str):
        expected = TextMatch(contains=expected)
    for key, wanted in _lacks(got, expected.contains, expected.not_, expected.regex):
        told = f"not {_written(wanted)}" if key == "not" else _written(wanted)
        yield Failure((name, key), told, _written(got))


def _lacks(got: str, contains: Any, excluded: Any, regex: str | None) -> Iterator[tuple[str, str]]:
    """What a text should hold and does not, or the other way round."""
    text = normalize("NFC", got)
    for each in _several(contains):
        if normalize("NFC", each) not in text:
            yield "contains", each
    for each in _several(excluded):
        if normalize("NFC", each) in text:
            yield "not", each
    if regex is not None and not is_found(normalize("NFC", regex), text):
        yield "regex", regex


def _several(given: Sequence[str] | str | None) -> Sequence[str]:
    return [given] if isinstance(given, str) else given or ()


def _citations(name: str, expected: str, observed: Observed) -> Iterator[Failure]:
    """Nothing cited is not all right: an answer has to say where it comes from."""
    cited = observed.record["citations"]
    if not cited or not all(each["ok"] for each in cited):
        got = [each["id"] if each["ok"] else f"{each['id']} (?)" for each in cited]
        yield Failure((name,), expected, _listed(got))


def _never(name: str, expected: Sequence[str], observed: Observed) -> Iterator[Failure]:
    for place, each in enumerate(expected):
        wanted = normalize("NFC", each)
        for step, text in observed.texts:
            if (at := text.find(wanted)) >= 0:
                around = text[max(0, at - 30) : at + len(wanted) + 30]
                said = f"not {_written(each)}"
                yield Failure((name, place), said, _written(around), step or None)
                break


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "-"


def _wanted(wanted: Mapping[str, Any]) -> str:
    return _written({name: _plain(each) for name, each in wanted.items()})


def _plain(value: Any) -> Any:
    """An expectation as its script has it: what was read as 3.0 is written as 3 again."""
    if not isinstance(value, Count | TextMatch | ValueMatch):
        return value
    given = value.model_dump(exclude_unset=True, by_alias=True)
    return {
        key: int(each) if isinstance(each, float) and each.is_integer() else each
        for key, each in given.items()
    }


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


Check = Callable[[str, Any, Observed], Iterator[Failure]]
_CHECKS: dict[str, Check] = {
    "status": _word,
    "stop": _word,
    "route": _word,
    "missing": _missing,
    "evidence": _evidence,
    "searches": _count,
    "steps": _count,
    "cost": _count,
    "tools": _tools,
    "args": _args,
    "answer": _text,
    "message": _text,
    "citations": _citations,
    "never": _never,
}
