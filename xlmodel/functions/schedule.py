"""Dates in cells: payment dates, what hangs on them, accrual periods, business days."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions import calendar as business
from xlmodel.conventions import schedule
from xlmodel.conventions.calendar import Calendar, find_calendar
from xlmodel.conventions.schedule import PaymentDates
from xlmodel.conventions.serial import to_serials
from xlmodel.functions.cells import Rows
from xlmodel.functions.kinds import (
    Boolean,
    CalendarName,
    Date,
    Dates,
    Integer,
    IntegerSetting,
    RollName,
    StubName,
    UnitName,
)
from xlmodel.functions.refusals import blaming, refuse
from xlmodel.functions.registry import function

# A month a row for more than two centuries; more is a slip of the hand that would fill the sheet.
_MOST_DATES = 2400
_MOST_MONTHS = 12 * 8100  # from one end of a worksheet's calendar to the other
_MOST_DAYS = 366 * 8100

SCHEDULE_HEADER = ("Start", "End", "Adjusted start", "Adjusted end")
COLLECTION_HEADER = ("Start", "End", "Months")


@function("XM_PAYMENT_DATES", "Schedule")
def payment_dates(
    first: Date,
    count: Integer,
    day: Integer | None = None,
    roll: RollName = "following",
    calendar: CalendarName = "FED",
    months: Integer = 1,
    end_of_month: Boolean = False,
) -> Rows:
    """Payment dates every so many months, moved to business days.

    A column of ``count`` dates.  Each is so many months after the first, so that moved days do not add up.

    first: First payment date, before it is moved.
    count: Number of payment dates.
    day: Day of the month; that of the first date when omitted.
    roll: following, modified following, preceding, modified preceding or none; following when omitted.
    calendar: Whose business days: FED, US, NYSE, TARGET, weekends or none; FED when omitted.
    months: Months from one date to the next; 1 when omitted.
    end_of_month: TRUE puts every date on the last day of its month; FALSE when omitted.
    """
    expected = f"; expected 1 to {_MOST_DATES}"
    refuse(not 1 <= count <= _MOST_DATES, "count", "{} dates are asked for" + expected, count)
    refuse(not 1 <= months <= _MOST_DATES, "months", "dates every {} months" + expected, months)
    refuse(day is not None and not 1 <= day <= 31, "day", "{} is no day of a month", day, "give 1 to 31")
    with blaming("first"):
        dates = schedule.payment_dates(first, count, day, roll, calendar, months, end_of_month)
    return _columns(dates.adjusted)


@function("XM_SCHEDULE", "Schedule")
def accrual_schedule(
    start_date: Date,
    end_date: Date,
    months: Integer = 1,
    stub: StubName = "front short",
    roll: RollName = "following",
    calendar: CalendarName = "FED",
    day: Integer | None = None,
    end_of_month: Boolean = False,
    header: Boolean = False,
) -> Rows:
    """Accrual periods from one date to another, unadjusted and adjusted side by side.

    One row a period; columns: start, end, adjusted start, adjusted end.  What is no whole period becomes a
    stub.

    start_date: First day of the first period.
    end_date: Last day of the last period, not included.
    months: Months of a regular period; 1 when omitted.
    stub: front short, front long, back short, back long, or none to refuse one; front short when omitted.
    roll: following, modified following, preceding, modified preceding or none; following when omitted.
    calendar: Whose business days: FED, US, NYSE, TARGET, weekends or none; FED when omitted.
    day: Day of the month of the regular dates; that of the date they count from when omitted.
    end_of_month: TRUE puts every regular date on the last day of its month; FALSE when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    refuse(end_date <= start_date, "end_date", "the schedule ends on {}, not after its start", end_date)
    refuse(not 1 <= months <= _MOST_DATES, "months", "periods of {} months", months, "give 1 or more")
    refuse(day is not None and not 1 <= day <= 31, "day", "{} is no day of a month", day, "give 1 to 31")
    span = 12 * (end_date.year - start_date.year) + end_date.month - start_date.month
    refuse(span // months > _MOST_DATES, "end_date", "more than 2,400 periods up to {}", end_date)
    with blaming("stub" if stub == "none" else "start_date"):
        periods = schedule.accrual_periods(
            start_date, end_date, months, stub, roll, calendar, day, end_of_month
        )
    rows = _columns(*periods)
    return [list(SCHEDULE_HEADER), *rows] if header else rows


@function("XM_COLLECTION_PERIODS", "Schedule")
def collection_periods(
    payment_dates: Dates, first_months: Integer = 1, months: Integer = 1, header: Boolean = False
) -> Rows:
    """First and last day of the collection period behind each payment date, and its number of months.

    One row a payment date.  A period is whole calendar months, the last of them that before the payment.

    payment_dates: Payment dates, moved to business days or not.
    first_months: Months that the first payment carries; 1 when omitted.
    months: Months that every other payment carries; 1 when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    for name, count in (("first_months", first_months), ("months", months)):
        refuse(
            not 1 <= count <= _MOST_DATES, name, "a collection period of {} months", count, "give 1 or more"
        )
    days = np.array(payment_dates, dtype="M8[D]")
    with blaming("payment_dates"):
        periods = schedule.collection_periods(PaymentDates(days, days), first_months, months)
        rows = _columns(periods.start, periods.end)
    rows = [[*row, float(count)] for row, count in zip(rows, periods.months.tolist(), strict=True)]
    return [list(COLLECTION_HEADER), *rows] if header else rows


@function("XM_RECORD_DATES", "Schedule", elementwise=True)
def record_dates(
    payment_date: Date,
    count: IntegerSetting = 1,
    unit: UnitName = "business days",
    roll: RollName = "none",
    calendar: CalendarName = "FED",
) -> Any:
    """The record date of each payment date: the business day before it, or as the terms say.

    payment_date: Payment date: adjusted, or unadjusted if the terms count from there.
    count: How many units before the payment date; 1 when omitted.
    unit: business days, calendar days, or month end (last day of the month so many before); business days
        when omitted.
    roll: How the date found is moved: following, modified following, preceding, modified preceding or none;
        none when omitted.
    calendar: Whose business days: FED, US, NYSE, TARGET, weekends or none; FED when omitted.
    """
    return _before(payment_date, count, unit, roll, calendar)


@function("XM_DETERMINATION_DATES", "Schedule", elementwise=True)
def determination_dates(
    payment_date: Date,
    count: IntegerSetting,
    unit: UnitName = "business days",
    roll: RollName = "none",
    calendar: CalendarName = "FED",
) -> Any:
    """The determination date of each payment date: so many business or calendar days before it.

    payment_date: Payment date: adjusted, or unadjusted if the terms count from there.
    count: How many units before the payment date: a term of the deal, so there is no default.
    unit: business days, calendar days, or month end (last day of the month so many before); business days
        when omitted.
    roll: How the date found is moved: following, modified following, preceding, modified preceding or none;
        none when omitted.
    calendar: Whose business days: FED, US, NYSE, TARGET, weekends or none; FED when omitted.
    """
    return _before(payment_date, count, unit, roll, calendar)


@function("XM_BUSINESS_DAY", "Schedule", elementwise=True)
def business_day(
    any_date: Date,
    roll: RollName = "following",
    calendar: CalendarName = "FED",
    holidays: Dates | None = None,
) -> Any:
    """A date moved to a business day, if it is none.

    any_date: The date.
    roll: following, modified following, preceding, modified preceding or none; following when omitted.
    calendar: Whose business days: FED, US, NYSE, TARGET, weekends or none; FED when omitted.
    holidays: Further dates that are no business days; none when omitted.
    """
    with blaming("any_date"):
        return business.roll(any_date, roll, _calendar(calendar, holidays))


@function("XM_IS_BUSINESS_DAY", "Schedule", elementwise=True)
def is_business_day(any_date: Date, calendar: CalendarName = "FED", holidays: Dates | None = None) -> Any:
    """TRUE if a date is a business day.

    any_date: The date.
    calendar: Whose business days: FED, US, NYSE, TARGET, weekends or none; FED when omitted.
    holidays: Further dates that are no business days; none when omitted.
    """
    with blaming("any_date"):
        return business.is_business_day(any_date, _calendar(calendar, holidays))


@function("XM_ADD_BUSINESS_DAYS", "Schedule", elementwise=True)
def add_business_days(
    start_date: Date, days: Integer, calendar: CalendarName = "FED", holidays: Dates | None = None
) -> Any:
    """The date some business days after another, or before it if they are negative.

    start_date: The date to count from; it is day 0, whether a business day or not.
    days: Number of business days; negative counts back.
    calendar: Whose business days: FED, US, NYSE, TARGET, weekends or none; FED when omitted.
    holidays: Further dates that are no business days; none when omitted.
    """
    refuse(np.abs(days) > _MOST_DAYS, "days", "{} business days lead out of the calendar", days)
    with blaming("start_date"):
        return business.add_business_days(start_date, days, _calendar(calendar, holidays))


@function("XM_ADD_MONTHS", "Schedule", elementwise=True)
def add_months(start_date: Date, months: Integer, end_of_month: Boolean = False) -> Any:
    """The date some months after another, or before it; a day that the month lacks is its last one.

    start_date: The date to count from. Count every date of a series from the first, not from the one before.
    months: Number of months; negative counts back.
    end_of_month: TRUE gives the last day of the month; FALSE when omitted.
    """
    refuse(np.abs(months) > _MOST_MONTHS, "months", "{} months lead out of the calendar", months)
    with blaming("months"):
        return schedule.add_months(start_date, months, end_of_month)


# --- shared -----------------------------------------------------------------------------------------


def _columns(*columns: NDArray[Any]) -> Rows:
    rows: Rows = np.column_stack([to_serials(column) for column in columns]).astype(np.float64).tolist()
    return rows


def _before(payment_date: Any, count: int, unit: str, roll: str, calendar: str) -> Any:
    refuse(not 0 <= count <= _MOST_DATES, "count", "{} " + unit + " before", count, "give 0 to 2,400")

    def before(days: NDArray[Any]) -> NDArray[Any]:
        return schedule.dates_before(PaymentDates(days, days), count, unit, roll=roll, calendar=calendar)

    with blaming("payment_date"):
        return _as_given(payment_date, before)


def _as_given(day: Any, of_column: Callable[[NDArray[Any]], NDArray[Any]]) -> Any:
    """A function of a column of dates, of one date too."""
    days = np.asarray(day, dtype="M8[D]")
    found = of_column(np.atleast_1d(days))
    return found if days.ndim else found[0]


def _calendar(name: str, holidays: list[date] | None) -> Calendar:
    return find_calendar(name) if not holidays else _with_holidays(name, tuple(holidays))


@lru_cache(maxsize=32)  # the calendar's own cache is by object
def _with_holidays(name: str, holidays: tuple[date, ...]) -> Calendar:
    known = find_calendar(name)
    return replace(
        known,
        name=f"{name} and {len(holidays)} holidays",
        holidays=lambda first, last: set(chain(known.holidays(first, last), holidays)),
    )
