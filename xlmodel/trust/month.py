"""One month of one series: what is due, what pays it, what becomes of its principal.

The order in which finance charges are applied, reserve and principal funding account, and charge-offs are
practice (``docs/trust.md``); shortfalls and sharing are the clauses Excess Finance Charge Collections and
Shared Principal Collections.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from xlmodel.conventions.money import product_cents
from xlmodel.trust.classes import Reallocation, reallocate, reimbursed, written_down
from xlmodel.trust.definition import Month
from xlmodel.trust.shares import in_order, in_proportion
from xlmodel.trust.state import Period, SeriesState


@dataclass
class SeriesMonth:
    """What a series was allocated, owed, paid and shared in a month; cents, lists by class."""

    month: Month
    period: Period
    invested: int
    funding: int
    invested_by_class: list[int]
    series_percentage: float = 0.0
    floating_percentage: float = 0.0
    principal_series_percentage: float = 0.0
    principal_percentage: float = 0.0
    finance_charges: int = 0
    pooled: int = 0
    proceeds: int = 0
    reserve_draw: int = 0
    interest_due: list[int] = field(default_factory=list)
    fee_due: int = 0
    defaults: int = 0
    reductions: int = 0
    reserve_due: int = 0
    required: int = 0
    shortfall: int = 0
    excess: int = 0
    excess_given: int = 0
    excess_received: int = 0
    interest_paid: list[int] = field(default_factory=list)
    fee_paid: int = 0
    defaults_covered: int = 0
    reimbursed: int = 0
    reimbursed_by_class: list[int] = field(default_factory=list)
    reserve_deposit: int = 0
    finance_left: int = 0
    principal: int = 0
    reallocated: int = 0
    taken: list[int] = field(default_factory=list)
    covered: list[int] = field(default_factory=list)
    charged_off: int = 0
    charged_by_class: list[int] = field(default_factory=list)
    not_borne: int = 0
    available: int = 0
    wanted: int = 0
    principal_shortfall: int = 0
    shared_given: int = 0
    shared_received: int = 0
    principal_left: int = 0
    deposit: int = 0
    paid: int = 0
    paid_by_class: list[int] = field(default_factory=list)
    funding_after: int = 0
    reserve_after: int = 0
    reserve_released: int = 0
    invested_after: list[int] = field(default_factory=list)
    balance_after: list[int] = field(default_factory=list)
    overdue_after: list[int] = field(default_factory=list)
    earned: int = 0
    cost: int = 0
    average_spread: float | None = None

    @property
    def portfolio_yield(self) -> float:
        """Finance charges, proceeds and draws less defaults, per annum of the invested amount."""
        return self._per_annum(self.earned)

    @property
    def base_rate(self) -> float:
        """Interest and fee of the month, per annum of the invested amount."""
        return self._per_annum(self.cost)

    @property
    def excess_spread(self) -> float:
        return self._per_annum(self.earned - self.cost)

    def _per_annum(self, amount: int) -> float:
        return 12 * amount / self.invested if self.invested else 0.0

    @property
    def adjusted(self) -> int:
        return self.invested - self.funding


def begin(state: SeriesState, month: Month, account_rate: float) -> SeriesMonth:
    """What is due from finance charges, and what the accounts add to them."""
    series = state.series
    period = state.period(month)
    this = SeriesMonth(month, period, sum(state.invested), state.funding, list(state.invested))
    current = [
        product_cents(owed, one.rate, 1, 12) for owed, one in zip(state.balance, series.classes, strict=True)
    ]
    fee = product_cents(this.invested, series.fee, 1, 12)
    this.interest_due = [a + b for a, b in zip(current, state.overdue, strict=True)]
    this.fee_due = fee + state.overdue_fee
    if period in (Period.ACCUMULATION, Period.EARLY):
        this.proceeds = product_cents(state.funding, account_rate, 1, 12)
        cost = product_cents(state.funding, series.classes[0].rate, 1, 12)
        this.reserve_draw = min(state.reserve, max(0, cost - this.proceeds))
    this.reductions = sum(state.reductions) if period is not Period.ENDED else 0
    if period in (Period.REVOLVING, Period.ACCUMULATION) and month.end >= series.reserve_from:
        wanted = product_cents(state.balance[0], series.reserve, 1, 1)
        this.reserve_due = max(0, wanted - (state.reserve - this.reserve_draw))
    if period is Period.ENDED:
        this.interest_due, this.fee_due = [0] * len(current), 0
    else:
        this.cost = sum(current) + fee
    return this


def measure(this: SeriesMonth) -> None:
    """The full amount required, and by how much it is missed or exceeded (clause, Finance Charge Shortfall).

    The yield leaves out what other series share (practice).
    """
    this.required = sum(this.interest_due) + this.fee_due + this.defaults + this.reductions + this.reserve_due
    funds = this.pooled + this.proceeds + this.reserve_draw
    this.shortfall = max(0, this.required - funds)
    this.excess = max(0, funds - this.required)
    if this.period is not Period.ENDED:
        this.earned = funds - this.defaults


def pay_from_finance_charges(this: SeriesMonth) -> None:
    """Interest class by class, the servicing fee, defaults, earlier write-downs, the reserve."""
    funds = this.pooled + this.proceeds + this.reserve_draw + this.excess_received - this.excess_given
    count = len(this.interest_due)
    rungs = [*this.interest_due, this.fee_due, this.defaults, this.reductions, this.reserve_due]
    paid = in_order(funds, rungs)
    this.interest_paid = paid[:count]
    this.fee_paid, this.defaults_covered, this.reimbursed, this.reserve_deposit = paid[count:]
    this.finance_left = funds - sum(paid)


def apply_losses(state: SeriesState, this: SeriesMonth) -> None:
    """Principal that pays senior interest, charge-offs and reimbursements; the invested amount follows."""
    by_class = in_proportion(this.principal, state.invested)
    short = [due - paid for due, paid in zip(this.interest_due, this.interest_paid, strict=True)]
    # What the principal funding account holds is no longer exposed to losses.
    exposed = _less(state.invested, in_order(state.funding, state.invested))
    found: Reallocation = reallocate(short, by_class, exposed)
    this.covered, this.taken, this.reallocated = found.covered, found.taken, sum(found.taken)
    exposed = _less(exposed, found.taken)
    loss = this.defaults - this.defaults_covered
    this.charged_by_class = written_down(loss, exposed)
    this.charged_off = sum(this.charged_by_class)
    this.not_borne = loss - this.charged_off
    this.reimbursed_by_class = reimbursed(this.reimbursed, state.reductions)
    state.invested = _plus(
        _less(_less(state.invested, found.taken), this.charged_by_class), this.reimbursed_by_class
    )
    state.overdue = _less(short, found.covered)
    state.overdue_fee = this.fee_due - this.fee_paid
    this.available = this.principal - this.reallocated + this.defaults_covered + this.reimbursed


def want_principal(state: SeriesState, this: SeriesMonth) -> None:
    """What principal is wanted, and the Principal Shortfall of the clause: zero in the revolving period."""
    left = state.adjusted
    if this.period is Period.ACCUMULATION:
        this.wanted = min(state.series.controlled_amount + state.deposit_short, left)
    elif this.period is Period.EARLY:
        this.wanted = left
    this.principal_shortfall = max(0, this.wanted - this.available)


def settle(state: SeriesState, this: SeriesMonth) -> None:
    """Deposits, payments to holders and releases, once what others share has come."""
    this.deposit = min(this.available, this.wanted) + this.shared_received
    this.principal_left = this.available - min(this.available, this.wanted) - this.shared_given
    state.funding += this.deposit
    if this.period is Period.ACCUMULATION:
        state.deposit_short = this.wanted - this.deposit
    expected = (this.month.end.year, this.month.end.month) >= (
        state.series.expected_payment.year,
        state.series.expected_payment.month,
    )
    if this.period is Period.EARLY or (this.period is Period.ACCUMULATION and expected):
        this.paid_by_class = in_order(state.funding, state.invested)
        this.paid = sum(this.paid_by_class)
        state.funding -= this.paid
        state.balance = _less(state.balance, this.paid_by_class)
        state.invested = _less(state.invested, this.paid_by_class)
        state.early = True  # what the expected payment leaves unpaid is paid early
    else:
        this.paid_by_class = [0] * len(state.balance)
    state.reserve += this.reserve_deposit - this.reserve_draw
    if state.early or not sum(state.invested):
        this.reserve_released, state.reserve = state.reserve, 0
    this.funding_after, this.reserve_after = state.funding, state.reserve
    this.invested_after, this.balance_after = list(state.invested), list(state.balance)
    this.overdue_after = list(state.overdue)


def test_spread(state: SeriesState, this: SeriesMonth, months: int) -> None:
    """The average excess spread of the last months; below zero, early amortisation begins the next month."""
    if this.period is Period.ENDED:
        return
    state.spreads.append(Fraction(12 * (this.earned - this.cost), this.invested))
    if len(state.spreads) >= months:
        # Exact: months that add up to nothing must not count as less.
        average = sum(state.spreads[-months:], Fraction(0)) / months
        this.average_spread = float(average)
        if average < 0:
            state.early = True


def _less(one: list[int], other: list[int]) -> list[int]:
    return [a - b for a, b in zip(one, other, strict=True)]


def _plus(one: list[int], other: list[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)]
