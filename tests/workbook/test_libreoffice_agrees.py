"""LibreOffice agrees with every native formula of the workbooks that come with the program."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.libreoffice import convert
from xlmodel.faces.formula_text import calls_ours
from xlmodel.package.freeze import freeze
from xlmodel.package.guard import open_package

WORKBOOKS = sorted((Path(__file__).parents[2] / "workbooks").glob("*/*.xlsx"))


@pytest.mark.faces
@pytest.mark.filterwarnings("ignore:Unable to read chart")  # one that LibreOffice wrote
@pytest.mark.parametrize("workbook", WORKBOOKS, ids=lambda path: path.stem)
def test_libreoffice_agrees_with_every_native_formula(workbook: Path, tmp_path: Path) -> None:
    """Our cells frozen to their values, all others recalculated by LibreOffice."""
    package = open_package(workbook.read_bytes(), name=workbook.name)
    frozen = tmp_path / "frozen.xlsx"
    frozen.write_bytes(freeze(package, calls_ours))
    (tmp_path / "out").mkdir()
    theirs = openpyxl.load_workbook(convert(frozen, "xlsx", tmp_path / "out"), data_only=True)
    formulas = openpyxl.load_workbook(frozen)
    ours = openpyxl.load_workbook(workbook, data_only=True)
    compared, differing = 0, []
    for sheet in formulas:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    compared += 1
                    mine, other = (
                        ours[sheet.title][cell.coordinate].value,
                        theirs[sheet.title][cell.coordinate].value,
                    )
                    if not alike(mine, other):
                        differing.append((sheet.title, cell.coordinate, cell.value, mine, other))
    assert differing == []
    assert compared >= 250


def alike(mine: Any, other: Any) -> bool:
    if isinstance(mine, int | float) and isinstance(other, int | float):
        return math.isclose(mine, other, rel_tol=1e-9, abs_tol=1e-9)
    return (mine or "") == (other or "")
