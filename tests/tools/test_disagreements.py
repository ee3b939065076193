"""The same sentence with another number is seen, and nothing else is called a disagreement."""

from __future__ import annotations

import pytest

from tools.disagreements import Disagreement, disagreements
from tools.documents import Passage


def seen(*texts: str) -> list[Disagreement]:
    return disagreements([Passage(f"d{n}", text, "") for n, text in enumerate(texts, 1)])


@pytest.mark.parametrize(
    ("one", "other", "values"),
    [
        pytest.param("가격 29,000원", "가격 35,000원", ("29,000원", "35,000원"), id="EV-05 prices"),
        ("A 가격은 3만 원입니다.", "- A 가격은 4만 원입니다", ("3만 원", "4만 원")),
        ("환불은 7일 안에 됩니다.", "참고. 환불은 14일 안에 됩니다.", ("7일", "14일")),
        ("할인율: 10%", "할인율: 12.5%", ("10%", "12.5%")),
        ("The fee is $20.", "The fee is $25.", ("$20", "$25")),
        ("Refunds take 7 days.", "refunds  take 14 Days.", ("7 days", "14 days")),
        ("2026년 요금은 3만원", "2026년 요금은 4만원", ("3만원", "4만원")),
        ("| 새벽 키보드 | 29,000원 |", "| 새벽 키보드 | 35,000원 |", ("29,000원", "35,000원")),
        ("문은 6시에 닫습니다.", "문은 7시에 닫습니다.", ("6시", "7시")),
        ("It opens at 12 am.", "It opens at 12 pm.", ("12 am", "12 pm")),
    ],
)
def test_one_number_of_one_sentence_differs(one: str, other: str, values: tuple[str, str]):
    assert seen(one, other) == [dict(zip(("d1", "d2"), values, strict=True))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("가격 29,000원", "가격 29000원"),
        ("가격 3.0만 원", "가격 3만 원"),
        ("가격 29,000원", "배송비 3,000원"),
        ("가격 3만원", "가격 35,000원"),
        ("29,000원", "35,000원"),
        ("| 29,000원 |", "| 35,000원 |"),
        ("| 새벽 키보드 | 29,000원 |", "| 한낮 키보드 | 35,000원 |"),
        ("1월 요금은 3만원", "2월 요금은 4만원"),
        ("1월 요금은 3만원", "2월 요금은 3만원"),
        ("휴일은 5월 3일", "휴일은 5월 4일"),
        ("2025년 요금은 3만원", "2026년 요금은 4만원"),
        ("1층 화장실", "2층 화장실"),
        ("제1 시간 요금", "제2 시간 요금"),
        ("재고 4", "재고 7"),
        ("Room 5 has a crane.", "Room 9 has a crane."),
        ("Two cranes work.", "Three cranes work."),
        ("2026-01-05 the crane started", "2026-02-05 the crane started"),
        ("The crane opens at 9 am.", "The crane opens at 9:00."),
        ("The crane stops at 12 am.", "The crane stops at 0:00."),
        ("크레인은 오전 12시에 멈춥니다.", "크레인은 00:00에 멈춥니다."),
        ("Smoking is allowed.", "Smoking is permitted."),
        ("흡연을 허용합니다.", "흡연을 허용한다."),
        ("버전 3.6.1", "버전 3.7.0"),
        ("1. 요금은 3만원", "2. 요금은 4만원"),
        ("가격 29,000원. 가격 35,000원.", "배송 무료"),
    ],
)
def test_no_disagreement(one: str, other: str):
    assert seen(one, other) == []


def test_all_that_say_it_are_named_once():
    texts = ["가격 3만 원", "가격 4만 원", "가격 3만 원", "다른 말", "배송 2일. 가격 5만 원."]
    assert seen(*texts) == [{"d1": "3만 원", "d2": "4만 원", "d3": "3만 원", "d5": "5만 원"}]
    assert seen("가격 1원. 무게 2kg.", "가격 3원. 무게 4kg.") == [
        {"d1": "1원", "d2": "3원"},
        {"d1": "2kg", "d2": "4kg"},
    ]


def test_a_sentence_has_an_end():
    for length, number in ((293, 1), (294, 0)):
        one, other = ("가" * length + f" 가격 {n}만원" for n in (3, 4))
        assert len(seen(one, other)) == number


def test_what_stands_under_two_headings_of_one_document_is_not_compared():
    one = Passage("a.md:2", "가격 3만 원", "a.md", context="a 마우스")
    two = Passage("a.md:5", "가격 4만 원", "a.md", context="a 키보드")
    three = Passage("b.md:2", "가격 4만 원", "b.md", context="b 마우스")
    assert disagreements([one, two]) == []
    assert disagreements([one, two, three]) == [{"a.md:2": "3만 원", "b.md:2": "4만 원"}]


def test_long_texts_take_no_time():
    assert seen("가격 1원. " * 5_000_000, "가격 2원. " * 5_000_000)
    assert seen("1,1" * 100_000, "1 " * 100_000, "1월 1. " * 100_000) == []
