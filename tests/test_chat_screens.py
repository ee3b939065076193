"""The chat as a person sees it: whole screens of a terminal, typed into key by key."""

from __future__ import annotations

import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.offline.scripted import ScriptedGemini
from agent.offline.server import serve
from tests.terminal import (
    CTRL_C,
    CTRL_D,
    ENTER,
    ESCAPE,
    ROOT,
    TAB,
    TMUX,
    UP,
    PtyTerminal,
    Terminal,
    TmuxTerminal,
    ended,
    enter,
    ready,
    steady,
    until,
)

Start = Callable[..., Terminal]

needs_tmux = pytest.mark.skipif(TMUX is None, reason="tmux is not installed")
TERMINALS = [
    pytest.param(PtyTerminal, id="pty"),
    pytest.param(TmuxTerminal, id="tmux", marks=needs_tmux),
]


@pytest.fixture
def opened() -> Iterator[list[Terminal]]:
    terminals: list[Terminal] = []
    yield terminals
    for terminal in terminals:
        terminal.close()


@pytest.fixture
def start(opened: list[Terminal], tmp_path: Path) -> Start:
    """Open the chat in a terminal and wait for its prompt: start(PtyTerminal, "--web")."""

    def run(kind: Any, *arguments: str, columns: int = 80, lines: int = 40, **environ: str) -> Any:
        surroundings = {
            "BARELOOP_LANG": "ko",
            "BARELOOP_DATA": str(tmp_path / "data"),
            "BARELOOP_SEARCH": "tests.slow_web:Slow",
            **environ,
        }
        terminal = kind(["chat", *arguments], surroundings, columns, lines)
        opened.append(terminal)
        ready(terminal)
        return terminal

    return run


FIRST_80 = """\
bareloop · offline · /help 도움말
> 첫 기차는 몇 시에 떠나?
1. search_web(첫 기차는 몇 시에 떠나?) -> w1

오프라인 모델(LLM 없음)입니다. 질문의 말이 다 들어 있지는 않은, 가장 가까운
근거를 인용합니다. 답이 아닐 수 있습니다.
기차 시간: 첫 기차는 오전 다섯 시에 떠납니다. [w1]
상태: open · 끝난 이유: answered · 2단계 · 검색 1회 · 토큰 000 · offline · 0.0초

> 느린 버스는 언제 와?

중단했습니다. 끝난 검색의 결과는 남아 있고 다음 질문을 바로 할 수 있습니다.
상태: incomplete · 끝난 이유: interrupted · 1단계 · 검색 0회 · 토큰 000 ·
offline · 0.0초

> 버스 요금은 얼마야?
1. search_web(버스 요금은 얼마야?) -> w2

오프라인 모델(LLM 없음)입니다. 찾은 근거를 그대로 인용할 뿐, 글을 지어내지
않습니다.
버스 요금: 버스 요금은 1,500원입니다. [w2]
상태: open · 끝난 이유: answered · 2단계 · 검색 1회 · 토큰 0000 · offline ·
0.0초

> /evidence
[w2] 버스 요금: 버스 요금은 1,500원입니다. (https://bus.example/kr)
앞서 찾은 근거: [w1]
> /why
질문: 버스 요금은 얼마야?
찾은 근거를 인용해 답했습니다. 무엇이 필요한지 적은 계획이 없어, 근거가 다
모였는지는 알 수 없습니다. 내용이 참이라는 보증도 아닙니다.
상태 open: 무엇이 필요한지 적은 계획이 없어, 찾은 것을 인용한 답입니다.
1. search_web(버스 요금은 얼마야?) -> w2
쓴 것: 8단계 가운데 2, 검색 3회 가운데 1
> /quit
대화를 마칩니다. 이어서 하려면: bareloop chat --resume 20261130-120000-abcd"""

AGAIN_80 = """\
이어서: 첫 기차는 몇 시에 떠나? (질문 3개, 20261130-120000-abcd)
> 버스 요금은 얼마야?
오프라인 모델(LLM 없음)입니다. 찾은 근거를 그대로 인용할 뿐, 글을 지어내지
않습니다.
버스 요금: 버스 요금은 1,500원입니다. [w2]

> /evidence w1
[w1] https://train.example/kr
기차 시간: 첫 기차는 오전 다섯 시에 떠납니다.
> 버스 요금이 얼마야?
1. search_web(버스 요금이 얼마야?) -> w2

오프라인 모델(LLM 없음)입니다. 찾은 근거를 그대로 인용할 뿐, 글을 지어내지
않습니다.
버스 요금: 버스 요금은 1,500원입니다. [w2]
상태: open · 끝난 이유: answered · 2단계 · 검색 1회 · 토큰 0000 · offline ·
0.0초

> /history
1. 첫 기차는 몇 시에 떠나? · open · answered · 검색 1회 · 토큰 000
2. 느린 버스는 언제 와? · incomplete · interrupted · 검색 0회 · 토큰 000
3. 버스 요금은 얼마야? · open · answered · 검색 1회 · 토큰 0000
4. 버스 요금이 얼마야? · open · answered · 검색 1회 · 토큰 0000
다음 질문에 함께 보내는 대화: 0000자
>"""


def converse(terminal: Terminal, interrupt: str) -> int:
    enter(terminal, "첫 기차는 몇 시에 떠나?")
    terminal.send("느린 버스는 언제 와?")
    terminal.send(ENTER)
    until(terminal, lambda: "초 · search_web(느린 버스는 언제 와?)" in terminal.screen())
    time.sleep(0.2)
    terminal.send(interrupt)
    ready(terminal)
    for line in ("버스 요금은 얼마야?", "/evidence", "/why"):
        enter(terminal, line)
    terminal.send("/quit")
    terminal.send(ENTER)
    return ended(terminal)


@pytest.mark.parametrize(
    ("kind", "interrupt"),
    [
        pytest.param(PtyTerminal, CTRL_C, id="pty, Ctrl-C"),
        pytest.param(PtyTerminal, ESCAPE, id="pty, Esc"),
        pytest.param(TmuxTerminal, CTRL_C, id="tmux, Ctrl-C", marks=needs_tmux),
    ],
)
def test_a_korean_conversation(start: Start, kind: Any, interrupt: str) -> None:
    """Two questions, an interrupt in the middle of a tool call, evidence, why, quit, and on."""
    terminal = start(kind, "--web", lines=46)
    assert converse(terminal, interrupt) == 0
    assert steady(terminal.screen()) == FIRST_80
    terminal = start(kind, "--continue", lines=46)
    for line in ("/evidence w1", "버스 요금이 얼마야?", "/history"):
        enter(terminal, line)
    assert steady(terminal.screen()) == AGAIN_80


@pytest.mark.parametrize("kind", TERMINALS)
def test_wide_characters_wrap_right_in_forty_columns(start: Start, kind: Any) -> None:
    terminal = start(kind, "--docs", "tests/data/office", columns=40, lines=30)
    enter(terminal, "병가 진단서")
    assert steady(terminal.screen()) == NARROW
    assert all(cells(line) <= 40 for line in terminal.screen().splitlines())


NARROW = """\
bareloop · offline · /help 도움말
> 병가 진단서
1. search_documents(병가 진단서) ->
휴가.md:11

오프라인 모델(LLM 없음)입니다. 찾은
근거를 그대로 인용할 뿐, 글을 지어내지
않습니다.
- 병가는 하루부터 진단서 없이 쓸 수
있고, 사흘째부터 진단서를 냅니다.
[휴가.md:11]
상태: open · 끝난 이유: answered · 2단계
· 검색 1회 · 토큰 000 · offline · 0.0초

>"""


def test_the_prompt_edits_a_line_and_keeps_it(start: Start, tmp_path: Path) -> None:
    """Wide characters go whole, commands and corpora complete, earlier lines come back, and what
    is pasted is one question."""
    terminal = start(PtyTerminal)
    terminal.send("한글a끝")
    until(terminal, lambda: terminal.cursor_line() == "> 한글a끝")
    terminal.send("\x7f\x7f\x7f")
    until(terminal, lambda: terminal.cursor_line() == "> 한")
    terminal.send(CTRL_C)
    until(terminal, lambda: terminal.cursor_line() == ">")
    terminal.send("/cor" + TAB)
    until(terminal, lambda: terminal.cursor_line() == "> /corpus")
    terminal.send(" bil" + TAB)
    until(terminal, lambda: terminal.cursor_line() == "> /corpus billing")
    terminal.send(ENTER)
    ready(terminal)
    assert terminal.screen().endswith("> /corpus billing\n찾을 곳: billing\n>")
    terminal.send(UP)
    until(terminal, lambda: terminal.cursor_line() == "> /corpus billing")
    terminal.send(CTRL_C)
    until(terminal, lambda: terminal.cursor_line() == ">")
    terminal.send("\x1b[200~청구서를\r내보내려면?\x1b[201~")
    until(terminal, lambda: terminal.cursor_line() == "  내보내려면?")
    terminal.send("\n권한은?")
    until(terminal, lambda: terminal.cursor_line() == "  권한은?")
    terminal.send(ENTER)
    ready(terminal)
    enter(terminal, "/history")
    assert "\n1. 청구서를 내보내려면? 권한은? · complete · answered" in terminal.screen()
    kept = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert sorted(path.suffix for path in kept) == ["", ".jsonl"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


def test_an_interrupt_at_the_empty_prompt_asks_once(start: Start) -> None:
    terminal = start(PtyTerminal)
    for _ in range(2):
        terminal.send(CTRL_C)
        until(terminal, lambda: "한 번 더" in terminal.screen().splitlines()[-2])
        ready(terminal)
        enter(terminal, "/lang ko")
    terminal.send(CTRL_C)
    until(terminal, lambda: "한 번 더" in terminal.screen().splitlines()[-2])
    terminal.send(CTRL_C)
    assert ended(terminal) == 130
    assert terminal.screen().endswith("\n대화를 마칩니다.")
    terminal = start(PtyTerminal)
    terminal.send(CTRL_D)
    assert ended(terminal) == 0


def test_an_interrupt_in_a_command_comes_back_to_the_prompt(start: Start) -> None:
    office, slow = str(ROOT / "tests/data/office"), "tests.slow_web:SlowToBegin"
    terminal = start(PtyTerminal, "--docs", office, BARELOOP_SEARCH=slow)
    terminal.send("/corpus web")
    terminal.send(ENTER)
    time.sleep(0.5)
    terminal.send(CTRL_C)
    terminal.send(CTRL_C)
    until(terminal, lambda: "중단했습니다." in terminal.screen())
    ready(terminal)
    enter(terminal, "병가 진단서는?")
    assert "사흘째부터" in terminal.screen() and terminal.exit_code() is None


@pytest.mark.parametrize("keys", ["가" + ESCAPE, ESCAPE + ESCAPE], ids=["syllable", "twice"])
def test_esc_counts_whatever_comes_with_it(start: Start, keys: str) -> None:
    """An input method may end a syllable with Esc and send both at once."""
    terminal = start(PtyTerminal, "--web")
    terminal.send("느린 버스?")
    terminal.send(ENTER)
    until(terminal, lambda: "search_web(" in terminal.screen())
    terminal.send(keys)
    until(terminal, lambda: "끝난 이유: interrupted" in terminal.screen())


def test_what_is_typed_while_it_works_waits_at_the_next_prompt(start: Start) -> None:
    terminal = start(PtyTerminal, "--web")
    terminal.send("느린 버스?")
    terminal.send(ENTER)
    until(terminal, lambda: "search_web(" in terminal.screen())
    shown = len(terminal.written)
    terminal.send("버스 요금")
    time.sleep(0.3)
    terminal.screen()
    assert "요금".encode() not in terminal.written[shown:]
    terminal.send(UP)  # begins with Esc, and is no interrupt
    time.sleep(0.3)
    terminal.send(CTRL_C)
    until(terminal, lambda: terminal.cursor_line() == "> 버스 요금")
    assert "끝난 이유: interrupted" in terminal.screen()
    terminal.send(ENTER)
    ready(terminal)
    assert "1,500원입니다. [w1]" in terminal.screen()


def test_a_killed_terminal_loses_nothing_that_was_shown(start: Start) -> None:
    """The step that was shown, and its evidence, are there when the conversation goes on."""
    with playing(
        {"calls": [search("버스 요금")]}, {"calls": [search("느린 버스")]}, {"text": "1,500원 [w1]"}
    ) as environ:
        terminal = start(PtyTerminal, "--web", **environ)
        terminal.send("버스 요금과 느린 버스?")
        terminal.send(ENTER)
        until(terminal, lambda: "초 · search_web(느린 버스)" in terminal.screen())
        terminal.kill()
        assert "1. search_web(버스 요금) -> w1" in terminal.screen()
        terminal = start(PtyTerminal, "--continue", **environ)
        assert steady(terminal.screen()) == CUT_OFF
        enter(terminal, "버스 요금은?")
        assert "1,500원 [w1]" in terminal.screen()
        enter(terminal, "/history")
        asked = [line for line in terminal.screen().splitlines() if re.match(r"\d\. 버스", line)]
        assert asked == [
            "1. 버스 요금과 느린 버스? · incomplete · interrupted · 검색 1회 · 토큰 0",
            "2. 버스 요금은? · open · answered · 검색 0회 · 토큰 279",
        ]


CUT_OFF = """\
이어서: 버스 요금과 느린 버스? (질문 1개, 20261130-120000-abcd)
> 버스 요금과 느린 버스?
1. search_web(버스 요금) -> w1
이 질문은 끝나기 전에 끊겼습니다. 찾은 근거는 남아 있으니 다시 물어 주세요.

>"""


def search(query: str) -> dict[str, Any]:
    return {"name": "search_web", "args": {"query": query}}


@contextmanager
def playing(*responses: dict[str, Any]) -> Iterator[dict[str, str]]:
    """The environment that leads to a server with these replies."""
    with serve(responder=ScriptedGemini({"responses": [*responses]})) as server:
        yield {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": server.url}


MARKDOWN = """\
**요금**은 다음과 같습니다. [w1]
둘째 줄입니다.

| 노선 | 요금 |
|---|---|
| 시내버스 | 1,500원 |
| 광역 | 3,000원 |

- 자세한 것은 `누리집`을 보세요. [w1]
"""

RENDERED = """\
> 버스 요금?
1. search_web(버스 요금) -> w1

요금은 다음과 같습니다. [w1]
둘째 줄입니다.


 노선      요금
 ─────────────────
 시내버스  1,500원
 광역      3,000원


 • 자세한 것은 누리집을 보세요. [w1]
상태: open · 끝난 이유: answered · 2단계 · 검색 1회 · 토큰 000 ·
gemini-3.8-flash · 비용 모름 · 0.0초

>"""


def test_markdown_is_shown_on_a_terminal_once(start: Start) -> None:
    """The draft that was streamed goes away; the answer stands there once, as Markdown."""
    with playing({"calls": [search("버스 요금")]}, {"text": MARKDOWN}) as environ:
        terminal = start(PtyTerminal, "--web", **environ)
        enter(terminal, "버스 요금?")
    assert steady(terminal.screen()).partition("\n")[2] == RENDERED


def test_a_draft_that_does_not_pass_the_gate_is_not_left_on_the_screen(start: Start) -> None:
    """What the model writes is shown dim, as a draft; without a citation it goes away."""
    unsupported = {"text": "버스 요금은 구만 원입니다.", "delay_s": 0.5}
    with playing({"calls": [search("버스 요금")]}, unsupported, {**unsupported}) as environ:
        terminal = start(PtyTerminal, "--web", **environ)
        terminal.send("버스 요금?")
        terminal.send(ENTER)
        until(terminal, lambda: "초안 (아직 확인 전)" in terminal.screen())
        assert "버스 요금은 구만 원입니다." in terminal.screen()
        ready(terminal)
    assert "구만 원" not in terminal.screen() and "초안" not in terminal.screen()
    assert "모델의 답에 근거 표시가 없어 보여 주지 않습니다." in terminal.screen()


def test_what_stands_beside_an_answer_stands_there_on_a_terminal_too(start: Start) -> None:
    """What its evidence does not say is marked; rounds say when they searched."""
    said = "버스 요금은 1,500원입니다 [w1]. 지난해에는 1,200원이었습니다 [w1]."
    with playing({"calls": [search("버스 요금")]}, {"text": said}) as environ:
        terminal = start(PtyTerminal, "--web", **environ)
        enter(terminal, "버스 요금?")
    assert "지난해에는 1,200원이었습니다 [w1]. (근거에서 확인되지 않음)" in (
        " ".join(terminal.screen().split())
    )
    terminal = start(PtyTerminal, "--docs", "tests/data/office", "--route", "complex")
    enter(terminal, "병가 진단서")
    assert "\n검색한 때: 20" in terminal.screen()


def test_a_terminal_without_colours_gets_none(start: Start) -> None:
    with playing({"calls": [search("버스 요금")]}, {"text": MARKDOWN}) as environ:
        terminal = start(PtyTerminal, "--web", NO_COLOR="1", **environ)
        enter(terminal, "버스 요금?")
    assert not re.search(rb"\x1b\[[0-9;]*\b(3[0-7]|9[0-7]|38|48)\b[0-9;]*m", terminal.written)
    assert steady(terminal.screen()).partition("\n")[2] == RENDERED


def cells(text: str) -> int:
    from wcwidth import wcswidth

    return wcswidth(text)
