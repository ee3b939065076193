"""Characters that show nothing, or turn what stands beside them around: what a reader cannot see
has no business in what a model reads."""

from __future__ import annotations

from unicodedata import category

from tools.patterns import lazy_pattern

_HIDDEN = lazy_pattern(
    "[\x80-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
    "|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+"
)
"""Controls, marks of direction, spaces without width, tag characters and variation selectors that
carry bytes. What writing needs stays: joiners, and one selector after a letter or a picture."""

_INSIDE_WORDS = lazy_pattern(
    "[\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
_BROKEN_LINE = lazy_pattern("\xad[ \t]*\n[ \t]*")

_FIRST_TAG = 0xE0000


def without_hidden(text: str) -> str:
    """``text`` without what nobody can see in it; Unicode's own line ends become usual ones."""
    if text.isascii():
        return text
    return _HIDDEN.sub("", text.replace("\u2028", "\n").replace("\u2029", "\n"))


def as_read(text: str) -> str:
    """``text`` without a character that only formats, as a reader sees it."""
    return "".join(each for each in without_hidden(text) if category(each) != "Cf")


def in_one_piece(text: str) -> str:
    """``text`` with its words as a reader sees them: without hyphens and breaks that only a full
    line would show, joiners, and whatever else shows nothing inside a word."""
    if text.isascii():
        return text
    if "\xad" in text:
        text = _BROKEN_LINE.sub("", text)
    return _INSIDE_WORDS.sub("", text)


def tagged(text: str) -> str:
    """The ASCII text that stands in tag characters, which no reader sees and a model may read."""
    return "".join(
        chr(ord(each) - _FIRST_TAG)
        for each in text
        if _FIRST_TAG + 32 <= ord(each) < _FIRST_TAG + 127
    )
