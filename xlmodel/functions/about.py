"""What the functions say about themselves: XM_WHY, XM_VERSION."""

from __future__ import annotations

import re

from xlmodel.errors import UnknownFunction, XlmodelError
from xlmodel.functions.answers import answer
from xlmodel.functions.kinds import Anything, Text
from xlmodel.functions.registry import find, function, functions_version

_CELL = re.compile(
    r"(?P<name>\w+)[\s,]+row\s+(?P<row>\d{1,7})[\s,]+column\s+(?P<column>\d{1,5})", re.IGNORECASE
)


@function("XM_WHY", "About")
def why(function_name: Text, *arguments: Anything) -> str:
    """Why a function shows an error, or where a number of its result comes from.

    An error is told with its code, the argument and the remedy.  Of a cell of an array, named as in
    "XM_DISTRIBUTIONS, row 3, column 1", it tells the clause, its inputs, what bound it and the cash left.

    function_name: Name of the function in quotes, such as "XM_INTEREST"; followed by a row and a column of
        its result, as in "XM_LEDGER, row 3, column 5", to ask about that cell.
    arguments: The same arguments that the function is called with.
    """
    asked = _CELL.fullmatch(function_name.strip())
    try:
        called = find(asked["name"] if asked else function_name)
    except UnknownFunction as error:
        raise error.at(argument="function_name") from None
    try:
        if asked:
            return answer(called, arguments, int(asked["row"]), int(asked["column"]))
        called.evaluate(arguments)
    except XlmodelError as error:
        return str(error)
    return f"{called.name} shows no error for these arguments"


@function("XM_VERSION", "About")
def version() -> str:
    """Version of the package and of the functions; it changes whenever a signature does."""
    return functions_version()
