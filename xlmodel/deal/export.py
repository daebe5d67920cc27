"""A run as plain tables, one scenario: what ``xlmodel run`` writes as CSV files.

Everything is read from the run itself.  Amounts are dollars with two decimals, factors have seven.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import round_half_up
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.receipts import monthly_cents
from xlmodel.pool.projection import Collections

Table = list[list[Any]]
Cents = NDArray[np.int64]

FACTOR_DIGITS = 7


def collections_table(deal: Deal, collections: Collections, scenario: int = 0) -> Table:
    """A row a collection month; ``month`` is its calendar month.

    Reported months may have other funds, such as investment income: then there is a last column for them.
    """
    heading = ["period", "month", "beginning_balance", "interest", "scheduled_principal", "prepaid_principal"]
    heading += ["defaulted", "liquidation_proceeds", "purchase_amount", "ending_balance"]
    m = monthly_cents(collections)
    columns: tuple[Cents, ...] = (
        m.beginning,
        m.interest,
        m.scheduled,
        m.prepaid,
        m.defaulted,
        m.proceeds,
        m.purchase,
        m.ending,
    )
    if m.other.any():
        heading.append("other")
        columns += (m.other,)
    first = np.datetime64(deal.first_month, "M")
    rows = np.stack([column[scenario] for column in columns], axis=1).tolist()
    return [
        heading,
        *([number, str(first + number - 1), *map(dollars, row)] for number, row in enumerate(rows, start=1)),
    ]


def distributions_table(paid: Distributions, scenario: int = 0) -> Table:
    """A row a payment date and class; interest due with what is overdue and the interest on it."""
    heading = [
        "payment_date",
        "class",
        "interest_due",
        "interest_paid",
        "principal_paid",
        "balance",
        "factor",
    ]
    due = paid.interest_due.accrued + paid.interest_due.overdue + paid.interest_due.on_overdue
    factor = round_half_up(paid.factor[scenario], FACTOR_DIGITS)
    rows: Table = [heading]
    for period, date in enumerate(_dates(paid)):
        for position, name in enumerate(paid.classes):
            at = (scenario, period, position)
            amounts = (due[at], paid.interest[at], paid.principal[at], paid.balance[at])
            rows.append([date, name, *map(dollars, amounts), f"{factor[period, position]:.{FACTOR_DIGITS}f}"])
    return rows


def ledger_table(paid: Distributions, scenario: int = 0, period: int | None = None) -> Table:
    """A row a payment date, account, clause and payee, in the order of payment; one date with ``period``.

    All sources of an account enter before its first row; each ``cash_left`` is the one before less ``paid``.
    """
    rows: Table = [["payment_date", "account", "clause", "payee", "due", "paid", "short", "cash_left"]]
    ledger = paid.ledger
    dates = _dates(paid)
    for number in range(len(dates)) if period is None else [period]:
        for n in lines_in_force(paid, scenario, number):
            line = ledger.lines[n]
            due, got = int(ledger.due[scenario, number, n]), int(ledger.paid[scenario, number, n])
            left = int(ledger.cash_left[scenario, number, n])
            amounts = map(dollars, (due, got, due - got, left))
            rows.append([dates[number], line.account, line.clause, line.payee, *amounts])
    return rows


def accounts_table(paid: Distributions, scenario: int = 0) -> Table:
    """A row a payment date and account: closing = opening + deposit - draw - release."""
    accounts = paid.accounts
    rows: Table = [["payment_date", "account", "opening", "deposit", "draw", "release", "closing"]]
    columns = (accounts.opening, accounts.deposit, accounts.draw, accounts.release, accounts.closing)
    for period, date in enumerate(_dates(paid)):
        for position, name in enumerate(accounts.names):
            rows.append([date, name, *(dollars(column[scenario, period, position]) for column in columns)])
    return rows


def policies_table(paid: Distributions, scenario: int = 0) -> Table:
    """A row a payment date and policy: what it paid for clauses and besides, and what is owed to it then."""
    policies = paid.policies
    rows: Table = [["payment_date", "policy", "claim", "preference", "prepayment", "unreimbursed"]]
    columns = (policies.claim, policies.preference, policies.prepayment, policies.unreimbursed)
    for period, date in enumerate(_dates(paid)):
        for position, name in enumerate(policies.names):
            rows.append([date, name, *(dollars(column[scenario, period, position]) for column in columns)])
    return rows


def events_table(deal: Deal, paid: Distributions, scenario: int = 0) -> Table:
    """A row an event of default, acceleration, rescission, sale or refused sale that happened."""
    history, dates = paid.history, _dates(paid)
    happened = [
        (int(history.occurred[scenario, n]), f"event of default: {event.name}")
        for n, event in enumerate(deal.events)
    ]
    happened += [
        (int(history.accelerated[scenario]), "notes declared due and payable"),
        (int(history.rescinded[scenario]), "declaration rescinded"),
        (int(history.sold[scenario]), "trust property sold"),
        (int(history.refused[scenario]), "sale refused: its conditions are not met"),
    ]
    if paid.called[scenario].any():
        happened.append(
            (int(paid.called[scenario].argmax()) + 1, f"{deal.call.name} exercised" if deal.call else "")
        )
    rows: Table = [["payment_date", "event"]]
    return rows + [[dates[number - 1], what] for number, what in sorted(happened) if number]


def dollars(cents: int) -> str:
    """Cents as dollars with two decimals, exactly."""
    sign, whole = ("-", -int(cents)) if cents < 0 else ("", int(cents))
    return f"{sign}{whole // 100}.{whole % 100:02d}"


def _dates(paid: Distributions) -> list[str]:
    return [str(date) for date in paid.dates.adjusted]


def lines_in_force(paid: Distributions, scenario: int, period: int) -> Iterator[int]:
    """The lines of the priority that governs a date; those of other priorities and accounts only if paid."""
    ledger = paid.ledger
    sold = paid.history.sold[scenario] == period + 1
    for n, line in enumerate(ledger.lines):
        governs = line.ordinary != sold and not line.direct
        if governs or ledger.paid[scenario, period, n]:
            yield n
