"""The deal in cells: shapes, published figures and errors that name the cell of the range."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.deal.tie import DEAL, SPEEDS
from xlmodel.deal.folder import read_folder, stacked_rows
from xlmodel.functions import call
from xlmodel.functions.cells import CellError, Rows, result_cell
from xlmodel.functions.payments import distributions_header

FOLDER = read_folder(DEAL)


def as_cells(rows: Any) -> Rows:
    return [[None if cell is None else result_cell(cell) for cell in row] for row in rows]


TERMS, CLASSES = as_cells(stacked_rows(FOLDER.stacked)), as_cells(FOLDER.classes)
PAYMENTS, POOLS = as_cells(FOLDER.payments), as_cells(FOLDER.pools)
DEAL_RANGES = [TERMS, CLASSES, PAYMENTS, POOLS]


def edited(rows: Rows, old: object, new: object) -> Rows:
    """A range with the first cell that holds ``old`` changed."""
    changed = copy.deepcopy(rows)
    for row in changed:
        if old in row:
            row[row.index(old)] = new  # type: ignore[arg-type, call-overload]
            return changed
    raise AssertionError(f"{old!r} is not in the range")


def test_distributions_have_a_row_a_payment_date_and_the_documented_columns() -> None:
    rows = call("XM_DISTRIBUTIONS", [*DEAL_RANGES, 0.015, None, True])
    assert isinstance(rows, list)
    assert rows[0] == distributions_header(FOLDER.deal)
    # 60 months remain at most; the first payment takes two of them.
    assert (len(rows) - 1, len(rows[0])) == (59, 5 * 4 + 4 + 7)
    first = dict(zip(rows[0], rows[1], strict=True))
    # Pages 43 and 46; balances and factor by hand: 155,250,000.00 - 47,843,606.91.
    assert first["A-1 interest"] == 1_283_917.50
    assert first["Certificates interest"] == 119_724.52
    assert first["A-1 principal"] == 47_843_606.91
    assert first["A-1 balance"] == 107_406_393.09
    assert first["A-1 factor"] == 0.6918286  # 107,406,393.09 / 155,250,000 = 0.69182862...
    assert first["Reserve opening"] == 16_098_944.00
    assert first["Pool balance"] == 596_114_152.81


def test_decrement_has_classes_and_within_them_speeds() -> None:
    rows = call("XM_DECREMENT", [*DEAL_RANGES, [list(SPEEDS)], None, 44.0])
    assert isinstance(rows, list)
    assert (len(rows), {len(row) for row in rows}) == (45, {20})
    assert rows[0] == [1.0] * 20
    # Page 36: December 1999, A-1: 79.8, 75.0, 69.2, 65.0.
    assert [f"{cell:.3f}" for cell in rows[1][:4]] == ["0.798", "0.750", "0.692", "0.650"]
    assert rows[44] == [0.0] * 20
    some = call("XM_DECREMENT", [*DEAL_RANGES, 0.018, [["A-3"], ["a-1"]], 19.0, False, True])
    assert isinstance(some, list)
    assert some[0] == ["A-3 1.80%", "A-1 1.80%"]
    assert [row[1] for row in some[1:]] == [row[3] for row in rows[:20]]
    # Page 37: A-3 at 1.80% in period 19 is the tightest cell of all: 60.1, from 60.05000...
    assert some[20][0] == pytest.approx(0.600500087, abs=1e-9)


def test_average_lives_are_those_of_the_prospectus() -> None:
    rows = call("XM_AVERAGE_LIFE", [*DEAL_RANGES, [[s] for s in SPEEDS]])
    assert isinstance(rows, list)
    # Pages 36 to 38.
    assert [[f"{life:.2f}" for life in row] for row in rows] == [
        ["0.43", "0.36", "0.30", "0.27"],
        ["1.42", "1.20", "1.00", "0.89"],
        ["2.64", "2.34", "2.00", "1.80"],
        ["3.62", "3.31", "2.95", "2.64"],
        ["3.72", "3.38", "3.05", "2.72"],
    ]


def test_a_high_speed_that_pays_the_pool_off_early_is_valid() -> None:
    rows = call("XM_DECREMENT", [*DEAL_RANGES, 0.99, None, 2.0])
    # Everything prepays in the first two months, so the first payment retires all classes.
    assert rows == [[1.0] * 5, [0.0] * 5, [0.0] * 5]


@pytest.mark.parametrize(
    ("position", "old", "new", "code", "parts"),
    [
        (1, 155_250_000.0, -5.0, "#NUM!", ["argument classes", "row 2", "'balance'"]),
        (1, 0.0676, "abc", "#VALUE!", ["argument classes", "row 4", "'rate'"]),
        (1, "actual/360", None, "#VALUE!", ["argument classes", "row 2", "'day count'"]),
        (1, "30/360", "30/361", "#VALUE!", ["argument classes", "row 4", "'day count'"]),
        (2, "interest", "intrest", "#VALUE!", ["argument payments", "row 3", "'pay'", "top up"]),
        (2, "A-1 > A-2 > A-3 > A-4", "A-1 > A-9", "#VALUE!", ["argument payments", "row 5", "'to'", "a-1"]),
        (2, "Notes paid", "notes payed", "#VALUE!", ["argument payments", "row 8", "'when'"]),
        (2, "fee servicing", "fee auditor", "#VALUE!", ["argument payments", "row 2", "servicing"]),
        (2, "remainder", "interest", "#VALUE!", ["argument payments", "row 12", "'to'"]),
        (3, 0.09995, 9.995, "#NUM!", ["argument pools", "row 2", "'rate'"]),
        (0, "closing date", "closing day", "#VALUE!", ["argument terms", "closing date"]),
        (0, "pool", "pond", "#VALUE!", ["argument terms", "pool"]),
        (0, 2.0, None, "#VALUE!", ["argument terms", "'value'"]),
        (0, "FED", "Mars", "#VALUE!", ["argument terms", "Mars"]),
        (0, "reserve target", "reserve requirement", "#VALUE!", ["argument terms"]),
    ],
)
def test_a_bad_cell_of_a_range_is_named(
    position: int, old: object, new: object, code: str, parts: list[str]
) -> None:
    ranges: list[Any] = list(DEAL_RANGES)
    ranges[position] = edited(ranges[position], old, new)
    speeds: Rows = [list(SPEEDS)]
    found = call("XM_DECREMENT", [*ranges, speeds])
    assert found == CellError(code)
    sentence = call("XM_WHY", ["XM_DECREMENT", *ranges, speeds])
    assert isinstance(sentence, str)
    assert [part for part in parts if part not in sentence] == [], sentence


@pytest.mark.parametrize(
    ("speeds", "code", "part"),
    [
        ([[0.01, -0.1]], "#NUM!", "row 1, column 2"),
        ([[0.01], [1.0]], "#NUM!", "row 2, column 1"),
        ([[0.01, "x"]], "#VALUE!", "row 1, column 2"),
        ([[0.01, None]], "#VALUE!", "row 1, column 2"),
        ([[CellError("#REF!"), 0.1]], "#REF!", "row 1, column 1"),
    ],
)
def test_a_bad_speed_is_named(speeds: Rows, code: str, part: str) -> None:
    assert call("XM_AVERAGE_LIFE", [*DEAL_RANGES, speeds]) == CellError(code)
    assert part in str(call("XM_WHY", ["XM_AVERAGE_LIFE", *DEAL_RANGES, speeds]))


def test_a_class_that_the_deal_has_not_is_not_available() -> None:
    arguments: list[Any] = [*DEAL_RANGES, 0.015, [["A-9"]]]
    assert call("XM_AVERAGE_LIFE", arguments) == CellError("#N/A")
    assert "A-1, A-2, A-3, A-4, Certificates" in str(call("XM_WHY", ["XM_AVERAGE_LIFE", *arguments]))


def test_more_payment_dates_than_the_pool_has_are_refused_not_cut() -> None:
    assert call("XM_DECREMENT", [*DEAL_RANGES, 0.015, None, 60.0]) == CellError("#NUM!")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([100.0, [[50.0], [30.0], [40.0]]], [[50, 0], [30, 0], [20, 20]]),
        # 100 x 50/120 = 41.666..., 25, 33.333...: the cent left over goes to the largest remainder.
        ([100.0, [[50.0], [30.0], [40.0]], "pro rata"], [[41.67, 8.33], [25, 5], [33.33, 6.67]]),
        # Weights 1:1:2 of 100: 25, 25 and 50; nobody is paid beyond the claim, the rest is shared again.
        ([100.0, [[50.0], [20.0], [40.0]], "pro rata", [[1.0], [1.0], [2.0]]], [[40, 10], [20, 0], [40, 0]]),
        ([0.0, [[1.0, 2.0]]], [[0, 1], [0, 2]]),
        ([9.0, [[1.0, 2.0]], "Sequential"], [[1, 0], [2, 0]]),
    ],
)  # fmt: skip
def test_allocate(arguments: list[Any], expected: list[list[float]]) -> None:
    assert call("XM_ALLOCATE", arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([-1.0, [[1.0]]], "#NUM!"),
        ([1.0, [[-1.0]]], "#NUM!"),
        ([1.0, [["x"]]], "#VALUE!"),
        ([1.0, None], "#VALUE!"),
        ([1.0, [[1.0]], "fairly"], "#VALUE!"),
        ([1.0, [[1.0]], "pro rata", [[1.0], [2.0]]], "#VALUE!"),
        ([1.0, [[1.0]], "pro rata", [[-1.0]]], "#NUM!"),
    ],
)
def test_allocate_refuses_what_has_no_meaning(arguments: list[Any], code: str) -> None:
    assert call("XM_ALLOCATE", arguments) == CellError(code)
