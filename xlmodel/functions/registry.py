"""The one list of spreadsheet functions, FUNCTIONS, and how one of them is called.

A function is written once, in ``functions/<family>.py``.  Its annotations say how each argument is read
(``kinds.py``), its docstring is the help text in every face::

    @function("XM_POOL_FACTOR", "Pool")
    def pool_factor(balance: Number, original: Number, digits: Integer = 7) -> float:
        \"\"\"Balance divided by original balance, rounded as a servicer's report prints it.

        balance: Balance after the payment, in dollars.
        original: Balance at the start, in dollars.
        digits: Decimals of the factor.
        \"\"\"
"""

from __future__ import annotations

import difflib
import hashlib
import inspect
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from xlmodel import __version__
from xlmodel.errors import (
    InternalError,
    MissingValue,
    UnknownFunction,
    WrongArguments,
    WrongShape,
    XlmodelError,
)
from xlmodel.functions import cells, columns
from xlmodel.functions.cells import Argument, Cell, CellError, Rows
from xlmodel.functions.house_rules import broken_rules
from xlmodel.functions.kinds import Kind

log = logging.getLogger(__name__)


_REQUIRED = inspect.Parameter.empty


@dataclass(frozen=True)
class Parameter:
    """One argument: its name, kind, help text and default; ``repeated`` takes all that are left."""

    name: str
    kind: Kind
    help: str
    default: Any = _REQUIRED
    repeated: bool = False

    @property
    def required(self) -> bool:
        return self.default is _REQUIRED and not self.repeated


@dataclass(frozen=True)
class Function:
    """One spreadsheet function.

    ``shape`` is "cell" or "array"; an array result is always rows of cells.  ``elementwise`` says that a
    range may stand for each single cell, and that the result then is an array (``columns.py``).  ``detail``
    is the docstring between its first line and the arguments: shapes, errors, source.
    """

    name: str
    category: str
    body: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    shape: str
    help: str
    detail: str
    since: str
    deprecated: str | None = None
    elementwise: bool = False

    @property
    def group(self) -> str:
        """Its heading in a program's list of functions: ``xlmodel Pool``."""
        return f"xlmodel {self.category}"

    @property
    def signature(self) -> str:
        """As in the manual: ``XM_DAYS(start, end, [basis])``."""
        words = [
            f"[{p.name}]" if not p.required and not p.repeated else p.name + (", ..." if p.repeated else "")
            for p in self.parameters
        ]
        return f"{self.name}({', '.join(words)})"

    def evaluate(self, arguments: Sequence[Argument]) -> Cell | Rows:
        """The result for cell values; blanks and omissions take the default.

        Raises XlmodelError, with the argument and, for a range, row and column in its place.
        """
        values: list[Any] = []
        rest = () if len(arguments) == len(self._plan) else self._rest(arguments)
        try:
            for argument, (read, default, kind) in zip(arguments, self._plan, strict=False):
                value = read(argument)
                if value is None:
                    if default is _REQUIRED:
                        raise MissingValue(f"a {kind} is asked for, the cell is blank")
                    value = default
                values.append(value)
        except XlmodelError as error:
            parameter = self.parameters[len(values)]
            if (
                self.elementwise
                and isinstance(error, WrongShape)
                and columns.is_column(arguments[len(values)])
            ):
                return columns.evaluate(self.body, self.parameters, arguments)
            raise error.at(argument=parameter.name) from None
        result = self.body(*values, *rest)
        return cells.result_rows(result) if self.shape == "array" else cells.result_cell(result)

    @cached_property
    def _plan(self) -> list[tuple[Callable[[Argument], Any], Any, str]]:
        return [(p.kind.read, p.default, p.kind.name) for p in self.parameters if not p.repeated]

    def _rest(self, arguments: Sequence[Argument]) -> Sequence[Any]:
        """The values of the arguments left out, or of those that are repeated."""
        last = self.parameters[-1] if self.parameters else None
        if len(arguments) > len(self._plan):
            if last is None or not last.repeated:
                raise WrongArguments(f"{self.signature} takes at most {len(self.parameters)} arguments")
            try:
                return [last.kind.read(argument) for argument in arguments[len(self._plan) :]]
            except XlmodelError as error:
                raise error.at(argument=last.name) from None
        missing = self.parameters[len(arguments) : len(self._plan)]
        for parameter in missing:
            if parameter.required:
                raise MissingValue("the argument is missing").at(argument=parameter.name)
        return [parameter.default for parameter in missing]


FUNCTIONS: dict[str, Function] = {}

_ARGUMENT_LINE = re.compile(r"([a-z][a-z0-9_]*): (.+)")


def function(
    name: str,
    category: str,
    *,
    elementwise: bool = False,
    since: str = "0.1.0",
    deprecated: str | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a function into FUNCTIONS under its spreadsheet name.

    A body that returns ``float``, ``str`` or ``bool`` fills one cell, any other an array; one that works
    element by element fills one cell from single cells and takes and returns arrays where ranges are given.
    AssertionError for a function that breaks a rule of ``house_rules.py``.
    """

    def enter(body: Callable[..., Any]) -> Callable[..., Any]:
        assert name not in FUNCTIONS, f"{name} is entered twice"
        first, detail, argument_help = _read_docstring(inspect.getdoc(body) or "")
        hints = get_type_hints(body, include_extras=True)
        parameters = tuple(
            Parameter(
                name=p.name,
                kind=_kind(hints[p.name]),
                help=argument_help.pop(p.name, ""),
                default=p.default,
                repeated=p.kind is inspect.Parameter.VAR_POSITIONAL,
            )
            for p in inspect.signature(body).parameters.values()
        )
        assert not argument_help, f"{name} documents arguments that it lacks: {sorted(argument_help)}"
        entered = Function(
            name=name,
            category=category,
            body=body,
            parameters=parameters,
            shape="cell" if elementwise or hints["return"] in (float, str, bool) else "array",
            help=first,
            detail=detail,
            since=since,
            deprecated=deprecated,
            elementwise=elementwise,
        )
        broken = broken_rules(entered)
        assert not broken, "; ".join(broken)
        FUNCTIONS[name] = entered
        return body

    return enter


def find(name: str) -> Function:
    """The function of a name, in any case.  Raises UnknownFunction, naming what is near."""
    found = FUNCTIONS.get(name.upper())
    if found is None:
        raise UnknownFunction(f"there is no function {name}{_near(name)}")
    return found


def call(name: str, arguments: Sequence[Argument]) -> Cell | Rows:
    """What a cell shows: the result, or a CellError with its reason.  Never raises an Exception."""
    try:
        return find(name).evaluate(arguments)
    except XlmodelError as error:
        return cells.shown(error)
    except Exception as error:
        log.exception("%s failed", name)
        return CellError("#VALUE!", InternalError(f"{name} failed: {type(error).__name__}: {error}"))


def functions_version() -> str:
    """Changes whenever a signature or the package does: a hash of both, for caches and reports."""
    text = __version__ + "".join(
        f"\n{f.signature}{[(p.kind.name, repr(p.default)) for p in f.parameters]}"
        for _, f in sorted(FUNCTIONS.items())
    )
    return f"{__version__}+{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _kind(hint: Any) -> Kind:
    for option in (hint, *get_args(hint)):
        if get_origin(option) is Annotated:
            return next(extra for extra in get_args(option) if isinstance(extra, Kind))
    raise TypeError(f"{hint} is no kind of argument")


def _read_docstring(doc: str) -> tuple[str, str, dict[str, str]]:
    """-> first line, detail, help text by argument."""
    first, _, rest = doc.partition("\n")
    detail, arguments = [], {}
    name = ""
    for line in rest.splitlines():
        found = _ARGUMENT_LINE.fullmatch(line)
        if found:
            name = found[1]
            arguments[name] = found[2]
        elif name and line.startswith("    "):
            arguments[name] += " " + line.strip()
        else:
            name = ""
            detail.append(line)
    return first, "\n".join(detail).strip(), arguments


def _near(name: str) -> str:
    near = difflib.get_close_matches(name.upper(), FUNCTIONS, n=3)
    return f"; did you mean {', '.join(near)}?" if near else ""
