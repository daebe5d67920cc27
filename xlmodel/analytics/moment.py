"""One scenario of a deal run again, with what each clause found on one payment date."""

from __future__ import annotations

from dataclasses import dataclass

from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Clause, Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.receipts import MonthlyCents, Receipts, monthly_cents, receipts
from xlmodel.deal.rows import Cents
from xlmodel.deal.scenario import Scenarios, take
from xlmodel.deal.state import State
from xlmodel.deal.timeline import Timeline, timeline
from xlmodel.deal.waterfall import run
from xlmodel.pool.collateral import Collateral


@dataclass(frozen=True)
class Moment:
    """A payment date (``period`` from 0) of a run of one scenario, which is number 0 in all arrays.

    ``before``: the state and the cash, in cents, that each clause found, by its place in the table Payments;
    clauses of a priority that did not govern the date have none.
    """

    deal: Deal
    period: int
    scenario: str
    speed: float
    paid: Distributions
    monthly: MonthlyCents
    inputs: Receipts
    dates: Timeline
    before: dict[int, tuple[State, int]]

    @property
    def day(self) -> str:
        """The payment date, as it falls: 15 December 1999."""
        day = self.paid.dates.adjusted[self.period].item()
        return f"{day.day} {day:%B %Y}"

    def opening_balance(self, position: int) -> int:
        """What a class owes before the date, in cents."""
        if self.period:
            return int(self.paid.balance[0, self.period - 1, position])
        return int(self.paid.balance[0, 0, position] + self.paid.principal[0, 0, position])


def moment(deal: Deal, pool: Collateral, scenarios: Scenarios, number: int, period: int) -> Moment:
    """Run one scenario of several and keep what the clauses of a payment date found."""
    chosen = take(scenarios, [number])
    # As long as the run that is asked about: it lasts until the last recovery of all its scenarios.
    collections = collect(deal, pool, chosen, int(scenarios.recovery_lag.max()))
    dates = timeline(deal, collections.months)
    before: dict[int, tuple[State, int]] = {}

    def watch(clause: Clause, state: State, cash: Cents) -> None:
        if state.day == dates.dates.unadjusted[period]:
            # A trial comes before the payment, so what is kept last is the payment.
            before[deal.clauses.index(clause)] = state.copy(), int(cash[0])

    paid = run(deal, collections, chosen, watch)
    return Moment(
        deal,
        period,
        chosen.names[0],
        float(chosen.speed[0]),
        paid,
        monthly_cents(collections),
        receipts(deal, collections),
        dates,
        before,
    )
