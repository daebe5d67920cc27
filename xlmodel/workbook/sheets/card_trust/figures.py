"""Figures: what matters of each series side by side, for charts and comparison."""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.array_block import Heading, write_headings
from xlmodel.workbook.sheets.card_trust.allocation import HEADINGS as TRUST_HEADINGS
from xlmodel.workbook.sheets.card_trust.shape import FIGURES, series_count, series_heading, trust_months
from xlmodel.workbook.sheets.input_tables import input_cell
from xlmodel.workbook.sheets.layout import Layout, Sheet, block, cell, column_of
from xlmodel.workbook.sheets.theme import put

TITLE = "Figures"
_TOP = 6


def place(contents: Model) -> Mapping[str, Block]:
    months, count = trust_months(contents), series_count(contents)
    whole = block(TITLE, _TOP, 2, months, count * len(FIGURES))
    return {
        "figures month": block(TITLE, _TOP, 1, months),
        "Figures": whole,
        "figures spread": block(TITLE, _TOP, whole.right + 2, months, count),
        "figures invested": block(TITLE, _TOP, whole.right + count + 3, months, count + 1),
        "figures charges": block(TITLE, _TOP, whole.right + 2 * count + 5, months, count + 1),
    }


def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.title,
        TITLE,
        "Taken from the series sheets; the sheet Tie-out compares the first part.",
    )
    months, whole = layout["figures month"], layout["Figures"]
    count = series_count(contents)
    write_headings(sheet, months, [Heading("Month", "date")])
    trust = layout["TrustMonths"]
    for row in range(months.shape[0]):
        put(sheet, _TOP + row, 1, f"={cell(trust, row, 0).text()}", theme.PLAIN, theme.DATE)
    for n in range(count):
        left = whole.left + n * len(FIGURES)
        theme.group(sheet, _TOP - 2, left, len(FIGURES), f"={input_cell(layout, 'Series', 'series', n)}")
        write_headings(
            sheet, block(TITLE, _TOP, left, 1, len(FIGURES)), [Heading(name, "money") for name in FIGURES]
        )
        for row in range(months.shape[0]):
            for offset, name in enumerate(FIGURES):
                put(
                    sheet,
                    _TOP + row,
                    left + offset,
                    f"={series_heading(layout, n, name, row)}",
                    theme.PLAIN,
                    theme.MONEY,
                )
    for name, field, shown, last in (
        ("spread", "Average excess spread", theme.PERCENT, None),
        ("invested", "Adjusted invested amount", theme.MONEY, "Transferor's interest"),
        ("charges", "Finance charges", theme.MONEY, "Finance charges to transferor"),
    ):
        _for_charts(sheet, contents, layout, layout[f"figures {name}"], field, shown, last)
    sheet.freeze_panes = f"B{_TOP}"
    last_column = layout["figures charges"].right
    theme.print_in_groups(
        sheet,
        title=f"{contents.title} – {TITLE}",
        printed=Block(TITLE, _TOP - 2, 1, months.bottom, last_column),
        title_rows=(_TOP - 2, _TOP - 1),
        title_columns=(1, 1),
        ends=[
            *(whole.left - 1 + (n + 1) * len(FIGURES) for n in range(count)),
            layout["figures spread"].right,
            layout["figures invested"].right,
            last_column,
        ],
    )


def _for_charts(
    sheet: Worksheet,
    contents: Model,
    layout: Layout,
    found: Block,
    field: str,
    shown: str,
    last: str | None,
) -> None:
    """A column a series, and one of the transferor's."""
    count = series_count(contents)
    theme.group(sheet, _TOP - 2, found.left, found.shape[1], field)
    theme.widths(sheet, found.left - 1, 3)
    holds = "fraction" if shown == theme.PERCENT else "money"
    write_headings(sheet, found, [Heading("", holds)] * found.shape[1])
    for n in range(count):
        name = input_cell(layout, "Series", "series", n)
        put(sheet, _TOP - 1, found.left + n, f'="Series "&{name}', theme.HEADING)
        for row in range(found.shape[0]):
            value = series_heading(layout, n, field, row)
            # Where nothing is averaged a chart shall show a gap; a text counts as zero, #N/A as none.
            formula = f'=IF({value}="",NA(),{value})' if last is None else f"={value}"
            put(sheet, _TOP + row, found.left + n, formula, theme.PLAIN, shown)
    if last is None:
        theme.mark_quiet(sheet, found, f"ISNA({theme.a1(found)})")
        return
    put(sheet, _TOP - 1, found.right, "Transferor", theme.HEADING)
    names = [one.text for one in TRUST_HEADINGS]
    from_trust = column_of(layout["TrustMonths"], names.index(last))
    for row in range(found.shape[0]):
        put(sheet, _TOP + row, found.right, f"={cell(from_trust, row, 0).text()}", theme.PLAIN, shown)


SHEET = Sheet(TITLE, place, write)
