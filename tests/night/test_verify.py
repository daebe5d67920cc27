"""The independent verifier: what LibreOffice says of native formulas, and what is said without it."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import openpyxl
import pytest

from tests.test_cli import xlmodel
from tests.workbook.books import saved
from xlmodel.errors import LibreOfficeFailed, NoLibreOffice
from xlmodel.faces.libreoffice import program
from xlmodel.night import libreoffice
from xlmodel.night.verify import compare, distance, verify
from xlmodel.package.guard import open_package
from xlmodel.package.parts import Package
from xlmodel.package.values import ErrorCode, Value
from xlmodel.workbook.refresh import read_package, refresh

WORKBOOKS = sorted((Path(__file__).parents[2] / "workbooks").glob("*/*.xlsx"))


@pytest.mark.faces
@pytest.mark.parametrize("workbook", WORKBOOKS, ids=lambda path: path.stem)
def test_libreoffice_agrees_with_every_native_formula(workbook: Path) -> None:
    """Our cells frozen to their values, all others recalculated."""
    found = verify(read_package(workbook))
    assert found.differing == ()
    assert found.ok
    # a deal's sheets hold 500 native formulas and more; an agreement of two banks is smaller
    assert found.compared >= (500 if (workbook.parent / "deal.toml").exists() else 250)
    assert found.worst < 1e-12
    assert found.program.startswith("LibreOffice")


def falsified() -> Package:
    """A workbook whose cached values are wrong in two cells of five formulas."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Sums"
    for row, value in enumerate((2, 3.5), start=1):
        sheet.cell(row, 1).value = value
    for row, formula in enumerate(("=A1+A2", "=A1*A2", '=A1&"x"', "=A1>A2", '=IF(A1>0,"","n")'), start=1):
        sheet.cell(row, 2).value = formula
    data = refresh(open_package(saved(book), name="sums.xlsx")).data
    package = open_package(data, name="sums.xlsx")
    part = package.sheets["Sums"]
    xml = package.read(part)
    assert xml.count(b"<v>5.5</v>") == 1
    assert xml.count(b"<v>2x</v>") == 1
    xml = xml.replace(b"<v>5.5</v>", b"<v>5.6</v>").replace(b"<v>2x</v>", b"<v>3x</v>")
    return open_package(package.replace({part: xml}), name="sums.xlsx")


@pytest.mark.faces
def test_every_cell_that_differs_is_told() -> None:
    found = verify(falsified())
    assert (found.ok, found.compared, found.count) == (False, 5, 2)
    assert [(d.sheet, d.cell, d.formula, d.ours, d.theirs) for d in found.differing] == [
        ("Sums", "B1", "A1+A2", 5.6, 5.5),
        ("Sums", "B3", 'A1&"x"', "3x", "2x"),
    ]
    assert found.worst == pytest.approx(0.1 / 5.6)
    assert "differs in Sums!B1: =A1+A2 is 5.6, there 5.5 and 1 more" in str(found)
    again = type(found).from_json(json.loads(json.dumps(found.as_json())))
    assert again == found


@pytest.mark.faces
def test_a_night_with_verify_has_it_on_record(tmp_path: Path) -> None:
    folder = tmp_path / "carmax_2024_2"
    shutil.copytree(
        WORKBOOKS[0].parents[1] / folder.name, folder, ignore=shutil.ignore_patterns("*.json", "*.sqlite")
    )
    done = xlmodel("regenerate", folder, "--verify", "--json", tmp_path / "out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    (workbook,) = json.loads((tmp_path / "out.json").read_text())["workbooks"]
    record = json.loads((folder / "carmax_2024_2.xlsx.json").read_text())
    assert workbook["verifier"] == record["verifier"]
    assert record["verifier"]["differ"] == 0
    assert record["verifier"]["compared"] > 900
    assert record["verifier"]["worst"] < 1e-12


def test_without_libreoffice_the_night_does_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(program, "_ELSEWHERE", ())
    with pytest.raises(NoLibreOffice, match=r"XM-610 .*install LibreOffice"):
        libreoffice.convert(tmp_path / "a.xlsx", "xlsx", tmp_path)
    from typer.testing import CliRunner

    from xlmodel.cli import app

    (tmp_path / "a.xlsx").write_text("never read")
    done = CliRunner().invoke(app(), ["regenerate", str(tmp_path), "--verify"])
    assert isinstance(done.exception, NoLibreOffice)
    assert [path.name for path in tmp_path.iterdir()] == ["a.xlsx"]


def test_a_libreoffice_that_does_nothing_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libreoffice, "soffice", lambda: Path("/bin/false"))
    with pytest.raises(LibreOfficeFailed, match=r"did not convert a\.xlsx: exit code 1"):
        libreoffice.convert(tmp_path / "a.xlsx", "xlsx", tmp_path)


# By hand: absolute below 1, relative above; TRUE is 1, a blank is an empty text; None is another value.
DISTANCES: list[tuple[Value, Value, float | None]] = [
    (1.0, 1.0, 0.0),
    (0.5, 0.25, 0.25),
    (400.0, 300.0, 0.25),
    (-400.0, -300.0, 0.25),
    (True, 1.0, 0.0),
    (True, 0.0, 1.0),
    (True, True, 0.0),
    ("a", "a", 0.0),
    ("a", "b", None),
    ("", None, 0.0),
    (None, "", 0.0),
    (1.0, "1", None),
    (0.0, None, None),
    (0.0, "", None),
    (ErrorCode("#N/A"), ErrorCode("#N/A"), 0.0),
    (ErrorCode("#N/A"), "#N/A", None),
    (ErrorCode("#N/A"), ErrorCode("#VALUE!"), None),
    (1.0, ErrorCode("#N/A"), None),
]


@pytest.mark.parametrize(("mine", "other", "expected"), DISTANCES)
def test_distances(mine: Value, other: Value, expected: float | None) -> None:
    assert distance(mine, other) == expected
    assert distance(other, mine) == expected


def test_a_cell_or_sheet_that_the_other_program_lost_differs() -> None:
    ours = falsified()
    book = openpyxl.load_workbook(io.BytesIO(ours.data))
    book["Sums"].title = "Other"
    found = compare(ours, open_package(saved(book), name="theirs.xlsx"), "Other 1.0")
    # all but the formula that shows an empty text
    assert (found.compared, found.count) == (5, 4)
