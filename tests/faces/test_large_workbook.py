"""20,000 native formulas and 500 of ours: LibreOffice agrees with every cell."""

from __future__ import annotations

import math
from pathlib import Path

import openpyxl
import pytest

from tests.libreoffice import convert
from tests.workbook.large_book import NATIVE, OURS, build
from xlmodel.faces.formula_text import calls_ours
from xlmodel.package.freeze import freeze
from xlmodel.package.guard import open_package
from xlmodel.workbook.refresh import read_package, refresh


@pytest.mark.faces
def test_libreoffice_agrees_with_every_cell(tmp_path: Path) -> None:
    """Our cells frozen to their values, all others recalculated."""
    path = tmp_path / "large.xlsx"
    build(path)
    found = refresh(read_package(path))
    assert (found.evaluation.formulas, found.evaluation.functions) == (NATIVE + OURS, OURS)
    frozen = tmp_path / "frozen.xlsx"
    frozen.write_bytes(freeze(open_package(found.data, name="large.xlsx"), calls_ours))
    (tmp_path / "out").mkdir()
    theirs = openpyxl.load_workbook(
        convert(frozen, "xlsx", tmp_path / "out"), data_only=True, read_only=True
    )["Loans"]
    values = found.evaluation.values["Loans"]
    compared, differing = 0, []
    for row, cells in enumerate(theirs.iter_rows(values_only=True), start=1):
        for column, other in enumerate(cells, start=1):
            mine = values.get((row, column))  # type: ignore[call-overload]  # an address is such a pair
            if mine is not None:
                compared += 1
                assert isinstance(other, int | float)
                if not math.isclose(mine, other, rel_tol=1e-9, abs_tol=1e-9):
                    differing.append((row, column, mine, other))
    assert differing == []
    assert compared == NATIVE + OURS
