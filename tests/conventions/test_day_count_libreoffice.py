"""LibreOffice Calc, live, as oracle for YEARFRAC and DAYS360."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from tests.libreoffice import convert
from xlmodel.conventions.day_count import days, year_fraction
from xlmodel.conventions.serial import to_serial

PAIRS = 5_000
FORMULAS = [f"YEARFRAC(A{{0}},B{{0}},{basis})" for basis in range(5)] + [
    "DAYS360(A{0},B{0},FALSE)",
    "DAYS360(A{0},B{0},TRUE)",
]

pytestmark = pytest.mark.faces


def random_serials(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Pairs of serials of 1901 to 2199, every third date near the end of a month."""
    rng = np.random.default_rng(7)
    pairs = rng.integers(to_serial(date(1901, 1, 1)), to_serial(date(2199, 12, 31)), (count, 2))
    months = rng.integers(0, 3_000, (count, 2))
    ends = np.datetime64("1901-01", "M") + months
    near = ends.astype("M8[D]").astype(np.int64) - np.datetime64("1899-12-30", "D").astype(np.int64)
    near += rng.integers(-3, 3, (count, 2))
    picked = rng.integers(0, 3, (count, 2)) == 0
    return np.where(picked & (near > 366), near, pairs)


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> list[list[float]]:
    """Rows of start, end and what LibreOffice computes from them."""
    folder: Path = tmp_path_factory.mktemp("libreoffice")
    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet()
    for number, (start, end) in enumerate(random_serials(PAIRS).tolist(), start=1):
        # as text, so that the file carries all 15 digits whatever the format of a cell
        texts = [f'=TEXT({formula.format(number)},"0.00000000000000E+00")' for formula in FORMULAS]
        page.append([start, end, *texts])
    book.save(folder / "pairs.xlsx")
    with convert(folder / "pairs.xlsx", "csv", folder).open() as file:
        rows = [[float(cell) for cell in row] for row in csv.reader(file)]
    assert len(rows) == PAIRS
    return rows


@pytest.mark.parametrize("basis", range(5))
def test_yearfrac(sheet: list[list[float]], basis: int) -> None:
    column = np.array(sheet)
    ours = year_fraction(column[:, 0], column[:, 1], basis)
    np.testing.assert_allclose(ours, column[:, 2 + basis], rtol=6e-15)


@pytest.mark.parametrize(("basis", "place"), [("days360 US", 7), ("days360 EU", 8)])
def test_days360(sheet: list[list[float]], basis: str, place: int) -> None:
    column = np.array(sheet)
    assert days(column[:, 0], column[:, 1], basis).tolist() == column[:, place].tolist()
