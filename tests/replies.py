"""A model that gives the replies of a test in order and keeps every request it got."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from agent.messages import Content, Declaration, Reply, ToolMode
from agent.models.wire import read_reply


def call(name: str, /, **args: Any) -> dict[str, Any]:
    """A functionCall part."""
    return {"functionCall": {"name": name, "args": args}}


def turn(*parts: Any, finish: str = "STOP") -> dict[str, Any]:
    """A generateContent answer with these parts; a string is a text part."""
    written = [{"text": part} if isinstance(part, str) else part for part in parts]
    return {
        "candidates": [
            {"content": {"role": "model", "parts": written}, "finishReason": finish, "index": 0}
        ],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 2},
    }


class Replies:
    """Plays answers in the API's shape; a KeyboardInterrupt in the list is raised."""

    name = "replies"
    remote = False

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.requests: list[dict[str, Any]] = []

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
        request = {"contents": contents, "tools": tools, "system": system, "mode": mode}
        self.requests.append(copy.deepcopy(request))
        answer = self.answers.pop(0)
        if answer is KeyboardInterrupt:
            raise KeyboardInterrupt
        if isinstance(answer, Reply):
            return answer
        return read_reply(answer, [tool["name"] for tool in tools])


class Judged(Replies):
    """A model elsewhere that plays replies and judges by a function of what it was shown."""

    remote = True

    def __init__(self, judge: Callable[[str], Any], *answers: Any) -> None:
        super().__init__(*answers)
        self.judge = judge
        self.consulted: list[dict[str, Any]] = []

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
        if generation is None:
            return super().generate(contents, tools, system=system, mode=mode)
        self.consulted.append({"system": system, "tools": tools, "generation": generation})
        words = self.judge(contents[0]["parts"][0]["text"])
        written = words if isinstance(words, str) else json.dumps(words, ensure_ascii=False)
        return read_reply(turn(written), [])
