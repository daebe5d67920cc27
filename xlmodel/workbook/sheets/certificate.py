"""Certificate: the lines of a servicer's certificate, computed and as printed, and the roll-forward.

From the month's collections to every line; then each date's opening balances as printed against what the
model closed the month before with, the difference shown and carried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.functions.scenarios import LEDGER_HEADER
from xlmodel.package.address import Block
from xlmodel.workbook.certificates import INFERRED, INPUT, OTHER, Line
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.certificate_lines import CARRIED, LINES, formula
from xlmodel.workbook.sheets.check_cells import write_checks
from xlmodel.workbook.sheets.checks import applicable
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block, cell, here
from xlmodel.workbook.sheets.theme import put

TITLE = "Certificate"
_TOP = 6
_FIRST = 3  # line, of, then the dates
_GROUPS = ("computed", "printed", "difference", "carried")


def place(contents: Contents) -> Mapping[str, Block]:
    """Sections from top to bottom, each with its groups of dates side by side; ledgers to the right."""
    parts = _parts(contents)
    blocks: dict[str, Block] = {}
    row = _TOP
    names = {"certificate": "Certificate", "roll forward": "RollForward"}
    for part, lines in parts.items():
        if lines:
            for number, kind in enumerate(_GROUPS):
                blocks[f"{part} {kind}"] = _group(contents, row, number, len(lines))
            if part in names:
                blocks[names[part]] = blocks[f"{part} computed"]
                blocks[f"Published{names[part]}"] = blocks[f"{part} printed"]
            row += len(lines) + 3
    for number, count in enumerate(("cells", "matched", "informative", "informative matched")):
        blocks[f"{count} certificate"] = block(TITLE, row, _FIRST + number)
    row += 4
    for offset, check in enumerate(applicable(contents)):
        blocks[check.name] = block(TITLE, row + offset, 2)
    left = _FIRST + len(_GROUPS) * (contents.dates + 1) + 1
    lines_paid = len(contents.trial[1].ledger.lines)
    for date in range(contents.dates):
        corner = left + date * (len(LEDGER_HEADER) + 1)
        blocks[f"certificate ledger {date}"] = block(TITLE, _TOP, corner, lines_paid, len(LEDGER_HEADER))
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "From what was collected in the month to every line that the servicer prints.",
    )
    put(sheet, 3, 1, "Functions", theme.NOTE)
    put(sheet, 3, 2, "=XM_VERSION()", theme.STRONG)
    for part, lines in _parts(contents).items():
        if lines:
            _part(sheet, contents, layout, part, lines)
    _counts(sheet, contents, layout)
    write_checks(sheet, applicable(contents), contents, layout)
    _ledgers(sheet, contents, layout)
    group = [*([17] * contents.dates), 3]
    theme.widths(sheet, 1, 44, 18, *(group * len(_GROUPS)))
    sheet.freeze_panes = a1(_TOP, _FIRST)
    ends = [_FIRST + (number + 1) * (contents.dates + 1) - 2 for number in range(len(_GROUPS))]
    theme.print_in_groups(
        sheet,
        title=f"{contents.deal.name} – {TITLE}",
        printed=Block(TITLE, _TOP - 2, 1, layout[applicable(contents)[-1].name].bottom, ends[-1]),
        title_rows=(_TOP - 2, _TOP - 1),
        title_columns=(1, 2),
        ends=ends,
    )


def _parts(contents: Contents) -> dict[str, Sequence[Line]]:
    """The lines of each section.  A line that follows on some date only stands with those that follow."""
    found = contents.published.certificates
    if found is None:
        return {}
    followed = found.followed
    return {
        "input": [x for x in found.lines if x not in followed and not x.is_ever(OTHER)],
        "certificate": followed,
        "roll forward": [x for x in followed if x.what in CARRIED],
        "other": [x for x in found.lines if x.is_ever(OTHER)],
    }


_TITLES = {
    "input": "Given to the model: what came in, and the index",
    "certificate": "The certificate",
    "roll forward": "Roll-forward: what opens a month, against what the model closed the one before with",
    "other": "Printed, and not modelled",
}
_NOT_COMPARED = {INFERRED: "a term is inferred", INPUT: "given"}
_HEADINGS = {
    "input": ("In the tables", "As printed", "Difference", ""),
    "certificate": ("Computed", "As printed", "Difference", ""),
    "roll forward": ("Closed the month before", "Opening, as printed", "Difference", "Difference, carried"),
    "other": ("", "As printed", "", ""),
}


def _group(contents: Contents, top: int, number: int, rows: int) -> Block:
    return block(TITLE, top, _FIRST + number * (contents.dates + 1), rows, contents.dates)


def _part(sheet: Worksheet, contents: Contents, layout: Layout, part: str, lines: Sequence[Line]) -> None:
    top = layout[f"{part} computed"].top
    put(sheet, top - 2, 1, _TITLES[part], theme.SECTION)
    put(sheet, top - 1, 1, "Line", theme.TEXT_HEADING)
    put(sheet, top - 1, 2, "Of", theme.INNER_HEADING)
    for heading, kind in zip(_HEADINGS[part], _GROUPS, strict=True):
        if not heading:
            continue
        found = layout[f"{part} {kind}"]
        theme.group(sheet, top - 2, found.left, contents.dates, heading)
        for date in range(contents.dates):
            day = cell(layout["payment date"], date, 0).text()
            put(sheet, top - 1, found.left + date, f"={day}", theme.HEADING, theme.DATE)
    for row, line in enumerate(lines, start=top):
        put(sheet, row, 1, line.text, theme.PLAIN)
        put(sheet, row, 2, line.of, theme.SOURCE)
        for date in range(contents.dates):
            _cells(sheet, contents, layout, part, line, row, date)
    if part != "other":
        theme.mark_difference(sheet, layout[f"{part} difference"])
    if part == "roll forward":
        theme.mark_difference(sheet, layout[f"{part} carried"])


def _cells(
    sheet: Worksheet, contents: Contents, layout: Layout, part: str, line: Line, row: int, date: int
) -> None:
    """One line on one date: computed, printed, by how much they differ, and what that adds up to."""
    computed, printed, difference, carried = (layout[f"{part} {kind}"].left + date for kind in _GROUPS)
    shown = _format(line)
    figure = line.compared[date] if part == "certificate" else line.figures[date]
    put(sheet, row, printed, figure, theme.PRINTED, shown)
    if part == "other":
        return
    table = CARRIED if part == "roll forward" else LINES
    put(sheet, row, computed, formula(contents, layout, line, date, table), theme.PLAIN, shown)
    one, other = a1(row, computed), a1(row, printed)
    # Plus nothing: a negative zero, which rounding can leave, is not counted as 0 by every program.
    less = f"=IF(ISNUMBER({other}),ROUND({one}-{other},{line.decimals})+0,0)"
    if part == "certificate" and line.compared[date] is None:
        less = _NOT_COMPARED.get(line.statuses[date] or "", "not printed")
    put(sheet, row, difference, less, theme.RIGHT, shown)
    if part == "roll forward":
        until = Block(None, row, layout[f"{part} difference"].left, row, difference)
        put(sheet, row, carried, f"=SUM({until.text(absolute=False)})", theme.PLAIN, shown)


def _format(line: Line) -> str:
    return {0: theme.COUNT, 2: theme.MONEY, 7: theme.FACTOR}.get(line.decimals, "0." + "0" * line.decimals)


def _counts(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    if "certificate difference" not in layout:
        return
    top = layout["cells certificate"].top
    put(sheet, top - 1, 1, "How many figures tie", theme.TEXT_HEADING)
    put(sheet, top - 1, 2, None, theme.TEXT_HEADING)
    titles = ("Figures", "Matched", "Neither 0 nor 1", "Of these tied")
    theme.put_row(sheet, top - 1, _FIRST, titles, theme.HEADING)
    put(sheet, top, 1, "Certificate", theme.PLAIN)
    printed, less = here(layout["certificate printed"]), here(layout["certificate difference"])
    telling = f'{printed},"<>0",{printed},"<>1",{printed},"<>"'
    formulas = {
        "cells": f"=COUNT({printed})",
        "matched": f"=COUNTIF({less},0)",
        "informative": f"=COUNTIFS({telling})",
        "informative matched": f"=COUNTIFS({telling},{less},0)",
    }
    for name, text in formulas.items():
        put(sheet, top, layout[f"{name} certificate"].left, text, theme.PLAIN, theme.COUNT)


def _ledgers(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    """The ledger of each date, from which the clauses are read."""
    speed = layout.ref("base speed")
    first, anchor = layout.term("first payment date"), layout.term("payment day")
    for date in range(contents.dates):
        found = layout[f"certificate ledger {date}"]
        # Counted from the terms, because it takes fewer steps than from the dates of the sheet Distributions.
        day = f"MIN(DATE(YEAR({first}),MONTH({first})+{date},{anchor}),EOMONTH({first},{date}))"
        put(sheet, found.top - 2, found.left, f"={day}", theme.STRONG_TEXT, theme.DATE)
        theme.put_row(sheet, found.top - 1, found.left, LEDGER_HEADER, theme.HEADING)
        theme.put_array(
            sheet,
            found,
            f"=XM_LEDGER(Terms,Classes,Payments,Pools,{speed},{a1(found.top - 2, found.left)})",
            (None, None, None, *([theme.MONEY] * 4)),
        )
        theme.widths(sheet, found.left, 18, 8, 20, 16, 16, 12, 16, 3)


SHEET = Sheet(TITLE, place, write)
