"""The sheets of a deal's workbook, one file a sheet, in the order in which they stand."""

from xlmodel.workbook.sheets import (
    assumptions,
    collections,
    decrement,
    distributions,
    payments,
    pool,
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
    collections.SHEET,
    distributions.SHEET,
    decrement.SHEET,
    tie_out.SHEET,
)
