"""A requirement that comes out below nothing is nothing: no account releases more than it holds."""

from __future__ import annotations

from dataclasses import replace

from tests.deal.tie import DEAL
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.folder import read_folder
from xlmodel.deal.measures import Component
from xlmodel.deal.scenario import read_scenarios
from xlmodel.deal.waterfall import run

FOLDER = read_folder(DEAL)
SCENARIOS = read_scenarios(
    [
        ["scenario", "speed", "default model", "default rate", "severity", "recovery lag"],
        ["none", 0.015, None, None, None, None],
        ["mild", 0.010, "CDR", 0.05, 0.5, 4.0],
        ["deep", 0.013, "CDR", 0.30, 0.6, 6.0],
    ]
)


def with_less(deal: Deal) -> Deal:
    """Half a million of the target, and the pool taken off it: below nothing from the start."""
    target = deal.measures["reserve target"]
    parts = (Component(0.0, None, 50_000_000), Component(-1.0, "pool", 0))
    less = replace(target, combine="sum", components=parts)
    return replace(deal, measures={**deal.measures, "reserve target": less})


def test_the_account_is_released_once_and_never_below_nothing() -> None:
    deal = with_less(FOLDER.deal)
    paid = run(deal, collect(deal, FOLDER.pool, SCENARIOS), SCENARIOS)
    reserve = paid.accounts
    (initial,) = (account.initial for account in deal.accounts)
    for amounts in reserve.arrays:
        assert (amounts >= 0).all()
    assert (reserve.requirement[:, 0] == 0).all()
    assert (reserve.release[:, 0, 0] == initial - reserve.draw[:, 0, 0] + reserve.deposit[:, 0, 0]).all()
    assert (reserve.closing[:, 0] == 0).all()


def test_scenarios_together_equal_scenarios_alone() -> None:
    deal = with_less(FOLDER.deal)
    together = run(deal, collect(deal, FOLDER.pool, SCENARIOS), SCENARIOS)
    headings = ["scenario", "speed", "default model", "default rate", "severity", "recovery lag"]
    alone = read_scenarios([headings, ["deep", 0.013, "CDR", 0.30, 0.6, 6.0]])
    single = run(deal, collect(deal, FOLDER.pool, alone), alone)
    assert (together.ledger.paid[2] == single.ledger.paid[0]).all()
    assert (together.balance[2] == single.balance[0]).all()
