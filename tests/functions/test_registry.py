"""The registry: what is entered is sound for every face, and a slip is told on import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from xlmodel.functions import FUNCTIONS, call, functions_version
from xlmodel.functions.house_rules import VBA_KEYWORDS, broken_rules
from xlmodel.functions.kinds import Anything, Number
from xlmodel.functions.registry import function


@pytest.fixture
def enter() -> Iterator[Callable[..., Any]]:
    """``function``; what a test enters is taken out again."""
    before = dict(FUNCTIONS)
    yield function
    FUNCTIONS.clear()
    FUNCTIONS.update(before)


def one_number(value: Number) -> float:
    """Twice a number.

    value: Any number.
    """
    return 2 * value


def test_every_function_keeps_the_rules() -> None:
    assert [sentence for entered in FUNCTIONS.values() for sentence in broken_rules(entered)] == []


def test_a_sound_function_is_entered_and_called(enter: Callable[..., Any]) -> None:
    version = functions_version()
    enter("XM_TWICE", "Tests")(one_number)
    assert FUNCTIONS["XM_TWICE"].signature == "XM_TWICE(value)"
    assert FUNCTIONS["XM_TWICE"].group == "xlmodel Tests"
    assert call("xm_twice", [21.0]) == 42.0
    assert functions_version() != version


def no_help(value: Number) -> float:
    """Twice a number."""
    return 2 * value


def no_docstring() -> float:
    return 1.0


def long_help(value: Number) -> float:
    """Twice a number.

    value: Any number. It may be large or small, whole or not, above zero, zero or below zero; it may come
        from a cell, a constant or another formula; it may be formatted as a date, a percentage, a fraction
        or an amount of money; and the result is twice that number, whatever it is and whatever it looks like.
    """
    return 2 * value


def not_ascii(value: Number) -> float:
    """Twice a number – or half a quadruple.

    value: Any number.
    """
    return 2 * value


def keyword(end: Number) -> float:
    """Twice a number.

    end: Any number.
    """
    return 2 * end


def xlwings_own(caller: Number) -> float:
    """Twice a number.

    caller: Any number.
    """
    return 2 * caller


def capital(Value: Number) -> float:
    """Twice a number."""
    return 2 * Value


def optional_beside_repeated(value: Number = 1.0, *others: Anything) -> float:
    """A number.

    value: Any number.
    others: Not looked at.
    """
    return value


def too_much_help(value: Number) -> float:
    """Twice a number.

    value: Any number.
    factor: Not an argument.
    """
    return 2 * value


SLIPS: dict[str, tuple[str, Callable[..., Any], str]] = {
    "no prefix": ("TWICE", one_number, "the name is not XM_ and upper-case words joined by underscores"),
    "lower case": ("XM_Twice", one_number, "the name is not XM_ and upper-case words joined by underscores"),
    "ends like a cell": ("XM_PSA100", one_number, "the name ends like a cell address"),
    "taken": ("XM_DAYS", one_number, "XM_DAYS is entered twice"),
    "no help of an argument": ("XM_TWICE", no_help, "the help of value is missing"),
    "no docstring": ("XM_ONE", no_docstring, "the first line of its docstring is missing"),
    "long help": ("XM_TWICE", long_help, "the help of value has 29. characters, more than 255"),
    "not ASCII": ("XM_TWICE", not_ascii, "the first line of its docstring is not plain ASCII"),
    "a VBA keyword": ("XM_TWICE", keyword, "the argument 'end' is a VBA keyword"),
    "xlwings' own": ("XM_TWICE", xlwings_own, "xlwings keeps the argument name 'caller' for itself"),
    "a capital": ("XM_TWICE", capital, "the argument 'Value' is not lower-case words"),
    "optional beside repeated": (
        "XM_TWICE",
        optional_beside_repeated,
        "no optional argument beside a repeated",
    ),
    "help without argument": ("XM_TWICE", too_much_help, r"documents arguments that it lacks: \['factor'\]"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_on_entry(enter: Callable[..., Any], slip: str) -> None:
    name, body, sentence = SLIPS[slip]
    count = len(FUNCTIONS)
    with pytest.raises(AssertionError, match=sentence):
        enter(name, "Tests")(body)
    assert len(FUNCTIONS) == count


def test_argument_names_are_short_enough_together(enter: Callable[..., Any]) -> None:
    # 13 names of 18 characters and 12 separators of 2: 13 x 18 + 12 x 2 = 258
    names = [f"a_long_argument_{n:02}" for n in range(1, 14)]
    namespace: dict[str, Any] = {"Number": Number}
    exec(f"def many({', '.join(f'{name}: Number' for name in names)}) -> float: return 1.0", namespace)
    namespace["many"].__doc__ = "One.\n\n" + "\n".join(f"{name}: A number." for name in names)
    with pytest.raises(AssertionError, match="longer than 254 characters together"):
        enter("XM_MANY", "Tests")(namespace["many"])


@pytest.mark.parametrize(
    "word", ["function", "end", "date", "type", "next", "string", "optional", "empty", "loop"]
)
def test_keywords_of_vba_are_known(word: str) -> None:
    assert word in VBA_KEYWORDS


@pytest.mark.parametrize(
    "word", ["names", "header", "first", "count", "day", "rate", "method", "digits", "model"]
)
def test_words_that_vba_leaves_free_are_free(word: str) -> None:
    assert word not in VBA_KEYWORDS
