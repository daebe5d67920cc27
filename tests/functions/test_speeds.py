"""Prepayment speeds and default curves in cells: published figures, and reasons where there is no answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.functions import call
from xlmodel.functions.cells import CellError

LINES: Any = [["P", 1200.0, 0.0, 12.0, 12.0]]


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        # Bond Market Association, Standard Formulas, page SF-15, months 1, 25 and 50 at 1.50% ABS
        ([0.015, [[1.0], [25.0], [50.0]]], ["1.50", "2.34", "5.66"]),
        # page SF-10, months 1, 15 and 30 at 150% and 1000% PSA
        ([1.5, [[1.0], [15.0], [30.0]], "PSA"], ["0.03", "0.38", "0.78"]),
        ([10.0, [[1.0], [15.0], [30.0]], "psa"], ["0.17", "2.93", "7.35"]),
        # page SF-9: 0.50% SMM is 5.8% CPR
        ([0.0584, [[1.0], [15.0], [30.0]], "CPR"], ["0.50", "0.50", "0.50"]),
    ],
)
def test_smm_as_printed(arguments: list[Any], printed: list[str]) -> None:
    found = call("XM_SMM", arguments)
    assert isinstance(found, list)
    assert [f"{100 * row[0]:.2f}" for row in found] == printed  # type: ignore[operator]  # numbers all


@given(
    st.sampled_from(["ABS", "SMM", "CPR", "PSA"]),
    st.floats(0.0001, 0.014),
    st.integers(0, 30),
    st.integers(1, 30),
)
def test_survivors_are_products_of_smm(model: str, speed: float, age: int, months: int) -> None:
    listed: Any = call("XM_SMM", [speed, [[float(age + n)] for n in range(1, months + 2)], model])
    left = 1.0
    for (smm,) in listed[:-1]:
        left *= 1 - smm
    assert call("XM_SURVIVORS", [speed, float(age), float(months), model]) == pytest.approx(left, rel=1e-10)


@given(
    st.lists(st.floats(0, 0.3), min_size=1, max_size=5), st.integers(0, 6), st.integers(1, 9), st.booleans()
)
def test_a_vector_is_the_smm_of_its_speeds(speeds: list[float], age: int, months: int, by_age: bool) -> None:
    row: Any = [speeds]
    found = call("XM_SMM_VECTOR", [row, float(age), float(months), "CPR by age" if by_age else "cpr"])
    first = age if by_age else 0
    held = [speeds[min(first + n, len(speeds) - 1)] for n in range(months)]
    assert found == [[call("XM_SMM", [speed, 1.0, "CPR"])] for speed in held]


def test_collections_at_the_speeds_of_a_vector() -> None:
    """1,200 without interest over 12 months: 100 is scheduled, then a part of the rest prepays."""
    by_month = call("XM_COLLECTIONS", [LINES, [[0.0], [0.5]], "SMM", 3.0])
    assert by_month == [
        [1.0, 1200.0, 0.0, 100.0, 0.0, 1100.0],
        [2.0, 1100.0, 0.0, 100.0, 500.0, 500.0],
        [3.0, 500.0, 0.0, 50.0, 225.0, 225.0],
    ]
    older: Any = [["P", 1200.0, 0.0, 13.0, 12.0]]
    assert call("XM_COLLECTIONS", [older, [[0.0], [0.5]], "SMM", 3.0]) == by_month
    by_age = call("XM_COLLECTIONS", [older, [[0.0], [0.5]], "SMM by age", 1.0])
    assert by_age == [[1.0, 1200.0, 0.0, 100.0, 550.0, 550.0]]
    assert call("XM_COLLECTIONS", [LINES, 0.1, "SMM by age"]) == call("XM_COLLECTIONS", [LINES, 0.1, "SMM"])


def test_the_historical_speed_of_the_standard() -> None:
    """Bond Market Association, Standard Formulas, page SF-14: 1.7000% ABS over nine months.

    Terms of 36 months, 34 left at the start, 10%; the factor then is 0.64140448.
    """
    lines: Any = [[1.0, 0.10, 36.0, 34.0]]
    found = call("XM_POOL_SPEED", [lines, 0.64140448, 9.0])
    assert isinstance(found, float)
    assert f"{100 * found:.4f}" == "1.7000"


def test_losses_in_cells() -> None:
    # page SF-32: the annual rate of 100% SDA in month 72 is 0.4860%, 0.000406 a month
    found = call("XM_MDR", [1.0, [[72.0, 73.0]], "SDA"])
    assert isinstance(found, list)
    assert [f"{rate:.6f}" for rate in found[0]] == ["0.000406", "0.000398"]
    amounts = call(
        "XM_DEFAULT_AMOUNTS", [[[1000.0], [900.0], [800.0]], 1000.0, 0.1, 0.5, [[0.5], [0.25], [0.25]]]
    )
    assert isinstance(amounts, list)
    assert [row[0] for row in amounts] == [100.0, 50.0, 50.0]
    assert call("XM_RECOVERIES", [[row[:1] for row in amounts], 0.5, 1.0]) == [[0.0], [50.0], [25.0], [25.0]]


@pytest.mark.parametrize(
    ("function", "arguments", "code", "sentence"),
    [
        ("XM_SMM", [150.0, 1.0, "PSA"], "#NUM!",
         "argument speed: the speed 150 is not between 0 and 100 (write 150%"),
        ("XM_SMM", [1.5, 1.0], "#NUM!",
         "argument speed: the speed 1.5 is not between 0 and 1 (write 1.5% as 0.015)"),
        ("XM_SMM", [0.01, 0.0], "#NUM!", "argument month: month 0 since origination; the first month is 1"),
        ("XM_SMM", [0.01, 1.0, "PSB"], "#VALUE!",
         "argument model: there is no prepayment model 'PSB'; known: PSA"),
        ("XM_SMM", [float("nan"), 1.0], "#NUM!", "argument speed: a finite number"),
        ("XM_SPEED", [0.01, 1.0, "ABS"], "#VALUE!", "argument to_model: the argument is missing"),
        ("XM_SPEED", [0.01, 1.0, "ABS", "SMN"], "#VALUE!",
         "argument to_model: there is no prepayment model 'SMN'"),
        ("XM_SURVIVORS", [0.01, -1.0, 1.0], "#NUM!", "argument age: the age -1 is negative (give 0 or more)"),
        ("XM_SURVIVORS", [0.01, 1.0, -1.0], "#NUM!", "argument months: the months -1 is negative"),
        ("XM_SMM_VECTOR", [[[0.01, 1.5]], 0.0, 3.0], "#NUM!",
         "argument speeds: the speed 1.5 is not between 0 and 1 (nu"),
        ("XM_SMM_VECTOR", [[[0.01]], 0.0, 0.0], "#NUM!", "argument months: 0 months; expected 1 to 1,200"),
        ("XM_SMM_VECTOR", [[[0.01]], 0.0, 3.0, "ABS by year"], "#VALUE!",
         "argument model: speeds go by 'year' (use by"),
        ("XM_ABS_SPEED", [80.0, 0.0, 20.0], "#NUM!",
         "argument original: the original number 0 is not above zero"),
        ("XM_ABS_SPEED", [101.0, 100.0, 20.0], "#NUM!",
         "argument number_now: 101 contracts are more than there were"),
        ("XM_ABS_SPEED", [80.0, 100.0, 20.0, 20.0], "#NUM!",
         "argument age: an age of 20 months is not after"),
        ("XM_POOL_SPEED", [LINES, 1001.0, 2.0], "#NUM!",
         "XM-109 argument balance: 1,001.00 is left, more than"),
        ("XM_POOL_SPEED", [[["P", -1.0, 0.0, 12.0, 12.0]], 1.0, 2.0], "#NUM!",
         "argument pools, table Pools, row 1"),
        ("XM_COLLECTIONS", [LINES, [[0.01], [-0.5]]], "#NUM!",
         "argument speed: the speed -0.5 is not between 0 and 1 (n"),
        ("XM_COLLECTIONS", [LINES, 0.01, "CPR by month"], "#VALUE!", "argument model: speeds go by 'month'"),
        ("XM_COLLECTIONS", [LINES, 0.01, None, 0.0], "#NUM!",
         "argument periods: 0 months cannot be projected"),
        ("XM_MDR", [0.1, 1.0, "CNL"], "#VALUE!", "argument model: CNL gives amounts, not rates"),
        ("XM_MDR", [0.1, 1.0, "SDR"], "#VALUE!", "argument model: there is no default curve 'SDR'"),
        ("XM_MDR", [2.0, 1.0, "CDR"], "#NUM!",
         "argument speed: the speed 2 is not between 0 and 1 (write 2%"),
        ("XM_MDR", [0.1, 0.0, "CDR"], "#NUM!", "argument month: month 0 since origination"),
        ("XM_DEFAULT_AMOUNTS", [1.0, 1.0, 2.0, 0.5, 1.0], "#NUM!",
         "argument net_loss: a net loss of 2 (write 2% as 0.02)"),
        ("XM_DEFAULT_AMOUNTS", [1.0, 1.0, 0.1, 0.0, 1.0], "#NUM!", "argument severity: a severity of 0"),
        ("XM_DEFAULT_AMOUNTS", [1.0, 1.0, 0.1, 0.5, 0.9], "#NUM!", "argument timing: the timing sums to 0.9"),
        ("XM_DEFAULT_AMOUNTS", [1.0, -1.0, 0.1, 0.5, 1.0], "#NUM!",
         "argument original: the original -1 is negative"),
        ("XM_DEFAULT_AMOUNTS", [[[1000.0], [50.0]], 1000.0, 0.1, 0.5, [[0.5], [0.5]]], "#NUM!",
         "timing: month 2: 100.00"),
        ("XM_RECOVERIES", [[[1.0], [-1.0]], 0.5], "#NUM!", "argument defaults: a negative default"),
        ("XM_RECOVERIES", [1.0, 0.5, -1.0], "#NUM!", "argument lag: a lag of -1 months"),
        ("XM_RECOVERIES", [1.0, 1.5], "#NUM!", "argument severity: a severity of 1.5"),
    ],
)  # fmt: skip
def test_bad_input(function: str, arguments: list[Any], code: str, sentence: str) -> None:
    assert call(function, arguments) == CellError(code)
    assert sentence in str(call("XM_WHY", [function, *arguments]))
