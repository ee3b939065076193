"""What a student did, as one page for the teacher and as a table for a spreadsheet."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

from agent.catalogue import Language, Problem, say
from agent.confidential import without_keys
from agent.lessons.exercises import exercises
from agent.lessons.progress import Progress, Work
from agent.output_file import check_output
from agent.settings import own_keys

BEGINS = "<!DOCTYPE html>\n<!-- bareloop report -->\n"
"""What every page begins with."""

NAME = "report"
"""What a report in a folder is called."""

_COLUMNS = (
    "number", "title", "prediction", "when", "runs", "explanation", "ideas", "hints", "repair",
    "predicted_at", "ran_at", "explained_at", "repaired_at",
)  # fmt: skip
_ENDINGS = (".html", ".csv")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --faint: #d5dae2; }
@media (prefers-color-scheme: dark) {
 :root { --ink: #e4e8ee; --paper: #14181f; --faint: #364152; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
 margin: 2rem; }
table { border-collapse: collapse; } .wide { overflow-x: auto; }
td { white-space: pre-line; }
th, td { border-bottom: 1px solid var(--faint); padding: .3rem .7rem; text-align: left;
 vertical-align: top; }
"""


def write_report(
    named: str, progress: Progress, name: str, language: Language
) -> tuple[Path, Path]:
    """Write the page and the table beside each other, under the name that was given with both
    endings; into a folder as "report". ``name`` is the student's, "" for none. Raises Problem when
    they cannot be written, and for files that are there and not of an earlier report."""
    rows = _rows(progress, language)
    name = without_keys(name, own_keys())
    path = Path(named)
    try:
        if path.is_dir() or named.endswith(("/", os.sep)):
            path = path / NAME
        bare = path.stem if path.suffix.lower() in _ENDINGS else path.name
        html, table = (path.with_name(bare + ending) for ending in _ENDINGS)
        check_output(html, BEGINS)
        if not (html.is_file() and html.stat().st_size):
            check_output(table, BEGINS)  # a table without our page is somebody else's
        html.write_text(_page(rows, name, language), "utf-8", "replace")
        table.write_text(_csv(rows, name, language), "utf-8-sig", "replace", newline="")
    except Problem:
        raise
    except (OSError, ValueError) as error:  # a name may be too long, or none at all
        reason = getattr(error, "strerror", "") or str(error)
        raise Problem("lesson.report_unwritable", path=named, reason=reason) from None
    return html, table


def _rows(progress: Progress, language: Language) -> list[list[str]]:
    """A row for each exercise, in the order of the columns."""
    rows: list[list[str]] = []
    for each in exercises():
        work = progress.of(each.name)
        said = f"{work.mentioned}/{work.ideas}" if work.explanation else ""
        rows.append(
            [
                str(each.number),
                each.headline(language),
                work.prediction,
                say(f"lesson.report.{_when(work)}", language) if work.prediction else "",
                str(work.runs),
                work.explanation,
                said,
                str(work.hints),
                work.repair,
                *(work.predicted_at, work.ran_at, work.explained_at, work.repaired_at),
            ]
        )
    return rows


def _when(work: Work) -> str:
    """Whether a prediction was made before the first run."""
    return "late" if work.late else "early"


def _headings(language: Language) -> list[str]:
    return [say(f"lesson.report.{each}", language) for each in _COLUMNS]


def _page(rows: Sequence[Sequence[str]], name: str, language: Language) -> str:
    title = say("lesson.report.page", language)
    head = "".join(f"<th>{escape(each)}</th>" for each in _headings(language))
    body = "\n".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return BEGINS + "\n".join(
        [
            f'<html xmlns="http://www.w3.org/1999/xhtml" lang="{language}">',
            f'<head><meta charset="utf-8"/><title>{escape(title)}</title>',
            f"<style>{_STYLE}</style></head><body>",
            f"<h1>{escape(title)}</h1>",
            *([f"<p>{escape(name)}</p>"] if name else []),
            f"<p>{escape(say('lesson.report.about', language))}</p>",
            f'<div class="wide"><table><tr>{head}</tr>',
            body,
            "</table></div></body></html>\n",
        ]
    )


def _csv(rows: Sequence[Sequence[str]], name: str, language: Language) -> str:
    page = io.StringIO()
    writer = csv.writer(page)
    named = [say("lesson.report.name", language)] if name else []
    writer.writerow([*named, *_headings(language)])
    for row in rows:
        writer.writerow(map(_plain, [*([name] if name else []), *row]))
    return page.getvalue()


def _plain(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
