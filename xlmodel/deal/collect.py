"""What a pool hands over under the scenarios of a deal: prepayments, defaults, recoveries, purchases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from xlmodel.deal.definition import Deal
from xlmodel.deal.scenario import SCENARIOS, Scenarios
from xlmodel.errors import OutOfRange, UnknownName, XlmodelError
from xlmodel.pool import loss, prepayment
from xlmodel.pool.cash_flows import CashFlows
from xlmodel.pool.collateral import Collateral
from xlmodel.pool.credit import with_losses, yearly_timing
from xlmodel.pool.projection import Collections, project

Floats = NDArray[np.float64]

# Curves whose rate is the same for every contract; one by age would need each contract's own survivors.
_RATES = ("CDR", "MDR")
_NET_LOSS = "CNL"


def collect(deal: Deal, collateral: Collateral, scenarios: Scenarios, lag: int | None = None) -> Collections:
    """What the collateral pays, scenario by scenario, until the last recovery has come in or been reported.

    ``lag``: months of recovery lag for which there is room; by default the longest of the scenarios.
    Raises the error of an assumption that has no meaning, with row and column of the table Scenarios.
    """
    try:
        prepayment.check_speeds(scenarios.speed, deal.prepayment_model)
    except XlmodelError:
        for n, speed in enumerate(scenarios.speed):
            with _placed(scenarios, n):
                prepayment.check_speeds(np.array([speed]), deal.prepayment_model)
        raise
    if isinstance(collateral, CashFlows):
        _refuse_assumptions(scenarios)
        return collateral.since(deal.first_month).collections(len(scenarios))
    longest = int(scenarios.recovery_lag.max()) if lag is None else lag
    collections = project(collateral, scenarios.speed, deal.prepayment_model, collateral.months + longest)
    if not (any(scenarios.default_model) or scenarios.purchased.any()):
        return collections
    left = _not_defaulted(scenarios, collections)
    severity, lags = scenarios.severity, scenarios.recovery_lag
    return with_losses(collections, left, severity, lags, scenarios.purchased)


def _refuse_assumptions(scenarios: Scenarios) -> None:
    """Collections that were reported leave nothing to assume about prepayments and losses."""
    for n in range(len(scenarios)):
        assumed = {
            "speed": scenarios.speed[n],
            "default model": scenarios.default_model[n],
            "purchased": scenarios.purchased[n],
        }
        for heading, value in assumed.items():
            if value:
                with _placed(scenarios, n):
                    raise OutOfRange(
                        f"the collateral is a cash-flow schedule, and a {heading} of {value} is assumed",
                        remedy=f"make the {heading} {'blank' if isinstance(value, str) else '0'}, "
                        "or give contracts",
                    ).at(heading=heading)


def _not_defaulted(scenarios: Scenarios, collections: Collections) -> Floats:
    """Part of today's contracts that has not defaulted, (scenario, month + 1)."""
    left = np.ones((len(scenarios), collections.months + 1))
    curves: dict[tuple[str, str], list[int]] = {}
    for n, model in enumerate(scenarios.default_model):
        if model:
            curves.setdefault((model, scenarios.timing[n]), []).append(n)
    for curve, chosen in curves.items():
        try:
            left[chosen] = _left(*curve, scenarios, chosen, collections)
        except XlmodelError:
            for n in chosen:  # the first row at fault
                with _placed(scenarios, n):
                    _left(*curve, scenarios, [n], collections)
            raise
    return left


def _left(
    model: str, timing: str, scenarios: Scenarios, chosen: list[int], collections: Collections
) -> Floats:
    """The same in the scenarios of one curve."""
    rates = scenarios.default_rate[chosen]
    if model == _NET_LOSS:
        return loss.net_loss_defaults(
            rates,
            yearly_timing(timing),
            scenarios.severity[chosen],
            collections.cutoff_balance,
            collections.beginning_balance[chosen],
        ).survivors
    if model in _RATES:
        return np.asarray(loss.survivors(rates, [0.0], collections.months, model)[:, :, 0])
    known = ", ".join((_NET_LOSS, *_RATES))
    raise UnknownName(f"there is no default model {model!r} here; known: {known}")


@contextmanager
def _placed(scenarios: Scenarios, n: int) -> Iterator[None]:
    """Errors raised inside lie in this row of the table Scenarios."""
    try:
        yield
    except XlmodelError as error:
        raise error.at(table=SCENARIOS.name, row=scenarios.rows[n]) from None
