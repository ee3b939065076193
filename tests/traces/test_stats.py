"""Figures over a folder of traces, and the two of them that are signals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.limits import Limits
from tests.replies import call, turn
from tests.traces import recorded
from tests.traces.recorded import QUESTION, billing, office, record
from tests.traces.test_diagnose import (
    BOTH,
    BOTH_SAID,
    CITED,
    JUDGE,
    LAPTOP,
    LEAVE,
    LOST,
    MEALS,
    NONE,
    PERMISSION,
    PLAN,
    SAID,
    STEPS,
    find,
)

Stats = Callable[..., str]


@pytest.fixture
def trace(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Stats:
    return recorded.bareloop(capsys, monkeypatch)


@pytest.fixture
def korean(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Stats:
    return recorded.bareloop(capsys, monkeypatch, "ko")


def timed(folder: Path, name: str, seconds: list[float], cost: float | None = None) -> None:
    """Traces of one answered question each, with these seconds and this cost."""
    for number, each in enumerate(seconds):
        file = folder / f"{name}{number}.jsonl"
        record(file, LAPTOP, office(), LOST, SAID)
        events = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        events[-1]["record"]["seconds"] = each
        events[-1]["record"]["usage"]["cost_usd"] = cost
        text = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
        file.write_text(text, "utf-8")


def mixed(folder: Path) -> None:
    """Five questions: two searched again, one was cut off, one never ended."""
    timed(folder, "a", [1.0, 2.0], cost=0.0125)
    deep = folder / "deep"
    deep.mkdir()
    record(deep / "b.jsonl", QUESTION, billing(), STEPS, NONE, PERMISSION, CITED)
    limits = Limits(max_searches=2)
    record(deep / "b.jsonl", QUESTION, billing(), STEPS, NONE, limits=limits, number=1)
    record(folder / "c.jsonl", LAPTOP, office(), LOST, SAID)
    whole = (folder / "c.jsonl").read_bytes()
    (folder / "c.jsonl").write_bytes(whole[:-9])
    for file in deep.iterdir():
        text = file.read_text("utf-8")
        events = [json.loads(line) for line in text.splitlines()]
        for event in events:
            if event["event"] == "end":
                event["record"]["seconds"] = 0.5
        file.write_text("".join(json.dumps(event) + "\n" for event in events), "utf-8")


def test_a_folder_of_traces(trace: Stats, tmp_path: Path):
    mixed(tmp_path)
    (tmp_path / "notes.txt").write_text("not read")
    assert (
        trace("stats", tmp_path)
        == """\
questions: 5 (stopped: answered 3, max_searches 1)
Did not end, and left out below: 1.
re-search rate: 25% (of 4 questions that searched)
  of 1 re-search brought something new: 100%
  A signal of search quality: when it rises, look at index, queries and documents. (Compared over \
time from 20 questions on.)
cap rate: 25% (of 4 questions)
  A signal of fallback design: when it rises, look at the caps and at what is told there. \
(Compared over time from 20 questions on.)
seconds: P50 0.50, P95 2.00
tokens: 120 (30 a question)
cost: $0.0250 in all, $0.0125 a question (Not in it: 2 questions of unknown cost.)
"""
    )


def test_a_folder_in_korean(korean: Stats, tmp_path: Path):
    mixed(tmp_path)
    assert (
        korean("stats", tmp_path)
        == """\
질문 5개 (끝난 이유: answered 3, max_searches 1)
끝나지 않은 기록 1개는 아래에서 뺐습니다.
재검색률: 25% (검색한 질문 4개 가운데)
  재검색 1회 가운데 새 근거를 찾은 비율: 100%
  검색 품질의 신호입니다. 오르면 색인, 검색어, 문서를 보세요. (앞뒤를 견주려면 질문 20개부터)
상한 도달률: 25% (질문 4개 가운데)
  폴백 설계의 신호입니다. 오르면 상한과, 끊겼을 때의 안내를 보세요. (앞뒤를 견주려면 질문 20개부터)
걸린 시간(초): P50 0.50, P95 2.00
토큰: 120 (질문당 30)
비용: 모두 $0.0250, 질문당 $0.0125 (비용을 모르는 질문 2개는 빠져 있습니다.)
"""
    )


def test_the_same_as_json(trace: Stats, tmp_path: Path):
    mixed(tmp_path)
    assert json.loads(trace("stats", "--json", tmp_path)) == {
        "questions": 5,
        "unfinished": 1,
        "stop_reasons": {"answered": 3, "max_searches": 1},
        "re_search": {
            "of": 4, "rate": 0.25, "earlier": None, "later": None, "rises": None, "searches": 1,
            "brought_new": 1.0,
        },
        "cap": {"of": 4, "rate": 0.25, "earlier": None, "later": None, "rises": None},
        "latency": {"p50": 0.5, "p95": 2.0},
        "usage": {
            "tokens": 120, "tokens_each": 30.0, "cost_usd": 0.025, "cost_known": 2,
            "cost_unknown": 2,
        },
    }  # fmt: skip


def parts_of(answer: dict[str, Any]) -> list[Any]:
    return list(answer["candidates"][0]["content"]["parts"])


@pytest.mark.parametrize(
    ("question", "source", "answers", "options", "again", "new"),
    [
        (LAPTOP, office, [LOST, SAID], {}, 0, None),
        (LAPTOP, office, [find("은하"), LOST, SAID], {}, 1, 1.0),
        (LAPTOP, office, [LOST, find("노트북 잃어버리면 한 시간"), SAID], {}, 1, 0.0),
        # searches for different slots, and several in one step, look for different things
        (QUESTION, billing, [STEPS, PERMISSION, CITED], {}, 0, None),
        (QUESTION, billing, [STEPS, NONE, PERMISSION, CITED], {}, 1, 1.0),
        (
            LAPTOP, office,
            [turn(call("search_documents", query="은하"), *parts_of(LOST)), SAID], {}, 0, None,
        ),
        (
            BOTH, office, [PLAN, LEAVE, JUDGE, MEALS, JUDGE, BOTH_SAID], {"route": "complex"},
            1, 1.0,
        ),
    ],
)  # fmt: skip
def test_what_a_re_search_is(
    trace: Stats, tmp_path: Path, question: str, source: Any, answers: list[Any],
    options: Any, again: int, new: float | None,
):  # fmt: skip
    record(tmp_path / "t.jsonl", question, source(), *answers, **options)
    figures = json.loads(trace("stats", "--json", tmp_path))["re_search"]
    assert (figures["searches"], figures["brought_new"]) == (again, new)
    assert figures["rate"] == (1.0 if again else 0.0)


CAPPED = [NONE, PERMISSION]


def period(folder: Path, earlier: int, later: int, each: int = 10) -> None:
    """Two halves of a period, with so many questions of each that were cut off. The names of the
    files say nothing about the order; the times do."""
    for half, capped in (("b", earlier), ("a", later)):
        for number in range(each):
            file = folder / f"{half}{number}.jsonl"
            hour = 1 if half == "b" else 2
            if number < capped:
                limits = Limits(max_searches=2)
                record(file, QUESTION, billing(), *CAPPED, limits=limits, number=hour)
            else:
                record(file, QUESTION, billing(), STEPS, PERMISSION, CITED, number=hour)


@pytest.mark.parametrize(
    ("earlier", "later", "each", "rises"),
    [
        (1, 2, 10, True),
        (2, 3, 10, True),
        (2, 2, 10, False),
        (2, 1, 10, False),
        (1, 5, 9, None),
        (2, 3, 11, False),
    ],
)
def test_a_signal_rises_from_the_earlier_half_to_the_later(
    trace: Stats, tmp_path: Path, earlier: int, later: int, each: int, rises: bool | None
):
    period(tmp_path, earlier, later, each)
    figures = json.loads(trace("stats", "--json", tmp_path))
    for name in ("cap", "re_search"):
        assert figures[name]["rises"] is rises
        halves = (earlier / each, later / each) if rises is not None else (None, None)
        assert (figures[name]["earlier"], figures[name]["later"]) == halves


def test_a_rising_signal_is_told(trace: Stats, korean: Stats, tmp_path: Path):
    period(tmp_path, 1, 3)
    told = (
        "오르면 상한과, 끊겼을 때의 안내를 보세요. 지금 오르고 있습니다: 앞 절반 10%, 뒤 절반 30%"
    )
    assert told in korean("stats", tmp_path)


def test_a_signal_that_does_not_rise_is_told(trace: Stats, tmp_path: Path):
    period(tmp_path, 1, 1)
    told = trace("stats", tmp_path)
    assert told.count("It is not rising: 10% in the earlier half, 10% in the later.") == 2


def test_percentiles_are_nearest_ranks(trace: Stats, tmp_path: Path):
    timed(tmp_path, "t", [float(number) for number in range(1, 21)])
    assert "seconds: P50 10.00, P95 19.00\n" in trace("stats", tmp_path)


def test_an_unknown_cost_is_not_none(trace: Stats, tmp_path: Path):
    timed(tmp_path, "t", [1.0])
    assert trace("stats", tmp_path).endswith("cost: not known\n")
    (tmp_path / "t0.jsonl").write_bytes(
        (recorded.ROOT / "tests/data/traces/two_searches.jsonl").read_bytes()
    )
    assert trace("stats", tmp_path).endswith("cost: none (offline model)\n")


def test_what_is_no_trace_is_told_and_left_out(
    trace: Stats, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    from agent.cli import main

    timed(tmp_path, "t", [1.0])
    (tmp_path / "other.jsonl").write_text("{}\n")
    assert main(["trace", "stats", str(tmp_path)]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("questions: 1 ") and "other.jsonl is no trace" in printed.err


def test_a_folder_without_a_question(trace: Stats, tmp_path: Path):
    assert "holds no question of a trace" in trace("stats", tmp_path, code=2)
    assert "There is no folder" in trace("stats", tmp_path / "no", code=2)


def test_runs_that_never_ended_leave_no_figures(trace: Stats, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), LOST, SAID)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:5]))
    assert "seconds: P50 -, P95 -\ntokens: 0 (- a question)\n" in trace("stats", tmp_path)
