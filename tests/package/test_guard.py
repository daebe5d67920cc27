"""What is opened, and the limits.  What is refused: test_guard_refusals.py and test_bad_workbooks.py."""

from __future__ import annotations

import io

import openpyxl
import pytest

from tests.package.packages import (
    LINK,
    RELS,
    changed,
    package,
    parts,
    relationship,
    relationships,
    sheet,
    with_link,
    zipped,
)
from xlmodel.errors import (
    EncryptedPackage,
    NotAWorkbook,
    UnsafePackage,
    XlmodelError,
)
from xlmodel.package import guard
from xlmodel.package.guard import open_package

MACROS = {"/xl/workbook.xml": "application/vnd.ms-excel.sheet.macroEnabled.main+xml"}
RELS_OF_BOOK = "xl/_rels/workbook.xml.rels"


def test_sheets_names_and_parts() -> None:
    opened = package(
        parts(
            {"Pool & terms": sheet(""), "Tie-out": sheet("")},
            names=(
                "<definedName name=\"Decrement\">'Tie-out'!$B$5:$U$49</definedName>"
                '<definedName name="_xlnm.Print_Area" localSheetId="0">A1:B2</definedName>'
                '<definedName name="Odd">"a &amp;"&amp;" b"</definedName>'
            ),
        )
    )
    assert opened.sheets == {
        "Pool & terms": "xl/worksheets/sheet1.xml",
        "Tie-out": "xl/worksheets/sheet2.xml",
    }
    assert opened.defined_names == {"Decrement": "'Tie-out'!$B$5:$U$49", "Odd": '"a &"&" b"'}
    assert opened.workbook == "xl/workbook.xml"
    assert opened.parts == tuple(parts({"Pool & terms": b"", "Tie-out": b""}))
    assert opened.external_links == ()


def test_a_workbook_by_openpyxl() -> None:
    workbook = openpyxl.Workbook()
    workbook.create_sheet("Second")
    workbook.create_chartsheet("Chart")
    buffer = io.BytesIO()
    workbook.save(buffer)
    opened = open_package(buffer.getvalue(), name="deal.xlsx")
    assert list(opened.sheets) == ["Sheet", "Second"]


def test_targets_may_be_absolute_escaped_or_in_another_case() -> None:
    content = parts({"A": sheet(""), "B": sheet(""), "C": sheet("")})
    content["xl/_rels/workbook.xml.rels"] = relationships(
        relationship("rId1", "worksheet", "/xl/worksheets/sheet1.xml"),
        relationship("rId2", "worksheet", "../xl/worksheets/./Sheet2.xml"),
        relationship("rId3", "worksheet", "worksheets/sheet%33.xml"),
    )
    assert list(package(content).sheets.values()) == [f"xl/worksheets/sheet{n}.xml" for n in (1, 2, 3)]


def test_a_workbook_part_elsewhere() -> None:
    content = {name.replace("xl/", "book/"): data.replace(b"xl/", b"book/") for name, data in parts().items()}
    opened = package(content)
    assert (opened.workbook, opened.sheets) == ("book/workbook.xml", {"Sheet": "book/worksheets/sheet1.xml"})


@pytest.mark.parametrize("name", ["deal.xlsm", "DEAL.XLSM", "a.xlsx.xlsm", "deal.xltm"])
def test_macros_are_carried_where_the_extension_promises_them(name: str) -> None:
    content = parts(extra={"xl/vbaProject.bin": b"\0"}, types=MACROS)
    assert "xl/vbaProject.bin" in package(content, name=name).parts
    kind = "http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet"
    sheets = changed(RELS_OF_BOOK, f"{RELS}/worksheet".encode(), kind.encode())
    assert package(sheets, name=name).sheets == {}


@pytest.mark.parametrize("name", ["deal.xlsx", "deal", "deal.xlsm.xlsx", "deal.xls"])
def test_macros_are_refused_where_it_does_not(name: str) -> None:
    with pytest.raises(UnsafePackage, match="macros"):
        package(parts(types=MACROS), name=name)


@pytest.mark.parametrize(
    ("content", "target", "links"),
    [
        ('<externalBook r:id="rId1" xmlns:r="x"/>', "file:///other.xlsx", ("file:///other.xlsx",)),
        ("<externalBook/>", "", (LINK,)),
    ],
)
def test_external_links_are_named_not_followed(content: str, target: str, links: tuple[str, ...]) -> None:
    assert package(with_link(content, target=target)).external_links == links


def test_doctype_letters_that_are_no_doctype() -> None:
    content = parts(extra={"customXml/item1.xml": b"<a><!-- <!DOCTYPE a> --><![CDATA[<!DOCTYPE a>]]></a>"})
    assert "customXml/item1.xml" in package(content).parts


def test_parts_that_are_not_read_may_be_in_any_encoding_and_shape() -> None:
    content = parts(
        extra={
            "customXml/item1.xml": "<a>é</a>".encode("utf-16"),
            "xl/drawings/vmlDrawing1.vml": b"<xml><br></xml>",
            "xl/media/page.bin": b"<!DOCTYPE html><html>",
        }
    )
    assert len(package(content).parts) == len(content)


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../x.xml",
        "xl/../../x.xml",
        "xl/./x.xml",
        "xl//x.xml",
        "xl\\x.xml",
        "..\\x.xml",
        "C:/x.xml",
        "xl/%2e%2e/%2e%2e/x.xml",
        "xl/%2Fx.xml/..",
        "xl/a\x01.xml",
    ],
)
def test_part_names_that_lead_out_are_refused(name: str) -> None:
    with pytest.raises(UnsafePackage, match="part name") as caught:
        package(parts(extra={name: b""}))
    assert caught.value.place.part == name


@pytest.mark.parametrize("twin", ["xl/workbook.xml", "XL/Workbook.xml", "xl/work%62ook.xml"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_parts_of_one_name_are_refused(twin: str) -> None:
    data = zipped([*parts().items(), (twin, b"<evil/>")])
    with pytest.raises(UnsafePackage, match="same name") as caught:
        open_package(data, name="deal.xlsx")
    assert caught.value.place.part == twin


@pytest.mark.parametrize(
    ("limit", "value", "words"),
    [
        ("MAX_PARTS", 4, "5 parts"),
        ("MAX_PART", 100, "declares"),
        ("MAX_TOTAL", 1000, "package declares"),
        ("MAX_RATIO", 2, "compressed more than 2 times"),
    ],
)
def test_limits(monkeypatch: pytest.MonkeyPatch, limit: str, value: int, words: str) -> None:
    package()
    monkeypatch.setattr(guard, "RATIO_FROM", 100)
    monkeypatch.setattr(guard, limit, value)
    with pytest.raises(UnsafePackage, match=words):
        package()


def test_a_part_of_numbers_is_far_from_the_ratio() -> None:
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>{n / 7}</v></c></row>' for n in range(1, 30_000))
    opened = package(parts({"Numbers": sheet(rows)}))
    member = opened.members[opened.sheets["Numbers"]]
    assert member.size > guard.RATIO_FROM
    assert member.size < 20 * member.packed_size


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), NotAWorkbook, "old .xls"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            EncryptedPackage,
            "password",
        ),
    ],
)
def test_ole_files(data: bytes, error: type[XlmodelError], words: str) -> None:
    with pytest.raises(error, match=words):
        open_package(data, name="deal.xlsx")
