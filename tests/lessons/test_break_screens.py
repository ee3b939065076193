"""The exercises as a student sees them: whole screens of a terminal, typed into key by key."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.lessons.anchors import loop_file
from agent.lessons.workcopy import POLL_S
from tests.terminal import (
    CTRL_C,
    CTRL_D,
    ENTER,
    ROOT,
    TMUX,
    PtyTerminal,
    Terminal,
    TmuxTerminal,
    ended,
    enter,
    ready,
    until,
)

Start = Callable[..., Terminal]
SCREENS = ROOT / "tests" / "data" / "lessons"

needs_tmux = pytest.mark.skipif(TMUX is None, reason="tmux is not installed")
TMUX_KO = pytest.param(TmuxTerminal, "ko", id="tmux-ko", marks=needs_tmux)
TMUX_EN = pytest.param(TmuxTerminal, "en", id="tmux-en", marks=needs_tmux)
PTY_KO = pytest.param(PtyTerminal, "ko", id="pty-ko")
IN_BOTH = pytest.mark.parametrize(("kind", "lang"), [PTY_KO, TMUX_KO, TMUX_EN])
IN_TMUX = pytest.mark.parametrize(("kind", "lang"), [TMUX_KO, TMUX_EN])

TYPED = {
    "ko": [
        "?",
        "bareloop break 7",
        "두 번째 단계에서 400",
        "?",
        "같은 도구를 또 부른다",
        "bareloop break 7 --hint",
        "API는 기억이 없다",
        "결과는 그것을 부른 요청 뒤에 와야 한다",
        "bareloop break 5 --reset",
        "run.record(user(question))",
        "?",
        "run.record(reply.content, reply)",
    ],
    "en": [
        "?",
        "bareloop break 7",
        "a 400 at the second step",
        "?",
        "It calls the same tool again.",
        "bareloop break 7 --hint",
        "The API remembers nothing.",
        "A result must follow its call.",
        "bareloop break 5 --reset",
        "run.record(user(question))",
        "?",
        "run.record(reply.content, reply)",
    ],
}


@pytest.fixture
def opened() -> Iterator[list[Terminal]]:
    terminals: list[Terminal] = []
    yield terminals
    for terminal in terminals:
        terminal.close()


@pytest.fixture
def start(opened: list[Terminal], tmp_path: Path) -> Start:
    """Open ``bareloop break`` in a terminal: start(PtyTerminal, "ko", "5")."""

    def run(kind: Any, lang: str, *arguments: str, columns: int = 80, lines: int = 130) -> Any:
        environ = {"BARELOOP_LANG": lang, "BARELOOP_DATA": str(tmp_path / "data")}
        terminal = kind(["break", *arguments], environ, columns, lines)
        opened.append(terminal)
        return terminal

    return run


def expected(name: str) -> str:
    return (SCREENS / name).read_text("utf-8").rstrip("\n")


@IN_BOTH
def test_a_student_predicts_runs_compares_explains_and_repairs(
    start: Start, kind: Any, lang: str
) -> None:
    terminal = start(kind, lang, "5")
    ready(terminal)
    *others, last = TYPED[lang]
    before = terminal.screen()
    for line in others[:2]:
        enter(terminal, line)
        assert "history 2" not in terminal.screen()  # nothing was run before the prediction
    assert terminal.screen().startswith(f"{before} {others[0]}\n")
    for line in others[2:]:
        enter(terminal, line)
    terminal.send(last)
    terminal.send(ENTER)
    assert ended(terminal) == 0
    assert terminal.screen() == expected(f"flow-{lang}.txt")


@IN_TMUX
def test_a_student_edits_the_copy_by_hand(
    start: Start, tmp_path: Path, kind: Any, lang: str
) -> None:
    """The wrong line, both, the right one, and the line written again; then the reset."""
    terminal = start(kind, lang, "5", "--edit", columns=120)
    ready(terminal)
    copy = tmp_path / "data" / "lessons" / "decision" / "loop.py"
    original = loop_file().read_bytes()
    assert copy.read_bytes() == original
    lines = original.splitlines(True)

    def shows(text: str) -> None:
        until(terminal, lambda: text in terminal.screen())

    def save(*gone: int) -> None:
        copy.write_bytes(b"".join(line for n, line in enumerate(lines, 1) if n not in gone))

    terminal.send(ENTER)
    shows("Ctrl-C")
    shows("34")
    save(38)
    shows("run.record(observation(results)) (")
    save(34, 36)
    shows("results = tools.call_all(reply.calls) (")
    save(34)
    shows("이제" if lang == "ko" else "Now write")
    save()
    ready(terminal)
    terminal.send(ENTER)
    assert ended(terminal) == 0
    shown = terminal.screen().replace(str(tmp_path), "")
    assert shown == expected(f"edit-{lang}.txt")

    copy.write_bytes(b"")
    again = start(kind, lang, "5", "--reset", columns=120)
    assert ended(again) == 0
    assert again.screen().replace(str(tmp_path), "") == expected(f"reset-{lang}.txt")
    assert copy.read_bytes() == original


def test_who_leaves_goes_on_where_they_were(start: Start) -> None:
    terminal = start(PtyTerminal, "en", "5")
    ready(terminal)
    enter(terminal, "it fails")
    terminal.send(CTRL_D)
    assert ended(terminal) == 0
    assert terminal.screen().endswith("\nWhat you did is kept. To go on: bareloop break 5")
    again = start(PtyTerminal, "en", "5")
    ready(again)
    shown = again.screen()
    assert "Predict in a sentence" not in shown and "Your prediction: it fails" in shown
    again.send(CTRL_C)
    assert ended(again) == 130
    assert again.screen().endswith("\nWhat you did is kept. To go on: bareloop break 5")


@pytest.mark.parametrize(
    "arguments", [["5"], ["5", "--edit"], ["7", "--edit", "--predict", "a 400"]], ids=" ".join
)
def test_an_input_that_is_at_its_end_is_not_waited_for(start: Start, arguments: list[str]) -> None:
    """Its end comes before anything is asked, as from a program whose own input is empty."""
    terminal = start(PtyTerminal, "en", *arguments)
    terminal.send(CTRL_D)
    assert ended(terminal) == 0
    left = f"What you did is kept. To go on: bareloop break {arguments[0]}"
    assert terminal.screen().endswith(f"\n{left}")


def test_lines_before_the_end_are_answered(start: Start) -> None:
    """One is the prediction; the last one lacks its line end."""
    terminal = start(PtyTerminal, "en", "5")
    terminal.send(f"it fails\na 400, for no reason{CTRL_D}{CTRL_D}")
    assert ended(terminal) == 0
    shown = terminal.screen()
    assert "Your prediction: it fails\n" in shown and "Ideas still to mention: " in shown
    assert shown.endswith("\nWhat you did is kept. To go on: bareloop break 5")


def test_ctrl_d_ends_the_watch_and_what_was_typed_does_not(start: Start) -> None:
    terminal = start(PtyTerminal, "en", "7", "--edit", "--predict", "a 400", columns=120)
    until(terminal, lambda: "Delete line 38" in terminal.screen())
    terminal.send("hm\n")
    time.sleep(3 * POLL_S)
    assert terminal.exit_code() is None
    terminal.send(CTRL_C)
    assert ended(terminal) == 130
    again = start(PtyTerminal, "en", "7", "--edit", "--predict", "a 400", columns=120)
    until(again, lambda: "Delete line 38" in again.screen())
    again.send(CTRL_D)
    assert ended(again) == 0


def test_ctrl_c_ends_the_watch(start: Start, tmp_path: Path) -> None:
    terminal = start(PtyTerminal, "en", "7", "--edit", "--predict", "a 400", columns=120)
    until(terminal, lambda: "Delete line 38" in terminal.screen())
    terminal.send(CTRL_C)
    assert ended(terminal) == 130
    assert "Traceback" not in terminal.screen()
    assert terminal.screen().endswith("What you did is kept. To go on: bareloop break 7")


def test_a_copy_that_is_deleted_or_no_text_is_told(start: Start, tmp_path: Path) -> None:
    """Once each, and the watch goes on."""
    terminal = start(PtyTerminal, "ko", "7", "--edit", "--predict", "?!", columns=120)
    copy = tmp_path / "data" / "lessons" / "observation" / "loop.py"
    until(terminal, lambda: "지우고 저장하세요" in terminal.screen())
    copy.unlink()
    until(terminal, lambda: "연습할 파일이 없어졌습니다" in terminal.screen())
    copy.write_bytes(b"\xff\xfe\xff")
    until(terminal, lambda: "UTF-8이 아닙니다" in terminal.screen())
    copy.write_bytes(loop_file().read_bytes())
    until(terminal, lambda: terminal.screen().count("지우고 저장하세요") == 2)
    assert terminal.screen().count("없어졌습니다") == 1
    terminal.send(CTRL_C)
    assert ended(terminal) == 130


def test_what_ends_the_copy_does_not_end_the_watch(start: Start, tmp_path: Path) -> None:
    terminal = start(PtyTerminal, "en", "8", "--edit", "--predict", "?!", columns=120)
    copy = tmp_path / "data" / "lessons" / "cap" / "loop.py"
    until(terminal, lambda: "Delete line 40" in terminal.screen())
    last = '    return run.finish(stopped("max_steps"))'
    for line, told in (
        ("    break", "cannot read line 40: break"),
        ("    await x", "cannot read line 40: await x"),
        ("    nonlocal q", "cannot read line 40: nonlocal q"),
        ("exit()", "before anything was asked: SystemExit"),
        ("del run_agent", "There is no run_agent left"),
        ("    exit()", "crash: SystemExit"),
    ):
        text = loop_file().read_text("utf-8").replace(last, line)
        copy.write_text(text, "utf-8")
        until(terminal, lambda told=told: told in terminal.screen())  # type: ignore[misc]
    copy.write_bytes(loop_file().read_bytes())
    until(terminal, lambda: "Repaired" in terminal.screen())
    assert ended(terminal) == 0 and "Traceback" not in terminal.screen()
