"""Passages that say the same sentence with another number, day or time of day, or one with yes and
one with no: 가격은 29,000원, 가격은 35,000원; 주차장 있음, 주차장 없음; 유선, 무선.

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
from unicodedata import normalize

from tools.documents import Passage, content_words, held, present
from tools.marks import UNIT
from tools.numerals import (
    IN_ENGLISH,
    IN_KOREAN,
    MONTH_NAMES,
    WEEKDAYS,
    month_number,
    value_of,
)
from tools.patterns import lazy_pattern
from tools.slots import values_in
from tools.tokens import fold, has_hangul, units
from tools.units import SYMBOL, unit

Disagreement = dict[str, str]
"""Passage id -> the number it gives, with its unit, or its yes or no, as it stands there."""

_COMPARED = 20_000  # characters of a passage; no model is given more
_LONGEST = 300  # characters of a sentence; what is longer is none
_DIGIT = lazy_pattern("[0-9]")
_SENTENCE_END = lazy_pattern(r"\n|(?<=[^\s0-9][.!?])\s+")
_FIGURES = r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?![0-9]|[.,][0-9])"
_SCALED = rf"{_FIGURES} ?(?:[십백천만억]+|조(?= ?원))"
_NUMBER = lazy_pattern(
    rf"(?<![0-9.,])(?:(?P<scaled>{_SCALED}(?: ?{_SCALED})*(?= ?[가-힣]))|(?P<figures>{_FIGURES}))"
    rf"|(?<!\w)(?:{IN_ENGLISH}|{IN_KOREAN})(?=[ .!]|$)"
)
_MORE_UNITS = lazy_pattern(
    r" ?(?:tons?|tonnes?|t|°|℃|℉)(?![a-z0-9])| ?° ?[cf]\b| ?%| ?톤| ?(?:floors?|rooms?)\b"
    r"|년(?:간| ?동안)"
)
_AT_THE_END = lazy_pattern(
    r"(?:층|호실?|번|도|장|권|대|년|월|위|등급?)?(?:이다|입니다|이에요|예요|임|까지|부터|에서|으?로"
    r"|에 있(?:다|습니다|음)|[을를] (?:쓴다|씁니다|사용(?:한다|합니다|함)))*[.!]*"
)
"""What may follow a number that has no unit, or one that may name a thing, where it is what the
sentence tells: 사무실은 5층입니다, the meeting is in room 5."""
_NAMES = lazy_pattern(r"(?:층|호실?|번|도|장|권|대|년|월|위|등급?)?")
_COUNTED = (
    lazy_pattern(
        r"\b(?:has|have|had|with|holds?|contains?|includes?|offers?|needs?|uses?|takes?|runs?"
        r"|serves?|supports?|stores?|keeps?|requires?|seats?|employs?) $"
    ),
    lazy_pattern(r" (?P<noun>[a-z]+(?:-[a-z]+)*)(?![\w'’-])"),
)
"""What stands before and after a number of things: it has 32 cores."""
_ONE_OF_MANY = (
    lazy_pattern(
        r"(?:[:=]|\b(?:is|are|was|were|of|to|than|least|most|about|only|and|or|for|by|in|on|at"
        r"|within)) $"
    ),
    lazy_pattern(r" (?P<noun>v?[cg]pus?|(?:[a-z]+ )?(?!(?:i|wa|ha|doe|a|thi)s\b)[a-z-]*[a-z]s)\b"),
)
"""The same after a word that tells a name as well (in 3): then there must be several of them."""
_YEAR = lazy_pattern("(?:19|20)[0-9][0-9]")
_SPANS = {
    **dict.fromkeys(("주", "week", "weeks"), ("time", Decimal(7 * 86_400))),
    **dict.fromkeys(("개월", "month", "months"), ("months", Decimal(1))),
    **dict.fromkeys(("년간", "년 동안", "year", "years"), ("months", Decimal(12))),
}
_ROUNDED = Decimal("0.05")
"""So much of it a quantity may lose when it is written in another unit: 2 TB are 2,048 GB."""
_TELLS_NAME = lazy_pattern(
    r"(?:(?<!에)(?<!에서)[은는이가]|[:=]|\b(?:is|are|was|were|runs?|uses?|needs?|requires?|has|have|had"
    r"|stands?|sits?|lives?|lies?|works?|stays?|moved|belongs)(?: (?:in|on|at|to|under|with))?"
    r"(?: (?:the|an?))?) [a-z가-힣]+ $"
)
"""What tells a name that a number is part of: it runs Debian 12, it stands in rack R-17."""
_TELLS_ID = lazy_pattern(
    r"(?:(?<!에)(?<!에서)[은는이가]|[:=]|\b(?:is|are|was|were|at)(?: (?:the|an?))?) $"
)
_ID = lazy_pattern(
    r"(?<![\w.:@/-])(?:[a-z0-9_.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+"
    r"|(?=[a-z._-]*[0-9])(?![0-9]+\.[0-9]+(?![.0-9_-]))[a-z0-9]+(?:[-._][a-z0-9]+)+"
    r"|[a-z]+[0-9][a-z0-9]*)(?![a-z0-9_@/-]|\.[a-z0-9])"
)
"""What is named by letters, digits and marks: r-17, 10.0.0.1, 02-123-4567, a mail address."""
_WEEKDAY = lazy_pattern(rf"(?<![a-z가-힣])(?P<day>{'|'.join(WEEKDAYS)})s?(?![a-z])")
_EVERY = lazy_pattern(r"(?:매주|\b(?:every|each|only)) ?$")
_PAIRS = (
    (r"\bwired\b|유선(?!형)", r"\bwireless(?:ly)?\b|무선"),
    (r"\bindoors?\b|실내", r"\boutdoors?\b|실외|야외"),
    (r"\b(?:allowed|permitted)\b|허용|허가", r"\b(?:forbidden|prohibited|banned)\b|금지"),
    (r"\bfree(?: of charge)?\b|무료", r"\b(?:paid|charged)\b|유료"),
    (
        r"\b(?:mandatory|compulsory|required)\b|(?:필수|의무)(?: ?사항)?",
        r"\boptional\b|선택(?! ?(?:하|합|해|한|할|함|된|되|됩))(?: ?사항)?",
    ),
    (r"\bincluded\b|(?<!미)포함", r"\bexcluded\b|제외|미포함"),
    (r"\benabled\b|(?<!비)활성", r"\bdisabled\b|비활성"),
    (r"\bsupported\b|(?<!미)지원", r"\bunsupported\b|미지원"),
    (r"\bautomatic(?:ally)?\b|자동(?!차)", r"\bmanual(?:ly)?\b|수동"),
    (r"\bpublic\b|(?<!비)공개", r"\bprivate\b|비공개"),
    (r"\bapproved\b|승인", r"\brejected\b|반려"),
    (r"\bvalid\b|유효(?! ?기간)", r"\binvalid\b|무효"),
    (r"\bopen\b|영업", r"\bclosed\b|휴무|휴업"),
    (r"\bpassed\b|(?<!불)합격", r"\bfailed\b|불합격"),
    (r"\bincreased\b|증가|늘(?:었|어[나났남])", r"\bdecreased\b|감소|줄(?:었|어[드든들])"),
    (r"\bsucceeded\b|성공", r"\bfailed\b|실패"),
    (r"\b(?:turned|switched) on\b|켜[져짐]", r"\b(?:turned|switched) off\b|꺼[져짐]"),
    (
        r"\bbefore(?= (?:noon|midnight)\b)|(?<=정오 )(?:이전|전)|오전(?! ?[0-9])",
        r"\bafter(?= (?:noon|midnight)\b)|(?<=정오 )(?:이후|후)|오후(?! ?[0-9])",
    ),
)
_OPPOSITES = tuple(lazy_pattern(rf"(?P<yes>{yes})|(?P<no>{no})") for yes, no in _PAIRS)
"""Words of which one rules out the other."""
_SAY_OF_WHAT = 2
"""So many of them, the first, say of themselves what it is about: how something is connected, where
it is. What is optional or disabled another word must say."""
_TOLD_AFTER = lazy_pattern(
    r"[가-힣]{0,6}[ )\]]*(?:$|[.!?,;|])|(?:으로|로|이[고며어]|하[고며]|되[고며어]|화[하되])"
)
_TOLD_BEFORE = lazy_pattern(
    r"(?:(?<!에)(?<!에서)[은는이가]|[:=]|\b(?:is|are|was|were|be|been|being|remains?|stays?|becomes?"
    r"|works?|only)(?: (?:an?|the|always|only|fully|now|still))?) (?:[가-힣]+ )?$"
)
_THERE_IS = lazy_pattern(
    r"\bthere (?:is|are|was|were)\b"
    r"|(?<![아어여돼해되져] )(?<![아어여돼해되져])있(?:다|습|음|어|는|으)"
)
_ENDING = lazy_pattern(r"^(?![가-힣]*[않못없])[가-힣]+")
_TELLS = lazy_pattern(
    r"(?:[은는이가을를:]|\b(?:is|are|was|were|in|on|at|to|of|for|room|floor|number|no\.|gate|line"
    r"|only|about|within|after|before|by|from)) ?$"
)
_NTH = r"(?<![0-9])(?P<nth>[0-9]{1,2})(?:st|nd|rd|th)?"
_DAYS = tuple(
    map(
        lazy_pattern,
        (
            r"(?<![0-9])(?P<year>[0-9]{4})(?:[-./] ?|년 ?)(?P<month>[0-9]{1,2})(?:[-./] ?|월 ?)"
            r"(?P<nth>[0-9]{1,2})(?![0-9])일?",
            r"(?P<year>)(?<![0-9])(?P<month>[0-9]{1,2})월 ?(?P<nth>[0-9]{1,2})일",
            rf"\b(?P<month>{'|'.join(MONTH_NAMES)})\b\.? {_NTH}(?![0-9]|[:.][0-9])"
            r"(?:,? (?P<year>[0-9]{4})(?![0-9]))?",
            rf"{_NTH} (?:of )?(?P<month>{'|'.join(MONTH_NAMES)})\b\.?"
            r"(?:,? (?P<year>[0-9]{4})(?![0-9])"
            r"|(?= ?(?:$|[.,;:)|!?–-]|(?:at|to|until|till|in|from|and|for|with|on)\b)))",
        ),
    )
)
"""How a day is written; the year may be left to the reader."""
_CLOCK = lazy_pattern(
    r"(?:(?P<half>오전|오후|am|pm) ?)?(?<![0-9.,:])(?P<hour>[0-9]{1,2})"
    r"(?:(?= ?[ap]m\b)|:(?P<minute>[0-5][0-9])(?![0-9:])"
    r"|시(?![가-힣])(?: ?(?P<minutes>[0-9]{1,2})분| ?(?P<thirty>반))?|시(?=[~에부까은는이와]))"
    r"(?: ?(?P<after>am|pm)\b)?"
)
_ONE_CLOCK = re.sub(r"[?]P<[a-z]+>", "?:", _CLOCK.pattern)
_FROM_TO = lazy_pattern(rf"{_ONE_CLOCK}(?: ?부터)? ?[~–-]? ?{_ONE_CLOCK}")
_YES_OR_NO = lazy_pattern(
    r"(?P<no>필요(?:가 ?)? ?없(?:다|습니다|음|어요)|필요하지 ?않(?:다|습니다|음|아요)"
    r"|불필요(?:하다|합니다|함)|있지 ?않(?:다|습니다|음|아요)"
    r"|[이가] (?:아닙니다|아니다|아님)(?=[.!]*$)"
    r"|(?:하|되)지 ?(?:않|못)(?:습니다|는다|음|아요|합니다|한다|함)(?=[.!]*$)"
    r"|없(?:음|다|습니다|어요|었다)|불가능(?:하다|합니다)?|불가(?=$|[.,])"
    r"|안 ?(?:된다|됩니다|돼요|됨)"
    r"|\b(?:is|are|was|were|do|does|did|may|can|must|has|have|will) ?(?:not|n't|n’t)\b|\bcannot\b)"
    r"|(?P<yes>필요(?:하다|합니다|함|해요)(?=[.!]*$)|있(?:음|다|습니다|어요|었다)|(?<!불)가능(?:하다|합니다)?"
    r"|(?<!안 )(?:된다|됩니다|돼요)|(?:합니다|한다|입니다|이다)(?=[.!]*$)"
    r"|\b(?:is|are|was|were|may|can|must|has|have|will)\b)"
)
_EXCEPTION = lazy_pattern(
    r",? ?\b(?:unless|except|excluding|apart from|other than|with the exception)\b.*"
    r"| ?\((?:[^()]*(?:제외|예외)|(?:unless|except|excluding|not)\b)[^()]*\)"
    r"|,? ?(?:다만[, ]|단,).*"
)
_PARTICLE = lazy_pattern(r"(?:(?<=[가-힣])|^)(?:이|가|은|는|을|를|도) (?=[가-힣])")
_STYLE = lazy_pattern(
    normalize(
        "NFD",
        r"(?:(?:이)?\u11b8니다|습니다|\u11ab다|는다|이다|이에요|예요|다|(?:이)?\u11b7|음)[.!]*$",
    )
)
_MONEY = lazy_pattern(rf"(?:{SYMBOL}) ?$")
_HALF = lazy_pattern(" 반(?![가-힣])| 반(?=이|을|만)")
_LETTERS = lazy_pattern("[a-z]+")
_RUN = lazy_pattern("[0-9]+")
_LEADING = lazy_pattern("(?<![0-9])0+(?=[0-9])")
_DATE = lazy_pattern(r"월 ?$|제 ?$")


def disagreements(passages: Sequence[Passage]) -> list[Disagreement]:
    """Every sentence that two or more passages say alike but for one number with a unit. Under two
    headings of one document it may be about two things, and is not compared."""
    if len(passages) < 2:
        return []
    said: dict[str, dict[str, _Said]] = {}
    for passage in passages:
        for sentence, value, written in _told(passage.text[:_COMPARED]):
            said.setdefault(sentence, {}).setdefault(passage.id, _Said(passage, value, written))
    differing = ([s for s in by.values() if s.differs(by.values())] for by in said.values())
    found = [{each.passage.id: each.written for each in by} for by in differing if by]
    return [each for n, each in enumerate(found) if not _is_told(each, found[:n], found[n + 1 :])]


def _is_told(
    said: Disagreement, before: Sequence[Disagreement], after: Sequence[Disagreement]
) -> bool:
    """Whether another says as much or more: that of a day, with and without its year."""
    return said in before or any(said.items() < each.items() for each in (*before, *after))


class _Value(NamedTuple):
    """What a sentence tells: an amount in a base unit and how much one of the unit is that it was
    written in; or a ``name``."""

    amount: Decimal
    of: Decimal = Decimal(1)
    name: str = ""

    def differs(self, other: _Value) -> bool:
        apart = abs(self.amount - other.amount)
        if self.of != other.of:
            return apart > _ROUNDED * max(self.amount, other.amount)
        return apart > 0 or self.name != other.name


_Statement = tuple[str, _Value, str]
"""A sentence without what it tells, the value of that, and how it is written."""


class _Said(NamedTuple):
    passage: Passage
    value: _Value
    written: str

    def differs(self, others: Iterable[_Said]) -> bool:
        """Whether one of ``others`` tells something else of what may be the same thing."""
        mine = self.passage
        return any(
            self.value.differs(each.value)
            and (mine.source != each.passage.source or mine.context == each.passage.context)
            for each in others
        )


@lru_cache(maxsize=128)
def _told(text: str) -> tuple[_Statement, ...]:
    """The statements of a text, which is compared again with every search of a question."""
    return tuple(_statements(text))


def _statements(text: str) -> Iterator[_Statement]:
    for sentence in map(fold, _SENTENCE_END.split(text)):
        if len(sentence) > _LONGEST:
            continue
        yield from _yes_or_no(sentence)
        yield from _opposites(sentence)
        yield from _weekdays(sentence)
        told: list[tuple[int, int]] = []
        if _DIGIT.search(sentence):  # a time and a day have one
            told = [*(yield from _times(sentence)), *(yield from _days(sentence))]
        if "@" in sentence or _DIGIT.search(sentence):
            told += yield from _ids(sentence, told)
        for match in _NUMBER.finditer(sentence):
            if not _is_in(match, told):
                told += yield from _number(sentence, match)


def _is_in(match: re.Match[str], spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= match.start() < end for start, end in spans)


def _number(
    sentence: str, match: re.Match[str]
) -> Generator[_Statement, None, list[tuple[int, int]]]:
    """The sentence without a number and its unit, if it tells that. Returns where that stands,
    where it is written in several numbers (1 hour 30 minutes)."""
    before, after = sentence[: match.start()], sentence[match.end() :]
    money = _MONEY.search(before)
    named = UNIT.match(after) or _MORE_UNITS.match(after)
    name = named[0] if named else ""
    amount = _amount(match)
    if amount is None or _DATE.search(before):
        return []
    measured = unit(money[0].strip()) if money else _measured(name.strip())
    measure, factor = measured or (name.strip().removesuffix("s"), Decimal(1))
    if not (money or named):
        if _tells(before) and _AT_THE_END.fullmatch(after):
            unnamed = _NAMES.match(after)
            name = measure = unnamed[0] if unnamed else ""
        elif noun := _counted(match[0], before, after):
            name, measure = noun, noun.strip().removesuffix("s")
        else:
            return []
    elif value_of(match[0]) == 1 and not (match["scaled"] or match["figures"] or measured):
        return []
    end = match.end() + len(name)
    value, more = _whole(sentence, end, measure, amount * factor, factor)
    sign = money[0] if money else ""
    before, rest = before.removesuffix(sign), sentence[more:]
    if units(f"{before} {rest}"):
        key = f"{before.rstrip()} #{measure}{_general(rest)}"
        written = f"{sign}{sentence[match.start() : more]}"
        yield key.strip(" -*•.!?"), _Value(value, factor), written
        return [(match.start(), more)]
    return []


def _general(after: str) -> str:
    """What follows a number without an exception to it, and without the particle and the ending
    that say the same in another style: 7일 걸립니다, 7일이 걸린다."""
    told = _PARTICLE.sub(" ", _EXCEPTION.sub("", after))
    return _STYLE.sub("", normalize("NFD", told))


def _amount(match: re.Match[str]) -> Decimal | None:
    if match["scaled"]:
        from tools.amounts import scaled

        return scaled(match["scaled"])
    figures = match["figures"]
    return Decimal(figures.replace(",", "")) if figures else Decimal(value_of(match[0]))


def _measured(name: str) -> tuple[str, Decimal] | None:
    return _SPANS.get(name) or unit(name)


def _tells(before: str) -> bool:
    return bool(_TELLS.search(before) or _TELLS_NAME.search(before))


def _counted(number: str, before: str, after: str) -> str:
    """What ``number`` counts, with the space before it; empty where it is a name or a year."""
    if _YEAR.fullmatch(number):
        return ""
    for head, tail in (_COUNTED, _ONE_OF_MANY):
        if head.search(before) and (found := tail.match(after)):
            return found[0]
    return ""


def _whole(
    sentence: str, end: int, measure: str, value: Decimal, factor: Decimal
) -> tuple[Decimal, int]:
    """A quantity with what is added to it (1시간 30분, 한 시간 반), and where it ends."""
    if half := _HALF.match(sentence, end):
        return (value + factor / 2, half.end()) if factor > 1 else (value, end)
    while more := _NUMBER.match(sentence, end + (sentence[end : end + 1] == " ")):
        named = UNIT.match(sentence, more.end())
        of = _measured(named[0].strip()) if named else None
        amount = _amount(more)
        if not named or of is None or amount is None or of[0] != measure or of[1] >= factor:
            break
        value, factor, end = value + amount * of[1], of[1], named.end()
    return value, end


def _ids(
    sentence: str, spans: Sequence[tuple[int, int]]
) -> Generator[_Statement, None, list[tuple[int, int]]]:
    """A sentence that ends in an id or a name with digits that it tells, without that; of another
    pattern (R-17, R17) it may be the same. Returns where ids stand."""
    found: list[tuple[int, int]] = []
    for match in _ID.finditer(sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
        if _is_in(match, spans) or not _AT_THE_END.fullmatch(after):
            continue
        if _TELLS_NAME.search(before) or _tells_id(before, "@" in match[0]):
            found.append(match.span())
            shape = "@" if "@" in match[0] else _RUN.sub("#", _LETTERS.sub("a", match[0]))
            name = _LEADING.sub("", match[0])
            key = f"{before}#{shape}{_general(after)}".strip(" -*•.!?")
            yield key, _Value(Decimal(0), name=name), match[0]
    return found


def _tells_id(before: str, is_mail: bool) -> bool:
    """Whether an id after ``before`` is told of something: after a colon of more than one word, as
    many things have a line of one (License: BSD-3)."""
    told = _TELLS_ID.search(before) or (is_mail and before.endswith(" to "))
    words = content_words(before)
    return bool(told and words) and (len(words) > 1 or before[-2:-1] not in ":=")


def _weekdays(sentence: str) -> Iterator[_Statement]:
    """A sentence that tells a day of the week, without that."""
    for match in _WEEKDAY.finditer(sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
        told = _TELLS.sub("", _EVERY.sub("", before))
        if told != before and units(told):
            key = f"{before}#weekday{_general(after)}".strip(" -*•.!?")
            yield key, _Value(Decimal(WEEKDAYS[match["day"]])), match[0]


def _days(sentence: str) -> Generator[_Statement, None, list[tuple[int, int]]]:
    """A sentence that tells a day, without that; one of a year twice, as it may be compared with a
    day without one. Returns where its days stand."""
    spans: list[tuple[int, int]] = []
    for match in (each for pattern in _DAYS for each in pattern.finditer(sentence)):
        if any(match.start() < end and start < match.end() for start, end in spans):
            continue
        spans.append(match.span())
        before, after = sentence[: match.start()], sentence[match.end() :]
        if _TELLS.search(before) and units(_TELLS.sub("", before)):
            named = match["month"]
            month = int(named) if named.isdigit() else month_number(named)
            day = 100 * int(month) + int(match["nth"])
            if match["year"]:
                date = 10_000 * int(match["year"]) + day
                yield (
                    f"{before}#date{after}".strip(" -*•.!?"),
                    _Value(Decimal(date)),
                    match[0].strip("."),
                )
            yield f"{before}#day{after}".strip(" -*•.!?"), _Value(Decimal(day)), match[0].strip(".")
    return spans


def _opposites(sentence: str) -> Iterator[_Statement]:
    """A sentence that tells one of two words of which one rules out the other, without it."""
    for number, match in _told_words(sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
        if units(f"{before} {after}"):
            key = f"{before}±{number}{_ENDING.sub('', after)}".strip(" -*•.!?")
            yield key, _Value(Decimal(bool(match["yes"]))), f"{before}{match[0]}".strip(" -*•.!?")


def _told_words(said: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Which of the opposites ``said`` tells of something, with one word of the two alone. A
    wireless keyboard that is told to cost something is another keyboard than a wired one."""
    for number, pattern in enumerate(_OPPOSITES):
        found = list(pattern.finditer(said))
        if len(found) == 1 and not _THERE_IS.search(said):
            before, after = said[: found[0].start()], said[found[0].end() :]
            if _TOLD_AFTER.match(after) or _TOLD_BEFORE.search(before):
                yield number, found[0]


def _yes_or_no(sentence: str) -> Iterator[_Statement]:
    """A sentence that says yes or no, without that. One that says both is left alone."""
    said = list(_YES_OR_NO.finditer(sentence))
    if len(said) == 1:
        match = said[0]
        before, after = sentence[: match.start()].rstrip(), sentence[match.end() :]
        if units(before):
            told = sentence[: match.end()].strip(" -*•.!?")
            yield f"{before}±{after}".strip(" -*•.!?"), _Value(Decimal(bool(match["yes"]))), told


def _times(sentence: str) -> Generator[_Statement, None, list[tuple[int, int]]]:
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
            yield f"{before}#{after}".strip(" -*•.!?"), _Value(value), match[0].strip()
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
        if told := [each[0] for each in denied if named & present(each[0])]:
            no[passage.id] = told[0]
        elif there := named & present(text):
            written = re.findall(r"[\w.-]+", text)
            yes[passage.id] = next(each for each in written if there & present(each))
    return {**no, **yes} if no and yes else {}


_CLAUSE = lazy_pattern(
    r"\n|(?<=[^\s0-9][.!?])\s+|[,;|]|(?<=[가-힣]고) |(?<=[가-힣]며) "
    r"|\b(?:and|but|while|whereas)\b"
)
_DENIES = lazy_pattern(
    r"않|못|아니|아닌|없|(?<![가-힣])안 |\b(?:not|no|never|without|cannot)\b|n['’]t\b"
)


class _Told(NamedTuple):
    """One of two opposites that a clause tells: what it says beside, and whether it names what the
    passages are about."""

    which: int
    is_yes: bool
    words: tuple[frozenset[str], ...]
    is_named: bool
    written: str

    def rules_out(self, other: _Told) -> bool:
        """Whether ``other`` tells the opposite of the same: with the same words beside (of what
        says itself what it is about, those of one are enough; a word of another language may be
        the same), or of the very thing alone."""
        if self.which != other.which or self.is_yes == other.is_yes:
            return False
        less, more = sorted((self.words, other.words), key=len)
        if has_hangul(self.written) != has_hangul(other.written) and len(more) <= 1:
            return self.which < _SAY_OF_WHAT and self.is_named and other.is_named
        if self.which >= _SAY_OF_WHAT and not _all_held(more, less):
            return False
        return _all_held(less, more) and (bool(less) or (self.is_named and other.is_named))


def contrary(passages: Sequence[Passage], about: re.Pattern[str] | None) -> list[Disagreement]:
    """Where the first of passages about one thing, whose name ``about`` matches, tells one of two
    opposites (wired, wireless; required, optional) and others tell the other of the same. One that
    tells both of the same is taken for neither."""
    told = [
        (passage.id, _settled([*_told_of(passage.text[:_COMPARED], about or _NOTHING)]))
        for passage in passages
    ]
    found: list[Disagreement] = []
    for name, mine in told[:1]:
        for one in mine:
            said = {
                other: each.written
                for other, theirs in told[1:]
                for each in theirs
                if one.rules_out(each)
            }
            found += [{name: one.written, **said}] if said else []
    return found


def _settled(told: Sequence[_Told]) -> list[_Told]:
    return [each for each in told if not any(map(each.rules_out, told))]


def _all_held(words: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> bool:
    return len(held(words, frozenset[str]().union(*others))) == len(words)


_NOTHING = re.compile(r"(?!)")


def _told_of(text: str, about: re.Pattern[str]) -> Iterator[_Told]:
    for clause in _CLAUSE.split(text):
        folded = fold(clause)
        if len(folded) > _LONGEST or _DENIES.search(folded):
            continue
        for which, match in _told_words(folded):
            left, beside = fold(about.sub(" ", clause)), _OPPOSITES[which]
            if word := beside.search(left):
                rest = f"{left[: word.start()]} {_ENDING.sub('', left[word.end() :])}"
                yield _Told(
                    which,
                    bool(match["yes"]),
                    tuple(each for each in content_words(rest) if {*map(len, each)} != {1}),
                    about.search(clause) is not None,
                    folded[: match.end()].strip(" -*•.!?"),
                )


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
