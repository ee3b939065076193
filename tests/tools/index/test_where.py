"""Conditions: how they are written, read and kept."""

import pytest

from tools.index.where import MOST_WORDS, Condition, Where, field_name
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
        ("code=007", "=", ("007",)),
        ("zip != 01234", "!=", ("01234",)),
        ("code in 007,7", "in", ("007", 7)),
        ("price<=129,000원", "<=", (129000,)),
        ("price>=₩5000", ">=", (5000,)),
        ("price=0.5", "=", (0.5,)),
        ("price=3..3", "range", (3, 3)),
        ("date=2028-02-29", "=", ("2028-02-29",)),
        ("date>=2026-12", ">=", ("2026-12",)),
        ("code=1234-56", "=", ("1234-56",)),
        ('code="2026-02-30"', "=", ("2026-02-30",)),
        ("code=2026-02-30-7", "=", ("2026-02-30-7",)),
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
        ("price=5..1", "reversed"),
        ("date=2026-02-01..2026-01-31", "reversed"),
        ("date=2026-02-30", "day"),
        ("date>=2026-13-01", "day"),
        ("date<2026-13", "day"),
        ("date<2026-1-5", "day"),
        ("date in 2026-01-01,2026-04-31", "day"),
        ("date>=2026-02-29T10:00", "day"),
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
    for given in ("price=cheap", "price=007"):
        with pytest.raises(FilterError, match="choice"):
            Where.parse([given], kinds)


def test_a_word_among_numbers_must_be_one_of_the_few_that_are_there():
    kinds = {"price": {"word", "number"}, "name": {"word"}}

    def read(text, words):
        (condition,) = Where.parse([text], kinds, lambda name: words).conditions
        return condition.values

    few = ["n/a", "문의"]
    assert read("price=문의", few) == ("문의",)
    assert read("price in 5,n/a", few) == (5, "n/a")
    assert read('price="cheap"', few) == ("cheap",)
    assert read("price>=8.0.5", few) == ("8.0.5",)
    assert read("name=cheap", few) == ("cheap",)
    for text in ("price=cheap", "price<=cheap", "price in 5,싼", "price!=8.0.5"):
        with pytest.raises(FilterError, match="choice") as caught:
            read(text, few)
        assert "문의" in caught.value.values["choices"]
    many = [f"w{n}" for n in range(MOST_WORDS + 1)]
    assert read("price=cheap", many) == ("cheap",)
    with pytest.raises(FilterError, match="choice"):
        read("price=cheap", many[1:])
    assert read("price=cheap", None) == ("cheap",)


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        ("tags=a", True), ("tags=c", False), ("tags in c,b", True), ("tags!=a", False),
        ("tags!=c", True), ("tags not in c,b", False), ("tags not in c,d", True),
        ("n>=4", True), ("n=2..2.5", False), ("n=3..4", True), ("n<1.5", False), ("none!=1", True),
        ("none=1", False),
    ],
)  # fmt: skip
def test_one_of_several_values_is_enough_and_not_means_none(text, keeps):
    row = {"tags": ["a", "b"], "n": (1.5, 4.5, 3), "none": ()}
    assert where(text).matches(row) is keeps


@pytest.mark.parametrize(
    ("written", "name"),
    [("Max Price (won)<=5", "max_price_won_"), ("가격(원) in 1,2", "가격_원_"), ("a.b=1", "a_b")],
)
def test_a_field_may_be_written_as_its_column_is(written, name):
    assert where(written).conditions[0].field == name


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
