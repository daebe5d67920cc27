"""Any workbook as stable text: a deal in terms with its results, another one as typed cells and formulas."""

from __future__ import annotations

from collections.abc import Iterator

from xlmodel.package.address import inside
from xlmodel.package.parts import Package
from xlmodel.package.sheet import Sheet, read_sheets
from xlmodel.workbook.effects import Runs
from xlmodel.workbook.in_terms import is_deal, read_model
from xlmodel.workbook.kinds import DEAL, kind_of_workbook


def text_of(package: Package) -> Iterator[str]:
    """Its lines.  Raises the error of a deal table that cannot be read, with its cell."""
    if is_deal(package):
        model = read_model(package)
        yield from model.lines()
        yield from Runs(model).results()
        return
    kind = kind_of_workbook(package)
    yield "no deal workbook" if kind is DEAL else f"a workbook of the kind {kind.name}"
    for name, sheet in read_sheets(package).items():
        yield from _cells(name, sheet)


def _cells(name: str, sheet: Sheet) -> Iterator[str]:
    """What was typed, and formulas; not what formulas show."""
    filled = inside(sheet.cells, list(sheet.arrays().values()))
    for address in sorted(sheet.cells):
        cell = sheet.cells[address]
        if cell.formula is not None:
            area = f" over {cell.array.text(absolute=False)}" if cell.array else ""
            yield f"{name}!{address}: ={cell.formula}{area}"
        elif cell.value not in (None, "") and address not in filled:
            yield f"{name}!{address}: {cell.value}"
