"""Cases of level payments, for the table in ``cases.py``."""

from __future__ import annotations

from decimal import Decimal

from tests.faces.case import DIV0, NA, NUM, OMITTED, VALUE, Case

# fmt: off
LOANS_CASES: tuple[Case, ...] = (
    # --- XM_PAYMENT -----------------------------------------------------------------------------------
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
    Case("a balloon", "XM_PAYMENT", (1200.0, 0.0, 11.0, 100.0), 100.0, "1,100 / 11"),
    Case("payments in advance", "XM_PAYMENT", (201.0, 0.12, 2.0, OMITTED, True), 101.0,
         "102.01 / 1.01, the payment in arrears brought forward", digits=9),
    Case("a column and a row", "XM_PAYMENT", ([[1200.0], [2400.0]], 0.0, [[12.0, 24.0]]),
         [[100.0, 50.0], [200.0, 100.0]], "divided"),
    Case("a rate in percent", "XM_PAYMENT", (1200.0, 12.0, 12.0), NUM, "1,200% a year"),
    # --- XM_INTEREST_PART -----------------------------------------------------------------------------
    # a loan of 201 over two months at 1% a month: 102.01, of which 2.01 is interest; then 101 and 1.01
    Case("two payments", "XM_INTEREST_PART", (201.0, 0.12, 2.0, [[1.0], [2.0]]), [[2.01], [1.01]],
         "1% of 201 and of 101", digits=9),
    Case(
        "payments in advance", "XM_INTEREST_PART", (201.0, 0.12, 2, 1, OMITTED, True), 0.0,
        "none has accrued",
    ),
    Case("a third of two", "XM_INTEREST_PART", (201.0, 0.12, 2.0, 3.0), NUM, "two payments"),
    Case("no interest", "XM_INTEREST_PART", (1200.0, 0.0, 12.0, 5.0), 0.0, "at a rate of nothing"),
    Case("payment 0", "XM_INTEREST_PART", (201.0, 0.12, 2.0, 0.0), NUM, "the first is 1"),
    Case("a text for the number", "XM_INTEREST_PART", (201.0, 0.12, 2.0, "1"), VALUE, "a text"),
    Case("a balloon", "XM_INTEREST_PART", (100.0, 0.12, 1.0, 1.0, 50.0), 1.0, "1% of 100", digits=9),
    # --- XM_PRINCIPAL_PART ----------------------------------------------------------------------------
    Case("two payments", "XM_PRINCIPAL_PART", (201.0, 0.12, 2.0, [[1.0, 2.0]]), [[100.0, 101.0]],
         "102.01 less the interest", digits=9),
    Case("down to a balloon", "XM_PRINCIPAL_PART", (1200.0, 0.0, 11.0, 1.0, 100.0), 100.0, "1,100 / 11"),
    Case("the third of two", "XM_PRINCIPAL_PART", (201.0, 0.12, 2.0, 3.0), NUM, "two payments"),
    Case("a blank rate", "XM_PRINCIPAL_PART", (201.0, None, 2.0, 1.0), VALUE, "required"),
    Case("#DIV/0! in a column", "XM_PRINCIPAL_PART", (201.0, 0.12, 2.0, [[1.0], [DIV0]]), DIV0,
         "passes through"),
    Case("in advance", "XM_PRINCIPAL_PART", (201.0, 0.12, 2.0, 1.0, OMITTED, True), 101.0,
         "the whole payment, no interest has accrued", digits=9),
    # --- XM_BALANCE_AFTER -----------------------------------------------------------------------------
    Case("after each payment", "XM_BALANCE_AFTER", (201.0, 0.12, 2.0, [[0.0], [1.0], [2.0]]),
         [[201.0], [101.0], [0.0]], "201, 201 - 100, nothing", digits=9),
    Case("a negative number", "XM_BALANCE_AFTER", (201.0, 0.12, 2.0, -1.0), NUM, "0 is before any"),
    Case("half way, no interest", "XM_BALANCE_AFTER", (1200.0, 0.0, 12.0, 6.0), 600.0, "6 x 100 are left"),
    Case("down to a balloon", "XM_BALANCE_AFTER", (1200.0, 0.0, 11.0, 11.0, 100.0), 100.0, "the balloon"),
    Case("after more than all", "XM_BALANCE_AFTER", (201.0, 0.12, 2.0, 3.0), NUM, "two payments"),
    Case("in advance", "XM_BALANCE_AFTER", (201.0, 0.12, 2.0, 1.0, OMITTED, True), 100.0,
         "201 - 101", digits=9),
    # --- XM_TERMS -------------------------------------------------------------------------------------
    Case("without interest", "XM_TERMS", (100.0, 0.0, 10), 10.0, "100 / 10"),
    Case("two payments", "XM_TERMS", (201.0, 0.12, 102.01), 2.0, "as the loan above", digits=9),
    Case("less than the interest", "XM_TERMS", (201.0, 0.12, [[102.01], [2.0]]), NUM, "1% is 2.01"),
    Case("to a balloon", "XM_TERMS", (1200.0, 0.0, 100.0, 200.0), 10.0, "1,000 / 100"),
    Case("no payment", "XM_TERMS", (201.0, 0.12, 0.0), NUM, "above zero"),
    Case("#N/A for a payment", "XM_TERMS", (201.0, 0.12, NA), NA, "passes through"),
    Case("in advance", "XM_TERMS", (201.0, 0.12, 101.0, OMITTED, True), 2.0,
         "101 now, 101 in a month", digits=9),
    # --- XM_RATE --------------------------------------------------------------------------------------
    Case("two payments", "XM_RATE", (201.0, 2.0, 102.01), 0.12, "as the loan above", digits=9),
    Case("as much as was lent", "XM_RATE", ([[1200.0]], 12, 100.0), 0.0, "12 x 100"),
    Case("nothing lent", "XM_RATE", (0.0, 12.0, 100.0), NUM, "above zero"),
    Case("one month at 1%", "XM_RATE", (100.0, 1.0, 101.0), 0.12, "12 x 1%", digits=9),
    Case("no month", "XM_RATE", (100.0, 0.0, 101.0), NUM, "one or more"),
    Case("a blank term", "XM_RATE", (100.0, None, 101.0), VALUE, "required"),
    Case("a balloon", "XM_RATE", (100.0, 1.0, 51.0, 50.0), 0.12, "101 after a month", digits=9),
    Case("in advance", "XM_RATE", (201.0, 2.0, 101.0, OMITTED, True), 0.12,
         "100 for a month at 1%", digits=9),
)
# fmt: on
