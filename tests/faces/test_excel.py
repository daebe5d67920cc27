"""The Excel face through xlwings' own code: values in, functions called, errors out."""

from __future__ import annotations

import datetime as dt
import types
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from tests.faces.cases import CASES, Case
from tests.faces.cases_large import LARGE_CASES
from tests.faces.comparison import direct_call, unwrapped
from tests.faces.excel_simulation import DISP_E_PARAMNOTFOUND, LONGS, Excel, Sent, TimeType, excel_simulation
from xlmodel.functions import FUNCTIONS
from xlmodel.functions.cells import Cell, CellError, Rows

_ERRORS = {long: CellError(code) for code, long in LONGS.items()}


@pytest.fixture(scope="module")
def excel() -> Iterator[Excel]:
    with excel_simulation() as simulation:
        yield simulation


def shown(result: Any) -> Cell | Rows:
    """What a cell shows of the variable that CallUDF fills: the part of our VBA module, in Python.

    One cell comes as a scalar and one row as a flat list.
    """
    if not isinstance(result, list):
        return _shown_cell(result)
    rows = result if isinstance(result[0], list) else [result]
    return [[_shown_cell(cell) for cell in row] for row in rows]


def _shown_cell(value: Any) -> Cell:
    if type(value) is int:
        return _ERRORS[value]
    assert type(value) in (float, str, bool), f"{value!r} is nothing that a cell can show"
    return value  # type: ignore[no-any-return]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_equals_the_direct_call(excel: Excel, case: Case) -> None:
    assert shown(excel.call(case.function, case.arguments, Sent.VALUES)) == unwrapped(direct_call(case))


@pytest.mark.parametrize(
    "case", [case for case in CASES if case not in LARGE_CASES], ids=lambda case: case.id
)
def test_equals_the_direct_call_when_xlwings_reads_the_ranges(excel: Excel, case: Case) -> None:
    assert shown(excel.call(case.function, case.arguments, Sent.RANGES)) == unwrapped(direct_call(case))


OMITTED = DISP_E_PARAMNOTFOUND
SPILL, CALC, UNKNOWN, FUTURE = -2146826243, -2146826238, -2146826240, -2146826000
IN_EXCEL_ONLY = {
    "#SPILL! passes through": ("XM_DAYS", (SPILL, 36509.0, OMITTED), SPILL),
    "#CALC! in a range": ("XM_ALLOCATE", (1.0, ((1.0,), (CALC,)), OMITTED, OMITTED), CALC),
    "an error that is newer than we are": ("XM_PAYMENT", (FUTURE, 0.1, 12.0), UNKNOWN),
    "an int beyond the errors is a number": ("XM_PAYMENT", (1200, 0, 12), 100.0),
    "a large negative int is a number": ("XM_PAYMENT", (-2000000000, 0, 12), LONGS["#NUM!"]),
    # a rep line of 1,200 over 12 months at 0%: 100 a month
    "a row that VBA keeps flat": (
        "XM_COLLECTIONS",
        (("P", 1200.0, 0.0, 12.0, 12.0), 0.0, OMITTED, 2.0, OMITTED),
        [[1.0, 1200.0, 0.0, 100.0, 0.0, 1100.0], [2.0, 1100.0, 0.0, 100.0, 0.0, 1000.0]],
    ),
    "a list as well as a tuple": (
        "XM_ALLOCATE",
        (9.0, [[5.0], [6.0]], OMITTED, OMITTED),
        [[5.0, 0.0], [4.0, 2.0]],
    ),
    # 6 in the evening of October 28 in whatever zone: 36461.75, so the 28th
    "a moment with a time zone": (
        "XM_DAYS",
        (TimeType(1999, 10, 28, 18, tzinfo=dt.timezone(dt.timedelta(hours=-9))), 36509.0, 2.0),
        48.0,
    ),
    "a moment without one": ("XM_DAYS", (dt.datetime(1999, 10, 28, 23, 59, 59), 36509.0, 2.0), 48.0),
    "dates in a range": ("XM_DAYS", (((TimeType(1999, 10, 28, tzinfo=dt.UTC),),), 36509.0, 2.0), 48.0),
    "currency to the last digit": ("XM_POOL_FACTOR", (Decimal("0.0001"), Decimal("1"), 4.0), 0.0001),
    "an object that is no range": ("XM_PAYMENT", (types.SimpleNamespace(), 0.1, 12.0), LONGS["#VALUE!"]),
    "an empty array": ("XM_ALLOCATE", (9.0, (), OMITTED, OMITTED), LONGS["#VALUE!"]),
    "left out among the arguments of XM_WHY": (
        "XM_WHY",
        ("XM_INTEREST", 100.0, 0.06, 36461.0, 36509.0, OMITTED, 2.0),
        "XM_INTEREST shows no error for these arguments",
    ),
}


@pytest.mark.parametrize("name", IN_EXCEL_ONLY)
def test_what_only_com_delivers(excel: Excel, name: str) -> None:
    function, variants, expected = IN_EXCEL_ONLY[name]
    found = excel.call_raw(function, *variants)
    assert found == expected
    assert type(found) is type(expected)


def test_xlwings_serves_exactly_the_registry(excel: Excel) -> None:
    served = excel.descriptions()
    assert set(served) == set(FUNCTIONS)
    for name, function in FUNCTIONS.items():
        info = served[name]
        assert info["ret"]["doc"] == function.help
        assert info["ret"]["options"] == {"convert": "raw"}
        assert info["category"] == f"xlmodel {function.category}"
        assert not info["volatile"]
        found = [(arg["name"], arg["doc"], "optional" in arg, arg["vararg"]) for arg in info["args"]]
        assert found == [
            (p.name, p.help, not p.required and not p.repeated, p.repeated) for p in function.parameters
        ]
        assert all(arg["options"] == {"convert": "raw"} for arg in info["args"])
        assert all(arg.get("optional") is None for arg in info["args"])


def test_xlwings_would_declare_each_function_once(excel: Excel) -> None:
    lines = [line.strip() for line in excel.written_vba().splitlines()]
    declared = Counter(line.split("(")[0].split()[1] for line in lines if line.startswith("Function "))
    assert declared == dict.fromkeys(FUNCTIONS, 1)
    assert "Function XM_DAYS(start_date, end_date, Optional basis, Optional termination_date)" in lines
    assert "Function XM_WHY(function_name, ParamArray arguments())" in lines
    assert "Function XM_VERSION()" in lines
