"""Cases of prepayment speeds, for the table in ``cases.py``."""

from __future__ import annotations

from tests.faces.case import BMA, DIV0, NUM, REF, VALUE, Case

# fmt: off
SPEEDS_CASES: tuple[Case, ...] = (
    # --- XM_SMM ---------------------------------------------------------------------------------------
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
    Case(
        "225 PSA in month 15", "XM_SMM", (2.25, 15.0, "PSA"), 0.005807,
        "6.75% CPR: 1 - 0.9325 ^ (1/12)", digits=6,
    ),
    Case("5000 PSA in month 30", "XM_SMM", (50, 30, "psa"), 1.0, "never more than all of it"),
    Case("percent for a multiple", "XM_SMM", (150.0, 30.0, "PSA"), NUM, "150% is 1.5"),
    Case("a row of models", "XM_SMM", (0.01, 10.0, [["ABS", "SMM"]]), [[0.01 / 0.91, 0.01]], "as each alone"),
    Case("no speed", "XM_SMM", (0.0, 360.0), 0.0, "nothing prepays"),
    Case("#DIV/0! for a month", "XM_SMM", (0.01, DIV0), DIV0, "passes through"),
    Case("a month of 17 digits", "XM_SMM", (0.01, 1e16, "SMM"), NUM, "no month can be told from the next"),
    # --- XM_SPEED -------------------------------------------------------------------------------------
    Case("PSA as CPR", "XM_SPEED", (1.5, [[10.0], [30.0], [40.0]], "PSA", "CPR"), [[0.03], [0.09], [0.09]],
         "1.5 x 0.2% a month up to 6%", digits=12),
    Case(
         "SMM as ABS", "XM_SPEED", (0.025, 11.0, "SMM", "ABS"), 0.02,
         f"{BMA}, page SF-14: 2% ABS in month 11",
         digits=12),
    Case("a speed of 120%", "XM_SPEED", (1.2, 1.0, "CPR", "ABS"), NUM, "below 1"),
    Case("the same model", "XM_SPEED", (0.013, 20.0, "ABS", "ABS"), 0.013, "the speed itself", digits=12),
    Case("SMM of 12 months as CPR", "XM_SPEED", (0.01, 12.0, "SMM", "CPR"), 0.113615, "1 - 0.99 ^ 12",
         digits=6),
    Case("no model to convert to", "XM_SPEED", (0.01, 12.0, "SMM", None), VALUE, "required"),
    Case("an unknown model", "XM_SPEED", (0.01, 12.0, "SMM", "XYZ"), VALUE, "no such name"),
    Case("a blank speed", "XM_SPEED", ([[0.01], [None]], 12.0, "SMM", "CPR"), VALUE, "required"),
    # --- XM_SURVIVORS ---------------------------------------------------------------------------------
    Case("ten months of 1% ABS", "XM_SURVIVORS", (0.01, 10.0, 10.0), 8 / 9, "80 of the 90 that were left"),
    Case("two months of 10% SMM", "XM_SURVIVORS", (0.1, 0, [[0.0, 1.0, 2.0]], "SMM"), [[1.0, 0.9, 0.81]],
         "0.9 x 0.9", digits=12),
    Case("a negative age", "XM_SURVIVORS", (0.1, -1.0, 1.0), NUM, "zero or more"),
    Case("no months", "XM_SURVIVORS", (0.02, 7.0, 0.0), 1.0, "all are there"),
    Case("ABS to the end", "XM_SURVIVORS", (0.02, 0.0, 50.0), 0.0, "fifty months of 2% of the original"),
    Case("a text for months", "XM_SURVIVORS", (0.02, 0.0, "ten"), VALUE, "a text"),
    Case("#REF! among the months", "XM_SURVIVORS", (0.02, 0.0, [[1.0, REF]]), REF, "passes through"),
    # --- XM_SMM_VECTOR --------------------------------------------------------------------------------
    Case("the last holds on", "XM_SMM_VECTOR", ([[0.1, 0.2]], 0.0, 3.0, "SMM"), [[0.1], [0.2], [0.2]],
         "the speeds themselves"),
    Case("by age", "XM_SMM_VECTOR", ([[0.1], [0.2]], 1.0, 2.0, "SMM by age"), [[0.2], [0.2]],
         "the second month since origination is the first shown"),
    Case("by year", "XM_SMM_VECTOR", ([[0.1], [0.2]], 1.0, 2.0, "SMM by year"), VALUE, "no such name"),
    Case("a blank among the speeds", "XM_SMM_VECTOR", ([[0.1], [None], [0.2]], 0.0, 3.0, "SMM"), VALUE,
         "a gap"),
    Case("no month", "XM_SMM_VECTOR", ([[0.1]], 0.0, 0.0), NUM, "1 to 1,200"),
    Case("too many months", "XM_SMM_VECTOR", ([[0.1]], 0.0, 1201.0), NUM, "1 to 1,200"),
    Case("a ramp of ABS", "XM_SMM_VECTOR", ([[0.01], [0.02]], 0.0, 2.0), [[0.01], [0.02 / 0.98]],
         "0.02 / (1 - 0.02 x 1)"),
    # --- XM_ABS_SPEED ---------------------------------------------------------------------------------
    Case("80 of 100 after 20 months", "XM_ABS_SPEED", (80.0, 100.0, 20.0), 0.01, "one a month", digits=12),
    Case(
        "and from 90 after 10", "XM_ABS_SPEED", ([[80.0]], 90, 20, 10), 0.01, "one a month of 100", digits=12,
    ),
    Case("more than there were", "XM_ABS_SPEED", ([[80.0], [101.0]], 100.0, 20.0), NUM, "101 of 100"),
    Case("none has prepaid", "XM_ABS_SPEED", (100.0, 100.0, 12.0), 0.0, "all are there"),
    Case("all have", "XM_ABS_SPEED", (0.0, 100.0, 50.0), 0.02, "100 in 50 months", digits=12),
    Case("no time has passed", "XM_ABS_SPEED", (80.0, 100.0, 10.0, 10.0), NUM,
         "an age after the earlier one"),
    Case("a blank number", "XM_ABS_SPEED", (None, 100.0, 10.0), VALUE, "required"),
    # --- XM_POOL_SPEED --------------------------------------------------------------------------------
    Case("two months", "XM_POOL_SPEED", ([["P", 1200.0, 0.0, 12.0, 12.0]], 810.0, 2.0, "SMM"), 0.1,
         "1,000 is scheduled, 0.9 x 0.9 of it left", digits=12),
    Case("as scheduled", "XM_POOL_SPEED", ([[1200.0, 0.0, 12.0, 12.0]], 1000.0, 2), 0.0, "nothing prepaid"),
    Case(
        "more than scheduled", "XM_POOL_SPEED", ([[1200.0, 0.0, 12.0, 12.0]], 1001.0, 2.0), NUM,
        "no speed does",
    ),
    Case("by the month, as SMM", "XM_POOL_SPEED", ([[1200.0, 0.0, 12.0, 12.0]], 990.0, 1.0, "SMM"), 0.1,
         "1,100 is scheduled, 0.9 of it left", digits=12),
    Case("no months", "XM_POOL_SPEED", ([[1200.0, 0.0, 12.0, 12.0]], 990.0, 0.0), NUM, "1 to 1,200"),
    Case("a blank pool", "XM_POOL_SPEED", (None, 990.0, 1.0), VALUE, "required"),
    Case("#NUM! in the pool", "XM_POOL_SPEED", ([[1200.0, NUM, 12.0, 12.0]], 990.0, 1.0), NUM,
         "passes through"),
)
# fmt: on
