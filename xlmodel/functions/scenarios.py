"""Scenarios in cells: XM_LEDGER, XM_STATEMENT, XM_EVENTS, XM_SCENARIO_SUMMARY, XM_SCENARIO_PATHS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.analytics.life import average_life
from xlmodel.conventions.money import to_cents
from xlmodel.deal.definition import Deal
from xlmodel.deal.receipts import by_date, monthly_cents
from xlmodel.deal.statement import DENOMINATION, statement
from xlmodel.errors import NotAvailable, OutOfRange
from xlmodel.functions.cells import CellError, Rows
from xlmodel.functions.deal_runs import DealRun, Ranges, period_of, run_one, run_scenarios
from xlmodel.functions.kinds import Boolean, Date, Integer, Number, Range, Text
from xlmodel.functions.registry import function

LEDGER_HEADER = ("Account", "Clause", "Payee", "Due", "Paid", "Short", "Cash left")
STATEMENT_HEADER = ("Item", "Text", "Class", "Amount", "Per 1,000", "Holder")


@function("XM_LEDGER", "Deal")
def ledger(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    speed: Range,
    payment_date: Date,
    scenario: Text | None = None,
    header: Boolean = False,
) -> Rows:
    """Every payment of one payment date: clause, payee, due, paid, short and the cash left after it.

    One row a payee of the clauses, those of every priority, in the order of the table Payments; columns:
    account, clause, payee, due, paid, short, cash left.  Dollars, to the cent.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    speed: Speed as a decimal, in the model that the terms name; or the range Scenarios, with its headings.
    payment_date: A payment date, as it falls or before it is moved to a business day.
    scenario: Name of the scenario; the first when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    found, n = run_one(Ranges(terms, classes, payments, pools), speed, scenario)
    book, period = found.paid.ledger, period_of(found.paid.dates, payment_date)
    rows: Rows = []
    for position, line in enumerate(book.lines):
        due, paid = book.due[n, period, position], book.paid[n, period, position]
        amounts = (due, paid, due - paid, book.cash_left[n, period, position])
        rows.append([line.account, line.clause, line.payee, *(int(amount) / 100 for amount in amounts)])
    return [list(LEDGER_HEADER), *rows] if header else rows


@function("XM_STATEMENT", "Deal")
def statement_rows(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    speed: Range,
    payment_date: Date,
    group: Text,
    denomination: Number = 1000.0,
    scenario: Text | None = None,
    header: Boolean = False,
) -> Rows:
    """The statement to the holders of a group of classes for one payment date.

    Ten items as the prospectus lists them; columns: item, text, class, amount, per 1,000 of original
    denomination, the holder's own.  #N/A for what the model does not have, such as numbers of contracts.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    speed: Speed as a decimal, in the model that the terms name; or the range Scenarios, with its headings.
    payment_date: A payment date, as it falls or before it is moved to a business day.
    group: Group of the classes, such as Notes.
    denomination: Original denomination of the holder, in dollars; 1,000 when omitted.
    scenario: Name of the scenario; the first when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    found, n = run_one(Ranges(terms, classes, payments, pools), speed, scenario)
    if group.lower() not in found.deal.groups:
        raise NotAvailable(f"the deal has no group or class {group!r}").at(argument="group")
    if denomination <= 0:
        raise OutOfRange("a denomination is above zero").at(argument="denomination")
    items = statement(
        found.deal,
        found.collections,
        found.paid,
        found.scenarios.delinquent,
        group,
        period_of(found.paid.dates, payment_date),
        int(to_cents(denomination)) if denomination else DENOMINATION,
        n,
    )
    unknown = CellError("#N/A", NotAvailable("the model does not have it"))
    rows: Rows = [
        [
            float(item.number),
            item.text,
            item.of,
            unknown if item.amount is None else item.amount,
            "" if item.per_thousand is None else item.per_thousand,
            "" if item.holder is None else item.holder,
        ]
        for item in items
    ]
    return [list(STATEMENT_HEADER), *rows] if header else rows


SUMMARY_HEADER = (
    "Scenario",
    "Speed",
    "Net loss",
    "Reserve drawn",
    "Policy claims",
    "Owed to insurers",
    "Interest unpaid",
    "Principal unpaid",
    "First event",
    "Accelerated",
    "Sold",
    "Called",
)


@function("XM_SCENARIO_SUMMARY", "Deal")
def scenario_summary(
    terms: Range, classes: Range, payments: Range, pools: Range, scenarios: Range, header: Boolean = False
) -> Rows:
    """What becomes of a deal in each scenario.

    One row a row of the table, blank for a blank one; columns: name, speed, net loss (part of the cutoff
    pool), drawn from accounts, paid by policies, owed to insurers at the end, interest and principal unpaid
    at the end, then the payment date numbers of the first event of default, acceleration, sale and call (0
    where there is none), then the average life of each class in years (#N/A where it is not paid in full).

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    scenarios: The range Scenarios, with its headings.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    found = run_scenarios(Ranges(terms, classes, payments, pools), scenarios)
    paid, c, history = found.paid, found.collections, found.paid.history
    net_loss = c.net_loss / c.cutoff_balance
    due = paid.interest_due
    last = due.accrued[:, -1] + due.overdue[:, -1] + due.on_overdue[:, -1] - paid.interest[:, -1]
    never = paid.available.shape[1] + 1
    first = np.where(history.occurred > 0, history.occurred, never).min(axis=1, initial=never)
    called = np.where(paid.called.any(axis=1), paid.called.argmax(axis=1) + 1, 0)
    unpaid = CellError("#N/A", NotAvailable("the class is not paid in full"))
    lives = average_life(found.deal, paid)
    rows: Rows = []
    for n, name in enumerate(found.scenarios.names):
        amounts = (
            paid.accounts.draw[n].sum(),
            paid.policies.paid[n].sum(),
            paid.policies.unreimbursed[n, -1].sum(),
            last[n].sum(),
            paid.balance[n, -1].sum(),
        )
        dates = (first[n] % never, history.accelerated[n], history.sold[n], called[n])
        rows.append(
            [
                name,
                float(found.scenarios.speed[n]),
                float(net_loss[n]),
                *(int(amount) / 100 for amount in amounts),
                *map(float, dates),
                *(unpaid if np.isnan(life) else float(life) for life in lives[n]),
            ]
        )
    headings = summary_header(found.deal)
    rows = _in_their_rows(found, scenarios, rows, len(headings))
    return [[*headings], *rows] if header else rows


def summary_header(deal: Deal) -> list[str]:
    """The headings of XM_SCENARIO_SUMMARY for a deal."""
    return [*SUMMARY_HEADER, *(f"{note_class.name} average life" for note_class in deal.classes)]


@function("XM_SCENARIO_PATHS", "Deal")
def scenario_paths(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    scenarios: Range,
    item: Text,
    periods: Integer | None = None,
    header: Boolean = False,
) -> Rows:
    """One amount over time in every scenario, for charts and comparisons.

    One row a payment date, one column a row of the table, blank for a blank one.  Items: the name of an
    account (its balance), that name and "requirement", the name of a class or group (its balance), pool, net
    loss (cumulative, part of the cutoff pool), claims (all that policies paid, cumulative).

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    scenarios: The range Scenarios, with its headings.
    item: What to show, such as "reserve", "reserve requirement", "Notes" or "net loss".
    periods: Payment dates to show, #N/A after the last one; all when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    found = run_scenarios(Ranges(terms, classes, payments, pools), scenarios)
    path = _path(found, item)()
    last = path.shape[1]
    shown = last if periods is None else periods
    if shown < 1:
        raise OutOfRange("at least one payment date is shown").at(argument="periods")
    over = CellError("#N/A", NotAvailable(f"the scenarios end on payment date {last}"))
    columns = [[*values[:shown], *[over] * (shown - last)] for values in path.tolist()]
    columns = _in_their_rows(found, scenarios, columns, shown)
    rows: Rows = [list(row) for row in zip(*columns, strict=True)]
    names = _in_their_rows(found, scenarios, [[name] for name in found.scenarios.names], 1)
    return [[name for (name,) in names], *rows] if header else rows


@function("XM_EVENTS", "Deal")
def events(
    terms: Range, classes: Range, payments: Range, pools: Range, scenarios: Range, header: Boolean = False
) -> Rows:
    """When events of default, acceleration, rescission and sale happen in each scenario.

    One row a row of the table, blank for a blank one; columns: name, one for each event of default of the
    terms, accelerated, rescinded, sold, sale refused: the payment dates, blank where there is none.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    scenarios: The range Scenarios, with its headings.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    found = run_scenarios(Ranges(terms, classes, payments, pools), scenarios)
    history, dates = found.paid.history, found.paid.dates.adjusted.tolist()
    numbers = np.column_stack(
        [history.occurred, history.accelerated, history.rescinded, history.sold, history.refused]
    ).tolist()
    rows: list[list[Any]] = [
        [name, *(dates[number - 1] if number else "" for number in row)]
        for name, row in zip(found.scenarios.names, numbers, strict=True)
    ]
    headings = events_header(found.deal)
    rows = _in_their_rows(found, scenarios, rows, len(headings))
    return [[*headings], *rows] if header else rows


def events_header(deal: Deal) -> list[str]:
    """The headings of XM_EVENTS for a deal."""
    happened = ("Accelerated", "Rescinded", "Sold", "Sale refused")
    return ["Scenario", *(event.name for event in deal.events), *happened]


def _in_their_rows(
    found: DealRun, scenarios: Rows, listed: Sequence[Sequence[Any]], width: int
) -> list[list[Any]]:
    """What is listed by scenario, where each stands in its table; the shape follows from the range alone."""
    placed: list[list[Any]] = [[""] * width for _ in scenarios[1:]]
    for row, values in zip(found.scenarios.rows, listed, strict=True):
        assert row is not None  # the headings are row 1
        placed[row - 2] = list(values)
    return placed


def _path(found: DealRun, item: str) -> Callable[[], NDArray[np.float64]]:
    """What computes an item, (scenario, payment date)."""
    paid, deal = found.paid, found.deal
    first = deal.months_in_first_payment
    monthly = monthly_cents(found.collections)
    known: dict[str, Callable[[], NDArray[np.float64]]] = {
        "pool": lambda: paid.pool / 100,
        "net loss": lambda: (
            by_date(monthly.defaulted - monthly.proceeds, first).cumsum(axis=1) / monthly.beginning[:, :1]
        ),
        "claims": lambda: paid.policies.paid.sum(axis=2).cumsum(axis=1) / 100,
    }
    for position, name in enumerate(paid.accounts.names):
        known[name] = partial(_dollars, paid.accounts.closing, [position])
        known[f"{name} requirement"] = partial(_dollars, paid.accounts.requirement, [position])
    for group, positions in deal.groups.items():
        known[group] = partial(_dollars, paid.balance, list(positions))
    wanted = " ".join(item.lower().split())
    if wanted not in known:
        raise NotAvailable(f"there is no item {item!r}; known: {', '.join(known)}").at(argument="item")
    return known[wanted]


def _dollars(cents: NDArray[np.int64], columns: list[int]) -> NDArray[np.float64]:
    """Some columns together: (scenario, date, column) in cents -> (scenario, date)."""
    return np.asarray(cents[:, :, columns].sum(axis=2) / 100)
