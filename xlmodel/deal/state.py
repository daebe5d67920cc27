"""What a payment date starts from and leaves behind: cents, all scenarios at once."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import to_cents
from xlmodel.deal.definition import Deal
from xlmodel.deal.layout import Chosen, beside, laid_beside
from xlmodel.errors import OutOfRange

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]


SHARED = ("final", "day", "scheduled", "deal", "memo")
# What rows change in place; every other array is replaced by another one.
CHANGED = ("balance", "interest", "fees", "account", "premium", "unreimbursed", "amounts", "used")
MISSING = -(1 << 62)


@dataclass
class State:
    """Shapes: (scenario,), or (scenario, class | fee | account | policy).

    ``interest``, ``fees``, ``premium`` are due, overdue amounts included; ``unreimbursed`` is what policies
    have paid and not been given back, with interest; ``principal_unpaid`` is what earlier rows of this date
    owe and could not pay.  ``amounts`` are due under ``amount`` rows by schedule, ``used`` what limited rows
    have paid.  SHARED by all scenarios: ``final`` marks classes whose final scheduled payment
    date has come, ``day`` is the payment date (unadjusted), ``scheduled`` what schedules say for it, ``memo``
    the measures that no payment changes, once they have been asked for.
    """

    pool: Cents
    cutoff_pool: Cents
    called: Flags
    accelerated: Flags
    balance: Cents
    interest: Cents
    fees: Cents
    account: Cents
    premium: Cents
    unreimbursed: Cents
    principal_unpaid: Cents
    insurance_agreement: Cents
    triggered: Flags
    retiring: Flags
    amounts: Cents
    used: Cents
    final: Flags
    day: NDArray[np.datetime64]
    scheduled: Cents
    deal: Deal
    memo: dict[str, Cents] = field(default_factory=dict)

    def have_pool(self, pool: Cents) -> None:
        """The pool is this from now on; what was computed from another is forgotten."""
        self.pool, self.memo = pool, {}

    @property
    def at_cutoff(self) -> State:
        """The amounts as they were at the cutoff date: pool, initial balances, schedules."""
        initial = np.array([note_class.balance for note_class in self.deal.classes], dtype=np.int64)
        return replace(
            self,
            pool=self.cutoff_pool,
            balance=np.broadcast_to(initial, self.balance.shape),
            scheduled=scheduled_cents(self.deal, self.deal.cutoff_date),
            memo={},
        )

    def scheduled_amount(self, schedule: str) -> Cents:
        """What a schedule says for this date, (scenario,).

        Raises OutOfRange where it says nothing: a schedule must last as long as the deal.
        """
        amount = int(self.scheduled[list(self.deal.schedules).index(schedule)])
        if amount == MISSING:
            raise OutOfRange(
                f"the schedule {schedule!r} has no amount for {self.day}",
                remedy="add a row for each payment date",
            ).at(**self.deal.schedule_records[schedule].place("date"))
        return np.full(len(self.pool), amount, dtype=np.int64)

    def copy(self) -> State:
        """A state of its own, for a trial run."""
        other = State.__new__(State)
        other.take_over(self)
        for name in CHANGED:
            setattr(other, name, getattr(self, name).copy("K"))
        return other

    def of(self, chosen: Chosen) -> State:
        """The state of some scenarios; all of them are the state itself: the common case copies nothing."""
        if isinstance(chosen, slice):
            return self
        part = replace(self, memo={})
        for name in _OF_SCENARIOS:
            setattr(part, name, laid_beside(getattr(self, name)[chosen]))
        return part

    def give_back(self, part: State, chosen: Chosen) -> None:
        """Take the state of some scenarios back from ``of``."""
        if part is not self:
            for name in _OF_SCENARIOS:
                whole = getattr(self, name).copy("K")
                whole[chosen] = getattr(part, name)
                setattr(self, name, whole)

    def take_over(self, other: State) -> None:
        """Become another state."""
        vars(self).update(vars(other))


_OF_SCENARIOS = tuple(each.name for each in fields(State) if each.name not in SHARED)


def as_date(day: NDArray[np.datetime64] | dt.date) -> dt.date:
    """A day of the timeline as a date."""
    return day if isinstance(day, dt.date) else dt.date.fromisoformat(str(day))


def opening_state(deal: Deal, cutoff_pool: Cents) -> State:
    """The state before the first payment date of a run: at closing, or as the table Opening says."""
    scenarios = len(cutoff_pool)

    def repeated(names: list[str], initial: list[int], kind: str) -> Cents:
        values = list(initial)
        for opening in deal.opening:
            if opening.kind == kind:
                values[names.index(opening.of)] = opening.amount
        return laid_beside(np.tile(np.array(values, dtype=np.int64), (scenarios, 1)))

    classes = [note_class.name.lower() for note_class in deal.classes]
    fees = [fee.name for fee in deal.fees]
    accounts = [account.name for account in deal.accounts]
    policies = [policy.name for policy in deal.policies]
    nothing = np.zeros(scenarios, dtype=np.int64)
    stated = None if deal.cutoff_pool is None else np.full(scenarios, deal.cutoff_pool, dtype=np.int64)
    return State(
        pool=cutoff_pool,
        cutoff_pool=cutoff_pool if stated is None else stated,
        called=np.zeros(scenarios, dtype=bool),
        accelerated=np.zeros(scenarios, dtype=bool),
        balance=repeated(classes, [note_class.balance for note_class in deal.classes], "balance"),
        interest=repeated(classes, [0] * len(classes), "overdue interest"),
        fees=repeated(fees, [0] * len(fees), "overdue fee"),
        account=repeated(accounts, [account.initial for account in deal.accounts], "account"),
        premium=repeated(policies, [0] * len(policies), "overdue premium"),
        unreimbursed=repeated(policies, [0] * len(policies), "unreimbursed"),
        principal_unpaid=nothing,
        insurance_agreement=nothing,
        triggered=beside(scenarios, len(deal.triggers), dtype=bool),
        retiring=np.zeros(scenarios, dtype=bool),
        amounts=beside(scenarios, len(deal.schedules)),
        used=beside(scenarios, len(deal.limited)),
        final=np.zeros(len(classes), dtype=bool),
        day=np.array(deal.cutoff_date, dtype="M8[D]"),
        scheduled=scheduled_cents(deal, deal.cutoff_date),
        deal=deal,
    )


def scheduled_cents(deal: Deal, day: NDArray[np.datetime64] | dt.date) -> Cents:
    """What each schedule says for a day, in cents; MISSING where it says nothing."""
    if not deal.schedules:
        return np.empty(0, dtype=np.int64)
    date = as_date(day)
    found = [amounts.get(date) for amounts in deal.schedules.values()]
    return np.array(
        [MISSING if amount is None else int(to_cents(amount)) for amount in found], dtype=np.int64
    )
