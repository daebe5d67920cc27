"""Pages that are made from the code are not stale, and every error is in the catalogue once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from docs.generate import DOCS, made
from docs.page_folders import SCHEMAS
from xlmodel.errors import ERRORS, XlmodelError
from xlmodel.workbook.kinds import KINDS

MADE = made()


@pytest.mark.parametrize("page", sorted(MADE))
def test_page_is_fresh(page: str) -> None:
    path = DOCS / page
    assert path.is_file(), "run: make docs"
    assert path.read_text(encoding="utf-8") == MADE[page], "run: make docs"


def test_no_picture_is_left_of_a_function_that_is_gone() -> None:
    there = {path.relative_to(DOCS).as_posix() for path in (DOCS / "images" / "functions").iterdir()}
    assert there == {name for name in MADE if name.endswith(".svg")}, "run: make docs"


def test_the_tests_that_the_page_of_faces_names_are_there() -> None:
    named = set(re.findall(r"`(test_\w+)(?:\.py)?`", (DOCS / "faces.md").read_text(encoding="utf-8")))
    files = list(Path(__file__).parent.rglob("test_*.py"))
    known = {path.stem for path in files}
    known |= {name for path in files for name in re.findall(r"def (test_\w+)\(", path.read_text("utf-8"))}
    assert named
    assert named <= known


def test_every_error_is_listed_with_a_code_of_its_own() -> None:
    assert set(XlmodelError.__subclasses__()) == set(ERRORS)
    assert len({error.code for error in ERRORS}) == len(ERRORS)
    assert all(error.remedy and error.__doc__ for error in ERRORS)


# --- what folders of other kinds can say ----------------------------------------------------------

WORKBOOKS = Path(__file__).parents[1] / "workbooks"


def keys_of(document: Mapping[str, Any], names: Mapping[str, Any], at: str = "") -> Iterator[str]:
    """The keys of a document that are the program's, with their path; below ``names`` they are the user's."""
    for key, value in document.items():
        path = f"{at}.{key}" if at else key
        yield path
        if path in names:
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, Mapping):
                yield from keys_of(one, names, path)


def test_every_key_of_every_model_is_on_the_page() -> None:
    """Read from the page as people do: a heading, and the keys of the table below it."""
    page = (DOCS / "folders.md").read_text(encoding="utf-8")
    users = dict.fromkeys(
        ("tables.rows", "tables.measures", "charts.series", "allowance.lifetime_loss", "allowance.age")
    )
    told: set[str] = set()
    heading = ""
    for line in page.splitlines():
        if line.startswith("#"):
            heading = line.strip("# ").removeprefix("Table ").removeprefix("In ").strip("`").lower()
        elif found := re.match(r"\| `?([^|`]+?)`? \|", line):
            told.add(found[1] if heading == "the document" else f"{heading}.{found[1].replace(' ', '_')}")
    lists = {key.split(".")[0] for key in told}
    missing = [
        f"{file.parent.name}: {key}"
        for file in sorted(WORKBOOKS.glob("*/model.toml"))
        for key in keys_of(tomllib.loads(file.read_text(encoding="utf-8")), users)
        if key not in told and key not in lists
    ]
    assert missing == []


def test_every_kind_of_folder_has_its_tables_on_the_page() -> None:
    """The kinds made of tables have the tables that their workbooks take as input, and no others."""
    assert {*SCHEMAS, "deal", "tables"} == set(KINDS)
    for name, schemas in SCHEMAS.items():
        assert {schema.name for schema in schemas} == set(KINDS[name].inputs) - {"Funds"}  # a cell of its own
    page = (DOCS / "folders.md").read_text(encoding="utf-8")
    files = {tie.file for kind in KINDS.values() for tie in kind.ties.values() if tie.file}
    assert {file for file in files if f"`{file}`" not in page} == set()


def test_every_column_of_a_deal_folder_is_on_its_page() -> None:
    page = (DOCS / "deal.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| ([^|]+?) \|", page, re.M)) | set(
        ", ".join(re.findall(r"; also called (.+) \|", page)).split(", ")
    )
    for file in sorted(WORKBOOKS.glob("*/pool.csv")):
        headings = file.read_text(encoding="utf-8").splitlines()[0].split(",")
        missing = [name for name in headings if name.replace("_", " ") not in told]
        assert missing == [], file
