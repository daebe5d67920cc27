"""How functions.js talks to the server: one request a recalculation, and what a cell shows when it fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Request, Route

from tests.faces.case import OMITTED, GivenCell
from tests.faces.officejs.excel import Excel, page_of, shown
from tests.faces.officejs.excel import workbook as opened
from tests.faces.officejs.process import Server, serving
from xlmodel.functions.cells import CellError

pytestmark = pytest.mark.faces

NA = CellError("#N/A")
# 1,200 over 12 months without interest: 100 a month
PAYMENT = ("XM_PAYMENT", (1200.0, 0.0, 12.0))


@contextmanager
def requests_of(workbook: Excel) -> Iterator[list[int]]:
    """How many calls each request carries."""
    seen: list[int] = []

    def note(request: Request) -> None:
        if request.url.endswith("/calls"):
            seen.append(len(json.loads(request.post_data or "")["calls"]))

    workbook.page.on("request", note)
    yield seen
    workbook.page.remove_listener("request", note)


@contextmanager
def answered_by(workbook: Excel, *answers: dict[str, Any]) -> Iterator[list[int]]:
    """The first requests answered by something else than the server; how many there were."""
    asked: list[int] = []

    def answer(route: Route) -> None:
        asked.append(1)
        if len(asked) > len(answers):
            route.continue_()
        elif answers[len(asked) - 1]:
            route.fulfill(**answers[len(asked) - 1])
        else:
            route.abort("connectionreset")

    workbook.page.route("**/calls", answer)
    yield asked
    workbook.page.unroute("**/calls")


def test_a_recalculation_is_one_request(workbook: Excel) -> None:
    calls = [("XM_PAYMENT", (12.0 * number, 0.0, 12.0)) for number in range(1, 1001)]
    with requests_of(workbook) as seen:
        found = workbook.recalculate(calls)
    assert seen == [1000]
    assert [shown(each) for each in found] == [[[float(number)]] for number in range(1, 1001)]


def test_what_is_beyond_the_limits_is_cut_or_told(browser: Browser) -> None:
    # 190 rep lines with long names, about 200 kB; five of them are in 1 MiB
    pool: list[list[GivenCell]] = [["n" * 1_000, 1200.0, 0.0, 12.0, 12.0]] * 190
    one_month = ("XM_COLLECTIONS", (pool, 0.0, OMITTED, 1.0))
    with serving("--max-calls", "100", "--max-body", "1") as small, opened(browser, small.url) as workbook:
        with requests_of(workbook) as by_count:
            found = workbook.recalculate([PAYMENT] * 250)
        assert sorted(by_count) == [50, 100, 100]
        assert [shown(each) for each in found] == [[[100.0]]] * 250
        with requests_of(workbook) as by_size:
            found = workbook.recalculate([one_month] * 12)
        assert sorted(by_size) == [2, 5, 5]
        # 190 x 1,200 and a twelfth of it
        assert [shown(each) for each in found] == [[[1.0, 228000.0, 0.0, 19000.0, 0.0, 209000.0]]] * 12
        large, other = workbook.recalculate([("XM_COLLECTIONS", (pool * 6, 0.0)), PAYMENT])
    assert shown(large) == NA
    assert large["message"].startswith("XM-625 the body is larger than 1,048,576 bytes")
    assert shown(other) == [[100.0]]


GARBAGE: dict[str, tuple[dict[str, Any], str]] = {
    "a page instead of answers": ({"status": 200, "body": "<html>log in</html>"}, "XM-629"),
    "too few answers": ({"status": 200, "json": {"answers": []}}, "XM-629"),
    "no answers": ({"status": 200, "json": {"answers": None}}, "XM-629"),
    "a proxy's own error": ({"status": 500, "body": "oops"}, "status 500"),
    "elsewhere": ({"status": 302, "headers": {"Location": "https://localhost/login"}}, "XM-629"),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_what_is_no_answer_is_an_error_with_a_reason(workbook: Excel, name: str) -> None:
    answer, reason = GARBAGE[name]
    with answered_by(workbook, *[answer] * 9):
        (found,) = workbook.recalculate([PAYMENT])
    assert shown(found) == NA
    assert reason in found["message"]


def test_a_busy_server_and_a_lost_connection_are_asked_again(workbook: Excel) -> None:
    busy = {"status": 503, "json": {"error": {"code": "XM-627", "reason": "XM-627 busy"}}}
    with answered_by(workbook, busy, {}) as asked:
        (found,) = workbook.recalculate([PAYMENT])
    assert (shown(found), len(asked)) == ([[100.0]], 3)
    with answered_by(workbook, *[busy] * 9) as asked:
        (found,) = workbook.recalculate([PAYMENT])
    assert (shown(found), found["message"], len(asked)) == (NA, "XM-627 busy", 4)


def test_a_stopped_server_leaves_no_value_behind(browser: Browser) -> None:
    with serving() as server, opened(browser, server.url) as workbook:
        assert shown(workbook.recalculate([PAYMENT])[0]) == [[100.0]]
        server.process.kill()
        server.process.wait()
        (found,) = workbook.recalculate([PAYMENT])
        assert shown(found) == NA
        assert found["message"] == (
            f"XM-629 the server {server.url}: it was not reached "
            "(start it with xlmodel serve and recalculate)"
        )
        with serving(port=server.port):
            assert shown(workbook.recalculate([PAYMENT])[0]) == [[100.0]]


TOKEN = "a-token-for-this-test-0123456789"


def test_the_token_is_entered_in_the_pane_and_nowhere_else(browser: Browser) -> None:
    with serving(environment={"XLMODEL_TOKEN": TOKEN}) as server, opened(browser, server.url) as workbook:
        (found,) = workbook.recalculate([PAYMENT])
        assert shown(found) == NA
        assert (
            found["message"] == "XM-623 the token is missing (enter the token in the xlmodel pane of Excel)"
        )

        with pane_beside(workbook, server) as pane:
            pane.locator("#state.bad").wait_for()
            pane.fill("#token", TOKEN)
            pane.click("text=Keep")
            pane.locator("#state.good").wait_for()
            assert pane.input_value("#token") == ""
            assert shown(workbook.recalculate([PAYMENT])[0]) == [[100.0]]

            pane.click("text=Forget")
            pane.locator("#state.bad").wait_for()
        (found,) = workbook.recalculate([PAYMENT])
        assert shown(found) == NA
        assert "XM-623" in server.said()
        assert TOKEN not in server.said()
        for path in ("/manifest.xml", "/functions.json", "/functions.js", "/functions.html", "/pane.html"):
            assert TOKEN.encode() not in server.ask("GET", path).body


@contextmanager
def pane_beside(workbook: Excel, server: Server) -> Iterator[Any]:
    """The pane in the same browser as the functions, which is how the two share what is kept."""
    pane = workbook.page.context.new_page()
    pane.goto(f"{server.url}/pane.html")
    yield pane
    pane.close()


def test_the_pane_says_whether_the_server_answers(browser: Browser, server: Server) -> None:
    with page_of(browser) as pane:
        pane.goto(f"{server.url}/pane.html")
        pane.locator("#state.good").wait_for()
        assert "The server answers: xlmodel 0.1.0" in pane.inner_text("#state")
