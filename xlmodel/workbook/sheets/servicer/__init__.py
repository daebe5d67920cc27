"""The workbook of a servicer's remittances and advances: how a folder is read, and its sheets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from xlmodel.deal.advance_tables import (
    ADVANCES,
    CONDITIONS,
    DETERMINATIONS,
    LEDGER_HEADER,
    RECEIPTS,
    SCHEMAS,
    SERVICER,
    read_ledger,
)
from xlmodel.deal.advances import FITCH_RATINGS, KINDS, SP_RATINGS
from xlmodel.errors import BadPublished, XlmodelError
from xlmodel.workbook import kinds
from xlmodel.workbook.model_folder import Model, in_folder, read_model
from xlmodel.workbook.sheets.clauses import clause_sheet
from xlmodel.workbook.sheets.comparison import tie_out
from xlmodel.workbook.sheets.input_tables import Inputs, input_sheet
from xlmodel.workbook.sheets.layout import Book, Sheet
from xlmodel.workbook.sheets.servicer import ledger, report, rules, summary
from xlmodel.workbook.sheets.servicer.checks import checks, compared

_TERMS = input_sheet(
    Inputs(
        "Terms",
        "Dates and conventions, and from when on which limbs of the Monthly Remittance Condition hold.",
        (SERVICER, CONDITIONS),
        notes={
            ("Servicer", "cutoff date"): rules.CLOSING.note,
            ("Servicer", "closing date"): rules.CLOSING.note,
            ("Servicer", "distribution day"): rules.MONTHLY.note,
            ("Servicer", "calendar"): rules.CALENDAR.note,
            ("Conditions", "from"): rules.MONTHLY.note,
            ("Conditions", "is servicer"): rules.MONTHLY.note,
            ("Conditions", "termination event"): rules.MONTHLY.note,
            ("Conditions", "s&p"): rules.MONTHLY.note,
            ("Conditions", "fitch"): rules.MONTHLY.note,
        },
        spare={"Conditions": 2},
        choices={("Conditions", "s&p"): SP_RATINGS, ("Conditions", "fitch"): FITCH_RATINGS},
    )
)
_EVENTS = input_sheet(
    Inputs(
        "Receipts",
        "What is received, advanced and determined, each in the order of its dates. Synthetic.",
        (RECEIPTS, ADVANCES, DETERMINATIONS),
        notes={
            ("Receipts", "received"): f"{rules.DAILY.note}\n{rules.IDENTIFY.note}",
            ("Receipts", "kind"): rules.EXCLUDED.note,
            ("Advances", "amount"): rules.AMOUNT.note,
            ("Advances", "advanced"): rules.ADVANCE.note,
            ("Determinations", "receivable"): rules.UNREIMBURSED.note,
            ("Determinations", "amount"): rules.WHOLE_POOL.note,
        },
        spare=ledger.SPARE,
        choices={("Receipts", "kind"): tuple(KINDS)},
    )
)
_CLAUSES = clause_sheet(rules.RULES)
_TIE_OUT = tie_out(compared, checks)


def _read(path: Path) -> Model:
    """A servicer's folder, run once so that what is unsound is told before anything is built."""
    model = read_model(path, SCHEMAS, tuple(kinds.SERVICER.ties))
    try:
        read_ledger(*model.rows(*SCHEMAS))
    except XlmodelError as error:
        raise in_folder(path, error) from None
    table = model.published.get("ledger")
    expected = (ledger.filled(model), len(LEDGER_HEADER) - 4)
    if table is not None and table.printed.shape != expected:
        raise BadPublished(
            f"the figures are {table.printed.shape}, the ledger's {expected} rows and columns",
            remedy="correct the table, or delete it",
        ).at(file=str(path / "published" / "ledger.csv"))
    return model


def _sheets(contents: Model) -> Sequence[Sheet[Model]]:
    return (summary.SHEET, _CLAUSES, _TERMS, _EVENTS, ledger.SHEET, report.SHEET, _TIE_OUT)


BOOK = Book(_read, _sheets)
