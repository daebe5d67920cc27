"""Reads a worksheet: its formulas and their cached values, and nothing that is not there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xlmodel.errors import DamagedPackage, UnsafePackage, UnsupportedFeature, XlmodelError
from xlmodel.package.address import Address, Block
from xlmodel.package.collection import no_collection
from xlmodel.package.formula import MAX_FORMULA, calls_dde, shifted
from xlmodel.package.marks import CellMark, Scan
from xlmodel.package.markup import SPREADSHEET, parser, run
from xlmodel.package.parts import Package
from xlmodel.package.place import placed
from xlmodel.package.scan import scan
from xlmodel.package.values import Value, typed, unescape

_M = SPREADSHEET + " "


class Cell(NamedTuple):
    """A cell that the file has an element for.

    ``formula`` is without its ``=``; ``array`` is the range that an array formula fills, at its anchor
    only; ``dynamic`` marks one that Excel may let grow (a dynamic array).
    """

    formula: str | None
    value: Value
    array: Block | None = None
    dynamic: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """The cells of a worksheet, in the order of the file."""

    cells: dict[Address, Cell]

    def formulas(self) -> Iterator[tuple[Address, Cell]]:
        """The cells that have a formula; the children of an array have none."""
        return ((address, cell) for address, cell in self.cells.items() if cell.formula is not None)

    def arrays(self) -> dict[Address, Block]:
        """The range of each array formula by its anchor."""
        return {address: cell.array for address, cell in self.cells.items() if cell.array is not None}


def read_sheet(xml: bytes, strings: Sequence[str]) -> Sheet:
    """Read a worksheet part; ``strings`` is what ``read_strings`` gives.

    Shared formulas are written out for each cell.  Raises, naming the cell: ``UnsupportedFeature`` for
    a data table, a formula of more than 8,192 characters, a shared formula that leaves the sheet;
    ``UnsafePackage`` for a DDE formula; ``DamagedPackage`` for what no program writes.
    """
    with no_collection():
        return _sheet(scan(xml), strings)


def _sheet(found: Scan, strings: Sequence[str]) -> Sheet:
    formulas = read_formulas(found)
    cells: dict[Address, Cell] = {}
    for address, mark in found.cells.items():
        try:
            value = typed(mark.kind, mark.text, strings)
        except DamagedPackage as error:
            raise error.at(cell=str(address)) from None
        array = mark.array() if mark.formula_attributes else None
        cells[address] = Cell(formulas.get(address), value, array, mark.dynamic)
    return Sheet(cells)


def read_sheets(package: Package) -> dict[str, Sheet]:
    """Every worksheet by name; errors carry file, part and sheet."""
    strings = read_strings(package)
    sheets = {}
    for name, part in package.sheets.items():
        with placed(file=package.name, part=part, sheet=name), no_collection():
            sheets[name] = _sheet(package.scan(part), strings)
    return sheets


def read_formulas(found: Scan) -> dict[Address, str]:
    """The text of each formula of a scanned sheet, without ``=``; see ``read_sheet`` for the errors."""
    if found.formulas is not None:
        return found.formulas
    formulas: dict[Address, str] = {}
    shared: dict[str, tuple[Address, str]] = {}
    for address, mark in found.cells.items():
        if mark.formula is not None:
            try:
                formulas[address] = _formula(mark, shared)
            except XlmodelError as error:
                raise error.at(cell=str(address)) from None
    found.formulas = formulas
    return formulas


def _formula(mark: CellMark, shared: dict[str, tuple[Address, str]]) -> str:
    text = mark.formula_text.strip().removeprefix("=")
    if mark.formula_attributes:
        text = _whole(mark, text, shared)
    if not text:
        raise DamagedPackage("a formula without text")
    if len(text) > MAX_FORMULA:
        raise UnsupportedFeature(
            f"the formula has {len(text):,} characters, more than {MAX_FORMULA:,}",
            remedy="split it over several cells",
        )
    if calls_dde(text):
        raise UnsafePackage("the formula calls another program (DDE)")
    return text


def _whole(mark: CellMark, text: str, shared: dict[str, tuple[Address, str]]) -> str:
    """The text of a formula that is not a plain one; ``shared`` gathers those that others refer to."""
    match mark.formula_kind:
        case "normal" | "array":
            return text
        case "shared":
            group = mark.formula_attributes.get("si", "")
            if text and "ref" in mark.formula_attributes:
                shared[group] = mark.address, text
            if text:
                return text
            if group not in shared:
                raise DamagedPackage("a shared formula whose first cell is missing")
            (row, column), first = shared[group]
            return shifted(first, mark.address.row - row, mark.address.column - column)
        case "dataTable":
            raise UnsupportedFeature(
                "the cell belongs to a data table (What-If Analysis)", remedy="replace it by formulas"
            )
        case kind:
            raise DamagedPackage(f"a formula of unknown kind {kind!r}")


def read_strings(package: Package) -> list[str]:
    """The shared string table of a workbook, without phonetic guides; empty if it has none."""
    parts = [
        one.target
        for one in package.relationships(package.workbook)
        if one.type.endswith("/sharedStrings") and not one.external
    ]
    if not parts:
        return []
    with placed(file=package.name, part=parts[0]):
        return _strings(package.read(parts[0]))


def _strings(xml: bytes) -> list[str]:
    strings: list[str] = []
    item: list[str] = []
    reading = phonetic = False

    def start(element: str, _: dict[str, str]) -> None:
        nonlocal reading, phonetic
        if element == _M + "t":
            reading = not phonetic
        elif element == _M + "si":
            item.clear()
        elif element == _M + "rPh":
            phonetic = True

    def end(element: str) -> None:
        nonlocal reading, phonetic
        if element == _M + "t":
            reading = False
        elif element == _M + "si":
            strings.append(unescape("".join(item)))
        elif element == _M + "rPh":
            phonetic = False

    def characters(data: str) -> None:
        if reading:
            item.append(data)

    made = parser()
    made.StartElementHandler = start
    made.EndElementHandler = end
    made.CharacterDataHandler = characters
    run(made, xml)
    return strings
