"""Conditions on typed fields that a row must keep before any score is looked at.

Values compare with values of their own kind only: numbers with numbers, words with words, true
with true. A row without the field, or with another kind in it, keeps ``!=`` and ``not in`` and no
other condition. A field may hold several values: one of them is enough for a condition, and for
``!=`` and ``not in`` none of them may be one that is named. Words are ordered by code point, so
that ISO dates compare as dates.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import ge, gt, le, lt
from typing import Any, Literal, Self
from unicodedata import normalize

from tools.amounts import WonRange, read_won
from tools.problems import FilterError

Value = str | int | float | bool
Held = Value | tuple[Value, ...] | list[Value]
"""What a field of a row holds: one value, or several."""

Words = Callable[[str], Sequence[str] | None]
"""The words that a field holds, by its name: at most ``MOST_WORDS`` and one. None where nobody
knows."""

Kind = Literal["number", "word", "switch"]
Operator = Literal["=", "!=", "<", "<=", ">", ">=", "range", "in", "not in"]

LARGEST = 2**63 - 1
MOST_WORDS = 100
"""Words that a field of numbers may hold beside them for a condition to be checked against them."""

_WRITTEN = re.compile(
    r"\s*(?P<name>[^\s=<>!≤≥\"](?:[^=<>!≤≥\"]*?[^\s=<>!≤≥\"])??)\s*"
    r"(?:(?P<sign>!=|<=|>=|≤|≥|=|<|>)|\s(?P<word>not\s+in|in)\s)\s*(?P<value>[^\s=<>!≤≥].*?)\s*",
    re.IGNORECASE | re.DOTALL,
)
_RANGE = re.compile(r"(.+?)\s*\.\.\s*(.+)", re.DOTALL)
_NUMBER = re.compile(
    r"[+-]?(?P<whole>0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,18})(?P<part>\.\d+)?", re.ASCII
)
_WON = re.compile(r"(?:₩|￦|KRW)\s?\d.*|\d.*(?:원|won|KRW)", re.ASCII | re.IGNORECASE)
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?|(\d{4})-(\d{1,2})", re.ASCII)
_KRW = re.compile(r"^KRW\s?", re.IGNORECASE)
_LATIN_WON = re.compile(r"\s?(?:won|KRW)$", re.IGNORECASE)
_WHOLE_DIGITS = 15
"""Longer numbers in a text are names of something: of a card, of an order."""

_MOST_TOLD = 5
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


def each_of(held: Held | None) -> Sequence[Value]:
    """The values that a field holds."""
    if held is None:
        return ()
    return held if isinstance(held, tuple | list) else (held,)


def read_number(text: str) -> int | float | None:
    """The number that a text writes, also as an amount of won (``129,000원``); None for a text that
    is none. What begins with a zero (``007``) or has more digits than a number of things has is a
    name."""
    match = _NUMBER.fullmatch(text)
    if match:
        digits = match["whole"].replace(",", "")
        return _number(text) if len(digits) <= _WHOLE_DIGITS else None
    if _WON.fullmatch(text):
        won = read_won(_KRW.sub("₩", _LATIN_WON.sub("원", text)))
        if isinstance(won, WonRange) and won.low == won.high and not won.per:
            return won.low
    return None


def _number(text: str) -> int | float:
    digits = text.replace(",", "")
    return float(digits) if "." in digits else int(digits)


def kind(value: Value) -> Kind:
    """What a value compares with."""
    if isinstance(value, bool):
        return "switch"
    return "word" if isinstance(value, str) else "number"


@dataclass(frozen=True)
class Condition:
    """One condition: ``values`` holds one value, the lowest and highest of a ``range`` (both
    count), or the choices of ``in`` and ``not in``. Raises FilterError for what cannot be
    compared: a switch or mixed kinds in an order, a range whose end comes before its beginning, a
    number beyond 64 bits."""

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
        low: Any = self.values[0] if self.values else None
        high: Any = self.values[-1] if self.values else None
        if self.operator == "range" and low > high:
            raise FilterError("reversed", given=self.written)

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

    def matches(self, fields: Mapping[str, Held]) -> bool:
        """Whether a row with these fields keeps the condition."""
        held = each_of(fields.get(self.field))
        if self.operator in ("!=", "not in"):
            return not any(map(self._is_one, held))
        if self.operator in ("=", "in"):
            return any(map(self._is_one, held))
        same = (value for value in held if kind(value) == kind(self.values[0]))
        return any(map(self._in_order, same))

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
    def parse(
        cls,
        texts: Iterable[str],
        kinds: Mapping[str, set[Kind]] | None = None,
        words: Words | None = None,
    ) -> Self:
        """The conditions that these texts write, one in each: ``price<=100000``, ``lang=ko``,
        ``year=2020..2024``, ``lang in ko,en``, ``status not in draft,old``, ``public=true``.

        ``kinds`` are the kinds that each field of the index holds: a value is read as one of
        them, and a field that is not there raises FilterError. Without them a number is a number,
        true and false are switches and anything else, or anything in quotes, is a word. Where a
        field holds a few ``words`` beside numbers, a word that is none of them raises FilterError,
        and so does a day that the calendar lacks, unless it stands in quotes.
        """
        return cls(tuple(_read(text, kinds, words) for text in texts))

    def matches(self, fields: Mapping[str, Held]) -> bool:
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


def field_of(text: str) -> str | None:
    """The field that a condition is about; None for a text that is no condition."""
    match = _WRITTEN.fullmatch(normalize("NFC", text))
    return field_name(match["name"]) if match else None


def _read(text: str, kinds: Mapping[str, set[Kind]] | None, words: Words | None) -> Condition:
    match = _WRITTEN.fullmatch(normalize("NFC", text))
    if match is None:
        raise FilterError("form_of_field", given=text)
    name = field_name(match["name"])
    if kinds is not None and name not in kinds:
        raise FilterError("unknown", name=name, names=", ".join(sorted(kinds)))
    sign: Any = " ".join((match["word"] or match["sign"]).casefold().split())
    sign = _SIGNS.get(sign, sign)
    bounds = _RANGE.fullmatch(match["value"])
    is_range = sign == "=" and bounds is not None and not _is_quoted(match["value"])
    reader = _Reader(
        name, None if kinds is None else kinds[name], words, is_range or sign in _COMPARED
    )
    if sign in ("in", "not in"):
        return Condition(name, sign, tuple(map(reader.value, _choices(match["value"]))))
    if is_range and bounds is not None:
        return Condition(name, "range", (reader.value(bounds[1]), reader.value(bounds[2])))
    return Condition(name, sign, (reader.value(match["value"]),))


def _choices(text: str) -> list[str]:
    """The choices of a list; a comma inside quotes belongs to its word."""
    return re.findall(r'\s*("[^"]*"|[^,]+)\s*(?:,|$)', text)


@dataclass(frozen=True)
class _Reader:
    """Reads the values of a condition on one field, by the kinds that the field holds (None where
    nobody knows)."""

    name: str
    held: set[Kind] | None
    words: Words | None
    is_ordered: bool

    def value(self, text: str) -> Value:
        text = text.strip()
        if _is_quoted(text):
            return text[1:-1]
        if self._may_be("switch") and text.casefold() in _SWITCH:
            return _SWITCH[text.casefold()]
        if self._may_be("number"):
            number = read_number(text)
            # where no words are, a number of any length can only be meant as one
            if number is None and self.held != {"number", "word"} and _NUMBER.fullmatch(text):
                number = _number(text)
            if number is not None:
                return number
        if not self._may_be("word"):
            raise self._none_of((), text)
        self._check_day(text)
        self._check_word(text)
        return text

    def _may_be(self, kind: Kind) -> bool:
        return self.held is None or kind in self.held

    def _none_of(self, words: Sequence[str], given: str) -> FilterError:
        kinds = sorted((self.held or set()) - {"word"})
        choices = [*(_EXAMPLES[each] for each in kinds), *words]
        return FilterError("choice", name=self.name, choices=", ".join(choices), given=given)

    def _check_day(self, text: str) -> None:
        """Raises FilterError for a day that is none, and in an order for one that would compare
        wrongly (2026-1-5)."""
        match = _DAY.fullmatch(text)
        if match is None or (match[4] and not self.is_ordered):
            return
        year, month, day = match.group(1, 2, 3) if match[1] else (*match.group(4, 5), "01")
        short = self.is_ordered and (len(month) < 2 or len(day) < 2)
        try:
            date(int(year), int(month), int(day))
        except ValueError:
            short = True
        if short:
            raise FilterError("day", name=self.name, given=text)

    def _check_word(self, text: str) -> None:
        """Raises FilterError for a word that a field of numbers does not hold, where its words are
        few. In an order what begins with a digit may be meant: a day, a version."""
        if self.words is None or not self.held or "number" not in self.held:
            return
        if self.is_ordered and text[:1].isdigit():
            return
        known = self.words(self.name)
        if known is not None and text not in known and len(known) <= MOST_WORDS:
            raise self._none_of(known[:_MOST_TOLD], text)


def _is_quoted(text: str) -> bool:
    return len(text) >= 2 and text[0] == text[-1] == '"'


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    plain = not isinstance(value, str) or (
        value.casefold() not in _SWITCH
        and read_number(value) is None
        and not _NUMBER.fullmatch(value)
        and not _DAY.fullmatch(value)
        and value == value.strip() != ""
        and not re.search(r"[\",]|\.\.", value)
    )
    return str(value) if plain else f'"{value}"'
