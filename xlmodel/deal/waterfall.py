"""run(deal, collections, scenarios) -> Distributions: the payment plane, in int64 cents.

On each payment date: what came in; events, call and sale; what accounts and policies pay; then the clauses
of the list in force, in order.  Scenarios run side by side; where some are sold and others not, each list
runs for its own scenarios.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import interest_cents, product_cents
from xlmodel.deal.check import ACCELERATED, ORDINARY, SALE
from xlmodel.deal.coverage import Coverage, cover
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Accounts, Distributions, Interest, Ledger, Line, Policies
from xlmodel.deal.events import Regime
from xlmodel.deal.receipts import Receipts, receipts
from xlmodel.deal.rows import account_position, lines_of, measure, pay_row, requirement
from xlmodel.deal.scenario import Scenarios, at_speeds
from xlmodel.deal.state import MISSING, SHARED, State, opening_state, scheduled_cents
from xlmodel.deal.steps import Amount
from xlmodel.deal.timeline import Timeline, timeline
from xlmodel.deal.triggers import evaluate
from xlmodel.errors import NotConserved, OutOfRange
from xlmodel.pool.projection import Collections

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]


def run(deal: Deal, collections: Collections, scenarios: Scenarios | None = None) -> Distributions:
    """Pay out what a pool collects.  Collections and deal as checked by ``deal/check.py``.

    ``scenarios``: one for each scenario of the collections; without, nothing but speeds differs.  Raises
    NotConserved if cash paid is not cash received; nothing of such a run may be shown.
    """
    scenarios = scenarios or at_speeds(np.zeros(len(collections.ending_balance)))
    return _Run(deal, receipts(deal, collections), timeline(deal, collections.months), scenarios).whole()


# The account of payments past the collection account, whatever the document calls it.
DIRECT = "paid directly"
# The account of what the insurer pays when it prepays the securities.
PREPAYMENT = "insurer's prepayment"


class _List:
    """One priority of payments with its lines in the ledger, clauses first, then payments past them."""

    def __init__(self, deal: Deal, name: str, first_line: int) -> None:
        self.clauses = deal.priority(name)
        rows = [lines_of(deal, deal.clauses.index(clause), clause) for clause in self.clauses]
        self.lines = tuple(line for row in rows for line in row)
        ends = np.cumsum([len(row) for row in rows]).tolist()
        self.columns = [list(range(end - len(row), end)) for end, row in zip(ends, rows, strict=True)]
        self.first_line = first_line
        direct = {clause for source in deal.sources for clause in source.direct}
        covered = {clause for source in deal.sources for clause in source.covers}
        self.direct = [n for n, line in enumerate(self.lines) if line.clause in direct]
        self.covered = [n for n, line in enumerate(self.lines) if line.clause in covered]

    @property
    def ledger_lines(self) -> tuple[Line, ...]:
        """The lines of the clauses, then one for each payee that can be paid past the collection account."""
        past = tuple(replace(self.lines[n], account=DIRECT, direct=True) for n in self.direct)
        return self.lines + past


class _Booked(NamedTuple):
    """Payments of a list: by line, (scenario, line), and the cash left at the end, (scenario,)."""

    due: Cents
    paid: Cents
    cash_left: Cents
    left: Cents


def _in_full(amounts: Cents) -> _Booked:
    """Payments that have money of their own, to the cent."""
    total = amounts.sum(axis=1)
    return _Booked(amounts, amounts, total[:, None] - np.cumsum(amounts, axis=1), np.zeros_like(total))


class _Run:
    """One run: the deal, its inputs, and the arrays that it fills."""

    def __init__(self, deal: Deal, inputs: Receipts, dates: Timeline, scenarios: Scenarios) -> None:
        self.deal, self.inputs, self.dates, self.scenarios = deal, inputs, dates, scenarios
        self.regime = Regime(deal, scenarios)
        named = {clause.step.schedule for clause in deal.clauses if isinstance(clause.step, Amount)}
        self.deal_pays_amount = [name in named for name in deal.schedules]
        self.roundings = {
            rounding: [n for n, note_class in enumerate(deal.classes) if note_class.rounding == rounding]
            for rounding in {note_class.rounding for note_class in deal.classes}
        }
        self.lists: dict[str, _List] = {}
        lines: tuple[Line, ...] = ()
        for name in dict.fromkeys(clause.priority for clause in deal.clauses):
            self.lists[name] = _List(deal, name, len(lines))
            lines += self.lists[name].ledger_lines
        self.prepaid_from = len(lines)
        self.lines = lines = lines + _prepayment_lines(deal)
        count, periods = inputs.cash.shape
        classes = len(deal.classes)

        def cents(*shape: int) -> Cents:
            return np.zeros((count, periods, *shape), dtype=np.int64)

        self.ledger = Ledger(
            lines, due=cents(len(lines)), paid=cents(len(lines)), cash_left=cents(len(lines))
        )
        self.interest = Interest(accrued=cents(classes), overdue=cents(classes), on_overdue=cents(classes))
        self.accounts = Accounts(
            tuple(account.name for account in deal.accounts), *(cents(len(deal.accounts)) for _ in range(6))
        )
        self.policies = Policies(
            tuple(policy.name for policy in deal.policies), *(cents(len(deal.policies)) for _ in range(4))
        )
        self.balance, self.pool, self.available = cents(classes), cents(), cents()
        self.called = np.zeros((count, periods), dtype=bool)
        self.accelerated = np.zeros((count, periods), dtype=bool)

    def whole(self) -> Distributions:
        deal = self.deal
        state = opening_state(deal, self.inputs.cutoff_pool)
        for period in range(self.inputs.cash.shape[1]):
            self._pay_date(state, period)
            if self._nothing_follows(state, period):
                self.called[:, period:] = state.called[:, None]
                self.accelerated[:, period:] = state.accelerated[:, None]
                break
        return Distributions(
            dates=self.dates.dates,
            classes=tuple(note_class.name for note_class in deal.classes),
            initial_balance=np.array([note_class.balance for note_class in deal.classes], dtype=np.int64),
            interest=self.ledger.by_class("interest", len(deal.classes)),
            interest_due=self.interest,
            principal=self.ledger.by_class("principal", len(deal.classes)),
            balance=self.balance,
            pool=self.pool,
            available=self.available,
            called=self.called,
            accelerated=self.accelerated,
            accounts=self.accounts,
            policies=self.policies,
            ledger=self.ledger,
            history=self.regime.history,
        )

    def _nothing_follows(self, state: State, period: int) -> bool:
        """Whether nothing is left, collected, claimed or decided after a date, in any scenario."""
        left = (state.balance, state.account, state.interest, state.fees, state.premium, state.unreimbursed)
        if any(amounts.any() for amounts in left):
            return False
        gone = self.called[:, period] | (self.regime.history.sold > 0)
        later = np.where(gone[:, None], 0, self.inputs.cash[:, period + 1 :])
        fees = np.where(gone[:, None, None], 0, self.inputs.fees[:, period + 1 :])
        preferences = (self.scenarios.dates["preference date"] > period + 1) & (self.scenarios.preference > 0)

        def still(name: str) -> Flags:
            dates = self.scenarios.dates[name]
            return np.asarray((dates > period + 1) & (dates <= self.inputs.cash.shape[1]))

        decided = still("stated event") | (state.accelerated & (still("rescinded") | still("sale")))
        return not (later.any() or fees.any() or preferences.any() or decided.any())

    def _pay_date(self, state: State, period: int) -> None:
        number = period + 1
        state.day = self.dates.dates.unadjusted[period]
        state.scheduled = scheduled_cents(self.deal, state.day.item())
        self._accrue(state, period)
        gone = state.called | (self.regime.history.sold > 0)
        cash = np.where(gone, 0, self.inputs.cash[:, period])
        state.pool = np.where(gone, 0, self.inputs.pool[:, period])
        state.principal_unpaid = np.zeros_like(cash)
        state.insurance_agreement = np.where(
            self.scenarios.from_date("agreement from", number), self.scenarios.agreement_requires, 0
        )
        state.final = (
            np.array([c.final_date for c in self.deal.classes], dtype="M8[D]")
            <= self.dates.dates.adjusted[period]
        )
        state.triggered = evaluate(self.deal, state, self.inputs.losses[:, : period + 1].sum(axis=1))
        self._renew_limits(state, period)
        self.regime.before_payment(state, number)
        cash = cash + self._call(state, cash)
        price = product_cents(state.pool, self.scenarios.sale_price, 1, 1)
        sold = self.regime.sale(state, number, price)
        cash = cash + np.where(sold, price, 0)
        state.pool = np.where(sold, 0, state.pool)
        opening = state.account.copy()
        draw, claim = np.zeros_like(state.account), np.zeros_like(state.unreimbursed)
        accelerated = state.accelerated & ~sold & (ACCELERATED in self.lists)
        ordinary = ~sold & ~accelerated
        for name, chosen in ((ORDINARY, ordinary), (ACCELERATED, accelerated), (SALE, sold)):
            if chosen.any() and name in self.lists:
                part = _part(state, chosen)
                covered, left = self._pay_list(self.lists[name], part, cash[chosen], period, chosen)
                _put(state, part, chosen)
                draw[chosen], claim[chosen] = covered.draw, covered.claim
                self._conserved(chosen, period, cash, draw, claim, left)
        preference = self._preference(state, claim, number)
        self._prepay(state, period)
        deposit = state.account - (opening - draw)
        required = np.zeros_like(state.account)
        for position in range(len(self.deal.accounts)):
            required[:, position] = requirement(self.deal, position, state)
        release = np.maximum(state.account - required, 0)
        state.account = state.account - release
        moves = (required, opening, deposit, draw, release, state.account)
        for array, amount in zip(self.accounts.arrays, moves, strict=True):
            array[:, period] = amount
        self.policies.claim[:, period] = claim
        self.policies.preference[:, period] = preference
        self.policies.unreimbursed[:, period] = state.unreimbursed
        self.balance[:, period] = state.balance
        self.pool[:, period] = state.pool
        self.available[:, period] = cash
        self.called[:, period] = state.called
        self.accelerated[:, period] = state.accelerated
        short = self.ledger.due[:, period] - self.ledger.paid[:, period]
        self.regime.after_payment(self.lines, short, claim, state.accelerated, number)

    def _accrue(self, state: State, period: int) -> None:
        """Interest of the period, on overdue interest too; fees of its collection months; premium and the
        interest on what policies have paid."""
        for rounding, columns in self.roundings.items():
            terms = (
                self.dates.rate[period, columns],
                self.dates.numerator[period, columns],
                self.dates.denominator[period, columns],
            )
            overdue = state.interest[:, columns]
            accrued = interest_cents(state.balance[:, columns], *terms, rounding)
            on_overdue = (
                interest_cents(overdue, *terms, rounding) if overdue.any() else np.zeros_like(overdue)
            )
            self.interest.accrued[:, period, columns] = accrued
            self.interest.overdue[:, period, columns] = overdue
            self.interest.on_overdue[:, period, columns] = on_overdue
            state.interest[:, columns] = overdue + accrued + on_overdue
        if np.isnan(self.dates.rate[period]).any():
            self._refuse_missing_index(state, period)
        gone = state.called | (self.regime.history.sold > 0)
        for position, amount in enumerate(state.scheduled.tolist()):
            if self.deal_pays_amount[position]:
                state.amounts[:, position] += np.where(gone | (amount == MISSING), 0, max(amount, 0))
        state.fees = state.fees + np.where(gone[:, None], 0, self.inputs.fees[:, period])
        for position, policy in enumerate(self.deal.policies):
            paid = state.unreimbursed[:, position]
            state.unreimbursed[:, position] = paid + product_cents(paid, policy.reimbursement, 1, 12)
            base = measure(self.deal, policy.base, state)
            state.premium[:, position] += np.where(gone, 0, product_cents(base, policy.premium, 1, 12))

    def _call(self, state: State, cash: Cents) -> Cents:
        """Exercise the call where its test is met for the first time; the price, (scenario,).

        The purchaser pays what is owed to the holders and to policies, or the pool's balance.  It does so
        only where the pool and what came in are worth what is owed, fees included: nobody buys at a loss.
        """
        call = self.deal.call
        if call is None or not call.exercised:
            return np.zeros_like(state.pool)
        outstanding = state.balance.sum(axis=1)
        base = measure(self.deal, call.base, state)
        # In exact integers: part of the base, compared without rounding it.
        numerator, denominator = _ratio(call.part)
        met = measure(self.deal, call.test, state) * denominator <= base * numerator
        owed = outstanding + state.interest.sum(axis=1)
        owed = owed + state.premium.sum(axis=1) + state.unreimbursed.sum(axis=1)
        gone = state.called | (self.regime.history.sold > 0)
        worth = state.pool + cash >= owed + state.fees.sum(axis=1)
        now = met & worth & ~gone & ~state.accelerated & (outstanding > 0)
        price = np.where(now, state.pool if call.price == "pool" else owed, 0)
        state.called = state.called | now
        state.pool = np.where(now, 0, state.pool)
        return price

    def _pay_list(
        self, payments: _List, state: State, cash: Cents, period: int, chosen: Flags
    ) -> tuple[Coverage, Cents]:
        """Cover and run one list for the scenarios that it governs; the cash that is left."""
        if not state.accelerated.any():
            # Mostly collections alone are enough: then nothing is drawn, and the trial is the payment.
            trial = state.copy()
            retired = self._retire(payments, trial, cash)
            booked = self._clauses(payments, trial, cash + retired.sum(axis=1))
            if not (booked.due - booked.paid)[:, payments.covered].any():
                state.take_over(trial)
                self._book(payments.first_line, booked, period, chosen)
                return replace(Coverage.nothing(state, len(payments.lines)), draw=retired), booked.left
        defaulted = self.regime.insurer_default(period + 1)[chosen]
        covered = cover(self.deal, payments.clauses, payments.lines, payments.columns, state, cash, defaulted)
        state.account = state.account - covered.draw
        # What has been paid under a policy is owed from now on, so it is not reimbursed on the same date.
        at_hand = cash + covered.draw.sum(axis=1) + covered.claim.sum(axis=1) - covered.direct.sum(axis=1)
        self._book_direct(payments, state, covered, period, chosen)
        retired = self._retire(payments, state, at_hand)
        at_hand = at_hand + retired.sum(axis=1)
        booked = self._clauses(payments, state, at_hand)
        self._book(payments.first_line, booked, period, chosen)
        state.unreimbursed = state.unreimbursed + covered.claim
        return replace(covered, draw=covered.draw + retired), booked.left

    def _clauses(self, payments: _List, state: State, cash: Cents) -> _Booked:
        """Run the clauses of a list; the state is what they leave."""
        due = np.zeros((len(cash), len(payments.lines)), dtype=np.int64)
        paid = np.zeros_like(due)
        left = cash
        for clause, columns in zip(payments.clauses, payments.columns, strict=True):
            row = slice(columns[0], columns[-1] + 1)
            due[:, row], paid[:, row] = pay_row(self.deal, clause, state, left)
            left = left - paid[:, row].sum(axis=1)
        return _Booked(due, paid, cash[:, None] - np.cumsum(paid, axis=1), left)

    def _retire(self, payments: _List, state: State, cash: Cents) -> Cents:
        """Find out where a row can retire its classes; what its account gives for that, (scenario, account).

        The rows above it are tried with the money of the date; where what they leave and the account cover
        what is then outstanding, the account's part joins the money of the date.
        """
        given = np.zeros_like(state.account)
        state.retiring = np.zeros_like(state.called)
        for number, clause in enumerate(payments.clauses):
            if clause.retires_with is None or clause.order is None:
                continue
            trial, left = state.copy(), cash
            for earlier in payments.clauses[:number]:
                _, paid = pay_row(self.deal, earlier, trial, left)
                left = left - paid.sum(axis=1)
            position = account_position(self.deal, clause.retires_with)
            outstanding = trial.balance[:, list(clause.order.classes)].sum(axis=1)
            met = (outstanding > 0) & (outstanding <= left + trial.account[:, position])
            given[:, position] = np.where(met, np.maximum(outstanding - left, 0), 0)
            state.retiring = met
            state.account = state.account - given
        return given

    def _renew_limits(self, state: State, period: int) -> None:
        """Limits start again with each date or calendar year."""
        dates = self.dates.dates.adjusted.astype("M8[Y]")
        new_year = period == 0 or dates[period] != dates[period - 1]
        for row, clause in enumerate(self.deal.clauses):
            if clause.limit is not None and (
                clause.limit.per == "date" or (clause.limit.per == "calendar year" and new_year)
            ):
                state.used[:, row] = 0

    def _refuse_missing_index(self, state: State, period: int) -> None:
        """An index must have a rate for every date on which its class is outstanding."""
        for position in np.flatnonzero(np.isnan(self.dates.rate[period])).tolist():
            note_class = self.deal.classes[position]
            if state.balance[:, position].any():
                raise OutOfRange(
                    f"the index {note_class.index!r} has no rate for {self.dates.dates.unadjusted[period]}, "
                    f"and class {note_class.name} is outstanding",
                    remedy="add a row of the schedule for each payment date",
                ).at(**note_class.record.place("index"))
            self.dates.rate[period, position] = 0.0

    def _book_direct(
        self, payments: _List, state: State, covered: Coverage, period: int, chosen: Flags
    ) -> None:
        """Payments of accounts and policies that go past the collection account."""
        amounts = covered.direct[:, payments.direct]
        if not amounts.any():
            return
        for column, number in enumerate(payments.direct):
            line = payments.lines[number]
            owed = state.interest if line.kind == "interest" else state.balance
            owed[:, line.position] -= amounts[:, column]
        self._book(payments.first_line + len(payments.lines), _in_full(amounts), period, chosen)

    def _book(self, first: int, booked: _Booked, period: int, chosen: Flags) -> None:
        """Enter payments into the ledger, from one of its lines on."""
        lines = slice(first, first + booked.due.shape[1])
        scenarios = slice(None) if chosen.all() else chosen
        self.ledger.due[scenarios, period, lines] = booked.due
        self.ledger.paid[scenarios, period, lines] = booked.paid
        self.ledger.cash_left[scenarios, period, lines] = booked.cash_left

    def _preference(self, state: State, claim: Cents, number: int) -> Cents:
        """Preference amounts, which the first policy pays besides and is owed like its other payments."""
        preference = np.zeros_like(claim)
        if self.deal.policies:
            now = self.scenarios.on_date("preference date", number) & ~self.regime.insurer_default(number)
            preference[:, 0] = np.where(now, self.scenarios.preference, 0)
            state.unreimbursed = state.unreimbursed + preference
        return preference

    def _prepay(self, state: State, period: int) -> None:
        """The insurer pays off the securities, once an event of default has occurred; it is owed that then.

        Source: CarMax Auto Owner Trust 1999-1 prospectus, page 66.
        """
        number = period + 1
        asked = self.scenarios.on_date("insurer prepays", number) & ~self.regime.insurer_default(number)
        now = asked & (self.regime.history.occurred > 0).any(axis=1)
        if not self.deal.policies or not now.any():
            return
        owed = np.where(now[:, None], np.concatenate([state.interest, state.balance], axis=1), 0)
        total = owed.sum(axis=1)
        self._book(self.prepaid_from, _in_full(owed), period, np.ones_like(now))
        state.interest = np.where(now[:, None], 0, state.interest)
        state.balance = np.where(now[:, None], 0, state.balance)
        state.unreimbursed[:, 0] += total
        self.policies.prepayment[:, period, 0] = total

    def _conserved(
        self, chosen: Flags, period: int, cash: Cents, draw: Cents, claim: Cents, left: Cents
    ) -> None:
        """Sources equal uses, and nothing is negative; the run's own proof."""
        sources = (cash + draw.sum(axis=1) + claim.sum(axis=1))[chosen]
        paid = self.ledger.paid[chosen, period]
        uses = paid.sum(axis=1) + left
        ok = (sources == uses) & (left == 0) & (paid >= 0).all(axis=1)
        if not ok.all():
            scenario = int(np.argmin(ok))
            name = self.scenarios.names[int(np.flatnonzero(chosen)[scenario])]
            raise NotConserved(
                f"payment date {period + 1}, scenario {name}: sources {sources[scenario] / 100:,.2f}, "
                f"uses {uses[scenario] / 100:,.2f}, left over {left[scenario] / 100:,.2f}"
            )


def _prepayment_lines(deal: Deal) -> tuple[Line, ...]:
    """What the insurer pays the classes when it prepays them; none without a policy."""
    if not deal.policies:
        return ()
    return tuple(
        Line(PREPAYMENT, "prepayment", -1, kind, note_class.name, position, direct=True)
        for kind in ("interest", "principal")
        for position, note_class in enumerate(deal.classes)
    )


def _part(state: State, chosen: Flags) -> State:
    """The state of some scenarios; all of them share the arrays, so that the common case copies nothing."""
    if chosen.all():
        return state
    return State(
        **{
            field.name: getattr(state, field.name)
            if field.name in SHARED
            else getattr(state, field.name)[chosen]
            for field in fields(State)
        }
    )


def _put(state: State, part: State, chosen: Flags) -> None:
    """Give back the state of some scenarios."""
    if part is not state:
        for field in fields(State):
            if field.name not in SHARED:
                getattr(state, field.name)[chosen] = getattr(part, field.name)


def _ratio(part: float) -> tuple[int, int]:
    """A decimal fraction as exact integers: 0.1 is 1/10, not the nearest binary number."""
    from decimal import Decimal

    return Decimal(repr(part)).as_integer_ratio()
