"""What the reader is told although everything was evaluated."""

from __future__ import annotations

import pytest

from tests.package.packages import one_sheet
from xlmodel.faces.headless import evaluate

CELLS = '<row r="1"><c r="A1"><v>1.5</v></c><c r="B1"><v>2</v></c><c r="C1"><f>{}</f></c></row>'


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("A1*B1=3", True),
        ("SUM(A1:B1)=A1", True),
        ("IF(SUM(A1:B1)-1=0,1,2)", True),
        ("A1+B1&gt;=3", True),
        ("A1%=B1", True),
        ("ROUND(A1*B1,2)=ROUND(B1,2)", False),
        ("A1=B1", False),
        ("A1-1=B1", False),
        ("ROWS(A1:B1)*(COLUMNS(A1:B1)-1)=2", False),
        ('A1&amp;""="1.5"', False),
        ("COUNT(A1:B1)=2", False),
    ],
)
def test_comparisons_of_what_nothing_has_rounded(formula: str, told: bool) -> None:
    found = evaluate(one_sheet(CELLS.format(formula)))
    assert [line for line in found.warnings if "without ROUND" in line] == (
        ["numbers are compared without ROUND, to the last bit: Sheet!C1"] if told else []
    )
