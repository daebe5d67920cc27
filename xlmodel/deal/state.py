"""What a payment date starts from and leaves behind: cents, all scenarios at once."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from xlmodel.deal.definition import Deal

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass
class State:
    """Shapes: (scenario,), or (scenario, class | fee | account | policy).

    ``interest``, ``fees``, ``premium`` are due, overdue amounts included; ``unreimbursed`` is what policies
    have paid and not been given back, with interest; ``principal_unpaid`` is what earlier rows of this date
    owe and could not pay; ``final`` marks classes whose final scheduled payment date has come.
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
    final: Flags

    def copy(self) -> State:
        """A state of its own, for a trial run."""
        return replace(self, **{field.name: getattr(self, field.name).copy() for field in fields(self)})

    def take_over(self, other: State) -> None:
        """Become another state."""
        for field in fields(self):
            setattr(self, field.name, getattr(other, field.name))


def opening_state(deal: Deal, cutoff_pool: Cents) -> State:
    """The state before the first payment date of a run: at closing, or as the table Opening says."""
    scenarios = len(cutoff_pool)

    def repeated(names: list[str], initial: list[int], kind: str) -> Cents:
        values = list(initial)
        for opening in deal.opening:
            if opening.kind == kind:
                values[names.index(opening.of)] = opening.amount
        return np.tile(np.array(values, dtype=np.int64), (scenarios, 1))

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
        final=np.zeros(len(classes), dtype=bool),
    )
