"""Dates: payment dates by WORKDAY and a list of holidays, the months that each pays, days that accrue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.conventions.calendar import find_calendar
from xlmodel.package.address import Block
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.class_proof import bond_days
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block
from xlmodel.workbook.sheets.native.runs import TABLE_DATES, rolls_apart
from xlmodel.workbook.sheets.theme import put

TITLE = "Dates"
_TOP = 7  # first payment date; the row above it is closing
_OWN = (
    ("date number", "No.", theme.COUNT, 6.0),
    ("unadjusted date", "Unadjusted", theme.DATE, 13.0),
    ("payment date", "Payment date", theme.DATE, 13.0),
    ("first month", "First month", theme.COUNT, 9.0),
    ("last month", "Last month", theme.COUNT, 9.0),
    ("years", "Years from closing", theme.FRACTION, 11.0),
)
_CLASS = (
    ("accrues to", "Accrues to", theme.DATE, 13.0),
    ("days", "Days", theme.COUNT, 7.0),
    ("year days", "Of days a year", theme.COUNT, 9.0),
)
_SPARE_YEARS = 3  # so that dates can be moved a little without a new list


@dataclass(frozen=True)
class _Set:
    """One set of payment dates; ``rolled`` False where each falls on its own day."""

    prefix: str
    title: str
    left: int
    rolled: bool


def place(contents: Contents) -> Mapping[str, Block]:
    blocks = {}
    right = 0
    for found in _sets(contents):
        for offset, name in enumerate(_names(contents)):
            blocks[found.prefix + name] = block(TITLE, _TOP, found.left + offset, contents.dates)
        right = found.left + len(_names(contents))
    blocks["holidays"] = block(TITLE, _TOP, right + 1, len(_holidays(contents)))
    return blocks


def write(sheet: Worksheet, contents: Contents, layout: Layout) -> None:
    theme.head(
        sheet,
        contents.deal.name,
        TITLE,
        "Payment dates, the collection months that each pays, and the days of each class up to it.",
    )
    ends = [_one_set(sheet, contents, layout, found) for found in _sets(contents)]
    holidays = layout["holidays"]
    theme.group(sheet, _TOP - 3, holidays.left, 1, "Calendar")
    put(sheet, _TOP - 2, holidays.left, "Holidays", theme.HEADING)
    for row, day in enumerate(_holidays(contents), start=holidays.top):
        put(sheet, row, holidays.left, day, theme.INPUT, theme.DATE)
    theme.widths(sheet, holidays.left - 1, 3, 14)
    sheet.freeze_panes = a1(_TOP, 2)
    theme.lines(sheet, _TOP - 2, 2)
    bottom = max(holidays.bottom, _TOP + contents.dates - 1)
    theme.print_in_groups(
        sheet,
        title=f"{contents.deal.name} – {TITLE}",
        printed=Block(TITLE, _TOP - 3, 1, bottom, holidays.left),
        title_rows=(_TOP - 3, _TOP - 2),
        title_columns=(1, 1),
        ends=[*ends, holidays.left],
    )


def _sets(contents: Contents) -> Iterator[_Set]:
    """The deal's own dates and, where the printed tables assume others, those."""
    yield _Set("", "Dates of the deal", 1, rolled=True)
    if rolls_apart(contents):
        width = len(_names(contents)) + 1
        rolled = contents.deal.as_printed.roll != "none"
        yield _Set(TABLE_DATES, "Dates of the printed tables", 1 + width, rolled)


def _names(contents: Contents) -> list[str]:
    of_classes = [f"{name} {n}" for n in range(contents.classes) for name, *_ in _CLASS]
    return [name for name, *_ in _OWN] + of_classes


def has_holidays(contents: Contents) -> bool:
    """Whether the deal's calendar has days that a list must hold."""
    year = contents.deal.closing_date.year
    return any(True for _ in find_calendar(contents.deal.calendar).holidays(year, year))


def _holidays(contents: Contents) -> list[object]:
    """The days of the deal's calendar until after the last payment date; a day before closing if none."""
    calendar = find_calendar(contents.deal.calendar)
    first = contents.deal.closing_date.year
    last = contents.deal.first_payment_date.year + contents.dates // 12 + _SPARE_YEARS
    days = sorted(day for day in set(calendar.holidays(first, last)) if day.weekday() < 5)
    return list(days) or [contents.deal.closing_date.replace(month=1, day=1)]


def _one_set(sheet: Worksheet, contents: Contents, layout: Layout, found: _Set) -> int:
    """Headings, the closing row and a row a payment date; the last column."""
    left, top = found.left, _TOP
    theme.group(sheet, top - 3, left, len(_OWN), found.title)
    for offset, (_, heading, _, wide) in enumerate(_OWN):
        put(sheet, top - 2, left + offset, heading, theme.HEADING)
        theme.widths(sheet, left + offset, wide)
    column = left + len(_OWN)
    for n in range(contents.classes):
        theme.group(sheet, top - 3, column, len(_CLASS), f"={layout.class_term(n, 'class')}")
        for heading, wide in ((heading, wide) for _, heading, _, wide in _CLASS):
            put(sheet, top - 2, column, heading, theme.HEADING)
            theme.widths(sheet, column, wide)
            column += 1
    closing = f"={layout.term('closing date')}"
    put(sheet, top - 1, left, 0, theme.PLAIN, theme.COUNT)
    for offset in (1, 2, *(len(_OWN) + len(_CLASS) * n for n in range(contents.classes))):
        put(sheet, top - 1, left + offset, closing, theme.PLAIN, theme.DATE)
    formats = {name: shown for name, _, shown, _ in (*_OWN, *_CLASS)}
    for row in range(top, top + contents.dates):
        for name, formula in _formulas(contents, layout, found, row).items():
            kind = name if name in formats else name.rsplit(maxsplit=1)[0]
            put(sheet, row, layout[found.prefix + name].left, formula, theme.PLAIN, formats[kind])
    return column - 1


def _formulas(contents: Contents, layout: Layout, found: _Set, row: int) -> dict[str, str]:
    def at(name: str, above: int = 0) -> str:
        return a1(row - above, layout[found.prefix + name].left)

    term = layout.term
    first, number = term("first payment date"), at("date number")
    later = f"{number}-1"
    on_day = f"DATE(YEAR({first}),MONTH({first})+{later},{term('payment day')})"
    months = term("first collection months")
    formulas = {
        "date number": f"={at('date number', 1)}+1",
        "unadjusted date": f"=MIN({on_day},EOMONTH({first},{later}))",
        "payment date": f"={_moved(contents, layout, found, at('unadjusted date'))}",
        "first month": f"=IF({number}=1,1,{at('last month', 1)}+1)",
        "last month": f"={number}+{months}-1",
        "years": f"={_years(layout, at('unadjusted date'))}",
    }
    for n in range(contents.classes):
        start, end = at(f"accrues to {n}", 1), at(f"accrues to {n}")
        adjusted = f'{layout.class_term(n, "accrual dates")}="adjusted"'
        formulas[f"accrues to {n}"] = f"=IF({adjusted},{at('payment date')},{at('unadjusted date')})"
        basis = layout.class_term(n, "day count")
        formulas[f"days {n}"] = f'=IF({basis}="30/360",{bond_days(start, end)},{end}-{start})'
        year = f'IF(OR({basis}="30/360",{basis}="actual/360"),360,IF({basis}="actual/365 fixed",365,NA()))'
        formulas[f"year days {n}"] = f"={year}"
    return formulas


def _moved(contents: Contents, layout: Layout, found: _Set, day: str) -> str:
    """A date moved to a business day, as the term says."""
    if not found.rolled or find_calendar(contents.deal.calendar).weekmask == "1111111":
        return day
    roll, holidays = layout.term("business day roll"), layout.ref("holidays")
    after, before = f"WORKDAY({day}-1,1,{holidays})", f"WORKDAY({day}+1,-1,{holidays})"
    modified = f"IF(MONTH({after})=MONTH({day}),{after},{before})"
    other = f"IF(MONTH({before})=MONTH({day}),{before},{after})"
    return (
        f'IF({roll}="following",{after},IF({roll}="preceding",{before},IF({roll}="modified following",'
        f'{modified},IF({roll}="modified preceding",{other},IF({roll}="none",{day},NA())))))'
    )


def _years(layout: Layout, end: str) -> str:
    start, basis = layout.term("average life from"), layout.term("average life day count")
    days = f"{end}-{start}"
    return (
        f'IF({basis}="30/360",({bond_days(start, end)})/360,IF({basis}="actual/360",({days})/360,'
        f'IF({basis}="actual/365 fixed",({days})/365,NA())))'
    )


SHEET = Sheet(TITLE, place, write)
