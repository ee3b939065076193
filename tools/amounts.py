"""Amounts of won as people write them in Korean: 3만 원 이하, 10~20만원, 1억 2천만원, 월 9,900원.

What comes out is a PROPOSAL for a filter: show it to the person and let them confirm it. Nothing
is guessed: a text is read whole, or it is not read at all.

    text    = [period] price                    period: 월 매월 매달, 연 매년, 주 매주
    price   = 무료 | 공짜 | a phrase of ``tools.bounds`` about one or two amounts
    amount  = [₩] term {term} [원], or won and KRW for them
    term    = number [scale] | scale            number: 29000, 29,000, 3.5, or 일 to 구 in Hangul
    scale   = 십 | 백 | 천 | 만 | 억 | 조       alone it is one of it: 만 원, 천만 원

* Terms go from large to small: 2만 9천 is one amount, 1 2만 is none. A number with a decimal point
  stands alone with its scale and comes to whole won: 3.5만, never 29.000원.
* An amount says that it is money: by 원 or ₩, or by a number with a scale from 천 up. Only the
  first of two may be a bare number, and then has the scale of the second: 10~20만원 is 10만 to
  20만.
* N대 goes on to the next step of N's last digit that is not 0: 40만원대 is 40만 to under 50만,
  35만원대 is 35만 to under 36만. 정도, 쯤, 가량, 내외, 안팎 and 약 are a tenth to either side.
* 미만 and 초과 leave the amount itself out; every other bound has it in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal
from unicodedata import normalize

from tools.bounds import AMOUNT, Bound, bounds_of
from tools.numerals import ENGLISH, KOREAN, POWERS, SCALES, value_of, within
from tools.patterns import lazy_pattern
from tools.units import FOREIGN, unit_names

Period = Literal["", "month", "year", "week"]
"""What a price is paid for; empty where nothing is said. A price a month and a price that is paid
once say nothing about each other."""

Bounds = tuple[int | None, int | None]


@dataclass(frozen=True)
class WonRange:
    """Prices from ``low`` to ``high`` in whole won, both in it; None is no bound. An exact price
    has the same in both."""

    low: int | None
    high: int | None
    per: Period = ""

    def holds(self, won: int) -> bool:
        """Whether ``won``, paid for the same period, is one of these prices."""
        return (self.low is None or self.low <= won) and (self.high is None or won <= self.high)


@dataclass(frozen=True)
class Unread:
    """A text that was not read: a ``negative`` amount, one of another ``currency``, or
    ``unknown``. It is no price and no bound, and never 0."""

    reason: Literal["negative", "currency", "unknown"]


@dataclass(frozen=True)
class _Amount:
    """``scale`` is that of a single term, 0 for several; a bare number does not say that it is
    money, and may have a part that only a scale makes whole."""

    value: Decimal
    scale: int
    is_bare: bool


_DIGITS = {digit: number for number, digit in enumerate("일이삼사오육칠팔구", 1)}
_PERIODS: dict[str, Period] = {
    "매월": "month", "매달": "month", "월": "month",
    "매년": "year", "연": "year",
    "매주": "week", "주": "week",
}  # fmt: skip

_LONGEST = 60  # characters of a text
_MOST = 10**15  # won, no longer an amount
_SPELLED = str.maketrans(
    {
        **{chr(ord("０") + n): str(n) for n in range(10)},
        **{chr(ord("ａ") + n): chr(ord("a") + n) for n in range(26)},
        **{chr(ord("Ａ") + n): chr(ord("A") + n) for n in range(26)},
        **dict(zip("，．￦～∼〜–—−＄", ",.₩~~~---$", strict=True)),
        AMOUNT: " ",
        "㎏": "kg", "㎎": "mg", "㎝": "cm", "㎜": "mm", "㎞": "km",
    }
)  # fmt: skip
_SCALE = f"(?<!미)[{''.join(SCALES)}]"
_DIGIT = f"[{''.join(_DIGITS)}](?= ?[{''.join(SCALES)}원])"
_PERIOD = lazy_pattern(f"({'|'.join(_PERIODS)}) ?(?=[0-9₩]|{_DIGIT}|{_SCALE})")
_NEGATIVE = lazy_pattern(r"₩? ?(?:- ?[0-9₩]|마이너스)")
_TIMES = {**POWERS, "k": 10**3, "m": 10**6, "bn": 10**9}
_FOREIGN = lazy_pattern(
    rf"[$€£¥]|(?:[0-9]|{_SCALE}) ?(?:{unit_names(*FOREIGN, latin=False)})"
    rf"|[0-9] ?(?:(?:{'|'.join(_TIMES)}) )?(?:{unit_names(*FOREIGN, latin=True)})\b"
    r"|\b(?:USD|EUR|JPY|CNY|GBP) ?[0-9]",
    re.IGNORECASE,
)
_AMOUNT = lazy_pattern(rf"(?:₩ ?)?(?:(?:[0-9][0-9,.]*|{_DIGIT}|{_SCALE}) ?)+원?")
FIGURES = r"[0-9](?:[0-9,.]*[0-9])?"
"""A number in digits as it stands in a sentence, without the comma or full stop after it."""
_GOES_WITH = (
    "(?![가-힣])|(?=[일이삼사오육칠팔구십백천만억조원을를은는도과와대쯤안내밑넘]"
    "|에서|까지|부터|보다|정도|가량|아래|미만|초과|사이|채|못)"
)
_SCALED = rf" ?{_SCALE}(?:{_GOES_WITH})(?: ?(?:{FIGURES}(?= ?[십백천만억조원])|{_DIGIT}))?"
MONEY = (
    rf"(?<![A-Za-z0-9_.,])(?:(?:₩|KRW) ?)?{FIGURES}(?:{_SCALED})*(?: ?(?:원|won\b|KRW\b))?"
    rf"|(?<!\w)(?:(?:{_DIGIT}|{_SCALE}) ?)+원"
)
"""An amount of won as it stands in a sentence, or a bare number: longer words that begin with a
scale (만약, 조금) are none."""
_LATIN_WON = lazy_pattern("won|KRW", re.IGNORECASE)
_TERM = lazy_pattern(rf"(?P<number>[0-9][0-9,.]*|[{''.join(_DIGITS)}])? ?(?P<scale>{_SCALE})?")
_NUMBER = lazy_pattern(r"(?:0|[1-9][0-9]{0,14}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,4})(\.[0-9]{1,4})?")


def read_won(text: str) -> WonRange | Unread:
    """The prices that the whole of ``text`` means, or why it was not read."""
    text = " ".join(_plain(text).split())
    if len(text) > _LONGEST:
        return Unread("unknown")
    if _NEGATIVE.match(text):
        return Unread("negative")
    if _FOREIGN.search(text):
        return Unread("currency")
    period = _PERIOD.match(text)
    found = _prices(text[period.end() :] if period else text)
    if found is None:
        return Unread("unknown")
    return WonRange(*found, _PERIODS[period[1]] if period else "")


def spelled(text: str) -> str:
    """``text`` as it is read: NFC, with wide letters, digits and signs in their plain form, and
    amounts in English words as numbers."""
    return _IN_WORDS.sub(lambda match: str(value_of(match[0])), _plain(text))


def _plain(text: str) -> str:
    return normalize("NFC", text).translate(_SPELLED)


def _prices(text: str) -> Bounds | None:
    if text in ("무료", "공짜"):
        return 0, 0
    won = won_of([match[0] for match in _AMOUNT.finditer(text)])
    bounds = bounds_of(_AMOUNT.sub(AMOUNT, text), won) if won else None
    return None if bounds is None else _whole(bounds)


def _whole(bounds: Sequence[Bound]) -> Bounds | None:
    """The lowest and highest whole won within ``bounds``; None when there is none."""
    low: int | None = None
    high: int | None = None
    for each in bounds:
        if each.is_low:
            low = math.floor(each.value) + 1 if each.sign == ">" else math.ceil(each.value)
        else:
            high = math.ceil(each.value) - 1 if each.sign == "<" else math.floor(each.value)
    return (low, high) if high is None or (low or 0) <= high else None


_WORD = rf"(?:{'|'.join([*ENGLISH, *POWERS])})"
_IN_WORDS = lazy_pattern(
    rf"(?<![0-9] )\b(?:an? (?={'|'.join(POWERS)}))?{_WORD}(?:(?:[ -]| and ){_WORD})*"
    rf"(?= (?:won|{unit_names(*FOREIGN, 'mass', 'length', latin=True)})\b)",
    re.IGNORECASE,
)
_IN_ENGLISH = lazy_pattern(
    rf"(?P<before>(?:₩|\bKRW) ?)?(?P<number>{FIGURES}) ?(?P<scale>{'|'.join(_TIMES)})\b"
    r"(?P<after> ?(?:won|KRW)\b)?",
    re.IGNORECASE,
)
_COUNTS = within(2, 10, KOREAN, ENGLISH)
_COUNTED = lazy_pattern(
    rf"(?<![\w.,])(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)}) ?"
    r"(?:개(?!월 ?[이안내])|건|장|권|대(?![가-힣])|회분?|번|명|인분|세트|곳|벌|달 ?치|개월 ?치"
    r"|(?:x|×|times|items?|purchases?|orders?|licen[cs]es?|seats?|copies|payments?|of them)(?!\w))"
    rf"|\b(?P<many>{'|'.join(each for each in _COUNTS if each.isascii())}) "
    r"(?=(?:₩|KRW )?\d[\d,]* ?(?:won|KRW))",
    re.IGNORECASE,
)
_MULTIPLES = {
    "twice": 2, "double": 2, "both": 2, "couple": 2, "pair": 2, "thrice": 3, "triple": 3,
    "dozen": 12, "두 배": 2, "두배": 2, "갑절": 2, "곱절": 2, "세 배": 3, "세배": 3,
}  # fmt: skip
_MULTIPLE = lazy_pattern(rf"(?<!\w)(?:{'|'.join(_MULTIPLES)})(?![A-Za-z])", re.IGNORECASE)
_SAYS_WON = lazy_pattern(r"[₩원십백천만억조]|won|krw|\d,\d{3}", re.IGNORECASE)


def won_named(text: str) -> Decimal | None:
    """The won that a sentence names, all its amounts together and as often as it counts them
    ("9만원짜리 두 개"). None where it names none; without end where one cannot be read or is of
    another currency, so that it is below no bound."""
    text = _IN_ENGLISH.sub(_in_digits, " ".join(spelled(text).split()))
    if _FOREIGN.search(text):
        return Decimal("Infinity")
    text = re.sub("krw", "KRW", text, flags=re.IGNORECASE)
    total: Decimal | None = None
    for match in re.finditer(MONEY, text):
        if not _SAYS_WON.search(match[0]):
            continue
        won = won_of(
            [match[0] if re.search("[₩원십백천만억조]|won|KRW", match[0]) else f"₩{match[0]}"]
        )
        if won is None:
            return Decimal("Infinity")
        total = (total or Decimal(0)) + won[0]
    times = [
        _COUNTS.get((match["count"] or match["many"]).casefold()) or int(match["count"])
        for match in _COUNTED.finditer(text)
    ]
    times += [_MULTIPLES[match[0].casefold()] for match in _MULTIPLE.finditer(text)]
    return None if total is None else total * max(times, default=1)


def _in_digits(match: re.Match[str]) -> str:
    """150 thousand won as 150000 won; other things are counted in thousands too."""
    if not (match["before"] or match["after"]):
        return match[0]
    value = Decimal(match["number"].replace(",", "")) * _TIMES[match["scale"].casefold()]
    return f"{match['before'] or ''}{value:f}".partition(".")[0] + (match["after"] or "")


def won_of(written: Sequence[str]) -> list[Decimal] | None:
    """The amounts that a phrase has, in whole won; a bare one before the last has the scale of
    the last. None unless every one is an amount of money."""
    read = [_amount(each) for each in written]
    amounts = [each for each in read if each is not None]
    if len(amounts) < len(read) or not amounts or amounts[-1].is_bare:
        return None
    scale = amounts[-1].scale
    values = [each.value * scale if each.is_bare else each.value for each in amounts]
    if any(each.is_bare for each in amounts) and not scale:
        return None
    whole = all(value == int(value) < _MOST for value in values)
    return values if whole else None


def scaled(written: str) -> Decimal | None:
    """The number that digits and scales write: 1억 2천만, 3천5백만; None for what is none."""
    amount = _amount(written) if _AMOUNT.fullmatch(written) else None
    return amount.value if amount else None


def _amount(written: str) -> _Amount | None:
    """One amount; None when it is not written as the grammar says."""
    written = _LATIN_WON.sub("원", written)
    terms = [
        (_number(match["number"]), SCALES.get(match["scale"] or "", 1))
        for match in _TERM.finditer(written.strip("₩원 "))
        if match[0].strip()
    ]
    is_money = "₩" in written or "원" in written
    largest = max(scale for _, scale in terms)
    if not is_money and all(number is None for number, _ in terms):
        return None
    if "." in written and (len(terms) > 1 or (is_money and largest == 1)):
        return None
    value = _sum(terms)
    if value is None or value.is_nan():
        return None
    return _Amount(
        value, largest if len(terms) == 1 else 0, not is_money and largest < SCALES["천"]
    )


def _number(written: str | None) -> Decimal | None:
    """The number of a term, not a number for one that is badly written, None for none."""
    if written is None:
        return None
    if written in _DIGITS:
        return Decimal(_DIGITS[written])
    return Decimal(written.replace(",", "")) if _NUMBER.fullmatch(written) else Decimal("NaN")


def _sum(terms: Sequence[tuple[Decimal | None, int]]) -> Decimal | None:
    """The terms together: what stands before the largest scale is taken that many times, what
    follows is added. None unless they go from large to small."""
    if not terms:
        return Decimal(0)
    largest = max(scale for _, scale in terms)
    at = next(i for i, (_, scale) in enumerate(terms) if scale == largest)
    number, before, after = terms[at][0], terms[:at], terms[at + 1 :]
    if largest == 1:
        return number if len(terms) == 1 else None
    if any(scale >= SCALES["만"] for _, scale in before) or (before and largest < SCALES["만"]):
        return None
    counted = [*before, *([] if number is None else [(number, 1)])]
    times, rest = _sum(counted) if counted else Decimal(1), _sum(after)
    if times is None or rest is None or rest.is_nan() or rest >= largest:
        return None
    return times * largest + rest
