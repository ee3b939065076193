"""Whether a history is one the API takes: turn order, counts, roles, ids, thought signatures.

It works on the camelCase view of the contents. "The current turn" is everything since the last
user content that is not made of function responses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from agent.messages import Content
from agent.offline import refusals
from agent.offline.refusals import Refusal
from agent.offline.signatures import is_intact, is_ours

Ids = Literal["optional", "echoed", "unknown"]
"""What is asked of a response's id: wrong ids are always refused; ``echoed`` also refuses a
missing one (the newest models are said to; the official SDK's own loop leaves ids out),
``unknown`` refuses any id (older endpoints)."""

Signatures = Literal["required", "minted"]
"""Which calls must carry a signature: every first call of a step, or only those made here."""


class _Turn(NamedTuple):
    """One content as the rules see it; ``signed`` is the part of its first call, which has to carry
    the signature."""

    role: str
    calls: list[dict[str, Any]]
    responses: list[dict[str, Any]]
    parts: list[dict[str, Any]]
    signed: dict[str, Any]

    @classmethod
    def of(cls, content: Content) -> _Turn:
        parts: list[dict[str, Any]] = content.get("parts") or []
        calls: list[dict[str, Any]] = []
        responses: list[dict[str, Any]] = []
        signed: dict[str, Any] = {}
        for part in parts:
            if "functionCall" in part:
                signed = signed or part
                calls.append(part["functionCall"])
            if "functionResponse" in part:
                responses.append(part["functionResponse"])
        return cls(content.get("role") or "user", calls, responses, parts, signed)


def check(contents: Sequence[Content], ids: Ids, signatures: Signatures) -> Refusal | None:
    """The API's answer to a history it does not take; None for a legal one."""
    turns = [_Turn.of(content) for content in contents]
    before: _Turn | None = None
    for turn in turns:
        refusal = _check_turn(turn, before, ids)
        if refusal:
            return refusal
        before = turn
    if turns[-1].role == "model":
        return refusals.ENDS_WITH_MODEL
    return _check_signatures(turns, current_turn(contents), signatures)


def current_turn(contents: Sequence[Content]) -> int:
    """The index of the content that asks the current question."""
    return next((i for i in range(len(contents) - 1, -1, -1) if _asks(contents[i])), 0)


def _asks(content: Content) -> bool:
    """Whether a person says something here."""
    if (content.get("role") or "user") != "user":
        return False
    parts: list[dict[str, Any]] = content.get("parts") or []
    return not [part for part in parts if "functionResponse" in part]


def _check_turn(turn: _Turn, before: _Turn | None, ids: Ids) -> Refusal | None:
    if turn.role not in ("user", "model"):
        return refusals.BAD_ROLE
    if turn.calls:
        return _check_calls(turn, before)
    asked = before.calls if before else []
    if turn.responses and not asked:
        return refusals.RESPONSE_WITHOUT_CALL
    alone = not turn.responses or len(turn.parts) == len(turn.responses)
    if len(turn.responses) != len(asked) or not alone:
        return refusals.COUNTS_DIFFER
    if turn.role == "model" and (turn.responses or before is None):
        return refusals.INVALID_ARGUMENT
    return None if _match(asked, turn.responses, ids) else refusals.INVALID_ARGUMENT


def _check_calls(turn: _Turn, before: _Turn | None) -> Refusal | None:
    if turn.responses:
        return refusals.MIXED_TURN
    if turn.role == "user":
        return refusals.INVALID_ARGUMENT
    after_user = before is not None and before.role == "user"
    return None if after_user else refusals.CALL_NOT_AFTER_USER


def _match(calls: list[dict[str, Any]], responses: list[dict[str, Any]], ids: Ids) -> bool:
    """Whether the responses are for these calls: by id where ids are given, else by name."""
    if len(calls) == len(responses) == 1 and _named(calls[0]) == _named(responses[0]):
        return True
    open_calls = {call["id"]: call.get("name") for call in calls if call.get("id")}
    has_ids = bool(open_calls)
    for response in responses:
        identifier = response.get("id")
        if identifier and has_ids and open_calls.pop(identifier, None) != response.get("name"):
            return False
    if ids == "echoed" and open_calls:
        return False
    asked = [call.get("name", "") for call in calls]
    answered = [response.get("name", "") for response in responses]
    return asked == answered or sorted(asked) == sorted(answered)


def _named(call: dict[str, Any]) -> tuple[Any, Any]:
    return call.get("id"), call.get("name")


def _check_signatures(turns: Sequence[_Turn], start: int, signatures: Signatures) -> Refusal | None:
    for index in range(start, len(turns)):
        turn = turns[index]
        if not turn.calls:
            continue
        call = turn.calls[0]
        written = turn.signed.get("thoughtSignature")
        if written and not is_intact(written, call):
            return refusals.CORRUPTED_SIGNATURE
        if not written and (signatures == "required" or is_ours(call.get("id"))):
            return refusals.missing_signature(call.get("name", ""), index + 1)
    return None
