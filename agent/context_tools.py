"""Tools over what was already found: keep the lines that matter, judge whether they do.

Both may ask a model for a selection or a verdict; neither lets it write. Without a language model
shared words decide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from agent.evidence import Evidence, shown
from agent.messages import Model, Reply, user
from agent.run import Run
from tools.documents import Passage
from tools.filter_context import (
    LINE_SCHEMA,
    SELECT,
    filter_lines,
    lexical_selector,
)
from tools.judge import JUDGE, VERDICT_SCHEMA, judge_passages, lexical_judge
from tools.problems import ToolProblem

Question = Annotated[str, "The question that the lines should help to answer"]
Ids = Annotated[str, "Ids of passages that a search returned, separated by commas"]


def context_tools(evidence: Evidence, model: Model, run: Run) -> list[Callable[..., Any]]:
    """``filter_context`` and ``judge_relevance`` over the ledger of the conversation."""

    def filter_context(question: Question, ids: Ids) -> dict[str, Any]:
        """Keep only the lines of retrieved passages that help to answer a question, verbatim,
        each citable by its id."""
        passages = _named(ids, evidence)
        filtered = filter_lines(question, passages, _asked(model, run, SELECT, LINE_SCHEMA))
        kept = [Passage(line.id, line.text, line.source) for line in filtered.lines]
        evidence.add(kept)
        before, after = _characters(passages), _characters(kept)
        run.emit("filter", outcome=filtered.outcome, before=before, after=after)
        response: dict[str, Any] = {"outcome": filtered.outcome, "lines": shown(kept)}
        if filtered.outcome == "unreadable":
            response["note"] = "The selection could not be read, so every line was kept."
        return response

    def judge_relevance(question: Question, ids: Ids) -> dict[str, Any]:
        """Judge whether retrieved passages help to answer a question: yes, no or unknown."""
        passages = _named(ids, evidence)
        verdict = judge_passages(question, passages, _asked(model, run, JUDGE, VERDICT_SCHEMA))
        run.judgements.append(verdict)
        run.emit("judge", verdict=verdict, ids=[passage.id for passage in passages])
        return {"verdict": verdict}

    return [filter_context, judge_relevance]


def _asked(
    model: Model, run: Run, instruction: str, schema: dict[str, Any]
) -> Callable[[str, str], str]:
    """A function that puts the question and the material to the model, once, and returns its
    words; nothing when there is no whole answer. No output limit is set, because a model that
    thinks first needs room to finish."""
    if not model.remote:
        return lexical_selector if schema is LINE_SCHEMA else lexical_judge
    generation = {"responseMimeType": "application/json", "responseJsonSchema": schema}

    def ask(question: str, material: str) -> str:
        told = user(f"Question: {question}\n\n{material}")
        reply: Reply = model.generate([told], [], system=instruction, generation=generation)
        run.consult(reply)
        return reply.text if reply.outcome == "answer" else ""

    return ask


def _named(ids: str, evidence: Evidence) -> list[Passage]:
    """The passages of the ledger that ``ids`` names. Raises ToolProblem for an unknown one."""
    names = [name.strip().strip("[]") for name in ids.split(",") if name.strip()]
    if ids.strip() in evidence.ledger:
        names = [ids.strip()]
    unknown = [name for name in names if name not in evidence.ledger]
    if unknown or not names:
        known = list(evidence.ledger)[-30:]
        raise ToolProblem(
            "unknown_ids", f"No passage has the id {', '.join(unknown)}.", known=known
        )
    return [evidence.ledger[name] for name in names]


def _characters(passages: list[Passage]) -> int:
    return sum(len(passage.text) for passage in passages)
