"""Printed figures that day counts, calendars, money and level payments reproduce as printed."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from xlmodel.conventions.annuity import balance_after, interest_part, principal_part
from xlmodel.conventions.calendar import roll
from xlmodel.conventions.day_count import days, year_fraction
from xlmodel.conventions.money import product_cents, round_half_up

DATA = Path(__file__).parents[1] / "data" / "conventions"
with (DATA / "worked_examples.csv").open() as file:
    EXAMPLES = {row["id"]: row for row in csv.DictReader(file)}

MEMO = {
    "AFB": ("actual/actual AFB", None),
    "ISDA": ("actual/actual ISDA", None),
    # source: ISDA's memorandum of 1999: the notional coupon periods of each example
    "ISMA": ("actual/actual ICMA", {"1999-02-01": 1, "1999-07-01": 1, "2003-07-15": 2}),
}
PERIODS = {
    "1999-02-01": (date(1998, 7, 1), date(1999, 7, 1)),
    "1999-07-01": (date(1999, 7, 1), date(2000, 7, 1)),
    "2003-07-15": (date(2003, 7, 15), date(2004, 1, 15)),
}


def memorandum(name: str) -> float:
    """An example of ISDA's memorandum, by its id: rule, start and end."""
    _, rule, *parts = name.split("-")
    start, end = "-".join(parts[:3]), "-".join(parts[3:])
    convention, frequencies = MEMO[rule]
    first, last = date.fromisoformat(start), date.fromisoformat(end)
    if frequencies is None:
        return float(year_fraction(first, last, convention))
    opening, closing = PERIODS[start]
    return float(
        year_fraction(
            first, last, convention, frequency=frequencies[start], period_start=opening, period_end=closing
        )
    )


MONTH = 0.095 / 12
CASES: dict[str, Callable[[], float]] = {
    **{name: (lambda name=name: memorandum(name)) for name in EXAMPLES if name.startswith("ISDA99-")},  # type: ignore[misc]
    "NAROT-DAYS-30": lambda: days(date(2009, 2, 15), date(2009, 3, 15), "30/360"),
    "NAROT-DAYS-ACT": lambda: days(roll(date(2009, 2, 15)), roll(date(2009, 3, 15)), "actual/360"),
    "NAROT-FACTOR-A-2": lambda: 278230237.92 / 288000000,
    "NAROT-FACTOR-portfolio": lambda: 965110714.60 / 1250478522.92,
    "NAROT-INT-A-3": lambda: product_cents(381_000_000_00, 0.0446, 30, 360) / 100,
    # 18,832,431.85 at 2.7858% for 27 days; per $1,000 of 275,000,000
    "NAROT-PER1000-A-1": lambda: 18832431.85 * 0.027858 * 27 / 360 / 275_000,
    "NAROT-PER1000-A-3": lambda: product_cents(381_000_000_00, 0.0446, 30, 360) / 100 / 381_000,
    "NAROT-PRIN1000-A1": lambda: 18832431.85 / 275_000,
    "NAROT-PRIN1000-A2": lambda: 9769762.08 / 288_000,
    "SF4-1": lambda: principal_part(1, MONTH, 360, 1),
    "SF4-3": lambda: interest_part(1, MONTH, 360, 1),
    "SF4-4": lambda: interest_part(1, 0.005 / 12, 360, 1),
    "SF7-1": lambda: balance_after(1, MONTH, 359, 359 - 344),
}


@pytest.mark.parametrize("example", CASES)
def test_at_its_printed_precision(example: str) -> None:
    row = EXAMPLES[example]
    decimals = int(row["dp"])
    printed = float(row["published"])
    assert round_half_up(CASES[example](), decimals) == round_half_up(printed, decimals)


def test_the_examples_of_the_memorandum_are_all_here() -> None:
    assert sum(name.startswith("ISDA99-") for name in CASES) == 13
