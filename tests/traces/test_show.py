"""A trace on the terminal, and a trace that ends anywhere."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.messages import Reply, Usage
from agent.traces.reading import read_trace
from agent.traces.show import show
from tests.replies import call, turn
from tests.traces import recorded
from tests.traces.recorded import QUESTION, ROOT, billing, office, record, without_times

Show = Callable[..., str]

STEPS = turn(call("find_steps", query="invoice export"))
NONE = turn(call("find_permission", query="authorization"))
PERMISSION = turn(call("find_permission", query="billing permission"))
CITED = turn("Open Billing [steps-1]; the role is billing_admin [permission-1].")


@pytest.fixture
def trace(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Show:
    return recorded.bareloop(capsys, monkeypatch)


@pytest.fixture
def korean(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Show:
    return recorded.bareloop(capsys, monkeypatch, "ko")


STORED = ROOT / "tests/data/traces/two_searches.jsonl"
"""What the offline model did with two searches, with times that are easy to add up."""

ENGLISH = """\
invoice export steps and permission
2026-11-30 09:07:19 +0000 · offline · 1.6 s
├ 1. calls · model 250 ms · 424 + 19 tokens · history 1
│ └ find_steps(invoice export) -> steps-1; missing: permission · 9.9 ms
│   └ [steps-1] Invoice export: open Billing, select an invoice, then choose Export.
├ 2. calls · model 1.0 s · 548 + 20 tokens · history 3
│ └ find_permission(authorization) -> none; missing: permission · 10 ms
├ stopped
└ status: incomplete · stopped: max_searches · 2 steps · 2 searches · 1011 tokens · offline
  └ Stopped: all 2 searches of the budget are used. Still missing: permission.
"""


def test_a_tree_with_times_and_evidence(trace: Show):
    assert trace("show", STORED) == ENGLISH


KOREAN = """\
노트북을 잃어버리면 어디에 알리나요?
WHEN · replies · T
├ 경로: simple (one_thing)
├ 1. 도구 호출 · 모델 T · 토큰 10 + 2 · 대화 1개
│ └ search_documents(노트북을 잃어버리면) -> 보안.txt:2 · T
│   └ [보안.txt:2] 노트북을 잃어버리면 한 시간 안에 보안팀 내선 119번으로 알립니다.
├ 2. 도구 호출 · 모델 T · 토큰 10 + 2 · 대화 3개
│ └ no_such_tool(x=1) · T · 오류 unknown_tool: There is no tool named no_such_tool.
├ 3. 답 · 모델 T · 토큰 10 + 2 · 대화 5개
│ ├ 따로 물음: 답 (it cites nothing; put the [id] of its evidence after a claim): 내선 \
119번입니다.
│ └ 내선 119번입니다 [보안.txt:2].
└ 상태: open · 끝난 이유: answered · 3단계 · 검색 1회 · 토큰 48 · replies · 비용 모름
  ├ 찾은 근거를 인용해 답했습니다. 무엇이 필요한지 적은 계획이 없어, 근거가 다 모였는지는 알 수 \
없습니다. 내용이 참이라는 보증도 아닙니다.
  └ 인용: [보안.txt:2]
"""


def test_a_tree_in_korean_with_an_error_and_an_answer_that_went_back(korean: Show, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(
        file,
        "노트북을 잃어버리면 어디에 알리나요?",
        office(),
        turn(call("search_documents", query="노트북을 잃어버리면")),
        turn(call("no_such_tool", x=1)),
        turn("내선 119번입니다."),
        turn("내선 119번입니다 [보안.txt:2]."),
        language="ko",
    )
    assert without_times(korean("show", file)) == KOREAN


def test_the_real_command_writes_what_show_reads(
    bareloop: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
):
    file = tmp_path / "t.jsonl"
    for _ in range(2):
        bareloop("ask", "--trace", str(file), "--max-searches", "2", QUESTION)
    done = bareloop("trace", "show", str(file), BARELOOP_LANG="en")
    one = """\
invoice export steps and permission
WHEN · offline · T
├ 1. calls · model T · 477 + 19 tokens · history 1
│ └ find_steps(invoice export) -> steps-1; missing: permission · T
│   └ [steps-1] Invoice export: open Billing, select an invoice, then choose Export.
├ 2. calls · model T · 601 + 20 tokens · history 3
│ └ find_permission(authorization) -> none; missing: permission · T
├ stopped
└ status: incomplete · stopped: max_searches · 2 steps · 2 searches · 1117 tokens · offline
  └ Stopped: the budget of 2 searches is used up. Still missing: permission.
"""
    assert (done.returncode, done.stderr) == (0, "")
    assert without_times(done.stdout) == f"{one}\n{one}"


def test_several_calls_of_a_step_keep_their_own_searches_and_times(trace: Show, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    both = turn(
        call("find_permission", query="billing permission"),
        call("find_steps", query="invoice export"),
    )
    record(file, QUESTION, billing(), both, CITED)
    lines = [line for line in trace("show", file).splitlines() if "find_" in line]
    assert [line.partition(" · ")[0] for line in lines] == [
        "│ ├ find_permission(billing permission) -> permission-1; missing: steps",
        "│ └ find_steps(invoice export) -> steps-1",
    ]
    tools = [each for each in events(file) if each["event"] == "tool"]
    assert [each["name"] for each in tools] == ["find_permission", "find_steps"]
    assert all(each["seconds"] > 0 and each["started"] > 0 for each in tools)


def test_a_search_belongs_to_the_call_that_made_it(trace: Show, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    again = turn(
        call("search_documents", query="은하"), call("search_documents", query="노트북 잃어버리면")
    )
    said = turn("내선 119번입니다 [보안.txt:2].")
    record(file, "노트북?", office(), turn(call("search_documents", query="은하")), again, said)
    lines = [line for line in trace("show", file).splitlines() if "search_documents(" in line]
    assert [without_times(line) for line in lines] == [
        "│ └ search_documents(은하) -> none · T",
        "│ ├ search_documents(query=은하) · T · error repeated_call: This call was already made "
        "with these arguments and is not run again.",
        "│ └ search_documents(노트북 잃어버리면) -> 보안.txt:2 · T",
    ]


def test_a_question_of_a_chat_begins_with_what_was_said_before(trace: Show, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    first = record(file, QUESTION, billing(), STEPS, PERMISSION, CITED)
    record(file, QUESTION, billing(), STEPS, PERMISSION, CITED, previous=first, number=1)
    started = [each for each in events(file) if each["event"] == "start"]
    assert [len(each["history"]) for each in started] == [0, 6]
    assert started[1]["history"] == first.contents[:6]
    shown = trace("show", file)
    assert "history 7\n" in shown and shown.count(QUESTION) == 2


def events(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_request_tells_instructions_and_tools_when_they_change(tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), STEPS, PERMISSION, turn("Open Billing."), CITED)
    asked = [each for each in events(file) if each["event"] == "request"]
    assert [sorted({"system", "tools"} & each.keys()) for each in asked] == [
        ["system", "tools"],
        [],
        [],
        ["system"],
    ]
    assert asked[3]["system"].startswith("Note: your previous answer was not shown")
    assert [each["step"] for each in asked] == [1, 2, 3, 3]
    assert [each["mode"] for each in asked] == ["ANY", "ANY", "NONE", "NONE"]


# ends anywhere


def small(file: Path) -> bytes:
    """A trace of a question that no corpus fits: every kind of line, and few bytes."""
    record(file, "날씨", None, turn("맑음"), language="ko")
    return file.read_bytes()


def test_cut_at_any_byte_it_reads_up_to_the_last_whole_event(korean: Show, tmp_path: Path):
    whole = small(tmp_path / "whole.jsonl")
    begins = whole.index(b"\n", whole.index(b"\n") + 1)  # the end of the line with the question
    lines = whole.split(b"\n")
    cut = tmp_path / "cut.jsonl"
    ends = {place for place, byte in enumerate(whole) if byte == 10} | {0, len(whole) - 1}
    told: dict[int, str] = {}
    for place in range(len(whole) + 1):
        cut.write_bytes(whole[:place])
        if place < begins:
            said = korean("show", cut, code=2) if place % 40 == 0 else "질문이 없습니다"
            assert "온전히 기록된 질문이 없습니다" in said or place % 40
            continue
        printed = show(read_trace(cut), "ko")
        if min(abs(place - end) for end in ends) < 2:  # the rest would take the command too long
            assert korean("show", cut) == f"{printed}\n"
        ended, rest = whole[:place].count(b"\n"), whole[:place].rpartition(b"\n")[2]
        is_whole = bool(rest) and rest == lines[ended]
        if rest and not is_whole:
            printed, _, torn = printed.partition("\n\n온전한 기록이 아니어서")
            assert torn == f" 빼고 읽은 줄: {ended + 1}"
        known = told.setdefault(ended + is_whole, printed)
        assert printed == known, (place, whole[:place])
    assert len(told) == len(lines) - 2
    assert len(set(told.values())) == len(told)
    assert "상태: unsupported" in told[6]
    for line in range(2, 6):
        assert told[line].endswith(f"마지막으로 온전한 것은 {line}번째 줄입니다.")


def test_a_real_kill_leaves_every_event_before_it(trace: Show, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    environ = {**os.environ, "BARELOOP_SEARCH": "tests.slow_web:Slow", "BARELOOP_LANG": "en"}
    command = [sys.executable, "-m", "agent.cli", "ask", "--web", "--trace", str(file), "느린 버스"]
    process = subprocess.Popen(command, cwd=ROOT, env=environ, stderr=subprocess.DEVNULL)
    for _ in range(600):
        if file.exists() and b'"functionCall"' in file.read_bytes():
            break
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert without_times(trace("show", file)) == (
        "느린 버스\n"
        "WHEN · offline · T\n"
        "├ route: simple (one_thing)\n"
        "├ 1. calls · model T · 271 + 19 tokens · history 1\n"
        "│ └ search_web(query=느린 버스)\n"
        "└ The run did not end: line 7 is the last whole event.\n"
    )


def test_the_next_run_begins_a_line_of_its_own(trace: Show, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    whole = small(file)
    file.write_bytes(whole[:-30])
    record(file, QUESTION, billing(), STEPS, PERMISSION, CITED)
    shown = trace("show", file)
    assert shown.startswith("날씨\n") and "did not end: line 5 is" in shown
    assert "stopped: answered" in shown
    assert file.read_bytes().splitlines()[6] == b'{"event": "trace", "version": 2}'
    assert shown.endswith("Left out, because they are no whole event: lines 6\n")


def test_two_programs_may_append_to_one_file(trace: Show, tmp_path: Path):
    one, other, file = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "t.jsonl"))
    record(one, QUESTION, billing(), STEPS, PERMISSION, CITED)
    run = "fedcba9876543210fedcba9876543210"
    text = one.read_text("utf-8").replace(recorded.ID[:8], run[:8])
    other.write_text(text.replace(QUESTION, "invoice export"), "utf-8")
    pairs = zip(one.read_bytes().splitlines(), other.read_bytes().splitlines(), strict=True)
    file.write_bytes(b"".join(line + b"\n" for pair in pairs for line in pair))
    shown = trace("show", file)
    assert shown == trace("show", one) + "\n" + trace("show", other)


# what is no trace


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (b"hello\n", "is no trace; name a file that --trace wrote."),
        (b'{"event": "session", "version": 1}\n{}\n', "is no trace; name a file that --trace"),
        (b"\x00\xff" * 100, "is no trace"),
        (
            b'{"event": "trace", "version": 1}\n',
            "lines 1: a trace of version 1, which this program",
        ),
        (
            b'{"event": "trace", "version": 3}\n{"event": "start"}\n',
            "lines 1-2: a trace of version 3, written by a newer bareloop than this one",
        ),
        (b"", "holds no question"),
        (b'{"event": "trace", "version": 2}\n', "holds no question"),
        (None, "cannot be read (No such file or directory); check the path."),
    ],
)
def test_what_is_no_trace_is_told_in_one_sentence(
    trace: Show, tmp_path: Path, written: bytes | None, told: str
):
    file = tmp_path / "t.jsonl"
    if written is not None:
        file.write_bytes(written)
    said = trace("show", file, code=2)
    assert told in said and len(said.splitlines()) == 1
    assert "cannot be read (Is a directory)" in trace("show", tmp_path, code=2)


HOSTILE = [
    b"[" * 5000,
    b'{"event": 7}',
    b'{"event": "reply"}',
    b'{"event": "reply", "run": "01234567", "at": NaN}',
    b'{"event": "wait", "run": "01234567", "at": 1e999, "seconds": 1, "outcome": "", "cause": ""}',
    b'{"event": "wait", "run": "01234567", "at": 0, "seconds": true, "outcome": "", "cause": ""}',
    b'{"event": "content", "run": "01234567", "at": 0, "step": 1, "content": {"role": "user"}}',
    b'{"event": "content", "run": "01234567", "at": 0, "step": 1, '
    b'"content": {"role": "model", "parts": [{"functionCall": "x"}]}}',
    b'{"event": "content", "run": "01234567", "at": 0, "step": 1, '
    b'"content": {"role": "user", "parts": [{"functionResponse": {"name": "x"}}]}}',
    b'{"event": "end", "run": "01234567", "at": 0, "record": {}}',
    b'{"event": "start", "run": "01234567", "at": 0, "request_id": "", "time": "yesterday", '
    b'"question": "", "model": "", "history": []}',
    b'{"event": "reply", "run": "nobody", "at": 0}',
    b'{"event": "judge", "run": "01234567", "at": 0, "verdict": "no", "ids": [1]}',
    b'{"event": "search", "run": "01234567", "at": 0, "step": 1, "tool": "t", "slot": null, '
    b'"query": "q", "hits": [{"id": "x", "score": NaN}], "outcome": "hits", "missing": []}',
    b'{"event": "search", "run": "01234567", "at": 0, "step": 1, "tool": "t", "slot": null, '
    b'"query": "q", "hits": [], "outcome": "nothing", "missing": []}',
    b'{"event": "search", "run": "01234567", "at": 0, "step": 1, "tool": "t", "slot": null, '
    b'"query": "q", "hits": [], "outcome": "hits", "missing": []}',
    *(
        b'{"event": "request", "run": "01234567", "at": 0, "step": 1, "mode": "ANY", "history": 1, '
        + more
        for more in (b'"system": 7}', b'"tools": 7}', b'"tools": [null]}', b'"tools": [{}]}')
    ),
]


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_a_line_of_another_shape_is_left_out_and_told(trace: Show, tmp_path: Path, line: bytes):
    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), STEPS, PERMISSION, CITED)
    before = trace("show", file)
    lines = file.read_bytes().splitlines()
    file.write_bytes(b"\n".join([*lines[:9], line, *lines[9:], b""]))
    told = "Left out, because they are no whole event: lines 10\n"
    assert trace("show", file) == f"{before}\n{told}"
    assert trace("diagnose", file).endswith(f"\n{told}")
    for command, *options in (["html", "--out"], ["export", "--content", "--otlp"]):
        trace(command, file, *options, tmp_path / command)
        assert (tmp_path / command).stat().st_size


def test_an_event_of_a_later_kind_is_no_damage(trace: Show, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), STEPS, PERMISSION, CITED)
    before = trace("show", file)
    lines = file.read_bytes().splitlines()
    new = b'{"event": "something_new", "run": "01234567", "at": 0.01}'
    file.write_bytes(b"\n".join([*lines[:9], new, *lines[9:], b""]))
    assert trace("show", file) == before


def test_nothing_in_a_trace_steers_the_terminal(trace: Show, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, "날씨\x1b]0;owned\x07", None, turn(""))
    text = file.read_text("utf-8").replace("날씨", "\\u001b[2J날씨")
    file.write_text(text, "utf-8")
    assert "\x1b" not in trace("show", file) and "\x07" not in trace("show", file)


def test_waits_and_a_lost_connection(trace: Show, tmp_path: Path):
    lost = Reply("network", usage=Usage(1), cause="dropped", retryable=True)

    class Remote:
        name, remote = "gemini-x", True

        def generate(self, *given: Any, **more: Any) -> Reply:
            return lost

    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), Remote())
    shown = trace("show", file)
    assert "│ ├ wait " in shown and ": network (dropped)" in shown
    assert "├ 1. network · model" in shown and "stopped: network" in shown


def test_a_full_disk_ends_the_trace_and_not_the_run(
    bareloop: Callable[..., subprocess.CompletedProcess[str]],
):
    done = bareloop("ask", "--trace", "/dev/full", QUESTION, BARELOOP_LANG="en")
    assert done.returncode == 0 and "The trace /dev/full is not whole" in done.stderr
