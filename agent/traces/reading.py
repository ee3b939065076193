"""What a trace file holds: the questions of one or several runs, step by step.

A file may end anywhere, because a process may be killed anywhere, and several processes may append
to one file. So a line that is no whole event is counted and left out, and events are told apart by
the run they belong to. A trace may come from somebody else: what does not have the shape of an
event is no event.
"""

from __future__ import annotations

import json
import math
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from agent.catalogue import Problem
from agent.evidence import SearchOutcome
from agent.json_safe import clean
from agent.messages import Content, function_calls, function_responses
from agent.traces.jsonl import HEAD, VERSION
from tools.tokens import fold

UNFINISHED = "unfinished"
"""The stop reason of a run whose process ended before it did."""

_LATEST = 1e9  # seconds; no run takes thirty years
_MOST = 10**12  # tokens, steps


@dataclass(frozen=True)
class Event:
    """One line of a trace; ``at`` is in seconds since the question."""

    line: int
    name: str
    at: float
    data: Mapping[str, Any]


@dataclass
class Call:
    """One call that the model asked for: what was answered, how long it took, and the search that
    it was, if it was one."""

    name: str
    args: Mapping[str, Any]
    id: str | None
    asked: Event
    response: Mapping[str, Any] | None = None
    answered: Event | None = None
    tool: Event | None = None
    search: Event | None = None

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The error that answered it, if one did."""
        error = (self.response or {}).get("error")
        return error if isinstance(error, dict) else None


@dataclass
class Step:
    """One turn of the model and what our code did for it. A step without a ``request`` is a limit
    that bit; ``seen`` is the history of its request."""

    number: int
    request: Event | None = None
    reply: Event | None = None
    seen: list[Content] = field(default_factory=list[Content])
    calls: list[Call] = field(default_factory=list[Call])
    events: list[Event] = field(default_factory=list[Event])
    system: str = ""
    tools: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def named(self, *names: str) -> list[Event]:
        """The events of the step that have one of these names."""
        return [event for event in self.events if event.name in names]

    @property
    def searches(self) -> list[Event]:
        return self.named("search")

    @property
    def outcome(self) -> str:
        """What the reply was; empty while there is none."""
        return str(self.reply.data["outcome"]) if self.reply else ""

    @property
    def model_seconds(self) -> float:
        """Seconds between the request and the reply, waits between repetitions included."""
        if self.request is None or self.reply is None:
            return 0.0
        return max(0.0, self.reply.at - self.request.at)


@dataclass
class TracedRun:
    """One question of a trace."""

    id: str
    start: Event
    events: list[Event] = field(default_factory=list[Event])
    steps: list[Step] = field(default_factory=list[Step])
    contents: list[tuple[Content, Event]] = field(default_factory=list[tuple[Content, Event]])
    end: Event | None = None

    @property
    def question(self) -> str:
        return str(self.start.data["question"])

    @property
    def model(self) -> str:
        return str(self.start.data["model"])

    @property
    def asked_model(self) -> bool:
        """Whether the model was asked for an answer at all."""
        return any(step.request for step in self.steps)

    @property
    def record(self) -> dict[str, Any] | None:
        """The record that the run ended with; None for one that did not end."""
        record: dict[str, Any] | None = self.end.data["record"] if self.end else None
        return record

    @property
    def stop_reason(self) -> str:
        return str(self.record["stop_reason"]) if self.record else UNFINISHED

    @property
    def searches(self) -> list[Event]:
        return [event for event in self.events if event.name == "search"]

    @property
    def seconds(self) -> float:
        """From the question to its end, or to the last that is known."""
        return float(self.record["seconds"]) if self.record else self.events[-1].at

    @property
    def asked_at(self) -> datetime:
        return datetime.fromisoformat(self.start.data["time"])


@dataclass
class Trace:
    """A trace file: its questions in the order asked, the lines that are no whole event, and those
    of other versions, by their version."""

    path: Path
    runs: list[TracedRun] = field(default_factory=list[TracedRun])
    damaged: list[int] = field(default_factory=list[int])
    foreign: dict[int, list[int]] = field(default_factory=dict[int, list[int]])

    @property
    def left_out(self) -> list[Problem]:
        """What of the file was not read, in sentences."""
        told = [_of_version(self, version) for version in sorted(self.foreign)]
        if self.damaged:
            told.append(Problem("trace.damaged", lines=", ".join(map(str, self.damaged))))
        return told


def read_trace(path: Path) -> Trace:
    """What ``path`` holds, up to the last whole event. Raises Problem when it cannot be read, is no
    trace, or holds no question that this version can read."""
    lines = _lines(path)
    trace = Trace(path)
    runs: dict[str, TracedRun] = {}
    version = VERSION
    others: dict[str, int] = {}
    for number, written in enumerate(lines, 1):
        if not written.strip():
            continue
        data = _object_in(written)
        run = str(data.get("run")) if data else ""
        if data and data["event"] == "trace" and _is_count(data.get("version")):
            version = data["version"]
            if version != VERSION:
                trace.foreign.setdefault(version, []).append(number)
        elif run in others or (version != VERSION and run not in runs):
            # several programs may append to one file: a run keeps the version it began with
            of_version = others.setdefault(run, version) if run else version
            trace.foreign[of_version].append(number)
        elif data is None or (event := _event(number, data)) is None:
            trace.damaged.append(number)
        else:
            _take(event, runs, trace)
    if trace.damaged and not runs and not HEAD.startswith(lines[0][: len(HEAD)]):
        raise Problem("trace.none", path=path)
    if not runs:
        if trace.foreign:
            raise _of_version(trace, max(trace.foreign))
        raise Problem("trace.no_question", path=path)
    return trace


def _of_version(trace: Trace, version: int) -> Problem:
    """What is said of the lines of another version."""
    key = "trace.newer" if version > VERSION else "trace.version"
    first, last = trace.foreign[version][0], trace.foreign[version][-1]
    lines = str(first) if first == last else f"{first}-{last}"
    return Problem(key, path=trace.path, lines=lines, given=version, version=VERSION)


def _lines(path: Path) -> list[bytes]:
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # it may never end
            raise Problem("trace.no_file", path=path)
        return path.read_bytes().split(b"\n")
    except OSError as error:
        raise Problem("trace.unreadable", path=path, reason=error.strerror or "") from None


def _take(event: Event, runs: dict[str, TracedRun], trace: Trace) -> None:
    """Put an event where it belongs. One whose run has no beginning here is left out."""
    name = str(event.data["run"])
    if event.name == "start":
        runs[name] = TracedRun(name, event)
        trace.runs.append(runs[name])
    if name not in runs:
        trace.damaged.append(event.line)
        return
    run = runs[name]
    run.events.append(event)
    match event.name:
        case "request":
            told = run.steps[-1] if run.steps else Step(0)
            step = _open_step(run)
            step.request = event
            step.seen = _history(run)
            step.system = event.data.get("system", told.system)
            step.tools = event.data.get("tools", told.tools)
        case "reply":
            step = _open_step(run)
            step.reply = event
        case "content":
            run.contents.append((event.data["content"], event))
            if run.steps:
                _take_content(run.steps[-1], event)
        case "tool":
            _take_tool(run, event)
        case "search":
            _take_search(run, event)
        case "end":
            run.end = event
        case _:
            pass
    if run.steps:
        run.steps[-1].events.append(event)


def _open_step(run: TracedRun) -> Step:
    """The step that waits for its reply, or a new one."""
    if not run.steps or run.steps[-1].reply is not None:
        run.steps.append(Step(len(run.steps) + 1))
    return run.steps[-1]


def _history(run: TracedRun) -> list[Content]:
    return [*run.start.data["history"], *(content for content, _ in run.contents)]


def _take_content(step: Step, event: Event) -> None:
    content = event.data["content"]
    if step.outcome == "calls" and not step.calls:
        step.calls = [
            Call(call["name"], call.get("args") or {}, call.get("id"), event)
            for call in function_calls(content)
        ]
        return
    for call, given in zip(step.calls, function_responses(content), strict=False):
        call.response, call.answered = given["response"], event


def _take_tool(run: TracedRun, event: Event) -> None:
    """Tool events come in the order of the calls."""
    calls = run.steps[-1].calls if run.steps else []
    call = next((each for each in calls if each.tool is None), None)
    if call is not None:
        call.tool = event


def _take_search(run: TracedRun, event: Event) -> None:
    """A search belongs to the first call with its tool and its query."""
    for call in run.steps[-1].calls if run.steps else []:
        asked = {fold(clean(str(each)).strip()) for each in call.args.values()}
        if call.search is None and call.name == event.data["tool"]:
            if fold(str(event.data["query"])) in asked:
                call.search = event
                return


def _object_in(written: bytes) -> dict[str, Any] | None:
    """One line as an object with the name of an event; None for what is none."""
    try:
        data = json.loads(written, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and isinstance(data.get("event"), str) else None


def _event(number: int, data: dict[str, Any]) -> Event | None:
    """An object as an event of this version; None for what is none."""
    name = data["event"]
    common = {"run": _is_text, "at": _is_seconds}
    shape = {**common, **SHAPES.get(name, {})}
    if not all(key in data and fits(data[key]) for key, fits in shape.items()):
        return None
    if not all(fits(data[key]) for key, fits in OPTIONAL.get(name, {}).items() if key in data):
        return None
    if name == "search" and not _has_outcome(data):
        return None
    return Event(number, name, data["at"], data)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST


def _is_seconds(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and 0 <= value <= _LATEST


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


def _or_none(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _object(**shape: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        return isinstance(value, dict) and all(
            key in value and each(value[key]) for key, each in shape.items()
        )

    return fits


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_part(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    call, response = value.get("functionCall"), value.get("functionResponse")
    return (call is None or (_object(name=_is_text)(call) and _has_args(call))) and (
        response is None or _object(name=_is_text, response=_object())(response)
    )


def _has_outcome(search: Mapping[str, Any]) -> bool:
    """Whether what came of a search is one of the three, and its hits do not say otherwise."""
    outcome = search["outcome"]
    left_out = search.get("no_room", 0)
    found = search["hits"] or left_out
    return (
        outcome in get_args(SearchOutcome)
        and (outcome != "hits" or bool(found))
        and _is_count(left_out)
    )


def _has_args(call: Mapping[str, Any]) -> bool:
    args, name = call.get("args"), call.get("id")
    return (args is None or isinstance(args, dict)) and (name is None or isinstance(name, str))


_is_content = _object(role=_is_text, parts=_list_of(_is_part))
_is_hit = _object(id=_is_text)
_is_texts = _list_of(_is_text)
_is_search = _object(
    step=_is_count,
    tool=_is_text,
    slot=_or_none(_is_text),
    query=_is_text,
    hits=_list_of(_is_hit),
    outcome=_is_text,
    missing=_is_texts,
)
_is_record = _object(
    question=_is_text,
    answer=_or_none(_is_text),
    message=_is_text,
    status=_is_text,
    stop_reason=_is_text,
    model=_is_text,
    steps=_is_count,
    searches=_list_of(_is_search),
    evidence=_list_of(
        _object(id=_is_text, slot=_or_none(_is_text), source=_is_text, text=_is_text)
    ),
    missing=_is_texts,
    citations=_list_of(_object(id=_is_text, ok=_is_flag)),
    unsupported=_list_of(_object(sentence=_is_text, lacking=_is_texts)),
    usage=_object(
        requests=_is_count,
        prompt_tokens=_is_count,
        output_tokens=_is_count,
        cost_usd=_or_none(_is_seconds),
    ),
    seconds=_is_seconds,
)

SHAPES: dict[str, dict[str, Callable[[Any], bool]]] = {
    "start": {
        "request_id": _is_text,
        "time": _is_time,
        "question": _is_text,
        "model": _is_text,
        "history": _list_of(_is_content),
    },
    "route": {"route": _is_text, "reason": _is_text},
    "request": {
        "step": _is_count,
        "mode": _is_text,
        "history": _is_count,
    },
    "wait": {"seconds": _is_seconds, "outcome": _is_text, "cause": _is_text},
    "consult": {"step": _is_count, "system": _is_text},
    "consulted": {
        "step": _is_count,
        "outcome": _is_text,
        "text": _is_text,
        "objection": _is_text,
        "prompt_tokens": _is_count,
        "output_tokens": _is_count,
    },
    "reply": {
        "step": _is_count,
        "outcome": _is_text,
        "cause": _is_text,
        "finish_reason": _is_text,
        "model": _is_text,
        "prompt_tokens": _is_count,
        "output_tokens": _is_count,
        "text": _is_text,
    },
    "content": {"step": _is_count, "content": _is_content},
    "search": {
        "step": _is_count,
        "tool": _is_text,
        "slot": _or_none(_is_text),
        "query": _is_text,
        "hits": _list_of(_is_hit),
        "outcome": _is_text,
        "missing": _is_texts,
    },
    "tool": {
        "step": _is_count,
        "name": _is_text,
        "started": _is_seconds,
        "seconds": _is_seconds,
        "error": _or_none(_is_text),
    },
    "filter": {"step": _is_count, "outcome": _is_text, "kept": _is_count, "lines": _is_count},
    "judge": {"verdict": _is_text, "ids": _is_texts},
    "plan": {"requirements": _is_texts},
    "sufficiency": {
        "sufficient": _is_flag,
        "missing": _is_texts,
        "next_queries": _is_texts,
    },
    "end": {"record": _is_record},
}
"""Event -> the fields that it has at least, beside ``run`` and ``at``."""

OPTIONAL: dict[str, dict[str, Callable[[Any], bool]]] = {
    "request": {"system": _is_text, "tools": _list_of(_object(name=_is_text))},
}
"""Event -> the fields that it may have and that are read."""


def texts(run: TracedRun) -> Iterator[tuple[str, str]]:
    """(id, text) of every passage that a tool gave the model, in order, each id once."""
    told: set[str] = set()
    for step in run.steps:
        for call in step.calls:
            output = (call.response or {}).get("output")
            found = output.get("hits") or output.get("lines") if isinstance(output, dict) else None
            for hit in found if isinstance(found, list) else []:
                if not isinstance(hit, dict):
                    continue
                name, text = hit.get("id"), hit.get("text")
                if isinstance(name, str) and isinstance(text, str) and name not in told:
                    told.add(name)
                    yield name, text
