"""A priority of payments: its clauses, their lines in the ledger, and how money runs down it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xlmodel.deal.backing import backings
from xlmodel.deal.definition import Clause, Deal
from xlmodel.deal.distributions import Line, Page
from xlmodel.deal.layout import beside, columns_at
from xlmodel.deal.rows import account_position, lines_of, pay_row, row_of
from xlmodel.deal.state import State

Cents = NDArray[np.int64]

Watch = Callable[[Clause, State, Cents], None]
"""Is shown each clause before it is paid, with the state and the cash that it finds; it changes neither."""

# The account of payments past the collection account, whatever the document calls it.
DIRECT = "paid directly"
# The account of what the insurer pays when it prepays the securities.
PREPAYMENT = "insurer's prepayment"


class Priority:
    """The clauses of one list of the Payments table.

    ``lines`` are their payees, ``columns`` those of each clause; ``covered`` tells the clauses that accounts
    and policies pay for (``uncovered`` are the lines of the others, by their place in the ledger), ``direct``
    are the lines that they pay past the collection account.  ``first_line`` is the place of the first one in
    the ledger, ``part`` that of the list among its parts; the direct ones follow.
    """

    def __init__(self, deal: Deal, name: str, first_line: int, part: int, watch: Watch | None = None) -> None:
        self.deal, self.watch, self.part = deal, watch, part
        own = [(row, clause) for row, clause in enumerate(deal.clauses) if clause.priority == name]
        self.rows = [row_of(deal, clause) for _, clause in own]
        lines = [lines_of(deal, row, clause) for row, clause in own]
        self.lines = tuple(line for each in lines for line in each)
        ends = np.cumsum([len(each) for each in lines]).tolist()
        starts = [end - len(each) for end, each in zip(ends, lines, strict=True)]
        self.columns = [columns_at(tuple(range(*each))) for each in zip(starts, ends, strict=True)]
        self.first_line = first_line
        self.backings = backings(deal, self.lines)
        direct = {clause for source in deal.sources for clause in source.direct}
        covered = {clause for source in deal.sources for clause in source.covers}
        self.retiring = [(n, c) for n, (_, c) in enumerate(own) if c.retires_with and c.order]
        self.direct = [n for n, line in enumerate(self.lines) if line.clause in direct]
        self.covered = [clause.number in covered for _, clause in own]
        self.uncovered = [first_line + n for n, line in enumerate(self.lines) if line.clause not in covered]

    @cached_property
    def ledger_lines(self) -> tuple[Line, ...]:
        """The lines of the clauses, then one for each payee that can be paid past the collection account."""
        past = tuple(replace(self.lines[n], account=DIRECT, direct=True) for n in self.direct)
        return self.lines + past

    @cached_property
    def parts(self) -> tuple[slice, slice]:
        """The columns of both in the ledger."""
        middle = self.first_line + len(self.lines)
        return slice(self.first_line, middle), slice(middle, self.first_line + len(self.ledger_lines))

    def pay(self, state: State, cash: Cents, page: Page) -> tuple[Cents, bool]:
        """Run the clauses and enter them into a blank page; the state is what they leave.

        Returns the cash that is left, and whether covered lines are short in some scenario.
        """
        page.at_hand[:] = cash
        short = False
        for row, columns, covered in zip(self.rows, self.columns, self.covered, strict=True):
            if self.watch is not None:
                self.watch(row.clause, state, cash)
            found = pay_row(row, state, cash)
            if found is not None:
                page.paid[:, columns], cash = found.paid, found.left
                if found.paid is not found.due:
                    page.short[:, columns] = found.due - found.paid
                    short = short or covered
        return cash, short

    def retire(self, state: State, cash: Cents) -> Cents:
        """Find out where a row can retire its classes; what its account gives for that, (scenario, account).

        The rows above it are tried with the money of the date; where what they leave and the account cover
        what is then outstanding, the account's part joins the money of the date.
        """
        given = beside(*state.account.shape)
        state.retiring = beside(*state.called.shape, dtype=bool)
        for number, clause in self.retiring:
            assert clause.retires_with is not None
            assert clause.order is not None
            position = account_position(self.deal, clause.retires_with)
            # Rows above it only move money: what is too little for all that is outstanding now stays so.
            before = state.balance[:, clause.order.columns].sum(axis=1)
            if (before > cash + state.account[:, position]).all():
                continue
            trial, left = state.copy(), cash
            for earlier in self.rows[:number]:
                found = pay_row(earlier, trial, left)
                left = left if found is None else found.left
            outstanding = trial.balance[:, clause.order.columns].sum(axis=1)
            met = (outstanding > 0) & (outstanding <= left + trial.account[:, position])
            given[:, position] = np.where(met, np.maximum(outstanding - left, 0), 0)
            state.retiring = met
            state.account = state.account - given
        return given


def prepayment_lines(deal: Deal) -> tuple[Line, ...]:
    """What the insurer pays the classes when it prepays them; none without a policy."""
    if not deal.policies:
        return ()
    return tuple(
        Line(PREPAYMENT, "prepayment", -1, kind, note_class.name, position, direct=True)
        for kind in ("interest", "principal")
        for position, note_class in enumerate(deal.classes)
    )
