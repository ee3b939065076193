"""The real google-genai client in front of an endpoint on this machine."""

from __future__ import annotations

import gc
import json
import logging
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.genai.models import Models

from agent.catalogue import Problem
from agent.messages import Reply, ToolCall, ToolResult, Usage, observation, user
from agent.models.gemini import GeminiModel
from agent.models.wire import request_body
from tests.models.endpoint import KEY, Answer, Endpoint, call, event, in_chunks, reply

Connect = Callable[..., GeminiModel]

SIGNATURE = "AAEC+/8f+w/=="
QUESTION = [user("송장 내보내기 절차는?")]
DECLARATIONS = [
    {
        "name": name,
        "description": "Finds 'passages'.",
        "parametersJsonSchema": {
            "type": "object",
            "properties": {"query": {"type": "string"}},
            "required": ["query"],
        },
    }
    for name in ("find_steps", "find_permission")
]


def outcome(reply: Reply) -> tuple[str, str, bool]:
    return reply.outcome, reply.cause, reply.retryable


# What is sent


def test_the_body_goes_out_as_it_was_written(endpoint: Endpoint, model: GeminiModel) -> None:
    signed = call("find_steps", {"query": "내보내기", "n": 3.0}, id="c-1")
    signed |= {"thoughtSignature": SIGNATURE, "partMetadata": {"kept_as_is": [1, None]}}
    contents = [
        *QUESTION,
        {"role": "model", "parts": [{"text": "찾아볼게요", "newField": {"a_b": 1}}, signed]},
        observation([ToolResult(ToolCall("find_steps", {}, "c-1"), {"output": {"hits": []}})]),
    ]
    endpoint.play(reply({"text": "답"}))
    model.generate(contents, DECLARATIONS, system="규칙", mode="ANY")
    [request] = endpoint.requests
    sent = request.body
    assert sent.pop("generationConfig") == {}
    assert sent == request_body(contents, DECLARATIONS, system="규칙", mode="ANY")
    assert f'"thoughtSignature": "{SIGNATURE}"'.encode() in request.raw
    assert re.fullmatch(
        r"/v1beta/models/gemini-test:(generateContent|streamGenerateContent\?alt=sse)",
        request.path,
    )
    assert request.headers["x-goog-api-key"] == KEY


def test_a_connection_is_used_again_after_an_answer_with_an_id(
    endpoint: Endpoint, model: GeminiModel
) -> None:
    answers = [reply({"text": "답"}) | {"responseId": each} for each in "abc"]
    endpoint.play(*answers, Answer(status=503), reply({"text": "답"}), answers[0])
    outcomes = [model.generate(QUESTION, []).outcome for _ in range(6)]
    assert outcomes == ["answer", "answer", "answer", "network", "answer", "answer"]
    ports = [request.port for request in endpoint.requests]
    assert ports[0] == ports[1] == ports[2] == ports[3]
    # what refuses, and what has no id, may be followed by something that nobody can tell apart
    assert len({*ports[3:]}) == 3


@pytest.mark.parametrize("content", ["hi", ["hi"], 7, True, {"parts": "hi"}, {"parts": ["hi"]}])
def test_a_content_that_is_none_is_told(
    endpoint: Endpoint, model: GeminiModel, content: Any
) -> None:
    endpoint.play({"candidates": [{"content": content, "finishReason": "STOP"}]})
    got = model.generate(QUESTION, DECLARATIONS)
    assert got.outcome in ("empty", "malformed", "network") and got.text == ""


def test_the_answer_before_is_no_answer(endpoint: Endpoint, model: GeminiModel) -> None:
    first = reply({"text": "처음"}) | {"responseId": "a"}
    second = reply({"text": "다음"}) | {"responseId": "b"}
    endpoint.play(first, first, second)
    replies = [model.generate(QUESTION, []) for _ in range(3)]
    assert [outcome(each) for each in replies[1:]] == [
        ("network", "dropped", True),
        ("answer", "", False),
    ]
    ports = [request.port for request in endpoint.requests]
    assert ports[0] == ports[1] != ports[2]


def test_an_answer_goes_back_byte_for_byte(endpoint: Endpoint, model: GeminiModel) -> None:
    first = reply(
        {"text": "생각", "thought": True},
        {"text": "먼저 찾습니다.", "thoughtSignature": SIGNATURE, "unknownField": 0.5},
        call("find_steps", {"query": "a"}, id="id/1") | {"thoughtSignature": SIGNATURE},
        call("find_permission", {"query": "b"}, id="id+2"),
    )
    endpoint.play(first, reply({"text": "답"}))
    asked = model.generate(QUESTION, DECLARATIONS)
    results = [ToolResult(each, {"output": {"hits": []}}) for each in asked.calls]
    assert asked.content
    model.generate([*QUESTION, asked.content, observation(results)], DECLARATIONS)
    _, given, responses = endpoint.requests[1].body["contents"]
    assert given == first["candidates"][0]["content"]
    assert [part["functionResponse"]["id"] for part in responses["parts"]] == ["id/1", "id+2"]


def test_generation_settings_are_sent_only_when_given(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.play(reply({"text": "a"}), reply({"text": "b"}))
    connect().generate(QUESTION, [])
    connect(generation={"temperature": 0.0, "maxOutputTokens": 64}).generate(QUESTION, [])
    assert endpoint.requests[0].body["generationConfig"] == {}
    assert endpoint.requests[1].body["generationConfig"] == {
        "temperature": 0.0,
        "maxOutputTokens": 64,
    }


@pytest.mark.parametrize(("timeout_s", "told"), [(0.5, "10"), (10.0, "10"), (10.1, "11")])
def test_the_server_is_not_told_a_timeout_it_refuses(
    endpoint: Endpoint, connect: Connect, timeout_s: float, told: str
) -> None:
    endpoint.play(reply({"text": "a"}))
    connect(timeout_s=timeout_s).generate(QUESTION, [])
    assert endpoint.requests[0].headers["X-Server-Timeout"] == told


def test_without_a_key_none_is_sent(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.play(reply({"text": "a"}))
    assert connect(api_key="").generate(QUESTION, []).outcome == "answer"
    assert "x-goog-api-key" not in {name.lower() for name in endpoint.requests[0].headers}


def test_contents_that_are_no_json_are_never_sent(endpoint: Endpoint, model: GeminiModel) -> None:
    given = model.generate([{"role": "user", "parts": [{"text": {1, 2}}]}], [])
    assert outcome(given) == ("rejected", "unsendable", False)
    assert given.usage == Usage(requests=0)
    assert endpoint.requests == []


def test_a_continuation_is_no_second_request(endpoint: Endpoint, model: GeminiModel) -> None:
    endpoint.play(reply({"text": "반"}, finish="CONTINUATION", continuationToken="dG9rZW4="))
    given = model.generate(QUESTION, [])
    assert outcome(given) == ("truncated", "CONTINUATION", False)
    assert len(endpoint.requests) == 1


def test_where_the_sdk_writes_its_own_body_ours_goes_out(
    endpoint: Endpoint, model: GeminiModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> tuple[str, str, dict[str, Any], dict[str, str]]:
        endpoint.play(reply({"text": "답"}))
        text = model.generate(QUESTION, DECLARATIONS, system="규칙").text
        sent = endpoint.requests[-1]
        assert int(sent.headers["Content-Length"]) == len(sent.raw)
        body = sent.body
        body.pop("generationConfig", None)  # which the SDK adds, empty
        headers = {name.lower(): each for name, each in sent.headers.items()}
        del headers["content-length"]
        return text, sent.path, body, headers

    usual = asked()
    monkeypatch.setattr("google.genai._common.recursive_dict_update", lambda body, extra: None)
    assert asked() == asked() == usual
    assert len(endpoint.requests) == 3


def test_an_sdk_that_asks_twice_is_stopped(
    endpoint: Endpoint, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = Models.generate_content

    def twice(models: Models, **request: Any) -> Any:
        once(models, **request)
        return once(models, **request)

    monkeypatch.setattr(Models, "generate_content", twice)
    endpoint.play(reply({"text": "a"}), reply({"text": "b"}))
    assert connect().generate(QUESTION, []).text == "a"
    assert len(endpoint.requests) == 1


def test_the_client_lives_as_long_as_the_model(endpoint: Endpoint, model: GeminiModel) -> None:
    endpoint.play(reply({"text": "a"}), reply({"text": "b"}))
    texts = []
    for _ in range(2):
        texts.append(model.generate(QUESTION, []).text)
        gc.collect()
    assert texts == ["a", "b"]


def test_calls_from_several_threads_keep_apart(endpoint: Endpoint, connect: Connect) -> None:
    model = connect(stream=True)
    endpoint.play(*[reply({"text": "답" * 40}) for _ in range(8)])
    given: list[str] = []
    threads = [
        threading.Thread(target=lambda: given.append(model.generate(QUESTION, []).text))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert given == ["답" * 40] * 8


# What comes back

ANSWERS: dict[str, tuple[Any, tuple[str, str, bool]]] = {
    "text": (reply({"text": "답입니다 [s-1]"}), ("answer", "", False)),
    "text and signature": (
        reply({"text": "답"}, {"text": "", "thoughtSignature": SIGNATURE}),
        ("answer", "", False),
    ),
    "one call": (reply(call("find_steps", {"query": "a"}, id="1")), ("calls", "", False)),
    "parallel calls": (
        reply(
            call("find_steps", {"query": "a"}) | {"thoughtSignature": SIGNATURE},
            call("find_permission", {"query": "b"}),
            call("find_steps", {"query": "c"}),
        ),
        ("calls", "", False),
    ),
    "text before the call": (
        reply({"text": "찾아볼게요"}, call("find_steps")),
        ("calls", "", False),
    ),
    "empty text before the call": (reply({"text": ""}, call("find_steps")), ("calls", "", False)),
    "text and call in one part": (
        reply({"text": "찾아볼게요"} | call("find_steps")),
        ("calls", "", False),
    ),
    "call without args": (reply({"functionCall": {"name": "find_steps"}}), ("calls", "", False)),
    "args null": (
        reply({"functionCall": {"name": "find_steps", "args": None, "id": None}}),
        ("calls", "", False),
    ),
    "args a string": (
        reply({"functionCall": {"name": "find_steps", "args": "query=a"}}),
        ("malformed", "unreadable_call", True),
    ),
    "call without a name": (
        reply({"functionCall": {"args": {}}}),
        ("malformed", "unreadable_call", True),
    ),
    "thought only": (reply({"text": "음", "thought": True}), ("empty", "", True)),
    "thought and text": (
        reply({"text": "음", "thought": True}, {"text": "답"}),
        ("answer", "", False),
    ),
    "no parts": (reply(), ("empty", "", True)),
    "no candidates": ({"candidates": []}, ("empty", "", True)),
    "nothing": ({}, ("empty", "", True)),
    "malformed call": (
        reply(finish="MALFORMED_FUNCTION_CALL", finishMessage="Malformed function call: f("),
        ("malformed", "MALFORMED_FUNCTION_CALL", True),
    ),
    "unexpected call": (
        reply(call("browse_url"), finish="UNEXPECTED_TOOL_CALL"),
        ("malformed", "UNEXPECTED_TOOL_CALL", True),
    ),
    "missing signature": (
        reply(finish="MISSING_THOUGHT_SIGNATURE"),
        ("malformed", "MISSING_THOUGHT_SIGNATURE", False),
    ),
    "leaked call": (
        reply({"text": 'print(default_api.find_steps(query="a"))'}),
        ("malformed", "leaked_call", True),
    ),
    "cut by length": (
        reply({"text": "앞부분"}, finish="MAX_TOKENS"),
        ("truncated", "MAX_TOKENS", False),
    ),
    "nothing but thinking": (reply(finish="MAX_TOKENS"), ("truncated", "MAX_TOKENS", False)),
    "safety": (reply(finish="SAFETY"), ("blocked", "SAFETY", False)),
    "recitation with text": (
        reply({"text": "앞부분 설명"}, finish="RECITATION"),
        ("blocked", "RECITATION", False),
    ),
    "unknown finish reason": (
        reply({"text": "답"}, finish="BRAND_NEW_REASON"),
        ("truncated", "BRAND_NEW_REASON", False),
    ),
    "unknown finish reason, no text": (
        reply(finish="BRAND_NEW_REASON"),
        ("empty", "BRAND_NEW_REASON", True),
    ),
    "blocked prompt": (
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}},
        ("blocked", "PROHIBITED_CONTENT", False),
    ),
    "an error with status 200": (
        {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}},
        ("network", "overloaded", True),
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_plain_and_streamed_answers_read_alike(
    endpoint: Endpoint, connect: Connect, name: str
) -> None:
    body, expected = ANSWERS[name]
    endpoint.play(body, body)
    plain = connect().generate(QUESTION, DECLARATIONS)
    streamed = connect(stream=True).generate(QUESTION, DECLARATIONS)
    assert outcome(plain) == expected
    assert plain == streamed
    if plain.content:
        assert plain.content == body["candidates"][0]["content"]


def test_usage_and_model_version_are_read(endpoint: Endpoint, model: GeminiModel) -> None:
    endpoint.play(reply({"text": "답"}), {})
    answered, empty = model.generate(QUESTION, []), model.generate(QUESTION, [])
    assert answered.usage == Usage(requests=1, prompt_tokens=11, output_tokens=7)
    assert (answered.model, empty.model) == ("gemini-test-001", "gemini-test")


# Refusals and faults

ERROR_BODIES = json.loads(Path(__file__).with_name("error_bodies.json").read_text("utf-8"))
NAMED = {
    "f_key_invalid": ("rejected", "key_invalid", False),
    "f2_key_missing": ("rejected", "not_allowed", False),
    "g_quota": ("quota", "", True),
    "g2_quota_short": ("quota", "", True),
    "h_overload": ("network", "overloaded", True),
    "h2_overload_old": ("network", "overloaded", True),
    "j_model": ("rejected", "model_unknown", False),
    "z2_500": ("network", "server_error", True),
}


@pytest.mark.parametrize("error", ERROR_BODIES, ids=lambda error: error["name"])
def test_every_error_body_has_a_name(
    endpoint: Endpoint, model: GeminiModel, error: dict[str, Any]
) -> None:
    endpoint.play(
        Answer(error["body"], error["status"]),
        Answer([error["body"]], error["status"]),  # as streams send it
    )
    given = model.generate(QUESTION, [])
    assert outcome(given) == NAMED.get(error["name"], ("rejected", "", False))
    assert given.status_code == error["status"]
    assert given == model.generate(QUESTION, [])


def test_the_wait_a_server_asks_for_is_read(endpoint: Endpoint, model: GeminiModel) -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3s"}
    quota = {"error": {"code": 429, "message": "later", "details": [info]}}
    headers = {"Retry-After": "7"}
    date = {"Retry-After": "Mon, 30 Nov 2026 00:00:00 GMT"}
    endpoint.play(
        Answer(quota, 429, headers=headers),
        Answer(b"busy", 503, headers=headers),
        Answer(b"busy", 503, headers=date),
    )
    assert [model.generate(QUESTION, []).retry_after for _ in range(3)] == [3.0, 7.0, None]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer(fault="reset"), ("network", "dropped", True)),
        (Answer(fault="closed"), ("network", "dropped", True)),
        (Answer(fault="half_body"), ("network", "dropped", True)),
        (Answer(b"<html>log in</html>"), ("network", "not_json", True)),
        (Answer(b'{"candidates": [{"content"'), ("network", "not_json", True)),
        (Answer(b"\xff\xfe{\x00"), ("network", "not_json", True)),
        (Answer(b"[" * 100_000), ("network", "not_json", True)),
        (Answer(b""), ("empty", "", True)),
        (Answer(b" \n"), ("empty", "", True)),
        (Answer(b"<html>bad gateway</html>", 502), ("network", "server_error", True)),
        (Answer(b"\xff\xfe", 503), ("network", "overloaded", True)),
        (Answer(b"", 204), ("network", "unexpected_status", False)),
        (Answer(b"", 302, headers={"Location": "/"}), ("network", "unexpected_status", False)),
        (Answer(b"log in", 407), ("rejected", "", False)),
        (Answer(b"no", 501), ("network", "server_error", False)),
        (
            Answer(b"not zipped", headers={"Content-Encoding": "gzip"}),
            ("network", "not_json", True),
        ),
    ],
    ids=lambda value: value.fault or str(value.body[:12]) if isinstance(value, Answer) else "",
)
def test_every_fault_has_a_name(
    endpoint: Endpoint, model: GeminiModel, answer: Answer, expected: tuple[str, str, bool]
) -> None:
    endpoint.play(answer, reply({"text": "답"}))
    given = model.generate(QUESTION, [])
    assert outcome(given) == expected
    assert given.usage == Usage(requests=1)
    assert model.generate(QUESTION, []).text == "답"
    assert len(endpoint.requests) == 2


def test_a_silent_server_is_left_in_time(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.play(Answer(fault="hang"), Answer(fault="hang"))
    for stream in (False, True):
        started = time.monotonic()
        given = connect(stream=stream, timeout_s=0.5).generate(QUESTION, [])
        assert outcome(given) == ("network", "timeout", False)
        assert 0.4 < time.monotonic() - started < 2


@pytest.mark.parametrize("stream", [False, True])
def test_drops_of_an_answer_do_not_stretch_the_timeout(
    endpoint: Endpoint, connect: Connect, stream: bool
) -> None:
    endpoint.play(Answer(pieces=(b": wait\n",) * 30, pause=0.1))
    started = time.monotonic()
    given = connect(stream=stream, timeout_s=0.5).generate(QUESTION, [])
    assert outcome(given) == ("network", "timeout", False)
    assert time.monotonic() - started < 2


def test_a_stream_may_take_longer_than_the_timeout(endpoint: Endpoint, connect: Connect) -> None:
    chunks = tuple(map(event, in_chunks(reply({"text": "가나다라마바사아"}))))
    endpoint.play(Answer(pieces=chunks, pause=0.2))
    given = connect(stream=True, timeout_s=0.5).generate(QUESTION, [])
    assert given.text == "가나다라마바사아"


def test_a_refused_port_is_unreachable(connect: Connect) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        for stream in (False, True):
            given = connect(base_url=url, stream=stream).generate(QUESTION, [])
            assert outcome(given) == ("network", "unreachable", True)


def test_plain_http_where_https_was_meant(endpoint: Endpoint, connect: Connect) -> None:
    given = connect(base_url=endpoint.url.replace("http", "https")).generate(QUESTION, [])
    assert outcome(given) == ("network", "unreachable", False)


@pytest.mark.parametrize("url", ["ftp://127.0.0.1:1", "127.0.0.1:1"])
def test_an_address_that_is_none(connect: Connect, url: str) -> None:
    assert outcome(connect(base_url=url).generate(QUESTION, [])) == (
        "network",
        "unreachable",
        False,
    )


# Streams


def test_text_is_told_as_it_arrives(endpoint: Endpoint, connect: Connect) -> None:
    told: list[str] = []
    endpoint.play(reply({"text": "속생각", "thought": True}, {"text": "송장을 내보냅니다"}))
    given = connect(stream=True, on_text=told.append).generate(QUESTION, [])
    assert told == ["송장", "을 ", "내보", "냅니", "다"]
    assert "".join(told) == given.text


def test_an_answer_about_calls_is_told_whole(endpoint: Endpoint, connect: Connect) -> None:
    told: list[str] = []
    endpoint.play(reply({"text": "이름 앞의 default_api는 뗍니다"}))
    given = connect(stream=True, on_text=told.append).generate(QUESTION, DECLARATIONS)
    assert "".join(told) == given.text == "이름 앞의 default_api는 뗍니다"


@pytest.mark.parametrize(
    "answer",
    [
        Answer(fault="cut", pieces=(event(reply({"text": "앞부분"}, finish=None)),)),
        Answer(pieces=(event(reply({"text": "앞부분"}, finish=None)),)),
        Answer(pieces=(event(reply({"text": "앞부분"}, finish=None)), b'data: {"candi')),
        Answer(pieces=(event(reply({"text": "앞부분"}, finish=None)), b"<html>")),
    ],
    ids=["dropped", "no finish reason", "half an event", "a page"],
)
def test_a_stream_that_breaks_off_is_cut(
    endpoint: Endpoint, connect: Connect, answer: Answer
) -> None:
    told: list[str] = []
    endpoint.play(answer, answer)
    shown = connect(stream=True, on_text=told.append).generate(QUESTION, [])
    unseen = connect(stream=True).generate(QUESTION, [])
    assert told == ["앞부분"]
    assert outcome(shown) == ("network", "cut", False)  # it would be shown twice
    assert outcome(unseen) == ("network", "cut", True)
    assert shown.content == {"role": "model", "parts": [{"text": "앞부분"}]}
    assert shown.usage == Usage(1, 11, 7)


@pytest.mark.parametrize("prefix", [b"\xff\xfa\x00a: ", b"dada: ", b"\xef\xbb\xbfdata: "])
def test_a_stream_that_lacks_a_piece_is_no_answer(
    endpoint: Endpoint, connect: Connect, prefix: bytes
) -> None:
    first, middle, last = (
        reply({"text": each}, finish=None) for each in ("내선 ", "119번, ", "끝")
    )
    last["candidates"][0]["finishReason"] = "STOP"
    whole = (event(first), event(middle), event(last))
    endpoint.play(Answer(pieces=whole))
    endpoint.play(Answer(pieces=(whole[0], whole[1].replace(b"data: ", prefix), whole[2])))
    assert connect(stream=True).generate(QUESTION, []).text == "내선 119번, 끝"
    assert outcome(connect(stream=True).generate(QUESTION, [])) == ("network", "cut", True)


def test_a_call_without_its_end_is_not_kept(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.play(Answer(pieces=(event(reply(call("find_steps"), finish=None)),)))
    given = connect(stream=True).generate(QUESTION, DECLARATIONS)
    assert (outcome(given), given.content, given.calls) == (("network", "cut", True), None, [])


def test_a_stream_that_stalls_times_out(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.play(Answer(fault="stalled", pieces=(event(reply({"text": "앞"}, finish=None)),)))
    given = connect(stream=True, timeout_s=0.5).generate(QUESTION, [])
    assert outcome(given) == ("network", "timeout", False)


def test_an_error_in_mid_stream(endpoint: Endpoint, connect: Connect) -> None:
    begun = event(reply({"text": "앞"}, finish=None))
    error = {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}
    bare = json.dumps([error], indent=1).encode()
    endpoint.play(
        Answer(pieces=(begun, event(error))),
        Answer(pieces=(begun, bare)),
        Answer(pieces=(begun, event(error))),
    )
    unseen = connect(stream=True)
    assert outcome(unseen.generate(QUESTION, [])) == ("network", "overloaded", True)
    assert outcome(unseen.generate(QUESTION, [])) == ("network", "overloaded", True)
    shown = connect(stream=True, on_text=lambda text: None).generate(QUESTION, [])
    assert outcome(shown) == ("network", "overloaded", False)


def test_a_gateway_that_does_not_stream(endpoint: Endpoint, connect: Connect) -> None:
    told: list[str] = []
    whole = reply({"text": "답"})
    endpoint.play(
        Answer(json.dumps(whole, indent=2).encode()),
        Answer(json.dumps(in_chunks(reply({"text": "가나다라"}))).encode()),
        Answer(pieces=(*map(event, in_chunks(whole)), b"data: [DONE]\n\n")),
    )
    model = connect(stream=True, on_text=told.append)
    texts = [model.generate(QUESTION, []).text for _ in range(3)]
    assert texts == ["답", "가나다라", "답"]
    assert told == ["답", "가나", "다라", "답"]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(pieces=(event(reply({"text": "답"})),)),
        Answer(pieces=(event(reply({"text": "답"})).rstrip(),)),
        Answer(json.dumps(reply({"text": "답"})).encode()),
        Answer(pieces=(event(reply({"text": "default_api"})),)),
    ],
    ids=["at once", "an event left open", "no stream", "held back"],
)
@pytest.mark.parametrize("kind", [BrokenPipeError, ValueError])
def test_what_on_text_raises_comes_out(
    endpoint: Endpoint, connect: Connect, answer: Answer, kind: type[Exception]
) -> None:
    def broken(text: str) -> None:
        raise kind("nobody reads")

    endpoint.play(answer)
    with pytest.raises(kind, match="nobody reads"):
        connect(stream=True, on_text=broken).generate(QUESTION, [])


INTERRUPTED = """
import sys, threading
from agent.messages import user
from agent.models.gemini import GeminiModel
from tests.models.endpoint import Answer, Endpoint
endpoint = Endpoint()
threading.Thread(target=endpoint.serve_forever, daemon=True).start()
endpoint.play(Answer(fault="hang"))
model = GeminiModel("m", api_key="k", base_url=endpoint.url, stream=sys.argv[1] == "stream")
threading.Timer(0.3, lambda: print("waiting", flush=True)).start()
try:
    model.generate([user("q")], [])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process there")
@pytest.mark.parametrize("way", ["plain", "stream"])
def test_an_interrupt_ends_the_wait_at_once(way: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED, way]
    with subprocess.Popen(
        command, cwd=Path(__file__).parents[2], text=True, stdout=-1, stderr=-1
    ) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline() == "waiting\n"
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - started < 1
        assert process.wait(10) == 0
        assert process.stderr.read() == ""


# The key and the surroundings


def test_the_key_is_nowhere_but_in_the_header(
    endpoint: Endpoint,
    connect: Connect,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = {"error": {"code": 400, "message": f"bad key {KEY}", "status": "INVALID_ARGUMENT"}}
    spoken = reply({"text": f"your key is {KEY}"}, finishMessage=KEY)
    told: list[str] = []
    said: list[str] = []
    for stream in (False, True):
        model = connect(stream=stream, on_text=told.append)
        endpoint.play(
            Answer(echo, 400),
            Answer(f"<html>{KEY}</html>".encode(), 403),
            Answer(event(spoken) if stream else spoken),
            Answer(f"<html>{KEY}</html>".encode()),
            Answer([spoken]),
            Answer(fault="reset"),
        )
        said += [repr(model.generate(QUESTION, DECLARATIONS)) for _ in range(6)]
        said.append(repr(model))
    bad = GeminiModel("m", api_key=KEY + "\ufeff", base_url=endpoint.url)
    said.append(repr(bad.generate(QUESTION, [])))
    shown = capfd.readouterr()
    everything = "\n".join([*said, *told, caplog.text, shown.out, shown.err])
    assert KEY not in everything
    assert "your key is (key)" in said[2] and "your key is (key)" in said[4]
    assert len(endpoint.requests) == 12
    assert shown.out + shown.err == ""


@pytest.mark.parametrize("key", [KEY, "gateway-key-1234567"])
def test_a_key_that_comes_back_in_pieces_is_put_together_and_hidden(
    endpoint: Endpoint, key: str
) -> None:
    told: list[str] = []
    model = GeminiModel("m", api_key=key, base_url=endpoint.url, stream=True, on_text=told.append)
    pieces = [f"the key is {key[:7]}", key[7:12], f"{key[12:]} and {key[:3]}"]
    events = b"".join(
        event({"candidates": [{"content": {"role": "model", "parts": [{"text": piece}]}}]})
        for piece in pieces[:-1]
    )
    signed = {"text": key, "thoughtSignature": "c2ln"}
    endpoint.play(
        Answer(events + event(reply({"text": pieces[-1]}))),
        Answer(event(reply({"text": key[:9]}, signed | {"text": key[9:]}))),
        Answer(event(reply(signed))),
    )
    texts = [model.generate(QUESTION, []).text for _ in range(3)]
    assert texts == [f"the key is (key) and {key[:3]}", "(key)", "(key)"]
    assert key not in "".join(told) and "".join(told).startswith("the key is (key) and ")


@pytest.mark.parametrize("key", [KEY + "\ufeff", "AIza가", "AIza\u00a0b", "a b", "a\nb"])
def test_a_key_no_header_can_carry_is_not_sent(
    endpoint: Endpoint, connect: Connect, key: str
) -> None:
    given = connect(api_key=key).generate(QUESTION, [])
    assert outcome(given) == ("rejected", "key_invalid", False)
    assert given.usage == Usage()
    assert endpoint.requests == []


def test_white_space_around_the_key_is_no_part_of_it(endpoint: Endpoint, connect: Connect) -> None:
    endpoint.play(reply({"text": "a"}))
    connect(api_key=f" {KEY}\n").generate(QUESTION, [])
    assert endpoint.requests[0].headers["x-goog-api-key"] == KEY


def test_the_environment_does_not_redirect_a_call(
    endpoint: Endpoint, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "GOOGLE_API_KEY": "from-the-environment",
        "GEMINI_API_KEY": "from-the-environment-too",
        "GOOGLE_GENAI_USE_VERTEXAI": "true",
        "GOOGLE_GENAI_USE_ENTERPRISE": "true",
        "GOOGLE_CLOUD_PROJECT": "p",
        "GOOGLE_CLOUD_LOCATION": "l",
        "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9/other",
        "GOOGLE_GENAI_API_VERSION": "v9",
        "GOOGLE_GENAI_CLIENT_MODE": "replay",
        "GOOGLE_GENAI_REPLAYS_DIRECTORY": "/nowhere",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    endpoint.play(reply({"text": "a"}), reply({"text": "b"}))
    for stream in (False, True):
        assert connect(stream=stream).generate(QUESTION, []).outcome == "answer"
    for request in endpoint.requests:
        assert request.path.startswith("/v1beta/models/gemini-test:")
        assert request.headers["x-goog-api-key"] == KEY


def test_a_proxy_holds_for_everything_but_this_machine(
    endpoint: Endpoint, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", endpoint.url)
    endpoint.play(reply({"text": "a"}))
    connect(base_url="http://gemini.invalid/prefix").generate(QUESTION, [])
    path = "http://gemini.invalid/prefix/v1beta/models/gemini-test:generateContent"
    assert endpoint.requests[0].path == path


def test_an_http_client_that_is_not_installed(
    endpoint: Endpoint, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    monkeypatch.setenv("GOOGLE_GENAI_HTTP_CLIENT", "httpx")
    with pytest.raises(Problem, match="GOOGLE_GENAI_HTTP_CLIENT") as problem:
        connect()
    assert problem.value.__cause__ is None


@pytest.mark.parametrize(
    ("name", "value"), [("SSL_CERT_FILE", "/nowhere.pem"), ("HTTPS_PROXY", "gopher://127.0.0.1")]
)
def test_proxy_and_certificate_settings_that_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Problem, match="SSL_CERT_FILE"):
        GeminiModel("m", api_key=KEY)


def test_vertex_without_credentials_is_not_allowed(
    endpoint: Endpoint, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/credentials.json")
    given = connect(vertex=("my-project", "global")).generate(QUESTION, [])
    assert outcome(given) == ("rejected", "not_allowed", False)
    assert endpoint.requests == []


def test_nothing_is_said_at_import_or_on_the_way(
    endpoint: Endpoint, python: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    endpoint.play(Answer(b"no", 500), reply({"text": "답"}, finish="BRAND_NEW_REASON"))
    script = (
        "from agent.messages import user\n"
        "from agent.models.gemini import GeminiModel\n"
        f"model = GeminiModel('m', api_key='{KEY}', base_url='{endpoint.url}', stream=True)\n"
        "for _ in range(2): print(model.generate([user('q')], []).outcome)\n"
    )
    done = python("-X", "dev", "-c", script, GOOGLE_API_KEY="a", GEMINI_API_KEY="b")
    assert (done.stdout, done.stderr) == ("network\ntruncated\n", "")
