"""Days: from when until when a passage holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

_DAY = timedelta(days=1)


class Period(NamedTuple):
    """The time that a passage is about: ``start``, and the last day, if there is one."""

    start: datetime
    end: date | None = None

    def holds_on(self, day: date) -> bool:
        """Whether it is in force on ``day``; its first and its last day count."""
        return self.start.date() <= day and (self.end is None or day <= self.end)

    def __str__(self) -> str:
        return str(Time(self.start.date(), self.end))


def read_period(pattern: re.Pattern[str], text: str) -> Period | None:
    """The period that ``text`` states: the pattern's first group is when it begins, its second,
    where there is one, its last day, both in ISO 8601. None where the pattern finds no beginning.
    Raises ValueError for a day that the calendar lacks."""
    match = next((each for each in pattern.finditer(text) if each[1]), None)
    if match is None:
        return None
    start = datetime.fromisoformat(match[1])
    end = match[2] if pattern.groups > 1 else None
    return Period(
        start if start.tzinfo else start.replace(tzinfo=UTC),
        date.fromisoformat(end) if end else None,
    )


class Time(NamedTuple):
    """The days that a question asks about, the first and the last one; None where it is open to
    that side. ``only`` says of a single day that it is asked what happened on it, and not what was
    so by then."""

    first: date | None
    last: date | None
    only: bool = False

    @classmethod
    def of(cls, day: date) -> Time:
        """One day."""
        return cls(day, day)

    def has(self, day: date) -> bool:
        """Whether ``day`` is one of them."""
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)

    def as_known(self, day: date) -> bool:
        """Whether something of ``day`` had happened by then: up to a single day everything had,
        of a longer time, and of a day on which it happened, only what is of it."""
        if self.first == self.last and not self.only:
            return self.last is None or day <= self.last
        return self.has(day)

    def turning_points(self, periods: Iterable[Period]) -> list[date]:
        """Days of this time between which nothing changes: its first, and each from which a period
        begins or is over. Where it is open to the past it begins with the first period."""
        periods = list(periods)
        days = {each.start.date() for each in periods}
        changes = days | {each.end + _DAY for each in periods if each.end and each.end < date.max}
        first = self.first or min(days, default=self.last)
        return sorted({each for each in [first, *changes] if each and self.has(each)})

    def __str__(self) -> str:
        if self.first == self.last and self.first:
            return self.first.isoformat()
        ends = [each.isoformat() if each else "" for each in (self.first, self.last)]
        return " ~ ".join(ends).strip()
