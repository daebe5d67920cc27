"""Cases of dates, for the table in ``cases.py``."""

from __future__ import annotations

import datetime as dt

from tests.faces.case import (
    CLOSING,
    DIV0,
    FIRST_PAYMENT,
    JANUARY_15,
    NA,
    NUM,
    OMITTED,
    REF,
    VALUE,
    Case,
    GivenCell,
    serial,
)

MAY_DAYS: list[list[GivenCell]] = [[dt.date(2023, 4, 29)], [dt.date(2023, 4, 30)], [dt.date(2023, 5, 1)]]

# fmt: off
SCHEDULE_CASES: tuple[Case, ...] = (
    # --- XM_PAYMENT_DATES -----------------------------------------------------------------------------
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
    Case("every quarter", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 3.0, OMITTED, OMITTED, OMITTED, 3.0),
         [[36509.0], [serial(2000, 3, 15)], [serial(2000, 6, 15)]], "all three are business days"),
    Case("month ends", "XM_PAYMENT_DATES",
         (dt.date(2000, 1, 31), 3.0, OMITTED, "none", OMITTED, OMITTED, True),
         [[serial(2000, 1, 31)], [serial(2000, 2, 29)], [serial(2000, 3, 31)]], "the last day of each"),
    Case("a month of 32 days", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 2.0, 32.0), NUM, "1 to 31"),
    Case("#NUM! for a first date", "XM_PAYMENT_DATES", (NUM, 2.0), NUM, "passes through"),
    # --- XM_SCHEDULE ----------------------------------------------------------------------------------
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
    Case("an end of February", "XM_SCHEDULE", (dt.date(2000, 1, 31), dt.date(2000, 3, 31), 1.0, OMITTED,
         "none"),
         [[serial(2000, 1, 31), serial(2000, 2, 29)] * 2, [serial(2000, 2, 29), serial(2000, 3, 31)] * 2],
         "from the last day of a month to the last of the next"),
    Case("#REF! for an end", "XM_SCHEDULE", (CLOSING, REF), REF, "passes through"),
    Case("weekends alone", "XM_SCHEDULE", (FIRST_PAYMENT, JANUARY_15, OMITTED, OMITTED, OMITTED, "weekends"),
         [[36509.0, 36540.0, 36509.0, 36542.0]], "the Saturday moves to Monday the 17th"),
    Case("on the 28th", "XM_SCHEDULE", (CLOSING, JANUARY_15, 1.0, "back short", "none", OMITTED, 28.0),
         [[36461.0, 36492.0] * 2, [36492.0, 36522.0] * 2, [36522.0, 36540.0] * 2],
         "November 28, December 28, and what is left"),
    # --- XM_COLLECTION_PERIODS ------------------------------------------------------------------------
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
    Case("a blank among the dates", "XM_COLLECTION_PERIODS", ([[FIRST_PAYMENT], [None]],), VALUE, "a gap"),
    Case("a row of dates", "XM_COLLECTION_PERIODS", ([[36509.0, 36543.0]],),
         [[36465.0, 36494.0, 1.0], [36495.0, 36525.0, 1.0]], "November and December, one row each"),
    Case("two months each", "XM_COLLECTION_PERIODS", ([[FIRST_PAYMENT], [dt.date(2000, 2, 15)]], 2.0, 2.0),
         [[36434.0, 36494.0, 2.0], [36495.0, 36556.0, 2.0]], "October and November, December and January"),
    # --- XM_RECORD_DATES ------------------------------------------------------------------------------
    Case("the business day before", "XM_RECORD_DATES", (FIRST_PAYMENT,), 36508.0, "a Tuesday"),
    Case(
        "a column", "XM_RECORD_DATES", ([[FIRST_PAYMENT], [dt.date(2000, 1, 18)]],), [[36508.0], [36539.0]],
        "before Tuesday, January 18 lie a holiday and a weekend: Friday the 14th",
    ),
    Case("14 days before", "XM_RECORD_DATES", (FIRST_PAYMENT, 14.0, "calendar days"), 36495.0, "36509 - 14"),
    Case("month end", "XM_RECORD_DATES", (36509.0, 1, "Month end"), 36494.0, "November 30"),
    Case("an unknown unit", "XM_RECORD_DATES", (FIRST_PAYMENT, 1.0, "days"), VALUE, "no such name"),
    Case("none before", "XM_RECORD_DATES", (FIRST_PAYMENT, 0.0), 36509.0, "the day itself"),
    Case("#N/A in a row", "XM_RECORD_DATES", ([[FIRST_PAYMENT, NA]],), NA, "passes through"),
    Case("moved back", "XM_RECORD_DATES", (JANUARY_15, 0.0, "calendar days", "preceding", "weekends"),
         36539.0, "Friday the 14th"),
    # --- XM_DETERMINATION_DATES -----------------------------------------------------------------------
    Case("four business days before", "XM_DETERMINATION_DATES", (FIRST_PAYMENT, 4.0), 36503.0,
         "December 14, 13, 10, 9"),
    Case(
        "a Sunday moved", "XM_DETERMINATION_DATES", (dt.date(2012, 6, 21), 4.0, "calendar days", "following"),
        serial(2012, 6, 18), "Honda Auto Receivables 2010-3, servicer's report of June 2012: June 18",
    ),
    Case("no count", "XM_DETERMINATION_DATES", (FIRST_PAYMENT, OMITTED), VALUE, "a term of the deal"),
    Case("a negative count", "XM_DETERMINATION_DATES", (FIRST_PAYMENT, -1.0), NUM, "zero or more"),
    Case("a month end", "XM_DETERMINATION_DATES", ([[36509.0], [36543.0]], 1.0, "month end"),
         [[36494.0], [36525.0]], "November 30 and December 31"),
    Case("weekends alone", "XM_DETERMINATION_DATES", (36543.0, 1.0, OMITTED, OMITTED, "weekends"), 36542.0,
         "Monday the 17th is a holiday, but no weekend"),
    # --- XM_BUSINESS_DAY ------------------------------------------------------------------------------
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
    Case("every day counts", "XM_BUSINESS_DAY", (JANUARY_15, OMITTED, "none"), 36540.0, "not moved"),
    Case("#VALUE! among the holidays", "XM_BUSINESS_DAY", (JANUARY_15, OMITTED, OMITTED, [[VALUE]]), VALUE,
         "passes through"),
    # --- XM_IS_BUSINESS_DAY ---------------------------------------------------------------------------
    Case("a holiday", "XM_IS_BUSINESS_DAY", (dt.date(2000, 1, 17),), False, "Martin Luther King's birthday"),
    Case(
         "a Wednesday and a Saturday", "XM_IS_BUSINESS_DAY", ([[FIRST_PAYMENT, JANUARY_15]],),
         [[True, False]],
         "weekdays of the calendar"),
    Case("an unknown calendar", "XM_IS_BUSINESS_DAY", (FIRST_PAYMENT, "Mars"), VALUE, "no such name"),
    Case("a holiday of one's own", "XM_IS_BUSINESS_DAY", (FIRST_PAYMENT, "weekends", [[FIRST_PAYMENT]]),
         False,
         "it is given as one"),
    Case("#DIV/0!", "XM_IS_BUSINESS_DAY", (DIV0,), DIV0, "passes through"),
    # --- XM_ADD_BUSINESS_DAYS -------------------------------------------------------------------------
    Case(
        "ten back over three holidays", "XM_ADD_BUSINESS_DAYS",
        (dt.date(2023, 5, 5), -10.0, "weekends", MAY_DAYS), serial(2023, 4, 20),
        "May 4, 3, 2, April 28 to 24, 21, 20: ten days",
    ),
    Case("one on", "XM_ADD_BUSINESS_DAYS", ([[36539.0], [36540.0]], 1), [[36543.0], [36543.0]],
         "from Friday or Saturday to the Tuesday after the holiday"),
    Case("half a day", "XM_ADD_BUSINESS_DAYS", (FIRST_PAYMENT, 0.5), NUM, "no whole number"),
    Case("none", "XM_ADD_BUSINESS_DAYS", (JANUARY_15, 0.0), 36540.0, "day 0 is the day itself"),
    Case("as many as there are grains of sand", "XM_ADD_BUSINESS_DAYS", (FIRST_PAYMENT, 1e15), NUM,
         "out of the calendar"),
    # --- XM_ADD_MONTHS --------------------------------------------------------------------------------
    Case(
        "months from March 31", "XM_ADD_MONTHS", (dt.date(2021, 3, 31), [[0.0], [1.0], [2.0], [3.0]]),
        [[serial(2021, 3, 31)], [serial(2021, 4, 30)], [serial(2021, 5, 31)], [serial(2021, 6, 30)]],
        "each counted from the first; dateutil/dateutil, issue 1149",
    ),
    Case("a month back, to its end", "XM_ADD_MONTHS", (36494.0, -1, True), 36464.0, "October 31, 1999"),
    Case("beyond the worksheet", "XM_ADD_MONTHS", (FIRST_PAYMENT, 96001.0), NUM, "after the year 9999"),
    Case("a leap day back", "XM_ADD_MONTHS", (dt.date(2000, 2, 29), -12.0), serial(1999, 2, 28),
         "February 1999 has 28 days"),
    Case("before the worksheet", "XM_ADD_MONTHS", (FIRST_PAYMENT, -1200.0), NUM, "December 1899"),
    Case("a blank number", "XM_ADD_MONTHS", (FIRST_PAYMENT, None), VALUE, "required"),
)
# fmt: on
