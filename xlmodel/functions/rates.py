"""Rates of return in cells: XM_IRR, XM_XIRR, in the argument order of Excel's own."""

from __future__ import annotations

from xlmodel.conventions.internal_rate import irr, xirr
from xlmodel.errors import WrongShape
from xlmodel.functions.kinds import Dates, Number, Numbers
from xlmodel.functions.refusals import blaming, refuse
from xlmodel.functions.registry import function


@function("XM_IRR", "Rates")
def internal_rate(values: Numbers, guess: Number | None = None) -> float:
    """Rate per period at which flows one period apart are worth nothing in total.

    All rates are found; of several the least that is not negative, else the one nearest to zero.  #NUM! if
    there is none.

    values: Flows one period apart: what is paid negative, what is received positive.
    guess: With several rates, take the one nearest to this; none when omitted.
    """
    _check_guess(guess)
    with blaming("values"):
        return irr(values, guess)


@function("XM_XIRR", "Rates")
def dated_internal_rate(values: Numbers, dates: Dates, guess: Number | None = None) -> float:
    """Annual rate (actual/365) at which dated flows are worth nothing in total.

    All rates are found; of several the least that is not negative, else the one nearest to zero.  #NUM! if
    there is none.

    values: Flows: what is paid negative, what is received positive.
    dates: The date of each flow, in any order.
    guess: With several rates, take the one nearest to this; none when omitted.
    """
    _check_guess(guess)
    if len(values) != len(dates):
        raise WrongShape(f"{len(dates)} dates for {len(values)} flows").at(argument="dates")
    with blaming("values"):
        return xirr(values, dates, guess)


def _check_guess(guess: float | None) -> None:
    refuse(guess is not None and guess <= -1, "guess", "a guess of {}", guess, "give a guess above -1")
