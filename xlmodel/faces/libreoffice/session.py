"""Inside LibreOffice: one session, started with a request and ended with an answer.

Written for Python 3.7 on, whichever it carries; nothing of xlmodel is imported.  ``request.json`` lies beside
this file; ``answer.json`` is written there, whole or not at all.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any

import uno
import unohelper
from com.sun.star.awt import XCallback
from com.sun.star.beans import PropertyValue
from com.sun.star.beans.PropertyState import DIRECT_VALUE
from com.sun.star.task import XJobExecutor

_HERE = os.path.dirname(os.path.abspath(__file__))
_SERVICE = "org.xlmodel.Session"
_CONTENT = 1 | 2 | 4 | 16  # CellFlags: values, dates, texts, formulas
_ERRORS = 4  # FormulaResult: the cells whose formula shows an error
_LOGICAL = 1024  # NumberFormat: TRUE or FALSE
_QUIETLY = {
    "Hidden": True,
    "ReadOnly": True,
    "MacroExecutionMode": 0,  # never
    "UpdateDocMode": 0,  # no links
}


class Session(unohelper.Base, XJobExecutor):
    """Started by ``soffice service:org.xlmodel.Session``."""

    def __init__(self, context: Any, *_: Any) -> None:
        self.context = context
        self.desktop = self.create("com.sun.star.frame.Desktop")

    def create(self, service: str) -> Any:
        return self.context.ServiceManager.createInstanceWithContext(service, self.context)

    def trigger(self, _: str) -> None:
        try:
            with open(os.path.join(_HERE, "request.json"), encoding="utf-8") as file:
                answer = _recalculate(self, json.load(file))
        except Exception as error:
            answer = {"failed": str(error), "trace": traceback.format_exc()}
        answer["python"] = list(sys.version_info[:2])
        path = os.path.join(_HERE, "answer.json")
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump(answer, file)
        os.replace(path + ".part", path)
        # From inside the call that started us the program cannot end; a moment later it can.
        self.create("com.sun.star.awt.AsyncCallback").addCallback(_End(self.desktop), None)

    def load(self, url: str) -> Any:
        arguments = tuple(PropertyValue(name, -1, value, DIRECT_VALUE) for name, value in _QUIETLY.items())
        document = self.desktop.loadComponentFromURL(url, "_blank", 0, arguments)
        if document is None:
            raise RuntimeError("LibreOffice could not load the file")
        return document


class _End(unohelper.Base, XCallback):
    def __init__(self, desktop: Any) -> None:
        self.desktop = desktop

    def notify(self, _: Any) -> None:
        self.desktop.terminate()


def _recalculate(session: Session, request: dict[str, Any]) -> dict[str, Any]:
    """The value of every cell that is not blank, and what the canary shows.

    Blocks of cells are written as [row, column, rows of values], counted from 0; TRUE and FALSE as
    themselves, an error as a list of its code.
    """
    answer: dict[str, Any] = {"canary": _canary(session, request["canary"]), "sheets": []}
    if request["file"] is None or answer["canary"] != request["expected"]:
        return answer
    document = session.load(uno.systemPathToFileUrl(request["file"]))
    try:
        answer["seconds"] = [_seconds(document.calculateAll) for _ in range(request["rounds"])]
        formats = document.getNumberFormats()
        for name in document.Sheets.ElementNames:
            sheet = document.Sheets.getByName(name)
            answer["sheets"].append({"name": name, "blocks": list(_blocks(sheet, formats))})
    finally:
        document.close(True)
    return answer


def _seconds(work: Any) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _canary(session: Session, formula: str) -> Any:
    """What a cell shows that calls the add-in: a text, or a list of the code of an error."""
    document = session.load("private:factory/scalc")
    try:
        cell = document.Sheets.getByIndex(0).getCellByPosition(0, 0)
        cell.setFormula(formula)
        return cell.getString() if cell.getError() == 0 else [cell.getError()]
    finally:
        document.close(True)


def _blocks(sheet: Any, formats: Any) -> Iterator[list[Any]]:
    for block in _ranges(sheet.queryContentCells(_CONTENT)):
        place = block.getRangeAddress()
        rows = [list(row) for row in block.getDataArray()]
        for part in _ranges(block.queryFormulaCells(_ERRORS)):
            for cell, row, column in _cells(part, place):
                rows[row][column] = [cell.getError()]
        for part in block.getCellFormatRanges():
            if formats.getByKey(part.NumberFormat).Type & _LOGICAL:
                for _, row, column in _cells(part, place):
                    if isinstance(rows[row][column], float):
                        rows[row][column] = rows[row][column] != 0
        yield [place.StartRow, place.StartColumn, rows]


def _ranges(found: Any) -> list[Any]:
    return [found.getByIndex(number) for number in range(found.getCount())]


def _cells(part: Any, place: Any) -> Iterator[tuple[Any, int, int]]:
    """The cells of a part of a block, with row and column inside the block."""
    there = part.getRangeAddress()
    for row in range(there.StartRow, there.EndRow + 1):
        for column in range(there.StartColumn, there.EndColumn + 1):
            cell = part.getCellByPosition(column - there.StartColumn, row - there.StartRow)
            yield cell, row - place.StartRow, column - place.StartColumn


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Session, _SERVICE, (_SERVICE,))
