"""Level payments: payment, its interest and principal, balance, terms, rate.

Every closed form is arranged so that nothing cancels: at a rate of 1e-12 the payment has all its digits,
and so has the last balance of a long schedule.  With v = 1/(1+r) and a(n) = (1 - v^n)/r, a loan that is
paid down to ``balloon`` is an interest-only loan of ``balloon`` and a level loan of the rest.

Amounts are positive, the rate is per period, arguments broadcast; a float if all are single numbers, else
a float64 array.  ``due`` means payments at the start of each period.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import interest_cents, to_cents, to_dollars
from xlmodel.conventions.root import find_root
from xlmodel.errors import NoRoot, OutOfRange, WrongKind


def payment(balance: Any, rate: Any, terms: Any, balloon: Any = 0.0, due: bool = False) -> Any:
    """The level payment that brings ``balance`` down to ``balloon`` in ``terms`` payments.

    OutOfRange for a rate of -1 or less, and for terms of 0 or less.
    """
    start, r, n, end = _loan(balance, rate, terms, balloon)
    return _plain((_level(start, r, n, end) + end * r) / (1.0 + r * due))


def interest_part(
    balance: Any, rate: Any, terms: Any, number: Any, balloon: Any = 0.0, due: bool = False
) -> Any:
    """The interest in payment ``number`` (1 is the first).  OutOfRange for a number beyond the terms.

    The first payment at the start of a period holds none: none has accrued.
    """
    start, r, n, end = _loan(balance, rate, terms, balloon)
    k = _payment_number(number, n, 1)
    growth = 1.0 + r * due
    before = (end + _level(start, r, n, end) * _present(r, n - k + 1)) / growth
    return _plain(np.where(due & (k == 1), 0.0, r * before))


def principal_part(
    balance: Any, rate: Any, terms: Any, number: Any, balloon: Any = 0.0, due: bool = False
) -> Any:
    """The principal in payment ``number``; with the interest part it makes up the payment."""
    start, r, n, end = _loan(balance, rate, terms, balloon)
    k = _payment_number(number, n, 1)
    level, growth = _level(start, r, n, end), 1.0 + r * due
    part = level * np.exp(-(n - k + 1) * np.log1p(r)) / growth
    return _plain(np.where(due & (k == 1), (level + end * r) / growth, part))


def balance_after(
    balance: Any, rate: Any, terms: Any, number: Any, balloon: Any = 0.0, due: bool = False
) -> Any:
    """The balance just after payment ``number``; 0 is the balance before any."""
    start, r, n, end = _loan(balance, rate, terms, balloon)
    k = _payment_number(number, n, 0)
    after = (end + _level(start, r, n, end) * _present(r, n - k)) / (1.0 + r * due)
    return _plain(np.where(k == 0, start, after))


def terms(balance: Any, rate: Any, payment: Any, balloon: Any = 0.0, due: bool = False) -> Any:
    """How many payments bring ``balance`` down to ``balloon``; not a whole number as a rule.

    NoRoot if the payment does not cover the interest, or leads away from the balloon.
    """
    start, r, level, end = _numbers(balance, rate, payment, balloon)
    _check_rate(r)
    r = np.where(np.abs(r) < 1e-200, 0.0, r)  # below it the growth of the balance is no number of full digits
    level = level * (1.0 + r * due)
    principal = level - start * r
    with np.errstate(divide="ignore", invalid="ignore"):
        growth = (start - end) * r / principal
        count = np.where(r == 0, (start - end) / level, np.log1p(growth) / np.where(r == 0, 1.0, np.log1p(r)))
    count = np.where(start == end, 0.0, count)
    if (~np.isfinite(count) | (count < 0)).any():
        raise NoRoot(
            "the balance is never reached with this payment: it does not cover the interest, or overshoots",
            remedy="give a payment above balance times rate",
        )
    return _plain(count)


def rate(balance: float, terms: float, payment: float, balloon: float = 0.0, due: bool = False) -> float:
    """The rate per period at which ``terms`` payments bring ``balance`` down to ``balloon``.

    NoRoot if there is none above -1 (a payment of 0, or of the wrong sign).
    """
    for name, value in {"balance": balance, "terms": terms, "payment": payment, "balloon": balloon}.items():
        _finite(name, value)
    if terms <= 0 or balance <= 0:
        raise OutOfRange("a rate needs a balance and terms above 0", remedy="enter them as positive numbers")

    def missing(log_growth: float) -> float:
        # present value of what is paid, less the balance, over the balance
        r = math.expm1(log_growth)
        annuity = terms if r == 0 else -math.expm1(-terms * log_growth) / r
        paid = payment * annuity * ((1.0 + r) if due else 1.0)
        return (paid - balance + balloon * math.exp(-terms * log_growth)) / balance

    reach = 690.0 / max(terms, 1.0)  # so that no exponential overflows
    low, high = -min(reach, 30.0), 60.0
    root = find_root(missing, low, high, start=0.0)
    if root is None:
        raise NoRoot(
            f"no rate makes {terms:g} payments of {payment:g} repay {balance:g}",
            remedy="check the signs: balance, payment and balloon are positive",
        )
    return math.expm1(root)


class LevelSchedule(NamedTuple):
    """A schedule in int64 cents, shape (payment,): payment, its parts, and the balance after it."""

    payment: NDArray[np.int64]
    interest: NDArray[np.int64]
    principal: NDArray[np.int64]
    balance: NDArray[np.int64]


def level_schedule(
    balance_cents: int, annual_rate: float, terms: int, payments_a_year: int = 12, rounding: str = "half up"
) -> LevelSchedule:
    """A level-payment schedule to the cent: payment rounded once, interest each time, the last clears.

    ``rounding`` is one of ``money.ROUNDINGS`` that gives whole cents for the interest.
    """
    if terms < 1 or balance_cents < 0:
        raise OutOfRange(
            "a schedule needs a balance and at least one payment", remedy="enter positive numbers"
        )
    level = to_cents(to_dollars(payment(float(balance_cents), annual_rate / payments_a_year, terms)))
    rows = []
    left = int(balance_cents)
    for number in range(1, terms + 1):
        interest = int(interest_cents(left, annual_rate, 1, payments_a_year, rounding))
        principal = left if number == terms else min(level - interest, left)
        left -= principal
        rows.append((interest + principal, interest, principal, left))
    return LevelSchedule(*np.array(rows, dtype=np.int64).T)


# --- parts ------------------------------------------------------------------------------------------


def _present(r: Any, n: Any) -> Any:
    """a(n), the value of n payments of 1; n where the rate is zero."""
    safe = np.where(r == 0, 1.0, r)
    return np.where(r == 0, n, -np.expm1(-n * np.log1p(safe)) / safe)


def _level(start: Any, r: Any, n: Any, end: Any) -> Any:
    return (start - end) / _present(r, n)


def _loan(balance: Any, rate: Any, terms: Any, balloon: Any) -> list[NDArray[np.float64]]:
    loan = _numbers(balance, rate, terms, balloon)
    _check_rate(loan[1])
    if (loan[2] <= 0).any():
        raise OutOfRange("terms of 0 or less", remedy="give at least one payment")
    return loan


def _check_rate(r: NDArray[np.float64]) -> None:
    if (r <= -1).any():
        raise OutOfRange("a rate of -100% or less", remedy="give a rate per period above -1")


def _payment_number(number: Any, n: NDArray[np.float64], lowest: int) -> NDArray[np.float64]:
    (k,) = _numbers(number)
    if (k < lowest).any() or (k > n).any():
        raise OutOfRange("a payment number outside the terms", remedy=f"give {lowest} to the number of terms")
    return k


def _numbers(*values: Any) -> list[NDArray[np.float64]]:
    arrays = []
    for value in values:
        array = np.asarray(value)
        if array.dtype.kind not in "iuf":
            raise WrongKind(f"{value!r:.60} is no number", remedy="enter a number")
        if not np.isfinite(array).all():
            raise OutOfRange("a number is NaN or infinite", remedy="enter a number")
        arrays.append(array.astype(np.float64))
    return arrays


def _finite(name: str, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise WrongKind(f"the {name} {value!r} is no number", remedy="enter a number")
    if not math.isfinite(value):
        raise OutOfRange(f"the {name} is {value}", remedy="enter a number")


def _plain(values: Any) -> Any:
    array = np.asarray(values, dtype=np.float64)
    return array if array.ndim else float(array)
