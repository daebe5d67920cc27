"""A history as it is shown on a terminal, and as plain data."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from xlmodel.night.causes import Move, cell_text, reasons, state_text
from xlmodel.night.history import History, Place, is_input

_REASONS_SHOWN = 10


def tell_runs(history: History) -> None:
    """A row a run: when, how it ended, how many inputs and results differ from the run before."""
    console = Console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, justify in (("run", "right"), ("time", "left"), ("status", "left")):
        table.add_column(heading, justify="right" if justify == "right" else "left", no_wrap=True)
    for heading in ("inputs", "results"):
        table.add_column(heading, justify="right")
    table.add_column("remark", overflow="fold")
    for entry in runs_as_json(history)["runs"]:
        table.add_row(
            str(entry["run"]),
            entry["time"],
            entry["status"],
            *("" if entry[key] is None else str(entry[key]) for key in ("inputs", "results")),
            Text(entry["error"] or ("first run" if entry["first"] else "")),
        )
    console.print(table)


def tell_cell(place: Place, moves: list[Move]) -> None:
    """A row a run in which the cell moved: old, new, and why."""
    console = Console()
    console.print(Text(cell_text(place), style="bold"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("run", justify="right", no_wrap=True)
    table.add_column("time", no_wrap=True)
    table.add_column("old", justify="right", overflow="fold")
    table.add_column("new", justify="right", overflow="fold")
    table.add_column("why", overflow="fold", ratio=1)
    for move in moves:
        words = reasons(move)
        more = len(words) - _REASONS_SHOWN
        if more > 0:
            words = [*words[:_REASONS_SHOWN], f"and {more} more; --json has all"]
        table.add_row(
            str(move.number),
            move.run.time,
            Text("" if move.first else state_text(move.old)),
            Text(state_text(move.new)),
            Text("\n".join(words)),
        )
    console.print(table)


def runs_as_json(history: History) -> dict[str, Any]:
    """Every run; ``inputs`` and ``results`` count cells that differ, None where nothing could be compared."""
    entries = []
    known = False  # whether a run before has left the cells to compare with
    for number, run in history.runs():
        changes = history.changes_of(number)
        compared = known and run.output is not None
        inputs = sum(map(is_input, changes))
        entries.append(
            {
                "run": number,
                "time": run.time,
                "status": run.status,
                "error": run.error,
                "first": run.output is not None and not known,
                "inputs": inputs if compared else None,
                "results": len(changes) - inputs if compared else None,
                "functions": run.functions,
                "code": run.code,
                "input": run.input,
                "output": run.output,
            }
        )
        known = known or run.output is not None
    return {"runs": entries}


def cell_as_json(place: Place, moves: list[Move]) -> dict[str, Any]:
    """Every move of a cell with all its reasons."""
    return {
        "cell": cell_text(place),
        "moves": [
            {
                "run": move.number,
                "time": move.run.time,
                "old": move.old.value if move.old else None,
                "new": move.new.value if move.new else None,
                "why": reasons(move),
            }
            for move in moves
        ],
    }
