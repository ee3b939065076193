"""The current question of a conversation, and what was asked and found for it so far."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from agent.messages import Content, function_calls, function_responses, parts
from agent.offline.history import current_turn
from tools.courtesy import without_courtesy
from tools.fences import unfence
from tools.tokens import has_hangul


class Exchange(NamedTuple):
    """One call and the response to it. ``lines`` are those of a response that chose some, None
    when it is none; ``hits`` those of a search response, or the lines of one that chose lines,
    None for any other."""

    name: str
    args: dict[str, Any]
    response: dict[str, Any]
    lines: list[dict[str, Any]] | None
    hits: list[dict[str, Any]] | None

    @classmethod
    def of(cls, call: dict[str, Any], response: dict[str, Any]) -> Exchange:
        said = response.get("response") or {}
        places = [said]
        for name in ("output", "result"):
            if name in said and isinstance(inside := opened(said[name]), dict):
                places.append(inside)
        lines, hits = _entries(places, "lines"), _entries(places, "hits")
        if lines is not None and not all(map(_is_line, lines)):
            lines = None
        return cls(
            call["name"], call.get("args") or {}, said, lines, lines if hits is None else hits
        )

    def stated(self, key: str) -> list[str] | None:
        """A list of names that the tool reports beside its hits, such as ``missing``."""
        for part in ("output", "error"):
            inside = self.response.get(part)
            found = inside.get(key) if isinstance(inside, dict) else None
            if isinstance(found, list):
                return [each for each in found if isinstance(each, str)]
        return None


class Question(NamedTuple):
    """The words of the last user turn without what is only polite in them, and the exchanges since
    then in order."""

    text: str
    exchanges: tuple[Exchange, ...] = ()

    @classmethod
    def of(cls, contents: Sequence[Content]) -> Question:
        start = current_turn(contents)
        texts = [part["text"] for part in parts(contents[start]) if part.get("text")]
        later = zip(contents[start:], contents[start + 1 :], strict=False)
        exchanges = [each for before, after in later for each in _pair(before, after)]
        return cls(without_courtesy("\n".join(texts).strip()), tuple(exchanges))

    @property
    def is_korean(self) -> bool:
        """Whether the words hold Hangul, composed or not."""
        return has_hangul(self.text)


def opened(value: Any) -> Any:
    """A text that is JSON, as its value; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(value)
    return value


def text_of(hit: dict[str, Any]) -> str:
    """What a hit says; empty where it says nothing."""
    text = hit.get("text")
    return unfence(text).strip() if isinstance(text, str) else ""


def _is_line(entry: dict[str, Any]) -> bool:
    return bool(text_of(entry)) and isinstance(entry.get("id"), str)


def _entries(places: Sequence[dict[str, Any]], name: str) -> list[dict[str, Any]] | None:
    """The first list of objects that one of ``places`` has under a name."""
    for place in places:
        entries: Any = place.get(name)
        if isinstance(entries, list) and all(map(_is_object, entries)):
            return entries
    return None


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _pair(asked: Content, answered: Content) -> list[Exchange]:
    """The responses of one turn with the calls they answer: by id, else the next of that name."""
    exchanges: list[Exchange] = []
    if responses := function_responses(answered):
        calls = function_calls(asked)
        for response in responses:
            for call in calls:
                if _belongs(response, call):
                    calls.remove(call)
                    exchanges.append(Exchange.of(call, response))
                    break
    return exchanges


def _belongs(response: dict[str, Any], call: dict[str, Any]) -> bool:
    if response.get("id") and call.get("id"):
        return bool(response["id"] == call["id"])
    return bool(response.get("name") == call.get("name"))
