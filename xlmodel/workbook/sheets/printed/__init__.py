"""The sheets of a workbook of printed tables."""

from collections.abc import Sequence
from typing import Any

from xlmodel.workbook.printed.folder import TableFolder, read_table_folder
from xlmodel.workbook.sheets.layout import Book, Sheet
from xlmodel.workbook.sheets.printed import allowance, figures, strata, summary, tables, tie_out, trends


def _sheets(folder: TableFolder) -> Sequence[Sheet[TableFolder]]:
    return [
        summary.SHEET,
        *([trends.SHEET] if folder.charts else []),
        *tables.sheets(folder),
        *([strata.SHEET] if folder.strata else []),
        *([allowance.SHEET] if folder.allowance else []),
        tie_out.SHEET,
        figures.SHEET,
    ]


BOOK: Book[Any] = Book(read_table_folder, _sheets)
