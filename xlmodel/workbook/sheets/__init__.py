"""The sheets of a deal's workbook, one file a sheet, in the order in which they stand."""

from xlmodel.workbook.sheets import (
    assumptions,
    collections,
    decrement,
    distributions,
    ledger,
    paths,
    payments,
    pool,
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
