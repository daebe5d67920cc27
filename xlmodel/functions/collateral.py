"""The pool in cells: XM_SMM, XM_PAYMENT, XM_COLLECTIONS, XM_POOL_FACTOR."""

from __future__ import annotations

import math

import numpy as np

from xlmodel.conventions.money import round_half_up
from xlmodel.errors import OutOfRange, XlmodelError
from xlmodel.functions.cells import Rows
from xlmodel.functions.registry import Boolean, Integer, Number, Range, Text, function
from xlmodel.pool import prepayment
from xlmodel.pool.contracts import pool_from_rows
from xlmodel.pool.projection import project

COLLECTIONS_HEADER = (
    "Month",
    "Beginning balance",
    "Interest",
    "Scheduled principal",
    "Prepaid principal",
    "Ending balance",
)


@function("XM_SMM", "Pool")
def smm(speed: Number, age: Integer, model: Text = "ABS") -> float:
    """Single monthly mortality: the part of the remaining contracts that prepays in a month.

    speed: Speed as a decimal from 0 to below 1: 0.015 for 1.5% ABS.
    age: Month since origination, 1 for the first; SMM is speed / (1 - speed (age - 1)) in the ABS model.
    model: ABS, SMM or CPR; ABS when omitted.
    """
    _check_speed(speed)
    if age < 1:
        raise OutOfRange(f"month {age} since origination; the first month is 1").at(argument="age")
    return float(prepayment.find(model).smm(np.array(speed), np.array(float(age))))


@function("XM_PAYMENT", "Pool")
def payment(balance: Number, rate: Number, remaining_term: Integer) -> float:
    """Level monthly payment that pays off a balance over its remaining term.

    balance: Principal balance, in dollars, zero or more.
    rate: Contract rate per annum as a decimal; a twelfth accrues each month.
    remaining_term: Months left, one or more.
    """
    if balance < 0:
        raise OutOfRange(f"the balance {balance:,.15g} is negative").at(argument="balance")
    if not 0 <= rate < 1:
        raise OutOfRange(f"{rate:g} is no rate between 0 and 1", remedy="write 9.995% as 0.09995").at(
            argument="rate"
        )
    if remaining_term < 1:
        raise OutOfRange(f"{remaining_term} months left; expected one or more").at(argument="remaining_term")
    monthly = rate / 12
    if monthly == 0:
        return balance / remaining_term
    return balance * monthly / -math.expm1(-remaining_term * math.log1p(monthly))


@function("XM_COLLECTIONS", "Pool")
def collections(
    pools: Range, speed: Number, model: Text = "ABS", periods: Integer | None = None, header: Boolean = False
) -> Rows:
    """What a pool of contracts pays month by month at a constant prepayment speed.

    One row a month; columns: month, beginning balance, interest, scheduled principal, prepaid principal,
    ending balance, in dollars, not rounded.

    pools: Contracts or rep lines: pool, balance, rate, original term, remaining term; with headings or not.
    speed: Speed as a decimal from 0 to below 1: 0.015 for 1.5% ABS.
    model: ABS, SMM or CPR; ABS when omitted.
    periods: Months; until the last scheduled payment when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    _check_speed(speed)
    try:
        pool = pool_from_rows(pools)
    except XlmodelError as error:
        raise error.at(argument="pools") from None
    c = project(pool, np.array([speed]), model, periods)
    columns = (
        c.beginning_balance,
        c.interest,
        c.scheduled_principal,
        c.prepaid_principal,
        c.ending_balance,
    )
    month = np.arange(1, c.months + 1, dtype=np.float64)
    rows: Rows = np.column_stack([month, *(column[0] for column in columns)]).tolist()
    return [list(COLLECTIONS_HEADER), *rows] if header else rows


@function("XM_POOL_FACTOR", "Pool")
def pool_factor(balance: Number, original: Number, digits: Integer = 7) -> float:
    """Balance divided by original balance, rounded as a servicer's report prints it.

    balance: Balance after the payment, in dollars, zero or more.
    original: Balance at the start, in dollars, above zero.
    digits: Decimals of the factor, rounded half up; 7 when omitted.
    """
    if original <= 0:
        raise OutOfRange("the original balance is not above zero").at(argument="original")
    if balance < 0:
        raise OutOfRange(f"the balance {balance:,.15g} is negative").at(argument="balance")
    return float(round_half_up(balance / original, digits))


def _check_speed(speed: float) -> None:
    try:
        prepayment.check_speeds(np.array([speed]))
    except XlmodelError as error:
        raise error.at(argument="speed") from None
