"""A smoke script: one conversation, where it is held, and what is expected of each answer.

The classes here are the format: they read a script, and the JSON Schema is made from them.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    field_validator,
    model_validator,
)

from agent.catalogue import Language, Problem
from agent.limits import Limits
from agent.messages import StopReason
from agent.offline.scripted import ScriptedGemini
from agent.run import Route, Status
from agent.smoke.lines import Document, Mistake, Unreadable, Where, as_yaml, read_yaml
from tools.home import tilde
from tools.web.backend import Reason

VERSION = 1

RECORDING = ".recording.yaml"
"""What the recording of ``NAME.yaml`` ends with, in the same folder."""

_NULL, _SWITCH, _NUMBER, _TEXT, _LIST, _MAPPING = (
    "<null>", "<switch>", "<number>", "<text>", "<list>", "<mapping>",
)  # fmt: skip


def _kind(value: Any) -> str:
    """Which form of a value is meant, where it has several."""
    match value:
        case None:
            return _NULL
        case bool():
            return _SWITCH
        case int() | float():
            return _NUMBER
        case str():
            return _TEXT
        case list():
            return _LIST
        case _:
            return _MAPPING


_FORM = Discriminator(_kind)
Words = Annotated[str, Field(min_length=1)]
OneOrMore = Annotated[
    Annotated[None, Tag(_NULL)]
    | Annotated[Words, Tag(_TEXT)]
    | Annotated[Annotated[list[Words], Field(min_length=1)], Tag(_LIST)],
    _FORM,
]
Shape = TypeVar("Shape", bound=BaseModel)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="after")
    def _says_something(self) -> _Part:
        if not self.model_fields_set and not isinstance(self, Expect | Limited):
            keys = [field.alias or name for name, field in type(self).model_fields.items()]
            raise Problem("smoke.says_nothing", keys=", ".join(keys))
        return self


def _check_regex(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise Problem("smoke.regex", reason=error.msg) from None
    return pattern


class TextMatch(_Part):
    """What a text holds, what it does not hold, and a regular expression that is found in it."""

    contains: OneOrMore = None
    not_: OneOrMore = Field(default=None, alias="not")
    regex: Words | None = None

    @field_validator("regex")
    @classmethod
    def _is_regex(cls, pattern: str | None) -> str | None:
        return pattern and _check_regex(pattern)


class Count(_Part):
    """Bounds of a number, both in it."""

    at_least: float | None = None
    at_most: float | None = None


class Evidence(_Part):
    """Ids that are among the evidence, and ids that are not."""

    contains: list[Words] | None = None
    not_: list[Words] | None = Field(default=None, alias="not")


class Calls(_Part):
    """Names of the tools that were called: ``exact`` are all calls in their order, ``in_order``
    leaves room for others in between, ``any_order`` leaves the order open too, ``at_most`` bounds
    how many calls there are, in all or of a tool."""

    exact: list[Words] | None = None
    in_order: list[Words] | None = None
    any_order: list[Words] | None = None
    at_most: Annotated[
        Annotated[None, Tag(_NULL)]
        | Annotated[Annotated[int, Field(ge=0)], Tag(_NUMBER)]
        | Annotated[dict[Words, Annotated[int, Field(ge=0)]], Tag(_MAPPING)],
        _FORM,
    ] = None


class ValueMatch(_Part):
    """An argument that is more than one value: a ``number`` within its ``tolerance``, a text that
    ``contains`` something or has a ``regex`` found in it, anything (``ignore``), or a list or an
    object that it ``equals``."""

    number: float | None = None
    tolerance: Annotated[float, Field(ge=0)] | None = None
    contains: Words | None = None
    regex: Words | None = None
    ignore: Literal[True] | None = None
    equals: Any = None

    @field_validator("regex")
    @classmethod
    def _is_regex(cls, pattern: str | None) -> str | None:
        return pattern and _check_regex(pattern)

    @model_validator(mode="after")
    def _has_its_number(self) -> ValueMatch:
        if self.tolerance is not None and self.number is None:
            raise Problem("smoke.tolerance")
        return self


Argument = Annotated[
    Annotated[None, Tag(_NULL)]
    | Annotated[bool, Tag(_SWITCH)]
    | Annotated[int | float, Tag(_NUMBER)]
    | Annotated[str, Tag(_TEXT)]
    | Annotated[list[Any], Tag(_LIST)]
    | Annotated[ValueMatch, Tag(_MAPPING)],
    _FORM,
]
Arguments = Annotated[
    Annotated[list[dict[Words, Argument]], Tag(_LIST)]
    | Annotated[dict[Words, Argument], Tag(_MAPPING)],
    _FORM,
]
Text = Annotated[
    Annotated[None, Tag(_NULL)]
    | Annotated[Words, Tag(_TEXT)]
    | Annotated[TextMatch, Tag(_MAPPING)],
    _FORM,
]
Number = Annotated[
    Annotated[Annotated[int, Field(ge=0)], Tag(_NUMBER)] | Annotated[Count, Tag(_MAPPING)], _FORM
]


class Expect(_Part):
    """What is expected of one answer. What is not named is not looked at."""

    status: Status | None = None
    stop: StopReason | None = None
    route: Route | None = None
    missing: list[Words] | None = None
    evidence: Annotated[
        Annotated[list[Words], Tag(_LIST)] | Annotated[Evidence, Tag(_MAPPING)], _FORM
    ] = Field(default_factory=list[str])
    searches: Number = 0
    steps: Number = 0
    cost: Annotated[
        Annotated[None, Tag(_NULL)]
        | Annotated[Annotated[float, Field(ge=0)], Tag(_NUMBER)]
        | Annotated[Count, Tag(_MAPPING)],
        _FORM,
    ] = None
    tools: Annotated[
        Annotated[list[Words], Tag(_LIST)] | Annotated[Calls, Tag(_MAPPING)], _FORM
    ] = Field(default_factory=list[str])
    args: dict[Words, Arguments] = Field(default_factory=dict[str, Any])
    answer: Text = None
    message: Text = None
    citations: Literal["all_ok"] | None = None
    never: list[Words] = Field(default_factory=list[str])


class Turn(_Part):
    """One question. ``confirm`` is what the person says where conditions are proposed."""

    ask: Words
    confirm: bool | None = None
    expect: Expect = Field(default_factory=Expect)


class Limited(_Part):
    """The budgets of each question, as the flags of ``bareloop ask`` name them."""

    max_steps: int | None = None
    max_searches: int | None = None
    max_rounds: int | None = None
    max_seconds: float | None = None
    max_tokens: int | None = None
    max_cost: float | None = None

    @property
    def limits(self) -> Limits:
        """Raises Problem for a budget that makes no sense."""
        given = self.model_dump(exclude_none=True)
        if "max_cost" in given:
            given["max_cost_usd"] = given.pop("max_cost")
        return Limits(**given)

    @model_validator(mode="after")
    def _make_sense(self) -> Limited:
        _ = self.limits
        return self


class Page(_Part):
    """A page that a search of the web finds."""

    title: str = ""
    url: Words
    snippet: Words


class Web(_Part):
    """What stands in for the web: the pages that every search finds, or why none can be made."""

    pages: list[Page] | None = None
    unavailable: Reason | None = None


class Script(_Part):
    """One conversation."""

    version: Literal[1]
    corpus: Words | None = None
    docs: Words | None = None
    web: Annotated[
        Annotated[None, Tag(_NULL)]
        | Annotated[Literal[True], Tag(_SWITCH)]
        | Annotated[Web, Tag(_MAPPING)],
        _FORM,
    ] = None
    where: list[Words] = Field(default_factory=list[str])
    permissions: list[Words] = Field(default_factory=list[str])
    narrow: bool = False
    route: Route | None = None
    lang: Language | None = None
    today: Annotated[date, Field(strict=False)] | None = None
    model: Literal["offline", "scripted", "replay", "live"] = "offline"
    responses: list[dict[str, Any]] | None = None
    limits: Limited = Field(default_factory=Limited)
    turns: Annotated[list[Turn], Field(min_length=1)]

    @model_validator(mode="after")
    def _fits_together(self) -> Script:
        if sum(each is not None for each in (self.corpus, self.docs, self.web)) > 1:
            raise Problem("smoke.one_source")
        if (self.model == "scripted") != (self.responses is not None):
            raise Problem("smoke.responses")
        return self


@dataclass(frozen=True)
class Written:
    """A script and where everything stands in its file."""

    script: Script
    document: Document

    @property
    def path(self) -> Path:
        return self.document.path

    @property
    def recording(self) -> Path:
        """The file of what Gemini answered."""
        return self.path.with_name(self.path.stem + RECORDING)

    def line(self, *where: str | int) -> int:
        return self.document.line(where)

    def beside(self, name: str) -> str:
        """A file or folder that the script names: relative to the script."""
        return str(self.path.parent / Path(name).expanduser())


def read_script(path: Path) -> Written:
    """Read a script. Raises Unreadable with every mistake in it."""
    document = read_yaml(path)
    script = validated(Script, document)
    if script.responses is not None:
        _check_responses(script.responses, document)
    return Written(script, document)


def as_script(given: dict[str, Any]) -> str:
    """A script as it is written to a file. Raises ValueError for what is none."""
    script = {"version": VERSION, **given}
    Script.model_validate(script)
    return as_yaml(script)


def schema() -> dict[str, Any]:
    """The JSON Schema of a script, for editors."""
    made = Script.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def validated(shape: type[Shape], document: Document) -> Shape:
    """The values of a file in their shape. Raises Unreadable with every mistake."""
    if not isinstance(document.data, dict):
        raise Unreadable([Mistake(document.path, 1, Problem("smoke.no_mapping"))])
    try:
        return shape.model_validate(document.data)
    except ValidationError as error:
        found = [
            Mistake(document.path, document.line(where), _problem(shape, each, where))
            for each in error.errors(include_url=False)
            for where in [_where(each["loc"], document.data)]
        ]
        raise Unreadable(sorted(found, key=lambda each: each.line)) from None
    except RecursionError:
        raise Unreadable([Mistake(document.path, 1, Problem("smoke.too_deep"))]) from None


def _where(location: tuple[str | int, ...], data: Any) -> Where:
    """The way to the value that pydantic complains about: what names a form is no part of it."""
    where: list[str | int] = []
    for place, step in enumerate(location):
        inside = isinstance(data, dict) and step in data
        if inside or (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            where.append(step)
            data = data[step]
        elif place == len(location) - 1 and not str(step).startswith("<"):
            where.append(step)
    return tuple(where)


def _problem(shape: type[BaseModel], error: Any, where: Where) -> Problem:
    """What pydantic complains about, as a sentence of ours."""
    names = [step for step in where if isinstance(step, str)]
    key, given = names[-1] if names else "?", _short(error["input"])
    kind, context = error["type"], error.get("ctx") or {}
    if isinstance(cause := context.get("error"), Problem):
        return cause
    match kind:
        case "extra_forbidden":
            known = _keys(shape.model_json_schema(), where[:-1])
            return Problem("smoke.unknown_key", entry=str(where[-1]), nearest=nearest(key, known))
        case "missing":
            return Problem("smoke.missing_key", entry=key)
        case "literal_error":
            known = re.findall(r"'([^']*)'", context["expected"]) or [context["expected"]]
            found = nearest(given, known)
            return Problem("smoke.unknown_value", entry=key, given=given, known=found)
        case "string_type":
            return Problem("smoke.kind.text", entry=key, given=given)
        case "greater_than_equal" | "string_too_short" | "too_short":
            return Problem("smoke.kind.size", entry=key, given=given)
        case _:
            return Problem("smoke.kind.other", entry=key, given=_short(repr(error["input"])))


def _short(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def nearest(given: str, known: list[str]) -> str:
    """The known key that was probably meant; all of them where none is near."""
    found = difflib.get_close_matches(given, known, 1, 0.5)
    return found[0] if found else ", ".join(known)


def _keys(schema: dict[str, Any], where: Where) -> list[str]:
    """The keys that may stand at a place of a file."""
    nodes = [*_forms(schema, schema)]
    for step in where:
        nodes = [
            form
            for node in nodes
            for child in _children(node, step)
            for form in _forms(child, schema)
        ]
    return list(dict.fromkeys(name for node in nodes for name in node.get("properties", {})))


def _forms(node: dict[str, Any], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "$ref" in node:
        node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    yield node
    for each in [*node.get("anyOf", ()), *node.get("oneOf", ())]:
        yield from _forms(each, schema)


def _children(node: dict[str, Any], step: str | int) -> Iterator[dict[str, Any]]:
    if isinstance(step, int):
        if isinstance(items := node.get("items"), dict):
            yield items
    elif step in node.get("properties", {}):
        yield node["properties"][step]
    elif isinstance(more := node.get("additionalProperties"), dict):
        yield more


def _check_responses(responses: list[dict[str, Any]], document: Document) -> None:
    """Let the offline Gemini say whether it can play them."""
    try:
        ScriptedGemini({"responses": responses})
    except Problem as problem:
        where: Where = ("responses",)
        if isinstance(number := problem.values.get("number"), int):
            where = ("responses", number - 1)
        if (name := problem.values.get("name")) is not None:
            where = (*where, str(name))
        raise Unreadable([Mistake(document.path, document.line(where), problem)]) from None


def relative_to(folder: Path, name: str) -> str:
    """A file or folder as a script in ``folder`` writes it: the way from there; through the
    person's home with ``~``, lest their name stands in the script."""
    path = os.path.abspath(Path(name).expanduser())
    try:
        way = os.path.relpath(path, folder)
        shared = os.path.commonpath([path, os.path.abspath(folder)])
    except ValueError:  # another drive
        return Path(path).as_posix()
    if tilde(path) != path and tilde(shared) == shared:
        return tilde(path)
    return Path(way).as_posix()
