"""The page of a trace: what is in it, and what it does in a browser."""

from __future__ import annotations

import json
import re
import stat
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from agent.limits import Limits
from tests.replies import call, turn
from tests.traces import recorded
from tests.traces.chromium import PROGRAM, Chromium, chromium
from tests.traces.recorded import QUESTION, billing, office, record
from tests.traces.test_diagnose import CITED, LAPTOP, LOST, NONE, PERMISSION, SAID, STEPS, Lost
from tools.documents import Folder

Write = Callable[..., str]

HOSTILE = (
    "노트북 분실 </pre></script><script>window.owned = 1</script><img src=x onerror='owned = 2'>"
    '<svg onload="owned = 3"><a href="javascript:owned = 4">x</a>'
    "<iframe src='https://example.org'></iframe><style>* { display: none }</style>"
    "<link rel=stylesheet href=https://example.org/x.css> &lt;b&gt; \u202e\u0000]]>"
)


@pytest.fixture
def trace(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Write:
    return recorded.bareloop(capsys, monkeypatch)


@pytest.fixture
def korean(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Write:
    return recorded.bareloop(capsys, monkeypatch, "ko")


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """The same question with two searches, and with three."""
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    record(first, QUESTION, billing(), STEPS, NONE, limits=Limits(max_searches=2))
    record(second, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED)
    return first, second


class Outline(HTMLParser):
    """The elements of a page, with their attributes, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def outline(path: Path) -> Outline:
    return Outline(path.read_text("utf-8"))


# what is in it


def test_it_stands_alone_and_lets_nothing_else_run(trace: Write, two: Any, tmp_path: Path):
    out = tmp_path / "page.html"
    trace("html", *two, "--out", out)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    page = out.read_text("utf-8")
    script, style = (re.search(f"<{tag}>(.*?)</{tag}>", page, re.S) for tag in ("script", "style"))
    assert script and style and page.count("<script") == 1 == page.count("<style")
    policy = next(each for each in outline(out).named("meta") if "http-equiv" in each)
    digests = [b64encode(sha256(each[1].encode()).digest()).decode() for each in (style, script)]
    assert policy["http-equiv"] == "Content-Security-Policy"
    assert policy["content"] == (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )
    for _, attributes in outline(out).elements:
        assert not {"src", "style"} & attributes.keys()
        assert not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")


def test_a_hostile_text_is_text(trace: Write, tmp_path: Path):
    file, out = hostile(tmp_path), tmp_path / "page.html"
    trace("html", file, file, "--out", out)
    page = outline(out)
    assert len(page.named("script")) == 1 and len(page.named("style")) == 1
    assert not page.named("img") and not page.named("iframe") and not page.named("link")
    assert "window.owned = 1" in "".join(page.texts[:-1]).rpartition("use strict")[0]


def hostile(folder: Path) -> Path:
    """A trace in which everything that comes from outside is hostile."""
    documents = folder / "docs"
    documents.mkdir()
    (documents / "<b>x.txt").write_text(HOSTILE.replace("\0", "") + "\n", "utf-8")
    file = folder / "t.jsonl"
    record(
        file,
        f"노트북 {HOSTILE}",
        Folder(documents),
        turn(call("search_documents", query=f"노트북 분실 {HOSTILE}")),
        turn(call(HOSTILE, words=HOSTILE)),
        turn(f"{HOSTILE} [<b>x.txt:1]"),
        turn(f"{HOSTILE} [<b>x.txt:1]"),
    )
    return file


def test_the_differences_of_two_runs(korean: Write, two: Any, tmp_path: Path):
    out = tmp_path / "page.html"
    korean("html", *two, "--out", out)
    page = outline(out)
    rows = [str(each["class"]) for each in page.named("div") if "row" in str(each.get("class"))]
    assert rows == ["row same", "row same", "row changed", "row only_second"]
    text = " ".join(page.texts)
    assert "3번째 줄에서 처음 갈라집니다." in text and "여기서 처음 갈라짐" in text
    cells = re.findall(r"<tr[^>]*>(.*?)</tr>", out.read_text("utf-8"))
    assert [re.findall(r"<t[dh]>(.*?)</t[dh]>", row) for row in cells] == [
        ["", "A first.jsonl", "B second.jsonl"],
        ["상태", "incomplete", "complete"],
        ["끝난 이유", "max_searches", "answered"],
        ["단계", "2", "4"],
        ["검색", "2", "3"],
        ["근거", "steps-1", "steps-1, permission-1"],
        ["토큰", "24", "48"],
    ]


def test_the_same_run_has_no_differences(trace: Write, two: Any, tmp_path: Path):
    out = tmp_path / "page.html"
    again = tmp_path / "again.jsonl"
    record(again, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED, number=3)
    trace("html", two[1], again, "--out", out)
    assert "Both runs did the same at every step." in out.read_text("utf-8")
    assert "changed" not in out.read_text("utf-8").split("<main>")[1].split("<script>")[0]


@pytest.mark.parametrize(
    ("answers", "kinds"),
    [
        # another query with the same result, another result, another answer
        ([turn(call("find_steps", query="INVOICE  export")), NONE, PERMISSION, CITED], "changed"),
        ([STEPS, NONE, PERMISSION, turn("[steps-1] [permission-1]")], "same same same changed"),
        ([NONE, STEPS, PERMISSION, CITED], ""),
        ([STEPS, NONE, PERMISSION, CITED], "same same same same"),
    ],
)
def test_what_is_a_difference(
    trace: Write, two: Any, tmp_path: Path, answers: list[Any], kinds: str
):
    other, out = tmp_path / "other.jsonl", tmp_path / "page.html"
    record(other, QUESTION, billing(), *answers)
    trace("html", two[1], other, "--out", out)
    classes = [str(each.get("class")) for each in outline(out).named("div")]
    rows = [each.removeprefix("row ") for each in classes if each.startswith("row ")]
    assert " ".join(rows).startswith(kinds)
    assert (rows == ["same"] * 4) == (kinds == "same same same same")


def test_another_verdict_is_a_difference(trace: Write, tmp_path: Path):
    files = []
    for number, text in enumerate(["노트북은 보안팀에 알립니다.", "노트북은 회색입니다."]):
        documents = tmp_path / str(number)
        documents.mkdir()
        (documents / "a.txt").write_text(f"{text}\n", "utf-8")
        judged = turn(call("judge_relevance", question="보안팀에 알립니다", ids="a.txt:1"))
        answers = [turn(call("search_documents", query="노트북")), judged, turn("예 [a.txt:1].")]
        files.append(tmp_path / f"{number}.jsonl")
        record(files[-1], "노트북?", Folder(documents), *answers, narrowing=True)
    out = tmp_path / "page.html"
    trace("html", *files, "--out", out)
    classes = [str(each.get("class")) for each in outline(out).named("div")]
    rows = [each for each in classes if each.startswith("row ")]
    assert rows == ["row same", "row changed", "row same"]


def test_a_question_that_only_one_trace_has(trace: Write, two: Any, tmp_path: Path):
    out = tmp_path / "page.html"
    record(two[0], QUESTION, billing(), STEPS, NONE, PERMISSION, CITED, number=4)
    trace("html", *two, "--out", out)
    assert "This question is only in A first.jsonl." in out.read_text("utf-8")
    trace("html", two[1], two[0], "--out", out)
    assert "This question is only in B first.jsonl." in out.read_text("utf-8")


def test_a_trace_that_ended_anywhere_has_a_page(trace: Write, two: Any, tmp_path: Path):
    out = tmp_path / "page.html"
    whole = two[1].read_bytes()
    for place in (0, 20, 40):
        two[1].write_bytes(whole[:place])
        assert "holds no question" in trace("html", two[1], "--out", out, code=2)
        assert "holds no question" in trace("html", *two, "--out", out, code=2)
    assert not out.exists()
    for place in (len(whole) // 2, len(whole) - 3):
        two[1].write_bytes(whole[:place])
        trace("html", two[1], "--out", out)
        assert out.read_text("utf-8").endswith("</html>\n")
        trace("html", *two, "--out", out)
    assert "The run did not end" in out.read_text("utf-8")
    assert "lines 25" in out.read_text("utf-8")


def test_a_page_that_cannot_be_written(trace: Write, two: Any, tmp_path: Path):
    said = trace("html", two[0], "--out", tmp_path, code=2)
    assert "cannot be written (Is a directory); name another file." in said


# what it does


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    if PROGRAM is None:
        pytest.skip("no Chromium is installed (on Debian: apt install chromium)")
    with chromium(tmp_path_factory.mktemp("chromium")) as started:
        yield started


STEP = """(() => {
  const view = [...document.querySelectorAll("section.view")].filter((each) => !each.hidden);
  const shown = (what) => [...view[0].querySelectorAll(what)].filter((each) => !each.hidden);
  return {
    views: view.map((each) => each.id),
    steps: shown("article.step").map((each) => each.id),
    turns: shown("ol.turns > li").length,
    fresh: shown("ol.turns > li.new").length,
    button: shown("ol.timeline button").findIndex((each) => each.ariaCurrent === "true"),
  };
})()"""


def test_steps_and_views_by_key_and_by_mouse(
    trace: Write, browser: Chromium, two: Any, tmp_path: Path
):
    out = tmp_path / "page.html"
    trace("html", *two, "--out", out)
    browser.resize(1000)
    browser.open(out)
    assert browser.value(STEP)["views"] == ["diff"]
    browser.press("]")
    browser.press("]")
    first = {"views": ["b1"], "steps": ["b1-s1"], "turns": 1, "fresh": 1, "button": 0}
    assert browser.value(STEP) == first
    # each request sees two contents more: the call, and what was answered
    for key, step, turns in (("ArrowRight", 2, 3), ("j", 3, 5), ("l", 4, 7), ("j", 4, 7)):
        browser.press(key)
        seen = browser.value(STEP)
        assert (seen["steps"], seen["turns"], seen["fresh"]) == ([f"b1-s{step}"], turns, 2)
        assert seen["button"] == step - 1
    for key, step in (("ArrowLeft", 3), ("k", 2), ("h", 1), ("k", 1)):
        browser.press(key)
        assert browser.value(STEP)["steps"] == [f"b1-s{step}"]
    browser.click("#b1 ol.timeline li:nth-child(3) button")
    assert browser.value(STEP)["steps"] == ["b1-s3"]
    browser.press("d")
    assert browser.value(STEP)["views"] == ["diff"]
    browser.click("nav a:nth-child(2)")
    assert browser.value(STEP)["views"] == ["a1"] and browser.value(STEP)["steps"] == ["a1-s1"]
    browser.press("[")
    browser.press("[")
    assert browser.value(STEP)["views"] == ["diff"]
    # from a passage to the step that found it, and from an answer to the passage
    browser.open(out, "#b1-s3")
    assert browser.value(STEP)["steps"] == ["b1-s3"]
    browser.click("#b1 ul.evidence li:first-child a")
    browser.wait("!document.getElementById('b1-s1').hidden")
    assert browser.value(STEP)["steps"] == ["b1-s1"]
    browser.click("#b1 > pre a")
    browser.wait("location.hash === '#b1-e1'")
    assert browser.value("document.querySelector(':target').textContent").startswith("[steps-1]")
    assert browser.said == [] and browser.asked == [out.as_uri()]


def test_a_hostile_text_runs_nothing(trace: Write, browser: Chromium, tmp_path: Path):
    file, out = hostile(tmp_path), tmp_path / "page.html"
    trace("html", file, file, "--out", out)
    for width in (1000, 390):
        browser.resize(width)
        browser.open(out)
        for key in "]j]jdt":
            browser.press(key)
        assert browser.value("typeof window.owned") == "undefined"
        assert browser.value("document.body.innerText.includes('window.owned = 1')")
        assert browser.value("document.scripts.length") == 1
        assert browser.said == [] and browser.asked == [out.as_uri()]
        assert browser.value(OVERFLOW) == 0


def test_the_policy_of_the_page_holds_back_what_is_put_into_it(
    trace: Write, browser: Chromium, two: Any, tmp_path: Path
):
    out = tmp_path / "page.html"
    trace("html", two[0], "--out", out)
    put = "<script>owned = 1</script><img src='https://127.0.0.1:9/x.png'><p style='color: red'>"
    out.write_text(out.read_text("utf-8").replace("<main>", f"<main>{put}"), "utf-8")
    browser.open(out)
    assert browser.value("typeof window.owned") == "undefined"
    # the inline script, the picture and the style are each refused, and none is asked for
    assert len([each for each in browser.said if "Content Security Policy" in each]) == 3
    assert [each for each in browser.asked if each.startswith("http")] == []


OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_overflows_a_narrow_screen(
    korean: Write, browser: Chromium, tmp_path: Path, width: int
):
    file, out = tmp_path / ("긴이름" * 12 + ".jsonl"), tmp_path / "page.html"
    long = "가나다라" * 60 + "x" * 300
    said = turn(f"내선 119번 {long} [보안.txt:2].")
    record(file, f"{LAPTOP} {long}", office(), LOST, said, route="simple")
    record(file, QUESTION, billing(), STEPS, turn(call(long, a=long)), CITED, PERMISSION, CITED)
    korean("html", file, file, "--out", out)
    browser.resize(width)
    browser.open(out)
    for key in "d]]]]":
        browser.press(key)
        for _ in range(4):
            assert browser.value(OVERFLOW) == 0, browser.value(STEP)
            browser.press("j")
    browser.value("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert browser.value(OVERFLOW) == 0
    assert browser.said == []


CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const light = (colour) => {
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return light(colour);
    }
  };
  const ratios = [...document.querySelectorAll("body *")]
    .filter((each) => each.offsetParent && each.innerText && !each.closest("svg"))
    .map((each) => {
      const [a, b] = [light(getComputedStyle(each).color), behind(each)].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    });
  return {paper: light(getComputedStyle(document.body).backgroundColor),
          least: Math.min(...ratios), count: ratios.length};
})()"""
"""The least contrast of any text on its ground, as WCAG 2 measures it."""


def test_both_themes_can_be_read(trace: Write, browser: Chromium, two: Any, tmp_path: Path):
    out = tmp_path / "page.html"
    trace("html", *two, "--out", out)
    browser.resize(1000)
    papers = []
    for scheme in ("light", "dark"):
        browser.prefer(scheme)
        browser.open(out)
        for key in ("d", "]", "]"):
            measured = browser.value(CONTRAST)
            assert measured["least"] >= 4.5 and measured["count"] > 10, (scheme, measured)
            browser.press(key)
        papers.append(measured["paper"])
        browser.press("t")
        papers.append(browser.value(CONTRAST)["paper"])
        browser.click("button.theme")
        assert browser.value(CONTRAST)["paper"] == papers[-2]
    light, turned_dark, dark, turned_light = papers
    assert light == turned_light > 0.9 and dark == turned_dark < 0.1


def test_everything_is_there_without_the_script(
    trace: Write, browser: Chromium, two: Any, tmp_path: Path
):
    out = tmp_path / "page.html"
    trace("html", *two, "--out", out)
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(out)
        assert browser.value("document.querySelectorAll('[hidden]').length") == 0
        assert browser.value("document.querySelectorAll('article.step').length") == 7
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_times_and_tokens_are_drawn(korean: Write, browser: Chromium, tmp_path: Path):
    out = tmp_path / "page.html"
    korean("html", recorded.ROOT / "tests/data/traces/two_searches.jsonl", "--out", out)
    browser.resize(1000)
    browser.open(out)
    heights = browser.value(
        "[...document.querySelectorAll('svg.tokens rect')].map((each) => Number("
        "each.querySelector('title').textContent) / each.height.baseVal.value)"
    )
    assert len(heights) == 4 and max(heights) - min(heights) < 0.35
    bars = browser.value(
        "[...document.querySelectorAll('ol.timeline rect')].map((each) => [each.className.baseVal,"
        " each.x.baseVal.value, each.width.baseVal.value])"
    )
    scale = 1000 / 1.43  # from the first request, at 0.2 s, to the end, at 1.63 s
    assert bars == [
        ["model", 0, pytest.approx(0.25 * scale, abs=0.1)],
        ["tool", pytest.approx(0.28 * scale, abs=0.1), pytest.approx(0.0099 * scale, abs=0.1)],
        ["model", pytest.approx(0.35 * scale, abs=0.1), pytest.approx(scale, abs=0.1)],
        ["tool", pytest.approx(1.37 * scale, abs=0.1), pytest.approx(0.01 * scale, abs=0.1)],
    ]
    assert browser.value("document.documentElement.lang") == "ko"
    assert "이 단계에서 Gemini가 본 대화" in browser.value("document.body.innerText")


def test_what_gemini_saw_is_there_word_for_word(trace: Write, browser: Chromium, tmp_path: Path):
    file, out = tmp_path / "t.jsonl", tmp_path / "page.html"
    first = record(file, LAPTOP, office(), LOST, SAID)
    run = record(file, QUESTION, billing(), STEPS, PERMISSION, CITED, previous=first, number=1)
    trace("html", file, "--out", out)
    browser.open(out, "#a2-s3")
    shown = browser.value(STEP)
    assert (shown["steps"], shown["turns"]) == (["a2-s3"], len(run.contents) - 1 - 0)
    told = browser.value(
        "[...document.querySelectorAll('#a2 ol.turns > li')].map((each) => each.innerText)"
    )
    assert "an earlier question" in told[0] and LAPTOP in told[0]
    response = run.contents[6]["parts"][0]["functionResponse"]["response"]
    assert json.dumps(response, ensure_ascii=False, indent=1) in told[6]


def test_the_sides_of_a_comparison_can_be_told_apart_on_a_telephone(
    korean: Write, browser: Chromium, two: Any, tmp_path: Path
):
    out = tmp_path / "page.html"
    korean("html", *two, "--out", out)
    browser.resize(390)
    browser.open(out)
    sides = browser.value(
        "[...document.querySelectorAll('.row .side')].map((each) => [each.firstChild.innerText,"
        " getComputedStyle(each).borderLeftColor])"
    )
    assert [name for name, _ in sides] == ["A", "B", "A", "B", "A", "B", "B"]
    assert len({tuple(each) for each in sides}) == 2 == len({colour for _, colour in sides})
    lines = browser.value(
        "[...document.querySelectorAll('tr th:first-child')].filter((each) => each.innerText)"
        ".map((each) => { const range = document.createRange(); range.selectNodeContents(each);"
        " return range.getClientRects().length; })"
    )
    assert lines == [1] * 6
    assert browser.value("document.documentElement.scrollWidth") == 390
    browser.resize(1000)


def test_a_fragment_that_is_none_breaks_nothing(
    trace: Write, browser: Chromium, two: Any, tmp_path: Path
):
    out = tmp_path / "page.html"
    trace("html", *two, "--out", out)
    for fragment in ("#%", "#%E0%A4", "#nowhere"):
        browser.open(out, fragment)
        assert browser.said == [] and browser.value(STEP)["views"] == ["diff"], fragment
    browser.open(out, "#b1-s2")
    assert browser.value(STEP)["steps"] == ["b1-s2"]


def test_a_wait_is_drawn(trace: Write, browser: Chromium, tmp_path: Path):
    file, out = tmp_path / "t.jsonl", tmp_path / "page.html"
    record(file, QUESTION, billing(), Lost())
    trace("html", file, "--out", out)
    browser.open(out)
    assert browser.said == []
    assert "network" in browser.value("document.body.innerText")
