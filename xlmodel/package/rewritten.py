"""A copy of a workbook in which every formula's text is rewritten and no formula has a cached value."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xlmodel.package.address import inside
from xlmodel.package.marks import CellMark, Scan
from xlmodel.package.markup import (
    SPREADSHEET,
    Edit,
    edited,
    escaped,
    parser,
    run,
    start_tag,
    tag_end,
    with_attribute,
)
from xlmodel.package.parts import Package
from xlmodel.package.place import placed

_M = SPREADSHEET + " "
# Formulas of cells, of conditional formats and validations, and what names mean.
_TEXTS = frozenset(_M + name for name in ("f", "formula", "formula1", "formula2", "definedName"))


def rewritten(package: Package, rewrite: Callable[[str, bool], str]) -> bytes:
    """The bytes of the copy; arrays and shared formulas keep their ranges.

    ``rewrite`` is given each formula's text, without ``=``, and whether it is an array formula.  A program
    that opens the copy has to compute every formula, because there is nothing else that it could show.
    """
    new = {}
    for part in (package.workbook, *package.sheets.values()):
        with placed(file=package.name, part=part):
            xml = package.read(part)
            edits = list(_texts(xml, rewrite))
            if part != package.workbook:
                edits += _values(xml, package.scan(part))
            new[part] = edited(xml, edits)
    return package.replace(new, level=1)


def _texts(xml: bytes, rewrite: Callable[[str, bool], str]) -> Iterable[Edit]:
    """New content for every element that holds a formula's text."""
    made = parser()
    edits: list[Edit] = []
    begin = -1
    array = False
    text: list[str] = []

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal begin, array
        if element in _TEXTS:
            begin = made.CurrentByteIndex
            array = attributes.get("t") == "array"
            text.clear()

    def end(element: str) -> None:
        nonlocal begin
        if element in _TEXTS and begin >= 0:
            old = "".join(text)
            new = rewrite(old, array) if old else old
            if new != old:
                edits.append(Edit(tag_end(xml, begin), made.CurrentByteIndex, escaped(new)))
            begin = -1

    made.StartElementHandler = start
    made.EndElementHandler = end
    made.CharacterDataHandler = text.append
    run(made, xml)
    return edits


def _values(xml: bytes, found: Scan) -> Iterable[Edit]:
    """The cached values of formulas go, those in the ranges of arrays too."""
    constants = []
    for address, mark in found.cells.items():
        if mark.formula is None:
            constants.append(address)
            continue
        for extent in (mark.value, mark.inline):
            if extent is not None:
                yield Edit(*extent, b"")
    for address in inside(constants, found.arrays()):
        yield _emptied(xml, found.cells[address])


def _emptied(xml: bytes, mark: CellMark) -> Edit:
    """A cell that keeps its style and nothing else."""
    tag = with_attribute(with_attribute(start_tag(xml, mark.start), b"t", None), b"vm", None)
    return Edit(mark.start, mark.end, tag if tag.endswith(b"/>") else tag[:-1] + b"/>")
