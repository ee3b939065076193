"""The generateContent body and how its answer is read, for every door to a model.

Finish reasons and parts are read together: a reply is named by what can be done with it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from agent.messages import (
    Content,
    Declaration,
    Outcome,
    Reply,
    ToolMode,
    Usage,
    function_calls,
    visible_text,
)

FILTERED = {
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
    "MODEL_ARMOR",
}
"""Finish reasons that mean a filter held the reply back."""

UNREADABLE_CALL = {
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "MISSING_THOUGHT_SIGNATURE",
    "MALFORMED_RESPONSE",
}
"""Finish reasons that mean the model tried to call a tool and failed."""


def request_body(
    contents: list[Content],
    tools: list[Declaration],
    *,
    system: str = "",
    mode: ToolMode = "AUTO",
    generation: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The JSON body of generateContent. All declarations go into ONE tool; the history is held
    by reference, not copied. Mode AUTO is the API's default and is left out."""
    body: dict[str, Any] = {"contents": contents}
    if system:
        body["systemInstruction"] = {"parts": [{"text": system}]}
    if tools:
        body["tools"] = [{"functionDeclarations": tools}]
        if mode != "AUTO":
            body["toolConfig"] = {"functionCallingConfig": {"mode": mode}}
    if generation:
        body["generationConfig"] = generation
    return body


def read_reply(body: Any, declared: Collection[str] = ()) -> Reply:
    """Name a 200 answer. ``declared`` are the tool names of the request: text that spells a call
    to one of them is a malformed call, not an answer."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if not isinstance(body, dict) or not body:
        return Reply("empty", usage=Usage(requests=1), retryable=True)
    if isinstance(body.get("error"), dict):
        return read_error(int(body["error"].get("code") or 500), body)
    candidate = _first_candidate(body)
    content = candidate.get("content") if isinstance(candidate.get("content"), dict) else None
    finish = str(candidate.get("finishReason") or "")
    block = (body.get("promptFeedback") or {}).get("blockReason")
    outcome, cause = ("blocked", str(block)) if block else _name(content, finish, declared)
    return Reply(
        outcome,
        content=content,
        finish_reason=finish,
        usage=_usage(body),
        model=str(body.get("modelVersion") or ""),
        cause=cause,
        retryable=outcome in ("empty", "malformed"),
        note=str(candidate.get("finishMessage") or "")[:300],
    )


def _first_candidate(body: dict[str, Any]) -> dict[str, Any]:
    candidates = body.get("candidates")
    if isinstance(candidates, list) and candidates and isinstance(candidates[0], dict):
        return candidates[0]
    return {}


def _name(
    content: Content | None, finish: str, declared: Collection[str]
) -> tuple[Outcome, str]:
    calls = function_calls(content)
    text = visible_text(content)
    if finish in UNREADABLE_CALL:
        return "malformed", finish
    if finish in FILTERED:
        return "blocked", finish
    if finish == "MAX_TOKENS":
        return "truncated", finish
    if calls:
        return ("calls", "") if all(map(_readable, calls)) else ("malformed", "unreadable_call")
    if not text:
        return "empty", finish if finish != "STOP" else ""
    if _leaks_a_call(text, declared):
        return "malformed", "leaked_call"
    if finish not in ("STOP", ""):
        return "truncated", finish
    return "answer", ""


def _readable(call: Any) -> bool:
    return (
        isinstance(call, dict)
        and isinstance(call.get("name"), str)
        and bool(call["name"])
        and isinstance(call.get("args") or {}, dict)
        and isinstance(call.get("id") or "", str)
    )


def _leaks_a_call(text: str, declared: Collection[str]) -> bool:
    if text.lstrip().startswith("```tool_code"):
        return True
    return any(
        re.search(rf"default_api[.:]{re.escape(name)}\s*[({{]", text) for name in declared
    )


def _usage(body: dict[str, Any]) -> Usage:
    counts = body.get("usageMetadata")
    counts = counts if isinstance(counts, dict) else {}
    return Usage(
        requests=1,
        prompt_tokens=int(counts.get("promptTokenCount") or 0),
        output_tokens=int(counts.get("candidatesTokenCount") or 0)
        + int(counts.get("thoughtsTokenCount") or 0),
    )


def read_error(status: int, body: Any) -> Reply:
    """Name a refused request by its status and error body. The body's text goes no further:
    it may hold what was sent, and the reader gets one sentence of ours instead."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    error = body.get("error") if isinstance(body, dict) else None
    error = error if isinstance(error, dict) else {}
    details = [each for each in error.get("details") or [] if isinstance(each, dict)]
    message = str(error.get("message") or "")
    outcome, cause, retryable = _name_error(status, message, details)
    return Reply(
        outcome,
        usage=Usage(requests=1),
        status_code=status,
        cause=cause,
        retry_after=_retry_delay(details),
        retryable=retryable,
    )


def _name_error(
    status: int, message: str, details: list[dict[str, Any]]
) -> tuple[Outcome, str, bool]:
    if status == 429:
        daily = "PerDay" in str([each.get("violations") for each in details])
        return ("quota", "daily_quota", False) if daily else ("quota", "", True)
    if status == 408 or status >= 500:
        return "network", "overloaded" if status == 503 else "server_error", status != 501
    if 400 <= status < 500:
        return "rejected", _refusal(status, message, details), False
    return "network", "unexpected_status", False


def _refusal(status: int, message: str, details: list[dict[str, Any]]) -> str:
    reasons = {str(each.get("reason")) for each in details}
    if "API_KEY_INVALID" in reasons or "API key not valid" in message:
        return "key_invalid"
    if status in (401, 403):
        return "not_allowed"
    if status == 404:
        return "model_unknown"
    if "token count" in message and "exceeds" in message:
        return "context_too_long"
    return ""


def _retry_delay(details: list[dict[str, Any]]) -> float | None:
    for each in details:
        if str(each.get("@type", "")).endswith("google.rpc.RetryInfo"):
            match = re.fullmatch(r"(\d+(?:\.\d+)?)s", str(each.get("retryDelay")))
            return float(match.group(1)) if match else None
    return None
