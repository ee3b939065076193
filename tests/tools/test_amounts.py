"""Korean amounts: read whole and exactly, or not at all."""

from __future__ import annotations

import math
import random
import time
from unicodedata import normalize

import pytest

from tools.amounts import Unread, WonRange, read_won, won_named


def exactly(won: int, per: str = "") -> WonRange:
    return WonRange(won, won, per)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        pytest.param("29,000원", exactly(29_000), id="FP-01 commas"),
        pytest.param("3만 원", exactly(30_000), id="FP-01 a space"),
        pytest.param("10~20만원", WonRange(100_000, 200_000), id="FP-01 a range"),
        pytest.param("-10", Unread("negative"), id="FP-01 negative"),
        pytest.param("1억 2천만원", exactly(120_000_000), id="FP-01 two scales"),
        pytest.param("무료", exactly(0), id="FP-01 free"),
        pytest.param("가격 문의", Unread("unknown"), id="FP-01 no price"),
        pytest.param("2만9천원", exactly(29_000), id="FP-01 in a row"),
        pytest.param("$640", Unread("currency"), id="FP-01 dollars"),
        pytest.param("3.5만원", exactly(35_000), id="FP-01 decimals"),
        pytest.param("월 9,900원", exactly(9_900, "month"), id="FP-01 a month"),
        pytest.param("40만 원 미만", WonRange(None, 399_999), id="FP-02 미만"),
        pytest.param("40만원 이하", WonRange(None, 400_000), id="FP-02 이하"),
        pytest.param("40만원 초과", WonRange(400_001, None), id="FP-02 초과"),
        pytest.param("40만원 이상", WonRange(400_000, None), id="FP-02 이상"),
        pytest.param("40만원대", WonRange(400_000, 499_999), id="FP-02 대"),
        pytest.param("40만원 정도", WonRange(360_000, 440_000), id="FP-02 정도"),
        pytest.param("30~40만원", WonRange(300_000, 400_000), id="FP-02 one scale for two"),
        pytest.param("최대 40만", WonRange(None, 400_000), id="FP-02 최대"),
        pytest.param("30만에서 40만 사이", WonRange(300_000, 400_000), id="FP-02 사이"),
        ("최소 3만원", WonRange(30_000, None)),
        ("3만원부터", WonRange(30_000, None)),
        ("3만원까지", WonRange(None, 30_000)),
        ("3만 원 이내", WonRange(None, 30_000)),
        ("~20만원", WonRange(None, 200_000)),
        ("10만원~", WonRange(100_000, None)),
        ("약 1만 원", WonRange(9_000, 11_000)),
        ("99원 쯤", WonRange(90, 108)),
        ("10만원 이상 20만원 이하", WonRange(100_000, 200_000)),
        ("10만원 이상 20만원 미만", WonRange(100_000, 199_999)),
        ("10만원 초과 20만원 이하", WonRange(100_001, 200_000)),
        ("10만원 초과 ~ 20만원 미만", WonRange(100_001, 199_999)),
        ("5천 원에서 1만 원 사이", WonRange(5_000, 10_000)),
        ("3만원부터 5만원까지", WonRange(30_000, 50_000)),
        ("3과 5만원 사이", WonRange(30_000, 50_000)),
        ("5,000-10,000원", WonRange(5_000, 10_000)),
        ("0~5만원", WonRange(0, 50_000)),
        ("10원~20만원", WonRange(10, 200_000)),
        ("1.5~2만원", WonRange(15_000, 20_000)),
        ("35만 원대", WonRange(350_000, 359_999)),
        ("100만원대", WonRange(1_000_000, 1_999_999)),
        ("만원대", WonRange(10_000, 19_999)),
        ("만 원 미만", WonRange(None, 9_999)),
        ("천만 원", exactly(10_000_000)),
        ("이만오천원", exactly(25_000)),
        ("삼십오만 원", exactly(350_000)),
        ("3만5천500원", exactly(35_500)),
        ("2만 9,000원", exactly(29_000)),
        ("12,345만원", exactly(123_450_000)),
        ("9조 9,999억원", exactly(9_999_900_000_000)),
        ("0원", exactly(0)),
        ("₩29,000", exactly(29_000)),
        ("３만　원", exactly(30_000)),
        (normalize("NFD", "3만 원 이하"), WonRange(None, 30_000)),
        ("매년 3만원 이하", WonRange(None, 30_000, "year")),
        ("매주 오천원", exactly(5_000, "week")),
    ],
)
def test_what_is_written_is_what_is_read(text: str, read: WonRange | Unread):
    assert read_won(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "원", "만", "천", "조", "이하", "미만", "대", "~", "A", "A이하", "A~3만원",
        "29000", "최대 40", "5백", "십만", "30~40",
        "3만원 이하 키보드", "3만원 5천원", "3만원짜리", "약 3만원 이하", "30~40만원대", "몇 만원",
        "수십만원", "3만원 언저리", "무료 배송", "40만원대 초반",
        "20~10만원", "9,900~20만원", "5~만원", "10~2천만원", "20만원 이하 10만원 이상",
        "1 2만원", "1만 2만원", "3만 90000원", "5백2천원", "1만만원", "2천만억", "3 0만원",
        "007원", "1,00원", "10,20만원", "10, 20만원", "1,2345원", "3..5만원", "3.원", "29.000원",
        "3.55555만원", "1.00005만원", "1.5억 2천만원", "²만원", "①만원", "٣만원", "三万원",
        "0원 미만", "0원대", "1000조 원", "9" * 16 + "원", " 1" * 40 + "원",
    ],
)  # fmt: skip
def test_fp_01_what_is_not_written_so_is_unknown_and_never_guessed(text: str):
    assert read_won(text) == Unread("unknown")


@pytest.mark.parametrize("text", ["-10만원", "−10", "₩-10", "- 3천원", "마이너스 3만원"])
def test_fp_01_a_negative_amount_is_no_positive_one(text: str):
    assert read_won(text) == Unread("negative")


@pytest.mark.parametrize("text", ["3만 달러", "640 USD", "EUR 30", "€3", "£3", "1,000엔", "¥500"])
def test_fp_01_other_money_is_not_won(text: str):
    assert read_won(text) == Unread("currency")


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("40만원 미만", [399_999]),
        ("40만원 이하", [399_999, 400_000]),
        ("40만원", [400_000]),
        ("40만원 이상", [400_000, 400_001]),
        ("40만원 초과", [400_001]),
    ],
)
def test_fp_02_the_amount_itself_is_in_or_out(text: str, held: list[int]):
    read = read_won(text)
    assert isinstance(read, WonRange)
    assert [won for won in (399_999, 400_000, 400_001) if read.holds(won)] == held


def test_every_amount_comes_back_as_it_went_in():
    chance = random.Random(11)
    for _ in range(2_000):
        won = chance.randrange(10 ** chance.randrange(1, 13))
        high, rest = divmod(won, 10_000)
        mixed = f"{high}만 {rest}원" if rest else f"{high}만원"
        for written in (f"{won}원", f"{won:,}원", f"₩{won:,}", mixed):
            assert read_won(written) == exactly(won), written


def test_no_text_is_a_fault_or_takes_long():
    chance = random.Random(12)
    alphabet = "0123456789,.~- 원만천백억조일이삼사오미초과하상최대부터까지에서무료월₩$A\ud800²"
    started = time.monotonic()
    for _ in range(20_000):
        read = read_won("".join(chance.choices(alphabet, k=chance.randrange(14))))
        if isinstance(read, WonRange):
            assert (read.low or 0) >= 0
            assert read.high is None or (read.low or 0) <= read.high
    for hard in ("1" * 59 + "x", "1 " * 29 + "x", "만" * 59 + "x", "1,1" * 19 + "x"):
        assert read_won(hard) == Unread("unknown")
    read_won("1" * 10_000_000)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("sentence", "won"),
    [
        ("₩200,000 환불", 200_000),
        ("refund of KRW 200,000", 200_000),
        ("refund of 150 thousand won", 150_000),
        ("refund of 0.2 million krw", 200_000),
        ("십만 원 환불", 100_000),
        ("9만원짜리 두 개", 180_000),
        ("two licences at 90,000 won", 180_000),
        ("5만 원과 6만 원", 110_000),
        ("99,999원은 30일 안에", 99_999),
        ("refund of two hundred and ten thousand won", 210_000),
        ("refund of fifty won", 50),
        ("two KRW 9,000 won licences", 18_000),
        ("200,000 환불", 200_000),
        ("3.2.1 버전을 30일 안에 2번 150 thousand times", None),
        ("", None),
    ],
)
def test_the_won_that_a_sentence_names_together(sentence, won):
    assert won_named(sentence) == won


@pytest.mark.parametrize(
    "sentence",
    ["$30 환불", "30달러 환불", "1,00,000원 환불", "30 usd", "fifty dollars", "5 thousand euros"],
)
def test_what_cannot_be_read_is_below_no_bound(sentence):
    assert won_named(sentence) == math.inf
