"""Inside LibreOffice: what Calc calls for each function of the registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xlmodel.faces.libreoffice.addin import answers_in_rows, method
from xlmodel.faces.libreoffice.values import from_calc, to_calc
from xlmodel.functions import FUNCTIONS, Function, call


def methods() -> dict[str, Callable[..., Any]]:
    """The methods of the add-in's class by name."""
    return {method(function): _answering(function) for function in FUNCTIONS.values()}


def _answering(function: Function) -> Callable[..., Any]:
    rows = answers_in_rows(function)
    repeated = any(parameter.repeated for parameter in function.parameters)

    def answer(_: Any, *arguments: Any) -> Any:
        given = list(arguments)
        while repeated and given and given[-1] is None:
            del given[-1]  # not given: it is one of those that stand for a repeated argument
        result = call(function.name, [from_calc(argument) for argument in given])
        return to_calc(result, rows=rows)

    return answer
