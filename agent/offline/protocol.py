"""The API's side of a request: refused with the API's words, or read into what a model is shown.

Pure: it knows nothing of sockets, and it changes nothing of what it is given.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, cast
from urllib.parse import parse_qs, unquote, urlsplit

from agent.messages import Content, Declaration
from agent.offline import declarations, history, models, refusals, shapes
from agent.offline.refusals import Refusal
from agent.offline.tokens import count_prompt
from tools.patterns import lazy_pattern

_PATH = lazy_pattern(r"/(?P<version>v1beta|v1)/models(?:/(?P<model>[^:]+)(?::(?P<method>\w+))?)?")
_METHODS = frozenset({"generateContent", "streamGenerateContent", "countTokens"})


class Request(NamedTuple):
    """One HTTP request. ``path`` holds the query; header names may have any case; ``body`` is the
    JSON value that was sent, None when there was none."""

    method: str
    path: str
    headers: Mapping[str, str] = MappingProxyType({})
    body: Any = None

    @property
    def is_stream(self) -> bool:
        return urlsplit(self.path).path.endswith(":streamGenerateContent")

    @property
    def wants_events(self) -> bool:
        """Whether a stream comes as server-sent events; else it is one JSON array."""
        return parse_qs(urlsplit(self.path).query).get("alt") == ["sse"]

    @property
    def key(self) -> str:
        """The API key, from the header, the query or a bearer token; "" for none."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        bearer = headers.get("authorization", "").partition("Bearer ")[2]
        query = parse_qs(urlsplit(self.path).query).get("key", [""])
        return (headers.get("x-goog-api-key") or query[0] or bearer).strip()


class Answer(NamedTuple):
    """An HTTP status, a JSON body, and headers beyond the usual ones."""

    status: int
    body: Any
    headers: Mapping[str, str] = MappingProxyType({})

    @classmethod
    def refusing(cls, refusal: Refusal) -> Answer:
        return cls(refusal.code, refusal.body)


class Prompt(NamedTuple):
    """What a model is shown, in camelCase whichever way it was sent. ``allowed`` are the names it
    may call, all declared ones unless the request says otherwise."""

    model: str
    contents: list[Content]
    system: str
    declarations: list[Declaration]
    mode: Literal["AUTO", "ANY", "NONE"]
    allowed: frozenset[str]
    tokens: int


class Rules(NamedTuple):
    """How strict the API is. ``keys`` are the valid API keys; None takes any key. A gateway that
    needs no key is ``anonymous``."""

    keys: Collection[str] | None = None
    anonymous: bool = False
    ids: history.Ids = "optional"
    signatures: history.Signatures = "required"


DEFAULT_RULES = Rules()


def read(request: Request, rules: Rules) -> Prompt | Answer:
    """The prompt a model has to answer, or the API's own answer: a refusal, a list of models,
    a count of tokens."""
    try:
        found = _read(request, rules)
    except RecursionError:
        found = refusals.INVALID_ARGUMENT
    return Answer.refusing(found) if isinstance(found, Refusal) else found


def read_json(data: bytes) -> Any | Refusal:
    """The JSON value of a request body; NaN and Infinity are no JSON. An empty body is None."""
    text = data.decode("utf-8", "surrogateescape")
    if not text.strip():
        return None
    try:
        data.decode("utf-8")
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        return refusals.unexpected_token(_printable(text), error.pos)
    except _Constant as error:
        return refusals.unexpected_token(_printable(text), max(text.find(str(error)), 0))
    except UnicodeDecodeError as error:
        return refusals.unexpected_token(_printable(text), len(data[: error.start].decode()))
    except (RecursionError, ValueError):
        return refusals.INVALID_ARGUMENT


class _Constant(ValueError):
    """NaN, Infinity or -Infinity where a value was expected."""


def _no_constant(name: str) -> Any:
    raise _Constant(name)


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _read(request: Request, rules: Rules) -> Prompt | Answer | Refusal:
    path = _PATH.fullmatch(unquote(urlsplit(request.path).path))
    if path is None:
        return refusals.NOT_FOUND
    if not rules.anonymous and not request.key:
        return refusals.NO_KEY
    if rules.keys is not None and request.key not in rules.keys:
        return refusals.INVALID_KEY
    version, name, method = path["version"], path["model"], path["method"]
    if name is None:
        return _listing(request, version)
    entry = models.find(name, version)
    if entry is None:
        return refusals.unknown_model(name, version)
    if method is None and request.method == "GET":
        return Answer(200, entry.described())
    if method not in _METHODS or request.method != "POST":
        return refusals.unknown_model(name, version) if method else refusals.NOT_FOUND
    if method == "countTokens":
        return _counted(request.body)
    return _prompt(request.body, entry, rules)


def _listing(request: Request, version: str) -> Answer | Refusal:
    if request.method != "GET":
        return refusals.NOT_FOUND
    return Answer(200, {"models": [entry.described() for entry in models.known(version)]})


def _counted(body: Any) -> Answer | Refusal:
    view, faults = shapes.view_of(shapes.COUNT_TOKENS, body or {})
    if faults:
        return refusals.bad_json(faults)
    view = view.get("generateContentRequest") or view
    if not view.get("contents"):
        return refusals.bad_fields([("contents", "contents is not specified")])
    return Answer(200, {"totalTokens": _tokens(view)})


def _prompt(body: Any, entry: models.ModelEntry, rules: Rules) -> Prompt | Refusal:
    if body is not None and not isinstance(body, dict):
        text = 'Invalid JSON payload received. Unknown name "": Root element must be a message.'
        return refusals.bad_json([refusals.Violation("", text)])
    view, faults = shapes.view_of(shapes.REQUEST, body or {})
    if rules.ids == "unknown":
        faults.extend(_ids(view))
    if faults:
        return refusals.bad_json(faults)
    if wrong := list(_field_faults(view)):
        return refusals.bad_fields(wrong)
    return _check(view, entry, rules) or _shown(view, entry)


def _check(view: dict[str, Any], entry: models.ModelEntry, rules: Rules) -> Refusal | None:
    thinking = (view.get("generationConfig") or {}).get("thinkingConfig") or {}
    return (
        declarations.check(_declared(view), _calling(view))
        or entry.refuses(thinking.get("thinkingLevel", ""))
        or history.check(view["contents"], rules.ids, rules.signatures)
    )


def _shown(view: dict[str, Any], entry: models.ModelEntry) -> Prompt | Refusal:
    declared, calling = _declared(view), _calling(view) or {}
    names = frozenset(each["name"] for each in declared)
    listed = calling.get("allowedFunctionNames")
    mode = calling.get("mode", "AUTO")
    try:
        tokens = _tokens(view)
    except ValueError:  # NaN or Infinity: only the in-process door can bring them this far
        return refusals.unexpected_token("NaN", 0)
    return Prompt(
        model=entry.name,
        contents=view["contents"],
        system=_system(view),
        declarations=declared,
        mode=cast(Any, mode if mode in ("ANY", "NONE") else "AUTO"),
        allowed=names & frozenset(listed) if listed else names,
        tokens=tokens,
    )


def _declared(view: dict[str, Any]) -> list[Declaration]:
    tools = view.get("tools") or []
    return [each for tool in tools for each in tool.get("functionDeclarations") or []]


def _calling(view: dict[str, Any]) -> dict[str, Any] | None:
    return (view.get("toolConfig") or {}).get("functionCallingConfig")


def _system(view: dict[str, Any]) -> str:
    found = (view.get("systemInstruction") or {}).get("parts") or []
    return "\n".join(part["text"] for part in found if "text" in part)


def _tokens(view: dict[str, Any]) -> int:
    return count_prompt(_system(view), view["contents"], _declared(view))


def _field_faults(view: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Values that the field rules forbid, found before anything about the order of turns."""
    if not view.get("contents"):
        yield "contents", "contents is not specified"
    for i, content in enumerate(view.get("contents") or []):
        for place, problem in _content_faults(content):
            yield f"contents[{i}].{place}", problem
    if "systemInstruction" in view:
        for place, problem in _content_faults(view["systemInstruction"]):
            yield f"system_instruction.{place}", problem
    yield from declarations.field_faults(view.get("tools") or [])


def _content_faults(content: Content) -> Iterator[tuple[str, str]]:
    found = content.get("parts")
    if not found:
        yield "parts", "contents.parts must not be empty."
        return
    for j, part in enumerate(found):
        if shapes.PART_DATA.isdisjoint(part):
            problem = "required oneof field 'data' must have one initialized field"
            yield f"parts[{j}].data", problem
        for camel, snake in _NAMED:
            if camel in part and not part[camel].get("name"):
                yield f"parts[{j}].{snake}.name", "Name cannot be empty."


_NAMED = (("functionCall", "function_call"), ("functionResponse", "function_response"))


def _ids(view: dict[str, Any]) -> Iterator[refusals.Violation]:
    """Every id of a call or a response, for endpoints that do not know the field."""
    for i, content in enumerate(view.get("contents") or []):
        for j, part in enumerate(content.get("parts") or []):
            for camel, snake in _NAMED:
                if "id" in part.get(camel, {}):
                    yield shapes.unknown_name("id", f"contents[{i}].parts[{j}].{snake}")
