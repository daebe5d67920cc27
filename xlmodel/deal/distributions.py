"""What a run books: the ledger, and the columns that are read from it.  All amounts are int64 cents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.schedule import PaymentDates
from xlmodel.deal.layout import beside

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]


COLLECTION_ACCOUNT = "collection account"


@dataclass(frozen=True)
class Line:
    """One payee of one clause, paid from ``account``.

    ``kind`` is fee, interest, principal, premium, reimbursement, account or party.  ``row`` is the place of
    the clause in the deal's Payments table, ``position`` that of the fee, class, policy or account in its
    table; 0 for a party.  ``ordinary`` tells the ordinary priority from that of a sale; a ``direct`` line is
    paid past the collection account.
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
    """Payments of one date by line, (scenario, line): due, paid, and the cash left after each."""

    due: Cents
    paid: Cents
    cash_left: Cents

    @classmethod
    def blank(cls, scenarios: int, lines: int) -> Page:
        """Room for so many lines."""
        return cls(*(beside(scenarios, lines) for _ in range(3)))


@dataclass(frozen=True)
class Ledger:
    """Every payment from the collection account: arrays (scenario, payment date, line).

    ``due`` is what the clause owed the payee, ``paid`` what it got, ``cash_left`` what remained afterwards.
    """

    lines: tuple[Line, ...]
    due: Cents
    paid: Cents
    cash_left: Cents

    def page(self, period: int, lines: slice = slice(None)) -> Page:
        """Some lines of one payment date, to be read or written."""
        return Page(*(amounts[:, period, lines] for amounts in (self.due, self.paid, self.cash_left)))

    def total(self, kind: str, position: int | None = None) -> Cents:
        """Paid to all lines of a kind, (scenario, payment date)."""
        return self._total(self.paid, kind, position)

    def total_due(self, kind: str, position: int | None = None) -> Cents:
        """Due to all lines of a kind, (scenario, payment date)."""
        return self._total(self.due, kind, position)

    def _total(self, amounts: Cents, kind: str, position: int | None) -> Cents:
        total = np.zeros_like(amounts[:, :, 0])
        for number, line in enumerate(self.lines):
            if line.kind == kind and position in (None, line.position):
                total += amounts[:, :, number]
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

    ``interest``, ``principal``, ``balance``: (S, P, C), paid and left after payment.  ``pool``, ``available``
    (collections and the price of a call or sale), ``called`` and ``accelerated`` (on this date): (S, P).
    """

    dates: PaymentDates
    classes: tuple[str, ...]
    initial_balance: Cents
    interest: Cents
    interest_due: Interest
    principal: Cents
    balance: Cents
    pool: Cents
    available: Cents
    called: Flags
    accelerated: Flags
    accounts: Accounts
    policies: Policies
    ledger: Ledger
    history: History

    @property
    def factor(self) -> NDArray[np.float64]:
        """Balance over initial balance, not rounded: (S, P, C)."""
        return self.balance / self.initial_balance
