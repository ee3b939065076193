"""Conditions: written exactly, checked when they are made, tightened and never loosened."""

from __future__ import annotations

import random
from dataclasses import FrozenInstanceError, dataclass, field, fields
from types import SimpleNamespace
from typing import Any
from unicodedata import normalize

import pytest

from agent.catalogue import tell
from tools.filters import AtMost, Filters, parse_where
from tools.problems import FilterError, ToolProblem


def item(**values: Any) -> SimpleNamespace:
    usual = {"price_won": 100_000, "connection": "usb-c", "stock": 1, "grams": 500}
    return SimpleNamespace(**usual | values)


def test_nothing_is_asked_but_that_it_can_be_bought():
    assert Filters() == Filters(None, None, True, None) == parse_where()
    assert Filters().conditions == {"in_stock": "in_stock=true"}
    assert Filters(in_stock=False).told == "no condition"


def test_filters_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Filters(100_000).max_won = 200_000  # type: ignore[misc]


@pytest.mark.parametrize(
    "values",
    [
        {"max_won": -1},
        {"max_won": 100_000.0},
        {"max_won": True},
        {"max_won": "100000"},
        {"connection": "unknown"},
        {"connection": ""},
        {"connection": ["usb-c"]},
        {"in_stock": None},
        {"in_stock": 1},
        {"max_grams": -1},
        {"max_grams": 0.5},
    ],
)
def test_values_without_a_meaning_are_refused(values: dict[str, Any]):
    with pytest.raises(FilterError) as raised:
        Filters(**values)
    assert isinstance(raised.value, ValueError)
    name, given = next(iter(values.items()))
    for language in ("ko", "en"):
        told = tell(raised.value, language)
        assert name in told and str(given) in told and "\n" not in told


def test_zero_is_a_budget():
    assert Filters(0, max_grams=0).conditions["max_won"] == "max_won<=0"


@pytest.mark.parametrize(
    ("written", "filters"),
    [
        ("max_won<=100000", Filters(100_000)),
        (" max_won <= 100,000 ", Filters(100_000)),
        ("MAX_WON<=1,000,000", Filters(1_000_000)),
        ("max_won<=0", Filters(0)),
        ("connection=usb-c", Filters(connection="usb-c")),
        ("connection = Bluetooth", Filters(connection="bluetooth")),
        ("in_stock=true", Filters()),
        ("in_stock=False", Filters(in_stock=False)),
        ("max_grams<=700", Filters(max_grams=700)),
    ],
)
def test_a_condition_is_read(written: str, filters: Filters):
    assert parse_where(written) == filters


def test_several_conditions_hold_together():
    together = parse_where("max_won<=100000", "connection=usb-c", "max_grams<=700")
    assert together == Filters(100_000, "usb-c", True, 700)
    assert parse_where(*together.conditions.values()) == together


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("", "form"),
        ("max_won", "form"),
        ("<=100000", "form"),
        ("싼 것", "form"),
        ("finish=matte", "unknown"),
        ("price_won<=100000", "unknown"),
        ("max_won<100000", "operator"),
        ("max_won=100000", "operator"),
        ("max_won==100000", "operator"),
        ("max_won>=100000", "operator"),
        ("max_won≤100000", "operator"),
        ("max_won=<100000", "operator"),
        ("connection<=usb-c", "operator"),
        ("connection!=usb-c", "operator"),
        ("in_stock==true", "operator"),
        ("max_won<=", "amount"),
        ("max_won<=-1", "amount"),
        ("max_won<=+1", "amount"),
        ("max_won<=1e5", "amount"),
        ("max_won<=100000.0", "amount"),
        ("max_won<=10만", "amount"),
        ("max_won<=10~20만원", "amount"),
        ("max_won<=100000원", "amount"),
        ("max_won<=10,00", "amount"),
        ("max_won<=1_000", "amount"),
        ("max_won<=１０００", "amount"),
        ("max_won<=100000 and connection=usb-c", "amount"),
        ("max_won<=" + "9" * 5_000, "amount"),
        ("max_grams<=1.5kg", "amount"),
        ("connection=hdmi", "choice"),
        ("connection=", "choice"),
        ("in_stock=1", "choice"),
        ("in_stock=", "choice"),
    ],
)
def test_what_is_not_written_exactly_is_refused(written: str, key: str):
    with pytest.raises(FilterError) as raised:
        parse_where(written)
    assert raised.value.key == f"filters.{key}"
    assert tell(raised.value, "ko") and tell(raised.value, "en")


def test_the_refusal_says_what_can_be_written():
    for written, part in [
        ("finish=matte", "max_won, connection, in_stock, max_grams"),
        ("max_won<100000", "max_won<=..."),
        ("connection=hdmi", "usb-c, bluetooth"),
        ("max_grams<=1kg", "(g)"),
    ]:
        with pytest.raises(FilterError) as raised:
            parse_where(written)
        assert part in tell(raised.value, "ko") and part in tell(raised.value, "en")


def test_a_condition_given_twice_is_not_guessed():
    with pytest.raises(FilterError) as raised:
        parse_where("max_won<=100000", "max_won<=100000")
    assert raised.value.key == "filters.twice"


def test_decomposed_text_is_read_as_it_looks():
    with pytest.raises(FilterError) as raised:
        parse_where(normalize("NFD", "가격<=1"))
    assert raised.value.values["name"] == "가격"


@pytest.mark.parametrize(
    ("filters", "thing", "broken"),
    [
        (Filters(100_000), item(price_won=100_000), []),
        (Filters(100_000), item(price_won=100_001), ["max_won"]),
        (Filters(max_grams=500), item(grams=500), []),
        (Filters(max_grams=500), item(grams=501), ["max_grams"]),
        (Filters(connection="usb-c"), item(), []),
        (Filters(connection="usb-c"), item(connection="bluetooth"), ["connection"]),
        (Filters(), item(stock=1), []),
        (Filters(), item(stock=0), ["in_stock"]),
        (Filters(in_stock=False), item(stock=0), []),
        (Filters(99_999, "bluetooth", True, 499), item(stock=0), [*Filters.__annotations__]),
    ],
)
def test_a_limit_may_be_reached_and_not_passed(filters: Filters, thing: object, broken: list[str]):
    assert filters.broken_by(thing) == broken


PERSON = Filters(100_000, "usb-c", True, None)


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        ({}, PERSON),
        ({"max_won": None, "in_stock": None}, PERSON),
        ({"max_won": 100_000}, PERSON),
        ({"max_won": 99_999}, Filters(99_999, "usb-c")),
        ({"connection": "usb-c", "in_stock": True}, PERSON),
        ({"max_grams": 10**9}, Filters(100_000, "usb-c", True, 10**9)),
    ],
)
def test_tighter_and_equal_values_are_taken(asked: dict[str, Any], taken: Filters):
    assert PERSON.tightened(asked) == taken
    assert PERSON.tightened(asked).within(PERSON)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ({"max_won": 100_001}, "max_won"),
        ({"max_won": 150_000}, "max_won"),
        ({"connection": "bluetooth"}, "connection"),
        ({"in_stock": False}, "in_stock"),
        ({"max_won": 50_000, "connection": "bluetooth"}, "connection"),
    ],
)
def test_looser_values_are_refused_by_name(asked: dict[str, Any], name: str):
    with pytest.raises(ToolProblem) as raised:
        PERSON.tightened(asked)
    assert raised.value.code == "filter_loosened"
    assert raised.value.details == {
        "filter": name,
        "fixed": PERSON.conditions[name],
        "asked": Filters.written(name, asked[name]),
    }
    assert PERSON.conditions[name] in raised.value.message


def test_what_the_person_left_open_the_model_may_set():
    free = Filters(in_stock=False)
    everything: dict[str, Any] = {
        "max_won": 1, "connection": "bluetooth", "in_stock": True, "max_grams": 1,
    }  # fmt: skip
    assert free.tightened(everything) == Filters(1, "bluetooth", True, 1)
    assert free.tightened({"in_stock": False}) == free


@pytest.mark.parametrize(
    "asked", [{"max_won": -1}, {"max_won": "5"}, {"connection": "hdmi"}, {"finish": "matte"}]
)
def test_what_the_model_asks_is_checked_too(asked: dict[str, Any]):
    for person in (Filters(), PERSON):
        with pytest.raises(FilterError):
            person.tightened(asked)


def test_fewer_conditions_are_not_within_more():
    assert not Filters().within(PERSON) and PERSON.within(Filters())
    assert not Filters(in_stock=False).within(Filters())


def chance(dice: random.Random) -> dict[str, Any]:
    return {
        "max_won": dice.choice([None, 0, 1, 2, 3]),
        "connection": dice.choice([None, "usb-c", "bluetooth"]),
        "in_stock": dice.choice([True, False]),
        "max_grams": dice.choice([None, 0, 1, 2, 3]),
    }


EVERY_ITEM = [
    item(price_won=won, connection=connection, stock=stock, grams=grams)
    for won in range(5)
    for connection in ("usb-c", "bluetooth")
    for stock in (0, 1)
    for grams in range(5)
]


def test_tightening_is_refused_exactly_when_it_would_let_more_through():
    dice = random.Random(11)
    refused = 0
    for _ in range(500):
        bound, asked = Filters(**chance(dice)), chance(dice)
        alone = {name: value for name, value in asked.items() if value is not None}
        looser = [
            name
            for name, value in alone.items()
            if any(
                name in bound.broken_by(each)
                and name not in Filters(**{"in_stock": False} | {name: value}).broken_by(each)
                for each in EVERY_ITEM
            )
        ]
        try:
            taken = bound.tightened(asked)
        except ToolProblem as problem:
            refused += 1
            assert problem.details["filter"] in looser
            continue
        assert not looser and taken.within(bound)
        for each in EVERY_ITEM:
            assert taken.broken_by(each) or not bound.broken_by(each)
    assert 50 < refused < 450


@dataclass(frozen=True)
class Quieter(Filters):
    """The filters and one more, which is one field."""

    max_decibels: int | None = field(default=None, metadata={"rule": AtMost("decibels", "dB")})


def test_another_limit_is_one_field():
    quiet = Quieter.read(["max_decibels<=40", "max_won<=100000"])
    assert quiet.told == "max_won<=100000, in_stock=true, max_decibels<=40"
    assert quiet.broken_by(item(decibels=40)) == []
    assert quiet.broken_by(item(decibels=41)) == ["max_decibels"]
    assert quiet.tightened({"max_decibels": 30}).max_decibels == 30
    with pytest.raises(ToolProblem):
        quiet.tightened({"max_decibels": 41})
    with pytest.raises(FilterError):
        Quieter(max_decibels=-1)


def test_every_filter_has_a_rule():
    assert all("rule" in each.metadata for each in fields(Filters))
