"""What is opened and what is refused, by name and place.  See also test_bad_workbooks.py."""

from __future__ import annotations

import io
import random

import openpyxl
import pytest

from tests.package.packages import (
    MAIN,
    RELS,
    TYPE,
    package,
    parts,
    relationship,
    relationships,
    sheet,
    zipped,
)
from xlmodel.errors import (
    DamagedPackage,
    EncryptedPackage,
    NotAWorkbook,
    UnsafePackage,
    UnsupportedFeature,
    XlmodelError,
)
from xlmodel.package import guard
from xlmodel.package.guard import open_package

LINK = "xl/externalLinks/externalLink1.xml"
MACROS = {"/xl/workbook.xml": "application/vnd.ms-excel.sheet.macroEnabled.main+xml"}
VBA = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"


def with_link(content: str, *, target: str = "") -> dict[str, bytes]:
    return parts(
        extra={
            LINK: f'<externalLink xmlns="{MAIN}">{content}</externalLink>'.encode(),
            "xl/externalLinks/_rels/externalLink1.xml.rels": relationships(
                *([relationship("rId1", "externalLinkPath", target, "External")] if target else [])
            ),
        },
        types={f"/{LINK}": f"{TYPE}.spreadsheetml.externalLink+xml"},
        workbook_relationships=[relationship("rIdL", "externalLink", "externalLinks/externalLink1.xml")],
        workbook_tail='<externalReferences><externalReference r:id="rIdL"/></externalReferences>',
    )


# --- what is opened ------------------------------------------------------------------------------


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


# --- what is refused -----------------------------------------------------------------------------


def changed(part: str, old: bytes, new: bytes) -> dict[str, bytes]:
    content = parts()
    assert old in content[part]
    return content | {part: content[part].replace(old, new)}


def without(part: str) -> dict[str, bytes]:
    content = parts()
    del content[part]
    return content


BOOK, TYPES, ROOT, RELS_OF_BOOK = (
    "xl/workbook.xml", "[Content_Types].xml", "_rels/.rels", "xl/_rels/workbook.xml.rels",
)  # fmt: skip
FIRST = "xl/worksheets/sheet1.xml"
OFFICE_STRICT = b"http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"
DTD = b"<!DOCTYPE a><a/>"
NOISE = random.Random(7).randbytes(1 << 19).hex().encode()

REFUSED: dict[str, tuple[dict[str, bytes], type[XlmodelError], str | None, str]] = {
    # the kind of file
    "any zip": ({"readme.txt": b"hello"}, NotAWorkbook, None, "no [Content_Types].xml"),
    "no root relationships": (without(ROOT), NotAWorkbook, None, "no _rels/.rels"),
    "no main part": (parts() | {ROOT: relationships()}, NotAWorkbook, ROOT, "no main part"),
    "a main part outside": (
        parts() | {ROOT: relationships(relationship("rId1", "officeDocument", "http://x", "External"))},
        NotAWorkbook,
        ROOT,
        "no main part",
    ),
    "a document": (
        changed(TYPES, b"spreadsheetml.sheet", b"wordprocessingml.document"),
        NotAWorkbook,
        BOOK,
        "no workbook",
    ),
    "no content type": (
        changed(TYPES, b"/xl/workbook.xml", b"/xl/other.xml"),
        NotAWorkbook,
        BOOK,
        "no workbook",
    ),
    "another root": (
        changed(BOOK, b"workbook xmlns", b"notebook xmlns") | {BOOK: f'<notebook xmlns="{MAIN}"/>'.encode()},
        NotAWorkbook,
        BOOK,
        "no workbook",
    ),
    "binary": (
        parts(types={"/xl/workbook.xml": "application/vnd.ms-excel.sheet.binary.macroEnabled.main"}),
        NotAWorkbook,
        BOOK,
        "xlsb",
    ),
    # strict and 1904
    "strict relationship": (
        changed(ROOT, f"{RELS}/officeDocument".encode(), OFFICE_STRICT),
        UnsupportedFeature,
        None,
        "Strict",
    ),
    "strict namespace": (
        changed(BOOK, MAIN.encode(), b"http://purl.oclc.org/ooxml/spreadsheetml/main"),
        UnsupportedFeature,
        BOOK,
        "Strict",
    ),
    "strict by attribute": (
        changed(BOOK, b"<workbook ", b'<workbook conformance="strict" '),
        UnsupportedFeature,
        BOOK,
        "Strict",
    ),
    "1904": (parts(properties='<workbookPr date1904="true"/>'), UnsupportedFeature, BOOK, "1904"),
    # broken parts
    "no workbook part": (without(BOOK), DamagedPackage, BOOK, "missing"),
    "no sheet part": (without(FIRST), DamagedPackage, FIRST, "missing"),
    "no relationships": (without(RELS_OF_BOOK), DamagedPackage, BOOK, "no part"),
    "a sheet outside": (
        parts() | {RELS_OF_BOOK: relationships(relationship("rId1", "worksheet", "http://x", "External"))},
        DamagedPackage,
        BOOK,
        "no part",
    ),
    "two sheets of one name": (
        parts({"Pool": sheet(""), "POOL": sheet("")}),
        DamagedPackage,
        BOOK,
        "same name",
    ),
    "two sheets of one part": (
        changed(BOOK, b"</sheets>", b'<sheet name="Twin" sheetId="2" r:id="rId1"/></sheets>'),
        DamagedPackage,
        BOOK,
        "same name or part",
    ),
    "a link without part": (
        parts(workbook_tail='<externalReferences><externalReference r:id="rId9"/></externalReferences>'),
        DamagedPackage,
        BOOK,
        "no part",
    ),
    "workbook not well-formed": (
        changed(BOOK, b"</workbook>", b"</workbok>"),
        DamagedPackage,
        BOOK,
        "mismatched",
    ),
    "types not well-formed": (changed(TYPES, b"</Types>", b""), DamagedPackage, TYPES, "no element"),
    "rels not well-formed": (
        changed(RELS_OF_BOOK, b"</Rel", b"<Rel"),
        DamagedPackage,
        RELS_OF_BOOK,
        "not well",
    ),
    "workbook in UTF-16": (
        parts() | {BOOK: parts()[BOOK].decode().encode("utf-16")},
        UnsupportedFeature,
        BOOK,
        "UTF-16",
    ),
    # DTDs anywhere
    "dtd in types": (parts() | {TYPES: DTD}, UnsafePackage, TYPES, "DTD"),
    "dtd in a sheet": (parts() | {FIRST: DTD}, UnsafePackage, FIRST, "DTD"),
    "dtd in a theme": (
        parts(extra={"xl/theme/theme1.xml": DTD}),
        UnsafePackage,
        "xl/theme/theme1.xml",
        "DTD",
    ),
    "dtd in rels": (
        parts(extra={"xl/theme/_rels/theme1.xml.rels": DTD}),
        UnsafePackage,
        "xl/theme/_rels/theme1.xml.rels",
        "DTD",
    ),
    "dtd by content type": (
        parts(extra={"xl/odd.bin": DTD}, types={"/xl/odd.bin": "application/odd+xml"}),
        UnsafePackage,
        "xl/odd.bin",
        "DTD",
    ),
    "dtd in UTF-16": (
        parts(extra={"a.xml": "<!DOCTYPE a><a/>".encode("utf-16")}),
        UnsafePackage,
        "a.xml",
        "DTD",
    ),
    "dtd far in": (
        parts(extra={"a.xml": b"<!--" + NOISE[: (1 << 20) - 8] + b"--><!DOCTYPE a><a/>"}),
        UnsafePackage,
        "a.xml",
        "DTD",
    ),
    "doctype in a broken part": (
        parts(extra={"a.xml": b"<a><!-- <!DOCTYPE -->"}),
        DamagedPackage,
        "a.xml",
        "not well",
    ),
    # macros and DDE
    "a VBA project": (parts(extra={"xl/vbaProject.bin": b"\0"}), UnsafePackage, "xl/vbaProject.bin", "VBA"),
    "a VBA project by type": (
        parts(extra={"xl/x.bin": b"\0"}, types={"/xl/x.bin": "application/vnd.ms-office.vbaProject"}),
        UnsafePackage,
        "xl/x.bin",
        "VBA",
    ),
    "macroEnabled": (parts(types=MACROS), UnsafePackage, BOOK, "macroEnabled"),
    "macro sheet": (
        changed(
            RELS_OF_BOOK,
            f"{RELS}/worksheet".encode(),
            b"http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet",
        ),
        UnsafePackage,
        FIRST,
        "macro sheet",
    ),
    "dde": (with_link('<ddeLink ddeService="cmd" ddeTopic="/c calc"/>'), UnsafePackage, LINK, "DDE"),
    "dde in a name": (
        parts(names="<definedName name=\"X\">cmd|'/c calc'!A0</definedName>"),
        UnsafePackage,
        BOOK,
        "DDE",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    content, error, part, words = REFUSED[case]
    with pytest.raises(error) as caught:
        package(content)
    assert type(caught.value) is error
    assert words in caught.value.message
    assert (caught.value.place.file, caught.value.place.part) == ("deal.xlsx", part)
    assert caught.value.advice


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
