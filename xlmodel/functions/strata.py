"""Stratification in cells: XM_STRATIFY."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from xlmodel.errors import BadTable, WrongKind
from xlmodel.functions.cells import Cell, Rows
from xlmodel.functions.kinds import Boolean, Range, Text, Texts
from xlmodel.functions.refusals import blaming
from xlmodel.functions.registry import function
from xlmodel.pool.stratify import TOTAL, Strata, stratify_names, stratify_numbers
from xlmodel.tables import heading_text

STRATA_HEADER = ("Bucket", "Contracts", "% of contracts", "Balance", "% of balance")
BALANCE = "balance"


@function("XM_STRATIFY", "Pool")
def stratify(
    contracts: Range, column: Text, breaks: Range, averages: Texts | None = None, header: Boolean = False
) -> Rows:
    """Contracts by buckets of one of their columns, as a prospectus shows a pool; the last row is the total.

    Columns: bucket, number of contracts and its part of all, balance in dollars and its part of all, then
    averages weighted by balance (blank for a bucket without balance).  Numbers make one row a break; names
    make one row a name and a row Other.  #NUM! for a contract below the first break.

    contracts: Table with headings, one row a contract; one column is balance, in dollars.
    column: Heading of the column by which they are sorted into buckets.
    breaks: The least number of each bucket, in order, the last being open; or the names, for texts.
    averages: Headings of columns to average, such as rate; none when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    with blaming("contracts"):
        headings, lines = _table(contracts)
        balance = _numbers(lines, headings, BALANCE, "contracts")
    averaged = {heading: _numbers(lines, headings, heading, "averages") for heading in averages or ()}
    listed = [cell for row in breaks for cell in row if cell is not None]
    if all(isinstance(cell, str) for cell in listed):
        names = _names(lines, headings, column)
        found = stratify_names(names, balance, [str(cell) for cell in listed], averaged)
    else:
        with blaming("breaks"):
            edges = [_number(cell) for cell in listed]
        values = _numbers(lines, headings, column, "column")
        with blaming("breaks"):
            found = stratify_numbers(values, balance, edges, averaged)
    rows = strata_rows(found)
    return [[*STRATA_HEADER, *(averages or ())], *rows] if header else rows


def strata_rows(strata: Strata) -> Rows:
    """A stratification as rows of cells, the total last."""
    rows: Rows = [
        [
            label,
            float(count),
            count_part,
            balance,
            balance_part,
            *(_average(a[n]) for a in strata.averages.values()),
        ]
        for n, (label, count, count_part, balance, balance_part) in enumerate(
            zip(
                strata.labels,
                strata.counts.tolist(),
                strata.count_parts.tolist(),
                strata.balances.tolist(),
                strata.balance_parts.tolist(),
                strict=True,
            )
        )
    ]
    whole = [1.0 if strata.count else 0.0, 1.0 if strata.balance else 0.0]
    totals = [_average(value) for value in strata.total_averages.values()]
    rows.append([TOTAL, float(strata.count), whole[0], strata.balance, whole[1], *totals])
    return rows


def _average(value: float) -> Cell:
    return "" if math.isnan(value) else float(value)


def _table(rows: Rows) -> tuple[dict[str, int], Rows]:
    """Headings with their columns from 0, and the rows below them that hold anything."""
    headings = {heading_text(cell): n for n, cell in enumerate(rows[0]) if isinstance(cell, str)}
    if BALANCE not in headings:
        raise BadTable("there is no column 'balance'", remedy="begin the range with its headings").at(row=1)
    lines = [row for row in rows[1:] if any(cell is not None for cell in row)]
    if not lines:
        raise BadTable("there is no contract below the headings")
    return headings, lines


def _position(headings: dict[str, int], heading: str, argument: str) -> int:
    position = headings.get(heading_text(heading))
    if position is None:
        raise BadTable(
            f"there is no column {heading!r}; there are: {', '.join(headings)}", remedy="correct the heading"
        ).at(argument=argument)
    return position


def _numbers(
    lines: Sequence[Sequence[Cell]], headings: dict[str, int], heading: str, argument: str
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    position = _position(headings, heading, argument)
    values = np.empty(len(lines))
    for n, line in enumerate(lines):
        try:
            values[n] = _number(line[position])
        except WrongKind as error:
            raise error.at(argument="contracts", row=n + 2, column=position + 1) from None
    return values


def _names(lines: Sequence[Sequence[Cell]], headings: dict[str, int], heading: str) -> list[str]:
    position = _position(headings, heading, "column")
    return ["" if line[position] is None else str(line[position]) for line in lines]


def _number(cell: Cell) -> float:
    if not isinstance(cell, float) or isinstance(cell, bool):
        raise WrongKind(f"a number is asked for, got {'a blank cell' if cell is None else repr(cell)}")
    return cell
