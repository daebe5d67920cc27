"""Locates the rows and cells of a worksheet part in its bytes."""

from __future__ import annotations

from xlmodel.package.collection import no_collection
from xlmodel.package.marks import Scan
from xlmodel.package.markup import SPREADSHEET, parser, prefix, run, tag_end
from xlmodel.package.scan_any import scan_any, styled_columns
from xlmodel.package.scan_plain import fill_plain

_M = SPREADSHEET + " "


def scan(xml: bytes) -> Scan:
    """Locate the rows, cells, formulas and cached values of a worksheet part.

    Raises ``DamagedPackage`` if the part is not well-formed, or a cell or row has an impossible
    reference or occurs twice; ``UnsafePackage`` for a DTD; ``UnsupportedFeature`` for an encoding
    other than UTF-8.
    """
    with no_collection():
        return _scan(xml)


def _scan(xml: bytes) -> Scan:
    found = _head(xml)
    if found.data is None:
        return found
    # Expat has read every byte by now, so what is left is to find the cells in well-formed XML: by
    # one expression in the spelling that programs write, or else, slower, whatever the spelling.
    name = prefix(xml, found.data[0])
    begin = tag_end(xml, found.data[0])
    if xml.startswith(b"/>", begin - 2):
        return found
    end = xml.find(b"</" + name + b"sheetData", begin)
    if xml.find(b"<" + name + b"sheetData", begin) < 0 and fill_plain(found, xml, name, begin, end):
        return found
    return scan_any(xml)


def _head(xml: bytes) -> Scan:
    """Check that the part is well-formed, and locate what stands before the rows."""
    found = Scan()
    made = parser()

    def start(element: str, attributes: dict[str, str]) -> None:
        if element == _M + "sheetData":
            found.data = made.CurrentByteIndex, made.CurrentByteIndex
            made.StartElementHandler = None
        elif element == _M + "dimension":
            found.dimension = made.CurrentByteIndex, attributes.get("ref", "")
        elif element == _M + "col" and "style" in attributes:
            found.columns.append(styled_columns(attributes))

    made.StartElementHandler = start
    run(made, xml)
    return found
