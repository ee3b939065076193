"""Scenarios about those who judge and select: what they may say, and what becomes of it.

Judges and selectors are arguments of the tools, so that both sides run the same loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Annotated, Any

from agent.catalogue import Language
from agent.lessons.stage import Stage
from agent.limits import Limits
from agent.messages import function_responses
from agent.offline.policy import Part
from agent.offline.protocol import Prompt
from agent.run import Run
from agent.toolbox import Toolbox
from tools.documents import Passage, overlap_search
from tools.filter_context import Selector, filter_lines, split_lines
from tools.judge import Judge, judge_passages, lexical_judge

Query = Annotated[str, "The words to search for, or that were searched for"]


@dataclass(frozen=True)
class _Case:
    """A question, the page that answers it, and the words it is searched with."""

    question: str
    page: str
    query: str
    again: str
    prose: str


_CASES: dict[Language, _Case] = {
    "ko": _Case(
        "청구서를 내보내려면 어떤 역할이 필요해?",
        "청구서를 내보내려면 billing_admin 역할이 필요하다.\n"
        "역할은 설정의 사람 화면에서 준다.\n"
        "2019년까지 청구서를 내보낸 역할은 billing_clerk이다.",
        "청구서 역할",
        "다시",
        "청구서를 내보내는 데 필요한 역할은 없습니다.",
    ),
    "en": _Case(
        "Which role is needed to export an invoice?",
        "To export an invoice the role billing_admin is needed.\n"
        "Roles are given in the settings, under people.\n"
        "Until 2019 the role to export an invoice was billing_clerk.",
        "invoice role",
        "again",
        "No role is needed to export an invoice.",
    ),
}


def judge_always_no(stage: Stage) -> Run | None:
    """What was found is judged, and searched for again after a no. Broken: a judge that says no
    whatever it reads."""
    case = _CASES[stage.language]
    judge: Judge = (lambda question, evidence: "no") if stage.broken else lexical_judge
    run, pages, search = _searching(stage)

    def judge_relevance(query: Query) -> dict[str, str]:
        """Judge whether what was found helps to answer the question: yes or no."""
        verdict = judge_passages(case.question, pages, judge)
        stage.note("verdict", verdict=verdict)
        return {"verdict": verdict}

    def next_turn(prompt: Prompt) -> list[Part]:
        responses = _responses(prompt)
        searched = sum(each["name"] == "search_documents" for each in responses)
        if responses and responses[-1]["name"] == "search_documents":
            return [_call("judge_relevance", reworded(searched - 1))]
        if responses and _output(responses[-1]).get("verdict") == "yes":
            return [{"text": case.page.splitlines()[0]}]
        return [_call("search_documents", reworded(searched))]

    def reworded(number: int) -> str:
        """The same words in another order, with one more word that says nothing."""
        orders = [" ".join(each) for each in permutations(case.query.split())]
        order = orders[number % len(orders)]
        return " ".join([order, *[case.again] * (number // len(orders))])

    model = stage.model(next_turn)
    tools = Toolbox([search, judge_relevance])
    return stage.loop(case.question, model, tools, Limits(max_steps=20), run)


def selector_writes(stage: Stage) -> Run | None:
    """A selector that answers with a sentence instead of numbers. Broken: its words are handed
    on."""
    case = _CASES[stage.language]

    def kept(passages: Sequence[Passage], select: Selector) -> list[str]:
        if stage.broken:
            return [select(case.question, case.page)]
        filtered = filter_lines(case.question, passages, select)
        stage.note("filtered", outcome=filtered.outcome)
        return [line.text for line in filtered.lines]

    return _selecting(stage, lambda question, lines: case.prose, kept)


def selector_counts_from_zero(stage: Stage) -> Run | None:
    """A selector that calls the first line 0. Broken: its number is taken less one, so that Python
    counts from the end."""

    def kept(passages: Sequence[Passage], select: Selector) -> list[str]:
        question = _CASES[stage.language].question
        lines = split_lines(passages)
        if stage.broken:
            reply = select(question, "")
            return [lines[int(number) - 1].text for number in reply.split(",")]
        filtered = filter_lines(question, passages, select)
        stage.note("filtered", outcome=filtered.outcome)
        return [line.text for line in filtered.lines]

    return _selecting(stage, lambda question, lines: "0", kept)


def _selecting(
    stage: Stage, select: Selector, kept: Callable[[Sequence[Passage], Selector], list[str]]
) -> Run | None:
    """Search, filter, and answer with the first line that is left."""
    case = _CASES[stage.language]
    run, pages, search = _searching(stage)

    def filter_context(query: Query) -> dict[str, list[str]]:
        """Keep only the lines, of what was found, that help to answer the question."""
        lines = kept(pages, select)
        stage.note("kept", kept=lines, kept_lines=len(lines))
        return {"lines": lines}

    def next_turn(prompt: Prompt) -> list[Part]:
        responses = _responses(prompt)
        if not responses:
            return [_call("search_documents", case.query)]
        if responses[-1]["name"] == "search_documents":
            return [_call("filter_context", case.query)]
        return [{"text": _output(responses[-1])["lines"][0]}]

    tools = Toolbox([search, filter_context])
    return stage.loop(case.question, stage.model(next_turn), tools, Limits(), run)


def _searching(stage: Stage) -> tuple[Run, list[Passage], Callable[..., Any]]:
    """A run, the pages found last, and the tool that finds them."""
    run = stage.run()
    page = Passage("help-1", _CASES[stage.language].page, "help")
    pages: list[Passage] = []

    def search_documents(query: Query) -> dict[str, list[str]]:
        """Find the best page of the help for a query."""
        pages[:] = overlap_search(query, [page], top_k=1)
        hits = [{"id": each.id} for each in pages]
        run.emit("search", tool="search_documents", query=query, hits=hits, outcome="hits")
        return {"lines": [line for each in pages for line in each.text.splitlines()]}

    return run, pages, search_documents


def _responses(prompt: Prompt) -> list[dict[str, Any]]:
    return [each for content in prompt.contents for each in function_responses(content)]


def _output(response: dict[str, Any]) -> dict[str, Any]:
    output: dict[str, Any] = response["response"].get("output", {})
    return output


def _call(tool: str, query: str) -> Part:
    return {"functionCall": {"name": tool, "args": {"query": query}}}
