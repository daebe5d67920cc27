"""Formulas as Calc is given them, and values as it gives and takes them."""

from __future__ import annotations

import math
import struct

import pytest

from xlmodel.faces.libreoffice.spelling import for_calc
from xlmodel.faces.libreoffice.values import error_of, from_calc, to_calc
from xlmodel.functions.cells import CELL_ERRORS, CellError

NAMES = {"rate": "'In and out'!$B$1", "terms": "Terms!$A$1:$C$9", "speed": "0.015"}


@pytest.mark.parametrize(
    ("formula", "given"),
    [
        ("SUM(A1:A3)", "SUM(A1:A3)"),
        ('"XM_DAYS(1,2)"', '"XM_DAYS(1,2)"'),
        ("XM_DAYS(1,2)", "XM.DAYS(1,2)"),
        ("_xll.XM_DAYS(1,2)", "XM.DAYS(1,2)"),
        ("_xldudf_XM_DAYS(1,2)", "XM.DAYS(1,2)"),
        ("[1]!XM_DAYS(1,2)", "XM.DAYS(1,2)"),
        ("xm_days(1,,2)", "XM.DAYS(1,,2)"),
        ("1+XM_VERSION()&XM_VERSION()", "1+XM.VERSION()&XM.VERSION()"),
        ("XM_DAYS(A1, $B$2)", "XM.DAYS(TRANSPOSE(A1:A1),TRANSPOSE($B$2:$B$2))"),
        ("XM_DAYS('a b'!A1,x!B2:B9)", "XM.DAYS(TRANSPOSE('a b'!A1:A1),TRANSPOSE(TRANSPOSE(x!B2:B9)))"),
        ("XM_ROUND(Rate)", "XM.ROUND(TRANSPOSE('In and out'!$B$1:$B$1))"),
        ("XM_SPLIT(1,TERMS)", "XM.SPLIT(1,TRANSPOSE(TRANSPOSE(TERMS)))"),
        ("XM_ROUND(Speed)", "XM.ROUND(Speed)"),
        ("XM_ROUND(A1+1)", "XM.ROUND(A1+1)"),
        ("XM_ROUND(B:B)", "XM.ROUND(B:B)"),
        ("XM_ROUND(XM_DAYS(A1,2))+A1", "XM.ROUND(XM.DAYS(TRANSPOSE(A1:A1),2))+A1"),
        ("XM_ROUND(SUM(XM_DAYS(1,2),3))", "XM.ROUND(SUM(XM.DAYS(1,2),3))"),
        ('XM_WHY("XM_DAYS","(,",A1)', 'XM.WHY("XM_DAYS","(,",TRANSPOSE(A1:A1))'),
    ],
)
def test_a_formula_for_calc(formula: str, given: str) -> None:
    assert for_calc(formula, NAMES, array=False) == given


def test_texts_of_an_array_are_joined_with_nothing_so_that_lookups_find_them() -> None:
    call = "XM.SPLIT(1,{1;2})"
    joined = f'IF(ISTEXT({call}),{call}&"",{call})'
    assert for_calc("INDEX(XM_SPLIT(1,{1;2}),1)", {}, array=True) == f"INDEX({joined},1)"
    assert for_calc("XM_DAYS({1;2},3)", {}, array=True) == "XM.DAYS({1;2},3)"  # only numbers come of it


@pytest.mark.parametrize("code", CELL_ERRORS)
def test_an_error_goes_and_comes_as_a_nan_that_says_which(code: str) -> None:
    sent = to_calc(CellError(code), rows=False)
    assert math.isnan(sent)
    assert from_calc(sent) == CellError(code)
    assert from_calc(((sent, 1.0),)) == [[CellError(code), 1.0]]


def test_calcs_codes() -> None:
    # 503 (0x1F7) is #NUM!.  Source: LibreOffice Help, "Error Codes in LibreOffice Calc".
    bits = struct.unpack("<Q", struct.pack("<d", to_calc(CellError("#NUM!"), rows=False)))[0]
    assert bits == 0x7FF80000000001F7
    assert (error_of(503), error_of(32767), error_of(504)) == ("#NUM!", "#N/A", "#VALUE!")


def test_other_values() -> None:
    assert to_calc(True, rows=False) == 1.0
    assert type(to_calc(True, rows=False)) is float
    assert to_calc(None, rows=False) == ""
    assert to_calc(CellError("#SPILL!"), rows=True)[0][0] != 0
    assert to_calc([[1.0, "x"], [False, None]], rows=True) == ((1.0, "x"), (0.0, ""))
    assert to_calc(2.0, rows=True) == ((2.0,),)
    assert from_calc((("", 1), ("x", 2.5))) == [["", 1.0], ["x", 2.5]]
    assert from_calc(None) is None
