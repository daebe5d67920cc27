"""Lint: a workbook with each fault is made here; each is found once and named by its cell."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.worksheet import Worksheet

from tests.test_cli import xlmodel
from xlmodel.errors import ERRORS
from xlmodel.package.formula import comparisons, references, relative
from xlmodel.package.guard import open_package
from xlmodel.workbook.lint import RULES, Finding, lint
from xlmodel.workbook.refresh import refresh

WORKBOOKS = sorted((Path(__file__).parents[2] / "workbooks").glob("*/*.xlsx"))


def saved(fill: Callable[[Worksheet], object]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "Desk"
    fill(sheet)
    book.defined_names["Start"] = DefinedName("Start", attr_text="Desk!$A$1")
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def findings(fill: Callable[[Worksheet], object], *, fresh: bool = True) -> list[Finding]:
    """What lint finds, in a workbook whose values are those of its formulas unless not ``fresh``."""
    package = open_package(saved(fill), name="desk.xlsx")
    if fresh:
        package = open_package(refresh(package, keep_errors=True).data, name="desk.xlsx")
    return lint(package)


def named(found: list[Finding]) -> list[tuple[str, str]]:
    assert {finding.sheet for finding in found} <= {"Desk"}
    return [(finding.code, finding.cell) for finding in found]


def cells(**content: Any) -> Callable[[Worksheet], object]:
    def fill(sheet: Worksheet) -> None:
        for cell, value in content.items():
            sheet[cell] = value

    return fill


def column(formula: str, count: int, **others: Any) -> Callable[[Worksheet], object]:
    """Dates in A, the formula for each row in B (``#`` is the row), and whatever else."""

    def fill(sheet: Worksheet) -> None:
        for row in range(1, count + 1):
            sheet[f"A{row}"] = 36461 + row
            sheet[f"B{row}"] = formula.replace("#", str(row))
        cells(**others)(sheet)

    return fill


# --- each rule --------------------------------------------------------------------------------------


def test_ten_calls_down_a_column_are_one_finding() -> None:
    found = findings(column("=XM_DAYS(A#,$A$1,2)", 10))
    assert named(found) == [("XM-641", "B1:B10")]
    assert "10 calls of XM_DAYS" in found[0].sentence


def test_ten_calls_across_a_row_are_one_finding() -> None:
    row = {f"{letter}2": f"=XM_ADD_MONTHS({letter}1,1)" for letter in "ABCDEFGHIJ"}
    dates = {f"{letter}1": 36461 for letter in "ABCDEFGHIJ"}
    assert named(findings(cells(**dates, **row))) == [("XM-641", "A2:J2")]


@pytest.mark.parametrize(
    "fill",
    [
        column("=XM_DAYS(A#,$A$1,2)", 9),  # too few
        column("=YEAR(A#)", 20),  # not ours
        cells(A1=36461, A2=36462, B1=ArrayFormula("B1:B2", "=XM_DAYS(A1:A2,A1,2)")),  # one call already
        column("=A#+1", 20, C1="=XM_SPLIT(1,1)", C2="=XM_SPLIT(2,1)"),  # takes no ranges cell by cell
    ],
)
def test_what_is_no_column_of_calls(fill: Callable[[Worksheet], object]) -> None:
    assert findings(fill) == []


@pytest.mark.parametrize(
    ("content", "cell", "words"),
    [
        ({"A1": "=TODAY()", "B1": "=XM_ADD_MONTHS(A1,1)"}, "A1", "TODAY feeds the function in Desk!B1"),
        ({"B1": "=XM_ADD_MONTHS(NOW(),1)"}, "B1", "NOW feeds the function beside it"),
        ({"A1": "=TODAY()", "A2": "=A1+1", "B1": "=XM_DAYS(A2,A2)"}, "A1", "TODAY feeds"),
        ({"A1": "=TODAY()", "B1": "=XM_DAYS(Start,Start)"}, "A1", "TODAY feeds"),
        ({"A1": 36461, "A2": "=OFFSET(A1,0,0)", "B1": "=SUM(XM_DAYS(A1:A2,A1))"}, "A2", "OFFSET feeds"),
        ({"A1": 36461, "A2": '=INDIRECT("A1")', "B1": "=XM_DAYS(A2,A1)"}, "A2", "INDIRECT feeds"),
        ({"A3": ArrayFormula("A3:A4", "=XM_SPLIT(RAND(),A1:A2)"), "A1": 1, "A2": 1}, "A3", "RAND feeds"),
    ],
)
def test_a_volatile_function_is_named_where_it_stands(content: dict[str, Any], cell: str, words: str) -> None:
    found = findings(cells(**content), fresh=False)
    assert named(found) == [("XM-642", cell)]
    assert words in found[0].sentence


def test_a_volatile_function_that_feeds_nothing_of_ours_is_no_finding() -> None:
    assert findings(cells(A1="=TODAY()", A2=36461, B1="=XM_DAYS(A2,A2)"), fresh=False) == []


def test_a_constant_in_a_column_of_formulas() -> None:
    assert named(findings(column("=A#*2", 8, B4=99))) == [("XM-643", "B4")]


def test_a_constant_in_a_row_of_formulas() -> None:
    numbers = dict.fromkeys((f"{letter}1" for letter in "ABCDEFG"), 3)
    doubled = {f"{letter}2": f"={letter}1*2" for letter in "ABCEFG"}
    assert named(findings(cells(**numbers, **doubled, D2=7))) == [("XM-643", "D2")]


@pytest.mark.parametrize(
    "fill",
    [
        column("=A#*2", 8, B4="note"),  # a label
        column("=A#*2", 8, B8=99),  # the end of the column, which may be an end on purpose
        cells(A1=1, A2=2, A3=3, A4=4),
    ],
)
def test_what_is_no_exception(fill: Callable[[Worksheet], object]) -> None:
    assert findings(fill) == []


def test_a_formula_inside_an_array() -> None:
    data = saved(cells(A1=60, A2=70, C1=ArrayFormula("C1:D2", "=XM_ALLOCATE(100,A1:A2)"), D2="=1+1"))
    found = [finding for finding in lint(open_package(data, name="desk.xlsx")) if finding.code == "XM-643"]
    assert named(found) == [("XM-643", "D2")]
    assert "inside the array formula of C1" in found[0].sentence


def test_an_array_over_too_large_a_range() -> None:
    fill = cells(A1=60, A2=70, C1=ArrayFormula("C1:D3", "=XM_ALLOCATE(100,A1:A2)"))
    found = lint(open_package(saved(fill), name="desk.xlsx"))
    assert named(found) == [("XM-643", "C1")]
    assert "2 rows by 2 columns" in found[0].sentence


def test_a_value_that_is_not_that_of_its_formula() -> None:
    package = open_package(saved(cells(A1=2, A2="=A1*3", A3="=A1*4", B1="=A1*5")), name="desk.xlsx")
    fresh = refresh(package).data
    book = openpyxl.load_workbook(io.BytesIO(fresh))
    assert book["Desk"]["A2"].value == "=A1*3"
    stale = replaced(fresh, b"<v>6</v>", b"<v>7</v>", b"<v>8</v>", b"<v>9</v>")
    found = lint(open_package(stale, name="desk.xlsx"))
    assert named(found) == [("XM-644", "A2:A3")]
    assert "the file shows 7.0, the formula gives 6.0" in found[0].sentence
    assert "2 cells" in found[0].sentence


def replaced(data: bytes, *pairs: bytes) -> bytes:
    """The workbook with pieces of its sheet exchanged, each of which is there once."""
    package = open_package(data, name="desk.xlsx")
    part = package.sheets["Desk"]
    xml = package.read(part)
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert xml.count(old) == 1, xml
        xml = xml.replace(old, new)
    return package.replace({part: xml})


def test_what_cannot_be_evaluated_is_said_so() -> None:
    found = findings(cells(A1=1, A2=2, B1="=DURATION(A1,A2,0.05,0.05,2)"), fresh=False)
    assert named(found) == [("XM-644", "B1")]
    assert "the values cannot be checked: DURATION" in found[0].sentence


def test_calls_that_are_spelt_otherwise_than_most() -> None:
    found = findings(
        cells(A1=36461, B1="=XM_DAYS(A1,A1)", B2="=XM_DAYS(A1,A1,2)", B4="=_xll.XM_DAYS(A1,A1)",
              B5="=_xll.XM_DAYS(A1,A1,3)", C1="=_xldudf_XM_DAYS(A1,A1)")
    )  # fmt: skip
    # two of each of the first kinds: the spelling without a prefix came first
    assert named(found) == [("XM-645", "C1"), ("XM-645", "B4:B5")]
    assert "spelt _xll.XM_..., most others XM_..." in found[1].sentence


def test_one_spelling_is_no_finding_whichever_it_is() -> None:
    assert findings(cells(A1=36461, B1="=_xll.XM_DAYS(A1,A1)", B2="=_xll.XM_DAYS(A1,A1,2)")) == []


def test_calls_of_another_workbook() -> None:
    found = findings(cells(A1=36461, B1="=[1]!XM_DAYS(A1,A1)"), fresh=False)
    assert ("XM-645", "B1") in named(found)


def test_a_name_that_no_function_has() -> None:
    found = findings(cells(A1=36461, B1="=XM_DAYZ(A1,A1)"), fresh=False)
    assert named(found) == [("XM-646", "B1")]
    assert "XM_DAYS" in found[0].sentence


@pytest.mark.parametrize(
    "formula",
    [
        "=IF(SUM(A1:A2)=A3,1,0)",
        "=IF(A3<>A1+A2,1,0)",
        "=IF(ROUND(SUM(A1:A2),2)=A1+A2,1,0)",
        "=IF(XM_INTEREST(100,A1,1,31)=0.5,1,0)",
        "=IF(B9=0.5,1,0)",
    ],
)
def test_numbers_that_are_compared_exactly(formula: str) -> None:
    found = findings(cells(A1=0.1, A2=0.2, A3=0.3, B9="=A1*A2", C1=formula))
    assert named(found) == [("XM-647", "C1")]


@pytest.mark.parametrize(
    "formula",
    [
        "=IF(ROUND(SUM(A1:A2),2)=ROUND(A3,2),1,0)",
        '=IF(A4="yes",1,0)',
        '=IF(A4&"x"="yesx",1,0)',
        "=IF(A1=A3,1,0)",  # inputs, as somebody typed them
        "=IF(SUM(A1:A2)>=A3,1,0)",
        "=IF(COUNT(A1:A3)=3,1,0)",
        "=IF(ROWS(A1:A3)=B8+1,1,0)",
        '=IF(B8=2,"a=b","A1+A2=A3")',
    ],
)
def test_comparisons_that_are_sound(formula: str) -> None:
    assert findings(cells(A1=0.1, A2=0.2, A3=0.3, A4="yes", B8="=1+1", C1=formula)) == []


# --- whole workbooks --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WORKBOOKS, ids=lambda path: path.stem)
def test_the_workbooks_are_clean(path: Path) -> None:
    assert lint(open_package(path.read_bytes(), name=path.name)) == []


def test_the_command_ends_with_its_code(tmp_path: Path) -> None:
    clean = tmp_path / "clean.xlsx"
    shutil.copy(WORKBOOKS[0], clean)
    done = xlmodel("lint", clean)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{clean}: 0 findings\n", "")
    faulty = tmp_path / "faulty.xlsx"
    faulty.write_bytes(saved(cells(A1=36461, B1="=XM_DAYZ(A1,A1)")))
    done = xlmodel("lint", faulty, "--json", tmp_path / "findings.json")
    assert done.returncode == 1
    assert done.stdout.startswith("XM-646 Desk!B1: there is no function XM_DAYZ")
    written = json.loads((tmp_path / "findings.json").read_text())
    assert [(found["code"], found["sheet"], found["cell"]) for found in written["findings"]] == [
        ("XM-646", "Desk", "B1")
    ]
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(b"no workbook")
    assert xlmodel("lint", broken).returncode == 2


def test_codes_are_in_order_and_no_error_has_one() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert not set(codes) & {error.code for error in ERRORS}
    assert all(re.fullmatch(r"XM-64[1-9]", code) for code in codes)


# --- formula text -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "sides"),
    [
        ("A1=B1", [("A1", "B1")]),
        ("IF(A1<>B1+1,2,3)", [("A1", "B1+1")]),
        ("IF(AND(A1=1,B1<=2),SUM(C1)=D1,E1>1)", [("A1", "1"), ("SUM(C1)", "D1")]),
        ('IF(A1="x=y",1)', [("A1", '"x=y"')]),
        ("SUMPRODUCT((A1:A9=B1)*(C1:C9))", [("A1:A9", "B1")]),
        ("A1>=B1", []),
        ("Table1[a=b]+1", []),
    ],
)
def test_the_sides_of_comparisons(formula: str, sides: list[tuple[str, str]]) -> None:
    assert comparisons(formula) == sides


def test_references_and_patterns() -> None:
    assert references("SUM(A1:B2)+'My sheet'!$C$3*Rate+LOG10(Other!A1)&\"A9\"") == [
        "A1:B2", "'My sheet'!$C$3", "Rate", "Other!A1",
    ]  # fmt: skip
    assert relative("A1+$B$2+SUM(C3:C9)", 3, 2) == relative("B5+$B$2+SUM(D7:D13)", 7, 3)
    assert relative("A1", 1, 1) != relative("A1", 2, 1)
