"""The exercises as data: texts in both languages, a scenario, and the signatures of both sides."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agent.ask import Loop
from agent.catalogue import Language, Problem
from agent.lessons.anchors import MARKS, Anchor, find_anchor, read_loop, without
from agent.lessons.loading import load
from agent.lessons.scenarios import SCENARIOS
from agent.lessons.signatures import Signature
from agent.loop import run_agent

FILE = Path(__file__).with_name("exercises.toml")
HINTS = 3
GROUPS = 2
"""Groups of words that an idea has at least: one word alone says nothing of it."""

Texts = Mapping[str, str]
"""Language -> text."""


Words = Mapping[str, tuple[str, ...]]
"""Language -> groups of words, "one|another" each; ``explaining`` says how they are read."""


@dataclass(frozen=True)
class Idea:
    """Something that a good explanation speaks of. It does when ``words`` are in it."""

    told: Texts
    words: Words


@dataclass(frozen=True)
class Misconception:
    """What many think, in a sentence that is an example of it, and its ``words``."""

    told: Texts
    words: Words


@dataclass(frozen=True)
class Exercise:
    """One exercise. ``mark`` is the anchor whose line is taken away; without one the scenario
    breaks something else, and ``changed`` says what. ``reading`` is what to look at first,
    ``repair`` what puts it right, and ``note`` what must be said at the end, if anything.
    ``explained`` is an explanation with every idea in it, for authors."""

    number: int
    name: str
    mark: str
    scenario: str
    title: Texts
    question: Texts
    changed: Texts
    reading: Texts
    repair: Texts
    note: Texts
    hints: Mapping[str, Sequence[str]]
    ideas: tuple[Idea, ...]
    misconceptions: tuple[Misconception, ...]
    explained: Texts
    sound: Signature
    broken: Signature

    @property
    def anchor(self) -> Anchor | None:
        """The line of the loop that it is about, as the file has it now."""
        return find_anchor(read_loop(), self.mark) if self.mark else None

    def headline(self, language: Language) -> str:
        """The title behind its anchor."""
        return f"{self.mark} {self.title[language]}".strip()

    def loop(self, broken: bool) -> Loop:
        """The loop of one side: the real one, unless a line of it is broken."""
        anchor = self.anchor
        return load(without(read_loop(), anchor)) if broken and anchor else run_agent

    def faults(self) -> Iterator[str]:
        """What an author has still to write, by name."""
        for name in ("title", "question", "reading", "repair", "explained"):
            yield from (f"{name}.{each}" for each in ("ko", "en") if not getattr(self, name)[each])
        if not self.mark:
            yield from (f"changed.{each}" for each in ("ko", "en") if not self.changed[each])
        for language in ("ko", "en"):
            if len([hint for hint in self.hints.get(language, ()) if hint.strip()]) != HINTS:
                yield f"hints.{language}"
            if not self.ideas or not all(idea.told[language] for idea in self.ideas):
                yield f"ideas.{language}"
            if not all(len(idea.words[language]) >= GROUPS for idea in self.ideas):
                yield f"ideas.words.{language}"
            if not self.misconceptions or not all(
                each.told[language] and each.words[language] for each in self.misconceptions
            ):
                yield f"misconceptions.{language}"
        for side in ("sound", "broken"):
            if not getattr(self, side).expected:
                yield side
        if self.scenario not in SCENARIOS:
            yield "scenario"
        if self.mark and self.mark not in MARKS:
            yield "anchor"


def read_exercises(path: Path = FILE) -> list[Exercise]:
    """The exercises of a file, numbered in its order."""
    table = tomllib.loads(path.read_text("utf-8"))
    return [_exercise(number, row) for number, row in enumerate(table.get("exercise", []), 1)]


@cache
def exercises() -> tuple[Exercise, ...]:
    """The exercises of the course."""
    return tuple(read_exercises())


def find_exercise(wanted: str) -> Exercise:
    """The exercise with this number, anchor or name. Raises Problem when there is none."""
    name = wanted.strip()
    number = int(name) if name.isdecimal() and len(name) < 10 else None
    for each in exercises():
        if number == each.number or name in (each.mark or None, each.name):
            return each
    raise Problem("lesson.unknown", wanted=wanted, most=len(exercises()))


def _exercise(number: int, row: dict[str, Any]) -> Exercise:
    return Exercise(
        number=number,
        name=row.get("name", ""),
        mark=row.get("anchor", ""),
        scenario=row.get("scenario", ""),
        title=_texts(row.get("title")),
        question=_texts(row.get("question")),
        changed=_texts(row.get("changed")),
        reading=_texts(row.get("read")),
        repair=_texts(row.get("repair")),
        note=_texts(row.get("note")),
        hints=row.get("hints", {}),
        ideas=tuple(Idea(_texts(each), _words(each.get("words"))) for each in row.get("ideas", [])),
        misconceptions=tuple(
            Misconception(_texts(each), _words(each.get("words")))
            for each in row.get("misconceptions", [])
        ),
        explained=_texts(row.get("explained")),
        sound=Signature(row.get("sound", {})),
        broken=Signature(row.get("broken", {})),
    )


def _texts(row: dict[str, Any] | None) -> Texts:
    return {each: str((row or {}).get(each, "")).strip() for each in ("ko", "en")}


def _words(row: dict[str, Any] | None) -> Words:
    return {each: tuple((row or {}).get(each, ())) for each in ("ko", "en")}
