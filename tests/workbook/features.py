"""A workbook with fifty features, by XlsxWriter where it can and by hand where it cannot."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import xlsxwriter

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MICROSOFT = "http://schemas.microsoft.com/office"
SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"

# What a feature is, and the part (or words in a part) by which it is known.
FEATURES: dict[str, tuple[str, str]] = {
    "cell styles": ("xl/styles.xml", "<cellXfs"),
    "custom number format": ("xl/styles.xml", "0.000000"),
    "theme": ("xl/theme/theme1.xml", "<a:theme"),
    "defined name": ("xl/workbook.xml", ">Calc!$B$1<"),
    "name of one sheet": ("xl/workbook.xml", "localSheetId"),
    "hidden sheet": ("xl/workbook.xml", 'state="hidden"'),
    "chart sheet": ("xl/chartsheets/sheet1.xml", "<chartsheet"),
    "line chart": ("xl/charts/chart1.xml", "<c:lineChart>"),
    "column chart": ("xl/charts/chart2.xml", "<c:barChart>"),
    "drawing": ("xl/drawings/drawing1.xml", "<xdr:graphicFrame"),
    "picture": ("xl/media/image1.png", ""),
    "text box": ("xl/drawings/drawing1.xml", "a text box"),
    "colour scale": ("xl/worksheets/sheet1.xml", "<colorScale>"),
    "data bar": ("xl/worksheets/sheet1.xml", "x14:dataBar"),
    "icon set": ("xl/worksheets/sheet1.xml", "<iconSet"),
    "conditional formula": ("xl/worksheets/sheet1.xml", 'type="expression"'),
    "list validation": ("xl/worksheets/sheet1.xml", 'type="list"'),
    "number validation": ("xl/worksheets/sheet1.xml", 'type="decimal"'),
    "comment": ("xl/comments1.xml", "a comment"),
    "comment shapes": ("xl/drawings/vmlDrawing1.vml", "<v:shape"),
    "sparklines": ("xl/worksheets/sheet1.xml", "x14:sparklineGroup"),
    "table": ("xl/tables/table1.xml", "<table"),
    "autofilter": ("xl/worksheets/sheet2.xml", "<autoFilter"),
    "merged cells": ("xl/worksheets/sheet1.xml", "<mergeCell"),
    "frozen panes": ("xl/worksheets/sheet1.xml", "<pane"),
    "hyperlink": ("xl/worksheets/sheet1.xml", "<hyperlink "),
    "rich text": ("xl/sharedStrings.xml", "<r>"),
    "outline": ("xl/worksheets/sheet1.xml", 'outlineLevel="1"'),
    "column widths": ("xl/worksheets/sheet1.xml", "<cols>"),
    "sheet protection": ("xl/worksheets/sheet1.xml", "<sheetProtection"),
    "page setup": ("xl/worksheets/sheet1.xml", "<pageSetup"),
    "header and footer": ("xl/worksheets/sheet1.xml", "<headerFooter"),
    "page breaks": ("xl/worksheets/sheet1.xml", "<rowBreaks"),
    "print area": ("xl/workbook.xml", "_xlnm.Print_Area"),
    "ignored errors": ("xl/worksheets/sheet1.xml", "<ignoredErrors"),
    "background picture": ("xl/worksheets/sheet2.xml", "<picture "),
    "form button": ("xl/drawings/vmlDrawing1.vml", 'ObjectType="Button"'),
    "dynamic array": ("xl/metadata.xml", "XLDAPR"),
    "document properties": ("docProps/core.xml", "synthetic"),
    "custom properties": ("docProps/custom.xml", "Checked"),
    "macros": ("xl/vbaProject.bin", ""),
    "threaded comment": ("xl/threadedComments/threadedComment1.xml", "ThreadedComment"),
    "persons": ("xl/persons/person.xml", "personList"),
    "slicer": ("xl/slicers/slicer1.xml", "slicers"),
    "slicer cache": ("xl/slicerCaches/slicerCache1.xml", "slicerCacheDefinition"),
    "pivot table": ("xl/pivotTables/pivotTable1.xml", "pivotTableDefinition"),
    "pivot cache": ("xl/pivotCache/pivotCacheDefinition1.xml", "pivotCacheDefinition"),
    "pivot records": ("xl/pivotCache/pivotCacheRecords1.xml", "pivotCacheRecords"),
    "custom XML": ("customXml/item1.xml", "synthetic"),
    "printer settings": ("xl/printerSettings/printerSettings1.bin", ""),
    "embedded object": ("xl/embeddings/oleObject1.bin", ""),
    "connection": ("xl/connections.xml", "<connections"),
    "external link": ("xl/externalLinks/externalLink1.xml", "externalBook"),
    "unknown part": ("xl/future/part.bin", ""),
}


def _picture() -> bytes:
    """One pixel of PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\x00\xff\x00\x00")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def build(path: Path) -> None:
    """Write the workbook; every cached value of a formula is 0, which is wrong."""
    plain = path.with_suffix(".plain.xlsm")
    macros = path.with_suffix(".bin")
    macros.write_bytes(b"synthetic, no project")
    picture = path.with_suffix(".png")
    picture.write_bytes(_picture())
    book = xlsxwriter.Workbook(str(plain))
    book.add_vba_project(str(macros))
    book.set_properties({"title": "synthetic"})
    book.set_custom_property("Checked", True)
    _fill(book, picture)
    book.close()
    content = dict(_read(plain))
    _add_by_hand(content)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(zipfile.ZipInfo(name, (1999, 12, 15, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    for made in (plain, macros, picture):
        made.unlink()


def _fill(book: Any, picture: Path) -> None:
    calc, more = book.add_worksheet("Calc"), book.add_worksheet("More")
    hidden, charts = book.add_worksheet("Hidden"), book.add_chartsheet("Chart")
    bold = book.add_format({"bold": True, "num_format": "0.000000", "bg_color": "#DDEEFF"})
    calc.write_column("A1", [1, 2, 3, 4, 5])
    calc.write("B1", 0.5, bold)
    for row in range(1, 6):
        calc.write_formula(f"C{row}", f"=A{row}*B$1", bold)
    calc.write_formula("D1", "=SUM(C1:C5)")
    calc.write_formula("D2", "=XM_POOL_FACTOR(A1,A5)")
    calc.write_dynamic_array_formula("E1:F2", "=XM_ALLOCATE(10,A1:A2)")
    book.define_name("Rate", "=Calc!$B$1")
    book.define_name("More!Local", "=More!$A$1")
    calc.conditional_format("A1:A5", {"type": "3_color_scale"})
    calc.conditional_format("C1:C5", {"type": "data_bar", "data_bar_2010": True})
    calc.conditional_format("B1:B5", {"type": "icon_set", "icon_style": "3_arrows"})
    calc.conditional_format("D1:D5", {"type": "formula", "criteria": "=$D1>2", "format": bold})
    calc.data_validation("F1", {"validate": "list", "source": ["one", "two"]})
    calc.data_validation("F2", {"validate": "decimal", "criteria": ">", "value": 0})
    calc.write_comment("A1", "a comment")
    calc.insert_button("H1", {"macro": "Nothing", "caption": "Press"})
    calc.add_sparkline("G1", {"range": "Calc!A1:A5"})
    calc.insert_textbox("H5", "a text box")
    calc.insert_image("H9", str(picture))
    calc.merge_range("J1:K1", "merged", bold)
    calc.freeze_panes(1, 1)
    calc.write_url("J2", "https://example.com/", string="a link")
    calc.write_rich_string("J3", "plain ", bold, "bold")
    calc.set_row(3, None, None, {"level": 1})
    calc.set_column("A:A", 17)
    calc.protect("", {"select_locked_cells": True})
    calc.set_landscape()
    calc.set_header("&Lsynthetic")
    calc.set_h_pagebreaks([20])
    calc.print_area("A1:K20")
    calc.ignore_errors({"number_stored_as_text": "A1:A5"})
    line, column = book.add_chart({"type": "line"}), book.add_chart({"type": "column"})
    line.add_series({"values": "=Calc!$C$1:$C$5", "categories": "=Calc!$A$1:$A$5"})
    column.add_series({"values": "=Calc!$A$1:$A$5"})
    calc.insert_chart("L1", line)
    charts.set_chart(column)
    more.add_table(
        "A1:B4", {"columns": [{"header": "Name"}, {"header": "Pay"}], "data": [["a", 1], ["b", 2]]}
    )
    more.autofilter("D1:E4")
    more.set_background(str(picture))
    hidden.hide()


# --- by hand -------------------------------------------------------------------------------------


def _read(path: Path) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def _relate(content: dict[str, bytes], part: str, identifier: str, kind: str, target: str) -> None:
    folder, _, name = part.rpartition("/")
    rels = f"{folder}/_rels/{name}.rels" if folder else "_rels/.rels"
    empty = b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
    external = b' TargetMode="External"' if "://" in target else b""
    content[rels] = content.get(rels, empty).replace(
        b"</Relationships>",
        f'<Relationship Id="{identifier}" Type="{kind}" Target="{target}"'.encode()
        + external
        + b"/></Relationships>",
    )


def _add_by_hand(content: dict[str, bytes]) -> None:
    workbook, first, second = "xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"
    added: list[tuple[str, str, bytes, str, str, str]] = [  # part, type, content, from, kind, target
        ("xl/threadedComments/threadedComment1.xml", "application/vnd.ms-excel.threadedcomments+xml",
         f'<ThreadedComments xmlns="{MICROSOFT}/spreadsheetml/2018/threadedcomments"/>'.encode(),
         first, f"{MICROSOFT}/2017/10/relationships/threadedComment",
         "../threadedComments/threadedComment1.xml"),
        ("xl/persons/person.xml", "application/vnd.ms-excel.person+xml",
         f'<personList xmlns="{MICROSOFT}/spreadsheetml/2018/threadedcomments"/>'.encode(),
         workbook, f"{MICROSOFT}/2017/10/relationships/person", "persons/person.xml"),
        ("xl/slicers/slicer1.xml", "application/vnd.ms-excel.slicer+xml",
         f'<slicers xmlns="{MICROSOFT}/spreadsheetml/2009/9/main"/>'.encode(),
         second, f"{MICROSOFT}/2007/relationships/slicer", "../slicers/slicer1.xml"),
        ("xl/slicerCaches/slicerCache1.xml", "application/vnd.ms-excel.slicerCache+xml",
         f'<slicerCacheDefinition xmlns="{MICROSOFT}/spreadsheetml/2009/9/main" name="S"/>'.encode(),
         workbook, f"{MICROSOFT}/2007/relationships/slicerCache", "slicerCaches/slicerCache1.xml"),
        ("xl/pivotTables/pivotTable1.xml", f"{SPREADSHEET}.pivotTable+xml",
         f'<pivotTableDefinition xmlns="{MAIN}" name="P" cacheId="1"/>'.encode(),
         second, f"{OFFICE}/pivotTable", "../pivotTables/pivotTable1.xml"),
        ("xl/pivotCache/pivotCacheDefinition1.xml", f"{SPREADSHEET}.pivotCacheDefinition+xml",
         f'<pivotCacheDefinition xmlns="{MAIN}"/>'.encode(),
         workbook, f"{OFFICE}/pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"),
        ("xl/pivotCache/pivotCacheRecords1.xml", f"{SPREADSHEET}.pivotCacheRecords+xml",
         f'<pivotCacheRecords xmlns="{MAIN}" count="0"/>'.encode(),
         "xl/pivotCache/pivotCacheDefinition1.xml", f"{OFFICE}/pivotCacheRecords", "pivotCacheRecords1.xml"),
        ("customXml/item1.xml", "application/xml", b"<deal>synthetic</deal>",
         workbook, f"{OFFICE}/customXml", "../customXml/item1.xml"),
        ("xl/printerSettings/printerSettings1.bin", f"{SPREADSHEET}.printerSettings", bytes(range(256)),
         first, f"{OFFICE}/printerSettings", "../printerSettings/printerSettings1.bin"),
        ("xl/embeddings/oleObject1.bin", "application/vnd.openxmlformats-officedocument.oleObject",
         b"\xd0\xcf\x11\xe0synthetic", first, f"{OFFICE}/oleObject", "../embeddings/oleObject1.bin"),
        ("xl/connections.xml", f"{SPREADSHEET}.connections+xml", f'<connections xmlns="{MAIN}"/>'.encode(),
         workbook, f"{OFFICE}/connections", "connections.xml"),
        ("xl/externalLinks/externalLink1.xml", f"{SPREADSHEET}.externalLink+xml",
         f'<externalLink xmlns="{MAIN}" xmlns:r="{OFFICE}"><externalBook r:id="rId1"/>'
         "</externalLink>".encode(),
         workbook, f"{OFFICE}/externalLink", "externalLinks/externalLink1.xml"),
        ("xl/future/part.bin", "application/octet-stream", b"not known to anybody",
         workbook, "http://example.com/future", "future/part.bin"),
    ]  # fmt: skip
    types = ""
    for number, (part, kind, data, source, relation, target) in enumerate(added):
        content[part] = data
        types += f'<Override PartName="/{part}" ContentType="{kind}"/>'
        _relate(content, source, f"rIdX{number}", relation, target)
        if part.startswith("xl/externalLinks"):
            _relate(content, part, "rId1", f"{OFFICE}/externalLinkPath", "file:///nowhere/curves.xlsx")
            link = f'<externalReferences><externalReference r:id="rIdX{number}"/></externalReferences>'
            content[workbook] = content[workbook].replace(
                b"<definedNames>", link.encode() + b"<definedNames>"
            )
    content["[Content_Types].xml"] = content["[Content_Types].xml"].replace(
        b"</Types>", types.encode() + b"</Types>"
    )
