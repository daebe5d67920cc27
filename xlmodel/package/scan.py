"""Where everything lies in the bytes of a worksheet part: rows, cells, formulas, cached values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xlmodel.errors import DamagedPackage, XlmodelError
from xlmodel.package.address import MAX_COLUMN, MAX_ROW, Address, Block
from xlmodel.package.markup import SPREADSHEET, Element, parser, run

_M = SPREADSHEET + " "
_ROW, _CELL, _FORMULA, _VALUE = _M + "row", _M + "c", _M + "f", _M + "v"

Attributes = dict[str, str]


class CellMark:
    """The ``<c>`` of a cell: where it and its ``<f>``, ``<v>`` and ``<is>`` lie, and what they say."""

    __slots__ = (
        "address",
        "attributes",
        "element",
        "formula",
        "formula_attributes",
        "formula_text",
        "inline",
        "inline_text",
        "value",
        "value_text",
    )

    def __init__(self, address: Address, start: int, attributes: Attributes) -> None:
        self.address = address
        self.attributes = attributes
        self.element: Element = (start, start)
        self.formula: Element | None = None
        self.value: Element | None = None
        self.inline: Element | None = None
        self.formula_attributes: Attributes = {}
        self.formula_text = ""
        self.value_text: str | None = None
        self.inline_text: str | None = None

    @property
    def text(self) -> str | None:
        """The text of the cached value, wherever it stands."""
        return self.inline_text if self.attributes.get("t") == "inlineStr" else self.value_text

    @property
    def formula_kind(self) -> str:
        """``normal``, ``array``, ``shared`` or ``dataTable``."""
        return self.formula_attributes.get("t", "normal")

    def array(self) -> Block | None:
        """The range of the array formula whose anchor this is; ``DamagedPackage`` if it states none."""
        if self.formula_kind != "array":
            return None
        try:
            return Block.parse(self.formula_attributes.get("ref", ""))
        except XlmodelError as error:
            raise DamagedPackage(f"an array formula without a proper range: {error.message}").at(
                cell=str(self.address)
            ) from None


class RowMark:
    """The ``<row>`` of a sheet: where it lies, its attributes, its cells in the order of the file."""

    __slots__ = ("attributes", "cells", "element", "number")

    def __init__(self, number: int, start: int, attributes: Attributes) -> None:
        self.number = number
        self.attributes = attributes
        self.element: Element = (start, start)
        self.cells: list[CellMark] = []


@dataclass(slots=True)
class Scan:
    """A worksheet part, located."""

    cells: dict[Address, CellMark] = field(default_factory=dict)
    rows: dict[int, RowMark] = field(default_factory=dict)
    columns: list[tuple[int, int, str]] = field(default_factory=list)
    """First and last column and the style of columns that have one."""
    dimension: tuple[int, str] | None = None
    """Offset and range of ``<dimension>``."""
    data: Element | None = None
    """Where ``<sheetData>`` lies."""

    def arrays(self) -> list[Block]:
        """The ranges of all array formulas."""
        return [block for mark in self.cells.values() if mark.formula and (block := mark.array())]


def scan(xml: bytes) -> Scan:
    """Locate the cells of a worksheet part in one pass.

    Rows and cells without a reference follow the one before, as the format says.  Raises
    ``DamagedPackage`` if the part is not well-formed, or a cell or row has an impossible reference or
    occurs twice; ``UnsafePackage`` for a DTD; ``UnsupportedFeature`` for an encoding other than UTF-8.
    """
    scanner = _Scanner()
    run(scanner.parser, xml)
    return scanner.found


class _Scanner:
    """The state of one pass.  Elements that come by the thousand are handled first and in place."""

    __slots__ = (
        "cell",
        "column",
        "columns",
        "found",
        "inline_start",
        "parser",
        "phonetic",
        "row",
        "row_text",
        "start_of_leaf",
        "text",
    )

    def __init__(self) -> None:
        self.found = Scan()
        self.row: RowMark | None = None
        self.row_text = ""
        self.column = 0
        self.columns: dict[str, int] = {}  # by the letters met so far
        self.cell: CellMark | None = None
        self.start_of_leaf = 0
        self.inline_start = 0
        self.phonetic = False
        self.text: list[str] = []
        self.parser = parser()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text.append  # cleared where a text begins

    def start(self, element: str, attributes: Attributes) -> None:
        cell = self.cell
        if element == _CELL:
            if self.row is None or cell is not None:
                raise DamagedPackage("a cell outside a row")
            address = self.address(attributes.get("r"))
            cell = self.cell = CellMark(address, self.parser.CurrentByteIndex, attributes)
            self.found.cells[address] = cell
            self.row.cells.append(cell)
        elif cell is None:
            opening = _OPENINGS.get(element)
            if opening is not None:
                opening(self, attributes)
        elif element == _VALUE:
            self.start_of_leaf = self.parser.CurrentByteIndex
            self.text.clear()
        elif element == _FORMULA:
            if cell.formula is not None:
                raise DamagedPackage("the cell has two formulas").at(cell=str(cell.address))
            self.start_of_leaf = self.parser.CurrentByteIndex
            self.text.clear()
            cell.formula_attributes = attributes
        elif element == _M + "is":
            self.inline_start, cell.inline_text = self.parser.CurrentByteIndex, ""
        elif element == _M + "t":
            self.text.clear()
        elif element == _M + "rPh":
            self.phonetic = True

    def end(self, element: str) -> None:
        cell = self.cell
        if cell is None:
            closing = _CLOSINGS.get(element)
            if closing is not None:
                closing(self)
        elif element == _CELL:
            cell.element = cell.element[0], self.parser.CurrentByteIndex
            self.cell = None
        elif element == _VALUE:
            cell.value = self.start_of_leaf, self.parser.CurrentByteIndex
            cell.value_text = "".join(self.text)
        elif element == _FORMULA:
            cell.formula = self.start_of_leaf, self.parser.CurrentByteIndex
            cell.formula_text = "".join(self.text)
        elif element == _M + "is":
            cell.inline = self.inline_start, self.parser.CurrentByteIndex
        elif element == _M + "t" and not self.phonetic:
            cell.inline_text = (cell.inline_text or "") + "".join(self.text)
        elif element == _M + "rPh":
            self.phonetic = False

    def address(self, reference: str | None) -> Address:
        assert self.row is not None
        number = self.row.number
        if reference is None:
            column = self.column + 1
            if column > MAX_COLUMN:
                raise DamagedPackage(f"row {number} reaches beyond the last column")
        else:
            letters = reference[: -len(self.row_text)] if reference.endswith(self.row_text) else ""
            column = self.columns.get(letters, 0)
            if not column:
                column = _column(reference, number)
                if letters:
                    self.columns[letters] = column
        address = Address(number, column)
        if address in self.found.cells:
            raise DamagedPackage("the cell occurs twice").at(cell=str(address))
        self.column = column
        return address

    def open_row(self, attributes: Attributes) -> None:
        if self.row is not None:
            raise DamagedPackage("a row inside a row")
        rows = self.found.rows
        number = _row_number(attributes.get("r"), next(reversed(rows), 0))
        if number in rows:
            raise DamagedPackage(f"row {number} occurs twice")
        self.row = rows[number] = RowMark(number, self.parser.CurrentByteIndex, attributes)
        self.row_text, self.column = str(number), 0
        self.text.clear()

    def close_row(self) -> None:
        if self.row is not None:
            self.row.element = self.row.element[0], self.parser.CurrentByteIndex
            self.row = None

    def open_data(self, _: Attributes) -> None:
        if self.found.data is not None:
            raise DamagedPackage("a sheet with two sets of rows")
        self.found.data = self.parser.CurrentByteIndex, 0

    def close_data(self) -> None:
        if self.found.data is not None:
            self.found.data = self.found.data[0], self.parser.CurrentByteIndex

    def open_dimension(self, attributes: Attributes) -> None:
        self.found.dimension = self.parser.CurrentByteIndex, attributes.get("ref", "")

    def open_columns(self, attributes: Attributes) -> None:
        if "style" in attributes:
            self.found.columns.append(_styled_columns(attributes))


_OPENINGS: dict[str, Callable[[_Scanner, Attributes], None]] = {
    _ROW: _Scanner.open_row,
    _M + "sheetData": _Scanner.open_data,
    _M + "dimension": _Scanner.open_dimension,
    _M + "col": _Scanner.open_columns,
}
_CLOSINGS: dict[str, Callable[[_Scanner], None]] = {
    _ROW: _Scanner.close_row,
    _M + "sheetData": _Scanner.close_data,
}


def _column(reference: str, row: int) -> int:
    try:
        address = Address.parse(reference)
    except XlmodelError as error:
        raise DamagedPackage(error.message) from None
    if address.row != row:
        raise DamagedPackage(f"the cell stands in row {row}").at(cell=str(address))
    return address.column


def _row_number(reference: str | None, last: int) -> int:
    if reference is None:
        number = last + 1
    else:
        number = int(reference) if reference.isascii() and reference.isdigit() and len(reference) < 8 else 0
    if not 1 <= number <= MAX_ROW:
        raise DamagedPackage(f"{reference or number!r} is no row number")
    return number


def _styled_columns(attributes: Attributes) -> tuple[int, int, str]:
    try:
        return int(attributes["min"]), int(attributes["max"]), attributes["style"]
    except (KeyError, ValueError):
        raise DamagedPackage("a column range without its first and last column") from None
