"""The endpoint as a program meets it: what is answered, what is refused, with which status and code."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.faces.officejs.process import Answer, Server, serving
from xlmodel.errors import ERRORS

pytestmark = pytest.mark.faces

# 1,200 over 12 months without interest: 100 a month
PAYMENT = ["XM_PAYMENT", 1200, 0, 12]
TOKEN = "right-token-0123456789"


@pytest.fixture(scope="module")
def guarded() -> Iterator[Server]:
    """A server with a token, small limits and the public address of a proxy."""
    options = ("--max-calls", "50", "--max-body", "1", "--max-seconds", "2", "--max-requests", "3")
    with serving(
        *options,
        *("--plain-http", "--public-url", "https://tools.example/xl"),
        environment={"XLMODEL_TOKEN": TOKEN},
    ) as started:
        yield started


def post(server: Server, body: Any) -> Answer:
    return server.post(body, headers={"Authorization": f"Bearer {TOKEN}"})


def is_well(server: Server) -> bool:
    answer = post(server, {"calls": [PAYMENT]})
    return (answer.status, answer.json) == (200, {"answers": [100.0]})


def test_answers_come_in_the_order_of_the_calls(guarded: Server) -> None:
    calls = [
        PAYMENT,
        ["XM_DAYS", 36461, 36509, "actual/360"],  # 3 + 30 + 15
        ["xm_days", [[36461.0], [36509.0]], 36509, 2],
        ["XM_NOPE"],
        ["XM_DAYS", {"error": "#REF!"}, 1],
        ["XM_DAYS", None, 1],
        ["XM_IS_BUSINESS_DAY", 36459],  # Tuesday, October 26, 1999
        ["XM_PAYMENT", 1e400, 0, 12],
        ["XM_PAYMENT", [1, 2], 0, 12],
        ["XM_PAYMENT", {"oops": 1}, 0, 12],
        ["XM_PAYMENT", 1, 2, 3, 4, 5, 6, 7, 8, 9],
    ]
    answers = post(guarded, json.dumps({"calls": calls}).replace("Infinity", "1e400").encode()).json[
        "answers"
    ]
    assert answers[:3] == [100.0, 48.0, [[48.0], [0.0]]]
    assert answers[6] is True
    failed = [(answer["error"], answer["reason"].split(" ")[0]) for answer in (*answers[3:6], *answers[7:])]
    assert failed == [
        ("#NAME?", "XM-402"),
        ("#REF!", "XM-108"),
        ("#VALUE!", "XM-104"),
        ("#NUM!", "XM-102"),
        ("#VALUE!", "XM-101"),
        ("#VALUE!", "XM-101"),
        ("#VALUE!", "XM-107"),
    ]


BODIES: dict[str, tuple[bytes, int, str]] = {
    "nothing": (b"", 400, "XM-624"),
    "no JSON": (b"{", 400, "XM-624"),
    "no UTF-8": (b'{"calls":[["\xff\xfe"]]}', 400, "XM-624"),
    "a list": (b"[]", 400, "XM-624"),
    "no calls": (b"{}", 400, "XM-624"),
    "calls that are no list": (b'{"calls": 1}', 400, "XM-624"),
    "a call that is no list": (b'{"calls": ["XM_DAYS"]}', 400, "XM-624"),
    "a call without a name": (b'{"calls": [[1]]}', 400, "XM-624"),
    "an empty call": (b'{"calls": [[]]}', 400, "XM-624"),
    "NaN": (b'{"calls": [["XM_DAYS", NaN]]}', 400, "XM-624"),
    "ten thousand brackets": (b"[" * 10_000, 400, "XM-624"),
    "too many calls": (json.dumps({"calls": [PAYMENT] * 51}).encode(), 413, "XM-625"),
    "too many bytes": (b" " * (2**20 + 1), 413, "XM-625"),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_no_batch_is_refused(guarded: Server, name: str) -> None:
    body, status, code = BODIES[name]
    answer = post(guarded, body)
    assert (answer.status, answer.code) == (status, code)
    assert is_well(guarded)


HEADERS: dict[str, tuple[dict[str, str], int, str]] = {
    "no token": ({}, 401, "XM-623"),
    "a wrong token": ({"Authorization": f"Bearer {TOKEN}x"}, 401, "XM-623"),
    "another scheme": ({"Authorization": f"Basic {TOKEN}"}, 401, "XM-623"),
    "letters beyond ASCII": ({"Authorization": "Bearer \xe9" + TOKEN}, 401, "XM-623"),
    "a form": ({"Authorization": f"Bearer {TOKEN}", "Content-Type": "text/plain"}, 415, "XM-624"),
    "another page": ({"Authorization": f"Bearer {TOKEN}", "Origin": "https://evil.example"}, 403, "XM-622"),
    "a page from a file": ({"Authorization": f"Bearer {TOKEN}", "Origin": "null"}, 403, "XM-622"),
    "no origin that can be read": (
        {"Authorization": f"Bearer {TOKEN}", "Origin": "https://["}, 403, "XM-622",
    ),
    "another page on this machine": (
        {"Authorization": f"Bearer {TOKEN}", "Origin": "https://localhost:9"}, 403, "XM-622",
    ),
    "another name of the server": (
        {"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"}, 421, "XM-621",
    ),
    "a name that begins alike": (
        {"Authorization": f"Bearer {TOKEN}", "Host": "localhost.evil.example"}, 421, "XM-621",
    ),
    "the server's own page": (
        {"Authorization": f"Bearer {TOKEN}", "Origin": "https://tools.example"}, 200, "",
    ),
    "the proxy's name": ({"Authorization": f"Bearer {TOKEN}", "Host": "tools.example"}, 200, ""),
    "the token's scheme in other letters": ({"Authorization": f"BEARER {TOKEN}"}, 200, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", HEADERS)
def test_who_may_ask(guarded: Server, name: str) -> None:
    headers, status, code = HEADERS[name]
    sent = {"Content-Type": "application/json"} | headers
    answer = guarded.ask("POST", "/calls", json.dumps({"calls": [PAYMENT]}).encode(), sent)
    assert (answer.status, answer.json["error"]["code"] if status != 200 else "") == (status, code)
    assert "access-control-allow-origin" not in answer.headers
    assert TOKEN not in guarded.said()


def test_the_paths_of_a_proxy_that_keeps_its_own_and_of_one_that_does_not(guarded: Server) -> None:
    sent = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
    for path in ("/calls", "/xl/calls"):
        assert guarded.ask("POST", path, json.dumps({"calls": [PAYMENT]}).encode(), sent).status == 200
    for method, path, status in (("GET", "/nope", 404), ("GET", "/calls", 405), ("OPTIONS", "/calls", 405)):
        answer = guarded.ask(method, path)
        assert (answer.status, answer.headers["content-type"]) == (status, "application/json")
    assert b"https://tools.example/xl/functions.js" in guarded.ask("GET", "/xl/manifest.xml").body
    assert guarded.ask("GET", "/health").json["status"] == "ok"


@pytest.mark.parametrize(
    ("path", "origin", "allowed"),
    [
        ("/functions.json", "https://excel.officeapps.live.com", "https://excel.officeapps.live.com"),
        ("/functions.json", "https://evil.example", None),
        ("/functions.js", "https://excel.officeapps.live.com", None),
    ],
)
def test_only_the_metadata_is_open_to_excel_on_the_web(
    guarded: Server, path: str, origin: str, allowed: str | None
) -> None:
    answer = guarded.ask("GET", path, headers={"Origin": origin})
    assert (answer.status, answer.headers.get("access-control-allow-origin")) == (200, allowed)


def test_a_stated_length_beyond_the_limit_is_refused_before_the_body_is_sent(guarded: Server) -> None:
    with socket.create_connection(("127.0.0.1", guarded.port), 10) as raw:
        raw.sendall(
            f"POST /calls HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
            "Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n".encode()
        )
        assert raw.recv(64).startswith(b"HTTP/1.1 413")


def test_a_batch_that_takes_too_long_is_stopped_and_the_server_goes_on(guarded: Server) -> None:
    slow = slow_batch()
    start = time.monotonic()
    answer = post(guarded, slow)
    assert (answer.status, answer.code) == (504, "XM-626")
    assert time.monotonic() - start < 12  # the limit is 2
    assert is_well(guarded)


def slow_batch() -> bytes:
    """Fifty rates of flows that change sign 400 times: seconds of work on any machine (11 on one of 2026)."""
    flows = [[-100.0, *[1.0, -0.5] * 200, 200.0]]
    body = json.dumps({"calls": [["XM_IRR", flows, number / 1000] for number in range(50)]})
    assert len(body) < 2**20
    return body.encode()


def test_more_requests_than_the_server_takes_are_told_to_come_again(guarded: Server) -> None:
    slow, answers = slow_batch(), []
    threads = [threading.Thread(target=lambda: answers.append(post(guarded, slow))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = {(answer.status, answer.code) for answer in answers}
    assert len(answers) == 8
    assert (503, "XM-627") in found
    assert found <= {(503, "XM-627"), (504, "XM-626")}
    assert all(a.headers.get("retry-after") == "1" for a in answers if a.status == 503)
    assert is_well(guarded)


def test_a_lost_evaluator_is_replaced(guarded: Server) -> None:
    lost = [pid for pid in guarded.processes() if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert lost
    for child in lost:
        os.kill(child, signal.SIGKILL)
    statuses = [post(guarded, {"calls": [PAYMENT]}).status for _ in range(3 * len(lost))]
    assert sorted(statuses) == [200] * 2 * len(lost) + [503] * len(lost)


def test_the_certificate_is_this_machines_and_its_key_the_users(server: Server) -> None:
    certificate, key = (server.home / "xlmodel" / f"localhost.{kind}" for kind in ("crt", "key"))
    assert key.stat().st_mode & 0o777 == 0o600
    trust = ssl.create_default_context(cafile=str(certificate))
    for name in ("localhost", "127.0.0.1"):
        with (
            socket.create_connection(("127.0.0.1", server.port), 10) as raw,
            trust.wrap_socket(raw, server_hostname=name) as checked,
        ):
            assert checked.version() in ("TLSv1.2", "TLSv1.3")


def test_several_processes_answer_as_one() -> None:
    with serving("--workers", "2") as several:
        statuses = [several.post({"calls": [PAYMENT]}).json for _ in range(20)]
    assert statuses == [{"answers": [100.0]}] * 20


# --- anything at all ---------------------------------------------------------------------------------

_json = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.text(max_size=8)
    | st.just({"error": "#N/A"}),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
_names = st.sampled_from(["XM_DAYS", "XM_WHY", "XM_ALLOCATE", "XM_PAYMENT", "XM_COLLECTIONS", "XM_VERSION"])
_calls = st.builds(
    lambda name, rest: [name, *rest], _names | st.text(max_size=6), st.lists(_json, max_size=6)
)
_bodies = (
    st.binary(max_size=200)
    | _json.map(lambda value: json.dumps(value).encode())
    | st.lists(_calls, max_size=4).map(lambda calls: json.dumps({"calls": calls}).encode())
)
_values = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30).map(str.strip)
_headers = st.dictionaries(
    st.sampled_from(["Origin", "Content-Type", "Authorization", "Accept", "Cookie", "X-Forwarded-Host"]),
    _values,
)


@pytest.fixture(scope="module")
def kept(server: Server) -> http.client.HTTPConnection:
    return server.connect()


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(_bodies, _headers, st.booleans())
@example(b'{"calls": [["\\ud800", "\\udfff"]]}', {}, True)
def test_nothing_that_is_sent_is_a_fault_of_the_server(
    kept: http.client.HTTPConnection, server: Server, body: bytes, headers: dict[str, str], as_json: bool
) -> None:
    sent = headers | ({"Content-Type": "application/json"} if as_json else {})
    answer = server.ask("POST", "/calls", body, sent, kept)
    assert answer.status in (200, 400, 403, 413, 415)
    if answer.status == 200:
        assert len(answer.json["answers"]) == len(json.loads(body)["calls"])
    else:
        assert answer.code in {error.code for error in ERRORS}
