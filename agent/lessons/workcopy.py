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
from agent.lessons.loading import Unloadable, parse
from agent.lessons.progress import write_private

POLL_S = 0.3
"""Seconds between two looks at a file that is watched."""

PATIENCE = 4
"""Looks at a watched file that is not there, or cannot be read, before that is told."""


@dataclass(frozen=True)
class Edit:
    """What a copy is: as the original, changed in the right statement, changed elsewhere (in
    ``line`` of the original, or of the copy where something was added), in another order (the
    place of ``text`` is ``line``), no Python (at ``line``) or without any statement. ``text`` is
    that line, ``written`` what stands in the place of the right statement."""

    kind: Literal["unchanged", "right", "elsewhere", "added", "moved", "unreadable", "empty"]
    line: int = 0
    text: str = ""
    written: str = ""


@dataclass(frozen=True)
class _Statement:
    """A statement without those inside it: how deep it stands, what it says and its lines."""

    depth: int
    said: str
    line: int
    last: int

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
        changed = list(_statements(parse(copy)))
    except Unloadable as error:
        lost = _lost(source, copy, anchor)
        return lost or Edit("unreadable", error.line, _line(copy, error.line))
    if not changed:
        return Edit("empty")
    original = list(_statements(ast.parse(source)))
    keys = [each.key for each in original], [each.key for each in changed]
    matched = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
    steps = [step for step in matched if step[0] != "equal"]
    if steps and sorted(keys[0]) == sorted(keys[1]):
        moved = next(original[i].line for _, i, j, _, _ in steps if i < j)
        return Edit("moved", moved, _line(source, moved))
    written = ""
    for _, i, j, k, m in steps:
        outside = [each for each in original[i:j] if not anchor.first <= each.line <= anchor.last]
        if outside:
            line = _first_changed(source, copy, outside[0])
            return Edit("elsewhere", line, _line(source, line))
        if i == j:
            return Edit("added", changed[k].line, _line(copy, changed[k].line))
        written = " ".join(_line(copy, each.line) for each in changed[k:m])
    if steps:
        return Edit("right", anchor.first, anchor.text, written)
    return Edit("unchanged", written=" ".join(anchor.text.split()))


def _first_changed(source: str, copy: str, statement: _Statement) -> int:
    """The first line of a statement of the original that the copy has otherwise."""
    before, after = ([line.rstrip() for line in text.splitlines()] for text in (source, copy))
    for tag, i, j, _, _ in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        inside = range(max(i + 1, statement.line), min(max(j, i + 1), statement.last) + 1)
        if tag != "equal" and inside:
            return inside[0]
    return statement.line


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
            last = inside[0].lineno - 1 if inside else child.end_lineno or child.lineno
            yield _Statement(depth, f"{type(child).__name__} {own}", child.lineno, last)
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


def watch(path: Path, sleep: Callable[[float], None]) -> Iterator[str | Problem]:
    """The text of a file, again each time that it has changed. Time stamps alone do not do: some
    file systems lose them, and editors write the same text twice. A file that stays away, or that
    stays unreadable, is told once; for a moment an editor may have it so."""
    seen: tuple[int, str] | None = None
    lost = ""
    looks = 0
    while True:
        try:
            found = path.stat().st_mtime_ns
            if lost or seen is None or found != seen[0]:
                text = read_copy(path)
                mark = hashlib.sha256(text.encode()).hexdigest()
                if looks >= PATIENCE or seen is None or mark != seen[1]:
                    yield text
                seen = (found, mark)
            lost, looks = "", 0
        except (OSError, Problem) as error:
            gone = Problem("lesson.copy_gone", path=path)
            problem = error if isinstance(error, Problem) else gone
            looks = looks + 1 if problem.key == lost else 1
            lost = problem.key
            if looks == PATIENCE:
                yield problem
        sleep(POLL_S)
