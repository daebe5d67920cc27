"""The values of a workbook's sheets as CSV files, one a sheet, from A1 on."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping

from xlmodel.errors import SheetTooLarge
from xlmodel.package.address import Address
from xlmodel.package.values import ErrorCode, Value, number_text

MOST_CELLS = 20_000_000
"""Cells from A1 to the last one used; beyond it a stray cell far out is likelier than so much content."""

_LONGEST_NAME = 100
_NOT_IN_A_FILE_NAME = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
# Names that Windows keeps for devices.  Source: Microsoft, "Naming Files, Paths, and Namespaces".
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
# What a spreadsheet program may take for a formula.  Source: OWASP, "CSV Injection".
_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def file_names(sheets: Iterable[str]) -> dict[str, str]:
    """A file name for each sheet, its own name wherever a file can bear it; no two alike."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for sheet in sheets:
        stem = _NOT_IN_A_FILE_NAME.sub("_", sheet)[:_LONGEST_NAME].strip(" .") or "_"
        if _DEVICE.fullmatch(stem):
            stem = f"_{stem}"
        unique, number = stem, 2
        while unique.casefold() in taken:
            unique, number = f"{stem} ({number})", number + 1
        taken.add(unique.casefold())
        names[sheet] = f"{unique}.csv"
    return names


def sheet_csv(values: Mapping[Address, Value]) -> bytes:
    """A sheet as CSV in UTF-8, every row as wide as the widest, blanks empty.

    Numbers have all their digits, dates are serials; TRUE, FALSE and errors stand as a sheet shows them; a
    text that would be taken for a formula has an apostrophe before it.  SheetTooLarge naming the last cell.
    """
    bottom = max((cell.row for cell in values), default=0)
    right = max((cell.column for cell in values), default=0)
    if bottom * right > MOST_CELLS:
        raise SheetTooLarge(
            f"{bottom:,} rows by {right:,} columns, more than {MOST_CELLS:,} cells, though only "
            f"{len(values):,} are filled"
        ).at(cell=str(max(values)))
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for row in range(1, bottom + 1):
        writer.writerow([as_text(values.get(Address(row, column))) for column in range(1, right + 1)])
    return stream.getvalue().encode(errors="replace")


def as_text(value: Value) -> str:
    """A value as a CSV file has it."""
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case ErrorCode():
            return str(value)
        case str():
            return marked(value)
    return number_text(value)


def marked(text: str) -> str:
    """A text with an apostrophe before it if a spreadsheet program would take it for a formula."""
    if text.startswith(_STARTS_A_FORMULA) and not _is_number(text):
        return f"'{text}"
    return text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
