"""Two traces on a screen, side by side."""

from __future__ import annotations

import io
from collections.abc import Sequence

from agent.catalogue import Language, say
from agent.lessons.comparison import Row, first_divergence
from agent.lessons.traces import Line

_BEFORE, _AFTER, _LAST = 4, 9, 3
"""Rows shown before the first difference, from it on, and at the end."""

_GAP = 2
"""Columns between two cells."""


def width() -> int:
    """Columns of the screen, or of a page where there is none."""
    from rich.console import Console

    return max(60, min(Console().width, 120))


def table(rows: Sequence[Row], language: Language, changed: str, columns: int) -> str:
    """The rows as text, with a mark at the first that differs; what is far from it is counted.
    ``changed`` is the heading of the broken side."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    half = (columns - 1 - 2 * _GAP) // 2
    shown = Table(box=None, padding=(0, _GAP, 0, 0), show_edge=False, pad_edge=False)
    shown.add_column("", width=1, no_wrap=True)
    shown.add_column(Text(say("lesson.side.sound", language)), width=half, overflow="fold")
    shown.add_column(Text(changed), width=half, overflow="fold")
    rule = "─" * half
    shown.add_row("", rule, rule)
    first = first_divergence(rows)
    for index, row in _kept(rows, first):
        if row is None:
            left_out = say("lesson.left_out", language, count=index)
            shown.add_row("", Text(left_out), Text(left_out))
        else:
            mark = "▶" if index == first else ""
            shown.add_row(mark, Text(_told(row.sound)), Text(_told(row.broken)))
    page = io.StringIO()
    console = Console(file=page, width=columns, color_system=None, legacy_windows=False)
    console.print(shown)
    return "\n".join(line.rstrip() for line in page.getvalue().rstrip("\n").split("\n"))


def _told(line: Line | None) -> str:
    return f"{line.mark} {line.text}" if line else ""


def _kept(rows: Sequence[Row], first: int | None) -> list[tuple[int, Row | None]]:
    """The rows to show with their places; None stands for as many as its number says."""
    place = len(rows) if first is None else first
    kept: list[tuple[int, Row | None]] = []
    start = max(0, place - _BEFORE)
    if start > 1:
        kept.append((start, None))
    else:
        start = 0
    end = min(len(rows), place + _AFTER)
    if len(rows) - end <= _LAST + 1:
        end = len(rows)
    kept += [*enumerate(rows)][start:end]
    if end < len(rows):
        kept.append((len(rows) - _LAST - end, None))
        kept += [*enumerate(rows)][-_LAST:]
    return kept
