"""Days: from when until when a passage holds, and which day a question asks about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from unicodedata import normalize

from tools.problems import CorpusError

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAME = rf"(?P<m>{'|'.join(_MONTHS)})[a-z]*\.?"
_NTH = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = (
    r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?!\d)",
    r"(?P<y>\d{4})\s*년\s*(?P<m>\d{1,2})\s*월\s*(?P<d>\d{1,2})\s*일",
    r"(?P<y>\d{4})\.\s*(?P<m>\d{1,2})\.\s*(?P<d>\d{1,2})(?!\d)\.?",
    rf"{_NAME}\s+{_NTH},?\s+(?P<y>\d{{4}})",
    rf"{_NTH}\s+{_NAME},?\s+(?P<y>\d{{4}})",
)


@cache
def _days() -> tuple[re.Pattern[str], ...]:
    """The forms with what marks a day; made for the first question that may name one."""
    return tuple(
        re.compile(
            rf"(?P<before>\b(?:as\s+(?:of|at)|on)\s+)?(?<!\d){form}"
            r"(?P<after>\s*(?:자로?\s*|[을를]?\s*)(?:기준|현재|당시|시점))?",
            re.IGNORECASE,
        )
        for form in _FORMS
    )


@dataclass(frozen=True)
class Period:
    """The time that a passage is about: ``start``, and the last day, if there is one."""

    start: datetime
    end: date | None = None

    def holds_on(self, day: date) -> bool:
        """Whether it is in force on ``day``; its first and its last day count."""
        return self.start.date() <= day and (self.end is None or day <= self.end)


def read_period(pattern: re.Pattern[str], text: str) -> Period | None:
    """The period that ``text`` states: the pattern's first group is when it begins, its second,
    where there is one, its last day, both in ISO 8601. None where the pattern finds nothing.
    Raises ValueError for a day that the calendar lacks."""
    match = pattern.search(text)
    if match is None:
        return None
    start = datetime.fromisoformat(match[1])
    end = match[2] if pattern.groups > 1 else None
    return Period(
        start if start.tzinfo else start.replace(tzinfo=UTC),
        date.fromisoformat(end) if end else None,
    )


def asked_day(question: str) -> date | None:
    """The day a question asks about: the one marked as such ("as of 2025-03-01", "2025년 3월 1일
    기준"), else the only one it names. None where it names none, or several without a mark. Raises
    CorpusError for a day that the calendar lacks."""
    if not re.search(r"\d{4}", question):  # every form has its year
        return None
    found = [match for form in _days() for match in form.finditer(normalize("NFC", question))]
    found.sort(key=lambda match: match.start())
    marked = [_written(match) for match in found if match["before"] or match["after"]]
    named = set(map(_written, found))
    if not marked and len(named) != 1:
        return None
    year, month, day = marked[0] if marked else named.pop()
    try:
        return date(year, month, day)
    except ValueError:
        raise CorpusError("no_such_day", day=f"{year}-{month:02}-{day:02}") from None


def _written(match: re.Match[str]) -> tuple[int, int, int]:
    month = match["m"].casefold()
    number = int(month) if month.isdigit() else _MONTHS.index(month) + 1
    return int(match["y"]), number, int(match["d"])
