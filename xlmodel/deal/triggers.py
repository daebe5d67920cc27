"""Triggers: tests on each payment date, before anything is paid; their names are conditions of clauses."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.deal import measures
from xlmodel.deal.definition import Deal, Span, Trigger
from xlmodel.deal.state import State, as_date

Cents = NDArray[np.int64]
Flags = NDArray[np.bool_]

NET_LOSS, DATE = "net loss", "date"
TESTS = (NET_LOSS, DATE)

RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "above": lambda found, level: found > level,
    "below": lambda found, level: found < level,
    "at least": lambda found, level: found >= level,
    "at most": lambda found, level: found <= level,
}


def evaluate(deal: Deal, state: State, net_loss: Cents) -> Flags:
    """Which triggers are hit on this date, (scenario, trigger); a latching one stays hit.

    ``net_loss``: cumulative defaults less proceeds, in cents, (scenario,).
    """
    hit: list[Flags] = [_hit(deal, trigger, state, net_loss) for trigger in deal.triggers]
    if not hit:
        return state.triggered
    latching = np.array([trigger.latching for trigger in deal.triggers])
    return np.asarray(np.stack(hit, axis=1) | (state.triggered & latching))


def _hit(deal: Deal, trigger: Trigger, state: State, net_loss: Cents) -> Flags:
    day = as_date(state.day)
    span = _span(trigger, day)
    if span is None:
        return np.zeros(len(state.pool), dtype=bool)
    if span.test == DATE:  # the span's dates are the whole test
        return np.ones(len(state.pool), dtype=bool)
    found = net_loss if span.test == NET_LOSS else _measure(deal, span.test, state)
    base = _measure(deal, span.base, state)
    # Compared as whole numbers of cents times the level's own decimals, so that a tie is a tie.
    return np.asarray(RELATIONS[span.relation](found.astype(np.float64), np.round(base * span.level, 6)))


def _span(trigger: Trigger, day: dt.date) -> Span | None:
    """The row in force on a day; none after the last."""
    return next((span for span in trigger.spans if span.through is None or day <= span.through), None)


def _measure(deal: Deal, name: str, state: State) -> Cents:
    return measures.value(name, state, deal.measures, deal.groups)
