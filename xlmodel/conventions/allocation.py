"""Whole cents among claims: in order, or in proportion by largest remainder; nothing lost, nothing made.

Every function takes int64 cents with any number of leading (scenario) axes; the last axis of ``claims`` is
the claimants in their stated order.  Amounts and claims are not negative (OutOfRange).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange, WrongKind, WrongShape

Cents = NDArray[np.int64]


def sequential(available: Any, claims: Any) -> Cents:
    """Each claim in turn as far as the money goes: ``available`` (S,), ``claims`` (S, N) -> paid (S, N)."""
    return in_turn(*_amounts(available, claims))


def in_turn(money: Cents, due: Cents) -> Cents:
    """``sequential`` for callers who hold int64 arrays (S,) and (S, N); negative money is none."""
    if money.size < due.shape[-1]:
        before = due.cumsum(axis=-1) - due
        return np.asarray(np.minimum(np.maximum(money[..., None] - before, 0), due))
    paid, money = np.empty_like(due), np.maximum(money, 0)
    for place in range(due.shape[-1]):  # few claimants, many scenarios
        part = np.minimum(money, due[..., place])
        money = money - part
        paid[..., place] = part
    return paid


def pro_rata(available: Any, claims: Any, weights: Any = None) -> Cents:
    """In proportion to the weights, no claim paid more than it is: (S,), (S, N) -> paid (S, N).

    Weights are by default the claims; what a capped claim leaves goes to the others in proportion, and to
    claims of weight zero, in proportion to the claims, once the weighted ones are paid.  Odd cents go by
    largest remainder, ties in the stated order.  What is paid is the lesser of money and claims, exactly.
    """
    money, due = _amounts(available, claims)
    money = np.minimum(money, due.sum(axis=-1))
    if weights is None:
        return _shares(money, due)
    weight = np.broadcast_to(_weights(weights), due.shape)
    paid = np.zeros_like(due)
    for share_by in (weight, due):
        for _ in range(due.shape[-1] + 1):
            open_ = paid < due
            left = money - paid.sum(axis=-1)
            by = np.where(open_, share_by, 0)
            if not ((left > 0) & by.any(axis=-1)).any():
                break
            offered = _shares(np.where(by.any(axis=-1), left, 0), by)
            # where somebody is capped pay the capped ones only, and share what is left anew
            capped = offered >= due - paid
            settle = (capped & (by > 0)).any(axis=-1, keepdims=True)
            paid = paid + np.where(settle, np.where(capped & open_ & (by > 0), due - paid, 0), offered)
    return paid


def split(total: Any, weights: Any) -> Cents:
    """``total`` (S,) in proportion to ``weights`` (N,) or (S, N), by largest remainder -> (S, N).

    A negative total is split as its opposite.  OutOfRange if all weights are zero.
    """
    amount = _whole(total, "a total")
    weight = _weights(weights)
    shape = np.broadcast_shapes((*amount.shape, 1), weight.shape)
    weight = np.broadcast_to(weight, shape)
    amount = np.broadcast_to(amount, shape[:-1])
    if not weight.any(axis=-1).all():
        raise OutOfRange("all weights are zero", remedy="give at least one weight above zero")
    return np.sign(amount)[..., None] * _shares(np.abs(amount), weight)


# --- the arithmetic ---------------------------------------------------------------------------------


def _shares(money: NDArray[Any], weight: NDArray[Any]) -> Cents:
    """Shares by largest remainder.  Where all weights are zero there must be no money."""
    total = np.maximum(weight.sum(axis=-1, keepdims=True), 1)
    share, remainder = _divide(money[..., None], weight, total)
    odd = money - share.sum(axis=-1)
    order = np.argsort(-remainder, axis=-1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(weight.shape[-1]), order.shape), axis=-1)
    found: Cents = np.asarray(share + (rank < odd[..., None]), dtype=np.int64)
    return found


def _divide(
    money: NDArray[Any], weight: NDArray[Any], total: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Quotient and remainder of money x weight / total, exact although the product may pass 64 bits.

    The float quotient is off by a unit or so; the remainder then is small, and 64-bit arithmetic, which
    wraps around, still gives it exactly.
    """
    largest_money, largest_total = int(money.max(initial=0)), int(total.max(initial=1))
    if (largest_money // 10**15 + 3) * largest_total >= 2**62:
        wide = money.astype(object) * weight.astype(object)
        return wide // total, wide % total
    with np.errstate(over="ignore"):
        share = np.floor(money * (weight / total)).astype(np.int64)
        remainder = money * weight - share * total
    step = remainder // total
    return share + step, remainder - step * total


# --- what comes in ----------------------------------------------------------------------------------


def _amounts(available: Any, claims: Any) -> tuple[Cents, Cents]:
    due = _whole(claims, "a claim")
    if not due.ndim:
        raise WrongShape("claims are a list", remedy="give a row of claims")
    money = _whole(available, "the money available")
    shape = np.broadcast_shapes(money.shape, due.shape[:-1])
    if (due.size and due.min() < 0) or (money.size and money.min() < 0):
        raise OutOfRange("money and claims are not negative", remedy="give amounts of 0 or more")
    if due.size and int(due.max()) * due.shape[-1] >= 2**63:
        raise OutOfRange("the claims do not fit in 64 bits of cents", remedy="check the claims")
    if money.shape != shape:
        money = np.broadcast_to(money, shape)
    if due.shape[:-1] != shape:
        due = np.broadcast_to(due, (*shape, due.shape[-1]))
    return money, due


def _whole(values: Any, what: str) -> Cents:
    array = np.asarray(values)
    if array.dtype == np.int64:
        return array
    if not array.size:
        return array.astype(np.int64)
    if array.dtype.kind == "f" and not (array == np.floor(array)).all():
        raise WrongKind(f"{what} is a whole number of cents", remedy="convert it with to_cents")
    if array.dtype.kind not in "iuf":
        raise WrongKind(f"{what} is a whole number of cents", remedy="enter numbers")
    return array.astype(np.int64)


def _weights(weights: Any) -> Cents:
    """Weights as whole numbers in the same proportion; a fraction stands for its decimal text."""
    array = np.asarray(weights)
    if not array.ndim:
        raise WrongShape("weights are a list", remedy="give a row of weights")
    if array.dtype.kind not in "iuf":
        raise WrongKind("a weight is a number", remedy="enter numbers")
    if array.size and not (array.min() >= 0 and np.isfinite(array).all()):
        raise OutOfRange("weights are not negative", remedy="give weights of 0 or more")
    if array.dtype.kind == "f" and (array != np.floor(array)).any():
        texts = [Decimal(repr(value)) for value in array.ravel().tolist()]
        places = max(0, *(-int(text.normalize().as_tuple().exponent) for text in texts))
        scaled = [int(text.scaleb(places)) for text in texts]
        wide = max(scaled, default=0) * array.shape[-1] >= 2**63
        return np.array(scaled, dtype=object if wide else np.int64).reshape(array.shape)
    return array.astype(np.int64)
