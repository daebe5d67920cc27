"""What a change of inputs does: average lives, factors, first interest and printed cells of two deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from xlmodel.analytics.life import Floats, average_life
from xlmodel.analytics.words import money, percent
from xlmodel.conventions.money import round_half_up
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.receipts import monthly_cents
from xlmodel.deal.scenario import at_speeds
from xlmodel.deal.waterfall import run
from xlmodel.pool.projection import Collections
from xlmodel.workbook.in_terms import Model

_LIFE_DECIMALS = 2
_FACTOR_DECIMALS = 7


@dataclass(frozen=True)
class Runs:
    """A model at its printed speeds under the assumptions of its printed tables, and at its base speed."""

    model: Model

    @property
    def deal(self) -> Deal:
        return self.model.deal.deal

    @cached_property
    def printed(self) -> Distributions:
        deal, scenarios = self.deal.as_printed, at_speeds(self.model.speeds)
        return run(deal, collect(deal, self.model.deal.pool, scenarios), scenarios)

    @cached_property
    def collected(self) -> Collections:
        return collect(self.deal, self.model.deal.pool, at_speeds([self.model.base_speed]))

    @cached_property
    def base(self) -> Distributions:
        return run(self.deal, self.collected, at_speeds([self.model.base_speed]))

    @property
    def cutoff_pool(self) -> int:
        """In cents; what the terms say where a run starts later."""
        return self.deal.cutoff_pool or int(monthly_cents(self.collected).beginning[0, 0])

    @cached_property
    def lives(self) -> Floats:
        """Average lives, (speed, class)."""
        return average_life(self.deal, self.printed)

    def results(self) -> Iterator[str]:
        """Average lives and first interest as lines of text."""
        for position, note_class in enumerate(self.deal.classes):
            lives = ", ".join(
                f"{_life(self.lives[n, position])} at {percent(speed)}"
                for n, speed in enumerate(self.model.speeds)
            )
            yield f"result {note_class.name}: average life = {lives}"
            first = money(int(self.base.interest[0, 0, position]))
            yield f"result {note_class.name}: first interest = {first}"


def effects(old: Runs, new: Runs) -> Iterator[str]:
    """A sentence for each effect; one that says so where there is none."""
    names = [c.name for c in old.deal.classes if c.name in {d.name for d in new.deal.classes}]
    said = [*_lives(old, new, names), *_interest(old, new, names)]
    said += [*_factors(old, new, names), *_pool(old, new), *_cells(old, new, names)]
    yield from said or ["Average lives, factors, first interest and the decrement table stay as they are."]


def _life(years: float) -> str:
    return "not paid in full" if np.isnan(years) else f"{float(round_half_up(years, _LIFE_DECIMALS)):.2f}"


def _at(runs: Runs, name: str) -> int:
    return next(n for n, c in enumerate(runs.deal.classes) if c.name == name)


def _common_speeds(old: Runs, new: Runs) -> list[tuple[float, int, int]]:
    speeds = new.model.speeds
    return [(speed, n, speeds.index(speed)) for n, speed in enumerate(old.model.speeds) if speed in speeds]


def _lives(old: Runs, new: Runs, names: list[str]) -> Iterator[str]:
    for name in names:
        changes = []
        for speed, a, b in _common_speeds(old, new):
            before, after = _life(old.lives[a, _at(old, name)]), _life(new.lives[b, _at(new, name)])
            if before != after:
                changes.append(f"{before} -> {after} at {percent(speed)}")
        if changes:
            yield f"Average life of {name}, years: {'; '.join(changes)}"


def _interest(old: Runs, new: Runs, names: list[str]) -> Iterator[str]:
    for name in names:
        before, after = (int(r.base.interest[0, 0, _at(r, name)]) for r in (old, new))
        if before != after:
            yield f"First interest of {name}: {money(before)} -> {money(after)}"


def _factors(old: Runs, new: Runs, names: list[str]) -> Iterator[str]:
    for name in names:
        one, other = (r.base.factor[0, :, _at(r, name)] for r in (old, new))
        yield from _path(f"Factor of {name} at the base speed", one, other)


def _pool(old: Runs, new: Runs) -> Iterator[str]:
    if old.cutoff_pool != new.cutoff_pool:
        yield f"Pool at cutoff: {money(old.cutoff_pool)} -> {money(new.cutoff_pool)}"
    one, other = (r.base.pool[0] / r.cutoff_pool for r in (old, new))
    yield from _path("Pool factor at the base speed", one, other)


def _path(what: str, one: Floats, other: Floats) -> Iterator[str]:
    """Where two paths of factors part, and by how much at most."""
    periods = max(len(one), len(other))
    paths = [np.pad(round_half_up(path, _FACTOR_DECIMALS), (0, periods - len(path))) for path in (one, other)]
    apart = np.abs(paths[1] - paths[0])
    dates = np.flatnonzero(apart > 0.5 * 10.0**-_FACTOR_DECIMALS)
    if dates.size:
        worst, many = int(apart.argmax()), "s" if dates.size > 1 else ""
        yield (
            f"{what}: differs on {dates.size} payment date{many} from date {dates[0] + 1} on; most on date "
            f"{worst + 1}, {paths[0][worst]:.7f} -> {paths[1][worst]:.7f}"
        )


def _cells(old: Runs, new: Runs, names: list[str]) -> Iterator[str]:
    """How many figures of the decrement table print otherwise."""
    if old.model.periods is None or new.model.periods is None:
        return
    periods, decimals = min(old.model.periods, new.model.periods), old.model.decimals
    cells = different = 0
    for name in names:
        for _, a, b in _common_speeds(old, new):
            one = round_half_up(old.printed.factor[a, :periods, _at(old, name)], decimals)
            other = round_half_up(new.printed.factor[b, :periods, _at(new, name)], decimals)
            cells += periods
            different += int((np.asarray(one) != np.asarray(other)).sum())
    if different:
        unit = f"{decimals - 2} decimal{'' if decimals == 3 else 's'} of a percent"
        yield f"Decrement table: {different} of {cells} cells print another figure (to {unit})"
