"""A trace as OpenTelemetry spans, for the viewers that a team already has.

Spans and names follow the GenAI semantic conventions as of November 2026 (repository
open-telemetry/semantic-conventions-genai; schema 1.44.0, status: development, so names may still
change), and carry the keys of OpenInference beside them. The file is OTLP/JSON, one
ExportTraceServiceRequest a line, as the specification's file exporter writes it: each line can be
posted to ``/v1/traces``. Texts are left out unless they are asked for; ids, counts and times stay.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from agent.messages import Content, function_calls, function_responses, visible_text
from agent.settings import OFFLINE
from agent.traces.reading import UNFINISHED, Call, Event, Step, TracedRun, texts

SCHEMA_URL = "https://opentelemetry.io/schemas/1.44.0"

BEGINS = '{"resourceSpans": [{"resource": {"attributes": [{"key": "service.name", "value": \
{"stringValue": "bareloop"}}'
"""What an export begins with, so that it can be told from a file of somebody else's."""

Span = dict[str, Any]
Attributes = dict[str, Any]

_INTERNAL, _CLIENT, _ERROR = 1, 3, 2
_FAILED_RUN = frozenset(
    {
        "network", "quota", "rejected", "blocked", "malformed", "truncated", "empty",
        "interrupted", UNFINISHED,
    }
)  # fmt: skip
_FAILED_REPLY = _FAILED_RUN - {"interrupted", UNFINISHED}


def export(run: TracedRun, content: bool) -> dict[str, Any]:
    """One question as an ExportTraceServiceRequest; ``content`` takes the texts along."""
    exporter = _Exporter(run, content)
    resource = {"service.name": "bareloop", "service.version": version("bareloop")}
    scope = {"name": "bareloop.traces", "version": version("bareloop")}
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes(resource)},
                "scopeSpans": [
                    {
                        "scope": scope,
                        "spans": [*exporter.spans()],
                        "schemaUrl": SCHEMA_URL,
                    }
                ],
                "schemaUrl": SCHEMA_URL,
            }
        ]
    }


class _Exporter:
    """Makes the spans of one run; ids are derived, so that the same trace gives the same spans."""

    def __init__(self, run: TracedRun, content: bool) -> None:
        self._run = run
        self._content = content
        self._trace_id = _hex(run.start.data["request_id"], 32)
        self._root = self._span_id("invoke_agent")
        since = run.asked_at.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
        self._zero = (since.days * 86_400 + since.seconds) * 10**9 + since.microseconds * 1000
        self._offline = run.model == OFFLINE
        self._passages = dict(texts(run))

    def spans(self) -> Iterator[Span]:
        yield self._agent()
        for step in self._run.steps:
            yield from self._requests(step)
            for place, call in enumerate(step.calls):
                yield self._tool(step, place, call)

    def _span_id(self, *names: object) -> str:
        return _hex("/".join(map(str, (self._run.start.data["request_id"], *names))), 16)

    def _time(self, at: float) -> str:
        return str(self._zero + round(at * 1e9))

    def _span(
        self,
        name: str,
        id: str,
        kind: int,
        start: float,
        end: float,
        attributes: Attributes,
        error: str | None,
    ) -> Span:
        is_root = id == self._root
        given = attributes | ({"error.type": error} if error else {})
        return {
            "traceId": self._trace_id,
            "spanId": id,
            **({} if is_root else {"parentSpanId": self._root}),
            "name": name,
            "kind": kind,
            "startTimeUnixNano": self._time(start),
            "endTimeUnixNano": self._time(max(start, end)),
            "attributes": _attributes(given),
            "status": {"code": _ERROR} if error else {},
        }

    @property
    def _provider(self) -> str:
        return "bareloop.offline" if self._offline else "gcp.gemini"

    def _agent(self) -> Span:
        run, record = self._run, self._run.record
        attributes: Attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": self._provider,
            "gen_ai.agent.name": "bareloop",
            "gen_ai.agent.version": version("bareloop"),
            "gen_ai.request.model": run.model,
            "openinference.span.kind": "AGENT",
            "agent.name": "bareloop",
            "bareloop.stop_reason": run.stop_reason,
        }
        if isinstance(conversation := run.start.data.get("conversation"), str):
            attributes |= {"gen_ai.conversation.id": conversation, "session.id": conversation}
        if record is not None:
            usage = record["usage"]
            attributes |= {
                "gen_ai.usage.input_tokens": usage["prompt_tokens"],
                "gen_ai.usage.output_tokens": usage["output_tokens"],
                "bareloop.status": record["status"],
                "bareloop.steps": record["steps"],
                "bareloop.searches": len(record["searches"]),
                "bareloop.missing": len(record["missing"]),
                "bareloop.evidence": [each["id"] for each in record["evidence"]],
            }
            if usage["cost_usd"] is not None:
                attributes["bareloop.cost_usd"] = float(usage["cost_usd"])
        if self._content:
            told = (record["answer"] or record["message"]) if record else ""
            attributes |= _texts(run.question, "text/plain", told, "text/plain")
            attributes |= _messages("gen_ai.input.messages", [_user(run.question)])
            attributes |= _messages("gen_ai.output.messages", [_assistant(told)])
        error = run.stop_reason if run.stop_reason in _FAILED_RUN else None
        end = max(run.seconds, run.events[-1].at)
        return self._span(
            "invoke_agent bareloop", self._root, _INTERNAL, 0.0, end, attributes, error
        )

    def _requests(self, step: Step) -> Iterator[Span]:
        """Every request to the model that a step made: for its turn, for an answer that went back,
        and beside the conversation. A request that no reply followed ended with the step."""
        begun: Event | None = None
        for event in step.events:
            if event.name in ("request", "consult"):
                begun = event
            elif event.name in ("reply", "consulted") and begun is not None:
                yield self._request(step, begun, event)
                begun = None
        if begun is not None:
            yield self._request(step, begun, None)

    def _request(self, step: Step, asked: Event, answered: Event | None) -> Span:
        run = self._run
        is_turn = asked.name == "request"
        attributes: Attributes = {
            "gen_ai.operation.name": "generate_content",
            "gen_ai.provider.name": self._provider,
            "gen_ai.request.model": run.model,
            "openinference.span.kind": "LLM",
            "llm.model_name": run.model,
            "llm.provider": "bareloop" if self._offline else "google",
            "bareloop.step": step.number,
            "bareloop.purpose": "turn" if is_turn else "consultation",
        }
        error: str | None = UNFINISHED
        if answered is not None:
            given = answered.data
            outcome, cause = given["outcome"], given.get("cause")
            error = str(cause or outcome) if outcome in _FAILED_REPLY else None
            prompt, output = given["prompt_tokens"], given["output_tokens"]
            attributes |= {
                "gen_ai.usage.input_tokens": prompt,
                "gen_ai.usage.output_tokens": output,
                "llm.token_count.prompt": prompt,
                "llm.token_count.completion": output,
                "llm.token_count.total": prompt + output,
                "bareloop.outcome": outcome,
            }
            if given.get("finish_reason"):
                attributes["gen_ai.response.finish_reasons"] = [given["finish_reason"]]
            if given.get("model"):
                attributes["gen_ai.response.model"] = given["model"]
        if self._content:
            attributes |= self._request_content(step, asked, answered)
        end = answered.at if answered is not None else run.events[-1].at
        kind = _INTERNAL if self._offline else _CLIENT
        name = f"generate_content {run.model}"
        id = self._span_id("request", asked.line)
        return self._span(name, id, kind, asked.at, end, attributes, error)

    def _request_content(self, step: Step, asked: Event, answered: Event | None) -> Attributes:
        """The texts of a request. Of one beside the conversation only the instruction is known."""
        is_turn = asked.name == "request"
        system = step.system if is_turn else asked.data["system"]
        given = [message for each in step.seen for message in _message(each)] if is_turn else []
        written: list[dict[str, Any]] = []
        if answered is not None and answered.data["text"]:
            written = [_assistant(answered.data["text"])]
        elif answered is not None and is_turn and step.calls:
            written = [*_message(step.calls[0].asked.data["content"])]
        attributes = {
            "gen_ai.system_instructions": _json([{"type": "text", "content": system}]),
            **_messages("gen_ai.input.messages", given),
            **_messages("gen_ai.output.messages", written),
            **_texts(_json(given), "application/json", _json(written), "application/json"),
            **_openinference("llm.input_messages", [_system(system), *given]),
            **_openinference("llm.output_messages", written),
        }
        if is_turn:
            attributes["gen_ai.tool.definitions"] = _json(
                [{"type": "function", **_definition(each)} for each in step.tools]
            )
        return attributes

    def _tool(self, step: Step, place: int, call: Call) -> Span:
        attributes: Attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.name,
            "gen_ai.tool.type": "function",
            "openinference.span.kind": "TOOL" if call.search is None else "RETRIEVER",
            "tool.name": call.name,
            "bareloop.step": step.number,
        }
        if call.id is not None:
            attributes["gen_ai.tool.call.id"] = call.id
        if call.search is not None:
            attributes["bareloop.outcome"] = call.search.data["outcome"]
            for number, hit in enumerate(call.search.data["hits"]):
                document = f"retrieval.documents.{number}.document"
                attributes[f"{document}.id"] = hit["id"]
                if isinstance(hit.get("score"), int | float):
                    attributes[f"{document}.score"] = float(hit["score"])
                if self._content and hit["id"] in self._passages:
                    attributes[f"{document}.content"] = self._passages[hit["id"]]
        if self._content:
            args, result = _json(call.args), _json(call.response)
            attributes |= {
                "gen_ai.tool.call.arguments": args,
                "gen_ai.tool.call.result": result,
                "tool.parameters": args,
                **_texts(args, "application/json", result, "application/json"),
            }
        start = call.tool.data["started"] if call.tool else call.asked.at
        end = start + call.tool.data["seconds"] if call.tool else self._run.events[-1].at
        error = UNFINISHED if call.response is None else None
        if call.error is not None:
            error = str(call.error.get("code"))
        id = self._span_id("tool", call.asked.line, place)
        return self._span(f"execute_tool {call.name}", id, _INTERNAL, start, end, attributes, error)


def _hex(text: str, length: int) -> str:
    """``text`` itself where it is an id of that length, else one derived from it."""
    is_id = len(text) == length and not set(text) - set("0123456789abcdef") and set(text) != {"0"}
    return text if is_id else sha256(text.encode("utf-8", "replace")).hexdigest()[:length]


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(each)} for key, each in values.items()]


def _value(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [_value(each) for each in value]}}
        case _:
            return {"stringValue": str(value).encode("utf-8", "replace").decode()}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _texts(given: str, given_type: str, written: str, written_type: str) -> Attributes:
    """What OpenInference shows of a span at a glance."""
    return {
        "input.value": given,
        "input.mime_type": given_type,
        "output.value": written,
        "output.mime_type": written_type,
    }


def _messages(key: str, messages: Sequence[dict[str, Any]]) -> Attributes:
    return {key: _json(messages)}


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"type": "text", "content": text}]}


def _assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "parts": [{"type": "text", "content": text}]}


def _system(text: str) -> dict[str, Any]:
    return {"role": "system", "parts": [{"type": "text", "content": text}]}


def _message(content: Content) -> Iterator[dict[str, Any]]:
    """A turn as messages of the conventions: responses of tools are messages of their own."""
    parts: list[dict[str, Any]] = []
    if text := visible_text(content):
        parts.append({"type": "text", "content": text})
    for call in function_calls(content):
        id = {"id": call["id"]} if call.get("id") else {}
        args = call.get("args") or {}
        parts.append({"type": "tool_call", **id, "name": call["name"], "arguments": args})
    if parts:
        yield {"role": "assistant" if content["role"] == "model" else "user", "parts": parts}
    for each in function_responses(content):
        id = {"id": each["id"]} if each.get("id") else {}
        response = {"type": "tool_call_response", **id, "response": each["response"]}
        yield {"role": "tool", "parts": [response]}


def _definition(declared: Mapping[str, Any]) -> dict[str, Any]:
    named = {key: declared[key] for key in ("name", "description") if key in declared}
    schema = declared.get("parametersJsonSchema")
    return {**named, **({"parameters": schema} if schema else {})}


def _openinference(key: str, messages: Sequence[dict[str, Any]]) -> Attributes:
    """Messages as OpenInference flattens them."""
    flat: Attributes = {}
    for number, message in enumerate(messages):
        place = f"{key}.{number}.message"
        flat[f"{place}.role"] = message["role"]
        calls = [each for each in message["parts"] if each["type"] == "tool_call"]
        for part in message["parts"]:
            match part["type"]:
                case "text":
                    flat[f"{place}.content"] = part["content"]
                case "tool_call_response":
                    flat[f"{place}.content"] = _json(part["response"])
                    if "id" in part:
                        flat[f"{place}.tool_call_id"] = part["id"]
                case _:
                    pass
        for n, call in enumerate(calls):
            asked = f"{place}.tool_calls.{n}.tool_call"
            flat[f"{asked}.function.name"] = call["name"]
            flat[f"{asked}.function.arguments"] = _json(call["arguments"])
            if "id" in call:
                flat[f"{asked}.id"] = call["id"]
    return flat
