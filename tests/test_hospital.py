"""What is missing at first is found by the search that aims at it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.asking import Ask, asker, cited, copied, ids, renamed

QUESTIONS = [
    "환자 P-204의 퇴원 약물, 식이 제한, 입원 기간 중 알레르기 반응을 알려줘",
    "For patient P-204: discharge medication, diet, and any allergic reaction during the stay?",
    "patient p-204: diet, medications, allergies",
]
FOUND = {"medication": "discharge-204", "diet": "discharge-204", "allergy": "nursing.log:3"}


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    return asker(capsys)


@pytest.mark.parametrize("where", [(), ("--corpus", "hospital")])
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_allergy_is_found_by_the_second_search(ask: Ask, question: str, where: tuple[str, ...]):
    record = ask(*where, question)
    assert (record["status"], record["code"]) == ("complete", 0)
    assert {each["slot"]: each["id"] for each in record["evidence"]} == FOUND
    assert cited(record) == {*FOUND.values()} and ids(record) == FOUND
    tried = [each for each in record["searches"] if each["slot"] == "allergy"]
    assert [each["outcome"] for each in tried] == ["none", "hits"]
    assert tried[0]["missing"] == ["allergy"] and tried[1]["missing"] == []
    assert tried[0]["query"] != tried[1]["query"]
    assert (len(record["searches"]), record["rounds"]) == (4, 2)
    assert "발진" in record["answer"] and "P-2041" not in record["answer"]


@pytest.mark.parametrize("question", QUESTIONS[:2])
def test_without_the_note_the_allergy_is_named_as_missing(ask: Ask, tmp_path: Path, question: str):
    folder = copied("hospital", tmp_path)
    log = folder / "nursing.log"
    lines = log.read_text("utf-8").splitlines()
    log.write_text("\n".join(each for each in lines if " P-204 " not in each), "utf-8")
    record = ask("--corpus", str(folder), question)
    assert (record["status"], record["stop_reason"], record["code"]) == (
        "incomplete", "exhausted", 3,
    )  # fmt: skip
    assert record["missing"] == ["allergy"] and "allergy" in record["message"]
    assert record["answer"] is None
    log.unlink()
    record = ask("--corpus", str(folder), question)
    assert record["missing"] == ["allergy"]
    assert "find_allergy" in record["message"] and record["message"].startswith(
        ("검색할 수 없는 곳이 있어", "Stopped: not everything could be searched")
    )
    outcomes = {each["outcome"] for each in record["searches"] if each["slot"] == "allergy"}
    assert outcomes == {"unavailable"}


def test_a_patient_of_a_longer_number_is_another_patient(ask: Ask):
    record = ask("환자 P-2041의 퇴원 약물, 식이 제한, 알레르기 반응은?")
    assert record["status"] == "complete"
    assert cited(record) == {"discharge-2041", "nursing.log:6"}
    assert (
        "알레르기 (allergies): 없음 [discharge-2041], 두드러기 [nursing.log:6]" in record["message"]
    )
    record = ask("환자 P-118의 퇴원 약물, 식이 제한, 알레르기 반응은?")
    assert (record["status"], cited(record)) == ("complete", {"discharge-118"})
    assert record["disagreements"] == []
    record = ask("환자 P-331의 퇴원 약물, 식이 제한, 알레르기 반응은?")
    assert (record["status"], record["missing"]) == ("incomplete", ["allergy"])
    assert ask("환자 P-20의 퇴원 약물, 식이 제한, 알레르기 반응은?")["answer"] is None


@pytest.mark.parametrize(
    "question",
    [
        "환자의 퇴원 약물, 식이 제한, 알레르기 반응은?",
        "P-204와 P-118의 퇴원 약물, 식이 제한, 알레르기 반응은?",
    ],
)
def test_a_question_about_nobody_or_about_two_is_not_answered_for_one(ask: Ask, question: str):
    assert ask("--corpus", "hospital", question)["status"] == "unsupported"


@pytest.mark.parametrize(
    "question", ["환자 P-204의 복용량을 늘려도 되나요?", "Should I increase the dose for P-204?"]
)
def test_a_dose_is_for_a_person(ask: Ask, question: str):
    record = ask(question)
    assert (record["status"], record["steps"], record["code"]) == ("held", 0, 4)


@pytest.mark.parametrize("question", QUESTIONS[:2])
def test_nothing_hangs_on_these_names(ask: Ask, tmp_path: Path, question: str):
    other = {
        "P-204": "K-77",
        '"(?i:P-': '"(?i:K-',
        "P-": "K-",
        "발진": "부종",
        "rash": "swelling",
        "Rash": "Swelling",
        "두드러기": "홍조",
        "hives": "flush",
        "discharge-": "summary-of-",
        "nursing": "ward",
        "hospital": "clinic",
    }
    folder = renamed("hospital", tmp_path, other)
    record = ask("--corpus", str(folder), question.replace("P-204", "K-77"))
    assert record["status"] == "complete"
    assert cited(record) == {"summary-of-204", "ward.log:3"} and "부종" in record["answer"]


@pytest.mark.parametrize("question", QUESTIONS[:2])
def test_another_source_that_is_not_there_takes_nothing_from_what_the_own_one_has(
    ask: Ask, tmp_path: Path, question: str
):
    folder = copied("hospital", tmp_path)
    shutil.rmtree(folder / "summaries")
    record = ask("--corpus", str(folder), "--lang", "en", question)
    assert (record["status"], record["missing"]) == ("incomplete", ["medication", "diet"])
    assert ids(record) == {"allergy": "nursing.log:3"} and record["code"] == 3
    assert record["searches"][-1]["unavailable"] == ["summaries"]
    assert "Could not be searched: summaries;" in record["message"]


@pytest.mark.parametrize(
    ("question", "status"),
    [("P-204의 알레르기 반응은?", "complete"), ("P-118 allergies?", "incomplete")],
)
def test_where_the_own_source_has_nothing_another_that_fails_leaves_it_open(
    ask: Ask, tmp_path: Path, question: str, status: str
):
    folder = copied("hospital", tmp_path)
    shutil.rmtree(folder / "summaries")
    record = ask("--corpus", str(folder), question)
    assert (record["status"], record["answer"] is None) == (status, status == "incomplete")
    found = {each["outcome"] for each in record["searches"]}
    assert found == ({"unavailable", "hits"} if status == "complete" else {"unavailable"})


def test_where_the_own_source_fails_another_does_not_stand_in(ask: Ask, tmp_path: Path):
    folder = copied("hospital", tmp_path)
    (folder / "nursing.log").unlink()
    assert ask("--corpus", str(folder), "P-118 allergies?")["missing"] == ["allergy"]
