"""Events of default, acceleration, rescission and sale of the trust property.

Who decides follows from the deal: with a policy it is the insurer, unless it is in default itself; else the
holders.  Whether and when they decide is an assumption of the scenario; whether they may, the run finds out.
Source of the regime: CarMax Auto Owner Trust 1999-1 prospectus, pages 65 to 67.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import product_cents
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import History, Line
from xlmodel.deal.layout import across, beside, some
from xlmodel.deal.scenario import Scenarios
from xlmodel.deal.state import State

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]

NEVER = 0
UNPAID = " unpaid"


class Regime:
    """The events of a run, kept up from payment date to payment date.  ``lines``: those of its ledger.

    ``by_holders``: where the holders have declared; ``overdue``: where the last payment left interest of the
    classes unpaid.
    """

    def __init__(self, deal: Deal, scenarios: Scenarios, lines: tuple[Line, ...]) -> None:
        self.deal, self.scenarios = deal, scenarios
        count = len(scenarios)
        self.history = History(
            occurred=np.zeros((count, len(deal.events)), dtype=np.int64),
            accelerated=np.zeros(count, dtype=np.int64),
            rescinded=np.zeros(count, dtype=np.int64),
            sold=np.zeros(count, dtype=np.int64),
            refused=np.zeros(count, dtype=np.int64),
        )
        decisions = ("stated event", "holders declare", "insurer declares")
        self.first_decision = min(scenarios.earliest[name] for name in decisions)
        self.by_holders = np.zeros(count, dtype=bool)
        self.overdue = np.zeros(count, dtype=bool)
        self.notes = sorted({position for event in deal.events for position in event.classes})
        self.interest_of_notes = _payments_to(self.notes, "interest", lines)
        self.payments = [
            _payments_to(event.classes, event.kind.removesuffix(UNPAID), lines) for event in deal.events
        ]
        # Payments past the collection account have money of their own: they are never short.
        watched = {*self.interest_of_notes, *(line for each in self.payments for line in each)}
        self.watched = sorted(line for line in watched if not lines[line].direct)

    def watches(self, lines: Collection[int]) -> bool:
        """Whether an event could come of one of these lines."""
        return not set(self.watched).isdisjoint(lines)

    def insurer_default(self, number: int) -> Flags:
        """Whether the insurer pays nothing on a payment date."""
        return self.scenarios.from_date("insurer default", number)

    def before_payment(self, state: State, number: int) -> None:
        """Stated events, then acceleration and rescission that govern this payment date."""
        if number < self.first_decision:
            return
        history = self.history
        for position, event in enumerate(self.deal.events):
            if event.kind == "stated":
                self._occur(position, self.scenarios.from_date("stated event", number), number)
        holders_decide = (
            self.insurer_default(number) if self.deal.policies else np.ones_like(state.accelerated)
        )
        declared = np.where(
            holders_decide,
            self.scenarios.from_date("holders declare", number),
            self.scenarios.from_date("insurer declares", number),
        )
        outstanding = across(state.balance) > 0
        now = (
            declared
            & (history.occurred != NEVER).any(axis=1)
            & ~state.accelerated
            & (history.rescinded == NEVER)
            & outstanding
        )
        state.accelerated = state.accelerated | now
        history.accelerated = np.where(now, number, history.accelerated)
        self.by_holders = self.by_holders | (now & holders_decide)
        # Only what the holders have declared can be taken back, and only once nothing is overdue any more.
        cured = ~self.overdue
        back = self.scenarios.from_date("rescinded", number) & state.accelerated & self.by_holders & cured
        state.accelerated = state.accelerated & ~back
        history.rescinded = np.where(back, number, history.rescinded)

    def sale(self, state: State, number: int) -> tuple[Flags, Cents]:
        """Where the trust property is sold on this payment date, and for how much, both (scenario,).

        By the insurer where it declared, else by the trustee; each has tests of its own.
        """
        if number < self.scenarios.earliest["sale"]:
            return beside(*state.accelerated.shape, dtype=bool), beside(*state.pool.shape)
        asked: Flags = (
            self.scenarios.on_date("sale", number) & state.accelerated & (self.history.sold == NEVER)
        )
        if not some(asked):
            return asked, beside(*state.pool.shape)
        price = product_cents(state.pool, self.scenarios.sale_price, 1, 1)
        owed = state.balance[:, self.notes].sum(axis=1) + state.interest[:, self.notes].sum(axis=1)
        to_insurer = across(state.premium) + across(state.unreimbursed)
        consent = np.array([word == "all" for word in self.scenarios.consent])
        partly = np.array([word == "two thirds" for word in self.scenarios.consent])
        always = self._occurred_with("always")
        by_insurer = ~self.by_holders & (always | (price >= owed))
        # The trustee's own finding that the property will not suffice is part of the scenario's consent.
        payment_default = self._occurred_kind("interest unpaid") | self._occurred_kind("principal unpaid")
        by_trustee = self.by_holders & (payment_default | consent | partly | (price >= owed + to_insurer))
        allowed: Flags = asked & (by_insurer | by_trustee)
        self.history.sold = np.where(allowed, number, self.history.sold)
        self.history.refused = np.where(asked & ~allowed, number, self.history.refused)
        return allowed, np.where(allowed, price, 0)

    def after_payment(
        self, short: Cents, doubtful: Sequence[slice], claim: Cents, accelerated: Flags, number: int
    ) -> None:
        """Events that the payments of this date bring about; ``short`` by line of the ledger.

        ``doubtful``: lines that may be short.  Principal that is due only because of the
        acceleration is no default (page 66).
        """
        lines = self._short(short, doubtful)
        self.overdue = _any(lines, self.interest_of_notes, len(claim))
        for position, event in enumerate(self.deal.events):
            if event.kind == "policy claim" and some(claim):
                self._occur(position, across(claim) > 0, number)
            elif lines and event.kind.endswith(UNPAID):
                excused = accelerated & event.kind.startswith("principal")
                self._occur(position, _any(lines, self.payments[position], len(claim)) & ~excused, number)

    def _short(self, short: Cents, doubtful: Sequence[slice]) -> dict[int, Flags]:
        """Where lines that make an event are short, by line; none where all are paid, as they mostly are."""
        lines = [line for part in doubtful for line in self.watched if part.start <= line < part.stop]
        return {line: short[:, line] > 0 for line in lines if some(short[:, line])}

    def _occur(self, position: int, happens: Flags, number: int) -> None:
        first = happens & (self.history.occurred[:, position] == NEVER)
        self.history.occurred[first, position] = number

    def _occurred_with(self, sale: str) -> Flags:
        chosen = [n for n, event in enumerate(self.deal.events) if event.sale == sale]
        return np.asarray((self.history.occurred[:, chosen] != NEVER).any(axis=1))

    def _occurred_kind(self, kind: str) -> Flags:
        chosen = [n for n, event in enumerate(self.deal.events) if event.kind == kind]
        return np.asarray((self.history.occurred[:, chosen] != NEVER).any(axis=1))


def _any(short: dict[int, Flags], lines: Collection[int], scenarios: int) -> Flags:
    """Where some of these lines are short, (scenario,)."""
    found = np.zeros(scenarios, dtype=bool)
    for line in short.keys() & lines:
        found |= short[line]
    return found


def _payments_to(classes: Collection[int], kind: str, lines: tuple[Line, ...]) -> list[int]:
    """The lines that pay classes interest, or principal."""
    return [n for n, line in enumerate(lines) if line.kind == kind and line.position in classes]
