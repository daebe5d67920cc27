"""Contracts laid out by age: what is alike for a projection lies together, each vintage in one piece."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange
from xlmodel.pool.contracts import Pool

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_MOST_MONTHS = 1_000_000  # of a term, an age or a delay: three of them make a number of 64 bits
# A part has about so many contracts.  Work is counted in contracts: a further age costs as much as some
# hundreds if a hundred scenarios weigh it, and to hand work to other processes as much as some thousands.
# Whoever hands over does the last part, which is longer by that.
_PART = 1 << 15
_AN_AGE = 400
_HANDING_OVER = 4096


@dataclass(frozen=True)
class Ordered:
    """Contracts in the order of delay, age and remaining term; all three are alike within a cohort.

    ``delay``, ``age``, ``term``: whole months, (cohort,).  ``start``: the first contract of each cohort, and
    the end of the last one, (cohort + 1,).  ``balance`` in dollars and ``rate`` per annum: (contract,).
    ``travels_as``: a function and its arguments that make it in another process, where its columns need not
    travel (``mapped.py``).
    """

    delay: Integers
    age: Integers
    term: Integers
    start: Integers
    balance: Floats
    rate: Floats
    travels_as: tuple[Callable[..., Ordered], tuple[Any, ...]] | None = None

    @property
    def months(self) -> int:
        """Months until the last scheduled payment."""
        return int((self.delay + self.term).max())

    def __len__(self) -> int:
        return len(self.balance)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.travels_as is not None:
            return self.travels_as
        return Ordered, (self.delay, self.age, self.term, self.start, self.balance, self.rate)

    def vintage_starts(self) -> Integers:
        """The first cohort of each vintage (same delay and age)."""
        new = (np.diff(self.delay) != 0) | (np.diff(self.age) != 0)
        return np.concatenate([[0], 1 + np.flatnonzero(new)])

    @cached_property
    def parts(self) -> list[slice]:
        """Cohorts in pieces of about equal work, no vintage in two of them.

        They depend on the pool alone, so that sums over them come out the same whoever works on them.
        """
        count = -(-len(self) // _PART)
        if count == 1:
            return [slice(0, len(self.term))]
        begins = self.vintage_starts()
        stops = np.append(begins[1:], len(self.term))
        work = np.cumsum(self.start[stops] - self.start[begins] + _AN_AGE)
        cuts = np.searchsorted(work, (work[-1] - _HANDING_OVER) * np.arange(1, count) / count)
        ends = np.unique(np.concatenate([[0], stops[cuts], [len(self.term)]]))
        return [slice(first, last) for first, last in pairwise(ends.tolist())]

    def part(self, cohorts: slice) -> Ordered:
        """Some cohorts, one after the other, as a pool of their own."""
        if cohorts == slice(0, len(self.term)):
            return self
        start = self.start[cohorts.start : cohorts.stop + 1]
        contracts = slice(int(start[0]), int(start[-1]))
        return Ordered(
            self.delay[cohorts],
            self.age[cohorts],
            self.term[cohorts],
            start - start[0],
            self.balance[contracts],
            self.rate[contracts],
        )


def in_order(pool: Pool) -> Ordered:
    """Put contracts in order.

    Raises OutOfRange for a term, an age or a delay that is no whole number of months, or one that cannot be.
    """
    terms = _whole_months(pool, "remaining term", pool.remaining_term, 1)
    ages = _whole_months(pool, "age", pool.age, 0)
    longest, oldest = int(terms.max()) + 1, int(ages.max()) + 1
    cohort = ages * longest
    cohort += terms
    if pool.delay is not None:
        cohort += _whole_months(pool, "delay", pool.delay, 0) * (oldest * longest)
    if int(cohort.max()) < 1 << 16:
        cohort = cohort.astype(np.uint16)  # sorted by digits, in a quarter of the time
    order = np.argsort(cohort, kind="stable")
    sorted_ = cohort.take(order)
    begins = np.concatenate([[0], 1 + np.flatnonzero(sorted_[1:] != sorted_[:-1])])
    present = sorted_[begins].astype(np.int64)
    return Ordered(
        delay=present // (oldest * longest),
        age=present // longest % oldest,
        term=present % longest,
        start=np.append(begins, len(pool)),
        balance=pool.balance.take(order),
        rate=pool.rate.take(order),
    )


def _whole_months(pool: Pool, what: str, months: Floats, least: int) -> Integers:
    """A term of the contracts as whole numbers."""
    with np.errstate(invalid="ignore"):  # what is no number is told below
        whole = months.astype(np.int64)
    if whole.min() < least or whole.max() > _MOST_MONTHS or (whole != months).any():
        bad = (whole < least) | (whole > _MOST_MONTHS) | (whole != months)
        first = int(np.flatnonzero(bad)[0])
        raise OutOfRange(
            f"contract {pool.names[first]}: {months[first]:g} is no {what} in whole months",
            remedy=f"give {least} to {_MOST_MONTHS:,}",
        ).at(table="Pools")
    return whole
