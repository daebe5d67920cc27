"""The help of commands as it is meant to be read."""

from __future__ import annotations

import click
from typer.core import TyperCommand, TyperGroup


class Command(TyperCommand):
    """A command whose help shows brackets as brackets.

    typer escapes them for rich wherever rich is installed, also where rich does not print the help.
    """

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help(ctx, formatter)
        _unescape(formatter)


class Group(TyperGroup):
    """The same for the program and for commands that have commands."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help(ctx, formatter)
        _unescape(formatter)


def _unescape(formatter: click.HelpFormatter) -> None:
    formatter.buffer[:] = [part.replace("\\[", "[") for part in formatter.buffer]
