"""The copies of cells that charts keep."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import openpyxl
import pytest
from openpyxl.chart import LineChart, Reference

from tests.package.packages import TYPE, package, parts, sheet
from xlmodel.errors import CannotSplice, DamagedPackage
from xlmodel.package.address import Block
from xlmodel.package.charts import MAX_POINTS, refresh_caches
from xlmodel.package.guard import open_package
from xlmodel.package.parts import Package
from xlmodel.package.values import ErrorCode, Value

C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
PART = "xl/charts/chart1.xml"


def chart(series: str) -> bytes:
    return f'<c:chartSpace xmlns:c="{C}"><c:ser>{series}</c:ser></c:chartSpace>'.encode()


def with_chart(xml: bytes, names: str = "") -> Package:
    return package(
        parts(
            {"Tie-out": sheet(""), "Pool": sheet("")},
            names=names,
            extra={PART: xml},
            types={f"/{PART}": f"{TYPE}.drawingml.chart+xml"},
        )
    )


class Cells:
    """The values of every block asked for, in one row, and what was asked."""

    def __init__(self, *values: Value) -> None:
        self.values = values
        self.asked: list[tuple[str, str]] = []

    def __call__(self, name: str, block: Block) -> Sequence[Sequence[Value]]:
        self.asked.append((name, block.text(absolute=False)))
        return [[value] for value in self.values]


def refreshed(series: str, *values: Value, names: str = "") -> str:
    """The series after the refresh."""
    new = refresh_caches(with_chart(chart(series), names), Cells(*values))
    xml = new.get(PART, chart(series)).decode()
    return xml.removeprefix(f'<c:chartSpace xmlns:c="{C}"><c:ser>').removesuffix("</c:ser></c:chartSpace>")


def points(*texts: str | None) -> str:
    """ptCount and points as cached, ``None`` for one that is not."""
    listed = "".join(
        f'<c:pt idx="{index}"><c:v>{text}</c:v></c:pt>'
        for index, text in enumerate(texts)
        if text is not None
    )
    return f'<c:ptCount val="{len(texts)}"/>{listed}'


def numbers(cached: str, formula: str = "Pool!$A$1:$A$3") -> str:
    return f"<c:numRef><c:f>{formula}</c:f>{cached}</c:numRef>"


def texts(cached: str) -> str:
    return f"<c:strRef><c:f>Pool!$A$1:$A$3</c:f>{cached}</c:strRef>"


GENERAL = "<c:formatCode>General</c:formatCode>"


# Each: the points as cached, the values of the cells, the points as they must become.
NUMBERS: dict[str, tuple[tuple[str | None, ...], tuple[Value, ...], tuple[str | None, ...]]] = {
    "equal": (("1", "2.5"), (1.0, 2.5), ("1", "2.5")),
    "equal to 15 digits": (("0.3", "0.30000000000000004"), (0.1 + 0.2, 0.3), ("0.3", "0.30000000000000004")),
    "spelt otherwise": (("1.0", "2.5E0"), (1.0, 2.5), ("1.0", "2.5E0")),
    "one differs": (("1", "2.5"), (1.0, 2.6), ("1", "2.6")),
    "fewer": (("1", "2", "3"), (1.0, 2.0), ("1", "2")),
    "more": (("1",), (1.0, 2.0), ("1", "2")),
    "a blank": (("1", "2"), (None, 2.0), (None, "2")),
    "no longer blank": ((None, "2"), (1.0, 2.0), ("1", "2")),
    "an error": (("1", "2"), (ErrorCode("#N/A"), 2.0), (None, "2")),
    "an error as cached": (("#N/A", "2"), (ErrorCode("#N/A"), 2.0), ("#N/A", "2")),
    "another error": (("#N/A", "2"), (ErrorCode("#NUM!"), 2.0), (None, "2")),
    "a text as cached": (("0", "2"), ("x", 3.0), ("0", "3")),
    "a text": ((None, "2"), ("x", 3.0), (None, "3")),
    "a truth": (("0", "2"), (True, 2.0), ("1", "2")),
}


@pytest.mark.parametrize("case", NUMBERS)
def test_cached_numbers(case: str) -> None:
    before, values, after = NUMBERS[case]
    frame = numbers("<c:numCache><c:formatCode>0.00%</c:formatCode>{}</c:numCache>")
    assert refreshed(frame.format(points(*before)), *values) == frame.format(points(*after))
    assert refreshed(frame.format(points(*after)), *values) == frame.format(points(*after))


TEXTS: dict[str, tuple[tuple[str | None, ...], tuple[Value, ...], tuple[str | None, ...]]] = {
    "equal": (("A-1", "A-2"), ("A-1", "A-2"), ("A-1", "A-2")),
    "one differs": (("A-1", "A-2"), ("A-1", "B"), ("A-1", "B")),
    "markup": (("A-1",), ("A & B",), ("A &amp; B",)),
    "a blank": (("A-1", "A-2"), (None, "A-2"), (None, "A-2")),
    "an error": (("A-1",), (ErrorCode("#REF!"),), ("#REF!",)),
    "a truth": (("A-1",), (True,), ("TRUE",)),
    "a number": (("1", "2"), (1.0, 3.0), ("1", "3")),
    "a number where none was": ((None, "2"), (1.0, 2.0), ("1", "2")),
    "a number in a format": (("Dec-99", "Jan-00"), (36_509.0, 36_540.0), ("Dec-99", "Jan-00")),
}


@pytest.mark.parametrize("case", TEXTS)
def test_cached_texts(case: str) -> None:
    before, values, after = TEXTS[case]
    frame = texts("<c:strCache>{}</c:strCache>")
    assert refreshed(frame.format(points(*before)), *values) == frame.format(points(*after))
    assert refreshed(frame.format(points(*after)), *values) == frame.format(points(*after))


@pytest.mark.parametrize("cached", ["", "<c:numCache/>", "<c:numCache />"])
def test_missing_numbers_are_added(cached: str) -> None:
    assert refreshed(numbers(cached), 1.0, None, 2.5) == numbers(
        f"<c:numCache>{GENERAL}{points('1', None, '2.5')}</c:numCache>"
    )


@pytest.mark.parametrize("cached", ["", "<c:strCache/>"])
def test_missing_texts_are_added(cached: str) -> None:
    assert refreshed(texts(cached), "A-1", " B") == texts(
        '<c:strCache><c:ptCount val="2"/><c:pt idx="0"><c:v>A-1</c:v></c:pt>'
        '<c:pt idx="1"><c:v xml:space="preserve"> B</c:v></c:pt></c:strCache>'
    )


@pytest.mark.parametrize(
    ("cached", "after"),
    [
        ("<c:numCache></c:numCache>", f"<c:numCache>{points('1')}</c:numCache>"),
        (f"<c:numCache>{GENERAL}</c:numCache>", f"<c:numCache>{GENERAL}{points('1')}</c:numCache>"),
        (
            "<c:numCache><c:formatCode/></c:numCache>",
            f"<c:numCache><c:formatCode/>{points('1')}</c:numCache>",
        ),
        (
            f"<c:numCache>{points('9')}<c:extLst><c:ext/></c:extLst></c:numCache>",
            f"<c:numCache>{points('1')}<c:extLst><c:ext/></c:extLst></c:numCache>",
        ),
        (
            '<c:numCache><c:ptCount val="1"></c:ptCount>'
            '<c:pt idx="0" formatCode="0&quot;a&quot;"><c:v>9</c:v></c:pt></c:numCache>',
            '<c:numCache><c:ptCount val="1"/>'
            '<c:pt idx="0" formatCode="0&quot;a&quot;"><c:v>1</c:v></c:pt></c:numCache>',
        ),
    ],
)
def test_what_stands_around_the_points_stays(cached: str, after: str) -> None:
    assert refreshed(numbers(cached) + "<c:x/>", 1.0) == numbers(after) + "<c:x/>"


def test_equal_points_stay_however_they_are_spelt() -> None:
    spelt = '<c:numCache ><c:ptCount  val="1"></c:ptCount>\n<c:pt idx="0" ><c:v>1</c:v></c:pt></c:numCache>'
    assert refreshed(numbers(spelt), 1.0) == numbers(spelt)
    assert refreshed(numbers(spelt), 2.0) == numbers(f"<c:numCache >{points('2')}</c:numCache>")
    assert refreshed(numbers(spelt), 1.0, None) == numbers(
        '<c:numCache ><c:ptCount val="2"/><c:pt idx="0"><c:v>1</c:v></c:pt></c:numCache>'
    )


def test_every_reference_is_seen_for_itself() -> None:
    levels = "<c:multiLvlStrRef><c:f>Gone!$A$1</c:f></c:multiLvlStrRef>"
    both = numbers("{}") + levels + texts("{}") + "<c:tx><c:v>7</c:v></c:tx>"
    assert refreshed(both.format("", ""), 1.0) == both.format(
        f"<c:numCache>{GENERAL}{points('1')}</c:numCache>", f"<c:strCache>{points('1')}</c:strCache>"
    )


REFERENCES: list[tuple[str, str, list[tuple[str, str]]]] = [
    ("Pool!$A$1:$A$3", "", [("Pool", "Pool!A1:A3")]),
    ("pool!$A$1", "", [("Pool", "pool!A1")]),
    ("'Tie-out'!$B$5:$B$49", "", [("Tie-out", "'Tie-out'!B5:B49")]),
    ("(Pool!$A$1,'Tie-out'!$A$3)", "", [("Pool", "Pool!A1"), ("Tie-out", "'Tie-out'!A3")]),
    ("[0]!Speeds", "Pool!$A$1:$A$3", [("Pool", "Pool!A1:A3")]),
    ("Pool!Speeds", "Pool!$A$1:$A$3", [("Pool", "Pool!A1:A3")]),
]


@pytest.mark.parametrize(("formula", "name", "asked"), REFERENCES)
def test_references(formula: str, name: str, asked: list[tuple[str, str]]) -> None:
    names = f'<definedName name="Speeds">{name}</definedName>' if name else ""
    cells = Cells(1.0)
    new = refresh_caches(with_chart(chart(numbers("", formula)), names), cells)
    assert cells.asked == asked
    assert f'<c:ptCount val="{len(asked)}"/>'.encode() in new[PART]


@pytest.mark.parametrize(
    "formula",
    [
        "",
        "[1]Pool!$A$1",
        "'[other.xlsx]Pool'!$A$1",
        "Gone!$A$1",
        "$A$1",
        "#REF!",
        "[0]!Unknown",
        "OFFSET(Pool!$A$1,0,0,3)",
        "Pool!$A:$A",
        f"Pool!$A$1:$A${MAX_POINTS + 1}",
    ],
)
def test_references_that_are_left_alone(formula: str) -> None:
    cells = Cells(1.0)
    assert refresh_caches(with_chart(chart(numbers("", formula))), cells) == {}
    assert cells.asked == []


def test_charts_without_references_are_left_alone() -> None:
    xml = chart(
        f"<c:numLit>{points('1')}</c:numLit><c:multiLvlStrRef><c:f>Pool!$A$1:$B$2</c:f></c:multiLvlStrRef>"
    )
    assert refresh_caches(with_chart(xml), Cells(2.0)) == {}


def test_a_number_that_is_not_finite_is_refused() -> None:
    with pytest.raises(CannotSplice) as caught:
        refreshed(numbers(""), math.nan)
    assert str(caught.value.place) == f"deal.xlsx, part {PART}"


@pytest.mark.parametrize("index", ["", "-1", "x", "99999999"])
def test_points_numbered_by_nonsense_are_refused(index: str) -> None:
    with pytest.raises(DamagedPackage, match="point numbered"):
        refreshed(numbers(f'<c:numCache><c:pt idx="{index}"><c:v>1</c:v></c:pt></c:numCache>'), 1.0)


def test_a_chart_by_openpyxl_gets_its_caches_once() -> None:
    workbook = openpyxl.Workbook()
    page = workbook.worksheets[0]
    page.title = "Tie-out"
    rows: list[list[Value]] = [["Month", "Class A-1"], [1, 1.0], [2, 0.9], [3, 0.75]]
    for row in rows:
        page.append(row)
    line = LineChart()
    line.add_data(Reference(page, min_col=2, min_row=1, max_row=4), titles_from_data=True)
    line.set_categories(Reference(page, min_col=1, min_row=2, max_row=4))
    page.add_chart(line)
    buffer = io.BytesIO()
    workbook.save(buffer)
    opened = open_package(buffer.getvalue(), name="deal.xlsx")

    def values(_: str, block: Block) -> list[list[Value]]:
        return [row[block.left - 1 : block.right] for row in rows[block.top - 1 : block.bottom]]

    new = refresh_caches(opened, values)
    assert list(new) == [PART]
    copy = opened.replace(new)
    page = openpyxl.load_workbook(io.BytesIO(copy)).worksheets[0]
    read = page._charts[0].series[0]  # type: ignore[attr-defined]  # openpyxl has no public way
    assert [point.v for point in read.val.numRef.numCache.pt] == [1.0, 0.9, 0.75]
    assert [point.v for point in read.cat.numRef.numCache.pt] == [1, 2, 3]
    assert [point.v for point in read.tx.strRef.strCache.pt] == ["Class A-1"]
    assert refresh_caches(open_package(copy, name="deal.xlsx"), values) == {}
