"""A matrix of balances by two attributes of a contract, such as credit grade and year of origination."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import UnknownName


def matrix(
    balance: NDArray[np.float64],
    grades: Sequence[str],
    vintages: Sequence[str],
    rows: Sequence[str],
    columns: Sequence[str],
) -> NDArray[np.float64]:
    """Balances, (grade, vintage), with a last row and a last column of totals.

    ``grades`` and ``vintages`` say where each contract belongs; ``rows`` and ``columns`` are the names shown,
    in order.  Raises UnknownName, with the contract's row, for one that is in none.
    """
    at_row, at_column = _places(grades, rows), _places(vintages, columns)
    table = np.zeros((len(rows) + 1, len(columns) + 1))
    np.add.at(table, (at_row, at_column), balance)
    table[-1, :] = table.sum(axis=0)
    table[:, -1] = table.sum(axis=1)
    return table


def _places(names: Sequence[str], known: Sequence[str]) -> NDArray[np.intp]:
    place = {name.casefold(): number for number, name in enumerate(known)}
    try:
        return np.array([place[name.casefold()] for name in names], dtype=np.intp)
    except KeyError as missing:
        row = next(n for n, name in enumerate(names, start=1) if name.casefold() == missing.args[0])
        raise UnknownName(
            f"{names[row - 1]!r} is none of {', '.join(known)}", remedy="add it to the names, or correct it"
        ).at(row=row) from None
