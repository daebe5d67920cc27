"""A tape as filed with the SEC: asset-level data of an auto loan trust (ABS-EE, exhibit 102), in XML.

Source of the names: SEC, EDGAR ABS XML Technical Specification, auto loan schema.  Each ``assets`` element
is one contract; an amount is missing where the element is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, iterparse

from xlmodel.errors import BadTape
from xlmodel.pool.tape.source import ROWS, Chunk, Options, chunk_of

_ASSET = "assets"
_ELEMENTS = (
    "assetNumber",
    "originationDate",
    "originalLoanTerm",
    "remainingTermToMaturityNumber",
    "reportingPeriodInterestRatePercentage",
    "reportingPeriodActualEndBalanceAmount",
)


def read_filing(file: Path, options: Options) -> Iterator[Chunk]:
    """The contracts of a filing, streamed; a row is a contract, counted from 1.

    ``options.columns`` may name other elements of the schema.
    """
    elements = tuple(dict.fromkeys((*_ELEMENTS, *options.columns.values())))
    cells: list[list[str | None]] = []
    count = 0
    try:
        with file.open("rb") as stream:
            if b"<!DOCTYPE" in stream.read(4096).replace(b"\x00", b""):
                raise BadTape("an XML with a document type is not read", remedy="fetch the filing again")
            stream.seek(0)
            root: Element | None = None
            for event, element in iterparse(stream, events=("start", "end")):
                if root is None:
                    root = element
                if event == "end" and _local(element) == _ASSET:
                    found = {_local(child): child.text for child in element}
                    cells.append([found.get(name) for name in elements])
                    root.clear()  # or the whole filing would gather there
                    if len(cells) == ROWS:
                        yield chunk_of(elements, range(count + 1, count + ROWS + 1), cells)
                        count += ROWS
                        cells = []
    except ParseError as error:
        line, column = error.position
        raise BadTape(
            f"the XML breaks off at line {line}, column {column}, after {count + len(cells):,} contracts: "
            f"{error.msg.split(':')[0]}",
            remedy="fetch the filing again; none of its contracts were taken",
        ) from None
    if not count and not cells:
        raise BadTape(f"there is no element {_ASSET!r} in it", remedy="give exhibit 102 of an ABS-EE filing")
    if cells:
        yield chunk_of(elements, range(count + 1, count + len(cells) + 1), cells)


def _local(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]
