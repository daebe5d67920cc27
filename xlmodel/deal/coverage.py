"""What accounts and policies pay on a date: drawn for the clauses that they cover, accounts first.

The amount comes from the clauses themselves, run once as if nothing were accelerated and there were money
for all.  While a deal is accelerated, clauses listed as direct are paid past the collection account: their
interest in full, because collections no longer reach it, and after what stands above them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.allocation import sequential
from xlmodel.deal.definition import Account, Clause, Deal, Policy
from xlmodel.deal.distributions import Line
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
        """Where collections are enough."""
        direct = np.zeros((len(state.pool), lines), dtype=np.int64)
        return cls(np.zeros_like(state.account), np.zeros_like(state.unreimbursed), direct)


def cover(
    deal: Deal,
    clauses: tuple[Clause, ...],
    lines: tuple[Line, ...],
    columns: list[list[int]],
    state: State,
    cash: Cents,
    insurer_default: Flags,
) -> Coverage:
    """What accounts and policies pay towards a list of clauses when ``cash`` has come in."""
    coverage = Coverage.nothing(state, len(lines))
    if not deal.sources:
        return coverage
    draw, claim, direct = coverage.draw, coverage.claim, coverage.direct
    owed = _owed(deal, clauses, lines, columns, state)
    sources: list[tuple[Account | Policy, Cents, Cents]] = [
        (account, state.account[:, n], draw[:, n]) for n, account in enumerate(deal.accounts)
    ]
    unlimited = np.where(insurer_default, 0, _PLENTY)
    sources += [(policy, unlimited, claim[:, n]) for n, policy in enumerate(deal.policies)]
    given = np.zeros_like(owed)
    for source, capacity, paid in sources:
        short = _short(source, lines, owed, cash, state.accelerated) - given
        order = _order(source, lines, state.accelerated)
        for scenarios, sequence in order:
            cells = np.ix_(scenarios, sequence)
            wanted = np.maximum(short[cells], 0)
            part = sequential(np.minimum(capacity[scenarios], wanted.sum(axis=1)), wanted)
            given[cells] += part
            paid[scenarios] = part.sum(axis=1)
            if state.accelerated[scenarios].all():
                past = np.array([lines[line].clause in source.direct for line in sequence], dtype=bool)
                direct[np.ix_(scenarios, sequence[past])] += part[:, past]
    return coverage


def _owed(
    deal: Deal,
    clauses: tuple[Clause, ...],
    lines: tuple[Line, ...],
    columns: list[list[int]],
    state: State,
) -> Cents:
    """Due by line, (scenario, line), were nothing accelerated and there were money for every clause."""
    trial = state.copy()
    trial.accelerated = np.zeros_like(trial.accelerated)
    cash = np.full(len(state.pool), _PLENTY, dtype=np.int64)
    due = np.zeros((len(cash), len(lines)), dtype=np.int64)
    for row, clause in enumerate(clauses):
        if not isinstance(clause.step, TopUp | Remainder):
            due[:, columns[row]], paid = pay_row(deal, clause, trial, cash)
            cash = cash - paid.sum(axis=1)
    return due


def _short(
    source: Account | Policy, lines: tuple[Line, ...], owed: Cents, cash: Cents, accelerated: Flags
) -> Cents:
    """What collections leave unpaid of the covered lines, after all that stands above, (scenario, line)."""
    covered = [n for n, line in enumerate(lines) if line.clause in source.covers]
    in_full = [n for n in covered if lines[n].clause in source.direct and lines[n].kind == "interest"]
    reached = owed.copy()
    for n in in_full:
        reached[accelerated, n] = 0
    short = np.zeros_like(owed)
    short[:, covered] = (reached - sequential(cash, reached))[:, covered]
    for n in in_full:
        short[accelerated, n] = owed[accelerated, n]
    return short


def _order(
    source: Account | Policy, lines: tuple[Line, ...], accelerated: Flags
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Scenarios, and the covered lines in the order in which the source pays them."""
    covered = [n for n, line in enumerate(lines) if line.clause in source.covers]
    direct = [n for n in covered if lines[n].clause in source.direct]
    groups = []
    if (~accelerated).any():
        groups.append((np.flatnonzero(~accelerated), np.array(covered, dtype=np.intp)))
    if accelerated.any():
        last = max(direct, default=-1)
        above = [n for n in covered if n <= last and n not in direct]
        below = [n for n in covered if n > last]
        reordered = np.array([*above, *direct, *below], dtype=np.intp)
        groups.append((np.flatnonzero(accelerated), reordered))
    return groups
