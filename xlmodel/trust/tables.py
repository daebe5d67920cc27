"""The run of a master trust as tables: a row a month, amounts in dollars."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xlmodel.trust.month import SeriesMonth
from xlmodel.trust.run import TrustMonth, TrustRun

Value = float | str | bool | dt.date | None


@dataclass(frozen=True)
class Shown:
    """A column: its heading, what it holds (money, fraction, date, text, flag) and how it is read."""

    heading: str
    holds: str
    read: Callable[[Any], Any]


def _money(heading: str, attribute: str) -> Shown:
    def read(month: Any) -> float:
        value = getattr(month, attribute)
        return float(sum(value) if isinstance(value, list) else value) / 100

    return Shown(heading, "money", read)


def _plain(heading: str, holds: str, attribute: str) -> Shown:
    return Shown(heading, holds, lambda month: getattr(month, attribute))


_MONTH = Shown("Month", "date", lambda month: month.month.end)

TRUST_COLUMNS: tuple[Shown, ...] = (
    _MONTH,
    _money("Receivables", "receivables"),
    _money("Special funding account", "special_funding"),
    _money("Finance charges", "finance_charges"),
    _money("Principal", "principal"),
    _money("Defaults", "defaults"),
    _money("Added", "added"),
    _money("Finance charges to transferor", "finance_to_transferor"),
    _money("Principal to transferor", "principal_to_transferor"),
    _money("Defaults to transferor", "defaults_to_transferor"),
    _money("Excess finance charges shared", "excess_shared"),
    _money("Principal shared", "principal_shared"),
    _money("Used from special funding", "special_used"),
    _money("To special funding", "special_deposit"),
    _money("Principal left to transferor", "principal_left"),
    _money("Receivables after", "receivables_after"),
    _money("Special funding after", "special_after"),
    _money("Adjusted invested amounts after", "adjusted_after"),
    _money("Transferor's interest", "transferor"),
    _money("Minimum", "minimum"),
    _money("Assets short of invested amounts", "deficit"),
    _plain("Below minimum", "flag", "below_minimum"),
)

SERIES_COLUMNS: tuple[Shown, ...] = (
    _MONTH,
    Shown("Period", "text", lambda month: month.period.value),
    _money("Invested amount", "invested"),
    _money("Principal funding account", "funding"),
    _money("Adjusted invested amount", "adjusted"),
    _plain("Series percentage", "fraction", "series_percentage"),
    _plain("Floating percentage", "fraction", "floating_percentage"),
    _plain("Series percentage, principal", "fraction", "principal_series_percentage"),
    _plain("Floating or fixed percentage", "fraction", "principal_percentage"),
    _money("Finance charges", "finance_charges"),
    _money("Defaults", "defaults"),
    _money("Principal", "principal"),
    _money("Reallocated finance charges", "pooled"),
    _money("Account proceeds", "proceeds"),
    _money("Reserve draw", "reserve_draw"),
    _money("Interest due", "interest_due"),
    _money("Fee due", "fee_due"),
    _money("Earlier write-downs", "reductions"),
    _money("Reserve due", "reserve_due"),
    _money("Required", "required"),
    _money("Finance charge shortfall", "shortfall"),
    _money("Excess", "excess"),
    _money("Excess given", "excess_given"),
    _money("Excess received", "excess_received"),
    _money("Interest paid", "interest_paid"),
    _money("Fee paid", "fee_paid"),
    _money("Defaults covered", "defaults_covered"),
    _money("Reimbursed", "reimbursed"),
    _money("Reserve deposit", "reserve_deposit"),
    _money("Left to transferor", "finance_left"),
    _money("Reallocated principal", "reallocated"),
    _money("Charged off", "charged_off"),
    _money("Available principal", "available"),
    _money("Wanted", "wanted"),
    _money("Principal shortfall", "principal_shortfall"),
    _money("Shared principal given", "shared_given"),
    _money("Shared principal received", "shared_received"),
    _money("Principal left", "principal_left"),
    _money("Deposit", "deposit"),
    _money("Paid to holders", "paid"),
    _money("Principal funding after", "funding_after"),
    _money("Reserve after", "reserve_after"),
    _money("Reserve released", "reserve_released"),
    _money("Invested amount after", "invested_after"),
    _plain("Portfolio yield", "fraction", "portfolio_yield"),
    _plain("Base rate", "fraction", "base_rate"),
    _plain("Excess spread", "fraction", "excess_spread"),
    _plain("Average excess spread", "fraction", "average_spread"),
)

# By class: heading and the list it is read from.
CLASS_COLUMNS: tuple[tuple[str, str], ...] = (
    ("interest due", "interest_due"),
    ("interest paid", "interest_paid"),
    ("paid from junior principal", "covered"),
    ("overdue after", "overdue_after"),
    ("principal taken", "taken"),
    ("charged off", "charged_by_class"),
    ("reimbursed", "reimbursed_by_class"),
    ("principal paid", "paid_by_class"),
    ("invested amount after", "invested_after"),
    ("balance after", "balance_after"),
)


def trust_table(run: TrustRun) -> list[list[Value]]:
    """What the trust collected, allocated and shared, with the columns TRUST_COLUMNS."""
    return _table(TRUST_COLUMNS, run.months)


def series_table(run: TrustRun, series: int) -> list[list[Value]]:
    """What a series was allocated and did with it, with the columns SERIES_COLUMNS."""
    return _table(SERIES_COLUMNS, run.series[series])


def class_headings(run: TrustRun, series: int) -> list[str]:
    """The month, then for each class the headings of CLASS_COLUMNS."""
    names = [one.name for one in run.trust.series[series].classes]
    return ["Month", *(f"{name}: {heading}" for name in names for heading, _ in CLASS_COLUMNS)]


def class_table(run: TrustRun, series: int) -> list[list[Value]]:
    """What the classes of a series were owed and paid, with the columns of ``class_headings``."""
    count = len(run.trust.series[series].classes)
    return [
        [
            month.month.end,
            *(getattr(month, name)[position] / 100 for position in range(count) for _, name in CLASS_COLUMNS),
        ]
        for month in run.series[series]
    ]


def _table(
    columns: Sequence[Shown], months: Sequence[TrustMonth] | Sequence[SeriesMonth]
) -> list[list[Value]]:
    return [[column.read(month) for column in columns] for month in months]
