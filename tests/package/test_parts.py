"""Parts by name, and a copy with some of them replaced."""

from __future__ import annotations

import io
import zipfile

import pytest

from tests.package.packages import DATE, package, parts, relationship, relationships, sheet
from xlmodel.errors import DamagedPackage
from xlmodel.package.guard import open_package
from xlmodel.package.relationships import read_content_types, relationships_part

FIRST = "xl/worksheets/sheet1.xml"


def raw(data: bytes) -> dict[str, bytes]:
    """Every member with its header and compressed bytes, as they stand in the file."""
    members = open_package(data, name="deal.xlsx").members
    return {name: data[member.start : member.end] for name, member in members.items()}


def test_only_what_is_replaced_changes() -> None:
    before = package()
    new = sheet('<row r="1"><c r="A1"><v>2</v></c></row>')
    data = before.replace({FIRST: new})
    after = open_package(data, name="deal.xlsx")
    assert after.read(FIRST) == new
    assert after.parts == before.parts
    kept, copied = raw(before.data), raw(data)
    assert {name for name in kept if kept[name] != copied[name]} == {FIRST}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        assert archive.getinfo(FIRST).date_time == DATE
    assert before.replace({FIRST: new}) == data
    assert after.replace({FIRST: before.read(FIRST)}) == before.data


def test_equal_content_is_no_change() -> None:
    before = package()
    assert before.replace({part: before.read(part) for part in before.parts}) == before.data
    assert before.replace({}) == before.data


def test_a_missing_part_is_named() -> None:
    with pytest.raises(DamagedPackage, match="missing") as caught:
        package().read("xl/none.xml")
    assert str(caught.value.place) == "deal.xlsx, part xl/none.xml"
    with pytest.raises(DamagedPackage, match="missing"):
        package().replace({"xl/none.xml": b""})
    with pytest.raises(DamagedPackage, match="missing"):
        package().replace({}, drop=["xl/none.xml"])


def test_parts_are_unpacked_once() -> None:
    opened = package()
    assert opened.read(FIRST) is opened.read(FIRST)
    assert opened.scan(FIRST) is opened.scan(FIRST)


def test_folders_are_carried_but_are_no_parts() -> None:
    content = {"xl/": b""} | parts()
    opened = package(content)
    assert opened.parts == tuple(parts())
    assert "xl/" in zipfile.ZipFile(io.BytesIO(opened.replace({FIRST: sheet("")}))).namelist()


def test_names_are_found_in_any_case() -> None:
    opened = package()
    assert opened.find("XL/Worksheets/SHEET1.xml") == FIRST
    assert opened.find("xl/none.xml") is None


@pytest.mark.parametrize(
    ("part", "rels"),
    [("", "_rels/.rels"), ("xl/workbook.xml", "xl/_rels/workbook.xml.rels"), ("a.xml", "_rels/a.xml.rels")],
)
def test_where_relationships_are_kept(part: str, rels: str) -> None:
    assert relationships_part(part) == rels


def test_relationships_of_a_part() -> None:
    rels = relationships(
        relationship("rId1", "chart", "../charts/Chart1.xml"),
        relationship("rId2", "hyperlink", "https://example.invalid/#a", "External"),
    )
    opened = package(
        parts(extra={"xl/drawings/_rels/drawing1.xml.rels": rels, "xl/charts/chart1.xml": b"<c/>"})
    )
    chart, link = opened.relationships("xl/drawings/drawing1.xml")
    assert (chart.identifier, chart.target, chart.external) == ("rId1", "xl/charts/chart1.xml", False)
    assert (link.target, link.external) == ("https://example.invalid/#a", True)
    assert opened.relationships("xl/charts/chart1.xml") == []


def test_content_types_go_by_name_or_else_by_extension() -> None:
    types = read_content_types(
        b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        b'<Default Extension="XML" ContentType="application/xml"/>'
        b'<Default Extension="bin" ContentType="a/Printer"/>'
        b'<Override PartName="/xl/Workbook.xml" ContentType="a/Workbook+xml"/></Types>'
    )
    assert types.of("XL/workbook.xml") == "a/workbook+xml"
    assert types.of("xl/other.xml") == "application/xml"
    assert types.of("xl/printerSettings1.BIN") == "a/printer"
    assert types.of("xl/workbook.vml") == types.of("") == ""


def test_parts_by_content_type() -> None:
    assert package().of_type("worksheet+xml") == [FIRST]
    assert package().of_type("chart+xml") == []
