"""The VBA module: its text, and its shim run by LibreOffice's Basic in VBA mode (no Excel was at hand)."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from xlmodel.faces.excel_vba import vba_module
from xlmodel.functions import FUNCTIONS

MODULE = vba_module()
LINES = MODULE.split("\r\n")


def test_every_function_is_declared_once() -> None:
    declared = [match[1] for line in LINES if (match := re.match(r"Public Function (\w+)\(", line))]
    assert Counter(declared) == dict.fromkeys(FUNCTIONS, 1)


def test_every_function_is_described_once() -> None:
    described = [match[1] for line in LINES if (match := re.match(r' +Describe "(\w+)", "xlmodel ', line))]
    assert Counter(described) == dict.fromkeys(FUNCTIONS, 1)


@pytest.mark.parametrize(
    "line",
    [
        "Public Function XM_DAYS(start_date, end_date, Optional basis, Optional termination_date) As Variant",
        '    XM_DAYS = Answer("XM_DAYS", Array(start_date, end_date, basis, termination_date))',
        "Public Function XM_WHY(function_name, ParamArray arguments()) As Variant",
        '    XM_WHY = Answer("XM_WHY", Array(function_name), arguments)',
        "Public Function XM_VERSION() As Variant",
        '    XM_VERSION = Answer("XM_VERSION", Array())',
        '            "Name of the function in quotes, such as ""XM_INTEREST""; followed by a row and a column'
        ' of its result, as in ""XM_LEDGER, row 3, column 5"", to ask about that cell.", _',
        'Attribute VB_Name = "XlmodelFunctions"',
        "Option Explicit",
    ],
)
def test_holds_the_line(line: str) -> None:
    assert LINES.count(line) == 1


def test_all_help_is_there() -> None:
    for function in FUNCTIONS.values():
        for text in (function.help, *(parameter.help for parameter in function.parameters)):
            assert '"' + text.replace('"', '""') + '"' in MODULE


def test_keeps_the_limits_of_vba() -> None:
    # Source: Visual Basic for Applications reference, "Line too long" and "Too many line continuations".
    assert max(map(len, LINES)) <= 1023
    continued = "".join("_" if line.endswith(" _") else " " for line in LINES)
    assert max(map(len, continued.split())) <= 24


def test_is_a_text_that_the_editor_imports() -> None:
    assert MODULE.isascii()
    assert "\n" not in MODULE.replace("\r\n", "")
    assert LINES[0] == 'Attribute VB_Name = "XlmodelFunctions"'
    assert vba_module() == MODULE


# --- run by LibreOffice's Basic ----------------------------------------------------------------------

# Stands for XLPy, the application, the workbook and a range; class modules are the only objects of Basic.
STAND_IN = """\
Option VBASupport 1
Option ClassModule
Public Value2 As Variant
Public Count As Long
Public Name As String
Public Date1904 As Boolean
Public Caller As Variant
Public Log As String

Public Function Areas() As Object
    Set Areas = Me
End Function

Public Function CallUDF(moduleName, functionName, arguments, book, caller) As Variant
    Dim i As Long, block(0 To 1, 0 To 1) As Variant
    Log = moduleName & "." & functionName
    For i = LBound(arguments) To UBound(arguments)
        Log = Log & "," & TypeName(arguments(i)) & " " & CStr(arguments(i))
    Next i
    block(0, 0) = 1#: block(0, 1) = -2146826281&: block(1, 0) = True: block(1, 1) = ""
    Select Case functionName
    Case "XM_DAYS": CallUDF = 48#
    Case "XM_PAYMENT": CallUDF = -2146826252&
    Case "XM_POOL_FACTOR": CallUDF = -2146826243&
    Case "XM_VERSION", "XM_WHY": CallUDF = "text"
    Case "XM_PAYMENT_DATES": CallUDF = Array(1#, -2146826246&, "x")
    Case "XM_COLLECTIONS": CallUDF = block
    Case "XM_SMM": Err.Raise 1000, , "no Python here"
    End Select
End Function

Public Sub MacroOptions(Macro, Description, Category, Optional ArgumentDescriptions)
    Log = Log & Macro & "|" & Category & "|"
    If Not IsMissing(ArgumentDescriptions) Then Log = Log & UBound(ArgumentDescriptions) + 1
    Log = Log & ";"
End Sub
"""

HOST = """\
Option VBASupport 1
Public theServer As Object, theApplication As Object, theWorkbook As Object
Private f As Integer

Public Function XLPy() As Object
    Set XLPy = theServer
End Function

Sub Say(ByVal result As Variant)
    Dim text As String, r As Long, c As Long
    If Not IsArray(result) Then
        text = TypeName(result) & " " & CStr(result)
    ElseIf HasColumns(result) Then
        For r = LBound(result, 1) To UBound(result, 1)
            For c = LBound(result, 2) To UBound(result, 2)
                text = text & TypeName(result(r, c)) & " " & CStr(result(r, c)) & ";"
            Next c
            text = text & "/"
        Next r
    Else
        For c = LBound(result) To UBound(result)
            text = text & TypeName(result(c)) & " " & CStr(result(c)) & ";"
        Next c
    End If
    Print #f, text & "<-" & theServer.Log
End Sub

Sub Run
    Dim cell As Object, areas As Object
    Set theServer = New StandIn
    Set theApplication = New StandIn
    Set theWorkbook = New StandIn
    theWorkbook.Name = "desk's.xlsm"
    Set cell = New StandIn
    cell.Count = 1: cell.Value2 = 36461#
    Set areas = New StandIn
    areas.Count = 2: areas.Value2 = 36461#
    f = FreeFile
    Open "{out}" For Output As #f
    ' Basic cannot pass on an argument that is left out, as VBA can, so all are given.
    Say XM_DAYS(cell, 36509#, "actual/360", Empty)
    Say XM_PAYMENT(100#, CVErr(2042), 12#, Empty, Empty)
    Say XM_POOL_FACTOR(1#, 2#, Empty)
    Say XM_VERSION()
    Say XM_WHY("XM_DAYS")
    Say XM_WHY("XM_DAYS", cell, True, "x")
    Say XM_PAYMENT_DATES(1#, 2#, 3#, "none", "FED", 1#, Empty)
    Say XM_COLLECTIONS(1#, 2#, "ABS", 2#, True)
    theServer.Log = ""
    Say XM_DAYS(areas, 36509#, 0#, Empty)
    Print #f, lastFailure
    Say XM_SMM(1#, 2#, "ABS")
    Print #f, lastFailure
    theServer.Log = ""
    theWorkbook.Date1904 = True
    Say XM_DAYS(cell, 36509#, 0#, Empty)
    Print #f, lastFailure
    theWorkbook.Date1904 = False
    DescribeXlmodelFunctions
    Print #f, theApplication.Log
    Print #f, "end"
    Close #f
End Sub
"""

SAID = """\
Double 48<-xlmodel.faces.excel.XM_DAYS,Double 36461,Double 36509,String actual/360,Empty
Error Error 2036<-xlmodel.faces.excel.XM_PAYMENT,Double 100,Error Error 2042,Double 12,Empty ,Empty
Error Error 2045<-xlmodel.faces.excel.XM_POOL_FACTOR,Double 1,Double 2,Empty
String text<-xlmodel.faces.excel.XM_VERSION
String text<-xlmodel.faces.excel.XM_WHY,String XM_DAYS
String text<-xlmodel.faces.excel.XM_WHY,String XM_DAYS,Double 36461,Boolean True,String x
Double 1;Error Error 2042;String x;<-xlmodel.faces.excel.XM_PAYMENT_DATES,Double 1,Double 2,Double 3,String none,String FED,Double 1,Empty
Double 1;Error Error 2007;/Boolean True;String ;/<-xlmodel.faces.excel.XM_COLLECTIONS,Double 1,Double 2,String ABS,Double 2,Boolean True
Error Error 2015<-
XM_DAYS: an argument is a range of 2 areas; give one (error 5)
Error Error 2015<-xlmodel.faces.excel.XM_SMM,Double 1,Double 2,String ABS
XM_SMM: no Python here (error 1000)
Error Error 2015<-
XM_DAYS: the workbook counts dates from 1904; switch that off and check its dates (error 5)
"""  # noqa: E501

_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_MODULE = _XML + (
    '<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">\n'
    '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="{name}"'
    ' script:language="StarBasic">{code}</script:module>\n'
)
_LIBRARY = _XML + (
    '<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">\n'
    '<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard"'
    ' library:readonly="false" library:passwordprotected="false">{elements}</library:library>\n'
)


def run_basic(folder: Path, modules: dict[str, str]) -> str:
    """What ``Host.Run`` writes, run by LibreOffice in a profile of its own."""
    program = shutil.which("soffice", path=os.defpath)
    assert program, "LibreOffice is needed for the tests marked faces: make test installs it"
    start = [program, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore"]
    # a virtual environment first on the PATH would disturb the Python inside LibreOffice
    environment = {**os.environ, "PATH": os.defpath}
    # the first start lays out the profile and would overwrite the library
    run_program([*start, "--terminate_after_init"], environment)
    library = folder / "profile" / "user" / "basic" / "Standard"
    for name, code in modules.items():
        (library / f"{name}.xba").write_text(_MODULE.format(name=name, code=escape(code)))
    elements = "".join(f'<library:element library:name="{name}"/>' for name in modules)
    (library / "script.xlb").write_text(_LIBRARY.format(elements=elements))
    run_program([*start, "macro:///Standard.Host.Run"], environment)
    return (folder / "out.txt").read_text()


def run_program(command: list[str], environment: dict[str, str]) -> None:
    """Run a command to its end; a syntax error in a macro shows as a dialogue that nobody can close."""
    with subprocess.Popen(command, env=environment, start_new_session=True) as process:
        try:
            assert process.wait(timeout=60) == 0, command
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # soffice is a script; the program is its child
            pytest.fail("LibreOffice's Basic has stopped, most likely at a syntax error")


def for_basic(module: str) -> str:
    """The module as LibreOffice can run it outside Excel: its objects replaced, its privates readable."""
    head, body = module.replace("\r\n", "\n").split("\n", 1)
    assert head.startswith("Attribute ")
    body = body.replace("Application.", "theApplication.").replace("ThisWorkbook", "theWorkbook")
    return "Option VBASupport 1\n" + body.replace("Private Function", "Public Function").replace(
        "Private lastFailure", "Public lastFailure"
    )


@pytest.mark.faces
def test_basic_runs_the_shim(tmp_path: Path) -> None:
    modules = {
        "Functions": for_basic(MODULE),
        "StandIn": STAND_IN,
        "Host": HOST.replace("{out}", str(tmp_path / "out.txt")),
    }
    said = [re.sub(" *<-", "<-", line.rstrip()) for line in run_basic(tmp_path, modules).splitlines()]
    assert said[:-2] == SAID.splitlines()
    described = "".join(
        f"'desk''s.xlsm'!{name}|{function.group}|{len(function.parameters) or ''};"
        for name, function in FUNCTIONS.items()
    )
    assert said[-2:] == [described, "end"]
