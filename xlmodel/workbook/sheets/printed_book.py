"""The sheets of a workbook of printed tables, in their order."""

from collections.abc import Sequence
from typing import Any

from xlmodel.workbook.printed.folder import TableFolder, read_table_folder
from xlmodel.workbook.sheets import (
    printed_allowance,
    printed_figures,
    printed_strata,
    printed_summary,
    printed_tables,
    printed_tie_out,
    printed_trends,
)
from xlmodel.workbook.sheets.layout import Book, Sheet


def _sheets(folder: TableFolder) -> Sequence[Sheet[TableFolder]]:
    return [
        printed_summary.SHEET,
        *([printed_trends.SHEET] if folder.charts else []),
        *printed_tables.sheets(folder),
        *([printed_strata.SHEET] if folder.strata else []),
        *([printed_allowance.SHEET] if folder.allowance else []),
        printed_tie_out.SHEET,
        printed_figures.SHEET,
    ]


BOOK: Book[Any] = Book(read_table_folder, _sheets)
