"""Assumptions: the speeds and what is counted from the pool; none of them a term of the deal."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.tables import Kind
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, block, here
from xlmodel.workbook.sheets.tables import cell_value
from xlmodel.workbook.sheets.theme import put

TITLE = "Assumptions"
_TOP = 4


def place(contents: Contents) -> Mapping[str, Block]:
    return {
        "Speeds": block(TITLE, _TOP + 1, 2, 1, contents.speeds),
        "base speed": block(TITLE, _TOP + 2, 2),
        "printed payment dates": block(TITLE, _TOP + 3, 2),
        "longest term": block(TITLE, _TOP + 6, 2),
        "payment dates": block(TITLE, _TOP + 7, 2),
    }


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "What is asked of the deal, as against what it says.  No losses or delinquencies.",
        inputs=True,
    )
    folder = contents.folder
    source = layout["Speeds"].right + 1
    for column in range(1, source + 3):
        put(sheet, _TOP, column, None, theme.TEXT_HEADING)
    put(sheet, _TOP, 1, "Assumption", theme.TEXT_HEADING)
    put(sheet, _TOP, 2, "Value", theme.HEADING)
    theme.put_row(sheet, _TOP, source, ("Status", "Page", "Note"), theme.INNER_HEADING)
    model = f'="Speeds of the printed tables, "&{layout.term("prepayment model")}'
    put(sheet, _TOP + 1, 1, model, theme.KEY)
    for offset, speed in enumerate(folder.speeds):
        put(sheet, _TOP + 1, 2 + offset, speed, theme.INPUT, theme.PERCENT)
    put(sheet, _TOP + 2, 1, "Base speed", theme.KEY)
    put(sheet, _TOP + 2, 2, folder.base_speed, theme.INPUT, theme.PERCENT)
    put(sheet, _TOP + 3, 1, "Printed payment dates", theme.KEY)
    put(sheet, _TOP + 3, 2, folder.printed_payment_dates, theme.INPUT, theme.COUNT)
    page = folder.assumptions_page
    stated = "stated" if page else "assumed"
    sources = (
        (stated, page, "decimals, in the model that the terms name"),
        ("assumed", "", "speed of the sheets Collections and Distributions; any from 0% to below 100%"),
        (stated, page, "payment dates that the sheet Decrement shows"),
    )
    for row, (status, where, note) in enumerate(sources, start=_TOP + 1):
        put(sheet, row, source, status, theme.SOURCE)
        put(sheet, row, source + 1, cell_value(where, Kind.NAME), theme.SOURCE)
        put(sheet, row, source + 2, note, theme.INNER_NOTE)
    theme.mark_status(sheet, block(TITLE, _TOP + 1, source, len(sources)))
    _counted(sheet, layout)
    theme.widths(sheet, 1, 38, *([11] * contents.speeds), 11, 12, 72)
    sheet.freeze_panes = f"A{_TOP + 1}"
    theme.print_setup(sheet, title_rows=(1, _TOP))


def _counted(sheet: Worksheet, layout: Layout) -> None:
    """What follows from the pool and the terms."""
    term, dates = layout["longest term"], layout["payment dates"]
    put(sheet, term.top - 1, 1, "Counted from the pool and the terms", theme.SECTION)
    late = "pool last month" in layout
    label = "Months until the last payment" if late else "Longest remaining term, months"
    put(sheet, term.top, 1, label, theme.PLAIN)
    longest = f"=MAX({layout.ref('pool last month' if late else 'pool remaining term')})"
    put(sheet, term.top, term.left, longest, theme.PLAIN, theme.COUNT)
    put(sheet, dates.top, 1, "Payment dates until then", theme.PLAIN)
    count = f"={here(term)}-{layout.term('first collection months')}+1"
    put(sheet, dates.top, dates.left, count, theme.PLAIN, theme.COUNT)


SHEET = Sheet(TITLE, place, write)
