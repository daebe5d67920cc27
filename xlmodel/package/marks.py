"""The places of a worksheet part: its rows, its cells, and their formulas and cached values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xlmodel.errors import DamagedPackage, XlmodelError
from xlmodel.package.address import Address, Block

Extent = tuple[int, int]
"""The offset at which an element begins, and the offset after it."""

_NO_ATTRIBUTES: Mapping[str, str] = {}


class CellMark:
    """The ``<c>`` of a cell: where it and its ``<f>``, ``<v>`` and ``<is>`` lie, and what they say."""

    # Defaults on the class, so a cell costs only what it has.
    end = 0
    kind: str | None = None
    """Its attribute ``t``."""
    dynamic = False
    """Whether it has ``cm``: its array formula is a dynamic one."""
    rich = False
    """Whether it has ``vm``: its value is only the stand-in for a richer one."""
    formula: Extent | None = None
    formula_text = ""
    formula_attributes = _NO_ATTRIBUTES
    value: Extent | None = None
    inline: Extent | None = None
    text: str | None = None
    """What ``<v>`` says or, in a cell of kind ``inlineStr``, ``<is>``."""

    def __init__(self, address: Address, start: int) -> None:
        self.address = address
        self.start = start

    @property
    def formula_kind(self) -> str:
        """``normal``, ``array``, ``shared`` or ``dataTable``."""
        return self.formula_attributes.get("t", "normal")

    def array(self) -> Block | None:
        """The range of the array formula whose anchor this is; ``DamagedPackage`` if it states none."""
        if self.formula_kind != "array":
            return None
        try:
            return Block.parse(self.formula_attributes.get("ref", ""))
        except XlmodelError as error:
            raise DamagedPackage(f"an array formula without a proper range: {error.message}").at(
                cell=str(self.address)
            ) from None


@dataclass(slots=True)
class RowMark:
    """The offsets of a ``<row>`` and of its closing tag, which means nothing if the row is empty."""

    start: int
    closing: int


@dataclass(slots=True)
class Scan:
    """A worksheet part, located.  Cells and rows are in the order of the file."""

    cells: dict[Address, CellMark] = field(default_factory=dict)
    rows: dict[int, RowMark] = field(default_factory=dict)
    columns: list[tuple[int, int, str]] = field(default_factory=list)
    """First and last column and the style of columns that have one."""
    dimension: tuple[int, str] | None = None
    """Offset and range of ``<dimension>``."""
    data: tuple[int, int] | None = None
    """Offsets of ``<sheetData>`` and of its closing tag, which means nothing if it is empty."""

    formulas: dict[Address, str] | None = None
    """The text of each formula, once ``sheet.read_formulas`` has written them out."""

    def arrays(self) -> list[Block]:
        """The ranges of all array formulas."""
        return [block for mark in self.cells.values() if mark.formula_attributes and (block := mark.array())]
