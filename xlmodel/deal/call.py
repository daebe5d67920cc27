"""The option to purchase what is left of the pool, on the first payment date that allows it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import interest_cents
from xlmodel.deal.check import ORDINARY
from xlmodel.deal.definition import Call, Deal
from xlmodel.deal.layout import across, beside, some
from xlmodel.deal.rows import measure
from xlmodel.deal.state import State
from xlmodel.deal.steps import Fee

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Option:
    """The clean-up call of a deal, for one run."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        # A fee that is due only after a sale does not count yet.
        names = {name for c in deal.priority(ORDINARY) if isinstance(c.step, Fee) for name in c.step.names}
        self.fees = [position for position, fee in enumerate(deal.fees) if fee.name in names]
        self.base: Cents | None = None
        self.part: Cents | None = None

    def exercise(self, state: State, cash: Cents, gone: Flags) -> Cents:
        """Exercise the call where its test is met for the first time; the price, (scenario,).

        The purchaser pays what is owed to the holders and to policies, or the pool's balance.  It does so
        only where the pool and what came in are worth what is owed, fees included: nobody buys at a loss.
        ``gone``: scenarios whose pool has been purchased or sold.
        """
        call = self.deal.call
        if call is None or not call.exercised:
            return beside(*state.pool.shape)
        met = (measure(self.deal, call.test, state) <= self._threshold(call, state)) & ~gone
        if not some(met):
            return beside(*state.pool.shape)
        outstanding = across(state.balance)
        owed = outstanding + across(state.interest)
        owed = owed + across(state.premium) + across(state.unreimbursed)
        worth = state.pool + cash >= owed + state.fees[:, self.fees].sum(axis=1)
        now = met & worth & ~state.accelerated & (outstanding > 0)
        price = np.where(now, state.pool if call.price == "pool" else owed, 0)
        state.called = state.called | now
        state.have_pool(np.where(now, 0, state.pool))
        return price

    def _threshold(self, call: Call, state: State) -> Cents:
        """The part of the base that the test is compared with, in whole cents.

        A whole number is at most a part of the base where it is at most the whole cents of that, which is
        exact at any size; 0.1 is 1/10 there, not the nearest binary.
        """
        base = measure(self.deal, call.base, state)
        if self.part is None or base is not self.base:  # the cutoff pool is the same on every date
            self.base, self.part = base, interest_cents(base, call.part, 1, 1, "truncate")
        return self.part
