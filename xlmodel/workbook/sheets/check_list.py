"""The list of checks on a summary: each one's state, taken from its cell, and all of them in one."""

from __future__ import annotations

from collections.abc import Sequence

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.check_cells import Check
from xlmodel.workbook.sheets.layout import C, block, here
from xlmodel.workbook.sheets.theme import put


def write_check_list(
    sheet: Worksheet,
    checks: Sequence[Check[C]],
    place: Block,
    *,
    last_column: int,
    state_at: tuple[int, int],
) -> None:
    """Names, states and sentences in the rows of a block; ``state_at``: the cell of the state of all."""
    states = Block(sheet.title, place.top, 2, place.bottom, 2)
    put(sheet, place.top - 1, 1, "Check", theme.TEXT_HEADING)
    put(sheet, place.top - 1, 2, "State", theme.STATE_HEADING)
    for column in range(3, last_column + 1):
        put(sheet, place.top - 1, column, None, theme.TEXT_HEADING)
    put(sheet, place.top - 1, 3, "TRUE while this holds", theme.INNER_HEADING)
    for row, check in enumerate(checks, start=place.top):
        put(sheet, row, 1, check.name, theme.PLAIN)
        put(sheet, row, 2, f"={check.name}", theme.STATE, theme.FLAG)
        put(sheet, row, 3, check.sentence, theme.INNER_NOTE)
    theme.mark_state(sheet, states)
    row, column = state_at
    put(sheet, row, column, f"=AND({here(states)})", theme.STATE, theme.FLAG)
    theme.mark_state(sheet, block(sheet.title, row, column))
