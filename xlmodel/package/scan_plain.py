"""The cells of a worksheet part in the spelling that spreadsheet programs write.

One regular expression over XML that is known to be well-formed, where a ``<`` always begins a tag.  It
gives up on anything unusual (comments, CDATA, single quotes, other orders of attributes, rich text in a
cell, references out of place), which ``scan_any`` then reads, or refuses with a reason.
"""

from __future__ import annotations

import re
from functools import lru_cache

from xlmodel.errors import OutOfRange
from xlmodel.package.address import MAX_ROW, Address, column_number
from xlmodel.package.marks import CellMark, RowMark, Scan
from xlmodel.package.markup import attributes, unescaped

# @ stands for the prefix of the namespace, with its colon.
_SHEET = r"""
  <@c\ r="([A-Z]{1,3})([0-9]{1,7})"((?:\ (?:s|t|cm|vm|ph)="[A-Za-z0-9]*")*)\ ?
    (?:/>
      | >\s*(<@f(?:\ xml:space="preserve")?((?:\ [A-Za-z0-9]+="[^"<>]*")*)(?:/>|>([^<]*)</@f>))?
         \s*(<@v(?:\ xml:space="preserve")?\ ?(?:/>|>([^<]*)</@v>))?
         (<@is><@t(?:\ xml:space="preserve")?>([^<]*)</@t></@is>)?
         \s*</@c>)
  | <@row\ r="([0-9]{1,7})"(?:\ [A-Za-z0-9_:.]+="[^"<>]*")*\ ?(/?)>
  | (</@row>)
  | \s+
  | (.)
"""


@lru_cache(maxsize=8)
def _pattern(name: bytes) -> re.Pattern[str]:
    prefix = re.escape(name.decode("latin-1"))
    return re.compile(_SHEET.replace("@", prefix), re.VERBOSE | re.ASCII)


def fill_plain(found: Scan, xml: bytes, name: bytes, begin: int, end: int) -> bool:
    """Add the rows and cells between two offsets; whether all could be read.

    ``name`` is the prefix of the namespace with its colon.  If the answer is no, ``found`` is of no use.
    """
    if any(xml.find(mark, begin, end) >= 0 for mark in (b"<!", b"<?", b"xmlns")):
        return False
    cells, rows = found.cells, found.rows
    columns: dict[str, int] = {}
    row: RowMark | None = None
    number, digits = 0, ""
    # One character a byte, so that offsets are those of the bytes; texts are put right one by one.
    for match in _pattern(name).finditer(xml.decode("latin-1"), begin, end):
        (letters, cell_row, known, formula, formula_attributes, formula_text,
         value, text, inline, inline_text, row_text, empty, row_end, other) = match.groups()  # fmt: skip
        if letters is not None:
            column = columns.get(letters) or _column(columns, letters)
            address = Address(number, column)
            if row is None or cell_row != digits or not column or address in cells:
                return False
            start, stop = match.span()
            cells[address] = mark = CellMark(address, start)
            mark.end = stop
            if formula is not None:
                mark.formula = match.span(4)
                mark.formula_text = _meant(formula_text or "")
                if formula_attributes:
                    mark.formula_attributes = attributes(formula_attributes.encode("latin-1"))
            if known:
                mark.kind, mark.dynamic, mark.rich = _attributes(known)
            if value is not None:
                mark.value = match.span(7)
                mark.text = _meant(text or "")
            if inline is not None:
                mark.inline = match.span(9)
            if mark.kind == "inlineStr":
                mark.text = None if inline is None else _meant(inline_text)
        elif row_text is not None:
            number, digits = int(row_text), row_text
            if row is not None or number in rows or not 1 <= number <= MAX_ROW:
                return False
            opened = rows[number] = RowMark(match.start(), match.start())
            row = None if empty else opened
        elif row_end is not None:
            if row is None:
                return False
            row.closing, row = match.start(), None
        elif other is not None:
            return False
    assert found.data is not None
    found.data = found.data[0], end
    return True


def _meant(text: str) -> str:
    """The text that characters of one byte each stand for."""
    if "&" not in text and "\r" not in text and text.isascii():
        return text
    return unescaped(text.encode("latin-1"))


@lru_cache(maxsize=1024)
def _attributes(known: str) -> tuple[str | None, bool, bool]:
    """Kind, dynamic and rich; few spellings of them make up a sheet."""
    named = attributes(known.encode())
    return named.get("t"), "cm" in named, "vm" in named


def _column(columns: dict[str, int], letters: str) -> int:
    try:
        columns[letters] = column_number(letters)
    except OutOfRange:
        return 0
    return columns[letters]
