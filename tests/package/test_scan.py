"""Where cells lie: in the common spelling, in any other, and what is refused."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.package.packages import MAIN, sheet
from xlmodel.errors import DamagedPackage, UnsafePackage, UnsupportedFeature, XlmodelError
from xlmodel.package.address import Address
from xlmodel.package.guard import open_package
from xlmodel.package.marks import CellMark, Scan
from xlmodel.package.markup import escaped
from xlmodel.package.scan import scan
from xlmodel.package.scan_any import scan_any
from xlmodel.package.scan_plain import fill_plain


def is_plain(xml: bytes) -> bool:
    """Whether the fast way reads all of a sheet without prefix."""
    found = Scan(data=(0, 0))
    return fill_plain(found, xml, b"", xml.index(b"<sheetData>") + 11, xml.index(b"</sheetData>"))


def told(mark: CellMark) -> dict[str, Any]:
    names = ("start", "end", "kind", "dynamic", "rich", "formula", "formula_text", "value", "inline", "text")
    return {name: getattr(mark, name) for name in names} | {"attributes": dict(mark.formula_attributes)}


def everything(found: Scan) -> tuple[Any, ...]:
    cells = {address: told(mark) for address, mark in found.cells.items()}
    rows = {number: (row.start, row.closing) for number, row in found.rows.items()}
    return cells, rows, found.columns, found.dimension, found.data


# --- one sheet, spelt in many ways ---------------------------------------------------------------

PLAIN = (
    '<row r="2" spans="1:3" s="1" customFormat="1" x14ac:dyDescent="0.25">'
    '<c r="A2" s="3" t="s"><v>0</v></c><c r="C2" t="str"><f>A1&amp;"x"</f><v>1&lt;2</v></c></row>'
    '<row r="4"><c r="B4" s="2"><f t="array" ref="B4:B5">F(A1)</f><v>1.5</v></c><c r="D4"/></row>'
)
AS_WRITTEN = {
    "A2": ("s", None, "0"),
    "C2": ("str", 'A1&"x"', "1<2"),
    "B4": (None, "F(A1)", "1.5"),
    "D4": (None, None, None),
}
SPELLINGS = {
    "plain": PLAIN,
    "indented": PLAIN.replace("><", ">\n    <").replace("<v>\n    ", "<v>"),
    "single quotes": PLAIN.replace('r="A2" s="3"', "r='A2' s='3'"),
    "no references": PLAIN.replace(' r="A2"', "").replace(' r="D4"', ' r="D4"').replace(' r="B4"', ' r="B4"'),
    "lower case": PLAIN.replace('"C2"', '"c2"'),
    "dollars": PLAIN.replace('"C2"', '"$C$2"'),
    "a comment": PLAIN.replace("<v>0", "<!-- <v>9</v> --><v>0"),
    "a comment in a value": PLAIN.replace("1.5", "1<!-- 9 -->.5"),
    "CDATA": PLAIN.replace("F(A1)", "<![CDATA[F(A1)]]>"),
    "an instruction": PLAIN.replace("<v>0", "<?x <v>9</v> ?><v>0"),
    "character references": PLAIN.replace("1.5", "&#49;&#x2E;5"),
    "other order": PLAIN.replace('r="A2" s="3" t="s"', 't="s" s="3" r="A2"'),
    "unknown attribute": PLAIN.replace('r="A2"', 'r="A2" xml:lang="a>b"'),
    "an extension": PLAIN.replace("<v>0</v>", '<v>0</v><extLst><ext><q xmlns="y">8</q></ext></extLst>'),
    "space in tags": PLAIN.replace("<v>0</v>", "<v >0</v\n>"),
    "a cell's namespace repeated": PLAIN.replace('<c r="A2"', f'<c xmlns="{MAIN}" r="A2"'),
}  # fmt: skip


def as_read(found: Scan) -> dict[str, tuple[str | None, str | None, str | None]]:
    return {
        str(address): (mark.kind, mark.formula_text if mark.formula else None, mark.text)
        for address, mark in found.cells.items()
    }


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_says_the_same(spelling: str) -> None:
    xml = sheet(SPELLINGS[spelling], before='<x xmlns:x14ac="x"/>').replace(
        b"<worksheet ", b'<worksheet xmlns:x14ac="x" '
    )
    found = scan(xml)
    assert as_read(found) == AS_WRITTEN
    assert list(found.rows) == [2, 4]
    assert str(found.cells[Address(4, 2)].array()) == "$B$4:$B$5"
    for mark in found.cells.values():
        assert xml[mark.start : mark.end].startswith(b"<c")
        assert xml[mark.start : mark.end].endswith((b"</c>", b"/>"))
        for extent, name in ((mark.formula, b"f"), (mark.value, b"v")):
            if extent:
                element = xml[extent[0] : extent[1]]
                assert element.startswith(b"<" + name)
                assert element.rstrip(b"\n>").endswith(b"</" + name)
    for row in found.rows.values():
        assert xml[row.start :].startswith(b"<row")
        assert xml[row.closing :].startswith(b"</row>")


@pytest.mark.parametrize("prefix", ["x:", "main:", "P:"])
def test_a_prefix_for_the_namespace(prefix: str) -> None:
    xml = sheet(PLAIN.replace("x14ac:", "")).decode().replace("</", "\0").replace("<", f"<{prefix}")
    xml = xml.replace("\0", f"</{prefix}").replace("xmlns=", f"xmlns:{prefix[:-1]}=")
    assert as_read(scan(xml.encode())) == AS_WRITTEN
    assert as_read(scan_any(xml.encode())) == AS_WRITTEN


def test_another_namespace_is_not_ours() -> None:
    xml = sheet('<row r="1"><c r="A1"><v>1</v></c></row>').replace(MAIN.encode(), b"urn:other")
    assert everything(scan(xml)) == ({}, {}, [], None, None)


@pytest.mark.parametrize("element", ["row", "c", "f", "v"])
def test_nor_is_one_declared_further_in(element: str) -> None:
    rows = '<row r="1"><c r="A1"><f t="array" ref="A1">1</f><v>2</v></c></row>'
    xml = sheet(rows.replace(f"<{element}", f'<{element} xmlns="urn:other"').replace("r=", "r="))
    assert everything(scan(xml)) == everything(scan_any(xml))


@pytest.mark.parametrize("stray", ["<!-- </sheetData> -->", "<?x </sheetData> ?>", "<!-- <sheetData> -->"])
def test_what_a_comment_says_is_not_meant(stray: str) -> None:
    xml = sheet('<row r="1"><c r="A1"><v>1</v></c></row>' + stray + '<row r="2"><c r="A2"><v>2</v></c></row>')
    assert {str(address): mark.text for address, mark in scan(xml).cells.items()} == {"A1": "1", "A2": "2"}


def test_the_common_spelling_is_read_the_fast_way() -> None:
    assert is_plain(sheet(PLAIN + '<row r="5" ht="9"/><row r="6" spans="1:2" /><row r="7"></row>'))
    assert not is_plain(sheet(SPELLINGS["a comment"]))
    workbook = openpyxl.Workbook()
    page = workbook.worksheets[0]
    page.append([1, "text <&> é", True, "=A1*2", '=B1&" "', None, 0.1])
    page["A1"].number_format = "0.00"
    buffer = io.BytesIO()
    workbook.save(buffer)
    package = open_package(buffer.getvalue(), name="deal.xlsx")
    assert is_plain(package.read(package.sheets["Sheet"]))


def test_what_stands_around_the_rows() -> None:
    xml = sheet(
        "",
        before='<dimension ref="A1:B2"/><cols><col min="2" max="4" style="7"/><col min="5" max="5"/></cols>',
    )
    found = scan(xml)
    assert found.columns == [(2, 4, "7")]
    assert found.dimension == (xml.index(b"<dimension"), "A1:B2")
    assert found.data
    assert found.data[0] == xml.index(b"<sheetData")
    assert everything(scan_any(xml)) == everything(found)


@pytest.mark.parametrize("empty", ["<sheetData/>", "<sheetData />", "<sheetData></sheetData>", ""])
def test_no_rows(empty: str) -> None:
    found = scan(f'<worksheet xmlns="{MAIN}">{empty}</worksheet>'.encode())
    assert (found.cells, found.rows) == ({}, {})
    assert (found.data is None) is (not empty)


# --- the fast way and the thorough way agree -----------------------------------------------------

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=8).map(
    lambda text: escaped(text).decode()
)
FORMULAS = st.sampled_from(
    ["", "<f>{}</f>", '<f t="shared" si="0"/>', '<f t="array" ref="A1:B2">{}</f>', "<f/>",
     '<f xml:space="preserve">{}</f>', '<f aca="false">{}</f>', '<f t="shared" ref="A1:A9" si="0">{}</f>']
)  # fmt: skip
VALUES = st.sampled_from(
    ["", "<v>{}</v>", "<v/>", "<v />", '<v xml:space="preserve">{}</v>', "<is><t>{}</t></is>",
     '<is><t xml:space="preserve">{}</t></is>', "<is><r><t>{}</t></r><r><t>b</t></r></is>",
     "<is><t>{}</t><rPh><t>no</t></rPh></is>", "<v>{}</v><is><t>no</t></is>"]
)  # fmt: skip
KINDS = st.sampled_from(["", ' t="str"', ' t="inlineStr"', ' t="n"', ' s="4" t="b"', ' t="e" cm="1" vm="2"'])


@st.composite
def spelt_rows(draw: st.DrawFn) -> str:
    rows = ""
    for number in sorted(draw(st.sets(st.integers(1, 30), max_size=5))):
        cells = ""
        for column in sorted(draw(st.sets(st.sampled_from(["A", "B", "Z"]), max_size=3))):
            content = draw(FORMULAS).format(draw(TEXT)) + draw(VALUES).format(draw(TEXT))
            kind = draw(KINDS)
            end = f">{content}</c>" if content or draw(st.booleans()) else "/>"
            cells += f'<c r="{column}{number}"{kind}{end}'
        rows += f'<row r="{number}" spans="1:3">{cells}</row>'
    return rows


@given(spelt_rows())
def test_the_fast_way_finds_what_the_thorough_way_finds(rows: str) -> None:
    xml = sheet(rows, before='<dimension ref="A1"/><cols><col min="1" max="2" style="3"/></cols>')
    assert everything(scan(xml)) == everything(scan_any(xml))


MANGLERS = st.sampled_from(["<!-- -->", "\r\n", "\t", " ", "<v>1</v>", "<", "&", "'", ">"])


@given(spelt_rows(), st.integers(0, 200), MANGLERS)
def test_a_sheet_mangled_anywhere_is_read_alike_or_refused_alike(rows: str, place: int, text: str) -> None:
    place = min(place, len(rows))
    xml = sheet(rows[:place] + text + rows[place:])
    try:
        thorough = everything(scan_any(xml))
    except XlmodelError as error:
        with pytest.raises(type(error)):
            scan(xml)
    else:
        assert everything(scan(xml)) == thorough


# --- what is refused -----------------------------------------------------------------------------

CELL = '<row r="1"><c r="A1"><v>1</v></c></row>'
REFUSED = [
    ("a cell twice", '<row r="1"><c r="A1"/><c r="A1"/></row>', "occurs twice", "A1"),
    ("a row twice", CELL + CELL, "row 1 occurs twice", None),
    ("another row's cell", '<row r="1"><c r="A2"/></row>', "stands in row 1", "A2"),
    ("no reference", '<row r="1"><c r="Rate"/></row>', "'Rate' is not a cell address", None),
    ("beyond the last column", '<row r="1"><c r="XFE1"/></row>', "beyond the last column", None),
    ("pushed beyond it", '<row r="1"><c r="XFD1"/><c/></row>', "beyond the last column", None),
    ("row 0", '<row r="0"/>', "'0' is no row number", None),
    ("row 1048577", '<row r="1048577"/>', "no row number", None),
    ("row x", '<row r="x"/>', "'x' is no row number", None),
    ("a cell outside", '<c r="A1"/>', "outside a row", None),
    ("a row in a row", '<row r="1"><row r="2"/></row>', "out of place", None),
    ("a cell in a cell", '<row r="1"><c r="A1"><c r="B1"/></c></row>', "inside a cell", "A1"),
    ("two formulas", '<row r="1"><c r="A1"><f>1</f><f>2</f></c></row>', "two formulas", "A1"),
    ("two values", '<row r="1"><c r="A1"><v>1</v><v>2</v></c></row>', "two formulas or values", "A1"),
    ("more rows", "</sheetData><sheetData>", "two sets of rows", None),
]


@pytest.mark.parametrize(
    ("rows", "words", "cell"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_damaged(rows: str, words: str, cell: str | None) -> None:
    with pytest.raises(DamagedPackage, match=words) as caught:
        scan(sheet(rows))
    assert caught.value.place.cell == cell


@pytest.mark.parametrize(
    ("xml", "error"),
    [
        (sheet("<row>"), DamagedPackage),
        (sheet(CELL)[:-1], DamagedPackage),
        (b"<!DOCTYPE x>" + sheet(CELL), UnsafePackage),
        (sheet(CELL).decode().encode("utf-16"), UnsupportedFeature),
        (sheet("", before='<cols><col min="1" style="2"/></cols>'), DamagedPackage),
    ],
)
def test_not_read(xml: bytes, error: type[XlmodelError]) -> None:
    with pytest.raises(error):
        scan(xml)
