"""Small packages for the tests, written by hand so that every byte is meant."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from html import escape

from xlmodel.package.guard import open_package
from xlmodel.package.parts import Package

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument"
LINK = "xl/externalLinks/externalLink1.xml"
DATE = (1999, 12, 15, 10, 30, 2)


def sheet(rows: str, *, before: str = "", after: str = "") -> bytes:
    """A worksheet part whose sheetData is ``rows``."""
    return f'<worksheet xmlns="{MAIN}">{before}<sheetData>{rows}</sheetData>{after}</worksheet>'.encode()


def relationship(identifier: str, kind: str, target: str, mode: str = "") -> str:
    external = f' TargetMode="{mode}"' if mode else ""
    kind = kind if kind.startswith("http") else f"{RELS}/{kind}"
    return f'<Relationship Id="{identifier}" Type="{kind}" Target="{escape(target)}"{external}/>'


def relationships(*items: str) -> bytes:
    return f'<Relationships xmlns="{PACKAGE}/relationships">{"".join(items)}</Relationships>'.encode()


def parts(
    sheets: Mapping[str, bytes] | None = None,
    *,
    names: str = "",
    properties: str = "",
    strings: bytes | None = None,
    extra: Mapping[str, bytes] | None = None,
    types: Mapping[str, str] | None = None,
    workbook_relationships: Iterable[str] = (),
    workbook_tail: str = "",
) -> dict[str, bytes]:
    """The parts of a workbook, to be changed by a test before they are zipped."""
    sheets = sheets or {"Sheet": sheet('<row r="1"><c r="A1"><v>1</v></c></row>')}
    types = {"/xl/workbook.xml": f"{TYPE}.spreadsheetml.sheet.main+xml"} | dict(types or {})
    listed, rels = "", list(workbook_relationships)
    content = {}
    for number, (name, xml) in enumerate(sheets.items(), start=1):
        content[f"xl/worksheets/sheet{number}.xml"] = xml
        types[f"/xl/worksheets/sheet{number}.xml"] = f"{TYPE}.spreadsheetml.worksheet+xml"
        listed += f'<sheet name="{escape(name)}" sheetId="{number}" r:id="rId{number}"/>'
        rels.append(relationship(f"rId{number}", "worksheet", f"worksheets/sheet{number}.xml"))
    if strings is not None:
        content["xl/sharedStrings.xml"] = strings
        rels.append(relationship("rIdS", "sharedStrings", "sharedStrings.xml"))
    defined = f"<definedNames>{names}</definedNames>" if names else ""
    overrides = "".join(f'<Override PartName="{part}" ContentType="{kind}"/>' for part, kind in types.items())
    return {
        "[Content_Types].xml": (
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
            f"{overrides}</Types>"
        ).encode(),
        "_rels/.rels": relationships(relationship("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": (
            f'<workbook xmlns="{MAIN}" xmlns:r="{RELS}">{properties}<sheets>{listed}</sheets>{defined}'
            f"{workbook_tail}</workbook>"
        ).encode(),
        "xl/_rels/workbook.xml.rels": relationships(*rels),
        **content,
        **(extra or {}),
    }


def zipped(content: Mapping[str, bytes] | Iterable[tuple[str, bytes]], *, comment: bytes = b"") -> bytes:
    """The parts as a zip, deflated, all of one date; pairs may repeat a name."""
    pairs = content.items() if isinstance(content, Mapping) else content
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in pairs:
            archive.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED)
        archive.comment = comment
    return buffer.getvalue()


def package(content: Mapping[str, bytes] | None = None, *, name: str = "deal.xlsx") -> Package:
    return open_package(zipped(content or parts()), name=name)


def one_sheet(rows: str, **more: str) -> Package:
    """A package with the one sheet ``Sheet``."""
    return package(parts({"Sheet": sheet(rows, **more)}))


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


def changed(part: str, old: bytes, new: bytes) -> dict[str, bytes]:
    content = parts()
    assert old in content[part]
    return content | {part: content[part].replace(old, new)}


def without(part: str) -> dict[str, bytes]:
    content = parts()
    del content[part]
    return content
