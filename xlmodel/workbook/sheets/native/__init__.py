"""The native form of a deal's workbook: the same model in plain formulas, with no function of ours.

Its sheets are made from the tables of the deal; what they cannot say is refused by name (``refusals.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.workbook.sheets import assumptions, payments, pool, terms, theme, tie_out
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet
from xlmodel.workbook.sheets.native import (
    amortisation,
    collections,
    dates,
    decrement,
    readings,
    summary,
    tables_compared,
    waterfall,
)
from xlmodel.workbook.sheets.native.checks import applicable
from xlmodel.workbook.sheets.native.refusals import require_native
from xlmodel.workbook.sheets.native.runs import by_functions


def sheets_of(contents: Contents) -> Sequence[Sheet[Contents]]:
    """The sheets of a deal's native form, in their order.  Raises NotNative for what it cannot say."""
    require_native(contents)
    ours = by_functions(contents)
    return (
        summary.SHEET,
        _saying(
            terms.SHEET, "What is computed is what stands here: numbers, dates and conventions are read."
        ),
        _saying(
            payments.SHEET,
            "The columns of each run were made from these rows: an edited row needs a new build.",
        ),
        readings.SHEET,
        pool.SHEET,
        assumptions.SHEET,
        dates.SHEET,
        amortisation.SHEET,
        collections.SHEET,
        *waterfall.sheets(contents, ours),
        decrement.SHEET,
        tables_compared.sheet_of(ours),
        tie_out.sheet_of(applicable, proves_lives=False),
    )


def _saying(sheet: Sheet[Contents], sentence: str) -> Sheet[Contents]:
    """A sheet of the live form with another sentence at its top."""

    def write(target: Worksheet, contents: Contents, layout: Layout) -> None:
        sheet.write(target, contents, layout)
        theme.put(target, 2, 1, sentence, theme.SUBTITLE)

    return replace(sheet, write=write)
