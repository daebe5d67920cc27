"""The number format of a cell: whether a number is shown as a date or as a percentage."""

from __future__ import annotations

import re
from collections.abc import Mapping

from xlmodel.package.address import Address
from xlmodel.package.markup import SPREADSHEET, attributes, each_element, start_tag
from xlmodel.package.parts import Package

# Formats that a file need not spell out: percentages, dates and times.
_KNOWN: Mapping[int, str] = {9: "0%", 10: "0.00%"} | dict.fromkeys((*range(14, 23), *range(45, 48)), "d")
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.')
_M = SPREADSHEET + " "


def number_format(package: Package, sheet: str, address: Address) -> str:
    """The format code of a cell; "" for the general one, or for a cell that the file does not have."""
    part = package.sheets[sheet]
    mark = package.scan(part).cells.get(address)
    if mark is None:
        return ""
    style = attributes(start_tag(package.read(part), mark.start)).get("s", "0")
    formats = _formats(package)
    return formats[int(style)] if style.isdigit() and int(style) < len(formats) else ""


def shows_date(code: str) -> bool:
    """Whether a format shows a day or a month; texts in it do not count."""
    return bool(re.search(r"[dmy]", _LITERAL.sub("", code.lower())))


def shows_percent(code: str) -> bool:
    """Whether a format shows a percentage."""
    return "%" in _LITERAL.sub("", code)


def _formats(package: Package) -> list[str]:
    """The format code of each cell style, by its number."""
    codes: dict[int, str] = dict(_KNOWN)
    styles: list[int] = []
    inside = [False]

    def seen(name: str, found: dict[str, str]) -> None:
        if name == _M + "numFmt" and found.get("numFmtId", "").isdigit():
            codes[int(found["numFmtId"])] = found.get("formatCode", "")
        elif name in (_M + "cellXfs", _M + "cellStyles"):
            inside[0] = name == _M + "cellXfs"
        elif name == _M + "xf" and inside[0]:
            styles.append(int(found.get("numFmtId", "0")))

    for part in package.of_type("styles+xml"):
        each_element(package.read(part), seen)
    return [codes.get(style, "") for style in styles]
