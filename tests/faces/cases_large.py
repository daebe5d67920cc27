"""Cases with 30,000 cells in an argument, for the table in ``cases.py``; what comes out is counted by hand.

The ranges are made here once, so that cases that share one share it by identity too.
"""

from __future__ import annotations

from tests.faces.case import CLOSING, DIV0, FIRST_PAYMENT, NA, NUM, OMITTED, VALUE, Case, GivenCell
from tests.faces.deal_ranges import changed
from xlmodel.functions.cells import Rows

COUNT = 30_000
Block = list[list[GivenCell]]

ONES: Block = [[1.0] for _ in range(COUNT)]
SERIALS: Block = [[float(serial)] for serial in range(36461, 36461 + COUNT)]  # from the closing date on
WHOLE: Block = [[float(n)] for n in range(COUNT)]
PARTS: Block = [[n / COUNT] for n in range(COUNT)]
SQUARE: Block = [[float(200 * row + column) for column in range(200)] for row in range(150)]
CONTRACTS: Block = [[1200.0, 0.0, 12.0, 12.0] for _ in range(COUNT // 4)]

SENIOR: Rows = [[float(n < 10_000), float(n >= 10_000)] for n in range(COUNT)]
SHARED: Rows = [[0.01, 0.99] if n < 10_000 else [0.0, 1.0] for n in range(COUNT)]

# fmt: off
LARGE_CASES: tuple[Case, ...] = (
    Case("30,000 ends", "XM_DAYS", (CLOSING, SERIALS, 2.0), [[float(n)] for n in range(COUNT)],
         "0, 1, 2 ... days from the first"),
    Case("30,000 starts and ends", "XM_YEARFRAC", (SERIALS, SERIALS, "actual/360"), [[0.0]] * COUNT,
         "each is its own end"),
    Case("the last of 30,000 is no date", "XM_DAYS", (CLOSING, changed(SERIALS, COUNT, 1, "x"), 2.0), VALUE,
         "a text is no date"),
    Case("the last of 30,000 is an error", "XM_DAYS", (CLOSING, changed(SERIALS, COUNT, 1, DIV0), 2.0), DIV0,
         "passes through"),
    Case("one of 30,000 is blank", "XM_YEARFRAC", (CLOSING, changed(SERIALS, 15000, 1, None), 2.0), VALUE,
         "required"),
    Case("30,000 balances", "XM_INTEREST", (WHOLE, 0.36, 36461.0, 36471.0, 2.0, 2.0),
         [[n / 100] for n in range(COUNT)], "a hundredth in ten days"),
    Case("a block of 150 rows and 200 columns", "XM_ROUND", (SQUARE, -1.0),
         [[float((200 * row + column + 5) // 10 * 10) for column in range(200)] for row in range(150)],
         "5 and more goes up to the next ten"),
    Case("a column of 300 and a row of 100", "XM_DAYS",
         ([[float(36461 + n)] for n in range(300)], [[float(36761 + n) for n in range(100)]], 2.0),
         [[float(300 + column - row) for column in range(100)] for row in range(300)], "differences"),
    Case("30,000 claims of a dollar", "XM_ALLOCATE", (10000.0, ONES),
         SENIOR, "senior first: the first 10,000 are paid"),
    Case("30,000 claims side by side", "XM_ALLOCATE", (100.0, ONES, "pro rata"),
         SHARED, "10,000 cents for 30,000 equal claims, ties in order"),
    Case("the last of 30,000 claims is #N/A", "XM_ALLOCATE", (1.0, changed(ONES, COUNT, 1, NA)), NA,
         "passes through"),
    Case("30,000 weights", "XM_SPLIT", (300.0, ONES), [[0.01]] * COUNT, "a cent each"),
    Case("7,500 contracts", "XM_COLLECTIONS", (CONTRACTS, 0.0, OMITTED, 2.0),
         [[1.0, 9e6, 0.0, 750000.0, 0.0, 8250000.0], [2.0, 8250000.0, 0.0, 750000.0, 0.0, 7500000.0]],
         "100 a month each"),
    Case("half of 7,500 contracts", "XM_POOL_SPEED", (CONTRACTS, 4125000.0, 1.0, "SMM"), 0.5,
         "8,250,000 is scheduled", digits=12),
    Case("30,000 speeds, the first three shown", "XM_SMM_VECTOR", (PARTS, 0.0, 3.0, "SMM"),
         [[0.0], [1 / COUNT], [2 / COUNT]], "the speeds themselves"),
    Case("30,000 speeds, one below zero", "XM_SMM_VECTOR", (changed(ONES, 20000, 1, -1.0), 0.0, 3.0, "PSA"),
         NUM,
         "zero or more"),
    Case("30,000 defaults", "XM_RECOVERIES", (ONES, 0.75, 1.0),
         [[0.25 if n else 0.0] for n in range(COUNT + 1)], "a quarter, a month later"),
    Case("30,000 payment dates", "XM_COLLECTION_PERIODS", ([[FIRST_PAYMENT]] * COUNT,),
         [[36465.0, 36494.0, 1.0]] * COUNT, "November 1 to 30"),
    Case("30,000 days, business or not", "XM_IS_BUSINESS_DAY",
         ([[float(36465 + n)] for n in range(COUNT)], "weekends"),
         [[n % 7 < 5] for n in range(COUNT)], "November 1, 1999 is a Monday: five of seven"),
    Case("30,000 holidays", "XM_BUSINESS_DAY", (CLOSING, OMITTED, "none", SERIALS), 66461.0,
         "the first day after them"),
    Case("30,000 flows", "XM_IRR", (changed(ONES, 1, 1, -29999.0),), 0.0, "29,999 of 1 for 29,999", digits=9),
    Case("30,000 cells, nothing wrong", "XM_WHY", ("XM_SPLIT", 300.0, ONES),
         "XM_SPLIT shows no error for these arguments", "the sentence as documented"),
)
# fmt: on
