"""Cases of what a transport must carry unharmed: numbers, texts, errors; for the table in ``cases.py``.

XM_ROUND to 400 decimals hands a number back as it is, and the name of a scenario is shown as it was given,
so both show what has arrived.
"""

from __future__ import annotations

from tests.faces.case import (
    CLOSING,
    DIV0,
    FIRST_PAYMENT,
    LONG_TEXT,
    NA,
    NAME,
    NULL,
    NUM,
    OMITTED,
    REF,
    VALUE,
    Case,
)
from tests.faces.deal_ranges import DEAL
from xlmodel.functions.cells import CellError

_AS_GIVEN = "it comes back as it was given"

NUMBERS: dict[str, float] = {
    "the largest that is typed": 9.99999999999999e307,
    "the largest that is computed": 1.7976931348623157e308,
    "the smallest": 2.2250738585072014e-308,
    "the smallest below zero": -2.2250738585072014e-308,
    "two to the 53rd": 2.0**53,
    "and two more": 2.0**53 + 2,
    "two to the 31st": 2.0**31,
    "just below it, below zero": -(2.0**31) - 1,
    "two to the 63rd": 2.0**63,
    "seventeen digits": 0.1 + 0.2,
    "a third": 1 / 3,
    "the number that says #N/A to COM": -2146826246.0,
    "the code of #N/A": 2042.0,
}

TEXTS: dict[str, str] = {
    "accents": "Crédit Mutuel, Überfällige",
    "other scripts": "遅延 задержка καθυστέρηση",
    "beyond the first plane": "🙂 𝒳",
    "a right-to-left word": "א Class A",
    "combined letters": "e\u0301 is no \u00e9",
    "quotes": 'the "base" case, it\'s here',
    "markup": "<b>&amp; ]]> </b>",
    "a formula": "=1+1",
    "an apostrophe first": "'quoted",
    "what looks like an error": "#N/A",
    "what looks like a date": "1999-12-15",
    "what looks like a number": "1e5",
    "what looks like a truth": "TRUE",
    "what looks like an escape": "_x000D_",
    "two lines": "one\ntwo",
    "two blanks inside": "one  two",
    "three hundred characters": LONG_TEXT,
    "four thousand characters": "0123456789abcdef" * 250,
}

ERRORS: dict[str, CellError] = {error.code: error for error in (VALUE, NUM, NA, DIV0, REF, NAME, NULL)}

# fmt: off
VALUES_CASES: tuple[Case, ...] = (
    *(Case(f"a number, {name}", "XM_ROUND", ([[number]], 400.0), number, _AS_GIVEN)
      for name, number in NUMBERS.items()),
    *(Case(f"a text, {name}", "XM_EVENTS", (*DEAL, [["scenario", "speed"], [text, 0.015]]), [[text, "", ""]],
           _AS_GIVEN, at=(1, 1))
      for name, text in TEXTS.items()),
    *(Case(f"the error {code}", "XM_INTEREST", (error, 0.06, CLOSING, FIRST_PAYMENT), error, "passes through")
      for code, error in ERRORS.items()),
    *(Case(f"the error {code} in a range", "XM_ALLOCATE", (1.0, [[1.0, 2.0], [error, 3.0]]), error,
           "passes through")
      for code, error in ERRORS.items()),
    *(Case(f"the error {code} for a name", "XM_DAYS", (CLOSING, FIRST_PAYMENT, [[error]]), error,
           "passes through")
      for code, error in ERRORS.items()),
    Case("two errors in a range, the first counts", "XM_ALLOCATE", (1.0, [[1.0, REF], [NA, 3.0]]), REF,
         "row by row"),
    Case("two errors among arguments, the first counts", "XM_INTEREST", (DIV0, NA, CLOSING, REF), DIV0,
         "argument by argument"),
    Case("an error after a text that is no number", "XM_INTEREST", ("x", NA, CLOSING, FIRST_PAYMENT), VALUE,
         "argument by argument"),
    Case("an error behind a blank that is required", "XM_INTEREST", (None, NA, CLOSING, FIRST_PAYMENT), VALUE,
         "argument by argument"),
    Case("an error in an argument that has a default", "XM_POOL_FACTOR", (1.0, 2.0, NULL), NULL,
         "an error is not blank"),
    Case("too large to be rounded", "XM_ROUND", ([[1.7e308]], -308.0), NUM, "2e308 is no number of a cell"),
    Case("a product that is too large", "XM_INTEREST", (1e308, 0.9, 1.0, 2958465.0, 2.0), NUM,
         "1e308 x 0.9 x 8217 years"),
    Case("too large for cents", "XM_INTEREST", (1e17, 0.06, CLOSING, FIRST_PAYMENT, 2.0, 2.0), NUM,
         "64 bits of cents"),
    Case("too large for cents in a column", "XM_INTEREST",
         ([[360.0], [1e17]], 0.06, CLOSING, FIRST_PAYMENT, 2.0, 2.0), NUM, "64 bits of cents"),
    Case("interest that is too large for cents", "XM_INTEREST",
         (9e16, 0.9, 1.0, 36525.0, "actual/360", OMITTED, "truncate"), NUM, "9e16 x 0.9 x 101 years"),
    Case("interest that is too large for cents, in a column", "XM_INTEREST",
         ([[360.0], [9e16]], 0.9, 1.0, 36525.0, "actual/360", 2.0), NUM, "9e16 x 0.9 x 101 years"),
    Case("too large for cents, not rounded to them", "XM_INTEREST", (1e17, 0.06, CLOSING, FIRST_PAYMENT, 2.0),
         8e14, "1e17 x 0.06 x 48 / 360"),
    Case("more cents than are allocated", "XM_ALLOCATE", (1e17, [[1.0]]), NUM, "64 bits of cents"),
    Case("more cents than are split", "XM_SPLIT", (1e17, [[1.0]]), NUM, "64 bits of cents"),
    Case("a claim of nearly all cents", "XM_ALLOCATE", (1.0, [[90000000000000000.0]]),
         [[1.0, 9e16]], "9e16 - 1 is 9e16 to fifteen digits"),
    Case("a count of 10^16", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 1e16), NUM, "more than 2,400"),
    Case("a count of 10^300", "XM_PAYMENT_DATES", (FIRST_PAYMENT, 1e300), NUM, "more than 2,400"),
    Case("decimals of 10^15", "XM_ROUND", (1.25, 1e15), 1.25, "nothing to round"),
    Case("decimals of -10^15", "XM_ROUND", (1.25, -1e15), 0.0, "less than half"),
    Case("a term of 10^15 months", "XM_PAYMENT", (1.0, 0.12, 1e15), 0.01, "1% for ever"),
    Case("a payment of the smallest number", "XM_PAYMENT", ([[2.2250738585072014e-308]], 0.0, 1.0),
         2.2250738585072014e-308, "all of it"),
    Case("a name of 300 characters that no day count has", "XM_DAYS", (CLOSING, FIRST_PAYMENT, [[LONG_TEXT]]),
         VALUE, "no such name"),
    Case("a name of 300 characters that no function has", "XM_WHY", ([[LONG_TEXT]],), NAME,
         "no such function"),
    Case("another script for a day count", "XM_DAYS", (CLOSING, FIRST_PAYMENT, "実際/360"), VALUE,
         "no such name"),
    Case("digits of another script", "XM_INTEREST", ("\u0661\u0662", 0.06, CLOSING, FIRST_PAYMENT), VALUE,
         "a text never counts as a number"),
    Case("FALSE for a date", "XM_DAYS", (False, FIRST_PAYMENT), NUM, "FALSE is serial 0"),
    Case("TRUE and FALSE in a range", "XM_ALLOCATE", (1.0, [[True], [False]]), [[1.0, 0.0], [0.0, 0.0]],
         "TRUE is 1, FALSE is 0"),
    Case("the answers TRUE and FALSE in a column", "XM_IS_BUSINESS_DAY", ([[FIRST_PAYMENT], [36540.0]],),
         [[True], [False]], "a Wednesday and a Saturday"),
    Case("a number for a truth", "XM_PAYMENT", (100.0, 0.0, 1.0, 0.0, 2.0), 100.0, "anything but 0 is TRUE"),
    Case("a text for a truth", "XM_PAYMENT", (100.0, 0.0, 1.0, 0.0, "TRUE"), VALUE, "a text is no truth"),
    Case("empty texts in a range", "XM_DECREMENT", (*DEAL, 0.015, [["A-4"], [""], [None]], 1.0),
         [[1.0], [1.0]], "they are left out, as blanks are"),
    Case("an empty text for an option", "XM_DAYS", (CLOSING, FIRST_PAYMENT, ""), 47.0, "blank is omitted"),
    Case("an empty text for a number", "XM_POOL_FACTOR", (1.0, 3.0, ""), 0.3333333, "blank is omitted"),
    Case("a range of one blank for an option", "XM_ALLOCATE", (1.0, [[1.0]], OMITTED, [[None]]),
         [[1.0, 0.0]], "one cell is that cell, and blank is omitted"),
    Case("a range of blanks for an option", "XM_ALLOCATE", (1.0, [[1.0]], OMITTED, [[None], [None]]), VALUE,
         "a gap"),
    Case("a range of one blank for names", "XM_DECREMENT", (*DEAL, 0.015, [[None]], 1.0),
         [[1.0] * 5], "as when left out: all five classes", at=(1, 1)),
    Case("a range of one blank for a table", "XM_EVENTS", (*DEAL, [[None]]), VALUE, "required"),
    Case("a block of one row and one of one column", "XM_ADD_MONTHS", ([[36509.0]], [[0.0]]), 36509.0,
         "itself"),
)
# fmt: on
