"""Array formulas with more cells than the evaluator fills from one formula: computed in parts.

The engine shows #SPILL! where a result has more than 10,000 cells.  So such a formula becomes several, each
of which takes its rows of the same result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from xlmodel.errors import ArrayDoesNotFit
from xlmodel.package.address import Address, Block
from xlmodel.package.sheet import Sheet

MOST_CELLS = 10_000  # measured with formualizer 0.13.0
_PART = "XMODEL_PART"


@dataclass
class LargeArrays:
    """The parts of each large array of a workbook, and the shapes of results that do not fill theirs."""

    parts: dict[tuple[str, Address], list[Block]] = field(default_factory=dict)
    blocks: list[tuple[str, Block]] = field(default_factory=list)
    misfits: dict[int, tuple[int, int]] = field(default_factory=dict)

    def part(self, number: float, values: Any, first: float, end: float) -> Any:
        """What the engine calls: some rows of an array.  An error stands for the whole of it."""
        if not isinstance(values, list):
            if not isinstance(values, dict):
                self.misfits[int(number)] = (1, 1)
            return values
        shape = len(values), len(values[0])
        if shape != self.blocks[int(number)][1].shape:
            self.misfits[int(number)] = shape
        return values[int(first) : int(end)] or [[0.0]]

    def refuse_misfits(self, file: str) -> None:
        """Raises ArrayDoesNotFit for the first array whose result has another shape than its range."""
        for number, (rows, columns) in self.misfits.items():
            sheet, block = self.blocks[number]
            raise ArrayDoesNotFit(
                f"the result is {rows} rows by {columns} columns, "
                f"its range {block.shape[0]} by {block.shape[1]}"
            ).at(file=file, sheet=sheet, cell=str(Address(block.top, block.left)))


def split_large(workbook: Any, sheets: Mapping[str, Sheet], file: str) -> LargeArrays:
    """Put formulas for parts into a loaded workbook.  Raises ArrayDoesNotFit for too wide a range."""
    found = LargeArrays()
    for name, sheet in sheets.items():
        for anchor, block in sheet.arrays().items():
            rows, columns = block.shape
            if rows * columns <= MOST_CELLS:
                continue
            if columns > MOST_CELLS:
                raise ArrayDoesNotFit(f"the range has {columns:,} columns, the evaluator fills 10,000").at(
                    file=file, sheet=name, cell=str(anchor)
                )
            formula = workbook.get_formula(name, anchor.row, anchor.column).removeprefix("=")
            parts = found.parts[name, anchor] = _strips(block)
            for part in parts:
                first = part.top - anchor.row
                text = f"={_PART}({len(found.blocks)},{formula},{first},{first + part.shape[0]})"
                workbook.set_formula(name, part.top, part.left, text)
            found.blocks.append((name, block))
    if found.blocks:
        workbook.register_function(_PART, found.part, min_args=4, max_args=4)
    return found


def _strips(block: Block) -> list[Block]:
    """The block in strips of whole rows."""
    rows = MOST_CELLS // block.shape[1]
    return [
        Block(block.sheet, top, block.left, min(top + rows - 1, block.bottom), block.right)
        for top in range(block.top, block.bottom + 1, rows)
    ]
