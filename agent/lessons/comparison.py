"""Two traces side by side, and the first place where they part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from agent.lessons.traces import Line, Trace


@dataclass(frozen=True)
class Row:
    """A line of each trace; None where one has nothing to set against the other."""

    sound: Line | None
    broken: Line | None

    @property
    def same(self) -> bool:
        return self.sound == self.broken


def align(sound: Trace, broken: Trace) -> list[Row]:
    """The lines of both, in order; those of one kind stand side by side."""
    keys = ([line.key for line in sound.lines], [line.key for line in broken.lines])
    rows: list[Row] = []
    for _, i, j, k, m in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        rows += [Row(*pair) for pair in zip_longest(sound.lines[i:j], broken.lines[k:m])]
    return rows


def first_divergence(rows: Sequence[Row]) -> int | None:
    """The index of the first row that differs; None when both runs are the same."""
    return next((index for index, row in enumerate(rows) if not row.same), None)
