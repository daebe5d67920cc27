"""The flagship: what the engine gives against what the prospectus of 21 October 1999 prints."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest

from tests.deal.tie import DEAL, SPEEDS, rep_lines, tied_cells
from xlmodel.analytics.life import average_life
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import DealFolder, read_folder
from xlmodel.deal.waterfall import run
from xlmodel.pool.contracts import Pool
from xlmodel.pool.projection import project


@pytest.fixture(scope="module")
def folder() -> DealFolder:
    return read_folder(DEAL)


@pytest.fixture(scope="module")
def paid(folder: DealFolder) -> Distributions:
    return run(folder.deal, project(rep_lines(folder), np.array(SPEEDS)))


def test_all_880_decrement_cells_tie(paid: Distributions) -> None:
    # Pages 36 to 38: 5 classes x 4 speeds x 44 payment dates, 147 of them neither 0 nor 100.
    assert tied_cells(paid) == (880, 147)


def test_all_20_average_lives_tie(folder: DealFolder, paid: Distributions) -> None:
    lives = average_life(folder.deal, paid)
    with (DEAL / "published" / "weighted_average_life.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 20
    for row in rows:
        scenario = [f"{speed * 100:.2f}" for speed in SPEEDS].index(row["abs_speed_pct"])
        life = lives[scenario, paid.classes.index(row["class"])]
        assert f"{life:.2f}" == row["wal_years"], row


def test_first_interest_amounts_tie_to_the_cent(paid: Distributions) -> None:
    # Pages 43 and 46.
    assert paid.interest[:, 0].tolist() == [[128391750, 179995400, 157889189, 79293261, 11972452]] * 4


@pytest.mark.parametrize(
    ("reading", "tied", "informative"),
    [("age from cutoff", 710, 0), ("one collection month", 713, 0), ("no call", 827, 147)],
)
def test_another_reading_does_not_tie(folder: DealFolder, reading: str, tied: int, informative: int) -> None:
    """The tie can fail: counts found by an independent calculation of the same readings."""
    deal, pool = folder.deal, rep_lines(folder)
    if reading == "age from cutoff":
        pool = Pool(pool.names, pool.balance, pool.rate, pool.remaining_term, pool.remaining_term)
    elif reading == "one collection month":
        deal = replace(deal, first_collection_months=1)
    else:
        assert deal.call is not None
        deal = replace(deal, call=replace(deal.call, exercised=False))
    assert tied_cells(run(deal, project(pool, np.array(SPEEDS)))) == (tied, informative)


def test_first_payment_at_1_5_abs_line_by_line(paid: Distributions) -> None:
    """15 December 1999, in cents; worked out by hand from the prospectus's own rules.

    Fees: 643,957,759.72 / 1,200 = 536,631.47 and 619,842,832.6x / 1,200 = 516,535.69, together 1,053,167.16.
    A-1 principal: 643,957,759.72 - 596,114,152.81 = 47,843,606.91.
    Reserve requirement: 3.75% of 596,114,152.81 = 22,354,280.73.
    """
    at = SPEEDS.index(0.0150)
    assert paid.pool[at, 0] == 59611415281
    assert paid.ledger.total("fee")[at, 0] == 53663147 + 51653569
    assert paid.principal[at, 0].tolist() == [4784360691, 0, 0, 0, 0]
    assert paid.accounts.requirement[at, 0].tolist() == [2235428073]
    # What is left after principal goes to the reserve account, which lacks more than that.
    left = paid.available[at, 0] - 105316716 - sum([128391750, 179995400, 157889189, 79293261, 11972452])
    assert paid.accounts.deposit[at, 0].tolist() == [left - 4784360691]
    assert paid.ledger.total("party")[at, 0] == 0


def test_call_is_exercised_at_the_printed_dates(paid: Distributions) -> None:
    # Page 38: the certificates are at 0.0 for the first time in July, March 2003, November, July 2002.
    first_called = [paid.dates.unadjusted[row.argmax()].astype("datetime64[M]") for row in paid.called]
    assert [str(month) for month in first_called] == ["2003-07", "2003-03", "2002-11", "2002-07"]
