"""What the chat writes with ``/smoke`` passes, and fails when the agent goes another way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.smoke_runner.conftest import Smoke

ROOT = Path(__file__).parent.parent.parent
OFFICE = ROOT / "tests/data/office"


def chat(folder: Path, *lines: str, arguments: tuple[str, ...] = (), **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "agent.cli", "chat", *arguments],
        input="".join(f"{line}\n" for line in lines),
        cwd=folder,
        env={**os.environ, "BARELOOP_DATA": str(folder / "data"), "BARELOOP_LANG": "en",
             "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


CONVERSATIONS = {
    "a plan": (["invoice export", "청구서 내보내기", "What is the weather?"], ()),
    "a budget": (["invoice export"], ("--max-searches", "2", "--max-steps", "4")),
    "a folder": (["노트북을 잃어버리면 어디에 알리나요?", "식비는?"], ("--docs", "office")),
    "conditions": (["저소음 키보드"], ("--corpus", "products", "--where", "max_won<=100000")),
    "permission": (
        ["Sync fails in Saegim 3.2.1; what is the state of account A-1042?"],
        ("--corpus", "support", "--permission", "support_staff"),
    ),
    "a corpus of one's own": (["invoice export"], ("--corpus", "./billing")),
    "rounds": (
        ["project x: server specification, why the last incident happened, how it was followed up"],
        ("--max-rounds", "2"),
    ),
    "narrow": (["노트북을 잃어버리면 어디에 알리나요?"], ("--docs", "office", "--narrow")),
    "a route": (["노트북을 잃어버리면?"], ("--docs", "office", "--route", "held")),
    "tokens": (["invoice export"], ("--max-tokens", "600")),
}

NEEDED = {"a budget", "permission", "rounds", "a route", "tokens", "conditions"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(OFFICE, tmp_path / "office")
    shutil.copytree(ROOT / "tools/corpora/billing", tmp_path / "billing")
    (tmp_path / "scripts").mkdir()
    return tmp_path


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_there_and_back(smoke: Smoke, folder: Path, kind: str) -> None:
    lines, arguments = CONVERSATIONS[kind]
    said = chat(folder, *lines, "/smoke scripts/talk.yaml", arguments=arguments)
    assert f"Wrote scripts/talk.yaml: {len(lines)} question" in said
    done = smoke("scripts/talk.yaml", "--lang", "en")
    assert done == (0, "passed  scripts/talk.yaml\n1 passed\n", "")
    path = folder / "scripts/talk.yaml"
    script = yaml.safe_load(path.read_text("utf-8"))
    assert len(script["turns"]) == len(lines) and str(folder) not in str(script)
    if kind in NEEDED:  # without what the person had set it goes another way
        for name in ("limits", "permissions", "route", "where"):
            script.pop(name, None)
        if kind == "conditions":
            script["turns"][0]["expect"]["evidence"] = {"not": ["P2"]}
        path.write_text(yaml.safe_dump(script, allow_unicode=True), "utf-8")
        assert smoke("scripts/talk.yaml").code == 1


def test_conditions_that_the_person_confirmed(smoke: Smoke, folder: Path) -> None:
    """Only at a terminal is a person asked, so the conversation is held as the chat holds it."""
    from agent.chat.commands import as_smoke
    from agent.chat.conversation import Conversation
    from agent.chat.place import Place
    from agent.chat.room import Room
    from agent.settings import Settings

    for answer, found in ((True, ["P5"]), (False, None)):
        conversation = Conversation(Room(Settings(), Place("corpus", "products")), folder / "data")
        question = "5만원 이하 저소음 키보드"
        conversation.room.settle(question, lambda _, answer=answer: answer)
        conversation.ask(question)
        text, count = as_smoke(conversation, folder)
        conversation.close()
        script = yaml.safe_load(text)
        assert count == 1 and script["turns"][0]["confirm"] is answer
        if found:
            script["turns"][0]["expect"]["evidence"] = found
        path = folder / "talk.yaml"
        path.write_text(yaml.safe_dump(script, allow_unicode=True), "utf-8")
        assert smoke("talk.yaml").code == 0
        if found:
            path.write_text(path.read_text("utf-8").replace("confirm: true", "confirm: false"))
            assert smoke("talk.yaml").code == 1


def test_a_home_is_written_as_one(smoke: Smoke, folder: Path) -> None:
    home = folder / "home-of-hanbyeol"
    home.mkdir()
    shutil.move(str(folder / "office"), str(home / "office"))
    said = chat(
        folder, "노트북을 잃어버리면 어디에 알리나요?", "/smoke scripts/talk.yaml",
        arguments=("--docs", str(home / "office")), HOME=str(home),
    )  # fmt: skip
    assert "Wrote" in said
    text = (folder / "scripts/talk.yaml").read_text("utf-8")
    assert "docs: ~/office\n" in text and "hanbyeol" not in text
    inside = chat(
        folder, "노트북을 잃어버리면 어디에 알리나요?", f"/smoke {home}/talk.yaml",
        arguments=("--docs", str(home / "office")), HOME=str(home),
    )  # fmt: skip
    assert "Wrote" in inside and "docs: office\n" in (home / "talk.yaml").read_text("utf-8")


def test_a_question_that_was_stopped_is_left_out(folder: Path) -> None:
    from agent.catalogue import Problem
    from agent.chat.commands import as_smoke
    from agent.chat.conversation import Conversation
    from agent.chat.place import Place
    from agent.chat.room import Room, World
    from agent.settings import Settings
    from tests.replies import Replies, turn

    model = Replies(KeyboardInterrupt, turn("no"), turn("no"))
    room = Room(Settings(), Place("corpus", "billing"), world=World(model=model))
    conversation = Conversation(room, folder / "data")
    conversation.ask("invoice export")
    with pytest.raises(Problem):
        as_smoke(conversation, folder)
    conversation.ask("invoice export again")
    text, count = as_smoke(conversation, folder)
    conversation.close()
    script = yaml.safe_load(text)
    assert count == 1 and [each["ask"] for each in script["turns"]] == ["invoice export again"]
    assert script["model"] == "live"
