"""How much of a pool survives a monthly rate of leaving it: prepayment and default curves share this.

Months count from origination, month 1 the first; ``age`` is the number of them that have passed.  Survivors
are the product of 1 - rate over the months since, taken as sums of logarithms, so that the survivors from
one age to another are a difference of two entries of a table.  A contract so old that its curve leaves no
survivor of its age leaves in its first month.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange, UnknownName, WrongShape

Floats = NDArray[np.float64]

Rate = Callable[[Any, Any], Any]  # (speed, month since origination) -> rate a month

VECTORS = ("period", "age")


def monthly_from_annual(rate: Any) -> Any:
    """1 - (1 - r)^(1/12), without cancellation at small rates; all of it at 1."""
    with np.errstate(divide="ignore"):
        return -np.expm1(np.log1p(-rate) / 12)


def annual_from_monthly(rate: Any) -> Any:
    """1 - (1 - r)^12, without cancellation at small rates."""
    with np.errstate(divide="ignore"):
        return -np.expm1(np.log1p(-rate) * 12)


def constant(rate: Floats, age: Floats, months: Floats) -> Floats:
    """Survivors of a rate that is the same every month, whatever the age; the arguments broadcast."""
    return np.broadcast_to((1 - rate) ** months, np.broadcast_shapes(*map(np.shape, (rate, age, months))))


def of_curve(rate: Rate, flat_from: int, speed: Floats, age: Floats, months: Floats) -> Floats:
    """Survivors of a curve that is flat from a month on; the arguments broadcast.

    The logarithms of the months before it are a table for each speed, those after it a straight line.
    """
    speed = np.asarray(speed, dtype=np.float64)
    with np.errstate(divide="ignore"):
        each = np.log1p(-rate(speed[..., None], np.arange(1.0, flat_from + 1)))
    table = np.concatenate([np.zeros((*speed.shape, 1)), np.cumsum(each, axis=-1)], axis=-1)
    before, after = np.asarray(age), np.asarray(age) + months

    def log_left(month: Floats) -> Floats:
        shape = np.broadcast_shapes(speed.shape, month.shape)
        step = np.broadcast_to(np.minimum(month, flat_from), shape).astype(np.intp)
        rows = np.broadcast_to(table, (*shape, flat_from + 1))
        found = np.take_along_axis(rows, step[..., None], axis=-1)[..., 0]
        beyond = np.maximum(month - flat_from, 0.0)
        return found + np.where(beyond > 0, each[..., -1] * np.maximum(beyond, 1.0), 0.0)

    return _left(log_left(before), log_left(after), months)


def of_vector(rate: Rate, speeds: Floats, age: Floats, months: int, by: str = "period") -> Floats:
    """Survivors of speeds that change from month to month, shape (scenario, months + 1, contract).

    ``speeds``: (scenario, month), the last of them holding on.  By "period" the first is that of the first
    month after now, whatever the age of a contract; by "age" it is that of the first month since
    origination.  ``age``: (contract,), whole numbers.
    """
    if by not in VECTORS:
        raise UnknownName(f"speeds go by {by!r}", remedy=f"use one of {', '.join(VECTORS)}")
    ages, contract = np.unique(age, return_inverse=True)
    steps = np.arange(months + 1)
    oldest = int(ages.max(initial=0)) if by == "age" else 0
    long = held(speeds, oldest + months)
    with np.errstate(divide="ignore"):
        if by == "age":
            each = np.log1p(-rate(long, np.arange(1.0, oldest + months + 1)))
            table = np.concatenate([np.zeros((len(each), 1)), np.cumsum(each, axis=1)], axis=1)
            now = ages.astype(np.intp)
            left = _left(table[:, None, now], table[:, steps[:, None] + now], steps[:, None])
        else:
            each = np.log1p(-rate(long[:, :, None], ages + steps[1:, None]))
            each = np.broadcast_to(each, (len(long), months, len(ages)))
            left = np.exp(
                np.concatenate([np.zeros((len(long), 1, len(ages))), np.cumsum(each, axis=1)], axis=1)
            )
    return left[:, :, contract]


def held(speeds: Floats, months: int) -> Floats:
    """Speeds (scenario, month) cut or lengthened to ``months``; the last one holds on."""
    speeds = np.asarray(speeds, dtype=np.float64)
    if speeds.ndim != 2 or not speeds.shape[1]:
        raise WrongShape(
            "speeds by month are a table of scenarios and months", remedy="give one row a scenario"
        )
    return speeds[:, np.minimum(np.arange(months), speeds.shape[1] - 1)]


def check(speeds: Floats, below: float, hint: str) -> None:
    """Raises OutOfRange unless every speed is at least 0 and below a bound."""
    speeds = np.asarray(speeds, dtype=np.float64)
    bad = ~((speeds >= 0) & (speeds < below))
    if bad.any():
        first = speeds[bad][0]
        remedy = hint if first >= below else "a speed is zero or more"
        raise OutOfRange(f"the speed {first:g} is not between 0 and {below:g}", remedy=remedy)


def _left(before: Floats, after: Floats, months: Any) -> Floats:
    """Survivors from two sums of logarithms; 0 where there are none at the start."""
    alive = before > -np.inf
    return np.where(
        np.asarray(months) > 0, np.where(alive, np.exp(after - np.where(alive, before, 0.0)), 0.0), 1.0
    )
