"""Inside LibreOffice: the component that Calc loads.  Written for Python 3.7 on, whichever it carries.

``environment.json`` beside it says where xlmodel is installed and for which Python.  Where the functions
cannot run, every one shows #NAME?, and XM_VERSION and XM_WHY say why.
"""

from __future__ import annotations

import json
import os
import site
import struct
import sys
from typing import Any

import uno
import unohelper
from com.sun.star.lang import XServiceInfo

_HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(_HERE, "environment.json"), encoding="utf-8") as _file:
    ENVIRONMENT = json.load(_file)
_ADD_IN = "com.sun.star.sheet.AddIn"
_NAME_ERROR = struct.unpack("<d", struct.pack("<Q", 0x7FF8 << 48 | 525))[0]


def _methods() -> dict[str, Any]:
    wanted = tuple(ENVIRONMENT["python"])
    if sys.version_info[:2] != wanted:
        found = ".".join(map(str, sys.version_info[:2]))
        return _broken(
            f"LibreOffice carries Python {found}, xlmodel is installed for {wanted[0]}.{wanted[1]}"
        )
    before = list(sys.path)
    for path in ENVIRONMENT["paths"]:
        site.addsitedir(path)  # which minds an editable installation's .pth
    # The environment's packages win over those of the system's Python.
    sys.path[:] = [path for path in sys.path if path not in before] + before
    try:
        from xlmodel.faces.libreoffice import component
    except Exception as error:
        return _broken(f"xlmodel cannot be loaded from {ENVIRONMENT['paths']}: {error}")
    return dict(component.methods())


def _broken(reason: str) -> dict[str, Any]:
    def shows_why(_: Any, *arguments: Any) -> str:
        return reason

    def shows_error(_: Any, *arguments: Any) -> Any:
        return _NAME_ERROR

    return {name: shows_why if name in ("WHY", "VERSION") else shows_error for name in ENVIRONMENT["methods"]}


class _Described(unohelper.Base, XServiceInfo):
    def __init__(self, context: Any, *_: Any) -> None:
        pass

    def getImplementationName(self) -> Any:
        return ENVIRONMENT["implementation"]

    def supportsService(self, name: str) -> bool:
        return name == _ADD_IN

    def getSupportedServiceNames(self) -> tuple[str]:
        return (_ADD_IN,)


Functions = type("Functions", (_Described, uno.getClass(ENVIRONMENT["interface"])), _methods())

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Functions, ENVIRONMENT["implementation"], (_ADD_IN,))
