"""Cases of what the functions say about themselves, for the table in ``cases.py``."""

from __future__ import annotations

from tests.faces.case import CLOSING, FIRST_PAYMENT, NAME, OMITTED, REF, VALUE, Case
from tests.faces.deal_ranges import DEAL, POOLS, changed

# fmt: off
ABOUT_CASES: tuple[Case, ...] = (
    # --- XM_WHY ---------------------------------------------------------------------------------------
    Case(
        "nothing wrong", "XM_WHY", ("XM_INTEREST", 100.0, 0.06, CLOSING, FIRST_PAYMENT, OMITTED, 2.0),
        "XM_INTEREST shows no error for these arguments", "the sentence as documented",
    ),
    Case("a negative balance", "XM_WHY", ("XM_INTEREST", -1.0, 0.06, CLOSING, FIRST_PAYMENT)),
    Case("a cell of a range", "XM_WHY", ("xm_collections", changed(POOLS, 3, 2, "many"), 0.015)),
    Case("an error in a cell", "XM_WHY", ([["XM_YEARFRAC"]], REF, None)),
    Case("arguments missing", "XM_WHY", ("XM_DAYS",)),
    Case("no such function", "XM_WHY", ("XM_NOTHING", 1.0), NAME, "no function, so #NAME?"),
    Case("no name", "XM_WHY", (None,), VALUE, "required"),
    Case("no longer wrong when the blank is filled", "XM_WHY", ("XM_POOL_FACTOR", [[1.0]], [[2.0]]),
         "XM_POOL_FACTOR shows no error for these arguments", "the sentence as documented"),
    Case("the name in lower case, blanks around options", "XM_WHY", ("xm_days", CLOSING, FIRST_PAYMENT, None),
         "XM_DAYS shows no error for these arguments", "names of functions are found in any case"),
    Case("a name that no function has, shown", "XM_WHY", ("XM_INTREST",), NAME, "no function, so #NAME?"),
    Case("a function of no arguments", "XM_WHY", ("XM_VERSION",),
         "XM_VERSION shows no error for these arguments", "the sentence as documented"),
    Case(
        "a cell of an array", "XM_WHY",
        ("XM_LEDGER, row 2, column 5", *DEAL, 0.015, FIRST_PAYMENT),
        # Prospectus page 43: 155,250,000 x 6.2025% x 48/360 = 1,283,917.50; page 79: fees of 536,631.47 and
        # 516,535.69 leave 58,983,605.07 - 1,053,167.16 = 57,930,437.91 of what was collected.
        "Payment date 1, 15 December 1999, at a speed of 1.5% ABS. Clause 2 (row 3 of Payments) pays "
        "'interest' to Notes. 155,250,000.00 outstanding x 6.2025% (row 2 of Classes, stated, page 4) x "
        "48/360 of a year (actual/360, row 2 of Classes) accrues 1,283,917.50. The amount due bound: "
        "1,283,917.50 was due and paid in full. Cash before the clause 57,930,437.91, after this payment "
        "56,646,520.41.",
        "the rule of the prospectus, page 43; the collections of the first date, tests/deal",
    ),
    Case("a cell outside the result", "XM_WHY", ("XM_LEDGER, row 2, column 8", *DEAL, 0.015, FIRST_PAYMENT)),
    Case(
        "a cell whose function fails", "XM_WHY",
        ("xm_collections row 1 column 1", changed(POOLS, 3, 2, "x"), 0.0),
    ),
    Case("an error for a name", "XM_WHY", (REF, 1.0), REF, "passes through"),
    Case("a range for a name", "XM_WHY", ([["XM_DAYS"], ["XM_SMM"]], 1.0), VALUE, "one cell is asked for"),
    # --- XM_VERSION -----------------------------------------------------------------------------------
    Case("version", "XM_VERSION", ()),
)
# fmt: on
