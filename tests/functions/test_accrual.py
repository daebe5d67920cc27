"""XM_DAYS, XM_YEARFRAC, XM_INTEREST, XM_PAYMENT_DATES: published figures and figures by hand."""

from __future__ import annotations

import datetime as dt

import pytest

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


def test_payment_dates_move_off_weekends_and_holidays() -> None:
    # 15 January 2000 was a Saturday and 17 January Martin Luther King's birthday: paid on Tuesday the 18th.
    # 15 April 2000 was a Saturday, 15 October 2000 a Sunday.
    found = call("XM_PAYMENT_DATES", [FIRST, 11.0])
    assert found == [
        [serial(day)]
        for day in (
            "1999-12-15", "2000-01-18", "2000-02-15", "2000-03-15", "2000-04-17", "2000-05-15",
            "2000-06-15", "2000-07-17", "2000-08-15", "2000-09-15", "2000-10-16",
        )
    ]  # fmt: skip
    unmoved = call("XM_PAYMENT_DATES", [FIRST, 2.0, 15.0, "none"])
    assert unmoved == [[FIRST], [serial("2000-01-15")]]


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
        ("XM_PAYMENT_DATES", [[[1.0], [2.0]], 3.0], "#VALUE!", "one cell"),
        ("XM_PAYMENT_DATES", [FIRST, 0.0], "#NUM!", "argument count"),
        ("XM_PAYMENT_DATES", [FIRST, 1e9], "#NUM!", "argument count"),
        ("XM_PAYMENT_DATES", [FIRST, 1.0, 15.0, "forwards"], "#VALUE!", "following"),
    ],
)  # fmt: skip
def test_bad_input_shows_the_right_error_and_xm_why_its_reason(
    function: str, arguments: list[object], code: str, sentence: str
) -> None:
    found = call(function, arguments)  # type: ignore[arg-type]  # bad on purpose
    assert found == CellError(code)
    assert sentence in str(call("XM_WHY", [function, *arguments]))  # type: ignore[list-item]
