"""Opens a workbook file, or says by name why it is not touched.  Nothing outside the file is read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote
from xml.parsers import expat

from xlmodel.errors import (
    DamagedPackage,
    EncryptedPackage,
    NotAWorkbook,
    UnsafePackage,
    UnsupportedFeature,
)
from xlmodel.package.archive import Member, read_directory, unpack
from xlmodel.package.formula import calls_dde
from xlmodel.package.markup import STRICT, each_element, is_utf16, parser
from xlmodel.package.parts import Package
from xlmodel.package.place import placed
from xlmodel.package.relationships import CONTENT_TYPES, ROOT_RELATIONSHIPS, Relationship, read_content_types
from xlmodel.package.workbook_part import WorkbookPart, read_workbook

MAX_PARTS = 10_000
MAX_PART = 512 << 20
MAX_TOTAL = 1 << 30
MAX_RATIO = 200
"""Largest compression ratio of a part over ``RATIO_FROM`` bytes; sheets of numbers reach about 20."""
RATIO_FROM = 1 << 20

_OLE2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
_BAD_NAME = re.compile(r"[\x00-\x1f\x7f\\]|^/|^[A-Za-z]:|//")
_WITH_MACROS = (".xlsm", ".xltm", ".xlam")
_PROMISE = "the file's extension promises none; rename it to .xlsm if they are meant"
_XML_NAME = (".xml", ".rels", ".vml")
_DOCTYPE = b"<!DOCTYPE"


def open_package(data: bytes, *, name: str) -> Package:
    """The package in ``data``; ``name`` is the file's name, whose extension says whether macros are due.

    Every part is unpacked once, in pieces, and its checksum compared; no part is kept.

    Raises, with the file and, where known, the part: ``NotAWorkbook`` (no zip, an old .xls, a binary
    .xlsb, another kind of document), ``EncryptedPackage``, ``DamagedPackage`` (a part missing, corrupt
    or not well-formed), ``UnsafePackage`` (too large, a DTD, a bad or duplicate part name, macros
    under a name that promises none, a DDE link) and ``UnsupportedFeature`` (Strict Open XML, the 1904
    date system).
    """
    with placed(file=name):
        if data.startswith(_OLE2):
            if _ENCRYPTED_STREAM in data:
                raise EncryptedPackage("the workbook is protected by a password")
            raise NotAWorkbook("the file is an old .xls (OLE2), not an .xlsx package")
        members = read_directory(data)
        _refuse_names(members)
        _refuse_sizes(members)
        by_name = {member.name: member for member in members}
        for part in (CONTENT_TYPES, ROOT_RELATIONSHIPS):
            if part not in by_name:
                raise NotAWorkbook(f"the zip has no {part}, so it is no .xlsx package")
        with placed(part=CONTENT_TYPES):
            types = read_content_types(b"".join(unpack(data, by_name[CONTENT_TYPES])))
        for member in members:
            _check_content(data, member, xml=_is_xml(member.name, types.of(member.name)))
        package = Package(name=name, data=data, members=by_name, content_types=types)
        workbook = _find_workbook(package)
        _refuse_macros(package, workbook)
        _refuse_dde(package)
        with placed(part=workbook):
            contents = read_workbook(package.read(workbook))
            _refuse_contents(contents)
        return _described(package, workbook, contents)


# --- the zip -------------------------------------------------------------------------------------


def _refuse_names(members: Sequence[Member]) -> None:
    if len(members) > MAX_PARTS:
        raise UnsafePackage(f"the package has {len(members):,} parts, more than {MAX_PARTS:,}")
    seen: set[str] = set()
    for member in members:
        plain = unquote(member.name)
        if _BAD_NAME.search(plain) or {".", ".."} & set(plain.split("/")) or not plain:
            raise UnsafePackage("a part name that leads out of the package").at(part=member.name)
        if plain.lower() in seen:
            raise UnsafePackage("two parts of the same name").at(part=member.name)
        seen.add(plain.lower())


def _refuse_sizes(members: Sequence[Member]) -> None:
    for member in members:
        if member.size > MAX_PART:
            raise UnsafePackage(f"the part declares {member.size:,} bytes, more than {MAX_PART:,}").at(
                part=member.name
            )
        if member.size > RATIO_FROM and member.size > MAX_RATIO * member.packed_size:
            raise UnsafePackage(f"the part is compressed more than {MAX_RATIO} times").at(part=member.name)
    if sum(member.size for member in members) > MAX_TOTAL:
        raise UnsafePackage(f"the package declares more than {MAX_TOTAL:,} bytes")


def _is_xml(name: str, content_type: str) -> bool:
    return name.lower().endswith(_XML_NAME) or content_type.endswith(("/xml", "+xml"))


def _check_content(data: bytes, member: Member, *, xml: bool) -> None:
    """Unpack a part for its size and checksum and, if it is XML, look for a DTD on the way."""
    suspect = False
    tail = b""
    for number, chunk in enumerate(unpack(data, member)):
        if xml and not suspect:
            suspect = _DOCTYPE in tail + chunk if tail else _DOCTYPE in chunk
            suspect = suspect or (number == 0 and is_utf16(chunk))
            tail = chunk[-len(_DOCTYPE) :]
    if suspect:
        with placed(part=member.name):
            _refuse_dtd(data, member)


def _refuse_dtd(data: bytes, member: Member) -> None:
    # The letters may stand in a comment or in UTF-16, so the parser decides.
    made = parser()
    try:
        for chunk in unpack(data, member):
            made.Parse(chunk, False)
        made.Parse(b"", True)
    except expat.ExpatError as error:
        raise DamagedPackage(f"not well-formed XML: {expat.ErrorString(error.code)}") from None


# --- the workbook --------------------------------------------------------------------------------


def _find_workbook(package: Package) -> str:
    with placed(part=ROOT_RELATIONSHIPS):
        mains = [one for one in package.relationships() if one.type.endswith("/officeDocument")]
        if not mains or mains[0].external:
            raise NotAWorkbook("the package has no main part")
    main = mains[0]
    if main.type.startswith(STRICT):
        raise UnsupportedFeature(
            "the workbook is in Strict Open XML", remedy="save it as an ordinary .xlsx workbook"
        )
    kind = package.content_types.of(main.target)
    if "sheet.binary" in kind:
        raise NotAWorkbook("the file is a binary workbook (.xlsb)").at(part=main.target)
    if "spreadsheetml" not in kind and "ms-excel" not in kind:
        raise NotAWorkbook(f"the main part is no workbook but {kind or 'of no type'}").at(part=main.target)
    return main.target


def _refuse_macros(package: Package, workbook: str) -> None:
    if package.name.lower().endswith(_WITH_MACROS):
        return
    if "macroenabled" in package.content_types.of(workbook):
        raise UnsafePackage("the workbook has macros (content type macroEnabled)", remedy=_PROMISE).at(
            part=workbook
        )
    for part in package.parts:
        if "vbaproject" in package.content_types.of(part) or part.lower().endswith("vbaproject.bin"):
            raise UnsafePackage("the workbook has macros (a VBA project)", remedy=_PROMISE).at(part=part)


def _refuse_dde(package: Package) -> None:
    for part in package.of_type("externallink+xml"):
        with placed(part=part):
            each_element(package.read(part), _refuse_dde_element)


def _refuse_dde_element(element: str, _: dict[str, str]) -> None:
    if element.rpartition(" ")[2] == "ddeLink":
        raise UnsafePackage("the workbook has a DDE link, which can start a program")


def _refuse_contents(contents: WorkbookPart) -> None:
    if contents.strict:
        raise UnsupportedFeature(
            "the workbook is in Strict Open XML", remedy="save it as an ordinary .xlsx workbook"
        )
    if contents.root.rpartition(" ")[2] != "workbook":
        raise NotAWorkbook("the main part is no workbook")
    if contents.date_1904:
        raise UnsupportedFeature(
            "the workbook counts dates from 1904",
            remedy="switch off 'Use 1904 date system' and check its dates",
        )
    texts = [*contents.defined_names.items(), *((name, text) for _, name, text in contents.local_names)]
    for name, text in texts:
        if calls_dde(text):
            raise UnsafePackage(f"the name {name} calls another program (DDE)")


def _described(package: Package, workbook: str, contents: WorkbookPart) -> Package:
    targets = {one.identifier: one for one in package.relationships(workbook)}
    return replace(
        package,
        workbook=workbook,
        sheets=_worksheets(package, workbook, contents, targets),
        defined_names=contents.defined_names,
        local_names=_local_names(contents),
        external_links=tuple(_links(package, workbook, contents, targets)),
    )


def _local_names(contents: WorkbookPart) -> dict[str, dict[str, str]]:
    """Names of one sheet, by the sheet; a place that no sheet has is no scope for anything."""
    local: dict[str, dict[str, str]] = {}
    for place, name, text in contents.local_names:
        if place.isdecimal() and int(place) < len(contents.sheets):
            local.setdefault(contents.sheets[int(place)][0], {})[name] = text
    return local


def _worksheets(
    package: Package, workbook: str, contents: WorkbookPart, targets: Mapping[str, Relationship]
) -> dict[str, str]:
    sheets: dict[str, str] = {}
    names, parts = set(), set()
    for sheet, identifier in contents.sheets:
        with placed(sheet=sheet):
            target = targets.get(identifier)
            if target is None or target.external:
                raise DamagedPackage("the workbook lists a sheet that has no part").at(part=workbook)
            if target.target not in package.members:
                raise DamagedPackage("the part is missing").at(part=target.target)
            if sheet.lower() in names or target.target in parts:
                raise DamagedPackage("two sheets of the same name or part").at(part=workbook)
            if target.type.endswith("/xlMacrosheet") and not package.name.lower().endswith(_WITH_MACROS):
                raise UnsafePackage("the workbook has a macro sheet (Excel 4.0)", remedy=_PROMISE).at(
                    part=target.target
                )
            if target.type.endswith("/worksheet"):
                sheets[sheet] = target.target
            names.add(sheet.lower())
            parts.add(target.target)
    return sheets


def _links(
    package: Package, workbook: str, contents: WorkbookPart, targets: Mapping[str, Relationship]
) -> Iterator[str]:
    for identifier in contents.links:
        link = targets.get(identifier)
        if link is None:
            raise DamagedPackage("the workbook lists an external link that has no part").at(part=workbook)
        outside = [one.target for one in package.relationships(link.target) if one.external]
        yield outside[0] if outside else link.target
