"""Tools over what was already found: keep the lines that matter, judge whether they do.

Both may ask a model for a selection or a verdict; neither lets it write. Without a language model
shared words decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from agent.evidence import Evidence, Show, shown
from agent.limits import Limits
from agent.messages import Model, user
from agent.models.guarded import budget_spent
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
from tools.tokens import fold

Question = Annotated[str, "The question that the lines should help to answer"]
Ids = Annotated[str, "Ids of passages that a search returned, separated by commas"]

MAX_CONSULTATIONS = 10
"""Selections and verdicts that a model may be asked for within one question. Asking again for a
lost one comes out of the question's retry budget."""


def context_tools(
    evidence: Evidence, model: Model, run: Run, limits: Limits, *, show: Show = shown
) -> list[Callable[..., Any]]:
    """``filter_context`` and ``judge_relevance`` over the ledger of the conversation; ``show``
    writes the chosen lines for the model."""
    consultant = _Consultant(model, run, limits)

    def filter_context(question: Question, ids: Ids) -> dict[str, Any]:
        """Keep only the lines of retrieved passages that help to answer a question, verbatim,
        each citable by its id."""
        passages = named(ids, evidence.ledger)
        before = run.usage
        filtered = filter_lines(question, passages, consultant.select)
        kept = [Passage(line.id, line.text, line.source) for line in filtered.lines]
        evidence.add(kept)
        run.emit(
            "filter",
            outcome=filtered.outcome,
            before=_characters(passages),
            after=_characters(kept),
            tokens=run.usage.tokens - before.tokens,
        )
        response: dict[str, Any] = {"outcome": filtered.outcome, "lines": show(kept)}
        if filtered.outcome == "unreadable":
            response["note"] = "The selection could not be read, so every line was kept."
        return response

    def judge_relevance(question: Question, ids: Ids) -> dict[str, Any]:
        """Judge whether retrieved passages help to answer a question: yes, no or unknown."""
        passages = named(ids, evidence.ledger)
        verdict = judge_passages(question, passages, consultant.judge)
        run.judgements.append(verdict)
        run.emit("judge", verdict=verdict, ids=[passage.id for passage in passages])
        return {"verdict": verdict}

    return [filter_context, judge_relevance]


class _Consultant:
    """Puts a question and material to the model, outside the conversation and within the budgets
    of the question, and returns its words; nothing when there is no whole answer."""

    def __init__(self, model: Model, run: Run, limits: Limits) -> None:
        self._model = model
        self._run = run
        self._limits = limits
        self._left = MAX_CONSULTATIONS

    def select(self, question: str, lines: str) -> str:
        if not self._model.remote:
            return lexical_selector(question, lines)
        return self._consult(SELECT, LINE_SCHEMA, question, lines)

    def judge(self, question: str, evidence: str) -> str:
        if not self._model.remote:
            return lexical_judge(question, evidence)
        return self._consult(JUDGE, VERDICT_SCHEMA, question, evidence)

    def _consult(
        self, instruction: str, schema: dict[str, Any], question: str, material: str
    ) -> str:
        """No output limit is set, because a model that thinks first needs room to finish."""
        self._take()
        generation = {"responseMimeType": "application/json", "responseJsonSchema": schema}
        told = user(f"Question: {question}\n\n{material}")
        reply = self._model.generate([told], [], system=instruction, generation=generation)
        self._run.consult(reply)
        return reply.text if reply.outcome == "answer" else ""

    def _take(self) -> None:
        """Take one consultation. Raises ToolProblem when there is none to take."""
        if self._left <= 0 or budget_spent(self._run, self._limits):
            raise ToolProblem(
                "consultations_spent",
                "No more selections or verdicts for this question: answer from the evidence.",
            )
        self._left -= 1


def named(ids: str, ledger: Mapping[str, Passage]) -> list[Passage]:
    """The passages that ``ids`` names, in its order, each once. An id may hold commas and
    brackets, as a file's name can, and may stand in brackets. Raises ToolProblem for one that is
    not in the ledger."""
    known = {fold(name): name for name in ledger} | {name: name for name in ledger}
    longest = 1 + max((name.count(",") for name in ledger), default=0)
    pieces = ids.split(",")
    found: list[str] = []
    unknown: list[str] = []
    while pieces:
        spans = range(min(longest, len(pieces)), 0, -1)
        read = ((span, _id(",".join(pieces[:span]), known)) for span in spans)
        span, name = next(((span, name) for span, name in read if name), (1, None))
        if name:
            found.append(name)
        elif pieces[0].strip():
            unknown.append(pieces[0].strip()[:80])
        del pieces[:span]
    if unknown or not found:
        message = f"No passage has the id {', '.join(unknown[:5])}." if unknown else "No id given."
        raise ToolProblem("unknown_ids", message, known=list(ledger)[-30:])
    return [ledger[name] for name in dict.fromkeys(found)]


def _id(written: str, known: Mapping[str, str]) -> str | None:
    """The id that is meant: as it stands, else without regard to case and enclosing brackets."""
    text = written.strip()
    bare = text.removeprefix("[").removesuffix("]").strip()
    spellings = (text, bare, fold(text), fold(bare))
    return next((known[each] for each in spellings if each in known), None)


def _characters(passages: list[Passage]) -> int:
    return sum(len(passage.text) for passage in passages)
