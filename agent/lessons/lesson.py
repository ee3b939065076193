"""One exercise with one student: read, predict, run, compare, explain, repair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, Protocol

from agent.ask import Loop
from agent.catalogue import Language, Problem, say
from agent.console import shortened, visible
from agent.lessons.anchors import Anchor, read_loop, repaired
from agent.lessons.comparison import Row, align, first_divergence
from agent.lessons.exercises import HINTS, Exercise
from agent.lessons.explaining import feedback
from agent.lessons.loading import Unloadable, load
from agent.lessons.progress import Progress, Work
from agent.lessons.scenarios import SCENARIOS
from agent.lessons.stage import play
from agent.lessons.table import table, width
from agent.lessons.traces import Line, Trace
from agent.lessons.workcopy import Edit, edit_of

HINTS_TYPED = ("?", "？")
"""What is typed to see a hint."""

_LONGEST = 100
"""Cells of a student's line that are repeated to them."""

Outcome = Literal["repaired", "broken", "same", "wrong"]
"""What became of a working copy: the broken line was repaired, the right line is broken now,
nothing is otherwise, or something is changed that must not be."""


def is_command(line: str) -> bool:
    """Whether a line is a command for the shell, which a lesson does not run."""
    return line.strip().removeprefix("$").split()[:1] == ["bareloop"]


class Lines(Protocol):
    """Where a student's lines come from; None at their end."""

    def read(self) -> str | None: ...

    def ended(self) -> bool: ...


class Leave(Exception):
    """The student stops here for now."""


class Lesson:
    """An exercise, what was done of it so far, and where to write. ``lines`` is the student at a
    terminal; None where nobody can be asked."""

    def __init__(
        self,
        exercise: Exercise,
        progress: Progress,
        language: Language,
        write: Callable[[str], object] = print,
        lines: Lines | None = None,
    ) -> None:
        self.exercise = exercise
        self._progress = progress
        self._language: Language = language
        self._write = write
        self._lines = lines

    @property
    def work(self) -> Work:
        return self._progress.of(self.exercise.name)

    def read(self) -> None:
        """Show what it is about: the lines of the loop as the file has them, what is changed, and
        the question."""
        exercise, language = self.exercise, self._language
        self._say("head", number=exercise.number, title=exercise.headline(language))
        self._write(exercise.reading[language])
        if exercise.anchor:
            self._write("")
            self._write("\n".join(numbered(read_loop(), exercise.anchor)))
        self._write("")
        if exercise.changed[language]:
            self._say("changed", changed=exercise.changed[language])
        self._say("question", question=exercise.question[language])

    def predict(self, prediction: str | None) -> None:
        """Keep a prediction, asked for where somebody can be asked. The first one stays: it was
        made before the run."""
        if self.work.prediction:
            if prediction:
                self._say("predicted_before")
        elif prediction is None and self._lines is not None and not self.work.runs:
            self._say("ask_prediction")
            prediction = next(self._answers(), None)
        if prediction and not self.work.prediction:
            late = bool(self.work.runs)
            if late:
                self._say("too_late")
            self._keep(prediction=prediction.strip(), predicted_at=True, late=late)
        elif not self.work.prediction and self._lines is None:
            self._say("no_prediction", number=self.exercise.number)

    def compare(self, changed: Loop | None = None) -> list[Row]:
        """Run both sides and show them side by side; ``changed`` is a loop in the place of the one
        that the exercise makes. Raises Problem when the whole loop is not what it was."""
        exercise, language = self.exercise, self._language
        sound, broken = (
            self._sound(),
            self._trace(exercise.loop(True) if changed is None else changed),
        )
        rows = align(sound, broken)
        headings = (
            (say("lesson.side.sound", language), say("lesson.side.without", language, mark=mark))
            if (mark := exercise.mark)
            else (say("lesson.side.unchanged", language), say("lesson.side.changed", language))
        )
        self._write("")
        self._write(table(rows, language, headings, width()))
        self._write("")
        first = first_divergence(rows)
        if first is None:
            self._say("no_difference")
        else:
            self._tell_parting(rows, first, "broken")
        self._keep(runs=self.work.runs + 1, ran_at=self.work.ran_at or True)
        if self.work.prediction:
            self._say("prediction", prediction=self.work.prediction)
        self._say("outcome", line=_told(_last(row.broken for row in rows)))
        if broken.facts.get("stop_reason") == "rejected" and broken.facts["refusal"]:
            self._say("advice")
        return rows

    def explain(self, explanation: str | None) -> None:
        """Add an explanation to what is there and say which ideas are in it; at a terminal as
        often as wanted."""
        if explanation is not None:
            self._feedback(explanation)
        elif self._lines is not None and not self._is_explained:
            self._say("ask_explanation")
            for line in self._answers():
                self._feedback(line)
                if self._is_explained:
                    break

    def repair(self, line: str | None) -> bool:
        """Try a line in the place of the broken one; whether it is repaired in the end, or by that
        line. An exercise that breaks no line says what puts it right."""
        exercise, language = self.exercise, self._language
        if not exercise.mark:
            if self.work.explanation and not self.work.repaired_at:
                self._say("put_right", repair=exercise.repair[language])
                self._keep(repaired_at=True)
        elif line is not None:
            return self._try(line)
        elif self._lines is not None and not self.work.repaired_at:
            self._say("ask_repair", mark=exercise.mark)
            for each in self._answers():
                if self._try(each):
                    break
        return bool(self.work.repaired_at)

    def hint(self) -> None:
        """Show the next hint, and again the last one when all were shown."""
        level = min(self.work.hints + 1, HINTS)
        self._keep(hints=level)
        told = self.exercise.hints[self._language][level - 1]
        self._say("hint", level=level, most=HINTS, hint=told)

    def end(self, after: Exercise | None) -> None:
        """Say what is left to do, or that it is done and what comes next."""
        exercise, work = self.exercise, self.work
        if not work.explanation:
            self._say("next.explain", number=exercise.number)
        elif not work.repaired_at:
            self._say("next.repair", number=exercise.number, mark=exercise.mark)
        else:
            if note := exercise.note[self._language]:
                self._write(note)
            self._say("done", number=exercise.number)
            if after is not None:
                self._say("next.exercise", number=after.number)

    def edited(self, text: str) -> Outcome:
        """Say what was changed in the text of the working copy, and run it when that is the line
        of the exercise."""
        anchor = self._anchor
        edit = edit_of(read_loop(), text, anchor)
        if edit.kind == "right":
            try:
                changed = load(text)
            except Unloadable as error:
                self._tell_unloadable(error)
                return "wrong"
            if first_divergence(self.compare(changed)) is not None:
                self._keep(edits=self.work.edits + 1, broken_copy=True)
                self._say("edit.now_repair", mark=anchor.mark)
                return "broken"
            if not self.work.broken_copy:
                return "same"
        elif edit.kind != "unchanged" or not self.work.broken_copy:
            self._tell_edit(edit, anchor)
            return "same" if edit.kind == "unchanged" else "wrong"
        self._keep(broken_copy=False)
        self._keep_repair(edit.written)
        self._say("repaired", mark=anchor.mark)
        return "repaired"

    @property
    def _anchor(self) -> Anchor:
        anchor = self.exercise.anchor
        assert anchor is not None
        return anchor

    def _tell_parting(self, rows: list[Row], first: int, other: str) -> None:
        """The first line on each side from where they part."""
        sound = next((row.sound for row in rows[first:] if row.sound), None)
        broken = next((row.broken for row in rows[first:] if row.broken), None)
        self._say("first.sound", line=_told(sound))
        self._say(f"first.{other}", line=_told(broken))

    def _tell_edit(self, edit: Edit, anchor: Anchor) -> None:
        lines = self._span(anchor)
        if edit.kind == "unchanged":
            if self.work.repaired_at:
                self._say("edit.done", repair=self.work.repair)
            key = "edit.unbound" if anchor.is_loop else "edit.unchanged"
            self._say(key, lines=lines, text=anchor.text.splitlines()[0])
        elif edit.kind == "empty":
            self._say("edit.empty", number=self.exercise.number)
        else:
            about = {"mark": anchor.mark, "lines": lines}
            text = shortened(visible(edit.text), _LONGEST)
            self._say(f"edit.{edit.kind}", line=edit.line, text=text, **about)
            if edit.kind == "unreadable" and anchor.is_loop:  # its body lost its head
                self._say("edit.unbound", lines=lines, text=anchor.text.splitlines()[0])

    def _tell_unloadable(self, error: Unloadable) -> None:
        self._say(f"unloadable.{error.kind}", reason=error.reason)

    def _sound(self) -> Trace:
        """The trace of the loop as it is. Raises Problem when it is not the one that the exercise
        was written for."""
        trace = self._trace(self.exercise.loop(broken=False), broken=False)
        if not self.exercise.sound.holds(trace):
            raise Problem("lesson.loop_changed")
        return trace

    def _trace(self, loop: Loop, broken: bool = True) -> Trace:
        return play(SCENARIOS[self.exercise.scenario], loop, broken, self._language)

    def _try(self, line: str) -> bool:
        """Put a line where the broken one was, and see whether both sides are the same again. A
        line that repaired it before stays."""
        anchor, line = self._anchor, line.strip()
        if not self.work.repaired_at:
            self._keep(repair=line)
        try:
            loop = load(repaired(read_loop(), anchor, line))
        except Unloadable as error:
            self._tell_unloadable(error)
            self._write(self.exercise.repair[self._language])
            self._tell_kept()
            return False
        rows = align(self._sound(), self._trace(loop, broken=False))
        first = first_divergence(rows)
        if first is None:
            self._keep_repair(line)
            self._say("repaired", mark=anchor.mark)
            return True
        self._say("not_repaired")
        self._tell_parting(rows, first, "tried")
        self._write(self.exercise.repair[self._language])
        self._tell_kept()
        return False

    def _keep_repair(self, line: str) -> None:
        if not self.work.repaired_at:
            self._keep(repair=line, repaired_at=True)

    def _tell_kept(self) -> None:
        if self.work.repaired_at:
            self._say("repair_stays", repair=self.work.repair)

    @property
    def _is_explained(self) -> bool:
        return bool(self.work.explanation) and self.work.mentioned == len(self.exercise.ideas)

    def _feedback(self, explanation: str) -> None:
        """Say which ideas an explanation speaks of, and which misconceptions are in it; and how
        many ideas are in nothing that was written yet, not which."""
        language, ideas = self._language, self.exercise.ideas
        written = self.work.explanation.splitlines()
        together = "\n".join(dict.fromkeys([*written, *explanation.strip().splitlines()]))
        spoken = feedback(together, self.exercise).ideas
        self._keep(
            explanation=together,
            explained_at=True,
            mentioned=sum(spoken),
            ideas=len(ideas),
        )
        found = feedback(explanation, self.exercise)
        for each in found.misconceptions:
            self._say("misconception", thought=each.told[language])
        for idea, is_there in zip(ideas, found.ideas, strict=True):
            if is_there:
                self._say("idea", idea=idea.told[language])
        left = spoken.count(False)
        self._say("ideas.more" if left else "ideas.all", left=left, number=self.exercise.number)

    def _answers(self) -> Iterator[str]:
        """What the student types, hints shown in between, until an empty line."""
        while line := self._next_line():
            if line in HINTS_TYPED:
                self.hint()
            elif is_command(line):
                self._say("is_command")
            else:
                yield line

    def _next_line(self) -> str:
        """A line of the student without spaces around it. Raises Leave at the end of the input."""
        assert self._lines is not None
        line = self._lines.read()
        if line is None:
            raise Leave
        return line.strip()

    def _span(self, anchor: Anchor) -> str:
        """The line of an anchor, or its lines, in words."""
        key = "lesson.line" if anchor.first == anchor.last else "lesson.lines"
        return say(key, self._language, first=anchor.first, last=anchor.last)

    def _keep(self, **changes: object) -> None:
        self._progress.keep(self.exercise.name, **changes)

    def _say(self, key: str, **values: object) -> None:
        self._write(say(f"lesson.{key}", self._language, **values))


def numbered(source: str, anchor: Anchor) -> Iterator[str]:
    """The body of the loop, from its first statement on, each line of the file behind its number;
    the anchor's statement is marked."""
    lines = source.splitlines()
    start = next(n for n, line in enumerate(lines, 1) if line.strip().startswith("# ①")) - 1
    for number, line in enumerate(lines[start - 1 :], start):
        mark = "▶" if anchor.first <= number <= anchor.last else " "
        yield f"{number:>3} {mark} {line}".rstrip()


def _last(lines: Iterable[Line | None]) -> Line | None:
    """How a trace ends, in a line: before it may only stand what the reader sees."""
    there = [line for line in lines if line is not None]
    ends = [line for line in there if not line.key.startswith("lesson.trace.told")]
    return ends[-1] if ends else None


def _told(line: Line | None) -> str:
    return f"{line.mark} {line.text}".strip() if line else "-"
