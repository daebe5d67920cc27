"""Charts keep a copy of the numbers that they draw: brought up to date, or added where missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from xlmodel.errors import XlmodelError
from xlmodel.package.address import Block
from xlmodel.package.markup import Edit, edited, escaped, parser, prefix, run, tag_end
from xlmodel.package.parts import Package
from xlmodel.package.place import placed
from xlmodel.package.values import ErrorCode, Value, number_text

_C = "http://schemas.openxmlformats.org/drawingml/2006/chart "
_REFERENCES = {_C + "numRef": "numCache", _C + "strRef": "strCache"}
_CACHES = {_C + "numCache", _C + "strCache"}

Values = Callable[[str, Block], Sequence[Sequence[Value]]]
"""Gives the values of a block of cells of a sheet, row by row."""


@dataclass(slots=True)
class _Reference:
    """One ``<c:numRef>`` or ``<c:strRef>`` and the points that it has cached."""

    start: int
    cache: str
    text: str = ""
    formula_end: int = 0
    cached: bool = False
    head_end: int = 0  # where the cache's points begin: after its start tag or its formatCode
    tail: int = 0  # where they end
    count: str = ""
    points: dict[int, str] = field(default_factory=dict)
    formats: dict[int, str] = field(default_factory=dict)


def refresh_caches(package: Package, values: Values) -> dict[str, bytes]:
    """The new content of each chart part whose cached numbers or texts are not those of its cells.

    ``values`` is asked for each block that a chart refers to, directly or by a defined name.  A cached
    number equal to 15 significant digits is kept.  References to other workbooks and formulas are
    left as they are.  Raises what ``values`` raises, with file and part.
    """
    new = {}
    for part in package.of_type("drawingml.chart+xml"):
        with placed(file=package.name, part=part):
            xml = package.read(part)
            refreshed = edited(xml, _edits(xml, package, values))
        if refreshed != xml:
            new[part] = refreshed
    return new


def _edits(xml: bytes, package: Package, values: Values) -> Iterator[Edit]:
    for reference in _references(xml):
        blocks = _blocks(reference.text, package)
        if blocks is None:
            continue
        cells = [value for sheet, block in blocks for row in values(sheet, block) for value in row]
        points = _points(cells, numbers=reference.cache == "numCache")
        if not reference.cached:
            yield _added(xml, reference, len(cells), points)
        elif reference.count != str(len(cells)) or not _equal(reference.points, points):
            yield _rewritten(xml, reference, len(cells), points)


# --- what the chart says -------------------------------------------------------------------------


def _references(xml: bytes) -> list[_Reference]:
    found: list[_Reference] = []
    made = parser()
    reference: _Reference | None = None
    point: int | None = None
    text: list[str] | None = None

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal reference, point, text
        if element in _REFERENCES:
            reference = _Reference(made.CurrentByteIndex, _REFERENCES[element])
            found.append(reference)
        elif reference is None:
            return
        elif element in _CACHES:
            reference.cached = True
            reference.head_end = tag_end(xml, made.CurrentByteIndex)
        elif element == _C + "ptCount":
            reference.count = attributes.get("val", "")
        elif element == _C + "pt":
            point = int(attributes.get("idx", "0"))
            if "formatCode" in attributes:
                reference.formats[point] = attributes["formatCode"]
        elif element in {_C + "f", _C + "v"}:
            text = []

    def end(element: str) -> None:
        nonlocal reference, point, text
        if reference is None:
            return
        here = made.CurrentByteIndex
        if element == _C + "f":
            reference.text, text = "".join(text or ()), None
            reference.formula_end = xml.index(b">", here) + 1
        elif element == _C + "v" and point is not None:
            reference.points[point], text = "".join(text or ()), None
        elif element == _C + "formatCode":
            reference.head_end = xml.index(b">", here) + 1
        elif element in _CACHES:
            reference.tail = here
        elif element in _REFERENCES:
            reference = None

    def characters(data: str) -> None:
        if text is not None:
            text.append(data)

    made.StartElementHandler = start
    made.EndElementHandler = end
    made.CharacterDataHandler = characters
    run(made, xml)
    return found


def _blocks(text: str, package: Package) -> list[tuple[str, Block]] | None:
    """The blocks that a reference names, in order; ``None`` for what is no plain reference."""
    text = package.defined_names.get(text.rpartition("!")[2], text) if ":" not in text else text
    text = text.strip().removeprefix("=")
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    blocks = []
    for area in text.split(","):
        try:
            block = Block.parse(area.strip())
        except XlmodelError:
            return None
        if block.sheet not in package.sheets:
            return None
        blocks.append((block.sheet, block))
    return blocks


# --- what the cells say --------------------------------------------------------------------------


def _points(cells: Sequence[Value], *, numbers: bool) -> dict[int, str]:
    points: dict[int, str] = {}
    for index, value in enumerate(cells):
        if value is None:
            continue
        if isinstance(value, ErrorCode):
            points[index] = str(value)
        elif isinstance(value, bool):
            points[index] = str(int(value)) if numbers else str(value).upper()
        elif isinstance(value, str):
            if not numbers:
                points[index] = value
        else:
            points[index] = number_text(value)
    return points


def _equal(old: dict[int, str], new: dict[int, str]) -> bool:
    return old.keys() == new.keys() and all(
        text == new[index] or _same_number(text, new[index]) for index, text in old.items()
    )


def _same_number(old: str, new: str) -> bool:
    try:
        return f"{float(old):.15g}" == f"{float(new):.15g}"
    except ValueError:
        return False


def _content(name: bytes, reference: _Reference, count: int, points: dict[int, str]) -> bytes:
    pieces = [b'<%bptCount val="%d"/>' % (name, count)]
    for index, text in points.items():
        code = reference.formats.get(index)
        attribute = b"" if code is None else b' formatCode="%b"' % escaped(code).replace(b'"', b"&quot;")
        pieces.append(
            b'<%bpt idx="%d"%b><%bv>%b</%bv></%bpt>'
            % (name, index, attribute, name, escaped(text), name, name)
        )
    return b"".join(pieces)


def _rewritten(xml: bytes, reference: _Reference, count: int, points: dict[int, str]) -> Edit:
    name = prefix(xml, reference.start)
    return Edit(reference.head_end, reference.tail, _content(name, reference, count, points))


def _added(xml: bytes, reference: _Reference, count: int, points: dict[int, str]) -> Edit:
    name = prefix(xml, reference.start)
    cache = name + reference.cache.encode()
    code = b"<%bformatCode>General</%bformatCode>" % (name, name) if reference.cache == "numCache" else b""
    content = b"<%b>%b%b</%b>" % (cache, code, _content(name, reference, count, points), cache)
    return Edit(reference.formula_end, reference.formula_end, content)
