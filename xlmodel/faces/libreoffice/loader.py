"""Inside LibreOffice: the component that Calc loads.  Written for any Python 3 that a LibreOffice may carry.

``environment.json`` beside it says where xlmodel is installed and for which Python.  Where the functions cannot
run, every one shows #NAME?, and XM_VERSION and XM_WHY say why.
"""

import json
import os
import site
import struct
import sys

import uno
import unohelper
from com.sun.star.lang import XServiceInfo

_HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(_HERE, "environment.json"), encoding="utf-8") as _file:
    ENVIRONMENT = json.load(_file)
_ADD_IN = "com.sun.star.sheet.AddIn"
_NAME_ERROR = struct.unpack("<d", struct.pack("<Q", 0x7FF8 << 48 | 525))[0]


def _methods():
    wanted = tuple(ENVIRONMENT["python"])
    if sys.version_info[:2] != wanted:
        found = ".".join(map(str, sys.version_info[:2]))
        return _broken("LibreOffice's Python is {}, xlmodel's environment has {}.{}".format(found, *wanted))
    before = list(sys.path)
    for path in ENVIRONMENT["paths"]:
        site.addsitedir(path)  # which minds an editable installation's .pth
    # The environment's packages win over those of the system's Python.
    sys.path[:] = [path for path in sys.path if path not in before] + before
    try:
        from xlmodel.faces.libreoffice import component
    except Exception as error:
        return _broken("xlmodel cannot be loaded from {}: {}".format(ENVIRONMENT["paths"], error))
    return component.methods()


def _broken(reason):
    def shows_why(_, *arguments):
        return reason

    def shows_error(_, *arguments):
        return _NAME_ERROR

    return {name: shows_why if name in ("WHY", "VERSION") else shows_error for name in ENVIRONMENT["methods"]}


class _Described(unohelper.Base, XServiceInfo):
    def __init__(self, context, *_):
        pass

    def getImplementationName(self):
        return ENVIRONMENT["implementation"]

    def supportsService(self, name):
        return name == _ADD_IN

    def getSupportedServiceNames(self):
        return (_ADD_IN,)


Functions = type("Functions", (_Described, uno.getClass(ENVIRONMENT["interface"])), _methods())

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Functions, ENVIRONMENT["implementation"], (_ADD_IN,))
