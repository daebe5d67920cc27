"""What a row of the Payments table owes and pays, booked in the state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.allocation import in_turn, pro_rata
from xlmodel.deal import measures
from xlmodel.deal.check import ORDINARY
from xlmodel.deal.conditions import always
from xlmodel.deal.definition import Clause, Deal
from xlmodel.deal.distributions import COLLECTION_ACCOUNT, Line
from xlmodel.deal.layout import across, columns_at, some
from xlmodel.deal.orders import Order
from xlmodel.deal.state import State
from xlmodel.deal.steps import (
    Amount,
    Fee,
    Greatest,
    Interest,
    Premium,
    Principal,
    PrincipalAtFinalDate,
    PrincipalOutstanding,
    Reimbursement,
    TopUp,
)

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]


def lines_of(deal: Deal, row: int, clause: Clause) -> list[Line]:
    """The payees of a row, in the order in which ``pay_row`` returns them."""
    step = clause.step

    def line(kind: str, payee: str, position: int) -> Line:
        ordinary = clause.priority == ORDINARY
        return Line(COLLECTION_ACCOUNT, clause.number, row, kind, payee, position, ordinary)

    if isinstance(step, Fee):
        return [line("fee", clause.to, fee_position(deal, name)) for name in step.names]
    if clause.order is not None:
        kind = "interest" if isinstance(step, Interest) else "principal"
        return [line(kind, deal.classes[n].name, n) for n in clause.order.classes]
    if isinstance(step, TopUp):
        return [line("account", clause.to, account_position(deal, step.account))]
    if isinstance(step, Amount):
        return [line("amount", clause.to, schedule_position(deal, step.schedule))]
    if isinstance(step, Premium):
        return [line("premium", clause.to, policy_position(deal, step.policy))]
    if isinstance(step, Reimbursement):
        return [line("reimbursement", clause.to, policy_position(deal, step.policy))]
    return [line("party", clause.to, 0)]


class RowPaid(NamedTuple):
    """Due and paid by payee, (scenario, payee), one array if in full, and the cash left, (scenario,)."""

    due: Cents
    paid: Cents
    left: Cents


@dataclass(frozen=True)
class Row:
    """A clause made ready for a run.

    ``owed`` names the array of the state that it pays off, in ``columns``; None for principal, which is
    worked out, for the account at the place ``account``, which is topped up, and for the rest, which is
    whatever is left.  ``limit`` is the place of a limited clause among those.
    """

    deal: Deal
    clause: Clause
    owed: str | None
    columns: slice | list[int]
    account: int | None
    limit: int | None


def row_of(deal: Deal, clause: Clause) -> Row:
    """Look up once what ``pay_row`` needs on every date."""
    owed, positions = _owed(deal, clause)
    account = account_position(deal, clause.step.account) if isinstance(clause.step, TopUp) else None
    limit = None if clause.limit is None else deal.limited.index(clause)
    return Row(deal, clause, owed, columns_at(positions), account, limit)


def pay_row(row: Row, state: State, cash: Cents) -> RowPaid | None:
    """Pay a row with ``cash`` at hand; the state is what is left.  None where it owes nothing anywhere."""
    clause = row.clause
    applies = None if clause.when is always else clause.when(state)
    if applies is not None:
        count = np.count_nonzero(applies)
        if not count:
            return None
        if count == len(applies):
            applies = None
    due = _where(applies, _due(row, state, cash))
    if clause.limit is not None:
        allowed = np.maximum(clause.limit.cents - state.used[:, row.limit], 0)
        # A limit is no shortage: what it allows goes by the order of the row, not by balance.
        sharing = "in order" if clause.short == "by balance" else clause.short
        due = _share(sharing, allowed, due, clause.order).paid
    if not some(due):
        return None
    if clause.short == "by balance" and clause.order is not None:
        found = _share_by_balance(cash, due, state.balance[:, clause.order.columns])
    else:
        found = _share(clause.short, cash, due, clause.order)
    _book(row, state, found)
    if clause.limit is not None:
        state.used[:, row.limit] += cash - found.left
    return found


def _due(row: Row, state: State, cash: Cents) -> Cents:
    """What a row owes by payee, (scenario, payee), were there no condition and no limit."""
    if row.owed is not None:
        owed: Cents = getattr(state, row.owed)[:, row.columns].copy("K")
        return owed
    if row.clause.order is not None:
        assert isinstance(row.clause.step, Principal)
        return _principal_due(row.deal, row.clause.step, row.clause.order, state)
    if row.account is not None:
        lacking: Cents = requirement(row.deal, row.account, state) - state.account[:, row.account]
        return np.maximum(lacking[:, None], 0)
    return cash[:, None]


def _book(row: Row, state: State, found: RowPaid) -> None:
    """Take what a row has paid off what is owed, or put it into its account."""
    if row.owed is not None:
        getattr(state, row.owed)[:, row.columns] -= found.paid
    elif row.clause.order is not None:
        state.balance[:, row.clause.order.columns] -= found.paid
        if found.paid is not found.due:
            state.principal_unpaid = state.principal_unpaid + across(found.due - found.paid)
    elif row.account is not None:
        state.account[:, row.account] += found.paid[:, 0]


def requirement(deal: Deal, position: int, state: State) -> Cents:
    """What an account must hold now, (scenario,); never less than nothing."""
    return np.maximum(measure(deal, deal.accounts[position].requirement, state), 0)


def measure(deal: Deal, name: str, state: State) -> Cents:
    """A measure or base now, (scenario,)."""
    return measures.value(name, state, deal.measures, deal.groups)


def _share(sharing: str, cash: Cents, due: Cents, order: Order | None) -> RowPaid:
    """Paid by payee: all where there is cash enough, else in order or by amount due.

    In order means tier by tier where there is an order of classes: those side by side share what reaches
    them by amount due.
    """
    left = cash - across(due)
    if left.min() >= 0:
        return RowPaid(due, due, left)
    if sharing != "in order":
        paid = pro_rata(cash, due)
    elif order is None:
        paid = in_turn(cash, due)
    else:
        paid = _in_order(order, cash, due)
    return RowPaid(due, paid, cash - across(paid))


def _share_by_balance(cash: Cents, due: Cents, balance: Cents) -> RowPaid:
    """A shortage turns the order off: the classes share by balance what is paid, and what is not."""
    owed = across(due)
    left = cash - owed
    if left.min() >= 0:
        return RowPaid(due, due, left)
    short = (left < 0)[:, None]
    shared = pro_rata(np.minimum(cash, owed), balance)
    unpaid = pro_rata(owed - shared.sum(axis=1), balance - shared)
    due = np.where(short, shared + unpaid, due)
    paid = np.where(short, shared, due)
    return RowPaid(due, paid, cash - across(paid))


def fee_position(deal: Deal, name: str) -> int:
    return next(n for n, fee in enumerate(deal.fees) if fee.name == name)


def account_position(deal: Deal, name: str) -> int:
    return next(n for n, account in enumerate(deal.accounts) if account.name == name)


def schedule_position(deal: Deal, name: str) -> int:
    return list(deal.schedules).index(name)


def policy_position(deal: Deal, name: str) -> int:
    return next(n for n, policy in enumerate(deal.policies) if policy.name == name)


def _owed(deal: Deal, clause: Clause) -> tuple[str | None, tuple[int, ...]]:
    """The array of the state that a row pays off, and the places in it."""
    step = clause.step
    if isinstance(step, Fee):
        return "fees", tuple(fee_position(deal, name) for name in step.names)
    if isinstance(step, Interest):
        assert clause.order is not None
        return "interest", tuple(clause.order.classes)
    if isinstance(step, Amount):
        return "amounts", (schedule_position(deal, step.schedule),)
    if isinstance(step, Premium):
        return "premium", (policy_position(deal, step.policy),)
    if isinstance(step, Reimbursement):
        return "unreimbursed", (policy_position(deal, step.policy),)
    return None, ()


def _principal_due(deal: Deal, step: Principal, order: Order, state: State) -> Cents:
    """Principal due by class of the order, (scenario, class)."""
    if isinstance(step, Greatest):
        falls_due = state.final[order.columns].any()
        parts = [part for part in step.parts if falls_due or not isinstance(part, PrincipalAtFinalDate)]
        return reduce(np.maximum, [_principal_due(deal, part, order, state) for part in parts or step.parts])
    balance = state.balance[:, order.columns]
    if isinstance(step, PrincipalAtFinalDate):
        return np.where(state.final[order.columns], balance, 0)
    if isinstance(step, PrincipalOutstanding):
        return balance.copy("K")
    compared = state.balance[:, columns_at(tuple(step.compared))].sum(axis=1)
    # What earlier rows owe and could not pay is theirs still, not this row's.
    excess = compared - state.principal_unpaid - measure(deal, step.measure, state)
    return _in_order(order, np.minimum(np.maximum(excess, 0), balance.sum(axis=1)), balance)


def _where(applies: Flags | None, amounts: Cents) -> Cents:
    """Amounts (scenario, payee) where a row applies; None is everywhere."""
    return amounts if applies is None else np.where(applies[:, None], amounts, 0)


def _in_order(order: Order, owed: Cents, balance: Cents) -> Cents:
    """An amount by class: tier after tier, inside a tier by balance (or claim), which is in order too."""
    if order.one_by_one:
        return in_turn(owed, balance)
    due = np.zeros_like(balance)
    start = 0
    for tier in order.tiers:
        part = slice(start, start + len(tier))
        due[:, part] = pro_rata(owed, balance[:, part])
        owed = owed - due[:, part].sum(axis=1)
        start += len(tier)
    return due
