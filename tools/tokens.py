"""How a text becomes units that can be compared: whole words, and Hangul (Han, Kana) bigrams.

Korean writes particles and endings onto a word, and compounds without spaces; two-syllable
windows over the word without its particle meet both. Other words count whole, so that
``billing_admin``, ``srv-prod-17`` and ``8.0.5`` are each one unit.
"""

from __future__ import annotations

import re
import unicodedata

_RUN = re.compile(
    r"(?P<wide>[가-힣]+|[㐀-鿿豈-﫿]+|[ぁ-ヿ]+)"
    r"|(?P<word>[^\W가-힣㐀-鿿豈-﫿ぁ-ヿ]+(?:[-.][^\W가-힣㐀-鿿豈-﫿ぁ-ヿ]+)*)"
)

_PARTICLES = tuple(
    sorted(
        "은 는 이 가 을 를 에 에서 에게 에는 에서는 으로 로 으로는 로는 의 와 과 도 만 부터 까지 "
        "이나 나 이라 라고 이란 란 처럼 보다 마다 밖에 조차 하고 이랑 랑 께 께서 한테".split(),
        key=len,
        reverse=True,
    )
)


def fold(text: str) -> str:
    """NFC, case-folded, spaces collapsed: two spellings of one query become one key."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def units(text: str) -> list[str]:
    """The comparable units of ``text``, in order, repeats kept."""
    found: list[str] = []
    for match in _RUN.finditer(fold(text)):
        wide = match.group("wide")
        if wide is None:
            found.extend(_word_units(match.group("word")))
        else:
            found.extend(bigrams(_without_particle(wide)))
    return found


def bigrams(word: str) -> list[str]:
    """The two-syllable windows of ``word``; a one-syllable word is its own unit."""
    return [word[i : i + 2] for i in range(len(word) - 1)] or [word]


def covers(text: str, word: str) -> bool:
    """Whether ``word`` occurs in ``text``: a wide word by all of its bigrams (its ending may
    differ), any other word whole. Several words must all occur."""
    present = set(units(text))
    wanted = set(units(word))
    return bool(wanted) and wanted <= present


def _word_units(word: str) -> list[str]:
    """``sign-in`` is also ``sign`` and ``in``; an id or a version (with a digit) only itself."""
    pieces = re.split(r"[-.]", word)
    if len(pieces) == 1 or any(character.isdigit() for character in word):
        return [word]
    return [word, *pieces]


def _without_particle(word: str) -> str:
    for particle in _PARTICLES:
        if word.endswith(particle) and len(word) - len(particle) >= 2:
            return word[: -len(particle)]
    return word
