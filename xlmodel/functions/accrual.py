"""Time and interest in cells: XM_DAYS, XM_YEARFRAC, XM_INTEREST, XM_ACCRUED."""

from __future__ import annotations

from typing import Any

import numpy as np

from xlmodel.conventions import day_count
from xlmodel.conventions.coupon_period import FREQUENCIES
from xlmodel.conventions.money import interest_cents, round_half_up, to_cents, to_dollars
from xlmodel.conventions.schedule import add_months
from xlmodel.errors import MissingValue, OutOfRange
from xlmodel.functions.kinds import (
    Basis,
    Boolean,
    Date,
    DateSetting,
    Integer,
    IntegerSetting,
    Number,
    RoundingName,
)
from xlmodel.functions.refusals import blaming, refuse, refuse_negative
from xlmodel.functions.registry import function

_LARGEST_CENTS = 2**63 - 1  # what a column can hold, so that a single cell answers alike
_FREQUENCIES = "give 1, 2, 3, 4, 6 or 12"


@function("XM_DAYS", "Accrual", elementwise=True)
def days(
    start_date: Date, end_date: Date, basis: Basis = 0.0, termination_date: DateSetting | None = None
) -> Any:
    """Days between two dates as a day count sees them.

    start_date: First day of the period, included.
    end_date: Last day of the period, not included.
    basis: Day count by name, such as actual/360, or Excel's code 0 to 4; 0 when omitted.
    termination_date: For 30E/360 ISDA: a date in February that stays as it is; none when omitted.
    """
    return day_count.days(start_date, end_date, basis, termination=termination_date)


@function("XM_YEARFRAC", "Accrual", elementwise=True)
def year_fraction(
    start_date: Date,
    end_date: Date,
    basis: Basis = 0.0,
    frequency: IntegerSetting | None = None,
    period_start: DateSetting | None = None,
    period_end: DateSetting | None = None,
    end_of_month: Boolean = False,
    termination_date: DateSetting | None = None,
) -> Any:
    """Part of a year between two dates under a day count.

    start_date: First day of the period, included.
    end_date: Last day of the period, not included.
    basis: Day count by name, such as 30/360, or Excel's code 0 to 4; 0 when omitted.
    frequency: For actual/actual ICMA: coupons a year, 1, 2, 3, 4, 6 or 12.
    period_start: For actual/actual ICMA: first day of a regular coupon period; the start date when neither
        it nor the end of the period is given.
    period_end: For actual/actual ICMA: last day of a regular coupon period.
    end_of_month: For actual/actual ICMA: TRUE if coupons fall on the last day of a month; FALSE when
        omitted.
    termination_date: For 30E/360 ISDA: a date in February that stays as it is; none when omitted.
    """
    if frequency is not None:
        refuse(frequency not in FREQUENCIES, "frequency", "{} coupons a year", frequency, _FREQUENCIES)
        if period_start is None and period_end is None and np.ndim(start_date):
            return _from_each_start(start_date, end_date, basis, frequency, end_of_month)
    try:
        return day_count.year_fraction(
            start_date,
            end_date,
            basis,
            frequency=frequency,
            period_start=period_start,
            period_end=period_end,
            end_of_month=end_of_month,
            termination=termination_date,
        )
    except MissingValue as error:
        raise error.at(argument="frequency" if frequency is None else "period_start") from None
    except OutOfRange as error:
        raise error.at(argument="end_date") from None


@function("XM_INTEREST", "Accrual", elementwise=True)
def interest(
    balance: Number,
    rate: Number,
    start_date: Date,
    end_date: Date,
    basis: Basis = 0.0,
    decimals: IntegerSetting | None = None,
    rounding: RoundingName | None = None,
    original: Number = 0.0,
) -> Any:
    """Interest that a balance accrues between two dates.

    To the cent (2 decimals, or a rounding) it is exact: of a balance in whole cents and the rate as written.

    balance: Principal balance on which interest accrues, in dollars, zero or more.
    rate: Rate per annum as a decimal: 0.062025 for 6.2025%.
    start_date: First day of the period, included.
    end_date: Last day of the period, not included.
    basis: Day count by name, such as actual/360, or Excel's code 0 to 4; 0 when omitted.
    decimals: Decimals of the result, rounded half up; not rounded when omitted.
    rounding: In place of decimals: half up, truncate, per 1000 or none; none when omitted.
    original: For rounding per 1000: the original balance, whose $1,000 parts are rounded and multiplied.
    """
    refuse_negative(balance, "balance")
    refuse(np.abs(rate) >= 1, "rate", "the rate {:g} is 100% or more", rate, "write 6.2025% as 0.062025")
    if rounding not in (None, "none"):
        refuse(decimals not in (None, 2), "decimals", "a rounding to cents and {} decimals", decimals)
        refuse(rounding == "per 1000" and original <= 0, "original", "an original balance of {:g}", original)
        cents = _countable_cents(balance)
        refuse(to_dollars(cents) != balance, "balance", "{:,.15g} is no whole number of cents", balance)
        return to_dollars(_in_cents(cents, rate, start_date, end_date, basis, rounding, original / 1000))
    part = _year_fraction(start_date, end_date, basis)
    amount = balance * rate * part
    if decimals is None:
        return amount
    if decimals != 2:
        return round_half_up(amount, decimals)
    cents = _countable_cents(balance)
    exact = to_dollars(_in_cents(cents, rate, start_date, end_date, basis, "half up", None))
    whole = to_dollars(cents) == balance
    return exact if np.all(whole) else np.where(whole, exact, round_half_up(amount, decimals))


@function("XM_ACCRUED", "Accrual", elementwise=True)
def accrued(
    balance: Number,
    rate: Number,
    settlement_date: Date,
    maturity_date: Date,
    frequency: Integer = 12,
    basis: Basis = 0.0,
    decimals: IntegerSetting | None = None,
) -> Any:
    """Interest accrued on a settlement date since the last regular payment date.

    Regular payment dates go back from maturity, unadjusted; if it is the last day of a month, so are they.

    balance: Principal balance on which interest accrues, in dollars, zero or more.
    rate: Rate per annum as a decimal: 0.062025 for 6.2025%.
    settlement_date: Day of settlement, not included; on a payment date nothing has accrued.
    maturity_date: The last regular payment date, after settlement.
    frequency: Payments a year: 1, 2, 3, 4, 6 or 12; 12 when omitted.
    basis: Day count by name, actual/actual ICMA among them, or Excel's code 0 to 4; 0 when omitted.
    decimals: Decimals of the result, rounded half up; not rounded when omitted.
    """
    refuse_negative(balance, "balance")
    refuse(np.abs(rate) >= 1, "rate", "the rate {:g} is 100% or more", rate, "write 6.2025% as 0.062025")
    refuse(~np.isin(frequency, FREQUENCIES), "frequency", "{} payments a year", frequency, _FREQUENCIES)
    refuse(
        np.asarray(settlement_date, "M8[D]") >= np.asarray(maturity_date, "M8[D]"),
        "settlement_date",
        "settlement on {} is not before maturity",
        settlement_date,
        "give an earlier settlement, or a later maturity",
    )
    before, settlement, after = _around(settlement_date, maturity_date, frequency)
    if day_count.find(basis).name == "actual/actual ICMA":
        part = (settlement - before) / (frequency * (after - before))
    else:
        part = day_count.year_fraction(before, settlement, basis)
    amount = balance * rate * part
    found = amount if decimals is None else round_half_up(amount, decimals)
    single = all(np.ndim(each) == 0 for each in (balance, rate, settlement_date, maturity_date, frequency))
    return found[0] if single else found


def _from_each_start(start_date: Any, end_date: Any, basis: Any, frequency: int, end_of_month: bool) -> Any:
    """Year fractions where each start is a coupon date: by distinct starts."""
    starts, ends = np.broadcast_arrays(start_date, np.asarray(end_date, "M8[D]"))
    found = np.empty(starts.shape)
    for start in np.unique(starts):
        rows = starts == start
        found[rows] = year_fraction(start.item(), ends[rows], basis, frequency, end_of_month=end_of_month)
    return found


def _year_fraction(start_date: Any, end_date: Any, basis: Any) -> Any:
    try:
        return day_count.year_fraction(start_date, end_date, basis)
    except MissingValue as error:
        error.advice = "use XM_ACCRUED, or multiply by XM_YEARFRAC, which takes frequency and period"
        raise error.at(argument="basis") from None


def _countable_cents(balance: Any) -> Any:
    refuse(
        np.abs(balance) * 100 > _LARGEST_CENTS,
        "balance",
        "{:,.15g} has more cents than can be counted",
        balance,
    )
    return to_cents(balance)


def _in_cents(
    cents: Any, rate: Any, start_date: Any, end_date: Any, basis: Any, rounding: str, thousands: Any
) -> Any:
    """Exact where the year has one length; a fraction of unequal years stands for its decimal text."""
    length = day_count.find(basis).length
    if length is None:
        part, length = _year_fraction(start_date, end_date, basis), 1
    else:
        with blaming("balance"):
            part = day_count.days(start_date, end_date, basis)
    with blaming("balance"):
        found = interest_cents(cents, rate, part, length, rounding, thousands)
    refuse(np.abs(found) > _LARGEST_CENTS, "balance", "interest of {:.3g} cents cannot be counted", found)
    return found


def _around(settlement_date: Any, maturity_date: Any, frequency: Any) -> Any:
    """Payment date on or before settlement, settlement, and the payment date after it: arrays of dates."""
    settlement, maturity, step = np.broadcast_arrays(
        np.atleast_1d(np.asarray(settlement_date, "M8[D]")),
        np.asarray(maturity_date, "M8[D]"),
        12 // np.asarray(frequency),
    )
    month = maturity.astype("M8[M]")
    at_end = (maturity + 1).astype("M8[M]") > month
    day = np.where(at_end, 31, (maturity - month.astype("M8[D]")).astype(np.int64) + 1)
    periods = -(-(month - settlement.astype("M8[M]")).astype(np.int64) // step)
    before = add_months(maturity, -periods * step, on_day=day)
    periods = periods + (before > settlement)
    before = add_months(maturity, -periods * step, on_day=day)
    return before, settlement, add_months(maturity, (1 - periods) * step, on_day=day)
