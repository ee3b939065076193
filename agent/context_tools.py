"""Tools over what was already found: keep the lines that matter, judge whether they do.

Both may ask a model for a selection or a verdict; neither lets it write. Without a language model
shared words decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from agent.consultant import Consultant
from agent.evidence import Evidence, Show, shown
from agent.limits import Limits
from agent.models.guarded import budget_spent
from agent.offline.tokens import count_tokens
from agent.run import Run
from agent.selections import Selection
from agent.toolbox import Later
from tools.documents import Passage
from tools.filter_context import (
    LINE_SCHEMA,
    SELECT,
    Filtered,
    filter_lines,
    lexical_selector,
    split_lines,
)
from tools.judge import JUDGE, VERDICT_SCHEMA, judge_passages, lexical_judge
from tools.problems import ToolProblem
from tools.tokens import fold

Question = Annotated[str, "The question that the lines should help to answer"]
Ids = Annotated[
    str,
    "Ids of passages that a search returned, separated by commas; all for every one of them",
]

LONGEST_WHOLE = 400
"""Characters of a passage that a search shows whole beside ``filter_context``; of a longer one it
shows the beginning."""
HEAD = 120
"""Characters of that beginning."""

_EVERY = {"all", "*", "모두", "전부", "전체"}


def context_tools(
    evidence: Evidence, consultant: Consultant, run: Run, limits: Limits, *, show: Show = shown
) -> list[Callable[..., Any]]:
    """``filter_context`` and ``judge_relevance`` over the ledger of the conversation; ``show``
    writes the chosen lines for the model.

    A history only grows, so a line costs less only where the rest of its passage was never in it:
    from now on searches show long passages by their beginning.
    """
    evidence.present = lambda passages, show: _heads(passages, show, evidence)

    def select(question: str, lines: str) -> str:
        """The selector's words. Once all consultations are used there are none, and every line
        is kept: what a search did not show must still be readable."""
        if not consultant.is_model:
            return lexical_selector(question, lines)
        try:
            return consultant.ask(SELECT, LINE_SCHEMA, question, lines)
        except ToolProblem:
            if budget_spent(run, limits):
                raise
            return ""

    def verdict_on(question: str, material: str) -> str:
        if not consultant.is_model:
            return lexical_judge(question, material)
        return consultant.ask(JUDGE, VERDICT_SCHEMA, question, material)

    def filter_context(question: Question, ids: Ids) -> Later[None]:
        """Keep only the lines of retrieved passages that help to answer a question, verbatim,
        each citable by its id. A hit with a number of lines is only the beginning of a passage:
        this reads all of it."""
        return _in_turn(lambda: filtered_lines(question, ids))

    def filtered_lines(question: str, ids: str) -> dict[str, Any]:
        passages = _asked_for(ids, evidence)
        before = run.usage
        filtered = filter_lines(question, passages, select)
        if not filtered.read and filtered.left_out:
            raise ToolProblem(
                "too_long",
                f"No selection can read so much in one go: {', '.join(filtered.left_out[:5])}.",
            )
        kept = [Passage(line.id, line.text, line.source) for line in filtered.lines]
        response: dict[str, Any] = {"outcome": filtered.outcome, "lines": show(kept)}
        if notes := _notes(filtered):
            response["note"] = " ".join(notes)
        read = [each for each in passages if each.id not in filtered.left_out]
        spared = [each for each in read if each.id in evidence.unread]
        selection = Selection(
            step=run.steps,
            outcome=filtered.outcome,
            chunks=len(read),
            lines=filtered.read,
            kept=len(kept),
            left_out=filtered.left_out,
            before=_characters(read),
            after=_characters(kept),
            prompt_tokens=run.usage.prompt_tokens - before.prompt_tokens,
            output_tokens=run.usage.output_tokens - before.output_tokens,
            turn_tokens=run.turn_tokens,
            saved=_tokens(show(spared)) - _tokens(_heads(spared, show)) - _tokens(response),
        )
        evidence.add_lines(kept)
        evidence.unread -= {each.id for each in read}
        run.selections.append(selection)
        run.emit("filter", **selection.as_record())
        return response

    def judge_relevance(question: Question, ids: Ids) -> Later[None]:
        """Judge whether retrieved passages help to answer a question: yes, no or unknown."""
        return _in_turn(lambda: judged(question, ids))

    def judged(question: str, ids: str) -> dict[str, Any]:
        passages = _asked_for(ids, evidence)
        verdict = judge_passages(question, passages, verdict_on)
        run.judgements.append(verdict)
        run.emit("judge", verdict=verdict, ids=[passage.id for passage in passages])
        return {"verdict": verdict}

    return [filter_context, judge_relevance]


def _in_turn(work: Callable[[], dict[str, Any]]) -> Later[None]:
    """``work`` when the calls before it in the same turn are done: it reads what they found."""
    return Later(lambda: None, lambda _: work())


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


def _asked_for(ids: str, evidence: Evidence) -> list[Passage]:
    """The passages that are named, or all that this question found."""
    if fold(ids.strip(" []")) in _EVERY and evidence.found:
        return list(evidence.found.values())
    return named(ids, evidence.ledger)


def _heads(
    passages: Sequence[Passage], show: Show, evidence: Evidence | None = None
) -> list[dict[str, Any]]:
    """Passages as a search shows them: a long one by its beginning and its number of lines. Those
    become unread ``evidence``."""
    long = [len(each.text) > LONGEST_WHOLE for each in passages]
    cut = [
        replace(each, text=each.text[:HEAD].rstrip()) if is_long else each
        for each, is_long in zip(passages, long, strict=True)
    ]
    told = show(cut)
    for entry, each, is_long in zip(told, passages, long, strict=True):
        if is_long:
            entry["lines"] = len(split_lines([each]))
            if evidence is not None:
                evidence.unread.add(each.id)
    return told


def _notes(filtered: Filtered) -> list[str]:
    """What the model should know of a selection."""
    notes: list[str] = []
    if filtered.outcome == "unreadable":
        notes.append("The selection could not be read, so every line was kept.")
    if filtered.left_out:
        left_out = ", ".join(filtered.left_out)
        notes.append(f"Too much for one selection; not read, ask again for: {left_out}.")
    return notes


def _tokens(value: Any) -> int:
    """An estimate of what a text costs each request that carries it; nothing costs nothing."""
    return count_tokens(value) if value else 0


def _characters(passages: list[Passage]) -> int:
    return sum(len(passage.text) for passage in passages)
