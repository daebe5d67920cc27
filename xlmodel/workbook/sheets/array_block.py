"""An array of ours on a sheet: headings with their notes above, one number format a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.layout import a1
from xlmodel.workbook.sheets.theme import put

_FORMATS = {
    "money": theme.MONEY,
    "fraction": theme.PERCENT,
    "date": theme.DATE,
    "text": None,
    "flag": theme.FLAG,
}
_WIDTHS = {"money": 17.0, "fraction": 12.0, "date": 13.0, "text": 19.0, "flag": 10.0}


@dataclass(frozen=True)
class Heading:
    """A column of an array: its heading and what it holds: money, fraction, date, text or flag."""

    text: str
    holds: str


def write_array(
    sheet: Worksheet,
    place: Block,
    formula: str,
    headings: Sequence[Heading],
    notes: Mapping[str, str] | None = None,
) -> None:
    """An array formula, its headings in the row above; notes hang on heading and first cell."""
    write_headings(sheet, place, headings, notes)
    theme.put_array(sheet, place, formula, [_FORMATS[heading.holds] for heading in headings], theme.RIGHT)
    for offset, heading in enumerate(headings):
        column = Block(place.sheet, place.top, place.left + offset, place.bottom, place.left + offset)
        if heading.holds == "text":
            theme.restyle(sheet, column, theme.KEY_INNER)
        if notes and heading.text in notes:
            theme.note(sheet, place.top, place.left + offset, notes[heading.text])


def write_headings(
    sheet: Worksheet, place: Block, headings: Sequence[Heading], notes: Mapping[str, str] | None = None
) -> None:
    """The headings above a block, wide enough for what the columns hold."""
    for offset, heading in enumerate(headings):
        column = place.left + offset
        look = theme.INNER_HEADING if heading.holds == "text" else theme.HEADING
        put(sheet, place.top - 1, column, heading.text, look)
        theme.widths(sheet, column, _WIDTHS[heading.holds])
        if notes and heading.text in notes:
            theme.note(sheet, place.top - 1, column, notes[heading.text])
    needed = max(theme.lines_of(one.text, _WIDTHS[one.holds] - 1, theme.HEADING) for one in headings)
    known = sheet.row_dimensions[place.top - 1].height or 0.0
    theme.lines(sheet, place.top - 1, max(needed, round(known / theme.LINE_HEIGHT)))


def proof_column(
    sheet: Worksheet, place: Block, heading: str, formulas: Sequence[str], note: str | None = None
) -> None:
    """A column of native differences: zero throughout, and seen at once where it is not."""
    write_headings(sheet, place, [Heading(heading, "money")], {heading: note} if note else None)
    for offset, formula in enumerate(formulas):
        put(sheet, place.top + offset, place.left, formula, theme.PLAIN, theme.MONEY)
    theme.mark_difference(sheet, place)


def at(place: Block, headings: Sequence[Heading], text: str, row: int) -> str:
    """The cell of a column in a row of the same sheet, relative; rows count from 0."""
    return a1(place.top + row, place.left + [heading.text for heading in headings].index(text))


def column_under(place: Block, headings: Sequence[Heading], text: str) -> Block:
    """The cells of a column of an array."""
    left = place.left + [heading.text for heading in headings].index(text)
    return Block(place.sheet, place.top, left, place.bottom, left)
