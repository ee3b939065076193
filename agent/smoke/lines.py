"""YAML that remembers where everything stands, so that a mistake can be told by file and line."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped]

from agent.catalogue import Language, Problem, tell
from tools.problems import InputError

Where = tuple[str | int, ...]
"""The keys and places that lead to a value: ``("turns", 0, "ask")``."""

_DEEPEST = 40
_MOST = 200_000
"""Values that a file may hold when everything that stands for something else is written out."""
_LARGEST = 20_000_000  # bytes

_KEYS = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge")


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
    """The values of a YAML file, and the line of each; of an entry it is that of its key.
    ``written`` is how a value stands there that is no text: ``yes`` or ``12:30``."""

    path: Path
    text: str
    data: Any
    lines: dict[Where, int]
    written: dict[Where, str]

    def line(self, where: Where) -> int:
        """The line of a value, or of the nearest one around it."""
        while where not in self.lines and where:
            where = where[:-1]
        return self.lines.get(where, 1)


def read_yaml(path: Path) -> Document:
    """Read a YAML file of one document, whose values are those that JSON has: a date is text.
    Raises Unreadable."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode) and not stat.S_ISDIR(about.st_mode):
            raise _at(path, 1, Problem("smoke.no_regular_file"))  # it may never end
        if about.st_size > _LARGEST:
            raise _at(path, 1, Problem("smoke.too_much"))
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise _at(path, 1, Problem("smoke.unreadable", reason=error.strerror or "")) from None
    except UnicodeDecodeError:
        raise _at(path, 1, Problem("smoke.not_utf8")) from None
    try:
        # never the faster loader of libyaml: it takes what other machines would not
        loader = _Loader(text)
        try:
            root = loader.get_single_node()
            places = _counted(_places(root, path), path) if root is not None else []
            data = loader.construct_document(root) if root is not None else None
        except RecursionError:  # a thousand brackets
            raise _at(path, loader.line + 1, Problem("smoke.too_deep")) from None
        finally:
            loader.dispose()
    except _NoValue as error:
        given = " ".join(str(error.node.value).split())[:60]
        line = error.node.start_mark.line + 1
        raise _at(path, line, Problem("smoke.no_value", given=given)) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else text.count("\n", 0, getattr(error, "position", 0)) + 1
        reason = getattr(error, "problem", None) or getattr(error, "reason", "")
        raise _at(path, line, Problem("smoke.no_yaml", reason=reason)) from None
    lines = {each.where: each.line for each in places}
    written = {each.where: each.written for each in places if each.written is not None}
    return Document(path, text, data, lines, written)


def _at(path: Path, line: int, problem: Problem) -> Unreadable:
    return Unreadable([Mistake(path, line, problem)])


class _NoValue(Exception):
    """A scalar that is written as a number and is none that can be used."""

    def __init__(self, node: Any) -> None:
        self.node = node
        super().__init__(str(node.value))


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Values that JSON has too. What looks like a date is text, as the model would send it."""

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [each for each in resolvers if not each[0].endswith(":timestamp")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def _scalar(construct: Any) -> Any:
    def constructed(loader: Any, node: Any) -> Any:
        try:
            return construct(loader, node)
        except (ValueError, KeyError, AttributeError, OverflowError):  # 5,000 digits, !!int x
            raise _NoValue(node) from None

    return constructed


for _name in ("int", "float", "bool"):
    _Loader.add_constructor(
        f"tag:yaml.org,2002:{_name}", _scalar(getattr(yaml.SafeLoader, f"construct_yaml_{_name}"))
    )
for _name in ("binary", "timestamp", "omap", "pairs", "set"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_name}", yaml.SafeLoader.construct_undefined)


class _Place(NamedTuple):
    """Where a value stands, and a value that is no text as it stands there."""

    where: Where
    line: int
    written: str | None


def _counted(places: Iterator[_Place], path: Path) -> list[_Place]:
    """The places, as many as a file may have: a few lines that name each other again and again
    would fill the memory."""
    found: list[_Place] = []
    for count, place in enumerate(places, 1):
        if count > _MOST:
            raise _at(path, place.line, Problem("smoke.too_much"))
        found.append(place)
    return found


def _places(node: Any, path: Path, where: Where = ()) -> Iterator[_Place]:
    """Where every value stands. Raises Unreadable for a key that is there twice, of which YAML
    would keep the last, and for values within themselves."""
    if len(where) > _DEEPEST:
        raise _at(path, node.start_mark.line + 1, Problem("smoke.too_deep"))
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.tag not in _KEYS:
                given = key.value if isinstance(key, yaml.ScalarNode) else "[...]"
                raise _at(path, line, Problem("smoke.key", given=given))
            if key.value in seen:
                raise _at(path, line, Problem("smoke.twice", entry=key.value))
            seen.add(key.value)
            inner = (*where, key.value)
            yield _Place(inner, line, _written(value))
            yield from _places(value, path, inner)
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            inner = (*where, place)
            yield _Place(inner, value.start_mark.line + 1, _written(value))
            yield from _places(value, path, inner)


def _written(node: Any) -> str | None:
    is_scalar = isinstance(node, yaml.ScalarNode) and node.tag != _KEYS[0]
    return str(node.value) if is_scalar else None


def is_plain(text: str) -> bool:
    """Whether a text is itself when it stands in YAML without quotes."""
    loader = None
    try:
        loader = _Loader(text)
        return bool(loader.get_single_data() == text)
    except (yaml.YAMLError, _NoValue, RecursionError, TypeError):
        return False
    finally:
        if loader is not None:
            loader.dispose()


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
