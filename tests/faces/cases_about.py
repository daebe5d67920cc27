"""Cases of what the functions say about themselves, for the table in ``cases.py``."""

from __future__ import annotations

from tests.faces.case import CLOSING, FIRST_PAYMENT, NAME, OMITTED, REF, VALUE, Case
from tests.faces.deal_ranges import POOLS, changed

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
    Case("an error for a name", "XM_WHY", (REF, 1.0), REF, "passes through"),
    Case("a range for a name", "XM_WHY", ([["XM_DAYS"], ["XM_SMM"]], 1.0), VALUE, "one cell is asked for"),
    # --- XM_VERSION -----------------------------------------------------------------------------------
    Case("version", "XM_VERSION", ()),
)
# fmt: on
