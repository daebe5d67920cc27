"""Functions of single cells over whole ranges: arguments broadcast, arrays in, one array out.

The body of such a function is written with numpy, so that it serves a number and an array alike, and a
column is one call of it.  A range of one cell is that cell; a column and a row give a block; ranges that do
not fit each other are refused.  A cell that has no answer is an error of the whole, which names its row and
column, and says what the same cell alone would say.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from xlmodel.conventions.serial import to_serials
from xlmodel.errors import MissingValue, WrongShape, XlmodelError
from xlmodel.functions.cells import Argument, Cell, Rows, result_rows

if TYPE_CHECKING:
    from xlmodel.functions.registry import Parameter

Shape = tuple[int, int]
Picked = slice | NDArray[np.intp]

_MOST_CELLS = 1 << 24  # sixteen full columns of a worksheet


def is_column(argument: Argument) -> bool:
    """Whether an argument is a range of more or fewer cells than one."""
    return isinstance(argument, list) and (len(argument) != 1 or len(argument[0]) != 1)


@dataclass(frozen=True)
class _Entry:
    """One argument: its shape (None for a single value) and its values.

    A setting in a range has its distinct values, and for each cell of the result which one it is.
    """

    parameter: Parameter
    shape: Shape | None
    values: Any
    choice: NDArray[np.intp] | None = None


def evaluate(
    body: Callable[..., Any], parameters: Sequence[Parameter], arguments: Sequence[Argument]
) -> Rows:
    """The result for ranges.  Raises XlmodelError with the argument, row and column in its place."""
    given = [*arguments, *[None] * (len(parameters) - len(arguments))]
    pairs = list(zip(parameters, given, strict=True))
    shapes = [
        _shape(parameter, argument) if is_column(argument) and not parameter.kind.is_range else None
        for parameter, argument in pairs
    ]
    shape = _common(parameters, shapes)
    entries = [_read(*pair, own, shape) for pair, own in zip(pairs, shapes, strict=True)]
    count = shape[0] * shape[1]
    try:
        with np.errstate(all="ignore"):  # what is not finite shows as an error in its cell
            found = _run(body, entries, count, slice(0, count))
    except XlmodelError as error:
        raise _placed(error, body, entries, shape) from None
    return _rows(found.reshape(shape))


def _shape(parameter: Parameter, argument: Any) -> Shape:
    rows, columns = len(argument), len(argument[0]) if argument else 0
    if not columns or any(len(row) != columns for row in argument):
        raise WrongShape("a range has rows of one length, and at least one").at(argument=parameter.name)
    return rows, columns


def _common(parameters: Sequence[Parameter], shapes: list[Shape | None]) -> Shape:
    rows, columns = 1, 1
    for parameter, shape in zip(parameters, shapes, strict=True):
        if shape is None:
            continue
        fits = shape[0] in (1, rows) or rows == 1, shape[1] in (1, columns) or columns == 1
        if not all(fits):
            raise WrongShape(
                f"a range of {shape[0]} rows and {shape[1]} columns beside one of {rows} and {columns}",
                remedy="give ranges of the same shape, or a column beside a row",
            ).at(argument=parameter.name)
        rows, columns = max(rows, shape[0]), max(columns, shape[1])
    if rows * columns > _MOST_CELLS:
        raise WrongShape(f"a result of {rows} rows and {columns} columns", remedy="give fewer cells")
    return rows, columns


# --- reading ----------------------------------------------------------------------------------------


def _read(parameter: Parameter, argument: Any, own: Shape | None, shape: Shape) -> _Entry:
    if own is None:
        return _Entry(parameter, None, _single(parameter, argument))
    flat = [cell for row in argument for cell in row]
    if parameter.kind.column is not None:
        array = _array(parameter, flat, own[1]).reshape(own)
        return _Entry(parameter, own, np.broadcast_to(array, shape).ravel())
    numbers: dict[Any, int] = {}
    choice = [numbers.setdefault(value, len(numbers)) for value in _each(parameter, flat, own[1])]
    chosen = np.broadcast_to(np.array(choice, dtype=np.intp).reshape(own), shape).ravel()
    return _Entry(parameter, own, list(numbers), chosen)


def _single(parameter: Parameter, argument: Argument) -> Any:
    try:
        return _filled(parameter, parameter.kind.read(argument))
    except XlmodelError as error:
        raise error.at(argument=parameter.name) from None


def _filled(parameter: Parameter, value: Any) -> Any:
    if value is not None:
        return value
    if parameter.required:
        raise MissingValue(f"a {parameter.kind.name} is asked for, the cell is blank")
    return parameter.default


def _array(parameter: Parameter, flat: list[Cell], columns: int) -> NDArray[Any]:
    column = parameter.kind.column
    assert column is not None
    if set(map(type, flat)) == {float}:
        try:
            return column(flat)
        except XlmodelError:
            pass  # one by one, to find the cell
    return column(_each(parameter, flat, columns))


def _each(parameter: Parameter, flat: list[Cell], columns: int) -> list[Any]:
    values = []
    for number, cell in enumerate(flat):
        try:
            values.append(_filled(parameter, parameter.kind.read(cell)))
        except XlmodelError as error:
            row, column = divmod(number, columns)
            raise error.at(argument=parameter.name, row=row + 1, column=column + 1) from None
    return values


# --- computing --------------------------------------------------------------------------------------


def _run(body: Callable[..., Any], entries: list[_Entry], count: int, picked: Picked) -> NDArray[Any]:
    """The results of the cells picked, as one array."""
    settings = [entry for entry in entries if entry.choice is not None]
    if not settings:
        found = body(*[_pick(entry, picked) for entry in entries])
        return _as_array(found, count if isinstance(picked, slice) else len(picked))
    rows = np.arange(count)[picked]
    key = np.zeros(len(rows), dtype=np.intp)
    for entry in settings:
        assert entry.choice is not None
        key = np.unique(key * len(entry.values) + entry.choice[rows], return_inverse=True)[1]
    order = np.argsort(key, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(key[order])) + 1)
    parts = [
        _as_array(body(*[_pick(entry, rows[group], one=True) for entry in entries]), len(group))
        for group in groups
    ]
    found = np.empty(len(rows), dtype=np.result_type(*parts))
    for group, part in zip(groups, parts, strict=True):
        found[group] = part
    return found


def _pick(entry: _Entry, picked: Any, one: bool = False) -> Any:
    """The values of an entry for some cells; of a setting the one that they share."""
    if entry.shape is None:
        return entry.values
    if entry.choice is not None:
        return entry.values[entry.choice[picked[0] if one else picked]]
    return entry.values[picked]


def _as_array(found: Any, count: int) -> NDArray[Any]:
    array = np.asarray(found, dtype="M8[D]" if isinstance(found, dt.date) else None)
    return np.broadcast_to(array, (count,))


def _rows(found: NDArray[Any]) -> Rows:
    if found.dtype.kind == "M":
        found = to_serials(found)
    return result_rows(found.astype(np.float64) if found.dtype.kind in "iu" else found)


# --- finding the cell at fault ----------------------------------------------------------------------


def _placed(
    error: XlmodelError, body: Callable[..., Any], entries: list[_Entry], shape: Shape
) -> XlmodelError:
    """The error of the first cell that has one, as that cell alone gives it, with its row and column."""
    low, high = 0, shape[0] * shape[1]
    count = high
    while high - low > 1:
        middle = (low + high) // 2
        try:
            _run(body, entries, count, np.arange(low, middle))
            low = middle
        except XlmodelError:
            high = middle
    try:
        body(*[_plain(_pick(entry, low)) for entry in entries])
    except XlmodelError as alone:
        error = alone
    row, column = divmod(low, shape[1])
    if error.place.argument is None:
        return error.at(row=row + 1, column=column + 1)
    own = next(entry.shape for entry in entries if entry.parameter.name == error.place.argument)
    if own is None:
        return error
    return error.at(row=row + 1 if own[0] > 1 else 1, column=column + 1 if own[1] > 1 else 1)


def _plain(value: Any) -> Any:
    """A number or date as it would come from a single cell."""
    return value.item() if isinstance(value, np.generic) else value
