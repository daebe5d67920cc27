"""New: a deal folder begun from a template builds as it is, and claims nothing that it does not know."""

from __future__ import annotations

import tomllib
from pathlib import Path

import openpyxl
import pytest

import xlmodel
from tests.test_cli import xlmodel as command
from tests.workbook.sheets_of import named
from xlmodel.deal.folder import read_folder
from xlmodel.errors import BadUsage, NotWritten
from xlmodel.workbook.new import start_deal, templates

DEALS = ["carmax_1999_1", "carmax_2010_2", "drive_2025_2", "toyota_2025_b"]


def test_the_deals_of_the_repository_are_templates() -> None:
    assert set(DEALS) <= set(templates())


@pytest.mark.parametrize("like", DEALS)
def test_a_new_deal_is_the_template_under_another_name(like: str, tmp_path: Path) -> None:
    folder = start_deal("Harbor & Co. 2026-A", like, tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["deal.toml", "pool.csv"]
    assert (folder / "pool.csv").read_bytes() == (templates()[like] / "pool.csv").read_bytes()
    new, old = read_folder(folder), read_folder(templates()[like])
    assert (new.deal.name, new.name) == ("Harbor & Co. 2026-A", "Harbor & Co. 2026-A")
    assert new.deal.classes == old.deal.classes
    assert new.deal.measures.keys() == old.deal.measures.keys()
    assert len(new.deal.clauses) == len(old.deal.clauses)
    assert new.speeds == old.speeds


def test_nothing_is_stated_or_has_a_page(tmp_path: Path) -> None:
    folder = start_deal("fresh", "carmax_2010_2", tmp_path)
    text = (folder / "deal.toml").read_text(encoding="utf-8")
    assert text.startswith("# fresh, begun from carmax_2010_2: all is assumed")
    rows = [row for rows in tomllib.loads(text).values() if isinstance(rows, list) for row in rows]
    assert {row["status"] for row in rows if "status" in row} == {"assumed"}
    assert not any(row.get("page") for row in rows)


def test_templates_of_an_installed_package_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "xlmodel"
    (package / "templates" / "one").mkdir(parents=True)
    (package / "templates" / "one" / "deal.toml").write_text("schema = 1\n")
    (package / "templates" / "notes").mkdir()
    monkeypatch.setattr(xlmodel, "__file__", str(package / "__init__.py"))
    assert list(templates()) == ["one"]


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "-x", "end.", "end ", "a\nb", 'a"b', "a*"])
def test_a_name_that_is_no_folders(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="no name for a folder"):
        start_deal(name, "carmax_2010_2", tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_unknown_template_lists_the_names(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="no template 'carmax'") as raised:
        start_deal("fresh", "carmax", tmp_path)
    assert all(name in raised.value.advice for name in DEALS)


def test_an_existing_folder_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "fresh").mkdir()
    with pytest.raises(NotWritten, match="such a folder already"):
        start_deal("fresh", "carmax_2010_2", tmp_path)
    assert not list((tmp_path / "fresh").iterdir())


@pytest.mark.soak
def test_the_command_and_the_build_that_follows(tmp_path: Path) -> None:
    made = command("new", "my deal", "--like", "carmax_2010_2", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.startswith("wrote my deal")
    built = command("build", "my deal", cwd=tmp_path)
    assert (built.returncode, built.stderr) == (0, "")
    workbook = tmp_path / "my deal" / "my deal.xlsx"
    checks = [name for name in openpyxl.load_workbook(workbook).defined_names if name.startswith("check_")]
    assert {name: named(workbook, name) for name in checks} == {name: [[True]] for name in checks}
    again = command("new", "my deal", "--like", "carmax_2010_2", cwd=tmp_path)
    assert again.returncode == 1
    assert "XM-306" in again.stderr


@pytest.mark.parametrize(
    "arguments", [("fresh",), ("fresh", "--like", "carmax"), ("--like", "carmax_2010_2")]
)
def test_wrong_usage(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert command("new", *arguments, cwd=tmp_path).returncode == 64
    assert not list(tmp_path.iterdir())
