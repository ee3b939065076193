"""HTML: the text of blocks, under their headings.

Read with lxml, which takes any damaged page in linear time (the standard library's parser takes
minutes for some). A tree knows the lines of its elements; the lines of texts between them are
counted from there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

from tools.index.reading.pieces import Content, Line, Piece, cut
from tools.index.reading.plain import decoded
from tools.index.reading.tables import row_text, spanned
from tools.patterns import lazy_pattern

_BLOCKS = frozenset(
    "address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre "
    "section select summary table tbody tfoot thead title tr ul".split()
)
_HIDDEN = frozenset({"script", "style", "template", "noscript", "svg", "math"})
_INVISIBLE = lazy_pattern(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\s*(?:!important\s*)?(?:;|$)",
    re.IGNORECASE,
)
_CELLS = frozenset({"td", "th"})
_NEAR = 20_000
"""Characters of a line in which the beginning of a text is looked for."""

_LAST_LINE = 65_535
"""Where libxml2 stops counting the lines of elements; from there on ours alone count."""


def read_html(data: bytes) -> Content:
    """An HTML page. Its title is the page's own, else its first heading."""
    text, problems = decoded(data)
    return replace(read_page(text), problems=problems)


def read_page(text: str) -> Content:
    """HTML that is text already."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True)
    parser.feed(text.encode("utf-8", "replace") or b" ")
    try:
        root = parser.close()
    except etree.XMLSyntaxError:
        # nothing in it
        return Content("", ())
    page = _Page(text)
    if root is not None:
        page.walk(root)
    page.end_block()
    return Content(page.title, page.pieces)


def _is_hidden(node: Any) -> bool:
    """Whether no reader of the page sees an element, as far as it says so itself. One that is
    hidden until it is found is meant to be found."""
    hidden = node.get("hidden")
    return (
        node.tag in _HIDDEN
        or (hidden is not None and hidden.strip().casefold() != "until-found")
        or _INVISIBLE.search(node.get("style") or "") is not None
    )


@dataclass
class _Table:
    """A table that is being read. ``names`` are those of its columns once a row of headers was
    there, in the ``headers``; ``row`` are the cells of the row at hand, ``spans`` cells that reach
    into later rows, by their place."""

    names: list[str] = field(default_factory=list[str])
    headers: list[Line] = field(default_factory=list[Line])
    row: list[_Cell] | None = None
    spans: dict[int, tuple[int, str]] = field(default_factory=dict[int, tuple[int, str]])

    def cells(self) -> list[str]:
        """The cells of the row at hand, one for each column, and the end of the row."""
        cells: list[str] = []
        rest = [*(self.row or [])]
        spans, self.spans = self.spans, {}
        while rest or len(cells) in spans:
            place = len(cells)
            if place in spans:
                rows, text = spans[place]
                cells.append(text)
                if rows > 1:
                    self.spans[place] = rows - 1, text
                continue
            cell = rest.pop(0)
            text = " ".join(" ".join(cell.texts).split())
            end = min(place + cell.columns, len(self.names)) if self.names else place + cell.columns
            for column in range(place, max(end, place + 1)):
                cells.append(text)
                if cell.rows > 1:
                    self.spans[column] = cell.rows - 1, text
        self.row = None
        return cells


@dataclass
class _Cell:
    columns: int
    rows: int
    texts: list[str] = field(default_factory=list[str])


def _cell(node: Any) -> _Cell:
    """A cell with the number of columns and rows that it covers."""
    return _Cell(spanned(node.get("colspan") or ""), spanned(node.get("rowspan") or ""))


def _names_columns(node: Any) -> bool:
    """Whether a row has at least two cells, all of them headers."""
    tags = [each.tag for each in node if each.tag in _CELLS]
    return len(tags) > 1 and set(tags) == {"th"}


class _Page:
    def __init__(self, source: str) -> None:
        self._source = source.split("\n")
        self._reached: dict[int, int] = {}
        self._tables: list[_Table] = []
        self.title = ""
        self.pieces: list[Piece] = []
        self._line = 1
        self._texts: list[Line] = []
        self._block = ""
        self._hidden = 0
        self._headings: dict[int, str] = {}

    def walk(self, root: Any) -> None:
        """Everything in the tree, in the order of the source."""
        for event, node in etree.iterwalk(root, events=("start", "end", "comment")):
            if event == "start":
                self._reach(node)
                self._open(node)
                self._take(node.text)
            elif event == "end":
                self._close(node)
                self._take(node.tail)
            else:
                self._line += (node.text or "").count("\n")
                self._take(node.tail)

    def _reach(self, node: Any) -> None:
        """Go on to the line of an element: white space before it may not be in the tree."""
        line = node.sourceline or 0
        if self._line < line < _LAST_LINE:
            self._line = line

    def _open(self, node: Any) -> None:
        tag = node.tag
        if _is_hidden(node):
            self._hidden += 1
        elif tag == "table":
            self.end_block()
            self._tables.append(_Table())
        elif tag == "tr" and self._tables and (self._tables[-1].names or _names_columns(node)):
            self.end_block()
            self._tables[-1].row = []
        elif self._row is not None:
            if tag in _CELLS:
                self._row.append(_cell(node))
        elif tag in _BLOCKS:
            self.end_block()
            self._block = tag
        elif tag in _CELLS and self._texts:
            self._texts.append(Line(self._texts[-1].number, "|"))
        elif tag == "br" and self._block != "title":
            block = self._block
            self.end_block()
            self._block = block

    def _close(self, node: Any) -> None:
        if _is_hidden(node):
            self._hidden -= 1
        elif node.tag == "table" and self._tables:
            self._end_table()
        elif node.tag == "tr" and self._row is not None:
            self._end_row(_names_columns(node))
        elif node.tag in _BLOCKS and self._row is None:
            self.end_block()

    @property
    def _row(self) -> list[_Cell] | None:
        """The cells of the row at hand, in a table whose columns have names."""
        return self._tables[-1].row if self._tables else None

    def _end_row(self, is_header: bool) -> None:
        """A row of headers names the columns; any other is one piece. A cell across all columns
        is a text of its own."""
        table, texts = self._tables[-1], self._texts
        self._texts = []
        row = table.row or []
        is_across = len(row) == 1 and row[0].columns >= len(table.names) > 1
        cells = table.cells()
        if is_header:
            table.names, table.headers = cells, texts
        elif texts:
            table.headers = []
            self._add(texts[0], cells[0] if is_across else row_text(table.names, cells))

    def _end_table(self) -> None:
        """Names of columns without a row below them stand for themselves."""
        self.end_block()
        table = self._tables.pop()
        if table.headers:
            self._add(table.headers[0], " | ".join(filter(None, table.names)))

    def _take(self, text: str | None) -> None:
        first = self._line
        lines = (text or "").split("\n")
        self._line += len(lines) - 1
        if self._hidden:
            return
        for number, line in enumerate(lines, first):
            if line.strip():
                self._texts.append(Line(number, line))
                if self._row:
                    self._row[-1].texts.append(line)
            if self._block == "pre" and number < self._line:
                self.end_block()
                self._block = "pre"

    def end_block(self) -> None:
        """Everything since the last block began is one block's text."""
        texts, self._texts = self._texts, []
        block, self._block = self._block, ""
        if not texts:
            return
        text = " ".join(" ".join(line.text for line in texts).split())
        if block == "title":
            self.title = self.title or text
        elif len(block) == 2 and block[0] == "h" and block[1].isdigit():
            level = int(block[1])
            self.title = self.title or text
            self._headings = {key: each for key, each in self._headings.items() if key < level}
            self._headings[level] = text
        else:
            self._add(texts[0], text)

    def _add(self, first: Line, text: str) -> None:
        """A text as pieces; what is not the first of its line has a column, so that no two of a
        line are cited alike."""
        column = self._column(first)
        pieces = list(cut([Line(first.number, text)], tuple(self._headings.values())))
        for piece in pieces:
            inside = max(0, piece.column - 1)
            self.pieces.append(replace(piece, column=column + inside) if column else piece)
        self._reached[first.number] += max((each.column for each in pieces), default=0)

    def _column(self, first: Line) -> int:
        """Where in its line, from 1, a text begins that is not the first one there; 0 for the
        first. One that is not found as it is written (an entity) begins where the last one did."""
        reached = self._reached.get(first.number)
        source = self._source[first.number - 1] if first.number <= len(self._source) else ""
        word = re.search(r"\w+", first.text)
        start = reached or 0
        found = source.find(word[0], start, start + _NEAR) if word else -1
        self._reached[first.number] = max(found, start) + 1
        return 0 if reached is None else self._reached[first.number]
