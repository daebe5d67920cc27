"""Charts keep a copy of the cells that they draw: brought up to date, or added where it is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xlmodel.errors import DamagedPackage, XlmodelError
from xlmodel.package.address import Block
from xlmodel.package.markup import Edit, edited, element_end, escaped, leaf, parser, prefix, run, tag_end
from xlmodel.package.parts import Package
from xlmodel.package.place import placed
from xlmodel.package.values import ErrorCode, Value, number_text, same

_C = "http://schemas.openxmlformats.org/drawingml/2006/chart "
_CACHE_OF = {_C + "numRef": "numCache", _C + "strRef": "strCache"}
_CACHES = frozenset(_C + cache for cache in _CACHE_OF.values())

MAX_POINTS = 100_000
"""Cells of one reference beyond which a cache is left alone: a whole column, say."""

Values = Callable[[str, Block], Sequence[Sequence[Value]]]
"""Gives the values of a block of cells of a sheet, row by row."""


def refresh_caches(package: Package, values: Values) -> dict[str, bytes]:
    """The new content of each chart part whose cached numbers or texts are not those of its cells.

    ``values`` is asked for each block that a chart refers to, directly or by a defined name.  A cached
    number equal to 15 significant digits is kept.  Left as they are: references to other workbooks,
    computed names, whole columns, categories of several levels, and the cached text of a number that
    is shown in some format.  Raises what ``values`` raises, ``CannotSplice`` for a number that is not
    finite, and what parsing raises, with file and part.
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
        blocks = _blocks(reference.formula, package)
        if blocks is None:
            continue
        cells = [value for sheet, block in blocks for row in values(sheet, block) for value in row]
        points = dict(_points(reference, cells))
        if reference.count != str(len(cells)) or points != reference.points:
            yield _rewritten(xml, reference, len(cells), points)


# --- what the chart says -------------------------------------------------------------------------


@dataclass(slots=True)
class _Reference:
    """One ``<c:numRef>`` or ``<c:strRef>``: its formula, and where its cached points lie and go."""

    cache: str
    formula: str = ""
    formula_end: int = 0
    cache_start: int | None = None
    cache_end: int = 0
    points_start: int = 0  # after the cache's start tag or its formatCode
    points_end: int = 0  # after the last point
    count: str = ""
    points: dict[int, str] = field(default_factory=dict)
    formats: dict[int, str] = field(default_factory=dict)


def _references(xml: bytes) -> list[_Reference]:
    reader = _Reader(xml)
    made = reader.parser
    made.StartElementHandler = reader.start
    made.EndElementHandler = reader.end
    made.CharacterDataHandler = reader.text.append
    run(made, xml)
    return reader.found


class _Reader:
    def __init__(self, xml: bytes) -> None:
        self.xml = xml
        self.parser = parser()
        self.found: list[_Reference] = []
        self.reference: _Reference | None = None
        self.point: int | None = None
        self.last: tuple[int, int] | None = None  # where the last point began, and its end event
        self.starts: list[int] = []  # of the elements that are open
        self.text: list[str] = []  # since the last start tag

    def start(self, element: str, attributes: dict[str, str]) -> None:
        here = self.parser.CurrentByteIndex
        self.starts.append(here)
        self.text.clear()
        if element in _CACHE_OF:
            self.reference = _Reference(_CACHE_OF[element])
            self.found.append(self.reference)
        elif self.reference is None:
            return
        elif element in _CACHES:
            self.reference.cache_start = here
            self.reference.points_start = self.reference.points_end = tag_end(self.xml, here)
        elif element == _C + "ptCount":
            self.reference.count = attributes.get("val", "")
        elif element == _C + "pt":
            self.point = _point_index(attributes.get("idx", ""))
            if "formatCode" in attributes:
                self.reference.formats[self.point] = attributes["formatCode"]

    def end(self, element: str) -> None:
        start = self.starts.pop()
        reference = self.reference
        if reference is None:
            return
        here = self.parser.CurrentByteIndex
        if element == _C + "v":
            if self.point is not None:
                reference.points[self.point] = "".join(self.text)
        elif element in {_C + "pt", _C + "ptCount"}:
            self.point, self.last = None, (start, here)
        elif element == _C + "f":
            reference.formula = "".join(self.text)
            reference.formula_end = element_end(self.xml, start, here)
        elif element == _C + "formatCode":
            reference.points_start = reference.points_end = element_end(self.xml, start, here)
        elif element in _CACHES:
            reference.cache_end = element_end(self.xml, start, here)
            if self.last is not None:
                reference.points_end = element_end(self.xml, *self.last)
                self.last = None
        elif element in _CACHE_OF:
            self.reference = None


def _point_index(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise DamagedPackage(f"a chart has a point numbered {text!r}")
    return int(text)


def _blocks(formula: str, package: Package) -> list[tuple[str, Block]] | None:
    """The blocks that a reference names, in order; ``None`` for what is left alone."""
    text = formula.strip()
    name = text.rpartition("!")[2]
    if name in package.defined_names:
        text = package.defined_names[name].strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    known = {sheet.lower(): sheet for sheet in package.sheets}
    blocks = []
    for area in _areas(text):
        try:
            block = Block.parse(area.strip())
        except XlmodelError:
            return None
        sheet = known.get((block.sheet or "").lower())
        if sheet is None:
            return None
        blocks.append((sheet, block))
    cells = sum(block.shape[0] * block.shape[1] for _, block in blocks)
    return blocks if 0 < cells <= MAX_POINTS else None


def _areas(text: str) -> list[str]:
    """The text split at commas outside quotes."""
    areas, quoted = [""], False
    for character in text:
        quoted ^= character == "'"
        if character == "," and not quoted:
            areas.append("")
        else:
            areas[-1] += character
    return areas


# --- what the cells say --------------------------------------------------------------------------


def _points(reference: _Reference, cells: Sequence[Value]) -> Iterator[tuple[int, str]]:
    """The text of each point that has one; a cached text stands if it says the same as the cell."""
    numbers = reference.cache == "numCache"
    for index, value in enumerate(cells):
        cached = reference.points.get(index)
        if isinstance(value, ErrorCode):
            if not numbers or cached == value:  # else a gap, which every program can read
                yield index, str(value)
        elif isinstance(value, bool):
            yield index, str(int(value)) if numbers else str(value).upper()
        elif isinstance(value, str):
            if not numbers:
                yield index, value
            elif cached is not None:  # drawn as nothing or nought, as the program chose
                yield index, cached
        elif value is not None:
            yield index, _number(value, cached, numbers=numbers)


def _number(value: float, cached: str | None, *, numbers: bool) -> str:
    if cached is not None:
        try:
            if same(float(cached), float(value)):
                return cached
        except ValueError:
            if not numbers:  # in a list of texts, the number in some format
                return cached
    return number_text(value)


def _rewritten(xml: bytes, reference: _Reference, count: int, points: Mapping[int, str]) -> Edit:
    start = reference.cache_start
    if start is not None and reference.points_start != reference.cache_end:
        content = _content(prefix(xml, start), reference, count, points)
        return Edit(reference.points_start, reference.points_end, content)
    begin, end = reference.formula_end, reference.formula_end
    if start is not None:
        begin, end = start, reference.cache_end
    name = _prefix_before(xml, reference.formula_end)
    cache = name + reference.cache.encode()
    code = leaf(name + b"formatCode", "General") if reference.cache == "numCache" else b""
    return Edit(begin, end, b"<%b>%b%b</%b>" % (cache, code, _content(name, reference, count, points), cache))


def _prefix_before(xml: bytes, end: int) -> bytes:
    return prefix(xml, xml.rindex(b"<", 0, end))


def _content(name: bytes, reference: _Reference, count: int, points: Mapping[int, str]) -> bytes:
    pieces = [b'<%bptCount val="%d"/>' % (name, count)]
    for index, text in points.items():
        code = reference.formats.get(index)
        known = b"" if code is None else b' formatCode="%b"' % escaped(code).replace(b'"', b"&quot;")
        pieces.append(b'<%bpt idx="%d"%b>%b</%bpt>' % (name, index, known, leaf(name + b"v", text), name))
    return b"".join(pieces)
