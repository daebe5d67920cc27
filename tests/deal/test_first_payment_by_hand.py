"""15 December 1999 at 1.5% ABS by hand, and the printed speeds by the second implementation."""

from __future__ import annotations

import numpy as np
import pytest

from tests.deal import prospectus_1999_1 as prospectus
from tests.deal.test_second_implementation import differences, report
from tests.deal.tie import DEAL, SPEEDS, rep_lines
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import read_folder
from xlmodel.deal.receipts import monthly_cents
from xlmodel.deal.waterfall import run
from xlmodel.pool.projection import project

BASE = SPEEDS.index(0.0150)


@pytest.fixture(scope="module")
def both() -> tuple[Distributions, list[prospectus.Outcome]]:
    folder = read_folder(DEAL)
    collections = project(rep_lines(folder), np.array(SPEEDS))
    paid = run(folder.deal, collections)
    monthly = monthly_cents(collections)
    dates = paid.dates.adjusted.tolist(), paid.dates.unadjusted.tolist()
    nothing = prospectus.Agreement(), prospectus.Decisions()
    expected = []
    for n in range(len(SPEEDS)):
        pool = [int(monthly.beginning[n, 0]), *monthly.ending[n].tolist()]
        collected = prospectus.Collected(pool, monthly.cash[n].tolist(), *dates)
        expected.append(prospectus.pay(collected, *nothing))
    return paid, expected


def test_the_printed_speeds_to_the_cent(both: tuple[Distributions, list[prospectus.Outcome]]) -> None:
    paid, expected = both
    found = differences(paid, expected, [f"{speed:.2%} ABS" for speed in SPEEDS])
    assert not found, report(found)


def test_first_payment_line_by_line(both: tuple[Distributions, list[prospectus.Outcome]]) -> None:
    """By hand from pages 43, 46, 55, 57, 79 and 110; the pools of October and November are those of page 34.

    (1) two months' fees, 643,957,759.72 / 1,200 = 536,631.47 and the next 516,535.69; (2) and (3) interest as
    printed; (4) 643,957,759.72 - 596,114,152.81; (9) all that is left, as the reserve account lacks more:
    3.75% of the pool is 22,354,280.73, on deposit are 16,098,944.00.
    """
    p = both[1][BASE].payments[0]
    interest = [1_283_917_50, 1_799_954_00, 1_578_891_89, 792_932_61, 119_724_52]
    assert p.pool == 596_114_152_81
    assert p.interest == interest
    assert p.principal == [47_843_606_91, 0, 0, 0, 0]
    left = p.available - 1_053_167_16 - sum(interest) - 47_843_606_91
    assert p.paid == {
        "1": 536_631_47 + 516_535_69,
        "2": 5_455_696_00,
        "3": 119_724_52,
        "4": 47_843_606_91,
        "6": 0,
        "7": 0,
        "8": 0,
        "9": left,
        "10": 0,
    }
    assert 0 < left < p.owed["9"] == 22_354_280_73 - 16_098_944_00
    assert (p.requirement, p.opening, p.deposit, p.draw, p.release) == (
        22_354_280_73,
        16_098_944_00,
        left,
        0,
        0,
    )
    assert p.closing == 16_098_944_00 + left
    assert p.balance == [107_406_393_09, 208_650_000_00, 178_900_000_00, 88_278_000_00, 12_879_759_72]
