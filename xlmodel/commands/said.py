"""What a command says about itself, which --quiet silences; its results and its errors are not among it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click
import typer


def say(text: str) -> None:
    """A line about what was done, on standard output."""
    if not quiet():
        typer.echo(text)


def quiet() -> bool:
    """Whether only what went wrong is to be said."""
    context = click.get_current_context(silent=True)
    return bool(context and context.find_root().params.get("quiet"))


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """Something that moves on standard error while work goes on; nothing where there is no terminal."""
    if quiet() or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield
