"""The files for Excel on Windows, and what the checks of a machine say; Windows is played by a stand-in."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.test_cli import xlmodel
from xlmodel.errors import XlwingsMissing
from xlmodel.faces.excel_addin import excel_files
from xlmodel.faces.excel_machine import CHECKS, Machine, State, findings
from xlmodel.faces.excel_vba import vba_module
from xlmodel.functions import FUNCTIONS, call
from xlmodel.functions.cells import CellError

CLICK_TO_RUN = ("HKLM", r"Software\Microsoft\Office\ClickToRun\Configuration", "Platform")
FROM_A_DISK = ("HKLM", r"Software\Microsoft\Office\16.0\Outlook", "Bitness")
TRUST = ("HKCU", r"Software\Microsoft\Office\16.0\Excel\Security", "AccessVBOM")
TRUST_POLICY = ("HKCU", r"Software\Policies\Microsoft\Office\16.0\Excel\Security", "AccessVBOM")
MACROS = ("HKCU", r"Software\Microsoft\Office\16.0\Excel\Security", "VBAWarnings")
VERSIONS = {"xlwings": "0.37.8", "pywin32": "311"}

Registry = dict[tuple[str, str, str], str | int]


def reading(values: Registry) -> Callable[[str, str, str], str | int | None]:
    return lambda hive, key, name: values.get((hive, key, name))


@pytest.fixture
def desk(tmp_path: Path) -> Machine:
    """A Windows machine on which all is well."""
    scripts = tmp_path / "venv" / "Scripts"
    scripts.mkdir(parents=True)
    (tmp_path / "venv" / "xlwings64-0.37.8.dll").touch()
    return Machine(
        windows=True,
        python=scripts / "python.exe",
        bits=64,
        installed=VERSIONS.get,
        importable=lambda name: name == "win32com",
        registry=reading({CLICK_TO_RUN: "x64", TRUST: 1}),
    )


def said(machine: Machine, what: str) -> tuple[State, str]:
    finding = next(finding for finding in findings(machine) if finding.what.startswith(what))
    return finding.state, str(finding)


def test_all_is_well(desk: Machine) -> None:
    assert [finding.state for finding in findings(desk)] == [State.GOOD] * len(CHECKS)


@pytest.mark.parametrize(
    ("values", "state", "words"),
    [
        ({CLICK_TO_RUN: "x86"}, State.MEND, ["Python is 64-bit, Excel 32-bit", "32-bit Python"]),
        ({FROM_A_DISK: "x86"}, State.MEND, ["Excel 32-bit"]),
        ({FROM_A_DISK: "x64"}, State.GOOD, ["64-bit"]),
        ({}, State.UNKNOWN, ["About Excel"]),
    ],
)
def test_bitness(desk: Machine, values: Registry, state: State, words: list[str]) -> None:
    found, sentence = said(replace(desk, registry=reading(values)), "bitness")
    assert found is state
    assert all(word in sentence for word in words)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({TRUST: 1}, "on, in Excel's Trust Center"),
        ({TRUST: 0}, "off, in Excel's Trust Center"),
        ({}, "off, as Excel is delivered"),
        ({TRUST: 1, TRUST_POLICY: 0}, "off, by a policy of your organisation"),
        ({TRUST: 0, TRUST_POLICY: 1}, "on, by a policy of your organisation"),
    ],
)
def test_trust(desk: Machine, values: Registry, words: str) -> None:
    assert words in said(replace(desk, registry=reading(values)), "Trust access")[1]


def test_what_is_to_mend(desk: Machine) -> None:
    bare = replace(desk, installed=lambda name: None, importable=lambda name: False)
    assert said(bare, "xlwings") == (State.MEND, "xlwings: not installed [to mend]; pip install xlwings")
    assert said(bare, "pywin32") == (State.MEND, "pywin32: not installed [to mend]; pip install pywin32")
    old = replace(desk, installed={"xlwings": "0.24.7"}.get)
    assert said(old, "xlwings")[0] is State.MEND
    assert "xlwings64-0.24.7.dll is neither in" in said(old, "library")[1]
    closed = replace(desk, registry=reading({MACROS: 4}))
    assert said(closed, "macros")[0] is State.MEND


def test_elsewhere_nothing_is_claimed() -> None:
    states = {finding.what: finding.state for finding in findings(Machine(windows=False))}
    assert {what for what, state in states.items() if state is not State.UNKNOWN} == {"xlwings"}


def test_the_files(desk: Machine) -> None:
    files = excel_files(desk, list(findings(desk)))
    assert files["XlmodelFunctions.bas"].decode("ascii") == vba_module()
    xlwings = files["xlwings.bas"].decode("ascii")
    assert "Function XLPy()" in xlwings  # what the shim calls
    assert "BSD 3-clause license" in xlwings
    pairs = dict(csv.reader(files["xlwings.conf"].decode().splitlines()))
    assert pairs["INTERPRETER_WIN"] == str(desk.python)
    assert all(f'"{name}"' in xlwings for name in pairs)  # each is a setting that xlwings reads
    for name, content in files.items():
        assert content.count(b"\n") == content.count(b"\r\n"), name


def test_the_page_promises_what_the_functions_answer(desk: Machine) -> None:
    page = excel_files(desk, list(findings(desk)))["Instructions.txt"].decode("utf-8-sig")
    assert f"{len(FUNCTIONS)} functions" in page
    version = call("XM_VERSION", [])
    assert isinstance(version, str)
    assert f"{version.split('+')[0]}+ and twelve letters" in page
    assert len(version.split("+")[1]) == 12
    # CarMax Auto Owner Trust 1999-1 prospectus: the first interest on A-1
    assert "shows 1283917.5\r\n" in page
    assert call("XM_INTEREST", [155250000.0, 0.062025, 36461.0, 36509.0, "actual/360"]) == 1283917.5
    assert call("XM_INTEREST", [-1.0, 0.06, 1.0, 2.0]) == CellError("#NUM!")
    assert "library of xlwings: " in page


def test_without_xlwings_nothing_is_written(desk: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(XlwingsMissing, match=r"xlwings\.bas"):
        excel_files(desk, [])


def test_the_command_writes_and_says_what_it_did_not_check(tmp_path: Path) -> None:
    done = xlmodel("addin", "excel", "--out", tmp_path / "desk")
    assert (done.returncode, done.stderr) == (0, "")
    names = {"XlmodelFunctions.bas", "xlwings.bas", "xlwings.conf", "Instructions.txt"}
    assert {path.name for path in (tmp_path / "desk").iterdir()} == names
    assert "system: this is not Windows" in done.stdout
    assert "Trust access to the VBA project object model: a setting of Excel on Windows" in done.stdout


def test_the_group_needs_a_program() -> None:
    done = xlmodel("addin")
    assert done.returncode == 64
    assert "Missing command" in done.stderr
