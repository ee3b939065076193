"""Forms of one verb: English ones that no rule leads back to it (written, held, kept), and Korean
ones, which share how they begin (고쳤나요, 고친)."""

from __future__ import annotations

import re
from unicodedata import normalize

from tools.patterns import lazy_pattern

_FORMS = """
bend bent · begin began begun · blow blown · break broke broken · bring brought · build built
buy bought · catch caught · choose chose chosen · come came · deal dealt
draw drew drawn · drink drank drunk · drive drove driven · eat ate eaten · feed fed · fight fought
find found · forbid forbade forbidden · forget forgot forgotten
go gone · grow grew grown · hear heard · hide hid hidden · hold held · keep kept
know knew known · lead led · lend lent · lose lost · mean meant · meet met · pay paid
ride rode ridden · run ran · sell sold · send sent · shake shook shaken
sing sang sung · sit sat · sleep slept · speak spoke spoken · spend spent
steal stole stolen · swim swam swum · teach taught · think thought
throw threw thrown · understand understood · wear wore worn · win won · write wrote written
"""
_VERBS = {
    form: forms[0] for forms in map(str.split, re.split(r"[·\n]", _FORMS)) for form in forms[1:]
}
_FORM = re.compile(rf"\b(?:{'|'.join(_VERBS)})\b", re.IGNORECASE)


def as_verbs(text: str) -> str:
    """``text`` with each of these forms as its verb. Forms that are another word as well (left,
    saw, rose) and those of verbs that say nothing (taken, given) are left alone."""
    return _FORM.sub(lambda match: _VERBS[match[0].lower()], text)


_PREDICATE = lazy_pattern(
    r"^(?P<stem>[가-힣]+?)(?:나요|는지|은지|[습]?니까|까요?|가요|는가|은가|어요|아요|지요|죠|고|수|냐|니|어|아)$"
)
_WORD = lazy_pattern(r"[가-힣]+")
_SSANG_SIOT = "\u11bb"
_FINALS = ("", "\u11ab", "\u11af", "\u11b8", _SSANG_SIOT)
"""What may stand below the last vowel of a stem of one syllable: 사, 산, 살, 삽, 샀."""


def is_told(verb: str, text: str) -> bool:
    """Whether ``text`` has a form of the Korean verb that ends a clause of a question."""
    match = _PREDICATE.match(verb)
    if match is None:
        return False
    stem = match["stem"]
    first = normalize("NFD", stem[0])
    is_past = normalize("NFD", stem).endswith(_SSANG_SIOT)
    if verb.endswith("고") and not is_past:
        return False
    words = [normalize("NFD", word) for word in _WORD.findall(text) if len(word) > 1]
    if len(stem) == 1:
        short = [word for word in words if word.startswith(first[:2]) and len(word) < 9]
        return is_past and any(_bottom(word) in _FINALS for word in short)
    begun = normalize("NFD", stem[:2]) if len(stem) > 2 else first + normalize("NFD", stem[1])[0]
    return any(word.startswith(begun) for word in words)


def _bottom(word: str) -> str:
    """The consonant below the first vowel of a word in jamo."""
    return word[2] if len(word) > 2 and "\u11a8" <= word[2] <= "\u11c2" else ""
