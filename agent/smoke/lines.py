"""YAML that remembers where everything stands, so that a mistake can be told by file and line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped]

from agent.catalogue import Language, Problem, tell
from tools.problems import InputError

Where = tuple[str | int, ...]
"""The keys and places that lead to a value: ``("turns", 0, "ask")``."""

_DEEPEST = 40


class Mistake(NamedTuple):
    """What is wrong in a file, and in which line, counted from 1."""

    path: Path
    line: int
    problem: Problem | InputError

    def told(self, language: Language) -> str:
        """The mistake as a sentence, without its place."""
        return tell(self.problem, language)


class Unreadable(Exception):
    """A file that cannot be used, with every mistake that was found in it."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        self.mistakes = mistakes
        super().__init__("; ".join(f"{each.path}:{each.line}: {each.problem}" for each in mistakes))


class Document(NamedTuple):
    """The values of a YAML file, and the line of each; of an entry it is that of its key."""

    path: Path
    text: str
    data: Any
    lines: dict[Where, int]

    def line(self, where: Where) -> int:
        """The line of a value, or of the nearest one around it."""
        while where not in self.lines and where:
            where = where[:-1]
        return self.lines.get(where, 1)


def read_yaml(path: Path) -> Document:
    """Read a YAML file of one document. Raises Unreadable."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise _at(path, 1, Problem("smoke.unreadable", reason=error.strerror or "")) from None
    except UnicodeDecodeError:
        raise _at(path, 1, Problem("smoke.not_utf8")) from None
    try:
        # never the faster loader of libyaml: it takes what other machines would not
        loader = yaml.SafeLoader(text)
        try:
            root = loader.get_single_node()
            lines = dict(_lines(root, path)) if root is not None else {}
            data = loader.construct_document(root) if root is not None else None
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else text.count("\n", 0, getattr(error, "position", 0)) + 1
        reason = getattr(error, "problem", None) or getattr(error, "reason", "")
        raise _at(path, line, Problem("smoke.no_yaml", reason=reason)) from None
    except (ValueError, RecursionError):  # a date that the calendar lacks, a thousand brackets
        raise _at(path, 1, Problem("smoke.no_yaml", reason="?")) from None
    return Document(path, text, data, lines)


def _at(path: Path, line: int, problem: Problem) -> Unreadable:
    return Unreadable([Mistake(path, line, problem)])


def _lines(node: Any, path: Path, where: Where = ()) -> Iterator[tuple[Where, int]]:
    """Where every value stands. Raises Unreadable for a key that is there twice, of which YAML
    would keep the last, and for values within themselves."""
    if len(where) > _DEEPEST:
        raise _at(path, node.start_mark.line + 1, Problem("smoke.too_deep"))
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.value in seen:
                raise _at(path, line, Problem("smoke.twice", entry=key.value))
            seen.add(str(key.value))
            inner = (*where, str(key.value))
            yield inner, line
            yield from _lines(value, path, inner)
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            yield (*where, place), value.start_mark.line + 1
            yield from _lines(value, path, (*where, place))


class _Readable(yaml.SafeDumper):  # type: ignore[misc]
    """Text of several lines as a block, and nothing as a reference to something above."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: Any, text: str) -> Any:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Readable.add_representer(str, _text)


def as_yaml(data: Any) -> str:
    """``data`` as YAML that a person can read: no escapes, keys in their order."""
    written = yaml.dump(data, Dumper=_Readable, allow_unicode=True, sort_keys=False, width=100)
    return str(written)
