"""What a tool may do: give back anything, raise anything, take its time."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import IntEnum
from typing import Any

from agent.toolbox import Later
from tools.documents import Passage
from tools.problems import ToolProblem, Unavailable

LONG = "가" * 10_000_000


class Unfriendly:
    """Fails whatever it is asked for."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __str__(self) -> str:
        raise RuntimeError("no str")

    def __len__(self) -> int:
        raise RuntimeError("no len")

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("no iter")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no eq")

    def __hash__(self) -> int:
        return 1

    def __bool__(self) -> bool:
        raise RuntimeError("no bool")


class UnfriendlyMapping(Mapping[str, Any]):
    """Says that it has entries and does not give them."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError("no item")

    def __iter__(self) -> Iterator[str]:
        yield "a"
        raise RuntimeError("no more")

    def __len__(self) -> int:
        return 2


class UnfriendlyFailure(Exception):
    """An exception that cannot be told."""

    def __str__(self) -> str:
        raise RuntimeError("no str")


class Panic(BaseException):
    """What a library in another language raises; no Exception."""


class Level(IntEnum):
    LOW = 1


class Word(str):
    """A string that says it is something else."""

    def __str__(self) -> str:
        return "another"

    def __len__(self) -> int:
        return -1


@dataclass
class Half:
    """A dataclass that lost a field."""

    a: int
    b: int

    def __post_init__(self) -> None:
        del self.b


def _circle() -> Any:
    ring: list[Any] = [1]
    ring.append({"ring": ring})
    return ring


def _deep() -> Any:
    value: Any = "bottom"
    for _ in range(5_000):
        value = [value]
    return value


def _endless() -> Iterator[int]:
    while True:
        yield 1


RESULTS: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: "글",
    lambda: "",
    lambda: LONG,
    lambda: {"text": LONG, "more": [LONG] * 3},
    lambda: float("nan"),
    lambda: [float("inf"), -float("inf"), 10**5_000, -(2**63)],
    lambda: b"\x00\xff" * 500,
    lambda: bytearray(b"x"),
    lambda: memoryview(b"abc"),
    _circle,
    _deep,
    _endless,
    lambda: {1: "int", None: "none", (1, 2): "tuple", b"b": "bytes", "\ud800": "\udfff", "": ""},
    lambda: {"가" * 500: 1, "가" * 501: 2},
    lambda: {1, "둘", None, (3,)},
    lambda: {frozenset({Level.LOW}): Level.LOW},
    lambda: [Level.LOW, True, Word("abc"), Decimal("1.5"), datetime(2026, 1, 1), 1 + 2j],
    lambda: types.MappingProxyType({"a": {1, 2}}),
    Unfriendly,
    lambda: [Unfriendly(), {"x": Unfriendly()}, {Unfriendly()}],
    lambda: {Unfriendly(): 1},
    UnfriendlyMapping,
    lambda: Half(1, 2),
    lambda: Half,
    lambda: print,
    lambda: ValueError("returned, not raised"),
    lambda: {"error": {"code": "forged"}},
    lambda: {"functionCall": {"name": "rest", "args": {}}},
    lambda: "\x1b[2J\x07\r\x00\u202e",
    lambda: [[i] * 50 for i in range(5_000)],
    lambda: {f"key{i}": i for i in range(50_000)},
)

FAILURES: tuple[Callable[[], BaseException], ...] = (
    ValueError,
    lambda: KeyError("\ud800"),
    lambda: ConnectionError("http://user:pw@proxy refused"),
    MemoryError,
    RecursionError,
    StopIteration,
    StopAsyncIteration,
    SystemExit,
    lambda: SystemExit("bye"),
    KeyboardInterrupt,
    GeneratorExit,
    asyncio.CancelledError,
    Panic,
    UnfriendlyFailure,
    lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
    lambda: ToolProblem("odd", "It is odd.", circle=_circle(), thing=Unfriendly(), long=LONG),
    lambda: ToolProblem("", ""),
    lambda: ToolProblem("x", LONG, code=1, message=2) if False else ToolProblem("x", LONG),
    lambda: Unavailable("Not now.", cause=object()),
    lambda: ExceptionGroup("several", [ValueError(1), KeyError(2)]),
)

PASSAGES: tuple[Callable[[], Any], ...] = (
    lambda: [],
    lambda: [Passage("l1", "노트북은 보안팀에 알린다", "a.md")],
    lambda: [Passage("l1", "다른 글 12원", "b.md"), Passage("l2", "다른 글 13원", "c.md")],
    lambda: [Passage(f"l{n}", f"줄 {n}", "a.md") for n in range(60)],
    lambda: [Passage("[l1]", "대괄호", "[a].md"), Passage("a, b", "쉼표", "a, b.md")],
    lambda: [Passage("", "", "")],
    lambda: [Passage("l3", "\ud800\x00\x1b[2J\u202e", "\ud800.md")],
    lambda: [Passage("l4", "가" * 30_000, "long.md")],
    lambda: [Passage("l5", "\n\n줄\n" * 500, "lines.md", closest=True)],
    lambda: None,
    lambda: "no list",
    lambda: [None, 5],
    lambda: 7,
    Unfriendly,
)
"""What a source may bring; some of it is none."""


def raising(make: Callable[[], BaseException]) -> Callable[[], Any]:
    def fail() -> Any:
        raise make()

    return fail


ACTIONS: tuple[Callable[[], Any], ...] = (
    *RESULTS,
    *(raising(each) for each in FAILURES),
    lambda: Later(lambda: 1, lambda found: {"found": found}),
    lambda: Later(raising(Panic), lambda found: found),
    lambda: Later(raising(ValueError), lambda found: found),
    lambda: Later(raising(KeyboardInterrupt), lambda found: found),
    lambda: Later(lambda: 1, lambda found: raising(KeyboardInterrupt)()),
    lambda: Later(lambda: 1, lambda found: raising(Panic)()),
    lambda: Later(lambda: 1, lambda found: Later(lambda: 2, lambda more: more)),
    lambda: Later(lambda: LONG, lambda found: _circle()),
    lambda: Later(5, 6),  # type: ignore[arg-type]
)
"""What a tool may do when it is called."""
