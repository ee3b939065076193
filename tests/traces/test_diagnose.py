"""Which layer a run went wrong in, and whether its evidence was found: one case for each verdict,
and beside it the nearest case that is none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from agent.ask import Source
from agent.limits import Limits
from agent.messages import Reply, Usage
from agent.offline.model import OfflineModel
from tests.replies import Replies, call, turn
from tests.traces import recorded
from tests.traces.recorded import QUESTION, billing, office, record
from tools.corpus import INSTALLED, read_corpus
from tools.search_web import WebSearch
from tools.web.backend import SearchHit

Diagnose = Callable[..., str]

STEPS = turn(call("find_steps", query="invoice export"))
NONE = turn(call("find_permission", query="authorization"))
PERMISSION = turn(call("find_permission", query="billing permission"))
CITED = turn("Open Billing [steps-1]; the role is billing_admin [permission-1].")

LAPTOP = "노트북을 잃어버리면 어디에 알리나요?"
LOST = turn(call("search_documents", query="노트북을 잃어버리면"))
WRONG_NAME = turn(call("search_documents", words="노트북"))
SAID = turn("내선 119번입니다 [보안.txt:2].")
UNCITED = turn("내선 119번입니다.")
MADE_UP = turn("내선 777번입니다 [보안.txt:2].")

BOTH = "연차 일수와 식비 한도를 알려줘"
PLAN = turn(call("plan_evidence", requirements="연차\n식비"))
LEAVE = turn(call("search_documents", query="연차"))
MEALS = turn(call("search_documents", query="식비"))
JUDGE = turn(call("check_sufficiency"))
BOTH_SAID = turn("연차는 15일 [휴가.md:5], 식비는 하루 40,000원 [출장비.md:5].")


@pytest.fixture
def trace(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Diagnose:
    return recorded.bareloop(capsys, monkeypatch)


@pytest.fixture
def korean(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Diagnose:
    return recorded.bareloop(capsys, monkeypatch, "ko")


# the whole text, one for each layer


def test_an_executor_that_cut_it_off(trace: Diagnose, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), STEPS, NONE, limits=Limits(max_searches=2))
    assert (
        trace("diagnose", file)
        == """\
invoice export steps and permission
layer: executor
  It worked as it should and was cut off by a cap (max_searches); change the cap, or what happens \
at it.
  line 13: search find_permission(authorization) -> none; missing: permission
  line 16: stopped
  line 18: end: incomplete, max_searches
evidence: never retrieved
  No search brought the evidence for: permission
  line 13: search find_permission(authorization) -> none; missing: permission
"""
    )


def test_an_executor_in_korean(korean: Diagnose, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), LOST, limits=Limits(max_steps=1), language="ko")
    assert (
        korean("diagnose", file)
        == """\
노트북을 잃어버리면 어디에 알리나요?
층: 실행기
  제대로 진행하다가 상한(max_steps)에서 끊겼습니다. 상한이나, 끊겼을 때의 처리를 고치세요.
  8번째 줄: 검색 search_documents(노트북을 잃어버리면) -> 보안.txt:2
  11번째 줄: 멈춤
  13번째 줄: 끝: incomplete, max_steps
근거: 찾았지만 쓰이지 않음
  검색에는 나왔는데 그것으로 보여 줄 답이 나오지 않았습니다.
  8번째 줄: 검색 search_documents(노트북을 잃어버리면) -> 보안.txt:2
  11번째 줄: 멈춤
  13번째 줄: 끝: incomplete, max_steps
"""
    )


def test_a_prompt_that_does_not_say_to_judge(korean: Diagnose, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    answers = [PLAN, LEAVE, UNCITED, UNCITED]
    record(file, BOTH, office(), *answers, route="complex", language="ko")
    assert (
        korean("diagnose", file)
        == """\
연차 일수와 식비 한도를 알려줘
층: 프롬프트
  검색한 뒤에 판정 도구(check_sufficiency)를 부른 기록이 없습니다. 언제 판정할지를 프롬프트에 \
적으세요.
  5번째 줄: 요청 1: ANY, 대화 1개, 도구: search_documents, plan_evidence, check_sufficiency
  14번째 줄: 검색 search_documents(연차) -> 휴가.md:5, 휴가.md:6, 휴가.md:7; 부족: 식비, 식비 한도
  20번째 줄: 응답 3: 답: 내선 119번입니다.
근거: 검색되지 않음
  다음 근거는 찾아보지도 않았습니다: 식비, 식비 한도
  14번째 줄: 검색 search_documents(연차) -> 휴가.md:5, 휴가.md:6, 휴가.md:7; 부족: 식비, 식비 한도
  20번째 줄: 응답 3: 답: 내선 119번입니다.
  22번째 줄: 끝: incomplete, answered
"""
    )


def test_a_tool_whose_verdict_is_not_followed(trace: Diagnose, tmp_path: Path):
    """The same answers, but for the call of the judge."""
    file = tmp_path / "t.jsonl"
    record(file, BOTH, office(), PLAN, LEAVE, JUDGE, UNCITED, UNCITED, route="complex")
    assert (
        trace("diagnose", file)
        == """\
연차 일수와 식비 한도를 알려줘
layer: tool
  A result said that more is needed, and no new search followed; mend the tool's description and \
what it returns.
  line 20: not enough yet: 식비, 식비 한도
  line 26: reply 4: answer: 내선 119번입니다.
evidence: never retrieved
  Nothing was searched for: 식비, 식비 한도
  line 14: search search_documents(연차) -> 휴가.md:5, 휴가.md:6, 휴가.md:7; missing: 식비, \
식비 한도
  line 26: reply 4: answer: 내선 119번입니다.
  line 28: end: incomplete, answered
"""
    )


def test_nothing_is_the_matter(trace: Diagnose, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED)
    assert (
        trace("diagnose", file)
        == """\
invoice export steps and permission
layer: none
  It ended with an answer, and nothing shows that a result was not followed.
  line 23: reply 4: answer: Open Billing [steps-1]; the role is billing_admin [permission-1].
  line 25: end: complete, answered
evidence: retrieved and used
  The answer cites what the searches brought.
  line 7: search find_steps(invoice export) -> steps-1; missing: permission
  line 19: search find_permission(billing permission) -> permission-1
  line 23: reply 4: answer: Open Billing [steps-1]; the role is billing_admin [permission-1].
  line 25: end: complete, answered
"""
    )


# every verdict, and the nearest run that does not get it


class Down:
    """A web that cannot be asked, for as long as ``words`` are in the query."""

    def __init__(self, words: str) -> None:
        self.words = words

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        if self.words in query:
            raise RuntimeError("no answer")
        return [SearchHit("버스 요금", "https://bus.example/kr", "버스 요금은 1,500원입니다.")]


class Lost:
    """A model whose connection is lost."""

    name, remote = "gemini-x", True

    def generate(self, *given: Any, **more: Any) -> Reply:
        return Reply("network", usage=Usage(1), cause="dropped")


class Remote(Replies):
    """A model that is elsewhere: a judge asks it too."""

    remote = True


def law() -> Source:
    return read_corpus(INSTALLED / "law")


def web(words: str) -> Source:
    return WebSearch(Down(words), sleep=lambda seconds: None)


def find(query: str) -> dict[str, Any]:
    return turn(call("search_documents", query=query))


def ride(query: str) -> dict[str, Any]:
    return turn(call("search_web", query=query))


def relevant(question: str) -> dict[str, Any]:
    return turn(call("judge_relevance", question=question, ids="보안.txt:2"))


BUS = "버스 요금은?"
FARE = turn("1,500원입니다 [w1].")

CASES: dict[str, tuple[str, Callable[[], Source], list[Any], dict[str, Any], str, str]] = {
    "no call": (LAPTOP, office, [UNCITED, UNCITED], {}, "prompt: Tools were", "never: Nothing"),
    "one call": (LAPTOP, office, [LOST, SAID], {}, "none: It ended with", "used: The answer"),
    "no citation": (
        LAPTOP, office, [LOST, UNCITED, UNCITED], {}, "prompt: The evidence", "unused: Searches",
    ),
    "cited when sent back": (
        LAPTOP, office, [LOST, UNCITED, SAID], {}, "none: It ended", "used: The answer",
    ),
    "an id that is none": (
        LAPTOP, office, [LOST, turn("119 [x-1]."), turn("119 [x-1].")], {}, "prompt: The evidence",
        "unused: Searches",
    ),
    "judged and searched": (
        BOTH, office, [PLAN, LEAVE, JUDGE, MEALS, JUDGE, BOTH_SAID], {"route": "complex"},
        "none: It ended", "used: The answer",
    ),
    "judged not relevant, and answered all the same": (
        LAPTOP, office, [LOST, relevant("양자역학과 은하"), SAID], {"narrowing": True},
        "tool: A result said", "used: The answer",
    ),
    "a judge that could not say": (
        LAPTOP, office, [Remote(LOST, relevant(LAPTOP), turn("?"), SAID)], {"narrowing": True},
        "none: It ended", "used: The answer",
    ),
    "a judge that was not needed": (
        LAPTOP, office, [LOST, SAID], {"narrowing": True}, "none: It ended", "used: The answer",
    ),
    "wrong arguments once, and then cut off": (
        LAPTOP, office, [WRONG_NAME, LOST], {"limits": Limits(max_steps=2)},
        "executor: It worked", "unused: Searches brought",
    ),
    "judged relevant": (
        LAPTOP, office, [LOST, relevant(LAPTOP), SAID], {"narrowing": True},
        "none: It ended", "used: The answer",
    ),
    "judged only": (
        BOTH, office, [PLAN, LEAVE, JUDGE, JUDGE, JUDGE], {"route": "complex"},
        "tool: A result said", "never: Nothing was searched for",
    ),
    "cut off before it could judge": (
        BOTH, office, [PLAN, LEAVE], {"route": "complex", "limits": Limits(max_steps=2)},
        "executor: It worked", "never: Nothing was searched for",
    ),
    "cut off when it should have judged": (
        BOTH, office, [PLAN, LEAVE, MEALS],
        {"route": "complex", "limits": Limits(max_steps=3)},
        "prompt: After its searches", "unused: Searches",
    ),
    "the same again and again": (
        QUESTION, billing, [STEPS, STEPS, STEPS], {}, "tool: A result said",
        "never: Nothing was searched for: permission",
    ),
    "the same once": (
        QUESTION, billing, [STEPS, STEPS, PERMISSION, CITED], {}, "tool: A result", "used: The",
    ),
    "wrong arguments": (
        LAPTOP, office, [WRONG_NAME, WRONG_NAME], {}, "tool: Calls were wrong", "never: Nothing",
    ),
    "wrong arguments once": (
        LAPTOP, office, [WRONG_NAME, LOST, SAID], {}, "none: It ended", "used: The answer",
    ),
    "a source that is down": (
        BUS, lambda: web("버스"), [ride("버스 요금"), ride("버스 값")], {},
        "tool: A tool never", "unknown: A source could not",
    ),
    "a source that is up": (
        BUS, lambda: web("기차"), [ride("버스 요금"), FARE], {}, "none: It ended", "used: The",
    ),
    "found, and judged not to cover it": (
        "연차 일수와 식비 담당자를 알려줘", office, [OfflineModel()], {},
        "none: It did what", "unknown: Nothing that the searches brought was judged to cover: 식비",
    ),
    "searched for, and not there": (
        "연차 일수와 주차 요금을 알려줘", office, [OfflineModel()], {},
        "none: It did what", "never: No search brought the evidence for: 주차 요금",
    ),
    "a day is needed first": (
        "작년 자전거 보증금 한도는?", law, [OfflineModel()], {"today": lambda: date(2026, 11, 30)},
        "none: It stopped before anything was searched (exhausted)", "never: Nothing was searched.",
    ),
    "nothing there": (
        LAPTOP, office, [find("양자역학"), find("은하")], {}, "none: It did what",
        "never: No search found",
    ),
    "not in its evidence": (
        LAPTOP, office, [LOST, MADE_UP], {}, "none: It ended", "misread: The answer says",
    ),
    "enough searches": (
        QUESTION, billing, [STEPS, NONE, PERMISSION, CITED], {"limits": Limits(max_searches=3)},
        "none: It ended", "used: The answer",
    ),
    "enough steps": (
        LAPTOP, office, [LOST, SAID], {"limits": Limits(max_steps=2)}, "none: It ended",
        "used: The answer",
    ),
    "no connection": (
        QUESTION, billing, [Lost()], {}, "none: It was ended from outside", "unknown: The run did",
    ),
    "no corpus": ("날씨", lambda: None, [SAID], {}, "none: It was ended", "unknown: The run did"),
    "an empty reply": (
        LAPTOP, office, [LOST, turn("")], {}, "none: The model's reply could not",
        "unused: Searches brought",
    ),
}  # fmt: skip
FOUND = {
    "never retrieved": "never",
    "retrieved and used": "used",
    "retrieved but unused": "unused",
    "retrieved but misread": "misread",
    "unknown": "unknown",
}


def verdicts(printed: str) -> tuple[str, str]:
    """The layer and what became of the evidence, each with its sentence."""
    lines = printed.splitlines()
    layer = lines[1].removeprefix("layer: ")
    place = next(n for n, line in enumerate(lines) if line.startswith("evidence: "))
    found = FOUND[lines[place].removeprefix("evidence: ")]
    return f"{layer}: {lines[2].strip()}", f"{found}: {lines[place + 1].strip()}"


@pytest.mark.parametrize("case", CASES)
def test_each_verdict(trace: Diagnose, tmp_path: Path, case: str):
    question, source, answers, options, layer, evidence = CASES[case]
    file = tmp_path / "t.jsonl"
    record(file, question, source(), *answers, **options)
    printed = trace("diagnose", file)
    said = verdicts(printed)
    assert said[0].startswith(layer) and said[1].startswith(evidence), printed
    assert printed.count("\n  line ") >= 2


def test_a_run_that_was_killed(trace: Diagnose, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), LOST, SAID)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
    said = verdicts(trace("diagnose", file))
    assert said[0].startswith("none: The process ended in the middle")
    assert said[1].startswith("unknown: The run did not come")
    named = verdicts(trace("diagnose", file, "--evidence", "보안.txt:2"))
    assert named[1].startswith("unknown: The evidence that was named was found, and there is no")


def test_evidence_that_no_answer_could_cite(trace: Diagnose, korean: Diagnose, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), STEPS, NONE, limits=Limits(max_searches=2))
    told = korean("diagnose", file, "--evidence", "steps-1")
    assert "근거: 찾았지만 쓰이지 않음\n  필요하다고 한 근거는 검색에 나왔고, 인용할 답이" in told
    assert "cite" not in told
    record(file, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED, number=1)
    assert "그 답은" not in korean("diagnose", file, "--evidence", "[steps-1]").split("\n\n")[1]


@pytest.mark.parametrize("given", ["", " ", "[]"])
def test_evidence_without_a_name(trace: Diagnose, tmp_path: Path, given: str):
    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED)
    said = trace("diagnose", file, "--evidence", given, code=2)
    assert said == "--evidence takes the id of a passage, such as steps-1.\n"
    decomposed = normalize("NFD", "보안.txt:2")
    record(file, LAPTOP, office(), LOST, SAID, number=1)
    assert "cites the evidence that was named" in trace("diagnose", file, "--evidence", decomposed)


@pytest.mark.parametrize(
    ("answer", "ids", "found"),
    [
        (SAID, ["보안.txt:2"], "used: The answer cites the evidence that was named."),
        (SAID, ["보안.txt:3"], "never: The evidence that was named is in no search: 보안.txt:3"),
        (SAID, ["보안.txt:2", "보안.txt:3"], "never: The evidence that was named is in no"),
        (MADE_UP, ["보안.txt:2"], "misread: The answer says what its evidence does not: 777"),
    ],
)
def test_evidence_that_somebody_knows(
    trace: Diagnose, tmp_path: Path, answer: Any, ids: list[str], found: str
):
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), LOST, answer)
    given = [each for name in ids for each in ("--evidence", name)]
    assert verdicts(trace("diagnose", file, *given))[1].startswith(found)


def test_evidence_that_was_found_and_not_cited(trace: Diagnose, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, "연차는 며칠인가요?", office(), find("연차"), turn("15일 [휴가.md:5]."))
    said = verdicts(trace("diagnose", file, "--evidence", "휴가.md:7"))
    assert said[1] == (
        "unused: The evidence that was named was found, and the answer does not cite it: 휴가.md:7"
    )
    assert verdicts(trace("diagnose", file, "--evidence", "휴가.md:5"))[1].startswith("used")


def test_a_source_that_was_down_may_have_held_it(trace: Diagnose, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, BUS, web("버스"), ride("버스 요금"), ride("버스 값"))
    said = verdicts(trace("diagnose", file, "--evidence", "w1"))
    assert said[1].startswith("unknown: A source could not be asked")


def test_a_trace_without_a_question_cannot_be_diagnosed(trace: Diagnose, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    file.write_text('{"event": "trace", "version": 2}\n')
    assert "holds no question" in trace("diagnose", file, code=2)
