"""Printed tables recomputed by itself: formulas as Python reads them, on the figures' own decimals.

Nothing here evaluates a workbook; the functions of ours that rules call are written again from their
definitions.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from xlmodel.workbook.printed.figures import Figures, Key
from xlmodel.workbook.printed.rules import Claim

_NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)")
EPOCH = dt.date(1899, 12, 30)
# Bank holidays and weekends near the dates of the 1999 prospectus that its rules ask for, from a calendar.
CLOSED = {dt.date(2004, 8, 14), dt.date(2004, 8, 15)}


def _following(day: dt.date) -> dt.date:
    while day.weekday() >= 5 or day in CLOSED:
        day += dt.timedelta(1)
    return day


def _serial(day: dt.date) -> Decimal:
    return Decimal((day - EPOCH).days)


def _day(serial: Decimal) -> dt.date:
    return EPOCH + dt.timedelta(int(serial))


def _before(serial: Decimal) -> Decimal:
    day = _day(serial) - dt.timedelta(1)
    while day.weekday() >= 5:
        day -= dt.timedelta(1)
    return _serial(day)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "SUM": lambda *parts: sum(parts, Decimal(0)),
    "DATE": lambda year, month, day: _serial(dt.date(int(year), int(month), int(day))),
    "XM_ANNUAL_RATE": lambda amount, average, months: amount / average * 12 / months,
    "XM_NET_LOSS_RATE": lambda out, back, average, months: (out - back) / average * 12 / months,
    "XM_ALLOWANCE": lambda start, out, back, provision, more=0: start + more - out + back + provision,
    "XM_HEADROOM": lambda limit, drawn: limit - drawn,
    "XM_BUSINESS_DAY": lambda serial: _serial(_following(_day(serial))),
    "XM_DETERMINATION_DATES": lambda serial, days, *_: _serial(_following(_day(serial - days))),
    "XM_RECORD_DATES": _before,
}


def value(claim: Claim, values: Mapping[Key, Decimal]) -> Decimal:
    """What a claim computes from these values."""
    words = [
        f"value_of({part!r})" if isinstance(part, Key) else _NUMBER.sub(r"Decimal('\1')", part)
        for part in claim.parts
    ]
    names = {"__builtins__": {}, "Key": Key, "Decimal": Decimal, "value_of": values.__getitem__}
    return Decimal(eval("".join(words), names | FUNCTIONS))


def exact(figures: Figures) -> dict[Key, Decimal]:
    """The figures as printed."""
    return {key: Decimal(f"{figure.value:.{figure.decimals}f}") for key, figure in figures.items()}


def ties(found: Decimal, printed: Decimal, decimals: int) -> bool:
    return found.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP) == printed


def reach(claim: Claim, values: Mapping[Key, Decimal], figures: Figures) -> Decimal:
    """How far the rounding of what goes in can move the result, to first order, and half its own digit."""
    here = value(claim, values)
    far = Decimal("0.5").scaleb(-figures[claim.figure].decimals)
    for key in {part for part in claim.parts if isinstance(part, Key)}:
        moved = {**values, key: values[key] + Decimal("0.5").scaleb(-figures[key].decimals)}
        far += abs(value(claim, moved) - here)
    return far
