"""``bareloop trace``: show, html, diagnose, stats and export of what ``--trace`` wrote."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from agent.catalogue import Language, Problem, say, tell
from agent.console import aside, visible
from agent.settings import language_for
from agent.traces.diagnosis import Diagnosis, Verdict, diagnose
from agent.traces.reading import Trace, TracedRun, read_trace
from agent.traces.show import brief, show

Write = Callable[[str], None]


def show_trace(path: Path, language: Language | None, write: Write) -> int:
    """Write the tree of a trace."""
    trace = read_trace(path)
    write(visible(show(trace, _language(trace, language))))
    return 0


def write_page(first: Path, second: Path | None, out: Path, language: Language | None) -> int:
    """Write the page of a trace, or of two."""
    from agent.traces.page import page

    trace = read_trace(first)
    other = read_trace(second) if second is not None else None
    spoken = _language(trace, language)
    _save(out, page(trace, other, spoken))
    aside(say("trace.written", spoken, path=out))
    return 0


def diagnose_trace(
    path: Path, expected: Collection[str], language: Language | None, write: Write
) -> int:
    """Write what is the matter with each question of a trace, with the lines that show it."""
    trace = _with_runs(read_trace(path))
    spoken = _language(trace, language)
    told = [_diagnosis(run, diagnose(run, expected), spoken) for run in trace.runs]
    write(visible("\n\n".join(told)))
    return 0


def _diagnosis(run: TracedRun, found: Diagnosis, language: Language) -> str:
    return "\n".join(
        [
            run.question,
            *_verdict("layer", found.layer, language),
            *_verdict("evidence", found.evidence, language),
        ]
    )


def _verdict(about: str, verdict: Verdict, language: Language) -> Iterator[str]:
    name = say(f"diagnose.{about}.{verdict.is_}", language)
    yield say(f"diagnose.{about}", language, name=name)
    yield "  " + say(f"diagnose.why.{verdict.why}.{verdict.is_}", language, **verdict.values)
    for event in verdict.lines:
        line = brief(event, language)
        yield "  " + say("diagnose.line", language, number=event.line, line=line)


def write_stats(folder: Path, as_json: bool, language: Language | None, write: Write) -> int:
    """Write figures over every trace in a folder. What is no trace is told and left out."""
    from agent.traces.stats import stats, told

    if not folder.is_dir():
        raise Problem("stats.no_folder", path=folder)
    spoken = language or "en"
    runs: list[TracedRun] = []
    for path in sorted(folder.rglob("*.jsonl")):
        try:
            runs += read_trace(path).runs
        except Problem as problem:
            aside(tell(problem, spoken))
    if not runs:
        raise Problem("stats.no_runs", path=folder)
    figures = stats(runs)
    write(json.dumps(figures, ensure_ascii=False, indent=1) if as_json else told(figures, spoken))
    return 0


def write_spans(path: Path, out: Path, content: bool, language: Language | None) -> int:
    """Write a trace as OpenTelemetry spans."""
    from agent.traces.otlp import export

    trace = _with_runs(read_trace(path))
    lines = [json.dumps(export(run, content), ensure_ascii=False) for run in trace.runs]
    _save(out, "".join(f"{line}\n" for line in lines))
    aside(say("trace.written", _language(trace, language), path=out))
    return 0


def _with_runs(trace: Trace) -> Trace:
    if not trace.runs:
        raise Problem("trace.no_question", path=trace.path)
    return trace


def _language(trace: Trace, language: Language | None) -> Language:
    return language_for(trace.runs[0].question if trace.runs else "", language)


def _save(path: Path, text: str) -> None:
    """Write a file that only its owner can read: it holds what the trace holds."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "w", encoding="utf-8", errors="replace", newline="\n") as written:
            written.write(text)
    except OSError as error:
        raise Problem("trace.not_written", path=path, reason=error.strerror or "") from None
