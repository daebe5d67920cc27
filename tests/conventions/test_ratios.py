"""Few ratios beside many cents, against whole numbers of any size."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.money import product_cents, to_cents
from xlmodel.conventions.ratios import in_integers, ratios_of


def half_up(value: Fraction) -> int:
    return int((value + Fraction(1, 2)).__floor__())


rates = st.integers(0, 200_000).map(lambda units: units / 1_000_000)


@given(
    rates=st.lists(rates, min_size=1, max_size=6),
    scenarios=st.sampled_from([1, 3, 100]),
    days=st.integers(1, 366),
    year=st.sampled_from([12, 360, 365, 366]),
    seed=st.integers(0, 2**32 - 1),
    down=st.booleans(),
)
def test_every_product_is_exact(
    rates: list[float], scenarios: int, days: int, year: int, seed: int, *, down: bool
) -> None:
    cents = np.random.default_rng(seed).integers(0, 10**10, (scenarios, len(rates)))
    cents[:, 0] = 0  # a class that is paid off
    found = ratios_of(np.array(rates), days, year)
    assert found is not None
    product = in_integers(np.asfortranarray(cents), found, down)
    assert product is not None
    parts = [Fraction(repr(rate)) * days / year for rate in rates]
    exact = [
        [int(c * part) if down else half_up(c * part) for c, part in zip(row, parts, strict=True)]
        for row in cents.tolist()
    ]
    assert product.tolist() == exact


@given(
    bottom=st.integers(1, 10**9).map(lambda half: 2 * half - 1),
    below=st.integers(0, 3),
    exponent=st.integers(40, 61),
    down=st.booleans(),
)
def test_just_below_a_whole_number_is_below_it(bottom: int, below: int, exponent: int, *, down: bool) -> None:
    """At all sizes, with those up to which floats divide, and those above."""
    whole = 2**exponent // bottom * bottom
    cents = np.array([[max(whole - below, 0) if down else max(whole // 2 - below, 0), 1]])
    found = ratios_of(np.array([1.0, 1.0]), 1, float(bottom))
    assert found is not None
    product = in_integers(cents, found, down)
    if product is not None:
        exact = [
            int(Fraction(c, bottom)) if down else half_up(Fraction(c, bottom)) for c in cents[0].tolist()
        ]
        assert product[0].tolist() == exact


def test_floats_do_not_divide_where_they_are_not_exact() -> None:
    """A third of the cents is 2,251,799,813,685,245 and a third, which floats of this size round up."""
    cents = 6_755_399_441_055_736
    found = ratios_of(np.array([1.0, 1.0]), 1, 3.0)
    assert found is not None
    product = in_integers(np.array([[cents, 3]]), found, down=False)
    assert product is not None
    assert product.tolist() == [[2_251_799_813_685_245, 1]]
    assert int((2.0 * cents + 3.0) / 6.0) == 2_251_799_813_685_246  # the floats that are not used


def test_what_does_not_fit_or_is_negative_is_left_to_others() -> None:
    ratios = ratios_of(0.123456789, 1, 360)
    assert ratios is not None
    assert in_integers(np.array([10**18]), ratios, down=False) is None
    assert in_integers(np.array([5, -5]), ratios, down=False) is None
    assert in_integers(np.array([], dtype=np.int64), ratios, down=False) is None
    # and these get them right all the same: 0.123456789 x 10^18 / 360 = 342,935,525,000,000, and 5 / 2 up
    assert product_cents(np.array([10**18]), 0.123456789, 1, 360).tolist() == [342_935_525_000_000]
    assert product_cents(np.array([5, -5]), 0.5, 1, 1).tolist() == [3, -3]


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.uint8, np.uint64])
def test_whole_numbers_of_any_size_become_cents(kind: type) -> None:
    # 100 x 0.5 / 4 = 12.5 and 120 x 0.5 / 4 = 15
    found = product_cents(np.array([100, 120], dtype=kind), 0.5, 1, 4)
    assert found.tolist() == [13, 15]
    assert found.dtype == np.int64
    if np.issubdtype(kind, np.signedinteger):
        assert product_cents(np.array([-100], dtype=kind), 0.5, 1, 4).tolist() == [-13]


@pytest.mark.parametrize(
    "factors", [(-0.1, 1, 1), (0.1, 1, 0), (float("nan"), 1, 1), ("0.1", 1, 1), (True, 1, 1)]
)
def test_what_is_no_ratio_here(factors: tuple[object, object, object]) -> None:
    assert ratios_of(*factors) is None


def test_a_tie_of_a_class_beside_others() -> None:
    # 3.75% of 617,864,426.80 is 23,169,916.005: half a cent, up
    assert product_cents(np.array([61_786_442_680]), 0.0375).tolist() == [2_316_991_601]


@given(st.lists(st.integers(-(10**14), 10**14), min_size=1, max_size=50))
def test_dollars_of_whole_mills_round_half_up(mills: list[int]) -> None:
    # a mill is a tenth of a cent, so a half is a tie that floats mostly miss
    exact = [(1 if m >= 0 else -1) * ((abs(m) + 5) // 10) for m in mills]
    assert to_cents(np.array([m / 1000 for m in mills])).tolist() == exact
