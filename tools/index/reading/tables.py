"""Tables: every row of a CSV file and every object of a JSONL file is one piece, with its values
as fields that conditions can name."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, cast

from tools.delimiters import delimiter_of
from tools.index.columns import field_name, read_number, read_quantity
from tools.index.reading.pieces import (
    LONGEST_PIECE,
    Content,
    Field,
    Line,
    Piece,
    ReadingError,
    Scalar,
    cut,
    numbered,
    visible,
)  # fmt: skip
from tools.index.reading.plain import decoded

LONGEST_VALUE = 100
"""Characters of a text that still is a field's value; longer ones can only be searched."""

MOST_PROBLEMS = 5
"""Bad lines of one file that are told one by one."""

_MOST_SPANNED = 100
_TRUTH = {"true": True, "false": False}


def read_csv(data: bytes) -> Content:
    """A CSV or TSV file with its columns' names in the first row; ``line`` is where a row begins.
    Rows without names before them get numbers for names, and of columns with one name the later
    ones a number after it."""
    text, unread = decoded(data)
    delimiter = delimiter_of(text)
    problems = _Problems()
    names: list[str] = []
    pieces: list[Piece] = []
    for line, row in _rows(text, delimiter, problems):
        if not names:
            names = _names(row, problems)
            if is_header(row):
                continue
        named = {names[i] if i < len(names) else str(i + 1): cell.strip()
                 for i, cell in enumerate(row)}  # fmt: skip
        pieces.extend(_pieces(line, {name: cell for name, cell in named.items() if cell}))
    return Content("", pieces, problems=(*unread, *problems.told()))


def read_jsonl(data: bytes) -> Content:
    """A file with one JSON object in each line; a line that is none is told and left out."""
    pieces: list[Piece] = []
    problems = _Problems()
    is_broken = False
    text, unread = decoded(data)
    for number, line in numbered(text):
        if not line.strip():
            continue
        try:
            values = dict(_flat("", json.loads(line)))
        except (ValueError, RecursionError):
            is_broken = True
            problems.add("bad_json", line=number)
            continue
        pieces.extend(_pieces(number, values))
    if is_broken and not pieces:
        raise ReadingError("broken", format="JSONL")
    return Content("", pieces, problems=(*unread, *problems.told()))


def row_text(names: Sequence[str], cells: Sequence[str]) -> str:
    """A row of a table in a document, each cell after its column's name: ``Rack: R-17; Owner:
    Kim``. A cell without a name stands alone."""
    named = zip_longest(names, cells, fillvalue="")
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)


def spanned(written: str) -> int:
    """How many columns or rows a merged cell covers, as its table writes that, up to a hundred."""
    is_number = written.isascii() and written.isdigit()
    return max(1, min(int(written[:9]), _MOST_SPANNED)) if is_number else 1


def typed(cell: str) -> Scalar:
    """A cell as the number or truth value it writes, else as its text. ``007`` stays a text."""
    number = read_number(cell)
    return _TRUTH.get(cell.lower(), cell) if number is None else number


class _Problems:
    """What is wrong with a table: the first few of each kind, and how many more there are."""

    def __init__(self) -> None:
        self._told: dict[str, list[ReadingError]] = {}

    def add(self, fault: str, **values: object) -> None:
        self._told.setdefault(fault, []).append(ReadingError(fault, **values))

    def told(self) -> tuple[ReadingError, ...]:
        told: list[ReadingError] = []
        for fault, problems in self._told.items():
            told += problems[:MOST_PROBLEMS]
            if len(problems) > MOST_PROBLEMS:
                told.append(ReadingError(f"more_{fault}", count=len(problems) - MOST_PROBLEMS))
        return tuple(told)


def _rows(text: str, delimiter: str, problems: _Problems) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of every row. A row whose quote is not closed as it should be ends with its
    line, so that it does not swallow the others."""
    lines = text.split("\n")
    start = 0
    while start < len(lines):
        rest = (f"{lines[number]}\n" for number in range(start, len(lines)))
        reader = csv.reader(rest, delimiter=delimiter, strict=True)
        first = start
        try:
            for row in reader:
                if any(cell.strip() for cell in row):
                    yield first + 1, row
                first = start + reader.line_num
            return
        except csv.Error:
            start = first + 1
        try:
            yield start, _alone(lines[first], start, delimiter, problems)
        except csv.Error as error:
            problems.add("bad_row", line=start, reason=str(error))


def _alone(line: str, number: int, delimiter: str, problems: _Problems) -> list[str]:
    """The cells of one line that is not written by the rules. Raises csv.Error."""
    if line.count('"') % 2 == 0:
        return next(csv.reader([line], delimiter=delimiter))
    problems.add("open_quote", line=number)
    cells = next(csv.reader([line], delimiter=delimiter, quoting=csv.QUOTE_NONE))
    return [cell.strip().strip('"') for cell in cells]


def _names(row: Sequence[str], problems: _Problems) -> list[str]:
    """A name for each column, different also as a field's name."""
    if not is_header(row):
        if all(map(_is_name, row)):
            problems.add("no_header")
        return [str(i) for i in range(1, len(row) + 1)]
    names = [cell.strip() or str(i) for i, cell in enumerate(row, 1)]
    taken = set(map(field_name, names))
    seen: set[str] = set()
    for place, name in enumerate(names):
        if field_name(name) in seen:
            number = 2
            while field_name(f"{name}_{number}") in taken:
                number += 1
            names[place] = f"{name}_{number}"
            taken.add(field_name(names[place]))
            problems.add("same_column", name=name, other=names[place])
        seen.add(field_name(names[place]))
    return names


def is_header(row: Sequence[str]) -> bool:
    """Names are short and no numbers, and most of them differ from each other."""
    cells = [cell.strip() for cell in row if cell.strip()]
    return 2 * len(set(cells)) > len(cells) and all(map(_is_name, cells))


def _is_name(cell: str) -> bool:
    cell = cell.strip()
    read = read_quantity(cell)
    is_amount = read is not None and read.measure != "day"
    return isinstance(typed(cell), str) and not is_amount and len(cell) <= LONGEST_VALUE


def _pieces(line: int, values: Mapping[str, Field]) -> Iterator[Piece]:
    """The pieces of a row: as many whole cells as are short enough together, or parts of one. All
    but the first stand under the row's first cell, which says what they are about."""
    shown = ((name, _shown(value)) for name, value in values.items())
    cells = [" ".join(f"{name}: {text}".split()) for name, text in shown if text]
    fields: dict[str, Field] = {}
    for name, held in values.items():
        several = held if isinstance(held, tuple) else (held,)
        read = [typed(each) if isinstance(each, str) else each for each in several
                if _is_field(each)]  # fmt: skip
        if read:
            fields[name] = tuple(read) if isinstance(held, tuple) else read[0]
    start = 0
    for part in _parts(cells):
        for piece in cut([Line(line, part)]):
            column = start + max(piece.column, 1) if start or piece.column else 0
            headings = (cells[0][:LONGEST_VALUE],) if column else ()
            yield Piece(piece.text, line, column=column, headings=headings, fields=fields)
        start += len(part) + 2


def _parts(cells: Sequence[str]) -> Iterator[str]:
    """Cells put together up to ``LONGEST_PIECE``."""
    part = ""
    for cell in cells:
        if part and len(part) + 2 + len(cell) > LONGEST_PIECE:
            yield part
            part = ""
        part = f"{part}; {cell}" if part else cell
    if part:
        yield part


def _shown(value: Field) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_shown, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_field(value: Scalar) -> bool:
    """Whether a condition can compare the value: a short text, or a number of 64 bits."""
    if isinstance(value, str):
        return len(value) <= LONGEST_VALUE
    return math.isfinite(value) and abs(value) < 2**63


def _flat(name: str, value: Any) -> Iterator[tuple[str, Field]]:
    """(dotted name, value) of everything in a JSON object that is one value, or a list of them."""
    if isinstance(value, dict):
        for key, each in cast(dict[str, Any], value).items():
            yield from _flat(f"{name}.{visible(key)}" if name else visible(key), each)
    elif isinstance(value, list):
        items = cast(list[Any], value)
        if all(isinstance(each, str | int | float) for each in items):
            yield name or "value", tuple(_clean(each) for each in items if each != "")
        else:
            for number, each in enumerate(items, 1):
                yield from _flat(f"{name}.{number}" if name else str(number), each)
    elif value is not None and value != "":
        yield name or "value", _clean(value)


def _clean(value: Scalar) -> Scalar:
    return visible(value) if isinstance(value, str) else value
