"""Conditions: how they are written, read and kept."""

import pytest

from agent.catalogue import tell
from tools.index.columns import Column, comparable, read_quantity
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
        ("date >= 2026-01-01", ">=", (20260101000000,)),
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
        ("date>=2026-12", ">=", (20261201000000,)),
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
        ("price<true", "fit"),
        ("price=1..b", "fit"),
        ("price=5..1", "reversed"),
        ("date=2026-02-01..2026-01-31", "reversed"),
        ("date=2026-02-30", "day"),
        ("date>=2026-13-01", "day"),
        ("date<2026-13", "day"),
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
    kinds = {
        "code": Column({"word": 3}),
        "price": Column({"number": 3}),
        "mixed": Column({"word": 1, "number": 1}),
    }
    read = Where.parse(["code=2024", "price=2024", "mixed=2024"], kinds)
    assert [each.values for each in read.conditions] == [("2024",), (2024,), (2024,)]
    with pytest.raises(FilterError, match="unknown"):
        Where.parse(["colour=red"], kinds)
    for given in ("price=cheap", "price=007", "price=true"):
        with pytest.raises(FilterError, match="fit"):
            Where.parse([given], kinds)


def test_a_word_among_numbers_must_be_one_of_the_few_that_are_there():
    kinds = {"price": Column({"word": 2, "number": 5}), "name": Column({"word": 2})}

    def read(text, words):
        (condition,) = Where.parse([text], kinds, lambda name: words).conditions
        return condition.values

    few = ["n/a", "문의"]
    assert read("price=문의", few) == ("문의",)
    assert read("price in 5,n/a", few) == (5, "n/a")
    assert read('price="cheap"', few) == ("cheap",)
    assert read("name=cheap", few) == ("cheap",)
    for text in ("price=cheap", "price<=cheap", "price in 5,싼", "price!=8.0.5", "price>=8.0.5"):
        with pytest.raises(FilterError, match="fit") as caught:
            read(text, few)
        is_order = text[len("price")] in "<>"
        assert ("문의" in caught.value.values["choices"]) != is_order
    many = [f"w{n}" for n in range(MOST_WORDS + 1)]
    assert read("price=cheap", many) == ("cheap",)
    with pytest.raises(FilterError, match="fit"):
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
        "lang=KO",
        "lang in ＥＮ,Ｋｏ",
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
        "lang not in ko,en",
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


def test_a_condition_is_told_as_a_person_writes_it():
    told = Where.parse(["price<=1e2", "weight<=2KG", "due>=2026.3.4"]).told
    assert told == "price<=100, weight<=2KG, due>=2026.3.4"


def test_names_of_fields_are_folded():
    assert field_name(" Max Price(원) ") == "max_price_원_"
    assert Condition("Price", "=", (100,)).matches(ROW)


# what a column is


@pytest.mark.parametrize(
    ("cell", "measure", "value"),
    [
        ("10kg", "mass", 10_000), ("3 kg", "mass", 3_000), ("800g", "mass", 800),
        ("３ｋｇ", "mass", 3_000), ("0.3㎏", "mass", 300), ("1.5 lb", "mass", 680.388555),
        ("50 cm", "length", 500), ("27 inch", "length", 685.8), ("1.5L", "volume", 1500),
        ("2시간", "time", 7200), ("512GB", "data", 512 * 10**9),
        ("2KiB", "data", 2048), ("2GiB", "data", 2 * 1024**3), ("12%", "percent", 12),
        ("$99.50", "usd", 99.5), ("$1,200", "usd", 1200), ("1,200달러", "usd", 1200),
        ("1만 달러", "usd", 10_000), ("5천 엔", "jpy", 5000),
        ("-$5", "usd", -5), ("50 euros", "eur", 50), ("€9", "eur", 9),
        ("-5,000원", "won", -5000), ("+5,000원", "won", 5000),
        ("129,000원", "won", 129_000), ("12만 5천원", "won", 125_000), ("￦ 5,000", "won", 5000),
        ("KRW 5,000", "won", 5000), ("5000 won", "won", 5000),
        ("2026-03-04", "day", 20260304000000), ("2026/03/04", "day", 20260304000000),
        ("2026.03.05", "day", 20260305000000), ("2026. 3. 5.", "day", 20260305000000),
        ("2026-3-6", "day", 20260306000000), ("2026년 3월 10일", "day", 20260310000000),
        ("2026.03.05(목)", "day", 20260305000000), ("March 7, 2026", "day", 20260307000000),
        ("7 Mar 2026", "day", 20260307000000), ("2026-03", "day", 20260301000000),
        ("2026-03-04T10:20:30Z", "day", 20260304102030),
        ("2026-03-04 10:20:30.5+09:00", "day", 20260304102030),
    ],
)  # fmt: skip
def test_an_amount_a_quantity_and_a_day_are_read_as_people_write_them(cell, measure, value):
    read = read_quantity(cell)
    assert (read.measure, read.value) == (measure, value)


@pytest.mark.parametrize(
    "cell",
    [
        "yesterday", "2026-02-30", "2026-13-01", "03/04/2026", "8.0.5", "5G", "10만원대", "007",
        "월 9,900원", "1.2.3kg", "50 cm x 30 cm", "K120", "2kg 이하", "5 apples", "10만~20만원", "",
    ],
)  # fmt: skip
def test_what_may_be_something_else_is_a_word(cell):
    assert read_quantity(cell) is None


def test_how_long_a_quantity_may_be() -> None:
    longest = f"0.{'1' * 56}kg"
    assert read_quantity(longest) is not None and read_quantity(f"0.1{longest[2:]}") is None


@pytest.mark.parametrize(
    ("counts", "held", "strays"),
    [
        ({"number": 3, "word": 3}, "number", 3),
        ({"number": 3, "word": 4}, "text", 0),
        ({"mass": 2, "number": 1}, "mass", 1),
        ({"mass": 1, "number": 2}, "number", 1),
        ({"usd": 1, "number": 2}, "number", 0),
        ({"usd": 1, "won": 9}, "mixed", 0),
        ({"mass": 1, "length": 9}, "mixed", 0),
        ({"day": 2, "word": 1, "number": 1}, "day", 2),
        ({"day": 2, "number": 2}, "mixed", 0),
        ({"switch": 2}, "text", 0),
    ],
)
def test_a_column_is_what_at_least_half_of_its_values_are(counts, held, strays):
    column = Column(counts)
    assert (column.type, column.strays) == (held, strays)


WEIGHTS = Column({"mass": 3})
DAYS = Column({"day": 6, "word": 1})
PRICES = Column({"usd": 2, "number": 1})


def kept(text, column, cells, words=()):
    """Which of the cells of a column keep a condition."""
    held = [each for each in cells if isinstance(each, str)]
    read = Where.parse([f"x{text}"], {"x": column}, lambda name: [*held, *words])
    return [each for each in cells if read.matches({"x": each})]


KILOS = ["10kg", "3 kg", "800g"]
DATES = ["2026/03/04", "2026.03.05", "2026-3-6", "2026년 3월 10일", "March 7, 2026", "2025-12-31"]


@pytest.mark.parametrize(
    ("text", "column", "cells", "found"),
    [
        ("<=2kg", WEIGHTS, KILOS, ["800g"]),
        ("<=3000 g", WEIGHTS, KILOS, ["3 kg", "800g"]),
        ("<3kg", WEIGHTS, KILOS, ["800g"]),
        ("=800g..3kg", WEIGHTS, KILOS, ["3 kg", "800g"]),
        ("=0.8kg", WEIGHTS, KILOS, ["800g"]),
        ("!=0.8kg", WEIGHTS, KILOS, ["10kg", "3 kg"]),
        (" in 3000g,10kg", WEIGHTS, KILOS, ["10kg", "3 kg"]),
        ("<=100", PRICES, ["$99.50", "$1,200", 80], ["$99.50", 80]),
        (">$99.50", PRICES, ["$99.50", "$1,200", 80], ["$1,200"]),
        ("<=1e2", PRICES, ["$99.50", "$1,200", 80], ["$99.50", 80]),
        ("=1200달러", PRICES, ["$99.50", "$1,200", 80], ["$1,200"]),
        (">=2026-03-06", DAYS, [*DATES, "미정"], DATES[2:5]),
        (">2026.03.06", DAYS, [*DATES, "미정"], DATES[3:5]),
        ("<=2026-03", DAYS, [*DATES, "미정"], DATES),
        ("<2026-03", DAYS, [*DATES, "미정"], DATES[5:]),
        (">2025", DAYS, [*DATES, "미정"], DATES[:5]),
        ("=2026", DAYS, [*DATES, "미정"], DATES[:5]),
        ("=2026년 3월 5일", DAYS, [*DATES, "미정"], DATES[1:2]),
        ("=2026-03-05..2026-03-07", DAYS, [*DATES, "미정"], [*DATES[1:3], DATES[4]]),
        ("=미정", DAYS, [*DATES, "미정"], ["미정"]),
        (" in 2025,미정", DAYS, [*DATES, "미정"], [DATES[5], "미정"]),
        ('<"1,000"', Column({"number": 2}), [999, 1000], [999]),
        ("<=20만", Column({"won": 2}), ["12만 5천원", "1,200,000원"], ["12만 5천원"]),
        ("<=1억 2천만", Column({"number": 2}), [120_000_000, 120_000_001], [120_000_000]),
        ("=20만", Column({"number": 2, "word": 1}), [200_000, "20만"], ["20만"]),
        ("<=10~20만", Column({"number": 2}), [1, 2], None),
        ("<=만", Column({"number": 2}), [1, 2], None),
        ("=7", Column({"day": 2, "number": 1}), ["2026-03-04", 7], [7]),
        ("=2026-02-30", Column({"word": 3}), ["2026-02-30", "x"], ["2026-02-30"]),
        ("=1e5", Column({"number": 2, "word": 1}), [100_000, "1e5"], ["1e5"]),
        ("=1e5", Column({"number": 2}), [100_000, 5], [100_000]),
        ("=2kg", Column({"word": 3, "mass": 1}), ["2kg", "2000g", "a"], ["2kg"]),
        ("=tbd", DAYS, [*DATES[:2], "TBD"], ["TBD"]),
        ("=a/", Column({"word": 2}), ["a/", "a"], ["a/"]),
        ("!=2026", DAYS, [*DATES, "미정"], [DATES[5], "미정"]),
        ("<=2026-03-04", DAYS, ["2026-03-04T23:59", "2026-03-05T00:00"], ["2026-03-04T23:59"]),
        ('="2024"', Column({"number": 2}), [2024, 7], [2024]),
        ('="2024"', Column({"number": 1, "word": 1}), [7, "2024"], ["2024"]),
        ("<=2kg", Column({"number": 3}), [1, 2, 3], None),
    ],
)  # fmt: skip
def test_a_condition_compares_by_what_the_column_is(text, column, cells, found):
    if found is None:
        with pytest.raises(FilterError, match="fit"):
            kept(text, column, cells)
    else:
        assert kept(text, column, cells) == found


def test_a_unit_in_the_name_of_a_field_is_the_unit_of_its_numbers():
    columns = {"weight_kg": Column({"number": 3}), "price_usd": Column({"number": 3})}
    (condition,) = Where.parse(["weight_kg<=500g"], columns).conditions
    assert condition.values == (0.5,)
    assert Where.parse(["price_usd<=$100"], columns).conditions[0].values == (100,)
    columns["net_kg_g"] = columns["weight_kg"]
    for wrong in ("price_usd<=100,000원", "weight_kg<=3cm", "net_kg_g<=3kg"):
        with pytest.raises(FilterError, match="fit"):
            Where.parse([wrong], columns)


@pytest.mark.parametrize(
    ("text", "column", "fault"),
    [
        ("<=5", Column({"word": 3}), "no_order"),
        ("=a..b", Column({"word": 3}), "no_order"),
        ("<true", Column({"switch": 3}), "no_order"),
        ("<=5", Column({"usd": 1, "won": 1}), "mixed"),
        ("=5", Column({"usd": 1, "won": 1}), "mixed"),
        ("=$5", Column({"usd": 1, "won": 1}), "mixed"),
        ("<=2kg", Column({"mass": 1, "length": 1}), "mixed"),
        ("<=2", WEIGHTS, "fit"),
        ("<=2cm", WEIGHTS, "fit"),
        ("<=9€", PRICES, "fit"),
        (">=yesterday", DAYS, "fit"),
        ("=yesterday", DAYS, "fit"),
        (">=2026-02-30", DAYS, "day"),
        (">=2025.13.05", DAYS, "day"),
    ],
)
def test_what_cannot_be_compared_is_an_error_that_names_values(text, column, fault):
    with pytest.raises(FilterError) as caught:
        kept(text, column, ["one", "two"])
    assert caught.value.fault == fault
    if fault == "fit" and text[0] != "=":
        for each in caught.value.values["choices"].split(", "):
            kept(f"<={each}", column, ["one", "two"])
    elif fault != "day":
        assert "one, two" in str(caught.value)


def test_a_quantity_in_a_field_whose_name_has_a_unit_is_compared_as_one():
    columns = {"weight_kg": Column({"mass": 3, "number": 1})}
    assert Where.parse(["weight_kg=2kg"], columns).matches({"weight_kg": "2000g"})
    assert Where.parse(["weight_kg=2"], columns).matches({"weight_kg": 2})


def test_what_nothing_is_known_of_decides_itself():
    assert Where.parse(["price=$5"]).conditions[0].values == ("$5",)
    for text in ("x=5..3kg", "x<$5"):
        with pytest.raises(FilterError, match="fit"):
            where(text)


@pytest.mark.parametrize(
    ("text", "column", "words", "fault", "told"),
    [
        ("=maybe", Column({"switch": 2}), [], "choice", "must be one of true, false (given"),
        ("<5", Column({"switch": 2}), [], "no_order", "(values: true, false)"),
        ("=maybe", Column({"number": 2, "switch": 2}), [], "fit", "true, false, 1, 2.5"),
        ("<=9€", PRICES, ["call us", "$99.50", "$5", "$7"], "fit", "like $99.50, $5 (given"),
        (">=now", DAYS, ["미정", "2026-03-04"], "fit", "like 2026-03-04 (given"),
        ("=now", DAYS, ["미정", "2026-03-04"], "fit", "like 2026-03-04, 미정 (given"),
    ],
)
def test_an_error_names_values_that_would_do(text, column, words, fault, told):
    with pytest.raises(FilterError) as caught:
        Where.parse([f"x{text}"], {"x": column}, lambda name: words)
    assert caught.value.fault == fault and told in tell(caught.value, "en")


def test_a_folder_is_named_with_a_slash_or_without():
    columns = {"folder": Column({"word": 1})}
    assert Where.parse(["folder=hr/"], columns).matches({"folder": "HR"})
    with pytest.raises(FilterError, match="nothing"):
        where(" ")


def test_an_amount_of_money_is_a_number_and_a_word():
    assert Column({"won": 1}).kinds == {"number", "word"}
    assert Column({"number": 1, "switch": 1}).kinds == {"number", "switch"}


def test_a_quantity_lies_beside_its_word():
    assert comparable({"a": "2kg", "b": "$5", "c": "x", "d": 3}) == {
        "a": ("2kg", "2000 g"), "a@mass": (2000,), "b": ("$5", 5), "c": "x", "d": 3,
    }  # fmt: skip
