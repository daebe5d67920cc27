"""Formulas filled down and to the right, and those that call another program."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import UnsupportedFeature
from xlmodel.package.formula import MAX_FORMULA, calls_dde, shifted

# As Excel fills them one row down and two columns to the right.
FILLED = [
    ("A1", "C2"),
    ("$A1+A$1+$A$1", "$A2+C$1+$A$1"),
    ("SUM(A1:B10)", "SUM(C2:D11)"),
    ("a1", "C2"),
    ("A:A", "C:C"),
    ("$A:B", "$A:D"),
    ("1:3", "2:4"),
    ("$1:3", "$1:4"),
    ("Pool!A1", "Pool!C2"),
    ("'A1'!A1", "'A1'!C2"),
    ("'It''s A1'!A1", "'It''s A1'!C2"),
    ("[1]Pool!A1", "[1]Pool!C2"),
    ("AB1!C3", "AB1!E4"),
    ("Jan:Mar!A1", "Jan:Mar!C2"),
    ('"A1"&A1', '"A1"&C2'),
    ('"say ""A1"""&A1', '"say ""A1"""&C2'),
    ("LOG10(A1)", "LOG10(C2)"),
    ("ATAN2(A1,B1)", "ATAN2(C2,D2)"),
    ("XM_INTEREST(A1,B1)", "XM_INTEREST(C2,D2)"),
    ("_xll.XM_DECR(A1)", "_xll.XM_DECR(C2)"),
    ("_xlfn.STDEV.S(A1:A3)", "_xlfn.STDEV.S(C2:C4)"),
    ("Rate1+A1", "Rate1+C2"),
    ("Pool_A1+A1", "Pool_A1+C2"),
    ("A1.B", "A1.B"),
    ("ABCD1+XFE1", "ABCD1+XFE1"),
    ("A0+A1048577", "A0+A1048577"),
    ("Ä1+A1", "Ä1+C2"),
    ("1E5+A1", "1E5+C2"),
    ("1.5E-3*A1", "1.5E-3*C2"),
    ("Table1[A1]+A1", "Table1[A1]+C2"),
    ("Table1[[#This Row],[A1]]+A1", "Table1[[#This Row],[A1]]+C2"),
    ("Table1['[A1]+A1", "Table1['[A1]+C2"),
    ("#REF!+A1", "#REF!+C2"),
    ("#DIV/0!+#N/A+#NAME?+A1", "#DIV/0!+#N/A+#NAME?+C2"),
    ("A1#", "C2#"),
    ("{1,2;3,4}*A1", "{1,2;3,4}*C2"),
    ("A1 B1:C1", "C2 D2:E2"),
    ("TRUE+A1", "TRUE+C2"),
    ("-A1%", "-C2%"),
    ("A1^2", "C2^2"),
    ("1048577:9999999", "1048577:9999999"),
    ("1:9999999", "1:9999999"),
    ("9999999:1", "9999999:1"),
    ("XFE:ZZZ", "XFE:ZZZ"),
    ("A:ZZZ", "A:ZZZ"),
    ("ZZZ:A", "ZZZ:A"),
]


@pytest.mark.parametrize(("formula", "filled"), FILLED)
def test_filled(formula: str, filled: str) -> None:
    assert shifted(formula, 1, 2) == filled
    assert shifted(formula, 0, 0) == formula


@pytest.mark.parametrize(
    ("formula", "rows", "columns"),
    [("A1", -1, 0), ("A1", 0, -1), ("XFD1", 0, 1), ("A1048576", 1, 0), ("1:2", -1, 0), ("A:B", 0, -1)],
)
def test_a_reference_beyond_the_sheet_is_refused(formula: str, rows: int, columns: int) -> None:
    with pytest.raises(UnsupportedFeature, match="beyond the edge"):
        shifted(formula, rows, columns)


PIECES = """
    A1 $B$2 AB12 $C7 D$9 XFA1048000 1:3 $2:$4 A:C "A1" "" 'A1'!B2 Pool!B2 [1]Pool!B2 SUM(A1) LOG10(B3)
    Table1[A1] #REF! #N/A Rate1 1.5E3 TRUE {1,2;3,4}
"""


@given(st.lists(st.sampled_from(PIECES.split()), min_size=1).map("+".join))
def test_moving_there_and_back_changes_nothing(formula: str) -> None:
    assert shifted(shifted(formula, 7, 3), -7, -3) == formula
    assert shifted(shifted(formula, 7, 0), 0, 3) == shifted(formula, 7, 3)


@given(st.text(st.sampled_from("AZ$19:!'\"[]#(){},.+-_ bx|\\é\n"), max_size=30))
def test_no_text_is_too_strange(formula: str) -> None:
    moved = shifted(formula, 7, 3)
    assert moved.count('"') == formula.count('"')
    assert isinstance(calls_dde(formula), bool)


@pytest.mark.parametrize("piece", ["[", '"', "'", "[[", "'[", '""[', "A", "1:", "(", "|"])
def test_a_hostile_formula_takes_no_longer_than_a_long_one(piece: str) -> None:
    formula = (piece * MAX_FORMULA)[:MAX_FORMULA]
    begin = time.process_time()
    shifted(formula, 1, 1)
    calls_dde(formula)
    assert time.process_time() - begin < 3


@pytest.mark.parametrize(
    ("formula", "calls"),
    [
        ("cmd|'/c calc'!A0", True),
        ("MSEXCEL|'\\..\\cmd.exe'!x", True),
        ("1+cmd|' /C calc'!A0", True),
        ("'cmd'|'/c calc'!A0", True),
        ('"a|b"', False),
        ("'a|b'!A1", False),
        ("Table1[a|b]", False),
        ("A1+B1", False),
    ],
)
def test_dde(formula: str, *, calls: bool) -> None:
    assert calls_dde(formula) is calls
