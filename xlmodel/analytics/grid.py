"""A grid of scenarios: speed x loss x severity x lag, each combination one scenario, in one call.

Blocks of scenarios may go to an executor: what travels are the tables of the deal, its collateral as columns
and the numbers of the grid, so that processes need nothing but this package.
"""

from __future__ import annotations

import math
import pickle
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.analytics.life import average_life
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.reading import read_deal
from xlmodel.deal.scenario import SCENARIOS, Scenarios, read_scenarios, select, take
from xlmodel.deal.waterfall import run
from xlmodel.errors import OutOfRange, UnknownName, XlmodelError
from xlmodel.pool.collateral import Collateral
from xlmodel.tables import RawRows

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

# What a grid may vary, and the column of the scenarios that it is.
AXES: Mapping[str, str] = {
    "speed": "speed",
    "loss": "default_rate",
    "severity": "severity",
    "lag": "recovery_lag",
    "purchased": "purchased",
}
_BLOCK = 250
_MOST = 1_000_000
_LONGEST_LAG = 1200

Tables = tuple[RawRows, RawRows, RawRows]
"""The ranges Terms, Classes and Payments, which are a deal."""


@dataclass(frozen=True)
class Grid:
    """Results by item, each of the shape of the axes, in their order.

    Items: ``net loss`` (part of the cutoff pool), ``drawn`` and ``claims`` (dollars), ``called`` (number of
    the payment date, 0 for never), and for each class its ``average life`` (years; NaN where it is not paid
    in full) and ``unpaid`` (principal, dollars).
    """

    axes: Mapping[str, Floats]
    items: Mapping[str, Floats]

    def frame(self) -> pd.DataFrame:
        """A row a scenario, the axes as index, the items as columns."""
        import pandas as pd

        index = pd.MultiIndex.from_product(
            [axis.tolist() for axis in self.axes.values()], names=list(self.axes)
        )
        return pd.DataFrame({name: values.ravel() for name, values in self.items.items()}, index=index)

    def item(self, name: str) -> Floats:
        """One item.  UnknownName, listing what there is."""
        wanted = " ".join(name.lower().split())
        for known, values in self.items.items():
            if known.lower() == wanted:
                return values
        raise UnknownName(f"a grid has no item {name!r}; it has: {', '.join(self.items)}")


def run_grid(deal: Deal, pool: Collateral, base: Scenarios, axes: Mapping[str, Sequence[float]]) -> Grid:
    """Vary one scenario over a grid, here and now.

    Raises what a scenario of it raises, which is named, UnknownName for an axis, OutOfRange for its values.
    """
    names, values = _combined(axes)
    return _gathered(axes, [_results(deal, pool, base, names, block) for block in _blocks(values)])


def run_grid_by(
    executor: Executor,
    tables: Tables,
    pool: Collateral,
    scenarios: RawRows,
    scenario: str,
    axes: Mapping[str, Sequence[float]],
    under_way: int,
) -> Grid:
    """The same by an executor's processes, block by block; ``scenario`` names the one that is varied.

    ``under_way``: blocks that are with the executor at a time, each with the tables and the collateral.
    """
    names, values = _combined(axes)
    question = pickle.dumps((tables, pool, scenarios, scenario), pickle.HIGHEST_PROTOCOL)
    blocks, asked = iter(_blocks(values)), deque[Future[dict[str, Floats]]]()
    parts: list[dict[str, Floats]] = []
    try:
        while True:
            for block in islice(blocks, under_way - len(asked)):
                asked.append(executor.submit(grid_block, question, names, block))
            if not asked:
                return _gathered(axes, parts)
            parts.append(asked.popleft().result())
    finally:
        for future in asked:  # after an error
            future.cancel()


def grid_block(question: bytes, names: tuple[str, ...], values: Floats) -> dict[str, Floats]:
    """One block of a grid, from plain tables: what a worker does."""
    return _results(*_understood(question), names, values)


def block_count(axes: Mapping[str, Sequence[float]]) -> int:
    """How many blocks a grid has: more processes than that have nothing to do."""
    return -(-math.prod(map(len, axes.values())) // _BLOCK)


@lru_cache(maxsize=1)
def _understood(question: bytes) -> tuple[Deal, Collateral, Scenarios]:
    """Deal, collateral and the scenario that is varied; read once a grid by each process."""
    tables, pool, scenarios, scenario = pickle.loads(question)
    return read_deal(*tables), pool, select(read_scenarios(scenarios), scenario)


def _blocks(values: Floats) -> list[Floats]:
    return [values[n : n + _BLOCK] for n in range(0, len(values), _BLOCK)]


def _combined(axes: Mapping[str, Sequence[float]]) -> tuple[tuple[str, ...], Floats]:
    """The axes' names, and a row of values a scenario."""
    for name, listed in axes.items():
        if name not in AXES:
            raise UnknownName(f"a grid has no axis {name!r}; it has: {', '.join(AXES)}")
        if not len(listed):
            raise OutOfRange(f"the axis {name} has no value", remedy="give one or more")
        if name == "lag" and not all(value % 1 == 0 and value <= _LONGEST_LAG for value in listed):
            raise OutOfRange(
                f"a recovery lag is a whole number of months, at most {_LONGEST_LAG}",
                remedy="give 0, 1, 2, ...",
            )
    if not axes:
        raise OutOfRange("a grid without an axis", remedy=f"give one or more: {', '.join(AXES)}")
    count = math.prod(len(listed) for listed in axes.values())
    if count > _MOST:
        raise OutOfRange(f"a grid of {count:,} scenarios", remedy=f"give axes that make 1 to {_MOST:,}")
    return tuple(axes), np.array(list(product(*axes.values())), dtype=np.float64)


def _results(
    deal: Deal, pool: Collateral, base: Scenarios, names: tuple[str, ...], values: Floats
) -> dict[str, Floats]:
    """The items of some scenarios; an error names the first of them that has one."""
    try:
        return _items(deal, pool, _scenarios(base, names, values))
    except XlmodelError as error:
        if len(values) == 1:
            (name,) = _labels(names, values)
            place = {} if error.place.table else {"table": SCENARIOS.name, "row": base.rows[0]}
            raise error.at(scenario=name, **place) from None
        for one in values:
            _results(deal, pool, base, names, one[None])
        raise


def _scenarios(base: Scenarios, names: tuple[str, ...], values: Floats) -> Scenarios:
    """One scenario, varied."""
    changed: dict[str, Any] = {AXES[name]: values[:, n] for n, name in enumerate(names)}
    if "recovery_lag" in changed:
        changed["recovery_lag"] = changed["recovery_lag"].astype(np.int64)
    return replace(take(base, [0] * len(values)), names=_labels(names, values), **changed)


def _labels(names: tuple[str, ...], values: Floats) -> tuple[str, ...]:
    return tuple(
        ", ".join(f"{n} {v:.12g}" for n, v in zip(names, row, strict=True)) for row in values.tolist()
    )


def _items(deal: Deal, pool: Collateral, scenarios: Scenarios) -> dict[str, Floats]:
    collections = collect(deal, pool, scenarios)
    paid = run(deal, collections, scenarios)
    lives = average_life(deal, paid)
    items = {
        "net loss": collections.net_loss / collections.cutoff_balance,
        "drawn": paid.accounts.draw.sum(axis=(1, 2)) / 100,
        "claims": paid.policies.paid.sum(axis=(1, 2)) / 100,
        "called": np.where(paid.called.any(axis=1), paid.called.argmax(axis=1) + 1.0, 0.0),
    }
    for n, name in enumerate(paid.classes):
        items[f"{name} average life"] = lives[:, n]
        items[f"{name} unpaid"] = paid.balance[:, -1, n] / 100
    return items


def _gathered(axes: Mapping[str, Sequence[float]], parts: Sequence[Mapping[str, Floats]]) -> Grid:
    shape = tuple(len(listed) for listed in axes.values())
    items = {name: np.concatenate([part[name] for part in parts]).reshape(shape) for name in parts[0]}
    return Grid({name: np.asarray(listed, dtype=np.float64) for name, listed in axes.items()}, items)
