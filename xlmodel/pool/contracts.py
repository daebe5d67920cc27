"""The collateral as columns: one array a term, one entry a contract (or a rep line that stands for many)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import to_cents
from xlmodel.errors import BadTable, OutOfRange
from xlmodel.tables import Column, Kind, RawRows, Record, Schema, heading_text, read

Floats = NDArray[np.float64]

POOLS = Schema(
    "Pools",
    (
        Column("pool", Kind.NAME, "name or number of the line", width=8),
        Column("balance", Kind.AMOUNT, "principal balance at the cutoff date", required=True, width=18),
        Column("rate", Kind.RATE, "contract rate per annum", required=True, width=12),
        Column("original term", Kind.COUNT, "original term in months", required=True, width=14),
        Column("remaining term", Kind.COUNT, "remaining term in months", required=True, width=16),
        Column("delay", Kind.COUNT, "months after cutoff before anything is collected", width=10),
    ),
    help="One row a contract, or a hypothetical pool of contracts of the same terms.",
)


@dataclass(frozen=True)
class Pool:
    """Contracts as columns of length N.

    ``balance`` in dollars, ``rate`` a decimal per annum, terms in months.  ``age`` is the number of
    payments made since origination: original less remaining term.  ``delay``: months after the cutoff date
    in which a line pays and accrues nothing; None where no line has any.
    """

    names: tuple[str, ...]
    balance: Floats
    rate: Floats
    original_term: Floats
    remaining_term: Floats
    delay: Floats | None = None

    @property
    def age(self) -> Floats:
        return self.original_term - self.remaining_term

    @property
    def months(self) -> int:
        """Months until the last scheduled payment."""
        last = self.remaining_term if self.delay is None else self.remaining_term + self.delay
        return int(last.max())

    @property
    def cutoff_cents(self) -> int:
        """The balance at the cutoff date, in cents."""
        return int(to_cents(float(self.balance.sum())))

    def __len__(self) -> int:
        return len(self.balance)


def pool_from_rows(rows: RawRows) -> Pool:
    """The pool of a range or a CSV file, with a heading row or without.

    Without one the columns are balance, rate, original term, remaining term, after the pool's name if
    there are five.  Raises an error with table, row and column.
    """
    headings = _headings(rows)
    # Rows count from 1 in what the caller gave, so a heading row that we add stands at row 0.
    records = read(POOLS, rows) if headings is None else read(POOLS, [headings, *rows], first_row=0)
    if not records:
        raise BadTable("the table Pools has no row").at(table="Pools")
    for record in records:
        _check(record)

    def column(heading: str) -> Floats:
        return np.array([record[heading] or 0.0 for record in records], dtype=np.float64)

    delay = column("delay")

    return Pool(
        names=tuple(record["pool"] or str(n) for n, record in enumerate(records, start=1)),
        balance=column("balance"),
        rate=column("rate"),
        original_term=column("original term"),
        remaining_term=column("remaining term"),
        delay=delay if delay.any() else None,
    )


def _headings(rows: RawRows) -> Sequence[str] | None:
    """The headings to add to rows that have none; None when the first row is one."""
    first = rows[0] if rows else ()
    if any(isinstance(cell, str) and POOLS.column(heading_text(cell)) for cell in first):
        return None
    known = [column.heading for column in POOLS.columns if column.required or column.heading == POOLS.key]
    if len(first) == len(known):
        return known
    if len(first) == len(known) - 1:
        return known[1:]
    raise BadTable(
        f"the table Pools has {len(first)} columns and no heading row; it needs: {', '.join(known)}"
    ).at(table="Pools", row=1)


def _check(record: Record) -> None:
    if record["remaining term"] < 1:
        raise OutOfRange("a contract with no month left is no part of a pool").at(
            **record.place("remaining term")
        )
    if record["remaining term"] > record["original term"]:
        raise OutOfRange("the remaining term is longer than the original term").at(
            **record.place("remaining term")
        )
