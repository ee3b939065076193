"""Tokens that one question sends with filter_context and with raw results, by how many requests
follow, the selector's own tokens counted.

Run by hand: ``make bench-context``. Nothing leaves this machine: the questions are played, as
``bareloop eval`` plays those of its chart (``agent.evaluation.context_growth``). Narrowing takes
one more model turn, which is counted.
"""

from __future__ import annotations

import sys
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from agent.evaluation.context_growth import STEPS, Search, growth, played
from tools.documents import Passage
from tools.filter_context import lexical_selector

QUESTION = "청구서 내보내기 권한"
MOST = 60
"""Requests after the search, at most, that are looked at for the break-even."""


class Shape(NamedTuple):
    """What is found: ``searches`` of ``chunks`` passages, ``lines`` lines each, of which ``wanted``
    say something about the question."""

    searches: int
    chunks: int
    lines: int
    wanted: int


SHAPES = (
    Shape(1, 1, 3, 1),
    Shape(1, 4, 15, 2),
    Shape(1, 10, 40, 1),
    Shape(3, 10, 40, 1),
    Shape(1, 4, 15, 15),
)


def passages(shape: Shape) -> list[Passage]:
    """Passages whose first lines are about the question."""
    about = "{}번 문서 {}줄: 청구서 내보내기 권한은 정산 담당 역할이 가집니다."
    other = "{}번 문서 {}줄: 회의실 예약과 출입증 발급은 총무팀이 맡습니다."
    return [
        Passage(
            f"part-{part}",
            "\n".join(
                (about if line <= shape.wanted else other).format(part, line)
                for line in range(1, shape.lines + 1)
            ),
            "handbook",
        )
        for part in range(1, shape.searches * shape.chunks + 1)
    ]


def handbook(shape: Shape) -> Search:
    """A search that brings the next passages every time."""
    rest = iter(passages(shape))
    return lambda words: list(islice(rest, shape.chunks))


def main() -> None:
    """One row for each shape. ``said`` is the break-even in the record: later requests until the
    tokens of the selector, and of the turn that asks for it, are saved. ``measured`` also counts
    what the searches before it had already spared."""
    print(f"tokens of a {STEPS}-step question, and later requests until narrowing has paid")
    heads = "passages lines kept raw narrowed saved selector a-request said measured"
    print("".join(f"{head:>10}" for head in heads.split()))
    for shape in SHAPES:
        queries = [f"권한 {number}" for number in range(shape.searches)]
        search = partial(handbook, shape)
        found = growth(QUESTION, queries, search)
        longer = growth(QUESTION, queries, search, shape.searches + MOST)
        one = played(QUESTION, queries, search(), STEPS, lexical_selector)
        assert found and longer and one
        (selection,) = one[1].as_record()["selections"]
        paid = longer.break_even and longer.break_even - shape.searches
        row = (
            *(selection[name] for name in ("chunks", "lines", "kept")),
            *(sum(found.raw), sum(found.filtered), f"{found.saved:.0%}"),
            *(selection[name] for name in ("tokens", "saved")),
            *(each or "never" for each in (selection["break_even"], paid)),
        )
        print("".join(f"{each:>10}" for each in row))


if __name__ == "__main__":
    main()
