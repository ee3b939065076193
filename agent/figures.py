"""The figures of a text, so that they can be compared however they are written: numbers in digits
and in words, with their unit, times of day, months and days of the week.

10만, 100,000 and 0.1 million are one number, 64 GB and 64GB one amount and 64 MB another, 오후 2시
and 14:00 one time. What is not recognised is never called different.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple
from unicodedata import normalize

from tools.marks import contradicts, marks
from tools.numerals import IN_ENGLISH, IN_KOREAN, POWERS, WEEKDAYS, value_of
from tools.patterns import lazy_pattern
from tools.tokens import has_hangul, stem
from tools.units import NAMES, unit

_ONE = r"\d+(?:,\d{3})*(?:\.\d+)?"
_SCALED = r"(?:[십백천]?[만억조]|[십백천](?=\s?(?:[원만억조명개]|\d[\d,]*[십백천만억조])))"
_DIGIT = lazy_pattern(r"\d")
_AMOUNT = lazy_pattern(
    rf"(?<![\w.,-])-?{_ONE}(?:\s?{_SCALED}(?:\s?{_ONE}{_SCALED})*(?:\s?{_ONE}(?=\s?[원명개]))?)?"
    r"(?:\s?(?:hundred|thousand|million|billion|trillion)\b|[kb](?![\w]))?",
    re.IGNORECASE,
)
_DIGITS = lazy_pattern(rf"(?<![\d.,]){_ONE}(?!\d)")
_MILLIONS = lazy_pattern(rf"(?<![\w.,-])({_ONE})m(?!\w)")
"""Millions or metres."""
_CHAIN = lazy_pattern(
    r"(?<![\w.,-])\d+(?:[-\u2010]\d+(?:[-\u2010]\d+)+|(?:\.\d+){2,}|(?:/\d+){2,})(?![\w-]*[a-z\d])"
)
"""Numbers that are one thing together: a date, a telephone number, a version, an address."""
_RANGE = lazy_pattern(r"(?<![\w.,/-])(\d+(?:\.\d+)?)[-\u2010](?=\d+(?:\.\d+)?(?![\d-]))")
_MILLION = 10**6
_POWERS = {**POWERS, "k": 10**3, "b": 10**9}

_COUNTER = lazy_pattern(
    "번(?!째)|명|사람|알|장|권|시간|달|살|대|잔|병|곳|주|해|배|차례|쪽|칸|층|마리|그루|채|벌|쌍"
    "|개월?|팀|편|척|통"
)
_IN_WORDS = lazy_pattern(
    rf"\b(?:{IN_ENGLISH})\b(?=[\s-]+[a-z])"
    rf"|(?<![가-힣])(?:{IN_KOREAN})\s?(?=(?:{_COUNTER.pattern}))"
)
"""A number in words before what it counts."""

_AFTER = lazy_pattern(r"[\s-]?(?:(?P<sign>%)|(?P<latin>[a-z]+)|(?P<wide>[가-힣]+))")
Amount = tuple[str, Decimal]
"""What is measured, and how much in the unit that it is compared in."""

_DAY = Decimal(86_400)
_UNITS: dict[str, Amount] = {
    "영업일": ("time", _DAY),
    **dict.fromkeys(("주", "주일", "week", "weeks"), ("time", 7 * _DAY)),
    **dict.fromkeys(("개월", "달", "month", "months"), ("months", Decimal(1))),
    **dict.fromkeys(("년", "주년", "year", "years"), ("months", Decimal(12))),
    **dict.fromkeys(
        ("kilometer", "kilometers", "kilometre", "kilometres"), ("length", Decimal(10**6))
    ),
    **dict.fromkeys(("mile", "miles", "마일"), ("length", Decimal(1_609_344))),
}
"""Beside those of ``tools.units``, which are units of columns and questions."""
_WIDE_UNIT = lazy_pattern(
    "|".join(sorted(filter(has_hangul, (*_UNITS, *NAMES)), key=len, reverse=True))
)
_APART = frozenset("in h s l m g t b".split())
"""Units that are another word where a space stands before them."""

_CLOCK = lazy_pattern(
    r"(?:(?P<half>오전|오후|아침|낮|저녁|밤|새벽)\s?)?(?<![\d.,:])(?P<hour>\d{1,2})"
    r"(?::(?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])(?:\s?(?P<after>[ap])\.?m\b\.?)?"
    r"|시(?![간기점])(?:\s?(?P<minutes>\d{1,2})분|\s?(?P<thirty>반))?"
    r"|\s?(?P<only>[ap])\.?m\b\.?)"
    r"|\b(?P<noon>noon)\b|\b(?P<midnight>midnight)\b|(?P<정오>정오)|(?P<자정>자정)"
)
_NIGHT, _NOON = 0, 12 * 60
_WEEKDAY = lazy_pattern("|".join(WEEKDAYS))
_SEVERAL_DAYS = lazy_pattern(
    r"(?:day|요일)s?\s?(?:부터|에서|[-–~]|to\b|through\b|until\b)|평일|주말|week(?:day|end)"
    r"|every ?day|daily|매일"
)
_PERIODS = {
    name: number
    for number, names in enumerate(
        (
            "second 초", "minute 분", "hour hourly 시간", "day daily 일 하루", "week weekly 주",
            "month monthly 달 월", "year yearly annually 년 해 연",
        )
    )
    for name in names.split()
}  # fmt: skip
_EVERY = lazy_pattern(
    r"\b(?:per|each|every)\s+(?P<per>second|minute|hour|day|week|month|year)\b"
    r"|\b(?P<ly>hourly|daily|weekly|monthly|yearly|annually)\b"
    r"|(?<![가-힣])매(?P<ko>시간|[초분일주달월년해])(?![가-힣]{2})|(?P<rate>시간|[초분일주월년])당(?![가-힣])"
)
_OFTEN = lazy_pattern(
    rf"{_EVERY.pattern}|\ban?\s+(?P<a>second|minute|hour|day|week|month|year)\b"
    r"|(?P<once>하루|한\s?달|한\s?주|한\s?해|일\s?년)(?:에|\s)|(?P<of>일일|월간|주간|연간)"
)


class Number(NamedTuple):
    """A number as it is written, its value, and the amount that it is with its unit; ``parts``
    where several are one amount (1시간 30분)."""

    written: str
    value: Decimal
    amount: Amount | None = None
    parts: tuple[Number, ...] = ()


class Figures:
    """What figures texts have."""

    def __init__(self, text: str) -> None:
        text = plain(text)
        told = _with_digits(text)
        self._digits = [int(each) for each in re.findall(r"\d+", text)]
        found = [each for number in numbers(told) for each in (number, *number.parts)]
        self._values = {each.value for each in found if not each.parts}
        self._values |= {_value(match[0]) for match in _DIGITS.finditer(text)}
        self._values |= {_value(match[1]) * _MILLION for match in _MILLIONS.finditer(text)}
        self._amounts = {each.amount for each in found if each.amount}
        self._bare = {each.value for each in found if each.amount is None}
        parts = {Decimal(part) for each in chains(text) for part in _parts(each)}
        self._values |= parts
        self._bare |= parts
        untimed = _CLOCK.sub(" ", told)
        self._counted = {_of(untimed, match.end()) for match in _in_digits(untimed)} - {""}
        self._counts = {each.value for each in numbers(untimed)}
        self._times = [_times(match) for match in _CLOCK.finditer(text)]
        self._marks = marks(text)
        self._values |= {Decimal(month[:-1]) for month in _months(self._marks)}
        self._days = {WEEKDAYS[name] for name in _WEEKDAY.findall(text)}
        self._periods = {_period(match) for match in _OFTEN.finditer(text)}
        self._all_days = _SEVERAL_DAYS.search(text) is not None

    def __contains__(self, number: Number) -> bool:
        """Whether a number is there: with its unit, or as a number without one."""
        if number.amount is None:
            return number.value in self._values
        if number.amount in self._amounts:
            return True
        if number.parts:
            return all(part in self for part in number.parts)
        return number.value in self._bare

    def has_chain(self, written: str) -> bool:
        """Whether the numbers of a date, a version and the like follow each other here in any
        form; the month of a date may be a word."""
        parts = _parts(written)
        count = len(parts)
        if any(self._digits[n : n + count] == parts for n in range(len(self._digits) - count + 1)):
            return True
        return f"{parts[1]}월" in self._marks and all(
            Decimal(part) in self._values for part in (parts[0], *parts[2:])
        )

    def without_times(self, text: str) -> str:
        """A plain text without the times of day in it, where there are any here to compare; else
        22:00 may be 22."""
        return _CLOCK.sub(" ", text) if self._times else re.sub(r"(?<=\d):00\b", "", text)

    def has_time(self, times: frozenset[int]) -> bool:
        """Whether one of the times of day that are meant is there."""
        return any(times & each for each in self._times)

    def otherwise(self, sentence: str) -> Iterator[str]:
        """The words of a sentence that give another figure than there is: a count in words of what
        is counted there, a time of day, a month, a day of the week."""
        return (_as_written(sentence, each) for each in self._otherwise(plain(sentence)))

    def _otherwise(self, sentence: str) -> Iterator[str]:
        for match in _IN_WORDS.finditer(sentence):
            if self._counts_otherwise(value_of(match[0]), sentence[match.end() :]):
                yield match[0].strip()
        if self._times:
            for match in _CLOCK.finditer(sentence):
                if not self.has_time(_times(match)):
                    yield match[0].strip()
        for month in _months(marks(sentence)):
            if contradicts(self._marks, month):
                words = re.findall("[a-z]+", sentence)
                yield from (each for each in words if month in marks(f"{each} 1"))
        if self._days and not self._all_days:
            for name in _WEEKDAY.findall(sentence):
                if WEEKDAYS[name] not in self._days:
                    yield name
        if self._periods:
            for match in _EVERY.finditer(sentence):
                if _period(match) not in self._periods:
                    yield match[0]

    def _counts_otherwise(self, value: int, after: str) -> bool:
        """Whether there is another number of what a number in words counts."""
        number = next(numbers(f"{value}{after}"))
        if number.amount:
            return number not in self and _kind(number.amount) in map(_kind, self._amounts)
        return value > 1 and value not in self._counts and _of(after, 0) in self._counted


def _as_written(sentence: str, word: str) -> str:
    """The word of a sentence that is ``word`` in plain text."""
    found = re.search(re.escape(word), normalize("NFKC", sentence), re.IGNORECASE)
    return found[0] if found else word


def chains(text: str) -> list[str]:
    """The numbers of a plain text that are one thing together, as they are written."""
    return _CHAIN.findall(text)


def _parts(chain: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", chain)]


def _with_ranges(text: str) -> str:
    """A plain text with from-to as it cannot be taken for a sign or a name: 3~5."""
    return _RANGE.sub(r"\1~", text)


def plain(text: str) -> str:
    """NFKC, so that full-width digits and ligatures are the usual ones, in lower case."""
    return normalize("NFKC", text).casefold()


def numbers(text: str) -> Iterator[Number]:
    """The numbers of a plain text that are written in digits."""
    text = _with_ranges(text)
    run: list[tuple[Number, int]] = []
    for match in _in_digits(text):
        amount, end = _with_unit(text, match)
        number = Number(match[0].strip(), abs(_value(match[0])), amount)
        if run and not _goes_on(run, number, text[run[-1][1] : match.start()]):
            yield _as_one([each for each, _ in run])
            run = []
        run.append((number, end))
    if run:
        yield _as_one([each for each, _ in run])


def _goes_on(run: list[tuple[Number, int]], number: Number, between: str) -> bool:
    """Whether a number is the smaller part of the amount before it."""
    before, after = run[-1][0].amount, number.amount
    return bool(
        before
        and after
        and between in ("", " ")
        and before[0] == after[0] in ("time", "months", "length", "mass")
        and before[1] > after[1]
    )


def _as_one(parts: list[Number]) -> Number:
    if len(parts) == 1:
        return parts[0]
    amounts = [each.amount for each in parts if each.amount]
    total = (amounts[0][0], sum((amount for _, amount in amounts), Decimal(0)))
    return Number(" ".join(each.written for each in parts), parts[0].value, total, tuple(parts))


def _with_unit(text: str, match: re.Match[str]) -> tuple[Amount | None, int]:
    """The amount that a number is with the unit beside it, and where that ends."""
    value = abs(_value(match[0]))
    after = _AFTER.match(text, match.end())
    before = unit(text[match.start() - 1]) if match.start() else None
    if before is not None:
        factor = _MILLION if _MILLIONS.match(text, match.start()) else 1
        return (before[0], (value * before[1] * factor).normalize()), match.end()
    if after is None:
        return None, match.end()
    written = after["sign"] or after["latin"] or ""
    end = after.end()
    if after["wide"]:
        named = _WIDE_UNIT.match(after["wide"])
        if named is None:
            return None, match.end()
        written, end = named[0], after.start("wide") + named.end()
    if written in _APART and text[match.end()] in " -":
        return None, match.end()
    known = _UNITS.get(written) or unit(written)
    return ((known[0], (value * known[1]).normalize()), end) if known else (None, match.end())


def _value(written: str) -> Decimal:
    """The number that ``written`` stands for: 10만, 100,000 and 0.1 million are one."""
    text = written.strip().casefold().lstrip("-")
    word = re.search(r"[a-z]+$", text)
    number = (text[: word.start()] if word else text).strip()
    if _DIGITS.fullmatch(number):
        value: Decimal | None = Decimal(number.replace(",", ""))
    else:
        from tools.amounts import scaled

        value = scaled(number)
    if value is None:  # no number: 5만 3억
        value = _value(re.split(r"[^\d.,]", number)[0])
    return (value * _POWERS.get(word[0], 1) if word else value).normalize()


def _in_digits(text: str) -> Iterator[re.Match[str]]:
    """The amounts of a text that are written in digits."""
    return _AMOUNT.finditer(text) if _DIGIT.search(text) else iter(())


def _with_digits(text: str) -> str:
    """A plain text with the numbers in words before what they count in digits."""
    return _IN_WORDS.sub(lambda match: str(value_of(match[0])), text)


def _of(text: str, end: int) -> str:
    """What stands after a number: a counter, or the stem of an English word."""
    after = _AFTER.match(text, end) if end < len(text) else None
    if after is None:
        return ""
    if after["wide"]:
        counter = _COUNTER.match(after["wide"])
        return counter[0] if counter else ""
    return stem(after["latin"] or "")


def _times(clock: re.Match[str]) -> frozenset[int]:
    """The minutes of the day that may be meant."""
    if clock["noon"] or clock["정오"]:
        return frozenset([_NOON])
    if clock["midnight"] or clock["자정"]:
        return frozenset([_NIGHT])
    hour = int(clock["hour"]) % 24
    minute = int(clock["minute"] or clock["minutes"] or (30 if clock["thirty"] else 0))
    half, latin = clock["half"] or "", clock["after"] or clock["only"] or ""
    if latin:
        hours = [hour % 12 + (12 if latin == "p" else 0)]
    elif half in ("오후", "저녁") or (half == "낮" and hour < 7) or (half == "밤" and hour > 5):
        hours = [hour % 12 + 12 if half != "밤" or hour != 12 else 0]
    elif half:
        hours = [hour if half == "낮" else hour % 12]
    else:
        hours = [hour] if hour > 12 or clock["hour"].startswith("0") else [hour, (hour + 12) % 24]
    return frozenset(60 * each + minute for each in hours)


def _kind(amount: Amount) -> str:
    """What is measured; months are a time."""
    return "time" if amount[0] == "months" else amount[0]


def _period(match: re.Match[str]) -> int:
    """What a rate is for, or how often something is."""
    word = "".join(next(filter(None, match.groups())).split())
    return next(_PERIODS[name] for name in (word, word[-1], word[0]) if name in _PERIODS)


def _months(told: frozenset[str]) -> list[str]:
    return sorted(each for each in told if re.fullmatch(r"\d{1,2}월", each))
