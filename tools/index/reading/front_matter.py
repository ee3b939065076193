"""Front matter: the facts about a document that stand above its text, between ``---`` lines
(YAML) or ``+++`` lines (TOML)."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from unicodedata import normalize

from tools.index.reading.pieces import Field, ReadingError, Scalar, visible
from tools.index.reading.tables import typed
from tools.patterns import lazy_pattern

_MATTER = lazy_pattern(r"\A(---|\+\+\+)[ \t]*\n(.*?)^\1[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_YAML_DAY = "tag:yaml.org,2002:timestamp"
_LONGEST = 65_536
"""Characters in which front matter must end."""


@dataclass(frozen=True)
class FrontMatter:
    """What stood above the text, and the text with the number of its first line."""

    body: str
    first_line: int = 1
    title: str = ""
    facets: Mapping[str, Field] = field(default_factory=dict[str, Field])
    problems: tuple[ReadingError, ...] = ()


def split_front_matter(text: str) -> FrontMatter:
    """The front matter and the body of a text; one that cannot be read is told and left out."""
    match = _MATTER.match(text[:_LONGEST])
    if match is None:
        return FrontMatter(text)
    body, first_line = text[match.end() :], match[0].count("\n") + 1
    try:
        entries = _entries(match[1], match[2])
    except ValueError as error:
        problem = ReadingError("front_matter", line=_line_of(error) + 1)
        return FrontMatter(body, first_line, problems=(problem,))
    if entries is None:
        # a text that begins with a rule: nothing above it was meant for a machine
        return FrontMatter(text)
    named = dict(_leaves("", entries, set()))
    written = named.pop("title", "")
    title = written if isinstance(written, list) else [written]
    facets = {name: value for name, each in named.items() if (value := _field(each)) is not None}
    return FrontMatter(
        body, first_line, ", ".join(str(each) for each in map(_text, title) if each), facets
    )


def _leaves(name: str, value: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """(dotted name, value) of everything that is no mapping itself; one that stands in several
    places, or in itself, counts once."""
    if not isinstance(value, dict):
        yield name, value
    elif id(value) not in seen:
        seen.add(id(value))
        for key, each in cast(dict[Any, Any], value).items():
            inner = normalize("NFC", visible(str(key)))
            yield from _leaves(f"{name}.{inner}" if name else inner, each, seen)


class _Unread(ValueError):
    """Front matter that is not written by its rules, with the number of the line in it."""


def _line_of(error: ValueError) -> int:
    if isinstance(error, _Unread):
        return int(error.args[0])
    found = re.search(r"line (\d+)", str(error))
    return int(found[1]) if found else 1


def _field(value: Any) -> Field | None:
    """A value as a field holds it: the values of a list each for itself, dates as ISO text, and
    what a text writes as in a table."""
    if isinstance(value, list):
        return tuple(
            each for one in cast(list[Any], value) if isinstance(each := _field(one), Scalar)
        )
    text = _text(value)
    return typed(text) if isinstance(text, str) else text


def _text(value: Any) -> Scalar | None:
    if isinstance(value, str):
        return normalize("NFC", visible(value))
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return None


def _entries(mark: str, written: str) -> dict[Any, Any] | None:
    if mark == "+++":
        return tomllib.loads(written)
    import yaml  # type: ignore[import-untyped]

    loader = yaml.SafeLoader(written)
    # days stay as they are written: one that the calendar lacks must not cost the others
    loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in known if tag != _YAML_DAY]
        for first, known in loader.yaml_implicit_resolvers.items()
    }
    try:
        found = loader.get_single_data()
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        raise _Unread(place.line + 1 if place else 1) from None
    return cast(dict[Any, Any], found) if isinstance(found, dict) else None
