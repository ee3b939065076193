"""Tables: every row of a CSV file and every object of a JSONL file is one piece, with its values
as fields that conditions can name."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, cast

from tools.index.reading.pieces import (
    Content,
    Line,
    Piece,
    ReadingError,
    Scalar,
    cut,
    numbered,
    visible,
)  # fmt: skip
from tools.index.reading.plain import decode

LONGEST_VALUE = 100
"""Characters of a text that still is a field's value; longer ones can only be searched."""

MOST_PROBLEMS = 5
"""Bad lines of one file that are told one by one."""

_DELIMITERS = ",\t;|"
_INTEGER = re.compile(r"[+-]?(0|[1-9]\d{0,14}|[1-9]\d{0,2}(,\d{3})+)")
_DECIMAL = re.compile(r"[+-]?(0|[1-9]\d*)\.\d+")
_TRUTH = {"true": True, "false": False}


def read_csv(data: bytes) -> Content:
    """A CSV or TSV file with its columns' names in the first row; ``line`` is where a row begins.
    Rows without names before them get numbers for names."""
    text = decode(data)
    delimiter = max(_DELIMITERS, key=text.partition("\n")[0].count)
    rows = _rows(text, delimiter)
    pieces: list[Piece] = []
    names: list[str] = []
    try:
        for line, row in rows:
            if not names:
                names = _names(row)
                if _is_header(row):
                    continue
            named = {names[i] if i < len(names) else str(i + 1): cell.strip()
                     for i, cell in enumerate(row)}  # fmt: skip
            pieces.extend(_pieces(line, {name: cell for name, cell in named.items() if cell}))
    except csv.Error as error:
        problem = ReadingError("bad_row", line=_last_line(pieces) + 1, reason=str(error))
        return Content("", pieces, problems=(problem,))
    return Content("", pieces)


def read_jsonl(data: bytes) -> Content:
    """A file with one JSON object in each line; a line that is none is told and left out."""
    pieces: list[Piece] = []
    bad: list[int] = []
    for number, line in numbered(decode(data)):
        if not line.strip():
            continue
        try:
            values = dict(_flat("", json.loads(line)))
        except (ValueError, RecursionError):
            bad.append(number)
            continue
        pieces.extend(_pieces(number, values))
    if bad and not pieces:
        raise ReadingError("broken", format="JSONL")
    problems = [ReadingError("bad_json", line=line) for line in bad[:MOST_PROBLEMS]]
    if len(bad) > MOST_PROBLEMS:
        problems.append(ReadingError("more_bad_json", count=len(bad) - MOST_PROBLEMS))
    return Content("", pieces, problems=tuple(problems))


def typed(cell: str) -> Scalar:
    """A cell as the number or truth value it writes, else as its text. ``007`` stays a text."""
    if _INTEGER.fullmatch(cell):
        return int(cell.replace(",", ""))
    if _DECIMAL.fullmatch(cell):
        return float(cell)
    return _TRUTH.get(cell.lower(), cell)


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=False)
    line = 1
    for row in reader:
        if any(cell.strip() for cell in row):
            yield line, row
        line = reader.line_num + 1


def _names(row: Sequence[str]) -> list[str]:
    return [cell.strip() or str(i) for i, cell in enumerate(row, 1)] if _is_header(row) else [
        str(i) for i in range(1, len(row) + 1)
    ]  # fmt: skip


def _is_header(row: Sequence[str]) -> bool:
    """Names differ from each other, are short, and are no numbers."""
    cells = [cell.strip() for cell in row if cell.strip()]
    return len(set(cells)) == len(cells) and all(
        isinstance(typed(cell), str) and len(cell) <= LONGEST_VALUE for cell in cells
    )


def _pieces(line: int, values: Mapping[str, Scalar]) -> Iterator[Piece]:
    text = ", ".join(f"{name}: {value}" for name, value in values.items())
    fields = {
        name: typed(value) if isinstance(value, str) else value
        for name, value in values.items()
        if _is_field(value)
    }
    for piece in cut([Line(line, " ".join(text.split()))]):
        yield Piece(piece.text, line, column=piece.column, fields=fields)


def _is_field(value: Scalar) -> bool:
    """Whether a condition can compare the value: a short text, or a number of 64 bits."""
    if isinstance(value, str):
        return len(value) <= LONGEST_VALUE
    return math.isfinite(value) and abs(value) < 2**63


def _flat(name: str, value: Any) -> Iterator[tuple[str, Scalar]]:
    """(dotted name, value) of everything in a JSON object that is one value."""
    if isinstance(value, dict):
        for key, each in cast(dict[str, Any], value).items():
            yield from _flat(f"{name}.{visible(key)}" if name else visible(key), each)
    elif isinstance(value, list):
        items = cast(list[Any], value)
        if all(isinstance(each, str | int | float) for each in items):
            yield name or "value", visible(", ".join(str(each) for each in items))
        else:
            for number, each in enumerate(items, 1):
                yield from _flat(f"{name}.{number}" if name else str(number), each)
    elif value is not None and value != "":
        yield name or "value", visible(value) if isinstance(value, str) else value


def _last_line(pieces: Sequence[Piece]) -> int:
    return pieces[-1].line if pieces else 0
