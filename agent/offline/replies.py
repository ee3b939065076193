"""A model's turn as the API writes it: candidates, usage, and the chunks of a stream."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from agent.messages import function_calls, parts
from agent.models.wire import first_candidate
from agent.offline.protocol import Prompt
from agent.offline.signatures import call_id, signature
from agent.offline.tokens import count_tokens

MODEL_VERSION = "bareloop-offline"
PIECE = 48
"""Characters after which a streamed text goes on in the next chunk."""

Part = dict[str, Any]


def reply_body(prompt: Prompt, turn: Sequence[Part], finish: str = "STOP") -> dict[str, Any]:
    """The answer to generateContent. Calls get ids that no other call of the history has, and the
    first call gets a thought signature."""
    found = _signed(prompt, turn)
    output = count_tokens(turn)
    return {
        "candidates": [
            {"content": {"role": "model", "parts": found}, "finishReason": finish, "index": 0}
        ],
        "usageMetadata": {
            "promptTokenCount": prompt.tokens,
            "candidatesTokenCount": output,
            "totalTokenCount": prompt.tokens + output,
        },
        "modelVersion": MODEL_VERSION,
        "responseId": os.urandom(9).hex(),
    }


def _signed(prompt: Prompt, turn: Sequence[Part]) -> list[Part]:
    if not any("functionCall" in part for part in turn):
        return list(turn)
    asked = [call for content in prompt.contents for call in function_calls(content)]
    taken: set[str] = {call["id"] for call in asked if call.get("id")}
    found: list[Part] = []
    called = False
    for part in turn:
        if "functionCall" in part:
            call = part["functionCall"]
            place = f"{len(prompt.contents)}.{len(found)} {call['name']} {call['args']}"
            identifier = call.get("id") or call_id(place, taken)
            taken.add(identifier)
            named = {"id": identifier, "name": call["name"], "args": call["args"]}
            signed = {} if called else {"thoughtSignature": signature(call["name"], call["args"])}
            part = {"functionCall": named, **signed}
            called = True
        found.append(part)
    return found


def chunks(body: Any) -> list[Any]:
    """The same answer in pieces: text split, each call on its own; the finish reason and the
    usage come with the last. A list is taken as chunks, and what has no parts is one chunk."""
    if isinstance(body, list):
        return body
    candidate = first_candidate(body) if isinstance(body, dict) else {}
    content = candidate.get("content") or {}
    pieces = [piece for part in parts(content) for piece in _pieces(part)]
    if len(pieces) < 2:
        return [body]
    shared = {key: body[key] for key in ("modelVersion", "responseId") if key in body}
    made = [
        {"candidates": [{"content": {**content, "parts": [piece]}, "index": 0}], **shared}
        for piece in pieces[:-1]
    ]
    last = {**candidate, "content": {**content, "parts": [pieces[-1]]}}
    return [*made, {**body, "candidates": [last]}]


def _pieces(part: Part) -> Iterator[Part]:
    text = part.get("text")
    if not isinstance(text, str) or len(text) <= PIECE:
        yield part
        return
    found = re.findall(rf"(?s).{{1,{PIECE}}}(?:\s+|(?<=\s)|$)|.{{1,{PIECE}}}", text)
    for piece in found[:-1]:
        yield {"text": piece, **({"thought": True} if part.get("thought") else {})}
    yield {**part, "text": found[-1]}
