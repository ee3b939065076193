"""What is sent, and how an answer is named, apart from any door."""

from __future__ import annotations

import random
from typing import Any

import pytest

from agent.catalogue import say
from agent.messages import Reply, Usage, user
from agent.models.wire import read_error, read_reply, request_body
from tests.models.endpoint import call, reply

CONTENTS = [user("질문")]
DECLARED = [{"name": "find_steps"}, {"name": "find_permission"}]


def test_the_smallest_body() -> None:
    body = request_body(CONTENTS, [])
    assert body == {"contents": CONTENTS}
    assert body["contents"] is CONTENTS


def test_the_fullest_body() -> None:
    body = request_body(
        CONTENTS, DECLARED, system="rules", mode="ANY", generation={"temperature": 0.0}
    )
    assert body == {
        "contents": CONTENTS,
        "systemInstruction": {"parts": [{"text": "rules"}]},
        "tools": [{"functionDeclarations": DECLARED}],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
        "generationConfig": {"temperature": 0.0},
    }


def test_a_mode_without_declarations_is_left_out() -> None:
    assert request_body(CONTENTS, [], mode="NONE") == {"contents": CONTENTS}
    assert "toolConfig" not in request_body(CONTENTS, DECLARED, mode="AUTO")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ('print(default_api.find_steps(query="a"))', "malformed"),
        ("declaration:default_api:find_steps{query: a}", "malformed"),
        ("찾아보겠습니다.\n```tool_code\nprint(1)\n```", "malformed"),
        ("default_api.browse_url() is not declared", "answer"),
        ("find_steps(query) is how to call it", "answer"),
        ("the `tool_code` block", "answer"),
    ],
)
def test_calls_spelled_out_as_text(text: str, outcome: str) -> None:
    assert read_reply(reply({"text": text}), ["find_steps"]).outcome == outcome


def test_text_beside_a_written_thought_is_the_answer() -> None:
    given = read_reply(reply({"text": "THOUGHT: 비밀 추론"}, {"text": "최종 답"}))
    assert (given.outcome, given.text) == ("answer", "최종 답")


def test_a_missing_role_is_added_and_nothing_else_changed() -> None:
    body = reply({"text": "답", "unknown": 1})
    del body["candidates"][0]["content"]["role"]
    assert read_reply(body).content == {"role": "model", "parts": [{"text": "답", "unknown": 1}]}


def test_content_is_kept_as_the_same_object() -> None:
    body = reply(call("find_steps"))
    assert read_reply(body).content is body["candidates"][0]["content"]


@pytest.mark.parametrize(
    ("body", "note"),
    [
        (reply(finish="MALFORMED_FUNCTION_CALL", finishMessage="why " * 100), "why " * 75),
        (reply(call("browse_url"), finish="UNEXPECTED_TOOL_CALL"), "browse_url"),
        (reply(call("browse_url")), ""),
    ],
)
def test_the_note_names_what_was_attempted(body: Any, note: str) -> None:
    assert read_reply(body).note == note


def test_a_block_outweighs_what_came_with_it() -> None:
    body = reply({"text": "답"}) | {"promptFeedback": {"blockReason": "SAFETY"}}
    assert (read_reply(body).outcome, read_reply(body).cause) == ("blocked", "SAFETY")


def test_feedback_without_a_block_is_none() -> None:
    assert read_reply(reply({"text": "답"}) | {"promptFeedback": {}}).outcome == "answer"


@pytest.mark.parametrize(
    "body", [None, [], {}, "text", 5, [1, 2], {"candidates": None}, {"candidates": [None]}]
)
def test_a_body_without_an_answer_is_empty(body: Any) -> None:
    given = read_reply(body)
    assert (given.outcome, given.retryable, given.usage) == ("empty", True, Usage(1))


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ({"promptTokenCount": 7, "candidatesTokenCount": 2}, Usage(1, 7, 2)),
        ({"promptTokenCount": 7.0, "thoughtsTokenCount": "3"}, Usage(1, 7, 3)),
        ({"promptTokenCount": None, "candidatesTokenCount": "many"}, Usage(1, 0, 0)),
        ({"promptTokenCount": float("inf"), "candidatesTokenCount": -1}, Usage(1, 0, 0)),
        ([], Usage(1, 0, 0)),
    ],
)
def test_token_counts(counts: Any, usage: Usage) -> None:
    assert read_reply(reply({"text": "a"}) | {"usageMetadata": counts}).usage == usage


def error(message: str = "", **details: Any) -> dict[str, Any]:
    return {"error": {"message": message, "details": [details] if details else []}}


RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo"}


@pytest.mark.parametrize(
    ("status", "body", "named"),
    [
        (400, error("API key not valid. Please pass a valid API key."), "rejected.key_invalid"),
        (400, error("expired", reason="API_KEY_INVALID"), "rejected.key_invalid"),
        (401, error(), "rejected.not_allowed"),
        (403, error("denied"), "rejected.not_allowed"),
        (400, error("User location is not supported for the API use."), "rejected.not_allowed"),
        (404, error(), "rejected.model_unknown"),
        (400, error("unexpected model name format"), "rejected.model_unknown"),
        (
            400,
            error("The input token count (2000000) exceeds the maximum number of tokens allowed."),
            "rejected.context_too_long",
        ),
        (413, "<html>", "rejected.context_too_long"),
        (400, error("Request contains an invalid argument."), "rejected."),
        (418, None, "rejected."),
        (429, {}, "quota. again"),
        (429, error(violations=[{"quotaId": "RequestsPerMinute-FreeTier"}]), "quota. again"),
        (429, error(violations=[{"quotaId": "RequestsPerDay-FreeTier"}]), "quota.daily_quota"),
        (408, {}, "network.server_error again"),
        (500, {}, "network.server_error again"),
        (501, {}, "network.server_error"),
        (503, [error()], "network.overloaded again"),
        (599, {}, "network.server_error again"),
        (302, {}, "network.unexpected_status"),
    ],
)
def test_refusals_are_named(status: int, body: Any, named: str) -> None:
    given = read_error(status, body)
    again = " again" if given.retryable else ""
    assert f"{given.outcome}.{given.cause}{again}" == named
    assert (given.status_code, given.usage, given.content) == (status, Usage(1), None)


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        (error(**RETRY, retryDelay="3s"), 3.0),
        (error(**RETRY, retryDelay="0.5s"), 0.5),
        (error("Please retry in 11.665902715s.", **RETRY, retryDelay="11s"), 11.665902715),
        (error("Please retry in 2s.", **RETRY, retryDelay="11s"), 11.0),
        (error("Please retry in 4.5s.", **RETRY, retryDelay="soon"), 4.5),
        (error(**RETRY, retryDelay="soon"), None),
        (error(**RETRY), None),
        (error("try later"), None),
    ],
)
def test_the_wait_asked_for(body: Any, seconds: float | None) -> None:
    assert read_error(429, body).retry_after == seconds


def test_the_words_of_a_refusal_go_no_further() -> None:
    assert "secret" not in repr(read_error(400, error("secret", reason="secret")))


def test_no_json_makes_the_reading_fail() -> None:
    """Any answer is named, however its fields are mixed up."""
    chance = random.Random(7)
    whole = reply({"text": "답"}, call("find_steps"), finishMessage="x") | {
        "promptFeedback": {"blockReason": "OTHER"},
        "error": {"code": 400, "message": "m", "details": [{**RETRY, "retryDelay": "3s"}]},
    }
    strange = [None, True, 0, -1.5, "x", [], [None], {}, {"parts": 3}, {"code": "x"}, [[{}]]]

    def mixed(value: Any) -> Any:
        if chance.random() < 0.15:
            return chance.choice(strange)
        if isinstance(value, dict):
            return {key: mixed(each) for key, each in value.items() if chance.random() > 0.1}
        return [mixed(each) for each in value] if isinstance(value, list) else value

    outcomes = set()
    for _ in range(3000):
        body = mixed(whole)
        if chance.random() < 0.7 and isinstance(body, dict):
            body.pop("error", None)
        for given in (read_reply(body, ["find_steps"]), read_error(429, body)):
            assert isinstance(given, Reply)
            assert given.calls == [] or given.outcome == "calls"
            assert isinstance(given.text, str)
            outcomes.add(given.outcome)
    assert outcomes > {"calls", "answer", "empty", "malformed", "blocked", "quota", "rejected"}


CAUSES = """
rejected rejected.key_invalid rejected.not_allowed rejected.model_unknown
rejected.context_too_long rejected.unsendable rejected.unfit_sdk
quota quota.daily_quota
network network.timeout network.overloaded network.server_error network.unreachable
network.dropped network.not_json network.cut network.unexpected_status
blocked blocked.SAFETY blocked.RECITATION blocked.SPII blocked.LANGUAGE blocked.MODEL_ARMOR
truncated truncated.MAX_TOKENS truncated.BRAND_NEW_REASON
empty empty.OTHER malformed malformed.UNEXPECTED_TOOL_CALL
""".split()


@pytest.mark.parametrize("cause", CAUSES)
def test_every_ending_has_a_sentence(cause: str) -> None:
    values = {"code": 418, "model": "gemini-3.8-flash", "kept": ""}
    korean, english = (say(f"stop.{cause}", language, **values) for language in ("ko", "en"))
    assert any("가" <= letter <= "힣" for letter in korean)
    assert english.isascii()
    assert not {"{", "}", "None"} & set(korean.split() + english.split())


def test_narrower_causes_say_something_of_their_own() -> None:
    values = {"code": 418, "model": "m", "kept": ""}
    told = {cause: say(f"stop.{cause}", "ko", **values) for cause in CAUSES}
    same = {"network.unexpected_status": "network", "blocked.SAFETY": "blocked"}
    same |= {"blocked.MODEL_ARMOR": "blocked", "truncated.BRAND_NEW_REASON": "truncated"}
    same |= {"empty.OTHER": "empty", "malformed.UNEXPECTED_TOOL_CALL": "malformed"}
    assert {cause: told[same[cause]] for cause in same} == {cause: told[cause] for cause in same}
    assert len(set(told.values())) == len(CAUSES) - len(same)
