"""What is refused, by name and place."""

from __future__ import annotations

import random

import pytest

from tests.package.packages import (
    LINK,
    MAIN,
    RELS,
    changed,
    package,
    parts,
    relationship,
    relationships,
    sheet,
    with_link,
    without,
)
from xlmodel.errors import (
    DamagedPackage,
    NotAWorkbook,
    UnsafePackage,
    UnsupportedFeature,
    XlmodelError,
)

MACROS = {"/xl/workbook.xml": "application/vnd.ms-excel.sheet.macroEnabled.main+xml"}
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
