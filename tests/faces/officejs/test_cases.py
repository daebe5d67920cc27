"""The whole table of cases through Chromium, Microsoft's runtime, our page and a real server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.faces.case import Case, Given, as_cells
from tests.faces.cases import CASES
from tests.faces.officejs.excel import Excel, shown
from xlmodel.errors import XlmodelError
from xlmodel.functions import FUNCTIONS, call
from xlmodel.functions.cells import Cell, CellError, Rows

pytestmark = pytest.mark.faces


def unwrapped(result: Cell | Rows) -> Cell | Rows:
    """An array of one cell as that cell, which is how it looks in a sheet."""
    if isinstance(result, list) and len(result) == len(result[0]) == 1:
        return result[0][0]
    return result


def direct(case: Case) -> Cell | Rows:
    return unwrapped(call(case.function, [as_cells(argument) for argument in case.arguments]))


def exactly(result: Cell | Rows) -> str:
    """A text that tells TRUE from 1 and every double from the next; a sheet has no negative zero."""
    if isinstance(result, list):
        return ";".join(",".join(map(exactly, row)) for row in result)
    return repr(result + 0.0 if type(result) is float else result)


def test_every_case_equals_the_direct_call(workbook: Excel) -> None:
    """To the last bit: the same code answers, and JSON carries a double whole."""
    assert not differences(workbook, CASES, bare=False)


def test_constants_that_are_not_sent_as_ranges_make_no_difference(workbook: Excel) -> None:
    """For the cases without large ranges, which are the same in both forms."""
    small = [case for case in CASES if all(map(is_small, case.arguments))]
    assert len(small) > len(CASES) / 2
    assert not differences(workbook, small, bare=True)


def is_small(argument: Given) -> bool:
    return not isinstance(argument, list) or len(argument) * len(argument[0]) <= 100


def differences(workbook: Excel, cases: Sequence[Case], *, bare: bool) -> str:
    """One line for each case that shows something else than the direct call gives."""
    found = workbook.recalculate([(case.function, case.arguments) for case in cases], bare=bare)
    lines = []
    for case, result in zip(cases, found, strict=True):
        there, here = unwrapped(shown(result)), direct(case)
        if exactly(there) != exactly(here):
            lines.append(f"{case.id}: Office.js {str(there)[:100]}, directly {str(here)[:100]}")
    return "\n".join(lines)


def error(code: str) -> dict[str, str]:
    return {"type": "CustomFunctionError", "code": code}


# What only this runtime delivers: values as Excel hands them to it, and what the cell then shows.
DELIVERED: dict[str, tuple[str, list[Any], Cell | Rows]] = {
    "#SPILL! passes through": ("XM_DAYS", [[[error("#SPILL!")]], [[2]], None], CellError("#SPILL!")),
    "#CALC! in a range": ("XM_ALLOCATE", [[[1]], [[1], [error("#CALC!")]], None, None], CellError("#CALC!")),
    "#GETTING_DATA, which has no mark": (
        "XM_PAYMENT", [error("#GETTING_DATA"), 0.1, 12], CellError("#GETTING_DATA"),
    ),
    "an error that is no word of Excel's": ("XM_PAYMENT", [error("oops"), 0.1, 12], CellError("#VALUE!")),
    # 1,200 over 12 months without interest
    "a number with a format": (
        "XM_PAYMENT", [{"type": "FormattedNumber", "basicValue": 1200}, 0, 12], 100.0,
    ),
    "an entity": (
        "XM_PAYMENT", [{"type": "Entity", "basicType": "Error", "basicValue": "#VALUE!"}, 0, 12],
        CellError("#VALUE!"),
    ),
    "an object of no kind": ("XM_PAYMENT", [{}, 0, 12], CellError("#VALUE!")),
    "blank cells as null": ("XM_ALLOCATE", [10, [[5], [None]], None, None], CellError("#VALUE!")),
    "left out at the end altogether": ("XM_DAYS", [[[36461]], [[36509]]], 47.0),  # 30/360
    "left out in the middle of what is repeated": (
        "XM_WHY", ["XM_INTEREST", [[[100]], [[0.06]], [[36461]], [[36509]], None, [[2]]]],
        "XM_INTEREST shows no error for these arguments",
    ),
    "nothing repeated": (
        "XM_WHY", ["XM_VERSION", []], "XM_VERSION shows no error for these arguments",
    ),
    "letters beyond ASCII": (
        "XM_WHY", ["XM_DAYS", [["\u00e9\U0001f4a3"], [1]]],
        "XM-101 argument start_date: a date is asked for, "
        "got the text '\u00e9\U0001f4a3' (enter it as a date)",
    ),
    "half a surrogate pair": ("XM_DAYS", ["\ud83d", 1], CellError("#VALUE!")),
    "a number beyond all": ("XM_PAYMENT", [1e308, 0, 1], 1e308),
}  # fmt: skip


@pytest.mark.parametrize("name", DELIVERED)
def test_what_only_this_runtime_delivers(workbook: Excel, name: str) -> None:
    function, values, expected = DELIVERED[name]
    (found,) = workbook.recalculate_raw([(function, values)])
    assert exactly(unwrapped(shown(found))) == exactly(expected)


def test_every_function_is_served_and_no_other(workbook: Excel) -> None:
    served = workbook.page.evaluate("Object.keys(CustomFunctions._association.mappings)")
    assert set(served) == set(workbook.functions) == set(FUNCTIONS)


def test_the_reason_is_at_the_cell(workbook: Excel) -> None:
    (found,) = workbook.recalculate([("XM_DAYS", ("x", 1.0))])
    assert found["message"] == str(direct_reason("XM_DAYS", "x", 1.0))
    assert found["message"].startswith("XM-101 argument start_date: a date is asked for, got the text 'x'")


def direct_reason(function: str, *arguments: Cell) -> XlmodelError | None:
    result = call(function, arguments)
    assert isinstance(result, CellError)
    return result.reason
