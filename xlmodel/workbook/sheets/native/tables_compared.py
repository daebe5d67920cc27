"""Compared: how many cells of each run and table are what our functions gave, and the tables side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.analytics.life import average_life
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import decrement, theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, here
from xlmodel.workbook.sheets.native.compared import DIFFERENCE
from xlmodel.workbook.sheets.native.runs import Ours, runs_of, table_run
from xlmodel.workbook.sheets.theme import put

TITLE = "Compared"
_TOP = 5
_TABLES = {"decrement": "Decrement", "life": "AverageLife"}
_NOTHING = "0.000000001"  # less than anything that is rounded here
_SHOWN = "0.0000;-0.0000;0"
_DECIMALS = {"decrement": 10, "life": 8}  # beyond what is printed, and short of the last bits of a float


def place(contents: Contents) -> Mapping[str, Block]:
    rows = len(runs_of(contents)) + len(_TABLES)
    blocks = {"compared counts": block(TITLE, _TOP, 2, rows, 3)}
    lives = (len(contents.life_classes), len(contents.life_ends) * contents.speeds)
    table = (contents.printed + 1, len(contents.decrement_classes) * contents.speeds)
    top = _TOP + rows + 4
    for name, shape in (("life", lives), ("decrement", table)):
        blocks[f"{name} functions"] = block(TITLE, top, 2, *shape)
        blocks[f"{name} compared"] = block(TITLE, top, 2 + max(lives[1], table[1]) + 2, *shape)
        top += shape[0] + 4
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout, ours: Ours) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "What the XM_ functions gave at the build, against the native formulas.  An edited input parts them.",
    )
    counts = layout["compared counts"]
    for offset, heading in enumerate(("Compared", "Cells", "Equal", "Largest difference")):
        put(sheet, _TOP - 1, 1 + offset, heading, theme.HEADING if offset else theme.TEXT_HEADING)
    for row, (title, differences) in enumerate(_differences(contents, layout), start=counts.top):
        put(sheet, row, 1, title, theme.PLAIN)
        largest = f"=MAX(MAX({differences}),-MIN({differences}))"
        put(sheet, row, 2, f"=COUNTA({differences})", theme.PLAIN, theme.COUNT)
        put(sheet, row, 3, _zeros(differences), theme.PLAIN, theme.COUNT)
        put(sheet, row, 4, largest, theme.PLAIN, theme.MONEY)
    theme.lines(sheet, _TOP - 1, 2)
    theme.widths(sheet, 1, 24)
    right = layout["decrement compared"].right
    theme.widths(sheet, 2, *([11.0] * (right - 1)))
    for name, rows in (("life", _lives(contents, ours)), ("decrement", _factors(contents, ours))):
        _table(sheet, contents, layout, name, rows)
    sheet.freeze_panes = "B4"
    theme.print_in_groups(
        sheet,
        title=f"{contents.deal.name} – {TITLE}",
        printed=Block(TITLE, _TOP - 1, 1, layout["decrement compared"].bottom, right),
        title_rows=(_TOP - 1, _TOP - 1),
        title_columns=(1, 1),
        ends=[layout["decrement functions"].right, right],
    )


def _zeros(differences: str) -> str:
    """How many are nothing; a zero that bears a minus sign is one too."""
    return f'=COUNTIFS({differences},">-{_NOTHING}",{differences},"<{_NOTHING}")'


def _differences(contents: Contents, layout: Layout) -> Iterator[tuple[str, str]]:
    for one in runs_of(contents):
        yield one.sheet, layout.ref(one.at(DIFFERENCE))
    yield "Decrement tables", here(layout["decrement compared"])
    yield "Average lives", here(layout["life compared"])


def _table(
    sheet: Worksheet, contents: Contents, layout: Layout, name: str, rows: list[list[float | None]]
) -> None:
    values, differences, native = (
        layout[f"{name} functions"],
        layout[f"{name} compared"],
        layout[_TABLES[name]],
    )
    shown = theme.YEARS if name == "life" else decrement.percent_format(contents)
    titles = {"life": "Average life, years", "decrement": "Part of the initial balance"}
    for found, end in ((values, ": functions"), (differences, ": native less functions")):
        put(sheet, found.top - 3, found.left, titles[name] + end, theme.SECTION)
        put(sheet, found.top - 1, found.left - 1, None, theme.TEXT_HEADING)
        _headings(sheet, contents, layout, found, name)
    for offset, row in enumerate(rows):
        for column, value in enumerate(row):
            place = a1(values.top + offset, values.left + column)
            put(sheet, values.top + offset, values.left + column, value, theme.NOTE, shown)
            one = Block(native.sheet, *([native.top + offset, native.left + column] * 2)).text()
            formula = f"=ROUND({one}-{place},{_DECIMALS[name]})"
            if value is None:  # a class that is not paid in full has no life, in either form
                formula = f"=IF(ISNA({one}),0,1)"
            put(
                sheet,
                differences.top + offset,
                differences.left + column,
                formula,
                theme.PLAIN,
                _SHOWN,
            )
        label = f"={native.sheet}!{a1(native.top + offset, 1 if name == 'life' else 2)}"
        month = theme.MONTH if offset else '"Closing date"'
        put(sheet, values.top + offset, 1, label, theme.MONTH_LABEL, None if name == "life" else month)
    theme.mark_difference(sheet, differences)


def _headings(sheet: Worksheet, contents: Contents, layout: Layout, found: Block, name: str) -> None:
    if name == "life":
        decrement.life_headings(sheet, contents, layout, found)
        return
    for number, position in enumerate(contents.decrement_classes):
        left = found.left + number * contents.speeds
        theme.group(sheet, found.top - 2, left, contents.speeds, f"={layout.class_term(position, 'class')}")
        decrement.speed_headings(sheet, contents, layout, found.top - 1, left)


def _factors(contents: Contents, ours: Ours) -> list[list[float | None]]:
    """What XM_DECREMENT gives: closing and then a row a payment date; the classes, in each the speeds."""
    runs = [ours[table_run(contents, n, contents.printed_end).key].paid for n in range(contents.speeds)]
    rows: list[list[float | None]] = [[1.0] * (len(contents.decrement_classes) * contents.speeds)]
    for date in range(contents.printed):
        rows.append([float(r.factor[0, date, n]) for n in contents.decrement_classes for r in runs])
    return rows


def _lives(contents: Contents, ours: Ours) -> list[list[float | None]]:
    """What XM_AVERAGE_LIFE gives: a row a class, a column a speed to each end."""
    columns = []
    for end in contents.life_ends:
        for speed in range(contents.speeds):
            given = ours[table_run(contents, speed, end).key]
            columns.append(average_life(given.deal, given.paid)[0])
    return [
        [None if math.isnan(lives[n]) else float(lives[n]) for lives in columns]
        for n in contents.life_classes
    ]


def sheet_of(ours: Ours) -> Sheet[Contents]:
    """The sheet, with what our functions gave."""
    return Sheet(TITLE, place, lambda sheet, contents, layout: write(sheet, contents, layout, ours))
