"""Every chapter of the course, whole, in both languages, from a folder of its own; and the four
that begin it, with Gemini and at a terminal."""

from __future__ import annotations

import ast
import itertools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.lessons.exercises import exercises
from agent.offline.scripted import ScriptedGemini
from agent.offline.server import OfflineServer, serve
from tests.terminal import ENTER, PtyTerminal, ended, until

ROOT = Path(__file__).parent.parent
PRINTED = ROOT / "tests/data/chapters"
LOOP = (ROOT / "agent/loop.py").read_text(encoding="utf-8")
CHAPTERS = {
    "ch02_one_call": "4장 7절 ③",
    "ch03_one_tool": "4장 7절의 ④~⑦",
    "ch04_loop": "4장 7절 'for 루프로 에이전트 직접 만들기'",
    "ch04_web_agent": "4장 '웹검색'",
    "rag14_bounded_search": "'RAG 14. 에이전틱 검색 입문'",
    "rag11_product_search": "'RAG 11. 상품 검색: 가격·재고·규격은 점수보다 먼저 거른다'",
    "self_correction": "'문맥 추출과 자기교정 루프의 실제'",
    "agentic_rag": "'Agentic RAG란?'",
}
"""Each chapter, and the lesson it says that it serves."""

WITH_LOOP = [
    "ch04_loop",
    "ch04_web_agent",
    "rag14_bounded_search",
    "self_correction",
    "agentic_rag",
]
"""The chapters that run it; the one on products only with a question."""

Python = Callable[..., subprocess.CompletedProcess[str]]
Chapter = Callable[..., str]


@pytest.fixture
def edited_loop(tmp_path: Path) -> Path:
    """loop.py in a copy of the project that chapters import from when it is on their path."""
    for folder in ("agent", "tools"):
        ignored = shutil.ignore_patterns("__pycache__", "lessons", "corpora")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    (tmp_path / "tools/corpora").symlink_to(ROOT / "tools/corpora")
    return tmp_path / "agent/loop.py"


@pytest.fixture
def chapter(python: Python, tmp_path: Path) -> Chapter:
    """What a chapter prints; the source of the loop, and times, left out."""

    def run(name: str, *arguments: str, code: int = 0, **environ: str) -> str:
        done = python(str(ROOT / f"code/{name}.py"), *arguments, cwd=tmp_path, **environ)
        assert (done.stderr, done.returncode) == ("", code)
        printed = done.stdout.removeprefix(LOOP)
        return re.sub(r"(?<=조회 )\d{4}-[\d:T+-]+", "TIME", printed).replace("2026-1 ...", "...")

    return run


def test_every_chapter_is_here() -> None:
    assert {path.stem for path in (ROOT / "code").glob("*.py")} - {"break_a_line"} == {*CHAPTERS}


@pytest.mark.parametrize(("name", "lesson"), CHAPTERS.items())
def test_a_chapter_names_the_lesson_it_serves(name: str, lesson: str) -> None:
    source = (ROOT / f"code/{name}.py").read_text(encoding="utf-8")
    told = ast.get_docstring(ast.parse(source))
    assert told is not None and "강의" in told and lesson in told


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_prints(chapter: Chapter, name: str, language: str) -> None:
    expected = (PRINTED / f"{name}.{language}.txt").read_text(encoding="utf-8")
    assert chapter(name, "--lang", language) == expected


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_help_is_in_the_language(chapter: Chapter, name: str) -> None:
    english = chapter(name, "--help", BARELOOP_LANG="en")
    assert not re.search("[가-힣]", english)
    korean = chapter(name, "--help")
    assert re.search("[가-힣]", korean) and "--lang" in korean


def test_korean_goes_first_whatever_the_locale_says(chapter: Chapter) -> None:
    asked = chapter("rag14_bounded_search", LANG="en_US.UTF-8")
    assert asked.startswith("계획 방식") and asked == chapter("rag14_bounded_search")
    assert chapter("rag14_bounded_search", BARELOOP_LANG="en").startswith("plan:")
    assert chapter("rag14_bounded_search", "--lang", "ko", BARELOOP_LANG="en") == asked


@pytest.mark.parametrize("name", [*[*CHAPTERS][:4], "agentic_rag"])
@pytest.mark.parametrize(("language", "part"), [("ko", "키가 있어야"), ("en", "needs a key")])
def test_no_key_is_one_sentence(python: Python, name: str, language: str, part: str) -> None:
    script = str(ROOT / f"code/{name}.py")
    done = python(script, "--model", "gemini", "--lang", language)
    assert (done.returncode, done.stdout.removeprefix(LOOP)) == (2, "")
    assert part in done.stderr and len(done.stderr.splitlines()) == 1


def test_the_page_for_teachers_has_every_chapter_and_every_exercise() -> None:
    page = (ROOT / "code/README.md").read_text(encoding="utf-8")
    assert all(f"`{name}.py`" in page for name in CHAPTERS)
    rows = re.findall(r"^\| (\d+) ?([①-⑧]?) \|", page.partition("get wrong")[2], re.M)
    assert rows == [(str(each.number), each.mark) for each in exercises()]


# The loop


def test_the_loop_that_is_shown_is_the_file_that_runs(python: Python) -> None:
    script = str(ROOT / "code/ch04_loop.py")
    assert python(script, "--source").stdout == LOOP
    assert python(script).stdout.startswith(LOOP)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_reader_who_saw_enough_is_no_fault(tmp_path: Path, name: str) -> None:
    """The pipe is closed before the chapter writes, or nothing more goes on the disk."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, str(ROOT / f"code/{name}.py")],
        stdout=writer, stderr=subprocess.PIPE, encoding="utf-8", cwd=tmp_path, check=False,
    )  # fmt: skip
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
    for language, told in (("ko", "결과를 쓰거나"), ("en", "Something could not be")):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [sys.executable, str(ROOT / f"code/{name}.py"), "--lang", language],
                stdout=full, stderr=subprocess.PIPE, encoding="utf-8", cwd=tmp_path, check=False,
            )  # fmt: skip
        assert done.returncode == 1
        assert done.stderr.startswith(told) and done.stderr.count("\n") == 1


def test_one_step_ends_at_the_cap(chapter: Chapter) -> None:
    printed = chapter("ch04_loop", "--max-steps", "1")
    assert re.findall(r"^ +\d+ (\S)", printed, re.M) == [*"①②③④⑤⑥⑦②⑧"]
    assert printed.endswith(
        '⑧ return run.finish(stopped("max_steps"))\n        history 3 -> 4차례\n'
        "끝난 이유: max_steps\n(최대 단계에 도달해 중단했습니다)\n"
    )


def test_every_request_gets_all_that_was_recorded(chapter: Chapter) -> None:
    printed = chapter("ch04_loop", "--lang", "en")
    requests = re.findall(r"model gets: (\d) turns?\n((?: {8}\{.*\n)+)", printed)
    assert [(int(turns), lines.count("\n")) for turns, lines in requests] == [
        (1, 1),
        (3, 3),
        (5, 5),
    ]
    for (_, before), (_, after) in itertools.pairwise(requests):
        assert after.startswith(before)


BROKEN = [
    *[(name, "calls:", "calls", "31, SyntaxError: expected ':'") for name in WITH_LOOP],
    ("ch04_loop", "steps + 1", "steps + one", "27, NameError: name 'one' is not defined"),
    ("ch04_loop", "not reply.calls", "1 // 0", "31, ZeroDivisionError: "),
    ("ch04_loop", "Ask ``model", "\udcff", ""),
]


@pytest.mark.parametrize(("name", "old", "new", "told"), BROKEN)
def test_a_loop_that_somebody_broke_is_told_in_a_sentence(
    python: Python, edited_loop: Path, name: str, old: str, new: str, told: str
) -> None:
    assert LOOP.count(old) == 1
    edited_loop.write_bytes(LOOP.replace(old, new).encode("utf-8", "surrogateescape"))
    done = python(str(ROOT / f"code/{name}.py"), PYTHONPATH=str(edited_loop.parents[1]))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("원본 agent/loop.py가 바뀌어 파이썬이 돌리지 못합니다")
    assert f"(agent/loop.py:{told}" in done.stderr and "git checkout" in done.stderr


def test_a_terminal_waits_at_every_step() -> None:
    environ = {"HTTPS_PROXY": "http://127.0.0.1:9"}
    script = [str(ROOT / "code/ch04_loop.py")]
    terminal = PtyTerminal([], environ, columns=400, lines=120, program=script)
    prompt = "Enter를 누르면 다음 단계"
    try:
        for steps in (1, 2):
            until(terminal, lambda: terminal.screen().count(prompt) == steps)  # noqa: B023
            assert terminal.screen().count("③ reply = ") == steps
            terminal.send(ENTER)
        assert ended(terminal) == 0
        assert terminal.screen().count("③ reply = ") == 3 and "answered" in terminal.screen()
    finally:
        terminal.close()


# With Gemini: the same scripts, another model


@contextmanager
def gemini(*responses: dict[str, Any]) -> Iterator[tuple[OfflineServer, dict[str, str]]]:
    with serve(responder=ScriptedGemini({"responses": [*responses]})) as server:
        yield server, {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": server.url}


def test_one_call_with_gemini(chapter: Chapter) -> None:
    with gemini({"text": "모릅니다."}) as (_, environ):
        printed = chapter("ch02_one_call", **environ)
    assert printed.startswith("요청: gemini-3.8-flash에 보내는 것\n")
    assert '"text": "모릅니다."' in printed and "읽은 것: answer (finishReason STOP)\n" in printed


def test_one_call_that_is_refused_says_why(chapter: Chapter) -> None:
    with gemini({"status": 400}) as (_, environ):
        printed = chapter("ch02_one_call", "--lang", "en", code=1, **environ)
    assert "The reply: as it came" not in printed and "(HTTP 400)" in printed.splitlines()[-1]


def test_several_calls_of_gemini_are_answered_by_hand_in_one_turn(chapter: Chapter) -> None:
    calls = [
        {"name": "get_product_info", "args": {"name": "고요 미니"}},
        {"name": "get_product_info", "args": {"name": "없는 것"}},
    ]
    with gemini({"calls": calls}, {"text": "59000원입니다."}) as (_, environ):
        printed = chapter("ch03_one_tool", **environ)
    ours = printed.partition("우리 코드가")[2].partition("요청 2")[0]
    assert ours.count('"functionResponse"') == 2 == ours.count('"id": "')
    assert '"output": "고요 미니: 59000원, 재고 0개, usb-c"' in ours and '"error": ' in ours
    assert printed.endswith("대답 2: 부를 도구가 없으니 답입니다.\n59000원입니다.\n")


def test_an_answer_without_a_call_is_told(chapter: Chapter) -> None:
    with gemini({"text": "79000원일걸요."}) as (_, environ):
        printed = chapter("ch03_one_tool", **environ)
    assert printed.endswith("모델이 도구를 부르지 않고 답했습니다.\n79000원일걸요.\n")
    assert "functionResponse" not in printed


def test_the_loop_with_gemini_shows_both_calls_of_a_step(chapter: Chapter) -> None:
    calls = [{"name": "get_product_info", "args": {"name": each}} for each in ("P1", "P2")]
    with gemini({"calls": calls}, {"text": "고요 키보드가 쌉니다. [P1]"}) as (_, environ):
        printed = chapter("ch04_loop", **environ)
    assert "get_product_info({'name': 'P1'}), get_product_info({'name': 'P2'})\n" in printed
    assert "결과 2개\n" in printed and "history 2 -> 3차례\n" in printed
    assert printed.endswith("끝난 이유: answered\n고요 키보드가 쌉니다. [P1]\n")


def test_agentic_rag_with_gemini(chapter: Chapter) -> None:
    one = {"calls": [{"name": "search_documents", "args": {"query": "프로젝트 X 서버"}}]}
    told = {"text": "모릅니다. [project-x]", "when": {"mode": "NONE"}}  # after one search
    searches = [
        ("find_project", "프로젝트 X 서버 담당 팀"),
        ("find_spec", "srv-prod-17"),
    ]
    found = [{"calls": [{"name": name, "args": {"query": query}}]} for name, query in searches]
    question = "프로젝트 X 서버 사양"
    with gemini(one, told, *found, {"text": "32 cores [assets/srv-prod-17]"}) as (_, environ):
        printed = chapter("agentic_rag", "--answers", question, **environ)
    assert "필요한 근거: project 있음, spec 없음; 그 밖의 글 3개\n" in printed
    assert "필요한 근거: project 있음, spec 있음; 그 밖의 글 0개\n" in printed
    assert printed.endswith("32 cores [assets/srv-prod-17]\n")


def test_what_the_loop_does_not_find_is_no_evidence_of_either(chapter: Chapter) -> None:
    question = "프로젝트 Q 서버 사양"
    printed = chapter("agentic_rag", question)
    assert printed.count("project 없음, spec 없음") == 2 and "상태 incomplete" in printed
    assert printed.endswith("  관련 근거를 찾지 못했습니다. 부족한 근거: project, spec.\n")


def test_a_question_without_a_plan_needs_nothing_and_is_told(chapter: Chapter) -> None:
    printed = chapter("agentic_rag", "점심 메뉴", "--lang", "en")
    assert printed.count("needed evidence: -; ") == 2 and "status unsupported" in printed
    assert "status unsupported" not in printed.splitlines()[-1]
