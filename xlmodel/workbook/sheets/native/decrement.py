"""Decrement: the printed tables from the balances and principal of the runs, a run a speed."""

from __future__ import annotations

from dataclasses import replace

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.workbook.sheets import decrement, theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, cell
from xlmodel.workbook.sheets.native.runs import Run, table_run
from xlmodel.workbook.sheets.theme import put


def life(layout: Layout, one: Run, position: int) -> str:
    """Principal x years over the initial balance; #N/A for a class that is not paid in full."""
    principal, years = layout.ref(one.at(f"principal {position}")), layout.ref(f"{one.dates}years")
    last = cell(layout[one.at(f"balance {position}")], -1, 0).text()
    initial = layout.class_term(position, "balance")
    return f"IF(ROUND({last},2)=0,SUMPRODUCT({principal},{years})/{initial},NA())"


def _factors(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    table, shown = layout["Decrement"], decrement.percent_format(contents)
    for number, position in enumerate(contents.decrement_classes):
        initial = layout.class_term(position, "balance")
        for speed in range(contents.speeds):
            balance = layout[table_run(contents, speed, contents.printed_end).at(f"balance {position}")]
            column = table.left + number * contents.speeds + speed
            for offset in range(table.shape[0]):
                row = balance.top - 1 + offset  # the first is the closing date
                left = replace(balance, top=row, bottom=row).text()
                put(sheet, table.top + offset, column, f"={left}/{initial}", theme.PLAIN, shown)


def _average_lives(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    lives = layout["AverageLife"]
    for number, end in enumerate(contents.life_ends):
        for speed in range(contents.speeds):
            one, column = table_run(contents, speed, end), lives.left + number * contents.speeds + speed
            for offset, position in enumerate(contents.life_classes):
                formula = f"={life(layout, one, position)}"
                put(sheet, lives.top + offset, column, formula, theme.PLAIN, theme.YEARS)


def _write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    decrement.write_with(sheet, contents, layout, _factors, _average_lives)


SHEET = Sheet(decrement.TITLE, decrement.place, _write)
