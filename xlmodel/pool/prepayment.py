"""Prepayment models, and their table PREPAYMENTS.

A model answers two questions about a contract that has survived until now: which part of what is left
prepays in a month (single monthly mortality, SMM), and which part of today's contracts is left after so
many months (survivors).  Both count months from origination: month 1 is the first one.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange, UnknownName

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PrepaymentModel:
    """One model; all arguments are arrays that broadcast.

    ``smm(speed, month)``: SMM of the month-th month since origination.
    ``survivors(speed, age, months)``: part left ``months`` months after ``age``.
    """

    name: str
    help: str
    smm: Callable[[Floats, Floats], Floats]
    survivors: Callable[[Floats, Floats, Floats], Floats]


def _abs_smm(speed: Floats, month: Floats) -> Floats:
    """SMM = s / (1 - s (month - 1)), all of it once that reaches 1.

    Source: CarMax Auto Owner Trust 1999-1 prospectus, page 34: speed is relative to the original number
    of contracts.
    """
    left = 1 - speed * (month - 1)
    return np.where(left <= speed, np.where(speed > 0, 1.0, 0.0), speed / np.where(left <= speed, 1.0, left))


def _abs_survivors(speed: Floats, age: Floats, months: Floats) -> Floats:
    """(1 - s (age + months)) / (1 - s age): the product of 1 - SMM in closed form, never below 0.

    A contract so old that the model has no survivor of its age pays off in the first month.
    """
    now = 1 - speed * age
    left = np.where(now > 0, 1 - speed * (age + months), 0.0)
    part = np.maximum(left, 0.0) / np.where(now > 0, now, 1.0)
    return np.where(months > 0, part, 1.0)


def _smm_survivors(speed: Floats, age: Floats, months: Floats) -> Floats:
    return np.broadcast_to((1 - speed) ** months, np.broadcast_shapes(*map(np.shape, (speed, age, months))))


def _monthly_from_annual(speed: Floats) -> Floats:
    """1 - (1 - CPR)^(1/12), without cancellation at small speeds."""
    return -np.expm1(np.log1p(-speed) / 12)


PREPAYMENTS: dict[str, PrepaymentModel] = {
    "ABS": PrepaymentModel(
        "ABS", "part of the original number of contracts a month", _abs_smm, _abs_survivors
    ),
    "SMM": PrepaymentModel(
        "SMM",
        "part of the remaining contracts a month",
        lambda speed, month: speed + 0 * month,
        _smm_survivors,
    ),
    "CPR": PrepaymentModel(
        "CPR",
        "part of the remaining contracts a year, compounded by month",
        lambda speed, month: _monthly_from_annual(speed) + 0 * month,
        lambda speed, age, months: _smm_survivors(_monthly_from_annual(speed), age, months),
    ),
}


def find(name: str) -> PrepaymentModel:
    """The model of a name, in any case.  Raises UnknownName, listing what is near."""
    found = PREPAYMENTS.get(name.strip().upper())
    if found is None:
        near = difflib.get_close_matches(name.upper(), PREPAYMENTS, n=2) or list(PREPAYMENTS)
        raise UnknownName(f"there is no prepayment model {name!r}; known: {', '.join(near)}")
    return found


def check_speeds(speeds: Floats) -> None:
    """Raises OutOfRange unless every speed is at least 0 and below 1 (100%)."""
    bad = ~((speeds >= 0) & (speeds < 1))
    if bad.any():
        first = speeds[bad][0]
        hint = "write 1.5% as 0.015" if first >= 1 else "a speed is zero or more"
        raise OutOfRange(f"the speed {first:g} is not between 0 and 1", remedy=hint)
