"""The flagship's deal folder, with a workbook that is built and refreshed once for all tests."""

from __future__ import annotations

import shutil
from pathlib import Path

import openpyxl
import pytest
from openpyxl import Workbook

from tests.deal.tie import DEAL
from tests.workbook.books import layout_of
from xlmodel.deal.folder import read_folder
from xlmodel.package.guard import open_package
from xlmodel.workbook.build import build_workbook
from xlmodel.workbook.refresh import refresh
from xlmodel.workbook.sheets.layout import Layout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of workbooks/carmax_1999_1 with a fresh build, refreshed; not to be written to."""
    folder = tmp_path_factory.mktemp("built") / DEAL.name
    shutil.copytree(DEAL, folder)
    package = open_package(build_workbook(read_folder(folder)), name="fresh")
    (folder / f"{DEAL.name}.xlsx").write_bytes(refresh(package).data)
    return folder


@pytest.fixture(scope="session")
def layout() -> Layout:
    """Where the flagship's blocks stand."""
    return layout_of(DEAL)


@pytest.fixture(scope="session")
def values(built: Path) -> Workbook:
    """The built workbook with its values, as openpyxl reads them."""
    return openpyxl.load_workbook(built / f"{DEAL.name}.xlsx", data_only=True)


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    """A copy of the built folder to be changed."""
    return Path(shutil.copytree(built, tmp_path / DEAL.name))


@pytest.fixture
def workbook(folder: Path) -> Path:
    return folder / f"{DEAL.name}.xlsx"
