"""The pictures of Calc with the add-in: the Function Wizard with our help, and the flagship in a window.

On a screen that nobody sees (Xvfb), with xdotool for the keys and ImageMagick for the picture; on Debian
`make pictures` installs them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import openpyxl

from docs.pictures import IMAGES, WORKBOOK

DISPLAY = ":97"
SIZE = "1280x800"
_PATIENCE = 120.0


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, screen():
        with shown(WORKBOOK):
            photograph("calc_workbook.png")
        with shown(one_formula(Path(name))):
            wizard()
            photograph("calc_function_wizard.png")


def one_formula(folder: Path) -> Path:
    """A small workbook whose formula the wizard is to explain."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    # Class A-1 of CarMax Auto Owner Trust 1999-1; source: prospectus, first interest 1,283,917.50.
    sheet["A1"] = '=XM_INTEREST(155250000,0.062025,DATE(1999,10,28),DATE(1999,12,15),"actual/360",2)'
    sheet.column_dimensions["A"].width = 24
    file = folder / "wizard.xlsx"
    book.save(file)
    return file


def wizard() -> None:
    """Open the Function Wizard on cell A1."""
    xdotool("key", "ctrl+F2")
    window("Function Wizard")
    time.sleep(4)


@contextmanager
def screen() -> Iterator[None]:
    """A screen in memory."""
    with subprocess.Popen(
        ["Xvfb", DISPLAY, "-screen", "0", f"{SIZE}x24"], stderr=subprocess.DEVNULL
    ) as server:
        time.sleep(2)
        try:
            yield
        finally:
            server.terminate()


@contextmanager
def shown(file: Path) -> Iterator[None]:
    """A workbook in a window as ``xlmodel calc --show`` opens it, as large as the screen."""
    command = [sys.executable, "-c", "from xlmodel.cli import main; main()", "calc", str(file), "--show"]
    with subprocess.Popen(command, env=_environment()) as process:
        try:
            window("LibreOffice Calc")
            time.sleep(8)
            yield
        finally:
            process.send_signal(signal.SIGINT)  # it ends LibreOffice with itself
            process.wait(_PATIENCE)


def window(title: str) -> None:
    """Wait until there is a window of this title."""
    xdotool("search", "--sync", "--onlyvisible", "--name", title)


def photograph(name: str) -> None:
    subprocess.run(["import", "-window", "root", str(IMAGES / name)], env=_environment(), check=True)


def xdotool(*words: str) -> str:
    done = subprocess.run(
        ["xdotool", *words], env=_environment(), check=True, capture_output=True, text=True, timeout=_PATIENCE
    )
    return done.stdout.strip()


def _environment() -> dict[str, str]:
    return {**os.environ, "DISPLAY": DISPLAY}


if __name__ == "__main__":
    main()
