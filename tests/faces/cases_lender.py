"""Cases of a lender's tables and of stratification.  Reports are those of CarMax, Inc."""

from __future__ import annotations

import datetime as dt

from tests.faces.case import NUM, OMITTED, PROSPECTUS, UNSTATED, VALUE, Case, GivenCell
from xlmodel.functions.cells import CellError

NOVEMBER_2021 = "10-Q for 30 November 2021"
AUGUST_2019 = "10-Q for 31 August 2019"

CONTRACTS: list[list[GivenCell]] = [
    ["contract", "balance", "rate", "remaining term", "state"],
    ["a", 100.0, 0.05, 12.0, "TX"],
    ["b", 50.0, 0.07, 13.0, "CA"],
    ["c", 50.0, 0.06, 61.0, "TX"],
]
TERMS: list[list[GivenCell]] = [[1.0], [13.0], [61.0]]
VINTAGES: list[list[GivenCell]] = [
    ["vintage", "original", "age", "lifetime loss"],
    ["2020", 1000.0, 1.0, 0.02],
    ["2021", 1000.0, 0.0, 0.02],
]
WITH_LOSSES: list[list[GivenCell]] = [
    ["vintage", "original", "age", "lifetime loss", "lost"],
    ["2020", 1000.0, 2.0, 0.02, 24.0],
]
TIMING: list[list[GivenCell]] = [[0.5], [0.3], [0.2]]
THREE: list[list[GivenCell]] = [[100.0], [50.0], [20.0]]
LIMITS: list[list[GivenCell]] = [[0.18], [2.35], [2.30]]
EXPIRE: list[list[GivenCell]] = [[dt.date(2021, 12, 31)], [dt.date(2022, 2, 28)], [dt.date(2022, 8, 31)]]

# fmt: off
LENDER_CASES: tuple[Case, ...] = (
    # --- XM_ANNUAL_RATE ----------------------------------------------------------------------------
    Case("a quarter's income", "XM_ANNUAL_RATE", (330.0, 15288.8, 3.0), 0.086, f"{NOVEMBER_2021}, page 14",
         digits=3),
    Case("nine months' income", "XM_ANNUAL_RATE", (964.4, 14706.9, 9.0), 0.087, f"{NOVEMBER_2021}, page 14",
         digits=3),
    Case("an expense is negative", "XM_ANNUAL_RATE", (-53.6, 15288.8, 3.0), -0.014,
         f"{NOVEMBER_2021}, page 14", digits=3),
    Case("a column", "XM_ANNUAL_RATE", ([[10.0], [20.0]], 100.0, 6.0), [[0.2], [0.4]], "10 / 100 x 12 / 6"),
    Case("no average", "XM_ANNUAL_RATE", (330.0, 0.0, 3.0), NUM, "nothing to be a rate of"),
    Case("no months", "XM_ANNUAL_RATE", (330.0, 15288.8, 0.0), NUM, "a period has months"),
    # --- XM_NET_LOSS_RATE --------------------------------------------------------------------------
    Case("a quarter", "XM_NET_LOSS_RATE", (68.2, 20.4, 15288.8, 3.0), 0.0125, f"{NOVEMBER_2021}, page 42",
         digits=4),
    Case("half a year", "XM_NET_LOSS_RATE", (142.2, 70.7, 12859.7, 6.0), 0.0111, f"{AUGUST_2019}, page 33",
         digits=4),
    Case("nine months of 1999", "XM_NET_LOSS_RATE", (3304678.0, 1228182.0, 663390230.0, 9.0), 0.0042,
         f"{PROSPECTUS}, page 27", digits=4),
    Case("charge-offs with their sign in the table", "XM_NET_LOSS_RATE", (-68.2, 20.4, 15288.8, 3.0), NUM,
         "amounts are positive"),
    Case("columns of losses", "XM_NET_LOSS_RATE", ([[2.0], [3.0]], 1.0, 100.0, 12.0), [[0.01], [0.02]],
         "1 and 2 of 100"),
    # --- XM_RECOVERY_RATE --------------------------------------------------------------------------
    Case("three fifths", "XM_RECOVERY_RATE", (6000.0, 10000.0), 0.6, "6,000 / 10,000"),
    Case("more than the balance", "XM_RECOVERY_RATE", (11000.0, 10000.0), 1.1, "11,000 / 10,000"),
    Case("no balance", "XM_RECOVERY_RATE", (6000.0, 0.0), NUM, "nothing to recover"),
    Case("nothing came back", "XM_RECOVERY_RATE", (0.0, 10000.0), 0.0, "0 / 10,000"),
    Case("a blank balance", "XM_RECOVERY_RATE", (6000.0, None), VALUE, "required"),
    # --- XM_ALLOWANCE ------------------------------------------------------------------------------
    Case("a quarter", "XM_ALLOWANCE", (398.1, 68.2, 20.4, 76.2), 426.5, f"{NOVEMBER_2021}, page 16",
         digits=1),
    Case("the adoption of a standard", "XM_ALLOWANCE", (157.8, 174.5, 90.2, 156.1, 202.0), 431.6,
         f"{NOVEMBER_2021}, page 16", digits=1),
    Case("half a year", "XM_ALLOWANCE", (138.2, 142.2, 70.7, 83.7), 150.4, f"{AUGUST_2019}, page 12",
         digits=1),
    Case("negative charge-offs", "XM_ALLOWANCE", (398.1, -68.2, 20.4, 76.2), NUM, "amounts are positive"),
    Case("a release", "XM_ALLOWANCE", (100.0, 20.0, 5.0, -10.0, 0.0), 75.0, "100 - 20 + 5 - 10"),
    Case("two quarters", "XM_ALLOWANCE", ([[100.0, 110.0]], 20.0, 5.0, 25.0), [[110.0, 120.0]],
         "10 more each"),
    # --- XM_ALLOWANCE_FORECAST ---------------------------------------------------------------------
    Case("two vintages", "XM_ALLOWANCE_FORECAST", (VINTAGES, TIMING),
         [[1.0, 16.0, 30.0], [2.0, 10.0, 14.0], [3.0, 4.0, 4.0]],
         "20 in all for each: 6 + 10, then 4 + 6, then 4"),
    Case("forecasts of a month, back in one", "XM_ALLOWANCE_FORECAST", (VINTAGES, TIMING, 1.1, 1.0, 1.0),
         [[1.0, 17.6, 31.6], [2.0, 10.0, 14.0], [3.0, 4.0, 4.0]], "16 x 1.1; the second month is back at 1"),
    Case("back in two months", "XM_ALLOWANCE_FORECAST", (VINTAGES, TIMING, 1.1, 1.0, 2.0),
         [[1.0, 17.6, 32.1], [2.0, 10.5, 14.5], [3.0, 4.0, 4.0]], "16 x 1.1, 10 x 1.05, 4"),
    Case("own losses, half credible", "XM_ALLOWANCE_FORECAST", (WITH_LOSSES, TIMING, 1.0, 24.0, 12.0, 4.0),
         [[1.0, 5.0, 5.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]],
         "24 lost of 0.8 of them make 3%; half way from 2% is 2.5%; 1,000 x 2.5% x 0.2 = 5"),
    Case("headings", "XM_ALLOWANCE_FORECAST", (VINTAGES, TIMING, OMITTED, OMITTED, OMITTED, OMITTED, True),
         UNSTATED),
    Case("a timing that does not sum to 1", "XM_ALLOWANCE_FORECAST", (VINTAGES, [[0.5], [0.3]]), NUM,
         "0.8 of the losses have a month"),
    Case("no vintages", "XM_ALLOWANCE_FORECAST", ([["vintage", "original", "age", "lifetime loss"]], TIMING),
         VALUE, "headings only"),
    # --- XM_PAST_DUE -------------------------------------------------------------------------------
    Case("three contracts", "XM_PAST_DUE", (THREE, [[0.0], [31.0], [95.0]]),
         [["Current", 1.0, 1 / 3, 100.0, 100 / 170], ["31-60 days past due", 1.0, 1 / 3, 50.0, 50 / 170],
          ["61-90 days past due", 0.0, 0.0, 0.0, 0.0],
          ["Greater than 90 days past due", 1.0, 1 / 3, 20.0, 20 / 170],
          ["Total", 3.0, 1.0, 170.0, 1.0]], "one of three in each; 100, 50 and 20 of 170"),
    Case("30 days are current", "XM_PAST_DUE", ([[100.0]], [[30.0]], [[30.0]]),
         [["Current", 1.0, 1.0, 100.0, 1.0], ["Greater than 30 days past due", 0.0, 0.0, 0.0, 0.0],
          ["Total", 1.0, 1.0, 100.0, 1.0]], "delinquent is more than 30 days"),
    Case("days for two of three", "XM_PAST_DUE", (THREE, [[0.0], [31.0]]), NUM, "one contract has no days"),
    Case("breaks that fall", "XM_PAST_DUE", (THREE, [[0.0], [31.0], [95.0]], [[60.0], [30.0]]), NUM,
         "they rise"),
    Case("headings", "XM_PAST_DUE", (THREE, [[0.0], [31.0], [95.0]], OMITTED, True), UNSTATED),
    Case("a text for days", "XM_PAST_DUE", (THREE, [[0.0], ["late"], [95.0]]), VALUE, "days are numbers"),
    # --- XM_GRADE_MATRIX ---------------------------------------------------------------------------
    Case("grades and years", "XM_GRADE_MATRIX",
         (THREE, [["A"], ["B"], ["a"]], [[2021.0], [2020.0], [2020.0]], [["A"], ["B"]], [[2021.0, 2020.0]]),
         [[100.0, 20.0, 120.0], [0.0, 50.0, 50.0], [100.0, 70.0, 170.0]], "A has 100 and 20, B has 50"),
    Case("a grade that is none", "XM_GRADE_MATRIX",
         (THREE, [["A"], ["B"], ["D"]], [[2021.0], [2020.0], [2020.0]], [["A"], ["B"]], [[2021.0, 2020.0]]),
         VALUE, "D is not shown"),
    Case("one of each", "XM_GRADE_MATRIX", ([[100.0]], [["A"]], [["prior"]], [["A"]], [["prior"]]),
         [[100.0, 100.0], [100.0, 100.0]], "one contract is every total"),
    Case("a year that is none", "XM_GRADE_MATRIX", ([[100.0]], [["A"]], [[2019.0]], [["A"]], [[2021.0]]),
         VALUE, "2019 is not shown"),
    Case("grades for two of three", "XM_GRADE_MATRIX",
         (THREE, [["A"], ["B"]], [[2021.0], [2020.0], [2020.0]], [["A"], ["B"]], [[2021.0, 2020.0]]),
         NUM, "one contract has no grade"),
    # --- XM_HEADROOM -------------------------------------------------------------------------------
    Case("three facilities", "XM_HEADROOM", (LIMITS, 3.16), 1.67, f"{NOVEMBER_2021}, note 10", digits=2),
    Case("after the first expires", "XM_HEADROOM", (LIMITS, 3.16, EXPIRE, dt.date(2022, 1, 15)), 1.49,
         "2.35 + 2.30 - 3.16", digits=2),
    Case("after the second expires", "XM_HEADROOM", (LIMITS, 3.16, EXPIRE, dt.date(2022, 3, 1)), -0.86,
         "2.30 - 3.16: too much is drawn", digits=2),
    Case("a day without expirations", "XM_HEADROOM", (LIMITS, 3.16, OMITTED, dt.date(2022, 3, 1)), VALUE,
         "when they expire is not said"),
    Case("more expirations than limits", "XM_HEADROOM", ([[5.0]], 1.0, EXPIRE), NUM, "a day for each limit"),
    # --- XM_STRATIFY -------------------------------------------------------------------------------
    Case("terms", "XM_STRATIFY", (CONTRACTS, "remaining term", TERMS),
         [["1 to 12", 1.0, 1 / 3, 100.0, 0.5], ["13 to 60", 1.0, 1 / 3, 50.0, 0.25],
          ["61 and more", 1.0, 1 / 3, 50.0, 0.25], ["Total", 3.0, 1.0, 200.0, 1.0]],
         "100, 50 and 50 of 200"),
    Case("states, averages", "XM_STRATIFY", (CONTRACTS, "state", [["TX", "FL"]], [["rate"]]),
         [["TX", 2.0, 2 / 3, 150.0, 0.75, 8 / 150], ["FL", 0.0, 0.0, 0.0, 0.0, ""],
          ["Other", 1.0, 1 / 3, 50.0, 0.25, 0.07], ["Total", 3.0, 1.0, 200.0, 1.0, 11.5 / 200]],
         "100 x 5% + 50 x 6% = 8; all: 8 + 50 x 7% = 11.5"),
    Case("headings", "XM_STRATIFY", (CONTRACTS, "Remaining_Term", TERMS, OMITTED, True), UNSTATED),
    Case("below the first break", "XM_STRATIFY", (CONTRACTS, "remaining term", [[13.0], [61.0]]), NUM,
         "a term of 12 is in no bucket"),
    Case("no such column", "XM_STRATIFY", (CONTRACTS, "colour", TERMS), VALUE, "there is none"),
    Case("an error in the range", "XM_STRATIFY",
         ([["balance", "rate"], [CellError("#N/A"), 0.05]], "rate", [[0.0]]),
         CellError("#N/A"), "passes through"),
)
