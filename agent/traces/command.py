"""``bareloop trace``: show, html, diagnose, stats and export of what ``--trace`` wrote."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from unicodedata import normalize

from agent.catalogue import Language, Problem, say, tell
from agent.console import aside, visible
from agent.output_file import check_output, write_output
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


def write_page(
    first: Path,
    second: Path | None,
    out: Path,
    language: Language | None,
    pairs: Sequence[tuple[int, int]] = (),
) -> int:
    """Write the page of a trace, or of two. ``pairs`` are the numbers of the questions that are
    compared; without any they are compared in their order."""
    from agent.traces.page import BEGINS, page

    inputs = [first] if second is None else [first, second]
    check_output(out, BEGINS, inputs)
    trace = read_trace(first)
    other = read_trace(second) if second is not None else None
    spoken = _language(trace, language)
    if pairs and other is None:
        raise Problem("trace.pair_alone")
    for numbers in pairs:
        for each, number in zip((trace, other), numbers, strict=True):
            if each is not None and number > len(each.runs):
                path, count = each.path, len(each.runs)
                raise Problem("trace.pair_missing", path=path, number=number, count=count)
    write_output(out, page(trace, other, spoken, pairs), BEGINS, inputs)
    aside(say("trace.written", spoken, path=out))
    return 0


def diagnose_trace(
    path: Path, expected: Collection[str], language: Language | None, write: Write
) -> int:
    """Write what is the matter with each question of a trace, with the lines that show it.
    ``expected`` are ids of passages; raises Problem for an empty one."""
    ids = [normalize("NFC", each).strip().strip("[]") for each in expected]
    if not all(ids):
        raise Problem("diagnose.no_id")
    trace = read_trace(path)
    spoken = _language(trace, language)
    told = [_diagnosis(run, diagnose(run, ids), spoken) for run in trace.runs]
    write(visible("\n\n".join([*told, *(each.say(spoken) for each in trace.left_out)])))
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
            trace = read_trace(path)
            runs += trace.runs
            for problem in trace.left_out:
                aside(f"{path}: {problem.say(spoken)}")
        except Problem as problem:
            aside(tell(problem, spoken))
    if not runs:
        raise Problem("stats.no_runs", path=folder)
    figures = stats(runs)
    write(json.dumps(figures, ensure_ascii=False, indent=1) if as_json else told(figures, spoken))
    return 0


def write_spans(path: Path, out: Path, content: bool, language: Language | None) -> int:
    """Write a trace as OpenTelemetry spans."""
    from agent.traces.otlp import BEGINS, export

    check_output(out, BEGINS, [path])
    trace = read_trace(path)
    spoken = _language(trace, language)
    lines = [json.dumps(export(run, content), ensure_ascii=False) for run in trace.runs]
    write_output(out, "".join(f"{line}\n" for line in lines), BEGINS, [path])
    for problem in trace.left_out:
        aside(problem.say(spoken))
    aside(say("trace.written", spoken, path=out))
    return 0


def _language(trace: Trace, language: Language | None) -> Language:
    return language_for(trace.runs[0].question, language)
