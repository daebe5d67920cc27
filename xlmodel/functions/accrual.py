"""Time and interest in cells: XM_DAYS, XM_YEARFRAC, XM_INTEREST, XM_PAYMENT_DATES."""

from __future__ import annotations

from xlmodel.conventions import day_count
from xlmodel.conventions.money import round_half_up
from xlmodel.conventions.schedule import payment_dates
from xlmodel.errors import OutOfRange
from xlmodel.functions.cells import Rows
from xlmodel.functions.registry import Basis, Date, Integer, Number, Text, function

# A month a row for more than two centuries; more is a slip of the hand that would fill the sheet.
_MOST_DATES = 2400


@function("XM_DAYS", "Accrual")
def days(start_date: Date, end_date: Date, basis: Basis = 0.0) -> float:
    """Days between two dates as a day count sees them.

    start_date: First day of the period, included.
    end_date: Last day of the period, not included.
    basis: Day count by name, such as actual/360, or Excel's code 0 to 4; 0 when omitted.
    """
    return float(day_count.days(start_date, end_date, basis))


@function("XM_YEARFRAC", "Accrual")
def year_fraction(start_date: Date, end_date: Date, basis: Basis = 0.0) -> float:
    """Part of a year between two dates under a day count.

    start_date: First day of the period, included.
    end_date: Last day of the period, not included.
    basis: Day count by name, such as 30/360, or Excel's code 0 to 4; 0 when omitted.
    """
    return float(day_count.year_fraction(start_date, end_date, basis))


@function("XM_INTEREST", "Accrual")
def interest(
    balance: Number,
    rate: Number,
    start_date: Date,
    end_date: Date,
    basis: Basis = 0.0,
    decimals: Integer | None = None,
) -> float:
    """Interest that a balance accrues between two dates.

    balance: Principal balance on which interest accrues, in dollars, zero or more.
    rate: Rate per annum as a decimal: 0.062025 for 6.2025%.
    start_date: First day of the period, included.
    end_date: Last day of the period, not included.
    basis: Day count by name, such as actual/360, or Excel's code 0 to 4; 0 when omitted.
    decimals: Decimals of the result, rounded half up; not rounded when omitted.
    """
    if balance < 0:
        raise OutOfRange(f"the balance {balance:,.15g} is negative").at(argument="balance")
    if not -1 < rate < 1:
        raise OutOfRange(f"the rate {rate:g} is 100% or more", remedy="write 6.2025% as 0.062025").at(
            argument="rate"
        )
    amount = balance * rate * float(day_count.year_fraction(start_date, end_date, basis))
    return amount if decimals is None else float(round_half_up(amount, decimals))


@function("XM_PAYMENT_DATES", "Accrual")
def payment_dates_column(
    first: Date,
    count: Integer,
    day: Integer | None = None,
    roll: Text = "following",
    calendar: Text = "FED",
) -> Rows:
    """Monthly payment dates, moved to business days.

    A column of ``count`` dates.  Each is so many months after the first, so that moved days do not add up.

    first: First payment date, before it is moved.
    count: Number of payment dates.
    day: Day of the month; that of the first date when omitted.
    roll: following, modified following, preceding or none; following when omitted.
    calendar: Whose business days: FED, US, NYSE, TARGET or none; FED when omitted.
    """
    if not 1 <= count <= _MOST_DATES:
        raise OutOfRange(f"{count} dates are asked for; expected 1 to {_MOST_DATES}").at(argument="count")
    return [[date] for date in payment_dates(first, count, day, roll, calendar).adjusted.tolist()]
