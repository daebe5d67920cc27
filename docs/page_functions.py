"""The page of functions: arguments, a worked example with its picture, errors; made from the registry.

The examples are cases of the table that every face is tested with.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby

from docs.cell_picture import example, picture
from tests.faces.case import OMITTED, UNSTATED, Case, Given, as_cells
from tests.faces.cases import CASES
from xlmodel.functions import FUNCTIONS, Function, Parameter, call
from xlmodel.functions.cells import Cell, CellError, Rows

_INTRODUCTION = (
    "Square brackets mark what can be left out or left blank. A function marked *cell by cell* takes a",
    "range for every argument that is a single cell here, and then answers with an array: columns of one",
    "length give a column, a column beside a row gives a block, a single cell stands beside all. A cell",
    "without an answer is an error of the whole; `XM_WHY` names its row and column.",
    "",
    "Every example is a case of the table that the tests put through all faces. Amounts are in dollars and",
    "positive, rates are decimals per annum, ages and terms are months. A date comes out as its serial",
    "number: give the cell a date format. [Beside Excel's own functions](excel.md) says where a number",
    "differs from that of a function with a similar name.",
)
_PICTURES = "images/functions"
_MOST_ERRORS = 8


def functions_page() -> str:
    """Every spreadsheet function with its arguments, an example and its errors."""
    parts = ["# Functions", "", *_INTRODUCTION, ""]
    listed = sorted(FUNCTIONS.values(), key=lambda f: (f.category, f.name))
    for category, members in groupby(listed, key=lambda f: f.category):
        parts += [f"## {category}", ""]
        for member in members:
            parts += _function(member)
    return "\n".join(parts).rstrip() + "\n"


def pictures() -> dict[str, str]:
    """The picture of each function's example, by its path below docs/."""
    return {_picture_path(f): picture(example(_example(f), _result(f))) for f in FUNCTIONS.values()}


def _picture_path(f: Function) -> str:
    return f"{_PICTURES}/{f.name.lower()}.svg"


def _function(f: Function) -> list[str]:
    lines = [f"### {f.signature}", "", f.help + (" *Cell by cell.*" if f.elementwise else ""), ""]
    if f.detail:
        lines += [" ".join(f.detail.split()), ""]
    if f.parameters:
        lines += ["| argument | kind | meaning |", "|---|---|---|"]
        lines += [f"| {p.name} | {p.kind.name}{_optional(p)} | {p.help} |" for p in f.parameters]
        lines += [""]
    shown = _example(f)
    because = "" if shown.expected is UNSTATED else f" ({_plain(shown.source)})"
    lines += [f"Example: {_plain(shown.name)}{because}.", ""]
    lines += [f"![{f.name} in a cell]({_picture_path(f)})", ""]
    errors = _errors(f)
    if errors:
        lines += ["| shows | where for instance | code |", "|---|---|---|", *errors, ""]
    return lines


def _optional(p: Parameter) -> str:
    return "" if p.required else ", repeated" if p.repeated else ", optional"


@cache
def _cases() -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {name: [] for name in FUNCTIONS}
    for case in CASES:
        if case.function in found:
            found[case.function].append(case)
    return found


def _example(f: Function) -> Case:
    """The plainest case: an answer that is stated, of arguments that can be shown."""
    return min(_cases()[f.name], key=_strangeness)


def _strangeness(case: Case) -> tuple[bool, bool, bool, int]:
    return (
        isinstance(case.expected, CellError),
        case.expected is UNSTATED,
        any(map(_is_odd, case.arguments)) or len(case.arguments) > len(FUNCTIONS[case.function].parameters),
        sum(given is OMITTED for given in case.arguments),
    )


def _is_odd(given: Given) -> bool:
    """What a reader would not write: an error, a blank, a range of one cell, a name of a hundred letters."""
    if isinstance(given, list):
        return len(given) * len(given[0]) == 1 or any(
            isinstance(cell, CellError) for row in given for cell in row
        )
    return given is None or isinstance(given, CellError) or (isinstance(given, str) and len(given) > 40)


@cache
def _answer(name: str, position: int) -> Cell | Rows:
    return call(name, [as_cells(given) for given in _cases()[name][position].arguments])


def _result(f: Function) -> Cell | Rows:
    return _answer(f.name, _cases()[f.name].index(_example(f)))


def _errors(f: Function) -> list[str]:
    """A row for each kind of error that a case shows."""
    rows: dict[str, str] = {}
    for position, case in enumerate(_cases()[f.name]):
        if not isinstance(case.expected, CellError):
            continue
        answer = _answer(f.name, position)
        if isinstance(answer, CellError) and answer.reason is not None:
            code = answer.reason.code
            rows.setdefault(code, f"| `{answer.code}` | {_plain(case.name)} | [{code}](errors.md) |")
    return list(rows.values())[:_MOST_ERRORS]


def _plain(text: str) -> str:
    """A text of a case inside a line of Markdown."""
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;").rstrip(".")
