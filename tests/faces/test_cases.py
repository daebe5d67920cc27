"""The table of cases itself: it is large enough, speaks of everything, and its numbers have sources."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

import pytest

from tests.faces.case import OMITTED, UNSTATED, Case, Given, GivenCell
from tests.faces.cases import CASES
from tests.faces.comparison import direct_call, found_in, same
from xlmodel.functions import FUNCTIONS
from xlmodel.functions.cells import CELL_ERRORS, CellError

_AT_LEAST = 5


def cells(given: Given) -> Iterator[GivenCell]:
    if isinstance(given, list):
        yield from (cell for row in given for cell in row)
    elif given is not OMITTED:
        yield given


ALL_CELLS = [cell for case in CASES for given in case.arguments for cell in cells(given)]


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.expected is not UNSTATED], ids=lambda case: case.id
)
def test_the_direct_call_gives_what_is_stated(case: Case) -> None:
    found, expected = found_in(direct_call(case), case)
    assert same(found, expected), f"found {found}, expected {expected}: {case.source}"


def test_there_are_enough_cases_of_every_function() -> None:
    count = Counter(case.function for case in CASES)
    assert set(count) == set(FUNCTIONS)
    assert [name for name in FUNCTIONS if FUNCTIONS[name].parameters and count[name] < _AT_LEAST] == []
    assert len(CASES) >= 300


def test_every_optional_argument_is_given_and_left_out_somewhere() -> None:
    given: set[tuple[str, str]] = set()
    left_out: set[tuple[str, str]] = set()
    for case in CASES:
        for number, parameter in enumerate(FUNCTIONS[case.function].parameters):
            argument = case.arguments[number] if number < len(case.arguments) else OMITTED
            (left_out if argument is OMITTED else given).add((case.function, parameter.name))
    optional = {(f.name, p.name) for f in FUNCTIONS.values() for p in f.parameters if not p.required}
    assert optional - given == set()
    assert optional - left_out == set()


def test_every_kind_of_cell_is_there() -> None:
    assert {type(cell) for cell in ALL_CELLS} == {
        *(float, int, str, bool, type(None), CellError, dt.date, dt.datetime, Decimal)
    }
    assert {cell.code for cell in ALL_CELLS if isinstance(cell, CellError)} == set(CELL_ERRORS)
    assert max(len(cell) for cell in ALL_CELLS if isinstance(cell, str)) > 255
    sizes = Counter(len(list(cells(given))) for case in CASES for given in case.arguments)
    assert sizes[30_000] >= 10
    answers = [case.expected for case in CASES if isinstance(case.expected, CellError)]
    assert {answer.code for answer in answers} == set(CELL_ERRORS)
    assert any(OMITTED in case.arguments[:-1] for case in CASES)


def test_a_number_has_a_source_and_a_case_a_name_of_its_own() -> None:
    assert [case.id for case in CASES if (case.expected is UNSTATED) != (case.source == "")] == []
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []


def test_what_stands_in_a_formula_can_stand_there() -> None:
    written = [given for case in CASES for given in case.arguments if isinstance(given, str | float)]
    assert [text for text in written if isinstance(text, str) and len(text) > 255] == []
    assert [
        number for number in written if isinstance(number, float) and float(f"{number:.15g}") != number
    ] == []


def test_a_range_is_a_rectangle() -> None:
    ranges = [(case.id, given) for case in CASES for given in case.arguments if isinstance(given, list)]
    assert [name for name, rows in ranges if not rows or len({len(row) for row in rows}) != 1] == []
