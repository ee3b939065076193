"""A model around a model that sends a request only while the run may go on."""

from __future__ import annotations

from typing import Any

from agent.limits import Limits
from agent.messages import (
    Content,
    Declaration,
    Model,
    Reply,
    StopReason,
    ToolMode,
    Usage,
    stopped,
)
from agent.run import Run
from agent.toolbox import Toolbox

NOTHING = Usage()


def time_left(run: Run, limits: Limits) -> float | None:
    """The seconds that a question has left; None where they are not bounded."""
    return None if limits.max_seconds is None else limits.max_seconds - run.elapsed


def budget_spent(run: Run, limits: Limits, spent: Usage = NOTHING) -> StopReason | None:
    """The budget of time, tokens or money that is used up, if any; ``spent`` is what the run does
    not count yet."""
    usage = run.usage + spent
    left = time_left(run, limits)
    if left is not None and left <= 0:
        return "time_budget"
    if limits.max_tokens is not None and usage.tokens >= limits.max_tokens:
        return "token_budget"
    if limits.max_cost_usd is not None and usage.requests:
        if run.cost_usd is None or run.cost_usd >= limits.max_cost_usd:
            return "cost_budget"
    return None


_MOST_UNWILLING = 3
"""Turns in which a model that may only write asks for other searches all the same: it may still
come round, as one that repeats a search did not."""


class Guarded:
    """Checks every limit before a request, gives the request its instructions and tool mode, and
    turns an interrupt into a reply. A limit that bites is a reply without calls. An answer that
    could not be shown goes back once, with the reason. A model that may only write and asks for
    tools all the same, after two repetitions or two steps without anything new, is stopped."""

    def __init__(
        self, model: Model, run: Run, tools: Toolbox, limits: Limits, *, system: str = ""
    ) -> None:
        self.name = model.name
        self.remote = model.remote
        self._model = model
        self._run = run
        self._tools = tools
        self._limits = limits
        self._system = system
        self._sent_back = False
        self._unwilling = 0

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
        if reason := self._limit():
            return stopped(reason)
        system, mode = system or self._system, self._mode(mode)
        reply = self._ask(contents, tools, system, mode, generation)
        if mode == "NONE" and reply.outcome == "calls":
            self._unwilling += 1
        objection = self._objection(reply)
        if objection is None:
            return reply
        self._run.consult(reply, objection)
        self._sent_back = True
        told = f"Note: your previous answer was not shown, because {objection}.\n\n{system}"
        return self._ask(contents, tools, told, mode, generation)

    def _ask(
        self,
        contents: list[Content],
        tools: list[Declaration],
        system: str,
        mode: ToolMode,
        generation: dict[str, Any] | None,
    ) -> Reply:
        self._run.requested(tools, system, mode)
        started = self._run.elapsed
        try:
            reply = self._model.generate(
                contents,
                tools,
                system=system,
                mode=mode,
                generation=generation,
                seconds=time_left(self._run, self._limits),
            )
        except KeyboardInterrupt:
            return stopped("interrupted")
        finally:
            self._run.model_seconds += self._run.elapsed - started
        left = time_left(self._run, self._limits)
        if reply.outcome == "network" and left is not None and left <= 0:
            return stopped("time_budget")._replace(usage=reply.usage, model=reply.model)
        return reply

    def _objection(self, reply: Reply) -> str | None:
        """Why an answer goes back to the model: once in a question, while the limits allow it and
        where there is something to cite or to look for."""
        evidence = self._run.evidence
        if evidence is None or reply.outcome != "answer" or self._sent_back:
            return None
        if not evidence.slots and evidence.searches and not evidence.ledger:
            return None
        objection = evidence.objection(reply.text)
        return objection if objection and self._limit(reply.usage) is None else None

    def _limit(self, spent: Usage = NOTHING) -> StopReason | None:
        """The limit that bites now, if any; ``spent`` is what the run does not count yet."""
        if self._tools.interrupted:
            return "interrupted"
        return budget_spent(self._run, self._limits, spent) or self._stuck()

    def _stuck(self) -> StopReason | None:
        repeats, idle = self._tools.repeats, self._tools.idle
        if self._run.evidence is None:
            return "repeated_call" if repeats >= 2 else "no_progress" if idle >= 2 else None
        move = self._run.evidence.next_move(repeats, idle)
        if move == "write" and self._unwilling:
            if repeats >= 2:
                return "repeated_call"
            if idle >= 2 and self._unwilling >= _MOST_UNWILLING:
                return "no_progress"
        if move == "search" or move == "write":
            return None
        return move

    def _mode(self, asked: ToolMode) -> ToolMode:
        """NONE once there is nothing left to search, so that the model writes; ANY while a planned
        slot is missing, or before the first search, because no answer could be shown yet."""
        evidence = self._run.evidence
        if evidence is None:
            return asked
        if evidence.next_move(self._tools.repeats, self._tools.idle) == "write":
            return "NONE"
        if evidence.slots or evidence.missing:
            return "ANY"
        if evidence.one_search and evidence.found and not evidence.unread:
            return "NONE"
        if evidence.found and self._run.steps + 1 >= self._limits.max_steps:
            return "NONE"
        return "AUTO" if evidence.searches or evidence.ledger else "ANY"
