"""What the offline model does with a question that needs several rounds: plan it, search for each
piece, ask whether that is enough, and go on from what is said to be missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from agent.messages import Declaration
from agent.offline.question import Exchange, Question
from agent.offline.quoting import Quote
from tools.patterns import lazy_pattern
from tools.tokens import fold

PLAN, CHECK = "plan_evidence", "check_sufficiency"

MOST_QUERIES = 5
"""Searches of one turn."""

_TODAY = lazy_pattern(r"\bToday is (\d{4}-\d\d-\d\d)\b")


def has_rounds(declarations: Sequence[Declaration]) -> bool:
    """Whether the client offers the tools for a plan and for verdicts."""
    return {PLAN, CHECK} <= {each["name"] for each in declarations}


def searching(exchanges: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """The exchanges that may hold evidence: not the plan, and no verdict."""
    return tuple(each for each in exchanges if each.name not in (PLAN, CHECK))


def next_calls(
    question: Question, system: str, tools: Sequence[Declaration], search: Callable[[str], Any]
) -> list[dict[str, Any]]:
    """The calls of the next turn; none when there is nothing left to ask. ``search`` makes the call
    for a query, or None where no tool can be asked."""
    from tools.decomposition import MOST_PIECES, decompose, rewrites

    allowed = {tool["name"] for tool in tools}
    verdict = _last(question.exchanges, CHECK)
    if verdict is not None and verdict.get("sufficient"):
        return []
    pieces = decompose(question.text)
    asked = [each.name for each in question.exchanges]
    if len(pieces) > 1 and PLAN in allowed and PLAN not in asked:
        return [{"name": PLAN, "args": {"requirements": "\n".join(pieces[:MOST_PIECES])}}]
    if verdict is None:
        planned = _texts(_last(question.exchanges, PLAN) or {}, "required") or pieces
        today = _today(system)
        queries = [query for piece in planned for query in rewrites(piece, today)]
    else:
        queries = _texts(verdict, "next_queries")
    tried = {
        fold(value)
        for each in searching(question.exchanges)
        for value in each.args.values()
        if isinstance(value, str) and not _did_not_fit(each)
    }
    fresh = [query for query in dict.fromkeys(queries) if fold(query) not in tried]
    last = max((n for n, name in enumerate(asked) if name == CHECK), default=-1)
    in_round = searching(question.exchanges[last + 1 :])
    if CHECK in allowed and (len(in_round) >= MOST_QUERIES or any(map(_did_not_fit, in_round))):
        return [{"name": CHECK, "args": {}}]
    calls = [call for query in fresh[:MOST_QUERIES] if (call := search(query)) is not None]
    if not calls and CHECK in allowed and asked and asked[-1] not in (PLAN, CHECK):
        return [{"name": CHECK, "args": {}}]
    return calls


def is_enough(question: Question) -> bool:
    """Whether the last verdict says that the evidence is enough."""
    return bool((_last(question.exchanges, CHECK) or {}).get("sufficient"))


def covering(question: Question, evidence: Sequence[Quote]) -> list[Quote]:
    """The quotations that the last verdict counts as evidence of a piece; all of them where there
    are no pieces, or it names none."""
    if _last(question.exchanges, PLAN) is None:
        return list(evidence)
    verdict = _last(question.exchanges, CHECK) or {}
    named = verdict.get("evidence")
    ids = (
        {name for found in named.values() if isinstance(found, list) for name in found}
        if isinstance(named, dict)
        else set[str]()
    )
    return [quote for quote in evidence if quote.id in ids] or list(evidence)


def lacks_words(question: Question, evidence: Sequence[Quote]) -> bool:
    """Whether a piece has words that no quotation for it has, nor all of them together."""
    verdict = _last(question.exchanges, CHECK) or {}
    named = verdict.get("evidence")
    if _last(question.exchanges, PLAN) is None or not isinstance(named, dict):
        return False
    for piece, ids in named.items():
        texts = [
            f"{quote.id}\n{quote.under}\n{quote.text}"
            for quote in evidence
            if isinstance(ids, list) and quote.id in ids
        ]
        if texts and not any(_has_words(piece, text) for text in (*texts, "\n".join(texts))):
            return True
    return False


def _has_words(piece: str, text: str) -> bool:
    """Whether a text has the words of a piece, but for that of a quantity of which it has a
    number."""
    from tools.documents import content_words, coverage
    from tools.sufficiency import asked_word, compared, tells_by_kind
    from tools.verbs import as_verbs

    if (asked := asked_word(piece)) and tells_by_kind(asked, text):
        piece = piece.replace(asked, " ")
        if not content_words(piece):
            return True
    return coverage(compared(piece), as_verbs(text)) == 1


def _did_not_fit(exchange: Exchange) -> bool:
    """Whether a search was refused because its round was full: it may be made in the next."""
    error = exchange.response.get("error")
    return isinstance(error, dict) and error.get("code") == "round_full"


def _last(exchanges: Sequence[Exchange], tool: str) -> dict[str, Any] | None:
    """The last output of a tool that is an object."""
    outputs = [each.response.get("output") for each in exchanges if each.name == tool]
    return next((each for each in reversed(outputs) if isinstance(each, dict)), None)


def _texts(output: dict[str, Any], key: str) -> list[str]:
    found = output.get(key)
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _today(system: str) -> date | None:
    """The day that the system instruction names."""
    found = _TODAY.search(system)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None
