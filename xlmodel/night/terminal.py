"""What a run shows on a terminal: progress while it lasts, and the closing table."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xlmodel.night.run import Result
    from xlmodel.workbook.validate import Check

_STYLES = {"ok": "green", "mismatch": "yellow", "refused": "red", "failed": "red"}
_MISSES_SHOWN = 20


class Progress:
    """A progress bar on standard error; silent where there is no terminal."""

    def __init__(self, total: int) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("regenerating", total=total)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def advance(self, name: str) -> None:
        """One workbook is done."""
        self._bar.update(self._task, advance=1, description=name)


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
            Text(result.status.word, style=_STYLES[result.status.word]),
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
    """The ties in figures; the check_ cells as one count."""
    ties = [check for check in checks if not check.name.startswith("check_")]
    cells = [check for check in checks if check.name.startswith("check_")]
    words = [
        f"{check.name} {check.matched}/{check.cells}"
        + (
            f" ({check.informative_matched}/{check.informative} informative)"
            if check.informative != check.cells
            else ""
        )
        for check in ties
    ]
    if cells:
        words.append(f"{sum(check.ok for check in cells)}/{len(cells)} check cells")
    return ", ".join(words)


def _details(console: Console, result: Result) -> None:
    if result.validation is None:
        if result.error:
            console.print(Text(result.error, style="red"))
        return
    misses = list(result.validation.misses)
    for miss in misses[:_MISSES_SHOWN]:
        console.print(Text(f"{result.job.source.name}: {miss}"))
    if len(misses) > _MISSES_SHOWN:
        console.print(
            f"{result.job.source.name}: {len(misses) - _MISSES_SHOWN} more cells miss; --json has counts"
        )
