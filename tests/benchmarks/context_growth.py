"""Tokens that one question sends with filter_context and with raw results, by how many requests
follow, the selector's own tokens counted.

Run by hand: ``make bench-context``. Nothing leaves this machine: a model plays the turns, the lines
are chosen by shared words, and every request is counted as the offline Gemini counts it (an
estimate: four bytes of JSON are a token). Narrowing takes one more model turn, which is counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from agent.ask import ask
from agent.evidence import Evidence
from agent.limits import Limits
from agent.messages import Content, Declaration, Reply, ToolMode
from agent.models.wire import read_reply
from agent.offline.tokens import count_tokens
from agent.run import Run
from agent.search_tools import Toolset
from tools.documents import Passage
from tools.filter_context import lexical_selector

QUESTION = "청구서 내보내기 권한"
STEPS = 10
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


def handbook(shape: Shape) -> Toolset:
    """A source whose every search brings the next passages, and a tool that is no search."""

    def tools(evidence: Evidence) -> list[Callable[..., Any]]:
        rest = iter(passages(shape))

        def search_handbook(query: Annotated[str, "words"]) -> Any:
            """Search the handbook."""
            return evidence.search_open(
                "search_handbook", query, lambda words: list(islice(rest, shape.chunks))
            )

        def look_up(term: Annotated[str, "a term"]) -> dict[str, Any]:
            """The meaning of a term."""
            evidence.prepared_tried += 1  # progress, so that nobody stops the question
            return {"term": term, "meaning": "정산 담당"}

        return [search_handbook, look_up]

    return Toolset(("handbook",), tools)


class Played:
    """Plays turns, counts what each request sends, and chooses lines by shared words."""

    name = "played"
    remote = True

    def __init__(self, turns: list[dict[str, Any]]) -> None:
        self._turns = iter(turns)

    def generate(
        self,
        contents: list[Content],
        tools: list[Declaration],
        *,
        system: str = "",
        mode: ToolMode = "AUTO",
        generation: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        if generation:
            told = contents[0]["parts"][0]["text"]
            part = {"text": lexical_selector(QUESTION, told.partition("\n\n")[2])}
        else:
            part = next(self._turns)
        usage = {
            "promptTokenCount": count_tokens([system, contents, tools]),
            "candidatesTokenCount": count_tokens(part),
        }
        body = {
            "candidates": [
                {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
            ],
            "usageMetadata": usage,
        }
        return read_reply(body, [tool["name"] for tool in tools])


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args}}


def run_with(shape: Shape, later: int, narrowing: bool) -> Run:
    """The question with ``later`` requests after the last search (and after the selection)."""
    turns = [call("search_handbook", query=f"권한 {n}") for n in range(shape.searches)]
    if narrowing:
        turns.append(call("filter_context", question=QUESTION, ids="all"))
    turns += [call("look_up", term=f"말 {n}") for n in range(later - 1)]
    turns.append({"text": "정산 담당 역할이 가집니다. [part-1]"})
    limits = Limits(max_steps=100, max_searches=shape.searches + 1)
    source = handbook(shape)
    run = ask(QUESTION, source, Played(turns), limits, Run(), narrowing=narrowing)
    assert run.answer is not None, run.message
    return run


def measured(shape: Shape) -> int | None:
    """The fewest later requests with which the narrowed question has sent no more than the raw
    one; None when that never comes."""

    def sent(later: int, narrowing: bool) -> int:
        return run_with(shape, later, narrowing).usage.tokens

    return next((n for n in range(1, MOST + 1) if sent(n, True) <= sent(n, False)), None)


def main() -> None:
    """One row for each shape. ``said`` is the break-even in the record: later requests until the
    tokens of the selector, and of the turn that asks for it, are saved. ``measured`` also counts
    what the searches before it had already spared."""
    print(f"tokens of a {STEPS}-step question, and later requests until narrowing has paid")
    heads = "passages lines kept raw narrowed saved selector a-request said measured"
    print("".join(f"{head:>10}" for head in heads.split()))
    for shape in SHAPES:
        later = STEPS - shape.searches
        raw, narrowed = (run_with(shape, later, each) for each in (False, True))
        (selection,) = narrowed.as_record()["selections"]
        before, after = raw.usage.tokens, narrowed.usage.tokens
        row = (
            *(selection[name] for name in ("chunks", "lines", "kept")),
            *(before, after, f"{(before - after) / before:.0%}"),
            *(selection[name] for name in ("tokens", "saved")),
            *(each or "never" for each in (selection["break_even"], measured(shape))),
        )
        print("".join(f"{each:>10}" for each in row))


if __name__ == "__main__":
    main()
