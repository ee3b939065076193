"""What is said between our code and a model, in Gemini's own JSON.

Contents are plain dicts shaped as on the wire (camelCase), so that one list is the history, the
request and the trace. They are appended verbatim and never rebuilt: rebuilding a function call
loses its ``thoughtSignature``, and then the API answers 400.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

Content = dict[str, Any]
"""One turn: ``{"role": "user" | "model", "parts": [...]}``."""

Declaration = dict[str, Any]
"""One function declaration: ``{"name", "description", "parametersJsonSchema"}``."""

ToolMode = Literal["AUTO", "ANY", "NONE"]
"""functionCallingConfig.mode: the model may call, must call, must not call."""

Outcome = Literal[
    "calls",  # the model asks for tools
    "answer",  # the model wrote text and stopped by itself
    "truncated",  # text that was cut off: MAX_TOKENS or an unknown finish reason
    "blocked",  # the prompt or the reply was held back by a filter
    "empty",  # no text and no call
    "malformed",  # a call that cannot be read, or call syntax leaked as text
    "rejected",  # the API refused the request: 400, 401, 403, 404 ...
    "quota",  # 429
    "network",  # the request or its answer was lost: faults, timeouts, 5xx
    "stopped",  # our own code ended the run; no request was sent, or its answer came too late
]

StopReason = Literal[
    "answered",
    "max_steps",
    "max_searches",
    "max_rounds",
    "exhausted",
    "repeated_call",
    "no_progress",
    "context_full",
    "time_budget",
    "token_budget",
    "cost_budget",
    "blocked",
    "truncated",
    "empty",
    "malformed",
    "rejected",
    "quota",
    "network",
    "interrupted",
    "unsupported",
    "held",
]

CAPS = frozenset(
    {"max_steps", "max_searches", "max_rounds", "context_full"}
    | {"time_budget", "token_budget", "cost_budget"}
)
"""Reasons to stop that are limits."""


class ToolCall(NamedTuple):
    """One tool the model asked for. ``id`` is None when the API sent none."""

    name: str
    args: dict[str, Any]
    id: str | None = None


class ToolResult(NamedTuple):
    """What our code answers to one call: ``{"output": ...}`` or ``{"error": ...}``."""

    call: ToolCall
    response: dict[str, Any]

    @property
    def is_error(self) -> bool:
        return "error" in self.response


@dataclass(frozen=True)
class Usage:
    """Tokens and requests of one reply or one question; thinking tokens count as output."""

    requests: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Prompt and output tokens together."""
        return self.prompt_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.output_tokens + other.output_tokens,
        )


class Reply(NamedTuple):
    """One model reply, already read: what it was, and the content to record verbatim.

    ``cause`` narrows the outcome in one word for the message catalogue (``timeout``,
    ``daily_quota``, ``key_invalid``, a finish reason ...). ``status_code`` is the HTTP status of
    a refused request. ``retry_after`` is in seconds, as asked by the server. ``note`` is a short
    English text for the log and the next request, never shown as an answer.
    """

    outcome: Outcome
    content: Content | None = None
    finish_reason: str = ""
    usage: Usage = Usage()
    model: str = ""
    status_code: int | None = None
    cause: str = ""
    retry_after: float | None = None
    retryable: bool = False
    note: str = ""
    stop_reason: StopReason | None = None

    @property
    def calls(self) -> list[ToolCall]:
        """The function calls in the order asked; empty unless the outcome is ``calls``."""
        if self.outcome != "calls":
            return []
        return [
            ToolCall(call["name"], call.get("args") or {}, call.get("id"))
            for call in function_calls(self.content)
        ]

    @property
    def text(self) -> str:
        """The visible text of the reply: thoughts left out, flagged or written as ``THOUGHT:``."""
        return visible_text(self.content)

    @property
    def ends_with(self) -> StopReason:
        """Why a run that ends on this reply ends."""
        if self.stop_reason:
            return self.stop_reason
        if self.outcome == "answer" or self.outcome == "calls" or self.outcome == "stopped":
            return "answered"
        return self.outcome


class Model(Protocol):
    """Anything that turns a history into the next reply. A model never raises for what the
    service answers: refusals, quotas and lost connections are replies with an outcome.

    ``generation`` is a generationConfig for this request alone, for example a response schema.
    ``seconds`` is how long the reply may take, None for as long as the model allows by itself.
    ``remote`` is True where requests leave this process, so that they may be lost and retried.
    """

    name: str
    remote: bool

    def generate(
        self,
        contents: list[Content],
        tools: list[Declaration],
        *,
        system: str = "",
        mode: ToolMode = "AUTO",
        generation: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply: ...


def parts(content: Content | None) -> list[dict[str, Any]]:
    """The parts of a content that are objects; a missing or null list counts as none, and so does
    a content that is none."""
    found = content.get("parts") if isinstance(content, dict) else None
    return [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []


def function_calls(content: Content | None) -> list[dict[str, Any]]:
    """The functionCall objects of a content, in order."""
    return _of_parts(content, "functionCall")


def function_responses(content: Content | None) -> list[dict[str, Any]]:
    """The functionResponse objects of a content, in order."""
    return _of_parts(content, "functionResponse")


def _of_parts(content: Content | None, name: str) -> list[dict[str, Any]]:
    found = content.get("parts") if isinstance(content, dict) else None
    if not isinstance(found, list):
        return []
    return [part[name] for part in found if isinstance(part, dict) and part.get(name) is not None]


def visible_text(content: Content | None) -> str:
    """The text of a content that a person may see."""
    texts = [
        part["text"]
        for part in parts(content)
        if isinstance(part.get("text"), str) and not part.get("thought")
    ]
    spoken = [text for text in texts if not text.lstrip().startswith("THOUGHT:")]
    return "".join(spoken).strip()


def user(text: str) -> Content:
    """A person's turn."""
    return {"role": "user", "parts": [{"text": text}]}


def model_says(text: str) -> Content:
    """A model turn that our code writes, so that the history records what the reader was told."""
    return {"role": "model", "parts": [{"text": text}]}


def observation(results: list[ToolResult]) -> Content:
    """All results of one step as ONE content, one functionResponse per call, in the order asked.

    The API counts: "the number of function response parts is equal to the number of function
    call parts". The call's id is echoed when there is one and left out when there is none.
    """
    return {"role": "user", "parts": [_response_part(result) for result in results]}


def _response_part(result: ToolResult) -> dict[str, Any]:
    response: dict[str, Any] = {"name": result.call.name, "response": result.response}
    if result.call.id is not None:
        response = {"id": result.call.id, **response}
    return {"functionResponse": response}


def stopped(reason: StopReason, cause: str = "") -> Reply:
    """A reply without calls that our own code gives when a limit bites; nothing was sent."""
    return Reply("stopped", stop_reason=reason, cause=cause)
