"""The page of sheets: what each sheet of a built workbook shows, with its picture."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from xlmodel.workbook import sheets
from xlmodel.workbook.sheets.layout import Sheet

DOCS = Path(__file__).parent
_PICTURES = "images/sheets"

_INTRODUCTION = """\
# Sheets

What `xlmodel build` writes. Blue on yellow is an input; everything else is a formula, and a sheet of inputs
has a yellow tab. Every table that a function reads has a name (Formulas, Name Manager), so a formula says
`XM_DECREMENT(Terms,Classes,Payments,Pools,Speeds)` and not where these stand.

States of checks are told apart by blue and orange, lines by colour and dash, so that nothing depends on
telling red from green. The pictures are rendered by LibreOffice from a copy in which our cells hold their
values.
"""


def sheets_page() -> str:
    """Every sheet with what it shows."""
    parts = [_INTRODUCTION]
    heading = ""
    for module, sheet in all_sheets():
        kind = module.__name__.removeprefix(f"{sheets.__name__}.").rpartition(".")[0] or "deal"
        if kind != heading:
            parts += [f"## In a workbook of the kind *{kind.replace('_', ' ')}*", ""]
            heading = kind
        parts += [f"### {sheet.title}", "", _meaning(module), ""]
        picture = f"{_PICTURES}/{module.__name__.rpartition('.')[2]}.png"
        if (DOCS / picture).is_file():
            parts += [f"![The sheet {sheet.title}]({picture})", ""]
    return "\n".join(parts).rstrip() + "\n"


def all_sheets() -> Iterator[tuple[ModuleType, Sheet]]:
    """Every sheet that a kind of workbook can have, with the module that writes it; those of a deal first."""
    in_order = [module for module in _modules() if hasattr(module, "SHEET")]
    known = list(enumerate((*sheets.SHEETS, *sheets.REPORTED)))
    place = {id(sheet): number for number, sheet in reversed(known)}
    in_order.sort(
        key=lambda m: (m.__name__.count("."), m.__name__.rpartition(".")[0], place.get(id(m.SHEET), 99))
    )
    for module in in_order:
        yield module, module.SHEET


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(sheets.__path__, f"{sheets.__name__}."):
        yield import_module(found.name)


def _meaning(module: ModuleType) -> str:
    """The docstring of the module without the name of the sheet."""
    text = inspect.getdoc(module) or ""
    _, _, meaning = text.partition(": ")
    paragraphs = (meaning or text).split("\n\n")
    return "\n\n".join(
        " ".join(p.split()) for p in (paragraphs[0][:1].upper() + paragraphs[0][1:], *paragraphs[1:])
    )
