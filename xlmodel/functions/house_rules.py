"""What every face asks of a function's names and help texts, so that a slip is found on import.

The strictest reader sets each limit: VBA for names, Excel's dialogue for lengths, xlwings for signatures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xlmodel.functions.registry import Function, Parameter

MOST_HELP = 255  # a longer description is cut
MOST_ARGUMENT_NAMES = 254  # all of them, joined by a comma and a space

_NAME = re.compile(r"XM(_[A-Z][A-Z0-9]*)+")
_LOOKS_LIKE_A_CELL = re.compile(r"(.*_)?[A-Z]{1,3}[0-9]+")
_ARGUMENT = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

# Source: MS-VBAL, VBA Language Specification, 3.3.5.2 reserved identifiers; the last line is ours.
VBA_KEYWORDS = frozenset(
    """
    call case close const declare defbool defbyte defcur defdate defdbl defint deflng deflnglng deflngptr
    defobj defsng defstr defvar dim do else elseif end endif enum erase event exit for friend function get
    global gosub goto if implements input let lock loop lset next on open option print private public put
    raiseevent redim resume return rset seek select set static stop sub type unlock wend while with write
    rem any as byref byval each in new shared until withevents optional paramarray preserve spc tab then to
    addressof and eqv imp is like mod not or typeof xor
    abs cbool cbyte ccur cdate cdbl cdec cint clng clnglng clngptr csng cstr cvar cverr date debug doevents
    fix int len lenb me pset scale sgn string array circle inputb lbound ubound
    boolean byte currency double integer long longlong longptr single variant
    true false nothing empty null attribute lineinput cdecl decimal defdec
    error name object property
    step
    """.split()  # noqa: SIM905  # a hundred and thirty words read better as text
)
# xlwings puts the calling cell into an argument of this name.
_TAKEN_BY_XLWINGS = "caller"


def broken_rules(function: Function) -> list[str]:
    """The rules that a function breaks, one sentence each."""
    return [f"{function.name}: {finding}" for finding in _findings(function)]


def _findings(function: Function) -> Iterator[str]:
    if not _NAME.fullmatch(function.name):
        yield "the name is not XM_ and upper-case words joined by underscores"
    elif _LOOKS_LIKE_A_CELL.fullmatch(function.name):
        yield "the name ends like a cell address"
    yield from _help_findings("the first line of its docstring", function.help)
    for parameter in function.parameters:
        yield from _argument_findings(parameter)
        yield from _help_findings(f"the help of {parameter.name}", parameter.help)
    if len(", ".join(parameter.name for parameter in function.parameters)) > MOST_ARGUMENT_NAMES:
        yield f"its argument names are longer than {MOST_ARGUMENT_NAMES} characters together"
    repeated = [parameter for parameter in function.parameters if parameter.repeated]
    if repeated and not all(parameter.required for parameter in function.parameters[: -len(repeated)]):
        yield "VBA takes no optional argument beside a repeated one"


def _argument_findings(parameter: Parameter) -> Iterator[str]:
    if not _ARGUMENT.fullmatch(parameter.name):
        yield f"the argument {parameter.name!r} is not lower-case words joined by underscores"
    elif parameter.name in VBA_KEYWORDS:
        yield f"the argument {parameter.name!r} is a VBA keyword"
    elif parameter.name == _TAKEN_BY_XLWINGS:
        yield f"xlwings keeps the argument name {parameter.name!r} for itself"


def _help_findings(what: str, text: str) -> Iterator[str]:
    if not text:
        yield f"{what} is missing"
    elif len(text) > MOST_HELP:
        yield f"{what} has {len(text)} characters, more than {MOST_HELP}"
    elif not text.isascii():
        yield f"{what} is not plain ASCII, and a VBA module is read in the code page of its machine"
