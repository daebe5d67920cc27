"""Cents: int64 amounts, rounded where a worksheet would round them.

A float product is right except near a tie, where the last bits decide a cent.  So amounts are computed in
float, and only those within reach of a tie are done again in exact integers.  A float stands for the
decimal number that it prints as: 0.285 is 0.285, not 0.284999...
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.ratios import fraction, in_integers, ratios_of
from xlmodel.errors import MissingValue, OutOfRange, UnknownName, WrongKind

Cents = NDArray[np.int64]

_LARGEST = 2**63 - 1
_DIGITS = 15  # the decimal digits that a worksheet keeps
# of a value: half a unit of its 15th digit is at most 5e-15, and float errors are far below the rest
_REACH_OF_TEXT = 6e-15
_HIT = 3.5e-16  # and at least 5e-16; less the error of scaling
# of a product of four factors: each factor, and each of the three operations, is rounded to 1.2e-16
_REACH_OF_PRODUCT = 1e-15
_NO_ROOM = 2.0**51  # a float of this size has no room for the part of a cent
_BLOCK = 32_768  # rows whose columns stay in the processor's cache
_SINGLE = (int, float, Decimal, Fraction, np.number)
_TOO_LARGE = "an amount does not fit in 64 bits of cents"
_CONTEXT = Context(prec=700)  # 309 digits before the point and 330 behind it


# --- rounding a number ------------------------------------------------------------------------------


def round_half_up(x: Any, decimals: int = 2) -> Any:
    """``x`` rounded half away from zero as the worksheet's ROUND: float, or float64 array of the same shape.

    The number rounded is ``x`` to 15 significant digits, so that 1.005 gives 1.01.  OutOfRange for NaN.
    """
    return _round(x, decimals, ROUND_HALF_UP)


def truncate(x: Any, decimals: int = 2) -> Any:
    """``x`` cut off toward zero as the worksheet's TRUNC; kinds and shapes as ``round_half_up``."""
    return _round(x, decimals, ROUND_DOWN)


def _round(x: Any, decimals: int, how: str) -> Any:
    if isinstance(decimals, bool) or not isinstance(decimals, int | np.integer):
        raise WrongKind(f"{decimals!r} is no number of decimals", remedy="give a whole number")
    decimals = int(np.clip(decimals, -330, 330))
    values = _numbers(x)
    if not values.ndim:
        return _round_text(float(values), decimals, how)
    if not -22 <= decimals <= 22:  # beyond them a power of ten is no exact float
        return _each(values, lambda value: _round_text(value, decimals, how))
    unit = 10.0 ** abs(decimals)
    size = np.abs(values)
    with np.errstate(over="ignore"):
        scaled = size * unit if decimals >= 0 else size / unit
    whole = np.floor(scaled)
    nearest = np.rint(scaled) if how == ROUND_DOWN else whole + 0.5
    distance = np.abs(scaled - nearest)
    hit = (distance <= _HIT * scaled) & (scaled < 1e14)  # the 15-digit text is the tie, or the whole number
    doubtful = ~hit & (distance <= _REACH_OF_TEXT * scaled) | (scaled >= 1e15)
    if how == ROUND_DOWN:
        whole = np.where(hit, nearest, whole)
    else:
        whole += hit | (scaled >= nearest)
    rounded = whole / unit if decimals >= 0 else whole * unit
    found: NDArray[np.float64] = rounded
    if values.size and values.min() < 0:
        found = np.copysign(rounded, values) + 0.0  # no minus zero
    if doubtful.any():
        found[doubtful] = [_round_text(value, decimals, how) for value in values[doubtful].tolist()]
    return found


def _round_text(value: float, decimals: int, how: str) -> float:
    if not math.isfinite(value):
        raise OutOfRange(f"{value} cannot be rounded", remedy="enter a number")
    # beyond 15 digits a worksheet has nothing left to round; then the shortest text is the number
    beyond = value != 0 and math.floor(math.log10(abs(value))) + 1 + decimals > _DIGITS
    number = Decimal(repr(value) if beyond else f"{value:.{_DIGITS}g}")
    return float(number.quantize(Decimal(1).scaleb(-decimals), how, _CONTEXT)) + 0.0


def _numbers(x: Any) -> NDArray[np.float64]:
    if type(x) is float and math.isfinite(x):
        return np.asarray(x)
    array = np.asarray(x)
    if array.dtype == object and all(isinstance(value, int | Decimal | Fraction) for value in array.ravel()):
        array = array.astype(np.float64)
    if array.dtype.kind not in "iuf":
        raise WrongKind(f"{x!r:.60} is no number", remedy="enter a number")
    values = array.astype(np.float64, copy=False)
    if not np.isfinite(values).all():
        raise OutOfRange("a number that is NaN or infinite is no amount", remedy="enter a number")
    return values


def _each(values: NDArray[np.float64], function: Callable[[float], float]) -> NDArray[np.float64]:
    return np.array([function(value) for value in values.ravel().tolist()]).reshape(values.shape)


# --- dollars and cents ------------------------------------------------------------------------------


def to_cents(amount: Any) -> Any:
    """Dollars to cents, half up: int, or int64 array of the same shape.

    OutOfRange for NaN and for amounts of 2**63 cents or more.
    """
    if isinstance(amount, Decimal | Fraction) or (isinstance(amount, int) and not isinstance(amount, bool)):
        return _half_up(Fraction(amount) * 100)
    array = np.asarray(amount)
    if array.dtype == object and array.ndim:
        return np.array([to_cents(value) for value in array.ravel()], dtype=np.int64).reshape(array.shape)
    values = _numbers(amount)
    if not values.ndim:
        return round(round_half_up(float(values), 2) * 100)
    return _nearest_cents(values) if values.size else values.astype(np.int64)


def _nearest_cents(dollars: NDArray[np.float64]) -> Cents:
    """The nearest cent by floats, and by ``round_half_up`` where an amount lies near a tie or is large."""
    with np.errstate(over="ignore"):
        scaled = dollars * 100
    largest = max(-float(scaled.min()), float(scaled.max()))
    if largest >= _LARGEST:
        raise OutOfRange(_TOO_LARGE, remedy="enter amounts below 9e16")
    nearest = np.rint(scaled)
    cents = nearest.astype(np.int64)
    scaled -= nearest
    doubtful = np.abs(scaled, out=scaled) >= 0.5 - _REACH_OF_TEXT * largest
    if doubtful.any():
        cents[doubtful] = np.rint(round_half_up(dollars[doubtful], 2) * 100)
    return cents


def to_dollars(cents: Any) -> Any:
    """Cents to dollars: the float nearest to the decimal amount."""
    return cents / 100 if isinstance(cents, int) else np.asarray(cents) / 100.0


# --- balance x rate x numerator / denominator -------------------------------------------------------


def product_cents(balance_cents: Any, rate: Any, numerator: Any = 1, denominator: Any = 1) -> Any:
    """``balance x rate x numerator / denominator`` rounded half up (away from zero) to the cent.

    Arguments broadcast; an int if all are single numbers, else an int64 array.  A rate stands for its
    shortest decimal text (0.08 is eight per cent).  Exact against integer arithmetic at any size; fast up
    to about 1e13 cents.  OutOfRange for a zero denominator, NaN, and array amounts of 2**63 cents or more.
    """
    return _product(balance_cents, rate, numerator, denominator, down=False)


def _product(balance: Any, rate: Any, numerator: Any, denominator: Any, down: bool) -> Any:
    factors = (balance, rate, numerator, denominator)
    if not isinstance(balance, np.ndarray) and all(isinstance(factor, _SINGLE) for factor in factors):
        return _exact(factors, down)
    cents = np.asarray(balance)
    if cents.dtype.kind not in "iu":
        raise WrongKind("a balance in cents is a whole number", remedy="convert it with to_cents")
    ratios = ratios_of(rate, numerator, denominator)
    if ratios is not None and cents.ndim:
        whole = in_integers(cents, ratios, down)
        if whole is not None:
            return whole
    others = [_numbers(factor) for factor in factors[1:]]
    if not others[2].all():
        raise OutOfRange("the denominator is zero", remedy="give the days of a year, or the months")
    shape = np.broadcast_shapes(*(column.shape for column in (cents, *others)))
    size = math.prod(shape)
    if 0 < size <= _BLOCK:
        return _product_rows([cents, *others], down).reshape(shape)
    columns = [
        x if not x.ndim else x.ravel() if x.shape == shape else np.broadcast_to(x, shape).ravel()
        for x in (cents, *others)
    ]
    found: Cents = np.empty(size, dtype=np.int64)
    for low in range(0, size, _BLOCK):
        rows = slice(low, low + _BLOCK)
        found[rows] = _product_rows([x[rows] if x.ndim else x for x in columns], down)
    return found.reshape(shape)


def _product_rows(columns: list[NDArray[Any]], down: bool) -> Cents:
    """The product of four factors that broadcast, at least one row."""
    cents, rate, numerator, denominator = columns
    value = np.atleast_1d(cents * (rate * (numerator / denominator)))
    lowest, highest = float(value.min()), float(value.max())
    largest = max(-lowest, highest)
    if largest > 2.0**63:
        raise OutOfRange(_TOO_LARGE, remedy="check balance and rate")
    size = np.abs(value) if lowest < 0 else value
    whole = np.floor(size if down else size + 0.5)
    beside = size - whole
    # one reach for all rows is quicker, while it is short
    reach = _REACH_OF_PRODUCT * (largest if largest < 1e12 else size)
    doubtful = (beside <= reach) | (beside >= 1 - reach) if down else np.abs(beside) >= 0.5 - reach
    if largest >= _NO_ROOM:
        doubtful |= size >= _NO_ROOM
        whole = np.where(size >= _NO_ROOM, 0.0, whole)
    amount = whole.astype(np.int64)
    found: Cents = np.where(value < 0, -amount, amount) if lowest < 0 else amount
    doubtful &= value != 0
    if doubtful.any():
        exact = _exact_rows([np.broadcast_to(x, value.shape)[doubtful] for x in columns], down)
        if max(map(abs, exact)) > _LARGEST:
            raise OutOfRange(_TOO_LARGE, remedy="check balance and rate")
        found[doubtful] = exact
    return found


def _exact_rows(columns: list[NDArray[Any]], down: bool) -> list[int]:
    """The rows of four columns in exact integers."""
    balance, *others = (column.tolist() for column in columns)
    ratio = {x: fraction(x).as_integer_ratio() for column in others for x in set(column)}
    amounts = []
    for cents, rate, numerator, denominator in zip(balance, *others, strict=True):
        (a, b), (c, d), (e, f) = ratio[rate], ratio[numerator], ratio[denominator]
        top, bottom = cents * a * c * f, b * d * e
        size, bottom = abs(top), abs(bottom)
        amount = size // bottom if down else (2 * size + bottom) // (2 * bottom)
        amounts.append(-amount if (top < 0) != (b * d * e < 0) else amount)
    return amounts


def _exact(factors: Any, down: bool) -> int:
    balance, rate, numerator, denominator = (fraction(factor) for factor in factors)
    if denominator == 0:
        raise OutOfRange("the denominator is zero", remedy="give the days of a year, or the months")
    if balance.denominator != 1:
        raise WrongKind("a balance in cents is a whole number", remedy="convert it with to_cents")
    value = balance * rate * numerator / denominator
    return int(value) if down else _half_up(value)


def _half_up(value: Fraction) -> int:
    twice = 2 * abs(value.numerator) + value.denominator
    amount = twice // (2 * value.denominator)
    return -amount if value < 0 else amount


# --- policies ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rounding:
    """A rounding policy: ``amount(balance_cents, rate, numerator, denominator, thousands)``.

    ``thousands`` is the number of $1,000 denominations that share the amount.
    """

    name: str
    meaning: str
    amount: Callable[[Any, Any, Any, Any, Any], Any]


def _cent(balance: Any, rate: Any, numerator: Any, denominator: Any, _thousands: Any) -> Any:
    return _product(balance, rate, numerator, denominator, down=False)


def _down(balance: Any, rate: Any, numerator: Any, denominator: Any, _thousands: Any) -> Any:
    return _product(balance, rate, numerator, denominator, down=True)


def _per_thousand(balance: Any, rate: Any, numerator: Any, denominator: Any, thousands: Any) -> Any:
    if thousands is None:
        raise MissingValue(
            "rounding per $1,000 needs the number of denominations", remedy="give initial balance / 1,000"
        )
    each = _product(balance, rate, numerator, np.multiply(denominator, thousands), down=False)
    return product_cents(each, thousands)  # the number of denominations may end in a stub


def _none(balance: Any, rate: Any, numerator: Any, denominator: Any, _thousands: Any) -> Any:
    value = np.asarray(balance) * np.asarray(rate) * np.asarray(numerator) / np.asarray(denominator)
    return value if value.ndim else float(value)


ROUNDINGS: dict[str, Rounding] = {
    row.name: row
    for row in (
        Rounding("half up", "to the nearest cent, half a cent up (away from zero)", _cent),
        Rounding("truncate", "to the cent below (toward zero)", _down),
        Rounding("per 1000", "half up to the cent for each $1,000, then times their number", _per_thousand),
        Rounding("none", "not rounded: a float of cents", _none),
    )
}


def interest_cents(
    balance_cents: Any,
    rate: Any,
    numerator: Any,
    denominator: Any,
    rounding: str = "half up",
    thousands: Any = None,
) -> Any:
    """Interest in cents under a rounding policy of ``ROUNDINGS``; arguments as ``product_cents``.

    ``thousands`` (whole $1,000 denominations, of the initial balance) is needed by "per 1000" only.
    """
    policy = ROUNDINGS.get(rounding.strip().casefold()) if isinstance(rounding, str) else None
    if policy is None:
        raise UnknownName(f"{rounding!r} is no rounding", remedy=f"use one of {', '.join(ROUNDINGS)}")
    return policy.amount(balance_cents, rate, numerator, denominator, thousands)
