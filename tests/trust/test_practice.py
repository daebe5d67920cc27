"""What the clauses leave open and market practice fills in, worked by hand; sources in docs/trust.md."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.trust.small_trust import month, series, trust
from xlmodel.trust.classes import Reallocation, reallocate, reimbursed, written_down
from xlmodel.trust.percentages import percentages
from xlmodel.trust.run import run_trust
from xlmodel.trust.state import Period

FEBRUARY = dt.date(2026, 2, 28)


def test_a_fixed_percentage_stays_when_the_invested_amount_falls() -> None:
    """400 of 800 at the end of the revolving period.  Half of January's 100 is paid out, so 350 float.

    In March principal of 80 of 800 receivables still goes by 400 / 800: 40; finance charges by 350 / 800.
    """
    one = series("E", ("A", 400, 0.12))
    months = [month(1), month(2, 0, 100, 0, 100), month(3, 8, 80, 0, 80)]
    run = run_trust(trust(800, [one], months, months_averaged=1))
    february, march = run.series[0][1:]
    assert (february.period, february.paid) == (Period.EARLY, 5000)
    assert (march.invested, march.principal, march.finance_charges) == (35_000, 4000, 350)
    assert march.principal_percentage == 0.5
    assert march.floating_percentage == pytest.approx(0.4375, abs=1e-15)


def test_no_more_than_all_is_allocated() -> None:
    """Numerators of 900 and 300 on receivables of 1,000: by 1,200, so 75% and 25% and nothing is left."""
    found = percentages(1000, [900, 300])
    assert [one.both for one in found] == pytest.approx([0.75, 0.25], abs=1e-15)
    assert [one.investor for one in found] == pytest.approx([1.0, 1.0], abs=1e-15)


def test_reallocated_principal_comes_from_the_most_junior_class_first() -> None:
    """A is short of 10, B of 5.  C has 8 of principal, B 4: C gives A 8, B gives A 2; B gets none of C's."""
    assert reallocate([10, 5, 3], [50, 4, 8], [100, 20, 30]) == Reallocation([10, 0, 0], [0, 2, 8])


def test_no_class_gives_more_than_it_is_invested() -> None:
    assert reallocate([10, 0], [50, 9], [100, 6]) == Reallocation([6, 0], [0, 6])


def test_the_class_that_gives_is_written_down() -> None:
    """A 80 at 60% a year is due 4.00, B 20 at 0% nothing; finance charges 1.00 for the series.

    Principal of 10 is A's 8 and B's 2: B gives 2.00 for interest, so A stays short of 1.00, and B is 18.
    """
    one = series("X", ("A", 80, 0.60), ("B", 20, 0.0))
    run = run_trust(trust(100, [one], [month(1, 1, 10, 0, 10)], months_averaged=3))
    january = run.series[0][0]
    assert (january.interest_due, january.interest_paid) == ([400, 0], [100, 0])
    assert (january.covered, january.taken) == ([200, 0], [0, 200])
    assert (january.overdue_after, january.invested_after, january.balance_after) == (
        [100, 0],
        [8000, 1800],
        [8000, 2000],
    )
    assert january.available == 800


def test_charge_offs_write_down_the_most_junior_class_first_and_are_reimbursed_from_the_senior_down() -> None:
    assert written_down(35, [100, 20, 30]) == [0, 5, 30]
    assert written_down(200, [100, 20, 30]) == [100, 20, 30]
    assert reimbursed(7, [5, 30]) == [5, 2]


def test_defaults_that_are_covered_become_principal_and_those_that_are_not_a_write_down() -> None:
    """All receivables are the series'.  Defaults 5.00 in both months; finance charges 3.00, then 9.00.

    January: 3.00 covers defaults, B is written down by 2.00.  February: 5.00 covers, 2.00 reimburses B.
    """
    one = series("X", ("A", 80, 0.0), ("B", 20, 0.0))
    run = run_trust(trust(100, [one], [month(1, 3, 0, 5, 5), month(2, 9, 0, 5, 5)]))
    january, february = run.series[0]
    assert (january.defaults_covered, january.charged_by_class) == (300, [0, 200])
    # 100 receivables now back 98 of invested amount: 98% of February's defaults and finance charges.
    assert (february.defaults, february.finance_charges) == (490, 882)
    assert (february.defaults_covered, february.reimbursed_by_class) == (490, [0, 200])
    assert february.invested_after == [8000, 2000]
    assert (january.available, february.available) == (300, 690)


def test_controlled_accumulation_carries_what_was_short_and_pays_on_the_expected_date() -> None:
    """Controlled amount 50.  February brings 40, March 60 and 10 are made up, April is the expected month."""
    one = series(
        "C",
        ("A", 120, 0.0),
        accumulates_from=FEBRUARY,
        expected_payment=dt.date(2026, 4, 30),
        controlled_amount=5000,
    )
    months = [month(1), month(2, 0, 40, 0, 40), month(3, 0, 60, 0, 60), month(4, 0, 60, 0, 60)]
    _, february, march, april = run_trust(trust(120, [one], months)).series[0]
    assert [x.wanted for x in (february, march, april)] == [5000, 6000, 2000]
    assert [x.deposit for x in (february, march, april)] == [4000, 6000, 2000]
    assert (april.paid, april.funding_after, april.invested_after) == (12_000, 0, [0])


def test_what_the_expected_date_leaves_unpaid_amortizes_early() -> None:
    one = series(
        "C", ("A", 120, 0.0), accumulates_from=FEBRUARY, expected_payment=FEBRUARY, controlled_amount=5000
    )
    months = [month(1), month(2, 0, 60, 0, 60), month(3, 0, 30, 0, 30)]
    _, february, march = run_trust(trust(120, [one], months)).series[0]
    assert (february.paid, february.invested_after) == (5000, [7000])
    assert (march.period, march.paid) == (Period.EARLY, 3000)


def test_the_reserve_is_released_when_the_series_ends() -> None:
    """1% of 400 is funded out of finance charges in January; February is the expected month."""
    one = series(
        "C",
        ("A", 400, 0.0),
        accumulates_from=FEBRUARY,
        expected_payment=FEBRUARY,
        controlled_amount=40_000,
        reserve=0.01,
        reserve_from=dt.date(2026, 1, 31),
    )
    january, february = run_trust(trust(400, [one], [month(1, 10), month(2, 0, 400)])).series[0]
    assert (january.reserve_deposit, january.reserve_after, january.finance_left) == (400, 400, 600)
    assert (february.paid, february.reserve_released, february.reserve_after) == (40_000, 400, 0)


@pytest.mark.parametrize(
    ("charges", "first_early"),
    [((12, 12, 6, 12, 12), None), ((12, 9, 6, 12, 12), 4), ((12, 12, 6, 9, 12), 5), ((1, 1, 18, 18, 18), 4)],
    ids=["nothing on average is not below it", "-1 on average", "a month later", "the average, not the last"],
)
def test_three_months_of_negative_excess_spread_on_average(
    charges: tuple[float, ...], first_early: int | None
) -> None:
    """Base rate 12% of 1,000, so 10 a month.

    Less 10 the averages of three are 0, 0, 0; then -1; then 0, -1; and (1 + 1 + 18) / 3 - 10 = -3.33.
    """
    one = series("X", ("A", 1000, 0.12))
    months = [month(n, amount) for n, amount in enumerate(charges, start=1)]
    found = [x.period for x in run_trust(trust(1000, [one], months)).series[0]]
    early = found.index(Period.EARLY) + 1 if Period.EARLY in found else None
    assert early == first_early


def test_a_group_that_reallocates_pools_its_finance_charges_by_need() -> None:
    """8 and 8 of 16; X needs 12.00 of interest, Y 2.00: both are paid, and the 2.00 over goes by halves."""
    members = [
        series("X", ("A", 400, 0.36), pools=True, shares_excess=False),
        series("Y", ("A", 400, 0.06), pools=True, shares_excess=False),
    ]
    run = run_trust(trust(800, members, [month(1, 16)]))
    x, y = (one[0] for one in run.series)
    assert (x.finance_charges, y.finance_charges) == (800, 800)
    assert (x.pooled, y.pooled) == (1300, 300)
    assert (x.shortfall, y.shortfall) == (0, 0)


def test_the_transferors_interest_is_kept_at_its_minimum_and_shared_when_needed() -> None:
    """Receivables 110 for 100 invested, minimum 20%.  January: 90 after 20 collected and none added.

    Minimum 18; 90 - 100 = -10, so 28 is wanted and 20 of principal stays in the special funding account.
    February: C begins to accumulate 50, collects 9 of its 100 / 110, and is lent the 20.
    """
    one = series("C", ("A", 100, 0.0), accumulates_from=FEBRUARY, controlled_amount=5000)
    other = series("D", ("A", 0.01, 0.0))
    months = [month(1, 0, 20), month(2, 0, 11)]
    run = run_trust(trust(110, [one, other], months, minimum_transferor=0.20))
    january, february = run.months
    assert (january.minimum, january.special_deposit, january.special_after) == (1800, 2000, 2000)
    assert (january.transferor, january.deficit, january.below_minimum) == (999, 0, True)
    assert february.special_used == 2000
    assert run.series[0][1].shared_received == 2000 + run.series[1][1].shared_given
