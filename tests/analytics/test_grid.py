"""A grid is its scenarios one by one, to the cent, here and in other processes."""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from tests.deal.tie import DEAL
from xlmodel.analytics import grid as grids
from xlmodel.analytics.grid import block_count, run_grid, run_grid_by
from xlmodel.analytics.life import average_life
from xlmodel.deal.collect import collect
from xlmodel.deal.folder import read_folder, stacked_rows
from xlmodel.deal.scenario import read_scenarios, take
from xlmodel.deal.waterfall import run
from xlmodel.errors import OutOfRange, UnknownName
from xlmodel.pool.contracts import Pool

FOLDER = read_folder(DEAL)
HEADINGS = ["scenario", "speed", "default model", "default rate", "severity", "recovery lag"]
ROWS: list[list[object]] = [[*HEADINGS], ["stress", 0.013, "CDR", 0.05, 0.5, 4.0]]
AXES = {"speed": [0.005, 0.013], "loss": [0.0, 0.08, 0.2], "severity": [0.3, 0.6]}


def test_a_grid_is_its_scenarios_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "_BLOCK", 5)
    found = run_grid(FOLDER.deal, FOLDER.pool, read_scenarios(ROWS), AXES)
    for (a, speed), (b, loss), (c, severity) in (
        (x, y, z)
        for x in enumerate(AXES["speed"])
        for y in enumerate(AXES["loss"])
        for z in enumerate(AXES["severity"])
    ):
        one = read_scenarios([HEADINGS, ["one", speed, "CDR", loss, severity, 4.0]])
        paid = run(FOLDER.deal, collect(FOLDER.deal, FOLDER.pool, one), one)
        life = average_life(FOLDER.deal, paid)[0]
        assert found.item("drawn")[a, b, c] == paid.accounts.draw.sum() / 100
        assert found.item("Claims")[a, b, c] == paid.policies.paid.sum() / 100
        for n, name in enumerate(paid.classes):
            np.testing.assert_array_equal(found.item(f"{name} average life")[a, b, c], life[n])
    frame = found.frame()
    assert frame.shape == (12, 14)
    assert frame.loc[(0.013, 0.2, 0.6), "drawn"] == found.item("drawn")[1, 2, 1]


@pytest.mark.faces
def test_processes_give_the_same_grid() -> None:
    tables = (stacked_rows(FOLDER.stacked), FOLDER.classes, FOLDER.payments)
    here = run_grid(FOLDER.deal, FOLDER.pool, read_scenarios(ROWS), AXES)
    rows: list[list[object]] = [[*HEADINGS], ["base", 0.01, None, None, None, None], ROWS[1]]
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        there = run_grid_by(executor, tables, FOLDER.pool, rows, "stress", AXES, 4)
    for name, values in here.items.items():
        np.testing.assert_array_equal(there.items[name], values)


def test_axes_and_items_without_meaning_are_refused() -> None:
    base = read_scenarios(ROWS)
    with pytest.raises(UnknownName, match="no axis 'moon'"):
        run_grid(FOLDER.deal, FOLDER.pool, base, {"moon": [1.0]})
    with pytest.raises(OutOfRange, match="no value"):
        run_grid(FOLDER.deal, FOLDER.pool, base, {"speed": []})
    with pytest.raises(UnknownName, match=r"no item 'moon'.*net loss"):
        run_grid(FOLDER.deal, FOLDER.pool, base, {"speed": [0.01]}).item("moon")


def test_a_thousand_scenarios_are_a_thousand_runs_to_the_cent() -> None:
    rng = np.random.default_rng(10)
    headings = ["scenario", "speed", "default model", "default rate", "timing", "severity", "recovery lag"]
    rows = [
        [str(n), rng.uniform(0.005, 0.015), "CNL", rng.uniform(0, 0.09), "40/30/20/10", 0.5, float(n % 7)]
        for n in range(1000)
    ]
    scenarios = read_scenarios([headings, *rows])
    together = run(FOLDER.deal, collect(FOLDER.deal, FOLDER.pool, scenarios), scenarios)
    for n in range(0, 1000, 97):
        single = take(scenarios, [n])
        alone = run(FOLDER.deal, collect(FOLDER.deal, FOLDER.pool, single, 6), single)
        np.testing.assert_array_equal(alone.ledger.paid[0], together.ledger.paid[n])
        np.testing.assert_array_equal(alone.accounts.closing[0], together.accounts.closing[n])
        np.testing.assert_array_equal(alone.policies.claim[0], together.policies.claim[n])


def test_a_point_of_a_grid_that_cannot_be_is_named() -> None:
    lost = read_scenarios([[*HEADINGS, "timing"], ["lost", 0.013, "CNL", 0.01, 0.5, 4.0, "20/20/30/30"]])
    with pytest.raises(
        OutOfRange, match=r"row 2, scenario speed 0.005, loss 0.2: month \d+: .* would default"
    ):
        run_grid(FOLDER.deal, FOLDER.pool, lost, {"speed": [0.005, 0.018], "loss": [0.01, 0.2]})


@pytest.mark.parametrize(
    ("axes", "says"),
    [
        ({"speed": [0.01], "lag": [0, 2.5]}, "a whole number of months"),
        ({"speed": [0.01], "lag": [1e300]}, "at most 1200"),
        ({"speed": [0.01], "lag": [float("nan")]}, "a whole number of months"),
        ({}, "without an axis"),
        ({"speed": [0.01], "lag": [0, -1]}, "row 2, scenario speed 0.01, lag -1: .*lag of -1"),
        ({"severity": [0.4, 2.0]}, "row 2, scenario severity 2: .*severity"),
        ({"speed": [0.01, 1.5]}, "row 2, scenario speed 1.5"),
    ],
)
def test_what_a_grid_cannot_vary_is_named(axes: dict[str, list[float]], says: str) -> None:
    with pytest.raises(OutOfRange, match=says):
        run_grid(FOLDER.deal, FOLDER.pool, read_scenarios(ROWS), axes)


def test_blocks_come_back_in_order_however_many_are_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads, so that the block is as small here as there."""
    monkeypatch.setattr(grids, "_BLOCK", 2)
    axes = {"speed": [0.004 + n / 1000 for n in range(7)], "loss": [0.0, 0.03]}
    assert block_count(axes) == 7
    tables = (stacked_rows(FOLDER.stacked), FOLDER.classes, FOLDER.payments)
    here = run_grid(FOLDER.deal, FOLDER.pool, read_scenarios(ROWS), axes)
    with ThreadPoolExecutor(2) as executor:
        there = run_grid_by(executor, tables, FOLDER.pool, ROWS, "stress", axes, 3)
    for name, values in here.items.items():
        np.testing.assert_array_equal(there.items[name], values)


def test_an_error_of_another_table_keeps_its_place() -> None:
    assert isinstance(FOLDER.pool, Pool)
    pool = replace(FOLDER.pool, remaining_term=FOLDER.pool.remaining_term - 0.5)
    says = r"table Pools, scenario speed 0\.01: contract 1: .* no remaining term"
    with pytest.raises(OutOfRange, match=says):
        run_grid(FOLDER.deal, pool, read_scenarios(ROWS), {"speed": [0.01]})


def test_an_error_leaves_no_block_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "_BLOCK", 1)
    tables = (stacked_rows(FOLDER.stacked), FOLDER.classes, FOLDER.payments)
    axes = {"speed": [1.5] + [0.01 + n / 10000 for n in range(40)]}
    asked: list[Future[Any]] = []
    with ThreadPoolExecutor(1) as executor:
        submit = executor.submit

        def recorded(*call: Any) -> Future[Any]:
            asked.append(submit(*call))
            return asked[-1]

        monkeypatch.setattr(executor, "submit", recorded)
        with pytest.raises(OutOfRange, match=r"scenario speed 1\.5"):
            run_grid_by(executor, tables, FOLDER.pool, ROWS, "stress", axes, 30)
        assert len(asked) == 30
        assert sum(future.cancelled() for future in asked) > 20
