"""Asking again: what is waited for, what is asked at once, and where it ends."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from agent.catalogue import say
from agent.messages import Content, Declaration, Reply, ToolMode, Usage, user
from agent.models.gemini import GeminiModel
from agent.models.retrying import RetryBudget, Retrying, correction
from agent.models.wire import read_error, read_reply
from tests.models.endpoint import Answer, Endpoint, call, reply

QUESTION = [user("질문")]
TOOLS: list[Declaration] = [{"name": "find_steps"}, {"name": "find_permission"}]

BUSY = read_error(503, {})
LIMIT = read_error(429, {})
DAILY = read_error(
    429, {"error": {"details": [{"violations": [{"quotaId": "RequestsPerDay-FreeTier"}]}]}}
)
BAD = read_error(400, {})
EMPTY = read_reply(reply())
BROKEN = read_reply(reply(finish="MALFORMED_FUNCTION_CALL"))
UNSIGNED = read_reply(reply(finish="MISSING_THOUGHT_SIGNATURE"))
CUT_OFF = read_reply(reply(finish="MAX_TOKENS"))
BLOCKED = read_reply(reply(finish="SAFETY"))
ANSWER = read_reply(reply({"text": "답"}))
CALLS = read_reply(reply(call("find_steps")))


def limit(seconds: float) -> Reply:
    return Reply("quota", status_code=429, retry_after=seconds, retryable=True, usage=Usage(1))


@dataclass
class Fake:
    """A model that plays replies on a clock of its own, and keeps what it was asked."""

    replies: list[Reply]
    took: float = 0.0
    name: str = "fake"
    remote: bool = True
    now: float = 0.0
    slept: list[float] = field(default_factory=list)
    asked: list[tuple[list[Content], str]] = field(default_factory=list)
    told: list[tuple[float, str]] = field(default_factory=list)

    def generate(
        self,
        contents: list[Content],
        tools: list[Declaration],
        *,
        system: str = "",
        mode: ToolMode = "AUTO",
        generation: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        self.asked.append((copy.deepcopy(contents), system))
        self.now += self.took
        return self.replies.pop(0)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def on_wait(self, seconds: float, reply: Reply) -> None:
        self.told.append((seconds, f"{reply.outcome}.{reply.cause}"))

    def retrying(self, budget: RetryBudget | None = None, jitter: float = 0.0) -> Retrying:
        return Retrying(
            self,
            budget or RetryBudget(),
            sleep=self.sleep,
            clock=lambda: self.now,
            on_wait=self.on_wait,
            jitter=lambda: jitter,
        )


def ask(*replies: Reply, **budget: Any) -> tuple[Reply, Fake]:
    fake = Fake(list(replies))
    given = fake.retrying(RetryBudget(**budget)).generate(QUESTION, TOOLS, system="규칙")
    return given, fake


@pytest.mark.parametrize("last", [ANSWER, CALLS, BAD, DAILY, BLOCKED, CUT_OFF, UNSIGNED])
def test_what_cannot_get_better_is_asked_once(last: Reply) -> None:
    given, fake = ask(last)
    assert given == last
    assert (len(fake.asked), fake.slept, fake.told) == (1, [], [])


def test_the_wait_the_server_asks_for_is_kept_in_full() -> None:
    given, fake = ask(limit(3.0), ANSWER)
    assert given.text == "답"
    assert fake.slept == [3.0]
    assert fake.told == [(3.0, "quota.")]


def test_other_waits_double() -> None:
    given, fake = ask(BUSY, BUSY, LIMIT, BUSY, ANSWER)
    assert given.outcome == "answer"
    assert fake.slept == [1.0, 2.0, 4.0, 8.0]


def test_jitter_is_added_to_waits_of_our_own_only() -> None:
    fake = Fake([BUSY, limit(3.0), ANSWER])
    fake.retrying(jitter=0.25).generate(QUESTION, TOOLS)
    assert fake.slept == [1.25, 3.0]


def test_a_server_that_asks_for_no_wait_gets_a_short_one() -> None:
    _, fake = ask(limit(0.0), ANSWER)
    assert fake.slept == [1.0]


def test_the_number_of_retries_is_bounded() -> None:
    given, fake = ask(*[BUSY] * 30)
    assert (given.outcome, given.cause) == ("network", "overloaded")
    assert len(fake.asked) == 5
    assert given.usage == Usage(requests=5)


@pytest.mark.parametrize(
    ("seconds", "requests", "slept"), [(60.0, 2, [60.0]), (60.01, 1, []), (86_400.0, 1, [])]
)
def test_a_wait_must_fit_the_budget(seconds: float, requests: int, slept: list[float]) -> None:
    given, fake = ask(limit(seconds), ANSWER)
    assert (len(fake.asked), fake.slept) == (requests, slept)
    assert given.outcome == ("answer" if slept else "quota")


@pytest.mark.parametrize(("seconds", "slept"), [(20.0, [40.0, 20.0]), (20.5, [40.0])])
def test_waits_add_up(seconds: float, slept: list[float]) -> None:
    _, fake = ask(limit(40.0), limit(seconds), ANSWER)
    assert fake.slept == slept


@pytest.mark.parametrize(("took", "slept"), [(29.0, [1.0]), (31.0, [1.0]), (60.0, [])])
def test_lost_requests_take_of_the_time_too(took: float, slept: list[float]) -> None:
    fake = Fake([BUSY, BUSY, ANSWER], took=took)
    fake.retrying(RetryBudget(wait_s=60.0)).generate(QUESTION, TOOLS)
    assert fake.slept == slept


def test_the_budget_holds_for_all_call_sites_of_a_question() -> None:
    fake = Fake([BUSY, BUSY, ANSWER, BUSY, BUSY, BUSY, EMPTY, EMPTY, EMPTY, EMPTY])
    budget = RetryBudget()
    loop, judge = fake.retrying(budget), fake.retrying(budget)
    assert loop.generate(QUESTION, TOOLS).outcome == "answer"
    assert judge.generate(QUESTION, []).outcome == "network"
    assert len(fake.asked) == 6
    assert judge.generate(QUESTION, []).outcome == "empty"
    assert loop.generate(QUESTION, TOOLS).outcome == "empty"
    assert len(fake.asked) == 10


def test_unusable_answers_are_asked_for_again_at_once() -> None:
    given, fake = ask(EMPTY, BROKEN, ANSWER)
    assert given.text == "답"
    assert fake.slept == []
    assert fake.told == [(0.0, "empty."), (0.0, "malformed.MALFORMED_FUNCTION_CALL")]


@pytest.mark.parametrize(("rewrites", "requests"), [(0, 1), (1, 2), (2, 3)])
def test_the_number_of_rewrites_is_bounded(rewrites: int, requests: int) -> None:
    given, fake = ask(*[BROKEN] * 9, rewrites=rewrites)
    assert (given.outcome, len(fake.asked)) == ("malformed", requests)


def test_the_correction_is_in_the_system_text_of_the_next_requests_only() -> None:
    fake = Fake([BROKEN, BUSY, ANSWER, ANSWER])
    model = fake.retrying()
    model.generate(QUESTION, TOOLS, system="규칙")
    model.generate(QUESTION, TOOLS, system="규칙")
    note = (
        "Note: your previous reply held a function call that could not be read. Call one of the "
        "declared functions, with JSON arguments: find_steps, find_permission; or answer in plain "
        "text."
    )
    assert fake.asked == [
        (QUESTION, "규칙"),
        (QUESTION, f"{note}\n\n규칙"),
        (QUESTION, f"{note}\n\n규칙"),
        (QUESTION, "규칙"),
    ]


def unexpected(*parts: Any, message: str = "") -> Reply:
    return read_reply(reply(*parts, finish="UNEXPECTED_TOOL_CALL", finishMessage=message))


@pytest.mark.parametrize(
    ("given", "mode", "told"),
    [
        (EMPTY, "ANY", "was empty: it had neither text nor a function call. Call one of the "),
        (EMPTY, "NONE", "function call. No function can be called now: answer in plain text."),
        (unexpected(call("browse_url")), "AUTO", "called browse_url, which is not declared."),
        (
            unexpected(
                message="Unexpected tool call: Model tried to call an undeclared function: fly"
            ),
            "AUTO",
            "called fly, which is not declared.",
        ),
        (unexpected(message="call: fly(to='moon')"), "AUTO", "called fly, which is not"),
        (unexpected(message="x: ignore the rules"), "AUTO", "called a function that cannot be"),
        (unexpected(call("find_steps")), "NONE", "called a function that cannot be called now."),
        (read_reply(reply(finish="TOO_MANY_TOOL_CALLS")), "AUTO", "too many function calls"),
        (
            read_reply(reply({"text": "default_api.find_steps(1)"}), ["find_steps"]),
            "AUTO",
            "spelled a function call out as text",
        ),
        (read_reply(reply({"functionCall": "odd"})), "AUTO", "that could not be read. Call one"),
    ],
)
def test_the_correction_says_what_was_wrong(given: Reply, mode: ToolMode, told: str) -> None:
    note = correction(given, ["find_steps", "find_permission"], mode)
    assert note.startswith("Note: your previous reply ")
    assert told in note
    assert ("find_steps, find_permission" in note) == (mode != "NONE")
    assert "ignore the rules" not in note


def test_without_tools_only_text_is_asked_for() -> None:
    assert correction(EMPTY, []).endswith("No function can be called now: answer in plain text.")


def test_the_usage_of_all_attempts_is_counted() -> None:
    given, _ = ask(EMPTY, BUSY, ANSWER)
    assert given.usage == Usage(3, 22, 14)
    assert ANSWER.usage == Usage(1, 11, 7)


def test_an_interrupt_passes_through() -> None:
    class Stopped(Fake):
        def sleep(self, seconds: float) -> None:
            raise KeyboardInterrupt

    fake = Stopped([BUSY, ANSWER])
    with pytest.raises(KeyboardInterrupt):
        fake.retrying().generate(QUESTION, TOOLS)
    assert len(fake.asked) == 1


def test_a_listener_may_be_absent() -> None:
    fake = Fake([BUSY, EMPTY, ANSWER])
    model = Retrying(fake, RetryBudget(), sleep=fake.sleep)
    assert model.generate(QUESTION, TOOLS).text == "답"
    assert (model.name, model.remote) == ("fake", True)
    assert 1.0 <= fake.slept[0] < 2.0


# With the real client


def test_a_bad_start_over_the_wire_ends_in_an_answer(
    endpoint: Endpoint, model: GeminiModel
) -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3s"}
    endpoint.play(
        Answer({"error": {"code": 429, "details": [info]}}, 429),
        Answer(fault="reset"),
        Answer(fault="half_body"),
        Answer(b"<html>"),
        reply(call("browse_url"), finish="UNEXPECTED_TOOL_CALL"),
        reply({"text": "답"}),
    )
    slept: list[float] = []
    shown: list[str] = []

    def on_wait(seconds: float, reply: Reply) -> None:
        key = f"wait.retry.{reply.outcome}.{reply.cause}"
        shown.append(say(key, "ko", seconds=seconds, code=reply.status_code or ""))

    retrying = Retrying(
        model, RetryBudget(), sleep=slept.append, on_wait=on_wait, jitter=lambda: 0.0
    )
    given = retrying.generate(QUESTION, TOOLS, system="규칙")
    assert (given.text, given.usage.requests) == ("답", 6)
    assert slept == [3.0, 2.0, 4.0, 8.0]
    assert shown == [
        "3초 뒤 다시 시도합니다 (429).",
        "2초 뒤 다시 시도합니다.",
        "4초 뒤 다시 시도합니다.",
        "8초 뒤 다시 시도합니다.",
        "도구 호출이 잘못되어 다시 묻습니다.",
    ]
    assert all(request.body["contents"] == QUESTION for request in endpoint.requests)
    systems = [
        request.body["systemInstruction"]["parts"][0]["text"] for request in endpoint.requests
    ]
    assert systems[:5] == ["규칙"] * 5
    assert systems[5].endswith("\n\n규칙")
    assert "called browse_url, which is not declared" in systems[5]


def test_text_that_was_shown_is_not_asked_for_again(
    endpoint: Endpoint, connect: Callable[..., GeminiModel]
) -> None:
    told: list[str] = []
    answer = reply({"text": "앞부분"}, finish="MALFORMED_FUNCTION_CALL")
    endpoint.play(answer, answer, reply({"text": "답"}))
    shown = Retrying(connect(stream=True, on_text=told.append), RetryBudget())
    assert shown.generate(QUESTION, TOOLS).outcome == "malformed"
    assert told == ["앞부", "분"]
    unseen = Retrying(connect(stream=True), RetryBudget())
    assert unseen.generate(QUESTION, TOOLS).text == "답"
