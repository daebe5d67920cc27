"""Solvers, each checked by single runs just below and just above its answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.deal.tie import DEAL
from xlmodel.analytics.life import average_life
from xlmodel.analytics.solve import (
    BreakEven,
    Unbroken,
    break_even,
    size_for_coverage,
    speed_for_life,
    whole,
)
from xlmodel.deal.collect import collect
from xlmodel.deal.folder import read_folder
from xlmodel.deal.scenario import at_speeds, read_scenarios
from xlmodel.deal.waterfall import run
from xlmodel.errors import NoRoot

FOLDER = read_folder(DEAL)
HEADINGS = [
    "scenario",
    "speed",
    "default model",
    "default rate",
    "severity",
    "recovery lag",
    "insurer default",
]


def uninsured(rate: float = 0.0) -> list[list[object]]:
    return [HEADINGS, ["stress", 0.013, "CDR", rate, 0.5, 4.0, 1.0]]


def test_break_even_rates_are_proved_by_runs_on_both_sides() -> None:
    found = break_even(FOLDER.deal, FOLDER.pool, read_scenarios(uninsured()))
    rates = []
    for position, each in enumerate(found):
        assert isinstance(each, BreakEven)
        assert 0 < each.breaks - each.rate <= 1e-6
        for rate, expected in ((each.rate, True), (each.breaks, False)):
            one = read_scenarios(uninsured(rate))
            paid = run(FOLDER.deal, collect(FOLDER.deal, FOLDER.pool, one), one)
            assert bool(whole(paid)[0, position]) is expected
            left = paid.balance[0, -1, position]
            assert expected is not bool(left) or not expected
        rates.append(each.rate)
    assert rates[-1] == min(rates)  # the certificates bear least: they are paid last


def test_an_insured_class_is_unbroken_and_said_to_be() -> None:
    base = read_scenarios([HEADINGS[:-1], ["stress", 0.013, "CDR", 0.0, 0.5, 4.0]])
    found = break_even(FOLDER.deal, FOLDER.pool, base)
    assert found[0] == Unbroken("A-1", (0.0, 0.999))


@pytest.mark.parametrize("position", [1, 3])
def test_the_speed_of_an_average_life_gives_that_life(position: int) -> None:
    base = at_speeds([0.01])
    wanted = {1: 1.10, 3: 2.95}[position]
    deal = FOLDER.deal.to_maturity
    speed = speed_for_life(deal, FOLDER.pool, base, position, wanted, (0.0, 0.018))
    one = at_speeds([speed])
    life = average_life(deal, run(deal, collect(deal, FOLDER.pool, one), one))[0, position]
    assert life == pytest.approx(wanted, abs=5e-5)


def test_a_life_that_no_speed_gives_is_refused() -> None:
    base = at_speeds([0.01])
    with pytest.raises(NoRoot, match="never 9"):
        speed_for_life(FOLDER.deal, FOLDER.pool, base, 1, 9.0, (0.0, 0.018))
    # To the call, the life of the last class falls by steps of a month times its balance.
    speeds = np.linspace(0.012, 0.0125, 40)
    every = at_speeds(speeds)
    lives = average_life(FOLDER.deal, run(FOLDER.deal, collect(FOLDER.deal, FOLDER.pool, every), every))[:, 3]
    drop = int(np.argmin(np.diff(lives)))
    inside = (lives[drop] + lives[drop + 1]) / 2
    if lives[drop] - lives[drop + 1] > 0.01:
        with pytest.raises(NoRoot, match="jumps past"):
            speed_for_life(FOLDER.deal, FOLDER.pool, base, 3, inside, (speeds[drop], speeds[drop + 1]))


def test_a_size_is_whole_and_one_step_more_is_not() -> None:
    stress = read_scenarios(uninsured(0.16))
    step = 100_000_00
    size = size_for_coverage(FOLDER.deal, FOLDER.pool, stress, 3, 4, step)
    total = FOLDER.deal.classes[3].balance + FOLDER.deal.classes[4].balance
    collections = collect(FOLDER.deal, FOLDER.pool, stress)
    for extra, expected in ((0, True), (step, False)):
        balances = {3: size + extra, 4: total - size - extra}
        classes = tuple(
            replace(each, balance=balances.get(n, each.balance)) for n, each in enumerate(FOLDER.deal.classes)
        )
        paid = run(replace(FOLDER.deal, classes=classes), collections, stress)
        assert bool(whole(paid)[0, 3]) is expected
    with pytest.raises(NoRoot, match="at any size"):
        size_for_coverage(FOLDER.deal, FOLDER.pool, read_scenarios(uninsured(0.9)), 3, 4, step)
