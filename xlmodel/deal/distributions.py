"""What a run books: the ledger, and the columns that are read from it.  All amounts are int64 cents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.schedule import PaymentDates

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Line:
    """One payee of one clause.  ``kind`` is fee, interest, principal, account or party.

    ``position`` is the place of the fee, class or account in the deal's table; 0 for a party.
    """

    clause: str
    row: int
    kind: str
    payee: str
    position: int


@dataclass(frozen=True)
class Ledger:
    """Every payment from the collection account: arrays (scenario, payment date, line).

    ``due`` is what the clause owed the payee, ``paid`` what it got, ``cash_left`` what remained afterwards.
    """

    lines: tuple[Line, ...]
    due: Cents
    paid: Cents
    cash_left: Cents

    def total(self, kind: str, position: int | None = None) -> Cents:
        """Paid to all lines of a kind, (scenario, payment date)."""
        total: Cents = self.paid[:, :, self._columns(kind, position)].sum(axis=2)
        return total

    def total_due(self, kind: str, position: int | None = None) -> Cents:
        """Due to all lines of a kind, (scenario, payment date)."""
        total: Cents = self.due[:, :, self._columns(kind, position)].sum(axis=2)
        return total

    def _columns(self, kind: str, position: int | None) -> list[int]:
        return [
            number
            for number, line in enumerate(self.lines)
            if line.kind == kind and position in (None, line.position)
        ]


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


@dataclass(frozen=True)
class Distributions:
    """A run of a deal: P payment dates, C classes, S scenarios.

    ``interest``, ``principal``, ``balance``: (S, P, C), paid and left after payment.  ``pool``, ``available``
    (collections and the price of a call), ``called`` (on this date or before): (S, P).
    """

    dates: PaymentDates
    classes: tuple[str, ...]
    initial_balance: Cents
    interest: Cents
    principal: Cents
    balance: Cents
    pool: Cents
    available: Cents
    called: Flags
    accounts: Accounts
    ledger: Ledger

    @property
    def factor(self) -> NDArray[np.float64]:
        """Balance over initial balance, not rounded: (S, P, C)."""
        return self.balance / self.initial_balance
