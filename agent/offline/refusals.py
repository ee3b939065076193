"""What the API says when it does not take a request, word for word.

The texts were collected from public issue threads, where people pasted the bodies that the live
API sent them between 2023 and 2026.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    408: "DEADLINE_EXCEEDED",
    411: "INVALID_ARGUMENT",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class Refusal(NamedTuple):
    """An error answer: the HTTP status, the API's message, and its details if it sends any."""

    code: int
    message: str
    details: tuple[dict[str, Any], ...] = ()

    @property
    def body(self) -> dict[str, Any]:
        """The answer as the API writes it: ``{"error": {code, message, status, details}}``."""
        status = _STATUSES.get(self.code, "INVALID_ARGUMENT" if self.code < 500 else "INTERNAL")
        error = {"code": self.code, "message": self.message, "status": status}
        return {"error": error | ({"details": list(self.details)} if self.details else {})}


class Violation(NamedTuple):
    """One fault of the JSON itself. ``field`` is the path in the request, "" for its top."""

    field: str
    description: str


RESPONSE_WITHOUT_CALL = Refusal(
    400,
    "Please ensure that function response turn comes immediately after a function call turn.",
)
CALL_NOT_AFTER_USER = Refusal(
    400,
    "Please ensure that function call turn comes immediately after a user turn or after a "
    "function response turn.",
)
COUNTS_DIFFER = Refusal(
    400,
    "Please ensure that the number of function response parts is equal to the number of function "
    "call parts of the function call turn.",
)
MIXED_TURN = Refusal(
    400,
    "Please ensure that function call turn contains at least one function_call part which can not "
    "be mixed with function_response parts.",
)
ENDS_WITH_MODEL = Refusal(
    400,
    "Please ensure that multiturn requests ends with a user role or a function response.",
)
BAD_ROLE = Refusal(400, "Please use a valid role: user, model.")
CORRUPTED_SIGNATURE = Refusal(400, "Corrupted thought signature.")
CONFIG_WITHOUT_DECLARATIONS = Refusal(
    400, "Function calling config is set without function_declarations."
)
NO_THINKING_LEVEL = Refusal(400, "Thinking level is not supported for this model.")
INVALID_ARGUMENT = Refusal(400, "Request contains an invalid argument.")
INTERNAL = Refusal(
    500,
    "An internal error has occurred. Please retry or report in "
    "https://developers.generativeai.google/guide/troubleshooting",
)
NO_KEY = Refusal(
    403,
    "Method doesn't allow unregistered callers (callers without established identity). Please use "
    "API Key or other form of API consumer identity to call this API.",
)
NOT_FOUND = Refusal(404, "Requested entity was not found.")

_BAD_KEY = "API key not valid. Please pass a valid API key."
INVALID_KEY = Refusal(
    400,
    _BAD_KEY,
    (
        {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
            "metadata": {"service": "generativelanguage.googleapis.com"},
        },
        {
            "@type": "type.googleapis.com/google.rpc.LocalizedMessage",
            "locale": "en-US",
            "message": _BAD_KEY,
        },
    ),
)


def missing_signature(function: str, position: int) -> Refusal:
    """A call of the current turn that lost its signature; ``position`` counts contents from 1."""
    return Refusal(
        400,
        "Function call is missing a thought_signature in functionCall parts. This is required for "
        "tools to work correctly, and missing thought_signature may lead to degraded model "
        f"performance. Additional data, function call `default_api:{function}` , position "
        f"{position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures "
        "for more details.",
    )


def unknown_model(name: str, version: str) -> Refusal:
    """A model name that this API version does not know."""
    return Refusal(
        404,
        f"models/{name} is not found for API version {version}, or is not supported for "
        "generateContent. Call ListModels to see the list of available models and their supported "
        "methods.",
    )


def thinking_level(level: str) -> Refusal:
    """A thinking level that the model does not have, though it has others."""
    return Refusal(
        400,
        f"Thinking level {level} is not supported for this model. Please retry with other "
        "thinking level.",
    )


def duplicate_function(name: str) -> Refusal:
    """Two declarations with one name."""
    return Refusal(400, f"Duplicate function declaration found: {name}")


def too_large(limit: int) -> Refusal:
    """A request body of more than ``limit`` bytes."""
    return Refusal(400, f"Request payload size exceeds the limit: {limit} bytes.")


def unexpected_token(text: str, position: int) -> Refusal:
    """JSON that cannot be read: the line around the place, and a mark under it."""
    start = max(position - 20, 0)
    line = text[start : position + 20].replace("\n", " ").replace("\r", " ")
    marked = f"{line}\n{' ' * (position - start)}^"
    return Refusal(400, f"Invalid JSON payload received. Unexpected token.\n{marked}")


def bad_json(violations: Sequence[Violation]) -> Refusal:
    """Fields that are unknown or of the wrong type, all of them in one answer."""
    fields = [
        ({"field": each.field} if each.field else {}) | {"description": each.description}
        for each in violations
    ]
    detail = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": fields}
    return Refusal(400, "\n".join(each.description for each in violations), (detail,))


def bad_fields(faults: Sequence[tuple[str, str]]) -> Refusal:
    """Fields whose value is not allowed: (path, what is wrong), all of them in one answer."""
    lines = [f"* GenerateContentRequest.{path}: {text}\n" for path, text in faults]
    return Refusal(400, "".join(lines))
