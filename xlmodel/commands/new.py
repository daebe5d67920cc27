"""A deal folder from a template."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import click
import typer

from xlmodel.commands.said import say, waiting
from xlmodel.errors import BadUsage


def new(
    name: Annotated[str | None, typer.Argument(help="Name of the deal; its folder is made here.")] = None,
    like: Annotated[
        str | None, typer.Option(help="Template: the name of a deal that comes with the program.")
    ] = None,
    formulas_only: Annotated[
        bool, typer.Option("--formulas-only", help="Do not fill in the values of the workbook.")
    ] = False,
) -> None:
    """Begin a deal folder from a template, with its workbook: all is assumed, no figures are published.

    On a terminal it asks for what is not given.

    Example: xlmodel new my_deal --like carmax_2010_2
    """
    from xlmodel.commands.build import build
    from xlmodel.workbook.new import start_deal, templates

    known = list(templates())
    name = name or _asked("name", "xlmodel new NAME --like TEMPLATE")
    like = like or _asked("template", f"--like and one of: {', '.join(known)}", known)
    with waiting(f"writing {name}"):
        folder = start_deal(name, like, Path())
    say(f"wrote {folder}")
    build(folder, formulas_only=formulas_only)
    say(f"next: edit {folder / 'deal.toml'}, then: xlmodel build {_quoted(folder)}")


def _asked(what: str, remedy: str, choices: Sequence[str] = ()) -> str:
    """The answer of a person.  Raises BadUsage where nobody is there to ask."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise BadUsage(f"no {what} is given, and there is no terminal to ask on", remedy=f"write {remedy}")
    question = f"{what.capitalize()} of the deal"
    return str(typer.prompt(question, type=click.Choice(choices) if choices else str, err=True)).strip()


def _quoted(folder: Path) -> str:
    text = str(folder)
    return f'"{text}"' if " " in text else text
