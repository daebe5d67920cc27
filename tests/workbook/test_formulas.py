"""The formulas that a build would lose: what they say is compared, not how a program spells it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.libreoffice import convert
from xlmodel.workbook.forms import FORMS
from xlmodel.workbook.formulas import FORMULAS_NAME, formulas_mark, require_no_edited_formulas, said
from xlmodel.workbook.kinds import DEAL
from xlmodel.workbook.refresh import read_package

WORKBOOKS = Path(__file__).parents[2] / "workbooks"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("XM_VERSION()", "xm_version()"),
        ("_xll.XM_DAYS(A1, B1)", "XM_DAYS(A1,B1)"),
        ("_xlfn._xlws.SORT(A1:A3)", "SORT(A1:A3)"),
        ("IF(A1,TRUE,FALSE)", "if(a1,TRUE(),FALSE())"),
        ("'Terms'!$B$2*0.50", "Terms!$B$2*0.5"),
        ("A1*1E-5", "A1*0.00001"),
    ],
)
def test_a_formula_spelt_otherwise_says_the_same(one: str, other: str) -> None:
    assert said(one) == said(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A1+1", "A1+2"),
        ("$A$1", "A1"),
        ('A1&" b"', 'A1&"b"'),  # the spaces of a text count, and its letters
        ('A1="x"', 'A1="X"'),
        ("SUM(A1:A2)", "SUM(A1,A2)"),
        ("IF(A1,TRUE)", "IF(A1,FALSE)"),
        ("XM_DECREMENT(Terms,,B1)", "XM_DECREMENT(Terms,B1)"),
    ],
)
def test_another_formula_says_something_else(one: str, other: str) -> None:
    assert said(one) != said(other)


@pytest.mark.faces
@pytest.mark.parametrize("name", ["drive_2025_2", "carmax_receivables", "card_master_trust"])
def test_calc_saves_a_workbook_without_an_edit(name: str, tmp_path: Path) -> None:
    """LibreOffice writes xm_decrement, TRUE() and its own numbers; nobody edited the workbook."""
    source = shutil.copytree(WORKBOOKS / name, tmp_path / name)
    built = tmp_path / f"{name}.xlsx"
    built.write_bytes(FORMS["live"].build(source))
    fresh, saved = read_package(built), read_package(convert(built, "xlsx", tmp_path / "saved"))
    assert fresh.defined_names[FORMULAS_NAME] == saved.defined_names[FORMULAS_NAME]
    require_no_edited_formulas(saved, fresh)


@pytest.mark.faces
def test_calc_saves_a_native_workbook_without_an_edit(folder: Path, tmp_path: Path) -> None:
    built = tmp_path / "native.xlsx"
    built.write_bytes(FORMS["native"].build(folder))
    saved = read_package(convert(built, "xlsx", tmp_path / "saved"))
    assert formulas_mark(saved, DEAL.inputs) == saved.defined_names[FORMULAS_NAME]
