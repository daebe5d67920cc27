"""The 30/360 rules: twelve months of 30 days; they differ in what the 31st and the end of February become.

Each function takes two dates or two columns (see ``date_column``) and gives days, so its conditions are
written as arithmetic on 0 and 1.  Clauses and names are in the table of ``day_count``.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from xlmodel.conventions.date_column import is_february_end


def _span(start: Any, end: Any, start_day: Any, end_day: Any) -> Any:
    """Days between two dates of a year of twelve months of 30 days."""
    return 360 * (end.year - start.year) + 30 * (end.month - start.month) + (end_day - start_day)


def bond_basis(start: Any, end: Any) -> Any:
    """A start on the 31st counts as the 30th; an end on the 31st too if the start is then on the 30th."""
    first = start.day - (start.day == 31)
    last = end.day - ((end.day == 31) & (first == 30))
    return _span(start, end, first, last)


def us_30_360(start: Any, end: Any) -> Any:
    """Ends of February count as the 30th: the end if both are, the start always; then as bond basis."""
    start_february, end_february = is_february_end(start), is_february_end(end)
    first = start.day + start_february * (30 - start.day)
    last = end.day + (start_february & end_february) * (30 - end.day)
    last = last - ((last == 31) & (first >= 30))
    return _span(start, end, first - (first == 31), last)


def bma_30_360(start: Any, end: Any) -> Any:
    """As 30U/360, but an end on the last of February stays where it is."""
    first = start.day + is_february_end(start) * (30 - start.day)
    first = first - (first == 31)
    last = end.day - ((end.day == 31) & (first == 30))
    return _span(start, end, first, last)


def european_30e_360(start: Any, end: Any) -> Any:
    """The 31st counts as the 30th."""
    return _span(start, end, start.day - (start.day == 31), end.day - (end.day == 31))


def german_30e_360(start: Any, end: Any, termination: date | None = None) -> Any:
    """The last day of any month counts as the 30th; not the end if it is a termination date in February."""
    first = start.day + is_february_end(start) * (30 - start.day)
    moved = is_february_end(end)
    if termination is not None:
        moved = moved & (end.toordinal() != termination.toordinal())
    last = end.day + moved * (30 - end.day)
    return _span(start, end, first - (first == 31), last - (last == 31))


def italian_30_360(start: Any, end: Any) -> Any:
    """As 30E/360, and 28 and 29 February count as the 30th."""
    first = start.day + ((start.month == 2) & (start.day > 27)) * (30 - start.day)
    last = end.day + ((end.month == 2) & (end.day > 27)) * (30 - end.day)
    return _span(start, end, first - (first == 31), last - (last == 31))


def excel_0(start: Any, end: Any) -> Any:
    """As 30U/360, but the end on the 31st is held against the start as it was before February moved it."""
    start_february, end_february = is_february_end(start), is_february_end(end)
    last = end.day - ((end.day == 31) & (start.day >= 30))
    last = last + (start_february & end_february) * (30 - last)
    first = start.day + start_february * (30 - start.day)
    return _span(start, end, first - (first == 31), last)
