"""Text files: how their bytes become text, and their pieces."""

from __future__ import annotations

import codecs
import re
from unicodedata import normalize

from tools.index.reading.pieces import Content, Piece, ReadingError, cut, numbered, paragraphs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\ufffe\uffff]")
_SAMPLE = 65_536
_OTHERS = ["cp1252", "cp1251", "shift_jis", "euc_jp", "gb18030", "big5"]


def decode(data: bytes) -> str:
    """Bytes as NFC text with ``\\n`` line ends: a byte order mark decides, else UTF-8, UTF-16
    (seen by its zero bytes), CP949 (the legacy Korean code page), else what charset-normalizer
    makes of it. Raises ReadingError for what is no text."""
    text = _decoded(data)
    if text is None or "\0" in text:
        raise ReadingError("not_text")
    if not text.isascii():
        text = normalize("NFC", text)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_plain(data: bytes) -> Content:
    """A text file: lines that stand alone, and wrapped paragraphs put together."""
    lines = numbered(decode(data))
    pieces: list[Piece] = []
    for paragraph in paragraphs(lines):
        pieces.extend(cut(paragraph))
    return Content("", pieces)


def _decoded(data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding)
    if b"\0" in data[:_SAMPLE]:
        return _utf16_without_mark(data)
    text = _strictly(data, "utf-8")
    if text is None:
        text = _strictly(data, "cp949")
    return _guessed(data) if text is None else text


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 whose byte order is told by its spaces and line ends; None for other bytes."""
    sample = [data[i : i + 2] for i in range(0, min(len(data), _SAMPLE), 2)]
    little = sample.count(b" \0") + sample.count(b"\n\0")
    big = sample.count(b"\0 ") + sample.count(b"\0\n")
    if little == big:
        return None
    text = _strictly(data, "utf-16-le" if little > big else "utf-16-be")
    return None if text is None or _CONTROL.search(text[:_SAMPLE]) else text


def _guessed(data: bytes) -> str | None:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE], cp_isolation=_OTHERS).best()
    return None if best is None else _strictly(data, best.encoding)
