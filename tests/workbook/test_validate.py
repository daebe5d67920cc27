"""Validate: a tie holds, a miss is named, figures that were tampered with are noticed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.workbook.sheets_of import edit, find, named
from xlmodel.errors import NamesMissing
from xlmodel.workbook.refresh import read_package, refresh
from xlmodel.workbook.validate import Check, Validation, validate


def validated(workbook: Path, published: Path | None = None) -> Validation:
    package = read_package(workbook)
    return validate(package, refresh(package).evaluation, published or workbook.parent / "published")


def counts(found: Validation) -> dict[str, tuple[int, int, int, int]]:
    return {c.name: (c.cells, c.matched, c.informative, c.informative_matched) for c in found.checks}


def check(found: Validation, name: str) -> Check:
    return next(c for c in found.checks if c.name == name)


def test_everything_ties(workbook: Path) -> None:
    found = validated(workbook)
    assert found.ok
    assert counts(found)["decrement"] == (880, 880, 147, 147)
    assert counts(found)["average_life"] == (20, 20, 20, 20)
    assert counts(found)["first_interest"] == (5, 5, 5, 5)
    cells = {name: value for name, value in counts(found).items() if name.startswith("check_")}
    assert len(cells) >= 5
    assert set(cells.values()) == {(1, 1, 1, 1)}
    # Half a unit of the last printed digit is as far as a figure that rounds rightly can be.
    assert all(c.worst is None or c.worst <= 0.5 for c in found.checks)


def test_an_edited_speed_misses_and_names_the_cells(workbook: Path) -> None:
    edit(workbook, {find(workbook, "Speeds", 0.018): 0.0181})
    found = validated(workbook)
    assert not found.ok
    missed = check(found, "decrement")
    assert missed.matched < 880
    assert missed.informative_matched < 147
    assert missed.informative == 147
    assert str(missed.misses[0]).startswith("Decrement!")
    assert "expected 0.650" in str(missed.misses[0])  # page 36: A-1, December 1999, 1.80%


@pytest.mark.soak
def test_published_cells_are_checked_but_never_used(workbook: Path) -> None:
    before = {name: named(workbook, name) for name in ("Decrement", "AverageLife", "FirstInterest")}
    rows, columns = 45, 20
    edit(workbook, {("PublishedDecrement", r + 1, c + 1): None for r in range(rows) for c in range(columns)})
    package = read_package(workbook)
    refreshed = refresh(package)
    found = validate(package, refreshed.evaluation, workbook.parent / "published")
    assert not found.ok
    assert len(found.altered) == rows * columns
    assert counts(found)["decrement"] == (880, 880, 147, 147)
    workbook.write_bytes(refreshed.data)
    for name, block in before.items():  # openpyxl, which made the edit, writes 16 digits
        np.testing.assert_allclose(named(workbook, name), block, rtol=1e-14)


def test_other_published_figures_miss_at_the_printed_precision(workbook: Path, tmp_path: Path) -> None:
    text = (workbook.parent / "published" / "weighted_average_life.csv").read_text()
    for name in ("decrement_table.csv", "classes.csv"):
        (tmp_path / name).write_bytes((workbook.parent / "published" / name).read_bytes())
    (tmp_path / "weighted_average_life.csv").write_text(text.replace("A-3,0.50,2.64", "A-3,0.50,2.65"))
    found = validated(workbook, tmp_path)
    (miss,) = check(found, "average_life").misses
    assert miss.expected == "2.6500"
    assert miss.found == "2.6375"  # rounds to 2.64
    assert len(found.altered) == 1  # the sheet still shows 2.64


def test_a_workbook_without_the_names_is_refused(workbook: Path) -> None:
    import openpyxl

    book = openpyxl.load_workbook(workbook)
    del book.defined_names["Classes"]
    del book.defined_names["Decrement"]
    del book.defined_names["AverageLife"]
    for sheet in book:  # formulas that used the name would fail first
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    cell.value = None
    book.save(workbook)
    with pytest.raises(NamesMissing, match="Classes"):
        validated(workbook)
