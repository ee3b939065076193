"""The article in force on the day asked about, and what it leaves to a decree and a rule."""

from __future__ import annotations

import datetime
import json
import shutil
from pathlib import Path

import pytest

from agent.ask import ask as ask_in_process
from agent.offline.model import OfflineModel
from tests.asking import Ask, asker, cited, copied, ids, renamed
from tools.corpus import find_corpus

KOREAN = "{}공유 자전거 보증금 한도와 반환 기한은?"
ENGLISH = "{}what is the ceiling of the deposit for a shared bicycle, and when is it returned?"
BEFORE = {"act": "act-12", "decree": "decree-7", "rule": "rule-3"}
AFTER = {"act": "act-15", "decree": "decree-9", "rule": "rule-4"}


def in_2026() -> datetime.date:
    return datetime.date(2026, 3, 15)


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    return asker(capsys)


@pytest.mark.parametrize("where", [(), ("--corpus", "law")])
@pytest.mark.parametrize(
    "question",
    [
        KOREAN.format("2025년 3월 1일 기준 "),
        KOREAN.format("2025. 3. 1. 현재 "),
        ENGLISH.format("As of 2025-03-01, "),
        ENGLISH.format("On March 1, 2025, "),
        ENGLISH.format("On 1 March 2025 "),
    ],
)
def test_from_the_act_to_the_decree_to_the_rule(ask: Ask, question: str, where: tuple[str, ...]):
    record = ask(*where, question)
    assert (record["status"], record["code"]) == ("complete", 0)
    assert ids(record) == BEFORE and cited(record) == {*BEFORE.values()}
    assert [each["query"] for each in record["searches"]][1:] == [
        "법 제12조 보증금 한도", "영 제7조 보증금 반환",
    ]  # fmt: skip
    assert (len(record["searches"]), record["rounds"]) == (3, 3)
    assert "30,000원" in record["answer"] and "2025-03-01" in record["message"]
    for later in ("제15조", "50,000", "제9조", "act-15", "decree-9", "rule-4"):
        assert later not in json.dumps(record, ensure_ascii=False)


@pytest.mark.parametrize(
    ("day", "found"),
    [
        ("2024-01-01", BEFORE),
        ("2025-06-30", BEFORE),
        ("2025-07-01", AFTER),
        ("2031-12-31", AFTER),
    ],
)
def test_the_first_and_the_last_day_count(ask: Ask, day: str, found: dict[str, str]):
    for question in (KOREAN.format(f"{day} 기준 "), ENGLISH.format(f"As of {day}, ")):
        assert ids(ask(question)) == found


@pytest.mark.parametrize("question", [KOREAN, ENGLISH])
def test_before_the_first_day_nothing_was_in_force(ask: Ask, question: str):
    record = ask(question.format("as of 2023-12-31 기준 "))
    assert (record["status"], record["missing"]) == ("incomplete", ["act", "decree", "rule"])
    assert (record["answer"], record["evidence"]) == (None, [])


@pytest.mark.parametrize(
    ("today", "found"), [((2025, 6, 30), BEFORE), ((2025, 7, 1), AFTER), ((2023, 12, 31), {})]
)
def test_without_a_day_it_is_today(today: tuple[int, int, int], found: dict[str, str]):
    law = find_corpus("law")
    run = ask_in_process(
        KOREAN.format(""), law, OfflineModel(), today=lambda: datetime.date(*today)
    )
    assert ids(run.as_record()) == found
    assert bool(found) is (run.status == "complete")
    assert datetime.date(*today).isoformat() in run.message


@pytest.mark.parametrize(
    ("korean", "english", "found", "time"),
    [
        ("2025년 3월 ", "in March 2025, ", BEFORE, "2025-03-01 ~ 2025-03-31"),
        ("2025년 6월 ", "in June 2025, ", BEFORE, "2025-06-01 ~ 2025-06-30"),
        ("2025년 7월 ", "in July 2025, ", AFTER, "2025-07-01 ~ 2025-07-31"),
        ("2024년 ", "in 2024, ", BEFORE, "2024-01-01 ~ 2024-12-31"),
        ("재작년 ", "two years ago, ", BEFORE, "2024-01-01 ~ 2024-12-31"),
        ("2025년 7월 1일 전의 ", "before July 1, 2025, ", BEFORE, "~ 2025-06-30"),
        ("2025년 7월 1일 이후 ", "since 2025-07-01, ", AFTER, "2025-07-01 ~"),
    ],
)
def test_a_time_within_one_version_is_that_version(
    korean: str, english: str, found: dict[str, str], time: str
):
    for question in (KOREAN.format(korean), ENGLISH.format(english)):
        run = ask_in_process(question, find_corpus("law"), OfflineModel(), today=in_2026)
        assert (ids(run.as_record()), run.status) == (found, "complete")
        assert time in run.message


@pytest.mark.parametrize(
    ("korean", "english", "told"),
    [
        ("작년 ", "last year, ", "2025-01-01 ~ 2025-12-31"),
        ("2025년 ", "in 2025, ", "2025-01-01 ~ 2025-12-31"),
        ("2025년 6월 이후 ", "since June 2025, ", "2025-06-01 ~"),
        ("2025년 7월 1일까지 ", "until 2025-07-01, ", "~ 2025-07-01"),
        ("2023년 ", "in 2023, ", None),
    ],
)
def test_a_time_of_two_versions_is_answered_with_neither(
    korean: str, english: str, told: str | None
):
    for question in (KOREAN.format(korean), ENGLISH.format(english)):
        run = ask_in_process(question, find_corpus("law"), OfflineModel(), today=in_2026)
        assert (run.status, run.answer, run.missing) == (
            "incomplete", None, ["act", "decree", "rule"],
        )  # fmt: skip
        if told:
            assert told in run.message and run.stop_reason == "exhausted"
            assert {each["code"] for each in run.tool_errors} == {"several_versions"}
            assert run.evidence.searches == []
            assert "act-12 (2024-01-01 ~ 2025-06-30), act-15 (2025-07-01 ~)" in run.message


@pytest.mark.parametrize(
    "question",
    [
        "2025-06-30과 2025-07-01의 공유 자전거 보증금 한도는 어떻게 다른가?",
        "개정 전후 공유 자전거 보증금 한도는?",
        "공유 자전거 보증금 한도는 어떻게 바뀌었나요?",
        "3월의 공유 자전거 보증금 한도는?",
        "What was the former ceiling of the bicycle deposit?",
        "How did the bicycle deposit differ between 2025-06-30 and 2025-07-01?",
    ],
)
def test_a_time_that_is_not_understood_is_never_today(ask: Ask, question: str):
    record = ask(question)
    assert (record["status"], record["code"], record["answer"]) == ("incomplete", 3, None)
    assert record["usage"]["requests"] == 0 and record["searches"] == []
    assert "2025-06-30" in record["message"] and record["missing"] == ["act", "decree"]


def test_what_did_not_change_within_the_time_is_answered(ask: Ask, tmp_path: Path):
    """Another article that was amended in that time, and shares words, changes nothing."""
    folder = copied("law", tmp_path)
    for number, time in (("30", "2024-01-01 ~ 2025-02-28"), ("31", "2025-03-01 ~")):
        text = (
            f"자전거공유법 제{number}조(보증금) (시행 {time})\n보증금의 공고는 대통령령으로 정한다."
        )
        (folder / "act" / f"act-{number}.md").write_text(text, encoding="utf-8")
    record = ask("--corpus", str(folder), KOREAN.format("2025년 상반기 "))
    assert (record["status"], ids(record)) == ("complete", BEFORE)


def test_a_better_score_never_beats_the_day():
    law = find_corpus("law")
    plan = law.plan_for(KOREAN.format(""))
    assert plan is not None
    slot, query = plan.slots[0], "who paid a deposit for a bicycle 보증금"
    scores = {
        day: law.asked(f"as of {day}", datetime.date(2026, 1, 1)).retrieve(slot, query, None)[0]
        for day in ("2025-06-30", "2025-07-01")
    }
    assert scores["2025-06-30"].id == "act-12" and scores["2025-07-01"].id == "act-15"
    assert scores["2025-06-30"].score < scores["2025-07-01"].score


def test_a_day_that_is_not_in_the_calendar_is_refused(capsys: pytest.CaptureFixture[str]):
    from agent.cli import main

    for question in (KOREAN.format("2025년 2월 30일 기준 "), ENGLISH.format("As of 2025-02-30, ")):
        assert main(["ask", question]) == 2
        told = capsys.readouterr()
        assert "2025-02-30" in told.err and len(told.err.splitlines()) == 1 and not told.out


@pytest.mark.parametrize("name", ["act", "decree", "rule"])
@pytest.mark.parametrize("question", [KOREAN, ENGLISH])
def test_without_one_source_what_hangs_on_it_is_missing(
    ask: Ask, tmp_path: Path, question: str, name: str
):
    folder = copied("law", tmp_path)
    shutil.rmtree(folder / name)
    record = ask("--corpus", str(folder), question.format("as of 2025-03-01, "))
    assert (record["status"], record["code"], record["answer"]) == ("incomplete", 3, None)
    assert record["missing"] == [*BEFORE][[*BEFORE].index(name) :]
    assert name in record["message"]


@pytest.mark.parametrize("question", [KOREAN, ENGLISH])
def test_nothing_hangs_on_these_numbers_and_names(ask: Ask, tmp_path: Path, question: str):
    other = {
        "제12조": "제131조",
        "제15조": "제13조",
        "제7조": "제70조",
        "제9조": "제7조",
        "자전거공유법": "탈것나눔법",
        "act-": "statute-",
        "2025-06-30": "2022-02-28",
        "2025-07-01": "2022-03-01",
        "2024-01-01": "2019-05-05",
        "30,000": "12,000",
    }
    folder = renamed("law", tmp_path, other)
    record = ask("--corpus", str(folder), question.format("as of 2022-02-28, "))
    assert ids(record) == {"act": "statute-12", "decree": "decree-7", "rule": "rule-3"}
    assert "제131조" in record["answer"] and "12,000원" in record["answer"]
    after = ask("--corpus", str(folder), question.format("as of 2022-03-01, "))
    assert ids(after) == {"act": "statute-15", "decree": "decree-9", "rule": "rule-4"}
