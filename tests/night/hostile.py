"""Functions of the test that hang a process or end it, as a fault of ours or of the engine would.

A workbook calls them by name in a cell; ``enter`` puts them into the registry of the process that it is
called in, which is how a worker of the pool gets them.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import openpyxl

from xlmodel.functions import FUNCTIONS
from xlmodel.functions.registry import function

KINDS = ("hang", "exit", "spin")


def enter() -> None:
    """Register XM_TEST_HANG, XM_TEST_EXIT and XM_TEST_SPIN in this process."""
    if "XM_TEST_HANG" in FUNCTIONS:
        return
    function("XM_TEST_HANG", "Test")(_hang)
    function("XM_TEST_EXIT", "Test")(_exit)
    function("XM_TEST_SPIN", "Test")(_spin)


def hostile(workbook: Path, kind: str) -> Path:
    """The workbook with a cell that calls one of them."""
    book = openpyxl.load_workbook(workbook)
    book.worksheets[0]["AZ1"] = f"=XM_TEST_{kind.upper()}()"
    book.save(workbook)
    return workbook


def _hang() -> float:
    """Sleep for an hour."""
    time.sleep(3600)
    return 0.0


def _exit() -> float:
    """End the process, as a fault in native code does."""
    os._exit(7)


def _spin() -> float:
    """Never return, and never sleep."""
    while True:
        pass


# On a cluster's worker, which has no registry of the tests, the functions are the work themselves.


def find_tests(path: str) -> None:
    """Let a worker find these tests."""
    import sys

    sys.path.insert(0, path)


def evaluate_hang() -> float:
    """Work that never ends."""
    return _hang()


def evaluate_exit() -> float:
    """Work that ends its process."""
    return _exit()
