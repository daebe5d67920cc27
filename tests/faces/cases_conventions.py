"""Cases of time, money, rates, speeds and losses, for the table in ``cases.py``."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from tests.faces.case import CLOSING, FIRST_PAYMENT, NA, NUM, OMITTED, VALUE, Case, GivenCell

BMA = "Bond Market Association, Standard Formulas"
JANUARY_15 = dt.date(2000, 1, 15)  # a Saturday; the Monday after is a holiday
MAY_DAYS: list[list[GivenCell]] = [[dt.date(2023, 4, 29)], [dt.date(2023, 4, 30)], [dt.date(2023, 5, 1)]]


def serial(year: int, month: int, day: int) -> float:
    return float((dt.date(year, month, day) - dt.date(1899, 12, 30)).days)


# fmt: off
CONVENTION_CASES: tuple[Case, ...] = (
    # --- ranges for single cells -------------------------------------------------------------------
    Case(
        "two columns and a column of names", "XM_YEARFRAC",
        ([[CLOSING], [CLOSING]], [[FIRST_PAYMENT], [FIRST_PAYMENT]], [["actual/360"], ["30/360"]]),
        [[48 / 360], [47 / 360]], "48 and 47 days, as in XM_DAYS",
    ),
    Case(
        "a column and a row", "XM_DAYS", ([[36461.0], [36462.0]], [[36509.0, 36510.0]], 2.0),
        [[48.0, 49.0], [47.0, 48.0]], "differences of the serials",
    ),
    Case(
        "five classes at once", "XM_INTEREST",
        (
            [[155250000.0], [208650000.0], [178900000.0], [88278000.0], [Decimal("12879759.72")]],
            [[0.062025], [0.0647], [0.0676], [0.0688], [0.0712]], CLOSING, FIRST_PAYMENT,
            [["actual/360"], ["actual/360"], ["30/360"], ["30/360"], ["30/360"]], 2.0,
        ),
        [[1283917.50], [1799954.00], [1578891.89], [792932.61], [119724.52]],
        "CarMax Auto Owner Trust 1999-1 prospectus, first interest",
    ),
    Case("serial 60 in a column", "XM_DAYS", ([[36461.0], [60.0]], FIRST_PAYMENT), NUM, "that day never was"),
    Case("a blank in a column", "XM_YEARFRAC", ([[36461.0], [None]], FIRST_PAYMENT), VALUE, "required"),
    Case("#N/A in a column", "XM_YEARFRAC", ([[36461.0], [NA]], FIRST_PAYMENT), NA, "passes through"),
    Case("columns of different length", "XM_DAYS", ([[1.0], [2.0]], [[3.0], [4.0], [5.0]]), VALUE, "2 and 3"),
    # --- XM_YEARFRAC and XM_INTEREST, their further arguments ----------------------------------------
    Case(
        "actual/actual ICMA", "XM_YEARFRAC",
        (dt.date(2024, 4, 15), dt.date(2024, 7, 15), "actual/actual ICMA", 2.0, dt.date(2024, 1, 15)), 0.25,
        "91 of the 182 days of the coupon period, half of a half-year",
    ),
    Case(
        "ICMA without a frequency", "XM_YEARFRAC", (CLOSING, FIRST_PAYMENT, "act/act (ICMA)"),
        VALUE, "needed",
    ),
    Case(
        "per 1000", "XM_INTEREST",
        (12879759.72, 0.0712, CLOSING, FIRST_PAYMENT, "30/360", OMITTED, "per 1000", 12879759.72), 119781.77,
        "1,000 x 0.0712 x 47 / 360 = 9.2955..., so 9.30 for each of 12,879.75972: 119,781.765396",
    ),
    Case(
        "truncated", "XM_INTEREST", (178900000.0, 0.0676, CLOSING, FIRST_PAYMENT, "30/360", None, "Truncate"),
        1578891.88, "1,578,891.8888...",
    ),
    # --- XM_ACCRUED --------------------------------------------------------------------------------
    Case(
        "half a month", "XM_ACCRUED", (1e6, 0.06, dt.date(1999, 12, 30), dt.date(2004, 8, 15), 12.0,
         "30/360"),
        2500.0, "15 days since December 15: 60,000 x 15 / 360",
    ),
    Case(
        "month ends, ICMA", "XM_ACCRUED",
        (1e6, 0.05, dt.date(2024, 3, 31), dt.date(2030, 1, 31), 2, "actual/actual ICMA"), 8241.758242,
        "60 of the 182 days from January 31 to July 31, 2024: 50,000 x 60 / 364", digits=6,
    ),
    Case(
        "on a payment date and the day after", "XM_ACCRUED",
        (360.0, 0.1, [[FIRST_PAYMENT, dt.date(1999, 12, 16)]], dt.date(2004, 8, 15), OMITTED, 2.0),
        [[0.0, 0.1]], "36 a year: 36 x 1 / 360",
    ),
    Case(
        "after maturity", "XM_ACCRUED", (1.0, 0.06, FIRST_PAYMENT, CLOSING), NUM,
        "settlement before maturity",
    ),
    Case(
        "five payments a year", "XM_ACCRUED", (1.0, 0.06, CLOSING, FIRST_PAYMENT, 5.0), NUM,
        "no such frequency",
    ),
    # --- XM_SCHEDULE -------------------------------------------------------------------------------
    Case(
        "front stub", "XM_SCHEDULE", (CLOSING, JANUARY_15),
        [
            [36461.0, 36479.0, 36461.0, 36479.0],
            [36479.0, 36509.0, 36479.0, 36509.0],
            [36509.0, 36540.0, 36509.0, 36543.0],
        ],
        "back from January 15 by months: December 15, November 15; the Saturday moves to Tuesday the 18th",
    ),
    Case(
        "back stub, not moved", "XM_SCHEDULE", (CLOSING, JANUARY_15, 2, "back short", "none", OMITTED,
         OMITTED,
                                                False, True),
        [["Start", "End", "Adjusted start", "Adjusted end"], [36461.0, 36522.0, 36461.0, 36522.0],
         [36522.0, 36540.0, 36522.0, 36540.0]], "October 28 and two months is December 28, 61 days",
    ),
    Case("an unknown stub", "XM_SCHEDULE", (CLOSING, JANUARY_15, 1.0, "back"), VALUE, "no such name"),
    Case("no stub allowed", "XM_SCHEDULE", (CLOSING, JANUARY_15, 1.0, "none"), NUM, "no whole months"),
    Case("backwards", "XM_SCHEDULE", (JANUARY_15, CLOSING), NUM, "ends before it starts"),
    # --- XM_COLLECTION_PERIODS ---------------------------------------------------------------------
    Case(
        "two months first", "XM_COLLECTION_PERIODS", ([[FIRST_PAYMENT], [dt.date(2000, 1, 18)]], 2.0),
        [[36434.0, 36494.0, 2.0], [36495.0, 36525.0, 1.0]],
        "October 1 to November 30, then December 1 to 31: 36461 - 27 = 36434",
    ),
    Case(
        "headings", "XM_COLLECTION_PERIODS", (FIRST_PAYMENT, OMITTED, OMITTED, True),
        [["Start", "End", "Months"], [36465.0, 36494.0, 1.0]], "November 1 to 30",
    ),
    Case("no month", "XM_COLLECTION_PERIODS", (FIRST_PAYMENT, 0.0), NUM, "one or more"),
    # --- XM_RECORD_DATES, XM_DETERMINATION_DATES -----------------------------------------------------
    Case("the business day before", "XM_RECORD_DATES", (FIRST_PAYMENT,), 36508.0, "a Tuesday"),
    Case(
        "a column", "XM_RECORD_DATES", ([[FIRST_PAYMENT], [dt.date(2000, 1, 18)]],), [[36508.0], [36539.0]],
        "before Tuesday, January 18 lie a holiday and a weekend: Friday the 14th",
    ),
    Case("14 days before", "XM_RECORD_DATES", (FIRST_PAYMENT, 14.0, "calendar days"), 36495.0, "36509 - 14"),
    Case("month end", "XM_RECORD_DATES", (36509.0, 1, "Month end"), 36494.0, "November 30"),
    Case("an unknown unit", "XM_RECORD_DATES", (FIRST_PAYMENT, 1.0, "days"), VALUE, "no such name"),
    Case("four business days before", "XM_DETERMINATION_DATES", (FIRST_PAYMENT, 4.0), 36503.0,
         "December 14, 13, 10, 9"),
    Case(
        "a Sunday moved", "XM_DETERMINATION_DATES", (dt.date(2012, 6, 21), 4.0, "calendar days", "following"),
        serial(2012, 6, 18), "Honda Auto Receivables 2010-3, servicer's report of June 2012: June 18",
    ),
    Case("no count", "XM_DETERMINATION_DATES", (FIRST_PAYMENT, OMITTED), VALUE, "a term of the deal"),
    Case("a negative count", "XM_DETERMINATION_DATES", (FIRST_PAYMENT, -1.0), NUM, "zero or more"),
    # --- business days and months ------------------------------------------------------------------
    Case("a Saturday before a holiday", "XM_BUSINESS_DAY", (JANUARY_15,), 36543.0, "Tuesday, January 18"),
    Case("moved back", "XM_BUSINESS_DAY", (JANUARY_15, "preceding"), 36539.0, "Friday the 14th"),
    Case(
        "with a holiday of one's own", "XM_BUSINESS_DAY", ([[36540.0], [36541.0]], OMITTED, "weekends",
         36542.0),
        [[36543.0], [36543.0]], "Saturday and Sunday, and Monday given as a holiday",
    ),
    Case(
        "beyond the calendar", "XM_BUSINESS_DAY", (dt.date(1985, 1, 21),), NUM, "the calendar begins in 1990",
    ),
    Case("a holiday", "XM_IS_BUSINESS_DAY", (dt.date(2000, 1, 17),), False, "Martin Luther King's birthday"),
    Case(
         "a Wednesday and a Saturday", "XM_IS_BUSINESS_DAY", ([[FIRST_PAYMENT, JANUARY_15]],),
         [[True, False]],
         "weekdays of the calendar"),
    Case("an unknown calendar", "XM_IS_BUSINESS_DAY", (FIRST_PAYMENT, "Mars"), VALUE, "no such name"),
    Case(
        "ten back over three holidays", "XM_ADD_BUSINESS_DAYS",
        (dt.date(2023, 5, 5), -10.0, "weekends", MAY_DAYS), serial(2023, 4, 20),
        "May 4, 3, 2, April 28 to 24, 21, 20: ten days",
    ),
    Case("one on", "XM_ADD_BUSINESS_DAYS", ([[36539.0], [36540.0]], 1), [[36543.0], [36543.0]],
         "from Friday or Saturday to the Tuesday after the holiday"),
    Case("half a day", "XM_ADD_BUSINESS_DAYS", (FIRST_PAYMENT, 0.5), NUM, "no whole number"),
    Case(
        "months from March 31", "XM_ADD_MONTHS", (dt.date(2021, 3, 31), [[0.0], [1.0], [2.0], [3.0]]),
        [[serial(2021, 3, 31)], [serial(2021, 4, 30)], [serial(2021, 5, 31)], [serial(2021, 6, 30)]],
        "each counted from the first; dateutil/dateutil, issue 1149",
    ),
    Case("a month back, to its end", "XM_ADD_MONTHS", (36494.0, -1, True), 36464.0, "October 31, 1999"),
    Case("beyond the worksheet", "XM_ADD_MONTHS", (FIRST_PAYMENT, 96001.0), NUM, "after the year 9999"),
    # --- XM_ROUND, XM_TRUNCATE, XM_SPLIT -------------------------------------------------------------
    Case("half up", "XM_ROUND", ([[2.675], [1.005], [0.285], [-2.5]], [[2.0], [2.0], [None], [0.0]]),
         [[2.68], [1.01], [0.29], [-3.0]], "ROUND of the worksheet; a blank is omitted"),
    Case("hundreds", "XM_ROUND", (Decimal("1250.00"), -2), 1300.0, "half up"),
    Case("a text", "XM_ROUND", ("1.5",), VALUE, "a text never counts as a number"),
    Case("toward zero", "XM_TRUNCATE", ([[-8.9, 1.999]], 0.0), [[-8.0, 1.0]], "cut"),
    Case("to the cent", "XM_TRUNCATE", (1.219,), 1.21, "cut after two decimals"),
    Case("49 to 51", "XM_SPLIT", (10.03, [[49.0, 51.0]]), [[4.91, 5.12]],
         "491.47 and 511.53 cents: the odd cent to the larger remainder; dinerojs/dinero.js, issue 144"),
    Case("a third each", "XM_SPLIT", (Decimal("10.00"), [[1.0], [1.0], [1.0]]), [[3.34], [3.33], [3.33]],
         "the odd cent to the first"),
    Case("no weight", "XM_SPLIT", (10.0, [[0.0], [0.0]]), NUM, "one above zero"),
    # --- level payments ----------------------------------------------------------------------------
    # a loan of 201 over two months at 1% a month: 102.01, of which 2.01 is interest; then 101 and 1.01
    Case("two payments", "XM_INTEREST_PART", (201.0, 0.12, 2.0, [[1.0], [2.0]]), [[2.01], [1.01]],
         "1% of 201 and of 101", digits=9),
    Case(
        "payments in advance", "XM_INTEREST_PART", (201.0, 0.12, 2, 1, OMITTED, True), 0.0,
        "none has accrued",
    ),
    Case("a third of two", "XM_INTEREST_PART", (201.0, 0.12, 2.0, 3.0), NUM, "two payments"),
    Case("two payments", "XM_PRINCIPAL_PART", (201.0, 0.12, 2.0, [[1.0, 2.0]]), [[100.0, 101.0]],
         "102.01 less the interest", digits=9),
    Case("down to a balloon", "XM_PRINCIPAL_PART", (1200.0, 0.0, 11.0, 1.0, 100.0), 100.0, "1,100 / 11"),
    Case("after each payment", "XM_BALANCE_AFTER", (201.0, 0.12, 2.0, [[0.0], [1.0], [2.0]]),
         [[201.0], [101.0], [0.0]], "201, 201 - 100, nothing", digits=9),
    Case("a negative number", "XM_BALANCE_AFTER", (201.0, 0.12, 2.0, -1.0), NUM, "0 is before any"),
    Case("without interest", "XM_TERMS", (100.0, 0.0, 10), 10.0, "100 / 10"),
    Case("two payments", "XM_TERMS", (201.0, 0.12, 102.01), 2.0, "as the loan above", digits=9),
    Case("less than the interest", "XM_TERMS", (201.0, 0.12, [[102.01], [2.0]]), NUM, "1% is 2.01"),
    Case("two payments", "XM_RATE", (201.0, 2.0, 102.01), 0.12, "as the loan above", digits=9),
    Case("as much as was lent", "XM_RATE", ([[1200.0]], 12, 100.0), 0.0, "12 x 100"),
    Case("nothing lent", "XM_RATE", (0.0, 12.0, 100.0), NUM, "above zero"),
    # --- XM_IRR, XM_XIRR -----------------------------------------------------------------------------
    Case("one period", "XM_IRR", ([[-100.0], [110.0]],), 0.1, "110 / 100 - 1", digits=12),
    Case(
        "two rates, one by a guess", "XM_IRR", ([[-50.0, -100.0, 600.0, 300.0, -100.0]], 0.1),
         1.85441782845618,
        "numpy/numpy-financial, issue 28; the other is -0.768895470680781", digits=13,
    ),
    Case("no change of sign", "XM_IRR", ([[100.0], [110.0]],), NUM, "both received"),
    Case("a year", "XM_XIRR", ([[-100.0], [110.0]], [[CLOSING], [dt.date(2000, 10, 27)]]), 0.1,
         "365 days, February 29 among them", digits=12),
    Case("four days", "XM_XIRR", ([[-10000.0, 9800.0]], [[dt.date(2022, 1, 24), dt.date(2022, 1, 28)]]),
         -0.84173699523486, "0.98 ^ (365 / 4) - 1", digits=13),
    Case("a date missing", "XM_XIRR", ([[-100.0], [110.0]], CLOSING), VALUE, "one a flow"),
    # --- speeds ------------------------------------------------------------------------------------
    Case(
        "225 PSA in month 15", "XM_SMM", (2.25, 15.0, "PSA"), 0.005807,
        "6.75% CPR: 1 - 0.9325 ^ (1/12)", digits=6,
    ),
    Case("5000 PSA in month 30", "XM_SMM", (50, 30, "psa"), 1.0, "never more than all of it"),
    Case("percent for a multiple", "XM_SMM", (150.0, 30.0, "PSA"), NUM, "150% is 1.5"),
    Case("PSA as CPR", "XM_SPEED", (1.5, [[10.0], [30.0], [40.0]], "PSA", "CPR"), [[0.03], [0.09], [0.09]],
         "1.5 x 0.2% a month up to 6%", digits=12),
    Case(
         "SMM as ABS", "XM_SPEED", (0.025, 11.0, "SMM", "ABS"), 0.02,
         f"{BMA}, page SF-14: 2% ABS in month 11",
         digits=12),
    Case("a speed of 120%", "XM_SPEED", (1.2, 1.0, "CPR", "ABS"), NUM, "below 1"),
    Case("ten months of 1% ABS", "XM_SURVIVORS", (0.01, 10.0, 10.0), 8 / 9, "80 of the 90 that were left"),
    Case("two months of 10% SMM", "XM_SURVIVORS", (0.1, 0, [[0.0, 1.0, 2.0]], "SMM"), [[1.0, 0.9, 0.81]],
         "0.9 x 0.9", digits=12),
    Case("a negative age", "XM_SURVIVORS", (0.1, -1.0, 1.0), NUM, "zero or more"),
    Case("the last holds on", "XM_SMM_VECTOR", ([[0.1, 0.2]], 0.0, 3.0, "SMM"), [[0.1], [0.2], [0.2]],
         "the speeds themselves"),
    Case("by age", "XM_SMM_VECTOR", ([[0.1], [0.2]], 1.0, 2.0, "SMM by age"), [[0.2], [0.2]],
         "the second month since origination is the first shown"),
    Case("by year", "XM_SMM_VECTOR", ([[0.1], [0.2]], 1.0, 2.0, "SMM by year"), VALUE, "no such name"),
    Case("80 of 100 after 20 months", "XM_ABS_SPEED", (80.0, 100.0, 20.0), 0.01, "one a month", digits=12),
    Case(
        "and from 90 after 10", "XM_ABS_SPEED", ([[80.0]], 90, 20, 10), 0.01, "one a month of 100", digits=12,
    ),
    Case("more than there were", "XM_ABS_SPEED", ([[80.0], [101.0]], 100.0, 20.0), NUM, "101 of 100"),
    Case("two months", "XM_POOL_SPEED", ([["P", 1200.0, 0.0, 12.0, 12.0]], 810.0, 2.0, "SMM"), 0.1,
         "1,000 is scheduled, 0.9 x 0.9 of it left", digits=12),
    Case("as scheduled", "XM_POOL_SPEED", ([[1200.0, 0.0, 12.0, 12.0]], 1000.0, 2), 0.0, "nothing prepaid"),
    Case(
        "more than scheduled", "XM_POOL_SPEED", ([[1200.0, 0.0, 12.0, 12.0]], 1001.0, 2.0), NUM,
        "no speed does",
    ),
    Case("speeds by month", "XM_COLLECTIONS", ([[1200.0, 0.0, 12.0, 12.0]], [[0.0], [0.5]], "SMM", 2.0),
         [[1.0, 1200.0, 0.0, 100.0, 0.0, 1100.0], [2.0, 1100.0, 0.0, 100.0, 500.0, 500.0]],
         "nothing prepays, then half of the 1,000 left"),
    # --- losses ------------------------------------------------------------------------------------
    Case("100% SDA", "XM_MDR", (1.0, [[30.0], [60.0], [97.0], [120.0]], "SDA"),
         [[0.000501], [0.000501], [0.000207], [0.000025]], f"{BMA}, Cash Flow B, pages SF-31 to SF-33",
         digits=6),
    Case("1% MDR", "XM_MDR", (0.01, 7, "mdr"), 0.01, "the speed itself"),
    Case("a curve of amounts", "XM_MDR", (0.01, 7.0, "CNL"), VALUE, "has no rate"),
    Case("CDR of 100%", "XM_MDR", (1.0, 7.0), NUM, "below 1"),
    Case(
        "a tenth lost", "XM_DEFAULT_AMOUNTS",
        ([[1000.0], [900.0], [800.0]], 1000.0, 0.1, 0.5, [[0.5], [0.25], [0.25]]),
        [[100.0, 0.9], [50.0, 0.844444], [50.0, 0.781944]],
        "200 default: 100 of 1,000; 50 of 900 x 0.9, less 50/900; less 50/800", digits=6,
    ),
    Case("headings", "XM_DEFAULT_AMOUNTS", (100.0, 100.0, 0.1, 0.5, 1.0, True),
         [["Defaults", "Survivors"], [20.0, 0.8]], "10 lost is half of 20"),
    Case("more than performs", "XM_DEFAULT_AMOUNTS",
         ([[1000.0], [100.0]], 1000.0, 0.1, 0.5, [[0.5], [0.5]]), NUM, "100 of 100 x 0.9"),
    Case("a timing of 90%", "XM_DEFAULT_AMOUNTS", (100.0, 100.0, 0.1, 0.5, 0.9), NUM, "sums to 1"),
    Case("two months later", "XM_RECOVERIES", ([[100.0], [50.0]], 0.4, 2.0), [[0.0], [0.0], [60.0], [30.0]],
         "0.6 of each"),
    Case("at once", "XM_RECOVERIES", (100, 1, OMITTED), [[0.0]], "all is lost"),
    Case("a severity of 140%", "XM_RECOVERIES", (100.0, 1.4), NUM, "a part from 0 to 1"),
)
# fmt: on
