"""Tie-out of any kind of workbook: its checks, and computed figures against published ones, cell by cell.

A kind gives the tables that are compared and its checks; ``tie_out`` makes the sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.figures import Table
from xlmodel.workbook.published import Figure
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.check_cells import Check, write_checks
from xlmodel.workbook.sheets.layout import C, Layout, Sheet, a1, block, cell, here
from xlmodel.workbook.sheets.theme import put

TITLE = "Tie-out"
_TOP = 5
_LABELS = 44.0
_FIGURES = 17.0
_DIFFERENCES = 12.0
_A_PAGE = 10  # columns of figures that a page may end after


@dataclass(frozen=True)
class Compared:
    """A published table and what is compared with it.

    ``title``: what stands above the figures.  ``computed`` and ``shown`` are the blocks of the kind's Tie;
    ``computed`` has the shape of the table.  ``dates``: columns, from 0, that hold dates.
    """

    name: str
    title: str
    computed: str
    shown: str
    table: Table
    dates: tuple[int, ...] = ()


def tie_out(
    compared: Callable[[C], Sequence[Compared]], checks: Callable[[C], Sequence[Check[C]]]
) -> Sheet[C]:
    """The sheet Tie-out.  For each table there are blocks ``cells NAME`` and ``matched NAME``."""

    def place(contents: C) -> Mapping[str, Block]:
        blocks = {check.name: block(TITLE, _TOP + number, 2) for number, check in enumerate(checks(contents))}
        row = _TOP + len(blocks) + 3
        widest = max((table.table.printed.shape[1] for table in compared(contents)), default=2)
        for table in compared(contents):
            rows, columns = table.table.printed.shape
            blocks[f"cells {table.name}"] = block(TITLE, row, 2)
            blocks[f"matched {table.name}"] = block(TITLE, row + 1, 2)
            blocks[table.shown] = block(TITLE, row + 3, 2, rows, columns)
            blocks[f"difference {table.name}"] = block(TITLE, row + 3, widest + 3, rows, columns)
            row += rows + 6
        return blocks

    def write(sheet: Worksheet, contents: C, layout: Layout) -> None:
        theme.head(
            sheet,
            contents.title,
            TITLE,
            "Computed figures against those worked elsewhere, and what holds in native formulas.",
        )
        tables = compared(contents)
        widest = max((table.table.printed.shape[1] for table in tables), default=2)
        theme.widths(sheet, 1, _LABELS, *([_FIGURES] * widest), 3, *([_DIFFERENCES] * widest))
        write_checks(sheet, checks(contents), contents, layout, last_column=7)
        for table in tables:
            _compare(sheet, layout, table)
        sheet.freeze_panes = "B4"
        bottom = max(found.bottom for found in layout.blocks.values() if found.sheet == TITLE)
        ends = [*range(1 + _A_PAGE, 1 + widest, _A_PAGE), widest + 1]
        theme.print_in_groups(
            sheet,
            title=f"{contents.title} – {TITLE}",
            printed=Block(TITLE, 3, 1, bottom, 2 * widest + 2),
            title_rows=(3, 3),
            title_columns=(1, 1),
            ends=[*ends, *(widest + 1 + end for end in ends)],
        )

    return Sheet(TITLE, place, write)


def tie_check(name: str, tie: str, sentence: str) -> Check[C]:
    """A check that every figure of a table is met as published."""

    def formula(contents: C, layout: Layout) -> str:
        return f"={layout.ref(f'matched {tie}')}={layout.ref(f'cells {tie}')}"

    return Check(name, sentence, lambda contents: True, formula)


def _compare(sheet: Worksheet, layout: Layout, one: Compared) -> None:
    published, differences = layout[one.shown], layout[f"difference {one.name}"]
    computed = layout[one.computed]
    assert computed.shape == published.shape, f"{one.computed} is {computed.shape}, not {published.shape}"
    top = published.top
    put(sheet, top - 4, 1, one.title, theme.SECTION)
    for offset, (label, formula) in enumerate(
        (
            ("Figures compared", f"=COUNTA({here(differences)})"),
            ("of these met", f"=COUNTIF({here(differences)},0)"),
        )
    ):
        put(sheet, top - 3 + offset, 1, label, theme.NOTE)
        put(sheet, top - 3 + offset, 2, formula, theme.STRONG, theme.COUNT)
    put(sheet, top - 2, differences.left, "Difference in the last digit published", theme.NOTE)
    for left in (published.left, differences.left):
        for offset, heading in enumerate(one.table.headings):
            put(sheet, top - 1, left + offset, heading, theme.HEADING)
    put(sheet, top - 1, 1, "As published", theme.TEXT_HEADING)
    tallest = max(theme.lines_of(heading, _DIFFERENCES, theme.HEADING) for heading in one.table.headings)
    theme.lines(sheet, top - 1, tallest)
    for row, label in enumerate(one.table.labels):
        put(sheet, top + row, 1, label, theme.PLAIN)
        for column, figure in enumerate(one.table.printed.rows[row]):
            if figure is None:
                continue
            decimals = one.table.printed.decimals_of(row, column)
            shown = theme.DATE if column in one.dates else _format(figure, decimals)
            theme.put_text(sheet, top + row, published.left + column, figure, theme.PRINTED, shown)
            found, other = cell(computed, row, column).text(), a1(top + row, published.left + column)
            # Plus nothing: a negative zero, which rounding can leave, is not counted as 0 by every program.
            less = f"ROUND((ROUND({found},{decimals})-{other})*{10**decimals},0)+0"
            formula = f"=IF(ISNUMBER({other}),{less},IF(EXACT({found},{other}),0,1))"
            put(sheet, top + row, differences.left + column, formula, theme.PLAIN, theme.COUNT)
    theme.mark_difference(sheet, differences)


def _format(figure: Figure, decimals: int) -> str | None:
    if isinstance(figure, str):
        return None
    return "#,##0" + (f".{'0' * decimals}" if decimals else "")
