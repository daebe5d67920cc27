"""What contracts pay when none of them prepays or defaults, summed by age: the only arithmetic on contracts.

Whether a contract has prepaid or defaulted depends on its age and on the scenario, never on its rate or
balance.  So contracts are summed once, by age, and every scenario weighs these few sums
(``projection.py``): a tape of 60,000 loans and thirteen rep lines take the same road, and a thousand
scenarios cost one pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.pool.ordered import Ordered

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Contracts are taken in blocks whose arrays have near this many numbers together: they stay in the cache of
# the processor, and a long tape needs no more memory for them than a short one.
_BLOCK = 1 << 18
# Of m months left, v^m is v^s times v^(12 j): contracts take twelve powers one by one and one from the
# exponential function for each year, so that rounding does not add up over a term, and a product of matrices
# makes the sums of all months of them.
_STEP = 12
# Contracts go to a product of matrices in bundles of so many; to begin one costs as much as some contracts.
_WIDTHS = 2 ** np.arange(9)
_TO_BEGIN = 5


@dataclass(frozen=True)
class Vintages:
    """Contracts summed by age and delay: (vintage, month + 1), in dollars, month 0 the cutoff date.

    ``balance`` is left at the end of a month, ``interest`` and ``scheduled`` principal are paid in it, if
    every contract is still there.  ``age`` and ``delay`` in whole months, (vintage,).
    """

    age: Floats
    delay: Integers
    balance: Floats
    interest: Floats
    scheduled: Floats

    @property
    def months(self) -> int:
        """Months until the last scheduled payment."""
        return int(self.balance.shape[1]) - 1

    def until(self, months: int) -> Vintages:
        """The same cut, or filled with nothing, to so many months."""
        if months == self.months:
            return self
        fill = ((0, 0), (0, max(months - self.months, 0)))
        arrays = (self.balance, self.interest, self.scheduled)
        return Vintages(self.age, self.delay, *(np.pad(a[:, : months + 1], fill) for a in arrays))


def vintages(pool: Ordered) -> Vintages:
    """Sum a pool by age."""
    begins = pool.vintage_starts()
    delay = pool.delay[begins]
    shape = (len(begins), pool.months + 1)
    vintage = np.repeat(np.arange(shape[0]), np.diff(begins, append=len(pool.term)))
    scheduled, rated = np.zeros((2, *shape))
    for cohort, principal, at_rate in _by_cohort(pool):
        # The first payment has most months left.  What a row has beyond its own term goes to month 0, in
        # which nothing is paid.
        late = pool.delay[cohort, None]
        month = late + pool.term[cohort, None] - np.arange(principal.shape[1])
        month *= month > late
        first, last = int(vintage[cohort[0]]), int(vintage[cohort[-1]])
        place = ((vintage[cohort, None] - first) * shape[1] + month).ravel()
        own = slice(first, last + 1)
        size = scheduled[own].size
        scheduled[own] += np.bincount(place, principal.ravel(), size).reshape(-1, shape[1])
        rated[own] += np.bincount(place, at_rate.ravel(), size).reshape(-1, shape[1])
    scheduled[:, 0] = 0.0
    # A balance is the principal still to come, and interest is what the rate takes of it; sums of amounts
    # of one sign, because a difference of balances would lose digits.
    interest = _to_come(rated)
    balance = np.zeros(shape)
    balance[:, :-1] = _to_come(scheduled)[:, 1:]
    balance[:, 0] = np.add.reduceat(pool.balance, pool.start[begins])
    interest[np.arange(shape[1]) <= delay[:, None]] = 0.0
    return Vintages(pool.age[begins].astype(np.float64), delay, balance, interest, scheduled)


def amortisation(rate: Floats, term: Floats, month: Any) -> Floats:
    """Part of a balance that level payments leave after ``month`` of them; arguments broadcast.

    With v = 1 / (1 + i): (1 - v^(n-t)) / (1 - v^n), straight-line where the rate (a month) is 0.
    """
    months_left = np.maximum(term - month, 0.0)
    bears = rate > 0
    growth = np.log1p(np.where(bears, rate, 1.0))
    part: Floats = np.where(
        bears, np.expm1(-months_left * growth) / np.expm1(-term * growth), months_left / term
    )
    return part


def _by_cohort(pool: Ordered) -> Iterator[tuple[Integers, Floats, Floats]]:
    """Cohorts, scheduled principal of the payment with m + 1 months left and the same times the rate.

    The two are (cohort, m).  A cohort may come again, with other contracts; what a row has beyond its own
    term means nothing.
    """
    sizes = np.diff(pool.start)
    counts = -(-sizes // _WIDTHS[:, None])
    width = int(_WIDTHS[np.argmin(counts.sum(axis=1) * (_WIDTHS + _TO_BEGIN))])
    count = -(-sizes // width)
    ends = np.cumsum(count)
    cohort = np.repeat(np.arange(len(sizes)), count)
    first = pool.start[cohort] + width * (np.arange(ends[-1]) - (ends - count)[cohort])
    years = -(-int(pool.term.max()) // _STEP)
    some = max(1, _BLOCK // (width * (2 * years + _STEP) + 2 * years * _STEP))
    for begin in range(0, len(first), some):
        own = cohort[begin : begin + some]
        sums = _of_bundles(pool, own, first[begin : begin + some], width, years)
        starts = np.flatnonzero(np.diff(own, prepend=-1))
        if len(starts) < len(own):
            own, sums = own[starts], np.add.reduceat(sums, starts, axis=0)
        principal, at_rate = np.moveaxis(sums.reshape(len(own), 2, -1), 1, 0)
        yield own, principal, at_rate


def _of_bundles(pool: Ordered, cohort: Integers, first: Integers, width: int, years: int) -> Floats:
    """The sums of bundles of contracts: (bundle, what and year, month of it).

    Of a level payment P the principal is P v^m.
    """
    contract = first[:, None] + np.arange(width)
    there = contract < pool.start[cohort + 1, None]
    contract = np.minimum(contract, len(pool) - 1).ravel()
    rate, term = pool.rate[contract], np.repeat(pool.term[cohort].astype(np.float64), width)
    rate /= 12
    balance = pool.balance[contract] * there.ravel()
    growth = np.log1p(rate)
    level = balance / term
    np.divide(-balance * rate, np.expm1(-term * growth), out=level, where=rate > 0)
    factor = 1.0 - rate / (1.0 + rate)  # not 1 / (1 + i), whose sum would round the rate
    months, by_year = np.empty((_STEP, len(rate))), np.empty((2 * years, len(rate)))
    np.multiply(level, factor, out=months[0])
    done = 1
    while done < _STEP:
        np.multiply(months[: min(done, _STEP - done)], factor, out=months[done : 2 * done])
        factor *= factor
        done *= 2
    np.multiply.outer(-float(_STEP) * np.arange(years), growth, out=by_year[:years])
    np.exp(by_year[:years], out=by_year[:years])
    np.multiply(by_year[:years], rate, out=by_year[years:])
    bundles = (len(first), width)
    sums: Floats = by_year.reshape(-1, *bundles).transpose(1, 0, 2) @ months.reshape(-1, *bundles).transpose(
        1, 2, 0
    )
    return sums


def _to_come(paid: Floats) -> Floats:
    """Sums from each month to the end."""
    sums: Floats = np.cumsum(paid[:, ::-1], axis=1)[:, ::-1]
    return sums
