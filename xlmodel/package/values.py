"""What a cell can hold, and how the file spells it: numbers, texts, booleans, error codes, nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from xlmodel.errors import CannotSplice, DamagedPackage


class ErrorCode(str):
    """An error shown in a cell, such as ``#N/A``, as distinct from a text of the same letters."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"ErrorCode({str(self)!r})"


Value = float | str | bool | ErrorCode | None
"""A cached value; ``None`` is a cell without one."""

ERROR_CODES = frozenset(("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#GETTING_DATA"))
"""The codes that the file format can store."""

NEWER_ERROR_CODES = frozenset(
    ("#SPILL!", "#CALC!", "#FIELD!", "#BLOCKED!", "#CONNECT!", "#UNKNOWN!", "#BUSY!", "#PYTHON!")
)
"""Codes that a spreadsheet program stores as #VALUE!, with metadata for programs that know them."""

MAX_TEXT = 32_767
"""Characters that a cell can hold."""

_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_NOT_XML = "\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff"  # what XML cannot carry, and the carriage return
# An underscore that would read as the start of an escape, be it followed by a literal or by our own.
_TO_ESCAPE = re.compile(f"_(?=x[0-9A-Fa-f]{{4}}(?:_|[{_NOT_XML}]))|[{_NOT_XML}]")
_EPOCH = datetime(1899, 12, 30, tzinfo=UTC)


def stored(value: Value) -> Value:
    """The value as the file can hold it: an integer as a float, a newer error code as #VALUE!."""
    if isinstance(value, ErrorCode) and value in NEWER_ERROR_CODES:
        return ErrorCode("#VALUE!")
    if isinstance(value, int) and not isinstance(value, bool):
        return _float(value)
    return value


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:  # an integer of more than 308 digits
        return math.inf


def same(old: Value, new: Value) -> bool:
    """Whether two values are the same kind and equal, numbers to 15 significant digits.

    Numbers less than half a unit of the 15th digit apart are equal although their digits may round apart:
    the last bits of an exponential differ between processors, and a file should not move with them.
    """
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    if isinstance(old, int | float) and isinstance(new, int | float):
        if old == new:
            return True
        apart, size = abs(old - new), min(abs(old), abs(new))
        if not apart <= 2e-14 * size:  # digits are slow to write, and only near neighbours share fifteen
            return False
        return apart < 0.5 * 10.0 ** (math.floor(math.log10(size)) - 14) or f"{old:.15g}" == f"{new:.15g}"
    return isinstance(old, ErrorCode) == isinstance(new, ErrorCode) and old == new


def number_text(number: float) -> str:
    """The shortest text that reads back as the same number; ``CannotSplice`` unless it is finite."""
    number = _float(number)
    if number.is_integer() and abs(number) < 1e16:  # beyond, the digits would promise too much
        return str(int(number))
    if not math.isfinite(number):
        raise CannotSplice(f"{number} is not a finite number")
    return float.__repr__(number).replace("e", "E")


def spell(value: Value) -> tuple[str | None, str | None]:
    """The type attribute ``t`` and the unescaped content of ``<v>`` for a value, ``None`` for neither.

    Raises ``CannotSplice`` for what a cell cannot hold: NaN, infinity, a text of more than 32,767
    characters, an error code unknown to the file format, any other Python object.
    """
    match value:
        case bool():
            return "b", "1" if value else "0"
        case float() | int():
            return None, number_text(value)
        case ErrorCode():
            if value not in ERROR_CODES:
                raise CannotSplice(f"the file format has no error code {value!s}")
            return "e", str(value)
        case str():
            if len(value) > MAX_TEXT:
                raise CannotSplice(f"the text has {len(value):,} characters, a cell holds {MAX_TEXT:,}")
            return "str", escape(value)
        case None:
            return None, None
    raise CannotSplice(f"a {type(value).__name__} is no cell value")


def typed(kind: str | None, text: str | None, strings: Sequence[str]) -> Value:
    """The value of a cell from its type attribute ``t`` and the content of its ``<v>``.

    ``strings`` is the shared string table.  Raises ``DamagedPackage`` for a number that is none, an
    index beyond the table, an unknown type.
    """
    if text is None:
        return None
    if kind in {"str", "inlineStr"}:
        return unescape(text)
    if not (text := text.strip()):
        return None
    try:
        match kind:
            case None | "n":
                return _number(text)
            case "s":
                return strings[_index(text)]
            case "b":
                return {"1": True, "true": True, "0": False, "false": False}[text]
            case "e":
                return ErrorCode(text)
            case "d":
                return _serial(text)
    except (ValueError, IndexError, KeyError):
        raise DamagedPackage(f"{text[:40]!r} is no value of type {kind or 'n'!r}") from None
    raise DamagedPackage(f"a cell of unknown type {kind!r}")


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number) or "_" in text:
        raise ValueError(text)
    return number


def _index(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(text)
    return int(text)


def _serial(text: str) -> float:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH).total_seconds() / 86_400


def escape(text: str) -> str:
    """A text with what XML cannot carry written as ``_xHHHH_``; markup is not escaped here."""
    return _TO_ESCAPE.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def unescape(text: str) -> str:
    """The text that ``escape`` was given; halves of a pair of surrogates are joined."""
    if "_x" not in text:
        return text
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    if any("\ud800" <= character <= "\udfff" for character in text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text
