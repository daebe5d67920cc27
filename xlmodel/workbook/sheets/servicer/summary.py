"""Summary of a servicer's workbook: totals, a chart of what is kept and remitted, every check."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.array_block import column_under
from xlmodel.workbook.sheets.charts import Curve, Frame, lines, stacked_columns
from xlmodel.workbook.sheets.check_list import write_check_list
from xlmodel.workbook.sheets.input_tables import input_cell
from xlmodel.workbook.sheets.layout import Layout, Sheet, block, column_of
from xlmodel.workbook.sheets.servicer.checks import checks
from xlmodel.workbook.sheets.servicer.ledger import HEADINGS
from xlmodel.workbook.sheets.servicer.report import months
from xlmodel.workbook.sheets.theme import put

TITLE = "Summary"
_FACTS_TOP = 4
_CHARTS_TOP = 13
_CHART_ROWS = 20
_WIDTHS = (34.0, 18.0, 18.0, 18.0, 4.0, 18.0, 18.0, 18.0, 18.0)
_TOTALS = (
    ("Received", "Amount", ("Event", '"receipt"')),
    ("Not remitted by its kind", "Not remitted by its kind", None),
    ("Kept for advances", "Kept for its advance", None),
    ("Kept for unreimbursed advances", "Kept for unreimbursed advances", None),
    ("Remitted or to be", "Remitted", None),
)


def place(contents: Model) -> Mapping[str, Block]:
    return {
        "summary charts": block(TITLE, _CHARTS_TOP, 1, _CHART_ROWS, len(_WIDTHS)),
        "summary checks": block(TITLE, _CHARTS_TOP + _CHART_ROWS + 2, 1, len(checks(contents)), 3),
    }


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.title,
        TITLE,
        "A live model: edit a blue cell on Terms or Receipts, recalculate, and read it here. Synthetic data.",
    )
    theme.widths(sheet, 1, *_WIDTHS)
    _facts(sheet, layout)
    _charts(sheet, contents, layout)
    write_check_list(
        sheet,
        checks(contents),
        layout["summary checks"],
        last_column=len(_WIDTHS),
        state_at=(_FACTS_TOP + 1, 7),
    )
    sheet.freeze_panes = "A3"
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)


def _facts(sheet: Worksheet, layout: Layout) -> None:
    ledger = layout["AdvanceLedger"]
    for offset, (label, heading) in enumerate(
        (("Cutoff date", "cutoff date"), ("Closing date", "closing date"))
    ):
        put(sheet, _FACTS_TOP + offset, 1, label, theme.NOTE)
        put(
            sheet,
            _FACTS_TOP + offset,
            2,
            f"={input_cell(layout, 'Servicer', heading, 0)}",
            theme.STRONG,
            theme.DATE,
        )
    for offset, (label, amount, condition) in enumerate(_TOTALS, start=_FACTS_TOP + 2):
        column = column_under(ledger, HEADINGS, amount).text()
        formula = f"=SUM({column})"
        if condition:
            formula = (
                f"=SUMIFS({column},{column_under(ledger, HEADINGS, condition[0]).text()},{condition[1]})"
            )
        put(sheet, offset, 1, label, theme.NOTE)
        put(sheet, offset, 2, formula, theme.STRONG, theme.MONEY)
    put(sheet, _FACTS_TOP, 6, "Functions", theme.NOTE)
    put(sheet, _FACTS_TOP, 7, "=XM_VERSION()", theme.STRONG)
    put(sheet, _FACTS_TOP + 1, 6, "Checks", theme.NOTE)


def _charts(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    monthly, daily = layout["ReportMonths"], layout["ReportDays"]
    left = block(TITLE, _CHARTS_TOP, 1, _CHART_ROWS, 4)
    right = block(TITLE, _CHARTS_TOP, 6, _CHART_ROWS, 4)

    def curve(of: Block, column: int) -> Curve:
        values = column_of(of, column)
        heading = Block(values.sheet, values.top - 1, values.left, values.top - 1, values.left)
        return Curve(heading.text(), values.text())

    stacked_columns(
        sheet,
        Frame("What became of each month's receipts", "Dollars", "#,##0", left, 0),
        layout["report labels"].text(),
        [curve(monthly, n) for n in (5, 3, 4, 2)],
    )
    lines(
        sheet,
        Frame(
            "Held by the servicer until it is remitted, by day",
            "Dollars",
            "#,##0",
            right,
            months(contents),
            date_axis="Day",
            by_day=True,
        ),
        column_of(daily, 0).text(),
        [curve(daily, 4)],
    )


SHEET = Sheet(TITLE, place, write)
