"""What a synthetic tape must show: the printed tables of a pool, as partitions of its contracts.

A partition sorts every contract into one bucket; each bucket's balance is known to the cent, and its number
of contracts where it is printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import TapeNotMade

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Partition:
    """The buckets of one printed table: labels, balances in cents, and counts where they are printed."""

    name: str
    labels: tuple[str, ...]
    cents: Ints
    counts: Ints | None = None

    @property
    def counted(self) -> Ints:
        """The counts, where they are needed.  Raises TapeNotMade if none are printed."""
        if self.counts is None:
            raise TapeNotMade(f"the table {self.name} prints no counts")
        return self.counts

    def require(self, contracts: int, cents: int) -> None:
        """Raises TapeNotMade if the buckets do not add up to the pool."""
        if self.counts is not None and self.counts.sum() != contracts:
            raise TapeNotMade(
                f"the table {self.name} counts {self.counts.sum():,} contracts, not {contracts:,}"
            )
        if self.cents.sum() != cents:
            raise TapeNotMade(
                f"the table {self.name} adds up to {self.cents.sum() / 100:,.2f}, not {cents / 100:,.2f}"
            )


@dataclass(frozen=True)
class RepLines:
    """Hypothetical pools: averages weighted by balance, to which contracts of a bucket must come."""

    partition: Partition
    rate: Floats
    original_term: Floats
    remaining_term: Floats


@dataclass(frozen=True)
class Composition:
    """New and used vehicles: original balances in cents, and averages weighted by balance.

    ``original_term`` and ``remaining_term`` have the total last.
    """

    partition: Partition
    original_cents: Ints
    rate: Floats
    original_term: Floats
    remaining_term: Floats


@dataclass(frozen=True)
class Targets:
    """The printed tables of a pool."""

    contracts: int
    cents: int
    composition: Composition
    remaining_term: Partition
    state: Partition
    model_year: Partition
    contract_rate: Partition
    pools: RepLines

    @property
    def partitions(self) -> tuple[Partition, ...]:
        return (
            self.composition.partition,
            self.remaining_term,
            self.state,
            self.model_year,
            self.contract_rate,
            self.pools.partition,
        )

    def require_consistent(self) -> None:
        """Raises TapeNotMade if a table does not add up to the pool."""
        for partition in self.partitions:
            partition.require(self.contracts, self.cents)


Figures = Mapping[tuple[str, str, str], float]
"""Printed figures by table, row and measure; percentages as fractions."""


def read_targets(figures: Figures) -> Targets:
    """The targets from printed figures, as ``published/figures.csv`` of a pool's folder names them.

    Raises TapeNotMade for a table that is missing or does not add up to the pool.
    """
    try:
        targets = Targets(
            contracts=int(figures["composition", "total", "count"]),
            cents=_cents([figures["composition", "total", "balance"]])[0],
            composition=Composition(
                _partition(figures, "composition"),
                _cents(_column(figures, "composition", "original")),
                np.array(_column(figures, "composition", "rate")),
                np.array(_with_total(figures, "composition", "original_term")),
                np.array(_with_total(figures, "composition", "remaining_term")),
            ),
            remaining_term=_partition(figures, "remaining_term"),
            state=_partition(figures, "state"),
            model_year=_partition(figures, "model_year"),
            contract_rate=_partition(figures, "contract_rate"),
            pools=RepLines(
                _partition(figures, "hypothetical_pools"),
                np.array(_column(figures, "hypothetical_pools", "rate")),
                np.array(_column(figures, "hypothetical_pools", "original_term")),
                np.array(_column(figures, "hypothetical_pools", "remaining_term")),
            ),
        )
    except KeyError as missing:
        raise TapeNotMade(f"no figure is printed for {' '.join(missing.args[0])}") from None
    targets.require_consistent()
    return targets


def _partition(figures: Figures, table: str) -> Partition:
    labels = _rows(figures, table)
    counted = (table, labels[0], "count") in figures
    return Partition(
        table,
        tuple(labels),
        _cents(_column(figures, table, "balance")),
        np.array(_column(figures, table, "count"), dtype=np.int64) if counted else None,
    )


def _rows(figures: Figures, table: str) -> list[str]:
    rows = list(dict.fromkeys(row for name, row, _ in figures if name == table and row != "total"))
    if not rows:
        raise TapeNotMade(f"the table {table} is not printed")
    return rows


def _column(figures: Figures, table: str, measure: str) -> list[float]:
    return [figures[table, row, measure] for row in _rows(figures, table)]


def _with_total(figures: Figures, table: str, measure: str) -> list[float]:
    return [*_column(figures, table, measure), figures[table, "total", measure]]


def _cents(dollars: Sequence[float]) -> Ints:
    return np.asarray(np.rint(np.array(dollars) * 100), dtype=np.int64)
