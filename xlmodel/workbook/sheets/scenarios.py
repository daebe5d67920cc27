"""Scenarios: what is assumed, a row a scenario, what becomes of the deal then, and charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.scenario import CONSENTS, SCENARIOS
from xlmodel.functions.scenarios import SUMMARY_HEADER, events_header, summary_header
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import paths, theme
from xlmodel.workbook.sheets.charts import Curve, Frame, lines
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, column_of, here
from xlmodel.workbook.sheets.tables import column_block, write_table
from xlmodel.workbook.sheets.theme import put

TITLE = "Scenarios"
_CHOICES = 4
_TOP = 8
_NAME, _FIGURE, _NOTE = 24, 12, 70  # widths
_DATES = '#,##0;-#,##0;"–"'  # numbers of payment dates, a dash for never
_FORMATS = (
    None,
    theme.PERCENT,
    theme.PERCENT,
    *([theme.DOLLARS] * 5),
    *([_DATES] * 4),
)
_CHART_ROWS = 24
_CHART_COLUMNS = ((1, 8), (9, 9))  # first column and number of columns of each chart of a row


def place(contents: Contents) -> Mapping[str, Block]:
    rows = contents.scenario_rows
    table = block(TITLE, _TOP, 1, len(rows), len(rows[0]))
    summary = block(TITLE, table.bottom + 5, 1, len(rows) - 1, len(summary_header(contents.deal)))
    events = block(TITLE, summary.bottom + 5, 1, len(rows) - 1, len(events_header(contents.deal)))
    blocks = {
        "SelectedScenario": block(TITLE, _CHOICES, 1),
        "ComparedScenario": block(TITLE, _CHOICES + 1, 1),
        "Scenarios": table,
        "ScenarioSummary": summary,
        "ScenarioEvents": events,
    }
    for column in SCENARIOS.columns:
        name = f"scenario {column.heading}"
        blocks[name] = column_block(SCENARIOS, rows, table, column.heading)
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "What is assumed of the pool and of those who decide, and what becomes of the deal then.",
        inputs=True,
    )
    widths = _widths(contents)
    theme.widths(sheet, 1, *widths)
    _choices(sheet, contents, layout)
    _table(sheet, contents, layout, widths)
    _summary(sheet, contents, layout)
    _events(sheet, contents, layout)
    bottom = _charts(sheet, contents, layout)
    sheet.freeze_panes = "B4"
    theme.break_after_row(sheet, layout["ScenarioEvents"].bottom + 2)
    page, table = _page(contents), layout["Scenarios"]
    theme.print_in_groups(
        sheet,
        title=f"{contents.deal.name} – {TITLE}",
        printed=Block(TITLE, 3, 1, bottom, page),
        title_rows=(3, 3),
        title_columns=(1, 1),
        ends=[page],
    )
    if table.right > page:
        # The table is wider than all that stands below it: what is left of it has a page of its own.
        rest = Block(TITLE, table.top, page + 1, table.bottom, table.right)
        sheet.print_area = [str(sheet.print_area), theme.area(rest)]


def _widths(contents: Contents) -> list[float]:
    """Of all columns; the note of a scenario, the last column of its table, is the widest."""
    columns = [float(_FIGURE)] * max(len(SCENARIOS.columns), _page(contents))
    columns[0], columns[len(SCENARIOS.columns) - 1] = _NAME, _NOTE
    return columns


def _page(contents: Contents) -> int:
    """The last column of the first page, as wide as what stands below the table."""
    last, wide = _CHART_COLUMNS[-1]
    return max(len(summary_header(contents.deal)), len(events_header(contents.deal)), last + wide - 1)


def _choices(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    known = contents.scenarios
    # What is of interest beside the first scenario is the one with the heaviest losses.
    chosen = known.names[0], known.names[int(np.argmax(known.default_rate))]
    words = (
        "is the scenario of the sheets Statement and Ledger",
        "is compared with it in the charts of the accounts",
    )
    for name, value, sentence in zip(paths.COMPARED, chosen, words, strict=True):
        found = layout[name]
        theme.put_text(sheet, found.top, found.left, value, theme.TEXT_INPUT)
        put(sheet, found.top, found.left + 1, sentence, theme.INNER_NOTE)
        theme.choose(sheet, found, here(layout["scenario scenario"]), "Choose a scenario of the table below.")


def _table(sheet: Worksheet, contents: Contents, layout: Layout, widths: list[float]) -> None:
    table = layout["Scenarios"]
    put(sheet, _TOP - 1, 1, "Scenarios", theme.SECTION)
    write_table(sheet, SCENARIOS, contents.scenario_rows, _TOP, 1, widths=widths)
    consents = f'"{",".join(CONSENTS)}"'
    theme.choose(sheet, layout["scenario consent"], consents, f"One of: {', '.join(CONSENTS)}.")
    note = "To add a scenario, fill in a blank row.  What happens is given by the number of the payment date \
on which it begins, 1 for the first; blank is never."
    put(sheet, table.bottom + 1, 1, note, theme.NOTE)


def _summary(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    found = layout["ScenarioSummary"]
    put(sheet, found.top - 2, 1, "What becomes of the deal", theme.SECTION)
    lives = [f'={layout.class_term(n, "class")}&" average life"' for n in range(contents.classes)]
    _headings(sheet, found, [*SUMMARY_HEADER, *lives])
    arguments = "Terms,Classes,Payments,Pools,Scenarios"
    formats = (*_FORMATS, *([theme.YEARS] * contents.classes))
    theme.put_array(sheet, found, f"=XM_SCENARIO_SUMMARY({arguments})", formats, theme.RIGHT)
    theme.restyle(sheet, column_of(found, 0), theme.KEY)
    note = (
        "Dollars; net loss as part of the cutoff pool; numbers of payment dates; lives in years, #N/A where \
a class is not paid in full."
    )
    put(sheet, found.bottom + 1, 1, note, theme.NOTE)


def _events(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    found = layout["ScenarioEvents"]
    put(sheet, found.top - 2, 1, "Events of default, and what follows from them", theme.SECTION)
    headings = list(events_header(contents.deal))
    headings[1 : 1 + len(contents.deal.events)] = [
        f"={cell(layout['event event'], n, 0).text()}" for n in range(len(contents.deal.events))
    ]
    _headings(sheet, found, headings)
    formats = (None, *([theme.DATE] * (found.shape[1] - 1)))
    theme.put_array(sheet, found, "=XM_EVENTS(Terms,Classes,Payments,Pools,Scenarios)", formats, theme.RIGHT)
    theme.restyle(sheet, column_of(found, 0), theme.KEY)
    put(sheet, found.bottom + 1, 1, "Payment dates; blank where it does not happen.", theme.NOTE)


def _headings(sheet: Worksheet, found: Block, headings: list[str]) -> None:
    for column, heading in enumerate(headings, start=found.left):
        look = theme.TEXT_HEADING if column == found.left else theme.HEADING
        put(sheet, found.top - 1, column, heading, look)
    theme.lines(sheet, found.top - 1, 2)


def _charts(sheet: Worksheet, contents: Contents, layout: Layout) -> int:
    """Two charts a row; the last row of the sheet."""
    top = layout["ScenarioEvents"].bottom + 4
    dates = layout.ref("path date")
    number = 0
    for number, (title, axis, number_format, curves) in enumerate(_drawn(contents, layout)):
        row, column = divmod(number, len(_CHART_COLUMNS))
        left, wide = _CHART_COLUMNS[column]
        over = block(TITLE, top + row * (_CHART_ROWS + 1), left, _CHART_ROWS, wide)
        lines(sheet, Frame(title, axis, number_format, over, contents.scenario_dates), dates, curves)
    return top + (number // len(_CHART_COLUMNS) + 1) * (_CHART_ROWS + 1)


def _drawn(contents: Contents, layout: Layout) -> Iterator[tuple[str, str, str, list[Curve]]]:
    """Title, axis, number format and curves of each chart."""
    millions = "Dollars, millions", "#,##0.0,,"
    for n, account in enumerate(contents.deal.accounts):
        columns = [
            layout[f"compared {move} {n} {scenario}"]
            for move in ("balance", "requirement")
            for scenario in range(len(paths.COMPARED))
        ]
        curves = [Curve(_above(column), column.text()) for column in columns]
        yield f"Account {account.name}: balance and requirement", *millions, curves
    percent = "Of the cutoff pool", "0%"
    yield "Net loss by scenario, cumulative", *percent, _by_scenario(contents, layout, "path net loss")
    group = contents.deal.classes[0].group
    yield f"{group}: balance by scenario", *millions, _by_scenario(contents, layout, "path group")
    if contents.deal.policies:
        yield (
            "Policy claims by scenario, cumulative",
            *millions,
            _by_scenario(contents, layout, "path claims"),
        )


def _by_scenario(contents: Contents, layout: Layout, name: str) -> list[Curve]:
    """A curve a scenario that the workbook was built with: a blank row would be a curve without a name."""
    columns = [column_of(layout[name], n) for n in range(len(contents.scenarios))]
    return [Curve(_above(column), column.text()) for column in columns]


def _above(column: Block) -> str:
    return f"{column.sheet}!{a1(column.top - 1, column.left)}"


SHEET = Sheet(TITLE, place, write)
