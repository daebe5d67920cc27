"""The projection against a plain month-by-month loop, and its laws."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import BadTable, OutOfRange, WrongKind, XlmodelError
from xlmodel.pool import ordered, projection, vintages
from xlmodel.pool.contracts import Pool, pool_from_rows
from xlmodel.pool.mapped import mapped
from xlmodel.pool.ordered import in_order
from xlmodel.pool.projection import project
from xlmodel.pool.survival import VECTORS
from xlmodel.processes.crew import Crew

HEADINGS = ["pool", "balance", "rate", "original term", "remaining term"]

lines = st.lists(
    st.tuples(
        st.floats(0, 1e8),
        st.one_of(st.just(0.0), st.floats(0.001, 0.3)),
        st.integers(1, 80),
        st.integers(0, 60),
    ),
    min_size=1,
    max_size=6,
)


def pool_of(rows: list[tuple[float, float, int, int]]) -> Pool:
    """(balance, rate, remaining term, age) -> Pool."""
    return pool_from_rows([[balance, rate, left + age, left] for balance, rate, left, age in rows])


def by_hand(balance: float, rate: float, left: int, age: int, speed: float) -> list[tuple[float, ...]]:
    """Month by month as a servicer would: payment, interest, principal, then the contracts that prepay."""
    rows: list[tuple[float, ...]] = []
    for month in range(left):
        term = left - month
        interest = balance * rate / 12
        payment = balance * rate / 12 / (1 - (1 + rate / 12) ** -term) if rate else balance / term
        scheduled = payment - interest
        denominator = 1 - speed * (age + month)
        smm = 1.0 if denominator <= speed and speed else speed / denominator
        prepaid = (balance - scheduled) * smm
        balance -= scheduled + prepaid
        rows.append((interest, scheduled, prepaid, balance))
    return rows


@given(lines, st.floats(0, 0.04))
def test_a_pool_pays_what_its_contracts_pay_by_hand(
    rows: list[tuple[float, float, int, int]], speed: float
) -> None:
    found = project(pool_of(rows), np.array([speed]))
    expected = np.zeros((4, found.months))
    for balance, rate, left, age in rows:
        expected[:, :left] += np.array(by_hand(balance, rate, left, age, speed)).T
    shown = [found.interest, found.scheduled_principal, found.prepaid_principal, found.ending_balance]
    scale = sum(row[0] for row in rows) + 1
    np.testing.assert_allclose([column[0] for column in shown], expected, rtol=0, atol=1e-9 * scale)


@given(lines, st.lists(st.floats(0, 0.5), min_size=1, max_size=4))
def test_scenarios_side_by_side_are_scenarios_one_by_one(
    rows: list[tuple[float, float, int, int]], speeds: list[float]
) -> None:
    together = project(pool_of(rows), np.array(speeds))
    for number, speed in enumerate(speeds):
        alone = project(pool_of(rows), np.array([speed]))
        np.testing.assert_allclose(together.ending_balance[number], alone.ending_balance[0], rtol=1e-12)
        np.testing.assert_allclose(together.interest[number], alone.interest[0], rtol=1e-12)


@given(lines, st.floats(0, 0.5))
def test_balances_never_rise_and_end_at_nothing(
    rows: list[tuple[float, float, int, int]], speed: float
) -> None:
    found = project(pool_of(rows), np.array([speed]))
    balances = np.concatenate([found.beginning_balance[0, :1], found.ending_balance[0]])
    assert (np.diff(balances) <= 1e-9 * (balances[0] + 1)).all()
    assert balances[-1] == 0


@given(lines, st.lists(st.floats(0, 0.3), min_size=1, max_size=5), st.sampled_from(VECTORS))
def test_speeds_that_change_are_paid_month_by_month(
    rows: list[tuple[float, float, int, int]], speeds: list[float], by: str
) -> None:
    found = project(pool_of(rows), np.array([speeds]), "SMM", by=by)
    balances = np.zeros(found.months + 1)
    for balance, rate, left, age in rows:
        now = balance
        balances[0] += now
        for month in range(1, left + 1):
            term = left - month + 1
            worth = [1 - (1 + rate / 12) ** -n if rate else n for n in (term - 1, term)]
            place = (age + month if by == "age" else month) - 1
            now *= worth[0] / worth[1] * (1 - speeds[min(place, len(speeds) - 1)])
            balances[month] += now
    np.testing.assert_allclose(
        found.ending_balance[0], balances[1:], rtol=1e-9, atol=1e-9 * (balances[0] + 1)
    )


@pytest.mark.parametrize(("model", "speed"), [("ABS", 0.013), ("SMM", 0.02), ("CPR", 0.2), ("PSA", 2.5)])
def test_a_vector_of_one_speed_is_that_speed(model: str, speed: float) -> None:
    pool = pool_of([(1e6, 0.08, 48, 7), (2e6, 0.0, 60, 0)])
    constant = project(pool, np.array([speed]), model)
    for by in VECTORS:
        vector = project(pool, np.array([[speed, speed]]), model, by=by)
        np.testing.assert_allclose(vector.prepaid_principal, constant.prepaid_principal, rtol=1e-10)
        np.testing.assert_allclose(vector.interest, constant.interest, rtol=1e-12)


def test_a_speed_without_meaning_is_refused_in_its_model() -> None:
    pool = pool_of([(1e6, 0.08, 48, 7)])
    project(pool, np.array([1.5]), "PSA")
    for speeds in (np.array([1.5]), np.array([[0.01, 1.5]])):
        with pytest.raises(OutOfRange):
            project(pool, speeds, "CPR")


def test_blocks_of_contracts_give_what_one_block_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(1000.0 + 7 * n, 0.05 + n / 1000, 12 + n % 40, n % 9) for n in range(97)]
    whole = project(pool_of(rows), np.array([0.01, 0.02]))
    monkeypatch.setattr(projection, "_BLOCK", 500)
    monkeypatch.setattr(vintages, "_BLOCK", 500)
    parts = project(pool_of(rows), np.array([0.01, 0.02]))
    np.testing.assert_allclose(parts.ending_balance, whole.ending_balance, rtol=1e-12)


@pytest.mark.parametrize("count", [5, 40, 333])
def test_many_contracts_alike_pay_what_each_pays_by_hand(count: int) -> None:
    """Bundles that are full, and the last of them that is not."""
    rows = [(1000.0 + 7 * n, 0.0 if n % 11 == 0 else 0.02 + n / 9000, 30 + n % 2, 5) for n in range(count)]
    found = project(pool_of(rows), np.array([0.012]))
    expected = np.zeros((4, found.months))
    for balance, rate, left, age in rows:
        expected[:, :left] += np.array(by_hand(balance, rate, left, age, 0.012)).T
    shown = [found.interest, found.scheduled_principal, found.prepaid_principal, found.ending_balance]
    np.testing.assert_allclose([column[0] for column in shown], expected, rtol=1e-9, atol=1e-6)


def test_parts_of_a_pool_give_what_one_part_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    headings = ["balance", "rate", "original term", "remaining term", "delay"]
    lines = [
        [1000.0 + 7 * n, 0.05 + n / 1000, 12.0 + n % 40 + n % 9, 12.0 + n % 40, n % 3.0] for n in range(97)
    ]
    pool, speeds = pool_from_rows([headings, *lines]), np.array([0.01, 0.02])
    whole = project(pool, speeds)
    monkeypatch.setattr(ordered, "_PART", 20)
    monkeypatch.setattr(ordered, "_AN_AGE", 1)
    monkeypatch.setattr(ordered, "_HANDING_OVER", 0)
    tape = in_order(pool)
    assert len(tape.parts) == 5
    parts = project(tape, speeds)
    for field in ("interest", "ending_balance", "waiting"):
        np.testing.assert_allclose(getattr(parts, field), getattr(whole, field), rtol=1e-12)
    waiting = [sum(line[0] for line in lines if line[4] >= month) for month in (1, 2, 3)]
    np.testing.assert_allclose(parts.waiting[0, :3], waiting)
    with Crew(2) as crew, mapped(tape) as same:
        for by_two in (project(tape, speeds, crew=crew), project(same, speeds, crew=crew)):
            for field in ("interest", "ending_balance", "waiting"):
                np.testing.assert_array_equal(getattr(by_two, field), getattr(parts, field))


def test_sums_by_age_are_exact_to_fifteen_digits() -> None:
    """Against decimals of fifty digits: no digit is lost to differences, even in the last months."""
    rows = [
        (15_000.25, 0.09875, 72, 0),
        (9_000.5, 0.2399, 60, 12),
        (1_234.56, 0.0, 7, 5),
        (800.0, 1e-6, 72, 0),
    ]
    found = vintages.vintages(in_order(pool_of(rows)))
    place = {age: n for n, age in enumerate(found.age.tolist())}
    with localcontext(prec=50):
        expected = {name: [[Decimal(0)] * 73 for _ in place] for name in ("balance", "interest", "scheduled")}
        for balance, rate, left, age in rows:
            row, now, i = place[age], Decimal(balance), Decimal(rate) / 12
            payment = now * i / (1 - (1 + i) ** -left) if rate else now / left
            for month in range(left):
                expected["balance"][row][month] += now
                expected["interest"][row][month + 1] += now * i
                expected["scheduled"][row][month + 1] += payment - now * i
                now -= payment - now * i
    for name, listed in expected.items():
        want = np.array([[float(amount) for amount in row] for row in listed])
        np.testing.assert_allclose(getattr(found, name), want, rtol=2e-15, atol=0)


@pytest.mark.parametrize(
    ("term", "months", "words"),
    [(60.5, 50.5, "remaining term"), (60.0, 61.0, "age"), (60.5, 60.0, "age")],
)
def test_months_that_are_not_whole_are_refused_by_name(term: float, months: float, words: str) -> None:
    pool = Pool(("one",), *(np.array([value]) for value in (1e3, 0.1, term, months)))
    with pytest.raises(OutOfRange, match=f"contract one: .*{words}"):
        project(pool, np.array([0.01]))


@pytest.mark.parametrize(
    ("rows", "error", "row", "heading"),
    [
        ([HEADINGS[1:], [-1.0, 0.1, 60.0, 50.0]], OutOfRange, 2, "balance"),
        ([HEADINGS, [1.0, 9.0, "x", 60.0, 50.0]], WrongKind, 2, "rate"),
        ([[100.0, 9.995, 60.0, 50.0]], OutOfRange, 1, "rate"),
        ([[100.0, 0.1, 60.0, 61.0]], OutOfRange, 1, "remaining term"),
        ([[100.0, 0.1, 60.0, 0.0]], OutOfRange, 1, "remaining term"),
        ([[1.0, 2.0]], BadTable, 1, None),
        ([["balance", "rate", "orig term", "remaining term"], [1.0, 0.1, 60.0, 50.0]], BadTable, 1, None),
    ],
)  # fmt: skip
def test_a_bad_pool_names_row_and_column(
    rows: list[list[object]], error: type[XlmodelError], row: int, heading: str | None
) -> None:
    with pytest.raises(error) as raised:
        pool_from_rows(rows)
    assert (raised.value.place.row, raised.value.place.heading) == (row, heading)


@pytest.mark.parametrize("by", ["period", "age"])
@pytest.mark.parametrize("left", [36.0, 7.0, 13.0, 30.0])
def test_a_line_with_a_delay_is_the_same_line_later(by: str, left: float) -> None:
    """Two months late: nothing for two months, then what it pays without a delay."""
    headings = ["balance", "rate", "original term", "remaining term", "delay"]
    line = [1e6, 0.09, 48.0, left]
    late = pool_from_rows([headings, [*line, 2.0], [*line, 0.0]])
    prompt = pool_from_rows([headings, [*line, 0.0]])
    assert late.months == left + 2
    # By period a speed belongs to a month of the calendar; by age to a month of the contract.
    speeds = np.array([[0.01, 0.012, 0.014, 0.016]])
    own = speeds[:, 2:] if by == "period" else speeds
    both = project(late, speeds, "SMM", by=by)
    first, then = project(prompt, speeds, "SMM", late.months, by), project(prompt, own, "SMM", by=by)
    for name in ("interest", "scheduled_principal", "prepaid_principal"):
        second = getattr(both, name)[0] - getattr(first, name)[0]
        assert second[:2] == pytest.approx([0, 0], abs=1e-6)
        assert second[2:] == pytest.approx(getattr(then, name)[0], rel=1e-9, abs=1e-6)
    assert both.ending_balance[0, 1] - first.ending_balance[0, 1] == pytest.approx(1e6)
