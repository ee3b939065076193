"""Reading a source of a corpus into passages, by its interface."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, cast
from unicodedata import normalize

from tools.delimiters import delimiter_of
from tools.documents import Passage, document_files, is_heading, printable, read_text
from tools.problems import CorpusError
from tools.sources.source import Interface, Store, Texts
from tools.tokens import units

_OF_AN_ISSUE = ("number", "title", "status", "text")


def read_store(interface: Interface, path: Path, name: str, source: str) -> Store:
    """What lies at ``path``. ``name`` goes before the ids of rows and issues; ``source`` is what
    passages say they come from. Raises CorpusError, naming the file and the row, for one that
    cannot be used."""
    return _READERS[interface](path, name, source)


def read_documents(folder: Path, source: str) -> tuple[Passage, ...]:
    """Every document of a folder; its id is the file's name without the ending. One that holds
    headings alone is none."""
    found: dict[str, Passage] = {}
    for file in document_files(folder):
        text = read_text(file).strip()
        lines = [line for line in text.splitlines() if not is_heading(line)]
        body = "\n".join(lines).strip()
        name = normalize("NFC", file.stem)
        if name in found:
            raise CorpusError("same_document_id", id=name, folder=folder)
        if units(body):
            found[name] = Passage(name, text, source, body=body)
    return tuple(found.values())


def read_lines(path: Path, source: str) -> tuple[Passage, ...]:
    """Every event of a log, cited by the file and the number of its first line. An indented line
    belongs to the event above it."""
    events: list[tuple[int, list[str]]] = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if events and line[:1].isspace() and line.strip():
            events[-1][1].append(line.strip())
        elif units(line):
            events.append((number, [line.strip()]))
    return tuple(
        _passage(f"{printable(path.name)}:{number}", "\n".join(lines), source, number)
        for number, lines in events
    )


def read_issues(path: Path, name: str, source: str) -> tuple[Passage, ...]:
    """Every issue of a JSONL file: an object with number, title, status and text; other entries
    are told beside the status."""
    found: dict[str, Passage] = {}
    for line, written in enumerate(read_text(path).splitlines(), 1):
        if not written.strip():
            continue
        issue = _object(path, line, written)
        number = issue.get("number")
        if isinstance(number, bool) or not isinstance(number, int):
            raise _bad(path, line, "number: a whole number is expected")
        for entry in _OF_AN_ISSUE[1:]:
            if not isinstance(issue.get(entry), str) or not issue[entry].strip():
                raise _bad(path, line, f"{entry}: a text is expected")
        beside = {key: value for key, value in issue.items() if key not in _OF_AN_ISSUE}
        told = _told({"status": issue["status"], **beside})
        text = f"#{number} {issue['title']} ({told})\n{issue['text'].strip()}"
        _add(found, path, line, _passage(f"{name}/{number}", normalize("NFC", text), source, line))
    return tuple(found.values())


def read_table(path: Path, name: str, source: str) -> tuple[Passage, ...]:
    """Every row of a CSV file with column names in its first row; the first column is the row's
    id. An empty cell says nothing."""
    found: dict[str, Passage] = {}
    columns: list[str] = []
    for line, row in _rows(path):
        if not columns:
            columns = [each.strip() for each in row]
            if not all(columns) or len(set(columns)) < len(columns):
                raise _bad(path, line, "the first row names every column, each once")
            continue
        cells = [each.strip() for each in row]
        if len(cells) != len(columns):
            raise _bad(path, line, f"{len(columns)} cells are expected, not {len(cells)}")
        if not units(cells[0]):
            raise _bad(path, line, f"{columns[0]}: the id is missing")
        text = _told({key: cell for key, cell in zip(columns, cells, strict=True) if cell})
        _add(found, path, line, _passage(f"{name}/{cells[0]}", text, source, line))
    return tuple(found.values())


def _table(path: Path, name: str, source: str) -> Store:
    from tools.sources.table import Table

    return Table(name, read_table(path, name, source))


_READERS: Mapping[Interface, Callable[[Path, str, str], Store]] = {
    "documents": lambda path, name, source: Texts(read_documents(path, source)),
    "table": _table,
    "lines": lambda path, name, source: Texts(read_lines(path, source)),
    "issues": lambda path, name, source: Texts(read_issues(path, name, source)),
}


def _rows(path: Path) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows of a CSV file that hold something, each with the number of its last line."""
    import csv

    text = read_text(path)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise _bad(path, reader.line_num, str(error)) from None


def _object(path: Path, line: int, written: str) -> dict[str, Any]:
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _bad(path, line, "a JSON object is expected")
    return cast(dict[str, Any], value)


def _told(values: Mapping[str, Any]) -> str:
    return "; ".join(f"{key}: {value}" for key, value in values.items())


def _passage(name: str, text: str, source: str, line: int) -> Passage:
    return Passage(name, text, source, body=text, line=line)


def _add(found: dict[str, Passage], path: Path, line: int, passage: Passage) -> None:
    if passage.id in found:
        raise _bad(path, line, f"{passage.id} is there twice")
    found[passage.id] = passage


def _bad(path: Path, line: int, reason: str) -> CorpusError:
    return CorpusError("bad_row", path=path, row=line, reason=reason)
