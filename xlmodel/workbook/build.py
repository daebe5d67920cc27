"""Build: a deal folder becomes a workbook of inputs and formulas.

Values are not computed here; ``refresh`` evaluates the formulas and puts their values into the file.  Two
builds of one folder are equal byte for byte.
"""

from __future__ import annotations

import datetime as dt
import io
import zipfile

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils.exceptions import IllegalCharacterError
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.workbook.properties import CalcProperties
from openpyxl.writer.excel import ExcelWriter

from xlmodel.deal.folder import DealFolder
from xlmodel.errors import BadDealFolder, BadPublished
from xlmodel.package.address import Block
from xlmodel.workbook.published import DECREMENT_FILE, read_published
from xlmodel.workbook.sheets import REPORTED, SHEETS, theme
from xlmodel.workbook.sheets.layout import Contents, Layout

# A file says when it was made; ours must not differ from one build to the next.
_MADE = dt.datetime(2000, 1, 1)
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def build_workbook(folder: DealFolder) -> bytes:
    """The .xlsx of a deal folder, formulas without values.

    Raises BadPublished for published figures that cannot be read or do not have the shape of the deal's
    tables, BadDealFolder for a deal that starts after closing or prints more payment dates than the pool has.
    """
    classes = [note_class.name for note_class in folder.deal.classes]
    contents = Contents(folder, read_published(folder.published, classes, folder.speeds))
    _require_shape(contents)
    blocks: dict[str, Block] = {}
    sheets = REPORTED if contents.reported else SHEETS
    for sheet in sheets:
        blocks |= sheet.place(contents)
    layout = Layout(blocks)
    book = _empty(contents)
    for sheet in sheets:
        try:
            sheet.write(book.create_sheet(sheet.title), contents, layout)
        except IllegalCharacterError:
            raise BadDealFolder(
                "a text holds a control character, which no workbook can hold", remedy="delete it"
            ).at(file=str(folder.path), sheet=sheet.title) from None
    for name, block in layout.defined():
        book.defined_names[name] = DefinedName(name, attr_text=block.text())
    return _packed(book)


def _require_shape(contents: Contents) -> None:
    folder = contents.folder
    if contents.deal.as_of_date is not None:
        raise BadDealFolder(
            "the sheets prove a deal from its closing date on; this one starts later",
            remedy="use xlmodel run, or take out the as of date and the opening amounts",
        ).at(file=str(folder.path / "deal.toml"), table="terms")
    if not 1 <= contents.printed <= contents.dates:
        raise BadDealFolder(
            f"{contents.printed} printed payment dates; the pool pays on {contents.dates}",
            remedy="correct printed_payment_dates",
        ).at(file=str(folder.path / "deal.toml"), table="assumptions")
    printed = contents.published.decrement
    if printed and len(printed.rows) != contents.printed + 1:
        raise BadPublished(
            f"the table has {len(printed.rows) - 1} payment dates, the deal says {contents.printed}",
            remedy="correct the table, or printed_payment_dates in deal.toml",
        ).at(file=str(folder.published / DECREMENT_FILE))


def _empty(contents: Contents) -> Workbook:
    book = Workbook()
    book.remove(book.worksheets[0])
    book.calculation = CalcProperties(fullCalcOnLoad=False)
    properties = book.properties
    properties.creator = "xlmodel"
    properties.title = contents.deal.name
    properties.created = properties.modified = _MADE
    # The normal style decides how wide a character of a column is.
    book._named_styles["Normal"].font = Font(name=theme.FONT, size=10, family=2)  # type: ignore[attr-defined]  # the stubs know no named styles
    return book


def _packed(book: Workbook) -> bytes:
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
