"""Every sentence a reader sees, in Korean and English, in one place.

Korean particles follow the word before them: ``{name:을/를}`` writes the name and the particle
that fits its last sound.
"""

from __future__ import annotations

import string
from typing import Any, Literal

Language = Literal["ko", "en"]

_DIGITS_WITH_FINAL = frozenset("013678")
_LETTERS_WITH_FINAL = frozenset("lmnrLMNR")


class Problem(ValueError):
    """A reader's mistake, told in one sentence: a catalogue key and its values.

    ``str()`` gives the English sentence; entry points use ``say`` for the reader's language.
    """

    def __init__(self, key: str, **values: Any) -> None:
        self.key = key
        self.values = values
        super().__init__(say(key, "en", **values))

    def say(self, language: Language) -> str:
        return say(self.key, language, **self.values)


def say(key: str, language: Language, **values: Any) -> str:
    """The sentence for ``key``. A key with a narrower cause (``stop.rejected.key_invalid``) falls
    back to its parent; a key nobody wrote is a KeyError."""
    while key not in SENTENCES and key.count(".") > 1:
        key = key.rpartition(".")[0]
    korean, english = SENTENCES[key]
    return _FORMATTER.format(korean if language == "ko" else english, **values)


def particle(word: str, pair: str) -> str:
    """``word`` with the particle of ``pair`` ("을/를", "이/가", "은/는", "과/와", "으로/로")."""
    after_consonant, after_vowel = pair.split("/")
    final = _final_sound(word)
    if pair == "으로/로" and final == "ㄹ":
        return word + after_vowel
    return word + (after_consonant if final else after_vowel)


def _final_sound(word: str) -> str:
    """The final consonant of the last letter or digit: "" for none, "ㄹ", or "+" for another."""
    last = next((each for each in reversed(word) if each.isalnum()), "")
    if "가" <= last <= "힣":
        final = (ord(last) - ord("가")) % 28
        return "ㄹ" if final == 8 else "+" if final else ""
    if last in "178lLrR" and last:
        return "ㄹ"
    return "+" if last in _DIGITS_WITH_FINAL or last in _LETTERS_WITH_FINAL else ""


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if "/" in format_spec:
            return particle(str(value), format_spec)
        return super().format_field(value, format_spec)


_FORMATTER = _Formatter()

SENTENCES: dict[str, tuple[str, str]] = {}
"""key -> (Korean, English)."""
