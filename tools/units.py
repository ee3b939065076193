"""Units of money, mass, length and more: what they measure, and how much one of them is."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

Currency = Literal["won", "usd", "eur", "jpy", "cny", "gbp"]
Dimension = Literal["mass", "length", "volume", "time", "data", "percent"]
Measure = Currency | Dimension | Literal["day", "other"]
"""What is measured; ``day`` is a date, ``other`` a unit that no field has."""

FOREIGN: tuple[Currency, ...] = ("usd", "eur", "jpy", "cny", "gbp")
CURRENCIES: tuple[Currency, ...] = ("won", *FOREIGN)

_G, _MM = Decimal(1), Decimal(1)
UNITS: dict[str, tuple[Measure, Decimal]] = {
    **dict.fromkeys(("원", "won", "krw"), ("won", Decimal(1))),
    **dict.fromkeys(("usd", "dollar", "dollars", "bucks", "달러", "불"), ("usd", Decimal(1))),
    **dict.fromkeys(("eur", "euro", "euros", "유로"), ("eur", Decimal(1))),
    **dict.fromkeys(("jpy", "yen", "엔"), ("jpy", Decimal(1))),
    **dict.fromkeys(("cny", "rmb", "yuan", "위안"), ("cny", Decimal(1))),
    **dict.fromkeys(("gbp", "파운드"), ("gbp", Decimal(1))),
    **dict.fromkeys(("mg", "밀리그램"), ("mass", _G / 1000)),
    **dict.fromkeys(("g", "gram", "grams", "그램", "그람"), ("mass", _G)),
    **dict.fromkeys(
        ("kg", "kgs", "kilo", "kilos", "kilogram", "kilograms", "킬로", "킬로그램"),
        ("mass", _G * 1000),
    ),
    **dict.fromkeys(("t", "톤"), ("mass", _G * 1_000_000)),
    **dict.fromkeys(("mm", "millimeter", "millimeters", "밀리", "밀리미터"), ("length", _MM)),
    **dict.fromkeys(
        ("cm", "centimeter", "centimeters", "centimetres", "센티", "센치", "센티미터"),
        ("length", _MM * 10),
    ),
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres", "미터"), ("length", _MM * 1000)),
    **dict.fromkeys(("km", "킬로미터"), ("length", _MM * 1_000_000)),
}  # fmt: skip
"""Units as a question and a field's name write them, and how much one is in the currency, in grams
or in millimetres."""

_OF_CELLS: dict[str, tuple[Measure, Decimal]] = {
    **dict.fromkeys(("lb", "lbs"), ("mass", Decimal("453.59237"))),
    "oz": ("mass", Decimal("28.349523125")),
    **dict.fromkeys(("in", "inch", "inches", "인치"), ("length", Decimal("25.4"))),
    **dict.fromkeys(("ft", "feet"), ("length", Decimal("304.8"))),
    **dict.fromkeys(("ml", "밀리리터"), ("volume", Decimal(1))),
    **dict.fromkeys(("l", "liter", "liters", "litre", "litres", "리터"), ("volume", Decimal(1000))),
    "ms": ("time", Decimal("0.001")),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "초"), ("time", Decimal(1))),
    **dict.fromkeys(("min", "mins", "minute", "minutes", "분"), ("time", Decimal(60))),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "시간"), ("time", Decimal(3600))),
    **dict.fromkeys(("day", "days", "일"), ("time", Decimal(86_400))),
    **{unit: ("data", Decimal(1000) ** power) for power, unit in
       enumerate(("b", "kb", "mb", "gb", "tb"))},
    **{unit: ("data", Decimal(1024) ** power) for power, unit in
       enumerate(("kib", "mib", "gib", "tib"), 1)},
    **{name: ("data", Decimal(1000) ** power) for power, korean in
       enumerate(("메가", "기가", "테라"), 2) for name in (korean, f"{korean}바이트")},
    **dict.fromkeys(("%", "percent", "퍼센트"), ("percent", Decimal(1))),
}  # fmt: skip
NAMES = (*UNITS, *_OF_CELLS)
BASES: dict[Measure, str] = {
    "mass": "g", "length": "mm", "volume": "ml", "time": "s", "data": "b", "percent": "%",
}  # fmt: skip
"""The unit in which a measure is compared."""

_SYMBOLS: dict[str, Currency] = {
    "₩": "won", "￦": "won", "$": "usd", "US$": "usd", "＄": "usd",
    "€": "eur", "¥": "jpy", "£": "gbp",
}  # fmt: skip
SYMBOL = "|".join(map(re.escape, sorted(_SYMBOLS, key=len, reverse=True)))
"""A sign of money, as a regular expression."""


def unit_names(*measures: Measure, latin: bool) -> str:
    """The names of the units of these measures in Latin or in other letters, the longest first, as
    a regular expression."""
    names = [n for n, (measure, _) in UNITS.items() if measure in measures and n.isascii() == latin]
    return "|".join(sorted(names, key=len, reverse=True))


def unit(written: str) -> tuple[Measure, Decimal] | None:
    """What a unit or a sign of money measures, and how much one of it is; None for what is
    neither. A single letter is one as it is written: 5g, not 5G."""
    if written in _SYMBOLS:
        return _SYMBOLS[written], Decimal(1)
    if len(written) == 1 and written.isascii() and written.isupper() and written != "L":
        return None
    known = written.casefold()
    return UNITS.get(known) or _OF_CELLS.get(known)


def named_units(name: str) -> set[tuple[Measure, Decimal]]:
    """The units that the words of a field's name hold (``weight_kg``). ``t`` and ``m`` alone are
    names of something else."""
    words = [word for word in re.split(r"[\W_]+", name) if word]
    return {UNITS[word] for word in words if word in UNITS and (word not in "tm" or words[1:])}
