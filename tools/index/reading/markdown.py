"""Markdown: paragraphs, list items, table rows and lines of code, under their headings.

markdown-it-py knows where a block begins and ends, with the numbers of its lines; its inline
rules stay off, because what is quoted is the source as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tools.index.reading.front_matter import split_front_matter
from tools.index.reading.pieces import Content, Line, Piece, cut, numbered, paragraphs
from tools.index.reading.plain import decoded
from tools.index.reading.tables import row_text
from tools.index.reading.web_page import read_page
from tools.patterns import lazy_pattern

_PART = 20_000
"""Lines that are parsed at once; a longer file is cut before a heading."""

_FENCE = lazy_pattern(r"\s{0,3}(```|~~~)")


def read_markdown(data: bytes) -> Content:
    """A Markdown file. Its title is the front matter's, else its first heading of the top level."""
    text, unread = decoded(data)
    matter = split_front_matter(text)
    outline = _Outline()
    pieces = [
        piece
        for part in _parts(numbered(matter.body, matter.first_line))
        for piece in _pieces(part, outline)
    ]
    problems = (*unread, *matter.problems)
    return Content(matter.title or outline.title, pieces, matter.facets, problems)


class _Outline:
    """The headings above the place that has been reached."""

    def __init__(self) -> None:
        self.title = ""
        self._levels: dict[int, str] = {}

    def enter(self, level: int, heading: str) -> None:
        self.title = self.title or (heading if level == 1 else "")
        self._levels = {key: each for key, each in self._levels.items() if key < level}
        self._levels[level] = heading

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(self._levels.values())


def _parts(lines: list[Line]) -> Iterator[list[Line]]:
    start = 0
    fenced = False
    for index, line in enumerate(lines):
        if _FENCE.match(line.text):
            fenced = not fenced
        elif not fenced and index - start >= _PART and line.text.startswith("#"):
            yield lines[start:index]
            start = index
    yield lines[start:]


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _pieces(lines: list[Line], outline: _Outline) -> Iterator[Piece]:
    tokens = _parser().parse("\n".join(line.text for line in lines))
    rows = _Rows()
    for index, token in enumerate(tokens):
        if rows.take(token):
            continue
        if rows.finished:
            yield from rows.pieces(lines, outline.headings)
        if token.map is None:
            continue
        first, last = token.map
        if token.type == "inline" and tokens[index - 1].type == "heading_open":
            outline.enter(int(tokens[index - 1].tag[1]), token.content.replace("\n", " ").strip())
        elif token.type == "inline":
            for paragraph in paragraphs(_content(token, lines), prose=True):
                yield from cut(paragraph, outline.headings)
        elif token.type in ("fence", "code_block"):
            fence = token.type == "fence"
            for line in lines[first + fence : last]:
                if not (fence and _FENCE.match(line.text)):
                    yield from cut([line], outline.headings)
        elif token.type == "html_block":
            offset = lines[first].number - 1
            for piece in read_page(token.content).pieces:
                yield replace(piece, line=piece.line + offset, headings=outline.headings)


def _content(token: Token, lines: list[Line]) -> list[Line]:
    """The lines of a block without the marks of lists and quotations before them."""
    assert token.map is not None
    return numbered(token.content, lines[token.map[0]].number)


class _Rows:
    """The table row that is being read: its cells become one piece, each after its column's
    name."""

    def __init__(self) -> None:
        self._open = False
        self._line = 0
        self._cells: list[str] = []
        self._names: list[str] = []
        self._is_header = False
        self.finished = False

    def take(self, token: Token) -> bool:
        """Whether the token belongs to a row."""
        match token.type:
            case "thead_open" | "thead_close":
                self._is_header = token.type == "thead_open"
            case "tr_open":
                self._open, self._cells = True, []
                self._line = token.map[0] if token.map else 0
            case "inline" if self._open:
                self._cells.append(token.content.strip())
            case "tr_close":
                self._open, self.finished = False, True
                return False
            case _:
                pass
        return self._open

    def pieces(self, lines: list[Line], headings: tuple[str, ...]) -> Iterator[Piece]:
        self.finished = False
        if self._is_header:
            self._names = self._cells
            return
        row = Line(lines[self._line].number, row_text(self._names, self._cells))
        yield from cut([row], headings)
