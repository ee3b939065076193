"""How the tokens of a question grow with ``filter_context`` and with raw results.

A question of so many steps is played twice over the same passages: searches, which really run, and
then other calls, so that what was found is sent again with every request. A model plays the turns,
and a selector is told that chooses lines in its place; requests are counted as the offline Gemini
counts them (an estimate: four bytes of JSON are a token). Nothing is sent anywhere.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Annotated, Any, NamedTuple

from agent.ask import ask
from agent.evidence import Evidence
from agent.limits import Limits
from agent.messages import Content, Declaration, Reply, ToolMode
from agent.models.wire import read_reply
from agent.offline.tokens import count_tokens
from agent.run import Run
from agent.search_tools import Toolset
from tools.documents import Passage
from tools.filter_context import Selector, lexical_selector

STEPS = 10
"""Steps of a question that is played."""

Search = Callable[[str], Sequence[Passage]]
"""A query -> the passages that a search for it brings."""


class Growth(NamedTuple):
    """Tokens sent and written at each step of a question: those of the ``raw`` one, and those of
    the ``filtered`` one, whose step after the last of its ``searches`` has the selection in it: the
    turn that asks for it and the ``selector``'s own tokens."""

    searches: int
    raw: tuple[float, ...]
    filtered: tuple[float, ...]
    selector: float

    @property
    def break_even(self) -> int | None:
        """The first step after the selection by which the filtered question has used no more than
        the raw one in all; None when none of these is."""
        totals = zip(accumulate(self.raw), accumulate(self.filtered), strict=True)
        return next(
            (
                step
                for step, (raw, filtered) in enumerate(totals, 1)
                if step > self.searches and filtered <= raw
            ),
            None,
        )

    @property
    def saved(self) -> float:
        """The share of the raw question's tokens that the filtered one does without; below 0 where
        it uses more."""
        return 1 - sum(self.filtered) / sum(self.raw)

    def as_record(self) -> dict[str, Any]:
        """As JSON; ``raw`` and ``filtered`` are what was used up to each step."""
        return {
            "steps": len(self.raw),
            "searches": self.searches,
            "raw": [*accumulate(self.raw)],
            "filtered": [*accumulate(self.filtered)],
            "selector": self.selector,
            "saved": self.saved,
            "break_even": self.break_even,
        }


def mean(growths: Sequence[Growth]) -> Growth:
    """The mean of questions with as many steps and searches each."""

    def of(each: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
        return tuple(map(statistics.fmean, zip(*each, strict=True)))

    return Growth(
        growths[0].searches,
        of(growth.raw for growth in growths),
        of(growth.filtered for growth in growths),
        statistics.fmean(growth.selector for growth in growths),
    )


def growth(
    question: str,
    queries: Sequence[str],
    searched: Callable[[], Search],
    steps: int = STEPS,
    select: Selector = lexical_selector,
) -> Growth | None:
    """The growth of a question that searches for ``queries`` and goes on to ``steps`` steps.
    ``searched`` is asked anew for what searches, once for each way. None where nothing is found,
    or what is found may not be quoted."""
    raw, filtered = (played(question, queries, searched(), steps, each) for each in (None, select))
    if raw is None or filtered is None:
        return None
    turns, before = filtered[0].turns, len(queries)
    selection = turns[before] + filtered[0].selector
    return Growth(
        before,
        tuple(raw[0].turns),
        (*turns[:before], selection + turns[before + 1], *turns[before + 2 :]),
        filtered[0].selector,
    )


def played(
    question: str, queries: Sequence[str], search: Search, steps: int, select: Selector | None
) -> tuple[Played, Run] | None:
    """The question as it was played one way, with filter_context where something selects, and its
    record; None where it was not answered."""
    found: list[Passage] = []

    def searching(query: str) -> Sequence[Passage]:
        found.extend(brought := search(query))
        return brought

    model = Played(question, queries, steps, found, select)
    limits = Limits(max_steps=steps + 2, max_searches=len(queries) + 1)
    run = ask(question, _source(searching), model, limits, Run(), narrowing=select is not None)
    return (model, run) if run.answer is not None else None


def _source(search: Search) -> Toolset:
    """A source with a tool that searches, and one that does not."""

    def tools(evidence: Evidence) -> list[Callable[..., Any]]:
        def search_documents(query: Annotated[str, "The words to search for"]) -> Any:
            """Search the documents."""
            return evidence.search_open("search_documents", query, search)

        def look_up(term: Annotated[str, "a term"]) -> dict[str, Any]:
            """The meaning of a term."""
            evidence.prepared_tried += 1  # progress, so that nobody stops the question
            return {"term": term, "meaning": "…"}

        return [search_documents, look_up]

    return Toolset(("documents",), tools)


class Played:
    """Plays the turns of a question and counts the tokens of each: searches, a selection where
    something is to ``select``, other calls, and an answer that quotes the first passage
    ``found``."""

    name = "played"
    remote = True

    def __init__(
        self,
        question: str,
        queries: Sequence[str],
        steps: int,
        found: Sequence[Passage],
        select: Selector | None,
    ) -> None:
        self.turns: list[int] = []
        """Tokens of each turn, those of its request and of its reply."""
        self.selector = 0
        """Tokens of selections."""
        self._question = question
        self._select = select
        self._found = found
        calls = [_call("search_documents", query=query) for query in queries]
        if select is not None:
            calls.append(_call("filter_context", question=question, ids="all"))
        others = steps - len(queries) - 1
        self._calls = calls + [_call("look_up", term=f"{number}") for number in range(others)]

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
        """The next turn, or the lines that a selection asks for."""
        if generation and self._select is not None:
            told = contents[0]["parts"][0]["text"]
            part = {"text": self._select(self._question, told.partition("\n\n")[2])}
        elif len(self.turns) < len(self._calls):
            part = self._calls[len(self.turns)]
        else:
            part = {"text": "\n".join(f"{each.text} [{each.id}]" for each in self._found[:1])}
        sent, written = count_tokens([system, contents, tools]), count_tokens(part)
        if generation:
            self.selector += sent + written
        else:
            self.turns.append(sent + written)
        body = {
            "candidates": [
                {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
            ],
            "usageMetadata": {"promptTokenCount": sent, "candidatesTokenCount": written},
        }
        return read_reply(body, [tool["name"] for tool in tools])


def _call(name: str, **args: str) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args}}
