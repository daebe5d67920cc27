"""Make the pages and pictures that come from the code, PAGES and pictures().  A test fails when stale."""

from __future__ import annotations

import inspect
from pathlib import Path

from docs.page_commands import commands_page
from docs.page_deal import deal_page
from docs.page_folders import folders_page
from docs.page_functions import functions_page, pictures
from docs.page_sheets import sheets_page
from xlmodel.errors import ERRORS
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
    return "\n".join(lines) + "\n"


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
    return "\n".join(lines) + "\n"


PAGES = {
    "commands.md": commands_page,
    "deal.md": deal_page,
    "errors.md": errors_page,
    "folders.md": folders_page,
    "functions.md": functions_page,
    "lint.md": lint_page,
    "sheets.md": sheets_page,
}


def made() -> dict[str, str]:
    """What is made, by its path below docs/."""
    return {name: _MADE + make() for name, make in PAGES.items()} | pictures()


def main() -> None:
    wanted = made()
    for old in (DOCS / "images" / "functions").glob("*.svg"):
        if old.relative_to(DOCS).as_posix() not in wanted:
            old.unlink()
    for name, text in wanted.items():
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
