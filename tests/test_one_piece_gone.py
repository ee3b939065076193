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
