"""A smoke script: one conversation, where it is held, and what is expected of each answer.

The classes here are the format: they read a script, and the JSON Schema is made from them.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
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
from agent.smoke.lines import Document, Mistake, Unreadable, Where, as_yaml, is_plain, read_yaml
from agent.smoke.regex import check
from tools.home import tilde
from tools.web.backend import Reason

VERSION = 1

RECORDING = ".recording.yaml"
"""What the recording of ``NAME.yaml`` ends with, in the same folder."""

LONGEST_DELAY_S = 10.0
"""How long a response may keep the conversation waiting."""

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
Names = Annotated[list[Words], Field(min_length=1)]
OneOrMore = Annotated[Annotated[Words, Tag(_TEXT)] | Annotated[Names, Tag(_LIST)], _FORM]
Shape = TypeVar("Shape", bound=BaseModel)


def _whole(value: Any) -> Any:
    """2.0 as 2: a JSON Schema takes both for a whole number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _version(value: Any) -> Any:
    if isinstance(value, bool):  # which Python takes for 1
        given = _shown(value)
        raise Problem("smoke.unknown_value.known", entry="version", given=given, known="1")
    return _whole(value)


def _day(value: Any) -> Any:
    """A day as the calendar has it. Raises Problem."""
    try:
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise Problem("smoke.day", given=_shown(value))


Whole = Annotated[int, Field(ge=0), BeforeValidator(_whole)]
Positive = Annotated[int, Field(ge=1), BeforeValidator(_whole)]
HttpStatus = Annotated[int, Field(ge=200, le=599), BeforeValidator(_whole)]
Day = Annotated[date, BeforeValidator(_day)]


def _absent() -> Any:
    """What an entry is that was not written; nobody looks at it."""
    return None


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class _Said(_Part):
    """A part that must say something."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    @model_validator(mode="after")
    def _says_something(self) -> _Said:
        if not self.model_fields_set:
            keys = [field.alias or name for name, field in type(self).model_fields.items()]
            raise Problem("smoke.says_nothing", keys=", ".join(keys))
        return self


def _entry(about: str, **more: Any) -> Any:
    """An entry that may be left out, with what it is for."""
    return Field(default_factory=_absent, description=about, **more)


class TextMatch(_Said):
    """What a text holds, what it does not hold, and a regular expression that is found in it."""

    contains: OneOrMore = _entry("A text, or several, that are all in it.")
    not_: OneOrMore = _entry("A text, or several, none of which is in it.", alias="not")
    regex: Words = _entry("A regular expression (Python) that is found in it.")

    @field_validator("regex")
    @classmethod
    def _is_regex(cls, pattern: str) -> str:
        return check(pattern)


class Count(_Said):
    """Bounds of a number, both in it."""

    at_least: Annotated[float, Field(ge=0)] = _entry("The smallest that is right.")
    at_most: Annotated[float, Field(ge=0)] = _entry("The largest that is right.")

    @model_validator(mode="after")
    def _can_be_met(self) -> Count:
        low, high = self.at_least, self.at_most
        if low is not None and high is not None and low > high:
            raise Problem("smoke.bounds", low=_shown(low), high=_shown(high), at=("at_least",))
        return self


class Times(Count):
    """Bounds of how often something happened, both in it."""

    @model_validator(mode="after")
    def _can_fail(self) -> Times:
        if self.at_least == 0 and self.at_most is None:
            raise Problem("smoke.always", at=("at_least",))
        return self


class Evidence(_Said):
    """Ids that are among the evidence, and ids that are not."""

    contains: Names = _entry("Ids that are all among the evidence.")
    not_: Names = _entry("Ids none of which is among the evidence.", alias="not")


class Calls(_Said):
    """Names of the tools that were called."""

    exact: list[Words] = _entry("All calls in their order; an empty list for none.")
    in_order: Names = _entry("Calls in this order, with room for others in between.")
    any_order: Names = _entry("Calls in any order, each as often as it is named.")
    at_most: Annotated[
        Annotated[Whole, Tag(_NUMBER)]
        | Annotated[Annotated[dict[Words, Whole], Field(min_length=1)], Tag(_MAPPING)],
        _FORM,
    ] = _entry("How many calls there are at the most, in all or of each tool.")


class ValueMatch(_Said):
    """An argument that is more than one value."""

    number: float = _entry("A number, within its tolerance.")
    tolerance: Annotated[float, Field(ge=0)] = _entry("How far the number may be off.")
    contains: Words = _entry("A text that is in it.")
    regex: Words = _entry("A regular expression (Python) that is found in it.")
    ignore: Literal[True] = _entry("Any value, as long as the argument is there.")
    equals: Any = _entry("A list or an object that it equals.")

    @field_validator("regex")
    @classmethod
    def _is_regex(cls, pattern: str) -> str:
        return check(pattern)

    @model_validator(mode="after")
    def _has_its_number(self) -> ValueMatch:
        if self.tolerance is not None and self.number is None:
            raise Problem("smoke.tolerance", at=("tolerance",))
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
    Annotated[Annotated[list[dict[Words, Argument]], Field(min_length=1)], Tag(_LIST)]
    | Annotated[dict[Words, Argument], Tag(_MAPPING)],
    _FORM,
]
Text = Annotated[Annotated[Words, Tag(_TEXT)] | Annotated[TextMatch, Tag(_MAPPING)], _FORM]
TextOrNone = Annotated[
    Annotated[None, Tag(_NULL)]
    | Annotated[Words, Tag(_TEXT)]
    | Annotated[TextMatch, Tag(_MAPPING)],
    _FORM,
]
Number = Annotated[Annotated[Whole, Tag(_NUMBER)] | Annotated[Times, Tag(_MAPPING)], _FORM]


class Expect(_Said):
    """What is expected of one answer. What is not named is not looked at."""

    status: Status = _entry("How complete its evidence is.")
    stop: StopReason = _entry("Why it ended.")
    route: Route = _entry("The route that was chosen for the question.")
    missing: list[Words] = _entry("The evidence that is missing, in any order; [] for none.")
    evidence: Annotated[
        Annotated[list[Words], Tag(_LIST)] | Annotated[Evidence, Tag(_MAPPING)], _FORM
    ] = _entry("The ids of the evidence, in any order; [] for none.")
    searches: Number = _entry("How many searches were made.")
    steps: Number = _entry("How many turns the model took.")
    cost: Annotated[
        Annotated[None, Tag(_NULL)]
        | Annotated[Annotated[float, Field(ge=0)], Tag(_NUMBER)]
        | Annotated[Count, Tag(_MAPPING)],
        _FORM,
    ] = _entry("The cost in US dollars; null for one that is not known.")
    tools: Annotated[
        Annotated[list[Words], Tag(_LIST)] | Annotated[Calls, Tag(_MAPPING)], _FORM
    ] = _entry("The tools that the model called; a list is all of them in their order.")
    args: Annotated[dict[Words, Arguments], Field(min_length=1)] = _entry(
        "Of each tool the arguments of one of its calls; a list are those of its first calls. "
        "Arguments that are not named are not looked at."
    )
    answer: TextOrNone = _entry("A text in the answer; null for no answer.")
    message: Text = _entry("A text in what the reader is told beside the answer or instead.")
    citations: Literal["all_ok"] = _entry("Something is cited, and all of it is there.")
    never: Names = _entry("Texts that are nowhere in the trace of the conversation so far.")


class Turn(_Part):
    """One question. ``confirm`` is what the person says where conditions are proposed."""

    ask: Words = Field(description="The question.")
    confirm: bool = _entry("What the person says when conditions are proposed.")
    expect: Expect = Field(
        default_factory=lambda: Expect.model_construct(_fields_set=set()),
        description="What is expected; without it the question must not end for the network, a "
        "quota or a refusal of the API.",
    )


class Limited(_Part):
    """The budgets of each question, as the flags of ``bareloop ask`` name them."""

    max_steps: Whole = _entry("Turns of the model.")
    max_searches: Whole = _entry("Searches.")
    max_rounds: Whole = _entry("Rounds of searching for what is missing.")
    max_seconds: float = _entry("Seconds.")
    max_tokens: Whole = _entry("Tokens of all requests.")
    max_cost: float = _entry("US dollars.")

    @property
    def limits(self) -> Limits:
        """Raises Problem for a budget that makes no sense."""
        return _limits(self.model_dump(exclude_unset=True))

    @model_validator(mode="after")
    def _make_sense(self) -> Limited:
        for name, value in self.model_dump(exclude_unset=True).items():
            try:
                _limits({name: value})
            except Problem as problem:
                raise Problem(problem.key, **problem.values, at=(name,)) from None
        _ = self.limits
        return self


def _limits(given: dict[str, Any]) -> Limits:
    return Limits(**{"max_cost_usd" if name == "max_cost" else name: given[name] for name in given})


class Page(_Part):
    """A page that a search of the web finds."""

    title: str = Field(default="", description="Its title.")
    url: Words = Field(description="Its address.")
    snippet: Words = Field(description="What the search shows of it.")


class Web(_Said):
    """What stands in for the web: the pages that every search finds, or why none can be made."""

    pages: list[Page] = _entry("The pages that every search finds.")
    unavailable: Reason = _entry("Why no search can be made.")


class ScriptedCall(_Part):
    """A call in a response."""

    name: Words = Field(description="The tool.")
    args: dict[str, Any] = _entry("Its arguments.")
    id: Words = _entry("Its id; else one is drawn.")


class When(_Said):
    """Which requests a response is for; all of it must hold."""

    last_response: str = _entry("The tool whose response came last; an empty text for none.")
    user_text: Words = _entry("Words in the last question.")
    system_text: Words = _entry("Words in the system instruction.")
    mode: Words = _entry("The mode of calling tools.")
    tools: list[Words] = _entry("Tools that are declared.")


class Response(_Said):
    """A reply of the scripted model: a turn (text, calls, finish), a given answer (status, body),
    or a fault."""

    text: str = _entry("What it says.")
    calls: list[ScriptedCall] = _entry("The tools that it calls.")
    finish: Words = _entry("Its finish reason (STOP).")
    status: HttpStatus = _entry("The HTTP status of a given answer.")
    body: Any = _entry("The body of a given answer, as it is.")
    retry_s: Annotated[float, Field(ge=0)] = _entry("Seconds to wait that a 429 names.")
    daily: bool = _entry("Whether the quota of a 429 is that of the day.")
    fault: Literal["reset", "hang", "half_body", "html", "empty"] = _entry("What goes wrong.")
    when: When = _entry("Which requests it is for; else for any.")
    repeat: Annotated[
        Annotated[Positive, Tag(_NUMBER)] | Annotated[Literal["always"], Tag(_TEXT)],
        _FORM,
    ] = _entry("How often it is given (1).")
    headers: dict[Words, Any] = _entry("HTTP headers.")
    delay_s: Annotated[float, Field(ge=0, le=LONGEST_DELAY_S)] = _entry("Seconds until it comes.")


class Script(_Part):
    """One conversation of a smoke test of bareloop, and what is expected of it."""

    version: Annotated[Literal[1], BeforeValidator(_version)] = Field(
        description="The version of this format."
    )
    corpus: Words = _entry(
        "Where questions are answered from: the name of a built-in or indexed corpus, or a folder "
        "with a corpus.toml, written with a slash (./mine) and relative to the script. Else the "
        "corpus with a plan for the question."
    )
    docs: Words = _entry("A folder of documents instead, relative to the script.")
    web: Annotated[
        Annotated[Literal[True], Tag(_SWITCH)] | Annotated[Web, Tag(_MAPPING)], _FORM
    ] = _entry(
        "The web instead, or for the sources of the corpus that are there: true for the real one "
        "(--live), or what stands in for it."
    )
    where: list[Words] = Field(
        default_factory=list[str], description="Conditions that products and passages must meet."
    )
    permissions: list[Words] = Field(
        default_factory=list[str], description="What the person may see beside what is public."
    )
    narrow: bool = Field(
        default=False, description="Whether single lines may be chosen from passages."
    )
    route: Route = _entry("The route of every question; else rules choose.")
    lang: Language = _entry("The language of messages; else that of the question.")
    today: Day = _entry("The day it is (2026-11-30); else today.")
    model: Literal["offline", "scripted", "replay", "live"] = Field(
        default="offline",
        description="Who answers: the offline model, the responses of this file, a recording of "
        "Gemini beside it (--record makes one), or Gemini (only with --live).",
    )
    responses: list[Response] = _entry("What the scripted model answers, one after the other.")
    limits: Limited = Field(
        default_factory=lambda: Limited.model_construct(_fields_set=set()),
        description="The budgets of each question.",
    )
    turns: Annotated[list[Turn], Field(min_length=1)] = Field(
        description="The questions, one after the other."
    )

    @model_validator(mode="after")
    def _fits_together(self) -> Script:
        sources = [each for each in ("corpus", "docs", "web") if each in self.model_fields_set]
        if len(sources) > 1 and sources != ["corpus", "web"]:
            raise Problem("smoke.one_source", at=(sources[-1],))
        if (self.model == "scripted") != ("responses" in self.model_fields_set):
            at = "model" if self.model == "scripted" else "responses"
            raise Problem("smoke.responses", at=(at,))
        return self

    @property
    def played(self) -> list[dict[str, Any]]:
        """The responses as the offline Gemini takes them."""
        return [each.model_dump(exclude_unset=True) for each in self.responses or ()]


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
        """A file or folder that the script names: relative to the script. Its letters are UTF-8,
        whatever the locale has."""
        return str(self.path.parent / Path(os.fsdecode(name.encode())).expanduser())


def read_script(path: Path) -> Written:
    """Read a script. Raises Unreadable with every mistake in it."""
    document = read_yaml(path)
    script = validated(Script, document)
    if script.responses is not None:
        _check_responses(script.played, document)
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
            Mistake(document.path, document.line((*where, *problem.values.get("at", ()))), problem)
            for each in error.errors(include_url=False)
            for where in [_where(each["loc"], document.data)]
            for problem in [_problem(shape, each, where, document)]
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
            data = cast(Any, data)[step]
        elif place == len(location) - 1 and not str(step).startswith("<"):
            where.append(step)
    return tuple(where)


def _problem(shape: type[BaseModel], error: Any, where: Where, document: Document) -> Problem:
    """What pydantic complains about, as a sentence of ours."""
    names = [step for step in where if isinstance(step, str)]
    key, given = names[-1] if names else "?", document.written.get(where)
    given = _shown(error["input"]) if given is None else _short(given)
    kind, context = error["type"], error.get("ctx") or {}
    if isinstance(cause := context.get("error"), Problem):
        return cause
    match kind:
        case "extra_forbidden":
            known = _keys(shape.model_json_schema(), where[:-1])
            return unknown("smoke.unknown_key", str(where[-1]), known, entry=str(where[-1]))
        case "missing":
            return Problem("smoke.missing_key", entry=key)
        case _ if error["input"] is None:
            return Problem("smoke.null", entry=key)
        case "literal_error":
            known = re.findall(r"'([^']*)'", context["expected"])
            known = known or [context["expected"].replace("True", "true")]
            meant = str(error["input"])
            return unknown("smoke.unknown_value", meant, known, entry=key, given=given)
        case "string_type":
            return Problem("smoke.kind.text", entry=key, given=given)
        case "greater_than_equal" | "string_too_short" | "too_short":
            return Problem("smoke.kind.size", entry=key, given=given)
        case "less_than_equal":
            return Problem("smoke.kind.large", entry=key, given=given, most=context["le"])
        case _:
            return Problem("smoke.kind.other", entry=key, given=given)


def _shown(value: Any) -> str:
    """A value as it stands in YAML: true, and a text in quotes where it would be something else
    without."""
    if isinstance(value, str):
        written = value if is_plain(value) else json.dumps(value, ensure_ascii=False)
    else:
        written = json.dumps(value, ensure_ascii=False, default=str)
    return _short(written)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def unknown(problem: str, name: str, known: Sequence[str], /, **values: Any) -> Problem:
    """A ``name`` that is not known: with the known one that was probably meant, or with all of them
    where none is near."""
    found = difflib.get_close_matches(name, known, 1, 0.5)
    if found:
        return Problem(problem, **values, nearest=found[0])
    return Problem(f"{problem}.known", **values, known=", ".join(known))


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
