"""The fenced blocks of the README and the manual, and how a page of them is run.

``sh`` and ``python`` are run, in the order of the page, in one folder of its own; ``toml`` and ``csv`` are
written to the file of their title; ``output`` is compared with what the block before it printed: each of its
lines must be there, in that order, "…" standing for anything.  ``text`` only shows how a message looks.
``console`` and ``powershell`` are not run: they install software, need another system or never end.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
RUN, WRITTEN, SHOWN, NOT_RUN = ("sh", "python"), ("toml", "csv"), "output", ("console", "powershell")

_FENCE = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_LONGEST = 600  # seconds


@dataclass(frozen=True)
class Block:
    """A fenced block: the line on which it begins, its language, the file that it is, its text."""

    line: int
    language: str
    title: str
    text: str


def pages() -> list[Path]:
    """The README and every page of the manual."""
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(text.count("\n", 0, found.start()) + 1, found[1], found[2] or "", found[3])
        for found in _FENCE.finditer(text)
    ]


def run_page(page: Path, folder: Path) -> None:
    """Every block of a page.  AssertionError with the line of the block that fails."""
    printed = ""
    for block in blocks(page):
        place = f"{page.name}, line {block.line}"
        if block.language in WRITTEN:
            file = folder / block.title
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        elif block.language in RUN:
            printed = _run(block, folder, place)
        elif block.language == SHOWN:
            _compare(block.text, printed, place)


def _run(block: Block, folder: Path, place: str) -> str:
    python = Path(sys.executable)
    command = (
        ["bash", "-eu", "-c", block.text] if block.language == "sh" else [sys.executable, "-c", block.text]
    )
    clean = {key: value for key, value in os.environ.items() if not key.startswith("XLMODEL_")}
    done = subprocess.run(
        command,
        check=False,
        cwd=folder,
        # The program that is installed beside the interpreter; LibreOffice's profile is the folder's own.
        env=clean
        | {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder), "COLUMNS": "200"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_LONGEST,
    )
    assert done.returncode == 0, f"{place} ends with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def _compare(expected: str, printed: str, place: str) -> None:
    lines = iter(printed.splitlines())
    for line in expected.splitlines():
        pattern = re.compile(".*".join(map(re.escape, line.strip().split("…"))))
        assert any(pattern.fullmatch(other.strip()) for other in lines), (
            f"{place}: {line!r} is not printed, or not in this order:\n{printed}"
        )
