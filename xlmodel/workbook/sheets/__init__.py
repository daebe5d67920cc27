"""The sheets of each kind of workbook, BOOKS; those of a deal in their order, SHEETS or REPORTED."""

from typing import Any

from xlmodel.workbook.sheets import (
    assumptions,
    card_trust,
    certificate,
    collections,
    contents,
    decrement,
    distributions,
    grid,
    ledger,
    loan_agreement,
    paths,
    payments,
    pool,
    prices,
    printed_book,
    reported,
    scenarios,
    servicer,
    statement,
    summary,
    terms,
    tie_out,
)
from xlmodel.workbook.sheets.layout import Book

SHEETS = (
    summary.SHEET,
    terms.SHEET,
    payments.SHEET,
    pool.SHEET,
    assumptions.SHEET,
    scenarios.SHEET,
    grid.SHEET,
    statement.SHEET,
    ledger.SHEET,
    collections.SHEET,
    distributions.SHEET,
    decrement.SHEET,
    prices.SHEET,
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


def _of_a_deal(shown: contents.Contents) -> tuple[Any, ...]:
    return REPORTED if shown.reported else SHEETS


# By the name of the kind, as ``kinds.KINDS`` has it.
BOOKS: dict[str, Book[Any]] = {
    "deal": Book(contents.read_contents, _of_a_deal),
    "card master trust": card_trust.BOOK,
    "loan agreement": loan_agreement.BOOK,
    "servicer advances": servicer.BOOK,
    "tables": printed_book.BOOK,
}
