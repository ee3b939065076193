"""The chapter on the web agent prints the course's lines, from any folder, and edits of a student
do what the chapter says."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent.limits import DEFAULT_LIMITS
from agent.offline.scripted import ScriptedGemini
from agent.offline.server import serve
from tests.tools.tls_site import (
    Page,
    Site,
    certificates,
    no_results_page,
    open_site,
    results_page,
    row,
)

ROOT = Path(__file__).parent.parent
CHAPTER = ROOT / "code/ch04_web_agent.py"

OFFLINE = "오프라인 모델(LLM 없음)입니다.\n"
MARKET = "저소음 키보드 시장 동향은?"
KEYBOARD = "고요 키보드 | 79000원 | 재고 4 | usb-c | 820g | 저소음 키보드 사무실 유선 (조회 TIME)"
NEWS = results_page(
    row("키보드 시장", "https://news.example/1?utm_source=x", "저소음 제품이 늘었다. " + 60 * "가"),
    row("다른 소식", "https://news.example/2", "무접점이 인기다."),
)
LONG = "키보드 시장: 저소음 제품이 늘었다. " + 60 * "가"
LIMITED = "The search service limits requests now. Do not search the web again for this question"

Python = Callable[..., subprocess.CompletedProcess[str]]
Chapter = Callable[..., str]


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A proxy that refuses everything, so that nothing can get out."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{unused.getsockname()[1]}")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificates()[0]))
        monkeypatch.setenv("BARELOOP_SEARCH_TIMEOUT", "0.4")
        yield


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with open_site() as site:
        monkeypatch.delenv("BARELOOP_SEARCH_TIMEOUT")
        for name, value in site.environ.items():
            monkeypatch.setenv(name, value)
        yield site


@pytest.fixture
def chapter(python: Python, tmp_path: Path) -> Chapter:
    """What the chapter prints, from a folder of its own, times and what the offline model says of
    itself left out."""

    def run(*arguments: str, script: Path = CHAPTER) -> str:
        done = python(str(script), *arguments, cwd=tmp_path)
        assert (done.stderr, done.returncode) == ("", 0)
        printed = re.sub(r"(?<=조회 )\d{4}-[\d:T+-]+(?=\))", "TIME", done.stdout)
        return re.sub(r"(?<=오프라인 모델\(LLM 없음\)입니다\.) .*", "", printed)

    return run


def called(step: int, query: str, line: str) -> str:
    return f"  [{step}단계] search_web({{'query': '{query}'}})\n           └ {line[:70]} ...\n"


def final(step: int) -> str:
    return f"  [{step}단계] 도구 호출 없음 → 최종 답변\n"


def test_a_product_by_its_name_is_looked_up_and_the_web_is_left_alone(chapter: Chapter) -> None:
    printed = chapter()
    lines = printed.splitlines(keepends=True)
    assert lines[0] == "  [1단계] get_product_info({'name': '고요 키보드'})\n"
    assert re.fullmatch(
        r" {11}└ \[P1\] 고요 키보드 \| 79000원 \| 재고 4 \| usb-c \| 820g \| "
        r"저소음 키보드 사무실 유선 \(조회 [\d-]+ \.\.\.\n",
        lines[1],
    )
    assert len(lines[1]) == len("           └ ") + 70 + len(" ...\n")
    assert "".join(lines[2:]) == f"{final(2)}{OFFLINE}{KEYBOARD} [P1]\n"


def test_a_question_about_the_market_is_searched_on_the_web(chapter: Chapter, site: Site) -> None:
    site.play(Page(NEWS))
    assert chapter(MARKET) == (
        f"{called(1, MARKET, '[w1] ' + LONG)}{final(2)}"
        f"{OFFLINE}{LONG} [w1]\n다른 소식: 무접점이 인기다. [w2]\n"
        "[w1] https://news.example/1\n[w2] https://news.example/2\n"
    )
    assert [request.form["q"] for request in site.requests] == [MARKET]


def test_a_question_about_both_is_asked_of_both(chapter: Chapter, site: Site) -> None:
    site.play(Page(NEWS))
    printed = chapter("고요 키보드는 시장 가격보다 비싸?")
    assert re.findall(r"\[(\d)단계\] (\S+?)[( ]", printed) == [
        ("1", "get_product_info"), ("2", "search_web"), ("3", "도구"),
    ]  # fmt: skip
    assert all(f" [{each}]\n" in printed for each in ("P1", "w1", "w2"))


def test_two_products_are_compared(chapter: Chapter) -> None:
    printed = chapter("고요 키보드와 고요 미니 가운데 뭐가 싸?")
    assert "get_product_info({'name': '고요 미니'})" in printed
    assert "[P1]\n고요 미니 | 59000원 | 재고 0" in printed, "sold out, and still looked up"
    assert "search_web" not in printed


UNREACHED = "The search service could not be asked. Do not search the web again for this question"


def unreached(printed: str) -> str:
    """On a busy machine the short time is over before the refusal is seen."""
    slow = (
        "The search service did not answer in time. Do not search the web again for this question"
    )
    return printed.replace(slow[:70], UNREACHED[:70])


def test_without_a_network_it_says_so_and_goes_on(chapter: Chapter) -> None:
    assert unreached(chapter(MARKET)) == (
        f"{called(1, MARKET, UNREACHED)}{final(2)}"
        "검색할 수 없는 곳이 있어 멈췄습니다(search_web). "
        "자료가 제자리에 있고 닿을 수 있는지 확인하거나 잠시 뒤에 다시 물어 주세요.\n"
    )
    question = "고요 키보드는 시장 가격보다 비싸?"
    printed = unreached(chapter(question))
    assert called(2, question, UNREACHED) in printed
    assert printed.endswith(
        f"{final(3)}{OFFLINE}{KEYBOARD} [P1]\n"
        "검색하지 못한 곳: search_web. 찾은 것은 다른 곳에서 나왔습니다.\n"
    )


@pytest.mark.parametrize(
    ("page", "line", "told"),
    [
        (Page("", 429), LIMITED, "검색할 수 없는 곳이 있어 멈췄습니다(search_web). "),
        (
            Page(no_results_page()),
            "The search service reports no results for this query.",
            "관련 근거를 찾지 못했습니다.",
        ),
    ],
    ids=["rate limited", "nothing"],
)
def test_no_answer_of_the_site_is_told_by_its_kind(
    chapter: Chapter, site: Site, page: Page, line: str, told: str
) -> None:
    site.play(page)
    printed = chapter(MARKET)
    assert printed.startswith(f"{called(1, MARKET, line)}{final(2)}{told}")
    assert len(site.requests) == 1


def test_one_step_is_not_enough_for_an_answer(chapter: Chapter) -> None:
    printed = chapter("--max-steps", "1")
    assert printed.splitlines()[0] == "  [1단계] get_product_info({'name': '고요 키보드'})"
    assert printed.splitlines()[2:] == ["(최대 단계에 도달해 중단했습니다)"]


def test_the_history_grows_by_two_a_step(chapter: Chapter) -> None:
    printed = chapter("--show-history", "고요 키보드와 고요 프로 가운데 뭐가 싸?")
    assert [line for line in printed.splitlines() if "history" in line] == [
        "  [1단계] history 길이: 1", "  [2단계] history 길이: 3", "  [3단계] history 길이: 5",
    ]  # fmt: skip
    assert printed.startswith("  [1단계] history 길이: 1\n  [1단계] get_product_info(")
    assert "history" not in chapter("고요 키보드와 고요 프로 가운데 뭐가 싸?")


def test_the_constant_is_the_project_s_and_a_student_s_edit_counts(
    chapter: Chapter, tmp_path: Path
) -> None:
    source = CHAPTER.read_text(encoding="utf-8")
    assert re.findall(r"^MAX_STEPS = (\d+)$", source, re.M) == [str(DEFAULT_LIMITS.max_steps)]
    edited = tmp_path / "mine.py"
    edited.write_text(source.replace("MAX_STEPS = 8", "MAX_STEPS = 1"), encoding="utf-8")
    assert chapter(script=edited).endswith("...\n(최대 단계에 도달해 중단했습니다)\n")


def test_the_descriptions_decide_what_is_asked(chapter: Chapter, tmp_path: Path) -> None:
    """Without the words for the market, the web is no help for a question about it."""
    question = "고요 키보드는 시장 가격보다 비싸?"
    assert "search_web" in chapter(question)
    source = CHAPTER.read_text(encoding="utf-8")
    edited = tmp_path / "mine.py"
    edited.write_text(re.sub("시장, 뉴스, 평판, 최신 소식처럼", "", source), encoding="utf-8")
    assert "search_web" not in chapter(question, script=edited)


def test_with_gemini_the_calls_of_one_step_are_printed_in_order(
    chapter: Chapter, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.play(Page(NEWS))
    calls = [
        {"name": "search_web", "args": {"query": "키보드 가격대", "max_results": 1}},
        {"name": "get_product_info", "args": {"name": "고요"}},
        {"name": "get_stock", "args": {}},
    ]
    script = {"responses": [{"calls": calls}, {"text": "저소음 제품이 늘었습니다. [w1]"}]}
    monkeypatch.setenv("GEMINI_API_KEY", "x")
    with serve(responder=ScriptedGemini(script)) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        printed = chapter("시장은?")
    assert printed == (
        "  [1단계] search_web({'query': '키보드 가격대', 'max_results': 1})\n"
        f"           └ {f'[w1] {LONG}'[:70]} ...\n"
        "  [1단계] get_product_info({'name': '고요'})\n"
        "           └ No product has exactly this name or id. ...\n"
        "  [1단계] get_stock({})\n"
        "           └ There is no tool named get_stock. ...\n"
        f"{final(2)}저소음 제품이 늘었습니다. [w1]\n[w1] https://news.example/1\n"
    )


@pytest.mark.parametrize("encoding", ["cp949", "ascii"])
def test_a_console_that_lacks_characters_gets_the_lines_too(
    chapter: Chapter, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    printed = chapter()
    assert len(printed.splitlines()) == 5 and "get_product_info({'name'" in printed


@pytest.mark.parametrize(
    ("arguments", "part"),
    [(["--max-steps", "0"], "0보다"), (["--model", "gemini"], "GEMINI_API_KEY"), ([" "], "비어")],
)
def test_a_mistake_is_one_sentence(python: Python, arguments: list[str], part: str) -> None:
    done = python(str(CHAPTER), *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert part in done.stderr and len(done.stderr.splitlines()) == 1
