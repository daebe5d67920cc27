"""What contracts pay when none of them prepays or defaults, summed by age: the only pass over contracts.

Whether a contract has prepaid or defaulted depends on its age and on the scenario, never on its rate or
balance.  So contracts are summed once, by age, and every scenario weighs these few sums
(``projection.py``): a tape of 60,000 loans and thirteen rep lines take the same road, and a thousand
scenarios cost one pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange
from xlmodel.pool.contracts import Pool

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Contracts are taken in blocks whose (month, contract) arrays have near this many numbers: they stay in the
# processor's cache, and memory does not grow with the tape.
_BLOCK = 1 << 18
# Contracts are sorted in runs of so many, for the same reason: what a block picks from all over a long tape
# would not be there.
_RUN = 1 << 15
# So many months are multiplied one after the other; those that follow are these, times a power of the
# discount factor from the exponential function, so that rounding does not add up over a term.
_STEP = 12


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


class _Block(NamedTuple):
    """A block of sorted contracts, by place, and where its cohorts (same term and vintage) begin."""

    contracts: NDArray[np.intp]
    cohorts: NDArray[np.intp]
    longest: int


def vintages(pool: Pool, executor: Executor | None = None) -> Vintages:
    """Sum a pool by age.  Runs of contracts go to the ``executor`` (of threads), if there is one.

    The sums are the same to the last bit with and without.  Raises OutOfRange for a term or an age that is
    no whole number of months, or below the least.
    """
    terms, ages, delays = _whole_months(pool)
    span = int(ages.max()) + 1
    keys = ages if pool.delay is None else delays * span + ages
    present = np.flatnonzero(np.bincount(keys))
    place = np.zeros(int(keys.max()) + 1, dtype=np.int64)
    place[present] = np.arange(len(present))
    vintage = place[keys]
    cohort = terms * len(present) + vintage
    if int(cohort.max()) < 1 << 16:
        cohort = cohort.astype(np.uint16)  # sorted by digits, in a quarter of the time
    last = terms if pool.delay is None else terms + delays
    shape = (len(present), int(last.max()) + 1)
    scratch = _Scratch()

    def run(start: int) -> tuple[Floats, Floats]:
        """Scheduled principal by vintage and month of some contracts, and the same times the rate."""
        order = start + np.argsort(cohort[start : start + _RUN], kind="stable")
        places, principal, at_rate = [], [], []
        for block in _blocks(cohort[order], terms[order], order):
            plain, weighted = _summed(pool, scratch, block)
            firsts = block.contracts[block.cohorts]
            own, late = terms[firsts], delays[firsts]
            # The first payment has most months left.
            month = (late + own) - np.arange(block.longest)[:, None]
            paid = month > late
            places.append((vintage[firsts] * shape[1] + month)[paid])
            principal.append(plain[paid])
            at_rate.append(weighted[paid])
        where, size = np.concatenate(places), shape[0] * shape[1]
        in_all = np.bincount(where, np.concatenate(principal), size).astype(np.float64, copy=False)
        return in_all, np.bincount(where, np.concatenate(at_rate), size).astype(np.float64, copy=False)

    starts = range(0, len(pool), _RUN)
    runs = map(run, starts) if executor is None else executor.map(run, starts)
    scheduled, rated = (sum(each).reshape(shape) for each in zip(*runs, strict=True))
    # A balance is the principal still to come, and interest is what the rate takes of it; sums of amounts
    # of one sign, because a difference of balances would lose digits.
    interest = _to_come(rated)
    balance = np.pad(_to_come(scheduled)[:, 1:], ((0, 0), (0, 1)))
    balance[:, 0] = np.bincount(vintage, pool.balance, len(present))
    delay_of = present // span
    interest[np.arange(shape[1]) <= delay_of[:, None]] = 0.0
    return Vintages((present % span).astype(np.float64), delay_of, balance, interest, scheduled)


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


def _whole_months(pool: Pool) -> tuple[Integers, Integers, Integers]:
    """Remaining term, age and delay of each contract."""
    columns = [("remaining term", pool.remaining_term, 1), ("age", pool.age, 0)]
    if pool.delay is not None:
        columns.append(("delay", pool.delay, 0))
    found = []
    for what, months, least in columns:
        whole = months.astype(np.int64)
        bad = (whole != months) | (whole < least)
        if bad.any():
            first = int(np.flatnonzero(bad)[0])
            raise OutOfRange(
                f"contract {pool.names[first]}: {months[first]:g} is no {what} in whole months",
                remedy=f"give {least} or more",
            ).at(table="Pools")
        found.append(whole)
    terms, ages, *delays = found
    return terms, ages, delays[0] if delays else np.zeros(len(pool), dtype=np.int64)


def _blocks(cohort: NDArray[Any], terms: Integers, order: NDArray[np.intp]) -> Iterator[_Block]:
    """Sorted contracts in blocks; the arguments are in that order."""
    start = 0
    while start < len(order):
        # Terms rise, so the last contract has the longest; a first guess is corrected once.
        stop = min(start + max(1, _BLOCK // int(terms[start])), len(order))
        stop = min(start + max(1, _BLOCK // int(terms[stop - 1])), stop)
        own = cohort[start:stop]
        begins = np.flatnonzero(np.concatenate([[True], own[1:] != own[:-1]]))
        yield _Block(order[start:stop], begins, int(terms[stop - 1]))
        start = stop


class _Scratch(local):
    """Room for one block in each thread: fresh memory for every block would cost more than the arithmetic."""

    def __init__(self) -> None:
        self.room = np.empty(_BLOCK)

    def shaped(self, rows: int, columns: int) -> Floats:
        """A part of the room; its own if a single contract is longer than a block."""
        size = rows * columns
        return (self.room[:size] if size <= len(self.room) else np.empty(size)).reshape(rows, columns)


def _summed(pool: Pool, scratch: _Scratch, block: _Block) -> tuple[Floats, Floats]:
    """Scheduled principal of the payment with m months left, and the same times the rate: (m, cohort).

    Of a level payment P the principal is P v^m.  Rows beyond a cohort's own term mean nothing.
    """
    contracts = block.contracts
    balance, rate, term = pool.balance[contracts], pool.rate[contracts] / 12, pool.remaining_term[contracts]
    growth = np.log1p(rate)
    level = balance / term
    np.divide(-balance * rate, np.expm1(-term * growth), out=level, where=rate > 0)
    principal = scratch.shaped(block.longest, len(contracts))
    factor = 1.0 - rate / (1.0 + rate)  # not 1 / (1 + i), whose sum would round the rate
    first = principal[:_STEP]
    np.multiply(level, factor, out=first[0])
    for before, row in pairwise(first):
        np.multiply(before, factor, out=row)
    for months in range(_STEP, block.longest, _STEP):
        rows = principal[months : months + _STEP]
        np.multiply(first[: len(rows)], np.exp(-months * growth), out=rows)
    plain = np.add.reduceat(principal, block.cohorts, axis=1)
    principal *= rate
    return plain, np.add.reduceat(principal, block.cohorts, axis=1)


def _to_come(paid: Floats) -> Floats:
    """Sums from each month to the end."""
    sums: Floats = np.cumsum(paid[:, ::-1], axis=1)[:, ::-1]
    return sums
