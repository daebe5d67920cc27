"""The command line.  Exit codes: 0 all good, 1 a mismatch or failure, 2 a file refused, 64 wrong usage."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Collection, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import click
import typer

from xlmodel import __version__, journal, settings
from xlmodel.commands import process
from xlmodel.commands.help_text import Command, Group
from xlmodel.errors import Category, InternalError, XlmodelError

log = logging.getLogger(__name__)

USAGE = 64
INTERRUPTED = 130

# In the order in which --help lists them.  Beside each stands the file of ``xlmodel/commands/`` that has it,
# which is loaded when the command is asked for.
COMMANDS: Mapping[str, str] = {
    "build": "build",
    "new": "new",
    "refresh": "refresh",
    "validate": "validate",
    "regenerate": "regenerate",
    "history": "history",
    "run": "run",
    "grid": "grid",
    "read-tape": "read_tape",
    "rep-lines": "read_tape",
    "search-conventions": "search_conventions",
    "strat": "strat",
    "tape": "tape",
    "call": "call",
    "calc": "calc",
    "lint": "lint",
    "why": "why",
    "diff": "diff",
    "show": "show",
    "pack": "pack",
    "serve": "serve",
}
# Commands that have commands of their own.
GROUPS: Mapping[str, str] = {"addin": "addin"}
# Commands whose arguments may begin with a minus sign: they are numbers.
_NEGATIVE_NUMBERS = {"call"}


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


def app(names: Collection[str] = (*COMMANDS, *GROUPS)) -> typer.Typer:
    """The program with these commands."""
    whole = typer.Typer(
        help="Asset-backed securities in spreadsheet cells: build, refresh and validate workbooks "
        "without Excel.",
        no_args_is_help=False,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    whole.callback(cls=Group)(program)
    for name in COMMANDS:
        if name in names:
            negative = {"ignore_unknown_options": name in _NEGATIVE_NUMBERS}
            whole.command(name, cls=Command, context_settings=negative)(_found(COMMANDS[name], name))
    for name in GROUPS:
        if name in names:
            whole.add_typer(_found(GROUPS[name], name), name=name)
    return whole


def _found(file: str, name: str) -> Any:
    return getattr(import_module(f"xlmodel.commands.{file}"), name.replace("-", "_"))


def _asked(arguments: list[str]) -> Collection[str]:
    """The commands that arguments may ask for: mostly one; all where help of the program is asked for."""
    named = [argument for argument in arguments if argument in COMMANDS or argument in GROUPS]
    if not named or "--help" in arguments[: arguments.index(named[0])]:
        return (*COMMANDS, *GROUPS)
    return named


def _options() -> dict[str, set[str]]:
    """The options of every command, by its name, and those of the program, by none."""
    group: Any = typer.main.get_command(app())
    return {"": {p.name for p in group.params}} | {
        name: {p.name for p in command.params} for name, command in group.commands.items()
    }


# typer carries its own copy of click's errors in newer versions; their common base is reached from here.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


def main(arguments: list[str] | None = None) -> None:
    """Run the program and exit with its code; the entry point."""
    sys.exit(_run(sys.argv[1:] if arguments is None else arguments))


def _run(arguments: list[str]) -> int:
    process.set_up()
    if not arguments:
        _run(["--help"])
        return USAGE
    try:
        group: Any = typer.main.get_command(app(_asked(arguments)))
        code = group.main(
            arguments,
            prog_name="xlmodel",
            standalone_mode=False,
            default_map=settings.defaults(Path.cwd(), _options),
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
