"""Whether a machine can serve the functions to Excel: one check a function, each with its advice.

Excel runs on Windows, so on another machine most checks say that they were not made.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from importlib import metadata, util
from pathlib import Path

OLDEST_XLWINGS = (0, 33)

_OFFICE = r"Software\Microsoft\Office"
_SECURITY = r"Software\Microsoft\Office\16.0\Excel\Security"
_POLICY = r"Software\Policies\Microsoft\Office\16.0\Excel\Security"
_NO_MACROS = 4  # VBAWarnings: all disabled, without a question


class State(Enum):
    """What a check has found."""

    GOOD = "good"
    MEND = "to mend"
    UNKNOWN = "not checked"


@dataclass(frozen=True)
class Finding:
    """One check: what was looked at, how it is, and what to do."""

    what: str
    state: State
    sentence: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.sentence} [{self.state.value}]" + (
            f"; {self.advice}" if self.advice else ""
        )


def _installed(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def registry(hive: str, key: str, name: str) -> str | int | None:
    """A value of the Windows registry, read as 64-bit programs see it; None where there is none."""
    if sys.platform != "win32":
        return None
    import winreg

    try:
        root = {"HKCU": winreg.HKEY_CURRENT_USER, "HKLM": winreg.HKEY_LOCAL_MACHINE}[hive]
        with winreg.OpenKey(root, key, access=winreg.KEY_READ | winreg.KEY_WOW64_64KEY) as opened:
            value = winreg.QueryValueEx(opened, name)[0]
    except OSError:
        return None
    return value if isinstance(value, str | int) else None


@dataclass(frozen=True)
class Machine:
    """What the checks look at; by default the machine that this runs on."""

    windows: bool = sys.platform == "win32"
    python: Path = Path(sys.executable)
    bits: int = 8 * struct.calcsize("P")
    installed: Callable[[str], str | None] = _installed
    importable: Callable[[str], bool] = field(default=lambda name: util.find_spec(name) is not None)
    registry: Callable[[str, str, str], str | int | None] = registry


def findings(machine: Machine) -> Iterator[Finding]:
    """Every check of ``CHECKS`` in turn."""
    for check in CHECKS:
        yield check(machine)


def excel_bits(machine: Machine) -> int | None:
    """32 or 64; None where the registry does not say."""
    platform = machine.registry("HKLM", rf"{_OFFICE}\ClickToRun\Configuration", "Platform")
    if platform is None:  # installed from a disk
        platform = machine.registry("HKLM", rf"{_OFFICE}\16.0\Outlook", "Bitness")
    return {"x64": 64, "x86": 32}.get(str(platform).lower())


# --- the checks -------------------------------------------------------------------------------------


def _system(machine: Machine) -> Finding:
    if machine.windows:
        return Finding("system", State.GOOD, "Windows")
    return Finding(
        "system",
        State.UNKNOWN,
        "this is not Windows, where Excel calls Python",
        "the files are written; run this command again on the desk's machine, whose paths they must hold",
    )


def _xlwings(machine: Machine) -> Finding:
    version = machine.installed("xlwings")
    if version is None:
        return Finding("xlwings", State.MEND, "not installed", "pip install xlwings")
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST_XLWINGS:
        return Finding(
            "xlwings", State.MEND, f"version {version} is too old", "pip install --upgrade xlwings"
        )
    return Finding("xlwings", State.GOOD, f"version {version}")


def _pywin32(machine: Machine) -> Finding:
    if not machine.windows:
        return Finding("pywin32", State.UNKNOWN, "there is none outside Windows")
    if machine.importable("win32com"):
        return Finding("pywin32", State.GOOD, f"version {machine.installed('pywin32') or 'unknown'}")
    return Finding("pywin32", State.MEND, "not installed", "pip install pywin32")


def _bitness(machine: Machine) -> Finding:
    excel = excel_bits(machine)
    if excel is None:
        return Finding(
            "bitness",
            State.UNKNOWN,
            f"Python is {machine.bits}-bit, Excel's is not known",
            "in Excel: File, Account, About Excel names it; both should be 64-bit",
        )
    if excel != machine.bits:
        return Finding(
            "bitness",
            State.MEND,
            f"Python is {machine.bits}-bit, Excel {excel}-bit",
            f"install a {excel}-bit Python, or a {machine.bits}-bit Office, so that both are the same",
        )
    return Finding("bitness", State.GOOD, f"Python and Excel are {excel}-bit")


def _library(machine: Machine) -> Finding:
    """The library that Excel loads: beside python.exe, or one folder up from an environment's Scripts."""
    version = machine.installed("xlwings")
    if not machine.windows or version is None:
        return Finding("library of xlwings", State.UNKNOWN, "it is installed on Windows only")
    name = f"xlwings{excel_bits(machine) or machine.bits}-{version}.dll"
    folders = machine.python.parent, machine.python.parent.parent
    for folder in folders:
        if (folder / name).is_file():
            return Finding("library of xlwings", State.GOOD, str(folder / name))
    return Finding(
        "library of xlwings",
        State.MEND,
        f"{name} is neither in {folders[0]} nor in {folders[1]}",
        "pip install --force-reinstall --no-deps xlwings",
    )


def _trust(machine: Machine) -> Finding:
    what = "Trust access to the VBA project object model"
    if not machine.windows:
        return Finding(what, State.UNKNOWN, "a setting of Excel on Windows")
    setting = machine.registry("HKCU", _POLICY, "AccessVBOM")
    by = "by a policy of your organisation" if setting is not None else "in Excel's Trust Center"
    if setting is None:
        setting = machine.registry("HKCU", _SECURITY, "AccessVBOM")
    if setting == 1:
        return Finding(what, State.GOOD, f"on, {by}")
    return Finding(
        what,
        State.GOOD,
        f"off, {by if setting is not None else 'as Excel is delivered'}",
        "it may stay off: the modules are imported by hand. Only programs that import modules need it: File, "
        "Options, Trust Center, Trust Center Settings, Macro Settings",
    )


def _macros(machine: Machine) -> Finding:
    if not machine.windows:
        return Finding("macros", State.UNKNOWN, "a setting of Excel on Windows")
    setting = machine.registry("HKCU", _POLICY, "VBAWarnings") or machine.registry(
        "HKCU", _SECURITY, "VBAWarnings"
    )
    if setting == _NO_MACROS:
        return Finding(
            "macros",
            State.MEND,
            "Excel disables all of them without asking",
            "File, Options, Trust Center, Trust Center Settings, Macro Settings: disable with notification; "
            "or keep the workbook in a trusted location",
        )
    return Finding("macros", State.GOOD, "Excel runs them, or asks")


CHECKS: tuple[Callable[[Machine], Finding], ...] = (
    _system,
    _xlwings,
    _pywin32,
    _bitness,
    _library,
    _trust,
    _macros,
)
