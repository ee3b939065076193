"""``bareloop break``: the list of exercises, one exercise, its working copy, the report."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agent.catalogue import Language, Problem, say, tell
from agent.console import aside, at_its_end, is_terminal
from agent.lessons.anchors import missing_anchors, read_loop
from agent.lessons.exercises import Exercise, exercises, find_exercise
from agent.lessons.lesson import HINTS_TYPED, Leave, Lesson, Lines, Outcome, is_command
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
    report: str | None = None
    name: str | None = None

    @property
    def is_scripted(self) -> bool:
        """Whether answers were given as arguments, so that nobody is asked."""
        return bool(self.answers)

    @property
    def answers(self) -> dict[str, str]:
        """What was given as arguments, by the name of the option."""
        given = {"predict": self.predict, "explain": self.explain, "repair": self.repair}
        return {f"--{name}": text for name, text in given.items() if text is not None}

    @property
    def ways(self) -> list[str]:
        """The options that each say what to do, of which only one can be done."""
        chosen = {
            "--verify": self.verify,
            "--report": self.report is not None,
            "--reset": self.reset,
            "--hint": self.hint,
            "--edit": self.edit,
        }
        return [name for name, is_chosen in chosen.items() if is_chosen]

    def check(self) -> None:
        """Raises Problem for options that lack what they need, or that cannot go together."""
        ways, answers = self.ways, self.answers
        beside = {} if self.edit else answers
        if self.edit and self.repair is not None:
            beside = {"--repair": self.repair}
        together = [*ways, *beside] if ways else []
        if self.report is not None and self.exercise:
            together = ["--report", self.exercise]
        if self.name is not None and self.report is None:
            raise Problem("lesson.name_alone")
        if any(text.strip() in HINTS_TYPED for text in answers.values()) and len(answers) > 1:
            together = [*answers]
        if len(together) > 1:
            raise Problem("lesson.not_together", options=", ".join(together))
        if self.report is not None and not self.report.strip():
            raise Problem("lesson.report_nowhere")
        wanting = [*ways, *answers]
        if not self.exercise.strip() and wanting and wanting[0] not in ("--verify", "--report"):
            raise Problem("lesson.no_number", option=wanting[0])
        for name, text in answers.items():
            if not text.strip():
                raise Problem("lesson.empty", option=name)
            if is_command(text):
                raise Problem("lesson.command_given", option=name)


def course(wanted: Wanted, folder: Path, language: Language) -> int:
    """Do what was asked for; the exit code. ``folder`` is the data folder. Raises Problem for what
    cannot be done."""
    wanted.check()
    _check_loop()
    if wanted.verify:
        from agent.lessons.verifying import verify

        chosen = [find_exercise(wanted.exercise)] if wanted.exercise else exercises()
        return 0 if verify(chosen, language, print) else 1
    if wanted.reset:
        return _reset(find_exercise(wanted.exercise), folder, language)
    progress = Progress.read(folder)
    if wanted.report is not None:
        from agent.lessons.report import write_report

        for path in write_report(wanted.report, progress, wanted.name or "", language):
            print(say("lesson.report_written", language, path=path))
        return 0
    if not wanted.exercise.strip():
        return _list(progress, language)
    exercise = find_exercise(wanted.exercise)
    if not exercise.mark and (wanted.edit or wanted.repair is not None):
        raise Problem("lesson.no_line", number=exercise.number)
    asked = not (wanted.is_scripted or wanted.hint) and is_terminal(sys.stdin)
    lines = _typed(folder, language) if asked and is_terminal(sys.stdout) else None
    write = _wrapped() if is_terminal(sys.stdout) else print
    lesson = Lesson(exercise, progress, language, write, lines)
    try:
        if wanted.hint or any(text.strip() in HINTS_TYPED for text in wanted.answers.values()):
            lesson.hint()
            return 0
        if wanted.edit:
            return _edit(lesson, wanted, progress, folder, language, lines)
        return _go_through(lesson, wanted, progress)
    except (Leave, KeyboardInterrupt) as left:
        print(say("lesson.left", language, number=exercise.number))
        return 0 if isinstance(left, Leave) else 130


def _check_loop() -> None:
    """Raises Problem when somebody edited the original, so that an anchor is gone."""
    try:
        missing = missing_anchors(read_loop())
    except (SyntaxError, ValueError) as error:  # it is written in another encoding than UTF-8
        line, reason = getattr(error, "lineno", None) or 1, f"{type(error).__name__}: {error}"
        raise Problem("lesson.loop_unreadable", line=line, reason=reason) from None
    if missing:
        raise Problem("lesson.loop_incomplete", missing=", ".join(missing))


def _go_through(lesson: Lesson, wanted: Wanted, progress: Progress) -> int:
    """The whole flow, or the parts that were asked for once it was run."""
    answers_only = wanted.predict is None and wanted.is_scripted
    if not (answers_only and lesson.work.runs):
        lesson.read()
        lesson.predict(wanted.predict)
        lesson.compare()
    lesson.explain(wanted.explain)
    repaired = lesson.repair(wanted.repair)
    lesson.end(_following(progress, lesson.exercise))
    return 0 if repaired or wanted.repair is None else 1


def _edit(
    lesson: Lesson,
    wanted: Wanted,
    progress: Progress,
    folder: Path,
    language: Language,
    lines: Lines | None,
) -> int:
    """The exercise on a working copy: looked at once, or at a terminal whenever it is saved."""
    exercise = lesson.exercise
    path = copy_for(folder, exercise.name)
    if not path.exists():
        write_copy(path, read_loop())
    lesson.read()
    lesson.predict(wanted.predict)
    if wanted.explain is not None:
        lesson.explain(wanted.explain)
    print(say("lesson.edit.copy", language, path=path))
    outcome: Outcome = "same"
    if is_terminal(sys.stdin) and is_terminal(sys.stdout):
        print(say("lesson.edit.watching", language))

        def rest(seconds: float) -> None:
            time.sleep(seconds)
            if at_its_end(sys.stdin) if lines is None else lines.ended():
                raise Leave

        for seen in watch(path, rest):
            if isinstance(seen, Problem):
                print(tell(seen, language))
            elif (outcome := lesson.edited(seen)) == "repaired":
                break
    else:
        outcome = lesson.edited(read_copy(path))
    if outcome == "repaired":
        lesson.explain(None)
        lesson.end(_following(progress, exercise))
    return 1 if outcome == "wrong" else 0


def _reset(exercise: Exercise, folder: Path, language: Language) -> int:
    try:
        progress = Progress.read(folder)
    except Problem as problem:
        if problem.key != "lesson.progress_damaged":
            raise
        aside = Progress.put_aside(folder)
        print(say("lesson.reset.damaged", language, path=aside))
        progress = Progress.read(folder)
    was_done = progress.reset(exercise.name)
    path = copy_for(folder, exercise.name)
    if exercise.anchor is not None and path.exists():
        write_copy(path, read_loop())
        print(say("lesson.reset.copy", language, path=path))
    key = "lesson.reset.done" if was_done else "lesson.reset.nothing"
    print(say(key, language, number=exercise.number))
    return 0


def _list(progress: Progress, language: Language) -> int:
    """Every exercise with what was done of it, and the next one to do."""
    print(say("lesson.list.head", language))
    for each in exercises():
        work = progress.of(each.name)
        names = ["predicted"] * bool(work.prediction) + ["ran"] * bool(work.runs)
        names += ["explained"] * bool(work.explanation) + ["repaired"] * bool(work.repaired_at)
        told = ["done"] if work.is_done else names
        state = ", ".join(say(f"lesson.state.{name}", language) for name in told)
        line = f"{each.number:>3} {each.mark or '·'}  {each.title[language]}"
        print(f"{line}  [{state}]" if state else line)
    following = _following(progress)
    if following is not None:
        print(say("lesson.next.exercise", language, number=following.number))
    return 0


def _wrapped() -> Callable[[str], object]:
    """Writes to a terminal, no word cut at its edge."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False).print


def _following(progress: Progress, after: Exercise | None = None) -> Exercise | None:
    """The next exercise to do: the first after this one that is not done, else the first of all;
    None when every one is done."""
    left = [each for each in exercises() if not progress.of(each.name).is_done]
    number = after.number if after else 0
    return next((each for each in left if each.number > number), left[0] if left else None)


def _typed(folder: Path, language: Language) -> Lines:
    from agent.chat.prompt import TypedLines

    def replaced() -> None:
        aside(say("ask.replaced", language))

    return TypedLines(folder / "lessons" / "typed", replaced)
