"""Where everything lies in the bytes of a worksheet part: rows, cells, formulas, cached values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xlmodel.errors import DamagedPackage, XlmodelError
from xlmodel.package.address import MAX_COLUMN, MAX_ROW, Address, Block
from xlmodel.package.markup import SPREADSHEET, element_end, parser, run, tag_end

_M = SPREADSHEET + " "
_ROW, _CELL, _FORMULA, _VALUE = _M + "row", _M + "c", _M + "f", _M + "v"
_INLINE, _TEXT, _PHONETIC = _M + "is", _M + "t", _M + "rPh"
_DIMENSION, _COLUMN, _SHEET_DATA = _M + "dimension", _M + "col", _M + "sheetData"

Attributes = dict[str, str]


class FormulaMark:
    """The ``<f>`` of a cell: its bytes, attributes and text."""

    __slots__ = ("attributes", "end", "start", "text")

    def __init__(self, start: int, attributes: Attributes) -> None:
        self.start = start
        self.end = start
        self.attributes = attributes
        self.text = ""

    @property
    def kind(self) -> str:
        """``normal``, ``array``, ``shared`` or ``dataTable``."""
        return self.attributes.get("t", "normal")


class CellMark:
    """The ``<c>`` of a cell: its bytes, attributes, formula, and the bytes and text of its value."""

    __slots__ = (
        "address", "attributes", "end", "formula", "inline", "inline_text", "start", "value", "value_text",
    )  # fmt: skip

    def __init__(self, address: Address, start: int, attributes: Attributes) -> None:
        self.address = address
        self.start = start
        self.end = start
        self.attributes = attributes
        self.formula: FormulaMark | None = None
        self.value: tuple[int, int] | None = None
        self.value_text: str | None = None
        self.inline: tuple[int, int] | None = None
        self.inline_text: str | None = None

    @property
    def text(self) -> str | None:
        """The text of the cached value, wherever it stands."""
        return self.inline_text if self.attributes.get("t") == "inlineStr" else self.value_text

    def array(self) -> Block | None:
        """The range of the array formula whose anchor this is; ``DamagedPackage`` if it states none."""
        if self.formula is None or self.formula.kind != "array":
            return None
        try:
            return Block.parse(self.formula.attributes.get("ref", ""))
        except XlmodelError as error:
            raise DamagedPackage(f"an array formula without a proper range: {error.message}").at(
                cell=str(self.address)
            ) from None


class RowMark:
    """The ``<row>`` of a sheet: its bytes, attributes, and cells in the order of the file."""

    __slots__ = ("attributes", "cells", "closing", "number", "start")

    def __init__(self, number: int, start: int, attributes: Attributes) -> None:
        self.number = number
        self.start = start
        self.attributes = attributes
        self.cells: list[CellMark] = []
        self.closing = start  # the offset of the closing tag; that of the row itself if it is empty


@dataclass(slots=True)
class Scan:
    """A worksheet part, located."""

    cells: dict[Address, CellMark] = field(default_factory=dict)
    rows: dict[int, RowMark] = field(default_factory=dict)
    columns: list[tuple[int, int, str]] = field(default_factory=list)
    """First and last column and the style of columns that have one."""
    dimension: tuple[int, str] | None = None
    """Offset and range of ``<dimension>``."""
    data: tuple[int, int] | None = None
    """Offsets of ``<sheetData>`` and of its closing tag (equal if it is empty)."""

    def arrays(self) -> list[Block]:
        """The ranges of all array formulas."""
        return [block for cell in self.cells.values() if cell.formula and (block := cell.array())]


def scan(xml: bytes) -> Scan:
    """Locate the cells of a worksheet part in one pass.

    Rows and cells without a reference follow the one before, as the format says.  Raises
    ``DamagedPackage`` if the part is not well-formed, a cell or row has an impossible reference or
    occurs twice; ``UnsafePackage`` for a DTD; ``UnsupportedFeature`` for an encoding other than UTF-8.
    """
    return _Scanner(xml).scan()


class _Scanner:
    """The state of one pass: the row, cell and text that the parser is in."""

    def __init__(self, xml: bytes) -> None:
        self.xml = xml
        self.parser = parser()
        self.found = Scan()
        self.row: RowMark | None = None
        self.cell: CellMark | None = None
        self.last_row = 0
        self.last_column = 0
        self.started = 0
        self.inline_started = 0
        self.phonetic = False
        self.text: list[str] | None = None

    def scan(self) -> Scan:
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        run(self.parser, self.xml)
        return self.found

    def start(self, element: str, attributes: Attributes) -> None:
        opening = (_IN_SHEET if self.cell is None else _IN_CELL).get(element)
        if opening is not None:
            opening(self, attributes)

    def end(self, element: str) -> None:
        closing = _CLOSINGS.get(element)
        if closing is not None:
            closing(self)

    def characters(self, data: str) -> None:
        if self.text is not None:
            self.text.append(data)

    # --- the sheet

    def open_row(self, attributes: Attributes) -> None:
        if self.row is not None:
            raise DamagedPackage("a row inside a row")
        number = _row_number(attributes.get("r"), self.last_row)
        if number in self.found.rows:
            raise DamagedPackage(f"row {number} occurs twice")
        self.last_row, self.last_column = number, 0
        self.row = self.found.rows[number] = RowMark(number, self.parser.CurrentByteIndex, attributes)

    def close_row(self) -> None:
        if self.row is not None:
            self.row.closing = self.parser.CurrentByteIndex
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

    def open_column(self, attributes: Attributes) -> None:
        if "style" in attributes:
            self.found.columns.append(_column(attributes))

    # --- a cell

    def open_cell(self, attributes: Attributes) -> None:
        row, cells = self.row, self.found.cells
        if row is None:
            raise DamagedPackage("a cell outside a row")
        reference = attributes.get("r")
        if reference is None:
            address = Address(self.last_row, self.last_column + 1)
            if address.column > MAX_COLUMN:
                raise DamagedPackage(f"row {self.last_row} reaches beyond the last column")
        else:
            address = _address(reference)
        if address.row != self.last_row or address in cells:
            fault = "occurs twice" if address in cells else f"stands in row {self.last_row}"
            raise DamagedPackage(f"the cell {fault}").at(cell=str(address))
        self.last_column = address.column
        self.cell = cells[address] = CellMark(address, self.parser.CurrentByteIndex, attributes)
        row.cells.append(self.cell)

    def close_cell(self) -> None:
        if self.cell is not None:
            self.cell.end = element_end(self.xml, self.cell.start, self.parser.CurrentByteIndex)
            self.cell = None

    def nested_cell(self, _: Attributes) -> None:
        assert self.cell is not None
        raise DamagedPackage("a cell inside a cell").at(cell=str(self.cell.address))

    def open_value(self, _: Attributes) -> None:
        self.started, self.text = self.parser.CurrentByteIndex, []

    def close_value(self) -> None:
        if self.cell is not None and self.text is not None:
            self.cell.value = self.started, element_end(self.xml, self.started, self.parser.CurrentByteIndex)
            self.cell.value_text, self.text = "".join(self.text), None

    def open_formula(self, attributes: Attributes) -> None:
        assert self.cell is not None
        if self.cell.formula is not None:
            raise DamagedPackage("the cell has two formulas").at(cell=str(self.cell.address))
        self.cell.formula, self.text = FormulaMark(self.parser.CurrentByteIndex, attributes), []

    def close_formula(self) -> None:
        if self.cell is not None and self.cell.formula is not None and self.text is not None:
            formula = self.cell.formula
            formula.end = element_end(self.xml, formula.start, self.parser.CurrentByteIndex)
            formula.text, self.text = "".join(self.text), None

    def open_inline(self, _: Attributes) -> None:
        assert self.cell is not None
        self.inline_started, self.cell.inline_text = self.parser.CurrentByteIndex, ""

    def close_inline(self) -> None:
        if self.cell is not None:
            end = element_end(self.xml, self.inline_started, self.parser.CurrentByteIndex)
            self.cell.inline = self.inline_started, end

    def open_text(self, _: Attributes) -> None:
        if not self.phonetic:
            self.text = []

    def close_text(self) -> None:
        if self.cell is not None and self.text is not None:
            self.cell.inline_text = (self.cell.inline_text or "") + "".join(self.text)
            self.text = None

    def open_phonetic(self, _: Attributes) -> None:
        self.phonetic = True

    def close_phonetic(self) -> None:
        self.phonetic = False


_IN_SHEET: dict[str, Callable[[_Scanner, Attributes], None]] = {
    _CELL: _Scanner.open_cell,
    _ROW: _Scanner.open_row,
    _SHEET_DATA: _Scanner.open_data,
    _DIMENSION: _Scanner.open_dimension,
    _COLUMN: _Scanner.open_column,
}
_IN_CELL: dict[str, Callable[[_Scanner, Attributes], None]] = {
    _VALUE: _Scanner.open_value,
    _FORMULA: _Scanner.open_formula,
    _CELL: _Scanner.nested_cell,
    _ROW: _Scanner.open_row,
    _INLINE: _Scanner.open_inline,
    _TEXT: _Scanner.open_text,
    _PHONETIC: _Scanner.open_phonetic,
}
_CLOSINGS: dict[str, Callable[[_Scanner], None]] = {
    _VALUE: _Scanner.close_value,
    _CELL: _Scanner.close_cell,
    _FORMULA: _Scanner.close_formula,
    _ROW: _Scanner.close_row,
    _INLINE: _Scanner.close_inline,
    _TEXT: _Scanner.close_text,
    _PHONETIC: _Scanner.close_phonetic,
    _SHEET_DATA: _Scanner.close_data,
}


def _address(reference: str) -> Address:
    try:
        return Address.parse(reference)
    except XlmodelError as error:
        raise DamagedPackage(error.message) from None


def _row_number(reference: str | None, last: int) -> int:
    if reference is None:
        number = last + 1
    else:
        number = int(reference) if reference.isascii() and reference.isdigit() and len(reference) < 8 else 0
    if not 1 <= number <= MAX_ROW:
        raise DamagedPackage(f"{reference or number!r} is no row number")
    return number


def _column(attributes: Attributes) -> tuple[int, int, str]:
    try:
        return int(attributes["min"]), int(attributes["max"]), attributes["style"]
    except (KeyError, ValueError):
        raise DamagedPackage("a column range without its first and last column") from None


def cell_start_tag(xml: bytes, cell: CellMark) -> bytes:
    """The bytes of ``<c ...>`` or ``<c .../>``."""
    return xml[cell.start : tag_end(xml, cell.start)]
