"""The sheets of a deal, one file a sheet, in the order in which they stand: SHEETS, or REPORTED."""

from xlmodel.workbook.sheets import (
    assumptions,
    certificate,
    collections,
    decrement,
    distributions,
    ledger,
    paths,
    payments,
    pool,
    reported,
    scenarios,
    statement,
    summary,
    terms,
    tie_out,
)

SHEETS = (
    summary.SHEET,
    terms.SHEET,
    payments.SHEET,
    pool.SHEET,
    assumptions.SHEET,
    scenarios.SHEET,
    statement.SHEET,
    ledger.SHEET,
    collections.SHEET,
    distributions.SHEET,
    decrement.SHEET,
    paths.SHEET,
    tie_out.SHEET,
)

# Where the collateral is what a servicer reported, nothing is assumed and nothing runs to its end.
REPORTED = (
    certificate.SHEET,
    terms.SHEET,
    payments.SHEET,
    reported.SHEET,
    distributions.SHEET,
)
