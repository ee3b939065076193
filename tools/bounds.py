"""Bounds as people say them, in Korean and English: 이하, 넘지 않는, 30~40, at most, or less.

One table for every kind of amount. In a pattern ``A`` is an amount, a space may be there or not,
and the rest is a regular expression; an amount in a text is one ``AMOUNT`` mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from tools.patterns import lazy_pattern

Sign = Literal["<", "<=", ">", ">="]

AMOUNT = "\ue000"
"""Stands where a text has an amount: a character of private use, which no text has."""


@dataclass(frozen=True)
class Bound:
    """One side of what is meant; ``<`` and ``>`` leave the value itself out."""

    sign: Sign
    value: Decimal

    @property
    def is_low(self) -> bool:
        """Whether it says how small a value may be."""
        return self.sign in (">", ">=")


@dataclass(frozen=True)
class Phrase:
    """Where a text says a bound, and how many amounts it is about."""

    start: int
    end: int
    read: Callable[[Sequence[Decimal]], tuple[Bound, ...]]


_Read = Callable[[Sequence[Decimal]], tuple[Bound, ...]]


def _one(sign: Sign) -> _Read:
    return lambda values: (Bound(sign, values[0]),)


def _two(low: Sign, high: Sign) -> _Read:
    return lambda values: (Bound(low, values[0]), Bound(high, values[1]))


def _exactly(values: Sequence[Decimal]) -> tuple[Bound, ...]:
    return Bound(">=", values[0]), Bound("<=", values[0])


def _about(values: Sequence[Decimal]) -> tuple[Bound, ...]:
    return Bound(">=", values[0] * 9 / 10), Bound("<=", values[0] * 11 / 10)


def _step(values: Sequence[Decimal]) -> tuple[Bound, ...]:
    step, won = Decimal(1), values[0]
    while won and won % (10 * step) == 0:
        step *= 10
    return Bound(">=", won), Bound("<", won + step if won else won)


_IT = "(?:을|를|이|가|은|는|도|만)?"
_LESS = "(?:싼|싸|저렴|낮|적|작|가벼|가볍|짧)[가-힣]*"
_MORE = "(?:비싼|비싸|높|많|크|큰|무거|무겁|길|긴)[가-힣]*"
_THAN_LESS = "(?:less|cheaper|lower|lighter|smaller|shorter|fewer) than"
_THAN_MORE = "(?:more|higher|heavier|larger|longer) than"
_STRANGE = "(?!한|하|형|적|해)"  # 이상한 is strange, not at least

_PATTERNS: tuple[tuple[_Read, tuple[str, ...]], ...] = (
    (_exactly, ("A",)),
    (
        _one("<="),
        (
            "A 이하", "A 까지", "A 이내", "최대 A(?: 까지| 이하| 이내)?", "~ A",
            "A 내(?:로|에서)", "A 안(?:으로|에서)",
            f"A{_IT} (?:넘|초과하|초과되)지 (?:않|말|마|못)[가-힣]*",
            f"A{_IT} 안 (?:넘|초과)[가-힣]*",
            f"A{_IT} (?:넘으|초과하)면 안[가-힣 ]",
            r"\b(?:at most|up to|within|max|a? ?maximum(?: of)?) A",
            rf"\b(?:no|not|nothing) (?:{_THAN_MORE}|over|above|exceeding) A",
            r"\b(?:does not|doesn't|do not|don't|not) exceed A",
            r"A or (?:less|under|below|cheaper|lower|lighter|smaller|shorter|fewer)\b",
            r"A (?:max|maximum|at most)\b",
        ),
    ),
    (
        _one("<"),
        (
            "A 미만", "A (?:아래|밑)", f"A{_IT} (?:채 )?안 ?되는", "A에?도? 못 ?미치[가-힣]*",
            f"A 보다 더? ?{_LESS}", rf"\b(?:under|below|{_THAN_LESS}) A",
        ),
    ),
    (
        _one(">="),
        (
            f"A 이상{_STRANGE}", "A 부터", f"최소 A(?: 이상{_STRANGE})?", "A ~",
            r"\b(?:at least|min|a? ?minimum(?: of)?|starting (?:at|from)) A",
            rf"\b(?:no|not|nothing) (?:{_THAN_LESS}|under|below) A",
            r"A or (?:more|over|above|higher|heavier|larger|longer)\b",
            r"A (?:minimum|at least|and up)\b",
        ),
    ),
    (
        _one(">"),
        (
            "A 초과(?!하지|되지)", f"A{_IT} 넘(?:는|게|은|어)[가-힣]*", f"A 보다 더? ?{_MORE}",
            rf"\b(?:over|above|exceeding|{_THAN_MORE}) A",
        ),
    ),
    (_about, ("A (?:정도|쯤|가량|내외|안팎)", "(?<![가-힣])약 A")),
    (_step, ("A 대(?![가-힣])", "A 대(?=의|로|인|에서|이|를|은|는|짜리)")),
    (
        _two(">=", "<="),
        (
            "A ~ A(?: 사이| 까지)?", "A - A(?: 사이)?", "A(?:와|과) A 사이",
            "A 에서 A(?: 까지| 사이)?", "A 부터 A(?: 까지| 사이)", "A 이상 ~? ?A 이하",
            r"\bbetween A and A", r"(?:\bfrom )?A to A",
        ),
    ),
    (_two(">=", "<"), ("A 이상 ~? ?A 미만",)),
    (_two(">", "<="), ("A 초과 ~? ?A 이하",)),
    (_two(">", "<"), ("A 초과 ~? ?A 미만",)),
)  # fmt: skip

_READ: tuple[tuple[re.Pattern[str], _Read], ...] = tuple(
    (lazy_pattern(pattern.replace(" ", r"\s*").replace("A", AMOUNT), re.IGNORECASE), read)
    for read, patterns in _PATTERNS
    for pattern in patterns
)


def bounds_of(text: str, values: Sequence[Decimal]) -> tuple[Bound, ...] | None:
    """What the whole of ``text`` says of the amounts in it; None when it is not in the table. An
    amount alone is itself and nothing else."""
    if text.count(AMOUNT) != len(values):
        return None
    read = next((read for pattern, read in _READ if pattern.fullmatch(text)), None)
    return read(values) if read else None


def phrases(text: str) -> Iterator[Phrase]:
    """Where ``text`` says bounds, in order; of two that overlap the one that starts first, then the
    longer one. An amount alone is no bound."""
    found = sorted(
        (
            Phrase(match.start(), match.end(), read)
            for pattern, read in _READ
            if read is not _exactly
            for match in pattern.finditer(text)
        ),
        key=lambda each: (each.start, -each.end),
    )
    end = 0
    for phrase in found:
        if phrase.start >= end:
            end = phrase.end
            yield phrase
