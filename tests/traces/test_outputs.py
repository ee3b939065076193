"""What a trace command writes over, what ``--trace`` appends to, and traces of several versions."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.catalogue import Problem
from agent.cli import main
from agent.limits import Limits
from agent.traces.jsonl import JsonlTrace
from tests.traces import recorded
from tests.traces.recorded import QUESTION, billing, office, record
from tests.traces.test_diagnose import CITED, LAPTOP, LOST, NONE, PERMISSION, SAID, STEPS

Trace = Callable[..., str]


@pytest.fixture
def trace(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Trace:
    return recorded.bareloop(capsys, monkeypatch)


@pytest.fixture
def korean(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Trace:
    return recorded.bareloop(capsys, monkeypatch, "ko")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    record(tmp_path / "기록.jsonl", QUESTION, billing(), STEPS, NONE, PERMISSION, CITED)
    return tmp_path / "기록.jsonl"


# outputs


def outputs(file: Path, out: Path) -> list[tuple[str | Path, ...]]:
    other = file.with_name("other.jsonl")
    other.write_bytes(file.read_bytes())
    return [
        ("html", file, "--out", out),
        ("html", other, file, "--out", out),
        ("html", file, other, "--out", out),
        ("export", file, "--otlp", out),
        ("export", file, "--otlp", out, "--content"),
    ]


def test_a_trace_is_never_written_over(trace: Trace, korean: Trace, file: Path) -> None:
    before = file.read_bytes()
    link, hard = file.with_name("link"), file.with_name("hard")
    link.symlink_to(file)
    os.link(file, hard)
    for out in (file, link, hard, file.parent / "." / ".." / file.parent.name / file.name):
        for arguments in outputs(file, out):
            assert "the file to read, so nothing was written over it" in trace(*arguments, code=2)
            assert file.read_bytes() == before
    assert "읽을 파일이라 그 위에 쓰지 않았습니다" in korean("html", file, "--out", file, code=2)


@pytest.mark.parametrize("content", [b"version: 1\nturns: []\n", b"<!DOCTYPE html>\n<p>mine", b"x"])
def test_a_file_of_somebody_else_is_left_as_it_is(trace: Trace, file: Path, content: bytes) -> None:
    out = file.with_name("good.yaml")
    for arguments in outputs(file, out):
        out.write_bytes(content)
        assert "is there already and not of this command" in trace(*arguments, code=2)
        assert out.read_bytes() == content


def test_what_the_command_wrote_itself_is_written_again(trace: Trace, file: Path) -> None:
    page, spans = file.with_name("page.html"), file.with_name("spans.jsonl")
    for out in (page, spans):
        out.touch()
        out.chmod(0o644)
    for _ in range(2):
        trace("html", file, "--out", page)
        trace("export", file, "--otlp", spans)
    assert page.read_text("utf-8").count("</html>") == 1
    assert len(spans.read_text("utf-8").splitlines()) == 1
    for out in (page, spans):
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert "not of this command" in trace("html", file, "--out", spans, code=2)
    assert "not of this command" in trace("export", file, "--otlp", page, code=2)
    trace("export", file, "--otlp", "/dev/null")


def test_nothing_is_written_before_everything_was_read(trace: Trace, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    trace("html", tmp_path / "nowhere", "--out", out, code=2)
    assert not out.exists()


# what --trace appends to


FOREIGN = {
    "a document": b"%PDF-1.7\n%\xe2\xe3\n",
    "a list of somebody else": b'{"event": "session", "version": 1}\n',
    "a script": b"version: 1\nturns: []\n",
    "text": "안녕\n".encode(),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_trace_is_not_added_to_a_file_of_something_else(
    capsys: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "f"
    path.write_bytes(FOREIGN[kind])
    for language, told in (
        ("en", "holds something that is no trace"),
        ("ko", "실행 기록이 아닌 것"),
    ):
        monkeypatch.setenv("BARELOOP_LANG", language)
        assert main(["ask", "--corpus", "billing", "--trace", str(path), "invoice export"]) == 2
        assert told in capsys.readouterr().err
    assert path.read_bytes() == FOREIGN[kind]


@pytest.mark.parametrize(
    "begins",
    [b"", b"\n", b'{"event": "trace", "version": 1}\n', b'{"event": "tra', b'{"event": "tra\n'],
)
def test_a_trace_goes_on_after_what_is_one_or_nothing(tmp_path: Path, begins: bytes) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(begins)
    path.chmod(0o644)
    record(path, LAPTOP, office(), LOST, SAID)
    assert path.read_bytes().startswith(begins) and len(path.read_bytes()) > 2000
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_dash_is_no_file(capsys: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BARELOOP_LANG", "en")
    assert main(["ask", "--corpus", "billing", "--trace", "-", "invoice export"]) == 2
    assert "a file named - is written ./-" in capsys.readouterr().err
    assert not (tmp_path / "-").exists()
    assert main(["ask", "--corpus", "billing", "--trace", f"{tmp_path}/-", "invoice export"]) == 0
    assert (tmp_path / "-").exists()


def test_a_pipe_that_nobody_reads_does_not_hang(trace: Trace, tmp_path: Path) -> None:
    pipe = tmp_path / "p.jsonl"
    os.mkfifo(pipe)
    with pytest.raises(Problem, match="cannot be written"):
        JsonlTrace(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    JsonlTrace(pipe).close()
    assert os.read(reader, 100) == b'{"event": "trace", "version": 2}\n'
    os.close(reader)
    for name in (pipe, Path("/dev/zero")):
        assert "is no ordinary file (a pipe or a device)" in trace("show", name, code=2)
    assert "no ordinary file" in trace("stats", tmp_path, code=2)


# one rule for a trace without a question


@pytest.mark.parametrize("content", [b"", b'{"event": "trace", "version": 2}\n'])
def test_an_empty_trace_ends_every_command_alike(
    trace: Trace, file: Path, tmp_path: Path, content: bytes
) -> None:
    empty, out = tmp_path / "empty.jsonl", tmp_path / "out"
    empty.write_bytes(content)
    commands: list[tuple[str | Path, ...]] = [
        ("show", empty), ("diagnose", empty), ("export", empty, "--otlp", out),
        ("html", empty, "--out", out), ("html", file, empty, "--out", out),
    ]  # fmt: skip
    for arguments in commands:
        assert "empty.jsonl holds no question" in trace(*arguments, code=2)
    assert not out.exists()


# several versions


OLD, NEW = b'{"event": "trace", "version": 1}\n', b'{"event": "trace", "version": 3}\n'
THEIRS = b'{"event": "start", "run": "99999999", "at": 0}\n{"event": "x", "run": "99999999"}\n'


def test_lines_of_other_versions_are_left_out_and_told(
    trace: Trace, korean: Trace, file: Path, tmp_path: Path
) -> None:
    ours, alone = file.read_bytes(), trace("show", file)
    count = ours.count(b"\n")
    file.write_bytes(OLD + THEIRS + ours + NEW + THEIRS.replace(b"9999", b"8888"))
    shown = trace("show", file)
    assert shown.startswith(alone)
    old, new = shown[len(alone) :].strip().split("\n\n")
    assert "lines 1-3: a trace of version 1" in old and "record it again" in old
    assert f"lines {count + 4}-{count + 6}: a trace of version 3" in new and "newer bareloop" in new
    told = korean("show", file)
    assert "더 새로운 bareloop" in told and "1-3번째 줄은 1판 기록" in told
    assert "newer bareloop" in trace("diagnose", file)
    out = tmp_path / "page.html"
    trace("html", file, "--out", out)
    assert "newer bareloop" in out.read_text("utf-8")
    trace("export", file, "--otlp", tmp_path / "spans")
    assert len((tmp_path / "spans").read_text("utf-8").splitlines()) == 1
    assert json.loads(trace("stats", tmp_path, "--json"))["questions"] == 1


def test_a_run_that_goes_on_between_lines_of_another_version_is_whole(
    trace: Trace, file: Path
) -> None:
    """Two programs of two versions, one file."""
    alone = trace("show", file)
    lines = file.read_bytes().splitlines(keepends=True)
    theirs = THEIRS.splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:4], NEW, *theirs[:1], *lines[4:9], theirs[1], *lines[9:]]))
    assert trace("show", file).startswith(alone)


# no model asked


def test_a_question_that_asked_no_model_has_no_steps(
    trace: Trace, korean: Trace, tmp_path: Path
) -> None:
    file, out = tmp_path / "t.jsonl", tmp_path / "page.html"
    record(file, "날씨", None, SAID, language="ko")
    shown = korean("show", file)
    assert "├ 모델에 답을 묻지 않아 단계가 없습니다.\n└ 상태: unsupported" in shown
    assert "1." not in shown and "멈춤" not in shown
    assert "The model was not asked for an answer" in trace("show", file)
    assert "reply 0" not in trace("diagnose", file) and "line 4: stopped" in trace("diagnose", file)
    korean("html", file, "--out", out)
    page = out.read_text("utf-8").split("<main>")[1].split("<script>")[0]
    assert "모델에 답을 묻지 않아 단계가 없습니다." in page
    assert "Gemini가 본" not in page and "article" not in page and "<figure>" not in page
    record(file, LAPTOP, office(), LOST, SAID, number=1)
    korean("html", file, "--out", out)
    assert out.read_text("utf-8").count("Gemini가 본") == 1


@pytest.mark.parametrize("limits", [Limits(max_searches=2)])
def test_korean_is_korean(korean: Trace, tmp_path: Path, limits: Limits) -> None:
    file, out = tmp_path / "t.jsonl", tmp_path / "page.html"
    record(file, QUESTION, billing(), STEPS, NONE, limits=limits, language="ko")
    korean("html", file, file, "--out", out)
    page = out.read_text("utf-8").split("<main>")[1].split("<script>")[0]
    page = re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<pre>.*?</pre>", "", page))
    for text in (korean("show", file), korean("diagnose", file), page):
        assert not re.search(r"\b(calls|stopped|history|reply|request \d|end:|search )", text), text


def test_an_answer_without_a_plan_says_so(trace: Trace, korean: Trace, tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    run = record(file, LAPTOP, office(), LOST, SAID, language="ko")
    assert "필요한지 적은 계획이 없어" in run.as_record()["message"]
    assert "필요한지 적은 계획이 없어" in korean("show", file)
    assert "no plan says what is needed" in trace("show", file)
    planned = tmp_path / "p.jsonl"
    record(planned, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED, language="ko")
    assert "필요한 근거를 모아 답했습니다" in korean("show", planned)


# the two questions of a comparison


def compared(out: Path) -> str:
    page = out.read_text("utf-8")
    return page.split('id="diff">')[1].split("</section>")[0]


def test_questions_are_compared_in_order_or_as_the_reader_says(
    trace: Trace, korean: Trace, file: Path, tmp_path: Path
) -> None:
    other, out = tmp_path / "other.jsonl", tmp_path / "page.html"
    record(other, LAPTOP, office(), LOST, SAID)
    record(other, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED, number=1)
    trace("html", file, other, "--out", out)
    diff = compared(out)
    assert "are compared in their order" in diff and "two different questions" in diff
    assert f"<h2>A1 {QUESTION} / B1 {LAPTOP}</h2>" in diff and "only in B" in diff
    trace("html", file, other, "--out", out, "--pair", "1:2")
    diff = compared(out)
    assert f"<h2>A1 · B2 {QUESTION}</h2>" in diff and "different questions" not in diff
    assert "The questions that were chosen are compared." in diff
    assert "Both runs did the same at every step." in diff and diff.count("<h2>") == 1
    korean("html", file, other, "--out", out)
    assert "적힌 순서대로 짝지어" in compared(out) and "서로 다른 질문입니다" in compared(out)
    said = trace("html", file, other, "--out", out, "--pair", "1:3", code=2)
    assert said.endswith("other.jsonl has no question 3; questions: 2\n")
    assert "needs two traces" in trace("html", file, "--out", out, "--pair", "1:1", code=2)
    for wrong in ("0:1", "a", "1:x"):
        with pytest.raises(SystemExit):
            main(["trace", "html", str(file), str(other), "--out", str(out), "--pair", wrong])


def test_control_characters_are_signs_on_the_page(trace: Trace, tmp_path: Path) -> None:
    file, out = tmp_path / "t.jsonl", tmp_path / "page.html"
    record(file, "날씨\u0085", None, SAID)
    text = file.read_text("utf-8").replace("날씨", "\\u0001\\u001b[2J\\u007f\\u009b날씨")
    file.write_text(text, "utf-8")
    trace("html", file, "--out", out)
    page = out.read_text("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", page)
    assert "\u2401\u241b[2J\u2421\ufffd날씨" in page
