"""The server under load: 64 clients for half a minute, then a flood; every answer right, no memory kept."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count

import pytest

from tests.faces.officejs.process import Server, serving

pytestmark = pytest.mark.soak

CLIENTS = 64
SECONDS = 30.0
WARM_UP = 6.0
MEBIBYTE = 2**20


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as started:
        yield started


def load(server: Server, seconds: float) -> tuple[int, list[str]]:
    """-> how many batches were answered, and what was wrong.

    Each client asks without pause on its own connection; no two batches are the same.
    """
    numbers = count(1)
    answered: Counter[int] = Counter()
    wrong: list[str] = []
    end = time.monotonic() + seconds

    def client(me: int) -> None:
        connection = server.connect()
        while time.monotonic() < end:
            number = next(numbers)
            # a twelfth a month; claims paid in their order; an error as it came
            calls = [
                ["XM_PAYMENT", 12 * number, 0, 12],
                ["XM_ALLOCATE", number, [[1], [number]]],
                ["XM_DAYS", {"error": "#N/A"}, number],
            ]
            try:
                answer = server.post({"calls": calls}, connection)
                payment, allocated, error = answer.json["answers"]
                right = (
                    payment == number and allocated == [[1, 0], [number - 1, 1]] and error["error"] == "#N/A"
                )
                if not right:
                    wrong.append(f"batch {number}: {answer.body!r}")
            except Exception as fault:
                wrong.append(f"batch {number}: {type(fault).__name__}: {fault}")
                connection = server.connect()
            answered[me] += 1
        connection.close()

    threads = [threading.Thread(target=client, args=(me,)) for me in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answered) == CLIENTS, "a client was never answered"
    return answered.total(), wrong


def test_sixty_four_clients_for_half_a_minute(server: Server) -> None:
    load(server, WARM_UP)
    before = server.memory()
    answered, wrong = load(server, SECONDS)
    after = server.memory()
    print(
        f"{answered} batches in {SECONDS:g} s, memory {before / MEBIBYTE:.1f} -> {after / MEBIBYTE:.1f} MiB"
    )
    assert not wrong, f"{len(wrong)} of {answered}: {wrong[:3]}"
    assert answered > 20 * SECONDS
    # what Python's allocator may leave behind, far below one body a batch
    assert after - before < 8 * MEBIBYTE


def test_a_flood_is_refused_and_the_server_goes_on() -> None:
    """150 at once where 32 are taken in hand, each with work of some hundredths of a second."""
    body = {"calls": [["XM_PAYMENT_DATES", 36509, 2400]] * 10}
    statuses: list[int] = []
    options = ("--plain-http", "--public-url", "https://tools.example", "--max-requests", "32")
    with serving(*options) as small:
        ready = threading.Barrier(150)

        def client() -> None:
            ready.wait()
            statuses.append(small.post(body).status)

        threads = [threading.Thread(target=client) for _ in range(150)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        counted = Counter(statuses)
        print(f"flood: {dict(counted)}")
        assert counted.total() == 150
        assert set(counted) == {200, 503}
        assert small.post({"calls": [["XM_PAYMENT", 1200, 0, 12]]}).json == {"answers": [100.0]}
