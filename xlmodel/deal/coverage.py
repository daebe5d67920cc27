"""What accounts and policies pay on a date: drawn for the clauses that they cover, accounts first.

The amount comes from the clauses themselves, run once as if nothing were accelerated and there were money
for all.  While a deal is accelerated, clauses listed as direct are paid past the collection account: their
interest in full, because collections no longer reach it, and after what stands above them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.allocation import in_turn
from xlmodel.deal.backing import Backing, Places
from xlmodel.deal.priority import Priority
from xlmodel.deal.rows import pay_row
from xlmodel.deal.state import State
from xlmodel.deal.steps import Remainder, TopUp

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]

# More than any deal holds (ten trillion dollars), far from where int64 sums overflow.
_PLENTY = 10**15


@dataclass(frozen=True)
class Coverage:
    """``draw``: (scenario, account); ``claim``: (scenario, policy), both paid in full.

    ``direct``: the part of them that goes straight to payees, (scenario, line), by the lines of the list.
    """

    draw: Cents
    claim: Cents
    direct: Cents

    @classmethod
    def nothing(cls, state: State, lines: int) -> Coverage:
        """A blank one."""
        direct = np.zeros((len(state.pool), lines), dtype=np.int64)
        return cls(np.zeros_like(state.account), np.zeros_like(state.unreimbursed), direct)


def cover(payments: Priority, state: State, cash: Cents, insurer_default: Flags) -> Coverage:
    """What accounts and policies pay towards a list of clauses when ``cash`` has come in."""
    coverage = Coverage.nothing(state, len(payments.lines))
    if not payments.backings:
        return coverage
    draw, claim, direct = coverage.draw, coverage.claim, coverage.direct
    owed = _owed(payments, state)
    unlimited = np.where(insurer_default, 0, _PLENTY)
    sources = [(state.account[:, n], draw[:, n]) for n in range(draw.shape[1])]
    sources += [(unlimited, claim[:, n]) for n in range(claim.shape[1])]
    given = np.zeros_like(owed)
    for backing, (capacity, paid) in zip(payments.backings, sources, strict=True):
        short = _short(backing, owed, cash, state.accelerated) - given
        for rows, sequence, past in _orders(backing, state.accelerated):
            cells = (rows, sequence) if isinstance(rows, slice) else np.ix_(rows, sequence)
            wanted = np.maximum(short[cells], 0)
            part = in_turn(np.minimum(capacity[rows], wanted.sum(axis=1)), wanted)
            given[cells] += part
            paid[rows] = part.sum(axis=1)
            direct[cells] += np.where(past, part, 0)
    return coverage


def _owed(payments: Priority, state: State) -> Cents:
    """Due by line, (scenario, line), were nothing accelerated and there were money for every clause."""
    trial = state.copy()
    trial.accelerated = np.zeros_like(trial.accelerated)
    cash = np.full(len(state.pool), _PLENTY, dtype=np.int64)
    due = np.zeros((len(cash), len(payments.lines)), dtype=np.int64)
    for row, columns in zip(payments.rows, payments.columns, strict=True):
        if not isinstance(row.clause.step, TopUp | Remainder):
            found = pay_row(row, trial, cash)
            if found is not None:
                due[:, columns], _, cash = found
    return due


def _short(backing: Backing, owed: Cents, cash: Cents, accelerated: Flags) -> Cents:
    """What collections leave unpaid of the covered lines, after all that stands above, (scenario, line)."""
    in_full = accelerated[:, None] & backing.is_in_full
    reached = np.where(in_full, 0, owed)
    short = np.where(backing.is_covered, reached - in_turn(cash, reached), 0)
    return np.where(in_full, owed, short)


def _orders(
    backing: Backing, accelerated: Flags
) -> Iterator[tuple[slice | NDArray[np.intp], Places, NDArray[np.bool_]]]:
    """Scenarios, the covered lines in the order in which they are paid, and which of them directly."""
    everywhere = slice(None)
    if not accelerated.all():
        rows = np.flatnonzero(~accelerated) if accelerated.any() else everywhere
        yield rows, backing.covered, np.zeros(len(backing.covered), dtype=bool)
    if accelerated.any():
        rows = everywhere if accelerated.all() else np.flatnonzero(accelerated)
        yield rows, backing.when_accelerated, backing.direct
