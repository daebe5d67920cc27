"""Workbooks that are broken a little, each from a number: the same number breaks the same way."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from tests.package.packages import MAIN, parts, sheet, zipped

ROWS = (
    '<row r="1" spans="1:3"><c r="A1"><v>5</v></c><c r="B1" t="s"><v>0</v></c>'
    '<c r="C1" t="b"><v>1</v></c></row>'
    '<row r="2"><c r="A2"><v>1.5</v></c><c r="B2"><f>A1*A2</f><v>0</v></c>'
    '<c r="C2" t="str"><f>B1&amp;"x"</f><v>y</v></c></row>'
    '<row r="3"><c r="A3"><f t="shared" ref="A3:A5" si="0">A1+A2</f><v>0</v></c>'
    '<c r="B3" t="e"><v>#N/A</v></c></row>'
    '<row r="4"><c r="A4"><f t="shared" si="0"/><v>0</v></c>'
    '<c r="B4" t="inlineStr"><is><t>z</t></is></c></row>'
    '<row r="5"><c r="A5"><f t="shared" si="0"/></c>'
    '<c r="D5" cm="1"><f t="array" ref="D5:E6">A1:B2*2</f><v>1</v></c><c r="E5"><v>0</v></c></row>'
    '<row r="7"><c r="A7"><f>SUM(A1:A5)</f></c>'
    '<c r="B7"><f>IF(Rate&gt;1,XM_DAYS(A1,A2),ROUND(A2,1))</f></c>'
    '<c r="C7"><f>XM_POOL_FACTOR(A2,A1)</f></c>'
    '<c r="D7"><f t="array" ref="D7:E8">XM_ALLOCATE(10,A1:A2)</f></c></row>'
)
STRINGS = f'<sst xmlns="{MAIN}" count="1" uniqueCount="1"><si><t>one</t></si></sst>'.encode()
NAMES = (
    '<definedName name="Rate">Sheet!$A$2</definedName>'
    '<definedName name="Local" localSheetId="0">1</definedName>'
)

_PIECES = (
    b"", b"<", b">", b"/>", b"&", b"&amp;", b"&#0;", b"\x00", b"\xff\xfe", b'"', b"'", b"]]>", b"<!--",
    b"<![CDATA[", b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"<?xml version='1.0' encoding='UTF-16'?>", b"-1",
    b"0", b"1E999", b"NaN", b"1e400", b"99999999999999999999", b"XFD1048576", b"XFE1", b"A0", b"$A$1",
    b"A1:A1048576", b"B2:A1", b"A:XFD", b"shared", b"array", b"dataTable", b"t='x'", b"si='9'", b"ref=''",
    b"cm='1'", b"<f/>", b"<v/>", b"<c/>", b"<row/>", b"<sheetData/>", b"#REF!", b"#SPILL!", b"=1+1",
    b"((((((((", b"))))", b"{1,2;3}", b"SUM(", b"XM_DAYS(", b"XM_NOT(1)", b"IF(1,2", b"1/0", b"\"\"",
    b"[1]!A1", b"'a'!B2", b"Sheet!A1", b"A1#", b"@A1", b"T[x]", b"A1 A2", b"INDIRECT(A1)", b"LET(x,1,x)",
    b"cmd|'/c calc'!A0", b"TRANSPOSE(A1:A3)", b"MMULT(A1:A2,A1:B1)", b"-" * 300, b"(" * 300,
    b"REPT(\"x\",32767)", b"VALUE(\"1/2\")", b"DATE(1,1,1)", b"TEXT(1,\"[red]\")", b"%%%%", b"^^",
    b"\xc3\xa9", b"\xf0\x9f\x98\x80", b"_x0000_", b"x" * 40_000,
)  # fmt: skip
_TOKENS = re.compile(rb"<[^<>]*>|[A-Za-z_.]+|[0-9.]+|[^<>A-Za-z0-9]")


def whole() -> dict[str, bytes]:
    """The parts of the workbook that is broken: every kind of cell, names, strings."""
    return parts({"Sheet": sheet(ROWS, before='<dimension ref="A1:E8"/>')}, names=NAMES, strings=STRINGS)


def broken(number: int) -> bytes:
    """The file of a number."""
    dice = Random(number)
    content = whole()
    if dice.random() < 0.15:
        return _bytes(dice, zipped(content))
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        names = list(content)
        name = "xl/worksheets/sheet1.xml" if dice.random() < 0.7 else dice.choice(names)
        if dice.random() < 0.05:
            content.pop(name, None)
        else:
            content[name] = dice.choice(_CHANGES)(dice, content.get(name, b""))
    return zipped(content)


def _bytes(dice: Random, data: bytes) -> bytes:
    mangled = bytearray(data)
    match dice.randrange(4):
        case 0:
            return bytes(mangled[: dice.randrange(len(mangled))])
        case 1:
            start = dice.randrange(len(mangled))
            return bytes(mangled[:start] + mangled[start + dice.randrange(1, 200) :])
        case 2:
            start = dice.randrange(len(mangled))
            return bytes(mangled[:start] + mangled[max(0, start - 100) :])
    for _ in range(dice.randrange(1, 8)):
        mangled[dice.randrange(len(mangled))] = dice.randrange(256)
    return bytes(mangled)


def _replace_token(dice: Random, xml: bytes) -> bytes:
    found = list(_TOKENS.finditer(xml))
    if not found:
        return dice.choice(_PIECES)
    token = dice.choice(found)
    return xml[: token.start()] + dice.choice(_PIECES) + xml[token.end() :]


def _insert(dice: Random, xml: bytes) -> bytes:
    place = dice.randrange(len(xml) + 1)
    return xml[:place] + dice.choice(_PIECES) + xml[place:]


def _swap(dice: Random, xml: bytes) -> bytes:
    found = list(_TOKENS.finditer(xml))
    if len(found) < 2:
        return xml
    first, second = sorted(dice.sample(found, 2), key=lambda match: match.start())
    return (
        xml[: first.start()] + second[0] + xml[first.end() : second.start()] + first[0] + xml[second.end() :]
    )


def _repeat(dice: Random, xml: bytes) -> bytes:
    start, end = sorted(dice.randrange(len(xml) + 1) for _ in range(2))
    return xml[:end] + xml[start:end] * dice.choice((1, 1, 3, 50)) + xml[end:]


def _change_formula(dice: Random, xml: bytes) -> bytes:
    """Well-formed XML with another formula: what gets as far as the evaluator."""
    found = list(re.finditer(rb"(<f[^>]*>)([^<]*)(?=</f>)", xml))
    if not found:
        return xml
    match = dice.choice(found)
    pieces = [piece for piece in _PIECES if b"<" not in piece and b"&" not in piece and b"\x00" not in piece]
    text = match[2]
    for _ in range(dice.choice((1, 2, 3))):
        place = dice.randrange(len(text) + 1)
        piece = dice.choice(pieces).replace(b">", b"&gt;")
        text = text[:place] + dice.choice((b"", b"+", b",", b"*", b"&amp;")) + piece + text[place:]
    return xml[: match.start(2)] + text + xml[match.end(2) :]


_CHANGES: tuple[Callable[[Random, bytes], bytes], ...] = (
    _replace_token,
    _replace_token,
    _insert,
    _swap,
    _repeat,
    _change_formula,
    _change_formula,
)
