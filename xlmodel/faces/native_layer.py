"""Native functions computed here, because the borrowed evaluator lacks them or gives other values.

They take cell values and rows of cells, as our own functions do.  What a value means in a spreadsheet
program, and was not compared with one, is refused rather than guessed.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from xlmodel.errors import UnsupportedFormula
from xlmodel.functions.cells import Argument, Cell, CellError, Rows

TEXT_OF = "NATIVE.TEXT.OF"
"""Ours alone, put around what a formula joins to a text: the text of a number as a cell shows it."""

_NUMBER = re.compile(
    r"\s*([+-]?)\s*(\$?)((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(?:\.[0-9]*)?)(e[+-]?[0-9]+)?\s*(%?)\s*", re.I
)
_LIKE_A_VALUE = re.compile(
    r"[0-9]\s*[-/:.(]\s*[0-9]|\(\s*[0-9]|[€£¥$]|[0-9].*\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|am|pm)",
    re.I,
)
_VALUE, _NUM = CellError("#VALUE!"), CellError("#NUM!")
_DAY_ZERO = dt.date(1899, 12, 30).toordinal()
_LARGEST_SHOWN, _SMALLEST_SHOWN = 1e15, 1e-4


def _each(function: Callable[..., Cell], *arguments: Argument) -> Cell | Rows:
    """A function of single cells; an error passes through, a range in the first argument gives rows."""
    first, rest = arguments[0], [_one(argument) for argument in arguments[1:]]
    for value in rest:
        if isinstance(value, CellError):
            return value
    if isinstance(first, list):
        return [
            [cell if isinstance(cell, CellError) else function(cell, *rest) for cell in row] for row in first
        ]
    return first if isinstance(first, CellError) else function(first, *rest)


def _one(argument: Argument) -> Cell:
    return _VALUE if isinstance(argument, list) else argument


def _number(cell: Cell) -> float | CellError:
    if isinstance(cell, str):
        found = _value(cell)
        return found if isinstance(found, float) else _VALUE
    return cell if isinstance(cell, CellError) else float(cell or 0)


def _text(cell: Cell) -> str:
    text = _shown(cell)
    assert isinstance(text, str)
    return text


def _shown(cell: Cell) -> Cell:
    """A number as a cell of the format General shows it, to 15 digits."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, int | float):
        size = abs(cell)
        if size and not _SMALLEST_SHOWN <= size < _LARGEST_SHOWN:
            raise UnsupportedFormula(
                f"the number {cell!r} is joined to a text", remedy="put it through TEXT or ROUND"
            )
        return format(Decimal(f"{cell:.15g}"), "f") if size else "0"
    return cell


def _value(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return (
            _VALUE
            if isinstance(cell, bool)
            else float(cell or 0)
            if not isinstance(cell, CellError)
            else cell
        )
    match = _NUMBER.fullmatch(cell)
    if match is None or not re.search("[0-9]", match[3]):
        if _LIKE_A_VALUE.search(cell):
            raise UnsupportedFormula(
                f"VALUE of the text {cell[:40]!r} depends on the language of the machine"
            )
        return _VALUE
    sign, _, digits, exponent, percent = match.groups()
    number = float(digits.replace(",", "") + (exponent or ""))
    return (-number if sign == "-" else number) / (100 if percent else 1)


def _cased(change: Callable[[str], str]) -> Callable[[Cell], str]:
    def changed(cell: Cell) -> str:
        letters = [change(letter) for letter in _text(cell)]
        if any(len(letter) != 1 for letter in letters):
            raise UnsupportedFormula("a letter whose other case is two letters")
        return "".join(letters)

    return changed


def _proper(cell: Cell) -> Cell:
    text = _text(cell)
    return "".join(
        _cased(str.lower)(new) if before.isalpha() else _cased(str.upper)(new)
        for before, new in pairwise(" " + text)
    )


def _replace(text: Cell, start: Cell, count: Cell, new: Cell) -> Cell:
    first, length = _number(start), _number(count)
    if isinstance(first, CellError) or isinstance(length, CellError):
        return _VALUE
    if first < 1 or length < 0:
        return _VALUE
    whole = _text(text)
    return whole[: int(first) - 1] + _text(new) + whole[int(first) - 1 + int(length) :]


def _steps(number: float, step: float) -> float:
    # 0.3 is three steps of 0.1, although the quotient of the two is a little less.
    quotient = number / step
    return round(quotient) if math.isclose(quotient, round(quotient), rel_tol=1e-14) else quotient


def _ceiling(number: Cell, significance: Cell) -> Cell:
    return _to_multiple(number, significance, math.ceil)


def _floor(number: Cell, significance: Cell) -> Cell:
    if _number(significance) == 0 and _number(number) != 0:
        return CellError("#DIV/0!")
    return _to_multiple(number, significance, math.floor)


def _to_multiple(number: Cell, significance: Cell, to: Callable[[float], int]) -> Cell:
    x, step = _number(number), _number(significance)
    if isinstance(x, CellError) or isinstance(step, CellError):
        return _VALUE
    if x > 0 > step:
        return _NUM
    return step * to(_steps(x, step)) if x and step else 0.0


def _math_rounding(up: bool) -> Callable[..., Cell]:
    def round_to(number: Cell, significance: Cell = None, mode: Cell = None) -> Cell:
        x = _number(number)
        step = 1.0 if significance is None else _number(significance)
        away = _number(mode)
        if isinstance(x, CellError) or isinstance(step, CellError) or isinstance(away, CellError):
            return _VALUE
        step = abs(step)
        if not x or not step:
            return 0.0
        upwards = up if x > 0 or not away else not up
        return step * (math.ceil if upwards else math.floor)(_steps(x, step))

    return round_to


def _cells(arguments: Sequence[Argument]) -> Iterator[tuple[Cell, bool]]:
    """Every cell, and whether it stands in a range."""
    for argument in arguments:
        if isinstance(argument, list):
            yield from ((cell, True) for row in argument for cell in row)
        else:
            yield argument, False


def _whole_numbers(fold: Callable[..., int]) -> Callable[..., Cell]:
    def folded(*arguments: Argument) -> Cell:
        numbers = []
        for cell, ranged in _cells(arguments):
            if isinstance(cell, CellError):
                return cell
            if cell is None or (ranged and not isinstance(cell, float | int)):
                continue
            number = _number(cell)
            if isinstance(number, CellError):
                return number
            if number < 0 or number >= 2**53:
                return _NUM
            numbers.append(int(number))
        return float(fold(*numbers))

    return folded


def _sumproduct(*arguments: Argument) -> Cell:
    """Cells that are no numbers count as nought, in a range as in a single argument."""
    blocks = [argument if isinstance(argument, list) else [[argument]] for argument in arguments]
    shapes = {(len(block), len(block[0]) if block else 0) for block in blocks}
    for cell, _ in _cells(blocks):
        if isinstance(cell, CellError):
            return cell
    if len(shapes) != 1:
        return _VALUE
    total = 0.0
    for rows in zip(*blocks, strict=True):
        for cells in zip(*rows, strict=True):
            product = 1.0
            for cell in cells:
                product *= cell if isinstance(cell, float | int) and not isinstance(cell, bool) else 0.0
            total += product
    return total if math.isfinite(total) else _NUM


def _mmult(left: Argument, right: Argument) -> Cell | Rows:
    first = left if isinstance(left, list) else [[left]]
    second = right if isinstance(right, list) else [[right]]
    for cell, _ in _cells([first, second]):
        if isinstance(cell, CellError):
            return cell
        if not isinstance(cell, float | int) or isinstance(cell, bool):
            return _VALUE
    if len(first[0]) != len(second):
        return _VALUE
    columns = list(zip(*second, strict=True))
    return [
        [math.fsum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in first
    ]


def _transpose(block: Argument) -> Cell | Rows:
    # A blank cell shows as nought, as any reference to one does.
    if not isinstance(block, list):
        return block
    return [[0.0 if cell is None else cell for cell in column] for column in zip(*block, strict=True)]


def _fvschedule(principal: Argument, rates: Argument) -> Cell:
    value = _number(_one(principal))
    if isinstance(value, CellError):
        return value
    for cell, _ in _cells([rates]):
        if isinstance(cell, CellError):
            return cell
        if isinstance(cell, str | bool):
            return _VALUE
        value *= 1 + (cell or 0.0)
    return value


def _date(year: Cell, month: Cell, day: Cell) -> Cell:
    numbers = [_number(part) for part in (year, month, day)]
    if any(isinstance(number, CellError) for number in numbers):
        return _VALUE
    years, months, days = (math.floor(number) for number in numbers if not isinstance(number, CellError))
    if 0 <= years < 1900:
        years += 1900
    years, month_index = years + (months - 1) // 12, (months - 1) % 12
    if not 1900 <= years <= 9999:
        return _NUM
    serial = dt.date(years, month_index + 1, 1).toordinal() - _DAY_ZERO + days - 1
    if serial < 61:
        raise UnsupportedFormula("DATE before March 1900, where programs count the days differently")
    return float(serial) if serial <= 2_958_465 else _NUM


LAYER: Mapping[str, Callable[..., Cell | Rows]] = {
    TEXT_OF: lambda cell: _each(_shown, cell),
    "CEILING": lambda number, step: _each(_ceiling, number, step),
    "CEILING.MATH": lambda *cells: _each(_math_rounding(up=True), *cells),
    "DATE": lambda year, month, day: _each(_date, year, month, day),
    "FLOOR": lambda number, step: _each(_floor, number, step),
    "FLOOR.MATH": lambda *cells: _each(_math_rounding(up=False), *cells),
    "FVSCHEDULE": _fvschedule,
    "GCD": _whole_numbers(math.gcd),
    "LCM": _whole_numbers(math.lcm),
    "LOWER": lambda text: _each(_cased(str.lower), text),
    "MMULT": _mmult,
    "PROPER": lambda text: _each(_proper, text),
    "REPLACE": lambda *cells: _each(_replace, *cells),
    "SUMPRODUCT": _sumproduct,
    "TRANSPOSE": _transpose,
    "UPPER": lambda text: _each(_cased(str.upper), text),
    "VALUE": lambda text: _each(_value, text),
}
"""Each by the name that formulas call it by."""
