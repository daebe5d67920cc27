"""What an agent bank does with the funds that it receives under a loan agreement; cents.

Clause, Payments and Collections.  Before an event of default each receipt goes to the banks rateably by the
percentage of its kind; after one, whatever the funds are, four rungs (a) to (d) are paid in order.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from xlmodel.trust.shares import capped, in_proportion

TERM, REVOLVING = "term", "revolving"
# Kinds of funds, and by which percentage the banks share them before an event of default.
KINDS: dict[str, str | None] = {
    "term notes": TERM,
    "revolving notes": REVOLVING,
    "revolving commitment fees": REVOLVING,
    "letter of credit fees": REVOLVING,
    "collateral": None,
    "guaranty": None,
}


@dataclass(frozen=True)
class Bank:
    """A bank: its percentages in billionths, and its unreimbursed costs of collection."""

    name: str
    term: int
    revolving: int
    total: int
    costs: int


@dataclass(frozen=True)
class Provider:
    """A Rate Protection Provider and what is owed to it."""

    name: str
    owed: int


@dataclass(frozen=True)
class Agreement:
    """A loan agreement and what is owed under it when an event of default occurs."""

    agent: str
    default_date: dt.date | None
    agent_costs: int
    notes: int
    commitment_fees: int
    letter_of_credit_fees: int
    undrawn: int
    holding_account: str
    banks: tuple[Bank, ...]
    providers: tuple[Provider, ...]


@dataclass(frozen=True)
class Receipt:
    """Funds that the agent receives."""

    date: dt.date
    kind: str
    amount: int


@dataclass(frozen=True)
class Claim:
    """What somebody is owed on a rung after an event of default."""

    rung: str
    payee: str
    purpose: str
    due: int


@dataclass(frozen=True)
class Payment:
    """A claim, what was paid on it and what it is still short."""

    claim: Claim
    paid: int

    @property
    def short(self) -> int:
        return self.claim.due - self.paid


@dataclass(frozen=True)
class Distribution:
    """A receipt by payee: banks, agent, providers, holding account; ``left`` is what no rung takes."""

    receipt: Receipt
    after_default: bool
    banks: list[int]
    agent: int
    providers: list[int]
    holding: int
    left: int


def claims(agreement: Agreement) -> list[Claim]:
    """All that is owed after an event of default, rung by rung."""
    banks, providers = agreement.banks, agreement.providers
    notes = in_proportion(agreement.notes, [bank.total for bank in banks])
    fees = in_proportion(
        agreement.commitment_fees + agreement.letter_of_credit_fees, [bank.revolving for bank in banks]
    )
    return [
        Claim("a", agreement.agent, "costs of collection", agreement.agent_costs),
        *(Claim("a", bank.name, "costs of collection", bank.costs) for bank in banks),
        *(Claim("b", bank.name, "notes", due) for bank, due in zip(banks, notes, strict=True)),
        *(Claim("b", one.name, "rate protection agreements", one.owed) for one in providers),
        *(Claim("c", bank.name, "unpaid fees", due) for bank, due in zip(banks, fees, strict=True)),
        Claim("d", agreement.holding_account, "undrawn letters of credit", agreement.undrawn),
    ]


def rung_by_rung(funds: int, owed: Sequence[Claim]) -> list[Payment]:
    """Each rung in full before the next; within a rung in proportion to what is owed."""
    return [
        Payment(claim, paid)
        for claim, paid in zip(
            owed, by_rungs(funds, [one.rung for one in owed], [one.due for one in owed]), strict=True
        )
    ]


def by_rungs(funds: int, rungs: Sequence[str], due: Sequence[int]) -> list[int]:
    """What each claim is paid; rungs in the order in which they first come."""
    paid = [0] * len(due)
    for rung in dict.fromkeys(rungs):
        places = [n for n, name in enumerate(rungs) if name == rung]
        for place, amount in zip(places, capped(funds, [due[n] for n in places]), strict=True):
            paid[place] = amount
            funds -= amount
    return paid


def distribute(agreement: Agreement, receipts: Sequence[Receipt]) -> list[Distribution]:
    """The receipts in order.  After an event of default each lowers what is still owed on the rungs."""
    owed = claims(agreement)
    found = []
    for receipt in receipts:
        if agreement.default_date is None or receipt.date < agreement.default_date:
            found.append(_rateably(agreement, receipt))
            continue
        payments = rung_by_rung(receipt.amount, owed)
        found.append(_by_payee(agreement, receipt, payments))
        owed = [Claim(one.claim.rung, one.claim.payee, one.claim.purpose, one.short) for one in payments]
    return found


def _rateably(agreement: Agreement, receipt: Receipt) -> Distribution:
    by_term = KINDS[receipt.kind] == TERM
    weights = [bank.term if by_term else bank.revolving for bank in agreement.banks]
    shares = in_proportion(receipt.amount, weights)
    return Distribution(receipt, False, shares, 0, [0] * len(agreement.providers), 0, 0)


def _by_payee(agreement: Agreement, receipt: Receipt, payments: Sequence[Payment]) -> Distribution:
    """Payments stand as ``claims`` lists them: agent, banks, banks, providers, banks, holding account."""
    paid = [one.paid for one in payments]
    count, more = len(agreement.banks), len(agreement.providers)
    costs, notes = paid[1 : 1 + count], paid[1 + count : 1 + 2 * count]
    providers = paid[1 + 2 * count : 1 + 2 * count + more]
    fees = paid[1 + 2 * count + more : -1]
    banks = [sum(three) for three in zip(costs, notes, fees, strict=True)]
    return Distribution(receipt, True, banks, paid[0], providers, paid[-1], receipt.amount - sum(paid))
