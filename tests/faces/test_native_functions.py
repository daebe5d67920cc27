"""Native functions: every one that is let through was compared with LibreOffice; all others are refused."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.faces.native_cells import cases, libreoffice, ours, workbook
from xlmodel.errors import UnsupportedFormula
from xlmodel.faces.native_layer import LAYER, TEXT_OF
from xlmodel.faces.native_table import NATIVE
from xlmodel.package.values import ErrorCode, Value

# Compared by a formula that means the same, since LibreOffice 7.4 lacks the function or wants a range for it.
SAME_AS = {
    "XLOOKUP(8,F1:F10,G1:G10)": "INDEX(G1:G10,MATCH(8,F1:F10,0))",
    'XLOOKUP("cy",K2:K6,M2:M6)': 'INDEX(M2:M6,MATCH("cy",K2:K6,0))',
    "XLOOKUP(9,F1:F10,G1:G10)": "NA()",
    'XLOOKUP(9,F1:F10,G1:G10,"none")': '"none"',
    "XLOOKUP(9,F1:F10,G1:G10,0,-1)": "INDEX(G1:G10,MATCH(9,F1:F10,1))",
    "XLOOKUP(9,F1:F10,H1:H10,0,1)": "INDEX(H1:H10,MATCH(9,F1:F10,1)+1)",
}
# Array formulas, one cell each.
ARRAYS = [
    "",
    "SUM(A1:A3*F1:F3)",
    "SUM(IF(A1:A10>2,F1:F10,0))",
    'MAX(IF(B1:B10="apple",A1:A10))',
    "SUM((A1:A10>2)*(F1:F10<20))",
    'SUM(--(B1:B10="apple"))',
    "SUM(A1:A3*{1;2;3})",
    'INDEX(F1:F10,MATCH(1,(A1:A10>2)*(B1:B10="apple"),0))',
    "SUM(A1:A3^2)",
    "SUM(1/F1:F3)",
    "SUM(F1:F3%)",
    "AVERAGE(IF(A1:A10>0,A1:A10))",
    "SUM(IFERROR(1/A1:A3,0))",
    "COUNT(1/A1:A3)",
    "SUM(A1:A3*E1:F3)",
    "SUM(A1:A3*E1:F1)",
    "AND(A1:A3>-5)",
    "OR(A1:A3>4)",
    "PRODUCT(1+H1:H3)",
    "NPV(H1,E2:E6*2)",
    "SUMPRODUCT(MAX((A1:A10>0)*F1:F10))",
    "SUM(TRANSPOSE(A1:A3)*F1:F3)",
    "SUM(MMULT(A1:C2,TRANSPOSE(E1:G2)))",
    "SUM(MMULT(E1:F3,A1:B1))",
    "INDEX(MMULT(E1:F2,L2:M3),2,1)",
    "INDEX(TRANSPOSE(E1:F3),2,3)",
    "SUM(SUMPRODUCT(A1:A3,F1:F3)*H1:H2)",
    "",
][1:-1]

REFUSED = [
    ("OFFSET(A1,1,0)", "OFFSET"),
    ("INDIRECT(\"A1\")", "INDIRECT"),
    ("TODAY()", "TODAY cannot be recomputed here: it changes"),
    ("RAND()", "RAND"),
    ("PRICE(D1,D6,0.05,0.06,100,2)", "PRICE"),
    ("DURATION(D1,D6,0.05,0.06,2)", "DURATION"),
    ("COUPNUM(D1,D6,2)", "COUPNUM"),
    ("WEBSERVICE(\"http://x\")", "nothing is fetched"),
    ("NOSUCH(1)", "NOSUCH"),
    ('TEXT(A1,"0;(0)")', "TEXT with a format"),
    ('DATEDIF(D1,D5,"MD")', "DATEDIF"),
    ("LET(x,1,x+1)", "LET"),
    ("A1:A3", "a range in place of a single cell"),
    ("A1:A3*2", "a range in place of a single cell, at the sign *"),
    ("SUM(ROUND(A1:A3,0))", "a range in place of a single value, in ROUND"),
    ("SUMPRODUCT(--(ROUND(A1:A3,1)=A1:A3))", "in ROUND"),
    ("SUM(LEN(B1:B4))", "in LEN"),
    ("SUM(A1:A3*F1:F3)", "a range in place of a single cell"),
    ("SUM(A1:A3 A2:A5)", "an intersection of ranges"),
    ("SUM((A1:A2,A4:A5))", "a union of ranges"),
    ("SUM(Sheet:Other!A1)", "a reference to several sheets"),
    ("SUM(Table1[Pay])", "a reference to the table Table1"),
    ("SUM(A1#)", "a spilled range"),
    ("@A1", "an implicit intersection"),
    ("SUM(A3:A1)", "corners are not in order"),
    ("SUM(A1:INDEX(A1:A10,4))", "a range whose end is computed"),
    ("Nothing*2", "the unknown name Nothing"),
    ("XFE1+1", "the unknown name XFE1"),
    ("'Sheet'.A1", "cannot be read"),
    ("1+", "ends too early"),
    ('COUNTIFS(A1:A10,">0",F1:F9,"<20")', "COUNTIFS differ in size"),
    ('SUMIFS(A1:A10,F1:F9,">2")', "SUMIFS differ in size"),
    ('SUMIFS(A1:A10,D:D,">2")', "SUMIFS differ in size"),
    ('COUNTIF(I1:I4,"#N/A")', "COUNTIF cannot count errors"),
    ("SUMPRODUCT(A:A,F:F)", "whole columns or rows in SUMPRODUCT"),
    ("SUMPRODUCT((A:A>1)*1)", "whole columns or rows in SUMPRODUCT"),
    ("SUM(XM_ALLOCATE(1,A1:A1048576))", "A1:A1048576 is handed to a function, more than 200,000 cells"),
    ("DATE(1900,2,1)", "before March 1900"),
    ('VALUE("1/2/2024")', "the language of the machine"),
    ('"1,234.5"+1', "shows #VALUE! because of the text '1,234.5'"),
    ('IF("TRUE",1,2)', "shows #VALUE! because of the text 'TRUE'"),
    ('B6&1E20', "joined to a text"),
    ('UPPER("straße")', "two letters"),
]  # fmt: skip


def alike(mine: Value, other: Value) -> bool:
    if isinstance(mine, ErrorCode) and isinstance(other, ErrorCode):
        # LibreOffice has codes of its own, and saves most of them as #VALUE!.
        return other in {mine, "#VALUE!"} or {str(mine), str(other)} <= {"#NUM!", "#DIV/0!", "#N/A"}
    if isinstance(mine, bool) or isinstance(other, bool):
        return mine is other
    if isinstance(mine, float) and isinstance(other, float):
        return math.isclose(mine, other, rel_tol=1e-9, abs_tol=1e-11)
    return (mine or "") == (other or "")


def differing(formulas: list[str], mine: list[Value], theirs: list[Value]) -> list[tuple[str, Value, Value]]:
    return [row for row in zip(formulas, mine, theirs, strict=True) if not alike(row[1], row[2])]


def test_every_function_that_is_let_through_has_its_cases() -> None:
    formulas = cases()
    text = "\n".join([*SAME_AS, *ARRAYS])
    few = {
        name
        for name in NATIVE
        if len(formulas.get(name, [])) < (1 if name in {"NA", "PI", "TRUE", "FALSE"} else 2)
        and text.count(f"{name}(") < 2
    }
    assert few == set()
    assert set(formulas) - {"operators"} <= set(NATIVE)
    assert set(LAYER) - {TEXT_OF} <= set(NATIVE)
    assert sum(map(len, formulas.values())) > 1_000


@pytest.mark.faces
def test_libreoffice_gives_the_same_values(tmp_path: Path) -> None:
    formulas = [formula for each in cases().values() for formula in each]
    path = tmp_path / "plain.xlsx"
    workbook(path, formulas)
    assert differing(formulas, ours(path, len(formulas)), libreoffice(path, len(formulas))) == []


@pytest.mark.faces
def test_libreoffice_gives_the_same_values_of_array_formulas(tmp_path: Path) -> None:
    path = tmp_path / "arrays.xlsx"
    workbook(path, ARRAYS, array=True)
    assert differing(ARRAYS, ours(path, len(ARRAYS)), libreoffice(path, len(ARRAYS))) == []


@pytest.mark.faces
def test_libreoffice_gives_the_same_values_by_other_functions(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine.xlsx", tmp_path / "theirs.xlsx"
    workbook(mine, list(SAME_AS))
    workbook(theirs, list(SAME_AS.values()))
    count = len(SAME_AS)
    assert differing(list(SAME_AS), ours(mine, count), libreoffice(theirs, count)) == []


@pytest.mark.parametrize(("formula", "words"), REFUSED)
def test_refused_by_name_and_cell(formula: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "one.xlsx"
    workbook(path, [formula])
    with pytest.raises(UnsupportedFormula) as raised:
        ours(path, 1)
    assert words in raised.value.message, str(raised.value)
    assert raised.value.place.cell == "Z101"
