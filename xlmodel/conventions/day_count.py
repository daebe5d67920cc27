"""Day counts: how many days lie between two dates, and what part of a year they are.

``DAY_COUNTS`` is the table; the rules themselves are in ``actual`` and ``thirty_360``, each one function that
serves a ``date`` and a column of dates.  What differs from Excel, LibreOffice and QuantLib, and why, is in
``docs/conventions.md``.

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
from functools import partial
from typing import Any

import numpy as np

from xlmodel.conventions.actual import actual, afb_year, excel_1_year, excel_actual, isda_year
from xlmodel.conventions.coupon_period import CouponPeriod
from xlmodel.conventions.date_column import DateColumn
from xlmodel.conventions.serial import YEAR_RANGE, to_date
from xlmodel.conventions.thirty_360 import (
    bma_30_360,
    bond_basis,
    european_30e_360,
    excel_0,
    german_30e_360,
    italian_30_360,
    us_30_360,
)
from xlmodel.errors import MissingValue, OutOfRange, UnknownName, WrongKind

Rule = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a convention, and whose name it is."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class DayCount:
    """One convention.

    ``days(start, end)`` and ``year(start, end)`` take two dates or two columns.  ``adjusted`` says whether
    accrual customarily runs between payment dates moved to business days, or between unmoved ones;
    ``swaps`` that an end before the start is exchanged with it.  ``length`` is the days of its year, by
    which an amount can be computed exactly; None where years differ.
    """

    name: str
    clause: str
    days: Rule
    year: Rule
    adjusted: bool
    aliases: tuple[Alias, ...] = ()
    swaps: bool = False
    length: float | None = None


def _fixed(
    name: str,
    clause: str,
    days: Rule,
    length: float,
    *,
    adjusted: bool,
    aliases: tuple[Alias, ...] = (),
    swaps: bool = False,
) -> DayCount:
    """A convention whose years all have one length."""

    def year(start: Any, end: Any) -> Any:
        return days(start, end) / length

    return DayCount(name, clause, days, year, adjusted, aliases, swaps, length)


def _icma_year(start: Any, end: Any) -> Any:
    raise MissingValue(
        "actual/actual ICMA needs the coupons a year", remedy="give the frequency, and the coupon period"
    )


# --- the table --------------------------------------------------------------------------------------

_ISDA = "2006 ISDA Definitions"
_FPML = "FpML, dayCountFraction scheme"


def _names(source: str, *texts: str) -> tuple[Alias, ...]:
    return tuple(Alias(text, source) for text in texts)


_ROWS = (
    _fixed(
        "actual/360",
        f"{_ISDA} 4.16(e)",
        actual,
        360.0,
        adjusted=True,
        aliases=_names(f"{_ISDA} 4.16(e)", "act/360", "a/360"),
    ),
    _fixed(
        "actual/365 fixed",
        f"{_ISDA} 4.16(d)",
        actual,
        365.0,
        adjusted=True,
        aliases=_names(f"{_ISDA} 4.16(d)", "actual/365 (fixed)", "act/365 (fixed)", "a/365 (fixed)", "a/365f")
        + _names(_FPML, "act/365.fixed")
        + _names("QuantLib", "actual/365f")
        + _names("Excel, help on YEARFRAC, basis 3", "actual/365"),
    ),
    _fixed(
        "actual/364",
        "QuantLib, Actual364: days over 52 weeks",
        actual,
        364.0,
        adjusted=True,
        aliases=_names("QuantLib", "act/364"),
    ),
    _fixed(
        "actual/365.25",
        "QuantLib, Actual36525: days over the mean Julian year",
        actual,
        365.25,
        adjusted=True,
        aliases=_names("QuantLib", "act/365.25"),
    ),
    _fixed(
        "actual/366",
        "QuantLib, Actual366",
        actual,
        366.0,
        adjusted=True,
        aliases=_names("QuantLib", "act/366"),
    ),
    DayCount(
        "actual/actual ISDA",
        f"{_ISDA} 4.16(b)",
        actual,
        isda_year,
        adjusted=True,
        aliases=_names(f"{_ISDA} 4.16(b)", "actual/actual", "act/act", "act/act (ISDA)")
        + _names(_FPML, "act/act.isda"),
    ),
    DayCount(
        "actual/actual ICMA",
        f"ICMA Rule 251.1; {_ISDA} 4.16(c)",
        actual,
        _icma_year,
        adjusted=False,
        aliases=_names(f"{_ISDA} 4.16(c)", "act/act (ICMA)")
        + _names(_FPML, "act/act.icma", "act/act.isma")
        + _names("ISMA, the association's name until 2005", "actual/actual ISMA"),
    ),
    DayCount(
        "actual/actual AFB",
        "AFB master agreement (1994), Exact/Exact, as read in ISDA's memorandum of 1999",
        actual,
        afb_year,
        adjusted=True,
        aliases=_names(_FPML, "act/act.afb"),
    ),
    _fixed(
        "30/360",
        f"{_ISDA} 4.16(f)",
        bond_basis,
        360.0,
        adjusted=False,
        aliases=_names(f"{_ISDA} 4.16(f)", "bond basis", "30/360 (bond basis)", "360/360"),
    ),
    _fixed(
        "30U/360",
        "SIA, Standard Securities Calculation Methods, volume 1 (1993); QuantLib, Thirty360 USA",
        us_30_360,
        360.0,
        adjusted=False,
        aliases=_names("SIA", "30/360 SIA") + _names("QuantLib", "30/360 (US)"),
    ),
    _fixed(
        "30/360 BMA",
        "BMA, Standard Formulas for securities calculations, E.1 (SF-44)",
        bma_30_360,
        360.0,
        adjusted=False,
        aliases=_names("PSA, the BMA's name until 1997", "30/360 PSA")
        + _names("SIFMA, the BMA's name since 2006", "30/360 SIFMA")
        + _names("Excel, DAYS360 with method FALSE", "days360", "days360 US"),
    ),
    _fixed(
        "30E/360",
        f"{_ISDA} 4.16(g)",
        european_30e_360,
        360.0,
        adjusted=False,
        aliases=_names(f"{_ISDA} 4.16(g)", "eurobond basis")
        + _names("Excel, DAYS360 with method TRUE", "days360 EU"),
    ),
    _fixed(
        "30E/360 ISDA",
        f"{_ISDA} 4.16(h)",
        german_30e_360,
        360.0,
        adjusted=False,
        aliases=_names(_FPML, "30e/360.isda") + _names("QuantLib", "30/360 (German)"),
    ),
    _fixed(
        "30/360 Italian",
        "QuantLib, Thirty360 Italian",
        italian_30_360,
        360.0,
        adjusted=False,
    ),
    _fixed("excel-0", "Excel, YEARFRAC, basis 0", excel_0, 360.0, adjusted=False, swaps=True),
    DayCount("excel-1", "Excel, YEARFRAC, basis 1", excel_actual, excel_1_year, adjusted=True, swaps=True),
    _fixed(
        "excel-2",
        "Excel, YEARFRAC, basis 2",
        excel_actual,
        360.0,
        adjusted=True,
        swaps=True,
    ),
    _fixed(
        "excel-3",
        "Excel, YEARFRAC, basis 3",
        excel_actual,
        365.0,
        adjusted=True,
        swaps=True,
    ),
    _fixed(
        "excel-4",
        "Excel, YEARFRAC, basis 4",
        european_30e_360,
        360.0,
        adjusted=False,
        swaps=True,
    ),
)

DAY_COUNTS: dict[str, DayCount] = {row.name: row for row in _ROWS}

_TWO_MEANINGS = {
    "act/365": "write actual/365 fixed, or actual/actual ISDA, which SWIFT and ISDA in 1991 mean by it"
}
_BLOCK = 16_384  # rows

# --- finding and using ------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """A name without case, parentheses and needless spaces."""
    words = text.casefold().replace("(", " ").replace(")", " ").split()
    return "/".join(part.strip() for part in " ".join(words).split("/"))


_BY_NAME: dict[str, DayCount] = {}
for _row in DAY_COUNTS.values():
    for _text in (_row.name, *(alias.text for alias in _row.aliases)):
        _BY_NAME[_plain(_text)] = _row
_BY_CODE = {code: DAY_COUNTS[f"excel-{code}"] for code in range(5)}
_BY_TEXT = {**_BY_NAME, **DAY_COUNTS}  # and spellings as they are met


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
        raise WrongKind(f"{basis!r:.60} is no day count", remedy="name one, or give a code 0 to 4")
    if isinstance(basis, str):
        return _find_text(basis)
    row = _BY_CODE.get(basis)  # type: ignore[arg-type]  # 2 and 2.0 are one key
    if row is None:
        raise OutOfRange(f"{basis} is no basis", remedy="give 0, 1, 2, 3 or 4, or a name such as actual/360")
    return row


def _find_text(basis: str) -> DayCount:
    plain = _plain(basis)
    row = _BY_NAME.get(plain)
    if row is None:
        if not plain:
            raise MissingValue("the day count is blank", remedy="name one, such as actual/360 or 30/360")
        if plain in _TWO_MEANINGS:
            raise UnknownName(f"{basis!r} has two meanings", remedy=_TWO_MEANINGS[plain])
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
        count = _apply(partial(german_30e_360, termination=to_date(termination)), start, end, np.int64)
    else:
        count = _apply(row.days, start, end, np.int64)
    return count if isinstance(count, np.ndarray) else int(count)


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
    if row.year is _icma_year:
        if period_start is None and period_end is None and isinstance(start, date):
            period_start = start
        period = CouponPeriod.of(frequency, period_start, period_end, end_of_month)
        fraction = _apply(period.year_fraction, start, end, np.float64)
    elif termination is not None and row.days is german_30e_360:
        fraction = days(start, end, basis, termination=termination) / 360.0
    else:
        fraction = _apply(row.year, start, end, np.float64)
    return fraction if isinstance(fraction, np.ndarray) and fraction.ndim else float(fraction)


def _ready(day: Any) -> Any:
    """A ``date`` or a ``DateColumn``, checked."""
    if isinstance(day, DateColumn):
        return day
    if isinstance(day, date) and not isinstance(day, datetime):
        if day.year < 1900:
            raise OutOfRange(f"{day} is before 1900", remedy=YEAR_RANGE)
        return day
    if np.ndim(day) > 0:
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


def _apply(rule: Rule, start: Any, end: Any, kind: type) -> Any:
    """The rule over dates or columns; a long column in blocks, whose parts stay in the processor's cache."""
    columns = [day for day in (start, end) if isinstance(day, DateColumn)]
    if not columns:
        return rule(start, end)
    shape = columns[0].epoch.shape
    if len(shape) > 1 or any(column.epoch.shape != shape for column in columns):
        return np.asarray(rule(start, end)).astype(kind, copy=False)
    result: Any = np.empty(shape, dtype=kind)
    for low in range(0, len(result), _BLOCK):
        rows = (low, low + _BLOCK)
        first = start.block(*rows) if isinstance(start, DateColumn) else start
        last = end.block(*rows) if isinstance(end, DateColumn) else end
        result[low : low + _BLOCK] = rule(first, last)
    return result
