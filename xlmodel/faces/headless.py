"""Evaluates a workbook with no spreadsheet program: ours through the registry, native ones by formualizer.

The engine never sees the file itself but a copy in which each call of ours carries its number, so that an
error can be traced to the formula and to the input cell behind it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import formualizer

from xlmodel.errors import (
    ArrayDoesNotFit,
    CellFailed,
    CircularReference,
    InternalError,
    Place,
    UnsupportedFeature,
    UnsupportedFormula,
    XlmodelError,
)
from xlmodel.faces.doubt import refuse_doubtful_value, warnings
from xlmodel.faces.engine_text import EngineText
from xlmodel.faces.formula_text import calls_ours, find_calls
from xlmodel.faces.input_cell import input_cell
from xlmodel.faces.large_arrays import LargeArrays, split_large
from xlmodel.faces.native_layer import LAYER
from xlmodel.faces.preflight import preflight
from xlmodel.functions import FUNCTIONS, call
from xlmodel.functions.cells import Argument, Cell, CellError, Rows
from xlmodel.package.address import Address, Block
from xlmodel.package.engine_copy import engine_copy
from xlmodel.package.parts import Package
from xlmodel.package.sheet import Sheet, read_sheets
from xlmodel.package.values import ErrorCode, Value

_CODE_OF_KIND = {
    "Null": "#NULL!",
    "Div": "#DIV/0!",
    "Value": "#VALUE!",
    "Ref": "#REF!",
    "Name": "#NAME?",
    "Num": "#NUM!",
    "Na": "#N/A",
    "Spill": "#SPILL!",
    "Calc": "#CALC!",
    "Circ": "#CIRC!",
}
_KIND_OF_CODE = {code: kind for kind, code in _CODE_OF_KIND.items()}
_ZERO_DAY = dt.datetime(1899, 12, 30)


@dataclass(frozen=True)
class Evaluation:
    """What a workbook's formulas evaluate to.

    ``values``: for every cell that a formula fills, arrays included, by sheet.  ``failures``: cells that
    call a function of ours and show an error.  ``functions``: cells that call a function of ours.
    ``warnings``: what the reader should know although everything was evaluated.
    """

    sheets: Mapping[str, Sheet]
    values: Mapping[str, Mapping[Address, Value]]
    failures: tuple[CellFailed, ...]
    formulas: int
    functions: int
    warnings: tuple[str, ...] = ()

    def value(self, sheet: str, address: Address) -> Value:
        """The value of a cell: evaluated, or the constant that the file holds."""
        evaluated = self.values.get(sheet, {})
        if address in evaluated:
            return evaluated[address]
        cell = self.sheets[sheet].cells.get(address)
        return None if cell is None else cell.value

    def block(self, block: Block) -> list[list[Value]]:
        """The values of a range, row by row.  Raises KeyError for a sheet that does not exist."""
        assert block.sheet is not None
        return [
            [self.value(block.sheet, Address(row, column)) for column in range(block.left, block.right + 1)]
            for row in range(block.top, block.bottom + 1)
        ]


@dataclass
class _Calls:
    """The calls of ours in a workbook, numbered; and the reasons of those that failed."""

    text: EngineText = field(default_factory=EngineText)
    reasons: dict[int, XlmodelError] = field(default_factory=dict)
    crash: BaseException | None = None
    refused: tuple[str, XlmodelError] | None = None
    """The formula in which the native layer met what it does not compute, and why."""

    def adapter(self, name: str) -> Callable[..., Any]:
        """What the engine calls for one of our functions."""

        def adapt(number: float, *arguments: Any) -> Any:
            try:
                result = call(name, [_argument(argument) for argument in arguments])
                reason = _first_reason(result)
                if reason is not None:
                    self.reasons[int(number)] = reason
                return _answer(result)
            except BaseException as error:  # the engine would turn even Ctrl-C into #VALUE!
                self.crash = error
                raise

        return adapt

    def layer(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """What the engine calls for a native function that is computed here."""

        def adapt(number: float, *arguments: Any) -> Any:
            try:
                return _answer(function(*(_argument(argument) for argument in arguments)))
            except XlmodelError as refusal:
                self.refused = self.refused or (self.text.numbered[int(number)], refusal)
                raise
            except BaseException as error:
                self.crash = error
                raise

        return adapt

    def reasons_of(self, formula: str) -> list[XlmodelError]:
        return [reason for number, reason in self.reasons.items() if self.text.numbered[number] == formula]


def evaluate(package: Package, *, strict: bool = False) -> Evaluation:
    """Evaluate every formula of a workbook.  Nothing is written.

    A formula that refers to another workbook keeps the value that the file holds, unless ``strict``: then
    the link is refused.  Raises UnknownFunction, UnsupportedFormula, CircularReference, ArrayDoesNotFit,
    naming sheet and cell; and whatever a function of ours raised that it should not have.
    """
    sheets = read_sheets(package)
    if strict and package.external_links:
        raise UnsupportedFeature(
            f"the workbook has an external link to {package.external_links[0]}", remedy="break the link"
        ).at(file=package.name)
    seen = preflight(package, sheets)
    calls = _Calls()
    workbook = _load(engine_copy(package, calls.text.rewrite, seen.external), package.name)
    _register(workbook, calls)
    large = split_large(workbook, sheets, package.name)
    try:
        workbook.evaluate_all()
    except Exception as error:
        raise UnsupportedFormula(f"the evaluator gives up: {error}").at(file=package.name) from error
    if calls.crash is not None:
        raise calls.crash
    if calls.refused is not None:
        raise _located(calls.refused[1], sheets, calls.refused[0], package.name)
    large.refuse_misfits(package.name)
    values = {
        name: dict(_values(workbook, name, sheet, package.name, large, seen.external.get(name, frozenset())))
        for name, sheet in sheets.items()
    }
    _refuse_engine_errors(sheets, values, package.name, calls)
    ours = [
        (name, address, cell.formula)
        for name, sheet in sheets.items()
        for address, cell in sheet.formulas()
        if cell.formula and calls_ours(cell.formula) and address in values[name]
    ]
    return Evaluation(
        sheets=sheets,
        values=values,
        failures=tuple(_failures(package, sheets, values, ours, calls)),
        formulas=sum(1 for sheet in sheets.values() for _ in sheet.formulas()),
        functions=len(ours),
        warnings=tuple(warnings(package, sheets, seen)),
    )


def _register(workbook: Any, calls: _Calls) -> None:
    for name, function in FUNCTIONS.items():
        most = (
            None if function.parameters and function.parameters[-1].repeated else len(function.parameters) + 1
        )
        workbook.register_function(name, calls.adapter(name), min_args=1, max_args=most)
    for name, native in LAYER.items():
        workbook.register_function(
            name, calls.layer(native), min_args=1, max_args=None, allow_override_builtin=True
        )


def _located(error: XlmodelError, sheets: Mapping[str, Sheet], formula: str, file: str) -> XlmodelError:
    """The error with the first cell that holds the formula."""
    cells = (
        (name, address)
        for name, sheet in sheets.items()
        for address, cell in sheet.formulas()
        if cell.formula == formula
    )
    sheet, address = next(cells)
    return error.at(file=file, sheet=sheet, cell=str(address))


def _load(data: bytes, name: str) -> Any:
    # Functions on worker threads cost eight times as much and gain native formulas nothing.
    settings = formualizer.EvaluationConfig()
    settings.enable_parallel = False
    config = formualizer.WorkbookConfig(eval_config=settings)
    try:
        return formualizer.Workbook.from_bytes(data, config=config)
    except Exception as error:
        raise UnsupportedFormula(f"the evaluator cannot load the workbook: {error}").at(file=name) from error


def _values(
    workbook: Any, name: str, sheet: Sheet, file: str, large: LargeArrays, external: Collection[Address]
) -> Iterator[tuple[Address, Value]]:
    """Every cell that a formula fills, with its value; those of other workbooks keep theirs."""
    arrays = sheet.arrays()
    for address, cell in sheet.formulas():
        if address not in arrays and address not in external:
            value = workbook.get_value(name, address.row, address.column)
            if isinstance(value, dict) and value.get("kind") not in _CODE_OF_KIND:
                raise UnsupportedFormula(f"the evaluator cannot compute ={cell.formula}").at(
                    file=file, sheet=name, cell=str(address)
                )
            yield address, _value(value)
    for anchor, block in arrays.items():
        error = workbook.get_value(name, anchor.row, anchor.column)
        if isinstance(error, dict) and error.get("kind") not in _CODE_OF_KIND:
            raise UnsupportedFormula("the evaluator cannot compute the array formula").at(
                file=file, sheet=name, cell=str(anchor)
            )
        if isinstance(error, dict):  # it stands for the whole array, as a spreadsheet program shows it
            yield from ((address, _value(error)) for address in block.cells())
            continue
        for part in large.parts.get((name, anchor), [block]):
            _refuse_misfit(workbook, name, Address(part.top, part.left), part, file)
        for address in block.cells():
            yield address, _value(workbook.get_value(name, address.row, address.column))


def _refuse_misfit(workbook: Any, name: str, anchor: Address, block: Block, file: str) -> None:
    """An array formula fills its range exactly."""
    rows, columns = 1, 1
    spill = workbook.inspect_cell(f"'{name.replace(chr(39), chr(39) * 2)}'!{anchor}").cell.spill
    if spill is not None and spill.extent:
        rows, columns = Block.parse(spill.extent).shape
    if (rows, columns) != block.shape:
        raise ArrayDoesNotFit(
            f"the result is {rows} rows by {columns} columns, its range {block.shape[0]} by {block.shape[1]}"
        ).at(file=file, sheet=name, cell=str(anchor))


def _refuse_engine_errors(
    sheets: Mapping[str, Sheet], values: Mapping[str, Mapping[Address, Value]], file: str, calls: _Calls
) -> None:
    """A circle, or a native function that the engine lacks, makes the whole evaluation worthless.

    A #NAME? that one of our functions found in its input, or says of a function's name, is an answer.
    """
    circular = []
    for name, sheet in sheets.items():
        for address, cell in sheet.formulas():
            value = values[name].get(address)
            if not isinstance(value, ErrorCode):
                continue
            if value == "#CIRC!":
                circular.append(f"{name}!{address}")
            elif value == "#NAME?" and cell.value != "#NAME?" and not calls.reasons_of(cell.formula or ""):
                raise UnsupportedFormula(
                    f"={cell.formula} uses a name or function that is not known, or reads a cell that does"
                ).at(file=file, sheet=name, cell=str(address))
            elif value == "#VALUE!" and cell.value != "#VALUE!" and cell.formula is not None:
                refuse_doubtful_value(sheets, values, name, address, file)
    if circular:
        raise CircularReference(f"formulas refer to each other in a circle: {', '.join(circular[:20])}").at(
            file=file
        )


def _failures(
    package: Package,
    sheets: Mapping[str, Sheet],
    values: Mapping[str, Mapping[Address, Value]],
    ours: list[tuple[str, Address, str]],
    calls: _Calls,
) -> Iterator[CellFailed]:
    """One failure for each cell that calls a function of ours and shows an error, causes first."""
    failed = []
    for name, address, formula in ours:
        block = sheets[name].cells[address].array
        cells = block.cells() if block else iter((address,))
        errors = [v for cell in cells if isinstance(v := values[name][cell], ErrorCode)]
        # An array may say #N/A of one of its cells: that is an answer.  Of all of them, it is a failure.
        count = block.shape[0] * block.shape[1] if block else 1
        if errors and (len(errors) == count or any(error != "#N/A" for error in errors)):
            failed.append((name, address, formula, errors[0]))
    for name, address, formula, shown in failed:
        reasons = calls.reasons_of(formula)
        reason = reasons[0] if reasons else None
        yield _failure(package, name, address, formula, shown, reason)


def _failure(
    package: Package, sheet: str, address: Address, formula: str, shown: str, reason: XlmodelError | None
) -> CellFailed:
    place = Place(file=package.name, sheet=sheet, cell=str(address))
    named = next(call for call in find_calls(formula) if call.ours)
    if reason is None:
        return CellFailed(f"the formula that calls {named.name} shows {shown}", place=place)
    if isinstance(reason, InternalError):
        raise reason.at(file=package.name, sheet=sheet, cell=str(address))
    behind = input_cell(package, sheet, formula, named, reason)
    heading = f", column {reason.place.heading!r}" if reason.place.heading else ""
    where = f"because of {behind}{heading}: " if behind else "because "
    detail = f"{reason.place}: " if behind is None and str(reason.place) else ""
    return CellFailed(
        f"{named.name} shows {shown} {where}{detail}{reason.message} [{reason.code}]",
        place=place,
        remedy=reason.advice,
    )


def _argument(value: Any) -> Argument:
    """From the engine's values to cell values."""
    if isinstance(value, list):
        return [[_scalar(cell) for cell in (row if isinstance(row, list) else [row])] for row in value]
    return _scalar(value)


def _scalar(value: Any) -> Cell:
    if isinstance(value, dict):
        return CellError(_CODE_OF_KIND.get(value.get("kind", ""), "#VALUE!"))
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, dt.date):
        return _serial(value)
    return float(value)


def _answer(result: Cell | Rows) -> Any:
    """From cell values to the engine's."""
    if isinstance(result, list):
        return [[_answer(cell) for cell in row] for row in result]
    if isinstance(result, CellError):
        return {"type": "Error", "kind": _KIND_OF_CODE.get(result.code, "Value")}
    return result


def _value(value: Any) -> Value:
    """From the engine's values to what the file holds."""
    if isinstance(value, dict):
        return ErrorCode(_CODE_OF_KIND.get(value.get("kind", ""), "#VALUE!"))
    if isinstance(value, dt.date):
        return _serial(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value  # type: ignore[no-any-return]  # float, str, bool or None


def _serial(value: dt.date) -> float:
    moment = value if isinstance(value, dt.datetime) else dt.datetime(value.year, value.month, value.day)
    return (moment - _ZERO_DAY) / dt.timedelta(days=1)


def _first_reason(result: Cell | Rows) -> XlmodelError | None:
    cells = (cell for row in result for cell in row) if isinstance(result, list) else (result,)
    for cell in cells:
        if isinstance(cell, CellError):
            return cell.reason
    return None
