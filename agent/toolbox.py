"""The tools of one question: declared from their signatures, called without ever raising."""

from __future__ import annotations

import inspect
import json
import re
import threading
import time
import types
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from agent.json_safe import MAX_CHARACTERS, json_safe
from agent.messages import Declaration, ToolCall, ToolResult
from tools.arguments import Bounds
from tools.problems import ToolProblem
from tools.tokens import fold

MAX_TURN_CHARACTERS = 60_000
"""Characters that the results of one step may bring into the history together."""

MOST_THREADS = 8
"""Tools of one step whose work runs at the same time."""

_SLICE_S = 0.1
"""An interrupt is noticed within this time, also where a wait cannot be interrupted (Windows)."""

T = TypeVar("T")


@dataclass(frozen=True)
class Later(Generic[T]):
    """What a tool may return: ``work`` that may run beside that of the other calls of its step,
    and ``then``, which turns its result into the tool's output.

    ``work`` runs in a thread that may be left behind, so it only reads. What changes the record
    happens in the tool itself (checks, reservations) or in ``then``; both run one after the other,
    in the order asked, so that the record is the same whichever work ends first.
    """

    work: Callable[[], T]
    then: Callable[[T], Any]

    def now(self) -> Any:
        """The output, with the work done here and at once."""
        return self.then(self.work())


_JSON_TYPES: dict[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}

_FOR_LATER = frozenset({"round_full", "needs_unmet"})
"""Refusals of a call that may be made as it is when the round is over or the need is met."""


class Toolbox:
    """What the model may call.

    ``declarations`` go to the model as they are. ``call_all`` answers every call of one step, in
    the order asked: unknown tools, wrong arguments, repeated calls and failing tools get an error
    response. The work of tools that return ``Later`` runs side by side. An interrupt keeps the
    finished results, answers only the open calls with errors, and waits for no thread.

    ``repeats`` counts calls that come to the same as one before, ``idle`` the steps in
    a row that brought nothing: ``progress`` returns a number that grows when something new was
    found (by default: the number of calls that succeeded). ``on_spent`` is told the seconds that
    each step spent in tools, ``on_result`` every result, when its call began (by ``clock``) and how
    many seconds it took, waits for others left out. Calls of ``repeatable`` tools are no repeats.
    """

    def __init__(
        self,
        functions: Sequence[Callable[..., Any]] = (),
        *,
        progress: Callable[[], int] | None = None,
        repeatable: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
        on_spent: Callable[[float], None] = lambda seconds: None,
        on_result: Callable[[ToolResult, float, float], None] = lambda result, began, took: None,
    ) -> None:
        self._tools = {function.__name__: _Tool.of(function) for function in functions}
        self.declarations: list[Declaration] = [tool.declaration() for tool in self._tools.values()]
        self.succeeded = 0
        self._progress = progress or (lambda: self.succeeded)
        self._repeatable = repeatable
        self._clock = clock
        self._asked: set[str] = set()
        self.repeats = 0
        self.idle = 0
        self._on_spent = on_spent
        self._on_result = on_result
        self.interrupted = False

    def call_all(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        """One result per call, in order. Never raises, not even for an interrupt."""
        before, started = self._progress(), self._clock()
        limit = min(MAX_CHARACTERS, MAX_TURN_CHARACTERS // max(len(calls), 1))
        begun: list[ToolResult | _Task] = []
        watches = [_Watch(self._clock) for _ in calls]
        try:
            for call, watch in zip(calls, watches, strict=True):
                with watch:
                    begun.append(self._begin(call, limit, watch))
            _side_by_side([each for each in begun if isinstance(each, _Task)])
        except KeyboardInterrupt:
            self.interrupted = True
        results: list[ToolResult] = []
        try:
            for each, watch in zip(begun, watches, strict=False):
                with watch:
                    results.append(self._end(each, limit))
        except KeyboardInterrupt:
            self.interrupted = True
        results += [_not_run(call) for call in calls[len(results) :]]
        self.idle = self.idle + 1 if self._progress() == before else 0
        for result, watch in zip(results, watches, strict=True):
            self._on_result(result, watch.started, watch.seconds)
        self._on_spent(self._clock() - started)
        return results

    def call(self, call: ToolCall, limit: int = MAX_CHARACTERS) -> ToolResult:
        """Run one call. The result's text is cut at ``limit`` characters."""
        begun = self._begin(call, limit, _Watch(self._clock))
        if isinstance(begun, _Task):
            begun.run()
        return self._end(begun, limit)

    def _begin(self, call: ToolCall, limit: int, watch: _Watch) -> ToolResult | _Task:
        """The result of a call, or the work that is left to do for it, timed by ``watch``."""
        begun = self._attempt(call, limit, lambda: self._run(call))
        if isinstance(begun, _Task):
            begun.watch = watch
        return begun

    def _end(self, begun: ToolResult | _Task, limit: int) -> ToolResult:
        """The result of a call whose work was done, or was given up."""
        if isinstance(begun, ToolResult):
            return begun
        if not begun.is_done:
            return _not_run(begun.call)
        ended = self._attempt(begun.call, limit, begun.output)
        return _failed(begun.call, "Later") if isinstance(ended, _Task) else ended

    def _attempt(self, call: ToolCall, limit: int, act: Callable[[], Any]) -> ToolResult | _Task:
        try:
            output = act()
            if isinstance(output, Later):
                return _Task(call, cast(Later[Any], output))
            response = {"output": json_safe("(no result)" if output is None else output, limit)}
        except ToolProblem as problem:
            self.repeats += problem.code == "repeated_call"
            if problem.code in _FOR_LATER:
                self._asked.discard(self._key(call))
            details = json_safe(problem.details, limit)
            return _error(call, problem.code, problem.message, **details)
        except KeyboardInterrupt:
            raise
        except BaseException as failure:  # a panic of a library in Rust is no Exception
            return _failed(call, type(failure).__name__)
        self.succeeded += 1
        return ToolResult(call, response)

    def _run(self, call: ToolCall) -> Any:
        tool = self._tools.get(call.name)
        key = self._key(call)
        if key in self._asked and call.name not in self._repeatable:
            told = "This call was already made with these arguments and is not run again."
            raise ToolProblem("repeated_call", told)
        self._asked.add(key)
        if tool is None:
            names = sorted(self._tools)
            raise ToolProblem("unknown_tool", f"There is no tool named {call.name}.", tools=names)
        return tool.function(**tool.arguments(call.args))

    def _key(self, call: ToolCall) -> str:
        tool = self._tools.get(call.name)
        return f"{call.name} {_canonical(tool.meant(call.args) if tool else call.args)}"


class _Watch:
    """When a call began, and the seconds that it took: those of its ``with`` blocks together."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since = self.started = clock()
        self._is_new = True
        self.seconds = 0.0

    def __enter__(self) -> None:
        self._since = self._clock()
        if self._is_new:
            self.started, self._is_new = self._since, False

    def __exit__(self, *failure: object) -> None:
        self.seconds += self._clock() - self._since


class _Task:
    """The work of one call, and what came of it; ``watch`` takes the time of the work."""

    def __init__(self, call: ToolCall, later: Later[Any]) -> None:
        self.call = call
        self.watch: AbstractContextManager[None] = nullcontext()
        self._later = later
        self._results: list[Any] = []
        self.failure: BaseException | None = None

    @property
    def is_done(self) -> bool:
        """Whether there is a result or a failure of its own."""
        failed = self.failure is not None and not isinstance(self.failure, KeyboardInterrupt)
        return failed or bool(self._results)

    def run(self) -> None:
        """Do the work and keep what it returns or raises, except an interrupt."""
        try:
            with self.watch:
                self._results.append(self._later.work())
        except KeyboardInterrupt as failure:
            self.failure = failure
            raise
        except BaseException as failure:
            self.failure = failure

    def output(self) -> Any:
        """The tool's output. Raises what the work raised."""
        if self.failure is not None:
            raise self.failure
        return self._later.then(self._results[0])


def _side_by_side(tasks: Sequence[_Task]) -> None:
    """Do the work of all tasks, at most ``MOST_THREADS`` at a time. An interrupt is raised at
    once, whether it comes here or from a task; what is running then is left behind and keeps
    nothing from ending."""
    waiting = deque(tasks)

    def work_off() -> None:
        with suppress(IndexError):
            while True:
                waiting.popleft().run()

    def in_a_thread() -> None:
        with suppress(KeyboardInterrupt):
            work_off()

    threads = [
        threading.Thread(target=in_a_thread, daemon=True, name="tool")
        for _ in range(min(len(tasks), MOST_THREADS) if len(tasks) > 1 else 0)
    ]
    try:
        for thread in threads:
            with suppress(RuntimeError):  # no thread is left to start: the work is done here
                thread.start()
        while any(thread.is_alive() for thread in threads):
            for thread in threads:
                if thread.is_alive():
                    thread.join(_SLICE_S)
            _raise_interrupt(tasks)
        _raise_interrupt(tasks)
        work_off()
    finally:
        waiting.clear()


def _raise_interrupt(tasks: Sequence[_Task]) -> None:
    if any(isinstance(task.failure, KeyboardInterrupt) for task in tasks):
        raise KeyboardInterrupt


def _not_run(call: ToolCall) -> ToolResult:
    return _error(call, "interrupted", "The person interrupted.")


def _failed(call: ToolCall, why: str) -> ToolResult:
    return _error(call, "tool_failed", f"The tool failed ({why}).")


def _error(call: ToolCall, code: str, message: str, **details: Any) -> ToolResult:
    return ToolResult(call, {"error": {"code": code, "message": message, **details}})


def _canonical(args: Any) -> str:
    """Arguments as a key: order, case, spaces and Unicode form do not make a call a new one."""
    return json.dumps(_folded(json_safe(args)), sort_keys=True, ensure_ascii=False)


def _folded(value: Any) -> Any:
    match value:
        case str():
            return fold(value)
        case dict():
            return {key: _folded(each) for key, each in value.items()}
        case list():
            return [_folded(each) for each in value]
        case _:
            return value


class _Parameter(NamedTuple):
    """One flat argument: its JSON schema, and what it is when it is not given."""

    schema: dict[str, Any]
    default: Any

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    def coerce(self, name: str, value: Any) -> Any:
        """``value`` as the declared type: 3.0 and "3" are integers, 2.5 and true are not."""
        kind = self.schema["type"]
        coerced = _COERCIONS[kind](value)
        if coerced is None:
            raise _Wrong(f"{name} must be of type {kind}")
        if "enum" in self.schema and coerced not in self.schema["enum"]:
            raise _Wrong(f"{name} must be one of {', '.join(self.schema['enum'])}")
        if kind in ("integer", "number"):
            low, high = self.schema.get("minimum"), self.schema.get("maximum")
            if (low is not None and coerced < low) or (high is not None and coerced > high):
                bounds = [f"at least {low}"] * (low is not None)
                bounds += [f"at most {high}"] * (high is not None)
                raise _Wrong(f"{name} must be {' and '.join(bounds)}")
        return coerced


class _Wrong(ValueError):
    """An argument that does not fit, in words for the model."""


class _Tool(NamedTuple):
    function: Callable[..., Any]
    name: str
    description: str
    parameters: dict[str, _Parameter]

    @classmethod
    def of(cls, function: Callable[..., Any]) -> _Tool:
        hints = get_type_hints(function, include_extras=True)
        signature = inspect.signature(function)
        kinds = {each.kind for each in signature.parameters.values()}
        if not kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}:
            raise TypeError(f"tool {function.__name__}: every argument must have a name of its own")
        parameters = {
            name: _Parameter(_schema(function, name, hints.get(name)), parameter.default)
            for name, parameter in signature.parameters.items()
        }
        description = inspect.getdoc(function) or ""
        if not description:
            raise TypeError(f"tool {function.__name__} has no docstring to describe it")
        return cls(function, function.__name__, description, parameters)

    def declaration(self) -> Declaration:
        """A declaration without defaults; a tool without arguments has no schema at all, because
        the API refuses an object without properties."""
        declared: Declaration = {"name": self.name, "description": self.description}
        if self.parameters:
            declared["parametersJsonSchema"] = {
                "type": "object",
                "properties": {name: each.schema for name, each in self.parameters.items()},
                "required": [name for name, each in self.parameters.items() if each.required],
            }
        return declared

    def meant(self, given: dict[str, Any]) -> dict[str, Any]:
        """What a call amounts to, however it is written: arguments as the tool takes them, left-out
        ones by their default; ``given`` where the tool does not take it."""
        try:
            taken = self.arguments(given)
        except ToolProblem:
            return given
        return {name: taken.get(name, each.default) for name, each in self.parameters.items()}

    def arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """``given`` checked and coerced. null counts as not given. Raises ToolProblem."""
        present = {name: value for name, value in given.items() if value is not None}
        try:
            if unknown := sorted(set(present) - set(self.parameters)):
                raise _Wrong(f"unknown arguments: {', '.join(unknown)[:200]}")
            required = {name for name, each in self.parameters.items() if each.required}
            if missing := sorted(required - set(present)):
                raise _Wrong(f"missing arguments: {', '.join(missing)}")
            return {name: self.parameters[name].coerce(name, present[name]) for name in present}
        except _Wrong as wrong:
            expected = {name: each.schema for name, each in self.parameters.items()}
            message = f"{self.name}: {wrong}."
            raise ToolProblem("invalid_arguments", message, expected=expected) from None


def _schema(function: Callable[..., Any], name: str, hint: Any) -> dict[str, Any]:
    """The JSON schema of a flat scalar argument; a description is required. Raises TypeError,
    naming the tool and the argument, for anything the API would take in different ways."""
    where = f"{function.__name__}({name})"
    schema: dict[str, Any] = {}
    for note in _notes(hint):
        schema |= note.schema if isinstance(note, Bounds) else {"description": str(note)}
    plain = _plain(hint)
    if get_origin(plain) is Literal:
        choices = list(get_args(plain))
        if not all(isinstance(each, str) for each in choices):
            raise TypeError(f"{where}: only texts can be choices")
        schema = {"type": "string", "enum": choices, **schema}
    elif plain in _JSON_TYPES:
        schema = {"type": _JSON_TYPES[plain], **schema}
    else:
        raise TypeError(f"{where}: arguments are str, int, float, bool or Literal texts")
    if not schema.get("description"):
        raise TypeError(f"{where}: describe it with Annotated[..., 'what it is']")
    return schema


def _plain(hint: Any) -> Any:
    """The type inside Annotated and Optional; None for a union of several types."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        others = [each for each in get_args(hint) if each is not type(None)]
        return _plain(others[0]) if len(others) == 1 else None
    return hint


def _notes(hint: Any) -> list[Any]:
    """What Annotated says, also inside Optional."""
    if get_origin(hint) is Annotated:
        first, *notes = get_args(hint)
        return [*_notes(first), *notes]
    if get_origin(hint) in (Union, types.UnionType):
        return [note for each in get_args(hint) for note in _notes(each)]
    return []


def _as_text(value: Any) -> str | None:
    if isinstance(value, bool | list | dict):
        return None
    return json_safe(value) if isinstance(value, str) else str(value)


def _as_number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < 2**63 else None


def _as_integer(value: Any) -> int | None:
    if isinstance(value, str):
        written = value.strip()
        if not re.fullmatch(r"[+-]?([0-9]+|[0-9]{1,3}(,[0-9]{3})+)", written):
            return None
        value = int(written.replace(",", ""))
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < 2**63 else None
    number = _as_number(value)
    return int(number) if number is not None and number.is_integer() else None


def _as_flag(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.lower()) if isinstance(value, str) else None


_COERCIONS: dict[str, Callable[[Any], Any]] = {
    "string": _as_text,
    "number": _as_number,
    "integer": _as_integer,
    "boolean": _as_flag,
}
