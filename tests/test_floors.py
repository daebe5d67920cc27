"""The import law of the package, read from its source: who may import whom, and where a third party may be.

Imports inside functions and under TYPE_CHECKING count as well: the law is about design, not about speed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "xlmodel"

# From the ground up; what stands on one floor is strangers to each other.
FLOORS: tuple[set[str], ...] = (
    {"errors"},
    {"package", "conventions", "processes"},
    {"tables"},
    {"pool"},
    {"deal"},
    {"analytics", "trust", "lender"},
    {"functions"},
    {"faces"},
    {"workbook"},
    {"night"},
    {"settings", "journal"},
    {"commands"},
    {"cli"},
)
# A third party, and the files that may import it; a star stands for folders too.
AT_HOME = {
    "xlwings": ("faces/excel*.py",),
    "openpyxl": ("workbook/*.py", "pool/tape/sheet.py"),
    "formualizer": ("faces/headless.py",),
    "starlette": ("faces/officejs/*.py",),
    "uvicorn": ("faces/officejs/*.py",),
    "cryptography": ("faces/officejs/*.py",),
    "distributed": ("night/cluster.py",),
    "dask": ("night/cluster.py",),
    "jinja2": ("night/report/*.py",),
    "pyarrow": ("pool/tape/parquet.py",),
}
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "base"}

_FLOOR = {part: number for number, floor in enumerate(FLOORS) for part in floor}


def breaches(package: Path) -> list[str]:
    """Every breach of the law in a package called xlmodel, as ``file:line: what and why``."""
    found = []
    for path in sorted(package.rglob("*.py")):
        file = path.relative_to(package)
        found += [f"xlmodel/{file}: {sentence}" for sentence in _name_breaches(file)]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                found += [f"xlmodel/{file}:{node.lineno}: {why}" for why in _import_breaches(file, node)]
    return found


def _name_breaches(file: Path) -> Iterator[str]:
    for name in (*file.parts[:-1], file.stem):
        if name in EMPTY_NAMES:
            yield f"{name!r} says nothing of what is inside; name the idea"
    part = _part(file)
    if part and part not in _FLOOR:
        yield f"{part!r} stands on no floor; give it one in {Path(__file__).name}"


def _import_breaches(file: Path, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
        yield "a star import hides what it brings"
    for module in _imported(file, node):
        top, *rest = module.split(".")
        if top == "xlmodel":
            yield from _floor_breaches(_part(file), rest[0] if rest else "")
        elif top in AT_HOME and not any(fnmatch(file.as_posix(), pattern) for pattern in AT_HOME[top]):
            yield f"{top} is at home in {' and '.join(AT_HOME[top])} only"


def _floor_breaches(here: str, there: str) -> Iterator[str]:
    if there not in _FLOOR or here == there:
        return  # the package's own version, or a name that is no module
    if not here:
        yield f"the package itself imports {there}, so that every import loads it"
    elif _FLOOR.get(here, -1) < _FLOOR[there]:
        yield f"{here} imports {there}, which stands above it"
    elif _FLOOR[here] == _FLOOR[there]:
        yield f"{here} imports {there}, which stands beside it"


def _imported(file: Path, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The absolute names that a statement may import; ``from a import b`` means a.b, if that is a module."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    module = node.module or ""
    if node.level:
        parents = ("xlmodel", *file.parts[:-1])
        module = ".".join((*parents[: len(parents) - node.level + 1], *([module] if module else [])))
    if module == "xlmodel":
        yield from (f"xlmodel.{alias.name}" for alias in node.names)
    else:
        yield module


def _part(file: Path) -> str:
    """Which part of the package a file belongs to; "" for the package's own ``__init__.py``."""
    return "" if file.parts == ("__init__.py",) else file.parts[0].removesuffix(".py")


def test_the_package_keeps_the_law() -> None:
    found = breaches(PACKAGE)
    assert not found, "\n" + "\n".join(found)


BROKEN = {
    "up": (
        "pool/tape.py",
        "from xlmodel.deal.waterfall import run",
        "1: pool imports deal, which stands above it",
    ),
    "beside": (
        "package/x.py",
        "import xlmodel.conventions.money",
        "1: package imports conventions, which stands beside it",
    ),
    "up, relative": (
        "pool/tape.py",
        "from ..deal import waterfall",
        "1: pool imports deal, which stands above it",
    ),
    "up, relative, named": (
        "pool/tape.py",
        "from .. import deal",
        "1: pool imports deal, which stands above it",
    ),
    "up, by the package": (
        "deal/x.py",
        "from xlmodel import cli",
        "1: deal imports cli, which stands above it",
    ),
    "in a function": (
        "errors.py",
        "def f():\n    import xlmodel.tables",
        "2: errors imports tables, which stands above it",
    ),
    "for types only": (
        "tables.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from xlmodel.pool import contracts",
        "3: tables imports pool, which stands above it",
    ),
    "the package": (
        "__init__.py",
        "from xlmodel.errors import Category",
        "1: the package itself imports errors, so that every import loads it",
    ),
    "xlwings": ("functions/x.py", "import xlwings as xw", "1: xlwings is at home in faces/excel*.py only"),
    "openpyxl": (
        "pool/x.py",
        "from openpyxl import Workbook",
        "1: openpyxl is at home in workbook/*.py and pool/tape/sheet.py only",
    ),
    "formualizer": (
        "faces/excel.py",
        "import formualizer",
        "1: formualizer is at home in faces/headless.py only",
    ),
    "distributed": (
        "night/run.py",
        "from distributed import Client",
        "1: distributed is at home in night/cluster.py only",
    ),
    "a star": ("deal/x.py", "from xlmodel.pool.contracts import *", "1: a star import hides what it brings"),
    "an empty name": ("deal/utils.py", "", " 'utils' says nothing of what is inside; name the idea"),
    "no floor": ("reports/x.py", "", " 'reports' stands on no floor; give it one in test_floors.py"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_breach_is_found_and_told(tmp_path: Path, name: str) -> None:
    file, source, expected = BROKEN[name]
    path = tmp_path / "xlmodel" / file
    path.parent.mkdir(parents=True)
    path.write_text(source)
    assert breaches(tmp_path / "xlmodel") == [f"xlmodel/{file}:{expected}"]


LAWFUL = {
    "down": ("deal/x.py", "from xlmodel.pool.contracts import Pool\nfrom xlmodel import tables, __version__"),
    "within": ("deal/x.py", "from xlmodel.deal import steps\nfrom . import orders\nfrom .steps import Fee"),
    "at home": ("workbook/sheets/x.py", "import openpyxl"),
    "at home, deeper": ("workbook/sheets/kind/x.py", "import openpyxl"),
    "xlwings at home": ("faces/excel_ribbon.py", "import xlwings"),
    "the standard library": ("errors.py", "import math, enum\nfrom dataclasses import dataclass"),
}


@pytest.mark.parametrize("name", LAWFUL)
def test_what_is_lawful_is_let_through(tmp_path: Path, name: str) -> None:
    file, source = LAWFUL[name]
    path = tmp_path / "xlmodel" / file
    path.parent.mkdir(parents=True)
    path.write_text(source)
    assert breaches(tmp_path / "xlmodel") == []
