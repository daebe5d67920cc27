"""XM_DAYS, XM_YEARFRAC, XM_INTEREST, XM_ACCRUED: published figures, QuantLib, and figures by hand."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import QuantLib as ql
from hypothesis import given, settings
from hypothesis import strategies as st

from xlmodel.functions import call
from xlmodel.functions.cells import CellError


def serial(text: str) -> float:
    """Excel's serial: days since 30 December 1899 for every day after February 1900."""
    return float((dt.date.fromisoformat(text) - dt.date(1899, 12, 30)).days)


CLOSING, FIRST = serial("1999-10-28"), serial("1999-12-15")


@pytest.mark.parametrize(
    ("balance", "rate", "basis", "printed"),
    [
        # CarMax Auto Owner Trust 1999-1 prospectus, pages 43 and 46: interest on the first payment date.
        (155_250_000.00, 0.062025, "actual/360", 1_283_917.50),
        (208_650_000.00, 0.0647, "actual/360", 1_799_954.00),
        (178_900_000.00, 0.0676, "30/360", 1_578_891.89),
        (88_278_000.00, 0.0688, "30/360", 792_932.61),
        (12_879_759.72, 0.0712, "30/360", 119_724.52),
    ],
)
def test_interest_of_the_prospectus(balance: float, rate: float, basis: str, printed: float) -> None:
    assert call("XM_INTEREST", [balance, rate, CLOSING, FIRST, basis, 2.0]) == printed


def test_interest_is_not_rounded_unless_asked() -> None:
    # 100 x 10% x 1/360 = 0.02777...
    found = call("XM_INTEREST", [100.0, 0.1, CLOSING, CLOSING + 1, "actual/360"])
    assert found == pytest.approx(0.1 * 100 / 360, rel=1e-15)
    assert call("XM_INTEREST", [100.0, 0.1, CLOSING, CLOSING + 1, "actual/360", 2.0]) == 0.03


@pytest.mark.parametrize(
    ("basis", "days"),
    [("actual/360", 48.0), ("ACT/360", 48.0), ("30/360", 47.0), (0.0, 47.0), (2.0, 48.0), (None, 47.0)],
)
def test_days_from_issue_to_first_payment(basis: str | float | None, days: float) -> None:
    # 28 October to 15 December 1999: 3 + 30 + 15 = 48 days of the calendar, 47 in months of 30 days.
    assert call("XM_DAYS", [CLOSING, FIRST, basis]) == days


def test_year_fraction_by_name_and_by_code() -> None:
    assert call("XM_YEARFRAC", [CLOSING, FIRST, "actual/360"]) == 48 / 360
    assert call("XM_YEARFRAC", [CLOSING, FIRST, 2.0]) == 48 / 360
    assert call("XM_YEARFRAC", [CLOSING, FIRST]) == 47 / 360


@pytest.mark.parametrize(
    ("function", "arguments", "code", "sentence"),
    [
        ("XM_INTEREST", [-1.0, 0.06, CLOSING, FIRST], "#NUM!", "argument balance"),
        ("XM_INTEREST", [1.0, 6.2025, CLOSING, FIRST], "#NUM!", "write 6.2025% as 0.062025"),
        ("XM_INTEREST", [1.0, "six", CLOSING, FIRST], "#VALUE!", "argument rate"),
        ("XM_INTEREST", [1.0, None, CLOSING, FIRST], "#VALUE!", "argument rate"),
        ("XM_INTEREST", [1.0, 0.06, CLOSING], "#VALUE!", "argument end"),
        ("XM_INTEREST", [1.0, 0.06, CLOSING, FIRST, "actual/361"], "#VALUE!", "actual/36"),
        ("XM_INTEREST", [1.0, 0.06, CLOSING, FIRST, 9.0], "#NUM!", "9"),
        ("XM_INTEREST", [1.0, 0.06, CLOSING, FIRST, 0.0, 2.5], "#NUM!", "argument decimals"),
        ("XM_INTEREST", [1.0, 0.06, 60.0, FIRST], "#NUM!", "argument start"),
        ("XM_INTEREST", [1.0, CellError("#N/A"), CLOSING, FIRST], "#N/A", "argument rate"),
        ("XM_INTEREST", [1.0] * 9, "#VALUE!", "at most 8"),
        ("XM_DAYS", [0.0, FIRST], "#NUM!", "argument start"),
    ],
)  # fmt: skip
def test_bad_input_shows_the_right_error_and_xm_why_its_reason(
    function: str, arguments: list[object], code: str, sentence: str
) -> None:
    found = call(function, arguments)  # type: ignore[arg-type]  # bad on purpose
    assert found == CellError(code)
    assert sentence in str(call("XM_WHY", [function, *arguments]))  # type: ignore[list-item]


# --- to the cent ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("whole_column", [False, True])
def test_interest_to_the_cent_is_exact(whole_column: bool) -> None:
    """Against fractions: balances around a billion, rates of six decimals, actual/360."""
    rng = np.random.default_rng(3)
    rows = 2000 if whole_column else 300
    cents, millionths = rng.integers(10**10, 10**13, rows), rng.integers(1, 300_000, rows)
    length = rng.integers(0, 400, rows)
    expected = []
    for balance, rate, days in zip(cents.tolist(), millionths.tolist(), length.tolist(), strict=True):
        twice = Fraction(2 * balance * rate * days, 10**6 * 360) + 1
        expected.append(int(twice // 2) / 100)
    balances, rates, ends = cents / 100, millionths / 1e6, CLOSING + length
    if whole_column:
        columns = [each[:, None].tolist() for each in (balances, rates, ends)]
        found = call("XM_INTEREST", [columns[0], columns[1], CLOSING, columns[2], "actual/360", 2.0])
        assert found == [[value] for value in expected]
    else:
        cells = zip(balances.tolist(), rates.tolist(), ends.tolist(), strict=True)
        assert [call("XM_INTEREST", [b, r, CLOSING, e, "actual/360", 2.0]) for b, r, e in cells] == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        # 12,879,759.72 x 7.12% x 47 / 360 = 119,724.5220...; each $1,000 has 9.2955..., 9.30 of 12,879.75972
        ([12_879_759.72, 0.0712, CLOSING, FIRST, "30/360", None, "half up"], 119_724.52),
        ([12_879_759.72, 0.0712, CLOSING, FIRST, "30/360", 2.0, "Half Up"], 119_724.52),
        ([12_879_759.72, 0.0712, CLOSING, FIRST, "30/360", None, "per 1000", 12_879_759.72], 119_781.77),
        ([178_900_000.0, 0.0676, CLOSING, FIRST, "30/360", None, "truncate"], 1_578_891.88),
        ([178_900_000.0, 0.0676, CLOSING, FIRST, "30/360", None, "none"], 178_900_000.0 * 0.0676 * 47 / 360),
        # half a cent, up: 1.00 x 1% x 180 / 360 = 0.005
        ([1.0, 0.01, 36526.0, 36706.0, 2.0, 2.0], 0.01),
        ([1.0, -0.01, 36526.0, 36706.0, 2.0, 2.0], -0.01),
        ([1.0, 0.01, 36526.0, 36706.0, 2.0, None, "truncate"], 0.0),
        # a balance with a fraction of a cent: 1.005 x 100 days of a half a year and so on, rounded as ROUND
        ([1.005, 0.5, 36526.0, 36886.0, 2.0, 2.0], 0.5),
        # years of unequal length: 61 of 365 days and 31 of 366
        ([36_600.0, 0.1, serial("1999-11-01"), serial("2000-02-01"), "act/act", None, "half up"],
         round(3660 * (61 / 365 + 31 / 366), 2)),
    ],
)  # fmt: skip
def test_roundings(arguments: list[Any], expected: float) -> None:
    assert call("XM_INTEREST", arguments) == pytest.approx(expected, rel=1e-15)


# --- actual/actual ICMA and accrued interest --------------------------------------------------------------


def test_year_fraction_in_coupon_periods() -> None:
    # ISDA's memorandum of 1999 on actual/actual: 1 February to 1 July 1999, annual coupons on 1 July
    arguments: list[Any] = [serial("1999-02-01"), serial("1999-07-01"), "actual/actual ICMA", 1.0]
    assert call("XM_YEARFRAC", [*arguments, None, serial("1999-07-01")]) == pytest.approx(
        150 / 365, rel=1e-15
    )
    # 31 December 2024 to 28 February 2025, quarters at month ends: 59 of the 90 days to 31 March
    ends: list[Any] = [serial("2024-12-31"), serial("2025-02-28"), "actual/actual ICMA", 4.0, None, None]
    assert call("XM_YEARFRAC", [*ends, True]) == pytest.approx(59 / 90 / 4, rel=1e-15)
    # 30E/360 ISDA to the end of February 2025: 30 days unless it is the termination date, then 28
    february: list[Any] = [serial("2025-01-31"), serial("2025-02-28"), "30E/360 ISDA"]
    assert call("XM_DAYS", february) == 30
    assert call("XM_DAYS", [*february, serial("2025-02-28")]) == 28
    assert call("XM_YEARFRAC", [*february, *[None] * 4, serial("2025-02-28")]) == 28 / 360


@pytest.mark.parametrize(
    ("basis", "counter"),
    [
        ("actual/actual ICMA", None),
        ("30/360", ql.Thirty360(ql.Thirty360.BondBasis)),
        ("30E/360", ql.Thirty360(ql.Thirty360.European)),
        ("actual/360", ql.Actual360()),
        ("actual/365 fixed", ql.Actual365Fixed()),
    ],
)
@settings(max_examples=30)
@given(
    st.dates(dt.date(2000, 1, 1), dt.date(2020, 12, 31)),
    st.integers(1, 3000),
    st.sampled_from([1, 2, 4, 12]),
)
def test_accrued_interest_is_quantlibs(
    basis: str, counter: Any, settled: dt.date, length: int, frequency: int
) -> None:
    matures = settled + dt.timedelta(days=length)
    end = ql.Date(matures.day, matures.month, matures.year)
    schedule = ql.Schedule(
        end - ql.Period(12, ql.Years), end, ql.Period(12 // frequency, ql.Months), ql.NullCalendar(),
        ql.Unadjusted, ql.Unadjusted, ql.DateGeneration.Backward, ql.Date.isEndOfMonth(end),
    )  # fmt: skip
    counter = counter or ql.ActualActual(ql.ActualActual.ISMA, schedule)
    bond = ql.FixedRateBond(0, 1e6, schedule, [0.06], counter)
    theirs = bond.accruedAmount(ql.Date(settled.day, settled.month, settled.year)) * 1e4
    ours = call(
        "XM_ACCRUED", [1e6, 0.06, serial(str(settled)), serial(str(matures)), float(frequency), basis]
    )
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize(
    ("function", "arguments", "code", "sentence"),
    [
        ("XM_YEARFRAC", [FIRST, CLOSING, "act/act (ICMA)", 2.0], "#NUM!",
         "argument end_date: the end lies before"),
        ("XM_YEARFRAC", [CLOSING, FIRST, "act/act (ICMA)"], "#VALUE!",
         "argument frequency: actual/actual ICMA needs"),
        ("XM_YEARFRAC", [CLOSING, FIRST, "act/act (ICMA)", 5.0], "#NUM!",
         "argument frequency: 5 coupons a year"),
        ("XM_YEARFRAC", [CLOSING, float("nan")], "#NUM!", "argument end_date: serial nan"),
        ("XM_YEARFRAC", [CLOSING, float("inf")], "#NUM!", "argument end_date"),
        ("XM_YEARFRAC", [CLOSING, FIRST, "30/360 isda"], "#VALUE!", "30E/360 ISDA"),
        ("XM_INTEREST", [1.0, 0.06, CLOSING, FIRST, "act/act (ICMA)"], "#VALUE!", "use XM_ACCRUED"),
        ("XM_INTEREST", [1.0, 0.06, CLOSING, FIRST, 0.0, None, "halfup"], "#VALUE!", "perhaps half up"),
        ("XM_INTEREST", [1.0, 0.06, CLOSING, FIRST, 0.0, 3.0, "half up"], "#NUM!", "argument decimals"),
        ("XM_INTEREST", [1.0, 0.06, CLOSING, FIRST, 0.0, None, "per 1000"], "#NUM!", "argument original"),
        ("XM_INTEREST", [1.001, 0.06, CLOSING, FIRST, 0.0, None, "truncate"], "#NUM!",
         "no whole number of cents"),
        ("XM_INTEREST", [float("nan"), 0.06, CLOSING, FIRST], "#NUM!", "argument balance: a finite number"),
        ("XM_ACCRUED", [1.0, 0.06, FIRST, FIRST], "#NUM!", "settlement on 1999-12-15 is not before maturity"),
        ("XM_ACCRUED", [1.0, 0.06, CLOSING, FIRST, 5.0], "#NUM!", "argument frequency: 5 payments a year"),
        ("XM_ACCRUED", [-1.0, 0.06, CLOSING, FIRST], "#NUM!", "argument balance"),
        ("XM_ACCRUED", [1.0, 6.0, CLOSING, FIRST], "#NUM!", "write 6.2025% as 0.062025"),
    ],
)  # fmt: skip
def test_more_bad_input(function: str, arguments: list[Any], code: str, sentence: str) -> None:
    assert call(function, arguments) == CellError(code)
    assert sentence in str(call("XM_WHY", [function, *arguments]))
