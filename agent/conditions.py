"""What a reader is told of conditions: those that leave nothing of an index, and those that a model
asked for and that nobody could check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from agent.catalogue import Language, say
from agent.json_safe import clean
from agent.messages import Content, function_calls, function_responses

if TYPE_CHECKING:
    from tools.index.indexed import IndexedCorpus

FILTERING = "search_products"
"""The tool whose arguments are conditions."""

_LONGEST = 60
_MOST = 5


def left_nothing(corpus: IndexedCorpus, language: Language) -> list[str]:
    """Lines for the reader where nothing was found under conditions on an index: how much meets
    all of them and each alone, and some words of a field that has none of those asked for."""
    from tools.index.where import Where

    index = corpus.index
    conditions = corpus.conditions.conditions
    total, kept = index.stats()["chunks"], index.keeping(corpus.conditions)
    told = [say("where.none" if kept else "where.nothing", language, total=total, kept=kept)]
    alone = {each: index.keeping(Where((each,))) for each in conditions}
    if len(conditions) > 1:
        counts = ", ".join(f"{each.written} ({count})" for each, count in alone.items())
        told.append(say("where.alone", language, kept=counts))
    for name in dict.fromkeys(each.field for each, count in alone.items() if not count):
        if words := index.words(name):
            more = ", …" if len(words) > _MOST else ""
            values = ", ".join(words[:_MOST]) + more
            told.append(say("where.values", language, name=name, values=values))
    return told


def unchecked(contents: Sequence[Content]) -> list[str]:
    """``name=value`` of what ``search_products`` was asked for and has no argument for, each once.
    The call was refused and named what there is; without the condition the search may run later,
    and then the reader must know that it was left out."""
    found = (each for content, answer in pairwise(contents) for each in _refused(content, answer))
    return list(dict.fromkeys(found))[:_MOST]


def _refused(content: Content, answer: Content) -> Iterator[str]:
    for call, response in zip(function_calls(content), function_responses(answer), strict=False):
        error: dict[str, Any] = (response.get("response") or {}).get("error") or {}
        if call.get("name") == FILTERING and "expected" in error:
            for name, value in (call.get("args") or {}).items():
                if name not in error["expected"] and isinstance(value, str | int | float):
                    yield " ".join(clean(f"{name}={value}").split())[:_LONGEST]
