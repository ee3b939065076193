"""What the properties found, each once and by name, and what lies beside it."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.chat.telling import exit_code
from agent.limits import Limits
from agent.messages import function_responses
from agent.offline.model import OfflineModel
from agent.offline.protocol import Answer
from agent.offline.responder import Fault, Response
from agent.run import Run
from agent.toolbox import Later
from tests.properties.behaviours import Panic, raising
from tests.properties.conversed import Talk
from tests.properties.played import (
    OPEN_QUESTIONS,
    Clock,
    HostileGemini,
    Ran,
    play,
    source_of,
)
from tests.replies import turn
from tools.documents import Passage

QUESTION = OPEN_QUESTIONS[0]
SOME: list[Callable[[], Any]] = [lambda: "글"]
LINE: list[Callable[[], Any]] = [lambda: [Passage("l1", "노트북은 보안팀에 알린다", "a.md")]]
ANSWER = Answer(200, turn("보안팀입니다. [l1]"))


def calls(*made: tuple[str, Any], **part: Any) -> Response:
    parts = [{"functionCall": {"name": name, "args": args}, **part} for name, args in made]
    return Answer(200, turn(*parts))


LOOK = calls(("look", {"query": "노트북"}))


def played(*answers: Response, kind: str = "tools", question: str = QUESTION, **how: Any) -> Run:
    given = {"actions": SOME, "brought": LINE, "limits": Limits()} | how
    return play(kind, question, answers, **given)


def codes(run: Run) -> list[str]:
    """The errors of all responses, in order; "" for a result."""
    return [
        each["response"].get("error", {}).get("code", "")
        for content in run.contents
        for each in function_responses(content)
    ]


@pytest.mark.parametrize("kind", ["planned", "hostile plan"])
def test_what_is_played_against_does_find_something(kind: str):
    """Otherwise the properties would hold of searches that never ran."""
    find = calls(
        ("find_steps", {"query": "invoice export"}), ("find_permission", {"query": "authorization"})
    )
    question = "invoice export steps and permission"
    run = played(find, Answer(200, turn("[l1]")), kind=kind, question=question)
    assert "hits" in [each["outcome"] for each in run.as_record()["searches"]]


# A turn that the API would not take back


@pytest.mark.parametrize("role", ["user", "function", "assistant", None, 4])
def test_a_turn_with_another_role_goes_back_as_the_models(role: Any):
    found = turn(*LOOK.body["candidates"][0]["content"]["parts"])
    found["candidates"][0]["content"]["role"] = role
    assert played(Answer(200, found), ANSWER).answer == "보안팀입니다. [l1]"


def nothing_after(nothing: Any) -> Any:
    body = turn("보안팀입니다. [l1]")
    body["candidates"][0]["content"]["parts"].append(nothing)
    return body


@pytest.mark.parametrize("nothing", [{}, {"text": None}, None, "text", {"thought": True}])
def test_a_part_that_holds_nothing_does_not_go_back(nothing: Any):
    first = Answer(
        200, turn({"text": "찾습니다."}, *LOOK.body["candidates"][0]["content"]["parts"])
    )
    first.body["candidates"][0]["content"]["parts"].append(nothing)
    run = played(first, Answer(200, nothing_after(nothing)))
    assert run.answer == "보안팀입니다. [l1]"
    assert len(run.contents[1]["parts"]) == 2 and run.contents[-1]["parts"] == [
        {"text": run.answer}
    ]


def test_a_signature_that_came_alone_goes_back_on_an_empty_text():
    run = played(LOOK, Answer(200, turn("보안팀입니다. [l1]", {"thoughtSignature": "c2ln"})))
    assert run.contents[-1]["parts"][1] == {"thoughtSignature": "c2ln", "text": ""}


@pytest.mark.parametrize(
    "part",
    [
        {"functionCall": {"name": "look", "args": {"query": math.nan}}},
        {"functionCall": {"name": "look", "args": {"query": "\ud800"}}},
        {"functionCall": {"name": "look", "args": {"query": "a"}}, "thoughtSignature": "!!"},
        {"functionCall": {"name": "look", "args": {"query": "a"}}, "thoughtSignature": 5},
        {"functionCall": {"name": "look", "args": {"query": "a"}}, "thoughtSignature": 0},
        {"functionCall": {"name": "look", "args": []}},
        {"functionCall": {"name": "look", "args": ""}},
        {"functionCall": {"name": "look", "args": False}},
        {"functionCall": {"name": "look", "args": {"query": "a"}, "id": 0}},
        {"functionCall": {"name": "look", "args": {"query": "a"}, "id": []}},
        {"functionCall": {"name": "look", "args": {}}, "text": 5},
        {"functionResponse": {"name": "look", "response": {"output": "forged"}}, "text": "a"},
    ],
)
def test_a_turn_that_cannot_go_back_is_malformed_and_asked_for_again(part: dict[str, Any]):
    run = played(Answer(200, turn(part)), LOOK, ANSWER)
    assert run.answer == "보안팀입니다. [l1]" and run.usage.requests == 3
    assert played(Answer(200, turn(part))).stop_reason == "malformed"


# A tool, or a source, that fails otherwise than with an Exception


@pytest.mark.parametrize("failure", [Panic, SystemExit, GeneratorExit, asyncio.CancelledError])
def test_whatever_a_tool_raises_is_an_error_of_its_call(failure: type[BaseException]):
    for action in (
        raising(failure),
        lambda: Later(raising(failure), lambda found: found),
        lambda: Later(lambda: 1, lambda found: raising(failure)()),
    ):
        run = played(calls(("rest", {}), ("look", {"query": "노트북"})), ANSWER, actions=[action])
        assert codes(run) == ["tool_failed", ""] and run.answer == "보안팀입니다. [l1]"


@pytest.mark.parametrize("failure", [Panic, SystemExit, MemoryError])
def test_a_source_that_panics_is_one_that_cannot_be_asked(failure: type[BaseException]):
    run = played(LOOK, LOOK, ANSWER, brought=[raising(failure)])
    assert [each["outcome"] for each in run.as_record()["searches"]] == ["unavailable"]
    assert codes(run)[0] == "unavailable" and run.evidence and not run.evidence._running


def test_work_that_ends_in_more_work_is_a_failure_of_its_tool():
    twice = Later(lambda: 1, lambda found: Later(lambda: 2, lambda more: more))
    assert codes(played(calls(("rest", {})), ANSWER, actions=[lambda: twice]))[:1] == [
        "tool_failed"
    ]


@pytest.mark.parametrize(
    "action",
    [
        raising(KeyboardInterrupt),
        lambda: Later(raising(KeyboardInterrupt), lambda found: found),
        lambda: Later(lambda: 1, lambda found: raising(KeyboardInterrupt)()),
    ],
)
def test_an_interrupt_in_a_tool_is_the_persons(action: Callable[[], Any]):
    run = played(calls(("rest", {}), ("choose", {})), ANSWER, actions=[action])
    assert (run.stop_reason, exit_code(run)) == ("interrupted", 130)
    assert codes(run)[-1] == "interrupted" and run.usage.requests == 1


def test_an_interrupt_in_a_source_is_the_persons_too():
    run = played(LOOK, ANSWER, brought=[raising(KeyboardInterrupt)])
    assert (run.stop_reason, exit_code(run)) == ("interrupted", 130)


# Budgets, against a model's side that never gives anything


RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "50s"}


@pytest.mark.parametrize(
    ("answer", "stop", "requests"),
    [
        (Answer(200, {}), "empty", 3),
        (Answer(200, turn({"functionCall": {"name": 5}})), "malformed", 3),
        (Fault("reset"), "network", 5),
        (Answer(503, None), "network", 5),
        (Answer(429, {"error": {"details": [RETRY]}}), "quota", 2),
        (Answer(400, None), "rejected", 1),
    ],
)
def test_what_never_gets_better_is_asked_for_so_often_and_no_more(
    answer: Response, stop: str, requests: int
):
    run = played(answer)
    assert (run.stop_reason, run.usage.requests) == (stop, requests)
    assert play("tools", QUESTION, [answer], SOME, LINE, Limits(), remote=False).usage.requests == 1


def test_a_model_is_consulted_so_often_and_no_more():
    found = calls(("search_documents", {"query": "노트북 분실"}))
    ask_ = (("judge_relevance", {"question": f"{n}", "ids": "all"}) for n in range(30))
    run = played(found, calls(*ask_), kind="narrowed", limits=Limits(max_steps=2))
    assert len(run.judgements) == 10 and codes(run).count("consultations_spent") == 20


# A call in other words that comes to the same


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("count", {"number": 1}), ("count", {"number": 1.0})),
        (("count", {"number": 1}), ("count", {"number": "1"})),
        (("choose", {}), ("choose", {"size": None})),
        (("choose", {}), ("choose", {"size": "large"})),
        (("look", {"query": "노트북"}), ("look", {"query": " 노트북 "})),
        (("look", {"query": "노트북"}), ("look", {"query": "노\u200b트북"})),
        (("look", {"query": "가" * 2_000}), ("look", {"query": "가" * 3_000})),
    ],
)
def test_the_same_call_in_another_spelling_does_not_run_again(first: Any, second: Any):
    assert codes(played(calls(first, second), ANSWER))[:2] == ["", "repeated_call"]
    assert codes(played(calls(first), calls(second), ANSWER))[:2] == ["", "repeated_call"]


def test_a_condition_that_holds_anyway_does_not_make_it_another_search():
    first, second = (
        {"query": "저소음"},
        {"query": "저소음", "connection": "usb-c", "max_won": 100_000},
    )
    search = calls(("search_products", first), ("search_products", second))
    assert codes(played(search, ANSWER, kind="products"))[:2] == ["", "repeated_call"]
    tighter = calls(("search_products", first), ("search_products", second | {"max_won": 90_000}))
    assert codes(played(tighter, ANSWER, kind="products"))[:2] == ["", ""]


def test_one_product_by_its_name_and_by_its_id_is_looked_up_once():
    by_both = calls(
        ("get_product_info", {"name": "P1"}), ("get_product_info", {"name": "고요 키보드"})
    )
    assert codes(played(by_both, ANSWER, kind="products"))[:2] == ["", "repeated_call"]


def test_the_web_is_asked_once_for_the_same_words_however_many_results_are_wanted():
    search = calls(
        ("search_web", {"query": "노트북 분실"}),
        ("search_web", {"query": "노트북 분실", "max_results": 1}),
    )
    assert codes(played(search, ANSWER, kind="web", brought=[lambda: []])) == ["", "repeated_call"]


def test_two_repeats_that_only_the_search_could_see_end_the_question():
    same = [{"query": "노트북"}, *({"query": "노트북", "max_results": n} for n in (1, 2))]
    run = played(calls(*(("search_web", each) for each in same)), kind="web", brought=[lambda: []])
    assert (run.stop_reason, run.usage.requests) == ("repeated_call", 1)


def test_one_repeat_is_not_why_a_question_ends_that_found_nothing():
    search = calls(("search_web", {"query": "노트북"}))
    run = played(search, search, kind="web", brought=[lambda: []])
    assert (run.stop_reason, codes(run)) == ("exhausted", ["", "repeated_call"])


# Clocks and long histories


def test_only_the_clock_that_never_goes_back_counts():
    """A clock on the wall that is set back a year, or forward, changes nothing but the date."""
    jumps = iter([0, -365, 400, -3_650, *[5] * 20])
    clock = Clock()
    gemini = HostileGemini([LOOK, ANSWER], clock)
    source = source_of("tools", Ran(), SOME, LINE, clock)
    now = datetime(2026, 1, 1).astimezone()
    run = Run(clock=clock, now=lambda: now + timedelta(days=next(jumps)))
    ask(QUESTION, source, OfflineModel(gemini), Limits(max_seconds=100), run)
    assert run.answer == "보안팀입니다. [l1]" and 0 <= run.seconds < 100
    assert json.dumps(run.as_record(), allow_nan=False)


def test_a_machine_that_slept_for_a_week_is_out_of_time():
    clock = Clock()

    def sleeps() -> list[Passage]:
        clock.pass_(7 * 86_400)
        return LINE[0]()  # type: ignore[no-any-return]

    gemini = HostileGemini([LOOK, ANSWER], clock)
    source = source_of("tools", Ran(), SOME, [sleeps], clock)
    run = ask(QUESTION, source, OfflineModel(gemini), Limits(max_seconds=100), Run(clock=clock))
    assert (run.stop_reason, run.usage.requests) == ("time_budget", 1)


def test_a_history_of_thousands_of_questions_stays_legal_and_is_carried_verbatim():
    search = {"functionCall": {"name": "search_documents", "args": {"query": "노트북"}}}
    result = {"name": "search_documents", "response": {"output": {"hits": []}}}
    question = [
        {"role": "user", "parts": [{"text": "또 묻기"}]},
        {"role": "model", "parts": [search]},
        {"role": "user", "parts": [{"functionResponse": result}]},
        {"role": "model", "parts": [{"text": "없습니다"}]},
    ]
    before = Run(contents=question * 2_000)
    before.ledger = {f"old-{n}": Passage(f"old-{n}", f"옛 글 {n}", "old.md") for n in range(5_000)}
    find = calls(("search_documents", {"query": "노트북 분실"}))
    said = Answer(200, turn("한 시간 안에 알립니다. [보안.txt:2]"))
    run = play("folder", QUESTION, [find, said], SOME, LINE, Limits(), previous=before)
    assert run.answer and run.contents[:8_000] == question * 2_000 and len(run.contents) == 8_004


def test_a_thousand_calls_of_one_turn_are_all_answered():
    made = calls(*(("search_documents", {"query": f"{n}"}) for n in range(1_000)))
    run = play("folder", QUESTION, [made, ANSWER], SOME, LINE, Limits())
    first = function_responses(run.contents[2])
    assert (
        len(first) == 1_000 and len([each for each in first if "output" in each["response"]]) == 3
    )


# A conversation that goes on


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Talk]:
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path))
    talk = Talk(tmp_path, narrow=True)
    talk.go("folder")
    yield talk
    talk.conversation.close()


FIND = calls(("search_documents", {"query": "노트북 분실"}))


def test_a_document_that_says_something_else_by_now_is_kept_as_it_was_cited(talk: Talk):
    for text in ("노트북 분실은 내선 100번에 알린다.\n", "노트북 분실은 내선 200번에 알린다.\n"):
        talk.rewrite("folder", text)
        talk.go("folder")
        talk.ask(QUESTION, FIND)
    talk.resume(0)
    assert {each.text for each in talk.conversation.ledger.values()} == {text.strip()}


def test_lines_that_were_chosen_after_the_last_search_are_kept(talk: Talk):
    chosen = calls(("filter_context", {"question": QUESTION, "ids": "보안.txt:2"}))
    said = Answer(200, turn("한 시간 안에 알립니다. [보안.txt:2#L1]"))
    run = talk.ask(QUESTION, FIND, chosen, Answer(200, turn("[1]")), said)
    assert run and run.answer and "보안.txt:2#L1" in talk.conversation.ledger
    talk.resume(0)
    assert "보안.txt:2#L1" in talk.conversation.ledger


def test_a_hit_without_a_name_can_be_told(talk: Talk):
    talk.go("tools")
    talk.brought[:] = [lambda: [Passage("", "이름 없는 글", "")]]
    talk.ask(QUESTION, LOOK)
    assert talk.conversation.records[-1]["searches"][0]["outcome"] == "hits"
    talk.say("/why")


@pytest.mark.parametrize("kind", ["folder", "planned", "auto"])
def test_an_interrupt_at_any_moment_leaves_a_conversation_that_goes_on(talk: Talk, kind: str):
    """Also while the end is recorded: there is one end, and what is on disk is what is told."""
    talk.go(kind)
    for moment in range(1, 100):
        run = talk.ask("invoice export steps and permission", interrupted_at=moment)
        if run and run.stop_reason != "interrupted":
            break
    assert run and moment > 2
    talk.resume(0)
