"""What a reader makes of a file: its content, in pieces short enough to be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tools.patterns import lazy_pattern
from tools.problems import InputError

Scalar = str | int | float | bool
"""One value of a field."""

Field = Scalar | tuple[Scalar, ...]
"""What a field of a document or of a row may hold."""

LONGEST_PIECE = 400
"""Characters. A longer paragraph is cut where a sentence ends, so that a citation stays short."""

_SENTENCE_END = lazy_pattern(r"(?<=[.!?。!?…])[\"'”’)\]]*\s+")
_END = lazy_pattern(r"[.!?。!?…][\"'”’)\]*_`]*\s*$")
_LOOSE_END = lazy_pattern(r"[:;다요죠까][\"'”’)\]*_`]*\s*$|  $|\\$")
_UNSEEN = lazy_pattern(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_ITEM = lazy_pattern(r"\s*([-*+•·▪○●■□※▶]|\(?(\d{1,3}|[가-하a-zA-Z①-⑳])[.)]|제\s?\d+\s?[조장절])\s")
_FULL_LINE = 60
"""Columns (a Hangul syllable takes two). Shorter lines end where their author ended them."""


class ReadingError(InputError):
    """A file, or a part of one, that cannot be read."""

    area = "index"


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece that can be cited.

    ``line`` counts from 1: lines of a text or an HTML file, rows of a table as the file's lines,
    paragraphs of a DOCX file, lines of a PDF page. ``page`` is 0 where there are no pages.
    ``column`` is where a piece that starts inside its line begins, from 1; 0 for one that starts
    with its line. ``fields`` are the values of a row.
    """

    text: str
    line: int
    page: int = 0
    column: int = 0
    headings: tuple[str, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict[str, Field])

    @property
    def place(self) -> str:
        """Where in its file it stands: ``12``, ``12:241`` or ``p3:12``."""
        page = f"p{self.page}:" if self.page else ""
        column = f":{self.column}" if self.column else ""
        return f"{page}{self.line}{column}"


@dataclass(frozen=True)
class Content:
    """A file as it was read. ``problems`` are parts that could not be read; the rest is whole."""

    title: str
    pieces: Sequence[Piece]
    facets: Mapping[str, Field] = field(default_factory=dict[str, Field])
    problems: tuple[ReadingError, ...] = ()


class Line(NamedTuple):
    """A line of a file and its number."""

    number: int
    text: str


def cut(paragraph: Sequence[Line], headings: Sequence[str] = (), page: int = 0) -> Iterator[Piece]:
    """The pieces of lines that belong together. Their text is the lines joined with spaces."""
    starts: list[tuple[int, Line, int]] = []
    text = ""
    for line in paragraph:
        stripped = visible(line.text).strip()
        if not stripped:
            continue
        text += " " if text else ""
        starts.append((len(text), line, len(line.text) - len(line.text.lstrip())))
        text += stripped
    current = 0
    for offset, piece in spans(text):
        while current + 1 < len(starts) and starts[current + 1][0] <= offset:
            current += 1
        start, line, indent = starts[current]
        column = indent + offset - start + 1 if offset > start else 0
        yield Piece(piece, line.number, page, column, tuple(headings))


def visible(text: str) -> str:
    """Text without what no text should hold: control characters (a terminal would obey them) and
    halves of surrogate pairs (nothing can store them)."""
    return _UNSEEN.sub("\ufffd", text) if _UNSEEN.search(text) else text


def spans(text: str) -> Iterator[tuple[int, str]]:
    """(offset, piece) of a text: all of it, or sentences put together up to ``LONGEST_PIECE``."""
    if len(text) <= LONGEST_PIECE:
        if text:
            yield 0, text
        return
    start = end = 0
    for stop in _stops(text):
        if stop - start > LONGEST_PIECE and end > start:
            yield start, text[start:end].rstrip()
            start = end
        end = stop
    if text[start:].strip():
        yield start, text[start:].rstrip()


def _stops(text: str) -> Iterator[int]:
    """Where the text may be cut: after a sentence, else after a word, else anywhere."""
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        while end - start > LONGEST_PIECE:
            space = text.rfind(" ", start, start + LONGEST_PIECE)
            start = space + 1 if space > start else start + LONGEST_PIECE
            yield start
        start = end
        yield end


def paragraphs(lines: Sequence[Line], *, prose: bool = False) -> Iterator[list[Line]]:
    """Lines put together where one sentence runs on into the next line.

    A line runs on when the next line's first word would not have fitted into it, measured by the
    longest line between two empty ones: text that was wrapped, not lines that stand alone. In
    ``prose`` a line's end means no more than a space. The end of a sentence and the mark of a list
    item always stop it.
    """
    for block in _blocks(lines):
        widths = [_width(line.text.rstrip()) for line in block]
        full = max(_FULL_LINE, max(widths))
        paragraph = block[:1]
        for width, following in zip(widths, block[1:], strict=False):
            if _stands_alone(paragraph[-1].text, following.text, full - width, prose):
                yield paragraph
                paragraph = []
            paragraph.append(following)
        yield paragraph


def _stands_alone(line: str, following: str, room: int, prose: bool) -> bool:
    """Whether ``line``, with ``room`` columns left, is not continued by the ``following`` one."""
    if _END.search(line) or _ITEM.match(following):
        return True
    fits = 1 + _width(following.split(maxsplit=1)[0]) <= room
    return fits and (not prose or bool(_LOOSE_END.search(line)))


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    block: list[Line] = []
    for line in lines:
        if line.text.strip():
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _width(text: str) -> int:
    """Columns on a screen: the legacy Korean code page has two bytes for what is two wide."""
    return len(text.encode("cp949", "replace"))


def numbered(text: str, first: int = 1) -> list[Line]:
    """The lines of a text as an editor counts them."""
    return [Line(number, line) for number, line in enumerate(text.split("\n"), first)]
