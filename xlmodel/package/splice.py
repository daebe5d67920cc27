"""Puts values into the original bytes of a worksheet part; every other byte survives."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from xlmodel.errors import CannotSplice, DamagedPackage, XlmodelError
from xlmodel.package.address import Address, Block, inside
from xlmodel.package.markup import Edit, edited, element_end, leaf, opened, prefix, start_tag, with_attribute
from xlmodel.package.scan import CellMark, RowMark, Scan, scan
from xlmodel.package.values import Value, same, spell, typed
from xlmodel.package.workbook_part import TRUE


class Change(NamedTuple):
    """A cell whose cached value moved; ``old`` is ``None`` where it had none."""

    cell: str
    old: Value
    new: Value


class Spliced(NamedTuple):
    """A worksheet part with new values, and what moved, by row and column."""

    xml: bytes
    changed: list[Change]


def splice(
    xml: bytes, values: Mapping[Address, Value] | Mapping[str, Value], strings: Sequence[str] = ()
) -> Spliced:
    """Put cached values into cells that hold a formula or lie in the range of an array formula.

    A value equal to the cached one (numbers: to 15 significant digits) leaves the cell as it is, so a
    second splice of the same values changes no byte.  Cells of an array for which the file has no
    element are inserted with the style of their row or column.  ``None`` leaves a cell without a
    cached value.  ``strings`` (``read_strings``) lets a result cached in the shared string table be
    compared.

    Raises ``CannotSplice`` naming the cell for a cell that holds no formula and lies in no array, and
    for a value that no cell can hold (NaN, infinity, a text too long, an error code unknown to the
    format); ``DamagedPackage`` and the rest of what ``scan`` raises.
    """
    wanted = {Address.parse(cell) if isinstance(cell, str) else cell: value for cell, value in values.items()}
    found = scan(xml)
    _refuse_constants(found, wanted)
    edits: list[Edit] = []
    changed: list[Change] = []
    absent: dict[int, list[tuple[Address, Value]]] = {}
    for address in sorted(wanted):
        new = wanted[address]
        mark = found.cells.get(address)
        if mark is None:
            if new is None:
                continue
            old: Value = None
            absent.setdefault(address.row, []).append((address, new))
        else:
            old = _cached(mark, strings)
            if same(old, new):
                continue
            edits += _replaced(xml, mark, new)
        changed.append(Change(str(address), old, new))
    edits += _inserted(xml, found, absent)
    return Spliced(edited(xml, edits), changed)


def _refuse_constants(found: Scan, wanted: Mapping[Address, Value]) -> None:
    cells = found.cells
    plain = [address for address in wanted if (mark := cells.get(address)) is None or mark.formula is None]
    if not plain:
        return
    children = inside(plain, found.arrays())
    for address in plain:
        if address not in children:
            raise CannotSplice("the cell holds no formula and lies in no array formula's range").at(
                cell=str(address)
            )


def _cached(mark: CellMark, strings: Sequence[str]) -> Value:
    try:
        return typed(mark.attributes.get("t"), mark.text, strings)
    except DamagedPackage:  # whatever it was, it goes
        return None


# --- a cell that is there ------------------------------------------------------------------------


def _replaced(xml: bytes, mark: CellMark, value: Value) -> Iterable[Edit]:
    kind, text = spell(value, cell=str(mark.address))
    start, tag = mark.element[0], start_tag(xml, mark.element)
    name = prefix(tag)
    content = b"" if text is None else leaf(name + b"v", text)
    new_tag = with_attribute(tag, b"t", kind.encode() if kind else None)
    new_tag = with_attribute(new_tag, b"vm", None)  # a rich value belongs to the value that goes
    if tag.endswith(b"/>"):
        if content:
            new_tag = opened(new_tag) + content + b"</" + name + b"c>"
        yield Edit(start, start + len(tag), new_tag)
        return
    if new_tag != tag:
        yield Edit(start, start + len(tag), new_tag)
    old = [element for element in (mark.value, mark.inline) if element is not None]
    if not old:
        place = element_end(xml, mark.formula) if mark.formula else start + len(tag)
        yield Edit(place, place, content)
    for element in old:
        yield Edit(element[0], element_end(xml, element), content)
        content = b""


# --- cells that are not there yet ----------------------------------------------------------------


def _inserted(xml: bytes, found: Scan, absent: Mapping[int, list[tuple[Address, Value]]]) -> Iterable[Edit]:
    if not absent:
        return
    assert found.data is not None
    name = prefix(start_tag(xml, found.data))
    numbers = sorted(found.rows)
    before: dict[int, list[bytes]] = {}  # new rows by the offset that they go before
    for number, cells in absent.items():
        row = found.rows.get(number)
        made = [(address.column, _new_cell(name, found, row, address, value)) for address, value in cells]
        if row is not None:
            yield from _into_row(xml, row, made)
            continue
        following = bisect_left(numbers, number)
        place = found.rows[numbers[following]].element[0] if following < len(numbers) else found.data[1]
        content = b"".join(cell for _, cell in made)
        before.setdefault(place, []).append(b'<%brow r="%d">%b</%brow>' % (name, number, content, name))
    yield from (Edit(place, place, b"".join(rows)) for place, rows in before.items())
    yield from _dimension(xml, found, absent)


def _new_cell(name: bytes, found: Scan, row: RowMark | None, address: Address, value: Value) -> bytes:
    kind, text = spell(value, cell=str(address))
    assert text is not None
    style = _style(found, row, address.column)
    return b'<%bc r="%b"%b%b>%b</%bc>' % (
        name,
        str(address).encode(),
        b' s="%b"' % style.encode() if style else b"",
        b' t="%b"' % kind.encode() if kind else b"",
        leaf(name + b"v", text),
        name,
    )


def _style(found: Scan, row: RowMark | None, column: int) -> str | None:
    # A cell without an element shows the style of its row or column, one with an element its own.
    if row is not None and row.attributes.get("customFormat") in TRUE:
        return row.attributes.get("s")
    return next((style for first, last, style in found.columns if first <= column <= last), None)


def _into_row(xml: bytes, row: RowMark, made: Sequence[tuple[int, bytes]]) -> Iterable[Edit]:
    start, closing = row.element
    tag = start_tag(xml, row.element)
    new_tag = opened(_with_spans(tag, row, made))
    if tag.endswith(b"/>"):
        content = b"".join(cell for _, cell in made)
        yield Edit(start, start + len(tag), new_tag + content + b"</" + prefix(tag) + b"row>")
        return
    if new_tag != tag:
        yield Edit(start, start + len(tag), new_tag)
    present = sorted(row.cells, key=lambda mark: mark.address.column)
    columns = [mark.address.column for mark in present]
    before: dict[int, list[bytes]] = {}
    for column, cell in made:
        following = bisect_left(columns, column)
        place = present[following].element[0] if following < len(present) else closing
        before.setdefault(place, []).append(cell)
    yield from (Edit(place, place, b"".join(cells)) for place, cells in before.items())


def _with_spans(tag: bytes, row: RowMark, made: Sequence[tuple[int, bytes]]) -> bytes:
    spans = row.attributes.get("spans")
    if spans is None:
        return tag
    try:
        edges = [int(edge) for span in spans.split() for edge in span.split(":")]
    except ValueError:
        return with_attribute(tag, b"spans", None)
    low, high = min([*edges, made[0][0]]), max([*edges, made[-1][0]])
    if (low, high) == (min(edges), max(edges)):
        return tag
    return with_attribute(tag, b"spans", b"%d:%d" % (low, high))


def _dimension(xml: bytes, found: Scan, absent: Mapping[int, list[tuple[Address, Value]]]) -> Iterable[Edit]:
    if found.dimension is None:
        return
    start, reference = found.dimension
    try:
        known = Block.parse(reference)
    except XlmodelError:
        return
    columns = [address.column for cells in absent.values() for address, _ in cells]
    grown = Block(
        None,
        min(known.top, *absent),
        min(known.left, *columns),
        max(known.bottom, *absent),
        max(known.right, *columns),
    )
    if grown != known:
        tag = start_tag(xml, (start, start))
        yield Edit(start, start + len(tag), with_attribute(tag, b"ref", grown.text(absolute=False).encode()))
