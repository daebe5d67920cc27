"""Periods of printed tables, as their headings say them: ``31 Aug 2019``, ``6 months to 31 Aug 2019``.

RELATIONS are the ways from one period to another that a rule can name after an @.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

_SPAN = re.compile(r"(?:(\d+) months to )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})")
_MONTHS = {name: number for number, name in enumerate(calendar.month_abbr) if name}


@dataclass(frozen=True)
class Period:
    """A day, or so many months that end on it."""

    end: dt.date
    months: int = 0

    def __str__(self) -> str:
        day = f"{self.end.day} {calendar.month_abbr[self.end.month]} {self.end.year}"
        return f"{self.months} months to {day}" if self.months else day


def read_period(text: str) -> Period | None:
    """The period that a text says; None if it says none.  Raises ValueError for a day that never was."""
    match = _SPAN.fullmatch(text)
    if match is None or match[3] not in _MONTHS:
        return None
    return Period(dt.date(int(match[4]), _MONTHS[match[3]], int(match[2])), int(match[1] or 0))


def _end(period: Period, known: Collection[Period]) -> Period | None:
    return Period(period.end)


def _begin(period: Period, known: Collection[Period]) -> Period | None:
    """The last day of the month before the first; the ends of periods are ends of months."""
    if not period.months:
        return None
    months = period.end.year * 12 + period.end.month - 1 - period.months
    return Period(_month_end(months // 12, months % 12 + 1))


def _prior(period: Period, known: Collection[Period]) -> Period | None:
    return Period(_month_end(period.end.year - 1, period.end.month), period.months)


def _next(period: Period, known: Collection[Period]) -> Period | None:
    return Period(_month_end(period.end.year + 1, period.end.month), period.months)


def _year(period: Period, known: Collection[Period]) -> Period | None:
    """The longest printed period that ends on the same day, if it is longer."""
    longest = max((one for one in known if one.end == period.end), key=lambda one: one.months)
    return longest if longest.months > period.months > 0 else None


def _month_end(year: int, month: int) -> dt.date:
    return dt.date(year, month, calendar.monthrange(year, month)[1])


RELATIONS: dict[str, Callable[[Period, Collection[Period]], Period | None]] = {
    "end": _end,
    "begin": _begin,
    "prior": _prior,
    "next": _next,
    "year": _year,
}
