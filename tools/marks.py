"""What tells one thing of a kind from another: numbers, years, ids, single letters.

서버 1 and 서버 2, model A and model B, 2024 and 2025 share every other word, so evidence about one
has most words of a question about the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tools.numerals import KOREAN, MONTH_NAMES, month_number, within
from tools.patterns import lazy_pattern
from tools.tokens import fold

UNIT = lazy_pattern(
    r" ?(?:[십백천만억조]+ ?)?(?:원|달러|유로|엔|위안)"
    r"|%| ?(?:코어|퍼센트|시간|분(?!기)|초|시|일|주|개월|명|개|킬로그램|그램|킬로미터|미터"
    r"|(?:메가|기가|테라)(?:바이트)?)"
    r"| ?(?:won|krw|usd|eur|dollars?|euros?|percent|seconds?|minutes?|hours?|days?|weeks?|months?"
    r"|years?|people|users?|cores?|kg|g|mg|km|m|cm|mm|l|ml|kb|mb|gb|tb|hz|mhz|ghz|w|kw|v|mah|ms)(?![a-z0-9_])",
    re.IGNORECASE,
)
"""What is counted or measured. Left out is what names a thing instead: 년, 월, 호, 층, 번, 장."""

ID = lazy_pattern(
    r"(?<![A-Za-z0-9_.-])(?=[A-Za-z])(?=[A-Za-z0-9_.-]*[0-9])"
    r"[A-Za-z0-9_]+(?:[-.][A-Za-z0-9_]+)*"
)
"""A Latin word with a digit in it: srv-prod-17."""

_NUMBER = lazy_pattern(r"(?<![A-Za-z0-9_.,:$₩€£¥-])\d+(?:\.\d+)*(?![A-Za-z0-9_%]|[.,:-]\d)")
_SCALE = lazy_pattern(r"\s?(?:[십백천만억]|조 ?원|(?:hundred|thousand|million|billion|k)\b)", re.I)
_COUNTED = lazy_pattern(r"\s?(월(?!요일)|분기|층|조(?= |$|[^가-힣])|항|차|학년|세대)")
_LETTER = lazy_pattern(r"(?<![A-Za-z0-9_.'’&/-])[A-Z](?![A-Za-z0-9_'’]|[.&/-]\w)")
_SMALL_LETTER = lazy_pattern(r"(?<=[A-Za-z] )[b-hj-z](?![A-Za-z0-9_'’.&/-])")
_ARTICLE = lazy_pattern(r"(?:^|[.!?:;\n\"(]\s*)A\s(?=[a-z])|\bI(?=\s[a-z]|['’])")
_DAY = lazy_pattern(r"(?<!\d)(?P<year>(?:19|20)\d\d)[-./](?P<month>\d{1,2})(?:[-./]\d{1,2})?(?!\d)")
_SURE = "|".join(name for name in MONTH_NAMES if name not in ("march", "mar", "may"))
_MONTH = lazy_pattern(
    rf"\b(?:(?P<sure>{_SURE})|(?P<may>mar(?:ch)?|may)(?=\.? \d|$|[?.,]))\b"
    r"|\b(?:the|in|of|last|since|until|this) (?P<in>march|may)\b",
    re.IGNORECASE,
)
_NTHS = {"첫": 1, **within(2, 10, KOREAN)}
_ORDINALS: Sequence[str] = (
    "first second third fourth fifth sixth seventh eighth ninth tenth".split()
)
_NTH = lazy_pattern(
    rf"(?P<ko>{'|'.join(_NTHS)})\s?번째|(?P<n>\d+)\s?번째|\b(?P<th>\d+)(?:st|nd|rd|th)\b"
    rf"|\b(?P<en>{'|'.join(_ORDINALS)})\b(?!\s+(?:aid|name|half|class|hand|floor))",
    re.IGNORECASE,
)


def marks(text: str) -> frozenset[str]:
    """The marks of a text. A number that counts something (3일, 16GB) is none; a month is the same
    in words (May, 5월) and in a date."""
    return frozenset(
        [*(fold(each) for each in ID.findall(text)), *_numbers(text), *_letters(text)]
        + [f"{month}월" for month in _months(text)]
    )


def contradicts(told: frozenset[str], mark: str) -> bool:
    """Whether a text with the marks ``told`` is of another than ``mark`` names: it has marks of
    that shape, and not this one."""
    shape = _shape(mark)
    return mark not in told and any(_shape(each) == shape for each in told)


def _shape(mark: str) -> str:
    return re.sub(r"\d+", "#", "@" if re.fullmatch("[A-Z]", mark) else mark)


def ordinals(text: str) -> frozenset[str]:
    """Which one of several a text means, by place: 두 번째, second, 2nd."""
    found: set[str] = set()
    for match in _NTH.finditer(text):
        if match["ko"]:
            found.add(f"{_NTHS[match['ko']]}.")
        elif match["en"]:
            found.add(f"{_ORDINALS.index(match['en'].lower()) + 1}.")
        else:
            found.add(f"{match['n'] or match['th']}.")
    return frozenset(found)


def marked_words(text: str) -> dict[str, str]:
    """Each mark of a text, and each ordinal, as the word that it stands in."""
    words = re.findall(r"(?:\S+ 번째)|\S+", text)
    bare = [re.sub(r"^[\"'“(]+|[\"'”),.?!:;]+$", "", word) for word in words]
    return {each: word for word in bare for each in (*marks(word), *ordinals(word))}


def _numbers(text: str) -> Iterator[str]:
    for match in _NUMBER.finditer(text):
        after = text[match.end() :]
        if UNIT.match(after) or _SCALE.match(after):
            continue
        counted = _COUNTED.match(after)
        yield f"{int(match[0])}{counted[1]}" if counted and "." not in match[0] else match[0]
    for day in _DAY.finditer(text):
        yield day["year"]


def _months(text: str) -> Iterator[int]:
    for match in _MONTH.finditer(text):
        yield month_number(match["sure"] or match["may"] or match["in"])
    for day in _DAY.finditer(text):
        yield int(day["month"])


def _letters(text: str) -> Iterator[str]:
    told = _ARTICLE.sub(" ", text)
    yield from _LETTER.findall(told)
    yield from (each.upper() for each in _SMALL_LETTER.findall(told))
