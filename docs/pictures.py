"""The pictures of the README and of the page of sheets: the flagship as a person sees it, by LibreOffice.

From a copy in which our cells are frozen to their values, because LibreOffice without the add-in shows #NAME?
in them.  Needs LibreOffice Calc and poppler; ``make pictures`` installs both on Debian.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from docs.page_sheets import all_sheets
from tests.libreoffice import convert
from xlmodel.faces.formula_text import calls_ours
from xlmodel.package.freeze import freeze
from xlmodel.package.guard import open_package
from xlmodel.workbook.sheets import SHEETS

ROOT = Path(__file__).parents[1]
WORKBOOK = ROOT / "workbooks" / "carmax_1999_1" / "carmax_1999_1.xlsx"
IMAGES = ROOT / "docs" / "images"
DOTS_PER_INCH = 80


def pages(workbook: Path, folder: Path, dots_per_inch: int = DOTS_PER_INCH) -> list[Path]:
    """Every printed page of a workbook as a PNG in a folder, in order."""
    frozen = folder / f"{workbook.stem}.xlsx"
    frozen.write_bytes(freeze(open_package(workbook.read_bytes(), name=workbook.name), calls_ours))
    pdf = convert(frozen, "pdf", folder)
    command = ["pdftoppm", "-r", str(dots_per_inch), "-png", str(pdf), str(folder / "page")]
    subprocess.run(command, check=True)
    return sorted(folder.glob("page-*.png"))


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = pages(WORKBOOK, folder)
        firsts = {
            sheet.title: _first_page(folder / f"{WORKBOOK.stem}.pdf", f"– {sheet.title}", len(made))
            for sheet in SHEETS
        }
        for sheet in README_SHEETS:
            (IMAGES / f"{sheet.lower()}.png").write_bytes(made[firsts[sheet] - 1].read_bytes())
        (IMAGES / "sheets").mkdir(exist_ok=True)
        for module, shown in all_sheets():
            if shown in SHEETS:
                file = f"{module.__name__.rpartition('.')[2]}.png"
                (IMAGES / "sheets" / file).write_bytes(made[firsts[shown.title] - 1].read_bytes())


README_SHEETS = ("Summary", "Decrement")


def _first_page(pdf: Path, title: str, count: int) -> int:
    """The first page of a PDF that has a title."""
    for number in range(1, count + 1):
        command = ["pdftotext", "-f", str(number), "-l", str(number), str(pdf), "-"]
        if title in subprocess.run(command, check=True, capture_output=True, text=True).stdout:
            return number
    raise LookupError(f"no page of {pdf.name} is titled {title!r}")


if __name__ == "__main__":
    main()
