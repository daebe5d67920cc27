"""The copy of a workbook that is handed to the evaluator: plain formulas only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from xlmodel.package.address import Address, inside
from xlmodel.package.collection import no_collection
from xlmodel.package.marks import CellMark, Scan
from xlmodel.package.markup import Edit, edited, leaf, prefix
from xlmodel.package.parts import Package
from xlmodel.package.place import placed
from xlmodel.package.sheet import read_formulas

_NOTHING: Mapping[str, Collection[Address]] = {}


def engine_copy(
    package: Package,
    rewrite: Callable[[str], str] = str,
    constants: Mapping[str, Collection[Address]] = _NOTHING,
) -> bytes:
    """The bytes of a copy in which every formula is a plain ``<f>``.

    Array and shared formulas become ordinary ones, cells that an array fills lose their cached
    values so that the evaluator can spill over them, and each formula text (without ``=``) goes
    through ``rewrite``.  Cells of ``constants``, by sheet, keep their value and lose their formula.
    Parts other than worksheets stay as they are; the copy is barely compressed.  Raises what
    ``read_sheet`` raises, with file, part and sheet.
    """
    new = {}
    for name, part in package.sheets.items():
        with placed(file=package.name, part=part, sheet=name), no_collection():
            xml = package.read(part)
            new[part] = edited(xml, _edits(xml, package.scan(part), rewrite, constants.get(name, ())))
    return package.replace(new, level=0)


def _edits(
    xml: bytes, found: Scan, rewrite: Callable[[str], str], constants: Collection[Address]
) -> Iterable[Edit]:
    for address, text in read_formulas(found).items():
        mark = found.cells[address]
        assert mark.formula is not None
        if address in constants:
            yield Edit(*mark.formula, b"")
            continue
        new = rewrite(text)
        if new != mark.formula_text or mark.formula_kind != "normal":
            start, end = mark.formula
            yield Edit(start, end, leaf(prefix(xml, start) + b"f", new))
    arrays = found.arrays()
    if arrays:
        plain = [address for address, mark in found.cells.items() if mark.formula is None]
        for address in inside(plain, arrays):
            yield _emptied(xml, found.cells[address])


def _emptied(xml: bytes, mark: CellMark) -> Edit:
    start, end = mark.start, mark.end
    name = prefix(xml, start)
    return Edit(start, end, b'<%bc r="%b"/>' % (name, str(mark.address).encode()))
