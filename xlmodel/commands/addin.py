"""The functions into a spreadsheet program: one function a program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlmodel.commands.help_text import Command, Group
from xlmodel.commands.said import say, waiting

addin = typer.Typer(cls=Group, help="Put the functions into a spreadsheet program.", rich_markup_mode=None)


@addin.callback()
def _group() -> None:
    """Keeps the name of the program in the command line, however many there are."""


@addin.command(cls=Command)
def excel(
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("xlmodel-excel"),
) -> None:
    """Write the VBA modules, settings and instructions for Excel on Windows, and check this machine.

    Ends with 1 if something is to be mended before Excel can call the functions.

    Example: xlmodel addin excel --out C:\\desk\\xlmodel
    """
    from xlmodel.faces.excel_addin import PAGE, excel_files
    from xlmodel.faces.excel_machine import Machine, State, findings
    from xlmodel.workbook.replace import replace_file

    machine = Machine()
    found = list(findings(machine))
    for name, content in excel_files(machine, found).items():
        replace_file(out / name, content)
        say(f"wrote {out / name}")
    for finding in found:
        typer.echo(str(finding), err=finding.state is State.MEND)
    say(f"next: read {out / PAGE}")
    if any(finding.state is State.MEND for finding in found):
        raise typer.Exit(1)


@addin.command(cls=Command)
def libreoffice(
    out: Annotated[
        Path | None, typer.Option(help="Write the add-in to this .oxt file and register nothing.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take the add-in out again.")] = False,
) -> None:
    """Register the functions with LibreOffice Calc for the current user; for all users where that is root.

    They are then in the Function Wizard under Add-In. To do it again replaces the add-in.

    Example: xlmodel addin libreoffice
    """
    from xlmodel.errors import BadUsage
    from xlmodel.faces.libreoffice import registration
    from xlmodel.workbook.replace import replace_file

    if out is not None and remove:
        raise BadUsage("--remove writes no file", remedy="leave out --out, or --remove")
    if out is not None:
        replace_file(out, registration.extension())
        say(f"wrote {out}")
    else:
        with waiting("asking LibreOffice"):
            done = registration.remove() if remove else registration.register()
        say(done)
