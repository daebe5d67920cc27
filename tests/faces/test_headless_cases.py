"""The table of cases through the evaluation of a workbook without a spreadsheet program."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.faces.case_workbook import CASES_SHEET, Placed, case_workbook
from tests.faces.cases import CASES
from tests.faces.comparison import same, unwrapped
from xlmodel.faces.headless import Evaluation, evaluate
from xlmodel.functions.cells import Cell, CellError
from xlmodel.package.address import Address
from xlmodel.package.guard import open_package
from xlmodel.package.values import ErrorCode, Value

pytestmark = pytest.mark.soak


@cache
def evaluated() -> tuple[Evaluation, dict[str, Placed]]:
    data, placed = case_workbook(CASES)
    return evaluate(open_package(data, name="cases.xlsx")), {each.case.id: each for each in placed}


def shown(value: Value) -> Cell:
    return CellError(value) if isinstance(value, ErrorCode) else value


@pytest.mark.parametrize("name", [case.id for case in CASES])
def test_equals_the_direct_call(name: str) -> None:
    evaluation, placed = evaluated()
    case = placed[name]
    found: Any = [
        [
            shown(evaluation.value(CASES_SHEET, Address(row, column)))
            for column in range(case.column, case.column + case.columns)
        ]
        for row in range(1, case.rows + 1)
    ]
    assert same(unwrapped(found), unwrapped(case.direct))
