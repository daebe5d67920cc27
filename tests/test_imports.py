"""Importing the engine loads no heavy library: a cell, a shell command and a night start at once."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ("pandas", "openpyxl", "formualizer", "xlwings", "distributed", "jinja2", "sqlite3")


def loaded_by(statement: str) -> set[str]:
    """The heavy libraries that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout)) & set(HEAVY)


@pytest.mark.parametrize(
    "module",
    [
        "xlmodel",
        "xlmodel.functions",
        "xlmodel.deal.waterfall",
        "xlmodel.deal.folder",
        "xlmodel.faces.excel_vba",
        "xlmodel.night.run",  # a workbook that is skipped costs no evaluator
        "xlmodel.processes.crew",
        "xlmodel.processes.supervised",
        "xlmodel.night.cluster",
        "xlmodel.cli",
    ],
)
def test_import_loads_nothing_heavy(module: str) -> None:
    assert loaded_by(f"import {module}") == set()


def test_a_call_loads_nothing_heavy() -> None:
    dates = "xlmodel.functions.call('XM_PAYMENT_DATES', [36509.0, 12.0])"
    assert loaded_by(f"import xlmodel.functions\n{dates}") == set()


def test_the_look_at_sys_modules_can_fail() -> None:
    assert loaded_by("import xlmodel.faces.excel") >= {"xlwings"}
