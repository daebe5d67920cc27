"""Internal rates of return: IRR of periodic flows, XIRR of dated ones.

With u = log(1 + rate) the present value is a sum of exponentials c e^(-t u).  Such a sum has at most as
many roots as its amounts change sign in time (Descartes' rule), and the proof finds them: multiplied by
e^(s u) with s inside a change of sign and differentiated, the sum has one change less, and between two
neighbouring roots of the derivative the sum has at most one root.  So every root is found, and a missing
one is known to be missing, whatever the scale of the amounts.

Which root, where there are several: the least that is not negative, else the one nearest to zero; given a
guess, the one nearest to the guess (in log(1 + rate)).
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.root import between
from xlmodel.conventions.serial import to_epoch
from xlmodel.errors import NoRoot, OutOfRange, WrongKind, WrongShape

Floats = NDArray[np.float64]

_MOST_CHANGES = 500  # each is a level of the search, and every level takes its time
_LARGEST_LOG = 700.0  # beyond it 1 + rate is no float
_TOUCH = 4e-16  # a sum this small where its slope is zero is a root that touches: it is within the error


def irr(flows: Any, guess: float | None = None) -> float:
    """The rate per period at which flows one period apart, shape (period,), are worth nothing in total.

    NoRoot with the reason if there is none, WrongShape for fewer than two flows.
    """
    amounts = _flows(flows)
    return _rate(amounts, np.arange(len(amounts), dtype=np.float64), guess)


def xirr(flows: Any, dates: Any, guess: float | None = None) -> float:
    """The annual rate (actual/365) at which dated flows are worth nothing in total; any order of dates.

    NoRoot with the reason if there is none, WrongShape for columns of different length.
    """
    amounts = _flows(flows)
    days = to_epoch(np.asarray(dates)).ravel()
    if len(days) != len(amounts):
        raise WrongShape(f"{len(amounts)} flows and {len(days)} dates", remedy="give one date a flow")
    distinct, place = np.unique(days, return_inverse=True)
    net = np.zeros(len(distinct))
    np.add.at(net, place, amounts)
    return _rate(net, (distinct - distinct[0]) / 365.0, guess)


def internal_rates(flows: Any, times: Any) -> Floats:
    """All rates above -1, ascending, at which the flows at ``times`` (in periods) are worth nothing."""
    amounts, at = _flows(flows), np.asarray(times, dtype=np.float64)
    if at.shape != amounts.shape:
        raise WrongShape(f"{len(amounts)} flows and {at.size} times", remedy="give one time a flow")
    order = np.argsort(at, kind="stable")
    rates: Floats = np.expm1(np.array(_log_roots(amounts[order], at[order])))
    return rates


def _rate(amounts: Floats, times: Floats, guess: float | None) -> float:
    kept = amounts != 0
    amounts, times = amounts[kept], times[kept]
    if not (amounts > 0).any() or not (amounts < 0).any():
        raise NoRoot(
            "the flows do not change sign",
            remedy="enter what is paid and what is received with opposite signs",
        )
    roots = _log_roots(amounts, times)
    if not roots:
        raise NoRoot("at no rate above -100% are the flows worth nothing in total", remedy="check the flows")
    if guess is None:
        wanted = [root for root in roots if root >= 0]
        root = min(wanted) if wanted else max(roots)
    else:
        if not guess > -1:
            raise OutOfRange(f"a guess of {guess}", remedy="give a guess above -1")
        middle = math.log1p(guess)
        root = min(roots, key=lambda each: abs(each - middle))
    if abs(root) > _LARGEST_LOG:
        raise NoRoot(
            "the rate that solves it is no number of ordinary size", remedy="check the dates and amounts"
        )
    return math.expm1(root)


def _log_roots(amounts: Floats, times: Floats) -> list[float]:
    """All roots u of the sum of ``amounts`` e^(-``times`` u), ascending; the times ascend."""
    kept = amounts != 0
    amounts, times = amounts[kept], times[kept]
    changes = np.flatnonzero(np.signbit(amounts[1:]) != np.signbit(amounts[:-1]))
    if not len(changes):
        return []
    if len(changes) > _MOST_CHANGES:
        raise NoRoot(
            f"the flows change sign {len(changes)} times, more than {_MOST_CHANGES}",
            remedy="net what is paid and received on the same dates",
        )
    middle = changes[len(changes) // 2]
    shift = (times[middle] + times[middle + 1]) / 2
    slopes = (shift - times) * amounts
    edges = [-math.inf, *_log_roots(slopes / np.abs(slopes).max(), times), math.inf]
    roots: list[float] = []
    value = _PresentValue(amounts, times)
    for left, right in pairwise(edges):
        low, high = max(left, -value.reach_left), min(right, value.reach_right)
        if low >= high:
            continue
        at_low, at_high = value(low), value(high)
        if abs(at_low) < _TOUCH:
            roots.append(low)
        elif abs(at_high) >= _TOUCH and (at_low < 0) != (at_high < 0):
            roots.append(between(value, low, high))
    return sorted(set(roots))


class _PresentValue:
    """The sum at u over the sum of its sizes: in [-1, 1], with the signs and roots of the sum itself."""

    def __init__(self, amounts: Floats, times: Floats) -> None:
        self.signs, self.logs, self.times = np.sign(amounts), np.log(np.abs(amounts)), times
        # beyond these the first, or the last, amount outweighs all the others together
        size = np.abs(amounts)
        self.reach_right = self._reach(size[1:].sum() / size[0], times[1] - times[0])
        self.reach_left = self._reach(size[:-1].sum() / size[-1], times[-1] - times[-2])

    @staticmethod
    def _reach(ratio: float, gap: float) -> float:
        return max(math.log(ratio) / gap, 0.0) + 1.0

    def __call__(self, u: float) -> float:
        weight = self.logs - self.times * u
        weight = np.exp(weight - weight.max())
        # No product of matrices: its last bits depend on the threads of linear algebra.
        return float((self.signs * weight).sum() / weight.sum())


def _flows(flows: Any) -> Floats:
    array = np.asarray(flows)
    if array.dtype.kind not in "iuf":
        raise WrongKind("a flow is no number", remedy="enter numbers")
    amounts = array.astype(np.float64).ravel()
    if len(amounts) < 2:
        raise WrongShape("fewer than two flows", remedy="give at least two flows")
    if not np.isfinite(amounts).all():
        raise OutOfRange("a flow is NaN or infinite", remedy="enter numbers")
    return amounts
