"""Decrement: what part of each class is outstanding, as the document prints it, and average lives."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.folder import MATURITY
from xlmodel.package.address import Block
from xlmodel.workbook.published import STAR
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.charts import Curve, Frame, lines
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, column_of, here
from xlmodel.workbook.sheets.theme import put

TITLE = "Decrement"
Filler = Callable[[Worksheet, Contents, Layout], None]
_DEAL = "Terms,Classes,Payments,Pools,Speeds"
_TOP = 6
_FIRST = 3  # number, payment month, then the array
_ROWS_A_PAGE = 52
_CHARTS_A_ROW = 3
_CHART_COLUMNS, _CHART_ROWS = 7, 17  # the first chart of a row takes one column less: two are wide


def place(contents: Contents) -> Mapping[str, Block]:
    columns = len(contents.decrement_classes) * contents.speeds
    table = block(TITLE, _TOP, _FIRST, contents.printed + 1, columns)
    lives = (len(contents.life_classes), len(contents.life_ends) * contents.speeds)
    return {
        "Decrement": table,
        "decrement month": block(TITLE, _TOP, 2, contents.printed + 1),
        "decrement speed": block(TITLE, _TOP - 1, _FIRST, 1, columns),
        "AverageLife": block(TITLE, table.bottom + 4, _FIRST, *lives),
    }


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    write_with(sheet, contents, layout, _factors, _average_lives)


def write_with(
    sheet: Worksheet, contents: Contents, layout: Layout, factors: Filler, average_lives: Filler
) -> None:
    """The sheet, whoever works out what the blocks Decrement and AverageLife show."""
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "Percent of the initial balance outstanding after each payment date, at various speeds"
        f"{', to maturity' if contents.printed_end == MATURITY else ''}; blank: none.",
    )
    table = layout["Decrement"]
    put(sheet, _TOP - 1, 1, "No.", theme.HEADING)
    put(sheet, _TOP - 1, 2, "Payment date", theme.INNER_HEADING)
    for number, position in enumerate(contents.decrement_classes):
        left = table.left + number * contents.speeds
        theme.group(sheet, _TOP - 2, left, contents.speeds, f"={layout.class_term(position, 'class')}")
        speed_headings(sheet, contents, layout, _TOP - 1, left)
    _months(sheet, layout, table)
    factors(sheet, contents, layout)
    _lives(sheet, contents, layout)
    average_lives(sheet, contents, layout)
    columns = max(table.shape[1], layout["AverageLife"].shape[1])
    theme.widths(sheet, 1, 6, 17, *([8.5] * columns))
    _charts(sheet, contents, layout)
    sheet.freeze_panes = a1(_TOP, _FIRST)
    # Average lives and charts have no use for the headings of the table.
    repeated = 2 if contents.printed <= _ROWS_A_PAGE else _TOP - 1
    theme.print_setup(sheet, title_rows=(1, repeated))
    theme.break_after_row(sheet, table.bottom)


def _factors(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    # The names stand in the headings; cells that are merged with them are blank and do not count.
    table = layout["Decrement"]
    some = len(contents.decrement_classes) < contents.classes
    names = here(block(TITLE, _TOP - 2, table.left, 1, table.shape[1])) if some else ""
    matures = ",TRUE" if contents.printed_end == MATURITY else ""
    theme.put_array(
        sheet,
        table,
        f"=XM_DECREMENT({_DEAL},{names},{layout.ref('printed payment dates')}{matures})",
        [_as_printed(contents)] * table.shape[1],
    )


def _lives(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """The headings of average lives to the call and, where they are printed, to maturity, side by side."""
    lives = layout["AverageLife"]
    put(sheet, lives.top - 2, 1, "Average life in years", theme.SECTION)
    for column in (1, 2):
        put(sheet, lives.top - 1, column, "Class" if column == 1 else None, theme.TEXT_HEADING)
    life_headings(sheet, contents, layout, lives)
    for number, position in enumerate(contents.life_classes):
        put(sheet, lives.top + number, 1, f"={layout.class_term(position, 'class')}")


def _average_lives(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """An array to each end."""
    lives = layout["AverageLife"]
    some = len(contents.life_classes) < contents.classes
    names = here(block(TITLE, lives.top, 1, lives.shape[0])) if some else ""
    for number, end in enumerate(contents.life_ends):
        part = block(TITLE, lives.top, lives.left + number * contents.speeds, lives.shape[0], contents.speeds)
        arguments = f"{_DEAL},{names},{'TRUE' if end == MATURITY else 'FALSE'}"
        formula = f"=XM_AVERAGE_LIFE({arguments.removesuffix(',FALSE').rstrip(',')})"
        theme.put_array(sheet, part, formula, [theme.YEARS] * contents.speeds)


def life_headings(sheet: Worksheet, contents: Contents, layout: Layout, lives: Block) -> None:
    """The speeds above a table of average lives; to what the lives run where that differs."""
    for number, end in enumerate(contents.life_ends):
        left = lives.left + number * contents.speeds
        if len(contents.life_ends) > 1:
            theme.group(sheet, lives.top - 2, left, contents.speeds, f"To {end}")
        speed_headings(sheet, contents, layout, lives.top - 1, left)


def _as_printed(contents: Contents) -> str:
    """Nothing where nothing is left; the document's asterisk for what would print as nothing.

    The values stay what they are: a number format shows them so.
    """
    shown = percent_format(contents)
    printed = contents.published.decrement
    if printed is None or not any(figure == STAR for row in printed.rows for figure in row):
        return f'[=0]"";{shown}'
    return f'[=0]"";[<{printed.unit / 2:.{printed.decimals + 1}f}]"*";{shown}'


def percent_format(contents: Contents) -> str:
    """As many decimals as are printed."""
    printed = contents.published.decrement
    return theme.percent(printed.decimals - 2) if printed else theme.TENTH_PERCENT


def speed_headings(sheet: Worksheet, contents: Contents, layout: Layout, row: int, left: int) -> None:
    """The speeds as texts with two decimals, which the legend of a chart can show as they are."""
    for offset in range(contents.speeds):
        speed = cell(layout["Speeds"], 0, offset).text()
        put(sheet, row, left + offset, f'=FIXED(100*{speed},2)&"%"', theme.HEADING)


def _months(sheet: Worksheet, layout: Layout, table: Block) -> None:
    dates = layout["unadjusted date"]
    for offset, row in enumerate(range(table.top, table.bottom + 1)):
        date = a1(dates.top - 1 + offset, dates.left)
        # The closing date is a date too, so that charts can place it.
        shown = theme.MONTH if offset else '"Closing date"'
        put(sheet, row, 1, f"={a1(row - 1, 1)}+1" if offset else 0, theme.PLAIN, theme.COUNT)
        put(sheet, row, 2, f"={dates.sheet}!{date}", theme.MONTH_LABEL, shown)


def _charts(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """A chart a class, a line a speed."""
    table = layout["Decrement"]
    first = layout["AverageLife"].bottom + 3
    for place, position in enumerate(contents.decrement_classes):
        note_class = contents.deal.classes[position]
        row, column = divmod(place, _CHARTS_A_ROW)
        frame = Frame(
            title=f"{note_class.name}: outstanding by speed",
            value_axis="Of initial balance",
            value_format="0%",
            over=block(
                TITLE,
                first + row * _CHART_ROWS,
                column * _CHART_COLUMNS or 1,
                _CHART_ROWS - 1,
                _CHART_COLUMNS if column else _CHART_COLUMNS - 1,
            ),
            months=contents.printed,
            top=1,
        )
        curves = [
            Curve(
                cell(layout["decrement speed"], 0, number).text(),
                column_of(table, number).text(),
            )
            for number in range(place * contents.speeds, (place + 1) * contents.speeds)
        ]
        lines(sheet, frame, layout.ref("decrement month"), curves)


SHEET = Sheet(TITLE, place, write)
