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

_NARROWEST, _WIDEST = 24, 120


def width() -> int:
    """Columns of the screen, or of a page where there is none."""
    from rich.console import Console

    return max(_NARROWEST, min(Console().width, _WIDEST))


def table(rows: Sequence[Row], language: Language, headings: tuple[str, str], columns: int) -> str:
    """The rows as text, with a mark at the first that differs; what is far from it is counted.
    ``headings`` are those of the sound and the broken side."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    half = (columns - 1 - 2 * _GAP) // 2
    shown = Table(box=None, padding=(0, _GAP, 0, 0), show_edge=False, pad_edge=False)
    shown.add_column("", width=1, no_wrap=True)
    for heading in headings:
        shown.add_column(Text(heading), width=half, overflow="fold")
    rule = "─" * half
    shown.add_row("", rule, rule)
    first = first_divergence(rows)
    place = 0
    for start, end in _kept(len(rows), first):
        if start > place:
            left = rows[place:start]
            sides = [[row.sound for row in left], [row.broken for row in left]]
            shown.add_row("", *(Text(_left_out(side, language)) for side in sides))
        for index in range(start, end):
            mark = "▶" if index == first else ""
            row = rows[index]
            shown.add_row(mark, Text(_told(row.sound)), Text(_told(row.broken)))
        place = end
    page = io.StringIO()
    console = Console(file=page, width=columns, color_system=None, legacy_windows=False)
    console.print(shown)
    return "\n".join(line.rstrip() for line in page.getvalue().rstrip("\n").split("\n"))


def _told(line: Line | None) -> str:
    return f"{line.mark} {line.text}" if line else ""


def _left_out(lines: Sequence[Line | None], language: Language) -> str:
    """How many lines of one side are not shown."""
    count = sum(line is not None for line in lines)
    return say("lesson.left_out", language, count=count) if count else ""


def _kept(count: int, first: int | None) -> list[tuple[int, int]]:
    """The spans of rows to show: around the first that differs, and the end. A gap of a single row
    is not worth a line that says so."""
    place = count if first is None else first
    start = place - _BEFORE if place - _BEFORE > 1 else 0
    end, last = place + _AFTER, count - _LAST
    if end >= last - 1:
        return [(start, count)]
    return [(start, end), (last, count)]
