"""Formulas written once for every payment date: texts with places in them.

``[name]`` is the column of that name in the same row, ``[name^]`` the same one row above, ``[name:^]`` all
of it above, from the closing date on; ``{block}`` is a block of another sheet, ``{block#2}`` its third cell
and ``{block@}`` its cell of the same payment date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from xlmodel.package.address import Block, column_letters
from xlmodel.workbook.sheets.layout import Layout, a1, cell

_HERE = re.compile(r"\[([^\]^:]+)(:?\^)?\]")
_THERE = re.compile(r"\{([^}#@]+)(?:#(\d+)|(@))?\}")


@dataclass(frozen=True)
class Column:
    """One column of a sheet with a row a payment date; ``opening`` is its formula at the closing date."""

    name: str
    group: str
    heading: str
    formula: str
    shown: str
    width: float = 16.0
    opening: str = ""


def filled(
    template: str, layout: Layout, row: int, top: int, column_at: Callable[[str], int], prefix: str = ""
) -> str:
    """A template as the formula of a row; the payment dates begin at row ``top``.

    ``column_at``: the column of a name.  ``prefix``: what the names of the blocks of dates begin with.
    """

    def here(found: re.Match[str]) -> str:
        name, above = found.groups()
        column = column_at(name)
        if above == ":^":
            letters = column_letters(column)
            return f"{letters}${top - 1}:{letters}{row - 1}"
        return a1(row - (above == "^"), column)

    def there(found: re.Match[str]) -> str:
        name, place, same = found.groups()
        if same:
            return cell(_dated(layout, prefix, name), row - top, 0).text()
        block = layout[name]
        return cell(block, int(place), 0).text() if place else block.text()

    return "=" + _HERE.sub(here, _THERE.sub(there, template))


def _dated(layout: Layout, prefix: str, name: str) -> Block:
    return layout[f"{prefix}{name}"]


def total(terms: list[str]) -> str:
    """Terms added up; nothing is 0."""
    return "+".join(terms) if terms else "0"


def cents(amount: str) -> str:
    """Rounded to the cent, so that no hair of a float is carried from date to date."""
    return f"ROUND({amount},2)"
