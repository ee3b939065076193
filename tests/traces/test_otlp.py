"""A trace as OpenTelemetry spans: what a collector would read of it."""

from __future__ import annotations

import base64
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from agent.limits import Limits
from tests.replies import call, turn
from tests.traces import recorded
from tests.traces.recorded import QUESTION, billing, office, record
from tests.traces.test_diagnose import (
    CITED,
    LAPTOP,
    LOST,
    NONE,
    PERMISSION,
    SAID,
    STEPS,
    UNCITED,
    WRONG_NAME,
    Lost,
    ride,
    web,
)

Export = Callable[..., str]

STORED = recorded.ROOT / "tests/data/traces/two_searches.jsonl"
TRACE_ID = f"{recorded.ID}0"

CONVENTIONS = {
    "gen_ai.agent.name", "gen_ai.agent.version", "gen_ai.conversation.id",
    "gen_ai.input.messages", "gen_ai.operation.name",
    "gen_ai.output.messages", "gen_ai.provider.name", "gen_ai.request.model",
    "gen_ai.response.finish_reasons", "gen_ai.response.model", "gen_ai.system_instructions",
    "gen_ai.tool.call.arguments", "gen_ai.tool.call.id", "gen_ai.tool.call.result",
    "gen_ai.tool.definitions", "gen_ai.tool.name", "gen_ai.tool.type",
    "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "error.type",
}  # fmt: skip
"""Of opentelemetry-semantic-conventions 0.66b2, as far as they are used here."""

OPENINFERENCE = (
    "openinference.span.kind", "agent.name", "input.value", "input.mime_type", "output.value",
    "output.mime_type", "llm.model_name", "llm.provider", "llm.token_count.prompt",
    "llm.token_count.completion", "llm.token_count.total", "llm.input_messages.",
    "llm.output_messages.", "retrieval.documents.", "tool.name", "tool.parameters",
)  # fmt: skip
"""Of openinference-semantic-conventions 0.1.42; a dot at the end begins a flattened list."""


@pytest.fixture
def trace(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Export:
    return recorded.bareloop(capsys, monkeypatch)


def parsed(path: Path) -> list[Any]:
    """The spans of a file, each line read as a collector reads it: a request whose ids are hex."""
    spans: list[Any] = []
    for line in path.read_text("utf-8").splitlines():
        request = json.loads(line)
        for group in request["resourceSpans"]:
            for scope in group["scopeSpans"]:
                for span in scope["spans"]:
                    for key in ("traceId", "spanId", "parentSpanId"):
                        if key in span:
                            span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
        message = json_format.ParseDict(request, ExportTraceServiceRequest())
        (group,) = message.resource_spans
        (scope,) = group.scope_spans
        assert {each.key: value(each.value) for each in group.resource.attributes} == {
            "service.name": "bareloop",
            "service.version": "0.1.0",
        }
        assert scope.schema_url == "https://opentelemetry.io/schemas/1.44.0"
        spans += scope.spans
    return spans


def value(any_value: Any) -> Any:
    kind = any_value.WhichOneof("value")
    if kind == "array_value":
        return [value(each) for each in any_value.array_value.values]
    return getattr(any_value, kind)


def given(span: Any) -> dict[str, Any]:
    return {each.key: value(each.value) for each in span.attributes}


def exported(trace: Export, file: Path, *flags: str) -> list[Any]:
    out = file.with_suffix(".otlp")
    trace("export", file, "--otlp", out, *flags)
    return parsed(out)


def test_a_question_of_a_chat_names_its_conversation(trace: Export, tmp_path: Path):
    file, alone = tmp_path / "t.jsonl", tmp_path / "alone.jsonl"
    record(file, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED, conversation="20261130-x")
    root = exported(trace, file)[0]
    assert given(root)["gen_ai.conversation.id"] == "20261130-x" == given(root)["session.id"]
    record(alone, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED)
    assert "gen_ai.conversation.id" not in given(exported(trace, alone)[0])


def test_the_chat_gives_its_questions_one_conversation(tmp_path: Path):
    from agent.chat.conversation import Conversation
    from agent.chat.place import Place
    from agent.chat.room import Room
    from agent.settings import Settings

    path = tmp_path / "t.jsonl"
    conversation = Conversation(Room(Settings(), Place("corpus", "billing"), trace=path), tmp_path)
    for _ in range(2):
        conversation.ask("invoice export")
    conversation.close()
    conversation.room.close()
    events = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    named = [each["conversation"] for each in events if each["event"] == "start"]
    assert named == [conversation.session.id] * 2


def test_the_spans_of_a_question(trace: Export, tmp_path: Path):
    out = tmp_path / "spans.jsonl"
    trace("export", STORED, "--otlp", out)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    spans = parsed(out)
    begun = spans[0].start_time_unix_nano
    assert begun == 1796029639970024000
    told = [
        (
            each.name,
            each.kind,
            round((each.start_time_unix_nano - begun) / 1e6, 1),
            round((each.end_time_unix_nano - each.start_time_unix_nano) / 1e6, 1),
            given(each)["openinference.span.kind"],
        )
        for each in spans
    ]
    assert told == [
        ("invoke_agent bareloop", 1, 0.0, 1630.0, "AGENT"),
        ("generate_content offline", 1, 200.0, 250.0, "LLM"),
        ("execute_tool find_steps", 1, 480.0, 9.9, "RETRIEVER"),
        ("generate_content offline", 1, 550.0, 1000.0, "LLM"),
        ("execute_tool find_permission", 1, 1570.0, 10.0, "RETRIEVER"),
    ]
    assert given(spans[0]) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "bareloop.offline",
        "gen_ai.agent.name": "bareloop",
        "gen_ai.agent.version": "0.1.0",
        "gen_ai.request.model": "offline",
        "gen_ai.usage.input_tokens": 972,
        "gen_ai.usage.output_tokens": 39,
        "openinference.span.kind": "AGENT",
        "agent.name": "bareloop",
        "bareloop.stop_reason": "max_searches",
        "bareloop.status": "incomplete",
        "bareloop.steps": 2,
        "bareloop.searches": 2,
        "bareloop.missing": 1,
        "bareloop.evidence": ["steps-1"],
    }
    assert given(spans[1]) == {
        "gen_ai.operation.name": "generate_content",
        "gen_ai.provider.name": "bareloop.offline",
        "gen_ai.request.model": "offline",
        "gen_ai.response.model": "bareloop-offline",
        "gen_ai.response.finish_reasons": ["STOP"],
        "gen_ai.usage.input_tokens": 424,
        "gen_ai.usage.output_tokens": 19,
        "openinference.span.kind": "LLM",
        "llm.model_name": "offline",
        "llm.provider": "bareloop",
        "llm.token_count.prompt": 424,
        "llm.token_count.completion": 19,
        "llm.token_count.total": 443,
        "bareloop.step": 1,
        "bareloop.purpose": "turn",
        "bareloop.outcome": "calls",
    }
    assert given(spans[2]) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find_steps",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "call_929470194aebb506",
        "openinference.span.kind": "RETRIEVER",
        "tool.name": "find_steps",
        "retrieval.documents.0.document.id": "steps-1",
        "retrieval.documents.0.document.score": 2.0,
        "bareloop.step": 1,
        "bareloop.outcome": "hits",
    }


def test_spans_hang_together(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED)
    record(file, LAPTOP, office(), LOST, SAID, number=1)
    spans = exported(trace, file)
    assert len({each.span_id for each in spans}) == len(spans) == 12
    for id, count in ((f"{recorded.ID}0", 8), (f"{recorded.ID}1", 4)):
        root, *rest = [each for each in spans if each.trace_id.hex() == id]
        assert len(rest) == count - 1 and root.parent_span_id == b""
        assert {each.parent_span_id for each in rest} == {root.span_id}
        last = max(each.end_time_unix_nano for each in rest)
        assert root.start_time_unix_nano <= min(each.start_time_unix_nano for each in rest)
        assert last <= root.end_time_unix_nano
    again = exported(trace, file)
    assert again == spans


def test_without_the_flag_no_text_leaves(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), LOST, UNCITED, SAID)
    exported(trace, file)
    written = file.with_suffix(".otlp").read_text("utf-8")
    for secret in ("노트북", "119", "시간", "내선", "citation", "evidence that your tools"):
        assert secret not in written
    assert "보안.txt:2" in written  # ids of evidence stay


def test_with_the_flag_both_conventions_carry_the_texts(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), LOST, SAID)
    spans = exported(trace, file, "--content")
    agent, first, tool, second = map(given, spans)
    said = "내선 119번입니다 [보안.txt:2]."
    question = {"role": "user", "parts": [{"type": "text", "content": LAPTOP}]}
    answer = {"role": "assistant", "parts": [{"type": "text", "content": said}]}
    assert agent["input.value"] == LAPTOP and agent["output.value"] == said
    assert json.loads(agent["gen_ai.input.messages"]) == [question]
    assert json.loads(agent["gen_ai.output.messages"]) == [answer]
    args = {"query": "노트북을 잃어버리면"}
    asked = {"type": "tool_call", "name": "search_documents", "arguments": args}
    assert json.loads(first["gen_ai.output.messages"]) == [{"role": "assistant", "parts": [asked]}]
    messages = json.loads(second["gen_ai.input.messages"])
    assert messages[:2] == [question, {"role": "assistant", "parts": [asked]}]
    assert (messages[2]["role"], messages[2]["parts"][0]["type"]) == ("tool", "tool_call_response")
    assert messages[2]["parts"][0]["response"]["output"]["hits"][0]["id"] == "보안.txt:2"
    (system,) = json.loads(first["gen_ai.system_instructions"])
    assert system["type"] == "text" and system["content"].startswith("You answer questions")
    (declared,) = json.loads(first["gen_ai.tool.definitions"])
    assert (declared["type"], declared["name"]) == ("function", "search_documents")
    assert declared["parameters"]["required"] == ["query"]
    assert json.loads(tool["gen_ai.tool.call.arguments"]) == args
    assert "내선 119번" in tool["gen_ai.tool.call.result"]
    assert "내선 119번" in tool["retrieval.documents.0.document.content"]
    roles = [second[f"llm.input_messages.{n}.message.role"] for n in range(4)]
    assert roles == ["system", "user", "assistant", "tool"]
    called = "llm.input_messages.2.message.tool_calls.0.tool_call.function"
    assert second[f"{called}.name"] == "search_documents"
    assert json.loads(second[f"{called}.arguments"]) == args
    assert second["llm.output_messages.0.message.content"] == said


def test_every_name_is_of_a_convention_or_ours(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), WRONG_NAME, LOST, UNCITED, SAID)
    record(file, QUESTION, billing(), Lost(), number=1)
    names = {key for each in exported(trace, file, "--content") for key in given(each)}
    others = {
        name
        for name in names - CONVENTIONS
        if not any(
            name == each or (each[-1] == "." and name.startswith(each)) for each in OPENINFERENCE
        )
    }
    assert others and all(name.startswith("bareloop.") for name in others)


def test_a_remote_model_is_a_client_of_gemini(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), Lost())
    agent, request = exported(trace, file)
    assert (request.kind, request.status.code, agent.kind, agent.status.code) == (3, 2, 1, 2)
    assert given(request)["gen_ai.provider.name"] == "gcp.gemini"
    assert given(request)["error.type"] == "dropped"
    assert given(agent)["error.type"] == "network"


def test_errors_of_tools_are_errors_of_spans(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), WRONG_NAME, LOST, SAID)
    wrong, right = [each for each in exported(trace, file) if each.name.startswith("execute")]
    assert (wrong.status.code, given(wrong)["error.type"]) == (2, "invalid_arguments")
    assert given(wrong)["openinference.span.kind"] == "TOOL"
    assert (right.status.code, "error.type" in given(right)) == (0, False)


def test_a_cap_is_no_error(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, QUESTION, billing(), STEPS, NONE, limits=Limits(max_searches=2))
    assert [each.status.code for each in exported(trace, file)] == [0, 0, 0, 0, 0]


def test_an_answer_that_went_back_is_a_request_of_its_own(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), LOST, UNCITED, SAID)
    requests = [
        each for each in exported(trace, file, "--content") if each.kind and "generate" in each.name
    ]
    assert [given(each)["bareloop.step"] for each in requests] == [1, 2, 2]
    returned, last = map(given, requests[1:])
    assert returned["llm.output_messages.0.message.content"] == "내선 119번입니다."
    assert json.loads(last["gen_ai.system_instructions"])[0]["content"].startswith("Note: your")


def test_a_run_that_was_killed_has_the_spans_it_had(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), LOST, SAID)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:7]))  # the call was asked for, and not answered
    agent, request, tool = exported(trace, file)
    assert [given(each).get("error.type") for each in (agent, request, tool)] == [
        "unfinished",
        None,
        "unfinished",
    ]
    file.write_bytes(b"".join(lines[:5]))  # the request was sent
    agent, request = exported(trace, file)
    assert given(request)["error.type"] == "unfinished"


def test_a_search_that_was_lost(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    record(file, "버스 요금은?", web("버스"), ride("버스 요금"), ride("버스 값"))
    tools = [given(each) for each in exported(trace, file) if each.name.startswith("execute")]
    assert [each["error.type"] for each in tools] == ["unavailable", "unavailable"]
    assert tools[0]["bareloop.outcome"] == "unavailable"


def test_calls_side_by_side_each_have_their_span(trace: Export, tmp_path: Path):
    file = tmp_path / "t.jsonl"
    both = turn(
        call("find_steps", query="invoice export"),
        call("find_permission", query="billing permission"),
    )
    record(file, QUESTION, billing(), both, CITED)
    tools = [given(each) for each in exported(trace, file) if each.name.startswith("execute")]
    assert [each["retrieval.documents.0.document.id"] for each in tools] == [
        "steps-1",
        "permission-1",
    ]


def test_what_cannot_be_written_or_is_not_there(trace: Export, tmp_path: Path):
    said = trace("export", STORED, "--otlp", tmp_path, code=2)
    assert "cannot be written (Is a directory)" in said
    (tmp_path / "t.jsonl").write_text('{"event": "trace", "version": 2}\n')
    said = trace("export", tmp_path / "t.jsonl", "--otlp", tmp_path / "o", code=2)
    assert "holds no question" in said and not (tmp_path / "o").exists()
