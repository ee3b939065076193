"""``bareloop eval``: put the questions of a set to systems, keep every answer, report."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from agent.catalogue import Language, Problem, say
from agent.console import aside, over
from agent.evaluation.context_growth import Growth, growth, mean
from agent.evaluation.material import Material, digest
from agent.evaluation.page import page
from agent.evaluation.report import Figures, report
from agent.evaluation.sets import Item, QuestionSet, halves, read_set
from agent.evaluation.summary import summary
from agent.evaluation.systems import Answering, Row, System, in_turn
from agent.limits import Limits
from agent.messages import Model
from tools.documents import Passage
from tools.patterns import lazy_pattern

VERSION = 1
"""The shape of the file of answers."""

ANSWERS, REPORT, PAGE = "answers.jsonl", "report.json", "report.html"

_SENTENCE_END = lazy_pattern(r"(?<=[.!?。])\s+")

PLAYED = 10
"""Questions, the first with evidence that find something, whose growth is charted."""


@dataclass(frozen=True)
class Evaluation:
    """What is evaluated: ``half`` of the questions of a set, the first ``limit`` of them, under
    ``systems``. ``depth`` is how many passages one search of ``single`` brings."""

    name: str
    data: Path
    systems: tuple[System, ...]
    half: str = "all"
    limit: int | None = None
    depth: int = 10
    judging: bool = False


def evaluate(
    evaluation: Evaluation, model: Model, limits: Limits, out: Path, cache: Path, language: Language
) -> tuple[int, Figures]:
    """Answer what is not answered yet, write ``answers.jsonl``, ``report.json`` and ``report.html``
    into ``out``, and return the exit code with the report: 0, or 130 when it was interrupted; then
    there is no report, and the same command goes on from there. Raises Problem."""
    if evaluation.judging and not model.remote:
        raise Problem("eval.no_judge")
    questions = read_set(evaluation.name, evaluation.data)
    items = halves(questions.items)[evaluation.half][: evaluation.limit]
    if not items:
        raise Problem("eval.no_questions", name=evaluation.name)
    kept = _Answers(out / ANSWERS, _terms(evaluation, questions, model, limits))
    material = Material(
        questions,
        evaluation.data,
        cache,
        lambda name: aside(say("eval.indexing", language, name=name)),
    )
    progress = _Progress(len(items) * len(evaluation.systems), language)
    try:
        answering = Answering(material, model, limits, evaluation.depth, evaluation.judging)
        for item, system in _asked(items, evaluation.systems):
            if (item.id, system.name) not in kept.rows:
                kept.add(answering.answer(item, system))
                _stop_when_nobody_answers(kept)
            progress.show()
        context = _context(items, material, evaluation)
    except KeyboardInterrupt:
        progress.end()
        aside(say("eval.interrupted", language, done=len(kept.rows), out=out))
        return 130, {}
    finally:
        progress.end()
        kept.close()
        material.close()
    rows = {
        system.name: {item.id: kept.rows[item.id, system.name] for item in items}
        for system in evaluation.systems
    }
    figures = report(items, rows, _about(evaluation, model))
    figures["context"] = context
    _write(out / REPORT, json.dumps(figures, ensure_ascii=False, indent=1))
    _write(out / PAGE, page(figures, language))
    return 0, figures


def main(
    evaluation: Evaluation,
    model: Model,
    limits: Limits,
    out: Path,
    cache: Path,
    language: Language,
    as_json: bool,
) -> int:
    """The command: evaluate, and print the report as text or as JSON."""
    code, figures = evaluate(evaluation, model, limits, out, cache, language)
    if figures:
        print(json.dumps(figures, indent=1) if as_json else summary(figures, language))
        aside(say("eval.written", language, page=out / PAGE, report=out / REPORT))
    return code


def _asked(items: Sequence[Item], systems: Sequence[System]) -> Iterator[tuple[Item, System]]:
    for number, item in enumerate(items):
        for system in in_turn(systems, number):
            yield item, system


def _context(
    items: Sequence[Item], material: Material, evaluation: Evaluation
) -> dict[str, Any] | None:
    """How the tokens of questions grow that search the set's passages once, as ``single`` does, and
    go on to ten steps: with lines chosen by shared words, and (``gold``) with those of the gold
    passages, as nobody chooses better. Sets have each passage in one line; here a sentence is one,
    so that there is something to choose."""
    where = evaluation.systems[0].distractors
    corpus = material.corpus("none" if where == "corpora" else where)

    def grown(item: Item) -> tuple[Growth, Growth] | None:
        gold: set[str] = set()

        def search(query: str) -> Sequence[Passage]:
            found = corpus.search(query, evaluation.depth, loosely=True)
            found = [replace(each, text=_SENTENCE_END.sub("\n", each.text)) for each in found]
            gold.update(*(each.text.splitlines() for each in found if each.id in item.gold))
            return found

        def of_gold(question: str, lines: str) -> str:
            told = enumerate(lines.splitlines(), 1)
            return json.dumps([n for n, line in told if line.partition("] ")[2] in gold])

        asked = [item.question]
        by_words = growth(item.question, asked, lambda: search)
        by_gold = growth(item.question, asked, lambda: search, select=of_gold)
        return (by_words, by_gold) if by_words and by_gold else None

    both = [*islice(filter(None, (grown(item) for item in items if item.gold)), PLAYED)]
    if not both:
        return None
    by_words, by_gold = (mean(each).as_record() for each in zip(*both, strict=True))
    return {"questions": len(both), **by_words, "gold": by_gold}


def _about(evaluation: Evaluation, model: Model) -> dict[str, Any]:
    return {
        "set": evaluation.name,
        "half": evaluation.half,
        "model": model.name,
        "depth": evaluation.depth,
        "limit": evaluation.limit,
    }


def _terms(
    evaluation: Evaluation, questions: QuestionSet, model: Model, limits: Limits
) -> dict[str, Any]:
    """What must be the same for answers to count for a later run; other systems and more questions
    may be added."""
    return {
        "version": VERSION,
        "set": evaluation.name,
        "texts": digest(questions.texts),
        "model": model.name,
        "limits": asdict(limits),
        "depth": evaluation.depth,
        "judging": evaluation.judging,
    }


_FAILED = frozenset({"rejected", "quota", "network"})
_IN_A_ROW = 3


def _stop_when_nobody_answers(kept: _Answers) -> None:
    """Three questions in a row without a model that answers are no evaluation."""
    last = [*kept.rows.values()][-_IN_A_ROW:]
    if len(last) == _IN_A_ROW and all(row["stop_reason"] in _FAILED for row in last):
        raise Problem("eval.no_model", reason=last[-1]["stop_reason"])


class _Answers:
    """The answers so far, a JSON line each, appended as they come. A line that was cut when the
    process ended is dropped, and so is a question that the model did not answer: both are asked
    again. Raises Problem for a file of another evaluation."""

    def __init__(self, path: Path, terms: Mapping[str, Any]) -> None:
        self.rows: dict[tuple[str, str], Row] = {}
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = path.read_bytes().split(b"\n") if path.exists() else []
            whole = list(_read(lines[:-1]))
            if whole and whole[0] != dict(terms):
                raise Problem("eval.other_answers", path=path)
            answered = [row for row in whole[1:] if row["stop_reason"] not in _FAILED]
            self.rows = {(row["question"], row["system"]): row for row in answered}
            self._file = self._rewritten([dict(terms), *answered])
        except OSError as error:
            raise Problem("eval.unwritable", path=path, reason=error.strerror or "") from None

    def add(self, row: Row) -> None:
        """Keeps an answer."""
        self.rows[row["question"], row["system"]] = row
        self._file.write(_line(row))
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def _rewritten(self, values: Sequence[Row]) -> BinaryIO:
        """The file with these lines and no other, open for more."""
        beside = self._path.with_suffix(".new")
        beside.write_bytes(b"".join(map(_line, values)))
        beside.replace(self._path)
        return self._path.open("ab")


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _read(lines: Sequence[bytes]) -> Iterator[Row]:
    for line in lines:
        with suppress(ValueError):
            yield json.loads(line)


class _Progress:
    """One line that moves on a terminal, else a line now and then, on stderr."""

    _QUIET_SECONDS = 10.0
    _WIDTH = 24

    def __init__(self, total: int, language: Language, clock: Callable[[], float] = time.monotonic):
        self._total = total
        self._language: Language = language
        self._clock = clock
        self._done = 0
        self._last = self._started = clock()
        self._moving = sys.stderr is not None and sys.stderr.isatty()

    def show(self) -> None:
        """One more question is done."""
        self._done += 1
        now = self._clock()
        if now - self._last < (0.1 if self._moving else self._QUIET_SECONDS):
            return
        self._last = now
        left = (now - self._started) / self._done * (self._total - self._done)
        filled = self._WIDTH * self._done // self._total
        line = say(
            "eval.progress",
            self._language,
            bar="#" * filled + "-" * (self._WIDTH - filled),
            done=self._done,
            total=self._total,
            left=f"{int(left) // 60}:{int(left) % 60:02d}",
        )
        (over if self._moving else aside)(line)

    def end(self) -> None:
        """Leaves the line."""
        if self._moving:
            over()


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Problem("eval.unwritable", path=path, reason=error.strerror or "") from None
