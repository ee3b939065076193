"""The situations of the exercises. Each runs the real ``ask`` or ``run_agent`` on a stage, and is
chosen so that what it breaks does not go unnoticed. What differs between the two sides is an
argument; nothing is patched."""

from __future__ import annotations

from typing import Annotated, Any

from agent.lessons.scenes_evidence import (
    EN,
    KO,
    billing,
    document_gives_orders,
    permission_deleted,
    role_name,
    ungated,
)
from agent.lessons.scenes_judging import (
    judge_always_no,
    selector_counts_from_zero,
    selector_writes,
)
from agent.lessons.scenes_products import exactly_the_limit, sold_out_but_loud, weight_limit
from agent.lessons.scenes_searching import search_fails, synonyms
from agent.lessons.stage import Scenario, Stage
from agent.limits import Limits
from agent.messages import (
    Content,
    Declaration,
    Model,
    Reply,
    ToolMode,
    function_responses,
)
from agent.offline.policy import Part, next_turn
from agent.offline.protocol import Prompt
from agent.run import Run
from agent.toolbox import Toolbox


def invoice(stage: Stage) -> Run | None:
    """A question that needs two pieces of evidence, and a query that finds nothing on the way."""
    return stage.ask(KO, EN, billing())


def invoice_in_two_steps(stage: Stage) -> Run | None:
    """The same question with too few steps for it."""
    return stage.ask(KO, EN, billing(), limits=Limits(max_steps=2))


def never_enough(stage: Stage) -> Run | None:
    """A model that always wants to read one more page."""
    run = stage.run()

    def read_page(number: Annotated[int, "the page to read"]) -> str:
        """Read a page of a book."""
        search = {"tool": "read_page", "query": str(number), "outcome": "hits"}
        run.emit("search", **search, hits=[{"id": f"page-{number}"}])
        return f"page {number}: continued on the next page"

    def one_more(prompt: Prompt) -> list[Part]:
        read = len([each for each in prompt.contents if function_responses(each)])
        return [{"functionCall": {"name": "read_page", "args": {"number": read + 1}}}]

    question = "이 책은 어떻게 끝나?" if stage.language == "ko" else "How does the book end?"
    tools = Toolbox([read_page])
    return stage.loop(question, stage.model(one_more), tools, Limits(max_steps=3), run)


def history_length(stage: Stage) -> Run | None:
    """Broken: only the newest content is sent, to save tokens."""
    model: Model = stage.model()
    return stage.ask(KO, EN, billing(), _NewestOnly(model) if stage.broken else model)


class _NewestOnly:
    """A model around a model that forgets everything but the newest content."""

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self.remote = model.remote
        self._model = model

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
        newest = contents[-1:]
        return self._model.generate(
            newest, tools, system=system, mode=mode, generation=generation, seconds=seconds
        )


def one_step(stage: Stage) -> Run | None:
    """Broken: a single step."""
    return stage.ask(KO, EN, billing(), limits=Limits(max_steps=1) if stage.broken else Limits())


def parallel_calls(stage: Stage) -> Run | None:
    """Two calls in one step. Broken: each response is recorded as a content of its own."""
    run = stage.run(_OneEach if stage.broken else Run)
    return stage.ask(KO, EN, billing(), stage.model(_both_at_once), run=run)


class _OneEach(Run):
    """A run that takes an observation apart before it records it."""

    def record(self, content: Content | None, reply: Reply | None = None) -> None:
        """Append one content for each response."""
        if content is None or len(function_responses(content)) < 2:
            super().record(content, reply)
            return
        for part in content["parts"]:
            super().record({**content, "parts": [part]}, reply)


def _both_at_once(prompt: Prompt) -> list[Part]:
    if len(prompt.contents) > 1:
        return next_turn(prompt)
    asked = {"find_steps": "invoice export", "find_permission": "billing permission"}
    return [
        {"functionCall": {"name": name, "args": {"query": query}}} for name, query in asked.items()
    ]


SCENARIOS: dict[str, Scenario] = {
    each.__name__: each
    for each in (
        invoice,
        invoice_in_two_steps,
        never_enough,
        history_length,
        one_step,
        parallel_calls,
        judge_always_no,
        selector_writes,
        selector_counts_from_zero,
        permission_deleted,
        ungated,
        document_gives_orders,
        role_name,
        exactly_the_limit,
        sold_out_but_loud,
        weight_limit,
        synonyms,
        search_fails,
    )
}
"""By the name that an exercise gives."""
