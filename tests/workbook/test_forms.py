"""The forms of a workbook: what each is called, and that values only need nothing of ours."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import openpyxl
import pytest

from tests.deal.tie import DEAL
from tests.test_cli import xlmodel
from xlmodel.commands.build import FormName
from xlmodel.faces.formula_text import calls_ours
from xlmodel.package.guard import open_package
from xlmodel.workbook.forms import FORMS
from xlmodel.workbook.refresh import refresh
from xlmodel.workbook.validate import validate

pytestmark = pytest.mark.soak

VALUES = FORMS["values"]


@pytest.fixture(scope="module")
def values() -> bytes:
    return VALUES.with_values(open_package(VALUES.build(DEAL), name="values.xlsx"))


def test_the_command_line_knows_every_form() -> None:
    assert [form.value for form in FormName] == list(FORMS)


def test_each_form_has_a_file_of_its_own() -> None:
    names = [form.file(DEAL).name for form in FORMS.values()]
    assert names == ["carmax_1999_1.xlsx", "carmax_1999_1_values.xlsx", "carmax_1999_1_native.xlsx"]


def test_values_need_nothing_of_ours(values: bytes, built: Path) -> None:
    """Native formulas stay; where one of ours stood is what it gave, in the live workbook too."""
    form = openpyxl.load_workbook(io.BytesIO(values))
    shown = openpyxl.load_workbook(io.BytesIO(values), data_only=True)
    live = openpyxl.load_workbook(built / f"{DEAL.name}.xlsx", data_only=True)
    calls = openpyxl.load_workbook(built / f"{DEAL.name}.xlsx")
    native = ours = 0
    for sheet in form:
        for row in sheet.iter_rows():
            for cell in row:
                was = calls[sheet.title][cell.coordinate].value
                text = str(getattr(was, "text", was))
                if cell.data_type == "f":
                    native += 1
                    assert not calls_ours(str(cell.value))
                elif calls_ours(text):
                    ours += 1
                    value = live[sheet.title][cell.coordinate].value
                    assert shown[sheet.title][cell.coordinate].value == value, (sheet.title, cell)
    assert native > 5000
    assert ours > 10
    assert str(form["Summary"]["A2"].value).startswith("Values only")


def test_values_validate(values: bytes) -> None:
    package = open_package(values, name="values.xlsx")
    result = validate(package, refresh(package).evaluation, DEAL / "published")
    assert result.ok
    assert {check.name: check.matched for check in result.checks}["decrement"] == 880


def test_build_writes_the_form_and_keeps_edits(tmp_path: Path) -> None:
    folder = tmp_path / DEAL.name
    shutil.copytree(DEAL, folder)
    done = xlmodel("build", "--form", "values", folder)
    made = folder / "carmax_1999_1_values.xlsx"
    assert (done.returncode, made.exists()) == (0, True), done.stderr
    book = openpyxl.load_workbook(made)
    book["Assumptions"]["B5"].value = 0.006
    book.save(made)
    again = xlmodel("build", "--form", "values", folder)
    assert again.returncode != 0
    assert "XM-306" in again.stderr


def test_a_form_that_is_none(tmp_path: Path) -> None:
    done = xlmodel("build", "--form", "paper", DEAL)
    assert done.returncode == 64
    assert "live" in done.stderr
    assert not list(tmp_path.iterdir())
