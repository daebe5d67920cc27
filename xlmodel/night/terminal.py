"""What a run shows on a terminal: progress while it lasts, and the closing table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xlmodel.night.result import Result
    from xlmodel.workbook.validate import Check

_STYLES = {"ok": "green", "mismatch": "yellow", "refused": "red", "failed": "red"}
_MISSES_SHOWN = 20


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A progress bar on standard error, and what to call with each workbook's name once it is done.

    Where there is no terminal nothing is drawn, and nothing is loaded to draw it with.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda name: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("regenerating", total=total)
        yield lambda name: bar.update(task, advance=1, description=name)


def closing_table(results: Sequence[Result]) -> None:
    """A row a workbook, then the cells that miss and the errors in full."""
    console = Console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("workbook", "status"):
        table.add_column(heading, overflow="fold")
    for heading in ("formulas", "ours", "changed", "seconds"):
        table.add_column(heading, justify="right")
    table.add_column("checks", overflow="fold")
    for result in results:
        evaluated = result.formulas > 0
        table.add_row(
            result.job.source.name,
            Text(
                result.status.word + (", skipped" if result.skipped else ""),
                style=_STYLES[result.status.word],
            ),
            str(result.formulas) if evaluated else "",
            str(result.functions) if evaluated else "",
            str(result.changed) if evaluated else "",
            f"{result.seconds:.2f}",
            _summary(result.checks),
        )
    console.print(table)
    for result in results:
        _details(console, result)


def _summary(checks: Sequence[Check]) -> str:
    """The ties in figures; the check_ cells as one count, with the names of those that are not TRUE."""
    ties = [check for check in checks if not check.name.startswith("check_")]
    cells = [check for check in checks if check.name.startswith("check_")]
    words = [
        f"{check.name} {check.matched}/{check.cells}"
        + (f" and {check.explained} explained" if check.explained else "")
        + (
            f" ({check.informative_matched}/{check.informative} informative)"
            if check.informative != check.cells
            else ""
        )
        for check in ties
    ]
    if cells:
        wrong = ", ".join(check.name for check in cells if not check.ok)
        not_true = f" (not TRUE: {wrong})" if wrong else ""
        words.append(f"{sum(check.ok for check in cells)}/{len(cells)} check cells{not_true}")
    return ", ".join(words)


def _details(console: Console, result: Result) -> None:
    for warning in result.warnings:
        console.print(Text(f"{result.job.source.name}: {warning}", style="yellow"))
    failed = result.status.word in {"failed", "refused"}  # perhaps after it was compared, when it was written
    if result.validation is None or failed:
        if result.error:
            console.print(Text(result.error, style="red"))
        return
    misses = list(result.validation.misses)
    for miss in misses[:_MISSES_SHOWN]:
        console.print(Text(f"{result.job.source.name}: {miss}"))
    if len(misses) > _MISSES_SHOWN:
        console.print(
            f"{result.job.source.name}: {len(misses) - _MISSES_SHOWN} more cells miss; --json lists them all"
        )
