"""The deal that stands in a workbook's ranges, as evaluated."""

from __future__ import annotations

from dataclasses import dataclass

from xlmodel.deal.check import require_sound
from xlmodel.deal.definition import Deal
from xlmodel.deal.reading import read_deal
from xlmodel.deal.scenario import Scenarios, at_speeds, read_scenarios
from xlmodel.errors import NamesMissing, XlmodelError
from xlmodel.faces.headless import Evaluation
from xlmodel.package.address import Address, Block
from xlmodel.package.parts import Package
from xlmodel.pool.collateral import Collateral, collateral_from_rows

NAMES = ("Terms", "Classes", "Payments", "Pools")
# Where months are reported there is one scenario: what was collected.
_SCENARIOS = "Scenarios"


@dataclass(frozen=True)
class WorkbookDeal:
    """What a workbook says about a deal."""

    deal: Deal
    pool: Collateral
    scenarios: Scenarios


def read_workbook_deal(package: Package, evaluation: Evaluation) -> WorkbookDeal:
    """Read and check the deal of a workbook.

    Raises NamesMissing for a workbook without the ranges, else the error of the table with sheet and cell.
    """
    missing = [name for name in NAMES if name not in package.defined_names]
    if missing:
        raise NamesMissing(f"the workbook lacks the names {', '.join(missing)}").at(file=package.name)
    present = [*NAMES, *([_SCENARIOS] if _SCENARIOS in package.defined_names else [])]
    blocks = {name: Block.parse(package.defined_names[name]) for name in present}
    rows = {name: evaluation.block(block) for name, block in blocks.items()}
    try:
        deal = read_deal(rows["Terms"], rows["Classes"], rows["Payments"])
        require_sound(deal)
        scenarios = read_scenarios(rows[_SCENARIOS]) if _SCENARIOS in rows else at_speeds([0.0])
        return WorkbookDeal(deal, collateral_from_rows(rows["Pools"]), scenarios)
    except XlmodelError as error:
        raise _at_cell(error, blocks).at(file=package.name) from None


def _at_cell(error: XlmodelError, blocks: dict[str, Block]) -> XlmodelError:
    """The sheet and cell of an error that knows its table, row and column."""
    block = blocks.get(error.place.table or "")
    if block is None or error.place.row is None:
        return error
    cell = Address(block.top + error.place.row - 1, block.left + (error.place.column or 1) - 1)
    return error.at(sheet=block.sheet, cell=str(cell))
