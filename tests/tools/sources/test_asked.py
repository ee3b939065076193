"""Which time a question asks about, and which it speaks of without saying it."""

from __future__ import annotations

import datetime

import pytest

from tools.problems import CorpusError
from tools.sources.asked import Unclear, asked_time

TODAY = datetime.date(2026, 3, 15)


@pytest.mark.parametrize(
    ("question", "time"),
    [
        # a day
        ("2025년 3월 1일 기준 한도", "2025-03-01"),
        ("2025년3월1일자 기준", "2025-03-01"),
        ("2025. 3. 1. 현재", "2025-03-01"),
        ("2025/07/01 한도", "2025-07-01"),
        ("as of 2025-03-01", "2025-03-01"),
        ("as of March 1st, 2025?", "2025-03-01"),
        ("on 1 Mar 2025", "2025-03-01"),
        ("2024-01-01에 가입했고 2025-03-01 당시", "2025-03-01"),
        ("joined 2024-01-01, as of 2025-03-01", "2025-03-01"),
        ("2025-03-01 ... 2025-03-01", "2025-03-01"),
        ("어제 한도는?", "2026-03-14"),
        ("the limit yesterday", "2026-03-14"),
        ("열흘이 아니라 3일 전에", "2026-03-12"),
        ("the limit ten days ago", "2026-03-05"),
        # a month, a part of a year, a year
        ("2025년 3월 보증금", "2025-03-01 ~ 2025-03-31"),
        ("the deposit in February 2024", "2024-02-01 ~ 2024-02-29"),
        ("2025-03 한도", "2025-03-01 ~ 2025-03-31"),
        ("지난달 한도", "2026-02-01 ~ 2026-02-28"),
        ("the limit last month", "2026-02-01 ~ 2026-02-28"),
        ("석 달 전 한도", "2025-12-01 ~ 2025-12-31"),
        ("일곱 달 전 한도", "2025-08-01 ~ 2025-08-31"),
        ("the limit twelve months ago", "2025-03-01 ~ 2025-03-31"),
        ("작년 3월 한도", "2025-03-01 ~ 2025-03-31"),
        ("2025년 상반기 한도", "2025-01-01 ~ 2025-06-30"),
        ("the limit in Q2 2025", "2025-04-01 ~ 2025-06-30"),
        ("2024년 한도", "2024-01-01 ~ 2024-12-31"),
        ("the limit in 2024", "2024-01-01 ~ 2024-12-31"),
        ("작년 한도", "2025-01-01 ~ 2025-12-31"),
        ("the limit last year", "2025-01-01 ~ 2025-12-31"),
        ("two years ago", "2024-01-01 ~ 2024-12-31"),
        # before and after
        ("2025년 7월 1일 전의 한도", "~ 2025-06-30"),
        ("the limit before July 1, 2025", "~ 2025-06-30"),
        ("2025년 7월 1일 이전 한도", "~ 2025-07-01"),
        ("until 2025-07-01", "~ 2025-07-01"),
        ("2025년 7월 1일 후에", "2025-07-02 ~"),
        ("since 2025-07-01", "2025-07-01 ~"),
        ("2025년 7월 1일부터의 한도", "2025-07-01 ~"),
        ("2025년 1월부터 2025년 3월까지", "2025-01-01 ~ 2025-03-31"),
        ("from 2025-01-01 to 2025-03-31", "2025-01-01 ~ 2025-03-31"),
        # none
        ("보증금 전액을 언제 돌려받나", None),
        ("자전거를 빌리기 전에 보증금을 내나", None),
        ("보증금 2000원, 3일 안에 반환", None),
        ("10년 된 자전거, 법 제2025조", None),
        ("서버 이전 뒤의 최근 장애", None),
        ("May I get it back? srv-prod-2024, INC-2025", None),
        ("riders who are 70 years old", None),
        ("version 3.2.1, 12025-03-011", None),
        ("오늘 현재 한도", None),
        ("", None),
    ],
)
def test_the_time_a_question_asks_about(question: str, time: str | None):
    found = asked_time(question, TODAY)
    assert not isinstance(found, Unclear), found
    assert (None if found is None else str(found)) == time


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("2025-03-01 또는 2025-04-01", ["2025-03-01", "2025-04-01"]),
        ("2025년 한도와 2026년 한도", ["2025년", "2026년"]),
        ("2025-06-30 기준과 2025-07-01 기준", ["2025-06-30 기준", "2025-07-01 기준"]),
        ("as of 2025-06-30 and as of 2025-07-01", ["as of 2025-06-30", "as of 2025-07-01"]),
        ("2025년 7월 1일 전후", ["2025년 7월 1일 전후"]),
        ("개정 전후의 한도", ["개정 전후"]),
        ("2025-07-01 개정 전의 한도", ["2025-07-01", "개정 전"]),
        ("예전 한도", ["예전"]),
        ("한도가 어떻게 바뀌었나", ["어떻게 바뀌"]),
        ("3월의 한도", ["3월"]),
        ("25년 3월 한도", ["3월"]),
        ("지난주 한도", ["지난주"]),
        ("the limit before the amendment", ["before the amendment"]),
        ("the previous limit", ["previous"]),
        ("the old limit", ["old"]),
        ("the limit in March", ["in March"]),
        ("how did the limit change", ["how did the limit change"]),
    ],
)
def test_what_does_not_come_down_to_one_time(question: str, words: list[str]):
    assert asked_time(question, TODAY) == Unclear(tuple(words))


@pytest.mark.parametrize(
    ("question", "only"),
    [
        ("2025-03-01에 난 장애", True),
        ("the outage on March 1, 2025", True),
        ("the outage of 2025-03-01", True),
        ("어제 장애", True),
        ("yesterday's outage", True),
        ("3일 전 장애", True),
        ("2025-03-01 기준 장애", False),
        ("2025. 3. 1. 현재 장애", False),
        ("어제 기준 장애", False),
        ("the outage as of March 1, 2025", False),
        ("the limit in force on March 1, 2025", False),
        ("the price that was valid on 2025-03-01", False),
        ("2025-03-01 이전 장애", False),
        ("the outage before 2025-03-01", False),
        ("2025년 3월 장애", False),
    ],
)
def test_a_day_is_that_of_what_happened_or_by_which_it_was_so(question: str, only: bool):
    asked = asked_time(question, TODAY)
    assert asked and not isinstance(asked, Unclear) and asked.only is only


@pytest.mark.parametrize("day", ["2025-02-29", "2025년 13월 1일 기준", "2025-00-10", "2025년 13월"])
def test_a_day_that_is_none(day: str):
    with pytest.raises(CorpusError):
        asked_time(day, TODAY)
