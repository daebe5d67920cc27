"""run(deal, collections) -> Distributions: the payment plane, in int64 cents, all scenarios at once.

On each payment date: what came in, the call, the amount that accounts must draw, then the clauses in order.
The amount to draw comes from the same clauses run once with money enough for all, so it is never a second
reading of the deal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.allocation import pro_rata, sequential
from xlmodel.conventions.money import interest_cents
from xlmodel.deal import measures
from xlmodel.deal.definition import Clause, Deal
from xlmodel.deal.distributions import Accounts, Distributions, Ledger, Line
from xlmodel.deal.orders import Order
from xlmodel.deal.receipts import Receipts, receipts
from xlmodel.deal.steps import Fee, Interest, PrincipalOutstanding, PrincipalOver, Remainder, TopUp
from xlmodel.deal.timeline import Timeline, timeline
from xlmodel.errors import NotConserved
from xlmodel.pool.projection import Collections

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]

# More than any deal holds (ten trillion dollars), far from where int64 sums overflow.
_PLENTY = 10**15


@dataclass
class State:
    """What a payment date starts from and leaves behind.

    Shapes: (scenario,), or (scenario, class | fee | account).  ``interest`` and ``fees`` are due, overdue
    amounts included; ``principal_due`` is what earlier rows of this date owe.
    """

    pool: Cents
    cutoff_pool: Cents
    called: Flags
    balance: Cents
    interest: Cents
    fees: Cents
    account: Cents
    principal_due: Cents

    def copy(self) -> State:
        """A state of its own for a trial run."""
        return replace(self, **{name: value.copy() for name, value in vars(self).items()})


def run(deal: Deal, collections: Collections) -> Distributions:
    """Pay out what a pool collects.  Collections and deal as checked by ``deal/check.py``.

    Raises NotConserved if cash paid is not cash received; nothing of such a run may be shown.
    """
    return _Run(deal, receipts(deal, collections), timeline(deal, collections.months)).whole()


class _Run:
    """One run: the deal, its inputs, and the arrays that it fills."""

    def __init__(self, deal: Deal, inputs: Receipts, dates: Timeline) -> None:
        self.deal = deal
        self.inputs = inputs
        self.dates = dates
        self.lines = tuple(
            line for row, clause in enumerate(deal.clauses) for line in _lines(deal, row, clause)
        )
        self.columns = [
            [number for number, line in enumerate(self.lines) if line.row == row]
            for row in range(len(deal.clauses))
        ]
        self.rate = np.array([note_class.rate for note_class in deal.classes])
        self.roundings = {
            rounding: [n for n, note_class in enumerate(deal.classes) if note_class.rounding == rounding]
            for rounding in {note_class.rounding for note_class in deal.classes}
        }
        scenarios, periods = inputs.cash.shape
        self.due = np.zeros((scenarios, periods, len(self.lines)), dtype=np.int64)
        self.paid = np.zeros_like(self.due)
        self.cash_left = np.zeros_like(self.due)

    def whole(self) -> Distributions:
        deal, inputs = self.deal, self.inputs
        scenarios, periods = inputs.cash.shape
        state = self._opening_state(scenarios)
        balance = np.zeros((scenarios, periods, len(deal.classes)), dtype=np.int64)
        pool = np.zeros((scenarios, periods), dtype=np.int64)
        available = np.zeros_like(pool)
        called = np.zeros((scenarios, periods), dtype=bool)
        moves = np.zeros((6, scenarios, periods, len(deal.accounts)), dtype=np.int64)
        for period in range(periods):
            self._accrue(state, period)
            cash = np.where(state.called, 0, inputs.cash[:, period])
            state.pool = np.where(state.called, 0, inputs.pool[:, period])
            cash = cash + self._call(state)
            state.principal_due = np.zeros_like(cash)
            opening = state.account.copy()
            draw = self._draw(state, cash)
            state.account = state.account - draw
            left = self._pay(state, cash + draw.sum(axis=1), period)
            requirement = self._requirements(state)
            deposit = state.account - (opening - draw)
            release = np.maximum(state.account - requirement, 0)
            state.account = state.account - release
            moves[:, :, period] = (requirement, opening, deposit, draw, release, state.account)
            self._conserved(state, period, cash, draw, left)
            balance[:, period] = state.balance
            pool[:, period] = state.pool
            available[:, period] = cash
            called[:, period:] = state.called[:, None]
            if state.called.all() and not state.balance.any() and not state.account.any():
                break  # nothing is left to pay in any scenario
        names = tuple(account.name for account in deal.accounts)
        ledger = Ledger(self.lines, self.due, self.paid, self.cash_left)
        return Distributions(
            dates=self.dates.dates,
            classes=tuple(note_class.name for note_class in deal.classes),
            initial_balance=self._initial(),
            interest=self._by_class(ledger, "interest"),
            principal=self._by_class(ledger, "principal"),
            balance=balance,
            pool=pool,
            available=available,
            called=called,
            accounts=Accounts(names, *moves),
            ledger=ledger,
        )

    def _opening_state(self, scenarios: int) -> State:
        deal = self.deal

        def repeated(values: list[int]) -> Cents:
            return np.tile(np.array(values, dtype=np.int64), (scenarios, 1))

        return State(
            pool=self.inputs.cutoff_pool,
            cutoff_pool=self.inputs.cutoff_pool,
            called=np.zeros(scenarios, dtype=bool),
            balance=repeated([note_class.balance for note_class in deal.classes]),
            interest=repeated([0] * len(deal.classes)),
            fees=repeated([0] * len(deal.fees)),
            account=repeated([account.initial for account in deal.accounts]),
            principal_due=np.zeros(scenarios, dtype=np.int64),
        )

    def _accrue(self, state: State, period: int) -> None:
        """Interest of the period, on overdue interest too, and the fees of its collection months."""
        for rounding, columns in self.roundings.items():
            terms = (
                self.rate[columns],
                self.dates.numerator[period, columns],
                self.dates.denominator[period, columns],
            )
            overdue = state.interest[:, columns]
            accrued = interest_cents(state.balance[:, columns], *terms, rounding)
            if overdue.any():
                accrued = accrued + interest_cents(overdue, *terms, rounding)
            state.interest[:, columns] = overdue + accrued
        state.fees += np.where(state.called[:, None], 0, self.inputs.fees[:, period])

    def _call(self, state: State) -> Cents:
        """Exercise the call where its test is met for the first time; the price, (scenario,)."""
        call = self.deal.call
        if call is None or not call.exercised:
            return np.zeros_like(state.pool)
        outstanding = state.balance.sum(axis=1)
        base = self._measure(call.base, state)
        # In exact integers: part of the base, compared without rounding it.
        numerator, denominator = _ratio(call.part)
        met = self._measure(call.test, state) * denominator <= base * numerator
        now = met & ~state.called & (outstanding > 0)
        price = state.pool if call.price == "pool" else outstanding + state.interest.sum(axis=1)
        price = np.where(now, price, 0)
        state.called = state.called | now
        state.pool = np.where(now, 0, state.pool)
        return price

    def _draw(self, state: State, cash: Cents) -> Cents:
        """What each account pays towards its clauses, (scenario, account); the first account first."""
        draws = np.zeros_like(state.account)
        if not self.deal.accounts:
            return draws
        due = self._owed(state)
        missing_before = np.zeros_like(cash)
        for position, account in enumerate(self.deal.accounts):
            covered = [n for n, line in enumerate(self.lines) if line.clause in account.covers]
            missing = np.maximum(due[:, covered].sum(axis=1) - cash - missing_before, 0)
            draws[:, position] = np.minimum(missing, state.account[:, position])
            missing_before = missing_before + draws[:, position]
        return draws

    def _owed(self, state: State) -> Cents:
        """Due by line, (scenario, line), were there money for every clause."""
        trial = state.copy()
        cash = np.full(len(state.pool), _PLENTY, dtype=np.int64)
        due = np.zeros((len(cash), len(self.lines)), dtype=np.int64)
        for row, clause in enumerate(self.deal.clauses):
            if not isinstance(clause.step, TopUp | Remainder):
                due[:, self.columns[row]], paid = self._row(clause, trial, cash)
                cash = cash - paid.sum(axis=1)
        return due

    def _pay(self, state: State, cash: Cents, period: int) -> Cents:
        """Run the clauses and book them; the cash that is left."""
        for row, clause in enumerate(self.deal.clauses):
            due, paid = self._row(clause, state, cash)
            columns = self.columns[row]
            self.due[:, period, columns] = due
            self.paid[:, period, columns] = paid
            self.cash_left[:, period, columns] = cash[:, None] - np.cumsum(paid, axis=1)
            cash = cash - paid.sum(axis=1)
        return cash

    def _row(self, clause: Clause, state: State, cash: Cents) -> tuple[Cents, Cents]:
        """Due and paid by payee, (scenario, payee), booked in the state."""
        step, order = clause.step, clause.order
        applies = clause.when(state)[:, None]
        if isinstance(step, Fee):
            positions = [self._fee_position(name) for name in step.names]
            due = np.where(applies, state.fees[:, positions], 0)
            paid = _share(clause.short, cash, due, due)
            state.fees[:, positions] -= paid
        elif isinstance(step, Interest):
            assert order is not None
            positions = list(order.classes)
            due = np.where(applies, state.interest[:, positions], 0)
            paid = _share(clause.short, cash, due, due)
            state.interest[:, positions] -= paid
        elif isinstance(step, PrincipalOver | PrincipalOutstanding):
            assert order is not None
            due, paid = self._principal(clause, order, state, cash, applies[:, 0])
        elif isinstance(step, TopUp):
            position = self._account_position(step.account)
            lacking = self._requirements(state)[:, position] - state.account[:, position]
            due = np.where(applies, np.maximum(lacking, 0)[:, None], 0)
            paid = np.minimum(due, cash[:, None])
            state.account[:, position] += paid[:, 0]
        else:
            due = paid = np.where(applies, cash[:, None], 0)
        return due, paid

    def _principal(
        self, clause: Clause, order: Order, state: State, cash: Cents, applies: Flags
    ) -> tuple[Cents, Cents]:
        positions = list(order.classes)
        balance = state.balance[:, positions]
        if isinstance(clause.step, PrincipalOver):
            compared = (state.balance[:, list(clause.step.compared)]).sum(axis=1)
            # What earlier rows owe and could not pay is theirs still, not this row's.
            unpaid_before = state.principal_due
            excess = compared - unpaid_before - self._measure(clause.step.measure, state)
        else:
            excess = balance.sum(axis=1)
        owed = np.where(applies, np.clip(excess, 0, balance.sum(axis=1)), 0)
        due = _in_order(order, owed, balance)
        short = cash < owed
        if clause.short == "by balance" and short.any():
            # A shortage turns the order off: the classes share by balance what is due and what is paid.
            due = np.where(short[:, None], pro_rata(owed, balance, balance), due)
            paid = np.where(short[:, None], pro_rata(np.minimum(cash, owed), balance, balance), due)
        else:
            paid = _share(clause.short, cash, due, due)
        state.balance[:, positions] -= paid
        state.principal_due = state.principal_due + (due - paid).sum(axis=1)
        return due, paid

    def _requirements(self, state: State) -> Cents:
        """What each account must hold now, (scenario, account)."""
        return (
            np.stack([self._measure(account.requirement, state) for account in self.deal.accounts], axis=1)
            if self.deal.accounts
            else state.account
        )

    def _measure(self, name: str, state: State) -> Cents:
        return measures.value(name, state, self.deal.measures, self.deal.groups)

    def _fee_position(self, name: str) -> int:
        return next(n for n, fee in enumerate(self.deal.fees) if fee.name == name)

    def _account_position(self, name: str) -> int:
        return next(n for n, account in enumerate(self.deal.accounts) if account.name == name)

    def _initial(self) -> Cents:
        return np.array([note_class.balance for note_class in self.deal.classes], dtype=np.int64)

    def _by_class(self, ledger: Ledger, kind: str) -> Cents:
        return np.stack([ledger.total(kind, position) for position in range(len(self.deal.classes))], axis=-1)

    def _conserved(self, state: State, period: int, cash: Cents, draw: Cents, left: Cents) -> None:
        """Sources equal uses, and nothing is negative; the run's own proof."""
        sources = cash + draw.sum(axis=1)
        uses = self.paid[:, period].sum(axis=1) + left
        ok = (sources == uses) & (left == 0)
        for amounts in (state.balance, state.account, state.interest, state.fees, self.paid[:, period]):
            ok &= (amounts >= 0).all(axis=1)
        if not ok.all():
            scenario = int(np.argmin(ok))
            raise NotConserved(
                f"payment date {period + 1}, scenario {scenario + 1}: "
                f"sources {sources[scenario] / 100:,.2f}, uses {uses[scenario] / 100:,.2f}, "
                f"left over {left[scenario] / 100:,.2f}"
            )


def _lines(deal: Deal, row: int, clause: Clause) -> list[Line]:
    """The payees of a clause, in the order in which ``_row`` returns them."""
    step = clause.step
    if isinstance(step, Fee):
        names = [fee.name for fee in deal.fees]
        return [Line(clause.number, row, "fee", clause.to, names.index(name)) for name in step.names]
    if clause.order is not None:
        kind = "interest" if isinstance(step, Interest) else "principal"
        return [Line(clause.number, row, kind, deal.classes[n].name, n) for n in clause.order.classes]
    if isinstance(step, TopUp):
        position = [account.name for account in deal.accounts].index(step.account)
        return [Line(clause.number, row, "account", clause.to, position)]
    return [Line(clause.number, row, "party", clause.to, 0)]


def _in_order(order: Order, owed: Cents, balance: Cents) -> Cents:
    """Owed principal by class: tier after tier, inside a tier by balance.  ``balance`` is in order too."""
    if all(len(tier) == 1 for tier in order.tiers):
        return sequential(owed, balance)
    due = np.zeros_like(balance)
    start = 0
    for tier in order.tiers:
        part = slice(start, start + len(tier))
        due[:, part] = pro_rata(owed, balance[:, part], balance[:, part])
        owed = owed - due[:, part].sum(axis=1)
        start += len(tier)
    return due


def _share(sharing: str, cash: Cents, due: Cents, weights: Cents) -> Cents:
    """Paid by payee: all where there is cash enough, else in order or by amount due."""
    if (cash >= due.sum(axis=1)).all():
        return due.copy()
    return sequential(cash, due) if sharing == "in order" else pro_rata(cash, due, weights)


def _ratio(part: float) -> tuple[int, int]:
    """A decimal fraction as exact integers: 0.1 is 1/10, not the nearest binary number."""
    from decimal import Decimal

    return Decimal(repr(part)).as_integer_ratio()
