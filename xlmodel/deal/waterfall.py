"""run(deal, collections, scenarios) -> Distributions: the payment plane, in int64 cents.

On each payment date: what came in; events, call and sale; what accounts and policies pay; then the clauses
of the priority in force, in order.  Scenarios run side by side; where some are sold or accelerated and
others not, each priority runs for its own scenarios.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.deal.accrual import Accrual
from xlmodel.deal.call import Option
from xlmodel.deal.check import ACCELERATED, ORDINARY, SALE
from xlmodel.deal.coverage import Coverage, cover
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Accounts, Distributions, Ledger, Line, Page, Policies
from xlmodel.deal.events import Regime
from xlmodel.deal.layout import Chosen, Room, across, beside, chosen_ones, enter, laid_beside, some
from xlmodel.deal.priority import Priority, Watch, prepayment_lines
from xlmodel.deal.receipts import Receipts, receipts
from xlmodel.deal.rows import requirement
from xlmodel.deal.scenario import Scenarios, at_speeds
from xlmodel.deal.state import State, opening_state, scheduled_cents
from xlmodel.deal.timeline import Timeline, timeline
from xlmodel.deal.triggers import evaluate
from xlmodel.errors import NotConserved
from xlmodel.pool.projection import Collections

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]


def run(
    deal: Deal, collections: Collections, scenarios: Scenarios | None = None, watch: Watch | None = None
) -> Distributions:
    """Pay out what a pool collects.  Collections and deal as checked by ``deal/check.py``.

    ``scenarios``: one for each scenario of the collections; without, nothing but speeds differs.  ``watch``
    sees each clause before it is paid; a trial is shown too, and is followed by the payment.  Raises
    NotConserved if cash paid is not cash received; nothing of such a run may be shown.
    """
    scenarios = scenarios or at_speeds(np.zeros(len(collections.ending_balance)))
    dates = timeline(deal, collections.months)
    return _Run(deal, receipts(deal, collections), dates, scenarios, watch).whole()


class _Run:
    """One run: the deal, its inputs, and the arrays that it fills."""

    def __init__(
        self, deal: Deal, inputs: Receipts, dates: Timeline, scenarios: Scenarios, watch: Watch | None
    ) -> None:
        self.deal, self.inputs, self.dates, self.scenarios = deal, inputs, dates, scenarios
        self.call = Option(deal)
        self.lately_short = False  # spares vain trials; changes no result
        self.priorities: dict[str, Priority] = {}
        lines: tuple[Line, ...] = ()
        parts: tuple[slice, ...] = ()
        for name in dict.fromkeys(clause.priority for clause in deal.clauses):
            payments = self.priorities[name] = Priority(deal, name, len(lines), len(parts), watch)
            lines += payments.ledger_lines
            parts += payments.parts
        prepayments = prepayment_lines(deal)
        parts += (slice(len(lines), len(lines) + len(prepayments)),)
        lines += prepayments
        self.regime = Regime(deal, scenarios, lines)
        # Lists with lines that could be short, to an event's knowledge, when all that is covered is paid.
        self.watched = {name for name, each in self.priorities.items() if self.regime.watches(each.uncovered)}
        self.final = (
            np.array([c.final_date for c in deal.classes], dtype="M8[D]") <= dates.dates.adjusted[:, None]
        )
        count, periods = inputs.cash.shape
        classes, accounts, policies = len(deal.classes), len(deal.accounts), len(deal.policies)
        columns = 2 * len(lines) + len(parts) + 6 * accounts + 4 * policies + 4 * classes + 2
        room = Room(count, periods, columns)
        self.ledger = Ledger(lines, parts, *map(room.take, (len(lines), len(lines), len(parts))))
        self.accounts = Accounts(
            tuple(account.name for account in deal.accounts), *(room.take(accounts) for _ in range(6))
        )
        self.policies = Policies(
            tuple(policy.name for policy in deal.policies), *(room.take(policies) for _ in range(4))
        )
        self.balance = room.take(classes)
        self.pool, self.available = (room.take(1)[:, :, 0] for _ in range(2))
        self.accrual = Accrual(deal, inputs, dates, room)
        self.called = beside(count, periods, dtype=bool)
        self.accelerated = beside(count, periods, dtype=bool)

    def whole(self) -> Distributions:
        deal = self.deal
        state = opening_state(deal, self.inputs.cutoff_pool)
        opening = state.balance
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
            opening_balance=opening,
            interest_due=self.accrual.interest,
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
        if any(map(some, left)):
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
        gone = state.called | (self.regime.history.sold > 0)
        cash = self._open(state, period, gone)
        self.regime.before_payment(state, number)
        cash = cash + self.call.exercise(state, cash, gone)
        sold, proceeds = self.regime.sale(state, number)
        if some(sold):
            cash = cash + proceeds
            state.have_pool(np.where(sold, 0, state.pool))
        opening = state.account
        draw, claim, doubtful = self._pay_lists(state, cash, sold, period)
        enter(self.policies.claim[:, period], claim)
        enter(self.policies.preference[:, period], self._preference(state, claim, number))
        self._prepay(state, period)
        self._settle(state, opening, draw, period)
        enter(self.policies.unreimbursed[:, period], state.unreimbursed)
        self.balance[:, period] = state.balance
        self.pool[:, period] = state.pool
        self.available[:, period] = cash
        self.called[:, period] = state.called
        self.accelerated[:, period] = state.accelerated
        short = self.ledger.short[:, period]
        self.regime.after_payment(short, doubtful, claim, state.accelerated, number)

    def _open(self, state: State, period: int, gone: Flags) -> Cents:
        """What a date begins with: its day, what has come due, its tests; the cash that has come in."""
        state.day = self.dates.dates.unadjusted[period]
        state.scheduled, state.memo = scheduled_cents(self.deal, state.day), {}
        self.accrual.accrue(state, period, gone)
        cash, pool = self.inputs.cash[:, period], self.inputs.pool[:, period]
        if some(gone):
            cash, pool = np.where(gone, 0, cash), np.where(gone, 0, pool)
        state.have_pool(pool)
        state.principal_unpaid = beside(*cash.shape)
        if period + 1 >= self.scenarios.earliest["agreement from"]:
            agreed = self.scenarios.from_date("agreement from", period + 1)
            state.insurance_agreement = self.scenarios.agreement_requires * agreed
        state.final = self.final[period]
        state.triggered = evaluate(self.deal, state, self.inputs.losses[:, period])
        state.memo = {}  # a measure may look at triggers
        self._renew_limits(state, period)
        return cash

    def _pay_lists(
        self, state: State, cash: Cents, sold: Flags, period: int
    ) -> tuple[Cents, Cents, list[slice]]:
        """Each list for the scenarios that it governs: draws, claims, and where events may come of lines."""
        draw, claim = beside(*state.account.shape), beside(*state.unreimbursed.shape)
        doubtful: list[slice] = []
        for name, chosen in self._governing(state, sold):
            payments, part = self.priorities[name], state.of(chosen)
            found = self._pay(payments, part, cash[chosen], period, chosen)
            state.give_back(part, chosen)
            draw[chosen], claim[chosen] = found.draw, found.claim
            self._conserved(payments, found, cash[chosen], period, chosen)
            if found.short or name in self.watched:
                doubtful.append(payments.parts[0])
        return draw, claim, doubtful

    def _governing(self, state: State, sold: Flags) -> list[tuple[str, Chosen]]:
        """The lists in force on a date, each with its scenarios."""
        if not (some(sold) or some(state.accelerated)):
            return [(ORDINARY, slice(None))]
        accelerated = state.accelerated & ~sold & (ACCELERATED in self.priorities)
        lists = ((ORDINARY, ~sold & ~accelerated), (ACCELERATED, accelerated), (SALE, sold))
        return [(name, chosen_ones(f)) for name, f in lists if some(f) and name in self.priorities]

    def _settle(self, state: State, opening: Cents, draw: Cents, period: int) -> None:
        """Release what accounts hold beyond their requirement, and enter their moves."""
        deposit = state.account - (opening - draw)
        required = beside(*state.account.shape)
        for position in range(len(self.deal.accounts)):
            required[:, position] = requirement(self.deal, position, state)
        release = np.maximum(state.account - required, 0)
        state.account = state.account - release
        moves = (required, opening, deposit, draw, release, state.account)
        for array, amount in zip(self.accounts.arrays, moves, strict=True):
            array[:, period] = amount

    def _pay(self, payments: Priority, state: State, cash: Cents, period: int, chosen: Chosen) -> _Sources:
        """Cover and run one list for the scenarios that it governs; the arrays of before stay as they are."""
        if not some(state.accelerated) and not self.lately_short:
            # Mostly collections alone are enough: then nothing is drawn, and the trial is the payment.
            # After a date on which they were not, a trial would most likely be in vain.
            trial = state.copy()
            retired = payments.retire(trial, cash)
            left, short = self._run_list(payments, trial, cash + across(retired), period, chosen)
            if not short:
                state.take_over(trial)
                return _Sources(retired, beside(*state.unreimbursed.shape), left, short=False)
            self._wipe(payments, period, chosen)
        state.take_over(state.copy())
        defaulted = self.regime.insurer_default(period + 1)[chosen]
        covered = cover(payments, state, cash, defaulted)
        self.lately_short = some(covered.draw) or some(covered.claim)
        state.account = state.account - covered.draw
        # What has been paid under a policy is owed from now on, so it is not reimbursed on the same date.
        at_hand = cash + across(covered.draw) + across(covered.claim) - across(covered.direct)
        self._book_direct(payments, state, covered, period, chosen)
        retired = payments.retire(state, at_hand)
        left, _ = self._run_list(payments, state, at_hand + across(retired), period, chosen)
        state.unreimbursed = state.unreimbursed + covered.claim
        return _Sources(covered.draw + retired, covered.claim, left, short=True)

    def _run_list(
        self, payments: Priority, state: State, cash: Cents, period: int, chosen: Chosen
    ) -> tuple[Cents, bool]:
        """Run the clauses of a list for some scenarios, into the ledger; returns what ``pay`` does."""
        page = self.ledger.page(period, payments.part)
        if isinstance(chosen, slice):
            return payments.pay(state, cash, page)
        own = Page(*(laid_beside(each[chosen]) for each in page))
        found = payments.pay(state, cash, own)
        for entered, amounts in zip(page, own, strict=True):
            entered[chosen] = amounts
        return found

    def _wipe(self, payments: Priority, period: int, chosen: Chosen) -> None:
        """Take back what a trial has entered."""
        for amounts in self.ledger.page(period, payments.part):
            amounts[chosen] = 0

    def _renew_limits(self, state: State, period: int) -> None:
        """Limits start again with each date or calendar year."""
        if not self.deal.limited:
            return
        dates = self.dates.dates.adjusted.astype("M8[Y]")
        new_year = period == 0 or dates[period] != dates[period - 1]
        for number, clause in enumerate(self.deal.limited):
            assert clause.limit is not None
            if clause.limit.per == "date" or (clause.limit.per == "calendar year" and new_year):
                state.used[:, number] = 0

    def _book_direct(
        self, payments: Priority, state: State, covered: Coverage, period: int, chosen: Chosen
    ) -> None:
        """Payments of accounts and policies that go past the collection account."""
        amounts = covered.direct[:, payments.direct]
        if not some(amounts):
            return
        for column, number in enumerate(payments.direct):
            line = payments.lines[number]
            owed = state.interest if line.kind == "interest" else state.balance
            owed[:, line.position] -= amounts[:, column]
        self._book_in_full(payments.part + 1, amounts, period, chosen)

    def _book_in_full(self, part: int, amounts: Cents, period: int, chosen: Chosen) -> None:
        """Enter payments that have money of their own."""
        page = self.ledger.page(period, part)
        page.paid[chosen], page.at_hand[chosen] = amounts, amounts.sum(axis=1)

    def _preference(self, state: State, claim: Cents, number: int) -> Cents:
        """Preference amounts, which the first policy pays besides and is owed like its other payments."""
        preference = beside(*claim.shape)
        if self.deal.policies and number >= self.scenarios.earliest["preference date"]:
            now = self.scenarios.on_date("preference date", number) & ~self.regime.insurer_default(number)
            preference[:, 0] = np.where(now, self.scenarios.preference, 0)
            state.unreimbursed = state.unreimbursed + preference
        return preference

    def _prepay(self, state: State, period: int) -> None:
        """The insurer pays off the securities, once an event of default has occurred; it is owed that then.

        Source: CarMax Auto Owner Trust 1999-1 prospectus, page 66.
        """
        number = period + 1
        if not self.deal.policies or number < self.scenarios.earliest["insurer prepays"]:
            return
        asked = self.scenarios.on_date("insurer prepays", number)
        if not some(asked):
            return
        now = asked & ~self.regime.insurer_default(number) & (self.regime.history.occurred > 0).any(axis=1)
        owed = np.where(now[:, None], np.concatenate([state.interest, state.balance], axis=1), 0)
        total = owed.sum(axis=1)
        self._book_in_full(len(self.ledger.parts) - 1, owed, period, slice(None))
        state.interest = np.where(now[:, None], 0, state.interest)
        state.balance = np.where(now[:, None], 0, state.balance)
        state.unreimbursed[:, 0] += total
        self.policies.prepayment[:, period, 0] = total

    def _conserved(
        self, payments: Priority, found: _Sources, cash: Cents, period: int, chosen: Chosen
    ) -> None:
        """Sources equal uses, and nothing is negative; the run's own proof."""
        sources = cash + across(found.draw) + across(found.claim)
        clauses, direct = payments.parts
        paid = self.ledger.paid[:, period, clauses.start : direct.stop][chosen]
        uses = across(paid) + found.left
        if some(sources != uses) or some(found.left) or paid.min() < 0:
            ok = (sources == uses) & (found.left == 0) & (paid >= 0).all(axis=1)
            scenario = int(np.argmin(ok))
            name = self.scenarios.names[int(np.arange(len(self.scenarios))[chosen][scenario])]
            raise NotConserved(
                f"payment date {period + 1}, scenario {name}: sources {sources[scenario] / 100:,.2f}, "
                f"uses {uses[scenario] / 100:,.2f}, left over {found.left[scenario] / 100:,.2f}"
            )


class _Sources(NamedTuple):
    """What accounts and policies gave a list, (scenario, account | policy), and what is left of all.

    ``short``: whether lines that they cover may not have been paid in full.
    """

    draw: Cents
    claim: Cents
    left: Cents
    short: bool
