"""The kinds of argument: how a cell is read, and how a column of cells becomes one array.

A function names them in its annotations.  In a function that works element by element, a kind with a
``column`` is computed over whole arrays; the others (names, options) are settings, and a column of them is
computed a distinct value at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions import day_count
from xlmodel.conventions.calendar import find_calendar, find_roll
from xlmodel.conventions.money import ROUNDINGS
from xlmodel.conventions.schedule import BEFORE, STUBS
from xlmodel.conventions.serial import to_epoch
from xlmodel.errors import OutOfRange, UnknownName
from xlmodel.functions import cells
from xlmodel.functions.cells import Argument, Rows
from xlmodel.pool import loss, prepayment
from xlmodel.trust.state import Period


@dataclass(frozen=True)
class Kind:
    """How an argument is read: a name for the help text, and the reader of a cell or a range.

    ``column`` makes an array of what ``read`` gives for single cells.
    """

    name: str
    read: Callable[[Argument], Any]
    is_range: bool = False
    column: Callable[[Sequence[Any]], NDArray[Any]] | None = None


def _numbers(values: Sequence[Any]) -> NDArray[np.float64]:
    array = np.array(values, dtype=np.float64)
    if not np.isfinite(array).all():
        raise OutOfRange("a finite number is asked for")
    return array


def _integers(values: Sequence[Any]) -> NDArray[np.int64]:
    array = _numbers(values)
    if not ((np.floor(array) == array) & (np.abs(array) <= cells.LARGEST_INTEGER)).all():
        raise OutOfRange("a whole number is asked for")
    return array.astype(np.int64)


def _dates(values: Sequence[Any]) -> NDArray[np.datetime64]:
    return to_epoch(np.array(values)).astype("M8[D]")


def _basis(value: Argument) -> str | float | None:
    basis = cells.basis(value)
    if basis is not None:
        day_count.find(basis)  # so that an unknown name is told with its argument
    return basis


def _named(find: Callable[[str], str]) -> Callable[[Argument], str | None]:
    def read(value: Argument) -> str | None:
        text = cells.text(value)
        return None if text is None else find(text)

    return read


def _one_of(what: str, names: Iterable[str]) -> Callable[[Argument], str | None]:
    known = tuple(names)

    def find(text: str) -> str:
        plain = " ".join(text.casefold().split())
        if plain not in known:
            near = get_close_matches(plain, known, 1)
            hint = f", perhaps {near[0]}" if near else ""
            raise UnknownName(f"{text!r} is no {what}{hint}", remedy=f"use one of {', '.join(known)}")
        return plain

    return _named(find)


Number = Annotated[float, Kind("number", cells.number, column=_numbers)]
Integer = Annotated[int, Kind("whole number", cells.integer, column=_integers)]
Date = Annotated[Any, Kind("date", cells.date, column=_dates)]

NumberSetting = Annotated[float, Kind("number", cells.number)]
IntegerSetting = Annotated[int, Kind("whole number", cells.integer)]
DateSetting = Annotated[Any, Kind("date", cells.date)]
Boolean = Annotated[bool, Kind("TRUE or FALSE", cells.boolean)]
Text = Annotated[str, Kind("text", cells.text)]
Basis = Annotated[str | float, Kind("day count", _basis)]
CalendarName = Annotated[str, Kind("calendar", _named(lambda text: find_calendar(text).name))]
RollName = Annotated[str, Kind("roll convention", _named(find_roll))]
PrepaymentName = Annotated[str, Kind("prepayment model", _named(lambda text: prepayment.find(text).name))]
StubName = Annotated[str, Kind("stub", _one_of("stub", STUBS))]
UnitName = Annotated[str, Kind("unit", _one_of("unit", BEFORE))]
RoundingName = Annotated[str, Kind("rounding", _one_of("rounding", ROUNDINGS))]
PeriodName = Annotated[str, Kind("period", _one_of("period", [period.value for period in Period]))]
DefaultName = Annotated[str, Kind("default curve", _named(lambda text: loss.find(text).name))]

Range = Annotated[Rows, Kind("range", cells.rows, is_range=True)]
Numbers = Annotated[list[float], Kind("numbers", cells.numbers, is_range=True)]
Dates = Annotated[list[Any], Kind("dates", cells.dates, is_range=True)]
Texts = Annotated[list[str], Kind("texts", cells.texts, is_range=True)]
Anything = Annotated[Any, Kind("anything", cells.anything, is_range=True)]
