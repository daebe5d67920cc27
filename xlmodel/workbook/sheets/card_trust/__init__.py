"""The workbook of a card master trust: how a folder of that kind is read, and its sheets."""

from __future__ import annotations

from collections.abc import Sequence

from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets.card_trust import (
    allocation,
    figures,
    one_month,
    restriction,
    series,
    summary,
    tables,
)
from xlmodel.workbook.sheets.card_trust.checks import checks, compared
from xlmodel.workbook.sheets.card_trust.rules import RULES
from xlmodel.workbook.sheets.card_trust.shape import read_contents, series_count
from xlmodel.workbook.sheets.clauses import clause_sheet
from xlmodel.workbook.sheets.comparison import tie_out
from xlmodel.workbook.sheets.layout import Book, Sheet

_CLAUSES = clause_sheet(RULES)
_TIE_OUT = tie_out(compared, checks)


def _sheets(contents: Model) -> Sequence[Sheet[Model]]:
    return (
        summary.SHEET,
        _CLAUSES,
        tables.TERMS,
        tables.ACCOUNTS,
        allocation.SHEET,
        *(series.series_sheet(number) for number in range(series_count(contents))),
        one_month.SHEET,
        restriction.SHEET,
        figures.SHEET,
        _TIE_OUT,
    )


BOOK = Book(read_contents, _sheets)
