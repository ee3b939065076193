"""Failures that people reported in public, each by its id: those of a terminal, an interrupt, a
long conversation. What is run is the command itself, against a server that plays a script."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.cli import main
from agent.offline.scripted import ScriptedGemini
from agent.offline.server import serve
from tests.asking import asker
from tests.cases.legality import faults
from tests.cases.play import strings
from tests.terminal import CTRL_C, ENTER, PtyTerminal, ended, enter, ready, steady, until

ROOT = Path(__file__).parent.parent
OFFICE = str(ROOT / "tests/data/office")
CALL = {"calls": [{"name": "search_documents", "args": {"query": "노트북 분실"}}]}
ANSWER = {"text": "내선 119번입니다 [보안.txt:2]"}
TOO_LONG = {
    "status": 400,
    "body": {
        "error": {
            "code": 400,
            "message": "The input token count (1200000) exceeds the maximum number of tokens "
            "allowed (1048576).",
            "status": "INVALID_ARGUMENT",
        }
    },
}


class Played:
    """A server that plays a script, and the command run against it."""

    def __init__(
        self, gemini: ScriptedGemini, url: str, data: Path, patch: pytest.MonkeyPatch
    ) -> None:
        self._gemini = gemini
        self._patch = patch
        self.environ = {
            "GEMINI_API_KEY": "x",
            "GOOGLE_GEMINI_BASE_URL": url,
            "BARELOOP_DATA": str(data),
            "BARELOOP_LANG": "ko",
            "BARELOOP_SEARCH": "tests.slow_web:Slow",
        }

    @property
    def contents(self) -> list[list[dict[str, Any]]]:
        """The history of every request so far."""
        return [each.body["contents"] for each in self._gemini.requests]

    def chat(
        self, said: str | bytes, *arguments: str, **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        """The command in this process, where the SDK is loaded once for all."""
        encoding = variables.get("PYTHONIOENCODING", "utf-8")
        given = io.BytesIO(said.encode() if isinstance(said, str) else said)
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in "12")
        with self._patch.context() as patch:
            for name, value in {**self.environ, **variables}.items():
                patch.setenv(name, value)
            patch.chdir(ROOT)
            patch.setattr(sys, "stdin", io.TextIOWrapper(given, encoding))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = main(["chat", *arguments])
        told = [each.buffer.getvalue() for each in (out, err)]
        assert [faults(each) for each in self.contents] == [[]] * len(self.contents)
        return subprocess.CompletedProcess(arguments, code, *told)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "agent.cli", *arguments]


@pytest.fixture
def playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """with playing(reply, reply, ...) as played: ..."""

    @contextmanager
    def play(*responses: Mapping[str, Any]) -> Iterator[Played]:
        gemini = ScriptedGemini({"responses": [*responses]})
        with serve(responder=gemini) as server:
            yield Played(gemini, server.url, tmp_path / "data", monkeypatch)

    return play


def size(contents: list[dict[str, Any]]) -> int:
    return len(json.dumps(contents, ensure_ascii=False))


def test_cc_01_requests_have_a_ceiling_and_what_was_used_is_told(playing: Any) -> None:
    """A model that never stops asking, and helpers that cost requests of their own."""
    calls = [
        {"calls": [{"name": "search_documents", "args": {"query": f"노트북 {number}"}}]}
        for number in range(50)
    ]
    with playing(*calls) as played:
        done = played.chat("노트북?\n", "--docs", OFFICE, "--narrow", "--max-steps", "6")
        assert len(played.contents) <= 6
        figures = done.stdout.decode().splitlines()[-1]
        assert "검색 3회" in figures and "토큰" in figures and "비용 모름" in figures


def test_cc_03_a_history_grows_by_what_is_new_and_no_more(playing: Any) -> None:
    with playing(*[CALL, ANSWER] * 3) as played:
        played.chat("하나?\n둘?\n셋?\n", "--docs", OFFICE)
        assert len(played.contents) == 6
        for before, after in zip(played.contents, played.contents[1:], strict=False):
            assert after[: len(before)] == before
            assert 1 <= len(after) - len(before) <= 2


def test_cc_03_results_of_old_questions_are_shortened_near_the_limit(playing: Any) -> None:
    """Their ids stay; what the model said, with its signatures, goes back as it came."""
    with playing(*[CALL, ANSWER] * 3) as played:
        played.chat("하나?\n둘?\n셋?\n", "--docs", OFFICE, BARELOOP_MAX_HISTORY="1100")
        first, third = played.contents[1], played.contents[-2]
        assert third[:2] == first[:2] and "functionCall" in third[1]["parts"][0]
        (part,) = third[2]["parts"]
        assert part["functionResponse"]["response"]["output"]["ids"] == ["보안.txt:2"]
        assert "한 시간 안에" in str(first[2]) and "한 시간 안에" not in str(third[2])
        assert all(size(each[:-1]) <= 1100 + 600 for each in played.contents)


@pytest.mark.parametrize(
    ("limit", "kept"), [(1_000_000, [1, 5, 9, 13, 17]), (700, [1, 5, 5, 5, 5]), (1, [1] * 5)]
)
def test_to_03_trimming_cuts_at_a_persons_turn(playing: Any, limit: int, kept: list[int]) -> None:
    """Whole questions go, from the oldest on: no call is left without its response."""
    with playing(*[CALL, ANSWER] * 5) as played:
        said = "".join(f"질문 {number}?\n" for number in range(5))
        done = played.chat(said, "--docs", OFFICE, BARELOOP_MAX_HISTORY=str(limit))
        assert done.stdout.decode().count("상태: open") == 5
        assert [len(each) for each in played.contents[::2]] == kept
        for contents in played.contents:
            assert contents[0]["role"] == "user" and "text" in contents[0]["parts"][0]


def test_cc_04_after_an_overflow_the_next_question_works(playing: Any) -> None:
    """The failed question is left out, the rest is halved, and it stays so on disk."""
    with playing(CALL, ANSWER, CALL, TOO_LONG, CALL, ANSWER, CALL, ANSWER) as played:
        done = played.chat("q1\nq2\nq3\n", "--docs", OFFICE)
        told = done.stdout.decode()
        assert "읽을 수 있는 길이를 넘었습니다" in told and told.count("내선 119번입니다") == 2
        failed, third = played.contents[3], played.contents[4]
        assert size(third) < size(failed) and "q2" not in str(third)
        assert 2 * size(third[:-1]) <= size(failed[:4])
        assert len({json.dumps(each) for each in played.contents}) == len(played.contents)
        played.chat("q4\n", "--continue", "--docs", OFFICE)
        assert "q2" not in str(played.contents[-1]) and "q3" in str(played.contents[-1])


def test_ts_01_a_conversation_on_disk_keeps_every_signature(playing: Any) -> None:
    parts = [
        {"text": "찾아보겠습니다.", "thought": True},
        {
            "functionCall": {
                "name": "search_documents",
                "args": {"query": "노트북", "limit": None},
            },
            "thoughtSignature": "c2lnLTE=",
        },
    ]
    turn = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    with playing({"body": {"candidates": [turn]}}, ANSWER, CALL, ANSWER) as played:
        played.chat("노트북?\n", "--docs", OFFICE)
        played.chat("다시?\n", "--continue")
        assert played.contents[2][:4] == [*played.contents[1], played.contents[2][3]]
        assert played.contents[2][1]["parts"] == parts


@contextmanager
def running(played: Played, said: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command("chat", *arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **played.environ},
        cwd=ROOT,
    )
    assert process.stdin is not None
    process.stdin.write(said.encode())
    process.stdin.flush()
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def interrupt_in_request(played: Played, process: subprocess.Popen[bytes], seconds: float) -> None:
    end = time.monotonic() + 30
    while not played.contents and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)


def test_in_01_an_interrupt_in_a_tool_leaves_no_open_call(playing: Any) -> None:
    """Of two calls side by side, the finished one keeps its result."""
    calls = [{"name": "search_web", "args": {"query": each}} for each in ("느린 버스", "버스 요금")]
    with playing({"calls": calls}, {"text": "다음 답 [w1]"}) as played:
        with running(played, "버스?\n다음 질문\n", "--web") as process:
            interrupt_in_request(played, process, 0.7)
            out, err = process.communicate(timeout=30)
        assert process.returncode == 0 and b"Traceback" not in err
        assert "중단했습니다" in out.decode() and "다음 답" in out.decode()
        contents = played.contents[-1]
        assert faults(contents) == []
        slow, quick = (part["functionResponse"]["response"] for part in contents[2]["parts"])
        assert slow["error"]["code"] == "interrupted"
        assert quick.get("output", {}).get("hits") or quick["error"]["code"] == "interrupted"


def test_in_03_an_interrupt_before_any_reply_leaves_no_empty_turn(playing: Any) -> None:
    answer = {"calls": [{"name": "search_web", "args": {"query": "버스"}}]}
    with playing({"fault": "hang"}, answer, {"text": "다음 답 [w1]"}) as played:
        terminal = PtyTerminal(["chat", "--web"], played.environ, lines=40)
        try:
            ready(terminal)
            terminal.send("3만 원 이하 무선 키보드?")
            terminal.send(ENTER)
            until(terminal, lambda: len(played.contents) == 1)
            time.sleep(0.2)
            terminal.send(CTRL_C)
            ready(terminal)
            enter(terminal, "다음")
            terminal.send(CTRL_C)
            until(terminal, lambda: "한 번 더" in terminal.screen())
            terminal.send(CTRL_C)
            assert ended(terminal) == 130
            screen = terminal.screen()
        finally:
            terminal.close()
        assert "다음 답 [w1]" in screen and "Traceback" not in screen
        assert faults(played.contents[1]) == []
        texts = [part.get("text") for each in played.contents[1] for part in each["parts"]]
        assert texts.count("다음") == 1 and all(texts)


SENTENCE = "교통카드는 역무실에서 삽니다."


@pytest.mark.parametrize("asked", ["NFC", "NFD"])
@pytest.mark.parametrize("written", ["NFC", "NFD"])
def test_un_01_composed_and_decomposed_hangul_are_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, asked: Any, written: Any
) -> None:
    """Names of files and of products too."""
    name = unicodedata.normalize(written, "교통 안내.md")
    (tmp_path / name).write_text(unicodedata.normalize(written, SENTENCE), encoding="utf-8")
    question = unicodedata.normalize(asked, "교통카드는 어디에서 사?")
    ask = asker(capsys)
    record = ask("--docs", str(tmp_path), question)
    assert record["code"] == 0
    assert record["citations"] == [{"id": "교통 안내.md:1", "ok": True, "supported": True}]
    shop = tmp_path / "가게"
    shop.mkdir()
    given = (ROOT / "tools/corpora/products/products.toml").read_text(encoding="utf-8")
    (shop / "products.toml").write_text(unicodedata.normalize(written, given), encoding="utf-8")
    record = ask("--corpus", str(shop), unicodedata.normalize(asked, "저소음 사무실 키보드"))
    assert "P1" in [each["id"] for each in record["evidence"]]


ODD = "가격 — 29,000원 ✅ 😀 • \u200b \u1100\u1161 [보안.txt:2]"


def test_un_02_a_cp949_console_changes_characters_and_not_the_outcome(playing: Any) -> None:
    with playing(CALL, {"text": ODD}) as played:
        said = "질문?\n/why\n/evidence\n/quit\n".encode("cp949")
        done = played.chat(said, "--docs", OFFICE, PYTHONIOENCODING="cp949")
        told = done.stdout.decode("cp949")
        assert done.returncode == 0 and "29,000원" in told and "상태: open" in told
        assert "UnicodeEncodeError" not in told + done.stderr.decode("cp949")


@pytest.mark.parametrize(
    ("said", "read", "notice"),
    [
        (bytes.fromhex("b0a1b0dd20c3dfc3b50a"), "가격 추천", False),
        ("가격 추천 😀\n".encode(), "가격 추천 😀", False),
        ("\ufeff가격 추천\n".encode(), "가격 추천", False),
        (b"\xff\xfe \xea\xb0\x80\xea\xb2\xa9\n", "\ufffd\ufffd 가격", True),
    ],
    ids=["cp949", "utf-8", "with a mark", "neither"],
)
def test_un_03_bytes_that_are_not_utf_8_never_travel_as_surrogates(
    playing: Any, said: bytes, read: str, notice: bool
) -> None:
    with playing(CALL, ANSWER) as played:
        done = played.chat(said, "--docs", OFFICE)
        assert done.returncode == 0
        assert ("읽을 수 없는 바이트" in done.stderr.decode()) == notice
        assert played.contents[0][0]["parts"][0]["text"] == read
        sent = "".join(strings(played.contents))
        assert not re.search("[\ud800-\udfff]", sent)
        (kept,) = (Path(played.environ["BARELOOP_DATA"]) / "sessions").glob("*.jsonl")
        assert read in kept.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("said", "answered"), [("노트북?", 1), ("", 0), ("\n\n", 0), ("노트북?\n노트북은?", 2)]
)
def test_un_05_the_end_of_the_input_ends_the_program(
    playing: Any, said: str, answered: int
) -> None:
    with playing(*[CALL, ANSWER] * answered) as played:
        started = time.monotonic()
        done = played.chat(said, "--docs", OFFICE)
        assert time.monotonic() - started < 10
        assert done.returncode == 0 and done.stdout.decode().count("상태: open") == answered
        assert not done.stdout.startswith(b">") and b"\n>" not in done.stdout


def test_un_07_letters_that_were_never_put_together_get_a_hint(playing: Any) -> None:
    with playing() as played:
        done = played.chat("ㄱㅏㄱㅕㄱ\n/quit\n", "--docs", OFFICE)
        assert done.returncode == 0 and played.contents == []
        assert "한글 입력기를 확인하고" in done.stdout.decode()


def test_un_07_what_is_composed_at_the_prompt_is_what_is_asked(tmp_path: Path) -> None:
    """Half-composed letters, and backspace over wide ones, leave the line as it looks."""
    environ = {"BARELOOP_LANG": "ko", "BARELOOP_DATA": str(tmp_path)}
    terminal = PtyTerminal(["chat", "--docs", OFFICE], environ, columns=40)
    try:
        ready(terminal)
        enter(terminal, "ㄱㅏㄱㅕㄱ")
        terminal.send("노트북ㅇ")
        until(terminal, lambda: terminal.cursor_line() == "> 노트북ㅇ")
        terminal.send("\x7f을")
        until(terminal, lambda: terminal.cursor_line() == "> 노트북을")
        terminal.send(" 잃어버려서 어디에 알려야 하는지 궁금하다면")
        until(terminal, lambda: terminal.cursor_line().endswith("궁금하다면"))
        assert steady(terminal.screen()) == COMPOSED
        terminal.send("\x7f" * 30)
        until(terminal, lambda: terminal.cursor_line() == ">")
        assert steady(terminal.screen()) == COMPOSED.partition("> 노트북")[0] + ">"
    finally:
        terminal.close()


COMPOSED = """\
bareloop · offline · /help 도움말
> ㄱㅏㄱㅕㄱ
낱글자만 있어 무엇을 묻는지 알 수
없습니다. 한글 입력기를 확인하고 다시
적어 주세요.
> 노트북을 잃어버려서 어디에 알려야 하는
  지 궁금하다면"""
