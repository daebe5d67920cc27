"""Rounding and cents against exact arithmetic."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.money import (
    ROUNDINGS,
    interest_cents,
    product_cents,
    round_half_up,
    to_cents,
    to_dollars,
    truncate,
)
from xlmodel.errors import MissingValue, OutOfRange, UnknownName, WrongKind

# --- rounding a number ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "decimals", "rounded"),
    [
        # source: what the worksheet's ROUND shows in Excel and in LibreOffice
        (2.5, 0, 3.0),
        (-2.5, 0, -3.0),
        (0.5, 0, 1.0),
        (2.675, 2, 2.68),
        (1.005, 2, 1.01),
        (0.285, 2, 0.29),
        (-1.005, 2, -1.01),
        (1234.5, -2, 1200.0),
        (1250.0, -2, 1300.0),
        (0.1 + 0.2, 16, 0.3),
        (888424438.20 * 0.10 / 12, 2, 7403536.99),
        (91033266.75 * 0.08 / 12, 2, 606888.45),
        (1.4999999999999, 0, 1.0),
        (1.49999999999999999, 0, 2.0),  # more digits than a float keeps: it is 1.5
        (0.0, 2, 0.0),
        (1e300, 2, 1e300),
        (123456789012345.67, 2, 123456789012345.67),
        (5e-324, 2, 0.0),
    ],
)
def test_round_as_the_worksheet(x: float, decimals: int, rounded: float) -> None:
    assert round_half_up(x, decimals) == rounded
    assert round_half_up([x, -x], decimals).tolist() == [rounded, -rounded]
    assert str(round_half_up(-0.001, 2)) == "0.0"


@pytest.mark.parametrize(
    ("x", "decimals", "cut"),
    [
        (8.9, 0, 8.0),
        (-8.9, 0, -8.0),
        (0.57 * 100, 0, 57.0),
        (1.1 * 1.1, 2, 1.21),
        (1.219, 2, 1.21),
        (1299, -2, 1200),
    ],
)
def test_truncate_as_the_worksheet(x: float, decimals: int, cut: float) -> None:
    assert truncate(x, decimals) == cut
    assert truncate([x, -x], decimals).tolist() == [cut, -cut]


@pytest.mark.parametrize(("function", "how"), [(round_half_up, ROUND_HALF_UP), (truncate, ROUND_DOWN)])
@pytest.mark.parametrize("decimals", [-3, 0, 2, 7])
def test_random_columns_against_decimal(function: Any, how: str, decimals: int) -> None:
    rng = np.random.default_rng(abs(decimals))
    size = 10.0 ** rng.uniform(-4, 14, 20_000)
    # a third of them on or a hair beside a tie
    ties = (np.floor(size) + 0.5) * 10.0**-decimals
    x = np.where(
        rng.integers(0, 3, size.shape) == 0, ties * (1 + 2.2e-16 * rng.integers(-2, 3, size.shape)), size
    )
    x *= rng.choice([-1, 1], size.shape)

    def exact(value: float) -> float:
        text = f"{value:.15g}"
        whole_digits = Decimal(text).adjusted() + 1
        number = Decimal(repr(value)) if whole_digits + decimals > 15 else Decimal(text)
        return float(number.quantize(Decimal(1).scaleb(-decimals), how))

    right = [exact(value) for value in x.tolist()]
    assert function(x, decimals).tolist() == right
    assert [function(value, decimals) for value in x[:500].tolist()] == right[:500]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), [1.0, float("nan")]])
def test_what_cannot_be_rounded(bad: Any) -> None:
    for function in (round_half_up, truncate, to_cents):
        with pytest.raises(OutOfRange):
            function(bad)


@pytest.mark.parametrize("bad", ["1.5", None, True, [True], ["1"]])
def test_what_is_no_number(bad: Any) -> None:
    with pytest.raises(WrongKind):
        round_half_up(bad)
    with pytest.raises(WrongKind):
        to_cents(bad)


def test_two_decimals_are_the_default() -> None:
    assert round_half_up(1.2345) == 1.23
    assert truncate(1.239) == 1.23


def test_decimals_are_a_whole_number() -> None:
    with pytest.raises(WrongKind, match="decimals"):
        round_half_up(1.5, 0.5)  # type: ignore[arg-type]
    assert round_half_up(1.5, 400) == 1.5
    assert round_half_up([1.5], -400).tolist() == [0.0]


# --- dollars and cents ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "cents"),
    [
        (12_879_759.72, 1_287_975_972),
        (0.285, 29),
        (-0.285, -29),
        (1.005, 101),
        (7, 700),
        (Decimal("2.675"), 268),
        (Fraction(1, 8), 13),
        (9_007_199_254_740.99, 900_719_925_474_099),
    ],
)
def test_to_cents(amount: Any, cents: int) -> None:
    assert to_cents(amount) == cents
    assert type(to_cents(amount)) is int
    column = to_cents([amount, amount])
    assert column.dtype == np.int64
    assert column.tolist() == [cents, cents]


@given(st.integers(-(10**15), 10**15))
def test_cents_survive_dollars(cents: int) -> None:
    assert to_cents(to_dollars(cents)) == cents
    assert to_cents(to_dollars(np.array([cents]))).tolist() == [cents]


def test_amounts_that_do_not_fit() -> None:
    with pytest.raises(OutOfRange, match="64 bits"):
        to_cents([1e17])


# --- balance x rate x days / year -------------------------------------------------------------------


def half_up(value: Fraction) -> int:
    size = (abs(value) + Fraction(1, 2)).__floor__()
    return -size if value < 0 else size


@pytest.mark.parametrize(
    ("balance", "rate", "numerator", "denominator", "cents"),
    [
        (9_103_326_675, 0.08, 30, 360, 60_688_845),  # 606,888.445 exactly
        (88_842_443_820, 0.10, 30, 360, 740_353_699),  # 7,403,536.985 exactly
        (-88_842_443_820, 0.10, 30, 360, -740_353_699),
        (64_395_776_000, 0.01, 1, 12, 53_663_147),  # first servicing fee of CarMax 1999-1: 536,631.47
        (100, 0.005, 1, 1, 1),  # half a cent
        (100, 0.004999999999999999, 1, 1, 0),
        (0, 0.05, 30, 360, 0),
        (10**13, 0.285, 1, 10**13, 0),
    ],
)
def test_products_to_the_cent(
    balance: int, rate: float, numerator: int, denominator: int, cents: int
) -> None:
    assert product_cents(balance, rate, numerator, denominator) == cents
    column = product_cents(np.array([balance, balance]), rate, numerator, denominator)
    assert column.dtype == np.int64
    assert column.tolist() == [cents, cents]


def test_a_million_products_are_exact() -> None:
    rng = np.random.default_rng(2024)
    balance = rng.integers(0, 10**13, 1_000_000)
    rate_units = rng.integers(1, 2_500_000, balance.shape)  # of 1e-7
    days = rng.integers(1, 400, balance.shape)
    # one in five is made a tie, or lies one unit beside it
    balance[::5] = balance[::5] // 1_000 * 1_000 + rng.choice([499, 500, 501], balance[::5].shape)
    rate_units[::5] = 10_000
    days[::5] = 360
    ours = product_cents(balance, rate_units / 1e7, days, 360)
    # exact: the product of three integers, wider than 64 bits
    top = balance.astype(object) * rate_units.astype(object) * days.astype(object)
    right = (2 * top + 3_600_000_000) // 7_200_000_000
    assert np.count_nonzero(ours != right.astype(np.int64)) == 0
    assert np.count_nonzero(2 * top % 7_200_000_000 == 3_600_000_000) > 50_000


@given(
    st.lists(st.integers(-(10**15), 10**15), min_size=1, max_size=20),
    st.decimals(-1, 1, allow_nan=False, places=9),
    st.integers(-366, 366),
    st.sampled_from([1, 12, 360, 365, 366, -360]),
)
def test_columns_and_single_products_are_exact(
    balances: list[int], rate: Decimal, numerator: int, denominator: int
) -> None:
    right = [half_up(Fraction(b) * Fraction(rate) * numerator / denominator) for b in balances]
    assert [product_cents(b, rate, numerator, denominator) for b in balances] == right
    assert [product_cents(b, float(rate), numerator, denominator) for b in balances] == right
    assert product_cents(balances, float(rate), numerator, denominator).tolist() == right


def test_single_amounts_have_no_limit_and_columns_say_so() -> None:
    assert product_cents(10**12, 525_000, 31, 1) == 16_275_000_000_000_000_000
    with pytest.raises(OutOfRange, match="64 bits"):
        product_cents([10**12], 525_000, 31, 1)
    with pytest.raises(OutOfRange, match="64 bits"):
        product_cents([2**62], 2, 1, 1)
    assert product_cents([2**62 - 1], 2, 1, 1).tolist() == [2**63 - 2]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((100, 0.05, 30, 0), OutOfRange),
        (([100], 0.05, 30, [0]), OutOfRange),
        ((100, float("nan"), 1, 1), OutOfRange),
        (([100], [float("inf")], 1, 1), OutOfRange),
        ((100.5, 0.05, 1, 1), WrongKind),
        (([100.5], 0.05, 1, 1), WrongKind),
        ((True, 0.05, 1, 1), WrongKind),
        (([100], "5%", 1, 1), WrongKind),
    ],
)
def test_products_that_cannot_be(arguments: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        product_cents(*arguments)


# --- policies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rounding", "cents"),
    [
        # 600,000.00 at 6.2025% for 31/360: 3,204.625; per $1,000: 5.3410416...
        ("half up", 320_463),
        ("truncate", 320_462),
        ("per 1000", 320_400),
        ("none", 320_462.5),
    ],
)
def test_rounding_policies(rounding: str, cents: float) -> None:
    arguments: tuple[Any, ...] = (60_000_000, 0.062025, 31, 360, rounding, 600)
    assert interest_cents(*arguments) == cents
    columns = (np.array([60_000_000, 0]), *arguments[1:])
    assert interest_cents(*columns).tolist() == [cents, 0]
    assert rounding in ROUNDINGS


def test_per_1000_with_a_stub() -> None:
    # the certificates of CarMax 1999-1, 12,879,759.72, end in a denomination of 759.72
    cents = interest_cents(1_287_975_972, 0.0725, 1, 12, "per 1000", 12_879.75972)
    assert cents == half_up(Fraction(604) * Fraction("12879.75972"))  # 6.04 for each $1,000


def test_policies_that_cannot_be() -> None:
    with pytest.raises(MissingValue, match="denominations"):
        interest_cents(100, 0.05, 1, 12, "per 1000")
    with pytest.raises(UnknownName, match="half up, truncate"):
        interest_cents(100, 0.05, 1, 12, "bankers")


@given(st.integers(-(10**12), 10**12), st.integers(0, 3_000_000), st.integers(0, 400))
def test_truncation_is_exact(balance: int, rate_units: int, days: int) -> None:
    top = balance * rate_units * days
    right = abs(top) // 3_600_000_000 * (-1 if top < 0 else 1)
    rate = rate_units / 1e7
    assert interest_cents(balance, rate, days, 360, "truncate") == right
    assert interest_cents([balance], rate, days, 360, "truncate").tolist() == [right]


def test_truncation_keeps_amounts_that_are_whole_cents() -> None:
    # k x 1,000 cents at j thousandths is k x j cents exactly; the float product is as often a hair below
    k, j = (grid.ravel() for grid in np.meshgrid(np.arange(1, 400), np.arange(1, 400)))
    for sign in (1, -1):
        assert (interest_cents(sign * k * 1_000, j / 1_000, 1, 1, "truncate") == sign * k * j).all()
        # a unit in the rate's last place less or more
        assert (
            interest_cents(sign * k * 1_000, j / 1_000 - 1e-9, 1, 1, "truncate") == sign * (k * j - 1)
        ).all()
        assert (interest_cents(sign * k * 1_000, j / 1_000 + 1e-9, 1, 1, "truncate") == sign * k * j).all()
