"""functions.json: what Excel shows of each function, and how it hands over the arguments.

Every argument is of type "any" and a matrix: Excel then passes ranges whole, where it would otherwise pick a
cell or refuse, and passes one cell as a range of one, which the registry reads as that cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xlmodel.functions import FUNCTIONS, Function, Parameter

_ANYTHING = {"type": "any", "dimensionality": "matrix"}


def metadata(functions: Iterable[Function] = FUNCTIONS.values()) -> dict[str, Any]:
    """The document; without ``allowErrorForDataTypeAny`` Excel would not call a function on an error cell."""
    return {"allowErrorForDataTypeAny": True, "functions": [_function(function) for function in functions]}


def answers_with_rows(function: Function) -> bool:
    """Whether a result may be more than one cell."""
    return function.shape == "array" or function.elementwise


def _function(function: Function) -> dict[str, Any]:
    return {
        "id": function.name,
        "name": function.name,
        "description": function.help,
        "parameters": [_parameter(parameter) for parameter in function.parameters],
        "result": {"type": "any", "dimensionality": "matrix" if answers_with_rows(function) else "scalar"},
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    entry = {"name": parameter.name, "description": parameter.help, **_ANYTHING}
    if parameter.repeated:
        return entry | {"repeating": True}
    return entry if parameter.required else entry | {"optional": True}
