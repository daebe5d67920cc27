"""Workbooks in memory: blocks by name, values of cells edited, refreshed, and what checks say then."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl import Workbook

from xlmodel.deal.folder import read_folder
from xlmodel.package.address import Block
from xlmodel.package.guard import open_package
from xlmodel.workbook.refresh import refresh
from xlmodel.workbook.sheets import SHEETS
from xlmodel.workbook.sheets.contents import contents_of
from xlmodel.workbook.sheets.layout import Layout, cell


def layout_of(path: Path) -> Layout:
    """Where the blocks of a deal folder's workbook lie."""
    folder = read_folder(path)
    contents = contents_of(folder)
    blocks: dict[str, Block] = {}
    for sheet in SHEETS:
        if sheet.applies(contents):
            blocks |= sheet.place(contents)
    return Layout(blocks)


def refreshed(data: bytes, *, keep_errors: bool = False) -> Workbook:
    result = refresh(open_package(data, name="built.xlsx"), keep_errors=keep_errors)
    return openpyxl.load_workbook(io.BytesIO(result.data), data_only=True)


def edited(
    data: bytes, layout: Layout, *edits: tuple[str, int, int, Any], keep_errors: bool = False
) -> Workbook:
    """The workbook with other values in cells of blocks (row and column from 0), refreshed."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    for name, row, column, value in edits:
        target = cell(layout[name], row, column)
        book[str(target.sheet)].cell(target.top, target.left).value = value
    return refreshed(saved(book), keep_errors=keep_errors)


def saved(book: Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def values_of(book: Workbook, block: Block) -> list[list[Any]]:
    sheet = book[str(block.sheet)]
    rows = sheet.iter_rows(block.top, block.bottom, block.left, block.right, values_only=True)
    return [list(row) for row in rows]


def named(book: Workbook, name: str) -> list[list[Any]]:
    """The values of a defined name."""
    return values_of(book, Block.parse(book.defined_names[name].attr_text or ""))


def checks(book: Workbook) -> dict[str, object]:
    return {name: named(book, name)[0][0] for name in book.defined_names if name.startswith("check_")}


def lost(found: dict[str, object]) -> set[str]:
    return {name for name, state in found.items() if state is not True}
