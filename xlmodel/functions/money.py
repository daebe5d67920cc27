"""Cents in cells: XM_ROUND, XM_TRUNCATE, XM_SPLIT."""

from __future__ import annotations

from typing import Any

from xlmodel.conventions.allocation import split
from xlmodel.conventions.money import round_half_up, to_cents, truncate
from xlmodel.functions.cells import Rows, numbers, result_rows
from xlmodel.functions.kinds import IntegerSetting, Number, Range
from xlmodel.functions.refusals import blaming, refuse
from xlmodel.functions.registry import function

_LARGEST = 9e16  # dollars, whose cents are a number of 64 bits


@function("XM_ROUND", "Money", elementwise=True)
def rounded(amount: Number, decimals: IntegerSetting = 2) -> Any:
    """An amount rounded half up, away from zero, as the worksheet's ROUND does it: 1.005 is 1.01.

    amount: The amount, of either sign.
    decimals: Decimals to keep; negative rounds to tens and hundreds; 2 when omitted.
    """
    return round_half_up(amount, decimals)


@function("XM_TRUNCATE", "Money", elementwise=True)
def truncated(amount: Number, decimals: IntegerSetting = 2) -> Any:
    """An amount cut off toward zero.

    amount: The amount, of either sign.
    decimals: Decimals to keep; negative cuts to tens and hundreds; 2 when omitted.
    """
    return truncate(amount, decimals)


@function("XM_SPLIT", "Money")
def split_total(total: Number, weights: Range) -> Rows:
    """Splits a total in proportion to weights, to the cent, so that the parts sum to it.

    In the shape of the weights.  Odd cents go to the largest remainders, ties in the order of the weights.

    total: Amount to split, in dollars, of either sign; rounded half up to the cent.
    weights: Weights, zero or more, at least one above zero.
    """
    refuse(abs(total) > _LARGEST, "total", "{:,.15g} has more cents than can be split", total)
    with blaming("weights"):
        parts = split(to_cents(total), numbers(weights)) / 100
    return result_rows(parts.reshape(len(weights), -1))
