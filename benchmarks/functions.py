"""What the registry costs: one cell, and a column, beside QuantLib's Python binding.

    python benchmarks/functions.py

A single XM_YEARFRAC, from cell values to a cell value, against QuantLib's own call with its dates built from
serials.  A column of 100,000 rows, from rows of cells to rows of cells, against a loop over QuantLib and
against as many single calls.  Ours and theirs take turns in short batches and the best batch of each counts,
so that a noisy machine is noisy for both.  Exits with 1 if a single call misses its target.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import QuantLib as ql

from xlmodel.functions import call
from xlmodel.functions.cells import Argument, Rows

CALLS, ROUNDS = 100, 300  # batches of a millisecond, so that some of them are left in peace
ROWS = 100_000
SCALAR_TARGET = 3.0

COUNTERS: dict[str | float, Any] = {
    "actual/360": ql.Actual360(),
    "actual/365 fixed": ql.Actual365Fixed(),
    "actual/actual ISDA": ql.ActualActual(ql.ActualActual.ISDA),
    "actual/actual AFB": ql.ActualActual(ql.ActualActual.AFB),
    "30/360": ql.Thirty360(ql.Thirty360.BondBasis),
    "30U/360": ql.Thirty360(ql.Thirty360.USA),
    "30E/360": ql.Thirty360(ql.Thirty360.European),
    "30E/360 ISDA": ql.Thirty360(ql.Thirty360.German),
    # no QuantLib counterpart; the nearest is the yardstick
    0.0: ql.Thirty360(ql.Thirty360.USA),
    1.0: ql.ActualActual(ql.ActualActual.ISDA),
    2.0: ql.Actual360(),
}


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turns(*works: Callable[[], object], rounds: int) -> list[float]:
    """The best time of each, taken in turns."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for place, work in enumerate(works):
            best[place] = min(best[place], seconds(work))
    return best


def loop_calls(arguments: list[list[Argument]]) -> list[Any]:
    return [call("XM_YEARFRAC", each) for each in arguments]


def loop_quantlib(counter: Any, pairs: list[tuple[int, int]]) -> list[float]:
    return [counter.yearFraction(ql.Date(start), ql.Date(end)) for start, end in pairs]


def one_cell(missed: list[str]) -> None:
    start, end = 36461, 36509  # 28 October and 15 December 1999
    works: list[Callable[[], object]] = []
    for basis, counter in COUNTERS.items():
        arguments: list[list[Argument]] = [[float(start), float(end), basis]] * CALLS
        works.append(partial(loop_calls, arguments))
        works.append(partial(loop_quantlib, counter, [(start, end)] * CALLS))
    # all take turns, so that a noisy second does not fall on one of them
    best = [value / CALLS * 1e9 for value in in_turns(*works, rounds=ROUNDS)]
    print(f"{'XM_YEARFRAC, one cell':24} {'registry':>10} {'QuantLib':>10} {'ratio':>7}")
    for basis, ours, theirs in zip(COUNTERS, best[::2], best[1::2], strict=True):
        print(f"{basis!s:24} {ours:7.0f} ns {theirs:7.0f} ns {ours / theirs:6.2f}x")
        if ours > SCALAR_TARGET * theirs:
            missed.append(f"one cell, {basis}: {ours / theirs:.1f}x QuantLib's, wanted {SCALAR_TARGET:.0f}x")


def a_column() -> None:
    rng = np.random.default_rng(0)
    start = rng.integers(30_000, 60_000, ROWS)
    end = start + rng.integers(0, 12_000, ROWS)
    pairs = list(zip(start.tolist(), end.tolist(), strict=True))
    first: Rows = start[:, None].astype(float).tolist()
    last: Rows = end[:, None].astype(float).tolist()
    print(f"\n{'XM_YEARFRAC, 100,000 rows':24} {'column':>10} {'QuantLib':>10} {'cells':>10} {'ratios':>14}")
    for basis in ("actual/360", "30/360", 1.0):
        each: list[list[Argument]] = [[float(a), float(b), basis] for a, b in pairs]
        column, theirs, cells = in_turns(
            partial(call, "XM_YEARFRAC", [first, last, basis]),
            partial(loop_quantlib, COUNTERS[basis], pairs),
            partial(loop_calls, each),
            rounds=3,
        )
        times = [f"{value * 1e3:7.1f} ms" for value in (column, theirs, cells)]
        print(f"{basis!s:24} {' '.join(times)} {theirs / column:6.1f}x {cells / column:6.1f}x")


def main() -> int:
    missed: list[str] = []
    one_cell(missed)
    a_column()
    for line in missed:
        print("missed:", line)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
