"""Texts of web pages and of queries, as plain text on one line."""

from __future__ import annotations

import re
from html import unescape
from unicodedata import category, normalize

from tools.fences import without_marks
from tools.patterns import lazy_pattern

CUT = "… (cut)"
"""What stands at the end of a text that went on."""

_RAW_LIMIT = 20_000
"""Characters of a text that are looked at, before anything is done with it."""

_BREAK = lazy_pattern(r"</?(?:br|p|div|li|tr|td|th|h[1-6])\b[^<>]*>", re.I)
_TAG = lazy_pattern(r"<[a-zA-Z/!?][^<>]*>")

_INVISIBLE = lazy_pattern(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Shown as nothing, though their category says that they are letters, marks or symbols."""

_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "«": "»"}


def visible(text: str) -> str:
    """``text`` as NFC on one line, without characters that show nothing (zero-width ones, marks
    that turn the direction, controls, lone surrogates) and with single spaces."""
    kept = (_shown(character) for character in _INVISIBLE.sub("", text))
    return " ".join(normalize("NFC", "".join(kept)).split())


def _shown(character: str) -> str:
    kind = category(character)
    if kind in ("Cc", "Zl", "Zp", "Zs"):
        return " "
    return "" if kind in ("Cf", "Cs", "Co") else character


def plain(text: object, limit: int) -> str:
    """What a page says, for a model and a reader: no markup, no invisible characters, no fence
    marks, one line, at most ``limit`` characters and a mark where it was cut. "" for no text."""
    if not isinstance(text, str):
        return ""
    once = unescape(_without_tags(text[:_RAW_LIMIT]))
    return cut(without_marks(visible(_without_tags(once))), limit)


def _without_tags(text: str) -> str:
    return _TAG.sub("", _BREAK.sub(" ", text))


def cut(text: str, limit: int, mark: str = CUT) -> str:
    """``text``, at most ``limit`` characters of it and then ``mark``; between words if it can."""
    if len(text) <= limit:
        return text
    kept = text[:limit]
    whole = kept.rpartition(" ")[0]
    return (whole if len(whole) > limit * 0.8 else kept).rstrip() + mark


def clean_query(query: str, limit: int) -> str:
    """A query as it is sent: visible characters, at most ``limit``, and without quotation marks
    around the whole of it (models put them there, and then nothing is found)."""
    words = visible(query)
    if len(words) > 1 and _QUOTES.get(words[0]) == words[-1]:
        inner = words[1:-1]
        if words[0] not in inner and words[-1] not in inner:
            words = inner.strip()
    return cut(words, limit, mark="")
