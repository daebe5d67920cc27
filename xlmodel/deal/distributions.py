"""What a run books: the ledger, and the columns that are read from it.  All amounts are int64 cents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.schedule import PaymentDates

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]


COLLECTION_ACCOUNT = "collection account"


@dataclass(frozen=True)
class Line:
    """One payee of one clause, paid from ``account``.

    ``kind`` is fee, interest, principal, amount, premium, reimbursement, account or party.  ``row`` is the
    place of the clause in the deal's Payments table, ``position`` that of the fee, class, policy or account
    in its table; 0 for a party.  ``ordinary`` tells the ordinary priority from that of a sale; a ``direct``
    line is paid past the collection account.
    """

    account: str
    clause: str
    row: int
    kind: str
    payee: str
    position: int
    ordinary: bool = True
    direct: bool = False


class Page(NamedTuple):
    """A part of the ledger on one date: paid and short, (scenario, line), and what came in, (scenario,)."""

    paid: Cents
    short: Cents
    at_hand: Cents


@dataclass(frozen=True)
class Ledger:
    """Every payment: arrays (scenario, payment date, line).

    ``paid`` is what the payee got, ``short`` what it was owed besides.  ``parts`` are the lines that money
    runs down, one after the other; ``at_hand`` is what each had to pay from, (scenario, payment date, part).
    """

    lines: tuple[Line, ...]
    parts: tuple[slice, ...]
    paid: Cents
    short: Cents
    at_hand: Cents

    @cached_property
    def due(self) -> Cents:
        """What the clause owed the payee."""
        return self.paid + self.short

    @cached_property
    def cash_left(self) -> Cents:
        """What remained after each line."""
        left = np.zeros_like(self.paid)
        for number, part in enumerate(self.parts):
            money = self.at_hand[:, :, number, None]
            left[:, :, part] = money - np.cumsum(self.paid[:, :, part], axis=-1)
        return left

    def page(self, period: int, part: int) -> Page:
        """A part of it on one payment date, to be read or written."""
        lines = self.parts[part]
        return Page(self.paid[:, period, lines], self.short[:, period, lines], self.at_hand[:, period, part])

    def total(self, kind: str, position: int | None = None) -> Cents:
        """Paid to all lines of a kind, (scenario, payment date)."""
        total = np.zeros_like(self.paid[:, :, 0])
        for number, line in enumerate(self.lines):
            if line.kind == kind and position in (None, line.position):
                total += self.paid[:, :, number]
        return total


@dataclass(frozen=True)
class Interest:
    """Interest due: of the period, overdue, and on what is overdue: (scenario, payment date, class)."""

    accrued: Cents
    overdue: Cents
    on_overdue: Cents


@dataclass(frozen=True)
class Accounts:
    """Accounts beside the collection account: arrays (scenario, payment date, account).

    closing = opening + deposit - draw - release.
    """

    names: tuple[str, ...]
    requirement: Cents
    opening: Cents
    deposit: Cents
    draw: Cents
    release: Cents
    closing: Cents

    @property
    def arrays(self) -> tuple[Cents, ...]:
        """Requirement, opening, deposit, draw, release, closing."""
        return self.requirement, self.opening, self.deposit, self.draw, self.release, self.closing


@dataclass(frozen=True)
class Policies:
    """Insurance policies: arrays (scenario, payment date, policy).

    ``claim`` is paid for clauses, ``preference`` and ``prepayment`` besides; ``unreimbursed`` is what is
    still owed for all of them afterwards, with interest.
    """

    names: tuple[str, ...]
    claim: Cents
    preference: Cents
    prepayment: Cents
    unreimbursed: Cents

    @property
    def paid(self) -> Cents:
        """All that they paid."""
        return self.claim + self.preference + self.prepayment


@dataclass
class History:
    """Payment date numbers, 1 for the first, 0 where it did not happen: arrays (scenario,).

    ``occurred``: (scenario, event of default).  ``refused`` is a sale that was asked for and not allowed.
    """

    occurred: Cents
    accelerated: Cents
    rescinded: Cents
    sold: Cents
    refused: Cents


@dataclass(frozen=True)
class Distributions:
    """A run of a deal: P payment dates, C classes, S scenarios.

    ``balance``: (S, P, C), left after payment; ``opening_balance``, (S, C), before the first.  ``pool``,
    ``available`` (collections and the price of a call or sale), ``called`` and ``accelerated`` (on this
    date): (S, P).
    """

    dates: PaymentDates
    classes: tuple[str, ...]
    initial_balance: Cents
    opening_balance: Cents
    interest_due: Interest
    balance: Cents
    pool: Cents
    available: Cents
    called: Flags
    accelerated: Flags
    accounts: Accounts
    policies: Policies
    ledger: Ledger
    history: History

    @cached_property
    def principal(self) -> Cents:
        """Paid to each class: what its balance has fallen by, (S, P, C)."""
        before = np.concatenate([self.opening_balance[:, None], self.balance[:, :-1]], axis=1)
        return before - self.balance

    @cached_property
    def interest(self) -> Cents:
        """Paid to each class, by whichever clause or account, (S, P, C)."""
        return np.stack([self.ledger.total("interest", n) for n in range(len(self.classes))], axis=2)

    @property
    def factor(self) -> NDArray[np.float64]:
        """Balance over initial balance, not rounded: (S, P, C)."""
        return self.balance / self.initial_balance
