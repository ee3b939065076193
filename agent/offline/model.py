"""The offline Gemini without HTTP: a Model for chat, exercises and smoke tests."""

from __future__ import annotations

import json
from typing import Any

from agent.messages import Content, Declaration, Reply, ToolMode, Usage
from agent.models.wire import read_error, read_reply, request_body
from agent.offline.models import OFFLINE
from agent.offline.protocol import Request, Rules
from agent.offline.responder import Fault, OfflineGemini, Raw, Responder, Response

_LOST = {"hang": "timeout", "reset": "dropped", "half_body": "dropped"}


class OfflineModel:
    """Answers in process, through the same rules and policy as the loopback server.

    ``responder`` takes the place of the policy, for scripted replies; ``remote`` says whether its
    faults are to be treated like those of a network. Ids must be echoed here, because our own
    loop always can.
    """

    name = OFFLINE

    def __init__(self, responder: Responder | None = None, *, remote: bool = False) -> None:
        self.remote = remote
        self._responder = responder or OfflineGemini(Rules(ids="echoed"))

    def generate(
        self,
        contents: list[Content],
        tools: list[Declaration],
        *,
        system: str = "",
        mode: ToolMode = "AUTO",
        generation: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        """One request, one reply. The history is read by reference and never changed."""
        body = request_body(contents, tools, system=system, mode=mode, generation=generation)
        request = Request("POST", _PATH, {"x-goog-api-key": OFFLINE}, body)
        declared = {tool["name"] for tool in tools}
        return _read(self._responder.respond(request), declared)


_PATH = f"/v1beta/models/{OFFLINE}:generateContent"


def _read(response: Response, declared: set[str]) -> Reply:
    match response:
        case Fault(kind=kind):
            retryable = kind != "hang"
            return Reply("network", usage=Usage(1), cause=_LOST[kind], retryable=retryable)
        case Raw(status=status, text=text):
            body = _json(text)
            if status == 200 and body is None:
                return Reply("network", usage=Usage(1), cause="not_json", retryable=True)
        case _:
            status, body = response.status, response.body
    return read_reply(body, declared) if status == 200 else read_error(status, body)


def _json(text: str) -> Any:
    """The value of a raw body: nothing at all counts as an empty answer, None as no JSON."""
    try:
        return json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        return None
