"""A Transfer Restriction Event: what is collected once the transferor can transfer no more receivables.

Clause, Account Allocations.  The first collections received on the accounts belong to the trust until it has
been paid as much as the receivables that it held at the event.  Only where law forbids that are payments on
each account applied to its oldest balance first.
"""

from __future__ import annotations

from collections.abc import Sequence

from xlmodel.trust.shares import in_order


def first_received(collections: Sequence[int], held: int) -> list[int]:
    """What of each collection, in the order of receipt, belongs to a trust that held so much."""
    return in_order(held, collections)


def oldest_first(payments: Sequence[int], balances: Sequence[Sequence[int]]) -> list[list[int]]:
    """The payment on each account by balance, oldest first; a payment beyond the balances is left out."""
    return [in_order(payment, ages) for payment, ages in zip(payments, balances, strict=True)]
