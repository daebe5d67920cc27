"""Where every block of the workbook lies, known before the first cell is written.

Each sheet says with ``place`` where its blocks come; then every sheet writes formulas that refer to any
block by name.  A block that is a defined name of the workbook bears that name here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.definition import Deal
from xlmodel.deal.folder import DealFolder
from xlmodel.functions.payments import distributions_header
from xlmodel.package.address import Block, column_letters
from xlmodel.workbook.published import Published

NAMES = (
    "Terms",
    "Classes",
    "Payments",
    "Pools",
    "Speeds",
    "Collections",
    "Distributions",
    "Decrement",
    "AverageLife",
    "FirstInterest",
    "PublishedDecrement",
    "PublishedAverageLife",
    "PublishedFirstInterest",
)
"""Blocks that become defined names where the workbook has them; so do all that begin with check_."""

CHECK = "check_"


@dataclass(frozen=True)
class Contents:
    """What a workbook shows: a deal folder, its published figures, and the shapes that follow from them."""

    folder: DealFolder
    published: Published

    @property
    def deal(self) -> Deal:
        return self.folder.deal

    @property
    def classes(self) -> int:
        return len(self.deal.classes)

    @property
    def accounts(self) -> int:
        return len(self.deal.accounts)

    @property
    def speeds(self) -> int:
        return len(self.folder.speeds)

    @property
    def months(self) -> int:
        """Collection months: until the pool's last scheduled payment."""
        return self.folder.pool.months

    @property
    def dates(self) -> int:
        """Payment dates: the first takes several collection months, each other one."""
        return self.months - self.deal.first_collection_months + 1

    @property
    def printed(self) -> int:
        """Payment dates in the printed table."""
        return self.folder.printed_payment_dates

    @cached_property
    def distributions_header(self) -> list[str]:
        return distributions_header(self.deal)


@dataclass(frozen=True)
class Layout:
    """Blocks by name."""

    blocks: Mapping[str, Block]

    def __getitem__(self, name: str) -> Block:
        return self.blocks[name]

    def __contains__(self, name: str) -> bool:
        return name in self.blocks

    def ref(self, name: str) -> str:
        """A block as a formula on any sheet writes it: ``'Tie-out'!$B$5``."""
        return self.blocks[name].text()

    def term(self, name: str) -> str:
        """The value cell of a term."""
        return self.ref(f"term {name}")

    def class_term(self, position: int, heading: str) -> str:
        """A cell of the table Classes, by the position of the class."""
        return cell(self.blocks[f"class {heading}"], position, 0).text()

    def defined(self) -> Iterator[tuple[str, Block]]:
        """The defined names and their blocks."""
        for name, block in self.blocks.items():
            if name in NAMES or name.startswith(CHECK):
                yield name, block


@dataclass(frozen=True)
class Sheet:
    """One sheet: its title, where its blocks come, and how it is written."""

    title: str
    place: Callable[[Contents], Mapping[str, Block]]
    write: Callable[[Worksheet, Contents, Layout], None]


def block(sheet: str, top: int, left: int, rows: int = 1, columns: int = 1) -> Block:
    """A block by its corner and shape."""
    return Block(sheet, top, left, top + rows - 1, left + columns - 1)


def cell(of: Block, row: int, column: int) -> Block:
    """One cell of a block; rows and columns count from 0, negative ones from the end."""
    top = (of.top if row >= 0 else of.bottom + 1) + row
    left = (of.left if column >= 0 else of.right + 1) + column
    return Block(of.sheet, top, left, top, left)


def column_of(of: Block, column: int) -> Block:
    """One column of a block."""
    left = cell(of, 0, column).left
    return replace(of, left=left, right=left)


def row_of(of: Block, row: int) -> Block:
    """One row of a block."""
    top = cell(of, row, 0).top
    return replace(of, top=top, bottom=top)


def here(of: Block) -> str:
    """A block as a formula on its own sheet writes it, with dollar signs."""
    return replace(of, sheet=None).text()


def a1(row: int, column: int) -> str:
    """One cell of the same sheet, relative: ``D9``."""
    return f"{column_letters(column)}{row}"
