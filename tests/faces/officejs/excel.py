"""Excel on the web, as far as its functions go: headless Chromium, Microsoft's own runtime, our page.

Chromium resolves no name but this machine's, so Microsoft's scripts, which the page names by their public
address, come from the npm package of the same scripts.  ``excel_host.js`` is the only part that is pretended.
"""

from __future__ import annotations

import datetime as dt
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright

from tests.faces.case import OMITTED, Given, GivenCell, as_cell
from tests.npm import package
from xlmodel.functions.cells import Cell, CellError, Rows

_HOSTED = "https://appsforoffice.microsoft.com/lib/1/hosted/"
_HOST = Path(__file__).parent / "excel_host.js"

# What the runtime calls the errors that are thrown at it, by the numbers that it sends to Excel.
_FAILURES = {1: "#N/A", 5: "#DIV/0!", 6: "#NUM!", 7: "#VALUE!", 8: "#NULL!"}


class Excel:
    """A workbook whose add-in is loaded: the functions by their metadata, the page open."""

    def __init__(self, page: Page, metadata: dict[str, Any]) -> None:
        self.page = page
        self.functions = {each["name"]: each for each in metadata["functions"]}

    def recalculate(self, calls: Sequence[tuple[str, Sequence[Given]]], *, bare: bool = False) -> list[Any]:
        """The results of calls in one recalculation, as the runtime hands them to Excel: see ``shown``.

        With ``bare`` a constant is sent by itself, not as a range of one.
        """
        return self.recalculate_raw([(name, self.sent(name, arguments, bare)) for name, arguments in calls])

    def recalculate_raw(self, calls: Sequence[tuple[str, list[Any]]]) -> list[Any]:
        """The same for values as they are sent; through a text, because Playwright is slow with lists."""
        script = "async text => JSON.stringify(await recalculate(JSON.parse(text)))"
        return list(json.loads(self.page.evaluate(script, json.dumps(calls))))

    def sent(self, name: str, arguments: Sequence[Given], bare: bool) -> list[Any]:
        """The values of one call by the function's metadata: null where left out, repeated ones listed."""
        parameters = self.functions[name]["parameters"]
        fixed = [each for each in parameters if not each.get("repeating")]
        values = [_sent(argument, bare) for argument in arguments]
        padded = values[: len(fixed)] + [None] * (len(fixed) - len(values))
        return padded if len(fixed) == len(parameters) else [*padded, values[len(fixed) :]]


@contextmanager
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium")
    assert program, "Chromium is needed for the tests marked faces: make test installs it"
    with sync_playwright() as driver:
        found = driver.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost"],
        )
        yield found
        found.close()


@contextmanager
def workbook(browser: Browser, url: str) -> Iterator[Excel]:
    """A workbook with the add-in of the server at this address."""
    with page_of(browser) as page:
        page.add_init_script(path=_HOST)
        page.goto(f"{url}/functions.html")
        metadata = page.evaluate("async () => (await fetch('functions.json')).json()")
        yield Excel(page, metadata)


@contextmanager
def page_of(browser: Browser) -> Iterator[Page]:
    """A page that fails the test when a script of it fails."""
    context = browser.new_context(ignore_https_errors=True, viewport={"width": 360, "height": 560})
    context.route(f"{_HOSTED}**", _from_package)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    yield page
    context.close()
    assert not faults, faults


def shown(result: dict[str, Any]) -> Cell | Rows:
    """What a cell shows of a result that the runtime hands to Excel."""
    if "failure" in result:
        return CellError(_FAILURES[result["failure"]])
    value = result["value"]
    return [[_shown(cell) for cell in row] for row in value] if isinstance(value, list) else _shown(value)


def _shown(value: Any) -> Cell:
    if isinstance(value, dict):
        assert value["valueType"] == "CustomFunctionError", value
        return CellError(value["basicValue"])
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    assert isinstance(value, float | str | bool), f"{value!r} is nothing that a cell can show"
    return value


def _sent(given: Given, bare: bool) -> Any:
    if given is OMITTED:
        return None
    if isinstance(given, list):
        return [[_sent_cell(cell) for cell in row] for row in given]
    constant = not (given is None or isinstance(given, CellError | dt.date | Decimal))
    return _sent_cell(given) if bare and constant else [[_sent_cell(given)]]


def _sent_cell(given: GivenCell) -> Any:
    """A blank cell of a range is an empty text in Excel; an error is an object; a date is its serial."""
    cell = as_cell(given)
    if isinstance(cell, CellError):
        return {"type": "CustomFunctionError", "code": cell.code}
    return "" if cell is None else cell


def _from_package(route: Route) -> None:
    scripts = package("@microsoft/office-js", "1.1.110") / "dist"
    route.fulfill(path=scripts / route.request.url.removeprefix(_HOSTED), content_type="text/javascript")
