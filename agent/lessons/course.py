"""``bareloop break``: the list of exercises, one exercise, its working copy, the report."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agent.catalogue import Language, Problem, say
from agent.console import aside, is_terminal
from agent.lessons.anchors import read_loop
from agent.lessons.exercises import Exercise, exercises, find_exercise
from agent.lessons.lesson import Leave, Lesson, Lines
from agent.lessons.progress import Progress
from agent.lessons.workcopy import copy_for, read_copy, watch, write_copy


@dataclass(frozen=True)
class Wanted:
    """What was asked for on the command line; ``exercise`` is a number, an anchor or a name, ""
    for the list."""

    exercise: str = ""
    predict: str | None = None
    explain: str | None = None
    repair: str | None = None
    hint: bool = False
    edit: bool = False
    reset: bool = False
    verify: bool = False
    report: Path | None = None
    name: str = ""

    @property
    def is_scripted(self) -> bool:
        """Whether answers were given as arguments, so that nobody is asked."""
        return any(each is not None for each in (self.predict, self.explain, self.repair))


def course(wanted: Wanted, folder: Path, language: Language) -> int:
    """Do what was asked for; the exit code. ``folder`` is the data folder."""
    if wanted.verify:
        from agent.lessons.verifying import verify

        chosen = [find_exercise(wanted.exercise)] if wanted.exercise else exercises()
        return 0 if verify(chosen, language, print) else 1
    progress = Progress.read(folder)
    if wanted.report is not None:
        from agent.lessons.report import write_report

        for path in write_report(wanted.report, progress, wanted.name, language):
            print(say("lesson.report_written", language, path=path))
        return 0
    if not wanted.exercise:
        return _list(progress, language)
    exercise = find_exercise(wanted.exercise)
    if not exercise.mark and (wanted.edit or wanted.repair is not None):
        raise Problem("lesson.no_line", number=exercise.number)
    if wanted.reset:
        return _reset(exercise, progress, folder, language)
    asked = not (wanted.is_scripted or wanted.hint) and is_terminal(sys.stdin)
    lines = _typed(folder, language) if asked and is_terminal(sys.stdout) else None
    write = _wrapped() if is_terminal(sys.stdout) else print
    lesson = Lesson(exercise, progress, language, write, lines)
    try:
        if wanted.edit:
            return _edit(lesson, wanted, folder, language)
        return _go_through(lesson, wanted)
    except (Leave, KeyboardInterrupt) as left:
        print(say("lesson.left", language, number=exercise.number))
        return 0 if isinstance(left, Leave) else 130


def _go_through(lesson: Lesson, wanted: Wanted) -> int:
    """The whole flow, or the parts that were asked for once it was run."""
    if wanted.hint:
        lesson.hint()
        return 0
    answers_only = wanted.predict is None and wanted.is_scripted
    if not (answers_only and lesson.work.runs):
        lesson.read()
        lesson.predict(wanted.predict)
        lesson.compare()
    lesson.explain(wanted.explain)
    repaired = lesson.repair(wanted.repair)
    lesson.end(_after(lesson.exercise))
    return 0 if repaired or wanted.repair is None else 1


def _edit(lesson: Lesson, wanted: Wanted, folder: Path, language: Language) -> int:
    """The exercise on a working copy: looked at once, or at a terminal whenever it is saved."""
    exercise = lesson.exercise
    path = copy_for(folder, exercise.name)
    if not path.exists():
        write_copy(path, read_loop())
    lesson.read()
    lesson.predict(wanted.predict)
    print(say("lesson.edit.copy", language, path=path))
    if is_terminal(sys.stdin) and is_terminal(sys.stdout):
        print(say("lesson.edit.watching", language))
        repaired = any(lesson.edited(text) for text in watch(path, time.sleep))
    else:
        repaired = lesson.edited(read_copy(path))
    if repaired:
        lesson.explain(wanted.explain)
        lesson.end(_after(exercise))
    return 0


def _reset(exercise: Exercise, progress: Progress, folder: Path, language: Language) -> int:
    progress.reset(exercise.name)
    path = copy_for(folder, exercise.name)
    if exercise.anchor is not None and path.exists():
        write_copy(path, read_loop())
        print(say("lesson.reset.copy", language, path=path))
    print(say("lesson.reset.done", language, number=exercise.number))
    return 0


def _list(progress: Progress, language: Language) -> int:
    """Every exercise with what was done of it, and the next one to do."""
    print(say("lesson.list.head", language))
    following: Exercise | None = None
    for each in exercises():
        work = progress.of(each.name)
        done = bool(work.explanation and work.repaired_at)
        names = ["predicted"] * bool(work.prediction) + ["ran"] * bool(work.runs)
        names += ["explained"] * bool(work.explanation) + ["repaired"] * bool(work.repaired_at)
        told = ["done"] if done else names
        state = ", ".join(say(f"lesson.state.{name}", language) for name in told)
        line = f"{each.number:>3} {each.mark or '·'}  {each.title[language]}"
        print(f"{line}  [{state}]" if state else line)
        following = following or (None if done else each)
    if following is not None:
        print(say("lesson.next.exercise", language, number=following.number))
    return 0


def _wrapped() -> Callable[[str], object]:
    """Writes to a terminal, no word cut at its edge."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False).print


def _after(exercise: Exercise) -> Exercise | None:
    return next((each for each in exercises() if each.number > exercise.number), None)


def _typed(folder: Path, language: Language) -> Lines:
    from agent.chat.prompt import TypedLines

    def replaced() -> None:
        aside(say("ask.replaced", language))

    return TypedLines(folder / "lessons" / "typed", replaced)
