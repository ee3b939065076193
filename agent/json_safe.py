"""Tool results as JSON the API takes: objects only, NFC, no NaN, no bytes, no endless text."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Any, cast
from unicodedata import normalize

MAX_CHARACTERS = 20_000
"""Characters of text one tool result may bring into the history."""

_MAX_DEPTH = 20
_LONGEST_KEY = 200
_FIELDS = 20
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    """``text`` as NFC without control characters; lone surrogates become the replacement mark."""
    return normalize("NFC", _UNPRINTABLE.sub("", _SURROGATE.sub("\ufffd", text)))


def json_safe(value: Any, limit: int = MAX_CHARACTERS) -> Any:
    """``value`` as JSON values. Text beyond ``limit`` characters in all is cut with a visible
    mark, binary becomes a note of its size, and what has no JSON form becomes its type's name."""
    return _Converter(limit).convert(value, ())


class _Converter:
    def __init__(self, limit: int) -> None:
        self.left = limit

    def convert(self, value: Any, above: tuple[int, ...]) -> Any:
        match value:
            case None | bool():
                return value
            case int():
                return int(value) if abs(value) < 2**63 else str(value)[:80]
            case float():
                return value if math.isfinite(value) else str(value)
            case str():
                return self._text(value)
            case bytes() | bytearray() | memoryview():
                return f"(binary, {len(value)} bytes)"
            case datetime() | date() | time():
                return value.isoformat()
        if id(value) in above or len(above) > _MAX_DEPTH:
            return "(circular)" if id(value) in above else "(too deep)"
        return self._container(value, (*above, id(value)))

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
            # a record keeps its fields, each cut; only a table of many is cut short
            if self.left <= 0 and len(safe) >= _FIELDS:
                safe["truncated"] = "(truncated: the rest was left out)"
                break
            self.left -= 1
            safe[clean(str(key))[:_LONGEST_KEY]] = self.convert(each, above)
        return safe

    def _items(self, value: Iterable[Any], above: tuple[int, ...]) -> list[Any]:
        if isinstance(value, set | frozenset):
            value = sorted(cast(Iterable[Any], value), key=repr)
        safe: list[Any] = []
        for each in value:
            if self.left <= 0:
                safe.append("(truncated: the rest was left out)")
                break
            self.left -= 1
            safe.append(self.convert(each, above))
        return safe

    def _text(self, text: str) -> str:
        kept = clean(text[: self.left + 1])
        if len(kept) <= self.left:
            self.left -= len(kept)
            return kept
        kept, self.left = kept[: max(self.left, 0)], 0
        return f"{kept}…(truncated: {len(text)} characters)"
