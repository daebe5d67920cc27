"""The cells of a worksheet part however it is spelt, element by element."""

from __future__ import annotations

from xml.parsers.expat import XMLParserType

from xlmodel.errors import DamagedPackage, XlmodelError
from xlmodel.package.address import MAX_COLUMN, MAX_ROW, Address
from xlmodel.package.marks import CellMark, RowMark, Scan
from xlmodel.package.markup import SPREADSHEET, element_end, parser, run

_M = SPREADSHEET + " "
_ROW, _CELL, _FORMULA, _VALUE = _M + "row", _M + "c", _M + "f", _M + "v"
_INLINE, _TEXT, _PHONETIC = _M + "is", _M + "t", _M + "rPh"

_Attributes = dict[str, str]


def scan_any(xml: bytes) -> Scan:
    """``scan`` for any spelling.  Rows and cells without a reference follow the one before."""
    scanner = _Scanner(xml)
    made = scanner.parser
    made.StartElementHandler = scanner.start
    made.EndElementHandler = scanner.end
    made.CharacterDataHandler = scanner.text.append  # cleared where a text begins
    run(made, xml)
    return scanner.found


class _Scanner:
    """The state of the pass: the row, the cell and the text that the parser is in."""

    def __init__(self, xml: bytes) -> None:
        self.xml = xml
        self.parser: XMLParserType = parser()
        self.found = Scan()
        self.row: RowMark | None = None
        self.number = 0
        self.column = 0
        self.cell: CellMark | None = None
        self.leaf = 0  # where the <f> or <v> begins that the parser is in
        self.inline = 0
        self.inline_text: list[str] = []
        self.value_text: str | None = None
        self.phonetic = False
        self.text: list[str] = []

    def start(self, element: str, attributes: _Attributes) -> None:
        self.text.clear()
        if self.cell is not None:
            self.start_in_cell(self.cell, element, attributes)
        elif element == _CELL:
            self.start_cell(attributes)
        elif element == _ROW:
            self.start_row(attributes.get("r"))
        else:
            self.start_around(element, attributes)

    def end(self, element: str) -> None:
        here = self.parser.CurrentByteIndex
        if self.cell is not None:
            self.end_in_cell(self.cell, element, here)
        elif element == _ROW and self.row is not None:
            self.row.closing, self.row = here, None
        elif element == _M + "sheetData" and self.found.data is not None:
            self.found.data = self.found.data[0], here

    def start_around(self, element: str, attributes: _Attributes) -> None:
        found, here = self.found, self.parser.CurrentByteIndex
        if element == _M + "sheetData":
            if found.data is not None:
                raise DamagedPackage("the sheet has two sets of rows")
            found.data = here, here
        elif element == _M + "dimension":
            found.dimension = here, attributes.get("ref", "")
        elif element == _M + "col" and "style" in attributes:
            found.columns.append(styled_columns(attributes))

    def start_row(self, reference: str | None) -> None:
        if self.row is not None or self.found.data is None:
            raise DamagedPackage("a row out of place")
        number = self.number + 1 if reference is None else _row_number(reference)
        if number in self.found.rows:
            raise DamagedPackage(f"row {number} occurs twice")
        here = self.parser.CurrentByteIndex
        self.row = self.found.rows[number] = RowMark(here, here)
        self.number, self.column = number, 0

    def start_cell(self, attributes: _Attributes) -> None:
        if self.row is None:
            raise DamagedPackage("a cell outside a row")
        reference = attributes.get("r")
        self.column = self.column + 1 if reference is None else _column(reference, self.number)
        address = Address(self.number, self.column)
        if self.column > MAX_COLUMN:
            raise DamagedPackage(f"row {self.number} reaches beyond the last column")
        if address in self.found.cells:
            raise DamagedPackage("the cell occurs twice").at(cell=str(address))
        self.cell = self.found.cells[address] = CellMark(address, self.parser.CurrentByteIndex)
        self.cell.kind = attributes.get("t")
        self.cell.dynamic = "cm" in attributes
        self.cell.rich = "vm" in attributes
        self.inline_text, self.value_text = [], None

    def start_in_cell(self, cell: CellMark, element: str, attributes: _Attributes) -> None:
        here = self.parser.CurrentByteIndex
        if element in {_FORMULA, _VALUE}:
            if element == _FORMULA:
                cell.formula_attributes = {key: text for key, text in attributes.items() if " " not in key}
            if (cell.formula if element == _FORMULA else cell.value) is not None:
                raise DamagedPackage("the cell has two formulas or values").at(cell=str(cell.address))
            self.leaf = here
        elif element == _INLINE:
            self.inline = here
        elif element == _PHONETIC:
            self.phonetic = True
        elif element in {_CELL, _ROW}:
            raise DamagedPackage("a cell inside a cell").at(cell=str(cell.address))

    def end_in_cell(self, cell: CellMark, element: str, here: int) -> None:
        if element == _CELL:
            cell.end = element_end(self.xml, cell.start, here)
            inline = "".join(self.inline_text) if cell.inline else None
            cell.text = inline if cell.kind == "inlineStr" else self.value_text
            self.cell = None
        elif element == _VALUE:
            cell.value = self.leaf, element_end(self.xml, self.leaf, here)
            self.value_text = "".join(self.text)
        elif element == _FORMULA:
            cell.formula = self.leaf, element_end(self.xml, self.leaf, here)
            cell.formula_text = "".join(self.text)
        elif element == _TEXT and not self.phonetic:
            self.inline_text += self.text
        elif element == _INLINE:
            cell.inline = self.inline, element_end(self.xml, self.inline, here)
        elif element == _PHONETIC:
            self.phonetic = False


def styled_columns(attributes: _Attributes) -> tuple[int, int, str]:
    """First and last column and style of a ``<col>``."""
    try:
        return int(attributes["min"]), int(attributes["max"]), attributes["style"]
    except (KeyError, ValueError):
        raise DamagedPackage("a column range without its first and last column") from None


def _row_number(reference: str) -> int:
    plain = reference.isascii() and reference.isdigit() and len(reference) < 8
    number = int(reference) if plain else 0
    if not 1 <= number <= MAX_ROW:
        raise DamagedPackage(f"{reference!r} is no row number")
    return number


def _column(reference: str, row: int) -> int:
    try:
        address = Address.parse(reference)
    except XlmodelError as error:
        raise DamagedPackage(error.message) from None
    if address.row != row:
        raise DamagedPackage(f"the cell stands in row {row}").at(cell=str(address))
    return address.column
