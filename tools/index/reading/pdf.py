"""PDF: the lines of each page, under the entries of its outline.

Read with PDFium, the reader inside Chrome: one wheel for every Python of a platform, hardened
against strange files, and with the CJK encodings built in that Korean documents use.
"""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import normalize

import pypdfium2 as pdfium  # type: ignore[import-untyped]

from tools.index.reading.pieces import (
    Content,
    Line,
    Piece,
    ReadingError,
    cut,
    numbered,
    paragraphs,
)  # fmt: skip
from tools.patterns import lazy_pattern

_HYPHEN = lazy_pattern("\ufffe(?:\r?\n)?|\x02")
_LOCKED = 4
"""PDFium's code for a file that needs a password."""


def read_pdf(data: bytes) -> Content:
    """A PDF file. Raises ReadingError for one that is locked, broken, or has only pictures."""
    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        locked = getattr(error, "err_code", None) == _LOCKED or "password" in str(error).lower()
        raise ReadingError("pdf_locked" if locked else "broken", format="PDF") from None
    try:
        pieces: list[Piece] = []
        bad: list[int] = []
        outline = _outline(pdf)
        headings: dict[int, str] = {}
        for number in range(len(pdf)):
            for level, heading in outline.get(number, []):
                headings = {key: each for key, each in headings.items() if key < level}
                headings[level] = heading
            try:
                pieces.extend(_page(pdf, number, tuple(headings.values())))
            except pdfium.PdfiumError:
                bad.append(number + 1)
        title = normalize("NFC", pdf.get_metadata_value("Title")).strip()
    finally:
        pdf.close()
    problems = tuple(ReadingError("pdf_page", page=page) for page in bad)
    if not pieces and not problems:
        raise ReadingError("pdf_pictures")
    return Content(title, pieces, problems=problems)


def _page(pdf: pdfium.PdfDocument, number: int, headings: tuple[str, ...]) -> Iterator[Piece]:
    page = pdf[number]
    text_page = page.get_textpage()
    try:
        text = text_page.get_text_bounded()
    finally:
        text_page.close()
        page.close()
    text = normalize("NFC", _HYPHEN.sub("", text)).replace("\r\n", "\n").replace("\r", "\n")
    lines = [Line(line.number, line.text.replace("\0", "")) for line in numbered(text)]
    for paragraph in paragraphs(lines):
        yield from cut(paragraph, headings, number + 1)


def _outline(pdf: pdfium.PdfDocument) -> dict[int, list[tuple[int, str]]]:
    """Page index -> the outline's entries that begin there."""
    entries: dict[int, list[tuple[int, str]]] = {}
    for bookmark in pdf.get_toc():
        target = bookmark.get_dest()
        index = target.get_index() if target else None
        if index is not None:
            title = normalize("NFC", bookmark.get_title()).strip()
            entries.setdefault(index, []).append((bookmark.level, title))
    return entries
