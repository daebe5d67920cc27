"""Business days: calendars by name, and what to do with a payment date that is not one.

``CALENDARS`` and ``ROLLS`` are the tables.  The dates come from the ``holidays`` package, read when a
calendar is first asked for; only the Federal Reserve's, which every deal needs, follow their rule here,
because reading the package takes longer than everything else in a cell (a test holds the two together).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.serial import to_date, to_epoch
from xlmodel.errors import MissingValue, OutOfRange, UnknownName, WrongKind

_Roll = Literal["following", "modifiedfollowing", "preceding", "modifiedpreceding"]

FIRST_YEAR, LAST_YEAR = 1990, 2060


@dataclass(frozen=True)
class Calendar:
    """Which days are business days.  ``holidays(first_year, last_year)`` yields those of whole years."""

    name: str
    source: str
    holidays: Callable[[int, int], Iterable[date]]
    weekmask: str = "1111100"
    first_year: int = FIRST_YEAR
    last_year: int = LAST_YEAR


# --- the Federal Reserve ----------------------------------------------------------------------------


def _nth_monday(year: int, month: int, nth: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=-first.weekday() % 7 + 7 * (nth - 1))


def _fed(first_year: int, last_year: int) -> Iterable[date]:
    """Holidays of the Federal Reserve Banks: on a Sunday kept on Monday, on a Saturday not kept."""
    for year in range(first_year, last_year + 1):
        fixed = [date(year, 1, 1), date(year, 7, 4), date(year, 11, 11), date(year, 12, 25)]
        if year >= 2022:  # signed into law in June 2021, whose 19th was a Saturday
            fixed.append(date(year, 6, 19))
        yield from (day + timedelta(days=1) if day.weekday() == 6 else day for day in fixed)
        if year >= 1986:
            yield _nth_monday(year, 1, 3)
        yield _nth_monday(year, 2, 3)
        yield _nth_monday(year, 6, 1) - timedelta(days=7)  # the last Monday of May
        yield _nth_monday(year, 9, 1)
        yield _nth_monday(year, 10, 2)
        november = date(year, 11, 1)
        yield november + timedelta(days=(3 - november.weekday()) % 7 + 21)  # the fourth Thursday


# --- the holidays package ---------------------------------------------------------------------------


def _country(code: str) -> Callable[[int, int], Iterable[date]]:
    def dates(first_year: int, last_year: int) -> Iterable[date]:
        from holidays import country_holidays  # slow to import

        return list(country_holidays(code, years=range(first_year, last_year + 1)))

    return dates


def _market(code: str) -> Callable[[int, int], Iterable[date]]:
    def dates(first_year: int, last_year: int) -> Iterable[date]:
        from holidays import financial_holidays  # slow to import

        return list(financial_holidays(code, years=range(first_year, last_year + 1)))

    return dates


def _no_days(_first_year: int, _last_year: int) -> Iterable[date]:
    return ()


CALENDARS: dict[str, Calendar] = {
    row.name: row
    for row in (
        Calendar("FED", "Federal Reserve Bank Services, holiday schedules; holidays XFED", _fed),
        Calendar("US", "federal public holidays, 5 USC 6103; holidays US", _country("US")),
        Calendar("NYSE", "New York Stock Exchange, full closings; holidays XNYS", _market("XNYS")),
        Calendar("TARGET", "ECB, TARGET closing days; holidays XECB", _market("XECB"), first_year=1999),
        Calendar("weekends", "Saturdays and Sundays only", _no_days, first_year=1900, last_year=9999),
        Calendar("none", "every day is a business day", _no_days, "1111111", 1900, 9999),
    )
}

# our name -> numpy's name; None leaves the date where it is
ROLLS: dict[str, _Roll | None] = {
    "following": "following",
    "modified following": "modifiedfollowing",
    "preceding": "preceding",
    "modified preceding": "modifiedpreceding",
    "none": None,
}


def custom(holidays: Iterable[date], name: str = "custom") -> Calendar:
    """A calendar of weekdays without the dates given; to be made once and kept."""
    dates = tuple(sorted({to_date(day) for day in holidays}))
    return Calendar(name, "given", lambda _first, _last: dates, first_year=1900, last_year=9999)


def find_calendar(calendar: str | Calendar) -> Calendar:
    """The calendar of a name, whatever its case.  UnknownName with the names that there are."""
    if isinstance(calendar, Calendar):
        return calendar
    found: Calendar = CALENDARS[_find(calendar, tuple(CALENDARS), "calendar")]
    return found


def find_roll(convention: str) -> str:
    """The full name of a roll convention, whatever its case; "modified" is modified following."""
    text = " ".join(convention.casefold().split()) if isinstance(convention, str) else convention
    return _find("modified following" if text == "modified" else text, tuple(ROLLS), "roll convention")


def _find(text: Any, names: tuple[str, ...], what: str) -> str:
    if not isinstance(text, str):
        if text is None:
            raise MissingValue(f"the {what} is blank", remedy=f"give one of {', '.join(names)}")
        raise WrongKind(f"{text!r} is no {what}", remedy=f"give one of {', '.join(names)}")
    plain = {name.casefold(): name for name in names}
    found = plain.get(text.strip().casefold())
    if found is None:
        near = get_close_matches(text.casefold(), plain, 1)
        hint = f", perhaps {plain[near[0]]}" if near else ""
        raise UnknownName(f"{text!r} is no {what}{hint}", remedy=f"use one of {', '.join(names)}")
    return found


@lru_cache(maxsize=64)  # custom calendars come and go
def _busday(calendar: Calendar) -> np.busdaycalendar:
    dates = sorted(calendar.holidays(calendar.first_year, calendar.last_year))
    return np.busdaycalendar(calendar.weekmask, np.array(dates, dtype="M8[D]"))


# --- business days ----------------------------------------------------------------------------------


def is_business_day(days: Any, calendar: str | Calendar = "FED") -> Any:
    """Whether each is a business day: bool, or bool array.  OutOfRange outside the calendar's years."""
    found = find_calendar(calendar)
    array, single = _ready(days, found)
    answer = np.is_busday(array, busdaycal=_busday(found))
    return bool(answer) if single else answer


def roll(days: Any, convention: str = "following", calendar: str | Calendar = "FED") -> Any:
    """The dates moved to business days: a ``date``, or a ``datetime64[D]`` array of the same shape.

    Modified following turns back rather than leave the month.  OutOfRange outside the calendar's years.
    """
    how = ROLLS[find_roll(convention)]
    found = find_calendar(calendar)
    if how is None:
        return to_date(days) if _is_single(days) else to_epoch(days).view("M8[D]")
    array, single = _ready(days, found)
    moved = np.busday_offset(array, 0, roll=how, busdaycal=_busday(found))
    return _checked(moved, found, single)


def add_business_days(days: Any, count: Any, calendar: str | Calendar = "FED") -> Any:
    """The date ``count`` business days later (earlier if negative), as WORKDAY: the date itself is day 0.

    ``count`` is an int or an int array.  OutOfRange outside the calendar's years.
    """
    found = find_calendar(calendar)
    array, single = _ready(days, found)
    steps = np.asarray(count)
    if steps.dtype.kind not in "iu":
        raise WrongKind(f"{count!r} is no number of days", remedy="give a whole number")
    busday = _busday(found)
    # from a holiday the first step forward ends on the next business day, so stand on the one before
    later = np.busday_offset(array, np.maximum(steps, 0), roll="preceding", busdaycal=busday)
    earlier = np.busday_offset(array, np.minimum(steps, 0), roll="following", busdaycal=busday)
    moved = np.where(steps > 0, later, np.where(steps < 0, earlier, array))
    return _checked(moved, found, single and not steps.ndim)


def _is_single(days: Any) -> bool:
    return np.ndim(days) == 0


def _ready(days: Any, calendar: Calendar) -> tuple[NDArray[np.datetime64], bool]:
    single = _is_single(days)
    array = np.array(to_date(days), dtype="M8[D]") if single else to_epoch(days).view("M8[D]")
    _check_years(array, calendar)
    return array, single


def _checked(moved: Any, calendar: Calendar, single: bool) -> Any:
    array = np.asarray(moved)
    _check_years(array, calendar)
    return array.item() if single else array


def _check_years(array: NDArray[np.datetime64], calendar: Calendar) -> None:
    if not array.size:
        return
    first = np.datetime64(f"{calendar.first_year}-01-01")
    last = np.datetime64(f"{calendar.last_year}-12-31")
    low, high = array.min(), array.max()
    if low < first or high > last:
        years = f"{calendar.first_year} to {calendar.last_year}"
        raise OutOfRange(
            f"{low if low < first else high} is outside the calendar {calendar.name}",
            remedy=f"give dates of the years {years}",
        )
