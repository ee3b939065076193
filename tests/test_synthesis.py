"""How an answer is put together: what the model is asked for, and what stands around it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.run import Run
from tests import test_hospital, test_law, test_projectx, test_support
from tests.replies import Replies, call, turn
from tools.corpus import find_corpus
from tools.documents import Folder

Command = Callable[..., subprocess.CompletedProcess[str]]

ASKED_FOR = ("conclusion", "[id]", "side by side", "unconfirmed", "conditions and exceptions")
SPECS = "What are the server specs, the cause of the outage and the follow-up?"


def told(question: str, source: Any) -> str:
    model = Replies(turn("?"), turn("?"), turn("?"))
    ask(question, source, model)
    return model.requests[0]["system"]


@pytest.mark.parametrize(
    ("corpus", "question"),
    [
        ("projectx", test_projectx.WHOLE[0]),
        ("projectx", test_projectx.WHOLE[2]),
        ("hospital", test_hospital.QUESTIONS[0]),
        ("hospital", test_hospital.QUESTIONS[1]),
        ("law", test_law.KOREAN.format("2025년 3월 1일 기준 ")),
        ("law", test_law.ENGLISH.format("As of 2025-03-01, ")),
        ("support", test_support.QUESTIONS[0]),
        ("support", test_support.QUESTIONS[1]),
        ("billing", "invoice export steps and permission"),
    ],
)
def test_a_planned_answer_of_several_pieces_is_asked_for_whole(corpus: str, question: str):
    system = told(question, find_corpus(corpus).permitted(["support_staff"]))
    assert all(each in system for each in ASKED_FOR) and system.endswith("```")


@pytest.mark.parametrize("question", [SPECS, "서버 사양, 장애 원인, 후속 조치를 알려줘"])
def test_so_is_one_to_an_open_question_of_several_things(tmp_path: Path, question: str):
    (tmp_path / "a.md").write_text("Server specs: 서버 사양\n", "utf-8")
    assert all(each in told(question, Folder(tmp_path)) for each in ASKED_FOR)


@pytest.mark.parametrize("question", ["서버 사양은?", "What are the server specs?"])
def test_an_answer_of_one_piece_is_not(tmp_path: Path, question: str):
    (tmp_path / "a.md").write_text("Server specs: 서버 사양\n", "utf-8")
    for system in (told(question, Folder(tmp_path)),
                   told("노을 구내식당은 언제 열어?", find_corpus("canteen"))):  # fmt: skip
        assert "conclusion" not in system and "Use only the evidence" in system


def test_the_record_says_when_it_was_asked(tmp_path: Path):
    (tmp_path / "a.md").write_text("Server specs: 16 cores.\n", "utf-8")
    now = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
    model = Replies(turn(call("search_documents", query="server specs")), turn("16 [a.md:1]."))
    run = ask("server specs?", Folder(tmp_path), model, run=Run(now=lambda: now))
    assert run.as_record()["asked_at"] == "2026-03-04T05:06:07+00:00"


@pytest.fixture
def indexed(bareloop: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path / "data"))
    docs = tmp_path / "rooms"
    docs.mkdir()
    (docs / "a.md").write_text("The price of room A is 90 won.\n", "utf-8")
    (docs / "b.txt").write_text("The colour of room A is red.\nA의 색은 붉다.\n", "utf-8")
    assert bareloop("index", str(docs)).returncode == 0
    return "rooms"


@pytest.mark.parametrize(
    ("flags", "question", "line"),
    [
        (("--where", "format!=pdf"), "What are the price and the colour of room A?", True),
        ((), "What are the price and the colour of room A?", False),
        (("--where", "format!=pdf"), "What is the price of room A?", False),
    ],
)
def test_the_conditions_stand_with_what_took_rounds(
    bareloop: Command, indexed: str, flags: tuple[str, ...], question: str, line: bool
):
    done = bareloop("ask", "--lang", "en", "--corpus", indexed, *flags, question)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("Under the conditions: format!=pdf." in done.stdout) is line


@pytest.mark.parametrize(
    ("finish", "lines"),
    [({"finish": "무광"}, ["finish=무광"]), ({"connection": "usb-c"}, [])],
)
def test_a_condition_that_nothing_can_check_is_told(finish: dict[str, str], lines: list[str]):
    from tools.products import find_products

    products = find_products("products")
    assert products is not None
    model = Replies(
        turn(call("search_products", query="키보드", **finish)),
        turn(call("search_products", query="저소음 키보드")),
        turn("고요 키보드 [P1]."),
    )
    run = ask("무광 저소음 키보드는?", products, model, run=Run(language="en"))
    assert run.as_record()["unchecked"] == lines
    assert ("Not checked: finish=무광; products have no such" in run.message) is bool(lines)
    assert json.dumps(run.as_record(), ensure_ascii=False).count("unchecked") == 1
