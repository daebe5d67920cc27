"""Native charts: balances stacked over time, and curves of what is outstanding.

They refer to cells only; a refresh fills in the numbers that previews show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from openpyxl.chart import AreaChart, BarChart, LineChart
from openpyxl.chart.axis import ChartLines, DateAxis
from openpyxl.chart.data_source import AxDataSource, NumDataSource, NumRef, StrRef
from openpyxl.chart.layout import Layout as ChartLayout
from openpyxl.chart.layout import ManualLayout
from openpyxl.chart.legend import Legend
from openpyxl.chart.marker import Marker
from openpyxl.chart.series import Series, SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.chart.text import RichText, Text
from openpyxl.chart.title import Title
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor
from openpyxl.drawing.text import (
    CharacterProperties,
    Font,
    Paragraph,
    ParagraphProperties,
    RegularTextRun,
    RichTextProperties,
)
from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block, column_letters
from xlmodel.workbook.sheets import theme

# In EMU, 914,400 to the inch: a character of a column's width, and the gap between charts.
_CHARACTER = 66_675
_GAP = 150_000
_SYMBOLS: tuple[Literal["circle", "square", "diamond", "triangle"], ...] = (
    "circle",
    "square",
    "diamond",
    "triangle",
)


@dataclass(frozen=True)
class Curve:
    """One series: the references of its name and of its values."""

    name: str
    values: str


@dataclass(frozen=True)
class Frame:
    """What stands around the curves: titles, number format, cells that it covers, months on the axis.

    ``top``: the largest value of the axis; by default the program chooses, as it does the smallest where
    ``bottom`` is None.  ``points``: whether each value has a marker, where there are few.
    """

    title: str
    value_axis: str
    value_format: str
    over: Block
    months: int
    top: float | None = None
    bottom: float | None = 0
    date_axis: str = "Payment date"
    by_day: bool = False
    points: bool = False

    @property
    def months_a_tick(self) -> int:
        """As many as leave some eight ticks."""
        return next((tick for tick in (1, 2, 3, 6) if self.months <= 8 * tick), 12)


def stacked_areas(sheet: Worksheet, frame: Frame, dates: str, curves: Sequence[Curve]) -> None:
    """Areas on top of each other, the first series at the bottom."""
    chart = AreaChart(grouping="stacked")
    for number, curve in enumerate(curves):
        series = _series(curve, dates, number)
        colour = theme.SERIES[number % len(theme.SERIES)]
        # A white seam keeps neighbours apart where their tones are close.
        series.graphicalProperties = GraphicalProperties(
            solidFill=colour, ln=LineProperties(solidFill="FFFFFF", w=6350)
        )
        chart.series.append(series)
    _place(sheet, chart, frame)


def lines(sheet: Worksheet, frame: Frame, dates: str, curves: Sequence[Curve]) -> None:
    """Lines that differ in colour and in dash; values begin at 0."""
    chart = LineChart()
    for number, curve in enumerate(curves):
        series = _series(curve, dates, number)
        line = LineProperties(
            solidFill=theme.SERIES[number % len(theme.SERIES)],
            w=22225,
            prstDash=theme.DASHES[number % len(theme.DASHES)],
        )
        series.graphicalProperties = GraphicalProperties(ln=line)
        series.marker = _marker(number) if frame.points else Marker(symbol="none")
        series.smooth = False
        chart.series.append(series)
    chart.y_axis.scaling.min, chart.y_axis.scaling.max = frame.bottom, frame.top
    chart.y_axis.majorUnit = frame.top and frame.top / 5
    _place(sheet, chart, frame)


def stacked_columns(sheet: Worksheet, frame: Frame, names: str, curves: Sequence[Curve]) -> None:
    """Columns on top of each other over names; ``frame.months`` is not used."""
    chart = BarChart()
    chart.type, chart.grouping, chart.overlap, chart.gapWidth = "col", "stacked", 100, 60
    for number, curve in enumerate(curves):
        series = _series(curve, names, number)
        series.cat = AxDataSource(strRef=StrRef(f=names))
        series.graphicalProperties = GraphicalProperties(
            solidFill=theme.SERIES[number % len(theme.SERIES)],
            ln=LineProperties(solidFill="FFFFFF", w=6350),
        )
        chart.series.append(series)
    axis = chart.x_axis
    axis.delete = False
    axis.txPr = _text(800)
    axis.tickLblPos = "low"
    axis.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=theme.LINE, w=9525))
    chart.y_axis.number_format = frame.value_format
    chart.y_axis.majorGridlines = ChartLines(
        spPr=GraphicalProperties(ln=LineProperties(solidFill="E1E6EB", w=6350))
    )
    _finish(sheet, chart, frame, [(chart.y_axis, frame.value_axis, True)])


def _marker(number: int) -> Marker:
    colour = theme.SERIES[number % len(theme.SERIES)]
    dot = Marker(symbol=_SYMBOLS[number % len(_SYMBOLS)], size=6)
    dot.spPr = GraphicalProperties(solidFill=colour, ln=LineProperties(solidFill=colour))
    return dot


def _series(curve: Curve, dates: str, number: int) -> Series:
    return Series(
        idx=number,
        order=number,
        tx=SeriesLabel(strRef=StrRef(f=curve.name)),
        val=NumDataSource(numRef=NumRef(f=curve.values)),
        cat=AxDataSource(numRef=NumRef(f=dates)),
    )


def _place(sheet: Worksheet, chart: AreaChart | LineChart, frame: Frame) -> None:
    # Not auto: a program that has no cached dates yet would take them for texts.
    axis = DateAxis(crossAx=100, axPos="b", auto=False, lblOffset=100)
    axis.number_format = "mmm yy"
    axis.majorTimeUnit = "months"
    axis.baseTimeUnit = "days" if frame.by_day else "months"
    axis.majorUnit = frame.months_a_tick
    chart.x_axis = axis
    chart.y_axis.crossAx = axis.axId
    chart.y_axis.number_format = frame.value_format
    chart.y_axis.crossBetween = "midCat"
    chart.y_axis.majorGridlines = ChartLines(
        spPr=GraphicalProperties(ln=LineProperties(solidFill="E1E6EB", w=6350))
    )
    _finish(sheet, chart, frame, [(axis, frame.date_axis, False), (chart.y_axis, frame.value_axis, True)])


def _finish(
    sheet: Worksheet,
    chart: AreaChart | LineChart | BarChart,
    frame: Frame,
    axes: Sequence[tuple[Any, str, bool]],
) -> None:
    """Titles, legend, frame and place; axes with their title and whether it is turned."""
    for one, text, turned in axes:
        one.delete = False  # openpyxl 3.1 leaves axes out unless told
        one.title = _title(text, 900, turned=turned)
        one.txPr = _text(800)
        one.majorTickMark = "out"
        one.tickLblPos = "low"
        one.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=theme.LINE, w=9525))
    chart.title = _title(frame.title, 1100, bold=True)
    chart.legend = Legend(legendPos="b", overlay=False, txPr=_text(800))
    chart.graphical_properties = GraphicalProperties(ln=LineProperties(solidFill=theme.LINE, w=6350))
    chart.roundedCorners = False
    chart.display_blanks = "gap"
    # Room for title above, axis title and legend below, whatever the program's own idea is.
    chart.layout = ChartLayout(
        ManualLayout(layoutTarget="inner", xMode="edge", yMode="edge", x=0.15, y=0.14, w=0.79, h=0.56)
    )
    chart.anchor = _anchor(sheet, frame.over)  # type: ignore[assignment]  # the stubs know texts only
    sheet.add_chart(chart)


def _anchor(sheet: Worksheet, over: Block) -> TwoCellAnchor:
    """From cell to cell: a size in centimetres would overlap where a program's columns are narrower."""
    width = sheet.column_dimensions[column_letters(over.right)].width
    first = AnchorMarker(col=over.left - 1, row=over.top - 1)
    last = AnchorMarker(col=over.right - 1, colOff=int(width * _CHARACTER) - _GAP, row=over.bottom - 1)
    return TwoCellAnchor(editAs="oneCell", _from=first, to=last)


def _characters(size: int, bold: bool = False) -> CharacterProperties:
    return CharacterProperties(sz=size, b=bold, solidFill=theme.INK, latin=Font(typeface=theme.FONT))


def _text(size: int) -> RichText:
    properties = ParagraphProperties(defRPr=_characters(size))
    return RichText(p=[Paragraph(pPr=properties, r=[], endParaRPr=_characters(size))])


def _title(text: str, size: int, *, bold: bool = False, turned: bool = False) -> Title:
    """``turned``: reads from below, beside a vertical axis."""
    run = RegularTextRun(rPr=_characters(size, bold), t=text)
    paragraph = Paragraph(pPr=ParagraphProperties(defRPr=_characters(size, bold)), r=[run])
    body = RichTextProperties(rot=-5_400_000, vert="horz") if turned else RichTextProperties()
    return Title(tx=Text(rich=RichText(bodyPr=body, p=[paragraph])), overlay=False)
