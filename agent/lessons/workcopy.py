"""A copy of the loop that a student edits by hand, and what was changed in it.

The original is never written to. Statements are compared, so that comments and blank lines may be
anything, and a change outside the exercise's own statement is found by its line.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal

from agent.catalogue import Problem
from agent.lessons.anchors import Anchor
from agent.lessons.progress import write_private

POLL_S = 0.3
"""Seconds between two looks at a file that is watched."""


@dataclass(frozen=True)
class Edit:
    """What a copy is: as the original, changed in the right statement, changed elsewhere (in
    ``line`` of the original, or of the copy where something was added) or no Python (at ``line``).
    ``text`` is that line."""

    kind: Literal["unchanged", "right", "elsewhere", "added", "unreadable"]
    line: int = 0
    text: str = ""


@dataclass(frozen=True)
class _Statement:
    """A statement without those inside it: how deep it stands and what it says."""

    depth: int
    said: str
    line: int

    @property
    def key(self) -> tuple[int, str]:
        return self.depth, self.said


def copy_for(folder: Path, name: str) -> Path:
    """Where the working copy of an exercise is."""
    return folder / "lessons" / name / "loop.py"


def write_copy(path: Path, source: str) -> None:
    """Make the copy, or put it back. Raises Problem when it cannot be written."""
    try:
        write_private(path, source.encode("utf-8"))
    except OSError as error:
        reason = error.strerror or ""
        raise Problem("lesson.copy_unwritable", path=path, reason=reason) from None


def read_copy(path: Path) -> str:
    """The copy's text. Raises Problem when it cannot be read as UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        reason = error.strerror or ""
        raise Problem("lesson.copy_unreadable", path=path, reason=reason) from None
    except UnicodeDecodeError:
        raise Problem("lesson.copy_not_utf8", path=path) from None


def edit_of(source: str, copy: str, anchor: Anchor) -> Edit:
    """How ``copy`` differs from ``source``, as an exercise on ``anchor`` sees it."""
    try:
        changed = list(_statements(ast.parse(copy)))
    except (SyntaxError, ValueError) as error:  # a null byte is a ValueError
        lost = _lost(source, copy, anchor)
        line = getattr(error, "lineno", 1) or 1
        return lost or Edit("unreadable", line, _line(copy, line))
    original = list(_statements(ast.parse(source)))
    keys = [each.key for each in original], [each.key for each in changed]
    right = False
    for tag, i, j, k, _ in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        outside = [each for each in original[i:j] if not anchor.first <= each.line <= anchor.last]
        if outside:
            return Edit("elsewhere", outside[0].line, _line(source, outside[0].line))
        if i == j:
            return Edit("added", changed[k].line, _line(copy, changed[k].line))
        right = True
    return Edit("right", anchor.first, anchor.text) if right else Edit("unchanged")


def _lost(source: str, copy: str, anchor: Anchor) -> Edit | None:
    """The first line of code outside the anchor that a copy which cannot be read lacks."""
    before, after = ([line.strip() for line in text.splitlines()] for text in (source, copy))
    for tag, i, j, _, _ in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        for number in range(i + 1, j + 1):
            said = before[number - 1]
            inside = anchor.first <= number <= anchor.last
            if tag in ("delete", "replace") and said and not said.startswith("#") and not inside:
                return Edit("elsewhere", number, said)
    return None


def _statements(node: ast.AST, depth: int = 0) -> Iterator[_Statement]:
    """Every statement below ``node`` in order. What stands in its body counts by itself."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            inside = [each for each in ast.iter_child_nodes(child) if isinstance(each, ast.stmt)]
            own = [
                (name, _dumped(value))
                for name, value in ast.iter_fields(child)
                if not (isinstance(value, list) and value and isinstance(value[0], ast.stmt))
            ]
            yield _Statement(depth, f"{type(child).__name__} {own}", child.lineno)
            if inside:
                yield from _statements(child, depth + 1)


def _dumped(value: object) -> str:
    match value:
        case ast.AST():
            return ast.dump(value)
        case list():
            return str([_dumped(each) for each in value])
        case _:
            return repr(value)


def _line(text: str, number: int) -> str:
    lines = text.splitlines()
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def watch(path: Path, sleep: Callable[[float], None]) -> Iterator[str]:
    """The text of a file, again each time that it has changed. Time stamps alone do not do: some
    file systems lose them, and editors write the same text twice."""
    seen: tuple[int, str] | None = None
    while True:
        try:
            found = path.stat().st_mtime_ns
            if seen is None or found != seen[0]:
                text = read_copy(path)
                mark = hashlib.sha256(text.encode()).hexdigest()
                if seen is None or mark != seen[1]:
                    yield text
                seen = (found, mark)
        except (OSError, Problem):
            pass  # an editor replaces the file just now
        sleep(POLL_S)
