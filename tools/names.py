"""What a text names: in quotation marks, with capital letters, as an id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile

from tools.documents import Passage, content_words
from tools.marks import ID
from tools.numerals import MONTH_NAMES
from tools.patterns import lazy_pattern
from tools.tokens import noun

_CAPITAL = r"[A-Z0-9À-Þ](?:[^\W가-힣]|['’.-])*"
_SMALL = r"(?:of|the|and|de|la|le|von|van|der|du|del|di|for|in|on|at|to|a|&)"
_ONLY_SMALL = lazy_pattern(_SMALL)
_SPAN = lazy_pattern(rf"{_CAPITAL}(?:\s+(?:{_SMALL}\s+){{0,2}}{_CAPITAL})*")
_QUOTED = lazy_pattern(r"[\"“「『《〈‘]([^\"”」』》〉’]{2,60})[\"”」』》〉’]")
SENTENCE = lazy_pattern(r"(?<=[.!?])(?<!\b[A-Z]\.)\s+(?=[A-Z가-힣\"“(])|\n")
_DATE = lazy_pattern(rf"(?:{'|'.join(MONTH_NAMES)}|[\d\s.,–-])+", re.IGNORECASE)
"""A day, a year or any number, which names nobody."""
_IN_BRACKETS = lazy_pattern(r"\s*\(.*?\)")
_OPENING = lazy_pattern(r"(?:^|[.!?:]\s)$")


def named(question: str) -> list[str]:
    """What a question names, in its order: in quotation marks, with capital letters, as an id. The
    capital of the first word of a sentence says nothing."""
    found = [(match.start(), match[1]) for match in _QUOTED.finditer(question)]
    found += [(match.start(), match[0]) for match in ID.finditer(question)]
    for match in _SPAN.finditer(question):
        words = match[0].split()
        if _OPENING.search(question[: match.start()]) and (
            not content_words(words[0]) or words[0].endswith("ing") or len(words) == 1
        ):
            words = [*dropwhile(_ONLY_SMALL.fullmatch, words[1:])]
        found.append((match.start(), " ".join(words)))
    names = dict.fromkeys(re.sub(r"['’]s$", "", name.strip(" .,'’")) for _, name in sorted(found))
    kept = [name for name in names if re.search(r"[^\W\d]", name) and _is_name(name)]
    return [name for name in kept if not any(name != each and name in each for each in kept)]


def _is_name(name: str) -> bool:
    return bool(content_words(name)) and not re.match(r"\d", name)


def names_in(sentence: str) -> Iterator[str]:
    """The names of a sentence; of a Korean one, which has no capitals, its nouns as well: what
    stands before a particle."""
    for match in _QUOTED.finditer(sentence):
        yield match[1].strip(" ,.")
    for match in ID.finditer(sentence):
        yield match[0]
    for match in _SPAN.finditer(sentence):
        words = match[0].split()
        if _OPENING.search(sentence[: match.start()]):
            words = [*dropwhile(lambda word: not content_words(word), words)]
        name = " ".join(words).strip(" .,'’")
        if content_words(name) and not _DATE.fullmatch(name):
            yield name
    for word in re.findall(r"[가-힣]+", sentence):
        if stripped := noun(word):
            yield stripped


_HANGUL_NAME = lazy_pattern(r"[가-힣]+(?: [가-힣]+){0,2}")


def is_called(heading: str) -> bool:
    """Whether a heading is a name: capitals throughout, or one to three words in Hangul."""
    return bool(_SPAN.fullmatch(heading) or _HANGUL_NAME.fullmatch(heading))


def heading_of(passage: Passage) -> str:
    """The heading of a passage without what stands in brackets or after a bar."""
    return _IN_BRACKETS.sub("", passage.context.partition(" | ")[0]).strip()
