"""The seven operative paragraphs of the allocation clauses, each worked by hand with numbers of our own.

What the paragraphs leave open is practice and has its tests apart, in ``test_practice.py``.
"""

from __future__ import annotations

import datetime as dt

import pytest

from tests.trust.small_trust import month, series, trust
from xlmodel.deal.advances import (
    ADVANCE,
    DETERMINATION,
    RECEIPT,
    Basis,
    Condition,
    Event,
    Servicer,
    ledger,
    monthly_condition,
    remittance,
)
from xlmodel.errors import NeverAdvanced
from xlmodel.trust.loan_agreement import Agreement, Bank, Provider, Receipt, claims, distribute, rung_by_rung
from xlmodel.trust.restriction import first_received, oldest_first
from xlmodel.trust.run import run_trust
from xlmodel.trust.shares import Shared, share
from xlmodel.trust.state import Period


def test_allocations_of_finance_charge_collections() -> None:
    """Receivables 1,000; series of 300 and 500: series percentages 37.5% and 62.5%, floating 300 / 375 = 80%.

    Collections of 20.00: 80% x 37.5% x 20 = 6.00, 80% x 62.5% x 20 = 10.00, and 4.00 to the transferor.
    """
    members = [series("X", ("A", 300, 0.0)), series("Y", ("A", 500, 0.0))]
    run = run_trust(trust(1000, members, [month(1, 20)]))
    x, y = (one[0] for one in run.series)
    assert (x.series_percentage, y.series_percentage) == (0.375, 0.625)
    assert x.floating_percentage == y.floating_percentage == pytest.approx(0.8, abs=1e-15)
    assert (x.finance_charges, y.finance_charges) == (600, 1000)
    assert run.months[0].finance_to_transferor == 400


SERVICER = Servicer(dt.date(2026, 3, 31), dt.date(2026, 4, 22), 15, "FED")


def test_collections_and_allocations() -> None:
    """At the latest two business days after receipt: Monday to Wednesday; Thursday, 2 July to Monday, 6 July.

    Independence Day falls on a Saturday, which the Federal Reserve does not keep on the Friday.
    """
    assert remittance(SERVICER, dt.date(2026, 6, 8), False) == (dt.date(2026, 6, 10), Basis.DAILY)
    assert remittance(SERVICER, dt.date(2026, 7, 2), False) == (dt.date(2026, 7, 6), Basis.DAILY)


class TestCollections:
    """The paragraph Collections of a sale and servicing agreement, limb by limb."""

    CONDITION = Condition(dt.date(2026, 5, 1), True, False, "A-1", "F1")

    def test_monthly_while_the_condition_holds(self) -> None:
        """May's receipts are remitted on Friday, 12 June, the business day before Monday, 15 June."""
        monthly = monthly_condition([self.CONDITION], dt.date(2026, 5, 18))
        assert monthly
        assert remittance(SERVICER, dt.date(2026, 5, 18), monthly) == (dt.date(2026, 6, 12), Basis.MONTHLY)

    @pytest.mark.parametrize(
        ("limb", "holds"),
        [
            (Condition(dt.date(2026, 5, 1), True, False, "A-1+", "F1+"), True),
            (Condition(dt.date(2026, 5, 1), False, False, "A-1", "F1"), False),
            (Condition(dt.date(2026, 5, 1), True, True, "A-1", "F1"), False),
            (Condition(dt.date(2026, 5, 1), True, False, "A-2", "F1"), False),
            (Condition(dt.date(2026, 5, 1), True, False, "A-1", "F2"), False),
        ],
        ids=["better ratings", "another servicer", "termination event", "S&P below", "Fitch below"],
    )
    def test_each_limb_of_the_condition(self, limb: Condition, holds: bool) -> None:
        assert monthly_condition([limb], dt.date(2026, 5, 18)) is holds

    def test_it_has_not_been_satisfied_before_it_is_said_to_be(self) -> None:
        assert not monthly_condition([self.CONDITION], dt.date(2026, 4, 30))

    def test_the_closing_date_remittance(self) -> None:
        """Closing on Wednesday the 22nd: up to Monday the 20th on the closing date, the 21st by the 23rd."""
        for day in (1, 20):
            assert remittance(SERVICER, dt.date(2026, 4, day), False) == (SERVICER.closing, Basis.CLOSING)
        assert remittance(SERVICER, dt.date(2026, 4, 21), False) == (dt.date(2026, 4, 23), Basis.DAILY)

    def test_a_simple_interest_advance_is_kept_out_of_what_its_receivable_pays(self) -> None:
        """50.00 advanced on R; 30.00 received on S is remitted whole, of 80.00 on R 50.00 is kept."""
        lines = ledger(
            SERVICER,
            [],
            [
                Event(dt.date(2026, 5, 14), ADVANCE, "R", 5000),
                Event(dt.date(2026, 5, 15), RECEIPT, "S", 3000, "payment", 2),
                Event(dt.date(2026, 5, 15), RECEIPT, "R", 8000, "liquidation proceeds", 3),
            ],
        )
        assert [(one.kept_for_advance, one.remitted, one.outstanding) for one in lines] == [
            (0, 0, 5000),
            (0, 3000, 0),
            (5000, 3000, 0),
        ]

    def test_an_unreimbursed_servicer_advance_is_kept_out_of_any_receipt(self) -> None:
        """50.00 on R is determined; of 30.00 on S all is kept, of 80.00 on T the other 20.00."""
        lines = ledger(
            SERVICER,
            [],
            [
                Event(dt.date(2026, 5, 14), ADVANCE, "R", 5000),
                Event(dt.date(2026, 5, 14), DETERMINATION, "R", 0),
                Event(dt.date(2026, 5, 15), RECEIPT, "S", 3000, "payment", 2),
                Event(dt.date(2026, 5, 15), RECEIPT, "T", 8000, "payment", 3),
            ],
        )
        kept = [(one.kept_unreimbursed, one.remitted, one.unreimbursed) for one in lines]
        assert kept == [(0, 0, 0), (0, 0, 5000), (3000, 0, 2000), (2000, 6000, 0)]

    @pytest.mark.parametrize("kind", ["supplemental servicing fee", "purchased receivable"])
    def test_what_is_not_remitted(self, kind: str) -> None:
        """Neither remitted nor kept for an advance: it does not belong to the trust."""
        lines = ledger(
            SERVICER,
            [],
            [
                Event(dt.date(2026, 5, 14), ADVANCE, "R", 5000),
                Event(dt.date(2026, 5, 15), RECEIPT, "R", 8000, kind, 2),
            ],
        )
        assert (lines[1].not_remitted, lines[1].remitted, lines[1].outstanding) == (8000, 0, 5000)

    def test_an_advance_that_was_never_made(self) -> None:
        with pytest.raises(NeverAdvanced, match="never made"):
            ledger(SERVICER, [], [Event(dt.date(2026, 5, 14), DETERMINATION, "R", 100)])


AGREEMENT = Agreement(
    agent="Agent",
    default_date=dt.date(2026, 6, 1),
    agent_costs=3000,
    notes=100_000,
    commitment_fees=700,
    letter_of_credit_fees=300,
    undrawn=20_000,
    holding_account="Holding",
    banks=(
        Bank("N", 600_000_000, 500_000_000, 550_000_000, 1000),
        Bank("S", 400_000_000, 500_000_000, 450_000_000, 0),
    ),
    providers=(Provider("P", 25_000),),
)


def test_payments_and_collections() -> None:
    """Before: 100.00 on Term Notes by 60/40; 10.01 of fees by 50/50, the odd cent to the first.

    After: costs 30.00 + 10.00; notes 550.00 and 450.00 beside 250.00 of rate protection, 1,250.00 together;
    fees 10.00 by 50/50; letters of credit 200.00.  Of 665.00: 40.00 costs, then 625.00, half of each on (b).
    """
    before = distribute(
        AGREEMENT,
        [
            Receipt(dt.date(2026, 5, 1), "term notes", 10_000),
            Receipt(dt.date(2026, 5, 2), "revolving commitment fees", 1001),
        ],
    )
    assert [one.banks for one in before] == [[6000, 4000], [501, 500]]
    owed = claims(AGREEMENT)
    assert [one.due for one in owed] == [3000, 1000, 0, 55_000, 45_000, 25_000, 500, 500, 20_000]
    paid = [one.paid for one in rung_by_rung(66_500, owed)]
    assert paid == [3000, 1000, 0, 27_500, 22_500, 12_500, 0, 0, 0]
    first, second = distribute(
        AGREEMENT,
        [
            Receipt(dt.date(2026, 6, 1), "term notes", 66_500),
            Receipt(dt.date(2026, 6, 2), "collateral", 90_000),
        ],
    )
    assert (first.banks, first.agent, first.providers) == ([28_500, 22_500], 3000, [12_500])
    # 625.00 of (b) is left, then 10.00 of fees, then 200.00 for the holding account; 65.00 no rung takes.
    assert (second.banks, second.providers) == ([28_000, 23_000], [12_500])
    assert (second.holding, second.left) == (20_000, 6500)


def test_shared_principal_collections() -> None:
    """Series of 100, 200, 300 and receivables of 600: principal of 60 is theirs by 10, 20, 30.

    R revolves: its shortfall is zero and its 10 are shared.  C has a controlled deposit of 26, so is short of
    6.  E amortizes early, short of 300 - 30 = 270.  Shared: 10 x 6 / 276 = 0.22 and 10 x 270 / 276 = 9.78.
    """
    members = [
        series("R", ("A", 100, 0.0)),
        series("C", ("A", 200, 0.0), accumulates_from=dt.date(2026, 2, 28), controlled_amount=2600),
        # Its base rate of 12% is never earned, so that it amortizes from the second month on.
        series("E", ("A", 300, 0.12)),
    ]
    run = run_trust(trust(600, members, [month(1), month(2, principal=60)], months_averaged=1))
    r, c, e = (one[1] for one in run.series)
    assert [one.period for one in (r, c, e)] == [Period.REVOLVING, Period.ACCUMULATION, Period.EARLY]
    assert [one.available for one in (r, c, e)] == [1000, 2000, 3000]
    assert [one.principal_shortfall for one in (r, c, e)] == [0, 600, 27_000]
    assert [one.shared_given for one in (r, c, e)] == [1000, 0, 0]
    assert [one.shared_received for one in (r, c, e)] == [0, 22, 978]


def test_shares_are_capped_and_a_zero_denominator_gives_zero() -> None:
    """10 to share among shortfalls of 3 and 1: no more than 4 is shared; among none nothing."""
    assert share([1000, 0, 0], [0, 300, 100]) == Shared([400, 0, 0], [0, 300, 100])
    assert share([1000, 0, 0], [0, 0, 0]) == Shared([0, 0, 0], [0, 0, 0])


def test_account_allocations() -> None:
    """The trust held 900.00 at the event: of collections of 400, 300, 250, 100 it gets 400, 300, 200, 0.

    Oldest first: an account that owed 320 at the event and 180 since pays 400: 320 to the trust, 80 not.
    """
    assert first_received([40_000, 30_000, 25_000, 10_000], 90_000) == [40_000, 30_000, 20_000, 0]
    assert oldest_first([40_000, 10_000], [[32_000, 18_000], [32_000, 18_000]]) == [
        [32_000, 8000],
        [10_000, 0],
    ]


def test_account_allocations_in_a_trust() -> None:
    """Held 100.00 at the event in February: of 40 + 40 in February and March the trust gets 80, then 20.

    Halves are finance charges and principal; nothing is added; what is written off goes on being allocated.
    """
    months = [month(1), month(2, 40, 40, 0, 50), month(3, 40, 40, 6, 50)]
    run = run_trust(trust(100, [series("X", ("A", 50, 0.0))], months, restricted_from=dt.date(2026, 2, 28)))
    _, february, march = run.months
    assert (february.finance_charges, february.principal, february.added) == (4000, 4000, 0)
    assert (march.finance_charges, march.principal, march.added) == (1000, 1000, 0)
    # Receivables are 100 - 40 = 60 in March, and the series 50 of them: 5.00 of 6.00 defaults are its.
    assert (march.receivables, march.defaults, run.series[0][2].defaults) == (6000, 600, 500)


def test_excess_finance_charge_collections() -> None:
    """Receivables 1,000 in series of 400, 400 and 200; finance charges of 20.00 are 8, 8 and 4.

    L needs 400 x 6% / 12 = 2.00, so has 6.00 over.  M needs 400 x 30% / 12 = 10.00: short of 2.00.  H needs
    200 x 60% / 12 = 10.00: short of 6.00.  Shared: 6 x 2 / 8 = 1.50 and 6 x 6 / 8 = 4.50.
    """
    members = [series("L", ("A", 400, 0.06)), series("M", ("A", 400, 0.30)), series("H", ("A", 200, 0.60))]
    run = run_trust(trust(1000, members, [month(1, 20)]))
    low, middle, high = (one[0] for one in run.series)
    assert [one.required for one in (low, middle, high)] == [200, 1000, 1000]
    assert [one.shortfall for one in (low, middle, high)] == [0, 200, 600]
    assert [one.excess_given for one in (low, middle, high)] == [600, 0, 0]
    assert [one.excess_received for one in (low, middle, high)] == [0, 150, 450]
    assert [sum(one.interest_paid) for one in (low, middle, high)] == [200, 950, 850]


def test_the_shortfall_counts_proceeds_and_reserve_draws() -> None:
    """In accumulation 200 of 400 stand in the principal funding account, which earns 3%: 0.50 in March.

    The senior class costs 6%: 1.00 on the 200, so 0.50 is drawn from the reserve account, which holds 4.00.
    Due: 400 x 6% / 12 = 2.00; finance charges 0.40.  Short: 2.00 + 0.50 for the reserve - 0.40 - 0.50 - 0.50.
    """
    one = series(
        "C",
        ("A", 400, 0.06),
        accumulates_from=dt.date(2026, 2, 28),
        controlled_amount=20_000,
        reserve=0.01,
        reserve_from=dt.date(2026, 1, 31),
    )
    months = [month(1, 10), month(2, 10, 200, 0, 200), month(3, 0.80)]
    run = run_trust(trust(400, [one], months, account_rate=0.03))
    march = run.series[0][2]
    assert (march.funding, march.proceeds, march.reserve_draw) == (20_000, 50, 50)
    # Half of the receivables' 0.80 is the transferor's: the adjusted invested amount is 200 of 400.
    assert (march.finance_charges, march.reserve_due, march.required) == (40, 50, 250)
    assert march.shortfall == 250 - 40 - 50 - 50
