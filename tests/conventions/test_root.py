"""The root finder: right to the last digits, in few evaluations, and honest where there is none."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from xlmodel.conventions.root import between, find_root

Function = Callable[[float], float]


class Counted:
    """A function that knows how often it was asked."""

    def __init__(self, function: Function) -> None:
        self.function, self.calls = function, 0

    def __call__(self, x: float) -> float:
        self.calls += 1
        return self.function(x)


@pytest.mark.parametrize(
    ("function", "low", "high", "root", "calls"),
    [
        (lambda x: x**3 - 2, 0.0, 2.0, 2 ** (1 / 3), 14),
        (lambda x: 2 - x**3, 0.0, 2.0, 2 ** (1 / 3), 14),
        (lambda x: math.cos(x) - x, 0.0, 1.0, 0.7390851332151607, 10),
        (lambda x: math.exp(-x) - 1e-6, 0.0, 50.0, math.log(1e6), 45),
        (lambda x: x - 0.25, 0.0, 1.0, 0.25, 6),
        (lambda x: x, 0.0, 1.0, 0.0, 3),  # at an end
        (lambda x: x - 1, 0.0, 1.0, 1.0, 3),
        # a step has no slope to follow: halving finds it
        (lambda x: -1.0 if x < 1 / 3 else 1.0, 0.0, 1.0, 1 / 3, 70),
        (lambda x: (x - 0.1) ** 9, 0.0, 1.0, 0.1, 250),
    ],
)
def test_between(function: Function, low: float, high: float, root: float, calls: int) -> None:
    # a root of the ninth order cannot be told from its neighbours in floats
    digits = 1e-15 if function(root + 1e-9) != 0 and calls < 250 else 1e-7
    for ends in ((low, high), (high, low)):
        counted = Counted(function)
        assert between(counted, *ends) == pytest.approx(root, rel=digits, abs=1e-300)
        assert counted.calls <= calls


@pytest.mark.parametrize(
    ("function", "start", "root"),
    [
        (lambda x: x - 0.5, 0.0, 0.5),
        (lambda x: x + 0.5, 0.0, -0.5),
        (lambda x: x, 0.0, 0.0),
        (lambda x: (x - 0.3) * (x + 5), 0.0, 0.3),  # the nearer of two
        (lambda x: (x - 5) * (x + 0.3), 0.0, -0.3),
        (lambda x: x - 10, 0.0, 10.0),  # at the end of the range
        (lambda x: x + 10, 0.0, -10.0),
        (lambda x: x - 9.5, 9.9, 9.5),  # the other side is used up
        (lambda x: x + 9.5, 9.9, -9.5),
        (lambda x: x + 9.5, -9.9, -9.5),
        (lambda x: x - 9.5, -9.9, 9.5),
    ],
)
def test_find_root(function: Function, start: float, root: float) -> None:
    counted = Counted(function)
    assert find_root(counted, -10.0, 10.0, start) == pytest.approx(root, rel=1e-15)
    assert counted.calls < 60


def test_no_root() -> None:
    counted = Counted(lambda x: x * x + 1)
    assert find_root(counted, -10.0, 10.0, 0.0) is None
    assert counted.calls < 60
