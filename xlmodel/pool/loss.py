"""Default curves and their table DEFAULTS; what defaults lose and when the rest comes back.

A rate curve says which part of the performing balance at the end of a month defaults in the next one, before
that month's scheduled principal (monthly default rate, MDR); it is used beside a prepayment model: of a
balance, prepayments and schedule apart, the survivors of both are left.  A net loss curve says how much of
the original balance is lost in each month, whatever the prepayments (:func:`net_loss_defaults`).
Months of a rate curve count from origination, month 1 the first.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import OutOfRange, UnknownName, WrongShape
from xlmodel.pool import survival
from xlmodel.pool.survival import monthly_from_annual

Floats = NDArray[np.float64]

_STANDARD = "Bond Market Association, Standard Formulas"
_SUM_OF_TIMING = 1e-9  # how far from 1 the fractions of a timing may sum


@dataclass(frozen=True)
class DefaultModel:
    """One curve; all arguments are arrays that broadcast.

    ``mdr(speed, month)``: MDR of the month-th month since origination.
    ``survivors(speed, age, months)``: part that has not defaulted ``months`` months after ``age``.
    Both are None where the curve gives amounts.  ``below``: speeds are less than this.
    """

    name: str
    help: str
    source: str
    mdr: Callable[[Any, Any], Any] | None
    survivors: Callable[[Any, Any, Any], Any] | None
    below: float = 1.0
    hint: str = "write 2% as 0.02"


# --- SDA --------------------------------------------------------------------------------------------

_SDA_FLAT = 120  # months until the curve is flat


def _sda_cdr(month: Floats) -> Floats:
    """CDR at 100% SDA: 0.02% a month up to 0.60%, flat from month 30 to 60, down to 0.03% in month 120."""
    return np.interp(month, [0.0, 30.0, 60.0, _SDA_FLAT], [0.0, 0.006, 0.006, 0.0003])


def _sda_mdr(speed: Floats, month: Floats) -> Any:
    return monthly_from_annual(np.minimum(speed * _sda_cdr(month), 1.0))


def _sda_survivors(speed: Floats, age: Floats, months: Floats) -> Floats:
    return survival.of_curve(_sda_mdr, _SDA_FLAT, speed, age, months)


# --- the table --------------------------------------------------------------------------------------

_ROWS = (
    DefaultModel(
        "SDA",
        "multiple of the standard default assumption, by age; made for mortgages of 15 years and more",
        f"{_STANDARD}, C.4; its zero rate in the months before maturity is left to the caller",
        _sda_mdr,
        _sda_survivors,
        below=1000.0,
        hint="write 150% SDA as 1.5",
    ),
    DefaultModel(
        "CDR",
        "part of the performing balance a year, compounded by month",
        f"{_STANDARD}, C.4.g",
        lambda speed, month: monthly_from_annual(speed) + 0 * month,
        lambda speed, age, months: survival.constant(monthly_from_annual(speed), age, months),
    ),
    DefaultModel(
        "MDR",
        "part of the performing balance a month",
        f"{_STANDARD}, C.2.c",
        lambda speed, month: speed + 0 * month,
        survival.constant,
    ),
    DefaultModel(
        "CNL",
        "cumulative net loss as a part of the original balance, with a timing",
        "rating agencies' usual form; amounts, so it has no rate of its own",
        None,
        None,
    ),
)

DEFAULTS: dict[str, DefaultModel] = {row.name: row for row in _ROWS}


def find(name: str) -> DefaultModel:
    """The curve of a name, in any case.  Raises UnknownName, listing what is near."""
    found = DEFAULTS.get(name.strip().upper())
    if found is None:
        near = difflib.get_close_matches(name.upper(), DEFAULTS, n=2) or list(DEFAULTS)
        raise UnknownName(f"there is no default curve {name!r}; known: {', '.join(near)}")
    return found


# --- rate curves ------------------------------------------------------------------------------------


def mdr(speed: Any, month: Any, model: str = "CDR") -> Any:
    """Monthly default rate in a month since origination; arguments broadcast.

    OutOfRange for a speed without meaning or a month before the first, UnknownName for a curve of amounts.
    """
    found = find(model)
    survival.check(speed, found.below, found.hint)
    if np.any(np.asarray(month) < 1):
        raise OutOfRange("a month before the first since origination", remedy="give 1 or more")
    return _rate(found)(np.asarray(speed, dtype=np.float64), np.asarray(month, dtype=np.float64))


def survivors(speeds: Any, age: Any, months: int, model: str = "CDR", by: str = "period") -> Floats:
    """Part of each contract that has not defaulted, shape (scenario, months + 1, contract); month 0 is now.

    ``speeds``: (scenario,), or (scenario, month) by "period" or by "age" as in ``projection.project``.
    ``age``: (contract,), months since origination.  Errors as :func:`mdr`.
    """
    found = find(model)
    rate = _rate(found)
    speeds, age = np.atleast_1d(np.asarray(speeds, dtype=np.float64)), np.atleast_1d(age)
    survival.check(speeds, found.below, found.hint)
    if speeds.ndim == 2:
        return survival.of_vector(rate, speeds, age, months, by)
    assert found.survivors is not None  # as its rate is not
    month = np.arange(months + 1, dtype=np.float64)[:, None]
    return np.asarray(found.survivors(speeds[:, None, None], age, month))


def _rate(found: DefaultModel) -> survival.Rate:
    if found.mdr is None:
        rates = ", ".join(row.name for row in _ROWS if row.mdr)
        raise UnknownName(f"{found.name} gives amounts, not rates", remedy=f"use one of {rates}")
    return found.mdr


# --- net loss curve ---------------------------------------------------------------------------------


class Defaulted(NamedTuple):
    """Defaults in dollars, shape (scenario, month), and survivors, (scenario, month + 1), month 0 now."""

    amount: Floats
    survivors: Floats


def net_loss_defaults(
    net_loss: Any, timing: Any, severity: Any, original_balance: float, beginning_balance: Any
) -> Defaulted:
    """Defaults that lose a given part of the original balance, in the months of a timing.

    ``net_loss``, ``severity``: (scenario,) or one number, parts of the original balance and of what
    defaults.  ``timing``: (month,), fractions that sum to 1.  ``beginning_balance``: (scenario, month), the
    balance at the start of each month with schedule and prepayments alone.

    Defaults of month t are net loss x timing_t x original balance / severity, and survivors fall by
    defaults / beginning balance.  OutOfRange, naming scenario and month, where more would default than
    performs: such a curve cannot be reached, and less than it would be a wrong number.
    """
    balance = np.atleast_2d(np.asarray(beginning_balance, dtype=np.float64))
    scenarios, months = balance.shape
    part = _fractions("net loss", net_loss)
    lost = _fractions("severity", severity)
    if (lost == 0).any() and (part > 0).any():
        raise OutOfRange("a net loss with a severity of 0", remedy="give a severity above 0")
    if original_balance < 0 or not np.isfinite(original_balance):
        raise OutOfRange(f"an original balance of {original_balance:g}", remedy="give 0 or more")
    per_month = part / np.where(lost > 0, lost, 1.0) * original_balance
    amount = np.broadcast_to(per_month[..., None] * _timing(timing, months), (scenarios, months)).copy()
    left = np.ones((scenarios, months + 1))
    for month in range(months):
        performs = balance[:, month] * left[:, month]
        over = amount[:, month] > performs * (1 + 1e-12)
        if over.any():
            scenario = int(np.flatnonzero(over)[0])
            raise OutOfRange(
                f"month {month + 1}: {amount[scenario, month]:,.2f} would default, of a performing balance of"
                f" {performs[scenario]:,.2f}" + (f" (scenario {scenario + 1})" if scenarios > 1 else ""),
                remedy="lower the net loss, raise the severity, or let the timing begin earlier",
            )
        gone = amount[:, month] / np.where(balance[:, month] > 0, balance[:, month], 1.0)
        left[:, month + 1] = np.maximum(left[:, month] - gone, 0.0)
    return Defaulted(amount, left)


def _timing(timing: Any, months: int) -> Floats:
    """The timing cut or filled with zeros to so many months."""
    given = np.asarray(timing, dtype=np.float64)
    if given.ndim != 1 or not given.size:
        raise WrongShape("a timing is a list of fractions by month", remedy="give one fraction a month")
    if not (given >= 0).all():
        month = int(np.flatnonzero(~(given >= 0))[0]) + 1
        raise OutOfRange(f"timing, month {month}: {given[month - 1]:g}", remedy="give fractions of 0 or more")
    if abs(given.sum() - 1) > _SUM_OF_TIMING:
        raise OutOfRange(f"the timing sums to {given.sum():.9g}", remedy="give fractions that sum to 1")
    late = np.flatnonzero(given[months:] > 0)
    if late.size:
        raise OutOfRange(
            f"the timing has losses in month {months + int(late[0]) + 1}, the balances end in month {months}",
            remedy="end the timing with the balances",
        )
    return np.pad(given[:months], (0, max(months - given.size, 0)))


# --- severity and recovery --------------------------------------------------------------------------


def recoveries(defaults: Any, severity: Any, lag: int = 0) -> Floats:
    """What comes back of defaults, ``lag`` months after each: shape (scenario, month + lag), in dollars.

    ``defaults``: (scenario, month).  ``severity``: the part that is lost, one number, (scenario,) or
    (scenario, month), of the month of default.  The net loss of a month is its defaults less its recoveries.
    """
    amount = np.atleast_2d(np.asarray(defaults, dtype=np.float64))
    lost = _fractions("severity", severity)
    if lag < 0:
        raise OutOfRange(f"a recovery lag of {lag} months", remedy="give 0 or more")
    if not (amount >= 0).all():
        raise OutOfRange("a negative default", remedy="give amounts of 0 or more")
    back = amount * (1 - (lost[:, None] if lost.ndim == 1 else lost))
    return np.pad(back, ((0, 0), (lag, 0)))


def _fractions(what: str, values: Any) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    bad = ~((array >= 0) & (array <= 1))
    if bad.any():
        raise OutOfRange(f"a {what} of {array[bad].ravel()[0]:g}", remedy="give a part from 0 to 1")
    return array
