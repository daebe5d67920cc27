"""Settings of the command line: a flag wins over ``XLMODEL_*``, which wins over ``xlmodel.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from xlmodel.errors import BadUsage

FILE = "xlmodel.toml"
ENVIRONMENT_PREFIX = "XLMODEL"


def defaults(folder: Path, options: Callable[[], dict[str, set[str]]]) -> dict[str, Any]:
    """The defaults of ``xlmodel.toml`` in a folder, by command and option; empty where there is no file.

    Top-level keys are options of the program itself, a table ``[regenerate]`` those of a command; keys are
    the options' names, with ``-`` or ``_``.  ``options`` tells those of each command, and is asked only where
    there is a file.  Raises BadUsage for a file, command or option that makes no sense: a setting that is
    misspelt must not be ignored.
    """
    path = folder / FILE
    if not path.is_file():
        return {}
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadUsage(f"cannot be read: {error}", remedy="mend the file").at(file=str(path)) from None
    commands = options()
    result: dict[str, Any] = {}
    for key, value in document.items():
        if isinstance(value, dict):
            if key not in commands:
                raise BadUsage(f"there is no command {key!r}").at(file=str(path))
            result[key] = {_option(name, commands[key], path): setting for name, setting in value.items()}
        else:
            result[_option(key, commands[""], path)] = value
    return result


def _option(name: str, known: set[str], path: Path) -> str:
    option = name.replace("-", "_")
    if option not in known:
        raise BadUsage(f"there is no option {name!r}; known: {', '.join(sorted(known))}").at(file=str(path))
    return option
