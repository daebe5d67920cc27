"""A deal that nobody prepared, written as TOML only and SYNTHETIC: nobody has published any of its figures.

It joins what the known deals have one by one, keeps the laws of cash under five scenarios, and each of its
features is shown to decide something; then its text is spoilt, and the message says where and what to do.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.deal.test_waterfall_laws import keeps_the_laws
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal, Limit
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import read_folder
from xlmodel.deal.measures import value
from xlmodel.deal.orders import Order
from xlmodel.deal.receipts import receipts
from xlmodel.deal.scenario import read_scenarios, select
from xlmodel.deal.state import opening_state
from xlmodel.deal.waterfall import run
from xlmodel.errors import XlmodelError
from xlmodel.pool.contracts import Pool
from xlmodel.pool.credit import with_losses

PATH = Path(__file__).parent / "nobody_prepared"
FOLDER = read_folder(PATH)
DEAL = FOLDER.deal
assert isinstance(FOLDER.pool, Pool)
POOL: Pool = FOLDER.pool
SCENARIOS = read_scenarios(FOLDER.scenarios)
A, F, B = range(3)
LIQUIDITY, RESERVE = range(2)
CUTOFF = 100_000_000_00


def paid(scenario: str, deal: Deal = DEAL, pool: Pool = POOL) -> Distributions:
    assumed = select(SCENARIOS, scenario)
    return run(deal, collect(deal, pool, assumed), assumed)


def of_clause(found: Distributions, number: str, column: str = "paid") -> NDArray[np.int64]:
    """Due or paid by payment date and payee of a clause."""
    lines = [n for n, line in enumerate(found.ledger.lines) if line.clause == number]
    amounts: NDArray[np.int64] = getattr(found.ledger, column)[0][:, lines]
    return amounts


@pytest.mark.parametrize("name", SCENARIOS.names)
def test_it_keeps_the_laws(name: str) -> None:
    keeps_the_laws(DEAL, POOL, select(SCENARIOS, name))


def test_it_keeps_them_in_all_scenarios_at_once() -> None:
    keeps_the_laws(DEAL, POOL, SCENARIOS)


# --- each feature decides something -----------------------------------------------------------------


def test_three_pools_begin_one_after_the_other() -> None:
    """Interest by hand: 40m x 7%/12; then what is left of it, and 35m x 9%/12; then also 25m x 12%/12."""
    c = collect(DEAL, POOL, select(SCENARIOS, "slow"))
    interest, principal = c.interest[0], c.scheduled_principal[0]
    assert interest[0] == pytest.approx(40e6 * 0.07 / 12)
    assert interest[1] == pytest.approx((40e6 - principal[0]) * 0.07 / 12 + 35e6 * 0.09 / 12)
    assert interest[2] > interest[1] > interest[0]
    assert c.ending_balance[0, 0] == pytest.approx(100e6 - principal[0])
    # 24, 30 and 36 months, the last of which begins two months late.
    assert (POOL.months, DEAL.months_in_first_payment) == (38, 1)
    together = paid("slow", pool=replace(POOL, delay=None))
    assert together.available[0, 0] > paid("slow").available[0, 0]


def test_a_fee_of_the_lines_that_have_begun() -> None:
    """1% a year of 40m; then of what is left of it and 35m; from the third month on of all lines."""
    servicing = [fee for fee in DEAL.fees if fee.name == "servicing"]
    collecting = replace(DEAL, fees=(replace(servicing[0], base="collecting pool"),))
    c = collect(DEAL, POOL, select(SCENARIOS, "slow"))
    of_pool = receipts(replace(DEAL, fees=tuple(servicing)), c).fees[0, :, 0]
    found = receipts(collecting, c).fees[0, :, 0]
    assert of_pool[0] == 83_333_33  # 100m x 1% / 12
    assert found[0] == 33_333_33
    assert found[1] == pytest.approx((c.ending_balance[0, 0] - 25e6) / 12, abs=0.5)  # dollars x 1% in cents
    assert (found[2:] == of_pool[2:]).all()


def test_lines_that_have_not_begun_default_with_the_pool() -> None:
    """A hundredth of the contracts defaults in month 1: of 60m that wait, 24.75m of 25m wait in month 2."""
    c = collect(DEAL, POOL, select(SCENARIOS, "slow"))
    left = np.full((1, c.months + 1), 0.99)
    left[0, 0] = 1.0
    found = with_losses(c, left, np.ones(1), np.zeros(1, np.int64), np.zeros(1))
    assert found.waiting[0, :4] == pytest.approx([60e6, 24.75e6, 0, 0])


def test_pro_rata_until_the_trigger_then_sequential() -> None:
    found = paid("mild losses")
    pro_rata, sequential = (of_clause(found, number, "due").sum(axis=1) > 0 for number in "56")
    assert pro_rata.any()
    assert sequential.any()
    first = int(np.argmax(sequential))
    assert not pro_rata[first:].any()
    assert not sequential[:first].any()
    # Pro rata by balance: 5 to 2 to 2, within the cents of rounding.
    before = found.principal[0, :first]
    assert (np.abs(before[:, A] * 2 - before[:, F] * 5) <= 10).all()
    # Then F alone, until it is paid.
    assert found.principal[0, first, F] > 0
    assert found.principal[0, first, [A, B]].tolist() == [0, 0]
    # The trigger is the cumulative net loss, above 2% of the cutoff pool from that date on, and it latches.
    c = collect(DEAL, POOL, select(SCENARIOS, "mild losses"))
    net_loss = np.cumsum(c.defaulted[0] - c.liquidation_proceeds[0]) / 100e6
    assert net_loss[first - 1] <= 0.02 < net_loss[first]
    assert not of_clause(paid("base"), "6", "due").any()


def test_overcollateralisation_steps_down() -> None:
    """From 10% to 5% of the cutoff pool on the first date on which half of the pool is left or less."""
    found = paid("base")
    stepped = int(np.argmax(found.pool[0] <= CUTOFF // 2))
    outstanding = found.balance[0].sum(axis=1)
    supplement = {
        day: round(v * 100) for day, v in DEAL.schedules["supplement while f is outstanding"].items()
    }
    days = found.dates.unadjusted.tolist()
    backed = found.pool[0] - np.array([supplement[day] for day in days]) - outstanding
    assert backed[stepped - 1] == CUTOFF // 10
    assert backed[stepped + 1] == CUTOFF // 20
    assert found.principal[0, stepped].sum() == 0  # enough is released at once
    losses, step = DEAL.triggers
    never = replace(DEAL, triggers=(losses, replace(step, spans=(replace(step.spans[0], level=0.0),))))
    assert paid("base", never).principal[0, stepped].sum() > 0


def test_what_is_over_the_fee_cap_is_paid_below_the_notes() -> None:
    """3,000.00 a month, 24,000.00 a calendar year above the notes: four months of twelve below them."""
    found = paid("base")
    years = found.dates.adjusted.astype("M8[Y]").astype(int) + 1970
    above, below = of_clause(found, "2")[:, 0], of_clause(found, "9")[:, 0]
    assert above[years == 2024].sum() == 24_000_00
    assert below[years == 2024].sum() == 12_000_00
    # While the notes take all there is, the overflow waits; it is paid later, to the cent.
    short = paid("losses")
    got = of_clause(short, "2")[:, 0] + of_clause(short, "9")[:, 0]
    owed = 3_000_00 * np.arange(1, len(got) + 1) - np.cumsum(got)
    assert owed[7:11].tolist() == [0, 3_000_00, 6_000_00, 9_000_00]
    assert got[11] == 12_000_00  # a new year, and a new limit
    assert owed[11] == 0


def limited(number: str, limit: Limit, deal: Deal = DEAL) -> Deal:
    """The deal with a limit on one of its rows."""
    clauses = (replace(c, limit=limit) if c.number == number else c for c in deal.clauses)
    return replace(deal, clauses=tuple(clauses))


def test_principal_over_a_limit_stays_due() -> None:
    """Without a limit 1m and more is due on each of the first dates; what is over it goes to the residual."""
    assert (of_clause(paid("base"), "5")[:12].sum(axis=1) > 1_000_000_00).all()
    deal = limited("5", Limit(100_000_00, "date"))
    found = paid("base", deal)
    # A, F and B side by side: five, two and two ninths of it.
    ninths = [5_555_556, 2_222_222, 2_222_222]
    for principal in of_clause(found, "5")[:12]:
        assert principal.sum() == 100_000_00
        assert principal.tolist() == pytest.approx(ninths, abs=2)
    assert not of_clause(found, "5", "short")[:12].any()
    assert found.balance[0, 11].sum() == 90_000_000_00 - 12 * 100_000_00
    keeps_the_laws(deal, POOL, SCENARIOS)
    a_year = of_clause(paid("base", limited("5", Limit(1_000_000_00, "calendar year"))), "5").sum(axis=1)
    years = found.dates.adjusted.astype("M8[Y]").astype(int) + 1970
    assert a_year[years == 2024].sum() == 1_000_000_00


def test_a_limit_is_divided_by_the_order_of_its_row() -> None:
    """Interest of A and F by amount due: 50m x 4%/12 and 20m x 4.7%/12 at 30 days share 1,000.00."""
    due = of_clause(paid("base"), "3", "due")[0]
    shares = of_clause(paid("base", limited("3", Limit(1_000_00, "date"))), "3")[0]
    assert shares.tolist() == pytest.approx((1_000_00 * due / due.sum()).tolist(), abs=1)
    assert (shares > 0).all()
    # One after the other, also where a shortage would be shared by balance.
    clauses = (
        replace(c, short="by balance", order=Order(((A,), (F,), (B,)))) if c.number == "5" else c
        for c in limited("5", Limit(100_000_00, "date")).clauses
    )
    in_turn = paid("base", replace(DEAL, clauses=tuple(clauses)))
    assert of_clause(in_turn, "5")[0].tolist() == [100_000_00, 0, 0]


def test_an_account_is_topped_up_by_no_more_than_the_limit() -> None:
    """The reserve account begins with nothing and lacks its whole requirement."""
    accounts = (DEAL.accounts[LIQUIDITY], replace(DEAL.accounts[RESERVE], initial=0))
    empty = replace(DEAL, accounts=accounts)
    assert of_clause(paid("base", empty), "8").max() > 10_000_00
    deal = limited("8", Limit(1_000_00, "date"), empty)
    found = paid("base", deal)
    moved = of_clause(found, "8").ravel()
    assert moved[:18].tolist() == [0] * 8 + [1_000_00] * 10
    assert (np.cumsum(moved) == found.accounts.deposit[0, :, RESERVE].cumsum()).all()


def test_the_cap_of_the_floating_class_binds() -> None:
    """Index 4.20% and 0.05% more each month, plus 0.50%: 4.70%, 4.75%, ..., and 5.00% from the seventh on."""
    found = paid("base")
    accrued, dates = found.interest_due.accrued[0, :, F], found.dates.adjusted.tolist()
    days = [(end - start).days for start, end in zip([DEAL.closing_date, *dates], dates, strict=False)]
    balance = [20_000_000_00, *found.balance[0, :, F].tolist()]
    for n, rate in ((0, 0.047), (1, 0.0475), (5, 0.0495), (6, 0.05), (7, 0.05), (20, 0.05)):
        assert accrued[n] == pytest.approx(balance[n] * rate * days[n] / 360, abs=0.5001)
    classes = tuple(replace(c, cap=None) if c.name == "F" else c for c in DEAL.classes)
    free = paid("base", replace(DEAL, classes=classes)).interest_due.accrued[0, :, F]
    assert (free[:7] == accrued[:7]).all()
    assert free[7] > accrued[7]


def test_the_supplement_switches_when_f_is_paid() -> None:
    """In "mild losses" F is paid before A and B; from the next date on the other schedule counts."""
    found = paid("mild losses")
    gone = int(np.argmax(found.balance[0, :, F] == 0))
    assert found.balance[0, gone].sum() > 0
    state = opening_state(DEAL, np.array([CUTOFF]))
    for outstanding, name in ((True, "supplement while f is outstanding"), (False, "supplement afterwards")):
        state.balance[0, F] = 1 if outstanding else 0
        supplement = round(DEAL.schedules[name][DEAL.cutoff_date] * 100)
        assert value("adjusted pool", state, DEAL.measures, DEAL.groups)[0] == CUTOFF - supplement
    both = replace(
        DEAL,
        schedules={
            **DEAL.schedules,
            "supplement afterwards": DEAL.schedules["supplement while f is outstanding"],
        },
    )
    same = paid("mild losses", both)
    assert (same.balance[0, : gone + 1] == found.balance[0, : gone + 1]).all()
    assert not (same.balance[0] == found.balance[0]).all()


def test_the_liquidity_account_pays_interest_before_the_reserve_does() -> None:
    found = paid("ruin")
    draw = found.accounts.draw[0]
    first = int(np.argmax(draw[:, LIQUIDITY] > 0))
    assert draw[first, RESERVE] == 0
    assert draw[:, RESERVE].any()
    # It covers interest, not fees or principal: nothing of it is left over on the dates on which it pays.
    interest = of_clause(found, "3")[first].sum() + of_clause(found, "4")[first].sum()
    assert 0 < draw[first, LIQUIDITY] <= interest
    assert found.principal[0, first].sum() == 0
    assert not paid("base").accounts.draw.any()
    # At first it is topped up to 0.5% of the notes, and what is above that is released as they are paid.
    base = paid("base")
    required = base.accounts.requirement[0, :, LIQUIDITY]
    assert (required == np.round(base.balance[0].sum(axis=1) * 0.005)).all()
    assert (base.accounts.closing[0, :, LIQUIDITY] == required).all()


def test_classes_side_by_side_share_a_shortage() -> None:
    """On the first date there is not money for all the principal that is due: it is shared 5 to 2 to 2."""
    found = paid("base")
    due, got = of_clause(found, "5", "due")[0], of_clause(found, "5")[0]
    assert 0 < got.sum() < due.sum()
    assert np.abs(got / got.sum() - np.array([5, 2, 2]) / 9).max() < 1e-7


# --- bad input --------------------------------------------------------------------------------------


def rows_above(text: str, table: str, words: str) -> str:
    """The first entry of a table that holds some words."""
    return next(entry for entry in text.split("\n\n") if entry.startswith(f"[[{table}]]") and words in entry)


def in_entry(table: str, words: str, old: str, new: str) -> Callable[[str], str]:
    """A change of one entry."""

    def change(text: str) -> str:
        entry = rows_above(text, table, words)
        assert old in entry
        return text.replace(entry, entry.replace(old, new), 1)

    return change


def without(table: str, words: str) -> Callable[[str], str]:
    return lambda text: text.replace(rows_above(text, table, words) + "\n\n", "", 1)


# What is spoilt -> the change; table, heading and words of the message; a word of the remedy.
BAD: dict[str, tuple[Callable[[str], str], str, str, str, str]] = {
    "an order with an unknown class": (
        in_entry("payments", 'clause = "6"', "F > A > B", "F > A > C"),
        "Payments",
        "to",
        "'C' is no class or group of this deal; known: notes, a, f, b",
        "use one of",
    ),
    "a measure that refers to itself": (
        in_entry("measures", 'of = "adjusted pool"', 'of = "adjusted pool"', 'of = "target"'),
        "Terms",
        "measure",
        "the measure 'target' refers to itself",
        "break the circle",
    ),
    "two measures that refer to each other": (
        in_entry("measures", 'measure = "oc"', 'of = "cutoff pool"', 'of = "target"'),
        "Terms",
        "measure",
        "refers to itself",
        "break the circle",
    ),
    "a schedule shorter than the deal": (
        without("schedules", 'schedule = "supplement afterwards"\ndate = 2024-08-15'),
        "Terms",
        "date",
        "the schedule 'supplement afterwards' has no amount for 2024-08-15",
        "add a row for each payment date",
    ),
    "an index shorter than the deal": (
        without("schedules", 'schedule = "rate"\ndate = 2024-08-15'),
        "Classes",
        "index",
        "the index 'rate' has no rate for 2024-08-15, and class F is outstanding",
        "add a row of the schedule",
    ),
    "a percentage of nothing": (
        in_entry("measures", 'measure = "liquidity requirement"', 'of = "securities"\n', ""),
        "Terms",
        "of",
        "a percentage needs its base",
        "fill it in",
    ),
    "a percentage of something unknown": (
        in_entry("measures", 'measure = "liquidity requirement"', '"securities"', '"security"'),
        "Terms",
        "of",
        "there is no measure 'security'",
        "known:",
    ),
    "a condition with a typo": (
        in_entry("payments", 'clause = "5"', "not losses", "not loses"),
        "Payments",
        "when",
        "'loses' in 'not loses' is no condition; known: called, accelerated, can be retired, losses",
        "use one of",
    ),
    "a limit on what is left": (
        in_entry("payments", 'clause = "10"', 'pay = "remainder"', 'pay = "remainder"\nlimit = "5 a date"'),
        "Payments",
        "limit",
        "the remainder has a limit, and nobody gets the rest",
        "leave it blank",
    ),
    "a limit in no unit": (
        in_entry("payments", 'clause = "2"', "a calendar year", "a fortnight"),
        "Payments",
        "limit",
        "is no limit",
        "a calendar year",
    ),
}


def run_folder(path: Path) -> None:
    folder = read_folder(path)
    run(folder.deal, collect(folder.deal, folder.pool, select(SCENARIOS, "base")))


@pytest.mark.parametrize("name", BAD)
def test_bad_input_names_table_row_and_remedy(name: str, tmp_path: Path) -> None:
    change, table, heading, words, remedy = BAD[name]
    path = Path(shutil.copytree(PATH, tmp_path / "spoilt"))
    text = (path / "deal.toml").read_text(encoding="utf-8")
    (path / "deal.toml").write_text(change(text), encoding="utf-8")
    with pytest.raises(XlmodelError) as caught:
        run_folder(path)
    error = caught.value
    assert words in error.message
    assert (error.place.table, error.place.heading) == (table, heading)
    assert (error.place.row or 0) > 1
    assert remedy in error.advice
    # Of a document the entry, without the row of headings; the run knows rows of tables only.
    row = error.place.row or 0
    where = f"entry {row - 1}" if error.place.file else f"row {row}"
    assert all(word in str(error) for word in (f"table {table}", where, error.advice))


def test_it_says_that_it_is_made_up() -> None:
    assert "SYNTHETIC" in (PATH / "deal.toml").read_text(encoding="utf-8")
