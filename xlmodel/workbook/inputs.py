"""The input ranges of a workbook: what the desk may have edited since it was built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlmodel.errors import NotWritten
from xlmodel.package.address import Block
from xlmodel.package.parts import Package
from xlmodel.package.sheet import Sheet, read_sheets
from xlmodel.package.values import Value
from xlmodel.workbook.kinds import kind_of_workbook


def require_same_inputs(existing: Package, fresh: Package) -> None:
    """Raises NotWritten when a workbook's inputs are not those of a fresh build, so are edits of somebody."""
    names = kind_of_workbook(fresh).inputs
    here, there = _inputs(existing, names), _inputs(fresh, names)
    for name in names:
        if here.get(name) != there.get(name):
            raise NotWritten(
                f"the inputs in the range {name} are not those of the deal folder; a build would lose them",
                remedy="bring the edits into the deal folder, or pass --force",
            ).at(file=existing.name)


def _inputs(package: Package, names: Sequence[str]) -> dict[str, list[Value]]:
    sheets = read_sheets(package)
    return {
        name: list(_values(sheets[str(block.sheet)], block))
        for name in names
        if name in package.defined_names
        and (block := Block.parse(package.defined_names[name])).sheet in sheets
    }


def _values(sheet: Sheet, block: Block) -> Iterator[Value]:
    for address in block.cells():
        cell = sheet.cells.get(address)
        yield None if cell is None else cell.formula or cell.value
