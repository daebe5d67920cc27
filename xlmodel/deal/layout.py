"""How the arrays of a run lie in memory: scenario beside scenario, so that sums over classes add columns.

The scenario axis comes first in every shape; in memory it is the innermost.  An array that lies otherwise
gives the same numbers, later.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Chosen = slice | NDArray[np.bool_]
"""Scenarios of an array: all of them, or those that are flagged."""


_PAGE = 1 << 21  # bytes of a large page


def beside(*shape: int, dtype: type = np.int64) -> NDArray[Any]:
    """Zeros (scenario, ...), with the scenarios side by side."""
    return np.zeros(shape, dtype=dtype, order="F")


class Room:
    """Memory for the amounts of a run, (scenario, payment date, column), all in one piece.

    One large piece is had from the system many times faster than many small ones, above all in large pages:
    numpy asks for them, and gets them for what covers whole ones.  Whoever keeps an array keeps all of it.
    """

    def __init__(self, scenarios: int, dates: int, columns: int) -> None:
        size, spare = scenarios * dates * columns, _PAGE // 8
        room = np.zeros(size + spare if size > spare else size, dtype=np.int64)
        start = -room.__array_interface__["data"][0] % _PAGE // 8 if size > spare else 0
        self._all = room[start : start + size].reshape((scenarios, dates, columns), order="F")
        self._taken = 0

    def take(self, columns: int) -> NDArray[np.int64]:
        """The next columns, all zero."""
        self._taken += columns
        assert self._taken <= self._all.shape[2], "a run takes no more than it has asked for"
        return self._all[:, :, self._taken - columns : self._taken]


def chosen_ones(flags: NDArray[np.bool_]) -> Chosen:
    """The scenarios that are flagged; all of them as a slice, which copies nothing."""
    return slice(None) if flags.all() else flags


def laid_beside(array: NDArray[Any]) -> NDArray[Any]:
    """The same array (scenario, ...), with the scenarios side by side."""
    return np.asfortranarray(array)


@lru_cache
def columns_at(positions: tuple[int, ...]) -> slice | list[int]:
    """Columns to be read or written; those next to each other as a slice, which need not be gathered."""
    first = positions[0] if positions else 0
    if positions == tuple(range(first, first + len(positions))):
        return slice(first, first + len(positions))
    return list(positions)


def across(amounts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The columns together, (scenario,)."""
    total: NDArray[np.int64] = amounts[:, 0] if amounts.shape[1] == 1 else amounts.sum(axis=1)
    return total


def enter(blank: NDArray[np.int64], amounts: NDArray[np.int64]) -> None:
    """Write amounts where nothing is yet.  Mostly they are nothing, and memory is not touched for them."""
    if np.count_nonzero(amounts):
        blank[:] = amounts


def some(flags: NDArray[Any]) -> bool:
    """Whether any is set, or not 0: ``any`` for arrays so short that its call is what costs."""
    return bool(np.count_nonzero(flags))
