"""Bounds in a sentence: whatever it holds, reading it is no fault and takes no time."""

from __future__ import annotations

import random
import time

import pytest

from tools.index.columns import Column
from tools.proposals import indexed_fields, proposals, without_bounds
from tools.stated import stated

FIELDS = indexed_fields(
    {
        "price": Column({"number": 3}),
        "weight_kg": Column({"number": 3}),
        "note": Column({"word": 3}),
    }
)


@pytest.mark.parametrize(
    ("fields", "known"),
    [
        ({"price": {"number": 2}}, [("price", "won", 1)]),
        ({"판매가격": {"number": 2, "word": 1}}, [("판매가격", "won", 1)]),
        ({"price_usd": {"number": 1}}, [("price_usd", "usd", 1)]),
        ({"무게_g_": {"number": 1}}, [("무게_g_", "mass", 1)]),
        ({"weight": {"number": 1}}, [("weight", "mass", None)]),
        ({"height_mm": {"number": 1}}, [("height_mm", "length", 1)]),
        ({"price_eur": {"number": 1}}, [("price_eur", "eur", 1)]),
        ({"price": {"usd": 2, "number": 1}}, [("price", "usd", 1)]),
        ({"size": {"length": 2, "word": 1}}, [("size", "length", 1)]),
        ({"released": {"day": 2}}, [("released", "day", 1)]),
        ({"price": {"usd": 2, "won": 2}}, []),
        (
            {"price": {"word": 1}, "price_per_kg": {"number": 1}},
            [("price_per_kg", "other", 1)],
        ),
        (
            {"m": {"number": 1}, "rating": {"number": 1}},
            [("m", "other", 1), ("rating", "other", 1)],
        ),
        ({"battery": {"time": 2}}, [("battery", "time", 1)]),
    ],
)
def test_what_a_field_holds_is_told_by_its_name(fields, known):
    read = [(each.name, each.measure, each.scale) for each in of(fields)]
    assert read == known


def of(columns):
    return indexed_fields({name: Column(counts) for name, counts in columns.items()})


def test_dollars_are_for_a_field_in_dollars():
    fields = of({"price_usd": {"number": 1}})
    (made,) = proposals("chairs under $1,250.50", fields)
    assert made.conditions == ("price_usd<1250.5",)
    (made,) = proposals("10만 원 이하 의자", fields)
    assert (made.conditions, made.reason) == ((), "currency")


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("10만 원 이하 책상", "책상"),
        ("책상 under 100,000 won please", "책상 please"),
        ("2kg 이하 책상", "2kg 이하 책상"),
        ("10만 원 이하 말고 책상", "10만 원 이하 말고 책상"),
        ("10만 원 이하", "10만 원 이하"),
    ],
)
def test_only_the_bound_that_a_condition_holds_is_no_word_to_look_for(query: str, left: str):
    assert " ".join(without_bounds(query, of({"price": {"number": 1}})).split()) == left


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("chairs up to 2000 won", ["up to 2000 won: won<=2000"]),
        ("2000~2050원 의자", ["2000~2050원: won>=2000<=2050"]),
        ("from 1900 to 2000 grams", ["from 1900 to 2000 grams: mass>=1900<=2000"]),
        ("2000부터 2050원까지", ["2000부터 2050원까지: won>=2000<=2050"]),
        ("up to 1999kg", ["up to 1999kg: mass<=1999000"]),
        ("released up to 2025", ["up to 2025: day<=20250000"]),
        ("2025 이전 엔비디아 문서", ["2025 이전: day<=20250000"]),
        ("2024~2025년까지", ["2024~2025년까지: day>=20240000<=20250000"]),
        (
            "from 2025-06-01 until 2025-07-01",
            ["from 2025-06-01 until 2025-07-01: day>=20250601<=20250701"],
        ),
        ("2025년 3월부터 5월까지", ["2025년 3월부터 5월까지: day>=20250300<=20250500"]),
        ("2025년 3월 1일~4월 2일", ["2025년 3월 1일~4월 2일: day>=20250301<=20250402"]),
        ("2025년 12월부터 2월까지", ["2025년 12월부터 2월까지: day>=20251200<=20250200 unclear"]),
        ("2026년부터 2025년까지", ["2026년부터 2025년까지: day>=20260000<=20250000 unclear"]),
        (
            "2025년 3월 이후 10만 원 이하",
            ["2025년 3월 이후: day>=20250300", "10만 원 이하: won<=100000"],
        ),
        ("3월 4일 이후 주문", ["3월 4일 이후: day unclear"]),
        ("orders after March 4", ["after March 4: day unclear"]),
        ("orders after March 4, 2026", ["after March 4, 2026: day>20260304"]),
        ("in march before 4", []),
        ("under two hundred dollars", ["under 200 dollars: usd<200"]),
        ("under a hundred dollars", ["under 100 dollars: usd<100"]),
        ("under ninety thousand won", ["under 90000 won: won<90000"]),
        ("under a thousand euros", ["under 1000 euros: eur<1000"]),
        (
            "under two hundred and fifty thousand won",
            ["under 250000 won: won<250000"],
        ),
        ("battery over 10 hours", ["over 10 hours: time>36000"]),
        ("90분 이하", ["90분 이하: time<=5400"]),
        ("at least 500 GB of storage", ["at least 500 GB: data>=500000000000"]),
        ("할인 10% 이상", ["10% 이상: percent>=10"]),
        ("at most 2 litres", ["at most 2 litres: volume<=2000"]),
        ("rating above 4.5", ["above 4.5: other>4.5 bare"]),
        ("평점이 4 이상 4.5 이하", ["4 이상 4.5 이하: other>=4<=4.5 bare"]),
        ("not above 4.5", ["not above 4.5: other<=4.5 bare"]),
        ("4.5 이상 말고", ["4.5 이상: other>=4.5 negated"]),
        ("rating above about 4.5", []),
        ("under £50", ["under £50: gbp<50"]),
        ("5천 엔 이하", ["5천 엔 이하: jpy unclear"]),
        ("300 위안 이하", ["300 위안 이하: cny<=300"]),
    ],
)
def test_what_a_question_states_is_read_with_its_unit(question: str, read: list[str]) -> None:
    found = [
        f"{each.words}: {each.measure}"
        + "".join(f"{bound.sign}{bound.value}" for bound in each.bounds)
        + (f" {each.reason}" if each.reason else "")
        for each in stated(question)
    ]
    assert found == read


MANY = {
    "rating": {"number": 4},
    "stock_count": {"number": 4},
    "battery": {"time": 3},
    "discount": {"percent": 3},
    "storage": {"data": 3},
    "year": {"number": 4},
    "price": {"won": 4},
}


@pytest.mark.parametrize(
    ("question", "conditions", "reason"),
    [
        ("rating above 4.5", ("rating>4.5",), None),
        ("a rating of at least 4", ("rating>=4",), None),
        ("stock count from 3 to 5", ("stock_count>=3", "stock_count<=5"), None),
        ("above 4.5", (), "bare"),
        ("rating or stock above 4.5", (), "bare"),
        ("price above 4.5", (), "bare"),
        ("a rating not above 4.5", ("rating<=4.5",), None),
        ("rating 4.5 이상 말고", (), "negated"),
        ("battery over 10 hours", ("battery>10h",), None),
        ("battery for at most 90 minutes", ("battery<=1.5h",), None),
        ("할인 10% 이상", ("discount>=10%",), None),
        ("at least 500 GB", ("storage>=500GB",), None),
        ("at most 2 litres", (), "no_field"),
        ("2020년 이후", ("year>=2020",), None),
        ("between 2019 and 2021", ("year>=2019", "year<=2021"), None),
        ("2020년 3월 이후", (), "no_field"),
        ("5개 이상", (), "no_field"),
    ],
)
def test_a_bound_is_about_the_field_of_its_unit_or_of_its_name(
    question: str, conditions: tuple[str, ...], reason: str | None
) -> None:
    (made,) = proposals(question, of(MANY))
    assert (made.conditions, made.reason) == (conditions, reason)


def test_a_number_alone_is_about_no_field_that_is_not_named() -> None:
    (made,) = proposals("above 4.5", of({"rating": {"number": 2}}))
    assert (made.conditions, made.reason, made.field_names) == ((), "bare", ("rating",))


def test_what_texts_are_often_asked_about_is_no_word_where_no_field_is() -> None:
    for question in ("meetings over 2 hours", "at least 10%", "30분 이상 걸리나요?"):
        assert proposals(question, []) == []
        assert [each.reason for each in proposals(question, of({"price": {"won": 1}}))] == [
            "no_field"
        ]


def test_a_day_without_a_year_is_told_where_a_field_has_days() -> None:
    (told,) = proposals("3월 4일 이후 주문", of({"placed": {"day": 2}}))
    assert (told.conditions, told.reason) == ((), "unclear")
    assert proposals("3월 4일 이후 주문", of({"price": {"won": 2}})) == []


def test_no_text_is_a_fault_or_takes_long():
    chance = random.Random(21)
    words = (
        "10만원 이하 ~ 3 kg , 십 만 . 원 between to under 넘지 않는 $ 1 - or 또는 ' \" 「 대 약 "
        "\ue000"
    ).split()
    started = time.monotonic()
    for _ in range(5_000):
        text = chance.choice(["", " "]).join(chance.choices(words, k=chance.randrange(9)))
        for made in proposals(text, FIELDS):
            assert (made.reason is None) is bool(made.conditions)
    for hard in ("1" * 20_000, "1," * 10_000, "「" * 20_000, "만" * 20_000, "원 " * 10_000):
        assert list(stated(hard)) == []
    assert time.monotonic() - started < 20
