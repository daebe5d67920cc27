"""Build: a folder becomes a workbook of inputs and formulas, whatever its kind.

Values are not computed here; ``refresh`` evaluates the formulas and puts their values into the file.  Two
builds of one folder are equal byte for byte.
"""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils.exceptions import IllegalCharacterError
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.workbook.properties import CalcProperties
from openpyxl.writer.excel import ExcelWriter

from xlmodel.deal.folder import DealFolder
from xlmodel.errors import BadDealFolder
from xlmodel.package.address import Block
from xlmodel.package.guard import open_package
from xlmodel.workbook.formulas import FORMULAS_NAME, formulas_mark
from xlmodel.workbook.inputs import INPUTS_NAME, inputs_mark
from xlmodel.workbook.kinds import DEAL, KIND_NAME, Kind, kind_of_folder
from xlmodel.workbook.sheets import BOOKS, theme
from xlmodel.workbook.sheets.contents import Contents, contents_of
from xlmodel.workbook.sheets.layout import Book, C, Layout, Sheet

# A file says when it was made; ours must not differ from one build to the next.
_MADE = dt.datetime(2000, 1, 1)
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def build_folder(path: Path, *, to_be_frozen: bool = False) -> bytes:
    """The .xlsx of a folder of whatever kind, formulas without values.

    ``to_be_frozen``: calls of our functions will become constants, and are no part of the formulas' mark.
    Raises what reading its kind of folder raises: BadDealFolder, BadPublished, the errors of tables.
    """
    kind = kind_of_folder(path)
    book = BOOKS[kind.name]
    return _written(kind, book, book.contents(path), to_be_frozen=to_be_frozen)


def build_workbook(folder: DealFolder) -> bytes:
    """The .xlsx of a deal folder that has been read, formulas without values.

    Raises BadPublished for published figures that cannot be read or do not have the shape of the deal's
    tables, BadDealFolder for a deal that starts after closing or prints more payment dates than the pool has.
    """
    return _written(DEAL, BOOKS[DEAL.name], contents_of(folder))


def build_with(contents: Contents, sheets: Sequence[Sheet[Contents]], *, to_be_frozen: bool = False) -> bytes:
    """The .xlsx of a deal with sheets of another form."""
    return _written(DEAL, Book(lambda _: contents, lambda _: sheets), contents, to_be_frozen=to_be_frozen)


def _written(kind: Kind, book: Book[C], contents: C, *, to_be_frozen: bool = False) -> bytes:
    blocks: dict[str, Block] = {}
    sheets = [sheet for sheet in book.sheets(contents) if sheet.applies(contents)]
    for sheet in sheets:
        blocks |= sheet.place(contents)
    layout = Layout(blocks)
    made = empty_book(contents.title)
    for sheet in sheets:
        try:
            sheet.write(made.create_sheet(sheet.title), contents, layout)
        except IllegalCharacterError:
            raise BadDealFolder(
                "a text holds a control character, which no workbook can hold", remedy="delete it"
            ).at(file=str(contents.path), sheet=sheet.title) from None
    for name, block in layout.defined():
        made.defined_names[name] = DefinedName(name, attr_text=block.text())
    if kind is not DEAL:
        made.defined_names[KIND_NAME] = DefinedName(KIND_NAME, attr_text=f'"{kind.name}"')
    # Marks of what is read from the file, which is the only way it is compared.
    package = open_package(packed(made), name=contents.title)
    marks = {
        INPUTS_NAME: inputs_mark(package, kind.inputs),
        FORMULAS_NAME: formulas_mark(package, kind.inputs, plain=to_be_frozen),
    }
    for name, mark in marks.items():
        made.defined_names[name] = DefinedName(name, attr_text=mark, hidden=True)
    return packed(made)


def empty_book(title: str) -> Workbook:
    """A workbook without sheets, in the theme's font, that says nothing of when it was made."""
    book = Workbook()
    book.remove(book.worksheets[0])
    book.calculation = CalcProperties(fullCalcOnLoad=False)
    properties = book.properties
    properties.creator = "xlmodel"
    properties.title = title
    properties.created = properties.modified = _MADE
    # The normal style decides how wide a character of a column is.
    book._named_styles["Normal"].font = Font(name=theme.FONT, size=10, family=2)  # type: ignore[attr-defined]  # the stubs know no named styles
    return book


def packed(book: Workbook) -> bytes:
    """The package with fixed times.  ExcelWriter by itself: ``Workbook.save`` would stamp the time."""
    written = io.BytesIO()
    ExcelWriter(book, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED)).save()
    packed = io.BytesIO()
    with zipfile.ZipFile(written) as source, zipfile.ZipFile(packed, "w") as target:
        for entry in source.infolist():
            info = zipfile.ZipInfo(entry.filename, _ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            target.writestr(info, source.read(entry))
    return packed.getvalue()
