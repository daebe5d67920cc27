"""Where every block of the workbook lies, known before the first cell is written.

Each sheet says with ``place`` where its blocks come; then every sheet writes formulas that refer to any
block by name.  A block that is a defined name of the workbook bears that name here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import DealFolder
from xlmodel.deal.scenario import Scenarios, at_speeds, read_scenarios
from xlmodel.deal.statement import Item, statement
from xlmodel.deal.waterfall import run
from xlmodel.functions.payments import distributions_header
from xlmodel.package.address import Block, column_letters
from xlmodel.pool.cash_flows import CashFlows
from xlmodel.pool.projection import Collections
from xlmodel.tables import RawRows
from xlmodel.workbook.published import CALL, Published

NAMES = (
    "Terms",
    "Classes",
    "Payments",
    "Pools",
    "Speeds",
    "Scenarios",
    "SelectedScenario",
    "ComparedScenario",
    "SelectedDate",
    "ScenarioSummary",
    "ScenarioEvents",
    "Collections",
    "Distributions",
    "Ledger",
    "Decrement",
    "AverageLife",
    "FirstInterest",
    "Certificate",
    "RollForward",
    "PublishedDecrement",
    "PublishedAverageLife",
    "PublishedFirstInterest",
    "PublishedCertificate",
    "PublishedRollForward",
)
STARTS = ("check_", "Statement")
"""Blocks that become defined names where the workbook has them, and how the names of others begin."""
_SPARE_SCENARIOS = 4  # blank rows of the table Scenarios, for those that the desk adds


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
    def reported(self) -> bool:
        """Whether the collateral is what a servicer reported, so that nothing about it is assumed."""
        return isinstance(self.folder.pool, CashFlows)

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
    def scenarios(self) -> Scenarios:
        return read_scenarios(self.folder.scenarios)

    @property
    def decrement_classes(self) -> tuple[int, ...]:
        """Positions of the classes whose decrement table is shown: the printed ones, else all."""
        printed = self.published.decrement
        return printed.classes if printed else tuple(range(self.classes))

    @property
    def life_classes(self) -> tuple[int, ...]:
        """Positions of the classes whose average lives are shown."""
        printed = self.published.average_life
        return printed.classes if printed else tuple(range(self.classes))

    @property
    def life_ends(self) -> tuple[str, ...]:
        """What average lives are shown to: the call, maturity."""
        printed = self.published.average_life
        return printed.ends if printed else (CALL,)

    @property
    def scenario_rows(self) -> RawRows:
        """The table Scenarios with blank rows at its end."""
        blank = [None] * len(self.folder.scenarios[0])
        return [*self.folder.scenarios, *([blank] * _SPARE_SCENARIOS)]

    @property
    def scenario_dates(self) -> int:
        """Payment dates of the scenarios: until the last recovery has come in."""
        return self.dates + int(self.scenarios.recovery_lag.max())

    @cached_property
    def trial(self) -> tuple[Collections, Distributions]:
        """A run for the shapes that follow from it: lines of the ledger, items of the statement, dates."""
        once = at_speeds([self.folder.base_speed])
        collections = collect(self.deal, self.folder.pool, once)
        return collections, run(self.deal, collections, once)

    @property
    def groups(self) -> dict[str, int]:
        """The groups of classes in order, each with the position of its first class."""
        names = [note_class.group for note_class in self.deal.classes]
        return {name: names.index(name) for name in names}

    def statement(self, group: str) -> list[Item]:
        """The items of the statement to a group, on whatever payment date."""
        delinquent = at_speeds([self.folder.base_speed]).delinquent
        return statement(self.deal, *self.trial, delinquent, group, 0)

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
            if name in NAMES or name.startswith(STARTS):
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
