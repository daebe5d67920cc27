"""The collateral as a cash-flow schedule: what a servicer reports as collected, month by month.

Such a table needs no assumption: every scenario collects the same, to the cent, and a prepayment speed or a
default rate with it is refused.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import to_cents
from xlmodel.errors import BadTable, MissingValue, OutOfRange
from xlmodel.pool.projection import Collections
from xlmodel.tables import Column, Kind, RawRows, Record, Schema, heading_text, read

Cents = NDArray[np.int64]

CASH_FLOWS = Schema(
    "Pools",
    (
        Column("month", Kind.DATE, "last day of the collection month", required=True, width=14),
        Column("beginning balance", Kind.AMOUNT, "pool before it; needed in the first row", width=18),
        Column("interest", Kind.AMOUNT, "collected on contracts", required=True, width=16),
        Column("principal", Kind.AMOUNT, "collected, prepayments included", required=True, width=18),
        Column("defaulted", Kind.AMOUNT, "balance of contracts that defaulted", width=16),
        Column(
            "proceeds",
            Kind.AMOUNT,
            "of liquidations and recoveries, of whatever month's defaults",
            width=16,
            aliases=("liquidation proceeds", "recoveries"),
        ),
        Column("purchase amount", Kind.AMOUNT, "paid for contracts purchased", width=16),
        Column("other", Kind.AMOUNT, "other funds of the month: investment income, late fees", width=16),
        Column("ending balance", Kind.AMOUNT, "pool at the end of the month", required=True, width=18),
    ),
    help="One row a month, as the servicer reports it.",
)

# Shown as amounts, read as cents: the columns of a month that are not its balances.
_FLOWS = ("interest", "principal", "defaulted", "proceeds", "purchase amount", "other")


@dataclass(frozen=True)
class CashFlows:
    """Reported months in order: ``ends`` the last day of each, ``beginning`` of the first, the rest (month,).

    All amounts are cents.  Ending balance = beginning - principal - defaulted - purchase amount.
    """

    ends: tuple[dt.date, ...]
    beginning: int
    interest: Cents
    principal: Cents
    defaulted: Cents
    proceeds: Cents
    purchase_amount: Cents
    other: Cents
    ending: Cents

    @property
    def months(self) -> int:
        return len(self.ends)

    @property
    def cutoff_cents(self) -> int:
        """The pool before the first month."""
        return self.beginning

    def since(self, month: dt.date) -> CashFlows:
        """The months from that of a day on.

        Raises OutOfRange where the table does not hold it: a deal needs its collections from the first on.
        """
        wanted = _month_end(month)
        if wanted not in self.ends:
            raise OutOfRange(
                f"the table begins with {self.ends[0]} and ends with {self.ends[-1]}; "
                f"the first collection month of the deal ends on {wanted}",
                remedy="add the month to the table, or correct the cutoff or as of date",
            ).at(table=CASH_FLOWS.name, row=2)
        first = self.ends.index(wanted)
        flows = (self.interest, self.principal, self.defaulted, self.proceeds, self.purchase_amount)
        return CashFlows(
            self.ends[first:],
            self.beginning if first == 0 else int(self.ending[first - 1]),
            *(flow[first:] for flow in (*flows, self.other, self.ending)),
        )

    def collections(self, scenarios: int) -> Collections:
        """The same collections for each scenario, (scenario, month), in dollars."""

        def repeated(cents: Cents) -> NDArray[np.float64]:
            return np.tile(cents / 100, (scenarios, 1))

        nothing = np.zeros((scenarios, self.months))
        return Collections(
            speeds=np.zeros(scenarios),
            model="",
            beginning_balance=repeated(np.array([self.beginning, *self.ending[:-1]], dtype=np.int64)),
            interest=repeated(self.interest),
            scheduled_principal=repeated(self.principal),
            prepaid_principal=nothing,
            ending_balance=repeated(self.ending),
            defaulted=repeated(self.defaulted),
            liquidation_proceeds=repeated(self.proceeds),
            purchase_amount=repeated(self.purchase_amount),
            other=repeated(self.other),
            waiting=nothing,
        )


def are_cash_flows(rows: RawRows) -> bool:
    """Whether a table's headings are those of a cash-flow schedule: it has months, contracts have none."""
    first: Sequence[object] = rows[0] if rows else ()
    return any(isinstance(cell, str) and heading_text(cell) == CASH_FLOWS.key for cell in first)


def cash_flows_from_rows(rows: RawRows) -> CashFlows:
    """The cash flows of a range or a CSV file, with its heading row.

    Raises an error with table, row and column for a month that is missing or comes twice, a balance that
    does not roll forward, an amount below zero.
    """
    records = read(CASH_FLOWS, rows)
    if not records:
        raise BadTable("the table Pools has no row").at(table=CASH_FLOWS.name)
    if records[0]["beginning balance"] is None:
        raise MissingValue(
            "the pool before the first month is missing", remedy="fill in its beginning balance"
        ).at(**records[0].place("beginning balance"))
    beginning = int(to_cents(records[0]["beginning balance"]))
    balance = beginning
    for before, record in zip([None, *records[:-1]], records, strict=True):
        _check_month(record, before)
        balance = _rolled(record, balance)

    def column(heading: str) -> Cents:
        return np.array([_cents(record, heading) for record in records], dtype=np.int64)

    interest, principal, defaulted, proceeds, purchase_amount, other = map(column, _FLOWS)
    return CashFlows(
        ends=tuple(record["month"] for record in records),
        beginning=beginning,
        interest=interest,
        principal=principal,
        defaulted=defaulted,
        proceeds=proceeds,
        purchase_amount=purchase_amount,
        other=other,
        ending=column("ending balance"),
    )


def _check_month(record: Record, before: Record | None) -> None:
    """Months are ends of months and follow one another."""
    month: dt.date = record["month"]
    if month != _month_end(month):
        raise OutOfRange(
            f"{month} is no end of a month", remedy=f"write the last day, such as {_month_end(month)}"
        ).at(**record.place("month"))
    if before is None:
        return
    last: dt.date = before["month"]
    due = _month_end(last + dt.timedelta(days=1))
    if month == last:
        raise BadTable(f"the month {month} comes twice", remedy="delete one of the rows").at(
            **record.place("month")
        )
    if month != due:
        raise BadTable(f"after {last} comes {month}", remedy=f"add the month that ends on {due}").at(
            **record.place("month")
        )


def _rolled(record: Record, balance: int) -> int:
    """The balance at the end of a month whose beginning is known."""
    stated = record["beginning balance"]
    if stated is not None and _cents(record, "beginning balance") != balance:
        raise BadTable(
            f"the month begins with {stated:,.2f}, the one before ended with {balance / 100:,.2f}",
            remedy="correct one of them, or leave the beginning balance blank",
        ).at(**record.place("beginning balance"))
    gone = sum(_cents(record, heading) for heading in ("principal", "defaulted", "purchase amount"))
    ending = _cents(record, "ending balance")
    if balance - gone != ending:
        raise BadTable(
            f"the balance does not roll: {balance / 100:,.2f} less principal, defaulted and purchased is "
            f"{(balance - gone) / 100:,.2f}, not {ending / 100:,.2f}",
            remedy="correct the row",
        ).at(**record.place("ending balance"))
    return ending


def _cents(record: Record, heading: str) -> int:
    return int(to_cents(record[heading] or 0.0))


def _month_end(day: dt.date) -> dt.date:
    following = (day.replace(day=1) + dt.timedelta(days=32)).replace(day=1)
    return following - dt.timedelta(days=1)
