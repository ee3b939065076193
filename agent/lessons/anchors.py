"""The eight anchors of the loop: where each statement stands, and the source without it.

The exercises act on the file that ``ask`` and ``chat`` run, read anew each time; there is no copy
that could drift.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

import agent.loop

MARKS = "①②③④⑤⑥⑦⑧"

UNBOUNDED = "while True:"
"""What a bounded loop becomes when its bound is taken away."""


@dataclass(frozen=True)
class Anchor:
    """An anchor comment and the statement below it, by line numbers from 1, both ends included.
    Of a ``for`` only its header counts. ``text`` is the statement as it is written, without the
    indentation of its first line."""

    mark: str
    comment: str
    first: int
    last: int
    is_loop: bool
    text: str


def loop_file() -> Path:
    """The file with the loop that every question is answered by."""
    return Path(agent.loop.__file__)


def read_loop() -> str:
    """The loop's source, byte for byte: line ends stay as they are."""
    return loop_file().read_bytes().decode("utf-8")


def find_anchor(source: str, mark: str) -> Anchor:
    """The anchor ``mark`` in ``source``. Raises LookupError when it or its statement is not
    there, SyntaxError for a source that is no Python."""
    lines = source.splitlines()
    comments = {
        number: line.strip().removeprefix(f"# {mark}").strip()
        for number, line in enumerate(lines, 1)
        if line.strip().startswith(f"# {mark}")
    }
    statement = next(
        (
            node
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.stmt) and node.lineno - 1 in comments
        ),
        None,
    )
    if statement is None:
        raise LookupError(f"no statement below {mark}")
    is_loop = isinstance(statement, ast.For | ast.While)
    last = statement.lineno if is_loop else statement.end_lineno or statement.lineno
    text = "\n".join(lines[statement.lineno - 1 : last]).strip()
    return Anchor(mark, comments[statement.lineno - 1], statement.lineno, last, is_loop, text)


def missing_anchors(source: str) -> list[str]:
    """The marks of which ``source`` lacks the comment or the statement. Raises SyntaxError for a
    source that is no Python."""
    missing: list[str] = []
    for mark in MARKS:
        try:
            find_anchor(source, mark)
        except LookupError:
            missing.append(mark)
    return missing


def without(source: str, anchor: Anchor) -> str:
    """``source`` with the anchor's statement blanked and every other line where it was; a loop
    keeps its body and loses its bound."""
    return _put(source, anchor, UNBOUNDED if anchor.is_loop else "")


def repaired(source: str, anchor: Anchor, line: str) -> str:
    """``source`` with ``line`` in the place of the anchor's statement; of more lines than the
    statement has, the rest goes on the last of them."""
    return _put(source, anchor, line)


def _put(source: str, anchor: Anchor, text: str) -> str:
    lines = source.splitlines(keepends=True)
    old = lines[anchor.first - 1 : anchor.last]
    ends = [line[len(line.rstrip("\r\n")) :] for line in old]
    indent = old[0][: len(old[0]) - len(old[0].lstrip())]
    new = f"{indent}{text}" if text else ""
    lines[anchor.first - 1 : anchor.last] = [new + ends[0], *ends[1:]]
    return "".join(lines)
