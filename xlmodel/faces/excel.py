"""Excel on Windows: the module that xlwings serves, with a function XM_... for each one of the registry.

The VBA module of ``excel_vba.py`` calls these functions and turns the Longs that they return for errors into
errors.  Do not use xlwings' own *Import Functions* on this module: the VBA that it writes would put such a
Long into the cell as a number.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import xlwings

from xlmodel.faces.excel_values import from_excel, to_excel
from xlmodel.functions import FUNCTIONS, Function, Parameter, call


def _served(function: Function) -> Callable[..., list[list[Any]]]:
    """A function of the registry as one that xlwings serves.

    xlwings reads the name, docstring and ``inspect.signature`` of what it decorates, so a closure with those
    set will do; no source text is generated.  "raw" keeps xlwings' converters out: they turn errors into
    blanks, and blanks and NaN into empty texts.
    """

    def answer(*arguments: Any) -> list[list[Any]]:
        return to_excel(call(function.name, [from_excel(argument) for argument in arguments]))

    answer.__name__ = answer.__qualname__ = function.name
    answer.__doc__ = function.help
    answer.__annotations__ = {}  # xlwings would take them for converters
    answer.__signature__ = signature(function)  # type: ignore[attr-defined]  # typeshed lacks it
    for parameter in function.parameters:
        xlwings.arg(parameter.name, convert="raw", doc=parameter.help)(answer)
    xlwings.ret(convert="raw")(answer)
    xlwings.func(category=function.group)(answer)  # last: the other two set the category back to "xlwings"
    return answer


def signature(function: Function) -> inspect.Signature:
    """The Python signature: an optional argument defaults to None, which the registry reads as omitted."""
    return inspect.Signature([_parameter(parameter) for parameter in function.parameters])


def _parameter(parameter: Parameter) -> inspect.Parameter:
    if parameter.repeated:
        return inspect.Parameter(parameter.name, inspect.Parameter.VAR_POSITIONAL)
    default = inspect.Parameter.empty if parameter.required else None
    return inspect.Parameter(parameter.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)


# xlwings finds a function by its name among the module's attributes, so no other name may hold one.
globals().update({name: _served(function) for name, function in FUNCTIONS.items()})
