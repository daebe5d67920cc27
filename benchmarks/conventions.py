"""How fast day counts and roundings are, as ratios measured in one run.

    python benchmarks/conventions.py

Day counts: a column of 1,000,000 pairs against a loop over QuantLib's Python binding whose dates are built
from serials (timed over a part of the pairs); one scalar call against QuantLib's own.  Rounding: 1,000,000
products to the cent against ``decimal``.  Exits with 1 if a ratio misses its target.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from typing import Any

import numpy as np
import QuantLib as ql

from xlmodel.conventions.day_count import year_fraction
from xlmodel.conventions.money import product_cents, round_half_up
from xlmodel.conventions.serial import from_serial, to_serial

ROWS = 1_000_000
PART = 50  # the slow ways are timed over one row in so many
COLUMN_TARGET, SCALAR_TARGET, DECIMAL_TARGET = 50.0, 3.0, 20.0

COUNTERS: dict[str, Any] = {
    "actual/360": ql.Actual360(),
    "actual/365 fixed": ql.Actual365Fixed(),
    "actual/actual ISDA": ql.ActualActual(ql.ActualActual.ISDA),
    "actual/actual AFB": ql.ActualActual(ql.ActualActual.AFB),
    "30/360": ql.Thirty360(ql.Thirty360.BondBasis),
    "30U/360": ql.Thirty360(ql.Thirty360.USA),
    "30E/360": ql.Thirty360(ql.Thirty360.European),
    "30E/360 ISDA": ql.Thirty360(ql.Thirty360.German),
    "30/360 Italian": ql.Thirty360(ql.Thirty360.Italian),
}
# no QuantLib counterpart; the nearest is the yardstick
NEAREST = {"30/360 BMA": "30U/360", "excel-0": "30U/360", "excel-1": "actual/actual ISDA"}


def seconds(function: Callable[[], object], repeats: int = 5) -> float:
    """The best of a few runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def loop_quantlib(counter: Any, pairs: list[tuple[int, int]]) -> list[float]:
    return [counter.yearFraction(ql.Date(start), ql.Date(end)) for start, end in pairs]


def loop_dates(name: str, start: date, end: date, calls: int) -> list[float]:
    return [year_fraction(start, end, name) for _ in range(calls)]


def loop_serials(name: str, start: float, end: float, calls: int) -> list[float]:
    return [year_fraction(from_serial(start), from_serial(end), name) for _ in range(calls)]


def day_counts(missed: list[str]) -> None:
    rng = np.random.default_rng(0)
    start = rng.integers(30_000, 60_000, ROWS)
    end = start + rng.integers(0, 12_000, ROWS)
    first, last = (np.datetime64("1899-12-30", "D") + serials for serials in (start, end))
    some = list(zip(start[: ROWS // PART].tolist(), end[: ROWS // PART].tolist(), strict=True))
    print(
        f"{'a column of 1,000,000 pairs':32} {'datetime64':>12} {'serials':>12} {'QuantLib':>12} {'ratio':>8}"
    )
    for name in [*COUNTERS, *NEAREST]:
        # timed beside each row, because machines change their speed
        loop = PART * seconds(partial(loop_quantlib, COUNTERS[NEAREST.get(name, name)], some), 3)
        dates = seconds(partial(year_fraction, first, last, name))
        serials = seconds(partial(year_fraction, start, end, name))
        ratio = loop / max(dates, serials)
        print(f"{name:32} {dates * 1e3:9.1f} ms {serials * 1e3:9.1f} ms {loop * 1e3:9.0f} ms {ratio:7.0f}x")
        if ratio < COLUMN_TARGET:
            missed.append(f"{name}: {ratio:.0f}x, wanted {COLUMN_TARGET:.0f}x")


def one_call(missed: list[str]) -> None:
    calls = 20_000
    print(f"\n{'one call':32} {'dates':>12} {'serials':>12} {'QuantLib':>12} {'ratio':>8}")
    start, end = date(1999, 10, 28), date(1999, 12, 15)
    pairs = [(to_serial(start), to_serial(end))] * calls
    for name, counter in COUNTERS.items():
        theirs = seconds(partial(loop_quantlib, counter, pairs))
        dates = seconds(partial(loop_dates, name, start, end, calls))
        serials = seconds(partial(loop_serials, name, float(pairs[0][0]), float(pairs[0][1]), calls))
        each = [value / calls * 1e9 for value in (dates, serials, theirs)]
        ratio = serials / theirs
        print(f"{name:32} {each[0]:9.0f} ns {each[1]:9.0f} ns {each[2]:9.0f} ns {ratio:7.2f}x")
        if ratio > SCALAR_TARGET:
            missed.append(f"one call of {name}: {ratio:.1f}x QuantLib's, wanted {SCALAR_TARGET:.0f}x")


def rounding(missed: list[str]) -> None:
    rng = np.random.default_rng(1)
    balance = rng.integers(0, 10**13, ROWS)
    rate = rng.integers(1, 250_000, ROWS) / 1e6
    amounts = balance / 1e5
    cent = Decimal("0.01")

    def product(cents: int, text: str) -> Decimal:
        return (Decimal(cents) * Decimal(text) * 31 / 360 / 100).quantize(cent, ROUND_HALF_UP)

    some = [
        (cents, repr(each))
        for cents, each in zip(balance[: ROWS // PART].tolist(), rate.tolist(), strict=False)
    ]
    few = amounts[: ROWS // PART].tolist()
    rows = {
        "balance x rate x 31/360": (
            lambda: product_cents(balance, rate, 31, 360),
            lambda: [product(*each) for each in some],
        ),
        "ROUND(x, 2)": (
            lambda: round_half_up(amounts, 2),
            lambda: [Decimal(repr(each)).quantize(cent, ROUND_HALF_UP) for each in few],
        ),
    }
    print(f"\n{'1,000,000 roundings':32} {'ours':>12} {'':>12} {'decimal':>12} {'ratio':>8}")
    for name, (ours, theirs) in rows.items():
        mine, loop = seconds(ours), PART * seconds(theirs, 3)
        print(f"{name:32} {mine * 1e3:9.1f} ms {'':12} {loop * 1e3:9.0f} ms {loop / mine:7.0f}x")
        if name.startswith("balance") and loop / mine < DECIMAL_TARGET:
            missed.append(f"{name}: {loop / mine:.0f}x, wanted {DECIMAL_TARGET:.0f}x")


def main() -> int:
    missed: list[str] = []
    day_counts(missed)
    one_call(missed)
    rounding(missed)
    for line in missed:
        print("missed:", line)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
