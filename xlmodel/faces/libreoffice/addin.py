"""The files of the Calc add-in, made from the registry: types, component, configuration with help texts."""

from __future__ import annotations

import json
import sys
import sysconfig
from collections.abc import Iterable
from html import escape
from importlib.util import find_spec
from pathlib import Path

import xlmodel
from xlmodel.functions import FUNCTIONS, Function

IMPLEMENTATION = "XM"
"""Calc knows a function by this, a dot and its method: ``XM.DAYS``.  In .ods files that is its name."""

MOST_ARGUMENTS = max(len(function.parameters) for function in FUNCTIONS.values())

_INTERFACE = "org.xlmodel.XFunctions"
_PREFIX = "XM_"


def method(function: Function) -> str:
    """The name of a function's method: the part after XM_."""
    return function.name.removeprefix(_PREFIX)


def files() -> dict[str, str]:
    """The add-in by file name: what LibreOffice reads, and what it runs."""
    return {
        "xlmodel.idl": idl(),
        "xlmodel.components": components({IMPLEMENTATION: "com.sun.star.sheet.AddIn"}),
        "loader.py": source("loader.py"),
        "environment.json": environment(),
    }


def source(name: str) -> str:
    """The text of a file that runs inside LibreOffice."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def idl(functions: Iterable[Function] = FUNCTIONS.values()) -> str:
    """The interface of the add-in as UNO types in source text.

    Every argument is ``any``, because only such a one can be left out, or be a cell as well as a range.
    """
    methods = "\n".join(map(_method, functions))
    return (
        "#include <com/sun/star/uno/XInterface.idl>\n"
        "module org { module xlmodel {\n"
        "  interface XFunctions : com::sun::star::uno::XInterface {\n"
        f"{methods}\n"
        "  };\n"
        "}; };\n"
    )


def answers_in_rows(function: Function) -> bool:
    """Whether its results are rows: those of a function of single cells too, if it takes columns."""
    return function.elementwise or function.shape == "array"


def _method(function: Function) -> str:
    kind = "sequence< sequence<any> >" if answers_in_rows(function) else "any"
    return f"    {kind} {method(function)}({_declared(function)});"


def _declared(function: Function) -> str:
    return ", ".join(f"[in] any {name}" for name, _, _ in described(function))


def described(function: Function) -> list[tuple[str, str, str]]:
    """Its arguments: the name of each as UNO allows it, as the wizard shows it, and its help.

    UNO allows no underscore after a small letter.  A repeated argument is several single ones, because Calc
    goes through the cells of a range one by one when it is given to a sequence of arguments.
    """
    listed = []
    for parameter in function.parameters:
        camel = "a" + "".join(word.capitalize() for word in parameter.name.split("_"))
        if parameter.repeated:
            numbers = range(1, MOST_ARGUMENTS + 1)
            listed += [(f"{camel}{n}", f"{parameter.name}_{n}", parameter.help) for n in numbers]
        else:
            listed.append((camel, parameter.name, parameter.help))
    return listed


def components(services: dict[str, str], source: str = "loader.py") -> str:
    """The component description: which implementation serves what."""
    listed = "".join(
        f'<implementation name="{name}"><service name="{service}"/></implementation>'
        for name, service in services.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<components xmlns="http://openoffice.org/2010/uno-components">'
        f'<component loader="com.sun.star.loader.Python" uri="{escape(source)}">{listed}</component>'
        "</components>\n"
    )


def environment() -> str:
    """What the loader must know of this environment."""
    places = [Path(xlmodel.__file__).resolve().parents[1]]  # first, so that this very xlmodel answers
    places += [Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")]
    for library in ("numpy", "holidays"):  # which may be somewhere else, by PYTHONPATH
        found = find_spec(library)
        places += [Path(found.origin).parents[1]] if found and found.origin else []
    paths = list(dict.fromkeys(map(str, places)))
    return json.dumps(
        {
            "python": sys.version_info[:2],
            "paths": paths,
            "implementation": IMPLEMENTATION,
            "interface": _INTERFACE,
            "methods": [method(function) for function in FUNCTIONS.values()],
        },
        indent=1,
    )


def function_nodes(functions: Iterable[Function] = FUNCTIONS.values()) -> str:
    """The configuration node of the add-in: what the Function Wizard shows."""
    return (
        f'<node oor:name="{IMPLEMENTATION}" oor:op="replace"><node oor:name="AddInFunctions">'
        + "".join(map(_node, functions))
        + "</node></node>"
    )


def _node(function: Function) -> str:
    return (
        f'<node oor:name="{method(function)}" oor:op="replace">'
        + _text("DisplayName", function.name)
        + _text("Description", f"{function.help} ({function.category})")
        + '<prop oor:name="Category"><value>Add-In</value></prop>'
        + _text("CompatibilityName", function.name)
        + '<node oor:name="Parameters">'
        + "".join(
            f'<node oor:name="{name}" oor:op="replace">'
            + _text("DisplayName", shown)
            + _text("Description", help_text)
            + "</node>"
            for name, shown, help_text in described(function)
        )
        + "</node></node>"
    )


def _text(name: str, text: str) -> str:
    return f'<prop oor:name="{name}"><value xml:lang="en">{escape(text, quote=False)}</value></prop>'


_NAMESPACES = (
    'xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
)
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
# A profile that computes every formula on loading, runs no macro, follows no link, and speaks English as the
# formulas of .xlsx do.
_SETTINGS = {
    "Office.Calc/Formula/Load": {"OOXMLRecalcMode": "0", "ODFRecalcMode": "0"},
    "Office.Calc/Content/Update": {"Link": "2"},
    "Office.Common/Security/Scripting": {"DisableMacrosExecution": "true", "MacroSecurityLevel": "3"},
    "Office.Common/Misc": {"FirstRun": "false", "ShowTipOfTheDay": "false"},
    "Setup/L10N": {"ooSetupSystemLocale": "en-US"},
}


def profile() -> str:
    """The settings of a profile in which the add-in is known."""
    items = [f'<item oor:path="/org.openoffice.Office.CalcAddIns/AddInInfo">{function_nodes()}</item>']
    for path, settings in _SETTINGS.items():
        items += [
            f'<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse">'
            f"<value>{value}</value></prop></item>"
            for name, value in settings.items()
        ]
    return f"{XML}<oor:items {_NAMESPACES}>{''.join(items)}</oor:items>\n"


def configuration() -> str:
    """The same node as a file of an extension."""
    return (
        f'{XML}<oor:component-data {_NAMESPACES} oor:name="CalcAddIns" oor:package="org.openoffice.Office">'
        f'<node oor:name="AddInInfo">{function_nodes()}</node></oor:component-data>\n'
    )
