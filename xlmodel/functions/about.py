"""What the functions say about themselves: XM_WHY, XM_VERSION."""

from __future__ import annotations

from xlmodel.errors import UnknownFunction, XlmodelError
from xlmodel.functions.kinds import Anything, Text
from xlmodel.functions.registry import find, function, functions_version


@function("XM_WHY", "About")
def why(function_name: Text, *arguments: Anything) -> str:
    """Why a function shows an error: its code and a sentence that names the argument and the remedy.

    function_name: Name of the function in quotes, such as "XM_INTEREST".
    arguments: The same arguments that the function is called with.
    """
    try:
        called = find(function_name)
    except UnknownFunction as error:
        raise error.at(argument="function_name") from None
    try:
        called.evaluate(arguments)
    except XlmodelError as error:
        return str(error)
    return f"{called.name} shows no error for these arguments"


@function("XM_VERSION", "About")
def version() -> str:
    """Version of the package and of the functions; it changes whenever a signature does."""
    return functions_version()
