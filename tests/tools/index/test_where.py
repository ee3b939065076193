"""Conditions: how they are written, read and kept."""

import pytest

from tools.index.where import Condition, Where, field_name
from tools.problems import FilterError

ROW = {"price": 100, "weight": 2.5, "lang": "ko", "date": "2026-03-01", "public": True}


def where(*conditions):
    return Where.parse(conditions)


@pytest.mark.parametrize(
    ("text", "operator", "values"),
    [
        ("price<=100,000", "<=", (100000,)),
        ("price ≤ 2.50", "<=", (2.5,)),
        ("price = -7", "=", (-7,)),
        ("year=2020..2024", "range", (2020, 2024)),
        ("date >= 2026-01-01", ">=", ("2026-01-01",)),
        ("lang in ko, en", "in", ("ko", "en")),
        ('team not  IN "a, b",c', "not in", ("a, b", "c")),
        ("public=TRUE", "=", (True,)),
        ('code="007"', "=", ("007",)),
        ('title="1..2"', "=", ("1..2",)),
        ("version=8.0.5", "=", ("8.0.5",)),
        ("부서 != 총무 팀", "!=", ("총무 팀",)),
    ],
)
def test_a_condition_is_read_as_it_is_written(text, operator, values):
    (condition,) = where(text).conditions
    assert (condition.operator, condition.values) == (operator, values)
    assert [type(each) for each in condition.values] == [type(each) for each in values]
    assert where(condition.written).conditions == (condition,)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("price", "form_of_field"),
        ("price<", "form_of_field"),
        ("price<>5", "form_of_field"),
        ("<=5", "form_of_field"),
        ("price<true", "operator"),
        ("price=1..b", "operator"),
        (f"price<={2**63}", "form_of_field"),
    ],
)
def test_what_cannot_be_meant_is_refused(text, fault):
    with pytest.raises(FilterError) as caught:
        where(text)
    assert caught.value.key == f"filters.{fault}"


def test_the_index_knows_the_kinds_of_its_fields():
    kinds = {"code": {"word"}, "price": {"number"}, "mixed": {"word", "number"}}
    read = Where.parse(["code=2024", "price=2024", "mixed=2024"], kinds)
    assert [each.values for each in read.conditions] == [("2024",), (2024,), (2024,)]
    with pytest.raises(FilterError, match="unknown"):
        Where.parse(["colour=red"], kinds)
    with pytest.raises(FilterError, match="choice"):
        Where.parse(["price=cheap"], kinds)


@pytest.mark.parametrize(
    "text",
    [
        "price=100",
        "price=100.0",
        "price<101",
        "price<=100",
        "price>99.9",
        "price>=100",
        "price=100..100",
        "weight=2..3",
        "lang=ko",
        "lang in en,ko",
        "lang not in en,ja",
        "lang!=en",
        "date<2026-03-02",
        "date=2026-01-01..2026-12-31",
        "public=true",
        "none!=1",
        "none not in 1,2",
    ],
)
def test_kept(text):
    assert where(text).matches(ROW)


@pytest.mark.parametrize(
    "text",
    [
        "price=99",
        "price<100",
        "price>100",
        "price=101..200",
        "price!=100",
        'price="100"',
        "lang=KO",
        "lang not in ko,en",
        "lang<5",
        "public=false",
        "public=1",
        "price=true",
        "none=1",
        "none<5",
    ],
)
def test_broken(text):
    assert not where(text).matches(ROW)


def test_all_conditions_must_hold():
    assert (where("price=100") & where("lang=ko")).matches(ROW)
    assert not where("price=100", "lang=en").matches(ROW)
    assert Where().matches({})


def test_names_of_fields_are_folded():
    assert field_name(" Max Price(원) ") == "max_price_원_"
    assert Condition("Price", "=", (100,)).matches(ROW)
