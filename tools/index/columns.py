"""What the values of a field are, each for itself and all together.

A value is a number, a truth value, an amount of money, a quantity with a unit, a day, or a word.
All values of one field decide its type: what at least half of them are. Values of that type are
compared in one unit, and the others meet no comparison.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from functools import lru_cache
from typing import Literal, cast
from unicodedata import normalize

from tools.amounts import WonRange, read_won
from tools.numerals import MONTH_NAMES, SCALES, month_number
from tools.patterns import lazy_pattern
from tools.units import BASES, CURRENCIES, SYMBOL, Currency, Measure, named_units, unit

Value = str | int | float | bool
Held = Value | tuple[Value, ...] | list[Value]
"""What a field of a row holds: one value, or several."""

Kind = Literal["number", "word", "switch"]
Reading = Literal["number", "word", "switch"] | Measure
"""What one value is: a measure, a number without one, a word, true or false."""

Type = Literal["number", "text", "mixed"] | Measure
"""What a field is compared as; a ``mixed`` one, of two currencies or measures, and a ``text`` have
no order. Amounts of one currency are ``number``."""

AT = "@"
"""Between a field's name and the measure in the name of the place where its quantities lie; no
name of a field has it."""

_NUMBER = lazy_pattern(
    r"[+-]?(?P<whole>0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,18})(?P<part>\.\d+)?", re.ASCII
)
_EXPONENT = lazy_pattern(r"[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,3}", re.ASCII)
_WHOLE_DIGITS = 15
"""Longer numbers in a text are names of something: of a card, of an order."""

_LONGEST = 60
_QUANTITY = lazy_pattern(r"([+-]?[\d,]*\.?\d+)\s?([^\W\d_]{1,12}|%)")
_SIGNED = lazy_pattern(rf"([+-]?)\s?({SYMBOL}|[A-Za-z]{{3}})\s?(\d.*)")
_SCALED = lazy_pattern(r"(.*[\d십백천만억조])\s?([A-Za-z]{3,7}|[가-힣]{1,3})")

_YEAR = r"(?P<year>[12]\d{3})"
MONTH_NAME = rf"(?P<name>{'|'.join(MONTH_NAMES)})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_TIME = (
    r"(?:[T ]\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s?(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_WEEKDAY = r"(?:\s?\(?[월화수목금토일](?:요일)?\)?)?"
DAYS = (
    rf"{_YEAR}(?P<sign>[-/.])\s?(?P<month>\d{{1,2}})(?:(?P=sign)\s?{_DAY})",
    rf"{_YEAR}년(?:\s?(?P<month>\d{{1,2}})월(?:\s?(?P<day>\d{{1,2}})일)?)?",
    rf"{_YEAR}[-/](?P<month>\d{{1,2}})",
    rf"{MONTH_NAME}\s{_DAY}\s?,?\s{_YEAR}",
    rf"{_DAY}\s{MONTH_NAME}\s?,?\s{_YEAR}",
    rf"{MONTH_NAME},?\s{_YEAR}",
)
"""Days, months and years as people write them, as regular expressions: groups ``year``, ``month``
or ``name``, ``day``. What may be either of two days (03/04/2026) is none."""

_DAYS = tuple(
    lazy_pattern(rf"{pattern}\.?{_WEEKDAY}{_TIME}", re.ASCII | re.IGNORECASE) for pattern in DAYS
)
_ONLY_YEAR = lazy_pattern(_YEAR, re.ASCII)


@dataclass(frozen=True)
class Day:
    """A day, or the days of a month or year, as ``first`` and ``last`` moment
    (``YYYYMMDDhhmmss``); ``words`` write it and what it lies in: 2026, 2026-03, 2026-03-04."""

    first: int
    last: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Quantity:
    """A value with its measure, in the measure's own unit (won, dollars, grams, millimetres); of a
    day its first moment. ``words`` are what it equals, however it is written."""

    measure: Measure
    value: int | float
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Column:
    """How many values of a field read as what."""

    counts: Mapping[str, int]

    def __add__(self, other: Column) -> Column:
        names = {*self.counts, *other.counts}
        return Column({n: self.counts.get(n, 0) + other.counts.get(n, 0) for n in names})

    @property
    def total(self) -> int:
        """The number of values."""
        return sum(self.counts.values())

    @property
    def kinds(self) -> set[Kind]:
        """The kinds of its values as an engine keeps them."""
        found = {reading for reading, count in self.counts.items() if count}
        kinds: set[Kind] = {each for each in ("word", "switch") if each in found}
        if found & {"number", *CURRENCIES}:
            kinds.add("number")
        if found - {"number", "switch"}:
            kinds.add("word")
        return kinds

    @property
    def currency(self) -> Currency | None:
        """The one currency of its amounts."""
        found: list[Currency] = [each for each in CURRENCIES if self.counts.get(each)]
        return found[0] if len(found) == 1 else None

    @property
    def type(self) -> Type:
        """What its values are compared as: the type of at least half of them."""
        readable = {r: n for r, n in self.counts.items() if n and r not in ("word", "switch")}
        measures = [each for each in readable if each not in ("number", "day")]
        fits: dict[str, int] = {"day": readable.get("day", 0)}
        if len(measures) > 1:
            fits["mixed"] = sum(n for r, n in readable.items() if r != "day")
        elif measures and measures[0] not in CURRENCIES:
            fits["number"] = readable.get("number", 0)
            fits[measures[0]] = readable[measures[0]]
        else:
            fits["number"] = sum(n for r, n in readable.items() if r != "day")
        most = max(fits.values())
        best = [name for name, count in fits.items() if count == most]
        if 2 * most < self.total or not most:
            return "text"
        return cast(Type, best[0]) if len(best) == 1 else "mixed"

    def fits(self, reading: Reading) -> bool:
        """Whether a value of this reading is of the column's type."""
        if self.type == "number":
            return reading == "number" or reading in CURRENCIES
        return self.type in ("text", "mixed") or reading == self.type

    @property
    def strays(self) -> int:
        """The number of values that are not of its type."""
        return sum(n for r, n in self.counts.items() if not self.fits(cast(Reading, r)))


def field_name(text: str) -> str:
    """A field's name as it is kept and asked for: NFC, case-folded, words joined with ``_``."""
    return re.sub(r"[^\w-]+", "_", normalize("NFC", text).strip().casefold())


def folded(word: str) -> str:
    """A word as words are compared: case and width do not count."""
    return word if word.isascii() and word.islower() else normalize("NFKC", word).casefold()


def each_of(held: Held | None) -> Sequence[Value]:
    """The values that a field holds."""
    if held is None:
        return ()
    return held if isinstance(held, tuple | list) else (held,)


def read_number(text: str) -> int | float | None:
    """The number that a text writes; None for a text that is none. What begins with a zero
    (``007``) or has more digits than a number of things has is a name."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return float(text) if "." in text and _EXPONENT.fullmatch(text) else None
    digits = match["whole"].replace(",", "")
    return _number(text) if len(digits) <= _WHOLE_DIGITS else None


def asked_number(text: str) -> int | float | None:
    """The number that a person asks for: of any length, also with an exponent (1e2) or a scale
    (20만)."""
    if _EXPONENT.fullmatch(text):
        value = float(text)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return _number(text) if _NUMBER.fullmatch(text) else _scaled(text)


def _scaled(text: str) -> int | None:
    """The number that digits and scales write: 20만, 1억 2천만."""
    if not (text[:1].isdigit() and text.endswith(tuple(SCALES))):
        return None
    won = read_won(f"{text}원")
    if isinstance(won, WonRange) and not won.per and won.low == won.high:
        return won.low
    return None


def _number(text: str) -> int | float:
    digits = text.replace(",", "")
    return float(digits) if "." in digits else int(digits)


def reading(value: Value) -> Reading:
    """What a value is."""
    if isinstance(value, bool):
        return "switch"
    if not isinstance(value, str):
        return "number"
    read = read_quantity(value)
    return read.measure if read else "word"


@lru_cache(maxsize=65_536)
def read_quantity(text: str) -> Quantity | None:
    """The amount of money, the quantity with a unit, or the day that the whole of a text writes."""
    text = normalize("NFKC", text).strip()
    if len(text) > _LONGEST or not any(map(str.isdigit, text)):
        return None
    day = read_day(text)
    if day is not None:
        return Quantity("day", day.first, day.words)
    return _measured(text) or _money(text)


def read_day(text: str, *, also_years: bool = False) -> Day | None:
    """The day, month or year that a text writes; a number alone is a year only where
    ``also_years`` says that one is meant."""
    for pattern in (*_DAYS, *([_ONLY_YEAR] if also_years else [])):
        match = pattern.fullmatch(text.strip())
        if match:
            return _day(match.groupdict())
    return None


def _day(parts: Mapping[str, str | None]) -> Day | None:
    """None for a day that the calendar lacks."""
    named, month, day = parts.get("name"), parts.get("month"), parts.get("day")
    year = int(parts["year"] or 0)
    number = month_number(named) if named else int(month or 0)
    words = [f"{year:04d}"]
    try:
        date(year, number if named or month else 1, int(day) if day else 1)
        if named or month:
            words.append(f"{year:04d}-{number:02d}")
        if day:
            words.append(f"{words[-1]}-{int(day):02d}")
        if parts.get("hour"):
            clock = time(int(parts["hour"] or 0), int(parts["minute"] or 0),
                         int(parts["second"] or 0))  # fmt: skip
            words.append(f"{words[-1]}T{clock.isoformat()}")
    except ValueError:
        return None
    digits = re.sub(r"\D", "", words[-1])
    first, last = digits + "0101000000"[len(digits) - 4 :], digits + "1231235959"[len(digits) - 4 :]
    return Day(int(first), int(last), tuple(words))


def _measured(text: str) -> Quantity | None:
    match = _QUANTITY.fullmatch(text)
    known = unit(match[2]) if match else None
    number = read_number(match[1]) if match else None
    if match is None or known is None or number is None or known[0] in CURRENCIES:
        return None
    measure, scale = known
    value = Decimal(match[1].replace(",", "")) * scale
    return Quantity(measure, plain(value), (f"{value.normalize():f} {BASES[measure]}",))


def _money(text: str) -> Quantity | None:
    match = _SIGNED.fullmatch(text)
    if match:
        minus, sign, amount = match[1] == "-", match[2], match[3]
    else:
        match = _SCALED.fullmatch(text)
        if match is None:
            return None
        minus, sign, amount = text.startswith("-"), match[2], match[1].lstrip("+-")
    known = unit(sign)
    if known is None or known[0] not in CURRENCIES:
        return None
    value = read_number(amount)
    if value is None:
        value = _scaled(amount)
    if value is None:
        return None
    return Quantity(known[0], -value if minus else value)


def plain(value: Decimal) -> int | float:
    """A decimal number as an engine keeps it."""
    return int(value) if value == value.to_integral_value() else float(value)


def comparable(fields: Mapping[str, Held]) -> dict[str, Held]:
    """The fields of a row as conditions meet them. An amount of money is also a number, a quantity
    and a day are also what they equal; how much they are lies under the field's name with ``@`` and
    the measure after it."""
    made: dict[str, Held] = dict(fields)
    for name, held in fields.items():
        also: list[Value] = []
        places: dict[str, list[Value]] = {}
        for value in each_of(held):
            read = read_quantity(value) if isinstance(value, str) else None
            if read is None:
                continue
            if read.measure in CURRENCIES:
                also.append(read.value)
            else:
                also.extend(read.words)
                places.setdefault(place(name, read.measure), []).append(read.value)
        if also:
            made[name] = (*each_of(held), *also)
        made.update({where: tuple(values) for where, values in places.items()})
    return made


def place(name: str, measure: str) -> str:
    """Where the quantities of a field lie; those of money and numbers lie under its name."""
    return f"{name}{AT}{measure}" if measure else name


def in_unit_of_name(name: str, quantity: Quantity) -> int | float | None:
    """How much a quantity is in the unit that a field's name tells (``weight_kg``); None where it
    tells another one or none."""
    named = named_units(name)
    if {measure for measure, _ in named} != {quantity.measure} or len(named) > 1:
        return None
    ((_, scale),) = named
    return plain(Decimal(str(quantity.value)) / scale)
