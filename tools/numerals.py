"""Words that stand for a number: two, 두, hundred, 만, January, 월요일."""

from __future__ import annotations

from tools.patterns import lazy_pattern

SCALES = {"십": 10, "백": 100, "천": 1_000, "만": 10**4, "억": 10**8, "조": 10**12}
POWERS = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip

_LOW = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_LOW_KO = "한 두 세 네 다섯 여섯 일곱 여덟 아홉".split()
_TENS_KO = "열 스물 서른 마흔 쉰".split()
ENGLISH = {
    **{word: number for number, word in enumerate(["zero", *_LOW])},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
}
KOREAN = {
    **{word: number for number, word in enumerate(_LOW_KO, 1)},
    **{word: 10 * number for number, word in enumerate(_TENS_KO, 1)},
    "스무": 20,
}
"""Numbers as they stand before what is counted (두 개)."""
IN_ENGLISH = rf"(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_LOW[:9])}))?|{'|'.join(_LOW)}"
"""From one to ninety-nine, as a regular expression."""
IN_KOREAN = rf"스무|(?:{'|'.join(_TENS_KO)})?(?:{'|'.join(_LOW_KO)})|{'|'.join(_TENS_KO)}"
"""From 한 to 쉰아홉, as a regular expression."""

_VALUES = {**ENGLISH, **KOREAN}
_WORD = lazy_pattern("|".join(sorted([*_VALUES, *POWERS], key=len, reverse=True)))

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
MONTH_NAMES = (*MONTHS, *(month[:3] for month in MONTHS if month != "may"), "sept")
"""With their short forms; the long ones first."""
WEEKDAYS = {
    name: number
    for names in (
        "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
        "monday tuesday wednesday thursday friday saturday sunday",
    )
    for number, name in enumerate(names.split())
}


def within(low: int, high: int, *words: dict[str, int]) -> dict[str, int]:
    """The words of these tables for the numbers from ``low`` to ``high``."""
    return {word: n for each in words for word, n in each.items() if low <= n <= high}


def value_of(words: str) -> int:
    """The number that words write: fifty, two hundred and ten thousand, 열두."""
    total = current = 0
    for word in _WORD.findall(words.casefold()):
        if word == "hundred":
            current = max(current, 1) * 100
        elif word in POWERS:
            total, current = total + max(current, 1) * POWERS[word], 0
        else:
            current += _VALUES[word]
    return total + current


def month_number(name: str) -> int:
    """Which month of the year a name is, long or short."""
    return next(n for n, month in enumerate(MONTHS, 1) if month.startswith(name[:3].casefold()))
