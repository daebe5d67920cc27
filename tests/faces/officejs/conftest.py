"""One server and one browser for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.faces.officejs import excel
from tests.faces.officejs.process import Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serving() as started:
        yield started


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with excel.browser() as started:
        yield started


@pytest.fixture(scope="session")
def workbook(browser: Browser, server: Server) -> Iterator[excel.Excel]:
    with excel.workbook(browser, server.url) as opened:
        yield opened
