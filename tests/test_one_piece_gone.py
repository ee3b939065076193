"""One passage that holds needed evidence is gone from a corpus, and nothing else: what it told is
named as missing, and no other passage stands in for it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import test_hospital, test_law, test_projectx, test_support
from tests.asking import Ask, asker, ids, renamed, swap


class Whole(NamedTuple):
    """A question in two languages that a corpus answers, and its evidence by slot. ``names`` are
    those of a corpus of the same shape."""

    corpus: str
    questions: Sequence[str]
    found: Mapping[str, str]
    names: Mapping[str, str]
    arguments: tuple[str, ...] = ()


LATEST = "incidents.log:8"
"""Without its line the incident before it is the latest that the log knows."""
ON_A_DAY = [each.format("as of 2025-03-01, ") for each in (test_law.KOREAN, test_law.ENGLISH)]
WHOLE = [
    Whole("projectx", [test_projectx.WHOLE[0], test_projectx.WHOLE[2]], test_projectx.FOUND,
          {"srv-": "box-", "INC-": "CASE-", "platform-crew": "harbour-crew", "424": "777"}),
    Whole("hospital", test_hospital.QUESTIONS[:2], test_hospital.FOUND,
          {"P-": "K-", "204": "77", "nursing": "ward", "discharge-": "summary-of-"}),
    Whole("law", ON_A_DAY, test_law.BEFORE,
          {"제12조": "제131조", "제7조": "제70조", "act-": "statute-", "30,000": "12,000"}),
    Whole("support", test_support.QUESTIONS, test_support.FOUND,
          {"3.2.1": "7.0.4", "3-2-1": "7-0-4", "A-1042": "A-77", "faults": "troubles"},
          test_support.STAFF),
    Whole("support", ["새김 환불 기한은?", "What is the refund deadline of Saegim?"],
          {"refund": "refunds"}, {"refunds": "money-back"}),
]  # fmt: skip


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    return asker(capsys)


def _without(folder: Path, gone: str) -> None:
    """Takes one passage out of a corpus, by its id."""
    name, _, number = gone.rpartition("/")
    for path in [each for each in folder.rglob("*") if each.is_file()]:
        lines = path.read_text("utf-8").splitlines()
        if path.suffix == ".md" and path.stem == gone:
            path.unlink()
        elif path.suffix == ".log" and gone.startswith(f"{path.name}:"):
            first = int(gone.rpartition(":")[2]) - 1
            last = first + 1
            while last < len(lines) and lines[last].startswith(" "):
                last += 1
            path.write_text("\n".join(lines[:first] + lines[last:]), "utf-8")
        elif path.suffix == ".jsonl" and path.stem == name:
            kept = [each for each in lines if json.loads(each)["number"] != int(number)]
            path.write_text("\n".join(kept), "utf-8")
        elif path.suffix == ".csv" and path.stem == name:
            kept = [each for each in lines if each.partition(",")[0] != number]
            path.write_text("\n".join(kept), "utf-8")


def _cases() -> list[tuple[Whole, str, str, bool]]:
    return [*_each()]


def _each() -> Iterator[tuple[Whole, str, str, bool]]:
    for whole in WHOLE:
        for question in whole.questions:
            for gone in dict.fromkeys(whole.found.values()):
                if gone == LATEST:
                    continue
                yield from ((whole, question, gone, other) for other in (False, True))


@pytest.mark.parametrize(("whole", "question", "gone", "other"), _cases())
def test_what_it_told_is_named_as_missing(
    ask: Ask, tmp_path: Path, whole: Whole, question: str, gone: str, other: bool
):
    names = whole.names if other else {}
    folder = renamed(whole.corpus, tmp_path, names)
    arguments = ("--corpus", str(folder), *whole.arguments, swap(question, names))
    found = {slot: swap(each, names) for slot, each in whole.found.items()}
    assert ids(ask(*arguments)) == found
    _without(folder, swap(gone, names))
    record = ask(*arguments)
    assert (record["status"], record["code"], record["answer"]) == ("incomplete", 3, None)
    lost = [slot for slot, each in whole.found.items() if each == gone]
    assert {*lost} <= {*record["missing"]} and lost[0] in record["message"]
    assert not {*lost} & ids(record).keys()


@pytest.mark.parametrize("question", WHOLE[0].questions)
def test_without_the_latest_incident_the_one_before_is_told_and_nothing_of_the_other(
    ask: Ask, tmp_path: Path, question: str
):
    folder = renamed("projectx", tmp_path, {})
    _without(folder, LATEST)
    record = ask("--corpus", str(folder), question)
    assert ids(record)["incident"] == "incidents.log:2" and ids(record)["followup"] == "issues/371"
    assert "INC-3107" not in record["answer"] and "2025-05-18" in record["answer"]


@pytest.mark.parametrize(
    ("number", "file", "text", "instead", "missing"),
    [
        (0, "notes/project-x.md", "서버 ID (server id)", "서버 (server)", "project"),
        (0, "issues.jsonl", "후속 조치: 야간 집계의 연결을 20개로 제한하고, 연결이 남지 않으면 "
         "당직에게 알린다.\\nFollow-up: the nightly", "조사 중.\\nUnder investigation: the nightly",
         "followup"),
        (1, "nursing.log", "양팔에 발진과 가려움, 아목시실린 중단하고 의사에게 알림\n    Rash and "
         "itching on both arms; amoxicillin stopped, doctor told", "잠을 잘 잠 / slept well",
         "allergy"),
        (3, "faults.jsonl", "사진이 200장을 넘으면 동기화가 멈춘다. 와이파이에서 앱을 다시 열면 "
         "이어진다.\\nSync stops with more than 200 photos. Open the app again on Wi-Fi and "
         "it goes on.",
         "글꼴이 작다.\\nSmall letters.", "fault"),
        (3, "manuals/saegim-3-2-1.md", "2026-12-31까지 지원한다. Version 3.2.1 is supported until "
         "2026-12-31.", "파란색이다. Version 3.2.1 is blue.", "version"),
        (4, "manuals/refunds.md", "산 날부터 7일 안에는 100,000원 미만을 바로 환불한다. Within "
         "7 days", "환불은 상담원이 돕는다. Within seven", "refund"),
    ],
)  # fmt: skip
def test_a_passage_that_no_longer_says_it_does_not_stand_in(
    ask: Ask, tmp_path: Path, number: int, file: str, text: str, instead: str, missing: str
):
    """It still has the id, the name and the other words that are asked for."""
    whole = WHOLE[number]
    folder = renamed(whole.corpus, tmp_path, {})
    path = folder / file
    written = path.read_text("utf-8")
    assert written.count(text) == 1
    path.write_text(
        written.replace(text, instead).replace("동기화가 멈춤 / Sync stops", "글꼴 / Letters"),
        "utf-8",
    )
    for question in whole.questions:
        record = ask("--corpus", str(folder), *whole.arguments, question)
        assert record["missing"][0] == missing and record["answer"] is None
