"""Errors of a function's body with the argument at fault in their place."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from xlmodel.errors import OutOfRange, XlmodelError


def refuse(bad: Any, argument: str, sentence: str, value: Any, remedy: str | None = None) -> None:
    """Raise OutOfRange where ``bad`` is true: a bool, or an array of them.

    ``{}`` in the sentence is the value.  For an array any sentence will do: it is said again for the cell
    at fault (``columns.py``).
    """
    if np.any(bad):
        words = sentence.format(value) if np.ndim(value) == 0 else sentence
        raise OutOfRange(words, remedy=remedy).at(argument=argument)


def refuse_rate(rate: Any) -> None:
    """Raise OutOfRange for a rate that is not from 0 to below 1, such as one in percent."""
    refuse(
        (rate < 0) | (rate >= 1), "rate", "{:g} is no rate between 0 and 1", rate, "write 9.995% as 0.09995"
    )


def refuse_negative(amount: Any, argument: str) -> None:
    """Raise OutOfRange for an amount below 0."""
    refuse(
        amount < 0,
        argument,
        f"the {argument.replace('_', ' ')} {{:,.15g}} is negative",
        amount,
        "give 0 or more",
    )


@contextmanager
def blaming(argument: str) -> Iterator[None]:
    """An error that does not know its argument is laid on this one."""
    try:
        yield
    except XlmodelError as error:
        raise error.at(argument=argument) from None


@contextmanager
def blaming_tables(arguments: Collection[str]) -> Iterator[None]:
    """An error about a table is laid on the argument that bears the table's name."""
    try:
        yield
    except XlmodelError as error:
        table = (error.place.table or "").lower()
        raise error.at(argument=table if table in arguments else None) from None


def padded(rows: list[list[Any]], count: int) -> list[list[Any]]:
    """Rows with blank ones at the end: a result has a row for each row of its table, filled or not."""
    width = len(rows[0]) if rows else 1
    return [*rows, *([[None] * width] * (count - len(rows)))]
