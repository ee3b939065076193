"""DOCX: paragraphs and table rows in order, under their headings.

python-docx opens the package and names the styles; the text is taken from every run that stands,
also in links, content controls and tracked insertions.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any
from unicodedata import normalize

from tools.index.reading.pieces import Content, Line, Piece, ReadingError, cut
from tools.index.reading.tables import is_header, row_text, spanned
from tools.patterns import lazy_pattern

_LARGEST = 500_000_000
"""Bytes that a file may unpack to."""

_HEADING = lazy_pattern(r"heading (\d)", re.IGNORECASE)
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def read_docx(data: bytes) -> Content:
    """A DOCX file; ``line`` counts its paragraphs and table rows. Raises ReadingError for one that
    is no DOCX file or unpacks to too much."""
    package = _opened(data)
    pieces: list[Piece] = []
    headings: dict[int, str] = {}
    title = normalize("NFC", package.core_properties.title or "").strip()
    styles = {style.style_id: style.name or "" for style in package.styles}
    for number, (style, text) in enumerate(_blocks(package.element.body), 1):
        level = _level(styles.get(style, ""))
        text = " ".join(normalize("NFC", text).split())
        if level is None:
            pieces.extend(cut([Line(number, text)], tuple(headings.values())))
        elif text:
            title = title or text
            headings = {key: each for key, each in headings.items() if key < level}
            headings[level] = text
    return Content(title, pieces)


def _opened(data: bytes) -> Any:
    import docx

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            if sum(each.file_size for each in archive.infolist()) > _LARGEST:
                raise ReadingError("too_much_inside", format="DOCX")
        return docx.Document(BytesIO(data))
    except ReadingError:
        raise
    except Exception:
        # a damaged package fails anywhere in zipfile, lxml and python-docx, by many names
        raise ReadingError("broken", format="DOCX") from None


def _blocks(element: Any) -> Iterator[tuple[str, str]]:
    """(style id, text) of every paragraph and table row, in order."""
    for child in element:
        if child.tag == f"{_W}p":
            style = child.find(f"{_W}pPr/{_W}pStyle")
            yield ("" if style is None else style.get(f"{_W}val", "")), _text(child)
        elif child.tag == f"{_W}tbl":
            yield from (("", row) for row in _rows(child))
        elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml"):
            yield from _blocks(child)


def _rows(table: Any) -> Iterator[str]:
    """The rows of a table; below a row of headers each cell stands after its column's name, a
    merged one in each of its columns and rows."""
    rows = list(table.iter(f"{_W}tr"))
    grid: list[list[str]] = []
    for row in rows:
        grid.append(_cells(row, grid[-1] if grid else ()))
    has_header = _has_header(rows, grid)
    for row, cells in zip(rows, grid, strict=True):
        if has_header and row is rows[0]:
            yield " | ".join(grid[0])
        elif has_header and len(cells) <= len(grid[0]):
            yield row_text(grid[0], cells)
        else:
            yield " | ".join(filter(None, map(_cell_text, row.iterfind(f".//{_W}tc"))))


def _cells(row: Any, above: Sequence[str]) -> list[str]:
    """The texts of a row, one for each column."""
    cells: list[str] = []
    for cell in row.iterfind(f".//{_W}tc"):
        merged = cell.find(f"{_W}tcPr/{_W}vMerge")
        goes_on = merged is not None and merged.get(f"{_W}val") != "restart"
        text = "".join(above[len(cells) : len(cells) + 1]) if goes_on else _cell_text(cell)
        span = cell.find(f"{_W}tcPr/{_W}gridSpan")
        cells += [text] * (1 if span is None else spanned(span.get(f"{_W}val", "")))
    return cells


def _cell_text(cell: Any) -> str:
    return " ".join(normalize("NFC", _text(cell)).split())


def _has_header(rows: Sequence[Any], grid: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: it is marked as a header, all of it is bold, or it
    reads like names. Of two columns of words alone the left one may be the names."""
    if len(grid) < 2 or len(grid[0]) < 2 or not all(grid[0]):
        return False
    first = rows[0]
    if first.find(f"{_W}trPr/{_W}tblHeader") is not None:
        return True
    runs = [run for run in first.iter(f"{_W}r") if run.find(f"{_W}t") is not None]
    if runs and all(run.find(f"{_W}rPr/{_W}b") is not None for run in runs):
        return True
    has_numbers = any(map(str.isdigit, "".join(row[0] for row in grid[1:] if row)))
    return is_header(grid[0]) and (len(grid[0]) > 2 or has_numbers)


def _text(element: Any) -> str:
    parts: list[str] = []
    for node in element.iter(f"{_W}t", f"{_W}tab", f"{_W}br", f"{_W}p"):
        parts.append(node.text or "" if node.tag == f"{_W}t" else " ")
    return "".join(parts).strip()


def _level(style: str) -> int | None:
    if style.lower() == "title":
        return 0
    match = _HEADING.fullmatch(style)
    return int(match[1]) if match else None
