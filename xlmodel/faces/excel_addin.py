"""The files that put the functions into Excel on Windows, for the Python that runs this.

Excel's cells call the VBA module, that calls xlwings, and xlwings the module ``xlmodel.faces.excel`` of the
installed package: so no Python file is copied, and none can go stale beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import util
from pathlib import Path

from xlmodel import __version__
from xlmodel.errors import XlwingsMissing
from xlmodel.faces.excel_machine import Finding, Machine
from xlmodel.faces.excel_vba import PYTHON_MODULE, VBA_NAME, vba_module
from xlmodel.functions import FUNCTIONS

VBA_FILE = f"{VBA_NAME}.bas"
XLWINGS_FILE = "xlwings.bas"
SETTINGS_FILE = "xlwings.conf"
PAGE = "Instructions.txt"


def excel_files(machine: Machine, findings: Sequence[Finding]) -> dict[str, bytes]:
    """Every file by its name.  Raises XlwingsMissing."""
    return {
        VBA_FILE: vba_module().encode("ascii"),
        XLWINGS_FILE: _xlwings_module(),
        # VBA reads its files in the code page of the machine, Notepad by their marker
        SETTINGS_FILE: _lines(settings(machine)).encode("mbcs" if sys.platform == "win32" else "utf-8"),
        PAGE: _lines(instructions(machine, findings)).encode("utf-8-sig"),
    }


def settings(machine: Machine) -> list[str]:
    """What xlwings reads from its file: the Python to start, and nothing from the workbook's folder."""
    pairs = {
        "INTERPRETER_WIN": str(machine.python),
        "ADD_WORKBOOK_TO_PYTHONPATH": "False",
        "SHOW CONSOLE": "False",
    }
    return [f'"{name}","{value}"' for name, value in pairs.items()]


def instructions(machine: Machine, findings: Sequence[Finding]) -> list[str]:
    """The page for the person at the desk."""
    count = len(FUNCTIONS)
    return [
        f"xlmodel {__version__} in Excel on Windows",
        "",
        f"{count} functions, all named XM_...  Written for the Python at",
        f"    {machine.python}",
        "Write these files again (xlmodel addin excel) after every update of xlmodel, of xlwings or of",
        "Python, and import both modules again.",
        "",
        "Once for each machine",
        "",
        f"1. Make the folder .xlwings in your user folder and copy {SETTINGS_FILE} into it:",
        rf"       %USERPROFILE%\.xlwings\{SETTINGS_FILE}",
        f"   If there is one already, put the lines together.  A {SETTINGS_FILE} beside a workbook wins.",
        "",
        "Once for each workbook",
        "",
        "2. Open the workbook and save it as an Excel Macro-Enabled Workbook (.xlsm).",
        "3. Press Alt+F11.  In the window that opens: File, Import File...",
        f"   Import {XLWINGS_FILE}, then {VBA_FILE}.  (Where the xlwings add-in is installed, a",
        f"   reference to it, under Tools, References, can stand in place of {XLWINGS_FILE}.)",
        "   Do not use Import Functions of the xlwings ribbon: what it writes shows errors as numbers.",
        "4. Close that window.  Press Alt+F8, choose DescribeXlmodelFunctions, Run: the functions then show",
        "   their help in the Insert Function dialogue (Shift+F3), under the categories xlmodel ...",
        "5. Save the workbook.",
        "",
        "Is it there?",
        "",
        "6. In an empty cell:  =XM_VERSION()",
        f"       shows {__version__}+ and twelve letters and digits.",
        '   In another:  =XM_INTEREST(155250000, 0.062025, DATE(1999,10,28), DATE(1999,12,15), "actual/360")',
        "       shows 1283917.5",
        "   In another:  =XM_INTEREST(-1, 0.06, 1, 2)",
        "       shows #NUM!, a real error, and the same arguments after XM_WHY tell the reason:",
        '       =XM_WHY("XM_INTEREST", -1, 0.06, 1, 2)',
        "",
        "What it shows, and what to do",
        "",
        "   #NAME?    The modules are not in this workbook, or macros are disabled: steps 2 and 3.",
        "   #VALUE! in every cell",
        "             Python was not reached.  Alt+F8, ShowXlmodelFailure, Run: it says why.",
        "   #NUM!, #N/A, #VALUE! in one cell",
        "             The function has no answer for these arguments; XM_WHY tells the reason.",
        "   An array shows one value alone",
        "             In Excel before 2021: mark the whole range, type the formula, press Ctrl+Shift+Enter.",
        "",
        "This machine, when the files were written",
        "",
        *(f"   {finding}" for finding in findings),
        "",
        f"The functions live in the Python module {PYTHON_MODULE}.  Nothing here was run in Excel itself",
        "before it was published: the VBA module was run by LibreOffice, and xlwings' own code with",
        "stand-ins for Windows.  Step 6 is how you see that it holds on your machine.",
    ]


def _xlwings_module() -> bytes:
    """The module of the installed xlwings, which fits its library to the version."""
    found = util.find_spec("xlwings")
    path = Path(found.origin).with_name(XLWINGS_FILE) if found and found.origin else None
    if path is None or not path.is_file():
        raise XlwingsMissing(f"there is no {XLWINGS_FILE} of an installed xlwings")
    return path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")  # as the editor imports it


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\r\n" for line in lines)
