"""The bounds that a question states: 10만 원 이하, 1kg 넘지 않는, at most 2 kg.

Read strictly: what is quoted is left out, and what is negated, vague, a rate or a discount comes
with the reason why it is no plain bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from tools.amounts import FIGURES, MONEY, spelled, won_of
from tools.bounds import AMOUNT, Bound, Phrase, Sign, phrases
from tools.index.columns import DAYS, MONTH_NAME, read_day
from tools.patterns import lazy_pattern
from tools.units import FOREIGN, Measure, unit, unit_names

Unfit = Literal[
    "negated",  # 말고, 빼고, not
    "either",  # two bounds of which one is enough
    "rate",  # per month, apiece: not what a field holds
    "unclear",  # not read whole: vague, badly written, a discount
    "bare",  # a number without a unit
]
"""Why a bound is not to be taken as it stands."""

_LATIN = r"kgs?|[Kk][Gg]|kilograms?|kilos?|grams?|mg|g|millimeters?|mm|centimet(?:er|re)s|cm|km"
_HANGUL = unit_names("mass", "length", latin=False)
_MORE = (
    r"(?i:hours?|hrs?|minutes?|mins?|seconds?|secs?|[kmgt]i?b|lit(?:er|re)s?|ml|percent)(?![A-Za-z0-9])"
    r"|%|시간|퍼센트|리터|[분초](?![가-힣])"
)
_SCALES = "(?: ?[십백천만억조])*"
_CASH = (
    rf"(?!불)(?:{unit_names(*FOREIGN, latin=False)})|불(?![가-힣])"
    rf"|(?:{unit_names(*FOREIGN, latin=True)})\b"
)
_TOKEN = lazy_pattern(
    rf"(?P<cash>(?:(?:US)?\$|[€£¥]) ?{FIGURES}|(?<![0-9.,]){FIGURES}{_SCALES} ?(?i:{_CASH}))"
    rf"|(?P<unit>(?<![\w.,])(?P<number>{FIGURES}) ?"
    rf"(?P<name>(?:{_LATIN}|m(?:et(?:er|re)s?)?|t)(?![A-Za-z0-9])|{_HANGUL}|{_MORE}))"
    rf"|(?P<won>{MONEY})",
)
_WRITTEN_DAY = "|".join(
    re.sub(r"\?P<\w+>", "?:", pattern.replace("(?P=sign)", "[-/.]")) for pattern in DAYS
)
_HAS_UNIT = (
    rf"\s?(?:[십백천만억조]|원|won\b|krw\b|{_CASH}|(?:{_LATIN}|met(?:er|re)s?|[mt])(?![A-Za-z0-9])"
    rf"|{_HANGUL})"
)
_DAY = rf"(?<![\d.,])((?:{_WRITTEN_DAY}|(?:19|20)\d\d(?!{_HAS_UNIT}))(?![\d%]))"
"""A day, a month or a year; 2000 won is no year."""
_AMOUNT_NEXT = lazy_pattern(rf"\s?(?:(?:to|and)\s)?{FIGURES}{_HAS_UNIT}", re.IGNORECASE)
_MONTH_AND_DAY = r"\d{1,2}월(?:\s?\d{1,2}일)?"
_WITHOUT_YEAR = lazy_pattern(
    rf"(?<![\d년월])(?<!년\s){_MONTH_AND_DAY}\s?(?:이후|이전|부터|까지|이래)"
    rf"|\b(?:since|after|before|until|till|from) {MONTH_NAME} \d{{1,2}}(?:st|nd|rd|th)?\b(?!,? \d)",
    re.IGNORECASE,
)
_TO = r"\s?(?:부터|에서|~|-|–)\s?"
_DAY_BOUNDS: tuple[tuple[tuple[Sign, ...], str], ...] = (
    ((">=", "<="), rf"{_DAY}{_TO}({_MONTH_AND_DAY})(?:\s?까지)?"),
    ((">=", "<="), rf"{_DAY}{_TO}{_DAY}(?:\s?(?:까지|사이))?(?![\d])"),
    ((">=", "<="), rf"\bbetween {_DAY} and {_DAY}|\bfrom {_DAY} (?:to|until|till|through) {_DAY}"),
    ((">=",), rf"{_DAY}\s?(?:이후|부터|이래)|\b(?:since|from|on or after|starting) {_DAY}"),
    ((">",), rf"\b(?:after|later than|newer than) {_DAY}|{_DAY}\s?(?:후(?:에|의)|보다 늦)"),
    (("<=",), rf"{_DAY}\s?(?:이전|까지)|\b(?:until|till|up to|on or before|no later than) {_DAY}"),
    (
        ("<",),
        rf"\b(?:before|earlier than|older than) {_DAY}|{_DAY}\s?(?:전(?:에|의)|보다 (?:앞|이른))",
    ),
)
"""Bounds on days; ``after`` a month is after its end, and a bound without another word has its own
day in it."""
_DAY_PHRASES = tuple((signs, lazy_pattern(p, re.IGNORECASE)) for signs, p in _DAY_BOUNDS)

_UNKNOWN: tuple[Measure, Decimal] = ("other", Decimal(1))

_ONLY_YEAR = lazy_pattern(r"\d{4}")

_QUOTED = lazy_pattern(
    r'"[^"]{0,200}"|“[^”]{0,200}”|‘[^’]{0,200}’|「[^」]{0,200}」|『[^』]{0,200}』|«[^»]{0,200}»'
    r"|《[^》]{0,200}》|`[^`]{0,200}`|(?<!\w)'[^']{0,200}'(?!\w)"
)
_OTHER = lazy_pattern(
    rf"(?<![0-9.,]){FIGURES} ?[^\W\d]{{0,4}}? ?(?:이하|미만|이상(?!한|하|형|적|해)|초과|이내)(?!지)"
)
_STOP = lazy_pattern(r"[,.?!;:\n]")
_NOT_AFTER = lazy_pattern(
    r"말고|말구|말아|아닌|아니|제외|빼고|빼줘|뺀|외에|외의|이외|필요 ?없|상관 ?없|안 ?(?:되|돼|됩)"
    r"|싫|않|부담|곤란|힘들|어렵|어려|\bnot\b|n't\b|\bnever\b|\bexcluded?\b",
    re.IGNORECASE,
)
_NOT_BEFORE = lazy_pattern(
    r"\b(?:not|no|never|nothing|without|except|excluding|exclude|avoid|instead of|other than"
    r"|rather than)\b|n't\b",
    re.IGNORECASE,
)
_EITHER = lazy_pattern(
    r"또는|혹은|아니면|거나|이든|든지|\bor\b|^(?:이?나|든)(?![가-힣])", re.IGNORECASE
)
"""Between two bounds: one of them is enough. 나 is that only right after the first."""
_ONLY_EITHER = lazy_pattern(
    r"(?:짜리)?(?:이?나|이?거나|이?든지?|[,]?\s*(?:또는|혹은|아니면|\bor\b))\s*", re.IGNORECASE
)
_IS_MONEY = lazy_pattern(r"[₩원십백천만억조]|won|krw", re.IGNORECASE)
_RATE_BEFORE = lazy_pattern(
    r"(?:(?<![0-9가-힣])(?:매?월|매달|월간|매?년|연|연간|매?주|주간|하루|일일|한 ?달에?|일 ?년에)"
    r"|당) ?$"
)
_RATE_AFTER = lazy_pattern(
    r" ?(?:/ ?[\w]|씩|per \w|an? (?:month|year|week|day|hour)|monthly|yearly)"
)
_VAGUE_BEFORE = lazy_pattern(
    r"(?:(?<![가-힣])(?:약|대략|대충|거의|얼추|몇|수)|\b(?:about|around|roughly|nearly|almost)"
    r"|[-+±]|마이너스|제) ?$",
    re.IGNORECASE,
)
_GOES_ON = lazy_pattern(
    r" ?(?:대(?![가-힣])|정도|쯤|가량|내외|안팎|초반|중반|후반|이하|미만|이상(?!한|하)|초과"
    r"|이내|까지|할인|차이|적립|무료 ?배송|쿠폰|\boff\b|discount|[~-] ?[0-9])"
)
_DIFFERENCE = lazy_pattern(r" ?더? ?(?:싼|싸|저렴|비싼|비싸|내린|내렸|오른|올랐|절약|아낄|아껴)")


@dataclass(frozen=True)
class _Amount:
    written: str
    measure: Measure
    scale: Decimal = Decimal(1)


@dataclass(frozen=True)
class Stated:
    """A bound in a question: from ``start`` to ``end``, what it measures and its bounds in the
    currency, in grams or millimetres, or as YYYYMMDD (20260300 is a month, 20260000 a year); a
    reason where it was not read."""

    start: int
    end: int
    words: str
    measure: Measure
    bounds: tuple[Bound, ...] = ()
    reason: Unfit | None = None


def stated(question: str) -> Iterator[Stated]:
    """Every bound that the question states, in order."""
    text = _QUOTED.sub(lambda match: " " * len(match[0]), spelled(question))
    days = list(_in_days(text))
    for each in days:
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    known = [*days, *_in_known_units(text)]
    others = [
        each
        for each in _in_other_units(text)
        if all(each.end <= one.start or one.end <= each.start for one in known)
    ]
    taken = sorted([*known, *others], key=lambda each: each.start)
    either = {
        number
        for pair in pairwise(enumerate(taken))
        if _EITHER.search(text[pair[0][1].end : pair[1][1].start])
        for number, _ in pair
    }
    amounts = [each for each in _TOKEN.finditer(text) if _has_unit(each)]
    either |= {number for number, each in enumerate(taken) if _stands_beside(text, each, amounts)}
    for number, each in enumerate(taken):
        before = text[taken[number - 1].end if number else 0 : each.start]
        after = text[each.end : taken[number + 1].start if number + 1 < len(taken) else None]
        reason = each.reason
        if reason in (None, "bare"):
            reason = _against(before, after) or reason
        yield replace(each, reason="either" if number in either else reason)


def _in_days(text: str) -> Iterator[Stated]:
    """Bounds on days, months and years; of two that overlap the first in the table."""
    taken: list[tuple[int, int]] = []
    for signs, pattern in _DAY_PHRASES:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            written = [each for each in match.groups() if each]
            if _ONLY_YEAR.fullmatch(written[-1]) and _AMOUNT_NEXT.match(text, match.end()):
                continue
            days = [read_day(each, also_years=True) for each in _with_year(written)]
            read = [each for each in days if each is not None]
            if len(read) != len(signs):
                continue
            taken.append(match.span())
            bounds = tuple(
                Bound(sign, Decimal(re.sub(r"\D", "", day.words[-1]).ljust(8, "0")))
                for sign, day in zip(signs, read, strict=True)
            )
            reason: Unfit | None = "unclear" if bounds[0].value > bounds[-1].value else None
            yield Stated(*match.span(), match[0].strip(), "day", bounds, reason)
    for match in _WITHOUT_YEAR.finditer(text):
        if not any(match.start() < end and start < match.end() for start, end in taken):
            yield Stated(*match.span(), match[0].strip(), "day", reason="unclear")


def _with_year(written: Sequence[str]) -> list[str]:
    """The days of one bound; one without a year (2025년 3월부터 5월까지) has the first's."""
    year = re.search(r"\d{4}", written[0])
    return [
        f"{year[0]}년 {each}" if year and re.fullmatch(_MONTH_AND_DAY, each) else each
        for each in written
    ]


def _stands_beside(text: str, said: Stated, amounts: Sequence[re.Match[str]]) -> bool:
    """Whether an amount that is no bound itself may do instead: 10만 원 또는 20만 원 이하."""
    gaps = [text[each.end() : said.start] for each in amounts if each.end() <= said.start][-1:]
    gaps += [text[said.end : each.start()] for each in amounts if each.start() >= said.end][:1]
    return any(_ONLY_EITHER.fullmatch(gap) for gap in gaps)


def _has_unit(amount: re.Match[str]) -> bool:
    """Whether a token says what it measures."""
    return amount["won"] is None or _IS_MONEY.search(amount["won"]) is not None


def _against(before: str, after: str) -> Unfit | None:
    """Why the words around a bound forbid to take it as it stands."""
    near = " ".join(_STOP.split(after)[0].split()[:3])
    early = " ".join(_STOP.split(before)[-1].split()[-3:])
    return "negated" if _NOT_AFTER.search(near) or _NOT_BEFORE.search(early) else None


def _in_known_units(text: str) -> Iterator[Stated]:
    """Bounds about money, mass and length. The amounts become marks, then phrases are looked
    for."""
    tokens = list(_TOKEN.finditer(text))
    amounts = list(map(_token, tokens))
    marked = _TOKEN.sub(AMOUNT, text)
    places = list(_places(len(text), tokens))
    for phrase in phrases(marked):
        start, end = places[phrase.start], places[phrase.end]
        first = marked[: phrase.start].count(AMOUNT)
        own = amounts[first : first + marked[phrase.start : phrase.end].count(AMOUNT)]
        measure, values = _values(own)
        if measure is None:
            if _is_bare(text[start:end], own[-1].written, text[end:]):
                bounds = _bare_bounds(phrase, own)
                if _unread(text[:start], text[end:], bounds):
                    bounds = ()
                yield Stated(start, end, text[start:end].strip(), "other", bounds, "bare")
            continue
        bounds = phrase.read(values) if values else ()
        reason = _unread(text[:start], text[end:], bounds)
        yield Stated(start, end, text[start:end].strip(), measure, bounds, reason)


def _bare_bounds(phrase: Phrase, amounts: Sequence[_Amount]) -> tuple[Bound, ...]:
    """The bounds of numbers without a unit; none where one of them is no plain number."""
    written = [each.written.strip() for each in amounts]
    if not all(map(_is_number, written)):
        return ()
    return phrase.read([Decimal(each.replace(",", "")) for each in written])


def _is_bare(words: str, number: str, after: str) -> bool:
    """Whether a bound is on a number alone, as of a price whose currency is understood. In English
    what is counted comes after it, so that only large numbers and those at the end of a clause are
    taken for such; a number like a year is none."""
    digits = number.replace(",", "").strip()
    if "," not in number and re.fullmatch(r"(?:19|20)[0-9]{2}", digits):
        return False
    if re.search("[가-힣]", words):
        return True
    return (
        len(digits.partition(".")[0]) > 3 or not after.strip() or bool(_STOP.match(after.strip()))
    )


def _places(length: int, tokens: Sequence[re.Match[str]]) -> Iterator[int]:
    """Where each character of a text whose tokens became one mark each stands in the text."""
    end = 0
    for token in tokens:
        yield from range(end, token.start() + 1)
        end = token.end()
    yield from range(end, length + 1)


def _unread(before: str, after: str, bounds: tuple[Bound, ...]) -> Unfit | None:
    if not bounds or _VAGUE_BEFORE.search(before) or _GOES_ON.match(after):
        return "unclear"
    if any(each.is_low for each in bounds) and _DIFFERENCE.match(after):
        return "unclear"
    if _RATE_BEFORE.search(before) or _RATE_AFTER.match(after):
        return "rate"
    low, high = bounds[0], bounds[-1]
    return "unclear" if low.is_low and not high.is_low and low.value > high.value else None


def _in_other_units(text: str) -> Iterator[Stated]:
    """Bounds that no field can hold, and what looks like money and was not read as it."""
    for match in _OTHER.finditer(text):
        where = (match.start(), match.end(), match[0])
        if "원" in match[0]:
            yield Stated(*where, "won", reason="unclear")
        else:
            yield Stated(*where, "other")


def _token(match: re.Match[str]) -> _Amount:
    if match["name"]:
        return _Amount(match["number"], *(unit(match["name"]) or _UNKNOWN))
    if match["cash"]:
        sign = re.sub(r"[0-9., 십백천만억조]", "", match[0])
        return _Amount(match[0], (unit(sign) or _UNKNOWN)[0])
    return _Amount(match[0], "won")


def _values(amounts: Sequence[_Amount]) -> tuple[Measure | None, list[Decimal]]:
    """What the amounts of one phrase measure, and how much in its smallest unit; no values when
    they cannot be read, no measure when the last is a bare number. A bare number before another
    amount has its unit."""
    last = amounts[-1]
    if last.measure == "won":
        if not _IS_MONEY.search(last.written):
            return None, []
        if any(each.measure != "won" for each in amounts):
            return "won", []
        return "won", won_of([each.written for each in amounts]) or []
    written = [re.sub(r"[^0-9,.십백천만억조]", "", each.written) for each in amounts]
    same = all(each.measure in (last.measure, "won") for each in amounts)
    if not same or not all(map(_is_number, written)):
        return last.measure, []
    scales = [last.scale if each.measure == "won" else each.scale for each in amounts]
    numbers = [Decimal(each.replace(",", "")) for each in written]
    return last.measure, [n * scale for n, scale in zip(numbers, scales, strict=True)]


def _is_number(written: str) -> bool:
    return bool(
        re.fullmatch(r"(?:[0-9]{1,15}|[0-9]{1,3}(?:,[0-9]{3}){1,4})(?:\.[0-9]{1,6})?", written)
    )
