"""Conditions that a model asked for and that nobody could check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from agent.json_safe import clean
from agent.messages import Content, function_calls, function_responses

FILTERING = "search_products"
"""The tool whose arguments are conditions."""

_LONGEST = 60
_MOST = 5


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
