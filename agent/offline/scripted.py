"""Given replies and faults in place of the policy, for tests and lessons.

A script is JSON: ``{"responses": [...]}``, each response one of

* ``{"text": "...", "finish": "STOP"}``, ``{"calls": [{"name": "...", "args": {...}}]}`` or both:
  a model turn; calls get ids and a signature;
* ``{"status": 200, "body": {...}}``: exactly this answer; a body that is text goes out as a web
  page; an error status without a body gets the API's own (429 takes ``retry_s`` and ``daily``);
* ``{"fault": "reset" | "hang" | "half_body" | "html" | "empty"}``;

and with it ``"headers"``, ``"delay_s"``, ``"repeat": n`` or ``"always"``, and ``"when"``: the
response is only for requests that fit, by ``last_response`` (name of the function whose response
came last, "" for none), ``user_text`` and ``system_text`` (words in the last user turn and in the
system instruction), ``mode``, ``tools`` (names that are declared).

The first response that fits and is not used up answers. Requests that the API would refuse are
refused first and use up nothing; only calls made here must come back with their signature.
"""

from __future__ import annotations

import copy
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agent.catalogue import Problem
from agent.messages import function_responses
from agent.offline import refusals
from agent.offline.protocol import Answer, Prompt, Request, Rules, read
from agent.offline.question import Question
from agent.offline.refusals import Refusal
from agent.offline.replies import reply_body
from agent.offline.responder import Fault, Raw, Response
from tools.tokens import fold

_TURN = frozenset({"text", "calls", "finish"})
_GIVEN = frozenset({"status", "body", "retry_s", "daily"})
_FAULT = frozenset({"fault"})
_BESIDE = frozenset({"when", "repeat", "headers", "delay_s"})
_WHEN = frozenset({"last_response", "user_text", "system_text", "mode", "tools"})
_FAULTS = ("reset", "hang", "half_body", "html", "empty")
_PAGE = "<!doctype html><title>Sign in</title><p>Sign in to use this network.</p>"
_ERRORS = {
    400: refusals.INVALID_ARGUMENT,
    403: refusals.NO_KEY,
    404: refusals.NOT_FOUND,
    500: refusals.INTERNAL,
    503: Refusal(
        503,
        "This model is currently experiencing high demand. Spikes in demand are usually "
        "temporary. Please try again later.",
    ),
}
LENIENT = Rules(signatures="minted")
"""Calls of a script may lack signatures, so only those made here are asked for theirs."""

_USED_UP = Refusal(400, "The script has no response for this request.")


@dataclass(frozen=True)
class Recorded:
    """A request as it arrived, without its key. ``refused`` when the API's rules answered it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    refused: bool


@dataclass(frozen=True)
class When:
    """Which requests a response is for; every condition that is given must hold."""

    last_response: str | None = None
    user_text: str | None = None
    system_text: str | None = None
    mode: str | None = None
    tools: tuple[str, ...] = ()

    def fits(self, prompt: Prompt) -> bool:
        responses = function_responses(prompt.contents[-1])
        last = responses[-1].get("name", "") if responses else ""
        return (
            self.last_response in (None, last)
            and _says(Question.of(prompt.contents).text, self.user_text)
            and _says(prompt.system, self.system_text)
            and self.mode in (None, prompt.mode)
            and set(self.tools) <= {each["name"] for each in prompt.declarations}
        )


@dataclass(frozen=True)
class Entry:
    """One response of a script; ``repeat`` None means as often as it fits."""

    make: Callable[[Prompt], Response]
    when: When = field(default_factory=When)
    repeat: int | None = 1
    delay_s: float = 0.0


class ScriptedGemini:
    """A responder that plays a script. ``requests`` holds every request in order; ``left`` is the
    number of responses that were not used up yet, ``"always"`` ones left out."""

    def __init__(
        self,
        script: Mapping[str, Any],
        rules: Rules = LENIENT,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.requests: list[Recorded] = []
        self._entries = _entries(script)
        self._used = [0] * len(self._entries)
        self._rules = rules
        self._sleep = sleep
        self._lock = threading.Lock()

    @classmethod
    def from_file(cls, path: Path) -> ScriptedGemini:
        """Raises Problem for a file that is no script."""
        return cls(_read_file(path))

    @property
    def left(self) -> int:
        rest = zip(self._entries, self._used, strict=True)
        return sum(entry.repeat - used for entry, used in rest if entry.repeat is not None)

    def respond(self, request: Request) -> Response:
        found = read(request, self._rules)
        with self._lock:
            self.requests.append(_recorded(request, isinstance(found, Answer)))
            if isinstance(found, Answer):
                return found
            entry = self._take(found)
        if entry is None:
            return Answer.refusing(_USED_UP)
        if entry.delay_s:
            self._sleep(entry.delay_s)
        return entry.make(found)

    def _take(self, prompt: Prompt) -> Entry | None:
        for i, entry in enumerate(self._entries):
            if (entry.repeat is None or self._used[i] < entry.repeat) and entry.when.fits(prompt):
                self._used[i] += 1
                return entry
        return None


def _recorded(request: Request, refused: bool) -> Recorded:
    path, _, query = request.path.partition("?")
    kept = "&".join(each for each in query.split("&") if each and not each.startswith("key="))
    secret = ("x-goog-api-key", "authorization")
    headers = {name.lower(): value for name, value in request.headers.items()}
    return Recorded(
        request.method,
        f"{path}?{kept}" if kept else path,
        {name: value for name, value in headers.items() if name not in secret},
        copy.deepcopy(request.body),
        refused,
    )


def _says(text: str, wanted: str | None) -> bool:
    return wanted is None or fold(wanted) in fold(text)


def _read_file(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Problem("serve.script_unreadable", path=path, reason=reason) from None
    except json.JSONDecodeError as error:
        raise Problem("serve.script_not_json", path=path, line=error.lineno) from None
    except (ValueError, RecursionError):
        raise Problem("serve.script_not_json", path=path, line=1) from None


def _entries(script: Any) -> list[Entry]:
    rows = cast(Any, script).get("responses") if isinstance(script, Mapping) else None
    if not isinstance(rows, list):
        raise Problem("serve.script_no_responses")
    return [_entry(row, number) for number, row in enumerate(cast(list[Any], rows), 1)]


def _entry(row: Any, number: int) -> Entry:
    if not isinstance(row, dict):
        raise Problem("serve.script_entry", number=number)
    row = cast(dict[str, Any], row)
    wrong = next((name for name in row if not _is_value(name, row[name])), None)
    if wrong is not None:
        raise Problem("serve.script_field", number=number, name=wrong)
    if not _says_what(row):
        raise Problem("serve.script_entry", number=number)
    repeat = row.get("repeat", 1)
    return Entry(
        _maker(row),
        _when(row.get("when", {})),
        None if repeat == "always" else repeat,
        row.get("delay_s", 0),
    )


def _says_what(row: dict[str, Any]) -> bool:
    """Whether a response is exactly one thing: a turn, a given answer, or a fault."""
    keys = set(row) - _BESIDE
    if keys & {"text", "calls"}:
        return keys <= _TURN
    if keys & {"status", "body"}:
        return keys <= _GIVEN and ("body" in row or row["status"] in {*_ERRORS, 429})
    return keys == _FAULT


def _is_value(name: str, value: Any) -> bool:
    """Whether a field is known and its value is of its kind."""
    match name:
        case "text" | "finish":
            return isinstance(value, str)
        case "calls":
            return isinstance(value, list) and all(map(_is_call, cast(list[Any], value)))
        case "status":
            return _is_number(value, whole=True) and 200 <= value <= 599
        case "fault":
            return value in _FAULTS
        case "repeat":
            return value == "always" or (_is_number(value, whole=True) and value > 0)
        case "delay_s" | "retry_s":
            return _is_number(value)
        case "daily":
            return isinstance(value, bool)
        case "headers":
            return isinstance(value, dict)
        case "when":
            return isinstance(value, dict) and all(_is_condition(*each) for each in value.items())
        case _:
            return name == "body"


def _is_condition(name: str, value: Any) -> bool:
    if name == "tools":
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return name in _WHEN and isinstance(value, str)


def _is_call(call: Any) -> bool:
    return (
        isinstance(call, dict)
        and isinstance(call.get("name"), str)
        and isinstance(call.get("args", {}), dict)
        and set(call) <= {"name", "args", "id"}
    )


def _is_number(value: Any, *, whole: bool = False) -> bool:
    kinds = int if whole else int | float
    return isinstance(value, kinds) and not isinstance(value, bool) and value >= 0


def _when(given: dict[str, Any]) -> When:
    fields: dict[str, Any] = {**given, "tools": tuple(given.get("tools", ()))}
    return When(**fields)


def _maker(row: dict[str, Any]) -> Callable[[Prompt], Response]:
    headers = {str(name): str(value) for name, value in row.get("headers", {}).items()}
    if "fault" in row:
        return lambda prompt: _fault(row["fault"], prompt)
    if row.keys() & {"text", "calls"}:
        turn, finish = _turn(row), row.get("finish", "STOP")
        return lambda prompt: Answer(200, reply_body(prompt, turn, finish), headers)
    status = row.get("status", 200)
    if "body" not in row:
        refusal = _quota(row) if status == 429 else _ERRORS[status]
        return lambda prompt: Answer(status, refusal.body, headers)
    if isinstance(row["body"], str):
        return lambda prompt: Raw(status, row["body"], headers=headers)
    return lambda prompt: Answer(status, copy.deepcopy(row["body"]), headers)


def _fault(kind: str, prompt: Prompt) -> Response:
    if kind == "html":
        return Raw(200, _PAGE)
    if kind == "empty":
        return Raw(200, "", "application/json; charset=UTF-8")
    whole = reply_body(prompt, [{"text": "This answer is cut off on its way to the client."}])
    return Fault(cast(Any, kind), whole)


def _turn(row: dict[str, Any]) -> list[dict[str, Any]]:
    text = [{"text": row["text"]}] if "text" in row else []
    calls = [{"functionCall": {"args": {}, **call}} for call in row.get("calls", [])]
    return [*text, *calls]


def _quota(row: dict[str, Any]) -> Refusal:
    """The API's 429, by minute or by day, with the seconds it asks to wait."""
    seconds, period = row.get("retry_s", 1), "PerDay" if row.get("daily") else "PerMinute"
    metric = "generativelanguage.googleapis.com/generate_content_free_tier_requests"
    message = (
        "You exceeded your current quota, please check your plan and billing details. For more "
        "information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. "
        "To monitor your current usage, head to: https://ai.dev/rate-limit. \n"
        f"* Quota exceeded for metric: {metric}, limit: 20, model: gemini-3.8-flash\n"
        f"Please retry in {seconds}s."
    )
    violation = {
        "quotaMetric": metric,
        "quotaId": f"GenerateRequests{period}PerProjectPerModel-FreeTier",
        "quotaDimensions": {"location": "global", "model": "gemini-3.8-flash"},
    }
    details = (
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{int(seconds)}s"},
    )
    return Refusal(429, message, details)
