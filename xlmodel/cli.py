"""The command line.  Exit codes: 0 all good, 1 a mismatch or failure, 2 a file refused, 64 wrong usage."""

from __future__ import annotations

import gc
import logging
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from xlmodel import __version__, journal, settings
from xlmodel.errors import BadUsage, Category, InternalError, XlmodelError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from xlmodel.night.run import Result

log = logging.getLogger(__name__)

USAGE = 64
INTERRUPTED = 130

# A workbook is hundreds of thousands of small objects without cycles; looking for cycles among them costs a
# tenth of the time.
_COLLECT_RARELY = (200_000, 50, 50)

app = typer.Typer(
    help="Asset-backed securities in spreadsheet cells: build, refresh and validate workbooks without Excel.",
    no_args_is_help=False,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_Published = Annotated[
    Path | None,
    typer.Option(help="Folder of the published figures; by default published/ beside the workbook."),
]
_KeepErrors = Annotated[
    bool, typer.Option("--keep-errors", help="Write errors of XM_ cells instead of failing.")
]
_JsonFile = Annotated[Path | None, typer.Option("--json", help="Write the results to this file as JSON.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"xlmodel {__version__}")
        raise typer.Exit


@app.callback()
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


@app.command()
def build(
    deal_folder: Annotated[Path, typer.Argument(help="Folder with deal.toml, pool.csv and published/.")],
    out: Annotated[Path | None, typer.Option(help="Workbook to write; by default FOLDER/NAME.xlsx.")] = None,
    formulas_only: Annotated[
        bool, typer.Option("--formulas-only", help="Do not fill in the values.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a workbook whose inputs were edited.")
    ] = False,
) -> None:
    """Make the workbook of a deal folder.

    Example: xlmodel build workbooks/carmax_1999_1
    """
    from xlmodel.deal.folder import read_folder
    from xlmodel.package.guard import open_package
    from xlmodel.workbook.build import build_workbook
    from xlmodel.workbook.inputs import require_same_inputs
    from xlmodel.workbook.refresh import read_package, refresh
    from xlmodel.workbook.replace import replace_file

    folder = read_folder(deal_folder)
    target = out or deal_folder / f"{folder.name}.xlsx"
    package = open_package(build_workbook(folder), name=str(target))
    if target.exists() and not force:
        require_same_inputs(read_package(target), package)
    data = package.data if formulas_only else refresh(package).data
    replace_file(target, data)
    typer.echo(f"built {target}")


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Name of the deal; its folder is made here.")],
    like: Annotated[str, typer.Option(help="Template: the name of a deal that comes with the program.")],
) -> None:
    """Begin a deal folder from a template: its tables and pool, all assumed, without published figures.

    Example: xlmodel new my_deal --like carmax_2010_2
    """
    from xlmodel.workbook.new import start_deal

    folder = start_deal(name, like, Path())
    typer.echo(f"wrote {folder}; edit {folder / 'deal.toml'}, then: xlmodel build {folder}")


@app.command()
def refresh(
    file: Annotated[Path, typer.Argument(help="Workbook to refresh, in place.")],
    out: Annotated[Path | None, typer.Option(help="Write here instead of in place.")] = None,
    keep_errors: _KeepErrors = False,
) -> None:
    """Evaluate every formula and put the values into the file; every other byte stays.

    Example: xlmodel refresh workbooks/carmax_1999_1/carmax_1999_1.xlsx
    """
    from xlmodel.workbook.refresh import read_package
    from xlmodel.workbook.refresh import refresh as evaluate_and_splice
    from xlmodel.workbook.replace import replace_file

    package = read_package(file)
    refreshed = evaluate_and_splice(package, keep_errors=keep_errors)
    target = out or file
    if refreshed.data is not package.data or target != file:
        replace_file(target, refreshed.data)
    evaluation = refreshed.evaluation
    typer.echo(
        f"{target}: {evaluation.formulas} formulas, {evaluation.functions} of them ours, "
        f"{len(refreshed.changes)} cached values changed"
    )


@app.command()
def validate(
    file: Annotated[Path, typer.Argument(help="Workbook to compare.")],
    published: _Published = None,
    json: _JsonFile = None,
) -> None:
    """Compare what a workbook computes with what was published, at the printed precision.

    Example: xlmodel validate workbooks/carmax_1999_1/carmax_1999_1.xlsx
    """
    from xlmodel.night.run import Job, check

    result = check(Job(file, file, published or file.parent / "published"))
    _report([result], json)


@app.command()
def regenerate(
    context: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(help="Workbooks, or folders of them.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write copies here instead of in place.")] = None,
    published: _Published = None,
    keep_errors: _KeepErrors = False,
    json: _JsonFile = None,
    processes: Annotated[
        int, typer.Option(min=1, help="Processes to work side by side; by default one a core.")
    ] = os.cpu_count() or 1,
) -> None:
    """Refresh and validate every workbook found; by default those below workbooks/.

    Example: xlmodel regenerate --json results.json
    """
    from xlmodel.night.run import find_jobs, run
    from xlmodel.night.terminal import progress

    jobs = find_jobs(paths or [Path("workbooks")], out, published)
    if not jobs:
        raise BadUsage("no workbook found", remedy="name a .xlsx file or a folder that holds one")
    with _workers(min(processes, len(jobs)), context) as executor, progress(len(jobs)) as advance:
        results = run(
            jobs,
            executor,
            keep_errors=keep_errors,
            done=lambda result: advance(result.job.source.name),
        )
    _report(results, json)


@app.command()
def run(
    source: Annotated[Path, typer.Argument(help="Deal folder, or workbook whose ranges are the deal.")],
    out: Annotated[Path, typer.Option(help="Folder for the CSV files.")],
    scenario: Annotated[str | None, typer.Option(help="Name of the scenario; the first by default.")] = None,
) -> None:
    """Run a deal in one scenario and write collections, distributions, ledger and accounts as CSV files.

    Example: xlmodel run workbooks/carmax_1999_1 --scenario stress --out stress
    """
    from xlmodel.workbook.export import export_run

    for path in export_run(source, scenario, out):
        typer.echo(f"wrote {path}")


@app.command(context_settings={"ignore_unknown_options": True})
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


def _workers(count: int, context: typer.Context) -> AbstractContextManager[Executor | None]:
    """Processes that log as this one does; none where one is enough.

    They are spawned, not forked, on every system: a fork would copy the locks of the progress bar's thread.
    """
    if count == 1:
        return nullcontext()
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    shared = context.parent.params if context.parent else {}
    return ProcessPoolExecutor(
        count,
        get_context("spawn"),
        initializer=_begin_worker,
        initargs=(shared.get("log_file"), bool(shared.get("verbose")), bool(shared.get("quiet"))),
    )


def _begin_worker(log_file: Path | None, verbose: bool, quiet: bool) -> None:
    gc.set_threshold(*_COLLECT_RARELY)
    journal.set_up(log_file, verbose=verbose, quiet=quiet)


def _report(results: list[Result], json_file: Path | None) -> None:
    """Print the closing table, write the JSON, leave with the exit code."""
    from xlmodel.night.run import as_json, exit_code
    from xlmodel.night.terminal import closing_table
    from xlmodel.workbook.replace import replace_file

    closing_table(results)
    if json_file is not None:
        replace_file(json_file, (dumps(as_json(results), indent=2) + "\n").encode())
    code = exit_code(results)
    if code:
        raise typer.Exit(code)


# typer carries its own copy of click's errors in newer versions; their common base is reached from here.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


def main(arguments: list[str] | None = None) -> None:
    """Run the program and exit with its code; the entry point."""
    sys.exit(_run(sys.argv[1:] if arguments is None else arguments))


def _run(arguments: list[str]) -> int:
    gc.set_threshold(*_COLLECT_RARELY)
    if not arguments:
        _run(["--help"])
        return USAGE
    try:
        command: Any = typer.main.get_command(app)
        options = {"": {p.name for p in command.params}} | {
            name: {p.name for p in sub.params} for name, sub in command.commands.items()
        }
        code = command.main(
            arguments,
            prog_name="xlmodel",
            standalone_mode=False,
            default_map=settings.defaults(Path.cwd(), options),
            auto_envvar_prefix=settings.ENVIRONMENT_PREFIX,
        )
        return code if isinstance(code, int) else 0
    except _UsageError as error:
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
