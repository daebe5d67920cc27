"""What the workbook of a deal shows, and the shapes of its sheets that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import CALL, DealFolder, read_folder
from xlmodel.deal.questions import Grid, Pricing
from xlmodel.deal.scenario import Scenarios, at_speeds, read_scenarios
from xlmodel.deal.statement import Item, statement
from xlmodel.deal.waterfall import run
from xlmodel.errors import BadDealFolder, BadPublished
from xlmodel.functions.payments import distributions_header
from xlmodel.pool.cash_flows import CashFlows
from xlmodel.pool.projection import Collections
from xlmodel.tables import RawRows
from xlmodel.workbook.published import DECREMENT_FILE, Published, read_published

_SPARE_SCENARIOS = 4  # blank rows of the table Scenarios, for those that the desk adds


@dataclass(frozen=True)
class Contents:
    """What a workbook shows: a deal folder, its published figures, and the shapes that follow from them.

    ``values_only``: no cell of it will be worked out again by our functions.
    """

    folder: DealFolder
    published: Published
    values_only: bool = False

    @property
    def title(self) -> str:
        return self.deal.name

    @property
    def path(self) -> Path:
        return self.folder.path

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

    @property
    def printed_end(self) -> str:
        """To what the printed table runs: one of ENDS."""
        return self.folder.printed_to

    @cached_property
    def scenarios(self) -> Scenarios:
        return read_scenarios(self.folder.scenarios)

    @property
    def grid(self) -> Grid:
        """Of a folder that asks for one."""
        assert self.folder.grid is not None
        return self.folder.grid

    @property
    def pricing(self) -> Pricing:
        """Of a folder that asks for prices."""
        assert self.folder.pricing is not None
        return self.folder.pricing

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


def read_contents(path: Path) -> Contents:
    """What the workbook of a deal folder shows.  Raises what ``read_folder`` and ``contents_of`` raise."""
    return contents_of(read_folder(path))


def contents_of(folder: DealFolder) -> Contents:
    """The same for a folder that has been read.

    Raises BadPublished for published figures that cannot be read or do not have the shape of the deal's
    tables, BadDealFolder for a deal that starts after closing or prints more payment dates than the pool has.
    """
    classes = [note_class.name for note_class in folder.deal.classes]
    contents = Contents(folder, read_published(folder.published, classes, folder.speeds))
    _require_shape(contents)
    return contents


def _require_shape(contents: Contents) -> None:
    folder = contents.folder
    if contents.deal.as_of_date is not None:
        raise BadDealFolder(
            "the sheets prove a deal from its closing date on; this one starts later",
            remedy="use xlmodel run, or take out the as of date and the opening amounts",
        ).at(file=str(folder.path / "deal.toml"), table="terms")
    if not 1 <= contents.printed <= contents.dates:
        raise BadDealFolder(
            f"{contents.printed} printed payment dates; the pool pays on {contents.dates}",
            remedy="correct printed_payment_dates",
        ).at(file=str(folder.path / "deal.toml"), table="assumptions")
    printed = contents.published.decrement
    if printed and len(printed.rows) != contents.printed + 1:
        raise BadPublished(
            f"the table has {len(printed.rows) - 1} payment dates, the deal says {contents.printed}",
            remedy="correct the table, or printed_payment_dates in deal.toml",
        ).at(file=str(folder.published / DECREMENT_FILE))
