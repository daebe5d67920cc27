"""A copy of a workbook in which the cells that call our functions are constants."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xlmodel.package.marks import Scan
from xlmodel.package.markup import (
    Edit,
    edited,
    element_end,
    leaf,
    parser,
    prefix,
    run,
    start_tag,
    with_attribute,
)
from xlmodel.package.parts import Package
from xlmodel.package.place import placed
from xlmodel.package.relationships import CONTENT_TYPES, relationships_part
from xlmodel.package.sheet import read_formulas


def freeze(package: Package, is_ours: Callable[[str], bool]) -> bytes:
    """The bytes of a copy in which cells whose formula is ours hold their cached values instead.

    ``is_ours`` is asked with the text of each formula, without ``=``.  The cells that an array of ours
    fills hold constants too; native formulas stay.  The calculation chain, a list of formula cells
    that programs rebuild, is left out.  Raises what ``read_sheet`` raises, with file, part and sheet.
    """
    new: dict[str, bytes] = {}
    for name, part in package.sheets.items():
        with placed(file=package.name, part=part, sheet=name):
            xml = package.read(part)
            edits = list(_edits(xml, package.scan(part), is_ours))
            if edits:
                new[part] = edited(xml, edits)
    return _without_chain(package, new) if new else package.data


def _edits(xml: bytes, found: Scan, is_ours: Callable[[str], bool]) -> Iterable[Edit]:
    beheaded: set[str] = set()  # shared formulas whose first cell, which holds the text, is frozen
    for address, text in read_formulas(found).items():
        mark = found.cells[address]
        assert mark.formula is not None
        start, end = mark.formula
        group = mark.formula_attributes.get("si", "") if mark.formula_kind == "shared" else None
        if is_ours(text):
            if group is not None and mark.formula_text:
                beheaded.add(group)
            if mark.dynamic:
                tag = start_tag(xml, mark.start)
                yield Edit(mark.start, mark.start + len(tag), with_attribute(tag, b"cm", None))
            yield Edit(start, end, b"")
        elif group in beheaded:
            yield Edit(start, end, leaf(prefix(xml, start) + b"f", text))


def _without_chain(package: Package, new: dict[str, bytes]) -> bytes:
    chains = [
        one.target
        for one in package.relationships(package.workbook)
        if one.type.endswith("/calcChain") and one.target in package.members
    ]
    if chains:
        rels = package.find(relationships_part(package.workbook))
        assert rels is not None
        for part, key, ending in ((rels, "Type", "/calcChain"), (CONTENT_TYPES, "PartName", chains[0])):
            with placed(file=package.name, part=part):
                new[part] = _without_element(package.read(part), key, ending)
    return package.replace(new, drop=chains)


def _without_element(xml: bytes, key: str, ending: str) -> bytes:
    edits: list[Edit] = []
    made = parser()
    open_at: list[int] = []
    hits: list[bool] = []

    def start(_: str, attributes: dict[str, str]) -> None:
        open_at.append(made.CurrentByteIndex)
        hits.append(attributes.get(key, "").lower().endswith(ending.lower()))

    def end(_: str) -> None:
        begin = open_at.pop()
        if hits.pop():
            edits.append(Edit(begin, element_end(xml, begin, made.CurrentByteIndex), b""))

    made.StartElementHandler = start
    made.EndElementHandler = end
    run(made, xml)
    return edited(xml, edits)
