"""The actual/... rules: days of the calendar, over years of several lengths.

Each function takes two dates or two columns (see ``date_column``), so its conditions are written as
arithmetic on 0 and 1.  Clauses and names are in the table of ``day_count``.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np

from xlmodel.conventions.date_column import DateColumn, is_leap, new_year, ordinal

_MARCH_1900 = date(1900, 3, 1).toordinal()


def actual(start: Any, end: Any) -> Any:
    """The days of the calendar."""
    return end.toordinal() - start.toordinal()


def isda_year(start: Any, end: Any) -> Any:
    """Days in leap years over 366 plus days in other years over 365."""
    first, last = start.year, end.year
    before = (new_year(first + 1) - start.toordinal()) / (365 + is_leap(first))
    after = (end.toordinal() - new_year(last)) / (365 + is_leap(last))
    return (last - first - 1) + before + after


def afb_year(start: Any, end: Any) -> Any:
    """Whole years counted back from the end, then days over 366 if they hold a 29 February, else 365."""
    if isinstance(start, DateColumn) or isinstance(end, DateColumn):
        backwards = end.toordinal() < start.toordinal()
        if not backwards.any():
            return _afb_forward(start, end)
        return np.where(backwards, -_afb_forward(end, start), _afb_forward(start, end))
    return -_afb_forward(end, start) if end < start else _afb_forward(start, end)


def _afb_forward(start: Any, end: Any) -> Any:
    at_february_end = (end.month == 2) & (end.day >= 28)

    def day_back_in(year: Any) -> Any:
        # whole years back from the end of February is the end of February
        return end.day + (at_february_end & (year != end.year)) * (28 + is_leap(year) - end.day)

    years = end.year - start.year
    years = years - (_in_year(end.month, day_back_in(start.year)) < _in_year(start.month, start.day))
    year = end.year - years
    day = day_back_in(year)
    rest = ordinal(year, end.month, day) - start.toordinal()
    before_leap_day = _in_year(start.month, start.day) <= _LEAP_DAY
    after_leap_day = _in_year(end.month, day) > _LEAP_DAY
    holds = is_leap(year) & after_leap_day & ((start.year < year) | before_leap_day)
    holds = holds | (is_leap(start.year) & before_leap_day & (start.year < year))
    return years + rest / (365 + holds)


def _in_year(month: Any, day: Any) -> Any:
    """A number that orders the days of a year."""
    return 32 * month + day


_LEAP_DAY = 32 * 2 + 29


# --- Excel ------------------------------------------------------------------------------------------


def excel_actual(start: Any, end: Any) -> Any:
    """Days between two serials, so that Excel's 29 February 1900 counts."""
    first, last = start.toordinal(), end.toordinal()
    return last - first + ((first < _MARCH_1900) & (last >= _MARCH_1900))


def _excel_is_leap(year: Any) -> Any:
    return is_leap(year) | (year == 1900)


def excel_1_year(start: Any, end: Any) -> Any:
    """Days over 366 or 365 up to a year, by whether a 29 February is met; over the mean of the years beyond.

    Expects start <= end; the caller has exchanged them.
    """
    first, last = start.year, end.year
    one = last == first
    to_a_year = one | (
        (last == first + 1) & (_in_year(start.month, start.day) >= _in_year(end.month, end.day))
    )
    mean = (new_year(last + 1) - new_year(first) + (first == 1900)) / (last - first + 1)
    start_leap = _excel_is_leap(first) & (start.month <= 2)
    end_leap = _excel_is_leap(last) & (_in_year(end.month, end.day) >= _LEAP_DAY)
    meets = (one & _excel_is_leap(first)) | start_leap | end_leap
    length = to_a_year * (365 + meets) + (1 - to_a_year) * mean
    return excel_actual(start, end) / length
