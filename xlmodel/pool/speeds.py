"""Speeds from one model to another, and the speed at which a pool has prepaid.

The bridge between models is the SMM of one month, counted from origination: a speed is converted for a
month, and a speed that is constant in one model is not in another.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.root import find_root
from xlmodel.errors import NoRoot, OutOfRange
from xlmodel.pool import prepayment
from xlmodel.pool.contracts import Pool
from xlmodel.pool.vintages import amortisation

Floats = NDArray[np.float64]


def convert(speed: Any, month: Any, from_model: str, to_model: str) -> Any:
    """The speed of one model that gives the same SMM as a speed of another, in a month since origination.

    Arguments broadcast.  OutOfRange for a speed without meaning and for a month before the first.
    """
    prepayment.check_speeds(speed, from_model)
    if np.any(np.asarray(month) < 1):
        raise OutOfRange("a month before the first since origination", remedy="give 1 or more")
    speeds, months = np.asarray(speed, dtype=np.float64), np.asarray(month, dtype=np.float64)
    smm = prepayment.find(from_model).smm(speeds, months)
    return prepayment.find(to_model).speed(smm, months)


def historical_abs(left: Any, age: Any, earlier_age: Any = 0) -> Any:
    """The ABS speed at which ``left`` of the contracts of ``earlier_age`` are there at ``age``.

    ``left`` is a part of the number of contracts, or the part of the balance that is left for another
    reason than its schedule (:func:`part_not_prepaid`).  Survivors of ABS are (1 - s age) / (1 - s earlier),
    so s = (1 - left) / (age - left x earlier).  Source: Bond Market Association, Standard Formulas, B.4.
    """
    part, now, before = (np.asarray(value, dtype=np.float64) for value in (left, age, earlier_age))
    if np.any(part < 0) or np.any(part > 1):
        raise OutOfRange("a part of the contracts that is not from 0 to 1", remedy="check both numbers")
    if np.any(before < 0) or np.any(now <= before):
        raise OutOfRange("ages that do not follow each other", remedy="give the later age, in months, last")
    return (1 - part) / (now - part * before)


def part_not_prepaid(balance: Any, now: Any, rate: Any, remaining_term: Any, months: Any) -> Any:
    """The part of a balance's contracts that has not prepaid, when after ``months`` months ``now`` is left.

    ``rate`` per annum and ``remaining_term`` are those of the first date.  Arguments broadcast.
    """
    scheduled = amortisation(
        np.asarray(rate, dtype=np.float64) / 12,
        np.asarray(remaining_term, dtype=np.float64),
        np.asarray(months, dtype=np.float64),
    )
    if np.any(scheduled <= 0):
        raise OutOfRange("months beyond the last scheduled payment", remedy="give fewer months")
    return np.asarray(now) / (np.asarray(balance) * scheduled)


def historical_speed(pool: Pool, balance: float, months: int, model: str = "ABS") -> float:
    """The constant speed at which a pool is down to ``balance`` dollars after ``months`` months.

    The speed is applied to each contract at its own age and rate; it is no average of speeds.  NoRoot where
    no speed leads there: more is left than the schedule leaves.
    Source: Bond Market Association, Standard Formulas, B.3.
    """
    found = prepayment.find(model)
    if months < 1 or balance < 0:
        raise OutOfRange("a balance below 0, or no month since", remedy="give months of 1 or more")
    month = np.float64(months)
    scheduled = pool.balance * amortisation(pool.rate / 12, pool.remaining_term, month)
    total = float(scheduled.sum())
    if balance > total * (1 + 1e-12):
        raise NoRoot(
            f"{balance:,.2f} is left, more than the schedule leaves: {total:,.2f}",
            remedy="check balance and months; arrears and defaults are no prepayments",
        )

    def too_much(speed: float) -> float:
        return float(scheduled @ np.ravel(found.survivors(np.float64(speed), pool.age, month))) - balance

    if balance >= total or total == 0:
        return 0.0
    root = find_root(too_much, 0.0, math.nextafter(found.below, 0.0), start=0.0)
    if root is None:
        raise NoRoot(f"no {found.name} speed leaves {balance:,.2f}", remedy="check balance and months")
    return root
