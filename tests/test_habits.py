"""Habits of the program: help, completion, questions on a terminal only, quiet, decimal commas."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.test_cli import xlmodel
from xlmodel.commands.said import waiting
from xlmodel.deal.folder import read_folder
from xlmodel.errors import BadDealFolder
from xlmodel.workbook.new import start_deal

PROGRAM = [sys.executable, "-c", "from xlmodel.cli import main; main()"]


@pytest.mark.parametrize("command", ["build", "serve", "addin libreoffice"])
def test_help_shows_brackets_an_example_and_the_variable(command: str) -> None:
    done = xlmodel(*command.split(), "--help")
    assert done.returncode == 0
    assert "\\" not in done.stdout
    assert "[env var: " in " ".join(done.stdout.split())
    assert f"Example: xlmodel {command}" in done.stdout


def test_a_wrong_value_names_the_option_and_no_variable_called_none() -> None:
    done = xlmodel("calc", "x.xlsx", "--timeout", "0")
    assert done.returncode == 64
    assert "'--timeout'" in done.stderr
    assert "None" not in done.stderr


@pytest.mark.soak
def test_quiet_says_nothing_where_all_is_good(tmp_path: Path) -> None:
    start_deal("fresh", "carmax_2010_2", tmp_path)
    done = xlmodel("--quiet", "build", "fresh", "--formulas-only", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    loud = xlmodel("build", "fresh", "--formulas-only", "--force", cwd=tmp_path)
    assert loud.stdout == f"built {Path('fresh') / 'fresh.xlsx'}\n"
    wrong = xlmodel("--quiet", "build", "nowhere", cwd=tmp_path)
    assert wrong.returncode == 2
    assert "nowhere" in wrong.stderr


def test_new_does_not_ask_where_there_is_no_terminal(tmp_path: Path) -> None:
    for arguments, says in (([], "no name is given"), (["fresh"], "carmax_1999_1, carmax_2010_2")):
        done = xlmodel("new", *arguments, cwd=tmp_path)
        assert done.returncode == 64
        assert says in done.stderr
    assert not list(tmp_path.iterdir())


def test_new_asks_on_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "new", "--formulas-only"], cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    answers = [(b"Name of the deal", b"fresh\n"), (b"Template of the deal", b"nonsense\ncarmax_2010_2\n")]
    seen, until = b"", time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        if select.select([ours], [], [], 0.2)[0]:
            try:
                seen += os.read(ours, 4096)
            except OSError:
                break
        if answers and answers[0][0] in seen:
            os.write(ours, answers.pop(0)[1])
    assert process.wait(60) == 0, seen
    os.close(ours)
    assert b"'nonsense' is not one of" in seen
    assert sorted(path.name for path in (tmp_path / "fresh").iterdir()) == [
        "deal.toml", "fresh.xlsx", "pool.csv",
    ]  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_shown_for_a_shell(shell: str) -> None:
    script = {"bash": "_XLMODEL_COMPLETE", "zsh": "_XLMODEL_COMPLETE", "fish": "_XLMODEL_COMPLETE"}[shell]
    environment = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = xlmodel("--show-completion", shell, env=environment)
    assert done.returncode == 0, done.stderr
    assert script in done.stdout


def test_bash_completes_a_command() -> None:
    environment = {"_XLMODEL_COMPLETE": "complete_bash", "COMP_WORDS": "xlmodel ref", "COMP_CWORD": "1"}
    assert xlmodel(env=environment).stdout.split() == ["refresh"]


def test_nothing_moves_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting("working"):
        pass
    assert capsys.readouterr() == ("", "")


def test_colours_can_be_taken_away(tmp_path: Path) -> None:
    done = xlmodel("validate", "none.xlsx", cwd=tmp_path, env={"NO_COLOR": "1", "FORCE_COLOR": "1"})
    assert "\x1b[3" not in done.stdout + done.stderr


def test_a_pool_with_decimal_commas_is_refused(tmp_path: Path) -> None:
    folder = start_deal("fresh", "carmax_2010_2", tmp_path)
    pool = folder / "pool.csv"
    text = pool.read_text(encoding="utf-8")
    pool.write_text(text.replace(",", ";").replace(".", ","), encoding="utf-8")
    with pytest.raises(BadDealFolder, match="semicolons stand between the fields") as raised:
        read_folder(folder)
    assert "points in the numbers" in raised.value.advice
    pool.write_text(text.replace("16023251.54", '"16023251,54"'), encoding="utf-8")
    with pytest.raises(Exception, match=r"row 2, column 'balance'.*16023251,54"):
        read_folder(folder)
