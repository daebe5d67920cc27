"""The table of cases as one workbook, for the faces that read workbooks.

Each case is a formula in the first row of the sheet Cases, beside the one before it; its result fills the
rows and columns below and to the right.  Ranges, and cells that no constant can be, stand side by side in
the sheet Inputs; cases that share a range share its cells.

The parts are written here, not by a library: every digit, text and error stands in the file as given.
"""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from xml.sax.saxutils import escape

from tests.faces.case import OMITTED, Case, Given, GivenCell, as_cell
from tests.faces.comparison import direct_call
from xlmodel.functions.cells import Cell, CellError, Rows

CASES_SHEET, INPUTS_SHEET = "Cases", "Inputs"

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_PART = "application/vnd.openxmlformats-officedocument.spreadsheetml"
# What the file format takes for an escape is escaped.  Source: ECMA-376 part 1, 22.9.2.19, ST_Xstring.
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_PLAIN, _DATE, _MOMENT, _CURRENCY = range(4)  # styles


@dataclass(frozen=True)
class Placed:
    """A case in the workbook: the column of its formula, the room it fills, what the direct call gives."""

    case: Case
    column: int
    rows: int
    columns: int
    direct: Cell | Rows


def case_workbook(cases: Sequence[Case]) -> tuple[bytes, list[Placed]]:
    """The workbook, and where each case stands in it; its room is what the direct call needs."""
    inputs = _Inputs()
    formulas: list[str] = []
    placed: list[Placed] = []
    column = 1
    for case in cases:
        direct = direct_call(case)
        rows, columns = (len(direct), len(direct[0])) if isinstance(direct, list) else (1, 1)
        first, last = letters(column), letters(column + columns - 1)
        is_array = isinstance(direct, list) or any(isinstance(given, list) for given in case.arguments)
        kind = f' t="array" ref="{first}1:{last}{rows}"' if is_array else ""
        text = f"{case.function}({','.join(inputs.written(given) for given in case.arguments)})"
        formulas.append(f'<c r="{first}1"><f{kind}>{_text(text)}</f></c>')
        placed.append(Placed(case, column, rows, columns, direct))
        column += columns
    return _package(f'<row r="1">{"".join(formulas)}</row>', inputs.xml()), placed


def letters(column: int) -> str:
    """The letters of a column; 1 is A."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


class _Inputs:
    """The sheet of ranges."""

    def __init__(self) -> None:
        self._rows: defaultdict[int, list[str]] = defaultdict(list)
        self._column = 1
        self._ranges: dict[int, str] = {}

    def written(self, given: Given) -> str:
        """An argument as a formula has it: a constant, a reference, or nothing."""
        if given is OMITTED:
            return ""
        if isinstance(given, list):
            if id(given) not in self._ranges:
                self._ranges[id(given)] = self._place(given)
            return self._ranges[id(given)]
        if given is None or isinstance(given, CellError | dt.date | Decimal):
            return self._place([[given]])
        if isinstance(given, bool):
            return "TRUE" if given else "FALSE"
        if isinstance(given, str):
            doubled = given.replace('"', '""')
            return f'"{doubled}"'
        return repr(given).upper()

    def xml(self) -> str:
        return "".join(
            f'<row r="{number}">{"".join(cells)}</row>' for number, cells in sorted(self._rows.items())
        )

    def _place(self, rows: list[list[GivenCell]]) -> str:
        names = [letters(self._column + offset) for offset in range(len(rows[0]))]
        self._column += len(names)
        for number, row in enumerate(rows, start=1):
            self._rows[number] += [
                _cell(f"{name}{number}", given)
                for name, given in zip(names, row, strict=True)
                if given is not None
            ]
        corner = f"{INPUTS_SHEET}!${names[0]}$1"
        return corner if len(rows) == len(names) == 1 else f"{corner}:${names[-1]}${len(rows)}"


def _cell(address: str, given: GivenCell) -> str:
    if isinstance(given, CellError):
        return f'<c r="{address}" t="e"><v>{given.code}</v></c>'
    if isinstance(given, bool):
        return f'<c r="{address}" t="b"><v>{given:d}</v></c>'
    if isinstance(given, str):
        return f'<c r="{address}" t="inlineStr"><is><t xml:space="preserve">{_text(given)}</t></is></c>'
    style = _CURRENCY if isinstance(given, Decimal) else _PLAIN
    if isinstance(given, dt.date):
        style = _MOMENT if isinstance(given, dt.datetime) else _DATE
    return f'<c r="{address}" s="{style}"><v>{as_cell(given)!r}</v></c>'


def _text(text: str) -> str:
    return escape(_ESCAPE.sub("_x005F_", text))


def _package(*sheets: str) -> bytes:
    names = (CASES_SHEET, INPUTS_SHEET)
    override = "".join(
        f'<Override PartName="/xl/{part}.xml" ContentType="{_PART}.{kind}+xml"/>'
        for part, kind in (
            ("workbook", "sheet.main"),
            ("styles", "styles"),
            *((f"worksheets/sheet{number}", "worksheet") for number in (1, 2)),
        )
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{override}</Types>',
        "_rels/.rels": _relationships(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        + "".join(
            f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>'
            for number, name in enumerate(names, start=1)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relationships(
            ("worksheet", "worksheets/sheet1.xml"),
            ("worksheet", "worksheets/sheet2.xml"),
            ("styles", "styles.xml"),
        ),
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">'
        '<numFmts count="1"><numFmt numFmtId="164" formatCode="&quot;$&quot;#,##0.00"/></numFmts>'
        '<fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
        '<borders count="1"><border/></borders>'
        '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4">'
        + "".join(f'<xf numFmtId="{number}" applyNumberFormat="1"/>' for number in (0, 14, 22, 164))
        + "</cellXfs></styleSheet>",
        **{
            f"xl/worksheets/sheet{number}.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData>'
            "</worksheet>"
            for number, rows in enumerate(sheets, start=1)
        },
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, xml in parts.items():
            archive.writestr(name, _XML + xml)
    return stream.getvalue()


def _relationships(*targets: tuple[str, str]) -> str:
    listed = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>'
