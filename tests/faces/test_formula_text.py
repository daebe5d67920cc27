"""Calls and their arguments are found in any formula that a file can hold."""

from __future__ import annotations

import pytest

from xlmodel.faces.formula_text import calls_ours, find_calls


def shown(formula: str) -> list[tuple[str, list[str]]]:
    return [(c.name, [formula[a:b] for a, b in c.arguments]) for c in find_calls(formula)]


@pytest.mark.parametrize(
    ("formula", "calls"),
    [
        ("A1+1", []),
        ("XM_DAYS(A1,B1)", [("XM_DAYS", ["A1", "B1"])]),
        ("xm_days( A1 , B1 )", [("XM_DAYS", [" A1 ", " B1 "])]),
        ("XM_VERSION()", [("XM_VERSION", [])]),
        ("XM_F(1,,2)", [("XM_F", ["1", "", "2"])]),
        ("XM_F(1,)", [("XM_F", ["1", ""])]),
        ("SUM(XM_F(1,(2,3)),MAX({1,2;3,4}))",
         [("SUM", ["XM_F(1,(2,3))", "MAX({1,2;3,4})"]), ("XM_F", ["1", "(2,3)"]), ("MAX", ["{1,2;3,4}"])]),
        ('XM_F("a,b(""c"")",1)', [("XM_F", ['"a,b(""c"")"', "1"])]),
        ("XM_F('Sheet, (1)'!A1,T[[#All],[x]])", [("XM_F", ["'Sheet, (1)'!A1", "T[[#All],[x]]"])]),
        ("_xll.XM_F(1)", [("XM_F", ["1"])]),
        ("_xludf.XM_F(1)", [("XM_F", ["1"])]),
        ("_xldudf_XM_F(1)", [("XM_F", ["1"])]),
        ("[1]!XM_F(1)", [("XM_F", ["1"])]),
        (r"'C:\add ins\xm.xlam'!XM_F(1)", [("XM_F", ["1"])]),
        ("_xlfn.XLOOKUP(1,A:A,B:B)", [("XLOOKUP", ["1", "A:A", "B:B"])]),
        ('"XM_F(1)"', []),
        ("XM_F(1", []),
    ],
)  # fmt: skip
def test_find_calls(formula: str, calls: list[tuple[str, list[str]]]) -> None:
    assert shown(formula) == calls


@pytest.mark.parametrize(
    ("formula", "ours"),
    [
        ("1+XM_F(2)", True),
        ("SUM(A1)", False),
        ('"XM_F(1)"', False),
        ("_xll.xm_f(1)", True),
        ("XM_FACTOR*2", False),
    ],
)
def test_calls_ours(formula: str, ours: bool) -> None:
    assert calls_ours(formula) is ours
