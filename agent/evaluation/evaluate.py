"""``bareloop eval``: put the questions of a set to systems, keep every answer, report."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from agent.catalogue import Language, Problem, say
from agent.console import aside, over
from agent.evaluation.context_growth import Growth, growth, mean
from agent.evaluation.material import Material, digest
from agent.evaluation.page import BEGINS, page
from agent.evaluation.report import Figures, report
from agent.evaluation.sets import Item, QuestionSet, halves, read_set
from agent.evaluation.summary import summary
from agent.evaluation.systems import Answering, Row, System, in_turn
from agent.limits import Limits
from agent.messages import Model
from agent.output_file import check_output, replace_file
from tools.documents import Passage
from tools.patterns import lazy_pattern

VERSION = 2
"""The shape of the file of answers."""

ANSWERS, REPORT, PAGE = "answers.jsonl", "report.json", "report.html"

PROGRAM = "bareloop eval"
_REPORT_BEGINS = f'{{\n "program": "{PROGRAM}"'
_OURS = {REPORT: _REPORT_BEGINS, PAGE: BEGINS}
"""What the files of a report begin with."""

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
    there is no report, and the same command goes on from there. Raises Problem, also for files of
    these names that are not its own: before anything is asked, and nothing is written."""
    if evaluation.judging and not model.remote:
        raise Problem("eval.no_judge")
    questions = read_set(evaluation.name, evaluation.data)
    items = halves(questions.items)[evaluation.half][: evaluation.limit]
    if not items:
        raise Problem("eval.no_questions", name=evaluation.name)
    for name, begins in _OURS.items():
        _check(out / name, begins)
    kept = _Answers(out / ANSWERS, _terms(evaluation, questions, model, limits))
    if kept.damaged:
        aside(say("eval.damaged", language, path=out / ANSWERS, count=kept.damaged))
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
    _write(out / REPORT, json.dumps(figures, ensure_ascii=False, indent=1), _REPORT_BEGINS)
    _write(out / PAGE, page(figures, language), BEGINS)
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
        "program": PROGRAM,
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
    """The answers so far, a JSON line each with its own digest, appended as they come. A line that
    was cut when the process ended is dropped, and so is a question that the model did not answer:
    both are asked again, and so is what lines were that are ``damaged``. Raises Problem for a file
    of another evaluation, and for one that is no file of answers."""

    def __init__(self, path: Path, terms: Mapping[str, Any]) -> None:
        self.rows: dict[tuple[str, str], Row] = {}
        self.damaged = 0
        self._path = path
        _check(path, _ANSWERS_BEGIN)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            first, *rest = (path.read_bytes() if path.exists() else b"").split(b"\n")
            if (first or rest) and _read(first) != dict(terms):
                raise Problem("eval.other_answers", path=path)
            whole = [row for row in map(_read, rest[:-1]) if row is not None]
            self.damaged = len(rest[:-1]) - len(whole)
            answered = [row for row in whole if row["stop_reason"] not in _FAILED]
            self.rows = {(row["question"], row["system"]): row for row in answered}
            self._file = self._rewritten([dict(terms), *answered])
        except OSError as error:
            raise _unwritable(path, error) from None

    def add(self, row: Row) -> None:
        """Keeps an answer."""
        self.rows[row["question"], row["system"]] = row
        self._file.write(_line(row))
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def _rewritten(self, values: Sequence[Row]) -> BinaryIO:
        """The file with these lines and no other, open for more."""
        replace_file(self._path, b"".join(map(_line, values)))
        return self._path.open("ab")


_ANSWERS_BEGIN = '{"version": '
_DIGEST = "digest"


def _line(row: Row) -> bytes:
    return _json({**row, _DIGEST: _digest(row)}) + b"\n"


def _read(line: bytes) -> Row | None:
    """The row of a line; None for one that is not as ``_line`` wrote it."""
    try:
        row = json.loads(line)
        is_whole = isinstance(row, dict) and row.pop(_DIGEST, "") == _digest(row)
    except (ValueError, RecursionError):
        return None
    return row if is_whole else None


def _digest(row: Row) -> str:
    return blake2b(_json(row), digest_size=8).hexdigest()


def _json(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")


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


def _check(path: Path, begins: str) -> None:
    """Raises Problem for a file of somebody else, and for what is no file, such as a link: what
    lies behind it is not the report that was asked for."""
    try:
        is_file = not path.is_symlink() and (path.is_file() or not path.exists())
    except OSError as error:
        raise _unwritable(path, error) from None
    if not is_file:
        raise Problem("output.not_ours", path=path)
    check_output(path, begins)


def _write(path: Path, text: str, begins: str) -> None:
    _check(path, begins)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> Problem:
    return Problem("eval.unwritable", path=path, reason=error.strerror or "")
