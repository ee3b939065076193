"""Text files: how their bytes become text, and their pieces."""

from __future__ import annotations

import codecs
from unicodedata import normalize

from tools.index.reading.pieces import Content, Piece, ReadingError, cut, numbered, paragraphs
from tools.patterns import lazy_pattern

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = lazy_pattern(r"[\x00-\x08\x0e-\x1f\ufffe\uffff]")
_SAMPLE = 65_536
_MARK = "\ufffd"
_MOST_MARKS = 0.25
"""Marks for each letter that can be read, in a text of a known encoding."""
_MAINLY = 0.8
_MOST_CHAOS = 0.1
"""How strange the letters of a guess may be, as charset-normalizer measures it."""
_FEW = 0.1
_OTHERS = ["cp1252", "cp1251", "shift_jis", "euc_jp", "gb18030", "big5"]


def decode(data: bytes) -> str:
    """Bytes as text, as ``decoded`` has them. Raises ReadingError for what is no text."""
    return decoded(data)[0]


def decoded(data: bytes) -> tuple[str, tuple[ReadingError, ...]]:
    """Bytes as NFC text with ``\\n`` line ends: a byte order mark decides, else UTF-8, UTF-16
    (seen by its zero bytes), CP949 (the legacy Korean code page), else what charset-normalizer
    makes of it, where it is sure. What is none of them has marks (U+FFFD) for what cannot be read,
    and the lines with them are told. Raises ReadingError for what is no text."""
    text = _decoded(data)
    if text is None or "\0" in text:
        raise ReadingError("not_text")
    if not text.isascii():
        text = normalize("NFC", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _MARK not in text or _strictly(data, "utf-8") is not None:
        return text, ()
    bad = [number for number, line in enumerate(text.split("\n"), 1) if _MARK in line]
    return text, (ReadingError("letters", line=bad[0], count=len(bad)),)


def read_plain(data: bytes) -> Content:
    """A text file: lines that stand alone, and wrapped paragraphs put together."""
    text, problems = decoded(data)
    pieces: list[Piece] = []
    for paragraph in paragraphs(numbered(text)):
        pieces.extend(cut(paragraph))
    return Content("", pieces, problems=problems)


def _decoded(data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding)
    if b"\0" in data[:_SAMPLE]:
        return _utf16_without_mark(data)
    for encoding in ("utf-8", "cp949"):
        if (text := _strictly(data, encoding)) is not None:
            return text
    return _nearly(data) or _guessed(data) or _repaired(data)


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


def _nearly(data: bytes) -> str | None:
    """What is UTF-8 or CP949 but for a few bytes, with marks for those; None for anything else. Of
    CP949 only what is Hangul in the main tells that it is that."""
    for encoding in ("utf-8", "cp949"):
        text = data.decode(encoding, "replace")
        foreign = [each for each in text if not each.isascii() and each != _MARK]
        hangul = sum("가" <= each <= "힣" for each in foreign)
        is_korean = encoding == "utf-8" or hangul >= _MAINLY * len(foreign)
        if is_korean and text.count(_MARK) <= _MOST_MARKS * len(foreign):
            return text
    return None


def _guessed(data: bytes) -> str | None:
    """What a guess makes of it, where it is sure. A few strange letters in a text of ASCII are
    Western ones or none."""
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE], cp_isolation=_OTHERS).best()
    if best is None or best.chaos > _MOST_CHAOS:
        return None
    text = _strictly(data, best.encoding)
    if text is None or best.encoding == _OTHERS[0]:
        return text
    return text if sum(not each.isascii() for each in text) > _FEW * len(text) else None


def _repaired(data: bytes) -> str | None:
    """UTF-8 with marks for what is none; None where that is more than some letters."""
    text = data.decode("utf-8", "replace")
    too_many = text.count(_MARK) > _MOST_MARKS * len(text)
    return None if too_many or _CONTROL.search(text[:_SAMPLE]) else text
