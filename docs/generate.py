"""Make the pages that come from the code: errors.md, functions.md, lint.md.  A test fails when stale."""

from __future__ import annotations

import inspect
from itertools import groupby
from pathlib import Path

from xlmodel.errors import ERRORS
from xlmodel.functions import FUNCTIONS, Function, Parameter
from xlmodel.workbook.lint import RULES

DOCS = Path(__file__).parent
_MADE = "<!-- Made by docs/generate.py from the code; do not edit. -->\n\n"


def errors_page() -> str:
    """The catalogue of errors: code, situation, remedy."""
    lines = [
        "# Errors",
        "",
        "Every error of xlmodel has a code that never changes its meaning. In a cell `XM_WHY` tells code and",
        "reason; the command line prints them.",
        "",
        "| code | situation | what to do |",
        "|---|---|---|",
    ]
    lines += [f"| {e.code} | {inspect.getdoc(e)} | {e.remedy[:1].upper() + e.remedy[1:]}. |" for e in ERRORS]
    return _MADE + "\n".join(lines) + "\n"


_INTRODUCTION = (
    "Square brackets mark what can be left out or left blank. A function marked *cell by cell* takes a",
    "range for every argument that is a single cell here, and then answers with an array: columns of one",
    "length give a column, a column beside a row gives a block, a single cell stands beside all. A cell",
    "without an answer is an error of the whole; `XM_WHY` names its row and column.",
)


def functions_page() -> str:
    """Every spreadsheet function with its arguments."""
    parts = ["# Functions", "", *_INTRODUCTION, ""]
    listed = sorted(FUNCTIONS.values(), key=lambda f: (f.category, f.name))
    for category, members in groupby(listed, key=lambda f: f.category):
        parts += [f"## {category}", ""]
        for member in members:
            parts += _function(member)
    return _MADE + "\n".join(parts).rstrip() + "\n"


def lint_page() -> str:
    """The rules of ``xlmodel lint``."""
    lines = [
        "# Lint",
        "",
        "`xlmodel lint FILE` looks through a workbook for what will be slow, fragile or stale, and changes",
        "nothing. It ends with 0 where nothing is found, 1 where something is, 2 for a file that is",
        "refused; `--json FILE` writes the findings with code, sheet, cell or range, sentence and remedy.",
        "",
        "| code | what is found | what to do |",
        "|---|---|---|",
    ]
    lines += [f"| {r.code} | {r.what} | {r.remedy[:1].upper() + r.remedy[1:]}. |" for r in RULES]
    return _MADE + "\n".join(lines) + "\n"


PAGES = {"errors.md": errors_page, "functions.md": functions_page, "lint.md": lint_page}


def _function(f: Function) -> list[str]:
    lines = [f"### {f.signature}", "", f.help + (" *Cell by cell.*" if f.elementwise else ""), ""]
    if f.detail:
        lines += [" ".join(f.detail.split()), ""]
    if f.parameters:
        lines += ["| argument | kind | meaning |", "|---|---|---|"]
        lines += [f"| {p.name} | {p.kind.name}{_optional(p)} | {p.help} |" for p in f.parameters]
        lines += [""]
    return lines


def _optional(p: Parameter) -> str:
    return "" if p.required else ", repeated" if p.repeated else ", optional"


if __name__ == "__main__":
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), encoding="utf-8")
