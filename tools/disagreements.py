"""Passages that say the same sentence with another number or time of day, or one with yes and one
with no: 가격은 29,000원, 가격은 35,000원; 주차장 있음, 주차장 없음.

Which one holds, and whether both speak of the same thing, code cannot know; that they differ, it
can. So this is for telling the reader, never for refusing an answer. It sees less than there is:
a sentence in other words is another sentence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from tools.documents import Passage, present
from tools.marks import UNIT
from tools.numerals import ENGLISH, KOREAN, MONTH_NAMES, month_number, within
from tools.patterns import lazy_pattern
from tools.slots import values_in
from tools.tokens import fold, units

Disagreement = dict[str, str]
"""Passage id -> the number it gives, with its unit, or its yes or no, as it stands there."""

_COMPARED = 20_000  # characters of a passage; no model is given more
_LONGEST = 300  # characters of a sentence; what is longer is none
_DIGIT = lazy_pattern("[0-9]")
_SENTENCE_END = lazy_pattern(r"\n|(?<=[^\s0-9][.!?])\s+")
_WORDS = {**within(2, 12, ENGLISH), **within(2, 10, KOREAN)}
_NUMBER = lazy_pattern(
    r"(?<![0-9.,])[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?![0-9]|[.,][0-9])"
    rf"|(?<!\w)(?:{'|'.join(_WORDS)})(?=[ .!]|$)"
)
_MORE_UNITS = lazy_pattern(
    r" ?(?:tons?|tonnes?|t|°|℃|℉)(?![a-z0-9])| ?° ?[cf]\b| ?%| ?톤| ?(?:floors?|rooms?)\b"
    r"|년(?:간| ?동안)"
)
_AT_THE_END = lazy_pattern(
    r"(?:층|호실?|번|도|장|권|대|년|월|위|등급?)?(?:이다|입니다|이에요|예요|임|까지|부터|에서|으?로"
    r"|에 있(?:다|습니다|음))*[.!]*"
)
"""What may follow a number that has no unit, or one that may name a thing, where it is what the
sentence tells: 사무실은 5층입니다, the meeting is in room 5."""
_NAMES = lazy_pattern(r"(?:층|호실?|번|도|장|권|대|년|월|위|등급?)?")
_PAIRS = (
    (r"\b(?:allowed|permitted)\b|허용|허가", r"\b(?:forbidden|prohibited|banned)\b|금지"),
    (r"\bfree(?: of charge)?\b|무료", r"\b(?:paid|charged)\b|유료"),
    (r"\b(?:mandatory|compulsory|required)\b|필수|의무", r"\boptional\b|선택"),
    (r"\bincluded\b|(?<!미)포함", r"\bexcluded\b|제외|미포함"),
)
_OPPOSITES = tuple(lazy_pattern(rf"(?P<yes>{yes})|(?P<no>{no})") for yes, no in _PAIRS)
"""Words of which one rules out the other."""
_TELLS = lazy_pattern(
    r"(?:[은는이가을를:]|\b(?:is|are|was|were|in|on|at|to|of|for|room|floor|number|no\.|gate|line"
    r"|only|about|within|after|before|by|from)) ?$"
)
_DAY = lazy_pattern(
    r"(?<![0-9])(?P<year>[0-9]{4})(?:[-./] ?|년 ?)(?P<month>[0-9]{1,2})(?:[-./] ?|월 ?)"
    r"(?P<day>[0-9]{1,2})(?![0-9])일?"
    rf"|\b(?P<name>{'|'.join(MONTH_NAMES)})\b\.? (?P<nth>[0-9]{{1,2}})(?:st|nd|rd|th)?"
    r",? (?P<of>[0-9]{4})(?![0-9])"
)
_CLOCK = lazy_pattern(
    r"(?:(?P<half>오전|오후|am|pm) ?)?(?<![0-9.,:])(?P<hour>[0-9]{1,2})"
    r"(?:(?= ?[ap]m\b)|:(?P<minute>[0-5][0-9])(?![0-9:])"
    r"|시(?![가-힣])(?: ?(?P<minutes>[0-9]{1,2})분| ?(?P<thirty>반))?|시(?=[~에부까은는이와]))"
    r"(?: ?(?P<after>am|pm)\b)?"
)
_ONE_CLOCK = re.sub(r"[?]P<[a-z]+>", "?:", _CLOCK.pattern)
_FROM_TO = lazy_pattern(rf"{_ONE_CLOCK}(?: ?부터)? ?[~–-]? ?{_ONE_CLOCK}")
_YES_OR_NO = lazy_pattern(
    r"(?P<no>[이가] (?:아닙니다|아니다|아님)(?=[.!]*$)"
    r"|(?:하|되)지 ?(?:않|못)(?:습니다|는다|음|아요|합니다|한다|함)(?=[.!]*$)"
    r"|없(?:음|다|습니다|어요|었다)|불가능(?:하다|합니다)?|불가(?=$|[.,])"
    r"|안 ?(?:된다|됩니다|돼요|됨)"
    r"|\b(?:is|are|was|were|do|does|did|may|can|must|has|have|will) ?(?:not|n't|n’t)\b|\bcannot\b)"
    r"|(?P<yes>있(?:음|다|습니다|어요|었다)|(?<!불)가능(?:하다|합니다)?"
    r"|(?<!안 )(?:된다|됩니다|돼요)|(?<!가능)(?:합니다|한다|입니다|이다)(?=[.!]*$)"
    r"|\b(?:is|are|was|were|may|can|must|has|have|will)\b)"
)
_MONEY = lazy_pattern(r"[$₩€£¥] ?$")
_DATE = lazy_pattern(r"월 ?$|제 ?$")


def disagreements(passages: Sequence[Passage]) -> list[Disagreement]:
    """Every sentence that two or more passages say alike but for one number with a unit. Under two
    headings of one document it may be about two things, and is not compared."""
    said: dict[str, dict[str, _Said]] = {}
    for passage in passages:
        for sentence, number, written in _told(passage.text[:_COMPARED]):
            said.setdefault(sentence, {}).setdefault(passage.id, _Said(passage, number, written))
    found = ([each for each in by.values() if each.differs(by.values())] for by in said.values())
    return [
        {each.passage.id: each.written for each in differing} for differing in found if differing
    ]


class _Said(NamedTuple):
    passage: Passage
    number: Decimal
    written: str

    def differs(self, others: Iterable[_Said]) -> bool:
        """Whether one of ``others`` gives another number for what may be the same thing."""
        mine = self.passage
        return any(
            self.number != each.number
            and (mine.source != each.passage.source or mine.context == each.passage.context)
            for each in others
        )


@lru_cache(maxsize=128)
def _told(text: str) -> tuple[tuple[str, Decimal, str], ...]:
    """The statements of a text, which is compared again with every search of a question."""
    return tuple(_statements(text))


def _statements(text: str) -> Iterator[tuple[str, Decimal, str]]:
    """(sentence without the number, the number, the number with its unit)."""
    for sentence in map(fold, _SENTENCE_END.split(text)):
        if len(sentence) > _LONGEST:
            continue
        yield from _yes_or_no(sentence)
        yield from _opposites(sentence)
        told: list[tuple[int, int]] = []
        if _DIGIT.search(sentence):  # a time and a day have one
            told = [*(yield from _times(sentence)), *(yield from _days(sentence))]
        for match in _NUMBER.finditer(sentence):
            if any(start <= match.start() < end for start, end in told):
                continue
            before, after = sentence[: match.start()], sentence[match.end() :]
            money = _MONEY.search(before)
            unit = UNIT.match(after) or _MORE_UNITS.match(after)
            if not (money or unit) and _TELLS.search(before) and _AT_THE_END.fullmatch(after):
                unit = _NAMES.match(after)
            if not (money or unit) or _DATE.search(before):
                continue
            sign, name = money[0] if money else "", unit[0] if unit else ""
            around = before.removesuffix(sign) + " " + after.removeprefix(name)
            if units(around):
                number = Decimal(_WORDS.get(match[0]) or match[0].replace(",", ""))
                yield f"{before}#{after}".strip(" -*•.!?"), number, f"{sign}{match[0]}{name}"


def _days(sentence: str) -> Generator[tuple[str, Decimal, str], None, list[tuple[int, int]]]:
    """A sentence that tells a day of a year, without that. Returns where its days stand."""
    spans: list[tuple[int, int]] = []
    for match in _DAY.finditer(sentence):
        spans.append(match.span())
        before, after = sentence[: match.start()], sentence[match.end() :]
        if _TELLS.search(before) and units(f"{before} {after}"):
            month = match["month"] or month_number(match["name"])
            day = match["day"] or match["nth"]
            value = 10_000 * int(match["year"] or match["of"]) + 100 * int(month) + int(day)
            yield f"{before}#{after}".strip(" -*•.!?"), Decimal(value), match[0]
    return spans


def _opposites(sentence: str) -> Iterator[tuple[str, Decimal, str]]:
    """A sentence with one of two words of which one rules out the other, without it."""
    for number, pattern in enumerate(_OPPOSITES):
        said = list(pattern.finditer(sentence))
        if len(said) == 1:
            match = said[0]
            before, after = sentence[: match.start()], sentence[match.end() :]
            if units(f"{before} {after}"):
                key = f"{before}±{number}{after}".strip(" -*•.!?")
                yield key, Decimal(bool(match["yes"])), f"{before}{match[0]}".strip(" -*•.!?")


def _yes_or_no(sentence: str) -> Iterator[tuple[str, Decimal, str]]:
    """A sentence that says yes or no, without that. One that says both is left alone."""
    said = list(_YES_OR_NO.finditer(sentence))
    if len(said) == 1:
        match = said[0]
        before, after = sentence[: match.start()].rstrip(), sentence[match.end() :]
        if units(before):
            told = sentence[: match.end()].strip(" -*•.!?")
            yield f"{before}±{after}".strip(" -*•.!?"), Decimal(bool(match["yes"])), told


def _times(sentence: str) -> Generator[tuple[str, Decimal, str], None, list[tuple[int, int]]]:
    """A sentence with times of day, without one of them; what lasts from one to another is one.
    Returns where they stand."""
    spans: list[tuple[int, int]] = []
    for match in [*_FROM_TO.finditer(sentence), *_CLOCK.finditer(sentence)]:
        if any(start <= match.start() < end for start, end in spans):
            continue
        spans.append(match.span())
        before, after = sentence[: match.start()], sentence[match.end() :]
        if units(f"{before} {after}"):
            minutes = [_minutes(each) for each in _CLOCK.finditer(match[0])]
            value = Decimal(sum(each * 10_000**n for n, each in enumerate(reversed(minutes))))
            yield f"{before}#{after}".strip(" -*•.!?"), value, match[0].strip()
    return spans


def _minutes(clock: re.Match[str]) -> int:
    hour = int(clock["hour"])
    if half := clock["half"] or clock["after"]:
        hour = hour % 12 + (12 if half in ("오후", "pm") else 0)
    return 60 * hour + int(clock["minute"] or clock["minutes"] or (30 if clock["thirty"] else 0))


# Of passages that are about the same thing, whatever else they say

_NO_KO = lazy_pattern(
    r"(?P<what>[가-힣]+(?: [가-힣]+)?)(?: ?\([^)]*\))?[은는이가도]?:? *"
    r"(?:없음|없다|없었다|없습니다|없었습니다|음성|아님)"
)
_NO_EN = lazy_pattern(
    r"\b(?:no|without|not any|denies) (?P<what>[a-z]+(?: [a-z]+)?)"
    r"|\b(?P<was>[a-z]+(?: [a-z]+)?)(?::| was| is)? ?\(?(?:none|negative|absent)\b"
)


def opposed(passages: Sequence[Passage], words: frozenset[str]) -> Disagreement:
    """Which passages say that there is none of what ``words`` (units) name, and which that there
    is; empty where all say the same. One that denies one of them and names another (no allergy,
    the rash is from heat) is a no."""
    named = present(" ".join(words))
    no: Disagreement = {}
    yes: Disagreement = {}
    for passage in passages:
        text = fold(passage.text[:_COMPARED])
        denied = [each for each in (*_NO_KO.finditer(text), *_NO_EN.finditer(text))]
        left = _NO_EN.sub(" ", _NO_KO.sub(" ", text))
        if told := [each[0] for each in denied if named & present(each[0])]:
            no[passage.id] = told[0]
        elif there := named & present(left):
            written = re.findall(r"[\w.-]+", left)
            yes[passage.id] = next(each for each in written if there & present(each))
    return {**no, **yes} if no and yes else {}


def differing_values(passages: Sequence[Passage], patterns: Collection[str]) -> list[Disagreement]:
    """Where passages about the same thing give another value than the first for a pattern, such as
    another server id."""
    found: list[Disagreement] = []
    for pattern in dict.fromkeys(patterns):
        said = {each.id: values_in(pattern, [each.text]) for each in passages}
        told = {name: ", ".join(values) for name, values in said.items() if values}
        if passages and passages[0].id in told and len({*told.values()}) > 1:
            found.append(told)
    return found
