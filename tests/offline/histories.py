"""Requests to the offline Gemini, and legal histories to break."""

from __future__ import annotations

import copy
from typing import Any

from agent.offline.protocol import Answer, Request, Rules
from agent.offline.responder import OfflineGemini

PATH = "/v1beta/models/gemini-3.8-flash:generateContent"
KEY = {"x-goog-api-key": "any text"}


def says(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]}


def declared(name: str, description: str = "Find things", **schema: Any) -> dict[str, Any]:
    """A search tool; ``schema`` takes the place of its parameters."""
    parameters = schema or {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "Words"}},
        "required": ["query"],
    }
    return {"name": name, "description": description, "parametersJsonSchema": parameters}


def tool(**parameters: Any) -> dict[str, Any]:
    """A declaration in the older OpenAPI subset."""
    return {"name": "search", "description": "Search", "parameters": parameters}


BROWSER = declared("Browser", "Search the web")


def responses(*calls: dict[str, Any], text: str = "found") -> dict[str, Any]:
    """One content that answers ``calls``, their ids echoed."""
    answered = [
        {"name": call["name"], "response": {"output": text}}
        | ({"id": call["id"]} if "id" in call else {})
        for call in calls
    ]
    return {"role": "user", "parts": [{"functionResponse": each} for each in answered]}


def calls(content: dict[str, Any]) -> list[dict[str, Any]]:
    return [part["functionCall"] for part in content["parts"] if "functionCall" in part]


def ask(
    contents: Any,
    *tools: dict[str, Any],
    rules: Rules | None = None,
    path: str = PATH,
    headers: dict[str, str] = KEY,
    **fields: Any,
) -> Answer:
    """What the offline Gemini answers to a request."""
    body = {"contents": contents, **fields}
    if tools:
        body["tools"] = [{"functionDeclarations": list(tools)}]
    before = copy.deepcopy(body)
    answer = OfflineGemini(rules or Rules()).respond(Request("POST", path, headers, body))
    assert body == before, "the caller's request was changed"
    assert isinstance(answer, Answer)
    return answer


def content(answer: Answer) -> dict[str, Any]:
    """The content of a reply."""
    assert answer.status == 200, answer.body
    return answer.body["candidates"][0]["content"]


def message(answer: Answer) -> str:
    """What a refusal says."""
    assert answer.status != 200, answer.body
    return answer.body["error"]["message"]


def one_search() -> list[dict[str, Any]]:
    """A question, the call of the tool ``Browser``, and its response."""
    asked = says("Where is Oslo?")
    called = content(ask([asked], BROWSER))
    return [asked, called, responses(*calls(called))]


def two_calls() -> list[dict[str, Any]]:
    """A turn with two calls, as a real model makes them: a signature on the first only."""
    turn = {
        "role": "model",
        "parts": [
            {"functionCall": {"id": "a", "name": "Browser", "args": {"query": "x"}}},
            {"functionCall": {"id": "b", "name": "Finder", "args": {"query": "y"}}},
        ],
    }
    turn["parts"][0]["thoughtSignature"] = "c2lnLTE="
    return [says("Where is Oslo?"), turn, responses(*calls(turn))]
