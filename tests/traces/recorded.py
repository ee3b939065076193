"""Traces for tests: real runs with a scripted model and a clock that ticks, so that every time in
them is known beforehand."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent.ask import Source, ask
from agent.cli import main
from agent.limits import DEFAULT_LIMITS, Limits
from agent.run import Run
from agent.traces.jsonl import JsonlTrace
from tests.replies import Replies
from tools.corpus import INSTALLED, read_corpus
from tools.documents import Folder

ROOT = Path(__file__).parent.parent.parent
OFFICE = ROOT / "tests/data/office"
QUESTION = "invoice export steps and permission"
ID = "0123456789abcdef0123456789abcde"


class Ticks:
    """A clock that goes on by a thousandth of a second whenever somebody looks at it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def record(
    path: Path,
    question: str,
    source: Source | None,
    *answers: Any,
    limits: Limits = DEFAULT_LIMITS,
    previous: Run | None = None,
    number: int = 0,
    language: Any = "en",
    conversation: str = "",
    **options: Any,
) -> Run:
    """Ask a model that gives ``answers``, and append what happens to ``path``. ``number`` tells
    the questions of a test apart: it is the last digit of the id, and the hour asked at."""
    trace = JsonlTrace(path)
    run = Run.following(
        previous,
        listeners=(trace,),
        language=language,
        clock=Ticks(),
        now=lambda: datetime(2026, 11, 30, number, 5, 6, 250_000, tzinfo=UTC),
        request_id=f"{ID}{number}",
        conversation=conversation,
    )
    model = answers[0] if hasattr(answers[0], "generate") else Replies(*answers)
    ask(question, source, model, limits, run, sleep=lambda seconds: None, **options)
    trace.close()
    return run


def billing() -> Source:
    return read_corpus(INSTALLED / "billing")


def office() -> Source:
    return Folder(OFFICE)


def bareloop(capsys: Any, monkeypatch: Any, language: str = "en") -> Callable[..., str]:
    """The command in this process: its standard output, after an exit code of 0."""

    def run(*arguments: str | Path, code: int = 0) -> str:
        monkeypatch.setenv("BARELOOP_LANG", language)
        capsys.readouterr()
        assert main(["trace", *map(str, arguments)]) == code, capsys.readouterr()
        printed = capsys.readouterr()
        return str(printed.out if code == 0 else printed.err)

    return run


def without_times(text: str) -> str:
    """``text`` with times that differ from run to run taken out."""
    text = re.sub(r"\d+(\.\d)? m?s\b", "T", text)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}", "WHEN", text)
