"""A root of a continuous function of one number: a bracket, then Brent's method.

Source: R. P. Brent, Algorithms for Minimization without Derivatives (1973), chapter 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable

Function = Callable[[float], float]


def find_root(function: Function, low: float, high: float, start: float) -> float | None:
    """The root nearest to ``start`` on a widening walk through [low, high], or None if no sign changes."""
    here = function(start)
    if here == 0:
        return start
    step = 1e-3
    left = right = start
    at_left = at_right = here
    while left > low or right < high:
        if right < high:
            next_right = min(right + step, high)
            value = function(next_right)
            if math.copysign(1.0, value) != math.copysign(1.0, at_right) or value == 0:
                return between(function, right, next_right)
            right, at_right = next_right, value
        if left > low:
            next_left = max(left - step, low)
            value = function(next_left)
            if math.copysign(1.0, value) != math.copysign(1.0, at_left) or value == 0:
                return between(function, next_left, left)
            left, at_left = next_left, value
        step *= 1.6
    return None


def between(function: Function, low: float, high: float) -> float:
    """The root in a bracket whose ends have opposite signs, to the last digit or so."""
    a, b = low, high
    at_a, at_b = function(a), function(b)
    if abs(at_a) < abs(at_b):
        a, b, at_a, at_b = b, a, at_b, at_a
    c, at_c, d = a, at_a, a
    bisected = True
    for _ in range(400):
        if at_b == 0 or abs(b - a) <= 2e-16 * abs(b) + 1e-300:
            break
        if at_a not in (at_c, at_b) and at_b != at_c:
            guess = (
                a * at_b * at_c / ((at_a - at_b) * (at_a - at_c))
                + b * at_a * at_c / ((at_b - at_a) * (at_b - at_c))
                + c * at_a * at_b / ((at_c - at_a) * (at_c - at_b))
            )
        else:
            guess = b - at_b * (b - a) / (at_b - at_a) if at_b != at_a else math.nan
        before = abs(b - c) if bisected else abs(c - d)
        third = (3 * a + b) / 4
        bisected = not min(third, b) < guess < max(third, b) or abs(guess - b) >= before / 2
        if bisected:
            guess = (a + b) / 2
        if guess in (a, b):
            guess = math.nextafter(b, a)  # nothing lies between: step, and end
        at_guess = function(guess)
        d, c, at_c = c, b, at_b
        if (at_a < 0) != (at_guess < 0):
            b, at_b = guess, at_guess
        else:
            a, at_a = guess, at_guess
        if abs(at_a) < abs(at_b):
            a, b, at_a, at_b = b, a, at_b, at_a
    return b
