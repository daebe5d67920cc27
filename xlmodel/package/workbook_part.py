"""The workbook part: its sheets, its defined names, its date system, its links."""

from __future__ import annotations

from dataclasses import dataclass, field

from xlmodel.package.markup import RELATIONSHIPS, SPREADSHEET, STRICT, parser, run

_M = SPREADSHEET + " "
_ID = RELATIONSHIPS + " id"
TRUE = frozenset(("1", "true", "on"))


@dataclass(slots=True)
class WorkbookPart:
    """What the workbook part says; sheets and links by the identifier of their relationship."""

    root: str = ""
    strict: bool = False
    date_1904: bool = False
    sheets: list[tuple[str, str]] = field(default_factory=list)
    defined_names: dict[str, str] = field(default_factory=dict)
    local_names: list[tuple[str, str, str]] = field(default_factory=list)
    """The place of a sheet, a name of that sheet, and its text."""
    links: list[str] = field(default_factory=list)


def read_workbook(xml: bytes) -> WorkbookPart:
    """Read ``xl/workbook.xml``: names of workbook scope apart from those of one sheet."""
    found = WorkbookPart()
    name: str | None = None
    scope: str | None = None
    text: list[str] = []

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal name, scope
        if not found.root:
            found.root = element
            found.strict = element.startswith(STRICT) or attributes.get("conformance") == "strict"
        if element == _M + "sheet":
            found.sheets.append((attributes.get("name", ""), attributes.get(_ID, "")))
        elif element == _M + "workbookPr":
            found.date_1904 = attributes.get("date1904", "0").lower() in TRUE
        elif element == _M + "externalReference":
            found.links.append(attributes.get(_ID, ""))
        elif element == _M + "definedName":
            name, scope = attributes.get("name", ""), attributes.get("localSheetId")
            text.clear()

    def end(element: str) -> None:
        nonlocal name
        if element == _M + "definedName" and name is not None:
            if scope is None:
                found.defined_names[name] = "".join(text)
            else:
                found.local_names.append((scope, name, "".join(text)))
            name = None

    def characters(data: str) -> None:
        if name is not None:
            text.append(data)

    made = parser()
    made.StartElementHandler = start
    made.EndElementHandler = end
    made.CharacterDataHandler = characters
    run(made, xml)
    return found
