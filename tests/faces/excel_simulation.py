"""xlwings' own Windows code, run here: what Excel's VBA talks to, with pywin32 replaced by stubs.

What is real: the decorators, the COM server's ``XLPython.CallUDF``, the reading and writing of values.
What is not: Excel, VBA and the marshalling of COM; the stubs below say what they hand over instead.

Everything below ``install`` runs in a process of its own, so that the stubs reach no other test.
"""

from __future__ import annotations

import asyncio  # noqa: F401  # the modules up to threading are loaded before the platform is disguised
import concurrent.futures
import ctypes
import datetime as dt
import io
import multiprocessing
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401
import threading  # noqa: F401
import types
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from enum import Enum
from typing import Any
from unittest.mock import MagicMock

import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401

from tests.faces.case import OMITTED, Given, as_cell
from xlmodel.functions.cells import CellError

MODULE = "xlmodel.faces.excel"
DISP_E_PARAMNOTFOUND = -2147352572  # what pywin32 delivers for an argument that VBA code left out
RANGE_IID = "{00020846-0000-0000-C000-000000000046}"  # Excel's interface Range

# Written down again, so that a slip in the code under test shows: 0x800A0000 + code, as a signed Long.
LONGS = {
    "#NULL!": -2146826288,
    "#DIV/0!": -2146826281,
    "#VALUE!": -2146826273,
    "#REF!": -2146826265,
    "#NAME?": -2146826259,
    "#NUM!": -2146826252,
    "#N/A": -2146826246,
}


class Sent(Enum):
    """How the arguments reach Python."""

    RANGES = "ranges"  # as ranges, which xlwings reads with Range.Value: dates and currency keep their type
    VALUES = "values"  # as our VBA module sends them: Range.Value2, in which they are numbers


class Excel:
    """The process that stands for the COM server; ``call`` is a cell's formula."""

    def __init__(self, process: concurrent.futures.Executor) -> None:
        self._process = process

    def call(self, function: str, arguments: tuple[Given, ...], sent: Sent) -> Any:
        """What VBA's variable holds after ``XLPy.CallUDF``."""
        return self._process.submit(call_udf, function, arguments, sent).result()

    def call_raw(self, function: str, *variants: Any) -> Any:
        """The same for values that are already what pywin32 would deliver."""
        return self._process.submit(call_variants, function, variants).result()

    def written_vba(self) -> str:
        """The module that xlwings itself would write for ours."""
        return self._process.submit(written_vba).result()

    def descriptions(self) -> dict[str, dict[str, Any]]:
        """What xlwings knows of each function: arguments, help, category."""
        return self._process.submit(descriptions).result()


@contextmanager
def excel_simulation() -> Iterator[Excel]:
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context, initializer=install) as process:
        yield Excel(process)


# --- in the other process ----------------------------------------------------------------------------


class TimeType(dt.datetime):
    """pywintypes.TimeType: a datetime with a time zone, although a cell knows none."""


class Pointer:
    """A COM pointer to a range, as pywin32 first delivers it."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def GetTypeInfo(self) -> Pointer:
        return self

    def GetDocumentation(self, _: int) -> tuple[str]:
        return ("Range",)

    def GetTypeAttr(self) -> types.SimpleNamespace:
        return types.SimpleNamespace(iid=RANGE_IID)


class Dispatched:
    """Just enough of a range."""

    Row = Column = 1

    def __init__(self, pointer: Pointer) -> None:
        rows = pointer.value if isinstance(pointer.value, tuple) else ((pointer.value,),)
        self._oleobj_ = pointer
        self.Value = pointer.value
        self.Rows = types.SimpleNamespace(Count=len(rows))
        self.Columns = types.SimpleNamespace(Count=len(rows[0]))
        self.Worksheet = MagicMock()


WORKBOOK = types.SimpleNamespace(Worksheets=[types.SimpleNamespace(Name="Summary")])


def dispatch(pointer: Any, **_: Any) -> Any:
    """``win32com.client.Dispatch``: the object behind a pointer."""
    return Dispatched(pointer) if isinstance(pointer, Pointer) else pointer


def install() -> None:
    """Load xlwings as it loads on Windows.  Never undone: the process ends with the simulation."""
    pywintypes = types.ModuleType("pywintypes")
    vars(pywintypes).update(TimeType=TimeType, com_error=type("com_error", (Exception,), {}), IID=str)
    pythoncom = MagicMock(__file__="pythoncom.dll")
    pythoncom.TypeIIDs = {pythoncom.IID_IDispatch: Pointer}
    client = MagicMock(Dispatch=dispatch)
    for name in ("CDispatch", "CoClassBaseClass", "DispatchBaseClass"):
        setattr(client, name, type(name, (), {}))
    server = MagicMock()
    server.util.unwrap.side_effect = TypeError  # nothing that VBA sends is a wrapped Python object
    stubs: dict[str, Any] = {
        "pywintypes": pywintypes,
        "pythoncom": pythoncom,
        "win32com": MagicMock(__path__=[], client=client, server=server),
        "win32com.client": client,
        "win32com.client.dynamic": client.dynamic,
        "win32com.server": server,
        "win32com.server.util": server.util,
        "win32com.server.policy": server.policy,
        "win32com.server.dispatcher": server.dispatcher,
    }
    plain = ("win32api", "win32con", "win32event", "win32gui", "win32process", "win32timezone")
    sys.modules.update(stubs, **{name: MagicMock() for name in plain})
    disguised: Any = ctypes
    disguised.windll, disguised.oledll = MagicMock(), MagicMock()
    platform, dll = sys.platform, ctypes.PyDLL
    sys.platform, disguised.PyDLL = "win32", MagicMock()
    try:
        import xlwings
    finally:
        sys.platform, disguised.PyDLL = platform, dll
    assert xlwings.func is xlwings.udfs.xlfunc, "xlwings has not taken its Windows branch"


def call_udf(function: str, arguments: tuple[Given, ...], sent: Sent) -> Any:
    return call_variants(function, tuple(variant(argument, sent) for argument in padded(function, arguments)))


def call_variants(function: str, variants: tuple[Any, ...]) -> Any:
    """``XLPy.CallUDF(module, function, Array(...), ThisWorkbook, Application.Caller)``."""
    from xlwings import com_server

    server: Any = com_server.XLPython()
    return server.CallUDF(MODULE, function, variants, WORKBOOK, Pointer(0.0))


def padded(function: str, arguments: tuple[Given, ...]) -> tuple[Given, ...]:
    """VBA sends every declared argument, those left out at the end too."""
    from xlmodel.functions import FUNCTIONS

    declared = [parameter for parameter in FUNCTIONS[function].parameters if not parameter.repeated]
    return arguments + (OMITTED,) * (len(declared) - len(arguments))


def variant(given: Given, sent: Sent) -> Any:
    """What pywin32 hands to xlwings for an argument of a case."""
    if given is OMITTED:
        return DISP_E_PARAMNOTFOUND
    if isinstance(given, list):
        rows = tuple(tuple(cell_variant(cell, sent) for cell in row) for row in given)
        value = rows[0][0] if len(rows) == len(rows[0]) == 1 else rows
        return Pointer(value) if sent is Sent.RANGES else value
    value = cell_variant(given, sent)
    in_a_cell = given is None or isinstance(given, CellError | dt.date | Decimal)
    return Pointer(value) if sent is Sent.RANGES and in_a_cell else value


def cell_variant(given: Any, sent: Sent) -> Any:
    if isinstance(given, CellError):
        return LONGS[given.code]
    if isinstance(given, dt.date):
        if sent is Sent.VALUES:
            return as_cell(given)
        clock = given.time() if isinstance(given, dt.datetime) else dt.time()
        return TimeType.combine(given, clock, tzinfo=dt.UTC)
    if isinstance(given, Decimal) and sent is Sent.VALUES:
        return float(given)
    return given


def written_vba() -> str:
    import importlib

    from xlwings import udfs

    text = io.StringIO()
    book = types.SimpleNamespace(Name="model.xlsm")
    generate: Any = udfs.generate_vba_wrapper
    generate(MODULE, importlib.import_module(MODULE), text, book)
    return text.getvalue()


def descriptions() -> dict[str, dict[str, Any]]:
    import importlib

    module = importlib.import_module(MODULE)
    found = (getattr(value, "__xlfunc__", None) for value in vars(module).values())
    return {info["name"]: info for info in found if info}
