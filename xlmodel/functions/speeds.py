"""Prepayment speeds in cells: XM_SMM, XM_SPEED, XM_SURVIVORS, XM_SMM_VECTOR, XM_ABS_SPEED, XM_POOL_SPEED."""

from __future__ import annotations

from typing import Any

import numpy as np

from xlmodel.errors import UnknownName, XlmodelError
from xlmodel.functions.cells import Rows
from xlmodel.functions.kinds import Integer, Number, Numbers, PrepaymentName, Range, Text
from xlmodel.functions.refusals import blaming, refuse, refuse_negative
from xlmodel.functions.registry import function
from xlmodel.pool import prepayment, survival
from xlmodel.pool.contracts import pool_from_rows
from xlmodel.pool.speeds import convert, historical_abs, historical_speed

_MOST_MONTHS = 1200


@function("XM_SMM", "Speeds", elementwise=True)
def smm(speed: Number, month: Integer, model: PrepaymentName = "ABS") -> Any:
    """Single monthly mortality: the part of the remaining contracts that prepays in a month.

    speed: Speed as a decimal: 0.015 for 1.5% ABS, 1.5 for 150% PSA.
    month: Month since origination, 1 for the first; SMM is speed / (1 - speed (month - 1)) in the ABS model.
    model: ABS, SMM, CPR or PSA; ABS when omitted.
    """
    _check_speed(speed, model)
    _check_month(month)
    return prepayment.find(model).smm(np.asarray(speed), np.asarray(month))


@function("XM_SPEED", "Speeds", elementwise=True)
def converted_speed(
    speed: Number, month: Integer, from_model: PrepaymentName, to_model: PrepaymentName
) -> Any:
    """A speed of one prepayment model as that of another which prepays as much in the same month.

    speed: Speed as a decimal: 0.015 for 1.5% ABS, 1.5 for 150% PSA.
    month: Month since origination, 1 for the first.
    from_model: Model of the speed: ABS, SMM, CPR or PSA.
    to_model: Model of the result: ABS, SMM, CPR or PSA.
    """
    _check_speed(speed, from_model)
    _check_month(month)
    return convert(speed, month, from_model, to_model)


@function("XM_SURVIVORS", "Speeds", elementwise=True)
def survivors(speed: Number, age: Integer, months: Integer, model: PrepaymentName = "ABS") -> Any:
    """Part of the contracts of an age that has not prepaid some months later.

    speed: Speed as a decimal: 0.015 for 1.5% ABS, 1.5 for 150% PSA.
    age: Months passed since origination, 0 for a new contract.
    months: Months from then on, 0 or more.
    model: ABS, SMM, CPR or PSA; ABS when omitted.
    """
    _check_speed(speed, model)
    refuse_negative(age, "age")
    refuse_negative(months, "months")
    return prepayment.find(model).survivors(np.asarray(speed), np.asarray(age), np.asarray(months))


@function("XM_SMM_VECTOR", "Speeds")
def smm_vector(speeds: Numbers, age: Integer, months: Integer, model: Text = "ABS") -> Rows:
    """Single monthly mortality month by month, of speeds that change.

    One row a month.  The last speed holds on.

    speeds: Speeds as decimals, one a month.
    age: Months passed since origination at the start, 0 for a new contract.
    months: Number of months.
    model: ABS, SMM, CPR or PSA; followed by "by age" if the first speed is that of the first month since
        origination, else it is that of the first month shown; ABS when omitted.
    """
    name, by = vector_model(model)
    check_listed(speeds, name, "speeds")
    refuse_negative(age, "age")
    refuse(not 1 <= months <= _MOST_MONTHS, "months", "{} months; expected 1 to 1,200", months)
    month = age + np.arange(1, months + 1)
    place = (month if by == "age" else month - age) - 1
    held = survival.held(np.array([speeds]), int(place[-1]) + 1)[0]
    rows: Rows = prepayment.find(name).smm(held[place], month)[:, None].tolist()
    return rows


@function("XM_ABS_SPEED", "Speeds", elementwise=True)
def abs_speed(number_now: Number, original: Number, age: Integer, earlier_age: Integer = 0) -> Any:
    """Historical ABS speed of a pool, from the number of its contracts then and now.

    Speed = (1 - left) / (age - left x earlier age), left being the number now over that before.

    number_now: Contracts that are there now.
    original: Contracts that were there at origination, or at the earlier age.
    age: Months from origination to now.
    earlier_age: Months from origination to the earlier count; 0 when omitted.
    """
    refuse(original <= 0, "original", "the original number {:g} is not above zero", original)
    refuse_negative(number_now, "number_now")
    refuse(number_now > original, "number_now", "{:,.15g} contracts are more than there were", number_now)
    refuse_negative(earlier_age, "earlier_age")
    refuse(age <= earlier_age, "age", "an age of {} months is not after the earlier one", age)
    return historical_abs(number_now / original, age, earlier_age)


@function("XM_POOL_SPEED", "Speeds")
def pool_speed(pools: Range, balance: Number, months: Integer, model: PrepaymentName = "ABS") -> float:
    """Historical speed of a pool: the constant speed at which its contracts come down to a balance.

    #NUM! if no speed does, because more is left than the schedule leaves.

    pools: Contracts or rep lines as they were: pool, balance, rate, original term, remaining term.
    balance: Balance of the pool now, in dollars.
    months: Months since the pool was as given.
    model: ABS, SMM, CPR or PSA; ABS when omitted.
    """
    refuse_negative(balance, "balance")
    refuse(not 1 <= months <= _MOST_MONTHS, "months", "{} months; expected 1 to 1,200", months)
    with blaming("pools"):
        pool = pool_from_rows(pools)
    with blaming("balance"):
        return historical_speed(pool, balance, months, model)


# --- shared -----------------------------------------------------------------------------------------


def vector_model(text: str) -> tuple[str, str]:
    """``CPR by age`` -> the model and what its speeds go by, "period" if it does not say."""
    name, _, by = " ".join(text.split()).lower().partition(" by ")
    if by and by not in survival.VECTORS:
        raise UnknownName(f"speeds go by {by!r}", remedy=f"use by {' or by '.join(survival.VECTORS)}").at(
            argument="model"
        )
    with blaming("model"):
        return prepayment.find(name).name, by or "period"


def check_listed(speeds: list[float], model: str, argument: str) -> None:
    """OutOfRange, with its number in the list, for a speed that its model does not have."""
    for number, speed in enumerate(speeds, start=1):
        try:
            prepayment.check_speeds(np.array([speed]), model)
        except XlmodelError as error:
            error.message += f" (number {number})" if len(speeds) > 1 else ""
            raise error.at(argument=argument) from None


def _check_speed(speed: Any, model: str) -> None:
    with blaming("speed"):
        prepayment.check_speeds(speed, model)


def _check_month(month: Any) -> None:
    refuse(month < 1, "month", "month {} since origination; the first month is 1", month)
