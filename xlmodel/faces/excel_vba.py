"""The VBA module that Excel's cells call: a public function for each one of the registry, and a shim.

xlwings can write such a module itself, but not one that returns errors.  The shim also hands over the values
of a range instead of the range, so that Python need not call back into Excel, and it takes them as Value2,
in which dates and currency are plain numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from xlmodel import __version__
from xlmodel.faces.excel_values import CODE_ZERO, ERROR_CODES
from xlmodel.functions import FUNCTIONS, Function, Parameter

PYTHON_MODULE = "xlmodel.faces.excel"
VBA_NAME = "XlmodelFunctions"

_HEAD = f"""\
Attribute VB_Name = "{VBA_NAME}"
' The spreadsheet functions of xlmodel {__version__}, written by it: do not edit, generate it again.
'
' XLPy comes from xlwings: its module in this workbook, or a reference to its add-in.
' A call that does not reach Python shows #VALUE!; run ShowXlmodelFailure to read why.
' Run DescribeXlmodelFunctions to give the functions their help in the Insert Function dialogue.
Option Explicit

Private Const PythonModule As String = "{PYTHON_MODULE}"
' Python sends an error as this number plus the error's code.
Private Const CodeZero As Long = {CODE_ZERO}
Private Const ErrorValue As Long = {ERROR_CODES["#VALUE!"]}

Private lastFailure As String
"""

_SHIM = """\
Public Sub ShowXlmodelFailure()
    If lastFailure = "" Then
        MsgBox "Every call has reached Python.", vbInformation, "xlmodel"
    Else
        MsgBox lastFailure, vbExclamation, "xlmodel"
    End If
End Sub

' What Python answers to one call; others are the arguments of a ParamArray.
Private Function Answer(ByVal functionName As String, ByVal named As Variant, _
        Optional ByVal others As Variant) As Variant
    On Error GoTo Failed
    If ThisWorkbook.Date1904 Then
        Err.Raise 5, , "the workbook counts dates from 1904; switch that off and check its dates"
    End If
    If IsMissing(others) Then others = Array()
    Answer = WithErrors(XLPy.CallUDF(PythonModule, functionName, PlainValues(named, others), _
        ThisWorkbook, Application.Caller))
    Exit Function
Failed:
    lastFailure = functionName & ": " & Err.Description & " (error " & Err.Number & ")"
    Answer = CVErr(ErrorValue)
End Function

Private Function PlainValues(ByVal named As Variant, ByVal others As Variant) As Variant
    Dim values() As Variant, argument As Variant, position As Long, total As Long
    total = UBound(named) - LBound(named) + 1 + UBound(others) - LBound(others) + 1
    If total = 0 Then
        PlainValues = Array()
        Exit Function
    End If
    ReDim values(0 To total - 1)
    For Each argument In named
        values(position) = PlainValue(argument)
        position = position + 1
    Next argument
    For Each argument In others
        values(position) = PlainValue(argument)
        position = position + 1
    Next argument
    PlainValues = values
End Function

Private Function PlainValue(ByVal argument As Variant) As Variant
    If IsObject(argument) Then
        PlainValue = ValuesOf(argument)
    Else
        PlainValue = argument
    End If
End Function

' The values of a range.  Value2 of several areas would silently be that of the first alone.
Private Function ValuesOf(ByVal cells As Object) As Variant
    If cells.Areas.Count > 1 Then
        Err.Raise 5, , "an argument is a range of " & cells.Areas.Count & " areas; give one"
    End If
    ValuesOf = cells.Value2
End Function

' xlwings sends one cell as a scalar, one row as an array of one dimension, else two dimensions.
Private Function WithErrors(ByVal result As Variant) As Variant
    Dim i As Long, j As Long
    If Not IsArray(result) Then
        WithErrors = WithError(result)
        Exit Function
    End If
    If HasColumns(result) Then
        For i = LBound(result, 1) To UBound(result, 1)
            For j = LBound(result, 2) To UBound(result, 2)
                result(i, j) = WithError(result(i, j))
            Next j
        Next i
    Else
        For i = LBound(result) To UBound(result)
            result(i) = WithError(result(i))
        Next i
    End If
    WithErrors = result
End Function

' Python sends every number as a Double, so a Long is an error.
Private Function WithError(ByVal value As Variant) As Variant
    If VarType(value) = vbLong Then
        WithError = CVErr(value - CodeZero)
    Else
        WithError = value
    End If
End Function

' VBA tells the number of dimensions only by failing on one too many.
Private Function HasColumns(ByVal values As Variant) As Boolean
    Dim last As Long
    On Error GoTo OneDimension
    last = UBound(values, 2)
    HasColumns = True
OneDimension:
End Function
"""

_DESCRIBE = """\
Private Sub Describe(ByVal functionName As String, ByVal category As String, ByVal help As String, _
        ByVal argumentHelp As Variant)
    Dim macroName As String
    macroName = "'" & Replace(ThisWorkbook.Name, "'", "''") & "'!" & functionName
    If UBound(argumentHelp) < LBound(argumentHelp) Then
        Application.MacroOptions Macro:=macroName, Description:=help, Category:=category
    Else
        Application.MacroOptions Macro:=macroName, Description:=help, Category:=category, _
            ArgumentDescriptions:=argumentHelp
    End If
End Sub
"""


def vba_module(functions: Iterable[Function] = FUNCTIONS.values()) -> str:
    """The text of the module, ASCII, its lines ended by CR LF as the VBA editor writes them."""
    listed = list(functions)
    parts = [_HEAD, *map(_public_function, listed), _SHIM, *_descriptions(listed), _DESCRIBE]
    return "\n".join(parts).replace("\n", "\r\n")


def _public_function(function: Function) -> str:
    names = [parameter.name for parameter in function.parameters if not parameter.repeated]
    others = [f", {parameter.name}" for parameter in function.parameters if parameter.repeated]
    return (
        f"Public Function {function.name}({', '.join(map(_declared, function.parameters))}) As Variant\n"
        f'    {function.name} = Answer("{function.name}", Array({", ".join(names)}){"".join(others)})\n'
        "End Function\n"
    )


def _declared(parameter: Parameter) -> str:
    if parameter.repeated:
        return f"ParamArray {parameter.name}()"
    return parameter.name if parameter.required else f"Optional {parameter.name}"


def _descriptions(functions: list[Function]) -> Iterator[str]:
    """A procedure for each category, because VBA limits the length of one, and the one that calls them."""
    procedures = []
    for number, (_, members) in enumerate(groupby(functions, lambda function: function.group), start=1):
        procedures.append(f"DescribeGroup{number}")
        yield f"Private Sub {procedures[-1]}()\n{''.join(map(_description, members))}End Sub\n"
    yield (
        "Public Sub DescribeXlmodelFunctions()\n"
        "    On Error GoTo Failed\n"
        + "".join(f"    {procedure}\n" for procedure in procedures)
        + "    Exit Sub\n"
        "Failed:\n"
        '    MsgBox "The functions could not be described: " & Err.Description, vbExclamation, "xlmodel"\n'
        "End Sub\n"
    )


def _description(function: Function) -> str:
    """One argument a line, because VBA limits the length of a line."""
    arguments = ",".join(f" _\n            {_literal(parameter.help)}" for parameter in function.parameters)
    return (
        f"    Describe {_literal(function.name)}, {_literal(function.group)}, _\n"
        f"        {_literal(function.help)}, _\n"
        f"        Array({arguments})\n"
    )


def _literal(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
