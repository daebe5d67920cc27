"""Which conventions make a published decrement table?  Every reading is tried, ranked, and logged.

A table depends on things that its document says badly or not at all: whether a contract's age counts from
origination or from the cutoff date, how many collection months the first payment carries, when the call is
taken, from which day and by which day count lives run, how printed figures were rounded.  The search knows
the deal but none of these; it tries them all and says which tie, what else would have tied, and for every
rejected reading the first printed figure that it misses.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.scenario import at_speeds
from xlmodel.deal.timeline import years_from
from xlmodel.deal.waterfall import run
from xlmodel.pool.contracts import Pool
from xlmodel.pool.projection import project

Floats = NDArray[np.float64]

ORIGINATION, CUTOFF = "origination", "cutoff date"
AGES = (ORIGINATION, CUTOFF)
FIRST_MONTHS = (1, 2, 3)
TO_MATURITY, AT_MOST, BELOW = "no call", "call at or below", "call below"
CALLS = (AT_MOST, BELOW, TO_MATURITY)
DAY_COUNTS = ("30/360", "actual/365 fixed", "actual/360", "actual/actual ISDA")
DAYS_AROUND_CLOSING = range(-3, 4)
ROUNDINGS = ("half up", "half even", "down")

_HAIR = 1e-9  # computed figures carry rounding of their own


@dataclass(frozen=True)
class PrintedCell:
    """A printed figure: class and speed by place, period (0 for closing, None for an average life).

    ``value`` is a fraction of the initial balance, or years; None is a star: above 0 and less than half of
    the smallest printed unit.  ``decimals`` as printed.  ``matures``: printed to maturity, not to the call.
    """

    position: int
    speed: int
    period: int | None
    value: float | None
    decimals: int
    matures: bool = False

    @property
    def informative(self) -> bool:
        """Whether the figure can tell readings apart: 0 and 100% come out by accident."""
        return self.period is None or self.value not in (0.0, 1.0)


@dataclass(frozen=True)
class Reading:
    """One choice of conventions, and how many printed figures it ties."""

    age: str
    first_months: int
    call: str
    rounding: str
    lives_from: dt.date | None
    day_count: str
    tied: int
    informative: int
    first_miss: str

    @property
    def words(self) -> str:
        """The choice as one line."""
        return _words({name: (getattr(self, name),) for name in CHOICES})


CHOICES = ("age", "first_months", "call", "rounding", "lives_from", "day_count")


def together(readings: Sequence[Reading]) -> Iterator[tuple[str, Reading]]:
    """Readings best first, in one line those that the figures do not tell apart: its words, and one of them.

    They tie as many figures, miss the same one first, and are every combination of their choices.
    ``call at or below or call below`` then says that nothing printed decides about the call.
    """
    groups: dict[tuple[int, int, str], list[Reading]] = {}
    for each in readings:
        groups.setdefault((each.tied, each.informative, each.first_miss), []).append(each)
    for group in groups.values():
        choices = {name: tuple(dict.fromkeys(getattr(each, name) for each in group)) for name in CHOICES}
        if math.prod(map(len, choices.values())) == len(group):
            yield _words(choices), group[0]
        else:
            yield from ((each.words, each) for each in group)


def _words(choices: Mapping[str, Sequence[object]]) -> str:
    said = {name: " or ".join(map(str, each)) for name, each in choices.items()}
    lives = f", lives from {said['lives_from']} on {said['day_count']}" if choices["lives_from"][0] else ""
    months = (
        f"{said['first_months']} month{'' if choices['first_months'] == (1,) else 's'} in the first payment"
    )
    return f"age from {said['age']}, {months}, {said['call']}, rounded {said['rounding']}{lives}"


@dataclass(frozen=True)
class Found:
    """Readings, best first.  ``cells`` printed, of which ``informative`` are neither 0 nor 100%."""

    readings: tuple[Reading, ...]
    cells: int
    informative: int

    @property
    def ties(self) -> tuple[Reading, ...]:
        """Those that tie every printed figure."""
        return tuple(each for each in self.readings if each.tied == self.cells)


def search(deal: Deal, pool: Pool, speeds: Sequence[float], cells: Sequence[PrintedCell]) -> Found:
    """Try every reading of a deal's printed tables, whatever its own terms say about them."""
    readings = []
    decrement = [cell for cell in cells if cell.period is not None]
    lives = [cell for cell in cells if cell.period is None]
    for age, first, call, paid, matured in _runs(deal, pool, speeds):
        table = np.array([_factor(matured if c.matures else paid, c) for c in decrement])
        years = {
            (start, basis): np.array([_life(matured if c.matures else paid, c, weights) for c in lives])
            for start, basis, weights in _weights(deal, paid, bool(lives))
        }
        for rounding in ROUNDINGS:
            for (start, basis), computed in years.items():
                every, shown = [*decrement, *lives], np.concatenate([table, computed])
                tied = [
                    _ties(cell, value, rounding) for cell, value in zip(every, shown.tolist(), strict=True)
                ]
                informative = sum(ok for ok, cell in zip(tied, every, strict=True) if cell.informative)
                miss = "" if all(tied) else _miss(deal, speeds, every, shown, tied.index(False))
                readings.append(
                    Reading(age, first, call, rounding, start, basis, sum(tied), informative, miss)
                )
    # The better tie first; of equals the plainer convention, in the order in which they are listed above.
    readings.sort(key=lambda each: -each.tied)
    return Found(tuple(readings), len(cells), sum(cell.informative for cell in cells))


def _runs(
    deal: Deal, pool: Pool, speeds: Sequence[float]
) -> Iterator[tuple[str, int, str, Distributions, Distributions]]:
    """Every reading that needs a run of its own: to the call, and to maturity."""
    scenarios = at_speeds(speeds)
    for age in AGES:
        own = pool if age == ORIGINATION else replace(pool, original_term=pool.remaining_term)
        collections = project(own, np.asarray(speeds), deal.prepayment_model)
        for first in FIRST_MONTHS:
            booked = replace(deal.as_printed, first_collection_months=first)
            matured = run(booked.to_maturity, collections, scenarios)
            for call in CALLS:
                called = _with_call(booked, call)
                if called is None:
                    continue
                yield (
                    age,
                    first,
                    call,
                    matured if call == TO_MATURITY else run(called, collections, scenarios),
                    matured,
                )


def _with_call(deal: Deal, call: str) -> Deal | None:
    """The deal under a reading of its call; None where it has none to read."""
    if call == TO_MATURITY:
        return deal.to_maturity
    if deal.call is None:
        return None
    # Below a part is at most that part less a ten-millionth of the pool.
    part = deal.call.part if call == AT_MOST else round(deal.call.part - 1e-7, 7)
    return replace(deal, call=replace(deal.call, exercised=True, part=part))


def _weights(deal: Deal, paid: Distributions, wanted: bool) -> Iterator[tuple[dt.date | None, str, Floats]]:
    """Years to each payment date under every reading of them; one empty reading where no life is printed."""
    if not wanted:
        yield None, "", np.zeros(0)
        return
    nearest = sorted(DAYS_AROUND_CLOSING, key=abs)
    for days in nearest:
        start = deal.closing_date + dt.timedelta(days)
        for basis in DAY_COUNTS:
            yield start, basis, years_from(start, paid.dates.unadjusted, basis)


def _factor(paid: Distributions, cell: PrintedCell) -> float:
    if not cell.period:
        return 1.0
    if cell.period > paid.balance.shape[1]:
        return 0.0
    left = paid.balance[cell.speed, cell.period - 1, cell.position]
    return float(left / paid.initial_balance[cell.position])


def _life(paid: Distributions, cell: PrintedCell, years: Floats) -> float:
    principal = paid.principal[cell.speed, :, cell.position] / paid.initial_balance[cell.position]
    if paid.balance[cell.speed, -1, cell.position]:
        return float("nan")
    return float(principal @ years[: len(principal)])


def _ties(cell: PrintedCell, value: float, rounding: str) -> bool:
    unit = 10.0**-cell.decimals
    if cell.value is None:
        return 0 < value < unit / 2
    if not np.isfinite(value):
        return False
    steps = value / unit
    if rounding == "down":
        shown = np.floor(steps + _HAIR)
    else:
        near = np.floor(steps + 0.5 + _HAIR)
        tie = abs(steps - np.floor(steps) - 0.5) <= _HAIR
        shown = near - 1 if rounding == "half even" and tie and near % 2 else near
    return bool(abs(shown - cell.value / unit) < 0.5)


def _miss(deal: Deal, speeds: Sequence[float], cells: Sequence[PrintedCell], shown: Floats, at: int) -> str:
    cell = cells[at]
    where = f"class {deal.classes[cell.position].name} at {speeds[cell.speed]:.2%}"
    if cell.period is None:
        end = "to maturity" if cell.matures else "to call"
        return f"{where}, average life {end}: printed {cell.value}, computed {shown[at]:.6f}"
    printed = "*" if cell.value is None else f"{cell.value:.{max(cell.decimals - 2, 0)}%}"
    return f"{where}, payment {cell.period}: printed {printed}, computed {shown[at]:.6%}"
