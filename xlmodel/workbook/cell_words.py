"""How a cell and its value are spoken of: as its number format shows it, with its labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from xlmodel.conventions.serial import from_serial
from xlmodel.errors import BadUsage, XlmodelError
from xlmodel.faces.headless import Evaluation
from xlmodel.package.address import Address, Block, quote_sheet
from xlmodel.package.number_format import number_format, shows_date, shows_percent
from xlmodel.package.parts import Package
from xlmodel.package.values import ErrorCode, Value

_HEAD = 3  # the rows above are the title of a sheet
_MOST_STEPS = 400  # cells that are passed in search of a label


@dataclass(frozen=True)
class Book:
    """A workbook, evaluated."""

    package: Package
    evaluation: Evaluation

    def value(self, sheet: str, address: Address) -> Value:
        return self.evaluation.value(sheet, address)

    def shown(self, sheet: str, address: Address) -> str:
        """The value of a cell as a reader sees it, numbers with all digits that matter."""
        value = self.value(sheet, address)
        if value is None or value == "":
            return "nothing"
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if not isinstance(value, float):
            return str(value) if isinstance(value, ErrorCode) else f'"{value}"'
        code = number_format(self.package, sheet, address)
        if shows_date(code):
            try:
                day = from_serial(value)
            except XlmodelError:
                return plain(value)
            return f"{day.day} {day:%B %Y}"
        if shows_percent(code):
            return f"{round(value * 100, 10):.10g}%"
        return plain(value)

    def label(self, sheet: str, address: Address) -> str:
        """The texts nearest to the left of a cell and above it; a blank cell ends the search."""
        beside = self._text(sheet, [(address.row, n) for n in range(address.column - 1, 0, -1)])
        first = max(_HEAD, address.row - _MOST_STEPS)
        above = self._text(sheet, [(n, address.column) for n in range(address.row - 1, first - 1, -1)])
        words = [text for text in (beside, above) if text]
        return " / ".join(dict.fromkeys(words))

    def _text(self, sheet: str, places: Sequence[tuple[int, int]]) -> str:
        for row, column in places:
            value = self.value(sheet, Address(row, column))
            if value is None or value == "":
                return ""
            if isinstance(value, str) and value and not isinstance(value, ErrorCode):
                return value if len(value) <= 60 else value[:57] + "..."
        return ""


def plain(value: float) -> str:
    """A number with commas; with two decimals where it is dollars and cents."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    if abs(value - round(value, 2)) < 1e-9 * max(1.0, abs(value)) and abs(value) >= 0.01:
        return f"{value:,.2f}"
    return f"{value:,.10g}"


def cell_name(sheet: str, address: Address) -> str:
    """``'Tie-out'!B5``, as a formula writes it."""
    return f"{quote_sheet(sheet)}!{address}"


_UNQUOTED = re.compile(r"(?P<sheet>[^!']+)!(?P<area>[^!]+)")


def parse_target(package: Package, text: str) -> Block:
    """The cell or range that a user names: Sheet!A1, with or without quotes and dollar signs, or a name.

    Raises BadUsage, listing sheets and names, for a text that means nothing in the workbook.
    """
    wanted = text.strip()
    names = {name.lower(): target for name, target in package.defined_names.items()}
    known = names.get(wanted.lower(), wanted).removeprefix("=")
    loose = _UNQUOTED.fullmatch(known)
    if loose:
        known = f"{quote_sheet(loose['sheet'].strip())}!{loose['area'].strip()}"
    sheets = {name.lower(): name for name in package.sheets}
    try:
        block = Block.parse(known)
    except XlmodelError:
        raise BadUsage(
            f"{text!r} is no cell of this workbook and no name that stands for a range",
            remedy=f"write Sheet!A1 or one of its names: {', '.join(sorted(package.defined_names)[:12])}",
        ).at(file=package.name) from None
    if block.sheet is None:
        if len(sheets) != 1:
            raise BadUsage(
                f"{text!r} does not say on which sheet",
                remedy=f"write {next(iter(package.sheets))}!A1; the sheets are: {', '.join(package.sheets)}",
            ).at(file=package.name)
        return Block(next(iter(package.sheets)), block.top, block.left, block.bottom, block.right)
    if block.sheet.lower() not in sheets:
        raise BadUsage(
            f"there is no sheet {block.sheet!r}", remedy=f"the sheets are: {', '.join(package.sheets)}"
        ).at(file=package.name)
    return Block(sheets[block.sheet.lower()], block.top, block.left, block.bottom, block.right)
