"""The generateContent body and how its answer is read, for every door to a model.

Finish reasons and parts are read together: a reply is named by what can be done with it.
"""

from __future__ import annotations

import json
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
from tools.patterns import lazy_pattern

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


BEYOND_REPAIR = {"MISSING_THOUGHT_SIGNATURE"}
"""Finish reasons that find fault with the history sent: asking again cannot help."""


_SIGNATURE = "thoughtSignature"
_ABOUT_A_PART = {
    _SIGNATURE, "thought", "videoMetadata", "mediaResolution", "partMetadata",
}  # fmt: skip
_BYTES = lazy_pattern(r"(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2,3}={0,2})?")


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
    """Name a 200 answer, whatever JSON it is. ``declared`` are the tool names of the request: text
    that spells a call to one of them is a malformed call, not an answer."""
    body = _unwrapped(body)
    if not isinstance(body, dict) or not body:
        return Reply("empty", usage=Usage(requests=1), retryable=True)
    if isinstance(body.get("error"), dict):
        return read_error(_count(body["error"].get("code")) or 500, body)
    candidate = first_candidate(body)
    content = _content(candidate)
    finish = str(candidate.get("finishReason") or "")
    block = _object(body.get("promptFeedback")).get("blockReason")
    outcome, cause = _name(content, finish, declared)
    if block:
        outcome, cause = "blocked", str(block)
    return Reply(
        outcome,
        content=content,
        finish_reason=finish,
        usage=_usage(_object(body.get("usageMetadata"))),
        model=str(body.get("modelVersion") or ""),
        cause=cause,
        retryable=outcome in ("empty", "malformed") and finish not in BEYOND_REPAIR,
        note=_note(candidate, content, outcome),
    )


def first_candidate(body: dict[str, Any]) -> dict[str, Any]:
    """The candidate that counts; empty when there is none."""
    candidates = body.get("candidates")
    return _object(candidates[0]) if isinstance(candidates, list) and candidates else {}


def _content(candidate: dict[str, Any]) -> Content | None:
    """The content as it came, but for what the API would not take back: a turn without the model's
    role, and parts that hold nothing. A signature that came alone stays, with an empty text."""
    content = candidate.get("content")
    if not isinstance(content, dict):
        return None
    given = content.get("parts")
    if isinstance(given, list) and not all(map(_holds_something, given)):
        held = map(_with_text, filter(lambda part: isinstance(part, dict), given))
        content = {**content, "parts": [part for part in held if _holds_something(part)]}
    return content if content.get("role") == "model" else {**content, "role": "model"}


def _holds_something(part: Any) -> bool:
    """Whether a part has data: any field that does not only say something about it."""
    return isinstance(part, dict) and any(
        part[name] is not None for name in part if name not in _ABOUT_A_PART
    )


def _with_text(part: dict[str, Any]) -> dict[str, Any]:
    return part if _holds_something(part) or not part.get(_SIGNATURE) else {**part, "text": ""}


def _can_go_back(content: Content) -> bool:
    """Whether the API would take a turn back as part of the history."""
    try:
        json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):  # NaN, half a surrogate pair, nothing but brackets
        return False
    found = content["parts"]
    signed = (part.get(_SIGNATURE) for part in found)
    return (
        all(isinstance(part.get("text"), str | None) for part in found)
        and not any("functionResponse" in part for part in found)
        and all(
            each is None or (isinstance(each, str) and _BYTES.fullmatch(each)) for each in signed
        )
    )


def _unwrapped(body: Any) -> Any:
    """streamGenerateContent may answer with a list of one."""
    return body[0] if isinstance(body, list) and len(body) == 1 else body


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int:
    """A whole number of the API; 0 for anything else."""
    try:
        return max(0, int(value))
    except (TypeError, ValueError, OverflowError):
        return 0


def _note(candidate: dict[str, Any], content: Content | None, outcome: Outcome) -> str:
    """What the API says about a failed call, else the names that were called."""
    message = candidate.get("finishMessage")
    if isinstance(message, str) and message:
        return message[:300]
    if outcome != "malformed":
        return ""
    return ", ".join(str(_object(call).get("name") or "") for call in function_calls(content))[:300]


def _name(content: Content | None, finish: str, declared: Collection[str]) -> tuple[Outcome, str]:
    calls = function_calls(content)
    text = visible_text(content)
    if finish in UNREADABLE_CALL:
        return "malformed", finish
    if finish in FILTERED:
        return "blocked", finish
    if finish == "MAX_TOKENS":
        return "truncated", finish
    if content and (calls or text) and not _can_go_back(content):
        return "malformed", "unreadable_call"
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
        and isinstance(call.get("args"), dict | None)
        and isinstance(call.get("id"), str | None)
    )


def _leaks_a_call(text: str, declared: Collection[str]) -> bool:
    if re.search(r"^\s*```tool_code", text, re.MULTILINE):
        return True
    return any(re.search(rf"default_api[.:]{re.escape(name)}\s*[({{]", text) for name in declared)


def _usage(counts: dict[str, Any]) -> Usage:
    return Usage(
        requests=1,
        prompt_tokens=_count(counts.get("promptTokenCount")),
        output_tokens=_count(counts.get("candidatesTokenCount"))
        + _count(counts.get("thoughtsTokenCount")),
    )


def read_error(status: int, body: Any) -> Reply:
    """Name a refused request by its status and error body. The body's text goes no further:
    it may hold what was sent, and the reader gets one sentence of ours instead."""
    error = _object(_object(_unwrapped(body)).get("error"))
    given = error.get("details")
    details = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    message = str(error.get("message") or "")
    outcome, cause, retryable = _name_error(status, message, details)
    return Reply(
        outcome,
        usage=Usage(requests=1),
        status_code=status,
        cause=cause,
        retry_after=_retry_delay(message, details),
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
    if status in (401, 403) or "location is not supported" in message:
        return "not_allowed"
    if status == 404 or "unexpected model name format" in message:
        return "model_unknown"
    if status == 413 or ("token count" in message and "exceeds" in message):
        return "context_too_long"
    return ""


def _retry_delay(message: str, details: list[dict[str, Any]]) -> float | None:
    """RetryInfo gives whole seconds, cut from those in the message: the longer one holds."""
    seconds = r"(\d+(?:\.\d+)?)s"
    for each in details:
        if str(each.get("@type", "")).endswith("google.rpc.RetryInfo"):
            asked = re.fullmatch(seconds, str(each.get("retryDelay")))
            told = re.search(rf"retry in {seconds}", message)
            return max((float(found[1]) for found in (asked, told) if found), default=None)
    return None
