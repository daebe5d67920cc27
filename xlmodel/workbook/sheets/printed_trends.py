"""Trends: printed figures over time, as charts and the columns behind them.

A chart's series names figures by table, row and measure, and a number of months where they are of periods;
a date is shown where every series of the chart is printed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.conventions.serial import to_serial
from xlmodel.errors import BadDealFolder
from xlmodel.package.address import Block
from xlmodel.workbook.printed.figures import Form, Key
from xlmodel.workbook.printed.folder import TableFolder
from xlmodel.workbook.printed.periods import read_period
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.charts import Curve, Frame, lines, stacked_areas
from xlmodel.workbook.sheets.layout import Layout, Sheet, block, cell, column_of, row_of
from xlmodel.workbook.sheets.printed_figures import number_format, printed_cell
from xlmodel.workbook.sheets.theme import put, put_text

TITLE = "Trends"
_CHART_ROWS = 19
_CHART_COLUMNS = 4
_A_ROW = 2  # charts side by side
_WIDTH = 19.0
_FORMS = {"lines": lines, "areas": stacked_areas}


@dataclass(frozen=True)
class Trend:
    """A chart: its words, and the figures of each series by date."""

    title: str
    axis: str
    form: str
    series: Mapping[str, Mapping[dt.date, Key]]

    @property
    def dates(self) -> list[dt.date]:
        """Where every series is printed."""
        every = [set(points) for points in self.series.values()]
        return sorted(set.intersection(*every))


def trends(folder: TableFolder) -> list[Trend]:
    """The charts of a folder.  Raises BadDealFolder for a series of which nothing is printed."""
    return [_trend(entry, folder) for entry in folder.charts]


def _trend(entry: Mapping[str, Any], folder: TableFolder) -> Trend:
    series = {name: _points(wanted, folder) for name, wanted in entry["series"].items()}
    found = Trend(entry["title"], entry["axis"], entry["form"], series)
    if found.form not in _FORMS or len(found.dates) < 2:
        raise BadDealFolder(
            f"the chart {found.title!r} has no two dates on which all of its series are printed",
            remedy=f"correct its series; its form is one of: {', '.join(_FORMS)}",
        ).at(file=str(folder.path / "model.toml"))
    return found


def _points(wanted: str | Sequence[str], folder: TableFolder) -> dict[dt.date, Key]:
    """Figures by date; of several sources the first that prints a date counts."""
    points: dict[dt.date, Key] = {}
    for source in [wanted] if isinstance(wanted, str) else wanted:
        name, _, span = source.partition("@")
        months = int(span.removesuffix(" months")) if span else 0
        for key in folder.figures:
            period = read_period(key.period)
            if f"{key.table}/{key.row}:{key.measure}" == name and period and period.months == months:
                points.setdefault(period.end, key)
    return points


def _placed(folder: TableFolder) -> Iterator[tuple[Trend, Block, Block]]:
    """Each chart with the block that it covers, and the block of its columns below all charts."""
    listed = trends(folder)
    rows = -(-len(listed) // _A_ROW)
    row = 4 + rows * (_CHART_ROWS + 1) + 2
    for number, trend in enumerate(listed):
        down, right = divmod(number, _A_ROW)
        over = block(
            TITLE,
            4 + down * (_CHART_ROWS + 1),
            1 + right * _CHART_COLUMNS,
            _CHART_ROWS,
            _CHART_COLUMNS,
        )
        yield trend, over, block(TITLE, row, 1, len(trend.dates), 1 + len(trend.series))
        row += len(trend.dates) + 4


def place(folder: TableFolder) -> Mapping[str, Block]:
    return {f"trend {trend.title}": columns for trend, _, columns in _placed(folder)}


def write(sheet: Worksheet, folder: TableFolder, layout: Layout) -> None:
    theme.head(
        sheet, folder.title, TITLE, "What the tables print, over time; straight lines join what is printed."
    )
    theme.widths(sheet, 1, *([_WIDTH] * _CHART_COLUMNS * _A_ROW))
    ends = []
    for trend, over, columns in _placed(folder):
        put(sheet, columns.top - 2, 1, trend.title, theme.SECTION)
        headings = Block(TITLE, columns.top - 1, 1, columns.top - 1, columns.right)
        put(sheet, headings.top, 1, "Date", theme.TEXT_HEADING)
        for offset, name in enumerate(trend.series, start=1):
            put_text(sheet, headings.top, 1 + offset, name, theme.HEADING)
        theme.lines(sheet, headings.top, 2)
        form = _columns(sheet, folder, layout, trend, columns)
        months = round((trend.dates[-1] - trend.dates[0]).days / 30.4)
        frame = Frame(trend.title, trend.axis, form, over, months, date_axis="", points=True)
        curves = [
            Curve(cell(row_of(headings, 0), 0, n).text(), column_of(columns, n).text())
            for n in range(1, 1 + len(trend.series))
        ]
        _FORMS[trend.form](sheet, frame, column_of(columns, 0).text(), curves)
        ends.append(columns.bottom)
    sheet.freeze_panes = "A3"
    charts = max(over.bottom for _, over, _ in _placed(folder))
    whole = Block(TITLE, 1, 1, ends[-1], _CHART_COLUMNS * _A_ROW)
    theme.print_in_parts(sheet, printed=whole, title_rows=(1, 2), ends=[charts + 1, ends[-1]])


def _columns(sheet: Worksheet, folder: TableFolder, layout: Layout, trend: Trend, columns: Block) -> str:
    """Dates and figures; -> the number format of the figures."""
    form = theme.COUNT
    for row, day in enumerate(trend.dates):
        put(sheet, columns.top + row, 1, float(to_serial(day)), theme.KEY, theme.DATE)
        for offset, points in enumerate(trend.series.values(), start=1):
            figure = folder.figures[points[day]]
            value = f"={printed_cell(layout, figure.key)}"
            put(sheet, columns.top + row, 1 + offset, value, theme.RIGHT, number_format(figure))
            form = theme.TENTH_PERCENT if figure.form is Form.PERCENT else theme.COUNT
    return form


SHEET = Sheet(TITLE, place, write)
