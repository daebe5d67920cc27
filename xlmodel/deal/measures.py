"""Measures: named amounts that classes and accounts are compared with.

A measure is a sum, the greatest or the least of components; a component is a percentage of a base or a fixed
amount.  Bases are the amounts in BASES, a class or a group (its balance now), or another measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.money import product_cents
from xlmodel.deal.conditions import Condition, Situation, always
from xlmodel.deal.layout import places

Cents = NDArray[np.int64]


class Amounts(Situation, Protocol):
    """What a measure can look at: arrays of cents, (scenario,) or (scenario, class)."""

    @property
    def pool(self) -> Cents: ...
    @property
    def cutoff_pool(self) -> Cents: ...
    @property
    def insurance_agreement(self) -> Cents: ...
    @property
    def at_cutoff(self) -> Amounts: ...
    @property
    def memo(self) -> dict[str, Cents]: ...
    def scheduled_amount(self, schedule: str) -> Cents: ...


BASES: Mapping[str, Callable[[Amounts], Cents]] = {
    "pool": lambda amounts: amounts.pool,
    "cutoff pool": lambda amounts: amounts.cutoff_pool,
    "securities": lambda amounts: amounts.balance.sum(axis=1),
    "insurance agreement": lambda amounts: amounts.insurance_agreement,
}
"""Amounts that need no definition: ``pool`` at the end of the collection period, ``securities`` now,
``insurance agreement`` what the scenario says that the agreement requires in the reserve account."""

# Beyond every amount: what a component is worth in a comparison in which it does not count.
_NO_AMOUNT = 1 << 60

COMBINATIONS: Mapping[str, tuple[Callable[[Cents, Cents], Cents], int]] = {
    "sum": (np.add, 0),
    "greatest": (np.maximum, -_NO_AMOUNT),
    "least": (np.minimum, _NO_AMOUNT),
}
"""How components join, two by two, and what one is worth that does not count."""

AT_CUTOFF = " at cutoff"
SCHEDULE = "schedule "


@dataclass(frozen=True)
class Component:
    """``percent`` of ``base``, or ``amount`` in cents where there is no base; counts only ``when``."""

    percent: float
    base: str | None
    amount: int
    when: Condition = always


@dataclass(frozen=True)
class Measure:
    """Components joined by ``combine``, a key of COMBINATIONS; ``steady`` if no payment changes it."""

    name: str
    combine: str
    components: tuple[Component, ...]
    steady: bool = False


def with_steady(measures: Mapping[str, Measure]) -> dict[str, Measure]:
    """The same measures; those are marked that look at nothing which the payments of a date change."""

    def is_steady(name: str, seen: tuple[str, ...]) -> bool:
        if name in ("pool", "cutoff pool", "insurance agreement") or name.startswith(SCHEDULE):
            return True
        if name not in measures or name in seen:  # a balance; or itself, which the checks refuse
            return False
        parts = measures[name].components
        return all(
            part.when is always and (part.base is None or is_steady(part.base, (*seen, name)))
            for part in parts
        )

    return {name: replace(measure, steady=is_steady(name, ())) for name, measure in measures.items()}


def value(
    name: str, amounts: Amounts, measures: Mapping[str, Measure], groups: Mapping[str, tuple[int, ...]]
) -> Cents:
    """A measure or base in cents, (scenario,).  ``check.py`` has seen that the name is known."""
    if name in BASES:
        return BASES[name](amounts)
    if name.endswith(AT_CUTOFF):
        return value(name.removesuffix(AT_CUTOFF), amounts.at_cutoff, measures, groups)
    if name.startswith(SCHEDULE):
        return amounts.scheduled_amount(name.removeprefix(SCHEDULE))
    if name in groups:
        held: Cents = amounts.balance[:, places(groups[name])].sum(axis=1)
        return held
    measure = measures[name]
    if not measure.steady:
        return _joined(measure, amounts, measures, groups)
    if name not in amounts.memo:
        amounts.memo[name] = _joined(measure, amounts, measures, groups)
    return amounts.memo[name]


def _joined(
    measure: Measure, amounts: Amounts, measures: Mapping[str, Measure], groups: Mapping[str, tuple[int, ...]]
) -> Cents:
    join, worth_nothing = COMBINATIONS[measure.combine]
    parts, counted = [], []
    for component in measure.components:
        part = _component(component, amounts, measures, groups)
        if component.when is not always:
            counted.append(component.when(amounts))
            part = np.where(counted[-1], part, worth_nothing)
        parts.append(part)
    joined = reduce(join, parts)
    if len(counted) < len(parts):
        return joined
    return np.where(np.logical_or.reduce(counted), joined, 0)


def _component(
    part: Component, amounts: Amounts, measures: Mapping[str, Measure], groups: Mapping[str, tuple[int, ...]]
) -> Cents:
    if part.base is None:
        return np.full(len(amounts.pool), part.amount, dtype=np.int64)
    base = value(part.base, amounts, measures, groups)
    return base if part.percent == 1 else product_cents(base, part.percent, 1, 1)
