"""XM_IRR and XM_XIRR: published rates, a rate put in and found again, and reasons where there is none."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.functions import call
from xlmodel.functions.cells import CellError


def serial(text: str) -> float:
    return float((dt.date.fromisoformat(text) - dt.date(1899, 12, 30)).days)


def test_published_rates() -> None:
    # handsontable/hyperformula, issue 1628; numpy/numpy-financial, issue 28, whose other root is -0.7689
    three: Any = [[-150000.0], [12000.0], [15000.0], [18000.0]]
    assert call("XM_IRR", [three]) == pytest.approx(-0.408277467397735, rel=1e-13)
    two: Any = [[-50.0, -100.0, 600.0, 300.0, -100.0]]
    assert call("XM_IRR", [two, 0.1]) == pytest.approx(1.85441782845618, rel=1e-13)
    assert call("XM_IRR", [two]) == call("XM_IRR", [two, 0.1])
    assert call("XM_IRR", [two, -0.9]) == pytest.approx(-0.768895470680781, rel=1e-13)
    # RayDeCampo/nodejs-xirr, issue 7
    dates: Any = [[serial("2020-03-04")], [serial("2020-03-17")]]
    found = call("XM_XIRR", [[[-713.07], [555.33]], dates])
    assert found == pytest.approx((555.33 / 713.07) ** (365 / 13) - 1, rel=1e-12)


@given(st.floats(-0.5, 2), st.lists(st.floats(1, 1e6), min_size=1, max_size=20))
def test_the_rate_at_which_the_flows_were_bought(rate: float, received: list[float]) -> None:
    price = sum(flow / (1 + rate) ** (n + 1) for n, flow in enumerate(received))
    flows: Any = [[-price], *([flow] for flow in received)]
    assert call("XM_IRR", [flows]) == pytest.approx(rate, rel=1e-7, abs=1e-9)


@given(
    st.floats(-0.5, 2), st.lists(st.tuples(st.floats(1, 1e6), st.integers(1, 3000)), min_size=1, max_size=9)
)
def test_dated_flows_in_any_order(rate: float, received: list[tuple[float, int]]) -> None:
    price = sum(flow / (1 + rate) ** (days / 365) for flow, days in received)
    flows: Any = [*([flow] for flow, _ in received), [-price]]
    dates: Any = [*([36526.0 + days] for _, days in received), [36526.0]]
    assert call("XM_XIRR", [flows, dates]) == pytest.approx(rate, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(
    ("function", "arguments", "code", "sentence"),
    [
        ("XM_IRR", [[[100.0], [110.0]]], "#NUM!", "XM-109 argument values: the flows do not change sign"),
        ("XM_IRR", [[[0.0], [0.0]]], "#NUM!", "argument values: the flows do not change sign"),
        ("XM_IRR", [[[100.0, -220.0, 130.0]]], "#NUM!", "argument values: at no rate above -100%"),
        ("XM_IRR", [-100.0], "#VALUE!", "argument values: fewer than two flows"),
        ("XM_IRR", [[[-100.0], [None], [110.0]]], "#VALUE!",
         "values, row 2, column 1: a number is asked for, got a"),
        ("XM_IRR", [[[-100.0], [110.0]], -1.0], "#NUM!",
         "argument guess: a guess of -1.0 (give a guess above -1)"),
        ("XM_XIRR", [[[-100.0], [110.0]], [[36526.0]]], "#VALUE!", "argument dates: 1 dates for 2 flows"),
        ("XM_XIRR", [[[-100.0], [110.0]], [[36526.0], [60.0]]], "#NUM!",
         "argument dates, row 2, column 1: serial 60"),
        ("XM_XIRR", [[[-100.0], [110.0]], [[36526.0], ["x"]]], "#VALUE!", "argument dates, row 2, column 1"),
        ("XM_XIRR", [[[-1.0], [1e6]], [[36526.0], [36527.0]]], "#NUM!", "argument values"),
    ],
)  # fmt: skip
def test_bad_input(function: str, arguments: list[Any], code: str, sentence: str) -> None:
    assert call(function, arguments) == CellError(code)
    assert sentence in str(call("XM_WHY", [function, *arguments]))
