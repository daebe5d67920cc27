"""Cents in cells: the worksheet's ROUND, and splits that lose nothing."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.functions import call
from xlmodel.functions.cells import CellError


@given(st.integers(-(10**14), 10**14), st.integers(0, 4))
def test_rounding_is_that_of_the_decimal_number(units: int, decimals: int) -> None:
    """Of a number of five decimals as it is written."""
    written = Decimal(units).scaleb(-5)
    for name, how in (("XM_ROUND", ROUND_HALF_UP), ("XM_TRUNCATE", ROUND_DOWN)):
        expected = float(written.quantize(Decimal(1).scaleb(-decimals), how))
        assert call(name, [float(written), float(decimals)]) == expected


def test_two_decimals_when_omitted() -> None:
    assert call("XM_ROUND", [2.345]) == call("XM_ROUND", [2.345, None]) == 2.35
    assert call("XM_TRUNCATE", [2.345]) == 2.34
    assert call("XM_ROUND", [1250.0, -2.0]) == 1300.0


@given(
    st.integers(-(10**13), 10**13),
    st.lists(st.integers(0, 1000).map(float), min_size=1, max_size=6).filter(any),
    st.booleans(),
)
def test_a_split_sums_to_its_total_in_the_shape_of_the_weights(
    cents: int, weights: list[float], in_a_row: bool
) -> None:
    given_weights: Any = [weights] if in_a_row else [[weight] for weight in weights]
    found = call("XM_SPLIT", [cents / 100, given_weights])
    assert isinstance(found, list)
    parts = found[0] if in_a_row else [row[0] for row in found]
    assert len(parts) == len(weights)
    in_cents = [round(float(part) * 100) for part in parts]  # type: ignore[arg-type]  # numbers all
    assert sum(in_cents) == cents
    for part, weight in zip(in_cents, weights, strict=True):
        assert abs(part * sum(weights) - cents * weight) < sum(weights)  # within a cent of its share


def test_a_block_of_weights_gives_a_block() -> None:
    assert call("XM_SPLIT", [10.0, [[1.0, 2.0], [3.0, 4.0]]]) == [[1.0, 2.0], [3.0, 4.0]]
    assert call("XM_SPLIT", [-10.0, [[1.0, 2.0]]]) == [[-3.33, -6.67]]


@pytest.mark.parametrize(
    ("function", "arguments", "code", "sentence"),
    [
        ("XM_ROUND", ["1.5"], "#VALUE!", "argument amount: a number is asked for, got the text '1.5'"),
        ("XM_ROUND", [float("nan")], "#NUM!", "argument amount: a finite number"),
        ("XM_ROUND", [1.0, 0.5], "#NUM!", "argument decimals: a whole number"),
        ("XM_TRUNCATE", [None], "#VALUE!", "argument amount: a number is asked for, the cell is blank"),
        ("XM_SPLIT", [1.0, [[0.0], [0.0]]], "#NUM!", "argument weights: all weights are zero"),
        ("XM_SPLIT", [1.0, [[1.0], [-1.0]]], "#NUM!", "argument weights: weights are not negative"),
        ("XM_SPLIT", [1.0, [[1.0, "x"]]], "#VALUE!", "argument weights, row 1, column 2"),
        ("XM_SPLIT", [1.0, [[1.0], [None]]], "#VALUE!", "argument weights, row 2, column 1"),
        ("XM_SPLIT", [1e300, [[1.0]]], "#NUM!", "argument total: 1e+300 has more cents than"),
    ],
)
def test_bad_input(function: str, arguments: list[Any], code: str, sentence: str) -> None:
    assert call(function, arguments) == CellError(code)
    assert sentence in str(call("XM_WHY", [function, *arguments]))
