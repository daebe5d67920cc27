"""The page of commands: every argument and option of the program, read from the program itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import click
import typer

from xlmodel import settings
from xlmodel.cli import COMMANDS, GROUPS, app

_INTRODUCTION = """\
# Commands

`xlmodel COMMAND --help` shows the same. Options that stand before the command concern all commands:
`xlmodel --quiet regenerate`.

| exit code | means |
|---|---|
| 0 | all good |
| 1 | a mismatch, a finding or a failure |
| 2 | a file was refused: no workbook, broken, unsafe |
| 64 | wrong usage |
| 130 | interrupted with Ctrl-C |

**Where a setting comes from.** A flag wins over the environment variable of its row, which wins over
`xlmodel.toml` in the folder where the program starts. There the options of the program stand at the top and
those of a command in a table of its name:

```toml title="xlmodel.toml"
quiet = true

[regenerate]
json = "results.json"
```

**On the terminal.** Results go to standard output, what went wrong to standard error. What takes longer
than a second shows progress, on a terminal only. `NO_COLOR=1` takes the colours away; `COLUMNS` sets the
width of tables. `--quiet` keeps all but what went wrong from being said, `--verbose` says what is being
done, `--log-file` keeps everything as JSON lines. Nothing asks a question where there is no terminal.

**Completion.** `xlmodel --install-completion` teaches your shell (bash, zsh, fish, PowerShell) the commands
and options; it takes effect in a new shell.

**Decimal commas.** CSV files have a comma between fields and a point in numbers, on every machine, so that
a folder means the same everywhere. A file that a spreadsheet program saved with semicolons and decimal
commas is refused with its name and the remedy; it is never half read.
"""


def commands_page() -> str:
    """Every command with its arguments and options."""
    parts = [_INTRODUCTION, "## Options of the program", ""]
    group = typer.main.get_command(app())
    assert isinstance(group, click.Group)
    parts += _table(group, settings.ENVIRONMENT_PREFIX)
    for name, command in commands():
        variables = f"{settings.ENVIRONMENT_PREFIX}_{name.upper().replace(' ', '_').replace('-', '_')}"
        parts += [
            f"## xlmodel {name}",
            "",
            *_help(command, "console" if name in _NOT_RUN else "sh"),
            *_table(command, variables),
        ]
    return "\n".join(parts).rstrip() + "\n"


def commands() -> Iterator[tuple[str, click.Command]]:
    """The commands in the order of --help; those of a group as ``group command``."""
    group: Any = typer.main.get_command(app())
    for name in COMMANDS:
        yield name, group.commands[name]
    for name in GROUPS:
        for inner, command in group.commands[name].commands.items():
            yield f"{name} {inner}", command


def parameters(command: click.Command) -> list[click.Parameter]:
    """What can be given to a command, as its help lists it."""
    return [p for p in command.params if not getattr(p, "hidden", False) and p.name != "help"]


def _help(command: click.Command, language: str) -> list[str]:
    lines: list[str] = []
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        first, _, example = paragraph.partition("Example: ")
        if example:
            lines += [f"```{language}", *example.splitlines(), "```", ""]
        else:
            lines += [" ".join(first.split()), ""]
    return lines


def _table(command: click.Command, variables: str) -> list[str]:
    rows = []
    for p in parameters(command):
        name = f"`{_spelling(p)}`"
        if isinstance(p, click.Option):
            listed = p.envvar if isinstance(p.envvar, str) else f"{variables}_{str(p.name).upper()}"
            variable = f"`{listed}`" if p.allow_from_autoenv or p.envvar else ""
        else:
            variable = ""
        meaning = (getattr(p, "help", None) or "").replace("|", "\\|")
        rows.append(f"| {name} | {meaning}{_default(p)} | {variable} |")
    return ["| | meaning | variable |", "|---|---|---|", *rows, ""] if rows else []


def _spelling(p: click.Parameter) -> str:
    if isinstance(p, click.Option):
        flags = ", ".join((*p.opts, *p.secondary_opts))
        return flags if p.is_flag else f"{flags} {p.make_metavar(_CONTEXT)}"
    word = str(p.name).upper() + (" ..." if p.nargs == -1 else "")
    return word if p.required else f"[{word}]"


def _default(p: click.Parameter) -> str:
    if not isinstance(p, click.Option) or p.is_flag or not p.show_default:
        return " Required." if p.required and isinstance(p, click.Option) else ""
    default = p.default
    if default in (None, "", ()) or callable(default) or p.name == "jobs":
        return " Required." if p.required else ""
    return f" By default {default}."


# One never ends, the others need a file of the reader.
_NOT_RUN = {"serve", "read-tape", "rep-lines", "strat", "diff"}
_CONTEXT = click.Context(click.Command("xlmodel"))
