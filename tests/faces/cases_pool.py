"""Cases of pools: collections and factors, for the table in ``cases.py``."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from tests.faces.case import NULL, NUM, OMITTED, REF, VALUE, Case
from tests.faces.deal_ranges import POOLS, changed

# fmt: off
POOL_CASES: tuple[Case, ...] = (
    # --- XM_COLLECTIONS -------------------------------------------------------------------------------
    Case(
        "one row, no interest", "XM_COLLECTIONS", ([["P", 1200.0, 0.0, 12.0, 12.0]], 0.0, OMITTED, 2.0),
        [[1.0, 1200.0, 0.0, 100.0, 0.0, 1100.0], [2.0, 1100.0, 0.0, 100.0, 0.0, 1000.0]],
        "1,200 / 12 a month and no prepayment",
    ),
    Case(
        "half prepays each month", "XM_COLLECTIONS", ([[Decimal("1000.00"), 0.0, 10.0, 10.0]], 0.5, "SMM", 1),
        [[1.0, 1000.0, 0.0, 100.0, 450.0, 450.0]], "100 is paid as scheduled, half of the other 900 prepays",
    ),
    Case(
        "two months at 12%", "XM_COLLECTIONS", ([[1000.0, 0.12, 2.0, 2.0]], 0.0),
        [[1.0, 1000.0, 10.0, 497.5124, 0.0, 502.4876], [2.0, 502.4876, 5.0249, 502.4876, 0.0, 0.0]],
        "principal of the first month 1000 / (1 + 1.01), the second 1.01 times as much", digits=4,
    ),
    Case(
        "headings", "XM_COLLECTIONS", (POOLS, 0.015, "ABS", OMITTED, True), [["Month", "Beginning balance"]],
        "the first headings as documented", at=(1, 1),
    ),
    Case(
        "the whole pool", "XM_COLLECTIONS", (POOLS, 0.015), [[1.0, 643957759.72]],
        "the pool is as large as the five classes: 155,250,000 + 208,650,000 + 178,900,000 + 88,278,000"
        " + 12,879,759.72", at=(1, 1), digits=2,
    ),
    Case("a pool of one row, no name", "XM_COLLECTIONS", ([list(row[1:]) for row in POOLS[1:2]], 0.018)),
    Case("#REF! in the pool", "XM_COLLECTIONS", (changed(POOLS, 3, 2, REF), 0.015),
         REF, "passes through"),
    Case("a text for a balance", "XM_COLLECTIONS", (changed(POOLS, 3, 2, "many"), 0.015), VALUE, "a text"),
    Case("a blank rate", "XM_COLLECTIONS", (changed(POOLS, 3, 3, None), 0.015), VALUE, "required"),
    Case("speed 150%", "XM_COLLECTIONS", (POOLS, 1.5), NUM, "below 1"),
    Case("a blank pool", "XM_COLLECTIONS", (None, 0.015), VALUE, "required"),
    Case("speeds by month", "XM_COLLECTIONS", ([[1200.0, 0.0, 12.0, 12.0]], [[0.0], [0.5]], "SMM", 2.0),
         [[1.0, 1200.0, 0.0, 100.0, 0.0, 1100.0], [2.0, 1100.0, 0.0, 100.0, 500.0, 500.0]],
         "nothing prepays, then half of the 1,000 left"),
    Case("a name that is a number, blank rows below", "XM_COLLECTIONS",
         ([[7.0, 1200.0, 0.0, 12.0, 12.0], [None] * 5, [None] * 5], 0.0, OMITTED, 1.0),
         [[1.0, 1200.0, 0.0, 100.0, 0.0, 1100.0]], "1,200 / 12; blank rows are no contracts"),
    Case("months that the pool lacks", "XM_COLLECTIONS", ([[1200.0, 0.0, 12.0, 12.0]], 0.0, OMITTED, 0.0),
         NUM,
         "one or more"),
    Case("a reported month", "XM_COLLECTIONS",
         ([["month", "beginning balance", "interest", "principal", "ending balance"],
           [dt.date(1999, 11, 30), 1000.0, 5.0, 100.0, 900.0]], 0.0),
         [[1.0, 1000.0, 5.0, 100.0, 0.0, 900.0]], "as reported"),
    Case("a speed for a reported month", "XM_COLLECTIONS",
         ([["month", "beginning balance", "interest", "principal", "ending balance"],
           [dt.date(1999, 11, 30), 1000.0, 5.0, 100.0, 900.0]], 0.01), NUM,
         "what was collected is reported"),
    # --- XM_POOL_FACTOR -------------------------------------------------------------------------------
    Case("seven digits", "XM_POOL_FACTOR", (98765432.1, 1e8), 0.9876543, "0.987654321 to seven decimals"),
    Case(
        "currency cells", "XM_POOL_FACTOR", (Decimal("123456.75"), Decimal("1000000.00")), 0.1234568,
        "0.12345675 to seven decimals, half up",
    ),
    Case("two digits", "XM_POOL_FACTOR", (98765432.1, 1e8, 2.0), 0.99, "0.987654321 to two decimals"),
    Case("int arguments", "XM_POOL_FACTOR", (1, 3, 4), 0.3333, "one third"),
    Case("digits a blank cell", "XM_POOL_FACTOR", ([[2.0]], [[3.0]], [[None]]), 0.6666667, "two thirds"),
    Case("no original balance", "XM_POOL_FACTOR", (1.0, 0.0), NUM, "above zero"),
    Case("a blank original balance", "XM_POOL_FACTOR", (1.0, None), VALUE, "required"),
    Case("a number written as text", "XM_POOL_FACTOR", ("1", 2.0), VALUE, "a text never counts as a number"),
    Case("#NULL! for a balance", "XM_POOL_FACTOR", (NULL, 2.0), NULL, "passes"),
    Case("two columns", "XM_POOL_FACTOR", ([[1.0], [2.0]], [[4.0], [3.0]]), [[0.25], [0.6666667]],
         "a quarter, two thirds"),
    Case("a factor above one", "XM_POOL_FACTOR", (3.0, 2.0), 1.5, "3 / 2: a balance may grow"),
    Case("half of the last digit", "XM_POOL_FACTOR", (0.00000005, 1.0), 0.0000001, "half up"),
)
# fmt: on
