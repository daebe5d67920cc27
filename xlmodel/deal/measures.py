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
from xlmodel.deal.conditions import Condition, Situation, always, changes_in_a_payment
from xlmodel.deal.layout import columns_at

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


def with_steady(measures: Mapping[str, Measure], groups: Mapping[str, tuple[int, ...]]) -> dict[str, Measure]:
    """The same measures; those are marked that the payments of a date do not change."""

    def moves(name: str, seen: tuple[str, ...]) -> bool:
        if name.endswith(AT_CUTOFF):  # initial balances, whatever is paid
            return False
        if name == "securities" or name in groups or name in seen:  # in a circle, which the checks refuse
            return True
        if name not in measures:
            return False
        return any(
            changes_in_a_payment(part.when) or (part.base is not None and moves(part.base, (*seen, name)))
            for part in measures[name].components
        )

    return {name: replace(measure, steady=not moves(name, ())) for name, measure in measures.items()}


def may_be_below_nothing(name: str, measures: Mapping[str, Measure]) -> bool:
    """Whether a measure takes something off; amounts themselves are 0 or more."""
    measure = measures.get(name.removesuffix(AT_CUTOFF))
    return measure is not None and any(
        part.percent < 0 or part.amount < 0 or may_be_below_nothing(part.base or "", measures)
        for part in measure.components
    )


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
        held: Cents = amounts.balance[:, columns_at(groups[name])].sum(axis=1)
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
