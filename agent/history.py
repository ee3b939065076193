"""How much of a conversation goes along with its next question."""

from __future__ import annotations

import json
from typing import Any

from agent.messages import Content, function_responses, parts

_NOTE = "(shortened: this was the result of an earlier question)"


def size(contents: list[Content]) -> int:
    """Characters of a history as it is sent."""
    return sum(map(_size, contents))


def shorten(contents: list[Content], limit: int) -> bool:
    """Bring a history between two questions to at most ``limit`` characters, in place, and say
    whether anything changed.

    First the results of tools become their ids, from the oldest on; if that is not enough, whole
    questions go, from the oldest on. So the first content is always a person's text, and no call
    loses its response.
    """
    left = size(contents)
    if left <= limit:
        return False
    for place, content in enumerate(contents):
        if left > limit and function_responses(content):
            contents[place] = _shortened(content)
            left -= _size(content) - _size(contents[place])
    starts = [place for place, content in enumerate(contents) if is_question(content)]
    kept = next((start for start in starts if size(contents[start:]) <= limit), len(contents))
    del contents[:kept]
    return True


def _size(content: Content) -> int:
    return len(json.dumps(content, ensure_ascii=False))


def is_question(content: Content) -> bool:
    """Whether a turn is a person's, and not the results of tools."""
    return content.get("role") == "user" and not function_responses(content)


def _shortened(content: Content) -> Content:
    """A response turn with its ids and errors, and without its texts."""
    return {**content, "parts": [_part(each) for each in parts(content)]}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    response = part["functionResponse"]["response"]
    if "error" in response:
        return part
    output = response.get("output")
    hits = output.get("hits") if isinstance(output, dict) else None
    kept = {"note": _NOTE, "ids": [hit["id"] for hit in hits]} if hits else {"note": _NOTE}
    short = {"functionResponse": {**part["functionResponse"], "response": {"output": kept}}}
    return min(part, short, key=lambda each: len(str(each)))
