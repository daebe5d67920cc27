"""The workbook of a loan agreement: how a folder of that kind is read, and its sheets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from xlmodel.errors import BadPublished, XlmodelError
from xlmodel.trust.loan_tables import (
    AGREEMENT,
    BANKS,
    PROVIDERS,
    RECEIPTS,
    SCHEMAS,
    read_agreement,
    read_receipts,
)
from xlmodel.workbook.kinds import LOAN_AGREEMENT
from xlmodel.workbook.model_folder import Model, in_folder, read_model
from xlmodel.workbook.sheets.clauses import clause_sheet
from xlmodel.workbook.sheets.comparison import tie_out
from xlmodel.workbook.sheets.input_tables import Inputs, input_sheet
from xlmodel.workbook.sheets.layout import Book, Sheet
from xlmodel.workbook.sheets.loan_agreement import after_default, receipts, rules, summary
from xlmodel.workbook.sheets.loan_agreement.checks import checks, compared

_TERMS = input_sheet(
    Inputs(
        "Terms",
        "The agreement when an event of default occurs, its banks and rate protection providers.",
        (AGREEMENT, BANKS, PROVIDERS),
        notes={
            ("Agreement", "event of default"): rules.COSTS.note,
            ("Agreement", "agent costs"): rules.COSTS.note,
            ("Agreement", "notes"): rules.NOTES.note,
            ("Agreement", "commitment fees"): rules.FEES.note,
            ("Agreement", "letter of credit fees"): rules.FEES.note,
            ("Agreement", "undrawn letters"): rules.HOLDING.note,
            ("Banks", "term percentage"): rules.RATEABLY.note,
            ("Banks", "revolving percentage"): rules.RATEABLY.note,
            ("Banks", "total percentage"): rules.NOTES.note,
            ("Banks", "costs"): rules.COSTS.note,
            ("Providers", "owed"): rules.NOTES.note,
        },
    )
)
_CLAUSES = clause_sheet(rules.RULES)
_TIE_OUT = tie_out(compared, checks)


def _read(path: Path) -> Model:
    """A loan agreement's folder, read through so that what is unsound is told before anything is built."""
    model = read_model(path, SCHEMAS, tuple(LOAN_AGREEMENT.ties))
    try:
        agreement = read_agreement(*model.rows(AGREEMENT, BANKS, PROVIDERS))
        read_receipts(agreement, model.tables[RECEIPTS.name])
    except XlmodelError as error:
        raise in_folder(path, error) from None
    for name, expected in (
        ("receipts", receipts.compared_shape(model)),
        ("claims", after_default.compared_shape(model)),
    ):
        table = model.published.get(name)
        if table is not None and table.printed.shape != expected:
            raise BadPublished(
                f"the figures are {table.printed.shape}, the workbook's {expected} rows and columns",
                remedy="correct the table, or delete it",
            ).at(file=str(path / "published" / f"{name}.csv"))
    return model


def _sheets(contents: Model) -> Sequence[Sheet[Model]]:
    return (summary.SHEET, _CLAUSES, _TERMS, receipts.SHEET, after_default.SHEET, _TIE_OUT)


BOOK = Book(_read, _sheets)
