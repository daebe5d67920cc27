"""A master trust as its tables say: amounts in cents, rates as decimals per annum."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True)
class SeriesClass:
    """A class of a series."""

    name: str
    amount: int
    rate: float


@dataclass(frozen=True)
class Series:
    """A series; ``classes`` senior first.  ``pools``: whether its group pools finance charges by need."""

    name: str
    group: str
    pools: bool
    fee: float
    accumulates_from: dt.date
    expected_payment: dt.date
    controlled_amount: int
    reserve: float
    reserve_from: dt.date
    shares_principal: bool
    shares_excess: bool
    classes: tuple[SeriesClass, ...]

    @property
    def amount(self) -> int:
        return sum(one.amount for one in self.classes)


@dataclass(frozen=True)
class Month:
    """What the accounts bring in one monthly period."""

    end: dt.date
    finance_charges: int
    principal: int
    defaults: int
    added: int


@dataclass(frozen=True)
class Trust:
    """A trust, its series and the months of its accounts."""

    name: str
    receivables: int
    minimum_transferor: float
    account_rate: float
    months_averaged: int
    restricted_from: dt.date | None
    series: tuple[Series, ...]
    months: tuple[Month, ...]
