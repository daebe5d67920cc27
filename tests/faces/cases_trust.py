"""Cases of the card master trust, the loan agreement and the servicer, for the table in ``cases.py``."""

from __future__ import annotations

import datetime as dt

from tests.faces.case import NUM, OMITTED, VALUE, Case, Given, GivenCell
from xlmodel.functions.cells import CellError

NOT_AVAILABLE = CellError("#N/A")

# A trust of one series, which has 800 of 1,000 receivables: of 20.00 finance charges 16.00 are its own.
TRUST: list[list[GivenCell]] = [
    ["Trust", "Receivables", "Minimum transferor", "Account rate", "Months averaged", "Restricted from"],
    ["Small", 1000.0, 0.05, 0.0, 3.0, None],
]
GROUPS: list[list[GivenCell]] = [["Group", "Reallocates"], ["One", False]]
SERIES: list[list[GivenCell]] = [
    [
        "Series", "Group", "Servicing fee", "Accumulates from", "Expected payment", "Controlled amount",
        "Reserve", "Reserve from", "Shares principal", "Shares excess",
    ],
    [
        "X", "One", 0.0, dt.date(2030, 1, 31), dt.date(2031, 1, 31), 0.0, 0.0, dt.date(2030, 1, 31), False,
        False,
    ],
]  # fmt: skip
CLASSES: list[list[GivenCell]] = [["Class", "Series", "Amount", "Rate"], ["A", "X", 800.0, 0.06]]
MONTHS: list[list[GivenCell]] = [
    ["Month", "Finance charges", "Principal", "Defaults", "Added"],
    [dt.date(2026, 1, 31), 20.0, 100.0, 5.0, 105.0],
    [None, None, None, None, None],
]
A_TRUST: tuple[Given, ...] = (TRUST, GROUPS, SERIES, CLASSES, MONTHS)
NO_GROUP: list[list[GivenCell]] = [SERIES[0], ["X", None, *SERIES[1][2:]]]

AGREEMENT: list[list[GivenCell]] = [
    [
        "Agent", "Event of default", "Agent costs", "Notes", "Commitment fees", "Letter of credit fees",
        "Undrawn letters", "Holding account",
    ],
    ["Agent", dt.date(2026, 6, 1), 30.0, 1000.0, 7.0, 3.0, 200.0, "Holding"],
]  # fmt: skip
BANKS: list[list[GivenCell]] = [
    ["Bank", "Term percentage", "Revolving percentage", "Total percentage", "Costs"],
    ["N", 0.6, 0.5, 0.55, 10.0],
    ["S", 0.4, 0.5, 0.45, 0.0],
]
PROVIDERS: list[list[GivenCell]] = [["Provider", "Owed"], ["P", 250.0]]
RECEIPTS: list[list[GivenCell]] = [
    ["Received", "Kind", "Amount"],
    [dt.date(2026, 5, 1), "term notes", 100.0],
    [dt.date(2026, 6, 1), "collateral", 665.0],
]
BEYOND: list[list[GivenCell]] = [BANKS[0], BANKS[1], ["S", 0.5, 0.5, 0.45, 0.0]]
LATE: list[list[GivenCell]] = [RECEIPTS[0], RECEIPTS[2], RECEIPTS[1]]

SERVICER: list[list[GivenCell]] = [
    ["Servicer", "Cutoff date", "Closing date", "Distribution day", "Calendar"],
    ["Servicer", dt.date(2026, 3, 31), dt.date(2026, 4, 22), 15.0, "FED"],
]
CONDITIONS: list[list[GivenCell]] = [
    ["From", "Is servicer", "Termination event", "S&P", "Fitch"],
    [dt.date(2026, 5, 1), True, False, "A-1", "F1"],
]
RECEIVED: list[list[GivenCell]] = [
    ["Received", "Receivable", "Kind", "Amount"],
    [dt.date(2026, 5, 18), "R", "payment", 80.0],
]
ADVANCED: list[list[GivenCell]] = [["Advanced", "Receivable", "Amount"], [dt.date(2026, 5, 14), "R", 50.0]]
DETERMINED: list[list[GivenCell]] = [["Determined", "Receivable", "Amount"], [None, None, None]]
NEVER: list[list[GivenCell]] = [DETERMINED[0], [dt.date(2026, 5, 15), "S", None]]


def serial(year: int, month: int, day: int) -> float:
    return float((dt.date(year, month, day) - dt.date(1899, 12, 30)).days)


# A call of each function that has an answer; its first argument is spoilt in cases of their own.
CALLS: dict[str, tuple[Given, ...]] = {
    "XM_ALLOCATION_PERCENTAGES": (1000.0, [[300.0]]),
    "XM_SHARE_AMONG_SERIES": ([[6.0]], [[0.0]]),
    "XM_PRINCIPAL_SHORTFALL": ("accumulation", 20.0, 26.0, 200.0),
    "XM_REALLOCATE_PRINCIPAL": (1.0, 1.0, 1.0),
    "XM_FIRST_RECEIVED": (5.0, 1.0),
    "XM_OLDEST_FIRST": (5.0, 1.0),
    "XM_TRUST_MONTHS": A_TRUST,
    "XM_TRUST_SERIES": (*A_TRUST, "X"),
    "XM_TRUST_CLASSES": (*A_TRUST, "X"),
    "XM_ALLOCATE_RUNGS": (1.0, "a", 1.0),
    "XM_LOAN_RECEIPTS": (AGREEMENT, BANKS, PROVIDERS, RECEIPTS),
    "XM_LOAN_CLAIMS": (AGREEMENT, BANKS, PROVIDERS, 1.0),
    "XM_REMITTANCE_DATES": (SERVICER, CONDITIONS, dt.date(2026, 5, 18)),
    "XM_ADVANCE_LEDGER": (SERVICER, CONDITIONS, RECEIVED, ADVANCED, DETERMINED),
}
WITH_HEADER = (
    "XM_LOAN_RECEIPTS", "XM_REMITTANCE_DATES", "XM_ADVANCE_LEDGER", "XM_TRUST_SERIES",
)  # fmt: skip
SPOILS: tuple[tuple[str, Given, CellError, str], ...] = (
    ("a blank first argument", None, VALUE, "required"),
    ("#N/A for the first argument", CellError("#N/A"), CellError("#N/A"), "passes through"),
    ("#REF! for the first argument", CellError("#REF!"), CellError("#REF!"), "passes through"),
    ("#DIV/0! for the first argument", [[CellError("#DIV/0!")]], CellError("#DIV/0!"), "passes through"),
    ("an empty text for the first argument", "", VALUE, "an empty text is blank"),
)
SPOILT: tuple[Case, ...] = tuple(
    Case(name, function, (spoilt, *given[1:]), shown, source)
    for function, given in CALLS.items()
    for name, spoilt, shown, source in SPOILS
)
HEADED: tuple[Case, ...] = tuple(
    Case("asked for headings", function, (*CALLS[function], True)) for function in WITH_HEADER
)

# fmt: off
TRUST_CASES: tuple[Case, ...] = (
    # --- XM_ALLOCATION_PERCENTAGES -----------------------------------------------------------------
    Case(
        "two series", "XM_ALLOCATION_PERCENTAGES", (1000.0, [[300.0], [500.0]]),
        [[0.375, 0.8, 0.3], [0.625, 0.8, 0.5]], "300 and 500 of 800; 800 of 1,000", digits=12,
    ),
    Case(
        "beyond the receivables, headings", "XM_ALLOCATION_PERCENTAGES", (1000.0, [[900.0, 300.0]], True),
        [["Series percentage", "Investor percentage", "Of all collections"], [0.75, 1.0, 0.75],
         [0.25, 1.0, 0.25]], "by 1,200, all numerators", digits=12,
    ),
    Case("a zero denominator", "XM_ALLOCATION_PERCENTAGES", (1000.0, [[0.0], [0.0]]),
         [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], "gives zero"),
    Case("a negative numerator", "XM_ALLOCATION_PERCENTAGES", (1000.0, [[-1.0]]), NUM, "zero or more"),
    # --- XM_SHARE_AMONG_SERIES ---------------------------------------------------------------------
    Case(
        "six among two and six", "XM_SHARE_AMONG_SERIES", ([[6.0], [0.0], [0.0]], [[0.0], [2.0], [6.0]]),
        [[6.0, 0.0, 0.0], [0.0, 1.5, 0.5], [0.0, 4.5, 1.5]], "6 x 2 / 8 and 6 x 6 / 8",
    ),
    Case(
        "capped, two givers", "XM_SHARE_AMONG_SERIES", ([[3.0, 1.0, 0.0]], [[0.0, 0.0, 1.2]], True),
        [["Given", "Received", "Still short"], [0.9, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 1.2, 0.0]],
        "1.20 of 4: three quarters and a quarter",
    ),
    Case("nobody short", "XM_SHARE_AMONG_SERIES", ([[None]], [[0.0]]), VALUE, "a blank amount"),
    Case("nothing to share", "XM_SHARE_AMONG_SERIES", ([[None], [None]], [[1.0], [2.0]]), NOT_AVAILABLE,
         "no amounts given"),
    # --- XM_PRINCIPAL_SHORTFALL --------------------------------------------------------------------
    Case("accumulation", "XM_PRINCIPAL_SHORTFALL", ("accumulation", 20.0, 26.0, 200.0), 6.0, "26 - 20"),
    Case(
        "all periods", "XM_PRINCIPAL_SHORTFALL",
        ([["revolving"], ["Accumulation"], ["early amortization"], ["ended"]], 30.0, 26.0, 300.0),
        [[0.0], [0.0], [270.0], [0.0]], "nothing; 26 - 30 is no excess; 300 - 30; nothing",
    ),
    Case("an unknown period", "XM_PRINCIPAL_SHORTFALL", ("late", 1.0, 1.0, 1.0), VALUE, "no such period"),
    # --- XM_REALLOCATE_PRINCIPAL -------------------------------------------------------------------
    Case(
        "the most junior first", "XM_REALLOCATE_PRINCIPAL",
        ([[10.0], [5.0], [3.0]], [[50.0], [4.0], [8.0]], [[100.0], [20.0], [30.0]]),
        [[10.0, 0.0, 100.0], [0.0, 2.0, 18.0], [0.0, 8.0, 22.0]], "C gives 8, B 2",
    ),
    Case(
        "no more than it is invested", "XM_REALLOCATE_PRINCIPAL",
        ([[10.0, 0.0]], [[50.0, 9.0]], [[100.0, 6.0]], True),
        [["Covered", "Taken", "Invested amount after"], [6.0, 0.0, 100.0], [0.0, 6.0, 0.0]], "B has 6",
    ),
    Case("two amounts for one class", "XM_REALLOCATE_PRINCIPAL", (1.0, [[1.0], [2.0]], 1.0), VALUE,
         "one each"),
    # --- XM_FIRST_RECEIVED, XM_OLDEST_FIRST --------------------------------------------------------
    Case("900 held", "XM_FIRST_RECEIVED", ([[400.0], [300.0], [250.0], [100.0]], 900.0),
         [[400.0], [300.0], [200.0], [0.0]], "900 - 400 - 300 = 200"),
    Case("nothing held", "XM_FIRST_RECEIVED", (5.0, 0.0), [[0.0]], "no receivables at the event"),
    Case("a negative holding", "XM_FIRST_RECEIVED", (5.0, -1.0), NUM, "zero or more"),
    Case("two accounts", "XM_OLDEST_FIRST", ([[400.0], [100.0]], [[320.0, 180.0], [320.0, None]]),
         [[320.0, 80.0], [100.0, 0.0]], "320, then the rest; 100 of 320"),
    Case("beyond all balances", "XM_OLDEST_FIRST", (600.0, [[320.0, 180.0]]), [[320.0, 180.0]],
         "100 pays none"),
    Case("a row too many", "XM_OLDEST_FIRST", (600.0, [[1.0], [2.0]]), VALUE, "one account"),
    # --- XM_TRUST_MONTHS, XM_TRUST_SERIES, XM_TRUST_CLASSES ----------------------------------------
    Case(
        "one month and a blank row", "XM_TRUST_MONTHS", A_TRUST,
        [[serial(2026, 1, 31), 1000.0, 0.0, 20.0, 100.0, 5.0, 105.0, 4.0, 20.0, 1.0]], "a fifth of each",
        at=(1, 1),
    ),
    Case("headings", "XM_TRUST_MONTHS", (*A_TRUST, True), [["Month", "Receivables"]],
         "as documented", at=(1, 1)),
    Case("a series in no group", "XM_TRUST_MONTHS", (TRUST, GROUPS, NO_GROUP, CLASSES, MONTHS), NUM,
         "no group"),
    Case(
        "of all collections", "XM_TRUST_SERIES", (*A_TRUST, "x"),
        [[serial(2026, 1, 31), "revolving", 800.0, 0.0, 800.0, 1.0, 0.8, 1.0, 0.8, 16.0, 4.0, 80.0]],
        "four fifths of each", at=(1, 1), digits=12,
    ),
    Case("no such series", "XM_TRUST_SERIES", (*A_TRUST, "Y"), NOT_AVAILABLE, "only X"),
    Case(
        "interest", "XM_TRUST_CLASSES", (*A_TRUST, "X", OMITTED), [[serial(2026, 1, 31), 4.0, 4.0]],
        "800 x 6% / 12", at=(1, 1),
    ),
    Case("headings", "XM_TRUST_CLASSES", (*A_TRUST, "X", True), [["Month", "A: interest due"]],
         "as documented",
         at=(1, 1)),
    # --- XM_ALLOCATE_RUNGS -------------------------------------------------------------------------
    Case(
        "the second rung in part", "XM_ALLOCATE_RUNGS",
        (66.5, [["a"], ["a"], ["b"], ["b"], ["c"]], [[3.0], [1.0], [100.0], [25.0], [5.0]]),
        [[3.0, 0.0], [1.0, 0.0], [50.0, 50.0], [12.5, 12.5], [0.0, 5.0]], "62.50 is half of 125",
    ),
    Case("numbers for rungs", "XM_ALLOCATE_RUNGS", (1.0, [[2.0], [1.0]], [[0.75], [0.75]]),
         [[0.75, 0.0], [0.25, 0.5]], "in the order in which they are named"),
    Case("a rung without a claim", "XM_ALLOCATE_RUNGS", (1.0, [["a"], ["b"]], [[1.0]]), VALUE, "two and one"),
    # --- XM_LOAN_RECEIPTS, XM_LOAN_CLAIMS ----------------------------------------------------------
    Case(
        "before and after", "XM_LOAN_RECEIPTS", (AGREEMENT, BANKS, PROVIDERS, RECEIPTS),
        [
            [serial(2026, 5, 1), "term notes", 100.0, False, 60.0, 40.0, 0.0, 0.0, 0.0, 0.0],
            [serial(2026, 6, 1), "collateral", 665.0, True, 285.0, 225.0, 30.0, 125.0, 0.0, 0.0],
        ],
        "60/40; 40 of costs, then half of 550, 450 and 250",
    ),
    Case("percentages beyond 100", "XM_LOAN_RECEIPTS", (AGREEMENT, BEYOND, PROVIDERS, RECEIPTS), NUM,
         "60 + 50"),
    Case("receipts out of order", "XM_LOAN_RECEIPTS", (AGREEMENT, BANKS, PROVIDERS, LATE), NUM,
         "June, then May"),
    Case(
        "all rungs", "XM_LOAN_CLAIMS", (AGREEMENT, BANKS, PROVIDERS, 665.0),
        [
            ["a", "Agent", "costs of collection", 30.0, 30.0, 0.0],
            ["a", "N", "costs of collection", 10.0, 10.0, 0.0],
            ["a", "S", "costs of collection", 0.0, 0.0, 0.0],
            ["b", "N", "notes", 550.0, 275.0, 275.0],
            ["b", "S", "notes", 450.0, 225.0, 225.0],
            ["b", "P", "rate protection agreements", 250.0, 125.0, 125.0],
            ["c", "N", "unpaid fees", 5.0, 0.0, 5.0],
            ["c", "S", "unpaid fees", 5.0, 0.0, 5.0],
            ["d", "Holding", "undrawn letters of credit", 200.0, 0.0, 200.0],
        ],
        "625 of 1,250 on (b)",
    ),
    Case("headings", "XM_LOAN_CLAIMS", (AGREEMENT, BANKS, PROVIDERS, 0.0, True), [["Rung", "Payee"]],
         "as documented", at=(1, 1)),
    Case("negative funds", "XM_LOAN_CLAIMS", (AGREEMENT, BANKS, PROVIDERS, -1.0), NUM, "zero or more"),
    # --- XM_REMITTANCE_DATES, XM_ADVANCE_LEDGER ----------------------------------------------------
    Case(
        "three bases", "XM_REMITTANCE_DATES",
        (SERVICER, CONDITIONS, [[dt.date(2026, 4, 20)], [dt.date(2026, 4, 21)], [dt.date(2026, 5, 18)]]),
        [[serial(2026, 4, 22), "closing date"], [serial(2026, 4, 23), "two business days"],
         [serial(2026, 6, 12), "monthly"]], "closing is the 22nd; the Friday before Monday, 15 June",
    ),
    Case("on the cutoff date", "XM_REMITTANCE_DATES", (SERVICER, CONDITIONS, dt.date(2026, 3, 31)), NUM,
         "not the trust's"),
    Case(
        "50 of 80 kept", "XM_ADVANCE_LEDGER", (SERVICER, CONDITIONS, RECEIVED, ADVANCED, DETERMINED),
        [
            [serial(2026, 5, 14), "advance", "R", "", 50.0, 0.0, 0.0, 0.0, 0.0, "", "", 50.0, 0.0],
            [serial(2026, 5, 18), "receipt", "R", "payment", 80.0, 0.0, 50.0, 0.0, 30.0, serial(2026, 6, 12),
             "monthly", 0.0, 0.0],
        ],
        "80 - 50; the third row is blank", at=(1, 1),
    ),
    Case("an advance never made", "XM_ADVANCE_LEDGER", (SERVICER, CONDITIONS, RECEIVED, ADVANCED, NEVER),
         NOT_AVAILABLE, "none on S"),
    *SPOILT,
    *HEADED,
)
# fmt: on
