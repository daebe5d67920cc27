"""Pages that are made from the code are not stale, and every error is in the catalogue once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.generate import DOCS, made
from xlmodel.errors import ERRORS, XlmodelError

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
