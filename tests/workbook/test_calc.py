"""Workbooks recalculated by LibreOffice Calc with the add-in, and `xlmodel calc` as a command."""

from __future__ import annotations

import csv
import math
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.worksheet import Worksheet

from tests.test_cli import xlmodel
from xlmodel.faces.headless import evaluate
from xlmodel.faces.libreoffice.recalculate import recalculate
from xlmodel.package.address import Address
from xlmodel.package.values import ErrorCode, Value
from xlmodel.workbook.refresh import read_package
from xlmodel.workbook.sheet_csv import file_names, sheet_csv

ROOT = Path(__file__).parents[2]
WORKBOOKS = sorted((ROOT / "workbooks").glob("*/*.xlsx"))
BAD = ROOT / "tests" / "bad_workbooks"


def alike(ours: Value, theirs: Value) -> bool:
    """Equal in kind; numbers to 1e-9 of the larger."""
    if isinstance(ours, float) and isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    return (ours == "" and theirs is None) or (type(ours) is type(theirs) and ours == theirs)


@pytest.mark.faces
@pytest.mark.parametrize("workbook", WORKBOOKS, ids=lambda path: path.stem)
def test_calc_with_the_add_in_equals_the_headless_values(workbook: Path) -> None:
    """Every value recomputed: the copy that Calc opens holds none, and the canary is checked by ``ask``."""
    package = read_package(workbook)
    theirs = recalculate(package)
    ours = evaluate(package)
    pairs = [
        (sheet, str(address), value, theirs[sheet].get(address))
        for sheet, values in ours.values.items()
        for address, value in values.items()
    ]
    assert [pair for pair in pairs if not alike(pair[2], pair[3])] == []
    assert len(pairs) >= 300
    assert ours.functions >= 2


def small(path: Path, fill: Callable[[Worksheet], object]) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "In and out"
    fill(sheet)
    book.defined_names["Blank"] = DefinedName("Blank", attr_text="'In and out'!$Z$9")
    book.save(path)
    return path


@pytest.mark.faces
def test_the_files_hold_every_value_as_it_is(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        for row in (
            # All spellings; CarMax 1999-1: 3 days of October, 30 of November, 15 of December are 48.
            ['=XM_DAYS(36461,36509,"actual/360")', "=_xll.XM_DAYS(36461,36509,2)"],
            ["=_xldudf_XM_DAYS(36461,36509,2)", "=[1]!XM_DAYS(36461,36509,2)"],
            # A blank cell is an omitted argument: two thirds to seven decimals, not to none.
            ["=XM_POOL_FACTOR(2,3,Z9)", "=XM_POOL_FACTOR(2,3,Blank)"],
            ["=1/3", "=DATE(1999,12,15)"],
            ["=1=1", "=XM_POOL_FACTOR(1,0)"],
            ["=NA()", "=XM_DAYS(A6,1)"],
            ["=SUM(A5:A6)", '="="&"cmd"'],
            ["'=HYPERLINK(1)", "-1+1"],
            ["=100/3", 'quoted, "text"\nin two lines'],
        ):
            sheet.append(row)
        sheet["A8"].data_type = "s"
        sheet["D1"] = ArrayFormula("D1:E3", "=XM_ALLOCATE(100,{60;70})")
        sheet["D5"] = ArrayFormula("D5:D6", '=XM_DAYS({1;2},3,"actual/360")')
        # A lookup finds a text that an array of ours shows.
        sheet["G1"] = ArrayFormula("G1:L2", '=XM_COLLECTIONS({1200,0,12,12},0,"SMM",1,TRUE)')
        sheet["G5"] = '=COUNTIFS(G1:L1,"Month")'

    file = small(tmp_path / "small.xlsx", fill)
    before = file.read_bytes()
    done = xlmodel("calc", file, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert file.read_bytes() == before
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["In and out.csv"]
    with (tmp_path / "out" / "In and out.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    assert [row[:2] for row in rows] == [
        ["48", "48"],
        ["48", "48"],
        ["0.6666667", "0.6666667"],
        ["0.3333333333333333", "36509"],
        ["TRUE", "#NUM!"],
        ["#N/A", "#N/A"],
        ["#N/A", "'=cmd"],
        ["'=HYPERLINK(1)", "'-1+1"],
        ["33.333333333333336", 'quoted, "text"\nin two lines'],
    ]
    # 60 and 40 of 100; the third row lies beyond the result.
    assert [row[3:5] for row in rows[:3]] == [["60", "0"], ["40", "30"], ["#N/A", "#N/A"]]
    assert [row[3] for row in rows[4:6]] == ["2", "1"]
    assert (rows[0][6], rows[4][6]) == ("Month", "1")
    assert {len(row) for row in rows} == {12}
    assert "5 of them errors" not in done.stdout
    assert "wrote" in done.stdout


@pytest.mark.faces
@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ({"A1": "=XM_DAYZ(1,2)"}, ["XM-402", "cell A1", "XM_DAYS"]),
        ({"A1": "=B1", "B1": "=A1"}, ["XM-404", "In and out!A1", "In and out!B1"]),
        ({"A1": 1, "XFD1048576": 1}, ["XM-616", "In and out", "XFD1048576"]),
    ],
)
def test_what_cannot_be_written_is_said(tmp_path: Path, cells: dict[str, object], words: list[str]) -> None:
    def fill(sheet: Worksheet) -> None:
        for cell, content in cells.items():
            sheet[cell] = content  # type: ignore[assignment]  # openpyxl takes any of these

    done = xlmodel("calc", small(tmp_path / "small.xlsx", fill), "--out", tmp_path / "out")
    assert done.returncode in (1, 2)
    assert [word for word in words if word not in done.stderr] == []
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["01_zip_bomb_600mb", "03_xxe_local_file", "12_dde_link", "26_date1904"])
def test_hostile_files_never_reach_libreoffice(tmp_path: Path, name: str) -> None:
    done = xlmodel("calc", BAD / f"{name}.xlsx", "--out", tmp_path / "out", env={"PATH": ""})
    assert done.returncode == 2
    assert f"{name}.xlsx" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.faces
def test_nothing_is_fetched_and_texts_stay_texts(tmp_path: Path) -> None:
    file = BAD / "11_formula_injection_as_text.xlsx"
    assert xlmodel("calc", file, "--out", tmp_path).returncode == 0
    with (tmp_path / "Inputs.csv").open(newline="", encoding="utf-8") as stream:
        texts = [row[0] for row in csv.reader(stream)][2:9]
    assert [text[:2] for text in texts] == ["'=", "'+", "'-", "'@", "'\t", "'=", "'="]


def test_a_show_writes_no_files(tmp_path: Path) -> None:
    done = xlmodel("calc", WORKBOOKS[0], "--show", "--out", tmp_path)
    assert done.returncode == 64
    assert "--show" in done.stderr


# --- a stand-in for soffice, to show what is said where the real one cannot be made to fail --------------

STAND_IN = """#!{python}
import json, pathlib, re, sys, time
place = pathlib.Path(re.search(r"file://(\\S+)/session.components", " ".join(sys.argv))[1])
request = json.loads((place / "request.json").read_text())
answer = {{"python": list(sys.version_info[:2]), "canary": request["expected"], "sheets": []}}
{act}
(place / "answer.json").write_text(json.dumps(answer))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script of Unix")
@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("answer['python'] = [3, 8]", ["XM-611", "LibreOffice carries Python 3.8", "python3.8 -m venv"]),
        ("time.sleep(60)", ["XM-612", "2 seconds", "--timeout"]),
        ("sys.exit(0)", ["XM-613", "without an answer"]),
        ("print('out of luck'); sys.exit(9)", ["XM-613", "ended with 9", "out of luck"]),
        ("answer['failed'] = 'could not load'", ["XM-613", "could not load"]),
        ("answer['canary'] = [519]", ["XM-614", "error 519"]),
        ("answer['canary'] = 'xlmodel cannot be loaded'", ["XM-614", "xlmodel cannot be loaded"]),
    ],
)
def test_what_is_said_when_libreoffice_fails(tmp_path: Path, act: str, words: list[str]) -> None:
    program = tmp_path / "program" / "soffice"
    program.parent.mkdir()
    program.write_text(STAND_IN.format(python=sys.executable, act=act))
    program.chmod(0o755)
    (program.parent / "pythonloader.py").touch()
    # Only the one that sleeps is to be given up: on a busy machine any program may need two seconds.
    seconds = "2" if "sleep" in act else "120"
    environment = {"PATH": str(program.parent), "XLMODEL_CALC_TIMEOUT": seconds}
    done = xlmodel("calc", BAD / "00_good.xlsx", "--out", tmp_path / "out", env=environment)
    assert done.returncode == 1
    assert [word for word in words if word not in done.stderr] == [], done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script of Unix")
def test_a_libreoffice_without_python_is_told_apart_from_none(tmp_path: Path) -> None:
    program = tmp_path / "soffice"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    done = xlmodel("calc", BAD / "00_good.xlsx", env={"PATH": str(tmp_path)})
    assert done.returncode == 1
    assert "XM-610" in done.stderr
    assert "installed without Python" in done.stderr
    assert "python3-uno" in done.stderr


def test_file_names_are_names_of_files() -> None:
    names = ["Terms", "TERMS", "../up", "a:b", "CON", " .", "Année", "x" * 300]
    assert list(file_names(names).values()) == [
        *("Terms.csv", "TERMS (2).csv", "_up.csv", "a_b.csv", "_CON.csv", "_.csv", "Année.csv"),
        "x" * 100 + ".csv",
    ]


def test_a_sheet_as_csv() -> None:
    values: dict[Address, Value] = {
        Address(1, 2): 1e300,
        Address(3, 1): ErrorCode("#N/A"),
        Address(3, 3): "-5",
        Address(4, 1): "@x",
        Address(4, 2): "\tx",
    }
    assert sheet_csv(values) == b",1E+300,\n,,\n#N/A,,-5\n'@x,'\tx,\n"
    assert sheet_csv({}) == b""


def test_the_copy_has_the_parts_of_the_original(tmp_path: Path) -> None:
    from xlmodel.package.rewritten import rewritten

    package = read_package(WORKBOOKS[0])
    copy = tmp_path / "copy.xlsx"
    copy.write_bytes(rewritten(package, lambda formula, array: formula))
    with zipfile.ZipFile(copy) as ours, zipfile.ZipFile(WORKBOOKS[0]) as theirs:
        assert ours.namelist() == theirs.namelist()
        changed = {name for name in ours.namelist() if ours.read(name) != theirs.read(name)}
        assert changed
        assert changed <= set(package.sheets.values())
    book = openpyxl.load_workbook(copy)
    values = openpyxl.load_workbook(copy, data_only=True)
    formulas = [
        (sheet.title, cell.coordinate)
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    ]
    assert len(formulas) > 1000
    assert [cell for sheet, cell in formulas if values[sheet][cell].value is not None] == []
