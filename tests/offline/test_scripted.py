"""Given replies and faults, through both doors."""

from __future__ import annotations

import http.client
import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from agent.catalogue import Problem
from agent.messages import ToolResult, observation, user
from agent.offline.model import OfflineModel
from agent.offline.protocol import Rules
from agent.offline.scripted import ScriptedGemini
from agent.offline.server import serve
from tests.offline.histories import declared, says

PLAIN = "/v1beta/models/offline:generateContent"
STREAM = "/v1beta/models/offline:streamGenerateContent?alt=sse"
HEADERS = {"x-goog-api-key": "AIza-secret", "content-type": "application/json"}
HELLO = {"contents": [says("Hello!")]}
FIND = declared("find")


def script(*responses: dict[str, Any], **options: Any) -> ScriptedGemini:
    return ScriptedGemini({"responses": list(responses)}, **options)


def outcomes(*responses: dict[str, Any], requests: int | None = None) -> list[tuple[str, str]]:
    """What the in-process door makes of a script: outcome, and cause or text."""
    model = OfflineModel(script(*responses))
    replies = [model.generate([user("Hi")], []) for _ in range(requests or len(responses))]
    return [(reply.outcome, reply.cause or reply.text) for reply in replies]


def post(url: str, path: str = PLAIN, body: Any = HELLO, timeout: float = 10) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=timeout)
    connection.request("POST", path, json.dumps(body), HEADERS)
    response = connection.getresponse()
    return response.status, response.read()


# replies in order


def test_replies_are_played_in_order_and_then_no_more() -> None:
    assert outcomes({"text": "one"}, {"text": "two", "repeat": 2}, requests=4) == [
        ("answer", "one"),
        ("answer", "two"),
        ("answer", "two"),
        ("rejected", ""),
    ]
    assert outcomes({"text": "x", "repeat": "always"}, requests=9) == [("answer", "x")] * 9


def test_what_is_left_can_be_asked() -> None:
    gemini = script({"text": "one", "repeat": 3}, {"text": "x", "repeat": "always"})
    assert gemini.left == 3
    OfflineModel(gemini).generate([user("Hi")], [])
    assert gemini.left == 2


def test_a_scripted_call_can_be_answered() -> None:
    gemini = script(
        {
            "text": "Let me look.",
            "calls": [{"name": "find", "args": {"query": "x"}}, {"name": "find"}],
        },
        {"text": "Here."},
    )
    model = OfflineModel(gemini, remote=True)
    contents = [user("Hi")]
    reply = model.generate(contents, [FIND])
    assert [(call.name, call.args) for call in reply.calls] == [
        ("find", {"query": "x"}),
        ("find", {}),
    ]
    assert len({call.id for call in reply.calls}) == 2
    assert reply.content is not None
    assert [set(part) for part in reply.content["parts"]] == [
        {"text"},
        {"functionCall", "thoughtSignature"},
        {"functionCall"},
    ]
    results = [ToolResult(call, {"output": "found"}) for call in reply.calls]
    contents += [reply.content, observation(results)]
    assert model.generate(contents, [FIND]).text == "Here."
    assert model.remote


def test_finish_reasons() -> None:
    assert outcomes(
        {"text": "half a sen", "finish": "MAX_TOKENS"},
        {"text": "", "finish": "SAFETY"},
        {"calls": [], "finish": "MALFORMED_FUNCTION_CALL"},
    ) == [
        ("truncated", "MAX_TOKENS"),
        ("blocked", "SAFETY"),
        ("malformed", "MALFORMED_FUNCTION_CALL"),
    ]


def test_a_body_is_sent_as_it_stands() -> None:
    body = {"candidates": [{"content": {"role": "model", "parts": [{"text": "A"}]}}], "x": "y"}
    gemini = script({"status": 200, "body": body}, {"body": body}, {"status": 418, "body": {}})
    with serve(responder=gemini) as server:
        assert post(server.url) == (200, json.dumps(body).encode())
        assert post(server.url, STREAM)[1] == f"data: {json.dumps(body)}\r\n\r\n".encode()
        assert post(server.url) == (418, b"{}")


def test_a_scripted_body_is_a_new_one_each_time() -> None:
    body = {"candidates": [{"content": {"role": "model", "parts": [{"text": "A"}]}}]}
    model = OfflineModel(script({"body": body, "repeat": 2}))
    first, second = (model.generate([user("Hi")], []) for _ in range(2))
    assert first.content is not None
    first.content["parts"].clear()
    assert second.text == "A"


# faults


def test_faults_in_process_are_those_of_a_network() -> None:
    assert outcomes(
        *({"fault": kind} for kind in ("reset", "hang", "half_body", "html", "empty")),
        {"body": '{"candidates": ['},
        {"status": 502, "body": "<html>Bad Gateway</html>"},
    ) == [
        ("network", "dropped"),
        ("network", "timeout"),
        ("network", "dropped"),
        ("network", "not_json"),
        ("empty", ""),
        ("network", "not_json"),
        ("network", "server_error"),
    ]


def test_faults_on_the_wire() -> None:
    gemini = script(
        {"fault": "reset"}, {"fault": "half_body"}, {"fault": "html"}, {"fault": "empty"}
    )
    with serve(responder=gemini) as server:
        with pytest.raises(ConnectionResetError):
            post(server.url)
        with pytest.raises(http.client.IncompleteRead) as cut:
            post(server.url)
        assert cut.value.partial.startswith(b'{"candidates"')
        assert post(server.url)[1].startswith(b"<!doctype html>")
        assert post(server.url) == (200, b"")


def test_a_stream_can_be_cut() -> None:
    with serve(responder=script({"fault": "half_body"})) as server:
        with pytest.raises(http.client.IncompleteRead) as cut:
            post(server.url, STREAM)
        assert cut.value.partial.startswith(b"data: {")
        assert not cut.value.partial.endswith(b"\r\n\r\n")


def test_an_answer_can_stay_away_until_the_client_leaves() -> None:
    with serve(responder=script({"fault": "hang"}, {"text": "next"})) as server:
        with pytest.raises(TimeoutError):
            post(server.url, timeout=0.2)
        assert b"next" in post(server.url)[1]


def test_a_hanging_answer_does_not_hold_up_the_stop() -> None:
    with serve(responder=script({"fault": "hang"})) as server:
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
        connection.request("POST", PLAIN, json.dumps(HELLO), HEADERS)
        time.sleep(0.1)
        started = time.monotonic()
        server.stop()
        assert time.monotonic() - started < 2
        with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
            connection.getresponse()


def test_delays_and_headers() -> None:
    slept: list[float] = []
    gemini = script(
        {"status": 503, "headers": {"Retry-After": "7"}, "delay_s": 0.5}, sleep=slept.append
    )
    with serve(responder=gemini) as server:
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
        connection.request("POST", PLAIN, json.dumps(HELLO), HEADERS)
        response = connection.getresponse()
        assert (response.status, response.getheader("Retry-After")) == (503, "7")
    assert slept == [0.5]


def test_error_statuses_have_the_api_s_bodies() -> None:
    model = OfflineModel(
        script(
            {"status": 429, "retry_s": 7},
            {"status": 429, "daily": True},
            {"status": 503},
            {"status": 500},
            {"status": 400},
            {"status": 404},
        )
    )
    replies = [model.generate([user("Hi")], []) for _ in range(6)]
    assert [
        (reply.outcome, reply.cause, reply.status_code, reply.retryable) for reply in replies
    ] == [
        ("quota", "", 429, True),
        ("quota", "daily_quota", 429, False),
        ("network", "overloaded", 503, True),
        ("network", "server_error", 500, True),
        ("rejected", "", 400, False),
        ("rejected", "model_unknown", 404, False),
    ]
    assert replies[0].retry_after == 7


@pytest.mark.parametrize("name", ["h_overload", "z2_500", "z_generic", "f2_key_missing"])
def test_an_error_status_without_a_body_gets_the_api_s_own(name: str) -> None:
    reported = json.loads((Path(__file__).parent / "error_bodies.json").read_text("utf-8"))[name]
    with serve(responder=script({"status": reported["status"]})) as server:
        status, data = post(server.url)
    assert (status, json.loads(data)) == (reported["status"], reported["body"])


# by the purpose of a request


def test_a_response_may_wait_for_its_request() -> None:
    gemini = script(
        {"text": "after find", "when": {"last_response": "find"}},
        {"text": "asked for numbers", "when": {"system_text": "numbers ONLY"}},
        {"text": "asked of Oslo", "when": {"user_text": "oslo"}},
        {"text": "must write", "when": {"mode": "NONE"}},
        {"text": "has the tool", "when": {"tools": ["find"]}},
        {"text": "first question", "when": {"last_response": ""}},
        {"text": "anything", "repeat": "always"},
    )
    model = OfflineModel(gemini)
    asked = [user("Hi"), *called()]
    heard = [
        model.generate([user("Hi")], [FIND], mode="NONE").text,
        model.generate([user("Hi")], [FIND]).text,
        model.generate([user("Where is OSLO?")], []).text,
        model.generate([user("Hi")], [], system="Give  numbers only.").text,
        model.generate([user("Hi")], []).text,
        model.generate(asked, []).text,
        model.generate(asked, []).text,
    ]
    assert heard == [
        "must write",
        "has the tool",
        "asked of Oslo",
        "asked for numbers",
        "first question",
        "after find",
        "anything",
    ]


def called() -> list[dict[str, Any]]:
    """A step of a script that knows neither ids nor signatures."""
    return [
        {"role": "model", "parts": [{"functionCall": {"name": "find", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "find", "response": {}}}]},
    ]


# the rules stay on


def test_an_illegal_request_is_refused_and_uses_up_nothing() -> None:
    gemini = script({"text": "one"})
    model = OfflineModel(gemini)
    assert model.generate([], []).outcome == "rejected"
    assert model.generate([user("Hi")], []).text == "one"
    assert [request.refused for request in gemini.requests] == [True, False]


def test_only_calls_made_here_must_come_back_signed() -> None:
    gemini = script({"calls": [{"name": "find"}]}, {"text": "one", "repeat": "always"})
    model = OfflineModel(gemini)
    reply = model.generate([user("Hi")], [FIND])
    assert reply.content is not None
    step = [reply.content, observation([ToolResult(reply.calls[0], {"output": 1})])]
    assert model.generate([user("Hi"), *called()], [FIND]).text == "one"
    assert model.generate([user("Hi"), *step], [FIND]).text == "one"
    del reply.content["parts"][0]["thoughtSignature"]
    assert model.generate([user("Hi"), *step], [FIND]).outcome == "rejected"


def test_the_rules_can_be_those_of_the_api() -> None:
    gemini = script({"text": "one", "repeat": "always"}, rules=Rules())
    assert OfflineModel(gemini).generate([user("Hi"), *called()], [FIND]).outcome == "rejected"


# the record


def test_every_request_is_recorded_without_its_key() -> None:
    gemini = script({"text": "one", "repeat": "always"})
    with serve(responder=gemini) as server:
        post(server.url)
        post(server.url, f"{PLAIN}?key=AIza-secret&alt=json")
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
        headers = {"Authorization": "Bearer AIza-secret"}
        connection.request("POST", PLAIN, json.dumps(HELLO), headers)
        connection.getresponse().read()
    assert [(each.method, each.path, each.body) for each in gemini.requests] == [
        ("POST", PLAIN, HELLO),
        ("POST", f"{PLAIN}?alt=json", HELLO),
        ("POST", PLAIN, HELLO),
    ]
    assert gemini.requests[0].headers["content-type"] == "application/json"
    assert "secret" not in str(gemini.requests)


def test_a_recorded_history_does_not_change_later() -> None:
    gemini = script({"text": "one"})
    contents = [user("Hi")]
    OfflineModel(gemini).generate(contents, [])
    contents.append(user("later"))
    assert gemini.requests[0].body == {"contents": [user("Hi")]}


# script files


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_script_is_read_from_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "대본.json", '\ufeff{"responses": [{"text": "안녕"}]}')
    model = OfflineModel(ScriptedGemini.from_file(path))
    assert model.generate([user("Hi")], []).text == "안녕"


FAULTY = {
    "no JSON": ('{"responses": [\n{"text": }]}', "serve.script_not_json"),
    "not UTF-8": ("\udcff", "serve.script_not_json"),
    "no object": ("[]", "serve.script_no_responses"),
    "no responses": ("{}", "serve.script_no_responses"),
    "responses that are no list": ('{"responses": {}}', "serve.script_no_responses"),
    "a response that is no object": ('{"responses": [1]}', "serve.script_entry"),
    "an empty response": ('{"responses": [{}]}', "serve.script_entry"),
    "two things at once": (
        '{"responses": [{"text": "a", "fault": "reset"}]}',
        "serve.script_entry",
    ),
    "a text with a status": ('{"responses": [{"text": "a", "status": 200}]}', "serve.script_entry"),
    "a finish alone": ('{"responses": [{"finish": "STOP"}]}', "serve.script_entry"),
    "an answer without a body": ('{"responses": [{"status": 200}]}', "serve.script_entry"),
    "only conditions": ('{"responses": [{"when": {"mode": "ANY"}}]}', "serve.script_entry"),
}


@pytest.mark.parametrize(("text", "key"), FAULTY.values(), ids=FAULTY.keys())
def test_a_file_that_is_no_script(tmp_path: Path, text: str, key: str) -> None:
    path = tmp_path / "script.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Problem) as wrong:
        ScriptedGemini.from_file(path)
    assert wrong.value.key == key
    assert wrong.value.say("ko") and wrong.value.say("en")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Problem) as wrong:
        ScriptedGemini.from_file(tmp_path / "none.json")
    assert wrong.value.key == "serve.script_unreadable"


def test_a_script_says_where_it_is_wrong(tmp_path: Path) -> None:
    path = write(tmp_path / "script.json", '{"responses": [\n{"text": }]}')
    with pytest.raises(Problem) as wrong:
        ScriptedGemini.from_file(path)
    assert wrong.value.say("en") == f"The script {path} is no JSON at line 2; correct that line."


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("text", 1),
        ("finish", None),
        ("calls", "find"),
        ("calls", [{"args": {}}]),
        ("calls", [{"name": "find", "args": "x"}]),
        ("status", "200"),
        ("status", 99),
        ("status", 600),
        ("fault", "fire"),
        ("repeat", 0),
        ("repeat", "never"),
        ("repeat", True),
        ("delay_s", -1),
        ("retry_s", "1"),
        ("daily", 1),
        ("headers", []),
        ("when", []),
        ("when", {"weather": "rain"}),
        ("when", {"mode": 1}),
        ("when", {"tools": "find"}),
        ("texts", "a"),
    ],
)
def test_a_field_of_a_script_that_is_wrong(name: str, value: Any) -> None:
    with pytest.raises(Problem) as wrong:
        script({"text": "fine"}, {"text": "a", name: value})
    assert (wrong.value.key, wrong.value.values) == (
        "serve.script_field",
        {"number": 2, "name": name},
    )
