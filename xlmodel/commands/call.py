"""One function from the shell, or a batch of them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from xlmodel.errors import BadUsage


def call(
    function: Annotated[str | None, typer.Argument(help="Name, such as XM_INTEREST.")] = None,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(help="Numbers, ISO dates, texts, TRUE or FALSE, null; JSON lists for ranges."),
    ] = None,
    batch: Annotated[
        bool, typer.Option("--batch", help='Read JSON lines ["XM_NAME", ...] and print one JSON value each.')
    ] = False,
) -> None:
    """Evaluate one function and print its value, or its error with the reason.

    Example: xlmodel call XM_INTEREST 155250000 0.062025 1999-10-28 1999-12-15 actual/360
    """
    from xlmodel.faces import shell
    from xlmodel.functions import call as evaluate

    if batch:
        if function is not None:
            raise BadUsage("--batch reads its calls from standard input", remedy="leave out the function")
        for answer in shell.answers(sys.stdin):
            typer.echo(answer)
        return
    if function is None:
        raise BadUsage("no function is named", remedy="write: xlmodel call XM_NAME argument ...")
    result = evaluate(function, [shell.argument_from_word(word) for word in arguments or []])
    typer.echo(shell.as_text(result))
    error = shell.first_error(result)
    if error is not None:
        typer.echo(shell.reason(error), err=True)
        raise typer.Exit(1)
