"""What a cell can hold, and how the file spells it."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlmodel.errors import CannotSplice, DamagedPackage
from xlmodel.package.values import (
    ERROR_CODES,
    ErrorCode,
    Value,
    escape,
    number_text,
    same,
    spell,
    stored,
    typed,
    unescape,
)

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0.03, None, "0.03"),
        (0.1 + 0.2, None, "0.30000000000000004"),
        (7.0, None, "7"),
        (-0.0, None, "0"),
        (1e15, None, "1000000000000000"),
        (1e16, None, "1E+16"),
        (1.5e-7, None, "1.5E-07"),
        (123456789012345.0, None, "123456789012345"),
        (45, None, "45"),
        (10**20, None, "1E+20"),
        (True, "b", "1"),
        (False, "b", "0"),
        ("", "str", ""),
        ("Class A-1", "str", "Class A-1"),
        ("x" * 32_767, "str", "x" * 32_767),
        (ErrorCode("#N/A"), "e", "#N/A"),
        ("#N/A", "str", "#N/A"),
        (None, None, None),
    ],
)
def test_spelling(value: Value, kind: str | None, text: str | None) -> None:
    assert spell(value) == (kind, text)
    assert typed(kind, text, []) == value
    assert type(typed(kind, text, [])) in {type(value), float if isinstance(value, int) else type(value)}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (math.nan, "nan is not a finite number"),
        (math.inf, "inf is not a finite number"),
        (-math.inf, "-inf is not a finite number"),
        (10**400, "inf is not a finite number"),
        ("x" * 32_768, "32,768 characters"),
        (ErrorCode("#CIRC!"), "no error code #CIRC!"),
        ([1.0], "a list is no cell value"),
    ],
)
def test_what_no_cell_holds(value: Value, words: str) -> None:
    with pytest.raises(CannotSplice, match=words):
        spell(value)


def test_newer_error_codes_are_stored_as_the_format_can() -> None:
    assert stored(ErrorCode("#SPILL!")) == ErrorCode("#VALUE!")
    assert stored(ErrorCode("#NUM!")) == ErrorCode("#NUM!")
    assert stored("#SPILL!") == "#SPILL!"
    assert not isinstance(stored("#SPILL!"), ErrorCode)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (None, "1", 1.0),
        ("n", " 2.5 ", 2.5),
        (None, "1E-3", 0.001),
        (None, "", None),
        (None, None, None),
        ("s", "1", "two"),
        ("s", "", None),
        ("str", "", ""),
        ("str", None, None),
        ("str", " a_x000D_b ", " a\rb "),
        ("inlineStr", "text", "text"),
        ("b", "1", True),
        ("b", "0", False),
        ("b", "true", True),
        ("b", "false", False),
        ("e", "#DIV/0!", ErrorCode("#DIV/0!")),
        ("d", "1999-12-15", 36_509.0),
        ("d", "1999-12-15T12:00:00", 36_509.5),
        ("d", "1999-12-15T12:00:00Z", 36_509.5),
    ],
)
def test_reading(kind: str | None, text: str | None, value: Value) -> None:
    found = typed(kind, text, ["one", "two"])
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("n", "nan"),
        (None, "nan"),
        (None, "inf"),
        (None, "1e999"),
        (None, "1_000"),
        (None, "1,5"),
        ("s", "2"),
        ("s", "-1"),
        ("s", "x"),
        ("b", "2"),
        ("d", "yesterday"),
        ("x", "1"),
    ],
)
def test_no_value(kind: str | None, text: str) -> None:
    fault = "unknown type 'x'" if kind == "x" else f"{text!r} is no value of type {kind or 'n'!r}"
    with pytest.raises(DamagedPackage, match=re.escape(fault)):
        typed(kind, text, ["one", "two"])


@pytest.mark.parametrize(
    ("old", "new", "equal"),
    [
        (0.3, 0.1 + 0.2, True),
        (0.3, 0.300000000000001, False),
        (1.0, 1, True),
        (0.0, -0.0, True),
        (1.0, True, False),
        (False, 0.0, False),
        (True, True, True),
        ("1", 1.0, False),
        ("a", "a", True),
        ("a", "A", False),
        ("#N/A", ErrorCode("#N/A"), False),
        (ErrorCode("#N/A"), ErrorCode("#N/A"), True),
        (None, None, True),
        (None, 0.0, False),
        (None, "", False),
        (0.1, 0.1000000000000008, False),
        (12329449.848715838, 12329449.848715853, True),  # ...158 and ...159, a sixth of a unit apart
        (1.0, 1.00000000000001, False),
        (9.99999999999999, 10.0, False),
        (9.99999999999999, 9.99999999999999 + 2e-15, True),
        (1e300, 1e300 * (1 + 1e-16), True),
        (5e-324, 1e-323, False),
        (1.0, math.nan, False),
        (-1.0, 1.0, False),
    ],
)
def test_sameness(old: Value, new: Value, *, equal: bool) -> None:
    assert same(old, new) is equal
    assert same(new, old) is equal


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a\rb", "a_x000D_b"),
        ("a\n\tb", "a\n\tb"),
        ("\x01", "_x0001_"),
        ("_x0041_", "_x005F_x0041_"),
        ("_x0041_x0042_", "_x005F_x0041_x005F_x0042_"),
        ("_x0041\r", "_x005F_x0041_x000D_"),
        ("_x004\r", "_x004_x000D_"),
        ("\ud800", "_xD800_"),
        ("\uffff", "_xFFFF_"),
        ("_x", "_x"),
    ],
)
def test_escaping(text: str, escaped: str) -> None:
    assert escape(text) == escaped
    assert unescape(escaped) == text


def test_escaped_halves_of_a_pair_are_joined() -> None:
    assert unescape("_xD83D__xDE00_!") == "😀!"


@given(st.text(st.sampled_from("_xX0041Fd\r\n\x00\ud800\udc00a") | st.characters(exclude_categories=[])))
def test_every_text_survives_escaping(text: str) -> None:
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert unescape(escape(text)) == whole


@given(FINITE, st.integers(-4, 4))
def test_what_reads_alike_to_fifteen_digits_is_the_same(number: float, steps: int) -> None:
    other = number
    for _ in range(abs(steps)):
        other = math.nextafter(other, math.copysign(math.inf, steps))
    assert same(number, other) or f"{number:.15g}" != f"{other:.15g}"


@given(FINITE)
def test_every_number_reads_back_exactly(number: float) -> None:
    assert float(number_text(number)) == number


@given(FINITE | st.booleans() | st.text(max_size=50) | st.sampled_from(sorted(ERROR_CODES)).map(ErrorCode))
def test_every_value_reads_back(value: Value) -> None:
    found = typed(*spell(value), [])
    assert (found, type(found)) == (value, type(value))
