"""A model around a model that sends a request only while the run may go on."""

from __future__ import annotations

from typing import Any

from agent.limits import Limits
from agent.messages import Content, Declaration, Model, Reply, StopReason, ToolMode, stopped
from agent.run import Run
from agent.toolbox import Toolbox


class Guarded:
    """Checks every limit before a request, gives the request its instructions and tool mode, and
    turns an interrupt into a reply. A limit that bites is a reply without calls."""

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

    def generate(
        self,
        contents: list[Content],
        tools: list[Declaration],
        *,
        system: str = "",
        mode: ToolMode = "AUTO",
        generation: dict[str, Any] | None = None,
    ) -> Reply:
        if reason := self._limit():
            return stopped(reason)
        started = self._run.elapsed
        try:
            return self._model.generate(
                contents,
                tools,
                system=system or self._system,
                mode=self._mode(mode),
                generation=generation,
            )
        except KeyboardInterrupt:
            return stopped("interrupted")
        finally:
            self._run.model_seconds += self._run.elapsed - started

    def _limit(self) -> StopReason | None:
        run, limits = self._run, self._limits
        tokens = run.usage.prompt_tokens + run.usage.output_tokens
        if self._tools.interrupted:
            return "interrupted"
        if limits.max_seconds is not None and run.elapsed >= limits.max_seconds:
            return "time_budget"
        if limits.max_tokens is not None and tokens >= limits.max_tokens:
            return "token_budget"
        if limits.max_cost_usd is not None and run.usage.requests:
            if run.cost_usd is None or run.cost_usd >= limits.max_cost_usd:
                return "cost_budget"
        return self._stuck()

    def _stuck(self) -> StopReason | None:
        repeats, idle = self._tools.repeats, self._tools.idle
        if self._run.evidence is None:
            return "repeated_call" if repeats >= 2 else "no_progress" if idle >= 2 else None
        move = self._run.evidence.next_move(repeats, idle)
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
        if evidence.slots:
            return "ANY"
        if evidence.found and self._run.steps + 1 >= self._limits.max_steps:
            return "NONE"
        return "AUTO" if evidence.searches or evidence.ledger else "ANY"
