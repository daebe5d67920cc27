"""Synthetic tapes that fit a prospectus, and the proof of one."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Action(StrEnum):
    """What to do with a tape."""

    MAKE = "make"
    CHECK = "check"


def tape(
    action: Annotated[Action, typer.Argument(help="make a tape, or check one.")],
    deal: Annotated[str, typer.Argument(help="Deal whose printed tables it must show: carmax_1999_1.")],
    file: Annotated[
        Path | None, typer.Option(help="Tape to write or to check; by default DEAL_synthetic_tape.csv.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed gives other contracts.")] = 1999,
) -> None:
    """Make a synthetic tape whose tables are the printed ones, or check that a tape has them.

    The contracts are synthetic: nobody signed them. Printed is every figure of the tables that is matched.

    Example: xlmodel tape make carmax_1999_1 --file tape.csv
    """
    from xlmodel.workbook.tape_proof import make_tape, prove

    target = file or Path(f"{deal}_synthetic_tape.csv")
    if action is Action.MAKE:
        count = make_tape(deal, target, seed)
        typer.echo(f"wrote {target}: {count:,} synthetic contracts, seed {seed}")
    proof = prove(deal, target)
    for line in proof.lines():
        typer.echo(line)
    if not proof.ok:
        raise typer.Exit(1)
