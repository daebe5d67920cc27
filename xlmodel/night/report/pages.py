"""Writes the pages: an overview, and a page for each workbook with its charts, misses and changes."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from xlmodel.night.causes import cell_text, state_text
from xlmodel.night.figures import Table
from xlmodel.night.history import Change
from xlmodel.night.report.drawing import draw
from xlmodel.night.report.numbers import exact, percent, shown
from xlmodel.night.report.panels import Chart, charts_of
from xlmodel.night.result import Result, Status
from xlmodel.night.versions import versions
from xlmodel.workbook.replace import replace_file

INDEX = "index.html"
_PAGES = "workbooks"
_MISSES_SHOWN = 500
_TEMPLATES = Path(__file__).parent / "templates"
# The worst first: what somebody has to look at.
_ORDER = (Status.REFUSED, Status.FAILED, Status.MISMATCH, Status.OK)
_MARKS = {Status.OK: "✓", Status.MISMATCH: "≠", Status.FAILED: "✗", Status.REFUSED: "⊘"}


@dataclass(frozen=True)
class Entry:
    """A workbook as the templates see it."""

    result: Result
    name: str
    folder: str
    page: str

    @property
    def mark(self) -> str:
        return _MARKS[self.result.status]

    @property
    def compared(self) -> int:
        return sum(check.cells for check in self.result.checks)

    @property
    def matched(self) -> int:
        return sum(check.matched for check in self.result.checks)

    @property
    def misses(self) -> list[Any]:
        return list(self.result.validation.misses) if self.result.validation else []


@dataclass(frozen=True)
class Drawn:
    """A chart with its drawings, and the table behind it."""

    chart: Chart
    drawings: list[tuple[str, Markup]]
    table: Table


def write_report(results: Sequence[Result], folder: Path, *, moment: dt.datetime | None = None) -> Path:
    """Write the pages of a night into a folder; -> the overview.  Raises NotWritten."""
    made = (moment or dt.datetime.now(dt.UTC)).strftime("%Y-%m-%d %H:%M UTC")
    environment = _environment()
    entries = _entries(results)
    counts = Counter(entry.result.status for entry in entries)
    common = {"made": made, "versions": versions(), "style": Markup(_style())}
    for entry in entries:
        page = environment.get_template("workbook.html.j2").render(**common, **_workbook(entry))
        replace_file(folder / _PAGES / entry.page, page.encode("utf-8", "replace"))
    overview = environment.get_template("index.html.j2").render(
        **common,
        entries=entries,
        pages=_PAGES,
        counts=[(status, _MARKS[status], counts[status]) for status in reversed(_ORDER)],
        compared=sum(entry.compared for entry in entries),
        matched=sum(entry.matched for entry in entries),
        skipped=sum(entry.result.skipped for entry in entries),
        verified=any(entry.result.verification for entry in entries),
    )
    replace_file(folder / INDEX, overview.encode("utf-8", "replace"))
    return folder / INDEX


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,  # of everything: sheets, cells and files have any name
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "shown": shown,
        "percent": percent,
        "exact": exact,
        "place": lambda change: cell_text(change.place),
        "words": _words,
        "moment": lambda text: text.replace("T", " ").replace("Z", " UTC"),
        "old": lambda change: _side(change, change.old),
        "new": lambda change: _side(change, change.new),
    }
    return environment


def _style() -> str:
    return (_TEMPLATES / "style.css").read_text(encoding="utf-8")


def _entries(results: Sequence[Result]) -> list[Entry]:
    """The workbooks, the worst first, each with a file name of its own that any system can have."""
    width = len(str(len(results)))
    entries = []
    for number, result in enumerate(results, start=1):
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", result.job.target.stem)[:60].strip("-")
        page = f"{number:0{width}}-{plain or 'workbook'}.html"
        entries.append(Entry(result, result.job.target.name, str(result.job.target.parent), page))
    return sorted(entries, key=lambda entry: _ORDER.index(entry.result.status))


def _workbook(entry: Entry) -> dict[str, Any]:
    tables = entry.result.figures or ()
    return {
        "entry": entry,
        "result": entry.result,
        "misses": entry.misses[:_MISSES_SHOWN],
        "more_misses": max(0, len(entry.misses) - _MISSES_SHOWN),
        "drawn": [
            Drawn(chart, draw(chart), table) for chart, table in zip(charts_of(tables), tables, strict=True)
        ],
        "ties": [check for check in entry.result.checks if not check.name.startswith("check_")],
        "cells": [check for check in entry.result.checks if check.name.startswith("check_")],
    }


def _words(name: str) -> str:
    """The name of a check as words."""
    return name.removeprefix("check_").replace("_", " ")


def _side(change: Change, state: Any) -> str:
    """One side of a change: the formula where the formula changed, else the value in full."""
    formulas = [side.formula for side in (change.old, change.new) if side is not None]
    if len(set(formulas)) > 1 or (len(formulas) == 1 and formulas[0]):
        return state_text(state, formula=True)
    return exact(state.value) if state is not None else "nothing"
