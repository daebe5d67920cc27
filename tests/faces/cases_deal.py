"""Cases of what a deal pays, its decrements and average lives, for the table in ``cases.py``."""

from __future__ import annotations

from tests.faces.case import NA, NAME, NUM, OMITTED, PROSPECTUS, VALUE, Case
from tests.faces.deal_ranges import CLASSES, DEAL, PAYMENTS, POOLS, SPEEDS, TERMS, changed, with_serials

# fmt: off
DEAL_CASES: tuple[Case, ...] = (
    # --- XM_DISTRIBUTIONS -----------------------------------------------------------------------------
    Case(
        "first interest of A-1", "XM_DISTRIBUTIONS", (*DEAL, 0.015), [[1283917.50]],
        f"{PROSPECTUS}, first interest", at=(1, 1), digits=2,
    ),
    Case(
        "first interest of the certificates, under headings", "XM_DISTRIBUTIONS",
        (*DEAL, 0.005, OMITTED, True),
        [[119724.52]], f"{PROSPECTUS}, first interest", at=(2, 17), digits=2,
    ),
    Case(
        "dates as serials", "XM_DISTRIBUTIONS",
        (with_serials(TERMS), with_serials(CLASSES), PAYMENTS, POOLS, [[0.015]], None, False),
        [[1283917.50]], "the same numbers as with date cells", at=(1, 1), digits=2,
    ),
    Case("#NAME? among the classes", "XM_DISTRIBUTIONS",
         (TERMS, changed(CLASSES, 2, 4, NAME), PAYMENTS, POOLS, 0.015),
         NAME, "passes through"),
    Case("a blank day count", "XM_DISTRIBUTIONS",
         (TERMS, changed(CLASSES, 2, 5, None), PAYMENTS, POOLS, 0.015), VALUE, "required"),
    Case("an unknown step", "XM_DISTRIBUTIONS",
         (TERMS, CLASSES, changed(PAYMENTS, 2, 2, "bonus"), POOLS, 0.015), VALUE, "no such step"),
    Case("a text for a speed", "XM_DISTRIBUTIONS", (*DEAL, "fast"), VALUE, "a text"),
    Case("a negative speed", "XM_DISTRIBUTIONS", (*DEAL, -0.01), NUM, "zero or more"),
    Case("a blank range of terms", "XM_DISTRIBUTIONS", ([[None, None]], *DEAL[1:], 0.015), VALUE, "required"),
    # --- XM_DECREMENT ---------------------------------------------------------------------------------
    Case(
        "A-1 after two payments", "XM_DECREMENT", (*DEAL, SPEEDS),
        [[1.0, 1.0, 1.0, 1.0], [0.798, 0.750, 0.692, 0.650], [0.697, 0.626, 0.542, 0.480]],
        f"{PROSPECTUS}, table of percent of initial principal, December 1999 and January 2000",
        at=(1, 1), digits=3,
    ),
    Case(
        "speeds in a column, two classes, one payment", "XM_DECREMENT",
        (*DEAL, [[0.005], [0.018]], [["A-4"], [None], ["a-1"]], 1.0),
        [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 0.798, 0.650]], "as above, by the order of the names", digits=3,
    ),
    Case(
        "headings", "XM_DECREMENT", (*DEAL, 0.015, "A-1", 2, False, True),
        [["A-1 1.50%"], [1.0], [0.692], [0.542]], "as above", digits=3,
    ),
    Case("all as omitted", "XM_DECREMENT", (*DEAL, SPEEDS, OMITTED, OMITTED, OMITTED)),
    Case("a class that is not there", "XM_DECREMENT", (*DEAL, SPEEDS, "B"), NA, "the deal has no class B"),
    Case("a speed of 100% among others", "XM_DECREMENT", (*DEAL, [[0.01, 1.0]]), NUM, "below 1"),
    Case("a blank speed among others", "XM_DECREMENT", (*DEAL, [[0.01, None, 0.02]]), VALUE, "a gap"),
    Case("no payment date", "XM_DECREMENT", (*DEAL, SPEEDS, OMITTED, 0.0), NUM, "one or more"),
    # --- XM_AVERAGE_LIFE ------------------------------------------------------------------------------
    Case(
        "five classes, four speeds", "XM_AVERAGE_LIFE", (*DEAL, SPEEDS),
        [
            [0.43, 0.36, 0.30, 0.27],
            [1.42, 1.20, 1.00, 0.89],
            [2.64, 2.34, 2.00, 1.80],
            [3.62, 3.31, 2.95, 2.64],
            [3.72, 3.38, 3.05, 2.72],
        ],
        f"{PROSPECTUS}, weighted average lives", digits=2,
    ),
    Case(
        "one class, one speed", "XM_AVERAGE_LIFE", (*DEAL, 0.018, [["A-3"]]), [[1.80]],
        f"{PROSPECTUS}, weighted average lives", digits=2,
    ),
    Case("a class that is not there", "XM_AVERAGE_LIFE", (*DEAL, 0.015, [["A-1", "A-9"]]), NA, "no A-9"),
    Case("#N/A among the speeds", "XM_AVERAGE_LIFE", (*DEAL, [[0.01], [NA]]), NA, "passes through"),
    Case("no pool", "XM_AVERAGE_LIFE", (*DEAL[:3], None, 0.015), VALUE, "required"),
    Case("to maturity", "XM_AVERAGE_LIFE", (*DEAL, 0.018, "A-3", True), 1.80,
         f"{PROSPECTUS}, weighted average lives; A-3 is paid before any call", digits=2),
)
# fmt: on
