"""A model around a model that asks again: later when an answer was lost or a quota is used up, at
once when the answer could not be used."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import tenacity

from agent.messages import Content, Declaration, Model, Reply, ToolMode, Usage, function_calls

WORTH_WAITING = ("network", "quota")
WORTH_REWRITING = ("empty", "malformed")

SHORTEST_WAIT_S = 1.0
LONGEST_WAIT_S = 30.0
"""Bounds of the waits that double; a wait that the server asks for is kept in full."""


@dataclass
class RetryBudget:
    """What is left for asking again within one question, at all its call sites together.

    ``retries`` is a number of waits, ``wait_s`` the seconds that waits and lost requests may take
    together, ``rewrites`` the number of answers that may be asked for again at once.
    """

    retries: int = 4
    wait_s: float = 60.0
    rewrites: int = 2
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def take_wait(self, seconds: float) -> bool:
        """Take one wait if it fits."""
        with self._lock:
            fits = self.retries > 0 and seconds <= self.wait_s
            if fits:
                self.retries -= 1
                self.wait_s -= seconds
            return fits

    def take_rewrite(self) -> bool:
        """Take one rewrite if any is left."""
        with self._lock:
            fits = self.rewrites > 0
            self.rewrites -= fits
            return fits

    def lose(self, seconds: float) -> None:
        """Take the time of a lost request."""
        with self._lock:
            self.wait_s -= seconds


class Retrying:
    """Asks ``model`` again while ``budget`` lasts; then the last reply is returned as it is.

    ``on_wait`` is told of every retry before it: the seconds to wait (0 for a rewrite) and the
    reply that made it necessary. ``jitter`` is added to waits the server did not ask for, in
    seconds. The usage of all requests is in the reply that is returned.
    """

    def __init__(
        self,
        model: Model,
        budget: RetryBudget,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        on_wait: Callable[[float, Reply], None] | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.name = model.name
        self.remote = model.remote
        self._model = model
        self._budget = budget
        self._sleep = sleep
        self._clock = clock
        self._on_wait = on_wait
        self._jitter = jitter

    def generate(
        self,
        contents: list[Content],
        tools: list[Declaration],
        *,
        system: str = "",
        mode: ToolMode = "AUTO",
        generation: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        """The first usable reply, or the last one. No wait is begun that would end after
        ``seconds``."""
        replies: list[Reply] = []
        end = None if seconds is None else self._clock() + seconds

        def left() -> float | None:
            return None if end is None else end - self._clock()

        def attempt() -> Reply:
            started = self._clock()
            told = _with_correction(system, replies, tools, mode)
            reply = self._model.generate(
                contents, tools, system=told, mode=mode, generation=generation, seconds=left()
            )
            replies.append(reply)
            if reply.outcome in WORTH_WAITING:
                self._budget.lose(self._clock() - started)
            return reply

        last = tenacity.Retrying(
            retry=tenacity.retry_if_result(_is_worth_another),
            wait=self._wait,
            stop=lambda state: self._stop(state, left()),
            before_sleep=self._before_sleep,
            sleep=self._pause,
            retry_error_callback=_reply,
        )(attempt)
        return last._replace(usage=sum((reply.usage for reply in replies), Usage()))

    def _wait(self, state: tenacity.RetryCallState) -> float:
        reply = _reply(state)
        if reply.outcome in WORTH_REWRITING:
            return 0.0
        if reply.retry_after is not None:
            return max(reply.retry_after, SHORTEST_WAIT_S)
        return _doubling(state) + self._jitter()

    def _stop(self, state: tenacity.RetryCallState, left: float | None) -> bool:
        if left is not None and state.upcoming_sleep >= left:
            return True
        if _reply(state).outcome in WORTH_REWRITING:
            return not self._budget.take_rewrite()
        return not self._budget.take_wait(state.upcoming_sleep)

    def _before_sleep(self, state: tenacity.RetryCallState) -> None:
        if self._on_wait:
            self._on_wait(state.upcoming_sleep, _reply(state))

    def _pause(self, seconds: float) -> None:
        if seconds > 0:
            self._sleep(seconds)


_doubling = tenacity.wait_exponential(multiplier=SHORTEST_WAIT_S, max=LONGEST_WAIT_S)


def _reply(state: tenacity.RetryCallState) -> Reply:
    assert state.outcome
    reply: Reply = state.outcome.result()
    return reply


def _is_worth_another(reply: Reply) -> bool:
    return reply.retryable and reply.outcome in WORTH_WAITING + WORTH_REWRITING


def _with_correction(
    system: str, replies: list[Reply], tools: list[Declaration], mode: ToolMode
) -> str:
    """The system text of the next request: what was wrong with the last unusable answer goes
    here, because the history records only what belongs to the conversation. It goes in front,
    because a plan stands at the end."""
    for reply in reversed(replies):
        if reply.outcome in WORTH_REWRITING:
            note = correction(reply, [tool["name"] for tool in tools], mode)
            return f"{note}\n\n{system}" if system else note
    return system


def correction(reply: Reply, declared: Collection[str], mode: ToolMode = "AUTO") -> str:
    """What the model is told about an answer of its own that could not be used."""
    names = ", ".join(declared)
    if not declared or mode == "NONE":
        wanted = "No function can be called now: answer in plain text."
    elif mode == "ANY":
        wanted = f"Call one of the declared functions, with JSON arguments: {names}."
    else:
        wanted = (
            f"Call one of the declared functions, with JSON arguments: {names}; "
            "or answer in plain text."
        )
    return f"Note: your previous reply {_fault(reply, declared)}. {wanted}"


def _fault(reply: Reply, declared: Collection[str]) -> str:
    if reply.outcome == "empty":
        return "was empty: it had neither text nor a function call"
    match reply.cause:
        case "UNEXPECTED_TOOL_CALL":
            name = _attempted(reply)
            if name and name not in declared:
                return f"called {name}, which is not declared"
            return "called a function that cannot be called now"
        case "TOO_MANY_TOOL_CALLS":
            return "made too many function calls in a row"
        case "leaked_call":
            return "spelled a function call out as text, so nothing was called"
        case _:
            return "held a function call that could not be read"


def _attempted(reply: Reply) -> str:
    """The function that was called. The API may name it at the end of finishMessage only; nothing
    but a name is taken from there, because the rest is the model's own text."""
    called = [call.get("name") for call in function_calls(reply.content) if isinstance(call, dict)]
    for name in [*called, reply.note.rpartition(":")[2].strip()]:
        if found := re.match(r"[A-Za-z_][\w.-]{0,63}(?=\(|$)", str(name or "")):
            return found[0]
    return ""
