"""Conditions that a question seems to state, as proposals: 10만 원 이하, at most 2 kg.

A proposal is shown and confirmed, and never holds by itself. It is made only where one numeric
field is meant beyond doubt: by its unit, by the word beside it. Everything else is no proposal, and
the reason can be told.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any, Literal

from tools.amounts import spelled
from tools.bounds import Bound, Sign
from tools.filters import AtMost, Filters
from tools.index.columns import Column
from tools.index.where import LARGEST
from tools.patterns import lazy_pattern
from tools.stated import Stated, Unfit, stated
from tools.tokens import fold
from tools.units import BASES, CURRENCIES, UNITS, Measure, named_units

Reason = (
    Unfit
    | Literal[
        "several",  # two bounds for one side of one field
        "currency",  # the field is in another currency
        "no_unit",  # the field's name does not say its unit
        "fields",  # more than one field may be meant
        "no_field",  # no field has such a value
        "only_at_most",  # the field knows no lower bound
        "library",  # several corpora are searched together
    ]
)
"""Why a bound that a question states is no proposal."""


@dataclass(frozen=True)
class NumberField:
    """A field with an order as its values, its name or its rule tell it: what it measures, and how
    much one of its unit is in the currency, in grams or millimetres (None where nothing says). One
    that is ``only_at_most`` takes a whole number as its upper bound and nothing else; one that
    ``has_units`` holds quantities with theirs."""

    name: str
    measure: Measure
    scale: Decimal | None
    only_at_most: bool = False
    has_units: bool = False


@dataclass(frozen=True)
class Proposal:
    """What a question says, in its ``words``, and the ``conditions`` that would hold it, as
    ``--where`` takes them; none, for a ``reason``, where nothing is proposed. ``field_names`` are
    those that the reason is about. ``changed`` says that a bound which leaves its value out is
    written as the next whole number, ``partial`` that the lower bound cannot be kept."""

    words: str
    conditions: tuple[str, ...] = ()
    reason: Reason | None = None
    field_names: tuple[str, ...] = ()
    changed: bool = False
    partial: bool = False


_OFTEN_TEXT: tuple[Measure, ...] = ("time", "data", "volume", "percent")
"""What texts without any field are often asked about."""

_YEAR = re.compile(r"year|연도|년도")

_BARE: dict[Measure, re.Pattern[str]] = {
    "won": lazy_pattern(r"price|cost|가격|금액|판매가|정가"),
    "mass": lazy_pattern(r"weight|무게|중량"),
    "length": lazy_pattern(r"length|width|height|depth|길이|너비|폭|높이|깊이|두께"),
}
"""Words of a field's name that tell what it holds; only for a price is the unit known, won."""


def product_fields() -> list[NumberField]:
    """The numeric filters of products."""
    rules: dict[str, Any] = {each.name: each.metadata["rule"] for each in fields(Filters)}
    return [
        NumberField(name, *UNITS[rule.unit], only_at_most=True)
        for name, rule in rules.items()
        if isinstance(rule, AtMost)
    ]


def indexed_fields(columns: Mapping[str, Column]) -> list[NumberField]:
    """The fields of an index that have an order, and whose values or names tell of what."""
    read = (_of_column(name, column) for name, column in columns.items())
    return sorted((each for each in read if each), key=lambda each: each.name)


def proposals(
    question: str, known: Sequence[NumberField], bound: Collection[str] = ()
) -> list[Proposal]:
    """What ``question`` seems to ask of the ``known`` fields, in its order. A field in ``bound``
    has a condition of the person's own already, and nothing is said about it; nor about a number
    without a unit, or of time, data or a share, where no field is known, or a day without a year
    where none has days."""
    made = [
        (_proposal(each, _meant(each.measure, question, known), known), each.bounds)
        for each in stated(question)
        if _is_told(each, {field.measure for field in known})
    ]
    left = [(each, bounds) for each, bounds in made if not {*each.field_names} & {*bound}]
    return _without_conflicts(left)


def _is_told(said: Stated, measures: Collection[Measure]) -> bool:
    """Whether a bound is worth a word where the fields are of these measures."""
    if said.measure == "day" and not said.bounds:
        return "day" in measures
    return bool(measures) or not (said.reason == "bare" or said.measure in _OFTEN_TEXT)


def without_bounds(query: str, bound: Collection[NumberField]) -> str:
    """``query`` without the bounds that conditions on these fields hold: what is a condition is no
    word to look for. The whole query where nothing else is in it."""
    held = {known.measure for known in bound}
    left = spelled(query)
    for each in stated(query):
        if each.measure in held and each.reason is None:
            left = left.replace(each.words, " ")
    return left if left.strip() else query


def _of_column(name: str, column: Column) -> NumberField | None:
    """The field of a column; None for one without an order, or of a measure that nobody tells."""
    match column.type:
        case "number":
            currency = column.currency
            return NumberField(name, currency, Decimal(1)) if currency else _field(name)
        case "text" | "mixed":
            return None
        case measure:
            return NumberField(name, measure, Decimal(1), has_units=True)


def _field(name: str) -> NumberField:
    """The field of numbers alone, whose name may tell what they measure."""
    units = named_units(name)
    bare: list[Measure] = [measure for measure, pattern in _BARE.items() if pattern.search(name)]
    if not units and len(bare) == 1:
        return NumberField(name, bare[0], Decimal(1) if bare[0] == "won" else None)
    measures = {"won" if measure in CURRENCIES else measure for measure, _ in units}
    if len(units) != 1 or {*bare, *measures} != measures:
        return NumberField(name, "other", Decimal(1))
    return NumberField(name, *units.pop())


def _meant(measure: Measure, question: str, known: Sequence[NumberField]) -> list[NumberField]:
    """The fields that a bound may be about: of several, the one whose own words the question
    has. Numbers without a unit are meant by their name alone."""
    fitting = [each for each in known if each.measure == measure]
    own = {each.name: {*re.split(r"[\W_]+", each.name)} for each in fitting}
    shared = set[str].intersection(*own.values()) if len(own) > 1 else set[str]()
    asked = fold(question)
    named = [
        each
        for each in fitting
        if any(len(word) > 1 and word in asked for word in own[each.name] - shared - UNITS.keys())
    ]
    return named if len(named) == 1 or measure == "other" else fitting


def _proposal(said: Stated, meant: Sequence[NumberField], known: Sequence[NumberField]) -> Proposal:
    """The proposal for one bound, without a look at the others."""
    nothing = Proposal(said.words, (), said.reason, tuple(each.name for each in meant))
    if said.reason == "bare":
        if said.bounds and len(meant) == 1:
            return _conditions(replace(nothing, reason=None), meant[0], said.bounds)
        return replace(nothing, field_names=tuple(each.name for each in known))
    years = [each for each in known if each.measure == "other" and _YEAR.search(each.name)]
    if said.measure == "day" and not meant and len(years) == 1 and not said.reason:
        if all(each.value % 10_000 == 0 for each in said.bounds):
            bounds = [Bound(each.sign, each.value / 10_000) for each in said.bounds]
            return _conditions(replace(nothing, field_names=(years[0].name,)), years[0], bounds)
    if not meant or (said.measure == "other" and not said.reason):
        is_money = said.measure in CURRENCIES
        other = tuple(each.name for each in known if is_money and each.measure in CURRENCIES)
        return replace(nothing, reason="currency" if other else "no_field", field_names=other)
    if said.reason:
        return nothing
    if len(meant) > 1:
        return replace(nothing, reason="fields")
    return _conditions(nothing, meant[0], said.bounds)


def _conditions(made: Proposal, meant: NumberField, bounds: Sequence[Bound]) -> Proposal:
    """``made`` with the bounds as conditions on the field."""
    if meant.scale is None:
        return replace(made, reason="no_unit")
    written: list[str] = []
    changed = partial = False
    for bound in bounds:
        if meant.only_at_most and bound.is_low:
            partial = True
            continue
        sign: Sign = bound.sign
        value = bound.value / meant.scale
        if meant.only_at_most:
            changed |= sign == "<"
            value = Decimal(math.ceil(value) - 1 if sign == "<" else math.floor(value))
            sign = "<="
        if not 0 <= value <= LARGEST:
            return replace(made, reason="unclear")
        written.append(f"{meant.name}{sign}{_written(value, meant)}")
    if not written:
        return replace(made, reason="only_at_most")
    return replace(made, conditions=tuple(written), changed=changed, partial=partial)


def _without_conflicts(made: Sequence[tuple[Proposal, Sequence[Bound]]]) -> list[Proposal]:
    """Of two bounds for the same side of one field neither holds, nor of two that leave nothing
    between them: nobody says which is meant."""
    sides = Counter(
        (each.field_names, is_low)
        for each, bounds in made
        if each.conditions
        for is_low in {bound.is_low for bound in bounds}
    )
    twice = {names for (names, _), count in sides.items() if count > 1}
    ends: dict[tuple[str, ...], dict[bool, Decimal]] = {}
    for each, bounds in made:
        if each.conditions:
            ends.setdefault(each.field_names, {}).update({b.is_low: b.value for b in bounds})
    twice |= {names for names, end in ends.items() if len(end) > 1 and end[True] > end[False]}
    return [
        Proposal(each.words, (), "several", each.field_names)
        if each.conditions and each.field_names in twice
        else each
        for each, _ in made
    ]


_UNITS_OF: dict[Measure, tuple[tuple[str, int], ...]] = {
    "mass": (("kg", 1000), ("g", 1)),
    "length": (("m", 1000), ("cm", 10), ("mm", 1)),
    "time": (("h", 3600), ("min", 60), ("s", 1)),
    "data": (("GB", 10**9), ("MB", 10**6), ("KB", 1000), ("b", 1)),
    "volume": (("L", 1000), ("ml", 1)),
}


def _written(value: Decimal, meant: NumberField) -> str:
    """A value as the field's conditions have it: a day as ISO writes it, a quantity with a unit."""
    if meant.measure == "day":
        year, month, day = f"{value:08f}"[:4], f"{value:08f}"[4:6], f"{value:08f}"[6:8]
        return "-".join(part for part in (year, month, day) if part != "00")
    if not meant.has_units:
        return _plain(value)
    units = _UNITS_OF.get(meant.measure, ((BASES[meant.measure], 1),))
    name, scale = next((each for each in units if value >= each[1]), units[-1])
    return f"{_plain(value / scale)}{name}"


def _plain(value: Decimal) -> str:
    """A number as ``--where`` takes it: no exponent, no zeros at its end."""
    written = f"{value:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written
