"""Feedback on an explanation: which ideas it speaks of, and which misconceptions. Never a grade:
only words are looked at, and who words it otherwise may be just as right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from agent.lessons.exercises import Exercise, Misconception, Words
from tools.patterns import lazy_pattern

UNLESS = "!"
"""Begins a group of words that take back what the other groups say."""

_SENTENCE_END = lazy_pattern(r"[.!?…。]+(?=\s|$)|\n")
_CLAUSE_END = lazy_pattern(
    r"[,:;()]|\b(?:but|so|because|and|then|therefore|hence|which|when|if|while|though|or)\b"
)
_DENIES = {"not", "no", "never", "nothing", "nobody", "cannot", "neither", "nor", "hardly"}
_DENIES_KO = lazy_pattern("않|못|없|아니|아닙|아닌|밖에")
_DENIED_BY = 5
"""How many words before an English word are looked at for one that denies it."""

_JOINS = lazy_pattern("(?<![다라냐자])고$|(?:서|며|니|니까|면|므로|지만|데|어|아|해|워|져|춰)$")
"""How a Korean word ends that closes its clause; what comes after denies something else."""

_DENIED_WITHIN = 3
"""How many words after a Korean word are looked at for one that denies it."""


@dataclass(frozen=True)
class Feedback:
    """What was found: for each idea whether it is there, and the misconceptions."""

    ideas: list[bool]
    misconceptions: list[Misconception]


def feedback(explanation: str, exercise: Exercise) -> Feedback:
    """Look through an explanation, sentence by sentence. A sentence with a misconception in it
    speaks for no idea."""
    found = [False] * len(exercise.ideas)
    wrong: list[Misconception] = []
    for sentence in _sentences(explanation):
        here = [each for each in exercise.misconceptions if _says(sentence, each.words)]
        wrong += [each for each in here if each not in wrong]
        for place, idea in enumerate(exercise.ideas):
            found[place] = found[place] or (not here and _says(sentence, idea.words))
    return Feedback(found, wrong)


def _sentences(text: str) -> list[str]:
    said = unicodedata.normalize("NFC", text).casefold()
    said = re.sub(r"n['’]t\b", " not", said)
    return [each for each in _SENTENCE_END.split(said) if each.strip()]


def _says(sentence: str, words: Words) -> bool:
    """Whether the groups of one language are all in a sentence, each in words of its own, and
    none that takes them back."""
    for group in chain.from_iterable(words.values()):
        if group.startswith(UNLESS) and any(_places(sentence, group.removeprefix(UNLESS))):
            return False
    return any(
        _together(sentence, [group for group in groups if not group.startswith(UNLESS)])
        for groups in words.values()
    )


def _together(sentence: str, groups: Sequence[str]) -> bool:
    first, *others = groups
    for place in _places(sentence, first):
        if others:
            rest = sentence[: place.start()] + "_" * len(place[0]) + sentence[place.end() :]
            if _together(rest, others):
                return True
        elif not _is_denied(sentence, place):
            return True
    return False


def _places(sentence: str, group: str) -> Iterator[re.Match[str]]:
    """Where a word of a group stands. It begins where a word begins; Latin words and numbers end
    with it, a Korean one may go on with whatever particle or ending."""
    for word in unicodedata.normalize("NFC", group).casefold().split("|"):
        end = "(?![a-z0-9_])" if word[-1].isascii() else ""
        yield from re.finditer(rf"(?<!\w){re.escape(word)}{end}", sentence)


def _is_denied(sentence: str, place: re.Match[str]) -> bool:
    """Whether a word is taken back by another beside it; words that deny by themselves
    only by a second denial."""
    said = place[0]
    if _DENIES & {*said.split()} or _DENIES_KO.search(said):
        return re.match(r"지 (?:않|못)", sentence[place.end() :]) is not None
    before = _CLAUSE_END.split(sentence[: place.start()])[-1].split()
    after = _CLAUSE_END.split(sentence[place.end() :])[0]
    if _DENIES & {*before[-_DENIED_BY:], *after.split()[:1]} or before[-1:] in (["안"], ["못"]):
        return True
    ending, *others = re.split(r"\s+", after)
    word = said + ending
    if _DENIES_KO.search(ending):
        return True
    for other in others[:_DENIED_WITHIN]:
        if _JOINS.search(word):
            return False
        if _DENIES_KO.match(other):
            return True
        word = other
    return False
