"""Solvers over runs of a deal: break-even default rates, the speed of an average life, the size of a class.

Each narrows a bracket by whole rows of scenarios in one run, says the bracket, and proves its answer by runs
on both sides.  Where there is no answer it says so: NoRoot, never a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from xlmodel.analytics.life import average_life
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.scenario import Scenarios, take
from xlmodel.deal.waterfall import run
from xlmodel.errors import NoRoot, OutOfRange
from xlmodel.pool import loss
from xlmodel.pool.collateral import Collateral

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_FIRST, _EACH, _ROUNDS = 33, 17, 12
RATE_STEP = 1e-6


@dataclass(frozen=True)
class BreakEven:
    """A class is whole at ``rate`` and not at ``breaks``, at most one step above; both were run.

    ``searched`` is the bracket of the search.  ``monotone`` is False where the class is whole again at a
    higher rate that was tried: then this is the least rate that breaks it.
    """

    name: str
    rate: float
    breaks: float
    searched: tuple[float, float]
    monotone: bool


@dataclass(frozen=True)
class Unbroken:
    """A class that is whole at every rate tried, up to the last."""

    name: str
    searched: tuple[float, float]


def whole(paid: Distributions) -> Flags:
    """Where a class gets all principal and interest by the end of the run, (scenario, class)."""
    due = paid.interest_due
    owed = due.accrued[:, -1] + due.overdue[:, -1] + due.on_overdue[:, -1]
    flags: Flags = (paid.balance[:, -1] == 0) & (paid.interest[:, -1] >= owed)
    return flags


def break_even(
    deal: Deal,
    pool: Collateral,
    base: Scenarios,
    model: str = "CDR",
    highest: float | None = None,
    step: float = RATE_STEP,
) -> list[BreakEven | Unbroken]:
    """For each class the default rate of a model, to a ``step``, that it just bears.

    ``base``: one scenario, whose severity, lag, timing, speed and events stay.  Rates are searched from 0 to
    ``highest`` (just below the model's bound by default).  NoRoot for a class that is not whole without
    defaults.
    """
    if len(base) != 1:
        raise OutOfRange(f"{len(base)} scenarios, where one is varied", remedy="give one scenario")
    bound = loss.find(model).below
    top = min(0.999, bound) if highest is None else highest
    if not 0 < top <= bound:
        raise OutOfRange(f"a highest rate of {top:g}", remedy=f"give a rate above 0, below {bound:g}")

    def whole_at(rates: Floats) -> Flags:
        return whole(_run(deal, pool, _varied(base, model, rates)))

    rates = top * np.linspace(0.0, 1.0, _FIRST) ** 2  # closer where break-evens are
    held = whole_at(rates)
    names = [note_class.name for note_class in deal.classes]
    if not held[0].all():
        name = names[int(np.argmin(held[0]))]
        raise NoRoot(f"class {name} is not paid in full without defaults", remedy="check the scenario")
    broken: Flags = np.asarray(~held.all(axis=0))
    first = np.argmin(held, axis=0).tolist()
    low, high = rates[[max(n - 1, 0) for n in first]], rates[first]
    monotone = [not bool(held[first[n] :, n].any()) for n in range(len(names))]
    for _ in range(_ROUNDS):
        open_ = np.flatnonzero(broken & (high - low > step))
        if not open_.size:
            break
        parts = np.linspace(low[open_], high[open_], _EACH + 2, axis=1)[:, 1:-1]
        each, where = np.unique(parts, return_inverse=True)
        held = whole_at(each)
        for row, n in enumerate(open_.tolist()):
            inside: list[bool] = held[where.reshape(parts.shape)[row], n].tolist()
            flags = np.array([True, *inside, False])
            ends = np.array([low[n], *parts[row], high[n]])
            at = int(np.argmin(flags))
            monotone[n] = monotone[n] and not flags[at:].any()
            low[n], high[n] = ends[at - 1], ends[at]
    searched = (0.0, top)
    return [
        BreakEven(name, float(low[n]), float(high[n]), searched, bool(monotone[n]))
        if broken[n]
        else Unbroken(name, searched)
        for n, name in enumerate(names)
    ]


def speed_for_life(
    deal: Deal,
    pool: Collateral,
    base: Scenarios,
    position: int,
    years: float,
    bracket: tuple[float, float] = (0.0, 0.05),
    tolerance: float = 5e-5,
) -> float:
    """The speed at which the average life of a class is ``years``, within a tolerance.

    NoRoot where no speed of the bracket gives it: the life lies outside, or it jumps past it where the call
    comes a month earlier; the message says which.
    """
    low, high = bracket
    name = deal.classes[position].name
    if not 0 <= low < high:
        raise OutOfRange(f"a bracket from {low:g} to {high:g}", remedy="give a lower and a higher speed")
    for _ in range(_ROUNDS):
        speeds = np.linspace(low, high, _FIRST)
        lives = average_life(deal, _run(deal, pool, _at_speeds(base, speeds)))[:, position]
        nearest = int(np.nanargmin(np.abs(lives - years))) if not np.isnan(lives).all() else 0
        if abs(lives[nearest] - years) <= tolerance / 10:
            break
        above = lives > years
        change = np.flatnonzero(above[1:] != above[:-1])
        if np.isnan(lives).any() or not change.size:
            break
        low, high = float(speeds[change[0]]), float(speeds[change[0] + 1])
    found = float(speeds[nearest])
    if abs(lives[nearest] - years) <= tolerance:
        return found
    if np.isnan(lives).any():
        raise NoRoot(f"class {name} is not paid in full at every speed", remedy="narrow the bracket")
    if not change.size:
        raise NoRoot(
            f"class {name} lives {lives.min():.4f} to {lives.max():.4f} years from {bracket[0]:.2%} to "
            f"{bracket[1]:.2%}, never {years:g}",
            remedy="give a wider bracket, or another life",
        )
    raise NoRoot(
        f"the life of class {name} jumps past {years:g} at {found:.6%}: {lives.min():.4f} on one side, "
        f"{lives.max():.4f} on the other",
        remedy="the call comes a payment date earlier there; choose one of the two",
    )


def size_for_coverage(
    deal: Deal, pool: Collateral, stress: Scenarios, position: int, support: int, step: int = 100_000
) -> int:
    """The largest balance of a class, in cents, at which it is whole in every stress scenario.

    What one class gains the ``support`` class loses; sizes are whole multiples of ``step``.  NoRoot where
    even one step is not borne.  The size is whole and one step more is not, or support is used up.
    """
    total = deal.classes[position].balance + deal.classes[support].balance
    collections = collect(deal, pool, stress)

    def holds(size: int) -> bool:
        sized = _sized(deal, {position: size, support: total - size})
        return bool(whole(run(sized, collections, stress))[:, position].all())

    return _largest(holds, total, step, deal.classes[position].name)


def _largest(holds: Callable[[int], bool], total: int, step: int, name: str) -> int:
    steps = (total - 1) // step
    if steps < 1 or not holds(step):
        raise NoRoot(f"class {name} does not bear the stress at any size", remedy="ease the stress")
    low, high = 1, steps + 1
    if holds(steps * step):
        return steps * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle * step) else (low, middle)
    return low * step


def _sized(deal: Deal, balances: dict[int, int]) -> Deal:
    classes = tuple(
        replace(note_class, balance=balances.get(n, note_class.balance))
        for n, note_class in enumerate(deal.classes)
    )
    return replace(deal, classes=classes)


def _varied(base: Scenarios, model: str, rates: Floats) -> Scenarios:
    """One scenario with each of the default rates."""
    copies = _copies(base, [f"{base.names[0]} {rate:.6%}" for rate in rates.tolist()])
    return replace(copies, default_model=(model,) * len(rates), default_rate=np.asarray(rates))


def _at_speeds(base: Scenarios, speeds: Floats) -> Scenarios:
    copies = _copies(base, [f"{base.names[0]} {speed:.6%}" for speed in speeds.tolist()])
    return replace(copies, speed=np.asarray(speeds))


def _copies(base: Scenarios, names: Sequence[str]) -> Scenarios:
    return replace(take(base, [0] * len(names)), names=tuple(names), rows=(None,) * len(names))


def _run(deal: Deal, pool: Collateral, scenarios: Scenarios) -> Distributions:
    return run(deal, collect(deal, pool, scenarios), scenarios)
