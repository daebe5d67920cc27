"""The table of day counts: its names, the published vectors, columns against single dates, bad input."""

from __future__ import annotations

import csv
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.conventions.day_count import DAY_COUNTS, days, find, year_fraction
from xlmodel.errors import MissingValue, OutOfRange, UnknownName, WrongKind

DATA = Path(__file__).parents[1] / "data" / "conventions"

# the vectors' name of a convention -> ours
NAMES = {
    "Actual/360": "actual/360",
    "Actual/364": "actual/364",
    "Actual/365F": "actual/365 fixed",
    "Actual/365.25": "actual/365.25",
    "Actual/366": "actual/366",
    "ActualActual.ISDA": "actual/actual ISDA",
    "ActualActual.AFB": "actual/actual AFB",
    "ActualActual.ICMA(S,ref=start..start+6M)": "actual/actual ICMA",
    "ActualActual.ICMA(M,ref=start..start+1M)": "actual/actual ICMA",
    "Thirty360.BondBasis": "30/360",
    "Thirty360.NASD": "30/360",
    "Thirty360.USA": "30U/360",
    "30/360 BMA-PSA (SF-44)": "30/360 BMA",
    "Thirty360.European": "30E/360",
    "Thirty360.EurobondBasis": "30E/360",
    "Thirty360.German(no term)": "30E/360 ISDA",
    "Thirty360.German(term=end)": "30E/360 ISDA",
    "Thirty360.Italian": "30/360 Italian",
    "DAYS360 US": "days360 US",
    "DAYS360 EU": "days360 EU",
    **{f"YEARFRAC basis {code}": f"excel-{code}" for code in range(5)},
}
# QuantLib guesses the frequency there and is not to be followed
GUESSED = "ActualActual.ICMA(no ref)"

with (DATA / "day_count_vectors.csv").open() as file:
    VECTORS = list(csv.DictReader(file))


def options(row: dict[str, str]) -> dict[str, Any]:
    if "ICMA" in row["convention"]:
        period, end_of_month = row["note"].removeprefix("ref period ").split()
        start, end = map(date.fromisoformat, period.split(".."))
        frequency = 2 if "(S," in row["convention"] else 12
        return {
            "frequency": frequency,
            "period_start": start,
            "period_end": end,
            "end_of_month": end_of_month == "EOM=True",
        }
    if "term=end" in row["convention"]:
        return {"termination": date.fromisoformat(row["end"])}
    return {}


def computed(row: dict[str, str]) -> tuple[int, float]:
    start, end = date.fromisoformat(row["start"]), date.fromisoformat(row["end"])
    name, known = NAMES[row["convention"]], options(row)
    termination = {key: known[key] for key in known if key == "termination"}
    return days(start, end, name, **termination), year_fraction(start, end, name, **known)


CONVENTIONS = sorted({(row["source"], row["convention"]) for row in VECTORS if row["convention"] != GUESSED})


@pytest.mark.parametrize(("source", "convention"), CONVENTIONS)
def test_the_published_vectors(source: str, convention: str) -> None:
    rows = [row for row in VECTORS if (row["source"], row["convention"]) == (source, convention)]
    # the ICMA rows marked N are QuantLib's own way, tested below; those of DAYS360 only say "not bond basis"
    rows = [row for row in rows if row["agrees"] == "Y" or convention == "DAYS360 US"]
    assert len(rows) >= 150
    for row in rows:
        count, fraction = computed(row)
        assert count == int(row["day_count"]), row
        assert fraction == pytest.approx(float(row["year_fraction"]), rel=digits(row), abs=0), row


def digits(row: dict[str, str]) -> float:
    """How far the file's own number may be from the exact one."""
    if row["source"].startswith("LibreOffice"):
        return 6e-15  # printed with 15 digits
    if "ICMA" in row["convention"]:
        return 1e-14  # QuantLib adds up as many as 360 twelfths
    if row["convention"] == "YEARFRAC basis 1":
        return 4e-16  # the mean length of a year is itself rounded
    return 0.0


# start, end, coupons a year -> whole coupon periods, then days of the last one and its length, by hand on
# the month-end grid (on the 30th for the two that start on 30 January)
BY_HAND = {
    ("2007-08-31", "2008-02-28", 12): (5, 28, 29),
    ("2024-03-31", "2025-02-28", 2): (1, 151, 182),
    ("2023-01-30", "2024-02-29", 12): (13, 0, 30),
    ("2023-03-31", "2024-02-29", 2): (1, 152, 183),
    ("2023-03-31", "2024-01-30", 2): (1, 122, 183),
    ("2023-03-31", "2024-01-30", 12): (9, 30, 31),
    ("2024-03-31", "2025-01-15", 2): (1, 107, 182),
    ("2024-03-31", "2025-01-15", 12): (9, 15, 31),
    ("2024-03-31", "2025-02-15", 2): (1, 138, 182),
    ("2024-03-31", "2025-02-15", 12): (10, 15, 28),
    ("2024-01-31", "2025-12-31", 12): (23, 0, 31),
    ("2023-12-31", "2025-01-15", 2): (2, 15, 181),
    ("2023-01-30", "2024-02-15", 12): (12, 16, 30),
    ("2024-03-31", "2025-01-30", 2): (1, 122, 182),
    ("2024-03-31", "2025-01-30", 12): (9, 30, 31),
    ("2023-03-31", "2024-12-31", 2): (3, 92, 182),
    ("2023-03-31", "2024-12-31", 12): (21, 0, 31),
    ("2024-01-31", "2024-03-31", 12): (2, 0, 30),
    ("1995-12-31", "2025-12-31", 2): (60, 0, 182),
    ("2006-12-31", "2007-12-31", 2): (2, 0, 182),
}


def test_the_rows_where_quantlib_leaves_the_icma_grid() -> None:
    rows = [row for row in VECTORS if "ICMA" in row["convention"] and row["agrees"] == "N"]
    assert len(rows) == len(BY_HAND)
    for row in rows:
        frequency = options(row)["frequency"]
        whole, part, length = BY_HAND[row["start"], row["end"], frequency]
        right = float((whole + Fraction(part, length)) / frequency)
        assert computed(row)[1] == pytest.approx(right, rel=4e-16)
        assert float(row["year_fraction"]) != pytest.approx(right, rel=1e-9)


@pytest.mark.parametrize("row", CONVENTIONS, ids=lambda row: f"{row[0]} {row[1]}")
def test_a_column_gives_what_single_dates_give(row: tuple[str, str]) -> None:
    rows = [each for each in VECTORS if (each["source"], each["convention"]) == row and not options(each)]
    name = NAMES[row[1]]
    known: dict[str, Any] = {}
    if not rows:  # conventions with options: one period, or termination, for the whole column
        rows = [each for each in VECTORS if (each["source"], each["convention"]) == row]
        known = options(rows[0])
    start = [date.fromisoformat(each["start"]) for each in rows]
    end = [date.fromisoformat(each["end"]) for each in rows]
    column = year_fraction(np.array(start, dtype="M8[D]"), np.array(end, dtype="M8[D]"), name, **known)
    single = [year_fraction(s, e, name, **known) for s, e in zip(start, end, strict=True)]
    assert column.dtype == np.float64
    np.testing.assert_array_equal(column, single)


LISTED = [
    "actual/360",
    "actual/365 fixed",
    "actual/364",
    "30/360 (bond basis)",
    "30/360",
    "30U/360",
    "30E/360",
    "30E/360 ISDA",
    "30/360 BMA",
    "actual/actual ISDA",
    "actual/actual ICMA",
    "excel-0",
    "excel-1",
    "excel-2",
    "excel-3",
    "excel-4",
]


@pytest.mark.parametrize("name", LISTED)
def test_names_ignore_case_and_space(name: str) -> None:
    row = find(name)
    assert find(name.upper()) is row
    assert find(f"  {name.lower().replace('/', ' / ')} ") is row


def test_an_alias_belongs_to_its_source_and_to_one_convention() -> None:
    owners: dict[str, str] = {}
    for row in DAY_COUNTS.values():
        assert row.clause
        for alias in row.aliases:
            assert alias.source
            assert owners.setdefault(alias.text.casefold(), row.name) == row.name
            assert find(alias.text) is row


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("Act/360", "actual/360"),
        ("A/365F", "actual/365 fixed"),
        ("ACT/365.FIXED", "actual/365 fixed"),
        ("Actual/365", "actual/365 fixed"),  # Excel's word for its basis 3
        ("Bond Basis", "30/360"),
        ("Eurobond basis", "30E/360"),
        ("30E/360 (ISDA)", "30E/360 ISDA"),
        ("act/act", "actual/actual ISDA"),
        ("ACT/ACT.ISMA", "actual/actual ICMA"),
        ("30/360 SIFMA", "30/360 BMA"),
        ("DAYS360", "30/360 BMA"),
        ("DAYS360 EU", "30E/360"),
    ],
)
def test_aliases(alias: str, name: str) -> None:
    assert find(alias).name == name


@pytest.mark.parametrize("code", [0, 1, 2, 3, 4, 0.0, np.float64(3), np.int64(4)])
def test_codes_are_excels(code: float) -> None:
    assert find(code).name == f"excel-{int(code)}"


@pytest.mark.parametrize("code", [5, -1, 0.5, 360, float("nan"), float("inf")])
def test_another_code_is_out_of_range(code: float) -> None:
    with pytest.raises(OutOfRange, match="is no basis"):
        find(code)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("actual/361", "actual/360"),
        ("30/306", "30/360"),
        ("ACT / 365", "two meanings.*actual/365 fixed.*actual/actual ISDA"),
    ],
)
def test_an_unknown_name_lists_near_ones(text: str, near: str) -> None:
    with pytest.raises(UnknownName, match=near):
        find(text)


def test_a_name_near_nothing_lists_all() -> None:
    with pytest.raises(UnknownName, match="30/360 Italian"):
        find("weekly")


@pytest.mark.parametrize(("basis", "error"), [(None, MissingValue), ("", MissingValue), ("  ", MissingValue)])
def test_a_blank_basis_is_missing(basis: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="blank"):
        find(basis)


@pytest.mark.parametrize("basis", [True, [1], b"30/360", date(2020, 1, 1)])
def test_a_basis_of_another_kind(basis: Any) -> None:
    with pytest.raises(WrongKind):
        find(basis)


EARLY, LATE = date(2024, 1, 31), date(2025, 2, 28)


def test_the_length_of_a_year() -> None:
    lengths = {name: row.length for name, row in DAY_COUNTS.items()}
    assert lengths["actual/360"] == lengths["30/360"] == lengths["excel-0"] == 360
    assert lengths["actual/365 fixed"] == lengths["excel-3"] == 365
    assert {name for name, length in lengths.items() if length is None} == {
        "actual/actual ISDA",
        "actual/actual ICMA",
        "actual/actual AFB",
        "excel-1",
    }
    for name, length in lengths.items():
        if length is not None:
            assert year_fraction(EARLY, LATE, name) == days(EARLY, LATE, name) / length


def test_accrual_between_adjusted_or_unadjusted_dates() -> None:
    adjusted = {name for name, row in DAY_COUNTS.items() if row.adjusted}
    assert {"actual/360", "actual/365 fixed", "actual/actual ISDA"} <= adjusted
    assert not {"30/360", "30E/360", "30U/360", "30/360 BMA", "actual/actual ICMA"} & adjusted


# --- laws -------------------------------------------------------------------------------------------

DATES = st.dates(date(1900, 1, 1), date(9999, 12, 31))


@given(DATES, DATES, DATES)
def test_actual_days_add_up(a: date, b: date, c: date) -> None:
    assert days(a, b, "actual/360") + days(b, c, "actual/360") == days(a, c, "actual/360")
    total = year_fraction(a, b, "actual/360") + year_fraction(b, c, "actual/360")
    assert total == pytest.approx(year_fraction(a, c, "actual/360"), rel=1e-12, abs=1e-11)


@given(DATES, DATES)
def test_no_convention_is_far_from_the_calendar(a: date, b: date) -> None:
    start, end = min(a, b), max(a, b)
    years = (end - start).days / 365.2425
    for name in DAY_COUNTS:
        known: dict[str, Any] = {"frequency": 2, "period_start": start} if "ICMA" in name else {}
        assert abs(year_fraction(start, end, name, **known) - years) < 0.03 + 0.016 * years, name


@given(st.lists(st.tuples(DATES, DATES), min_size=1, max_size=30), st.sampled_from(sorted(DAY_COUNTS)))
def test_columns_and_single_dates_are_one_rule(pairs: list[tuple[date, date]], name: str) -> None:
    known: dict[str, Any] = {}
    if "ICMA" in name:
        pairs = [(min(pair), max(pair)) for pair in pairs]
        known = {"frequency": 4, "period_end": date(2001, 5, 31), "end_of_month": True}
    start, end = ([pair[side] for pair in pairs] for side in (0, 1))
    single = [year_fraction(*pair, name, **known) for pair in pairs]
    assert year_fraction(start, end, name, **known).tolist() == single
    assert days(start, end, name).tolist() == [days(*pair, name) for pair in pairs]
