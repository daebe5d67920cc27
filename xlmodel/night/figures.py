"""The figures of a workbook that are compared with published ones, with their headings, for a report."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from xlmodel.errors import XlmodelError
from xlmodel.package.address import Address, Block
from xlmodel.package.values import Value
from xlmodel.workbook.kinds import kind_of_workbook

if TYPE_CHECKING:
    from xlmodel.package.parts import Package
    from xlmodel.workbook.validate import Validation

Lookup = Callable[[Block], list[list[Value]]]

_ZERO_DAY = dt.date(1899, 12, 30)


@dataclass(frozen=True)
class Table:
    """A computed range beside the published one, cell by cell.

    ``columns``: a group and a label for each, such as class and speed; ``rows``: a label for each.
    ``missed``: row and column of the cells that do not print as published.
    """

    check: str
    sheet: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[str, ...]
    computed: tuple[tuple[Value, ...], ...]
    published: tuple[tuple[Value, ...], ...]
    addresses: tuple[tuple[str, ...], ...]
    missed: frozenset[tuple[int, int]]


Figures = tuple[Table, ...]


def figures_of(package: Package, lookup: Lookup, validation: Validation) -> Figures:
    """The table of each check that compares ranges; ``lookup`` gives the values of a range."""
    ties = kind_of_workbook(package).ties
    tables = []
    for check in validation.checks:
        tie = ties.get(check.name)
        if tie is None or tie.computed is None:
            continue
        computed, shown = (Block.parse(package.defined_names[name]) for name in (tie.computed, tie.shown))
        missed = {(miss.sheet, miss.cell) for miss in check.misses}
        tables.append(_table(check.name, computed, shown, lookup, missed))
    return tuple(tables)


def figures_as_they_stand(workbook: Path, validation: Validation | None) -> Figures:
    """The same from the values that a workbook holds; () where they cannot be read."""
    from xlmodel.package.sheet import read_sheets
    from xlmodel.workbook.refresh import read_package

    if validation is None:
        return ()
    try:
        package = read_package(workbook)
        sheets = read_sheets(package)
    except XlmodelError:
        return ()

    def lookup(block: Block) -> list[list[Value]]:
        cells = sheets[str(block.sheet)].cells
        return [
            [
                cells[at].value if (at := Address(row, column)) in cells else None
                for column in range(block.left, block.right + 1)
            ]
            for row in range(block.top, block.bottom + 1)
        ]

    return figures_of(package, lookup, validation)


def _table(check: str, computed: Block, shown: Block, lookup: Lookup, missed: set[tuple[str, str]]) -> Table:
    sheet = str(computed.sheet)
    addresses = [
        [str(Address(row, column)) for column in range(computed.left, computed.right + 1)]
        for row in range(computed.top, computed.bottom + 1)
    ]
    return Table(
        check=check,
        sheet=sheet,
        columns=_column_labels(computed, lookup),
        rows=_row_labels(computed, lookup),
        computed=_frozen(lookup(computed)),
        published=_frozen(lookup(shown)),
        addresses=tuple(tuple(row) for row in addresses),
        missed=frozenset(
            (row, column)
            for row, line in enumerate(addresses)
            for column, cell in enumerate(line)
            if (sheet, cell) in missed
        ),
    )


def _column_labels(block: Block, lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """The heading over each column, and the one over a group of columns, which stands over its first."""
    above = [
        [None] * block.shape[1] if block.top <= up else lookup(_moved(block, -up, rows=1))[0] for up in (2, 1)
    ]
    labels, group = [], ""
    for over, label in zip(*above, strict=True):
        group = _text(over) or group
        labels.append((group, _text(label)))
    return tuple(labels)


def _row_labels(block: Block, lookup: Lookup) -> tuple[str, ...]:
    """What stands to the left of each row: a number and a date, or a line and its class."""
    reach = min(2, block.left - 1)
    if not reach:
        return tuple(str(row + 1) for row in range(block.shape[0]))
    beside = lookup(Block(block.sheet, block.top, block.left - reach, block.bottom, block.left - 1))
    labels = []
    for number, cells in enumerate(beside, start=1):
        labels.append(", ".join(filter(None, map(_text, cells))) or str(number))
    return tuple(labels)


def _moved(block: Block, down: int, *, rows: int) -> Block:
    top = block.top + down
    return Block(block.sheet, top, block.left, top + rows - 1, block.right)


def _text(value: Value) -> str:
    """A heading as it is read: a serial of this age is a date."""
    if isinstance(value, float) and not isinstance(value, bool):
        if value.is_integer() and 20_000 <= value <= 80_000:
            return (_ZERO_DAY + dt.timedelta(days=int(value))).isoformat()
        return f"{value:g}"
    return "" if value is None else str(value)


def _frozen(rows: Sequence[Sequence[Value]]) -> tuple[tuple[Value, ...], ...]:
    return tuple(tuple(row) for row in rows)
