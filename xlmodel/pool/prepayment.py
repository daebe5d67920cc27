"""Prepayment models, and their table PREPAYMENTS.

A model answers two questions about a contract that has survived until now: which part of what is left
prepays in a month (single monthly mortality, SMM), and which part of today's contracts is left after so
many months (survivors).  Both count months from origination: month 1 is the first one.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import UnknownName
from xlmodel.pool import survival
from xlmodel.pool.survival import annual_from_monthly, monthly_from_annual

Floats = NDArray[np.float64]

_STANDARD = "Bond Market Association, Standard Formulas"


@dataclass(frozen=True)
class PrepaymentModel:
    """One model; all arguments are arrays that broadcast.

    ``smm(speed, month)``: SMM of the month-th month since origination.
    ``speed(smm, month)``: the speed that gives this SMM in that month; the least, where several do.
    ``survivors(speed, age, months)``: part left ``months`` months after ``age``.
    ``below``: speeds are less than this; ``hint`` is what to do about one that is not.
    """

    name: str
    help: str
    source: str
    smm: Callable[[Any, Any], Any]
    speed: Callable[[Any, Any], Any]
    survivors: Callable[[Any, Any, Any], Any]
    below: float = 1.0
    hint: str = "write 1.5% as 0.015"


# --- ABS --------------------------------------------------------------------------------------------


def _abs_smm(speed: Floats, month: Floats) -> Floats:
    """SMM = s / (1 - s (month - 1)), all of it once that reaches 1: s is of the original number."""
    left = 1 - speed * (month - 1)
    return np.where(left <= speed, np.where(speed > 0, 1.0, 0.0), speed / np.where(left <= speed, 1.0, left))


def _abs_speed(smm: Floats, month: Floats) -> Floats:
    return smm / (1 + smm * (month - 1))


def _abs_survivors(speed: Floats, age: Floats, months: Floats) -> Floats:
    """(1 - s (age + months)) / (1 - s age): the product of 1 - SMM in closed form, never below 0.

    A contract so old that the model has no survivor of its age pays off in the first month.
    """
    now = 1 - speed * age
    alive = now > 0
    part = np.asarray(speed * (age + months))
    np.subtract(1, part, out=part)  # arrays are large here, so each is used again
    np.maximum(part, 0.0, out=part)
    part /= np.where(alive, now, np.inf)
    if not alive.all():
        part = np.where(months > 0, part, 1.0)
    return part


# --- PSA --------------------------------------------------------------------------------------------

_PSA_RAMP = 30  # months until the curve is flat


def _psa_cpr(month: Floats) -> Floats:
    """CPR at 100% PSA: 0.2% a month up to 6% in month 30, flat after."""
    return 0.06 * np.minimum(month, _PSA_RAMP) / _PSA_RAMP


def _psa_smm(speed: Floats, month: Floats) -> Any:
    return monthly_from_annual(np.minimum(speed * _psa_cpr(month), 1.0))


def _psa_speed(smm: Floats, month: Floats) -> Any:
    return annual_from_monthly(smm) / _psa_cpr(month)


def _psa_survivors(speed: Floats, age: Floats, months: Floats) -> Floats:
    return survival.of_curve(_psa_smm, _PSA_RAMP, speed, age, months)


# --- the table --------------------------------------------------------------------------------------

_ROWS = (
    PrepaymentModel(
        "ABS",
        "part of the original number of contracts a month",
        f"CarMax Auto Owner Trust 1999-1 prospectus, page 34; {_STANDARD}, B.4",
        _abs_smm,
        _abs_speed,
        _abs_survivors,
    ),
    PrepaymentModel(
        "SMM",
        "part of the remaining contracts a month",
        f"{_STANDARD}, B.2.a",
        lambda speed, month: speed + 0 * month,
        lambda smm, month: smm + 0 * month,
        survival.constant,
    ),
    PrepaymentModel(
        "CPR",
        "part of the remaining contracts a year, compounded by month",
        f"{_STANDARD}, B.2.b",
        lambda speed, month: monthly_from_annual(speed) + 0 * month,
        lambda smm, month: annual_from_monthly(smm) + 0 * month,
        lambda speed, age, months: survival.constant(monthly_from_annual(speed), age, months),
    ),
    PrepaymentModel(
        "PSA",
        "multiple of the standard curve: CPR rises 0.2% a month to 6% in month 30",
        f"{_STANDARD}, B.2.c",
        _psa_smm,
        _psa_speed,
        _psa_survivors,
        below=100.0,
        hint="write 150% PSA as 1.5",
    ),
)

PREPAYMENTS: dict[str, PrepaymentModel] = {row.name: row for row in _ROWS}


def find(name: str) -> PrepaymentModel:
    """The model of a name, in any case.  Raises UnknownName, listing what is near."""
    found = PREPAYMENTS.get(name.strip().upper())
    if found is None:
        near = difflib.get_close_matches(name.upper(), PREPAYMENTS, n=2) or list(PREPAYMENTS)
        raise UnknownName(f"there is no prepayment model {name!r}; known: {', '.join(near)}")
    return found


def check_speeds(speeds: Floats, model: str = "ABS") -> None:
    """Raises OutOfRange unless every speed is at least 0 and below the bound of its model."""
    found = find(model)
    survival.check(speeds, found.below, found.hint)
