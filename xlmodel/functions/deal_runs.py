"""Runs of a deal that stands in ranges: read, checked, projected and paid once for all cells that ask.

The same deal stands behind several array formulas of a sheet.  What is kept is keyed by all that a result
depends on, so this is no state: it only saves time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from xlmodel.conventions.schedule import PaymentDates
from xlmodel.deal.check import require_sound
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.reading import read_deal
from xlmodel.deal.scenario import Scenarios, at_speeds, read_scenarios
from xlmodel.deal.waterfall import run
from xlmodel.errors import NotAvailable, WrongArguments, XlmodelError
from xlmodel.functions.cells import Rows, numbers
from xlmodel.pool import prepayment
from xlmodel.pool.collateral import Collateral, collateral_from_rows
from xlmodel.pool.projection import Collections

Frozen = tuple[tuple[Any, ...], ...]

_TABLES = ("terms", "classes", "payments", "pools", "scenarios")


@dataclass(frozen=True)
class DealRun:
    """A deal, what its pool collects and what it pays, scenario by scenario."""

    deal: Deal
    scenarios: Scenarios
    collections: Collections
    paid: Distributions


@dataclass(frozen=True)
class Ranges:
    """The four ranges that are a deal and its pool."""

    terms: Rows
    classes: Rows
    payments: Rows
    pools: Rows

    @property
    def frozen(self) -> tuple[Frozen, ...]:
        return tuple(_frozen(rows) for rows in (self.terms, self.classes, self.payments, self.pools))


def deal_and_pool(ranges: Ranges) -> tuple[Deal, Collateral]:
    """What the ranges say.  Errors name argument, row and column."""
    try:
        return _cached_deal(*ranges.frozen)
    except XlmodelError as error:
        raise _placed(error) from None


def run_at_speeds(ranges: Ranges, speeds: Rows, argument: str) -> DealRun:
    """One scenario a speed, without losses.  Errors name argument, row and column."""
    return _at_speeds(ranges, speeds, argument, printed=False, to_maturity=False)


def run_as_printed(ranges: Ranges, speeds: Rows, argument: str, *, to_maturity: bool) -> DealRun:
    """The same under the assumptions of the printed tables, to the call or to maturity."""
    return _at_speeds(ranges, speeds, argument, printed=True, to_maturity=to_maturity)


def _at_speeds(ranges: Ranges, speeds: Rows, argument: str, *, printed: bool, to_maturity: bool) -> DealRun:
    try:
        listed = numbers(speeds) or []
    except XlmodelError as error:
        raise error.at(argument=argument) from None
    try:
        deal, _ = _cached_deal(*ranges.frozen)
        for position, speed in enumerate(listed):
            row, column = divmod(position, len(speeds[0]))
            try:
                prepayment.check_speeds(np.array([speed]), deal.prepayment_model)
            except XlmodelError as error:
                raise error.at(argument=argument, row=row + 1, column=column + 1) from None
        # Tables that assume nothing of their own are the deal as it is, which may have been run already.
        printed = printed and deal.as_printed is not deal
        return _cached_speeds(*ranges.frozen, tuple(listed), printed, to_maturity)
    except XlmodelError as error:
        raise _placed(error) from None


def run_scenarios(ranges: Ranges, scenarios: Rows) -> DealRun:
    """One scenario a row of the table Scenarios.  Errors name argument, row and column."""
    try:
        return _cached_scenarios(*ranges.frozen, _frozen(scenarios))
    except XlmodelError as error:
        raise _placed(error) from None


def stated(ranges: Ranges, scenarios: Rows) -> tuple[Deal, Collateral, Scenarios]:
    """The deal, its pool and the table Scenarios, not yet run.  Errors name argument, row and column."""
    try:
        return (*_cached_deal(*ranges.frozen), read_scenarios(scenarios))
    except XlmodelError as error:
        raise _placed(error) from None


def run_one(ranges: Ranges, speed: Rows, scenario: str | None) -> tuple[DealRun, int]:
    """The run at a speed, or of one scenario of a table: the run and the scenario's place in it."""
    if len(speed) == 1 and len(speed[0]) == 1:
        if scenario is not None:
            raise WrongArguments("a scenario is named, but a speed is given instead of the table").at(
                argument="scenario"
            )
        return run_at_speeds(ranges, speed, "speed"), 0
    try:
        found = run_scenarios(ranges, speed)
    except XlmodelError as error:
        if error.place.argument == "scenarios":  # here the table stands in the argument speed
            raise type(error)(error.message, remedy=error.advice).at(
                argument="speed", table=error.place.table, row=error.place.row, column=error.place.column
            ) from None
        raise
    return found, place_of(found.scenarios, scenario)


def runs_of(ranges: Ranges, speed: Rows, scenario: str | None) -> tuple[DealRun, list[int]]:
    """The run at each of several speeds, in their order; else that of ``run_one``."""
    cells = [cell for row in speed for cell in row]
    if len(cells) > 1 and scenario is None and all(isinstance(cell, float | None) for cell in cells):
        found = run_at_speeds(ranges, speed, "speed")
        return found, list(range(len(found.scenarios)))
    one, position = run_one(ranges, speed, scenario)
    return one, [position]


def place_of(scenarios: Scenarios, name: str | None) -> int:
    """The place of a scenario; the first when no name is given.  Raises NotAvailable, listing the names."""
    if name is None:
        return 0
    for position, known in enumerate(scenarios.names):
        if known.lower() == name.lower():
            return position
    raise NotAvailable(f"there is no scenario {name!r}; known: {', '.join(scenarios.names)}").at(
        argument="scenario"
    )


def period_of(dates: PaymentDates, payment_date: Any) -> int:
    """The number of a payment date, from 0.  Raises NotAvailable, naming what is near."""
    day = np.datetime64(payment_date, "D")
    hits = np.flatnonzero((dates.adjusted == day) | (dates.unadjusted == day))
    if not hits.size:
        nearest = dates.adjusted[np.abs(dates.adjusted - day).argmin()]
        raise NotAvailable(f"{day} is no payment date; the nearest is {nearest}").at(argument="payment_date")
    return int(hits[0])


@lru_cache(maxsize=16)
def _cached_speeds(
    terms: Frozen,
    classes: Frozen,
    payments: Frozen,
    pools: Frozen,
    speeds: tuple[float, ...],
    printed: bool,
    to_maturity: bool,
) -> DealRun:
    deal, pool = _cached_deal(terms, classes, payments, pools)
    deal = deal.as_printed if printed else deal
    deal = deal.to_maturity if to_maturity else deal
    return _run(deal, pool, at_speeds(speeds))


@lru_cache(maxsize=4)
def _cached_scenarios(
    terms: Frozen, classes: Frozen, payments: Frozen, pools: Frozen, scenarios: Frozen
) -> DealRun:
    deal, pool = _cached_deal(terms, classes, payments, pools)
    return _run(deal, pool, read_scenarios(scenarios))


@lru_cache(maxsize=16)
def _cached_deal(terms: Frozen, classes: Frozen, payments: Frozen, pools: Frozen) -> tuple[Deal, Collateral]:
    deal = read_deal(terms, classes, payments)
    require_sound(deal)
    return deal, collateral_from_rows(pools)


def _run(deal: Deal, pool: Collateral, scenarios: Scenarios) -> DealRun:
    collections = collect(deal, pool, scenarios)
    return DealRun(deal, scenarios, collections, run(deal, collections, scenarios))


def _placed(error: XlmodelError) -> XlmodelError:
    """The argument that a table stands in."""
    table = (error.place.table or "").lower()
    return error.at(argument=table if table in _TABLES else None)


def _frozen(rows: Rows) -> Frozen:
    return tuple(map(tuple, rows))
