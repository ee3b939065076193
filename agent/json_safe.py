"""Tool results as JSON the API takes: objects only, NFC, no NaN, no bytes, no endless text."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Any, cast
from unicodedata import normalize

from tools.hidden import without_hidden
from tools.patterns import lazy_pattern

MAX_CHARACTERS = 20_000
"""Characters of text one tool result may bring into the history."""

_MAX_DEPTH = 20
_LONGEST_KEY = 200
_ENTRY = 4  # what JSON writes around an entry
_OWED = 100
_REST = "(truncated: the rest was left out)"
_UNPRINTABLE = lazy_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATE = lazy_pattern(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    """``text`` as NFC without controls and what nobody can see; lone surrogates become the
    replacement mark."""
    if not text.isascii():
        text = _SURROGATE.sub("\ufffd", text)
    return normalize("NFC", without_hidden(_UNPRINTABLE.sub("", text)))


def json_safe(value: Any, limit: int = MAX_CHARACTERS) -> Any:
    """``value`` as JSON values. Text beyond ``limit`` characters in all is cut with a visible
    mark, binary becomes a note of its size, and what has no JSON form becomes its type's name."""
    return _Converter(limit).convert(value, ())


class _Converter:
    """``left`` characters may still be written; ``owed`` is the number of entries that records may
    keep when nothing is left, so that a cut result still has its fields."""

    def __init__(self, limit: int) -> None:
        self.left = limit
        self.owed = _OWED

    def convert(self, value: Any, above: tuple[int, ...]) -> Any:
        match value:
            case None | bool():
                return self._plain(value, 4)
            case int() if abs(value) < 2**63:
                return self._plain(int(value), len(str(int(value))))
            case int():
                return self._text(str(value)[:80])
            case float() if math.isfinite(value):
                return self._plain(value, len(repr(value)))
            case float():
                return self._text(str(value))
            case str():
                return self._text(value)
            case bytes() | bytearray() | memoryview():
                return f"(binary, {len(value)} bytes)"
            case datetime() | date() | time():
                return value.isoformat()
            case _:
                pass
        if id(value) in above or len(above) > _MAX_DEPTH:
            return "(circular)" if id(value) in above else "(too deep)"
        return self._container(value, (*above, id(value)))

    def _plain(self, value: Any, cost: int) -> Any:
        self.left -= cost
        return value

    def _takes(self) -> bool:
        """Whether one more entry may be written."""
        if self.left > 0:
            self.left -= _ENTRY
            return True
        self.owed -= 1
        return self.owed >= 0

    def _container(self, value: Any, above: tuple[int, ...]) -> Any:
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = [each.name for each in dataclasses.fields(value)]
            value = {name: getattr(value, name) for name in names}
        if isinstance(value, Mapping):
            return self._mapping(cast(Mapping[Any, Any], value), above)
        if isinstance(value, list | tuple | set | frozenset):
            return self._items(cast(Iterable[Any], value), above)
        return f"({type(value).__name__})"

    def _mapping(self, value: Mapping[Any, Any], above: tuple[int, ...]) -> dict[str, Any]:
        safe: dict[str, Any] = {}
        for key, each in value.items():
            if not self._takes():
                safe["truncated"] = _REST
                break
            name = clean(str(key)[:_LONGEST_KEY])
            self.left -= len(name)
            safe[name] = self.convert(each, above)
        return safe

    def _items(self, value: Iterable[Any], above: tuple[int, ...]) -> list[Any]:
        if isinstance(value, set | frozenset):
            value = sorted(cast(Iterable[Any], value), key=repr)
        safe: list[Any] = []
        for each in value:
            if self.left <= 0:
                safe.append(_REST)
                break
            self.left -= _ENTRY
            safe.append(self.convert(each, above))
        return safe

    def _text(self, text: str) -> str:
        self.left = max(self.left, 0)
        kept = clean(text[: self.left + 1])
        if len(kept) <= self.left:
            self.left -= len(kept)
            return kept
        kept, self.left = kept[: self.left], 0
        return f"{kept}…(truncated: {len(text)} characters)"
