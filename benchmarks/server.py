"""What the Office.js server saves by batching: 1,000 calls in one request against 1,000 requests of one call.

    python -m benchmarks.server

A real server over https on this machine, asked by one client on one connection, in one run; the calls and
their answers are the same.  Batching saves the requests, not the arithmetic: XM_PAYMENT, a dearer call,
stands beside XM_YEARFRAC for comparison.  Exits with 1 if the batch of XM_YEARFRAC is not 30 times faster.
"""

from __future__ import annotations

import http.client
import sys
import time
from typing import Any

from tests.faces.officejs.process import Server, serving

CALLS = 1_000
ROUNDS = 5  # of the batch, the best counts; one of them is too short for a busy machine
TARGET = 30.0

Calls = list[list[Any]]

NUMBERS = range(1, CALLS + 1)
# Calls, and what they answer by hand: days of 360, and a twelfth a month without interest.
MEASURED: dict[str, tuple[Calls, list[float]]] = {
    "XM_YEARFRAC": ([["XM_YEARFRAC", 36461, 36461 + n, 2] for n in NUMBERS], [n / 360 for n in NUMBERS]),
    "XM_PAYMENT": ([["XM_PAYMENT", 12 * n, 0, 12] for n in NUMBERS], [float(n) for n in NUMBERS]),
}


def measure(
    server: Server, connection: http.client.HTTPConnection, calls: Calls, expected: list[float]
) -> tuple[float, float]:
    """-> seconds of one batch, seconds of as many requests."""

    def ask(batch: Calls) -> list[float]:
        answers: list[float] = server.post({"calls": batch}, connection).json["answers"]
        return answers

    together = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        assert ask(calls) == expected
        together.append(time.perf_counter() - start)
    start = time.perf_counter()
    assert [ask([each])[0] for each in calls] == expected
    return min(together), time.perf_counter() - start


def main() -> int:
    print(
        f"\n{'1,000 calls of the Office.js server':40} {'one batch':>12} {'1,000 requests':>16} {'ratio':>8}"
    )
    ratios = {}
    with serving() as server:
        connection = server.connect()
        for name, (calls, expected) in MEASURED.items():
            together, singly = measure(server, connection, calls, expected)
            ratios[name] = singly / together
            print(f"{name:40} {together * 1e3:9.1f} ms {singly * 1e3:13.0f} ms {ratios[name]:7.0f}x")
        connection.close()
    if ratios["XM_YEARFRAC"] < TARGET:
        print(f"missed: one batch is {ratios['XM_YEARFRAC']:.0f}x faster, wanted {TARGET:.0f}x")
    return 0 if ratios["XM_YEARFRAC"] >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
