"""Summary of a loan agreement: what each payee got, before and after an event of default; every check."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.charts import Curve, Frame, stacked_columns
from xlmodel.workbook.sheets.check_list import write_check_list
from xlmodel.workbook.sheets.input_tables import input_cell
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, column_of, here
from xlmodel.workbook.sheets.loan_agreement.checks import checks
from xlmodel.workbook.sheets.loan_agreement.receipts import payees
from xlmodel.workbook.sheets.theme import put

TITLE = "Summary"
_PAYEES_TOP = 9
_CHART_ROWS = 20
_COLUMNS = ("Payee", "Before default", "After default", "Together")
_WIDTHS = (30.0, 18.0, 18.0, 18.0, 4.0, 18.0, 18.0, 18.0, 18.0)


def place(contents: Model) -> Mapping[str, Block]:
    count = payees(contents) + 1
    charts = _PAYEES_TOP + count + 2
    return {
        "summary payees": block(TITLE, _PAYEES_TOP, 1, count, len(_COLUMNS)),
        "summary charts": block(TITLE, charts, 1, _CHART_ROWS, len(_WIDTHS)),
        "summary checks": block(TITLE, charts + _CHART_ROWS + 1, 1, len(checks(contents)), 3),
    }


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.title,
        TITLE,
        "A live model: edit a blue cell on the input sheets, and read it here. Synthetic data.",
    )
    theme.widths(sheet, 1, *_WIDTHS)
    put(sheet, 4, 1, "Event of default", theme.NOTE)
    default = input_cell(layout, "Agreement", "event of default", 0)
    put(sheet, 4, 2, f'=IF({default}="","none",{default})', theme.STRONG_RIGHT, theme.DATE)
    put(sheet, 5, 1, "Funds received", theme.NOTE)
    whole = layout["Distribution"]
    put(sheet, 5, 2, f"=SUM({column_of(whole, 2).text()})", theme.STRONG, theme.MONEY)
    put(sheet, 4, 6, "Functions", theme.NOTE)
    put(sheet, 4, 7, "=XM_VERSION()", theme.STRONG)
    put(sheet, 5, 6, "Checks", theme.NOTE)
    _payees(sheet, layout)
    _charts(sheet, layout)
    write_check_list(
        sheet, checks(contents), layout["summary checks"], last_column=len(_WIDTHS), state_at=(5, 7)
    )
    sheet.freeze_panes = "A3"
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)


def _payees(sheet: Worksheet, layout: Layout) -> None:
    found, whole = layout["summary payees"], layout["Distribution"]
    for offset, heading in enumerate(_COLUMNS):
        put(sheet, found.top - 1, 1 + offset, heading, theme.HEADING if offset else theme.TEXT_HEADING)
    flags = column_of(whole, 3).text()
    for n in range(found.shape[0]):
        row, paid = found.top + n, column_of(whole, 4 + n)
        name = Block(paid.sheet, paid.top - 1, paid.left, paid.top - 1, paid.left).text()
        put(sheet, row, 1, f"={name}", theme.PLAIN)
        for offset, after in ((1, "FALSE"), (2, "TRUE")):
            formula = f"=SUMIFS({paid.text()},{flags},{after})"
            put(sheet, row, 1 + offset, formula, theme.PLAIN, theme.MONEY)
        put(sheet, row, 4, f"={a1(row, 2)}+{a1(row, 3)}", theme.PLAIN, theme.MONEY)
    total = found.bottom + 1
    put(sheet, total, 1, "Total", theme.TOTAL)
    for column in (2, 3, 4):
        summed = here(Block(TITLE, found.top, column, found.bottom, column))
        put(sheet, total, column, f"=SUM({summed})", theme.TOTAL, theme.MONEY)


def _charts(sheet: Worksheet, layout: Layout) -> None:
    found, names, rungs = layout["summary charts"], layout["summary payees"], layout["rungs"]
    left = block(TITLE, found.top + 1, 1, _CHART_ROWS - 1, 4)
    right = block(TITLE, found.top + 1, 6, _CHART_ROWS - 1, 4)

    def curve(of: Block, column: int) -> Curve:
        values = column_of(of, column)
        heading = Block(values.sheet, values.top - 1, values.left, values.top - 1, values.left)
        return Curve(heading.text(), values.text())

    stacked_columns(
        sheet,
        Frame("Distributed, by payee", "Dollars, millions", "#,##0.0,,", left, 0),
        column_of(names, 0).text(),
        [curve(names, 1), curve(names, 2)],
    )
    stacked_columns(
        sheet,
        Frame("After default: the funds entered, by rung", "Dollars, millions", "#,##0.0,,", right, 0),
        column_of(rungs, 0).text(),
        [curve(rungs, 2), curve(rungs, 3)],
    )


SHEET = Sheet(TITLE, place, write)
