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
    (r"\bincreased\b|증가", r"\bdecreased\b|감소"),
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
    r"\bthere (?:is|are|was|were)\b|(?<![아어여돼해] )(?<![아어여돼해])있(?:다|습|음|어|는|으)"
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
    r"(?P<no>[이가] (?:아닙니다|아니다|아님)(?=[.!]*$)"
    r"|(?:하|되)지 ?(?:않|못)(?:습니다|는다|음|아요|합니다|한다|함)(?=[.!]*$)"
    r"|없(?:음|다|습니다|어요|었다)|불가능(?:하다|합니다)?|불가(?=$|[.,])"
    r"|안 ?(?:된다|됩니다|돼요|됨)"
    r"|\b(?:is|are|was|were|do|does|did|may|can|must|has|have|will) ?(?:not|n't|n’t)\b|\bcannot\b)"
    r"|(?P<yes>있(?:음|다|습니다|어요|었다)|(?<!불)가능(?:하다|합니다)?"
    r"|(?<!안 )(?:된다|됩니다|돼요)|(?:합니다|한다|입니다|이다)(?=[.!]*$)"
    r"|\b(?:is|are|was|were|may|can|must|has|have|will)\b)"
)
_EXCEPTION = lazy_pattern(
    r",? ?\b(?:unless|except|excluding|apart from|other than|with the exception)\b.*"
    r"| ?\((?:[^()]*(?:제외|예외)|(?:unless|except|excluding|not)\b)[^()]*\)"
    r"|,? ?(?:다만[, ]|단,).*"
)
_PARTICLE = lazy_pattern(r"(?<=[가-힣])(?:이|가|은|는|을|를|도) (?=[가-힣])")
_STYLE = lazy_pattern(
    normalize(
        "NFD",
        r"(?:(?:이)?\u11b8니다|습니다|\u11ab다|는다|이다|이에요|예요|다|(?:이)?\u11b7|음)[.!]*$",
    )
)
_MONEY = lazy_pattern(r"[$₩€£¥] ?$")
_DATE = lazy_pattern(r"월 ?$|제 ?$")


def disagreements(passages: Sequence[Passage]) -> list[Disagreement]:
    """Every sentence that two or more passages say alike but for one number with a unit. Under two
    headings of one document it may be about two things, and is not compared."""
    if len(passages) < 2:
        return []
    said: dict[str, dict[str, _Said]] = {}
    for passage in passages:
        for sentence, number, written in _told(passage.text[:_COMPARED]):
            said.setdefault(sentence, {}).setdefault(passage.id, _Said(passage, number, written))
    differing = ([s for s in by.values() if s.differs(by.values())] for by in said.values())
    found = [{each.passage.id: each.written for each in by} for by in differing if by]
    return [each for n, each in enumerate(found) if not _is_told(each, found[:n], found[n + 1 :])]


def _is_told(
    said: Disagreement, before: Sequence[Disagreement], after: Sequence[Disagreement]
) -> bool:
    """Whether another says as much or more: that of a day, with and without its year."""
    return said in before or any(said.items() < each.items() for each in (*before, *after))


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
                key = f"{before}#{_general(after)}".strip(" -*•.!?")
                yield key, number, f"{sign}{match[0]}{name}"


def _general(after: str) -> str:
    """What follows a number without an exception to it, and without the particle and the ending
    that say the same in another style: 7일 걸립니다, 7일이 걸린다."""
    told = _PARTICLE.sub(" ", _EXCEPTION.sub("", after))
    return _STYLE.sub("", normalize("NFD", told))


def _days(sentence: str) -> Generator[tuple[str, Decimal, str], None, list[tuple[int, int]]]:
    """A sentence that tells a day, without that; one of a year twice, as it may be compared with a
    day without one. Returns where its days stand."""
    spans: list[tuple[int, int]] = []
    for match in (each for pattern in _DAYS for each in pattern.finditer(sentence)):
        if any(match.start() < end and start < match.end() for start, end in spans):
            continue
        spans.append(match.span())
        before, after = sentence[: match.start()], sentence[match.end() :]
        if _TELLS.search(before) and units(f"{before} {after}"):
            named = match["month"]
            month = int(named) if named.isdigit() else month_number(named)
            day = 100 * int(month) + int(match["nth"])
            if match["year"]:
                date = 10_000 * int(match["year"]) + day
                yield f"{before}#date{after}".strip(" -*•.!?"), Decimal(date), match[0].strip(".")
            yield f"{before}#day{after}".strip(" -*•.!?"), Decimal(day), match[0].strip(".")
    return spans


def _opposites(sentence: str) -> Iterator[tuple[str, Decimal, str]]:
    """A sentence that tells one of two words of which one rules out the other, without it."""
    for number, match in _told_words(sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
        if units(f"{before} {after}"):
            key = f"{before}±{number}{_ENDING.sub('', after)}".strip(" -*•.!?")
            yield key, Decimal(bool(match["yes"])), f"{before}{match[0]}".strip(" -*•.!?")


def _told_words(said: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Which of the opposites ``said`` tells of something, with one word of the two alone. A
    wireless keyboard that is told to cost something is another keyboard than a wired one."""
    for number, pattern in enumerate(_OPPOSITES):
        found = list(pattern.finditer(said))
        if len(found) == 1 and not _THERE_IS.search(said):
            before, after = said[: found[0].start()], said[found[0].end() :]
            if _TOLD_AFTER.match(after) or _TOLD_BEFORE.search(before):
                yield number, found[0]


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
        says itself what it is about, those of one are enough), or of the very thing alone."""
        if self.which != other.which or self.is_yes == other.is_yes:
            return False
        less, more = sorted((self.words, other.words), key=len)
        if self.which >= _SAY_OF_WHAT and not _all_held(more, less):
            return False
        return _all_held(less, more) and (bool(less) or (self.is_named and other.is_named))


def contrary(passages: Sequence[Passage], about: re.Pattern[str] | None) -> list[Disagreement]:
    """Where the first of passages about one thing, whose name ``about`` matches, tells one of two
    opposites (wired, wireless; required, optional) and others tell the other of the same."""
    told = [
        (passage.id, list(_told_of(passage.text[:_COMPARED], about or _NOTHING)))
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
