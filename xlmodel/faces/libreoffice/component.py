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
        if repeated:  # they arrive as one tuple in the last place
            arguments = (*arguments[:-1], *arguments[-1])
        return to_calc(call(function.name, [from_calc(argument) for argument in arguments]), rows=rows)

    return answer
