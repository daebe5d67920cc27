"""Payments: the priority of payments, a row a clause."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.schemas import PAYMENTS
from xlmodel.package.address import Block
from xlmodel.tables import heading_text
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, block
from xlmodel.workbook.sheets.tables import write_table
from xlmodel.workbook.sheets.theme import put

TITLE = "Payments"
_TOP = 4


def place(contents: Contents) -> Mapping[str, Block]:
    rows = contents.folder.payments
    return {"Payments": block(TITLE, _TOP, 1, len(rows), len(rows[0]))}


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "On each payment date the clauses are paid in this order, each from what the ones before it left.",
        inputs=True,
    )
    known = [PAYMENTS.column(heading_text(name)) for name in contents.folder.payments[0]]
    widths = [max(column.width, 10) if column else 14 for column in known]
    write_table(sheet, PAYMENTS, contents.folder.payments, _TOP, 1, widths=widths)
    below = layout["Payments"].bottom + 2
    words = [
        "To: A > B pays one class after the other, A + B side by side; a group stands for its classes.",
        "When: blank is always.  Short: how a shortage inside the row is shared; blank is in order.",
        "Cash comes first from collections, then from the accounts and policies that cover a clause.",
    ]
    headings = [column.heading for column in known if column]
    if "limit" in headings:
        words.append("Limit: the most that the row pays; what is over it stays due, for a later row.")
    if "priority" in headings:
        words.append(
            "Priority: blank is the ordinary list; on the date of a sale its own list is paid instead."
        )
    for offset, sentence in enumerate(words):
        put(sheet, below + offset, 1, sentence, theme.NOTE)
    theme.widths(sheet, 1, *widths)
    sheet.freeze_panes = "A5"
    theme.print_setup(sheet, title_rows=(1, 4))


SHEET = Sheet(TITLE, place, write)
