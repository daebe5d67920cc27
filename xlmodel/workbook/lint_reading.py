"""What the rules of lint look at: the formulas of a workbook, their patterns, and what they read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xlmodel.errors import XlmodelError
from xlmodel.faces.formula_text import Call, find_calls
from xlmodel.faces.input_cell import reference
from xlmodel.package.address import Address, Block, inside
from xlmodel.package.formula import references, relative
from xlmodel.package.parts import Package
from xlmodel.package.sheet import Sheet, read_sheets
from xlmodel.workbook.refresh import Change, refresh

Place = tuple[str, Address]


@dataclass(frozen=True)
class Found:
    """What a rule has found, and a remedy of its own if the rule's will not do."""

    sheet: str
    cell: str
    sentence: str
    remedy: str = ""


@dataclass(frozen=True)
class Rule:
    """A rule: its code, what it finds, the remedy, and the function that finds it."""

    code: str
    what: str
    remedy: str
    find: Callable[[Reading], Iterable[Found]]


@dataclass(frozen=True)
class Reading:
    """A workbook as the rules see it."""

    package: Package
    sheets: dict[str, Sheet]
    _references: dict[Place, list[Block]] = field(default_factory=dict, repr=False)

    @cached_property
    def formulas(self) -> dict[Place, str]:
        """Every formula, by its sheet and cell; of an array its first cell."""
        return {
            (name, address): cell.formula or ""
            for name, sheet in self.sheets.items()
            for address, cell in sheet.formulas()
        }

    @cached_property
    def ours(self) -> dict[Place, list[Call]]:
        """The calls of our functions in each formula that has some."""
        return {
            place: calls
            for place, formula in self.formulas.items()
            if "XM_" in formula.upper()
            if (calls := [call for call in find_calls(formula) if call.ours])
        }

    @cached_property
    def patterns(self) -> dict[Place, str]:
        """The pattern of each formula that is no array."""
        return {
            (name, address): relative(formula, address.row, address.column)
            for (name, address), formula in self.formulas.items()
            if self.sheets[name].cells[address].array is None
        }

    @cached_property
    def members(self) -> dict[Place, Block]:
        """The array that each cell belongs to, its first cell included."""
        found: dict[Place, Block] = {}
        for name, sheet in self.sheets.items():
            arrays = sheet.arrays()
            if arrays:
                within = inside(sheet.cells, arrays.values())
                found |= {(name, address): block for address, block in within.items()}
        return found

    @cached_property
    def changes(self) -> Sequence[Change] | XlmodelError:
        """What a refresh would change, or why there is none."""
        try:
            return refresh(self.package, keep_errors=True).changes
        except XlmodelError as error:
            return error

    def reads(self, place: Place) -> list[Block]:
        """The ranges that a formula refers to, directly or by defined names."""
        found = self._references.get(place)
        if found is None:
            blocks = (reference(self.package, place[0], text) for text in references(self.formulas[place]))
            found = self._references[place] = [block for block in blocks if block is not None]
        return found

    def feeding(self, place: Place) -> Iterator[Place]:
        """The formulas in the ranges that a formula refers to."""
        for block in self.reads(place):
            sheet = self.sheets.get(block.sheet or place[0])
            if sheet is None:
                continue
            name = block.sheet or place[0]
            if block.shape == (1, 1):
                yield from self._formula_of(name, block.anchor)
            else:
                for address in self._by_sheet[name]:
                    if (
                        block.top <= address.row <= block.bottom
                        and block.left <= address.column <= block.right
                    ):
                        yield name, address
                for anchor, array in self._arrays[name].items():
                    if not block.contains(anchor) and _overlap(block, array):
                        yield name, anchor

    def _formula_of(self, name: str, address: Address) -> Iterator[Place]:
        if (name, address) in self.formulas:
            yield name, address
        elif (block := self.members.get((name, address))) is not None:
            yield name, block.anchor

    @cached_property
    def _by_sheet(self) -> dict[str, list[Address]]:
        return {name: [address for address, _ in sheet.formulas()] for name, sheet in self.sheets.items()}

    @cached_property
    def _arrays(self) -> dict[str, dict[Address, Block]]:
        return {name: sheet.arrays() for name, sheet in self.sheets.items()}


def read(package: Package) -> Reading:
    """Read every sheet.  Raises as ``read_sheets`` does."""
    return Reading(package, read_sheets(package))


def runs(places: Iterable[Place]) -> Iterator[Block]:
    """Cells as the columns that they form, in order: one block for each unbroken run down a column."""
    last: Block | None = None
    for name, address in sorted(places, key=lambda place: (place[0], place[1].column, place[1].row)):
        if last is not None and (last.sheet, last.left, last.bottom + 1) == (
            name,
            address.column,
            address.row,
        ):
            last = Block(name, last.top, last.left, address.row, last.right)
            continue
        if last is not None:
            yield last
        last = Block(name, address.row, address.column, address.row, address.column)
    if last is not None:
        yield last


def cell_text(block: Block) -> str:
    """A block without its sheet: B5, or B5:B9."""
    return Block(None, block.top, block.left, block.bottom, block.right).text(absolute=False)


def _overlap(a: Block, b: Block) -> bool:
    return a.top <= b.bottom and b.top <= a.bottom and a.left <= b.right and b.left <= a.right
