"""The deal in cells: XM_DISTRIBUTIONS, XM_DECREMENT, XM_AVERAGE_LIFE.

They read the deal from the ranges of a workbook, so what the desk edits is what is computed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.analytics.life import average_life
from xlmodel.conventions.money import round_half_up
from xlmodel.deal.definition import Deal
from xlmodel.errors import NotAvailable, OutOfRange
from xlmodel.functions.cells import CellError, Rows
from xlmodel.functions.deal_runs import Ranges, run_as_printed, run_one
from xlmodel.functions.kinds import Boolean, Integer, Range, Text, Texts
from xlmodel.functions.registry import function

CLASS_COLUMNS = ("Interest", "Principal", "Balance", "Factor")
ACCOUNT_COLUMNS = ("Opening", "Deposit", "Draw", "Closing")
CASH_COLUMNS = (
    "Pool balance",
    "Available funds",
    "Fees paid",
    "Released",
    "Remainder",
    "Policy claims",
    "Paid to insurers",
)


@function("XM_DISTRIBUTIONS", "Deal")
def distributions(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    speed: Range,
    scenario: Text | None = None,
    header: Boolean = False,
) -> Rows:
    """What a deal pays on each payment date at a prepayment speed or in a scenario.

    One row a payment date until the pool's last scheduled payment, and the longest recovery lag of the
    scenarios.  Columns: for each class interest, principal, balance and factor (7 decimals); for each account
    opening, deposit, draw and closing; then pool balance, available funds, fees paid, released from accounts,
    remainder, claims (and a prepayment) that policies paid, paid to insurers.  Dollars, to the cent.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    speed: Speed as a decimal, in the model that the terms name; or the range Scenarios, with its headings.
    scenario: Name of the scenario; the first when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    found, n = run_one(Ranges(terms, classes, payments, pools), speed, scenario)
    paid = found.paid
    columns: list[NDArray[Any]] = []
    for position in range(len(paid.classes)):
        columns += [
            paid.interest[n, :, position] / 100,
            paid.principal[n, :, position] / 100,
            paid.balance[n, :, position] / 100,
            round_half_up(paid.factor[n, :, position], 7),
        ]
    accounts = paid.accounts
    for position in range(len(accounts.names)):
        moves = (accounts.opening, accounts.deposit, accounts.draw, accounts.closing)
        columns += [move[n, :, position] / 100 for move in moves]
    columns += [
        paid.pool[n] / 100,
        paid.available[n] / 100,
        paid.ledger.total("fee")[n] / 100,
        accounts.release[n].sum(axis=1) / 100,
        paid.ledger.total("party")[n] / 100,
        (paid.policies.claim + paid.policies.prepayment)[n].sum(axis=1) / 100,
        (paid.ledger.total("premium") + paid.ledger.total("reimbursement"))[n] / 100,
    ]
    rows: Rows = np.column_stack(columns).tolist()
    return [list(distributions_header(found.deal)), *rows] if header else rows


def distributions_header(deal: Deal) -> list[str]:
    """The headings of XM_DISTRIBUTIONS for a deal."""
    blocks = [(note_class.name, CLASS_COLUMNS) for note_class in deal.classes]
    blocks += [(account.name.capitalize(), ACCOUNT_COLUMNS) for account in deal.accounts]
    return [f"{name} {column.lower()}" for name, columns in blocks for column in columns] + list(CASH_COLUMNS)


@function("XM_DECREMENT", "Deal")
def decrement(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    speeds: Range,
    names: Texts | None = None,
    periods: Integer | None = None,
    to_maturity: Boolean = False,
    header: Boolean = False,
) -> Rows:
    """Part of its initial balance that each class still has, by payment date and speed.

    The first row is the closing date, then one row a payment date.  Columns: the classes in order, within
    each the speeds in order.  Fractions from 1 to 0, not rounded.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    speeds: Speeds as decimals from 0 to below 1, in the model that the terms name.
    names: Classes to show; all when omitted.
    periods: Payment dates to show; until the pool's last scheduled payment when omitted.
    to_maturity: TRUE leaves the call out; FALSE when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    found = run_as_printed(Ranges(terms, classes, payments, pools), speeds, "speeds", to_maturity=to_maturity)
    deal, paid = found.deal, found.paid
    chosen = positions(deal, names)
    shown = paid.factor.shape[1] if periods is None else periods
    if not 1 <= shown <= paid.factor.shape[1]:
        raise OutOfRange(
            f"{shown} payment dates are asked for, the pool pays on {paid.factor.shape[1]}",
            remedy="ask for as many or fewer",
        ).at(argument="periods")
    scenarios = paid.factor.shape[0]
    factor = np.concatenate([np.ones((scenarios, 1, len(deal.classes))), paid.factor[:, :shown]], axis=1)
    by_class = factor[:, :, chosen].transpose(1, 2, 0)  # (row, class, speed)
    rows: Rows = by_class.reshape(shown + 1, -1).tolist()
    if not header:
        return rows
    listed = [speed for row in speeds for speed in row]
    return [[f"{deal.classes[n].name} {speed:.2%}" for n in chosen for speed in listed], *rows]


@function("XM_AVERAGE_LIFE", "Deal")
def average_life_table(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    speeds: Range,
    names: Texts | None = None,
    to_maturity: Boolean = False,
) -> Rows:
    """Average life of each class in years, by speed.

    One row a class, one column a speed; not rounded.  #N/A for a class that is not paid in full.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    speeds: Speeds as decimals from 0 to below 1, in the model that the terms name.
    names: Classes to show; all when omitted.
    to_maturity: TRUE leaves the call out; FALSE when omitted.
    """
    found = run_as_printed(Ranges(terms, classes, payments, pools), speeds, "speeds", to_maturity=to_maturity)
    deal, paid = found.deal, found.paid
    lives = average_life(deal, paid)[:, positions(deal, names)].T
    unpaid = CellError("#N/A", NotAvailable("the class is not paid in full within the life of the pool"))
    return [[unpaid if np.isnan(life) else life for life in row] for row in lives.tolist()]


def positions(deal: Deal, names: list[str] | None) -> list[int]:
    """The classes named, by position; all without names.  Raises NotAvailable, listing them."""
    if names is None:
        return list(range(len(deal.classes)))
    by_name = {note_class.name.lower(): position for position, note_class in enumerate(deal.classes)}
    for name in names:
        if name.lower() not in by_name:
            known = ", ".join(note_class.name for note_class in deal.classes)
            raise NotAvailable(f"the deal has no class {name!r}; it has: {known}").at(argument="names")
    return [by_name[name.lower()] for name in names]
