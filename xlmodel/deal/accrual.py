"""What comes due with a payment date: interest, fees, named amounts, premium, interest on past claims."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import interest_cents, product_cents
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Interest
from xlmodel.deal.layout import Room, columns_at, some
from xlmodel.deal.receipts import Receipts
from xlmodel.deal.rows import measure
from xlmodel.deal.state import MISSING, State
from xlmodel.deal.steps import Amount
from xlmodel.deal.timeline import Timeline
from xlmodel.errors import OutOfRange

Flags = NDArray[np.bool_]


class Accrual:
    """Adds what comes due to the state, date by date; ``interest`` keeps it by class."""

    def __init__(self, deal: Deal, inputs: Receipts, dates: Timeline, room: Room) -> None:
        self.deal, self.inputs, self.dates = deal, inputs, dates
        self.interest = Interest(*(room.take(len(deal.classes)) for _ in range(3)))
        self.roundings = {
            rounding: columns_at(tuple(n for n, c in enumerate(deal.classes) if c.rounding == rounding))
            for rounding in {note_class.rounding for note_class in deal.classes}
        }
        self.unknown = np.isnan(dates.rate)
        named = {clause.step.schedule for clause in deal.clauses if isinstance(clause.step, Amount)}
        self.amounts = [n for n, schedule in enumerate(deal.schedules) if schedule in named]

    def accrue(self, state: State, period: int, gone: Flags) -> None:
        """Everything that a date adds.  ``gone``: scenarios whose pool has been purchased or sold."""
        self._interest(state, period)
        for position in self.amounts:
            amount = int(state.scheduled[position])
            if amount != MISSING:  # a swap payment may end before the deal
                state.amounts[:, position] += np.where(gone, 0, max(amount, 0))
        fees = self.inputs.fees[:, period]
        state.fees = state.fees + (np.where(gone[:, None], 0, fees) if some(gone) else fees)
        for position, policy in enumerate(self.deal.policies):
            paid = state.unreimbursed[:, position]
            if some(paid):
                state.unreimbursed[:, position] = paid + product_cents(paid, policy.reimbursement, 1, 12)
            if policy.premium:
                base = measure(self.deal, policy.base, state)
                state.premium[:, position] += np.where(gone, 0, product_cents(base, policy.premium, 1, 12))

    def _interest(self, state: State, period: int) -> None:
        """Interest of the period, and interest on what is overdue."""
        rates = self._rates(state, period)
        for rounding, columns in self.roundings.items():
            terms = (
                rates[columns],
                self.dates.numerator[period, columns],
                self.dates.denominator[period, columns],
            )
            overdue = state.interest[:, columns]
            accrued = interest_cents(state.balance[:, columns], *terms, rounding)
            self.interest.accrued[:, period, columns] = accrued
            if some(overdue):
                on_overdue = interest_cents(overdue, *terms, rounding)
                self.interest.overdue[:, period, columns] = overdue
                self.interest.on_overdue[:, period, columns] = on_overdue
                accrued = accrued + overdue + on_overdue
            state.interest[:, columns] = accrued

    def _rates(self, state: State, period: int) -> NDArray[np.float64]:
        """Rates of the period by class; an index must have one for every date on which its class is owed."""
        rates: NDArray[np.float64] = self.dates.rate[period]
        unknown = self.unknown[period]
        if not some(unknown):
            return rates
        for position in np.flatnonzero(unknown).tolist():
            note_class = self.deal.classes[position]
            if state.balance[:, position].any() or state.interest[:, position].any():
                raise OutOfRange(
                    f"the index {note_class.index!r} has no rate for {self.dates.dates.unadjusted[period]}, "
                    f"and class {note_class.name} is outstanding",
                    remedy="add a row of the schedule for each payment date",
                ).at(**note_class.record.place("index"))
        return np.where(unknown, 0.0, rates)
