"""New cells and rows in a worksheet part, for the cells of an array that have no element yet."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from xlmodel.errors import DamagedPackage, XlmodelError
from xlmodel.package.address import Address, Block
from xlmodel.package.marks import RowMark, Scan
from xlmodel.package.markup import Edit, attributes, leaf, opened, prefix, start_tag, with_attribute
from xlmodel.package.place import placed
from xlmodel.package.values import Value, spell
from xlmodel.package.workbook_part import TRUE

_New = tuple[int, bytes]  # a column and the bytes of its new cell


def insertions(xml: bytes, found: Scan, absent: Mapping[Address, Value]) -> Iterator[Edit]:
    """The edits that add cells, in their order in the sheet, with the style of their row or column.

    ``absent`` are cells without an element; none of the values is ``None``.  ``spans`` of rows and
    ``<dimension>`` grow with them.  Raises ``CannotSplice`` for a value that no cell can hold.
    """
    if not absent:
        return
    if found.data is None or start_tag(xml, found.data[0]).endswith(b"/>"):
        raise DamagedPackage("the sheet has no place for rows")
    name = prefix(xml, found.data[0])
    new: dict[int, list[_New]] = {}
    for address in sorted(absent):
        cell = _new_cell(xml, name, found, address, absent[address])
        new.setdefault(address.row, []).append((address.column, cell))
    yield from _new_rows(found, name, {row: cells for row, cells in new.items() if row not in found.rows})
    present: dict[int, list[tuple[int, int]]] = {row: [] for row in new}
    for address, mark in found.cells.items():
        if address.row in present:
            present[address.row].append((address.column, mark.start))
    for row, cells in new.items():
        if row in found.rows:
            yield from _grown_row(xml, found.rows[row], sorted(present[row]), cells)
    yield from _grown_dimension(xml, found, absent)


def _new_cell(xml: bytes, name: bytes, found: Scan, address: Address, value: Value) -> bytes:
    cell = str(address)
    with placed(cell=cell):
        kind, text = spell(value)
    assert text is not None
    style = _style(xml, found, address)
    return b'<%bc r="%b"%b%b>%b</%bc>' % (
        name,
        cell.encode(),
        b' s="%b"' % style.encode() if style else b"",
        b' t="%b"' % kind.encode() if kind else b"",
        leaf(name + b"v", text),
        name,
    )


def _style(xml: bytes, found: Scan, address: Address) -> str | None:
    # A cell without an element shows the style of its row or column, one with an element its own.
    row = found.rows.get(address.row)
    known = {} if row is None else attributes(start_tag(xml, row.start))
    if known.get("customFormat") in TRUE:
        return known.get("s")
    return next((style for first, last, style in found.columns if first <= address.column <= last), None)


def _new_rows(found: Scan, name: bytes, new: Mapping[int, Sequence[_New]]) -> Iterator[Edit]:
    assert found.data is not None
    numbers = sorted(found.rows)
    for row, cells in new.items():
        following = bisect_left(numbers, row)
        place = found.rows[numbers[following]].start if following < len(numbers) else found.data[1]
        content = b"".join(cell for _, cell in cells)
        yield Edit(place, place, b'<%brow r="%d">%b</%brow>' % (name, row, content, name))


def _grown_row(
    xml: bytes, row: RowMark, present: Sequence[tuple[int, int]], new: Sequence[_New]
) -> Iterator[Edit]:
    tag, start = start_tag(xml, row.start), row.start
    new_tag = opened(_with_spans(tag, new))
    if tag.endswith(b"/>"):
        content = b"".join(cell for _, cell in new)
        yield Edit(start, start + len(tag), new_tag + content + b"</" + prefix(tag) + b"row>")
        return
    if new_tag != tag:
        yield Edit(start, start + len(tag), new_tag)
    columns = [column for column, _ in present]
    for column, cell in new:
        following = bisect_left(columns, column)
        place = present[following][1] if following < len(present) else row.closing
        yield Edit(place, place, cell)


def _with_spans(tag: bytes, new: Sequence[_New]) -> bytes:
    spans = attributes(tag).get("spans")
    if spans is None:
        return tag
    try:
        edges = [int(edge) for span in spans.split() for edge in span.split(":")]
    except ValueError:
        return with_attribute(tag, b"spans", None)  # it is only a hint
    grown = [*edges, new[0][0], new[-1][0]]
    if (min(grown), max(grown)) == (min(edges), max(edges)):
        return tag
    return with_attribute(tag, b"spans", b"%d:%d" % (min(grown), max(grown)))


def _grown_dimension(xml: bytes, found: Scan, absent: Mapping[Address, Value]) -> Iterator[Edit]:
    if found.dimension is None:
        return
    start, reference = found.dimension
    try:
        known = Block.parse(reference)
    except XlmodelError:
        return  # it is only a hint
    rows = [known.top, known.bottom, *(address.row for address in absent)]
    columns = [known.left, known.right, *(address.column for address in absent)]
    grown = Block(None, min(rows), min(columns), max(rows), max(columns))
    if grown != known:
        tag = start_tag(xml, start)
        yield Edit(start, start + len(tag), with_attribute(tag, b"ref", grown.text(absolute=False).encode()))
