"""A range in the place of a single cell: the same numbers as cell by cell, in the shape of the arguments."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlmodel.functions import FUNCTIONS, call
from xlmodel.functions.cells import CellError, Rows


def serial(text: str) -> float:
    return float((dt.date.fromisoformat(text) - dt.date(1899, 12, 30)).days)


DAYS = st.integers(33_000, 55_000).map(float)  # 1990 to 2050
AMOUNTS = st.one_of(st.integers(0, 10**12).map(lambda cents: cents / 100), st.floats(0, 1e9))
SIGNED = st.floats(-1e9, 1e9)
RATES = st.floats(0, 0.3)
BASES = st.sampled_from(["actual/360", "30/360", "30E/360 ISDA", "actual/actual ISDA", 0.0, 1.0, 4.0, None])
COUNTS = st.integers(1, 60).map(float)
SPEEDS = st.floats(0, 0.014)
FLAGS = st.sampled_from([True, False, None])
CALENDARS = st.sampled_from(["FED", "weekends", "none", None])
ROLLS = st.sampled_from(["following", "Modified Following", "preceding", "none", None])
UNITS = st.sampled_from(["business days", "calendar days", "Month end", None])
MODELS = st.sampled_from(["ABS", "smm", "CPR", "PSA", None])
NAMED = st.sampled_from(["ABS", "smm", "CPR", "PSA"])
FEW = st.integers(0, 12).map(float)
DECIMALS = st.sampled_from([None, 0.0, 2.0, 5.0])
NOTHING = st.none()
FREQUENCIES = st.sampled_from([1.0, 2.0, 4.0, 12.0])
PERIODS = st.sampled_from(["revolving", "Accumulation", "early amortization", "ended"])
ICMA = st.sampled_from(["30/360", "actual/actual ICMA", "actual/360"])

# Arguments that have an answer; a function of this kind that is not listed fails the test below.
ARGUMENTS: dict[str, list[st.SearchStrategy[Any]]] = {
    "XM_PRINCIPAL_SHORTFALL": [PERIODS, AMOUNTS, AMOUNTS, AMOUNTS],
    "XM_DAYS": [DAYS, DAYS, BASES],
    "XM_YEARFRAC": [DAYS, DAYS, BASES],
    "XM_INTEREST": [AMOUNTS, RATES, DAYS, DAYS, BASES, DECIMALS],
    "XM_ACCRUED": [AMOUNTS, RATES, DAYS, DAYS.map(lambda day: day + 30_000), FREQUENCIES, ICMA, DECIMALS],
    "XM_RECORD_DATES": [DAYS, FEW, UNITS, ROLLS, CALENDARS],
    "XM_DETERMINATION_DATES": [DAYS, FEW, UNITS, ROLLS, CALENDARS],
    "XM_BUSINESS_DAY": [DAYS, ROLLS, CALENDARS],
    "XM_IS_BUSINESS_DAY": [DAYS, CALENDARS],
    "XM_ADD_BUSINESS_DAYS": [DAYS, st.integers(-300, 300).map(float), CALENDARS],
    "XM_ADD_MONTHS": [DAYS, st.integers(-300, 300).map(float), FLAGS],
    "XM_ROUND": [SIGNED, DECIMALS],
    "XM_TRUNCATE": [SIGNED, DECIMALS],
    "XM_PAYMENT": [AMOUNTS, RATES, COUNTS, NOTHING, FLAGS],
    "XM_INTEREST_PART": [AMOUNTS, RATES, COUNTS.map(lambda n: n + 60), COUNTS, NOTHING, FLAGS],
    "XM_PRINCIPAL_PART": [AMOUNTS, RATES, COUNTS.map(lambda n: n + 60), COUNTS, NOTHING, FLAGS],
    "XM_BALANCE_AFTER": [AMOUNTS, RATES, COUNTS.map(lambda n: n + 60), COUNTS, NOTHING, FLAGS],
    "XM_TERMS": [st.floats(0, 1e6), RATES, st.floats(5e4, 1e5), NOTHING, FLAGS],
    "XM_RATE": [st.floats(1, 1e6), COUNTS, st.floats(1, 1e6), NOTHING, FLAGS],
    "XM_SMM": [SPEEDS, COUNTS, MODELS],
    "XM_SPEED": [SPEEDS, COUNTS, NAMED, NAMED],
    "XM_SURVIVORS": [SPEEDS, COUNTS, FEW, MODELS],
    "XM_ABS_SPEED": [st.floats(0, 90), st.floats(100, 200), COUNTS.map(lambda n: n + 12), FEW],
    "XM_POOL_FACTOR": [AMOUNTS, st.floats(1, 1e9), FEW],
    "XM_ANNUAL_RATE": [SIGNED, st.floats(1, 1e9), st.floats(1, 12)],
    "XM_NET_LOSS_RATE": [AMOUNTS, AMOUNTS, st.floats(1, 1e9), st.floats(1, 12)],
    "XM_RECOVERY_RATE": [AMOUNTS, st.floats(1, 1e9)],
    "XM_ALLOWANCE": [AMOUNTS, AMOUNTS, AMOUNTS, SIGNED, st.one_of(NOTHING, AMOUNTS)],
    "XM_MDR": [st.floats(0, 0.9), COUNTS, st.sampled_from(["SDA", "CDR", "mdr", None])],
}


def test_every_function_of_this_kind_is_here() -> None:
    assert set(ARGUMENTS) == {name for name, function in FUNCTIONS.items() if function.elementwise}


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, float) and isinstance(found, float):
        return found == pytest.approx(expected, rel=1e-12, abs=1e-15)
    return bool(found == expected)


@pytest.mark.parametrize("name", ARGUMENTS)
@settings(max_examples=25)
@given(data=st.data())
def test_a_column_is_its_cells(name: str, data: Any) -> None:
    rows = data.draw(st.lists(st.tuples(*ARGUMENTS[name]), min_size=2, max_size=5))
    single = data.draw(st.lists(st.booleans(), min_size=len(rows[0]), max_size=len(rows[0])))
    if all(single):
        single[0] = False
    rows = [tuple(rows[0][n] if one else row[n] for n, one in enumerate(single)) for row in rows]
    columns = [rows[0][n] if one else [[row[n]] for row in rows] for n, one in enumerate(single)]
    cells = [call(name, row) for row in rows]
    found = call(name, columns)
    errors = [cell for cell in cells if isinstance(cell, CellError)]
    if errors:
        assert found == errors[0]
    else:
        assert isinstance(found, list)
        assert all(same(row, [cell]) or same(row[0], cell) for row, cell in zip(found, cells, strict=True))
        as_rows = [
            column if one else [[row[0] for row in column]]
            for column, one in zip(columns, single, strict=True)
        ]
        assert call(name, as_rows) == [[row[0] for row in found]]


CLOSING, FIRST = serial("1999-10-28"), serial("1999-12-15")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([CLOSING, FIRST], 47.0),
        ([[[CLOSING]], [[FIRST]]], 47.0),
        ([[[CLOSING], [CLOSING + 1]], FIRST], [[47.0], [46.0]]),
        ([CLOSING, [[FIRST, FIRST + 1]]], [[47.0, 48.0]]),
        ([[[CLOSING], [CLOSING + 1]], [[FIRST, FIRST + 1]]], [[47.0, 48.0], [46.0, 47.0]]),
        ([[[CLOSING, CLOSING], [CLOSING, CLOSING]], [[FIRST], [FIRST + 1]]], [[47.0, 47.0], [48.0, 48.0]]),
        ([CLOSING, FIRST, [["actual/360"], ["30/360"], [None]]], [[48.0], [47.0], [47.0]]),
        # basis 3 exchanges the dates; TRUE is serial 1
        ([[[CLOSING], [True]], [[31.0, FIRST]], 3.0], [[CLOSING - 31, 48.0], [30.0, FIRST - 1]]),
    ],
)  # fmt: skip
def test_the_shape_follows_from_the_arguments(arguments: list[Any], expected: Any) -> None:
    assert call("XM_DAYS", arguments) == expected


COLUMN: Rows = [[CLOSING], [CLOSING]]


@pytest.mark.parametrize(
    ("name", "arguments", "code", "sentence"),
    [
        ("XM_DAYS", [[[CLOSING], [60.0]], FIRST], "#NUM!",
         "start_date, row 2, column 1: serial 60 is 29 February"),
        ("XM_DAYS", [[[CLOSING, 0.0]], FIRST], "#NUM!", "start_date, row 1, column 2: serial 0"),
        ("XM_DAYS", [[[CLOSING], [float("nan")]], FIRST], "#NUM!", "start_date, row 2, column 1: serial nan"),
        ("XM_DAYS", [[[CLOSING], ["1999-10-28"]], FIRST], "#VALUE!",
         "row 2, column 1: a date is asked for, got the"),
        ("XM_DAYS", [COLUMN, [[FIRST, None]]], "#VALUE!",
         "end_date, row 1, column 2: a date is asked for, the cell"),
        ("XM_DAYS", [COLUMN, [[FIRST], [CellError("#REF!")]]], "#REF!",
         "end_date, row 2, column 1: the input holds"),
        ("XM_DAYS", [COLUMN, FIRST, [["actual/360"], ["actual/361"]]], "#VALUE!",
         "basis, row 2, column 1: 'actual/361'"),
        ("XM_DAYS", [COLUMN, FIRST, [["actual/360"], [7.0]]], "#NUM!",
         "basis, row 2, column 1: 7.0 is no basis"),
        ("XM_DAYS", [COLUMN, "x"], "#VALUE!", "argument end_date: a date is asked for"),
        ("XM_DAYS", [COLUMN, [[FIRST]] * 3], "#VALUE!",
         "end_date: a range of 3 rows and 1 columns beside one of 2"),
        ("XM_DAYS", [COLUMN, []], "#VALUE!", "end_date: a range has rows of one length"),
        ("XM_DAYS", [COLUMN, [[FIRST, FIRST], [FIRST]]], "#VALUE!",
         "end_date: a range has rows of one length"),
        ("XM_DAYS", [COLUMN], "#VALUE!", "argument end_date: the argument is missing"),
        ("XM_DAYS", [[[1.0]] * 5000, [[1.0] * 5000]], "#VALUE!", "a result of 5000 rows and 5000 columns"),
        # what only the body finds: named as in the cell alone, and by row and column of the argument at fault
        ("XM_INTEREST", [[[1.0], [-2.0]], 0.1, CLOSING, FIRST], "#NUM!",
         "balance, row 2, column 1: the balance -2 is"),
        ("XM_INTEREST", [[[1.0], [-2.0]], [[0.1, 6.0]], CLOSING, FIRST], "#NUM!",
         "rate, row 1, column 2: the rate 6"),
        ("XM_INTEREST", [[[1.0], [2.0]], 6.0, CLOSING, FIRST], "#NUM!",
         "argument rate: the rate 6 is 100% or more"),
        ("XM_PAYMENT", [1.0, 0.1, [[5.0, 0.0], [-1.0, 3.0]]], "#NUM!",
         "remaining_term, row 1, column 2: 0 months"),
        ("XM_SMM", [[[0.01]] * 7 + [[1.5]], 1.0, "CPR"], "#NUM!", "speed, row 8, column 1: the speed 1.5"),
        ("XM_SMM", [[[0.01], [1.5]], 1.0, [["PSA"], ["ABS"]]], "#NUM!",
         "speed, row 2, column 1: the speed 1.5"),
        ("XM_BUSINESS_DAY", [[[CLOSING], [9000.0]]], "#NUM!",
         "any_date, row 2, column 1: 1924-08-21 is outside"),
        ("XM_TERMS", [[[100.0], [10000.0]], 0.12, 90.0], "#NUM!", "payment: the balance is never reached"),
        ("XM_ADD_MONTHS", [CLOSING, [[1.0], [1.5]]], "#NUM!", "months, row 2, column 1: a whole number"),
        ("XM_ADD_MONTHS", [CLOSING, [[1.0], [1e300]]], "#NUM!", "months, row 2, column 1: a whole number"),
        ("XM_ROUND", [[[1.0], [float("inf")]]], "#NUM!", "amount, row 2, column 1: a finite number"),
        ("XM_YEARFRAC", [[[FIRST], [CLOSING], [FIRST + 40]], FIRST + 30, "act/act (ICMA)", 2.0, CLOSING],
         "#NUM!",
         "the end lies before the start"),
    ],
)  # fmt: skip
def test_a_bad_cell_is_named(name: str, arguments: list[Any], code: str, sentence: str) -> None:
    assert call(name, arguments) == CellError(code)
    assert sentence in str(call("XM_WHY", [name, *arguments]))


def test_each_start_of_a_column_is_a_coupon_date() -> None:
    starts: Any = [[CLOSING], [FIRST], [CLOSING], [serial("2000-01-31")]]
    ends = [FIRST, FIRST + 400]
    arguments: Any = [starts, [ends], "actual/actual ICMA", 2.0, None, None, [[True]]]
    cells = [
        [call("XM_YEARFRAC", [row[0], end, *arguments[2:]]) for end in ends] for row in starts[:3]
    ]  # the last start lies after the first end
    assert call("XM_YEARFRAC", [starts[:3], *arguments[1:]]) == cells
    sentence = call("XM_WHY", ["XM_YEARFRAC", *arguments])
    assert "argument end_date, row 1, column 1: the end lies before the start" in str(sentence)


def test_a_blank_in_a_column_is_the_default() -> None:
    assert call("XM_POOL_FACTOR", [[[1.0], [2.0]], 3.0, [[None], [2.0]]]) == [[0.3333333], [0.67]]
    assert call("XM_INTEREST", [360.0, 0.1, CLOSING, FIRST, 2.0, [[None], [0.0]]]) == [[4.8], [5.0]]


def test_a_cell_without_a_finite_result_is_an_error_in_the_array() -> None:
    found = call("XM_INTEREST", [[[1e308], [360.0]], 0.5, 1.0, 36526.0, 2.0])
    assert found == [[CellError("#NUM!")], [360 * 0.5 * 36525 / 360]]
