"""Day counts: how many days lie between two dates, and what part of a year they are.

``DAY_COUNTS`` at the end is the table; each convention above it is one function, written once for a
``date`` and for a :class:`DateColumn` (which is why the rules are arithmetic on 0 and 1, not ``if``).
What differs from Excel, LibreOffice and QuantLib, and why, is in ``docs/conventions.md``.

End before start: every convention gives a negative number, except actual/actual ICMA, where a date
before the start lies in no coupon period (OutOfRange), and excel-0 to excel-4, which exchange the two
dates as Excel's YEARFRAC does.  The 30/360 rules treat their two dates differently, so there the negative
number is the rule applied as it stands, not always minus the number of the exchanged dates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.coupon_period import CouponPeriod
from xlmodel.conventions.date_column import DateColumn
from xlmodel.conventions.serial import YEAR_RANGE, to_date
from xlmodel.errors import MissingValue, OutOfRange, UnknownName, WrongKind

type_Days = Callable[[Any, Any], Any]

_MARCH_1900 = date(1900, 3, 1)
_MARCH_1900_EPOCH = int(np.datetime64("1900-03-01", "D").astype(np.int64))


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a convention, and whose name it is."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class DayCount:
    """One convention.

    ``days(start, end)`` and ``year(start, end)`` take two dates or two columns.  ``adjusted`` says whether
    accrual customarily runs between payment dates moved to business days, or between unmoved ones.
    """

    name: str
    clause: str
    days: type_Days
    year: type_Days
    adjusted: bool
    aliases: tuple[Alias, ...] = ()
    swaps: bool = False


# --- dates ------------------------------------------------------------------------------------------


def _is_leap(year: Any) -> Any:
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))


def _is_february_end(day: Any) -> Any:
    if isinstance(day, DateColumn):
        return day.february_end
    return day.month == 2 and day.day >= 28 + _is_leap(day.year)


def _new_year(year: Any) -> Any:
    """The ordinal of 1 January, for an int or an array of ints."""
    past = year - 1
    return 365 * past + past // 4 - past // 100 + past // 400 + 1


def _span(start: Any, end: Any, start_day: Any, end_day: Any) -> Any:
    """Days between two dates of a year of twelve months of 30 days."""
    return 360 * (end.year - start.year) + 30 * (end.month - start.month) + (end_day - start_day)


# --- actual -----------------------------------------------------------------------------------------


def actual(start: Any, end: Any) -> Any:
    """The days of the calendar."""
    return end.toordinal() - start.toordinal()


def _over(days: type_Days, year_length: float) -> type_Days:
    def year(start: Any, end: Any) -> Any:
        return days(start, end) / year_length

    return year


def _actual_isda_year(start: Any, end: Any) -> Any:
    """Days in leap years over 366 plus days in other years over 365."""
    first, last = start.year, end.year
    before = (_new_year(first + 1) - start.toordinal()) / (365 + _is_leap(first))
    after = (end.toordinal() - _new_year(last)) / (365 + _is_leap(last))
    return (last - first - 1) + before + after


def _actual_afb_year(start: Any, end: Any) -> Any:
    """Whole years counted back from the end, then days over 366 if they hold a 29 February, else 365."""
    if isinstance(start, DateColumn) or isinstance(end, DateColumn):
        backwards = end.toordinal() < start.toordinal()
        return np.where(backwards, -_afb_forward(end, start), _afb_forward(start, end))
    return -_afb_forward(end, start) if end < start else _afb_forward(start, end)


def _afb_forward(start: Any, end: Any) -> Any:
    # a whole year back from the end of February is the end of February
    february = (end.month == 2) & (end.day >= 28)
    years = end.year - start.year
    leap = _is_leap(start.year)
    same_day = february * (28 + leap) + (1 - february) * end.day
    day_then = (years == 0) * end.day + (years != 0) * same_day
    years = years - ((32 * end.month + day_then) < (32 * start.month + start.day))
    whole = years > 0
    landed = end.year - years
    day = whole * (february * (28 + _is_leap(landed)) + (1 - february) * end.day) + (1 - whole) * end.day
    rest = _ordinal(landed, end.month, day) - start.toordinal()
    # 29 February on or after the start and before the landing date
    leap_day_of_landing = _is_leap(landed) & (32 * end.month + day > 32 * 2 + 29)
    leap_day_of_landing = leap_day_of_landing & (
        (start.year < landed) | (32 * start.month + start.day <= 32 * 2 + 29)
    )
    leap_day_of_start = (start.year < landed) & leap & (32 * start.month + start.day <= 32 * 2 + 29)
    return years + rest / (365 + (leap_day_of_landing | leap_day_of_start))


_DAYS_BEFORE_MONTH = np.array([0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334])
_DAYS_BEFORE_MONTH_LIST: list[int] = _DAYS_BEFORE_MONTH.tolist()


def _ordinal(year: Any, month: Any, day: Any) -> Any:
    before = _DAYS_BEFORE_MONTH[month] if isinstance(month, np.ndarray) else _DAYS_BEFORE_MONTH_LIST[month]
    return _new_year(year) + before + (_is_leap(year) & (month > 2)) + day - 1


def _actual_icma_year(start: Any, end: Any) -> Any:
    raise MissingValue(
        "actual/actual ICMA needs the coupons a year", remedy="give the frequency, and the coupon period"
    )


# --- 30/360 -----------------------------------------------------------------------------------------


def bond_basis(start: Any, end: Any) -> Any:
    """A start on the 31st counts as the 30th; an end on the 31st too if the start is then on the 30th."""
    first = start.day - (start.day == 31)
    last = end.day - ((end.day == 31) & (first == 30))
    return _span(start, end, first, last)


def us_30_360(start: Any, end: Any) -> Any:
    """Ends of February count as the 30th: the end if both are, the start always; then as bond basis."""
    start_february, end_february = _is_february_end(start), _is_february_end(end)
    first = start.day + start_february * (30 - start.day)
    last = end.day + (start_february & end_february) * (30 - end.day)
    last = last - ((last == 31) & (first >= 30))
    return _span(start, end, first - (first == 31), last)


def bma_30_360(start: Any, end: Any) -> Any:
    """As 30U/360, but an end on the last of February stays where it is."""
    first = start.day + _is_february_end(start) * (30 - start.day)
    first = first - (first == 31)
    last = end.day - ((end.day == 31) & (first == 30))
    return _span(start, end, first, last)


def european_30e_360(start: Any, end: Any) -> Any:
    """The 31st counts as the 30th."""
    return _span(start, end, start.day - (start.day == 31), end.day - (end.day == 31))


def german_30e_360(start: Any, end: Any, termination: date | None = None) -> Any:
    """The last day of any month counts as the 30th; not the end if it is a termination date in February."""
    first = start.day + _is_february_end(start) * (30 - start.day)
    moved = _is_february_end(end)
    if termination is not None:
        moved = moved & (end.toordinal() != termination.toordinal())
    last = end.day + moved * (30 - end.day)
    return _span(start, end, first - (first == 31), last - (last == 31))


def italian_30_360(start: Any, end: Any) -> Any:
    """As 30E/360, and 28 and 29 February count as the 30th."""
    first = start.day + ((start.month == 2) & (start.day > 27)) * (30 - start.day)
    last = end.day + ((end.month == 2) & (end.day > 27)) * (30 - end.day)
    return _span(start, end, first - (first == 31), last - (last == 31))


# --- Excel ------------------------------------------------------------------------------------------


def excel_0(start: Any, end: Any) -> Any:
    """As 30U/360, but the end on the 31st is held against the start as it was before February moved it."""
    start_february, end_february = _is_february_end(start), _is_february_end(end)
    last = end.day - ((end.day == 31) & (start.day >= 30))
    last = last + (start_february & end_february) * (30 - last)
    first = start.day + start_february * (30 - start.day)
    return _span(start, end, first - (first == 31), last)


def excel_actual(start: Any, end: Any) -> Any:
    """Days between two serials, so that Excel's 29 February 1900 counts."""
    if isinstance(start, DateColumn) or isinstance(end, DateColumn):
        days = end.toordinal() - start.toordinal()
        return days + (_before_march_1900(start) & ~_before_march_1900(end))
    return end.toordinal() - start.toordinal() + (start < _MARCH_1900 <= end)


def _before_march_1900(day: Any) -> Any:
    if isinstance(day, DateColumn):
        return day.epoch < _MARCH_1900_EPOCH
    return np.bool_(day < _MARCH_1900)


def _excel_is_leap(year: Any) -> Any:
    return _is_leap(year) | (year == 1900)


def _excel_1_year(start: Any, end: Any) -> Any:
    """Days over 366 or 365 up to a year, by whether a 29 February is met; over the mean of the years beyond.

    Expects start <= end; the caller has exchanged them.
    """
    first, last = start.year, end.year
    one = last == first
    to_a_year = one | ((last == first + 1) & (32 * start.month + start.day >= 32 * end.month + end.day))
    mean = (_new_year(last + 1) - _new_year(first) + (first == 1900)) / (last - first + 1)
    start_leap = _excel_is_leap(first) & (start.month <= 2)
    end_leap = _excel_is_leap(last) & ((end.month > 2) | ((end.month == 2) & (end.day == 29)))
    meets = (one & _excel_is_leap(first)) | (start_leap & ~one) | (end_leap & ~one)
    length = to_a_year * (365 + meets) + (1 - to_a_year) * mean
    return excel_actual(start, end) / length


# --- the table --------------------------------------------------------------------------------------

_ISDA_2006 = "2006 ISDA Definitions"

DAY_COUNTS: dict[str, DayCount] = {
    row.name: row
    for row in (
        DayCount(
            "actual/360",
            "2006 ISDA Definitions 4.16(e)",
            actual,
            _over(actual, 360.0),
            True,
            (Alias("act/360", "2006 ISDA Definitions 4.16(e)"), Alias("a/360", "2006 ISDA Definitions 4.16(e)")),
        ),
        DayCount(
            "actual/364",
            "QuantLib Actual364: days over 52 weeks",
            actual,
            _over(actual, 364.0),
            True,
            (Alias("act/364", "QuantLib"),),
        ),
        DayCount(
            "actual/365 fixed",
            "2006 ISDA Definitions 4.16(d)",
            actual,
            _over(actual, 365.0),
            True,
            (
                Alias("actual/365 (fixed)", "2006 ISDA Definitions 4.16(d)"),
                Alias("act/365 (fixed)", "2006 ISDA Definitions 4.16(d)"),
                Alias("a/365 (fixed)", "2006 ISDA Definitions 4.16(d)"),
                Alias("a/365f", "2006 ISDA Definitions 4.16(d)"),
                Alias("act/365.fixed", "FpML dayCountFraction"),
                Alias("actual/365f", "market usage"),
                Alias("act/365f", "market usage"),
                Alias("actual/365", "Excel's help on YEARFRAC, basis 3"),
            ),
        ),
        DayCount(
            "actual/365.25",
            "QuantLib Actual36525: days over the mean Julian year",
            actual,
            _over(actual, 365.25),
            True,
            (Alias("act/365.25", "QuantLib"),),
        ),
        DayCount(
            "actual/366",
            "QuantLib Actual366",
            actual,
            _over(actual, 366.0),
            True,
            (Alias("act/366", "QuantLib"),),
        ),
        DayCount(
            "actual/actual ISDA",
            "2006 ISDA Definitions 4.16(b)",
            actual,
            _actual_isda_year,
            True,
            (
                Alias("actual/actual", "2006 ISDA Definitions 4.16(b)"),
                Alias("act/act", "2006 ISDA Definitions 4.16(b)"),
                Alias("actual/actual (ISDA)", "2006 ISDA Definitions 4.16(b)"),
                Alias("act/act (ISDA)", "2006 ISDA Definitions 4.16(b)"),
                Alias("act/act.isda", "FpML dayCountFraction"),
            ),
        ),
        DayCount(
            "actual/actual ICMA",
            "ICMA Rule 251.1; 2006 ISDA Definitions 4.16(c)",
            actual,
            _actual_icma_year,
            False,
            (
                Alias("actual/actual (ICMA)", "2006 ISDA Definitions 4.16(c)"),
                Alias("act/act (ICMA)", "2006 ISDA Definitions 4.16(c)"),
                Alias("act/act.icma", "FpML dayCountFraction"),
                Alias("act/act.isma", "FpML dayCountFraction"),
                Alias("actual/actual ISMA", "ISMA, the association's name until 2005"),
            ),
        ),
        DayCount(
            "actual/actual AFB",
            "AFB master agreement 1994, 'Exact/Exact'; ISDA memorandum on actual/actual, 1999",
            actual,
            _actual_afb_year,
            True,
            (Alias("act/act.afb", "FpML dayCountFraction"), Alias("actual/actual (euro)", "QuantLib")),
        ),
        DayCount(
            "30/360",
            "2006 ISDA Definitions 4.16(f)",
            bond_basis,
            _over(bond_basis, 360.0),
            False,
            (
                Alias("bond basis", "2006 ISDA Definitions 4.16(f)"),
                Alias("360/360", "2006 ISDA Definitions 4.16(f)"),
                Alias("30/360 (bond basis)", "2006 ISDA Definitions 4.16(f)"),
                Alias("30a/360", "market usage"),
                Alias("30/360 NASD", "QuantLib"),
            ),
        ),
        DayCount(
            "30U/360",
            "SIA, Standard Securities Calculation Methods (1993), 30/360 with end-of-month; QuantLib Thirty360 USA",
            us_30_360,
            _over(us_30_360, 360.0),
            False,
            (Alias("30us/360", "market usage"), Alias("30/360 US", "market usage"), Alias("30/360 SIA", "SIA")),
        ),
        DayCount(
            "30/360 BMA",
            "BMA, Uniform Practices, Standard Formulas E.1 (SF-44)",
            bma_30_360,
            _over(bma_30_360, 360.0),
            False,
            (
                Alias("30/360 PSA", "PSA, the BMA's name until 1997"),
                Alias("30/360 SIFMA", "SIFMA, the BMA's name since 2006"),
                Alias("days360", "Excel, DAYS360 with method FALSE"),
                Alias("days360 US", "Excel, DAYS360 with method FALSE"),
            ),
        ),
        DayCount(
            "30E/360",
            "2006 ISDA Definitions 4.16(g)",
            european_30e_360,
            _over(european_30e_360, 360.0),
            False,
            (
                Alias("eurobond basis", "2006 ISDA Definitions 4.16(g)"),
                Alias("days360 EU", "Excel, DAYS360 with method TRUE"),
            ),
        ),
        DayCount(
            "30E/360 ISDA",
            "2006 ISDA Definitions 4.16(h)",
            german_30e_360,
            _over(german_30e_360, 360.0),
            False,
            (
                Alias("30e/360 (ISDA)", "2006 ISDA Definitions 4.16(h)"),
                Alias("30e/360.isda", "FpML dayCountFraction"),
                Alias("30/360 German", "QuantLib"),
            ),
        ),
        DayCount(
            "30/360 Italian",
            "QuantLib Thirty360 Italian",
            italian_30_360,
            _over(italian_30_360, 360.0),
            False,
        ),
        DayCount("excel-0", "Excel YEARFRAC, basis 0", excel_0, _over(excel_0, 360.0), False, swaps=True),
        DayCount("excel-1", "Excel YEARFRAC, basis 1", excel_actual, _excel_1_year, True, swaps=True),
        DayCount("excel-2", "Excel YEARFRAC, basis 2", excel_actual, _over(excel_actual, 360.0), True, swaps=True),
        DayCount("excel-3", "Excel YEARFRAC, basis 3", excel_actual, _over(excel_actual, 365.0), True, swaps=True),
        DayCount(
            "excel-4", "Excel YEARFRAC, basis 4", european_30e_360, _over(european_30e_360, 360.0), False, swaps=True
        ),
    )
}

# --- finding and using ------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """A name without case, parentheses and needless spaces."""
    words = text.casefold().replace("(", " ").replace(")", " ").split()
    return "/".join(part.strip() for part in " ".join(words).split("/"))


_BY_NAME: dict[str, DayCount] = {}
for _row in DAY_COUNTS.values():
    for _text in (_row.name, *(alias.text for alias in _row.aliases)):
        _BY_NAME[_plain(_text)] = _row
_BY_TEXT: dict[object, DayCount] = {**_BY_NAME, **DAY_COUNTS}  # and spellings as they are met


def find(basis: str | int | float) -> DayCount:
    """The convention of a name, an alias or one of Excel's codes 0 to 4.

    MissingValue if blank, UnknownName with near names, OutOfRange for another number.
    """
    if type(basis) is str:
        row = _BY_TEXT.get(basis)
        return row if row is not None else _find_text(basis)
    if isinstance(basis, bool | np.bool_) or not isinstance(basis, str | int | float | np.number):
        if basis is None:
            raise MissingValue("the day count is blank", remedy="name one, such as actual/360 or 30/360")
        raise WrongKind(f"{basis!r} is no day count", remedy="name one, or give a code 0 to 4")
    if isinstance(basis, str):
        return _find_text(basis)
    if basis not in (0, 1, 2, 3, 4):
        raise OutOfRange(f"{basis} is no basis", remedy="give 0, 1, 2, 3 or 4, or a name such as actual/360")
    return DAY_COUNTS[f"excel-{int(basis)}"]


def _find_text(basis: str) -> DayCount:
    plain = _plain(basis)
    row = _BY_NAME.get(plain)
    if row is None:
        if not plain:
            raise MissingValue("the day count is blank", remedy="name one, such as actual/360 or 30/360")
        near = dict.fromkeys(_BY_NAME[text].name for text in get_close_matches(plain, _BY_NAME, 6, 0.5))
        names = ", ".join(near or DAY_COUNTS)
        raise UnknownName(f"{basis!r} is no day count", remedy=f"use one of the names listed: {names}")
    if len(_BY_TEXT) < 1000:  # so that a sheet full of odd texts cannot fill the memory
        _BY_TEXT[basis] = row
    return row


def days(start: Any, end: Any, basis: str | int | float, *, termination: date | None = None) -> Any:
    """Days between two dates: int, or int64 array where a date is an array (they broadcast).

    Dates are ``date``, ``datetime64`` or Excel serials of the years 1900 to 9999.  ``termination`` is the
    termination date of 30E/360 ISDA.
    """
    row = find(basis)
    start, end = _ready(start), _ready(end)
    if row.swaps:
        start, end = _in_order(start, end)
    if termination is not None and row.days is german_30e_360:
        count = german_30e_360(start, end, to_date(termination))
    else:
        count = row.days(start, end)
    return int(count) if isinstance(start, date) and isinstance(end, date) else _as(count, np.int64)


def year_fraction(
    start: Any,
    end: Any,
    basis: str | int | float,
    *,
    frequency: int | None = None,
    period_start: Any = None,
    period_end: Any = None,
    end_of_month: bool = False,
    termination: Any = None,
) -> Any:
    """Part of a year between two dates: float, or float64 array where a date is an array.

    ``frequency``, ``period_start``, ``period_end`` and ``end_of_month`` describe the coupon periods of
    actual/actual ICMA (see :class:`CouponPeriod`; without a period, ``start`` is taken for a coupon date).
    ``termination`` is the termination date of 30E/360 ISDA.  Other conventions need none of them.
    """
    row = find(basis)
    if type(start) is date and type(end) is date and frequency is None and termination is None:
        if start.year < 1900 or end.year < 1900:
            raise OutOfRange(f"{min(start, end)} is before 1900", remedy=YEAR_RANGE)
        if row.swaps and end < start:
            return row.year(end, start)
        if period_start is None and period_end is None:
            return row.year(start, end)
    start, end = _ready(start), _ready(end)
    if row.swaps:
        start, end = _in_order(start, end)
    if row.year is _actual_icma_year:
        if period_start is None and period_end is None and isinstance(start, date):
            period_start = start
        period = CouponPeriod.of(frequency, period_start, period_end, end_of_month)
        fraction = period.year_fraction(start, end)
    elif termination is not None and row.days is german_30e_360:
        fraction = german_30e_360(start, end, to_date(termination)) / 360.0
    else:
        fraction = row.year(start, end)
    return float(fraction) if isinstance(start, date) and isinstance(end, date) else _as(fraction, np.float64)


def _ready(day: Any) -> Any:
    """A ``date`` or a ``DateColumn``, checked."""
    if isinstance(day, date) and not isinstance(day, datetime):
        if day.year < 1900:
            raise OutOfRange(f"{day} is before 1900", remedy=YEAR_RANGE)
        return day
    if isinstance(day, np.ndarray | list | tuple) and np.ndim(day) > 0:
        return DateColumn(day)
    return to_date(day.item() if isinstance(day, np.ndarray) else day)


def _in_order(start: Any, end: Any) -> tuple[Any, Any]:
    if isinstance(start, date) and isinstance(end, date):
        return (start, end) if start <= end else (end, start)
    first = DateColumn(np.datetime64(start, "D")) if isinstance(start, date) else start
    last = DateColumn(np.datetime64(end, "D")) if isinstance(end, date) else end
    if (first.epoch <= last.epoch).all():
        return first, last
    low, high = np.minimum(first.epoch, last.epoch), np.maximum(first.epoch, last.epoch)
    return DateColumn(low.view("M8[D]")), DateColumn(high.view("M8[D]"))


def _as(values: Any, kind: type) -> NDArray[Any]:
    return np.asarray(values).astype(kind, copy=False)
