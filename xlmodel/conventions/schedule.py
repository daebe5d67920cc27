"""Payment dates and the dates that hang on them: record and determination dates, periods.

Dates come in pairs: the unadjusted one, k months from the anchor (never from the date before, which may
have been cut to a short month), and the adjusted one, moved to a business day.
"""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.calendar import Calendar, add_business_days
from xlmodel.conventions.calendar import roll as roll_to_business_days
from xlmodel.conventions.serial import to_date, to_epoch
from xlmodel.errors import OutOfRange, UnknownName

Dates = NDArray[np.datetime64]

STUBS = ("front short", "front long", "back short", "back long", "none")
BEFORE = ("calendar days", "business days", "month end")


class PaymentDates(NamedTuple):
    """Payment dates as the terms say and as they fall: ``datetime64[D]``, shape (period,)."""

    unadjusted: Dates
    adjusted: Dates


class Periods(NamedTuple):
    """Accrual periods: ends as the terms say and as they fall, ``datetime64[D]``, shape (period,)."""

    start: Dates
    end: Dates
    adjusted_start: Dates
    adjusted_end: Dates


class CollectionPeriods(NamedTuple):
    """First and last day of each collection period, and its number of months; shape (period,)."""

    start: Dates
    end: Dates
    months: NDArray[np.int64]


def add_months(day: Any, months: Any, end_of_month: bool = False, on_day: Any = None) -> Any:
    """The date some months later (earlier if negative): a ``date``, or ``datetime64[D]`` of arrays.

    A day that the month lacks becomes its last day.  ``on_day`` is the day wanted (or an array of
    them), by default that of ``day``; ``end_of_month`` asks for the last day of every month.
    """
    single = (isinstance(day, date) or np.ndim(day) == 0) and np.ndim(months) == 0
    start = np.array(to_date(day), dtype="M8[D]") if np.ndim(day) == 0 else to_epoch(day).view("M8[D]")
    month = start.astype("M8[M]")
    target = month + np.asarray(months).astype("m8[M]")
    wanted: Any = (start - month).astype(np.int64) + 1 if on_day is None else on_day
    first = target.astype("M8[D]")
    length = ((target + 1).astype("M8[D]") - first).astype(np.int64)
    moved = first + (np.minimum(31 if end_of_month else wanted, length) - 1)
    to_epoch(moved)  # OutOfRange beyond the years of a worksheet
    return moved.item() if single else moved


def payment_dates(
    first: date,
    count: int,
    day: int | None = None,
    roll: str = "following",
    calendar: str | Calendar = "FED",
    months: int = 1,
    end_of_month: bool = False,
) -> PaymentDates:
    """``count`` payment dates every ``months`` months on ``day`` of the month, from the month of ``first``.

    ``day`` is by default that of ``first``; ``end_of_month`` puts every date on the last day of its month.
    OutOfRange if ``first`` is not on that day (before or after it is moved to a business day).
    """
    first = to_date(first)
    day = first.day if day is None else day
    if not 1 <= day <= 31:
        raise OutOfRange(f"{day} is no day of a month", remedy="give 1 to 31")
    if count < 0 or months < 1:
        raise OutOfRange(
            f"{count} dates every {months} months", remedy="give a count of 0 or more, months of 1 or more"
        )
    unadjusted = add_months(first, months * np.arange(count), end_of_month, day)
    adjusted = _moved(unadjusted, roll, calendar)
    if count and np.datetime64(first, "D") not in (unadjusted[0], adjusted[0]):
        wanted = "the last day" if end_of_month else f"day {day}"
        raise OutOfRange(
            f"the first payment date {first} is not on {wanted} of its month",
            remedy=f"give {unadjusted[0]}, or another payment day",
        )
    return PaymentDates(unadjusted, adjusted)


def _moved(days: Dates, convention: str, calendar: str | Calendar) -> Dates:
    moved: Dates = roll_to_business_days(days, convention, calendar)
    return moved


def accrual_periods(
    start: date,
    end: date,
    months: int,
    stub: str = "front short",
    roll: str = "following",
    calendar: str | Calendar = "FED",
    day: int | None = None,
    end_of_month: bool = False,
) -> Periods:
    """Accrual periods of ``months`` months from ``start`` to ``end``, with what does not fit in a stub.

    A front stub counts the months back from ``end``, a back stub forward from ``start``; a long stub takes
    in the regular period beside it; "none" asks for whole periods (OutOfRange if they are not).  ``day``
    is the day of the month of the regular dates.  A stub that business days shrink to nothing is dropped.
    """
    start, end = to_date(start), to_date(end)
    if stub not in STUBS:
        raise UnknownName(f"{stub!r} is no stub", remedy=f"use one of {', '.join(STUBS)}")
    if months < 1 or end <= start:
        raise OutOfRange(
            f"periods of {months} months from {start} to {end}", remedy="give an end after the start"
        )
    front = stub.startswith("front")
    anchor = end if front else start
    most = (12 * (end.year - start.year) + end.month - start.month) // months + 2
    steps = months * np.arange(-most, 1) if front else months * np.arange(most + 1)
    grid = add_months(anchor, steps, end_of_month, day)
    inside = grid[(grid > np.datetime64(start, "D")) & (grid < np.datetime64(end, "D"))]
    edges = np.concatenate(([np.datetime64(start, "D")], inside, [np.datetime64(end, "D")]))
    whole = np.isin(edges[[0, -1]], grid).all()
    if stub == "none" and not whole:
        raise OutOfRange(f"{start} to {end} is no whole number of {months} months", remedy="name a stub")
    if stub.endswith("long") and not whole and len(edges) > 2:
        edges = np.delete(edges, 1 if front else -2)
    adjusted = _moved(edges, roll, calendar)
    # of two ends that fall together the inner one goes, so that start and end stay
    together = np.flatnonzero(adjusted[1:] == adjusted[:-1])
    gone = [place + 1 if place + 1 < len(edges) - 1 else place for place in together]
    keep = np.setdiff1d(np.arange(len(edges)), gone)
    edges, adjusted = edges[keep], adjusted[keep]
    return Periods(edges[:-1], edges[1:], adjusted[:-1], adjusted[1:])


def dates_before(
    dates: PaymentDates,
    count: int,
    unit: str = "business days",
    *,
    of: str = "adjusted",
    roll: str = "none",
    calendar: str | Calendar = "FED",
) -> Dates:
    """Dates ``count`` units before the payment dates, shape (period,).

    ``unit``: "calendar days", "business days", or "month end" (the last day of the month ``count`` months
    before).  ``of`` says whether to count from the adjusted or the unadjusted payment date, ``roll`` how
    to move what is found.
    """
    if of not in PaymentDates._fields:
        raise UnknownName(f"{of!r} is no kind of payment date", remedy="use adjusted or unadjusted")
    if count < 0:
        raise OutOfRange(f"{count} {unit} before", remedy="give 0 or more")
    start: Dates = getattr(dates, of)
    match unit:
        case "calendar days":
            found = start - np.timedelta64(count, "D")
        case "business days":
            found = add_business_days(start, -count, calendar)
        case "month end":
            found = add_months(start, -count, end_of_month=True)
        case _:
            raise UnknownName(f"{unit!r} is no unit", remedy=f"use one of {', '.join(BEFORE)}")
    return _moved(found, roll, calendar)


def record_dates(
    dates: PaymentDates,
    count: int = 1,
    unit: str = "business days",
    *,
    of: str = "adjusted",
    roll: str = "none",
    calendar: str | Calendar = "FED",
) -> Dates:
    """Record dates, by default the business day before each payment date; see :func:`dates_before`."""
    return dates_before(dates, count, unit, of=of, roll=roll, calendar=calendar)


def determination_dates(
    dates: PaymentDates,
    count: int,
    unit: str = "business days",
    *,
    of: str = "adjusted",
    roll: str = "none",
    calendar: str | Calendar = "FED",
) -> Dates:
    """Determination dates; see :func:`dates_before`.  The count is a term of the deal and has no default."""
    return dates_before(dates, count, unit, of=of, roll=roll, calendar=calendar)


def collection_periods(dates: PaymentDates, first_months: int = 1, months: int = 1) -> CollectionPeriods:
    """Whole calendar months, the last one that before the payment month; the first may carry several."""
    if first_months < 1 or months < 1:
        raise OutOfRange(
            f"a collection period of {min(first_months, months)} months", remedy="give 1 or more"
        )
    payment_month = dates.unadjusted.astype("M8[M]")
    length = np.full(payment_month.shape, months, dtype=np.int64)
    length[:1] = first_months
    start = (payment_month - length.astype("m8[M]")).astype("M8[D]")
    end: Any = payment_month.astype("M8[D]") - np.timedelta64(1, "D")
    return CollectionPeriods(start, end, length)
