"""The input ranges of a workbook: what the desk may have edited since it was built.

A built workbook bears a mark of its inputs, the hidden name BuiltInputs.  While its inputs still have that
mark nobody edited them, whatever the folder says by now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from xlmodel.errors import NotWritten
from xlmodel.package.address import Address, Block
from xlmodel.package.parts import Package
from xlmodel.package.sheet import Sheet, read_sheets
from xlmodel.package.values import Value
from xlmodel.workbook.kinds import kind_of_workbook

INPUTS_NAME = "BuiltInputs"

# LibreOffice Calc saves a truth value as the formula that gives it.
_TRUTH = {"TRUE()": True, "FALSE()": False}

_Cells = list[tuple[str, Address, Value]]
_Inputs = dict[str, _Cells]


def require_no_edits(existing: Package, fresh: Package) -> None:
    """Raises NotWritten when somebody edited a workbook's inputs and a fresh build would lose the edits.

    Inputs are edits when they are neither those of the fresh build nor those of the build before.
    """
    names = kind_of_workbook(fresh).inputs
    here, there = _inputs(existing, names), _inputs(fresh, names)
    mark = existing.defined_names.get(INPUTS_NAME)
    if mark == _text(_mark(here)):
        return
    how = "were edited and are" if mark else "are edited or of an older version, and"
    for name in names:
        ours, theirs = here.get(name, []), there.get(name, [])
        if [value for _, _, value in ours] != [value for _, _, value in theirs]:
            place = _first_difference(ours, theirs)
            raise NotWritten(
                f"the inputs in the range {name} {how} not those of the folder{place};"
                " a build would lose them",
                remedy="bring the edits into the folder, or pass --force",
            ).at(file=existing.name)


def inputs_mark(package: Package, names: Sequence[str]) -> str:
    """The text of the name BuiltInputs for the inputs that a workbook has."""
    return _text(_mark(_inputs(package, names)))


def _first_difference(ours: _Cells, theirs: _Cells) -> str:
    """The first cell that differs, where both ranges have it."""
    for (sheet, address, here), (_, _, there) in zip(ours, theirs, strict=False):
        if here != there:
            return f" (first {sheet}!{address}: {_shown(here)} here, {_shown(there)} in the folder)"
    return ""


def _shown(value: Value) -> str:
    return "blank" if value is None else f"{value:.15g}" if isinstance(value, float) else repr(value)


def _mark(inputs: _Inputs) -> str:
    values = {name: [value for _, _, value in cells] for name, cells in inputs.items()}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def _text(mark: str) -> str:
    return f'"{mark}"'


def _inputs(package: Package, names: Sequence[str]) -> _Inputs:
    sheets = read_sheets(package)
    return {
        name: list(_values(sheets[str(block.sheet)], block))
        for name in names
        if name in package.defined_names
        and (block := Block.parse(package.defined_names[name])).sheet in sheets
    }


def _values(sheet: Sheet, block: Block) -> Iterator[tuple[str, Address, Value]]:
    for address in block.cells():
        cell = sheet.cells.get(address)
        held = None if cell is None else cell.formula or cell.value
        yield str(block.sheet), address, _TRUTH.get(held, held) if isinstance(held, str) else held
