"""Which time a question asks about: a day, a month, a year, what was before or after one.

A time that is there and is not understood (two days, "before the amendment", a month without its
year) is never taken for today: it is ``Unclear``.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from unicodedata import normalize

from tools.numerals import ENGLISH, KOREAN, MONTH_NAMES, month_number, within
from tools.patterns import lazy_pattern
from tools.problems import CorpusError
from tools.sources.dates import Time

_MONTH = rf"(?:{'|'.join(MONTH_NAMES)})\b\.?"
_NTH = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_UNIT_FOLLOWS = r"(?!\s*(?:원|won\b|krw\b|호|조|명|대|개|건|회|번|㎞|km\b|m\b|mg\b|kg\b))"
_FORMS = (
    r"(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?!\d)",
    r"(?P<y>\d{4})\s*년\s*(?P<m>\d{1,2})\s*월\s*(?P<d>\d{1,2})\s*일",
    r"(?P<y>\d{4})\.\s*(?P<m>\d{1,2})\.\s*(?P<d>\d{1,2})(?!\d)\.?",
    rf"(?P<m>{_MONTH})\s+{_NTH},?\s+(?P<y>\d{{4}})",
    rf"{_NTH}\s+(?:of\s+)?(?P<m>{_MONTH}),?\s+(?P<y>\d{{4}})",
    r"(?P<y>\d{4})\s*년\s*(?P<m>\d{1,2})\s*월",
    r"(?P<y>(?:19|20)\d\d)[-/](?P<m>0[1-9]|1[0-2])(?![\d/-])",
    rf"(?P<m>{_MONTH}),?\s+(?:of\s+)?(?P<y>\d{{4}})",
    r"(?P<y>\d{4})\s*년도?\s*(?P<h>상반기|하반기|[1-4]\s*분기)",
    r"(?P<h>h[12]|q[1-4]|first half|second half)\s*(?:of\s+)?(?P<y>(?:19|20)\d\d)",
    rf"(?P<y>\d{{4}})\s*년(?:도|(?!도))|(?<![-/.,₩$제])(?P<bare>(?:19|20)\d\d)(?![\w-]|[.,/]\d){_UNIT_FOLLOWS}",
)
"""Days, months, halves and quarters, years: the longer first, so that none is read twice."""

_BEFORE = (
    r"\b(?P<before>as (?:of|at)|on|before|prior to|until|till|up to|by|after|since|from|to)"
    r"\s+(?:the\s+)?$"
)
_AFTER = (
    r"\s*(?:자로?\s*|[을를]?\s*)(?P<mark>기준|현재|당시|시점)"
    r"|\s*(?:의\s*|에\s*)?(?:바로\s*)?(?P<after>전후|직전|이전|직후|이후|이래|부터|까지"
    r"|(?:전|후|뒤)(?=의|에|엔|로|까지|부터|\s|[?.,!)]|$))"
)
_AS_OF = lazy_pattern(
    r"\b(?:as (?:of|at)|(?:in (?:force|effect|use)|valid|effective|appl(?:y|ies|ied)|current) on)"
    r"\s+(?:the\s+)?$",
    re.IGNORECASE,
)
"""What holds on a day, and what was known by then: not what happened on it."""
_ENDS = {
    **dict.fromkeys(("전", "직전", "before", "prior to"), "before"),
    **dict.fromkeys(("이전", "까지", "until", "till", "up to", "by", "to"), "until"),
    **dict.fromkeys(("후", "뒤", "직후", "after"), "after"),
    **dict.fromkeys(("이후", "이래", "부터", "since", "from"), "since"),
}
_UNTOLD = lazy_pattern(
    r"개정\s*(?:이\s*)?(?:되기\s*)?(?:전후|직전|이전|이후|전|후|내용|사항)"
    r"|(?:바뀌|달라지|고쳐지|개정되|시행되)기\s*(?:이전|직전|전)"
    r"|(?:바뀐|달라진|변경된|개정된|고쳐진)\s*(?:뒤|후|점|내용|것)"
    r"|어떻게\s*(?:바뀌|바뀐|달라|변했|변하|변경|개정)"
    r"|(?<![가-힣])(?:예전|종전|옛날?(?=[\s에의])|구법|과거(?=[\s에의])|이전(?=의|에는|엔|"
    r"\s*(?:법|규정|조문|판|버전|한도|금액|기준))|그때|그 당시)"
    r"|(?<![가-힣])(?:지난|이번|다음|저번)\s?주(?![가-힣]*소)"
    r"|(?<!\d)\d{1,2}\s?월(?!\s*령)(?:\s*\d{1,2}일)?"
    rf"|\b(?:in|since|before|after|until|during|by|of|on|from)\s+(?:early |late |mid-?)?{_MONTH}"
    rf"|\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?!\d)"
    r"|\b(?:before|after|prior to|until|since) (?:the |its |this )?(?:\w+ )?"
    r"(?:amend(?:ment|ed|ing)?|change[sd]?|reform(?:ed|s)?|revis(?:ion|ed))\b"
    r"|\b(?:before|after|until|since) (?:it|they|that|the \w+) (?:was|were|is|are) "
    r"(?:amended|changed|revised)\b"
    r"|\b(?:previous(?:ly)?|former(?:ly)?|earlier|past|back then|at that time|used to be)\b"
    r"|(?<!year )(?<!years )(?<!year-)(?<!years-)\bold\b"
    r"|\bhow (?:has|have|had|did) .{0,60}\bchanged?\b|\bwhat (?:has |have )?changed\b"
    r"|\b(?:last|this|next) week\b",
    re.IGNORECASE,
)
"""Words that speak of another time than today and do not say which."""

_NUMBERS = {
    **within(1, 12, ENGLISH), **within(1, 10, KOREAN), "a": 1, "an": 1, "열한": 11, "열두": 12,
    "일": 1, "이": 2, "석": 3, "삼": 3, "넉": 4, "사": 4,
}  # fmt: skip
_COUNT = rf"(?P<n>\d{{1,3}}|{'|'.join(_NUMBERS)})"
_AGO = lazy_pattern(
    rf"(?<![\d가-힣])(?<!월)(?<!월 )(?<!년 ){_COUNT}\s?(?P<unit>년|개월|달|주일?|일)\s?전"
    r"(?=[의에엔\s?.,]|$)"
    rf"|\b{_COUNT.replace('<n>', '<m>')} (?P<word>year|month|week|day)s? ago\b",
    re.IGNORECASE,
)
_RELATIVE = lazy_pattern(
    r"(?<![가-힣])(?P<year>재작년|작년|지난\s?해|올해|금년|내년)"
    r"|(?<![가-힣])(?P<month>(?:지난|저번|이번|다음)\s?달(?!리)|이달(?=[의에\s]))"
    r"|(?<![가-힣])(?P<day>그저께|그제|어제|내일|모레)(?![가-힣]*모레)"
    r"|\b(?:(?:of|in) )?(?P<which>last|this|next) (?P<unit>year|month)\b"
    r"|\b(?P<word>yesterday|tomorrow)\b",
    re.IGNORECASE,
)
_STEPS = {
    "재작년": -2, "작년": -1, "지난해": -1, "올해": 0, "금년": 0, "내년": 1,
    "지난달": -1, "저번달": -1, "이번달": 0, "이달": 0, "다음달": 1,
    "그저께": -2, "그제": -2, "어제": -1, "내일": 1, "모레": 2,
    "last": -1, "this": 0, "next": 1, "yesterday": -1, "tomorrow": 1,
}  # fmt: skip


@dataclass(frozen=True)
class Unclear:
    """A question speaks of a time in these words, and they do not come down to one."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class _Mention:
    words: str
    time: Time
    marked: bool
    ends: str
    as_of: bool


def asked_time(question: str, today: date) -> Time | Unclear | None:
    """The time that a question asks about, None where it names none. One marked as such ("as of
    2025-03-01", "2025년 3월 1일 기준") goes before others. Relative words ("작년", "3 months ago")
    are counted from ``today``. Raises CorpusError for a day that the calendar lacks."""
    text = _with_years(normalize("NFC", question), today)
    mentions = list(_mentions(text))
    chosen = [each for each in mentions if each.marked] or mentions
    rest = text
    for each in mentions:
        rest = rest.replace(each.words, " , ")
    untold = [match[0].strip() for match in _UNTOLD.finditer(rest)]
    if chosen and chosen[0].marked:
        untold = []
    if [each.ends for each in chosen] == ["since", "until"]:
        chosen = [_together(*chosen)]
    if untold or len({each.time for each in chosen}) > 1:
        return Unclear(tuple(dict.fromkeys([*(each.words for each in chosen), *untold])))
    if not chosen:
        return None
    return _from(chosen[0])


def times_in(question: str) -> list[str]:
    """The words of a question that name a time, as they stand there."""
    text = normalize("NFC", question)
    told = (match[0] for each in (_AGO, _RELATIVE, _UNTOLD) for match in each.finditer(text))
    return [*(each.words for each in _mentions(text)), *told]


def _mentions(text: str) -> Iterator[_Mention]:
    """The times that ``text`` names, in order."""
    found: list[re.Match[str]] = []
    for form in _forms():
        for match in form.finditer(text):
            if all(match.end() <= each.start() or each.end() <= match.start() for each in found):
                found.append(match)
    for match in sorted(found, key=lambda match: match.start()):
        before = re.search(_BEFORE, text[: match.start()], re.IGNORECASE)
        after = re.match(_AFTER, text[match.end() :])
        said = before["before"].casefold() if before else ""
        marked = said in ("as of", "as at", "on") or bool(after and after["mark"])
        ends = (after["after"] if after and after["after"] else said) or ""
        words = (before[0] if before else "") + match[0] + (after[0] if after else "")
        as_of = bool((after and after["mark"]) or _AS_OF.search(text[: match.start()]))
        ends = ends if ends == "전후" else _ENDS.get(ends, "")
        yield _Mention(words.strip(), _read(match), marked, ends, as_of)


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """Made for the first question that may name a time."""
    return tuple(re.compile(rf"(?<![\d.]){form}", re.IGNORECASE) for form in _FORMS)


def _read(match: re.Match[str]) -> Time:
    groups = match.groupdict()
    year = int(groups.get("y") or groups.get("bare") or 0)
    month, day = _month(groups.get("m")), int(groups.get("d") or 0)
    try:
        if groups.get("d"):
            return Time.of(date(year, month, day))
        if groups.get("m"):
            return Time(date(year, month, 1), date(year, month, monthrange(year, month)[1]))
        first, last = _part(groups.get("h") or "")
        return Time(date(year, first, 1), date(year, last, monthrange(year, last)[1]))
    except ValueError:  # IllegalMonthError of calendar is one
        named = [groups.get("m") and f"{month:02}", groups.get("d") and f"{day:02}"]
        raise CorpusError("no_such_day", day="-".join(filter(None, [str(year), *named]))) from None


def _month(written: str | None) -> int:
    if not written:
        return 0
    return int(written) if written.isdigit() else month_number(written)


def _part(written: str) -> tuple[int, int]:
    """The first and the last month of a half or a quarter of a year; of all of it for nothing."""
    folded = written.casefold()
    if not folded:
        return 1, 12
    if folded in ("상반기", "h1", "first half"):
        return 1, 6
    if folded in ("하반기", "h2", "second half"):
        return 7, 12
    quarter = int("".join(filter(str.isdigit, folded)))
    return 3 * quarter - 2, 3 * quarter


def _from(mention: _Mention) -> Time | Unclear:
    """The time that is meant with the word beside it."""
    first, last = mention.time.first, mention.time.last
    assert first and last
    one = timedelta(days=1)
    match "" if mention.marked else mention.ends:
        case "before":
            return Time(None, first - one)
        case "until":
            return Time(None, last)
        case "after":
            return Time(last + one, None)
        case "since":
            return Time(first, None)
        case "전후":
            return Unclear((mention.words,))
        case _:
            return mention.time._replace(only=first == last and not mention.as_of)


def _together(since: _Mention, until: _Mention) -> _Mention:
    time = Time(since.time.first, until.time.last)
    return _Mention(f"{since.words} {until.words}", time, False, "", False)


def _with_years(text: str, today: date) -> str:
    """``text`` with the times that are told from today on written out."""
    return _AGO.sub(
        lambda match: _ago(match, today), _RELATIVE.sub(lambda match: _named(match, today), text)
    )


def _named(match: re.Match[str], today: date) -> str:
    if match["which"]:
        step = _STEPS[match["which"].casefold()]
        if match["unit"].casefold() == "year":
            return str(today.year + step)
        return _month_of(today, step)
    words = re.sub(r"\s", "", match[0]).casefold()
    step = _STEPS[words]
    if match["year"]:
        return f"{today.year + step}년"
    if match["month"]:
        return _month_of(today, step)
    return (today + timedelta(days=step)).isoformat()


def _ago(match: re.Match[str], today: date) -> str:
    written = (match["n"] or match["m"]).casefold()
    count = int(written) if written.isdigit() else _NUMBERS[written]
    match match["unit"] or match["word"].casefold():
        case "년" | "year":
            return f"{today.year - count}년"
        case "개월" | "달" | "month":
            return _month_of(today, -count)
        case "주" | "주일" | "week":
            return (today - timedelta(weeks=count)).isoformat()
        case _:
            return (today - timedelta(days=count)).isoformat()


def _month_of(today: date, step: int) -> str:
    months = today.year * 12 + today.month - 1 + step
    return f"{months // 12}년 {months % 12 + 1}월"
