"""Few ratios beside many cents: exact products in 64-bit integers.

The rates of a deal's classes are a handful of decimal numbers, its days are whole: rate x days / year is a
ratio of whole numbers, and cents by such a ratio need no floating point and no second look at ties.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange, WrongKind

Cents = NDArray[np.int64]

_LARGEST = 2**63 - 1
_FEW = 64  # factors that are worth a look at each
_EXACT = 2**52  # products and bottoms below it divide exactly in floats, down to the whole number


@dataclass(frozen=True, slots=True)
class Ratios:
    """Ratios >= 0, without common divisors: one, or one for each place of the last axis of the cents."""

    tops: tuple[int, ...]
    bottoms: tuple[int, ...]
    single: bool
    top: Any  # the same as whole numbers to compute with: an int, or int64 (place,)
    bottom: Any
    largest: tuple[int, int]


def ratios_of(rate: Any, numerator: Any, denominator: Any) -> Ratios | None:
    """``rate x numerator / denominator`` of single numbers and short rows; None where it is none such."""
    keys = (_key(rate), _key(numerator), _key(denominator))
    return None if None in keys else _ratios(*keys)


def in_integers(cents: NDArray[Any], ratios: Ratios, down: bool) -> Cents | None:
    """Cents by their ratios, half up or ``down``; None where they do not fit, or one is negative."""
    if (
        cents.dtype != np.int64
        or not cents.size
        or not (ratios.single or len(ratios.tops) == cents.shape[-1])
    ):
        return None
    top, bottom = ratios.largest
    # Seen without its sign, a negative amount is larger than any that fits.
    largest = int(cents.view(np.uint64).max())
    most = 2 * (largest * top + bottom)
    if most > _LARGEST:
        return None
    if down:
        found, bottom = cents * ratios.top, ratios.bottom
    else:  # half up: twice the product and once the bottom, over twice the bottom
        found, bottom = cents * (2 * ratios.top), 2 * ratios.bottom
        found += ratios.bottom
    if ratios.single or most >= _EXACT:
        return np.asarray(np.floor_divide(found, bottom))
    # By a row of numbers floats are faster, and exact: a quotient below a whole number is so by one part of
    # the bottom at least, and no rounding of numbers of this size closes that.
    return np.asarray((found / bottom).astype(np.int64))


def fraction(factor: Any) -> Fraction:
    """The number that a factor stands for: a float for its shortest decimal text."""
    if isinstance(factor, bool | np.bool_):
        raise WrongKind(f"{factor!r} is no number", remedy="enter a number")
    if isinstance(factor, np.number):
        factor = factor.item()
    if isinstance(factor, float):
        if not math.isfinite(factor):
            raise OutOfRange(f"{factor} is no amount", remedy="enter a number")
        return Fraction(int(factor)) if factor.is_integer() else Fraction(repr(factor))
    return Fraction(factor)


def _key(factor: Any) -> Any:
    if type(factor) is float or type(factor) is int:
        return factor
    if (
        isinstance(factor, np.ndarray)
        and factor.ndim == 1
        and 0 < factor.size <= _FEW
        and factor.dtype.kind in "iuf"
    ):
        return tuple(factor.tolist())
    return None


@lru_cache(maxsize=1 << 12)
def _ratios(*factors: Any) -> Ratios | None:
    rows = [factor if isinstance(factor, tuple) else (factor,) for factor in factors]
    count = max(len(row) for row in rows)
    rows = [row * count if len(row) == 1 else row for row in rows]
    numbers = [number for row in rows for number in row]
    if not all(map(math.isfinite, numbers)) or min(numbers) < 0 or 0 in rows[2]:
        return None
    if {len(row) for row in rows} != {count}:
        return None
    found = [fraction(a) * fraction(b) / fraction(c) for a, b, c in zip(*rows, strict=True)]
    tops, bottoms = zip(*(each.as_integer_ratio() for each in found), strict=True)
    largest = max(tops), max(bottoms)
    if max(largest) > _LARGEST // 2:
        return None
    single = not any(isinstance(factor, tuple) for factor in factors)
    if single:
        return Ratios(tops, bottoms, single, tops[0], bottoms[0], largest)
    return Ratios(tops, bottoms, single, np.array(tops), np.array(bottoms), largest)
