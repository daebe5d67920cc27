"""Rep lines: a tape as a few lines that stand for many contracts each, and the error of doing so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange
from xlmodel.pool.contracts import Pool
from xlmodel.pool.projection import Collections, project

Floats = NDArray[np.float64]

RATE_STEP, TERM_STEP = 0.02, 12


@dataclass(frozen=True)
class RepLines:
    """``pool`` has a line a bucket that holds contracts; ``counts`` says how many, (line,)."""

    pool: Pool
    counts: NDArray[np.int64]


@dataclass(frozen=True)
class RepLineError:
    """What the lines show and the contracts do not, by speed, (scenario,).

    ``balance`` is the largest difference of the pool at a month's end, ``interest`` that of all interest,
    both parts of the cutoff balance; ``average_life`` and ``average_life_of_tape`` are years of the
    principal.
    """

    speeds: Floats
    balance: Floats
    interest: Floats
    average_life: Floats
    average_life_of_tape: Floats


def rep_lines(pool: Pool, rate_step: float = RATE_STEP, term_step: int = TERM_STEP) -> RepLines:
    """One line for the contracts of the same bucket of rate, remaining and original term.

    Buckets are ``rate_step`` wide and ``term_step`` months long.  A line's balance is the sum, its rate the
    average weighted by balance, its terms the averages so weighted, to the nearest month.  OutOfRange for a
    step that is not above 0 and for a pool with delays.
    """
    if not rate_step > 0 or term_step < 1:
        raise OutOfRange("a bucket without width", remedy="give a rate step above 0 and 1 month or more")
    if pool.delay is not None:
        raise OutOfRange("contracts with a delay have no rep lines", remedy="make lines of each delay")
    # A hair beside a boundary is on it: 0.06 / 0.02 is less than 3 in floats.
    by_rate = np.floor(pool.rate / rate_step + 1e-9).astype(np.int64)
    by_remaining = (pool.remaining_term.astype(np.int64) - 1) // term_step
    by_original = (pool.original_term.astype(np.int64) - 1) // term_step
    buckets = np.stack([by_original, by_remaining, by_rate])
    found, line, counts = np.unique(buckets, axis=1, return_inverse=True, return_counts=True)
    line = line.ravel()
    balance = np.bincount(line, pool.balance).astype(np.float64)
    if (balance == 0).any():
        raise OutOfRange("contracts without a balance have no average", remedy="leave them out")

    def average(of: Floats) -> Floats:
        weighted: Floats = np.bincount(line, pool.balance * of) / balance
        return weighted

    remaining = np.maximum(np.floor(average(pool.remaining_term) + 0.5), 1)
    original = np.maximum(np.floor(average(pool.original_term) + 0.5), remaining)
    names = tuple(
        f"{r * rate_step:.4g}-{(r + 1) * rate_step:.4g}, {m * term_step + 1}-{(m + 1) * term_step} of "
        f"{o * term_step + 1}-{(o + 1) * term_step}"
        for o, m, r in found.T.tolist()
    )
    return RepLines(Pool(names, balance, average(pool.rate), original, remaining), counts)


def error_of(lines: RepLines, pool: Pool, speeds: Sequence[float], model: str = "ABS") -> RepLineError:
    """Project the contracts and their lines at some speeds, and compare."""
    given = np.asarray(speeds, dtype=np.float64)
    months = max(pool.months, lines.pool.months)
    true = project(pool, given, model, months)
    short = project(lines.pool, given, model, months)
    whole = true.cutoff_balance
    return RepLineError(
        speeds=given,
        balance=np.abs(short.ending_balance - true.ending_balance).max(axis=1) / whole,
        interest=(short.interest.sum(axis=1) - true.interest.sum(axis=1)) / whole,
        average_life=_average_life(short),
        average_life_of_tape=_average_life(true),
    )


def _average_life(c: Collections) -> Floats:
    years = np.arange(1, c.months + 1) / 12
    principal = c.scheduled_principal + c.prepaid_principal
    return np.asarray(principal @ years / c.cutoff_balance)
