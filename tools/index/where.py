"""Conditions on typed fields that a row must keep before any score is looked at.

Values compare with values of their own kind only: numbers with numbers, words with words (whatever
their case), true with true. Only numbers have an order; a day or a quantity with a unit is compared
as one, in the place of its measure. A row without the field, or with another kind in it, keeps
``!=`` and ``not in`` and no other condition. A field may hold several values: one of them is enough
for a condition, and for ``!=`` and ``not in`` none of them may be one that is named.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as attribute
from operator import ge, gt, le, lt
from typing import Any, Literal, Self, cast
from unicodedata import normalize

from tools.index.columns import (
    Column,
    Held,
    Kind,
    Type,
    Value,
    asked_number,
    comparable,
    each_of,
    field_name,
    folded,
    in_unit_of_name,
    place,
    read_day,
    read_number,
    read_quantity,
)
from tools.patterns import lazy_pattern
from tools.problems import FilterError
from tools.units import BASES, CURRENCIES, Measure, named_units

Words = Callable[[str], Sequence[str] | None]
"""The words that a field holds, by its name: at most ``MOST_WORDS`` and one. None where nobody
knows."""

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "range", "in", "not in"]

LARGEST = 2**63 - 1
MOST_WORDS = 100
"""Words that a field of numbers may hold beside them for a condition to be checked against them."""

_WRITTEN = lazy_pattern(
    r"\s*(?P<name>[^\s=<>!≤≥\"](?:[^=<>!≤≥\"]*?[^\s=<>!≤≥\"])??)\s*"
    r"(?:(?P<sign>!=|<=|>=|≤|≥|=|<|>)|\s(?P<word>not\s+in|in)\s)\s*(?P<value>[^\s=<>!≤≥].*?)\s*",
    re.IGNORECASE | re.DOTALL,
)
_RANGE = lazy_pattern(r"(.+?)\s*\.\.\s*(.+)", re.DOTALL)
_LIKE_A_DAY = lazy_pattern(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ].*)?", re.ASCII)
_LIKE_A_MONTH = lazy_pattern(r"\d{4}[-/]\d{1,2}", re.ASCII)

_MOST_TOLD = 5
_SWITCH = {"true": True, "false": False}
_SIGNS = {"≤": "<=", "≥": ">="}
_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


def kind(value: Value) -> Kind:
    """What a value compares with."""
    if isinstance(value, bool):
        return "switch"
    return "word" if isinstance(value, str) else "number"


@dataclass(frozen=True)
class Condition:
    """One condition: ``values`` holds one value, the lowest and highest of a ``range`` (both
    count), or the choices of ``in`` and ``not in``. An order is one of numbers, or of what they
    are of the ``measure``. ``said`` is how a person wrote it. Raises FilterError for what cannot be
    compared: an order of anything but numbers, a range whose end comes before its beginning, a
    number beyond 64 bits."""

    field: str
    operator: Operator
    values: tuple[Value, ...]
    measure: str = ""
    said: str = attribute(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "field", field_name(self.field))
        object.__setattr__(self, "values", tuple(map(kept_value, self.values)))
        many = self.operator in ("in", "not in")
        ordered = self.operator in ("<", "<=", ">", ">=", "range")
        count = len(self.values)
        if not self.field or (count == 0 if many else count != 1 + (self.operator == "range")):
            raise FilterError("form_of_field", given=self.written)
        if ordered and {kind(value) for value in self.values} != {"number"}:
            raise FilterError(
                "operator", name=self.field, expected=f"{self.field}=...", given=self.written
            )
        low: Any = self.values[0] if self.values else None
        high: Any = self.values[-1] if self.values else None
        if self.operator == "range" and low > high:
            raise FilterError("reversed", given=self.written)

    @property
    def place(self) -> str:
        """Where in a row, as ``comparable`` makes it, the values lie that are compared."""
        return place(self.field, self.measure)

    @property
    def written(self) -> str:
        """The condition as a person writes it."""
        if self.said:
            return self.said
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
        """Whether a row with these fields, as ``comparable`` makes them, keeps the condition."""
        held = each_of(fields.get(self.place))
        if self.operator in ("!=", "not in"):
            return not any(map(self._is_one, held))
        if self.operator in ("=", "in"):
            return any(map(self._is_one, held))
        return any(self._in_order(value) for value in held if kind(value) == "number")

    def _is_one(self, value: Value) -> bool:
        return any(_same(value, each) for each in self.values)

    def _in_order(self, value: Any) -> bool:
        low: Any = self.values[0]
        high: Any = self.values[-1]
        if self.operator == "range":
            return bool(low <= value <= high)
        return bool(_COMPARED[self.operator](value, low))


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return folded(one) == folded(other)
    return kind(one) == kind(other) and one == other


@dataclass(frozen=True)
class Where:
    """Conditions that must all hold; none of them lets everything through."""

    conditions: tuple[Condition, ...] = ()

    @classmethod
    def parse(
        cls,
        texts: Iterable[str],
        columns: Mapping[str, Column] | None = None,
        words: Words = lambda name: None,
    ) -> Self:
        """The conditions that these texts write, one in each: ``price<=100000``, ``lang=ko``,
        ``weight<2kg``, ``date>=2026-03``, ``year=2020..2024``, ``lang in ko,en``,
        ``status not in draft,old``, ``public=true``.

        ``columns`` are the fields of the index: a value is read as one of its column's type, and
        a field that is not there raises FilterError. So do an order where the column has none, a
        value that is not of its type, and a word that is none of its few ``words``. Without columns
        a value decides itself what it is. What stands in quotes is a word, but in a column that
        has only numbers.
        """
        return cls(tuple(_read(text, columns, words) for text in texts))

    def matches(self, fields: Mapping[str, Held]) -> bool:
        """Whether a row with these fields keeps every condition."""
        made = comparable(fields)
        return all(condition.matches(made) for condition in self.conditions)

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


def _read(text: str, columns: Mapping[str, Column] | None, words: Words) -> Condition:
    if not text.strip():
        raise FilterError("nothing")
    match = _WRITTEN.fullmatch(normalize("NFC", text))
    if match is None:
        raise FilterError("form_of_field", given=text)
    name = field_name(match["name"])
    if columns is not None and name not in columns:
        raise FilterError("unknown", name=name, names=", ".join(sorted(columns)))
    sign: Any = " ".join((match["word"] or match["sign"]).casefold().split())
    sign = _SIGNS.get(sign, sign)
    value = match["value"]
    column = None if columns is None else columns[name]
    bounds = _RANGE.fullmatch(value)
    if sign in ("in", "not in"):
        reader = _Reader(name, column, words)
        return Condition(name, sign, tuple(map(reader.equal, _choices(value))))
    if sign == "=" and bounds is not None and not _is_quoted(value):
        return _Ordered(name, column, words).between(bounds[1], bounds[2])
    if sign in _COMPARED:
        return _Ordered(name, column, words).compared(sign, value)
    return Condition(name, sign, (_Reader(name, column, words).equal(value),))


def _choices(text: str) -> list[str]:
    """The choices of a list; a comma inside quotes belongs to its word."""
    return re.findall(r'\s*("[^"]*"|[^,]+)\s*(?:,|$)', text)


@dataclass(frozen=True)
class _Reader:
    """Reads the values of a condition on one field, by what its column holds (None where nobody
    knows)."""

    name: str
    column: Column | None
    words: Words

    @property
    def type(self) -> Type | None:
        """What the column's values are; None where nobody knows."""
        return None if self.column is None else self.column.type

    def equal(self, text: str) -> Value:
        """A value that others may be equal to."""
        text = text.strip()
        kinds: set[Kind] = self.column.kinds if self.column else {"number", "word", "switch"}
        if _is_quoted(text):
            text = text[1:-1]
            number = read_number(text)
            only_numbers = self.column is not None and text not in self.known()
            return number if only_numbers and "number" in kinds and number is not None else text
        if "switch" in kinds and text.casefold() in _SWITCH:
            return _SWITCH[text.casefold()]
        measured = self._measured(text, kinds)
        if measured is not None:
            return measured
        if _LIKE_A_DAY.fullmatch(text) and self.type in (None, "day"):
            raise FilterError("day", name=self.name, given=text)
        if "word" not in kinds or not self._is_known(text):
            raise self.stranger(text)
        if self.name == "folder":
            return text.rstrip("/") or text
        return text

    def _measured(self, text: str, kinds: set[Kind]) -> Value | None:
        """A number, or what a day or a quantity equals; None for a text that is only a word."""
        if self.type in (None, "day"):
            day = read_day(text, also_years=self.type == "day")
            if day is not None:
                return day.words[-1]
        read = read_quantity(text)
        is_money = read is not None and read.measure in CURRENCIES
        if "number" in kinds:
            exact = self.type in (None, "number")
            lenient = "word" not in kinds
            number = self.number(text, leniently=lenient) if exact else read_number(text)
            if self.type == "mixed" and (number is not None or is_money):
                raise self.no_order()
            if number is not None:
                return number
        if read is None or is_money or self.type not in (None, "mixed", read.measure):
            return None
        return read.words[-1]

    def number(self, text: str, *, leniently: bool) -> int | float | None:
        """A number as a column of numbers holds it: plain, in its currency, or in the unit that its
        name tells; ``leniently`` also one that beside words would be the name of something."""
        number = asked_number(text) if leniently else read_number(text)
        if number is not None:
            return number
        read = read_quantity(text)
        if read is None or read.measure == "day":
            return None
        currency = self.column.currency if self.column else None
        if read.measure in CURRENCIES:
            named = {measure for measure, _ in named_units(self.name)}
            return read.value if {read.measure} == (named or {currency or "won"}) else None
        return in_unit_of_name(self.name, read)

    def _is_known(self, text: str) -> bool:
        """Whether a word may be one that the field holds: in a field of words any may be, beside
        numbers, days and quantities only one of the few that are there."""
        known = self.words(self.name)
        if self.column is None or self.type == "text" or known is None:
            return True
        return len(known) > MOST_WORDS or folded(text) in map(folded, known)

    def known(self) -> Sequence[str]:
        """The words that the field is known to hold."""
        return self.words(self.name) or ()

    def stranger(self, given: str) -> FilterError:
        """What to say of a value that is none of the column's."""
        fault = "choice" if self.column and self.column.kinds == {"switch"} else "fit"
        return FilterError(fault, name=self.name, choices=self.examples(), given=given)

    def no_order(self) -> FilterError:
        """What to say where an order is asked of a column that has none."""
        held = ", ".join(self.known()[:_MOST_TOLD])
        fault = "mixed" if self.type == "mixed" else "no_order"
        return FilterError(fault, name=self.name, values=held or "true, false")

    def examples(self) -> str:
        """A few values of the column."""
        known = self.known()
        if self.column is None or self.type == "text":
            examples = [*known]
        elif self.type == "number":
            words = [each for each in known if read_quantity(each) is None]
            examples = [*(each for each in known if read_quantity(each))][:2] or ["1", "2.5"]
            examples += words
        else:
            examples = sorted(known, key=lambda each: not self._fits(each))
        if self.column is not None and self.column.counts.get("switch"):
            examples = ["true", "false", *examples]
        return ", ".join(examples[:_MOST_TOLD])

    def _fits(self, word: str) -> bool:
        read = read_quantity(word)
        return read is not None and self.column is not None and self.column.fits(read.measure)


class _Ordered(_Reader):
    """Reads conditions on an order."""

    def compared(self, sign: Operator, text: str) -> Condition:
        """A comparison with one value; one with a day, a month or a year is with all of it."""
        low, high, measure = self._span(text)
        value = high if sign in ("<=", ">") else low
        return Condition(self.name, sign, (value,), measure, self._said(sign, text, measure))

    def between(self, first: str, last: str) -> Condition:
        """A range of two values, which both belong to it."""
        low, _, measure = self._span(first)
        _, high, other = self._span(last)
        if measure != other:
            raise self.stranger(last)
        said = self._said("=", f"{first}..{last}", measure)
        return Condition(self.name, "range", (low, high), measure, said)

    def _said(self, sign: str, text: str, measure: str) -> str:
        return f"{self.name}{sign}{text.strip()}" if measure else ""

    def _span(self, text: str) -> tuple[int | float, int | float, str]:
        """The least and the greatest that a value may mean, and their measure."""
        text = text.strip()
        if _is_quoted(text):
            text = text[1:-1].strip()
        if self.type in ("text", "mixed"):
            raise self.no_order()
        span = self._spanned(text)
        if span is not None:
            return span
        like_a_day = _LIKE_A_DAY.fullmatch(text) or _LIKE_A_MONTH.fullmatch(text)
        if self.type in (None, "day") and like_a_day:
            raise FilterError("day", name=self.name, given=text)
        raise self.stranger(text)

    def _spanned(self, text: str) -> tuple[int | float, int | float, str] | None:
        """The same of a value without quotes; None for one that has no place in the order."""
        if self.type in (None, "number"):
            number = self.number(text, leniently=True)
            if number is not None:
                return number, number, ""
        if self.type in (None, "day"):
            day = read_day(text, also_years=self.type == "day")
            if day is not None:
                return day.first, day.last, "day"
        read = read_quantity(text)
        if read is not None and read.measure in (self.type or read.measure, self.type):
            if read.measure not in CURRENCIES and read.measure != "day":
                return read.value, read.value, read.measure
        return None

    def examples(self) -> str:
        """A few values of the column that an order may be asked with."""
        given = [each for each in self.known() if self._spanned(each.strip()) is not None]
        if self.type == "number":
            return ", ".join(given[:2] or ["1", "2.5"])
        if not given:
            unit = BASES.get(cast(Measure, self.type))
            given = [f"1{unit}", f"2.5{unit}"] if unit else ["2026", "2026-03", "2026-03-04"]
        return ", ".join(given[:_MOST_TOLD])


def _is_quoted(text: str) -> bool:
    return len(text) >= 2 and text[0] == text[-1] == '"'


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    plain = not isinstance(value, str) or (
        value.casefold() not in _SWITCH
        and asked_number(value) is None
        and not _LIKE_A_DAY.fullmatch(value)
        and value == value.strip() != ""
        and not re.search(r"[\",]|\.\.", value)
    )
    return str(value) if plain else f'"{value}"'
