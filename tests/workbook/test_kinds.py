"""Folders of several kinds go through one builder, and each workbook is validated as what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.deal.tie import DEAL as FLAGSHIP
from tests.package.packages import package, parts
from xlmodel.errors import BadDealFolder, NamesMissing
from xlmodel.package.parts import Package
from xlmodel.workbook.build import build_folder
from xlmodel.workbook.kinds import DEAL, KINDS, kind_of_folder, kind_of_workbook
from xlmodel.workbook.sheets import BOOKS


def named(kind: str) -> Package:
    return package(parts(names=f'<definedName name="ModelKind">"{kind}"</definedName>'))


def test_every_kind_has_its_sheets() -> None:
    assert list(KINDS) == list(BOOKS)


def test_a_deal_says_no_kind() -> None:
    assert kind_of_folder(FLAGSHIP) is DEAL
    assert kind_of_workbook(package()) is DEAL


@pytest.mark.parametrize("kind", KINDS)
def test_a_workbook_says_its_kind(kind: str) -> None:
    assert kind_of_workbook(named(kind)) is KINDS[kind]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "deal"])
def test_a_folder_says_its_kind(kind: str, tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text(f'kind = "{kind}"\n', encoding="utf-8")
    assert kind_of_folder(tmp_path) is KINDS[kind]


@pytest.mark.parametrize("text", ['kind = "casino"\n', "schema = 1\n", 'kind = "deal"\n', "kind = 1\n"])
def test_an_unknown_kind_is_told_with_the_known_ones(text: str, tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadDealFolder, match="no kind of folder") as raised:
        build_folder(tmp_path)
    assert raised.value.place.file == str(tmp_path / "model.toml")
    assert all(kind in raised.value.advice for kind in KINDS if kind != "deal")


def test_a_document_that_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text("kind = \n", encoding="utf-8")
    with pytest.raises(BadDealFolder, match="cannot be read"):
        build_folder(tmp_path)


def test_a_folder_without_a_document_lacks_a_deal(tmp_path: Path) -> None:
    with pytest.raises(BadDealFolder, match=r"deal\.toml"):
        build_folder(tmp_path)


def test_a_workbook_of_a_kind_of_another_version() -> None:
    with pytest.raises(NamesMissing, match="casino"):
        kind_of_workbook(named("casino"))
