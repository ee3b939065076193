"""What stands behind every door of the offline Gemini: a request in, an answer or a fault out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

from agent.offline.policy import next_turn
from agent.offline.protocol import DEFAULT_RULES, Answer, Prompt, Request, Rules, read
from agent.offline.replies import reply_body

FaultKind = Literal["reset", "hang", "half_body"]


class Fault(NamedTuple):
    """Something that goes wrong on the way: the connection is reset, the answer never comes, or
    half of ``body`` comes and then nothing."""

    kind: FaultKind
    body: Any = None


class Raw(NamedTuple):
    """An answer that is not the API's: a proxy's page, an empty body, broken JSON."""

    status: int
    text: str
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = MappingProxyType({})


Response = Answer | Raw | Fault


class Responder(Protocol):
    """Answers requests. It is shared by threads."""

    def respond(self, request: Request) -> Response: ...


class OfflineGemini:
    """The offline Gemini: the API's rules, then a policy that decides the model's turn."""

    def __init__(
        self,
        rules: Rules = DEFAULT_RULES,
        policy: Callable[[Prompt], list[dict[str, Any]]] = next_turn,
    ) -> None:
        self._rules = rules
        self._policy = policy

    def respond(self, request: Request) -> Response:
        found = read(request, self._rules)
        if isinstance(found, Answer):
            return found
        return Answer(200, reply_body(found, self._policy(found)))
