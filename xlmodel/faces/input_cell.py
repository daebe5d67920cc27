"""From an error's argument, row and column back to the cell of the workbook that holds the input."""

from __future__ import annotations

from xlmodel.errors import XlmodelError
from xlmodel.faces.formula_text import Call
from xlmodel.functions import FUNCTIONS
from xlmodel.package.address import Address, Block
from xlmodel.package.parts import Package


def input_cell(package: Package, sheet: str, formula: str, call: Call, reason: XlmodelError) -> str | None:
    """``Terms!B7`` for the cell that a reason speaks of; None when the argument is no plain reference."""
    block = argument_block(package, sheet, formula, call, reason.place.argument)
    if block is None:
        return None
    row, column = reason.place.row, reason.place.column
    if row is None or column is None:
        rows, columns = block.shape
        if row is None and (rows, columns) == (1, 1):
            row, column = 1, 1
        elif row is None:
            return str(block)
    address = Address(block.top + (row or 1) - 1, block.left + (column or 1) - 1)
    cell = Block(block.sheet, address.row, address.column, address.row, address.column)
    return cell.text(absolute=False)


def argument_block(
    package: Package, sheet: str, formula: str, call: Call, argument: str | None
) -> Block | None:
    """The range that an argument refers to, directly or by a defined name."""
    text = argument_text(formula, call, argument)
    return reference(package, sheet, text) if text else None


def argument_text(formula: str, call: Call, argument: str | None) -> str:
    """What a call is given for an argument, as the formula says it; nothing where it is left out."""
    function = FUNCTIONS.get(call.name)
    if function is None or argument is None:
        return ""
    position = next((n for n, p in enumerate(function.parameters) if p.name == argument), None)
    if position is None or position >= len(call.arguments):
        return ""
    begin, end = call.arguments[position]
    return formula[begin:end].strip()


def reference(package: Package, sheet: str, text: str) -> Block | None:
    """The range that a text means on a sheet; None when it is no plain reference."""
    names = {name.lower(): target for name, target in package.defined_names.items()}
    text = names.get(text.lower(), text)
    try:
        block = Block.parse(text)
    except XlmodelError:
        return None
    if block.sheet is None:
        return Block(sheet, block.top, block.left, block.bottom, block.right)
    return block
