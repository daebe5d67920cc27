"""Summary of a card trust: its series at the end, charts of allocation and excess spread, every check."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.card_trust.allocation import HEADINGS as TRUST_HEADINGS
from xlmodel.workbook.sheets.card_trust.checks import checks
from xlmodel.workbook.sheets.card_trust.shape import SERIES_HEADINGS, series_count, trust_months
from xlmodel.workbook.sheets.charts import Curve, Frame, lines, stacked_areas
from xlmodel.workbook.sheets.check_list import write_check_list
from xlmodel.workbook.sheets.input_tables import input_cell
from xlmodel.workbook.sheets.layout import Layout, Sheet, block, cell, column_of, row_of
from xlmodel.workbook.sheets.theme import put

TITLE = "Summary"
_FACTS_TOP = 4
_SERIES_TOP = 10
_CHART_ROWS = 20
_INTEREST = "Transferor's interest"
_WIDTHS = (30.0, 16.0, 20.0, 20.0, 18.0, 18.0, 18.0, 18.0, 16.0)
_COLUMNS = (
    "Series",
    "Group",
    "Period at the end",
    "Initial balance",
    "Invested amount after",
    "Paid to holders",
    "Charged off",
    "Reimbursed",
    "First month early",
)


def place(contents: Model) -> Mapping[str, Block]:
    count = series_count(contents)
    charts = _SERIES_TOP + count + 2
    return {
        "summary series": block(TITLE, _SERIES_TOP, 1, count, len(_COLUMNS)),
        "summary charts": block(TITLE, charts, 1, 2 * _CHART_ROWS, len(_COLUMNS)),
        "summary checks": block(TITLE, charts + 2 * _CHART_ROWS + 1, 1, len(checks(contents)), 3),
    }


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.title,
        TITLE,
        "A live model: edit a blue cell on Terms or Months, recalculate, and read it here. Synthetic data.",
    )
    theme.widths(sheet, 1, *_WIDTHS)
    _facts(sheet, contents, layout)
    _series(sheet, contents, layout)
    _charts(sheet, contents, layout)
    write_check_list(
        sheet,
        checks(contents),
        layout["summary checks"],
        last_column=len(_COLUMNS),
        state_at=(_FACTS_TOP + 1, 8),
    )
    sheet.freeze_panes = "A3"
    theme.print_setup(sheet, title_rows=(1, 2), pages_tall=1)


def _facts(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    trust = layout["TrustMonths"]
    last = trust_months(contents) - 1
    names = [one.text for one in TRUST_HEADINGS]
    facts = (
        (
            "Receivables before the first month",
            f"={input_cell(layout, 'Trust', 'receivables', 0)}",
            theme.MONEY,
        ),
        (
            "Receivables at the end",
            f"={cell(trust, last, names.index('Receivables after')).text()}",
            theme.MONEY,
        ),
        (
            "Transferor's interest at the end",
            f"={cell(trust, last, names.index(_INTEREST)).text()}",
            theme.MONEY,
        ),
        (
            "Months below its minimum",
            f"=COUNTIF({column_of(trust, names.index('Below minimum')).text()},TRUE)",
            theme.COUNT,
        ),
    )
    for offset, (label, formula, shown) in enumerate(facts):
        put(sheet, _FACTS_TOP + offset, 1, label, theme.NOTE)
        put(sheet, _FACTS_TOP + offset, 3, formula, theme.STRONG, shown)
    put(sheet, _FACTS_TOP, 7, "Functions", theme.NOTE)
    put(sheet, _FACTS_TOP, 8, "=XM_VERSION()", theme.STRONG)
    put(sheet, _FACTS_TOP + 1, 7, "Checks", theme.NOTE)


def _series(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    found = layout["summary series"]
    theme.lines(sheet, found.top - 1, 2)
    for offset, heading in enumerate(_COLUMNS):
        look = theme.HEADING if offset > 2 else theme.INNER_HEADING if offset else theme.TEXT_HEADING
        put(sheet, found.top - 1, 1 + offset, heading, look)
    names = [one.text for one in SERIES_HEADINGS]
    for n in range(found.shape[0]):
        whole, row = layout[f"Series{n + 1}"], found.top + n
        last = row_of(whole, -1)
        months, periods = column_of(whole, 0).text(), column_of(whole, 1).text()
        name = input_cell(layout, "Series", "series", n)
        of = layout["classes series"].text()
        amounts = layout["classes amount"].text()
        early = f'MATCH("early amortization",{periods},0)'
        cells = (
            (f"={name}", theme.STRONG, None),
            (f"={input_cell(layout, 'Series', 'group', n)}", theme.KEY_INNER, None),
            (f"={cell(last, 0, 1).text()}", theme.KEY_INNER, None),
            (f"=SUMIFS({amounts},{of},{name})", theme.PLAIN, theme.MONEY),
            (f"={cell(last, 0, names.index('Invested amount after')).text()}", theme.PLAIN, theme.MONEY),
            (f"=SUM({column_of(whole, names.index('Paid to holders')).text()})", theme.PLAIN, theme.MONEY),
            (f"=SUM({column_of(whole, names.index('Charged off')).text()})", theme.PLAIN, theme.MONEY),
            (f"=SUM({column_of(whole, names.index('Reimbursed')).text()})", theme.PLAIN, theme.MONEY),
            (f'=IFERROR(INDEX({months},{early}),"none")', theme.RIGHT, theme.MONTH_SHORT),
        )
        for offset, (formula, look, shown) in enumerate(cells):
            put(sheet, row, 1 + offset, formula, look, shown)


def _charts(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    found = layout["summary charts"]
    months = layout["figures month"].text()
    count = trust_months(contents)
    spread = layout["figures spread"]
    first = block(TITLE, found.top, 1, _CHART_ROWS, 4)
    second = block(TITLE, found.top, 5, _CHART_ROWS, 5)
    third = block(TITLE, found.top + _CHART_ROWS, 1, _CHART_ROWS, 4)
    fourth = block(TITLE, found.top + _CHART_ROWS, 5, _CHART_ROWS, 5)

    def curves(name: str) -> list[Curve]:
        whole = layout[f"figures {name}"]
        return [
            Curve(cell(column_of(whole, n), -whole.shape[0] - 1, 0).text(), column_of(whole, n).text())
            for n in range(whole.shape[1])
        ]

    def frame(title: str, axis: str, shown: str, over: Block, bottom: float | None = 0) -> Frame:
        return Frame(title, axis, shown, over, count, bottom=bottom, date_axis="Month")

    stacked_areas(
        sheet,
        frame("Finance charges allocated", "Dollars, millions", "#,##0,,", first),
        months,
        curves("charges"),
    )
    lines(
        sheet,
        frame("Excess spread, three-month average", "Per annum", "0%", second, None),
        months,
        curves("spread"),
    )
    stacked_areas(
        sheet,
        frame("Adjusted invested amounts and transferor's interest", "Dollars, millions", "#,##0,,", third),
        months,
        curves("invested"),
    )
    lines(
        sheet,
        frame("Principal funding accounts", "Dollars, millions", "#,##0,,", fourth),
        months,
        [
            Curve(
                f"'{spread.sheet}'!{theme.a1(cell(column_of(spread, n), -spread.shape[0] - 1, 0))}",
                column_of(
                    layout[f"Series{n + 1}"],
                    [one.text for one in SERIES_HEADINGS].index("Principal funding after"),
                ).text(),
            )
            for n in range(series_count(contents))
        ],
    )


SHEET = Sheet(TITLE, place, write)
