"""Mistakes that other libraries made, each with the right value; the file says where each was reported."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xlmodel.conventions import calendar
from xlmodel.conventions.allocation import split
from xlmodel.conventions.annuity import interest_part, level_schedule, payment, principal_part, terms
from xlmodel.conventions.calendar import add_business_days, custom, is_business_day
from xlmodel.conventions.coupon_period import bond_coupons
from xlmodel.conventions.day_count import days, year_fraction
from xlmodel.conventions.internal_rate import internal_rates, irr, xirr
from xlmodel.conventions.money import product_cents, round_half_up
from xlmodel.conventions.schedule import accrual_periods, add_months, payment_dates
from xlmodel.conventions.serial import from_serial
from xlmodel.errors import OutOfRange

DATA = Path(__file__).parents[1] / "data" / "conventions"
with (DATA / "known_bugs.csv").open() as file:
    BUGS = {row["id"]: row for row in csv.DictReader(file)}

# models of prepayment, pools and yields are other floors' and tested with them
ELSEWHERE = {"AM13", "PP02", "PP05", "PP06", "PP07", "PP09", "YD02", "YD04"}


def day(text: str) -> date:
    return date.fromisoformat(text)


def icma(start: str, end: str, frequency: int, period: str, end_of_month: bool = False) -> Any:
    first, _, last = period.partition("..")
    return year_fraction(
        day(start),
        day(end),
        "actual/actual ICMA",
        frequency=frequency,
        period_start=day(first) if first else None,
        period_end=day(last) if last else None,
        end_of_month=end_of_month,
    )


def dated(text: str) -> float:
    flows, dates = zip(*(part.split() for part in text.split(";")), strict=True)
    return xirr([float(flow) for flow in flows], [day(each) for each in dates])


TWELVE = [-100.0] + [9.0] * 12
SIX = [-1678.87, 771.96, 1814.05, 3520.30, 3552.95, 3584.99, 4789.91, -1]
FLOWS = (
    "-1200 2020-01-09; -1050 2020-02-12; -400 2020-03-02; -800 2020-03-13; 1500 2020-05-11; 1100 2020-05-11;"
    "2000 2020-05-11; 450 2020-05-11; -2000 2020-11-03; 2850 2020-12-29; -1500 2021-03-26; 2025 2021-07-21;"
    "-2000 2022-06-16; 2635 2022-07-06"
)
LEAP = (day("2024-02-29"), day("2024-08-31"))
TO_FEBRUARY = (day("2024-02-29"), day("2025-02-28"))
MAY_DAYS = custom(map(day, ["2023-04-29", "2023-04-30", "2023-05-01"]))

# Excel's functions give payments a minus; ours are positive amounts paid
CASES: dict[str, tuple[Callable[[], Any], Any]] = {
    "AM03": (
        lambda: [
            part(300_000, 0.001988079518355057, 360, 1, due=True) for part in (interest_part, principal_part)
        ],
        [0, 1165.2943357746347],
    ),
    "AM04": (lambda: terms(100, 0, 10), 10),
    "AM06": (lambda: payment(120_000, 1e-12 / 12, 360), 333.33333333834722),
    "AM08": (lambda: -payment(100_000, 0, 480), -208.33333333333334),
    "AM09": (lambda: -payment(36_000, 0, 36, balloon=-18_000), -1500),
    "DC03": (lambda: icma("2021-12-01", "2022-02-15", 2, "2021-08-15..2022-02-15"), 0.20652173913043478),
    "DC04": (lambda: icma("2017-01-29", "2017-02-28", 2, "..2017-02-28", True), 0.08287292817679558),
    "DC05": (lambda: icma("2023-02-15", "2023-04-30", 4, "..2023-04-30", True), 0.20786516853932585),
    "DC07": (lambda: icma("2024-02-29", "2024-05-29", 4, "2024-02-29..2024-05-29"), 0.25),
    "DC08": (lambda: icma("2024-04-15", "2024-07-15", 2, "2024-01-15..2024-07-15"), 0.25),
    "DC09": (lambda: year_fraction(day("2019-12-31"), day("2020-01-01"), 0), 0.002777777777777778),
    "DC10": (lambda: year_fraction(45658, 45292, 1), 1.0),
    "DC11": (lambda: year_fraction(day("2020-04-06"), day("2026-03-28"), 0), 5.977777777777778),
    "DC12": (lambda: year_fraction(day("2021-07-31"), day("2022-09-04"), 4), 1.0944444444444446),
    "DC13": (lambda: year_fraction(day("2025-02-28"), day("2026-09-12"), 0), 1.5333333333333334),
    "DC14": (lambda: days(day("2020-05-31"), day("2023-12-15"), "days360"), 1275),
    "DC15": (
        lambda: [days(*LEAP, basis) for basis in (0, "30U/360", "bond basis", "30/360 BMA", "days360")],
        [181, 180, 182, 180, 180],
    ),
    "DC16": (
        lambda: [
            *(
                days(*TO_FEBRUARY, basis)
                for basis in ("30/360 BMA", "30U/360", "30/360", "30E/360", "30E/360 ISDA")
            ),
            days(*TO_FEBRUARY, "30E/360 ISDA", termination=TO_FEBRUARY[1]),
        ],
        [358, 360, 359, 359, 360, 358],
    ),
    "DC19": (lambda: days(day("2007-02-28"), day("2007-08-31"), "days360 US"), 180),
    "DC20": (lambda: icma("2024-03-31", "2025-02-28", 2, "2024-03-31..", True), 0.9148351648351648),
    "IR02": (lambda: dated("-10000 2022-01-24; 9800 2022-01-28"), -0.841736995234860),
    "IR03": (lambda: dated("-713.07 2020-03-04; 555.33 2020-03-17"), -0.999105915063875),
    "IR05": (lambda: dated("-100 2024-11-21; -100 2024-11-28; 100 2024-12-03"), -0.99999999999998326),
    "IR06": (lambda: dated(FLOWS), 3.68943386831708),
    "IR07": (lambda: irr(SIX), 1.00426984872056),
    "IR08": (lambda: irr([-50, -100, 600, 300, -100], 0.1), 1.85441782845618),
    "IR10": (lambda: irr([-172545.848122807] + [787.735232517999] * 480), 0.00384010481257042),
    "IR11": (lambda: irr([-150000, 12000, 15000, 18000]), -0.408277467397735),
    "IR12": (
        lambda: [irr([flow * scale for flow in TWELVE]) for scale in (1e-6, 1, 1e9, 1e12)],
        [0.0120434567811805] * 4,
    ),
    "MN01": (
        lambda: [round_half_up(x, n) for x, n in ((2.5, 0), (-2.5, 0), (2.675, 2), (1.005, 2), (0.285, 2))],
        [3, -3, 2.68, 1.01, 0.29],
    ),
    "MN02": (lambda: product_cents(91_033_266_75, 0.08, 30, 360), 606_888_45),
    "MN03": (lambda: product_cents(888_424_438_20, 0.10, 30, 360), 7_403_536_99),
    "MN04": (lambda: product_cents(10**12, 525_000, 31), 16275000000000000000),
    "MN05": (lambda: split(7000000000000000, [1, 2]).tolist(), [2333333333333333, 4666666666666667]),
    "MN06": (lambda: split(1003, [49, 51]).tolist(), [491, 512]),
    "MN07": (lambda: split(9999, [75, 25]).tolist(), [7499, 2500]),
    "SC06": (lambda: add_months(day("2023-03-31"), -1), day("2023-02-28")),
    "SC07": (lambda: bond_coupons(day("2022-03-31"), 2).next(day("2021-09-30")), day("2022-03-31")),
    "SC08": (lambda: bond_coupons(day("2024-10-31"), 2).previous(day("2023-12-15")), day("2023-10-31")),
    "SC09": (lambda: is_business_day(day("2021-12-31"), "FED"), True),
    "SC11": (lambda: is_business_day(day("2017-11-10"), "FED"), True),
    "SC12": (
        lambda: [is_business_day(day(each)) for each in ("2021-12-24", "2022-12-26", "2027-12-24")],
        [True, False, True],
    ),
    "SC15": (
        lambda: add_business_days(day("2017-10-06"), 1, custom([day("2017-10-09")])),
        day("2017-10-10"),
    ),
    "SC16": (
        lambda: add_business_days(day("2025-01-10"), 1, custom([day("2025-01-13")] * 2)),
        day("2025-01-14"),
    ),
    "SC17": (lambda: add_business_days(day("2023-05-05"), -10, MAY_DAYS), day("2023-04-20")),
    "YD03": (
        lambda: 100 * 0.02125 * icma("2018-08-15", "2019-02-15", 2, "2018-08-15..2019-02-15"),
        1.0625,
    ),
    "YD05": (lambda: product_cents(1_000_000_00, 100.5, 1, 100), 1_005_000_00),
}


@pytest.mark.parametrize("bug", CASES)
def test_the_right_value(bug: str) -> None:
    function, right = CASES[bug]
    found = function()
    values = right if isinstance(right, list) else [right]
    if any(isinstance(value, float) for value in values):
        assert found == pytest.approx(right, rel=4e-15), BUGS[bug]
    else:
        assert found == right, BUGS[bug]


def test_am11_a_schedule_to_the_cent() -> None:
    schedule = level_schedule(427_500_00, 0.03875, 360)
    assert (schedule.payment[:-1] == 2010_26).all()
    assert len(schedule.payment) == 360
    assert schedule.payment[-1] == 2012_53
    assert schedule.interest.sum() == 296_195_87


def test_ir06_never_takes_zero_for_a_root() -> None:
    flows, dates = zip(*(part.split() for part in FLOWS.split(";")), strict=True)
    at = np.array(dates, dtype="M8[D]").astype(int) / 365
    assert internal_rates([float(flow) for flow in flows], at) == pytest.approx([3.68943386831708])


def test_ir07_and_ir08_have_another_root_which_is_not_taken() -> None:
    assert internal_rates(SIX, range(8)) == pytest.approx([-0.99979126, 1.00426984872056], rel=1e-8)
    both = internal_rates([-50, -100, 600, 300, -100], range(5))
    assert both == pytest.approx([-0.768895470680781, 1.85441782845618], rel=1e-13)


def test_mn09_the_day_that_never_was() -> None:
    assert from_serial(59) == day("1900-02-28")
    assert from_serial(61) == day("1900-03-01")
    with pytest.raises(OutOfRange, match="never was"):
        from_serial(60)


def test_sc04_no_period_of_no_length() -> None:
    periods = accrual_periods(day("2027-05-02"), day("2047-05-03"), 6, "front short", "following")
    assert (periods.adjusted_start < periods.adjusted_end).all()
    assert len(periods.start) == 40
    assert periods.start[0] == np.datetime64("2027-05-02")
    assert periods.end[0] == np.datetime64("2027-11-03")


def test_sc05_months_are_added_to_the_anchor() -> None:
    right = [day("2021-03-31"), day("2021-04-30"), day("2021-05-31"), day("2021-06-30")]
    assert payment_dates(day("2021-03-31"), 4, roll="none").unadjusted.tolist() == right
    assert add_months(day("2021-03-31"), range(4)).tolist() == right


def test_sc18_martin_luther_king_day_began_in_1986() -> None:
    # the rule knows it, although the calendar itself begins in 1990
    rule = custom(calendar.CALENDARS["FED"].holidays(1985, 1986))
    assert is_business_day(day("1985-01-21"), rule)
    assert not is_business_day(day("1986-01-20"), rule)
    with pytest.raises(OutOfRange, match="1990 to 2060"):
        is_business_day(day("1985-01-21"), "FED")


def test_every_case_of_the_file_has_a_test() -> None:
    own = {
        name.split("_")[1].upper() for name in globals() if name.startswith(("test_am", "test_mn", "test_sc"))
    }
    assert set(BUGS) == set(CASES) | own | ELSEWHERE
