"""Puts values into the original bytes of a worksheet part; every other byte survives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xlmodel.errors import CannotSplice, DamagedPackage
from xlmodel.package.address import Address, inside
from xlmodel.package.collection import no_collection
from xlmodel.package.insert import insertions
from xlmodel.package.marks import CellMark, Scan
from xlmodel.package.markup import Edit, edited, leaf, opened, prefix, start_tag, with_attribute
from xlmodel.package.parts import Package
from xlmodel.package.place import placed
from xlmodel.package.scan import scan
from xlmodel.package.sheet import read_strings
from xlmodel.package.values import Value, same, spell, stored, typed

Values = Mapping[Address, Value] | Mapping[str, Value]
"""Values by cell, the cell as an ``Address`` or in A1 notation."""


class Change(NamedTuple):
    """A cell whose cached value moved; ``old`` is ``None`` where it had none."""

    cell: str
    old: Value
    new: Value


class Spliced(NamedTuple):
    """A worksheet part with new values, and what moved, by row and column."""

    xml: bytes
    changed: list[Change]


def splice(xml: bytes, values: Values, strings: Sequence[str] = ()) -> Spliced:
    """Put cached values into cells that hold a formula or lie in the range of an array formula.

    A value equal to the cached one (numbers: to 15 significant digits) leaves the cell as it is, so a
    second splice of the same values changes no byte.  Cells of an array for which the file has no
    element are inserted.  ``None`` leaves a cell without a cached value; a
    newer error code such as #SPILL! is stored as #VALUE!, as spreadsheet programs do.  ``strings``
    (``read_strings``) lets a result cached in the shared string table be compared.

    Raises ``CannotSplice`` naming the cell for a cell that holds no formula and lies in no array, and
    for a value that no cell can hold (NaN, infinity, a text too long, an error code unknown to the
    format); and what ``scan`` raises.
    """
    with no_collection():
        return _splice(xml, scan(xml), values, strings)


def splice_sheets(package: Package, values: Mapping[str, Values]) -> dict[str, Spliced]:
    """``splice`` for several sheets by name, the results by part; errors carry file, part and sheet."""
    strings = read_strings(package)
    spliced = {}
    for name, cells in values.items():
        part = package.sheets[name]
        with placed(file=package.name, part=part, sheet=name), no_collection():
            spliced[part] = _splice(package.read(part), package.scan(part), cells, strings)
    return spliced


def _splice(xml: bytes, found: Scan, values: Values, strings: Sequence[str]) -> Spliced:
    wanted = {Address.parse(cell) if isinstance(cell, str) else cell: value for cell, value in values.items()}
    _refuse_constants(found, wanted)
    edits: list[Edit] = []
    changed: list[Change] = []
    absent: dict[Address, Value] = {}
    for address in sorted(wanted):
        new = stored(wanted[address])
        mark = found.cells.get(address)
        old = None if mark is None else _cached(mark, strings)
        if same(old, new):
            continue
        if mark is None:
            absent[address] = new
        else:
            try:
                edits += _replaced(xml, mark, new)
            except CannotSplice as error:
                raise error.at(cell=str(address)) from None
        changed.append(Change(str(address), old, new))
    edits += insertions(xml, found, absent)
    return Spliced(edited(xml, edits), changed)


def _refuse_constants(found: Scan, wanted: Mapping[Address, Value]) -> None:
    cells = found.cells
    plain = [address for address in wanted if (mark := cells.get(address)) is None or mark.formula is None]
    children = inside(plain, found.arrays()) if plain else {}
    for address in plain:
        if address not in children:
            raise CannotSplice("the cell holds no formula and lies in no array formula's range").at(
                cell=str(address)
            )


def _cached(mark: CellMark, strings: Sequence[str]) -> Value:
    try:
        return typed(mark.kind, mark.text, strings)
    except DamagedPackage:  # whatever it was, it goes
        return None


def _replaced(xml: bytes, mark: CellMark, value: Value) -> list[Edit]:
    kind, text = spell(value)
    content = _content(prefix(xml, mark.start), kind, text)
    edits = []
    if mark.value is not None:
        edits.append(Edit(*mark.value, content))
        content = b""
    if mark.inline is not None:
        edits.append(Edit(*mark.inline, content))
    if not edits:
        if mark.formula is None:
            return [_refilled(xml, mark, kind, content)]
        edits.append(Edit(mark.formula[1], mark.formula[1], content))
    if (mark.kind or "n") != (kind or "n") or mark.rich:
        tag = start_tag(xml, mark.start)
        edits.append(Edit(mark.start, mark.start + len(tag), _retyped(tag, mark, kind)))
    return edits


def _content(name: bytes, kind: str | None, text: str | None) -> bytes:
    if text is None:
        return b""
    if kind == "str":
        return leaf(name + b"v", text)
    return b"<%bv>%b</%bv>" % (name, text.encode(), name)


def _refilled(xml: bytes, mark: CellMark, kind: str | None, content: bytes) -> Edit:
    """A cell that has neither formula nor value gets one: it is the child of an array."""
    tag = start_tag(xml, mark.start)
    new = opened(_retyped(tag, mark, kind)) + content
    if tag.endswith(b"/>"):
        new += b"</" + prefix(tag) + b"c>"
    return Edit(mark.start, mark.start + len(tag), new)


def _retyped(tag: bytes, mark: CellMark, kind: str | None) -> bytes:
    tag = with_attribute(tag, b"t", kind.encode() if kind else None)
    # A rich value belongs to the value that goes.
    return with_attribute(tag, b"vm", None) if mark.rich else tag
