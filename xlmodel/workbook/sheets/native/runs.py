"""The runs of a native workbook: the base speed, and each printed speed to each end of the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import CALL, MATURITY
from xlmodel.deal.scenario import at_speeds
from xlmodel.deal.waterfall import run
from xlmodel.pool.projection import Collections
from xlmodel.workbook.sheets import distributions
from xlmodel.workbook.sheets.contents import Contents


@dataclass(frozen=True)
class Run:
    """One run and its sheet.  ``speed``: place among the printed speeds, None for the base speed.

    ``dates``: what the names of its blocks of payment dates begin with.
    """

    key: str
    sheet: str
    speed: int | None
    end: str
    dates: str

    def at(self, name: str) -> str:
        """The name of one of its blocks."""
        return f"{self.key} {name}"


BASE = Run("base run", distributions.TITLE, None, CALL, "")
TABLE_DATES = "table "


def rolls_apart(contents: Contents) -> bool:
    """Whether the printed tables assume other payment dates than the deal has."""
    return contents.deal.table_roll not in (None, contents.deal.roll)


def table_run(contents: Contents, speed: int, end: str) -> Run:
    """The run behind a column of the decrement table, or a cell of the average lives."""
    to = "" if end == CALL else " to maturity"
    dates = TABLE_DATES if rolls_apart(contents) else ""
    return Run(f"speed {speed}{to}", f"Speed {speed + 1}{to}", speed, end, dates)


def runs_of(contents: Contents) -> list[Run]:
    """Every run, the base speed first."""
    ends = dict.fromkeys((CALL, contents.printed_end, *contents.life_ends))
    return [BASE, *(table_run(contents, n, end) for end in ends for n in range(contents.speeds))]


@dataclass(frozen=True)
class Given:
    """What the engine behind our functions gave for a run."""

    deal: Deal
    collections: Collections
    paid: Distributions


Ours = Mapping[str, Given]
"""By the key of the run."""


def by_functions(contents: Contents) -> Ours:
    """Every run, worked by the engine."""
    return {one.key: _given(contents, one) for one in runs_of(contents)}


def _given(contents: Contents, one: Run) -> Given:
    speed = contents.folder.base_speed if one.speed is None else contents.folder.speeds[one.speed]
    deal = contents.deal if one is BASE else contents.deal.as_printed
    if one.end == MATURITY:
        deal = deal.to_maturity
    scenario = at_speeds([speed])
    collections = collect(deal, contents.folder.pool, scenario)
    return Given(deal, collections, run(deal, collections, scenario))
