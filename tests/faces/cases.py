"""The table of cases that every face must answer alike: a function, its arguments as cells, what comes out.

Nothing here belongs to one transport; ``case.py`` says how an argument stands in a spreadsheet.  The cases
stand in one file a family of functions; ``cases_values.py`` has what a transport must carry unharmed,
``cases_large.py`` what it must carry in bulk.

Every case is compared with the direct call.  Where ``expected`` is stated too, it was computed by hand (the
arithmetic is in ``source``) or printed by somebody else; it never came from the code under test.
"""

from __future__ import annotations

from tests.faces.case import OMITTED, UNSTATED, Case, Given, as_cells
from tests.faces.cases_about import ABOUT_CASES
from tests.faces.cases_accrual import ACCRUAL_CASES
from tests.faces.cases_deal import DEAL_CASES
from tests.faces.cases_large import LARGE_CASES
from tests.faces.cases_lender import LENDER_CASES
from tests.faces.cases_loans import LOANS_CASES
from tests.faces.cases_losses import LOSSES_CASES
from tests.faces.cases_money import MONEY_CASES
from tests.faces.cases_pool import POOL_CASES
from tests.faces.cases_rates import RATES_CASES
from tests.faces.cases_scenarios import SCENARIOS_CASES
from tests.faces.cases_schedule import SCHEDULE_CASES
from tests.faces.cases_speeds import SPEEDS_CASES
from tests.faces.cases_trust import TRUST_CASES
from tests.faces.cases_values import VALUES_CASES

__all__ = ["CASES", "OMITTED", "UNSTATED", "Case", "Given", "as_cells"]

CASES: tuple[Case, ...] = (
    *ABOUT_CASES,
    *ACCRUAL_CASES,
    *SCHEDULE_CASES,
    *MONEY_CASES,
    *RATES_CASES,
    *LOANS_CASES,
    *SPEEDS_CASES,
    *POOL_CASES,
    *LOSSES_CASES,
    *LENDER_CASES,
    *DEAL_CASES,
    *SCENARIOS_CASES,
    *TRUST_CASES,
    *VALUES_CASES,
    *LARGE_CASES,

def block(rows: Any) -> list[list[GivenCell]]:
    """Rows of a deal folder as the rectangle of cells that a workbook shows."""
    width = max(map(len, rows))
    return [
        [float(cell) if type(cell) is int else cell for cell in row] + [None] * (width - len(row))
        for row in rows
    ]


_FOLDER = read_folder(Path(__file__).parents[2] / "workbooks" / "carmax_1999_1")
TERMS = block(stacked_rows(_FOLDER.stacked))
CLASSES = block(_FOLDER.classes)
PAYMENTS = block(_FOLDER.payments)
POOLS = block(_FOLDER.pools)
DEAL: tuple[Given, ...] = (TERMS, CLASSES, PAYMENTS, POOLS)
SPEEDS: list[list[GivenCell]] = [[0.005, 0.01, 0.015, 0.018]]
SCENARIOS: list[list[GivenCell]] = [["scenario", "speed"], ["base", 0.015], ["slow", 0.005]]
STRESS: list[list[GivenCell]] = [
    ["scenario", "speed", "default model", "default rate", "severity", "recovery lag", "insurer default"],
    ["stress", 0.013, "CDR", 0.1, 0.5, 4.0, 1.0],
]


def changed(rows: list[list[GivenCell]], row: int, column: int, cell: GivenCell) -> list[list[GivenCell]]:
    """The rows with one cell changed; row and column count from 1."""
    copy = [list(line) for line in rows]
    copy[row - 1][column - 1] = cell
    return copy


def with_serials(rows: list[list[GivenCell]]) -> list[list[GivenCell]]:
    """The rows with their dates as plain numbers, as in a sheet without date formats."""
    return [[as_cell(cell) for cell in row] for row in rows]


# fmt: off
CASES: tuple[Case, ...] = (
    # --- XM_DAYS -----------------------------------------------------------------------------------
    Case(
        "date cells, actual/360", "XM_DAYS", (CLOSING, FIRST_PAYMENT, "actual/360"), 48.0,
        "October 28 to 31 are 3 days, November 30, December 15: 3 + 30 + 15 = 48",
    ),
    Case(
        "date cells, 30/360", "XM_DAYS", (CLOSING, FIRST_PAYMENT, "30/360"), 47.0,
        "30 x (12 - 10) + 15 - 28 = 47",
    ),
    Case("serials, basis omitted", "XM_DAYS", (36461.0, 36509.0), 47.0, "basis 0 is 30/360: 47 as above"),
    Case("serials as int", "XM_DAYS", (36461, 36509, 2), 48.0, "36509 - 36461 = 48"),
    Case("basis a blank cell", "XM_DAYS", (CLOSING, FIRST_PAYMENT, None), 47.0, "blank is omitted"),
    Case("one-cell ranges", "XM_DAYS", ([[CLOSING]], [[FIRST_PAYMENT]], [["actual/360"]]), 48.0, "as above"),
    Case("a time of day", "XM_DAYS", (36461.75, 36509.25, 2.0), 48.0, "the day is the whole part"),
    Case("end before start", "XM_DAYS", (FIRST_PAYMENT, CLOSING, "actual/360"), -48.0, "48 backwards"),
    Case("a text for a date", "XM_DAYS", ("1999-10-28", FIRST_PAYMENT), VALUE, "a text is no date"),
    Case("a blank start", "XM_DAYS", (None, FIRST_PAYMENT), VALUE, "a required argument is blank"),
    Case("an empty text for a start", "XM_DAYS", ("", FIRST_PAYMENT), VALUE, "an empty text is blank"),
    Case("#N/A for a start", "XM_DAYS", (NA, FIRST_PAYMENT), NA, "an error passes through"),
    Case("serial 60", "XM_DAYS", (60.0, FIRST_PAYMENT), NUM, "29 February 1900 never was"),
    Case("an unknown day count", "XM_DAYS", (CLOSING, FIRST_PAYMENT, "actual/361"), VALUE, "no such name"),
    Case("TRUE for a basis", "XM_DAYS", (CLOSING, FIRST_PAYMENT, True), VALUE, "TRUE names no day count"),
    Case("a column for a start", "XM_DAYS", ([[CLOSING], [FIRST_PAYMENT]], FIRST_PAYMENT), [[47.0], [0.0]],
         "47 as above, and no day"),
    # --- XM_YEARFRAC -------------------------------------------------------------------------------
    Case(
        "basis 1", "XM_YEARFRAC", (dt.date(2006, 8, 31), dt.date(2007, 2, 28), 1.0), 181 / 365,
        "30 + 31 + 30 + 31 + 31 + 28 = 181 days, neither year a leap year",
    ),
    Case(
        "basis 4", "XM_YEARFRAC", (dt.date(2021, 7, 31), dt.date(2022, 9, 4), 4), 394 / 360,
        "the 31st counts as the 30th: 360 + 30 x 2 + 4 - 30 = 394",
    ),
    Case(
        "February 29, basis omitted", "XM_YEARFRAC", (dt.date(2008, 2, 29), dt.date(2008, 8, 31)), 181 / 360,
        "the last day of February counts as the 30th, August 31 stays: 30 x 6 + 31 - 30 = 181",
    ),
    Case("basis omitted, serials", "XM_YEARFRAC", (36461.0, 36509.0, OMITTED), 47 / 360, "47 as in XM_DAYS"),
    Case("TRUE for a date", "XM_YEARFRAC", (True, 31.0, 2.0), 30 / 360, "TRUE is serial 1, January 1, 1900"),
    Case("#DIV/0! for an end", "XM_YEARFRAC", (CLOSING, CellError("#DIV/0!")), CellError("#DIV/0!"),
         "passes through"),
    Case("basis 5", "XM_YEARFRAC", (CLOSING, FIRST_PAYMENT, 5.0), NUM, "codes end at 4"),
    # --- XM_INTEREST -------------------------------------------------------------------------------
    Case(
        "class A-1", "XM_INTEREST",
        (Decimal("155250000.00"), 0.062025, CLOSING, FIRST_PAYMENT, "actual/360"), 1283917.50,
        f"{PROSPECTUS}, first interest; 155,250,000 x 0.062025 x 48 / 360", digits=2,
    ),
    Case(
        "class A-2", "XM_INTEREST", (208650000.0, 0.0647, CLOSING, FIRST_PAYMENT, "actual/360", 2.0),
        1799954.00, f"{PROSPECTUS}, first interest; 208,650,000 x 0.0647 x 48 / 360",
    ),
    Case(
        "class A-3", "XM_INTEREST", (178900000.0, 0.0676, CLOSING, FIRST_PAYMENT, "30/360", 2),
        1578891.89, f"{PROSPECTUS}, first interest; 178,900,000 x 0.0676 x 47 / 360",
    ),
    Case(
        "class A-4 from one-cell ranges", "XM_INTEREST",
        ([[Decimal("88278000.00")]], [[0.0688]], [[36461.0]], [[36509.0]], [["30/360"]], [[2.0]]),
        792932.61, f"{PROSPECTUS}, first interest; 88,278,000 x 0.0688 x 47 / 360",
    ),
    Case(
        "the certificates", "XM_INTEREST", (12879759.72, 0.0712, CLOSING, FIRST_PAYMENT, "30/360", 2.0),
        119724.52, f"{PROSPECTUS}, first interest; 12,879,759.72 x 0.0712 x 47 / 360",
    ),
    Case(
        "basis left out before decimals", "XM_INTEREST",
        (155250000.0, 0.062025, 36461.0, 36509.0, OMITTED, 2.0), 1257169.22,
        "basis 0: 9,629,381.25 a year x 47 / 360 = 1,257,169.21875",
    ),
    Case(
        "basis a blank cell before decimals", "XM_INTEREST",
        (155250000.0, 0.062025, 36461.0, 36509.0, None, 2.0), 1257169.22, "as when left out",
    ),
    Case("a negative rate", "XM_INTEREST", (360.0, -0.01, 36461.0, 36509.0, 2.0), -0.48, "-3.60 x 48 / 360"),
    Case("a rate in percent", "XM_INTEREST", (100.0, 6.2025, CLOSING, FIRST_PAYMENT), NUM, "100% and more"),
    Case("a negative balance", "XM_INTEREST", (-1.0, 0.06, CLOSING, FIRST_PAYMENT), NUM, "below zero"),
    Case("a text for a rate", "XM_INTEREST", (100.0, "6%", CLOSING, FIRST_PAYMENT), VALUE, "a text"),
    Case("a blank balance", "XM_INTEREST", (None, 0.06, CLOSING, FIRST_PAYMENT), VALUE, "required"),
    Case("#DIV/0! for a rate", "XM_INTEREST", (100.0, CellError("#DIV/0!"), CLOSING, FIRST_PAYMENT),
         CellError("#DIV/0!"), "passes through"),
    Case("half a decimal", "XM_INTEREST", (100.0, 0.06, 36461.0, 36509.0, 0.0, 1.5), NUM, "no whole number"),
    # --- XM_PAYMENT_DATES --------------------------------------------------------------------------
    Case(
        "four dates", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 4.0), [[36509.0], [36543.0], [36571.0], [36600.0]],
        "January 15, 2000 is a Saturday and Monday the 17th a holiday, so the 18th",
    ),
    Case(
        "not moved", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 2, 15, "none"), [[36509.0], [36540.0]],
        "January 15, 2000: 36509 + 31",
    ),
    Case(
        "moved back", "XM_PAYMENT_DATES", (36509.0, 2.0, OMITTED, "preceding"), [[36509.0], [36539.0]],
        "Friday, January 14, 2000",
    ),
    Case("no calendar", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 12.0, None, None, "none")),
    Case("one date", "XM_PAYMENT_DATES", ([[FIRST_PAYMENT]], [[1.0]]), [[36509.0]], "the first itself"),
    Case("TRUE for a count", "XM_PAYMENT_DATES", (FIRST_PAYMENT, True), [[36509.0]], "TRUE counts as 1"),
    Case("no date", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 0.0), NUM, "one or more"),
    Case("two dates and a half", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 2.5), NUM, "no whole number"),
    Case(
        "an unknown roll", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 2.0, 15.0, "sideways"), VALUE, "no such name",
    ),
    Case(
        "an unknown calendar", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 2.0, 15.0, "none", "Mars"), VALUE,
        "no such name",
    ),
    # --- XM_SMM ------------------------------------------------------------------------------------
    Case(
        "1.5% ABS in month 5", "XM_SMM", (0.015, 5.0), 0.015 / 0.94,
        "0.015 / (1 - 0.015 x 4); Allman, Modeling Structured Finance Cash Flows, page 45, prints 1.60%",
    ),
    Case(
        "2% ABS in month 40", "XM_SMM", (0.02, 40, "ABS"), 0.0909,
        "Bond Market Association, Standard Formulas, page SF-15, table ABS to SMM: 9.09%", digits=4,
    ),
    Case("1% ABS in month 10", "XM_SMM", (0.01, 10.0, "abs"), 0.01 / 0.91, "0.01 / (1 - 0.01 x 9)"),
    Case("6% CPR", "XM_SMM", (0.06, 1.0, "CPR"), 0.005143, "1 - 0.94 ^ (1/12) = 0.51430%", digits=6),
    Case("2% SMM", "XM_SMM", (0.02, 7.0, "SMM"), 0.02, "the speed itself"),
    Case("model a blank cell", "XM_SMM", ([[0.01]], [[10.0]], [[None]]), 0.01 / 0.91, "ABS when blank"),
    Case("TRUE for an age", "XM_SMM", (0.015, True), 0.015, "month 1: the speed itself"),
    Case("speed 100%", "XM_SMM", (1.0, 5.0), NUM, "below 1"),
    Case("a negative speed", "XM_SMM", (-0.01, 5.0), NUM, "zero or more"),
    Case("month 0", "XM_SMM", (0.015, 0.0), NUM, "the first month is 1"),
    Case("an unknown model", "XM_SMM", (0.015, 5.0, "PSB"), VALUE, "no such name"),
    # --- XM_PAYMENT --------------------------------------------------------------------------------
    Case(
        "a mortgage", "XM_PAYMENT", (427500.0, 0.03875, 360.0), 2010.26,
        "chris1610/pbpython, issue 12: the payment as stated there", digits=2,
    ),
    Case("no interest", "XM_PAYMENT", (Decimal("1200.00"), 0.0, 12), 100.0, "1,200 / 12"),
    Case("one month left", "XM_PAYMENT", (100.0, 0.12, 1.0), 101.0, "100 x 1.01"),
    Case("two months left", "XM_PAYMENT", (201.0, 0.12, 2.0), 201 * 1.0201 / 2.01,
         "201 / (1 / 1.01 + 1 / 1.0201)"),
    Case("no balance", "XM_PAYMENT", (False, 0.12, 12.0), 0.0, "FALSE counts as 0"),
    Case("no month left", "XM_PAYMENT", (100.0, 0.12, 0.0), NUM, "one or more"),
    Case("a term left out", "XM_PAYMENT", (100.0, 0.12, None), VALUE, "required"),
    Case("#NUM! for a balance", "XM_PAYMENT", (NUM, 0.12, 12.0), NUM, "passes through"),
    # --- XM_COLLECTIONS ----------------------------------------------------------------------------
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
    Case("#REF! in the pool", "XM_COLLECTIONS", (changed(POOLS, 3, 2, CellError("#REF!")), 0.015),
         CellError("#REF!"), "passes through"),
    Case("a text for a balance", "XM_COLLECTIONS", (changed(POOLS, 3, 2, "many"), 0.015), VALUE, "a text"),
    Case("a blank rate", "XM_COLLECTIONS", (changed(POOLS, 3, 3, None), 0.015), VALUE, "required"),
    Case("speed 150%", "XM_COLLECTIONS", (POOLS, 1.5), NUM, "below 1"),
    Case("a blank pool", "XM_COLLECTIONS", (None, 0.015), VALUE, "required"),
    # --- XM_POOL_FACTOR ----------------------------------------------------------------------------
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
    Case("#NULL! for a balance", "XM_POOL_FACTOR", (CellError("#NULL!"), 2.0), CellError("#NULL!"), "passes"),
    # --- XM_DISTRIBUTIONS --------------------------------------------------------------------------
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
         (TERMS, changed(CLASSES, 2, 4, CellError("#NAME?")), PAYMENTS, POOLS, 0.015),
         CellError("#NAME?"), "passes through"),
    Case("a blank day count", "XM_DISTRIBUTIONS",
         (TERMS, changed(CLASSES, 2, 5, None), PAYMENTS, POOLS, 0.015), VALUE, "required"),
    Case("an unknown step", "XM_DISTRIBUTIONS",
         (TERMS, CLASSES, changed(PAYMENTS, 2, 2, "bonus"), POOLS, 0.015), VALUE, "no such step"),
    Case("a text for a speed", "XM_DISTRIBUTIONS", (*DEAL, "fast"), VALUE, "a text"),
    Case("a negative speed", "XM_DISTRIBUTIONS", (*DEAL, -0.01), NUM, "zero or more"),
    # --- XM_DECREMENT ------------------------------------------------------------------------------
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
    # --- XM_AVERAGE_LIFE ---------------------------------------------------------------------------
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
    # --- XM_LEDGER ---------------------------------------------------------------------------------
    Case(
        "the first clause of the first date", "XM_LEDGER", (*DEAL, 0.015, FIRST_PAYMENT),
        [["1", "servicer", 1053167.16, 1053167.16, 0.0]],
        "1% a year of the pool at the start of two months: 536,631.47 + 516,535.69", at=(1, 2), digits=2,
    ),
    Case(
        "a scenario, headings", "XM_LEDGER", (*DEAL, SCENARIOS, FIRST_PAYMENT, "slow", True),
        [["Due", "Paid", "Short", "Cash left"]], "the columns as documented", at=(1, 4),
    ),
    Case("a day without a payment", "XM_LEDGER", (*DEAL, 0.015, CLOSING), NA, "the closing date"),
    Case("no such scenario", "XM_LEDGER", (*DEAL, SCENARIOS, FIRST_PAYMENT, "storm"), NA, "base and slow"),
    # --- XM_STATEMENT ------------------------------------------------------------------------------
    Case(
        "interest on A-1 per $1,000", "XM_STATEMENT", (*DEAL, 0.015, FIRST_PAYMENT, "Notes"),
        [["A-1", 1283917.50, 8.27]], f"{PROSPECTUS}, first interest; 1,283,917.50 / 155,250 = 8.27",
        at=(1, 3), digits=2,
    ),
    Case(
        "a holder of $25,000", "XM_STATEMENT", (*DEAL, 0.015, FIRST_PAYMENT, "Notes", 25000.0, None, False),
        [[206.75]], "25 x 8.27", at=(1, 6), digits=2,
    ),
    Case("a group that is not there", "XM_STATEMENT", (*DEAL, 0.015, FIRST_PAYMENT, "Bonds"), NA, "none"),
    # --- XM_SCENARIO_SUMMARY, XM_SCENARIO_PATHS, XM_EVENTS -----------------------------------------
    Case(
        "average lives of two scenarios", "XM_SCENARIO_SUMMARY", (*DEAL, SCENARIOS),
        [[0.30, 1.00, 2.00, 2.95, 3.05], [0.43, 1.42, 2.64, 3.62, 3.72]],
        f"{PROSPECTUS}, weighted average lives", at=(1, 13), digits=2,
    ),
    Case(
        "headings of a summary", "XM_SCENARIO_SUMMARY", (*DEAL, SCENARIOS, True),
        [["Scenario", "Speed", "Net loss"], ["base", 0.015, 0.0]], "the columns as documented", at=(1, 1),
    ),
    Case(
        "a blank speed", "XM_SCENARIO_SUMMARY", (*DEAL, changed(SCENARIOS, 3, 2, None)), VALUE, "required",
    ),
    Case(
        "the pool after the first date", "XM_SCENARIO_PATHS", (*DEAL, SCENARIOS, "pool", 1.0),
        [[596114152.81]], "worked out in tests/deal/test_first_payment_by_hand.py",
        at=(1, 1), digits=2,
    ),
    Case(
        "A-1 under headings", "XM_SCENARIO_PATHS", (*DEAL, SCENARIOS, "a-1", 1.0, True),
        [["base"], [107406393.09]], "155,250,000.00 - 47,843,606.91", at=(1, 1), digits=2,
    ),
    Case("an unknown item", "XM_SCENARIO_PATHS", (*DEAL, SCENARIOS, "moon"), NA, "no such item"),
    Case(
        "nothing happens without losses", "XM_EVENTS", (*DEAL, SCENARIOS),
        [["base", "", ""], ["slow", "", ""]], "no loss, no event of default", at=(1, 1),
    ),
    Case(
        "headings of the events", "XM_EVENTS", (*DEAL, SCENARIOS, True),
        [["Accelerated", "Rescinded", "Sold", "Sale refused"]], "the columns as documented", at=(1, 6),
    ),
    # --- XM_SCENARIOS, XM_PRICE, XM_YIELD, XM_BREAK_EVEN, XM_SOLVE_SPEED, XM_SOLVE_SIZE ------------
    Case(
        "average lives without losses, to the call", "XM_SCENARIOS",
        (*DEAL, STRESS, "A-2 average life", [[0.005], [0.015]], 0.0),
        [[1.42], [1.00]], f"{PROSPECTUS}, weighted average lives", digits=2,
    ),
    Case("a grid under headings", "XM_SCENARIOS",
         (*DEAL, STRESS, "net loss", 0.013, [[0.0, 0.1]], [[0.4, 0.5]], OMITTED, True)),
    Case("a grid of an unknown item", "XM_SCENARIOS", (*DEAL, STRESS, "moon", 0.013, 0.0), VALUE, "none"),
    Case(
        "a loss without a default model", "XM_SCENARIOS", (*DEAL, SCENARIOS, "net loss", 0.013, 0.1), NUM, "no model",
    ),
    Case(
        "price at the yield of a price", "XM_PRICE", (*DEAL, 0.015, "A-3", 0.0674, OMITTED, 12.0),
    ),
    Case("a class that is not there", "XM_PRICE", (*DEAL, 0.015, "Z", 0.06), NA, "no such class"),
    Case("accrued of ten days", "XM_PRICE", (*DEAL, 0.015, "a-3", 0.06, dt.date(1999, 12, 25)),
         [[0.187778]], "100 x 6.76% x 10 / 360", at=(1, 3), digits=6),
    Case("the cover price of A-2", "XM_YIELD", (*DEAL, 0.015, "A-2", [[99.99621], [100.0]], OMITTED, OMITTED)),
    Case("a price of nothing", "XM_YIELD", (*DEAL, 0.015, "A-2", 0.0), NUM, "no yield"),
    Case("break-even rates", "XM_BREAK_EVEN", (*DEAL, STRESS, OMITTED, OMITTED, True)),
    Case("an insured deal is unbroken", "XM_BREAK_EVEN", (*DEAL, SCENARIOS), [[NA]], "the policy pays", at=(1, 2)),
    Case("the speed of a life", "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "A-2", 1.2)),
    Case("a life beyond all speeds", "XM_SOLVE_SPEED", (*DEAL, SCENARIOS, "A-2", 9.0), NUM, "no speed"),
    Case("the size of A-4", "XM_SOLVE_SIZE", (*DEAL, STRESS, "A-4", "Certificates", 1e6)),
    Case("supported by itself", "XM_SOLVE_SIZE", (*DEAL, STRESS, "A-4", "A-4"), NUM, "itself"),
    # --- XM_ALLOCATE -------------------------------------------------------------------------------
    Case(
        "in order, a column", "XM_ALLOCATE", (100.0, [[60.0], [50.0], [40.0]]),
        [[60.0, 0.0], [40.0, 10.0], [0.0, 40.0]], "60, then the 40 that are left of 100, then nothing",
    ),
    Case(
        "in proportion, a row", "XM_ALLOCATE", (100.0, [[100.0, 100.0, 100.0]], "pro rata"),
        [[33.34, 66.66], [33.33, 66.67], [33.33, 66.67]], "33.333... each; the odd cent to the first",
    ),
    Case(
        "by weights", "XM_ALLOCATE", (40.0, [[50.0], [50.0]], "Pro-rata", [[3.0, 1.0]]),
        [[30.0, 20.0], [10.0, 40.0]], "40 x 3/4 and 40 x 1/4",
    ),
    Case("one claim", "XM_ALLOCATE", (Decimal("10.00"), 25), [[10.0, 15.0]], "10 of 25"),
    Case(
        "a block of currency cells", "XM_ALLOCATE",
        (7, [[Decimal("1.10"), Decimal("2.20")], [Decimal("3.30"), True]], None),
        [[1.10, 0.0], [2.20, 0.0], [3.30, 0.0], [0.40, 0.60]], "7.00 - 1.10 - 2.20 - 3.30 = 0.40; TRUE is 1",
    ),
    Case("a blank among the claims", "XM_ALLOCATE", (100.0, [[60.0], [None]]), VALUE, "a gap"),
    Case("a negative claim", "XM_ALLOCATE", (100.0, [[60.0], [-1.0]]), NUM, "zero or more"),
    Case("an unknown method", "XM_ALLOCATE", (100.0, [[60.0]], "by lot"), VALUE, "no such method"),
    Case("one weight for two claims", "XM_ALLOCATE", (1.0, [[1.0, 1.0]], "pro rata", 1.0), VALUE, "two"),
    Case("#VALUE! among the claims", "XM_ALLOCATE", (100.0, [[60.0, VALUE]]), VALUE, "passes through"),
    # --- XM_WHY, XM_VERSION ------------------------------------------------------------------------
    Case(
        "nothing wrong", "XM_WHY", ("XM_INTEREST", 100.0, 0.06, CLOSING, FIRST_PAYMENT, OMITTED, 2.0),
        "XM_INTEREST shows no error for these arguments", "the sentence as documented",
    ),
    Case("a negative balance", "XM_WHY", ("XM_INTEREST", -1.0, 0.06, CLOSING, FIRST_PAYMENT)),
    Case("a cell of a range", "XM_WHY", ("xm_collections", changed(POOLS, 3, 2, "many"), 0.015)),
    Case("an error in a cell", "XM_WHY", ([["XM_YEARFRAC"]], CellError("#REF!"), None)),
    Case("arguments missing", "XM_WHY", ("XM_DAYS",)),
    Case("no such function", "XM_WHY", ("XM_NOTHING", 1.0)),
    Case("no name", "XM_WHY", (None,), VALUE, "required"),
    Case("version", "XM_VERSION", ()),
    *CONVENTION_CASES,
)
