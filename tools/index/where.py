"""Conditions on typed fields that a row must keep before any score is looked at.

Values compare with values of their own kind only: numbers with numbers, words with words, true
with true. A row without the field, or with another kind in it, keeps ``!=`` and ``not in`` and no
other condition. Words are ordered by code point, so that ISO dates compare as dates.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import Any, Literal, Self
from unicodedata import normalize

from tools.problems import FilterError

Value = str | int | float | bool
Kind = Literal["number", "word", "switch"]
Operator = Literal["=", "!=", "<", "<=", ">", ">=", "range", "in", "not in"]

LARGEST = 2**63 - 1
_WRITTEN = re.compile(
    r"\s*(?P<name>[\w-]+)\s*"
    r"(?:(?P<sign>!=|<=|>=|≤|≥|=|<|>)|\s(?P<word>not\s+in|in)\s)\s*(?P<value>[^\s=<>!≤≥].*?)\s*",
    re.IGNORECASE | re.DOTALL,
)
_RANGE = re.compile(r"(.+?)\s*\.\.\s*(.+)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,19})(?P<part>\.\d{1,19})?", re.ASCII)
_SWITCH = {"true": True, "false": False}
_EXAMPLES: dict[Kind, str] = {"number": "1, 2.5, ...", "switch": "true, false"}
_SIGNS = {"≤": "<=", "≥": ">="}
_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


def field_name(text: str) -> str:
    """A field's name as it is kept and asked for: NFC, case-folded, words joined with ``_``."""
    return re.sub(r"[^\w-]+", "_", normalize("NFC", text).strip().casefold())


def kind(value: Value) -> Kind:
    """What a value compares with."""
    if isinstance(value, bool):
        return "switch"
    return "word" if isinstance(value, str) else "number"


@dataclass(frozen=True)
class Condition:
    """One condition: ``values`` holds one value, the lowest and highest of a ``range`` (both
    count), or the choices of ``in`` and ``not in``. Raises FilterError for what cannot be
    compared: a switch or mixed kinds in an order, a number beyond 64 bits."""

    field: str
    operator: Operator
    values: tuple[Value, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "field", field_name(self.field))
        object.__setattr__(self, "values", tuple(map(kept_value, self.values)))
        kinds = {kind(value) for value in self.values}
        many = self.operator in ("in", "not in")
        ordered = self.operator in ("<", "<=", ">", ">=", "range")
        count = len(self.values)
        if not self.field or (count == 0 if many else count != 1 + (self.operator == "range")):
            raise FilterError("form_of_field", given=self.written)
        if ordered and (len(kinds) > 1 or "switch" in kinds):
            raise FilterError(
                "operator", name=self.field, expected=f"{self.field}=...", given=self.written
            )

    @property
    def written(self) -> str:
        """The condition as a person writes it."""
        shown = [_shown(value) for value in self.values]
        if self.operator == "range":
            return f"{self.field}={'..'.join(shown)}"
        if self.operator in ("in", "not in"):
            return f"{self.field} {self.operator} {','.join(shown)}"
        return f"{self.field}{self.operator}{''.join(shown)}"

    @property
    def bounds(self) -> tuple[Any, Any, bool, bool]:
        """Of a condition on an order: the lowest and the highest value, None where there is no such
        bound, and whether each of them counts."""
        first, last = self.values[0], self.values[-1]
        if self.operator == "range":
            return first, last, True, True
        counts = self.operator in ("<=", ">=")
        if self.operator in ("<", "<="):
            return None, first, True, counts
        return first, None, counts, True

    def matches(self, fields: Mapping[str, Value]) -> bool:
        """Whether a row with these fields keeps the condition."""
        value = fields.get(self.field)
        if self.operator in ("!=", "not in"):
            return value is None or not self._is_one(value)
        if self.operator in ("=", "in"):
            return value is not None and self._is_one(value)
        return value is not None and kind(value) == kind(self.values[0]) and self._in_order(value)

    def _is_one(self, value: Value) -> bool:
        return any(kind(value) == kind(each) and value == each for each in self.values)

    def _in_order(self, value: Any) -> bool:
        low: Any = self.values[0]
        high: Any = self.values[-1]
        if self.operator == "range":
            return bool(low <= value <= high)
        return bool(_COMPARED[self.operator](value, low))


@dataclass(frozen=True)
class Where:
    """Conditions that must all hold; none of them lets everything through."""

    conditions: tuple[Condition, ...] = ()

    @classmethod
    def parse(cls, texts: Iterable[str], kinds: Mapping[str, set[Kind]] | None = None) -> Self:
        """The conditions that these texts write, one in each: ``price<=100000``, ``lang=ko``,
        ``year=2020..2024``, ``lang in ko,en``, ``status not in draft,old``, ``public=true``.

        ``kinds`` are the kinds that each field of the index holds: a value is read as one of
        them, and a field that is not there raises FilterError. Without them a number is a number,
        true and false are switches and anything else, or anything in quotes, is a word.
        """
        return cls(tuple(_read(text, kinds) for text in texts))

    def matches(self, fields: Mapping[str, Value]) -> bool:
        """Whether a row with these fields keeps every condition."""
        return all(condition.matches(fields) for condition in self.conditions)

    def __and__(self, other: Where) -> Where:
        return Where(self.conditions + other.conditions)

    @property
    def told(self) -> str:
        """Every condition in one line."""
        return ", ".join(condition.written for condition in self.conditions)


def kept_value(value: Value) -> Value:
    """A value as fields hold it: words NFC. Raises FilterError for a number that is none or that
    does not fit in 64 bits."""
    if isinstance(value, str):
        return normalize("NFC", value)
    if isinstance(value, float) and not math.isfinite(value):
        raise FilterError("form_of_field", given=value)
    if not isinstance(value, bool) and not -LARGEST <= value <= LARGEST:
        raise FilterError("form_of_field", given=value)
    return value


def is_whole(value: int | float) -> bool:
    """Whether a number is a whole one that 64 bits hold, however it is written."""
    return float(value).is_integer() and abs(value) <= LARGEST


def whole_bounds(condition: Condition) -> tuple[int, int]:
    """The least and the greatest whole number, of 64 bits, that keep a condition on the order of
    numbers; the first is the greater one where none does."""
    low, high, low_counts, high_counts = condition.bounds
    return _inner(low, low_counts, up=True), _inner(high, high_counts, up=False)


def _inner(bound: Any, counts: bool, *, up: bool) -> int:
    """The whole number nearest to a bound on its inner side."""
    if bound is None:
        return -LARGEST if up else LARGEST
    inner: int = math.ceil(bound) if up else math.floor(bound)
    if inner == bound and not counts:
        inner += 1 if up else -1
    return max(-LARGEST, inner) if up else min(LARGEST, inner)


def _read(text: str, kinds: Mapping[str, set[Kind]] | None) -> Condition:
    match = _WRITTEN.fullmatch(normalize("NFC", text))
    if match is None:
        raise FilterError("form_of_field", given=text)
    name = field_name(match["name"])
    if kinds is not None and name not in kinds:
        raise FilterError("unknown", name=name, names=", ".join(sorted(kinds)))
    held = None if kinds is None else kinds[name]
    sign: Any = " ".join((match["word"] or match["sign"]).casefold().split())
    sign = _SIGNS.get(sign, sign)
    if sign in ("in", "not in"):
        return Condition(name, sign, tuple(_values(name, match["value"], held)))
    bounds = _RANGE.fullmatch(match["value"])
    if sign == "=" and bounds and not _is_quoted(match["value"]):
        return Condition(name, "range", tuple(_value(name, bounds[side], held) for side in (1, 2)))
    return Condition(name, sign, (_value(name, match["value"], held),))


def _values(name: str, text: str, held: set[Kind] | None) -> list[Value]:
    """The choices of a list; a comma inside quotes belongs to its word."""
    parts = re.findall(r'\s*("[^"]*"|[^,]+)\s*(?:,|$)', text)
    return [_value(name, part, held) for part in parts]


def _value(name: str, text: str, held: set[Kind] | None) -> Value:
    text = text.strip()
    if _is_quoted(text):
        return text[1:-1]
    if (held is None or "switch" in held) and text.casefold() in _SWITCH:
        return _SWITCH[text.casefold()]
    number = _NUMBER.fullmatch(text)
    if number and (held is None or "number" in held):
        digits = text.replace(",", "")
        return float(digits) if number["part"] else int(digits)
    if held is not None and "word" not in held:
        choices = ", ".join(_EXAMPLES[each] for each in sorted(held))
        raise FilterError("choice", name=name, choices=choices, given=text)
    return text


def _is_quoted(text: str) -> bool:
    return len(text) >= 2 and text[0] == text[-1] == '"'


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    plain = not isinstance(value, str) or (
        value.casefold() not in _SWITCH
        and not _NUMBER.fullmatch(value)
        and value == value.strip() != ""
        and not re.search(r"[\",]|\.\.", value)
    )
    return str(value) if plain else f'"{value}"'
