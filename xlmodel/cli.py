"""The command line.  Exit codes: 0 all good, 1 a mismatch or failure, 2 a file refused, 64 wrong usage."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import click
import typer

from xlmodel import __version__, journal, settings
from xlmodel.commands.addin import addin
from xlmodel.commands.build import build
from xlmodel.commands.calc import calc
from xlmodel.commands.call import call
from xlmodel.commands.diff import diff
from xlmodel.commands.grid import grid
from xlmodel.commands.help_text import Command, Group
from xlmodel.commands.history import history
from xlmodel.commands.lint import lint
from xlmodel.commands.new import new
from xlmodel.commands.pack import pack
from xlmodel.commands.read_tape import read_tape, rep_lines
from xlmodel.commands.refresh import refresh
from xlmodel.commands.regenerate import regenerate
from xlmodel.commands.run import run
from xlmodel.commands.search_conventions import search_conventions
from xlmodel.commands.serve import serve
from xlmodel.commands.show import show
from xlmodel.commands.strat import strat
from xlmodel.commands.tape import tape
from xlmodel.commands.validate import validate
from xlmodel.commands.why import why
from xlmodel.commands.workers import collect_rarely
from xlmodel.errors import Category, InternalError, XlmodelError

log = logging.getLogger(__name__)

USAGE = 64
INTERRUPTED = 130

# In the order in which --help lists them.
COMMANDS: tuple[Callable[..., None], ...] = (
    build,
    new,
    refresh,
    validate,
    regenerate,
    history,
    run,
    grid,
    read_tape,
    rep_lines,
    search_conventions,
    strat,
    tape,
    call,
    calc,
    lint,
    why,
    diff,
    show,
    pack,
    serve,
)
# Commands that have commands of their own.
GROUPS: dict[str, typer.Typer] = {"addin": addin}
# Commands whose arguments may begin with a minus sign: they are numbers.
_NEGATIVE_NUMBERS = {call}


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"xlmodel {__version__}")
        raise typer.Exit


def program(
    log_file: Annotated[Path | None, typer.Option(help="Append everything logged as JSON lines.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say more on the terminal.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only what went wrong.")] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            allow_from_autoenv=False,  # XLMODEL_VERSION in somebody's environment is no request
            help="Show the version.",
        ),
    ] = False,
) -> None:
    """Set up what all commands share."""
    journal.set_up(log_file, verbose=verbose, quiet=quiet)


app = typer.Typer(
    help="Asset-backed securities in spreadsheet cells: build, refresh and validate workbooks without Excel.",
    no_args_is_help=False,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.callback(cls=Group)(program)
for command in COMMANDS:
    app.command(cls=Command, context_settings={"ignore_unknown_options": command in _NEGATIVE_NUMBERS})(
        command
    )
for name, commands in GROUPS.items():
    app.add_typer(commands, name=name)


# typer carries its own copy of click's errors in newer versions; their common base is reached from here.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


def main(arguments: list[str] | None = None) -> None:
    """Run the program and exit with its code; the entry point."""
    sys.exit(_run(sys.argv[1:] if arguments is None else arguments))


def _run(arguments: list[str]) -> int:
    collect_rarely()
    if not arguments:
        _run(["--help"])
        return USAGE
    try:
        group: Any = typer.main.get_command(app)
        options = {"": {p.name for p in group.params}} | {
            name: {p.name for p in sub.params} for name, sub in group.commands.items()
        }
        code = group.main(
            arguments,
            prog_name="xlmodel",
            standalone_mode=False,
            default_map=settings.defaults(Path.cwd(), options),
            auto_envvar_prefix=settings.ENVIRONMENT_PREFIX,
        )
        return code if isinstance(code, int) else 0
    except _UsageError as error:
        if isinstance(parameter := getattr(error, "param", None), click.Option):
            parameter.show_envvar = False  # click would name the variable None: it knows only stated ones
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        typer.echo(f"xlmodel: {message} (see --help)", err=True)
        return USAGE
    except typer.Exit as stop:
        return stop.exit_code
    except XlmodelError as error:
        typer.echo(f"xlmodel: {error}", err=True)
        return {Category.REFUSED: 2, Category.USAGE: USAGE}.get(error.category, 1)
    except (KeyboardInterrupt, typer.Abort):
        typer.echo("xlmodel: interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone; nothing is left to say, not even while Python closes down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as fault:
        log.debug("unexpected", exc_info=True)
        typer.echo(f"xlmodel: {InternalError(f'{type(fault).__name__}: {fault}')}", err=True)
        return 1
