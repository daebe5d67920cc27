"""The check cells of a workbook of any kind: each a name, TRUE while something holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.layout import C, Layout, block
from xlmodel.workbook.sheets.theme import put


@dataclass(frozen=True)
class Check(Generic[C]):
    """A named cell: what it says, for which contents, and its formula."""

    name: str
    sentence: str
    applies: Callable[[C], bool]
    formula: Callable[[C, Layout], str]


def all_zero(ranges: Sequence[str]) -> str:
    """A condition: no number of these ranges, each rounded to the cent, differs from zero."""
    listed = ",".join(ranges)
    return f"AND(ROUND(MAX({listed}),2)=0,ROUND(MIN({listed}),2)=0)"


def write_checks(
    sheet: Worksheet, checks: Sequence[Check[C]], contents: C, layout: Layout, *, last_column: int = 3
) -> None:
    """The checks in the rows of their blocks, names to the left, sentences to the right, headings above.

    ``last_column``: how far the heading row is filled.
    """
    first = layout[checks[0].name]
    top, state = first.top, first.left
    put(sheet, top - 1, state - 1, "Check", theme.TEXT_HEADING)
    put(sheet, top - 1, state, "State", theme.STATE_HEADING)
    for column in range(state + 1, last_column + 1):
        put(sheet, top - 1, column, None, theme.TEXT_HEADING)
    put(sheet, top - 1, state + 1, "TRUE while this holds", theme.INNER_HEADING)
    for check in checks:
        row = layout[check.name].top
        put(sheet, row, state - 1, check.name, theme.PLAIN)
        put(sheet, row, state, check.formula(contents, layout), theme.STATE, theme.FLAG)
        put(sheet, row, state + 1, check.sentence, theme.INNER_NOTE)
    theme.mark_state(sheet, block(sheet.title, top, state, len(checks)))
