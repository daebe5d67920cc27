"""The tables [grid], [pricing] and [[prices]] of a deal folder: what is refused, and with what remedy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.deal.tie import DEAL
from tests.workbook.small_deal import write_small_deal
from xlmodel.analytics.grid import AXES, run_grid
from xlmodel.deal.folder import read_folder
from xlmodel.deal.questions import GRID, grid_items
from xlmodel.deal.scenario import read_scenarios, select
from xlmodel.errors import XlmodelError

GRID_HEAD, PRICING_HEAD = "\n[grid]\n", "\n[pricing]\n"


@pytest.fixture(scope="module")
def document() -> str:
    return (DEAL / "deal.toml").read_text(encoding="utf-8")


def written(text: str, path: Path) -> Path:
    folder = path / "deal"
    folder.mkdir()
    (folder / "deal.toml").write_text(text, encoding="utf-8")
    shutil.copy(DEAL / "pool.csv", folder)
    return folder


def test_a_folder_need_not_ask(tmp_path: Path) -> None:
    folder = read_folder(write_small_deal(tmp_path / "small"))
    assert (folder.grid, folder.pricing) == (None, None)


def test_items_are_those_of_a_grid() -> None:
    """The list that a folder is checked against, and what the grid really gives."""
    folder = read_folder(DEAL)
    base = select(read_scenarios(folder.scenarios), "base")
    found = run_grid(folder.deal, folder.pool, base, {"speed": [0.015]})
    assert sorted(found.items) == sorted(grid_items([c.name for c in folder.deal.classes]))
    assert {"speed", "loss", "severity"} == set(AXES) & {column.heading for column in GRID.columns}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            'scenario = "stress"\nitem',
            'scenario = "storm"\nitem',
            r"'scenario'.*no scenario 'storm'; known: base",
        ),
        ('item = "A-4 average life"', 'item = "moon"', r"key 'item'.*'moon' is not one of: net loss"),
        ("speed = [0.0050, 0.0100, 0.0130, 0.0150]", "speed = []", r"key 'speed'.*a list of numbers"),
        ("speed = [0.0050, 0.0100, 0.0130, 0.0150]", "speed = [1.5]", r"key 'speed'.*6% as 0.06"),
        ("speed = [0.0050, 0.0100, 0.0130, 0.0150]", "speed = 0.015", r"key 'speed'.*a list of numbers"),
        ("loss = [0.00, 0.02", "loss = [0.02, 0.02", r"key 'loss'.*do not rise \(list each once"),
        ("loss = [0.00, 0.02", 'loss = ["none", 0.02', r"key 'loss'.*no number"),
        ("loss = [0.00, 0.02", "loss = [-0.01, 0.02", r"key 'loss'.*list of decimals"),
        ("severity = [0.50, 0.60]", "severity = [0.0, 0.60]", r"key 'severity'.*severity of 0"),
        ("severity = [0.50, 0.60]", "severities = [0.50]", r"severities"),
        ('scenario = "stress"\nitem', 'scenario = "base"\nitem', r"key 'loss'.*no default model"),
        (GRID_HEAD, "\n[[grid]]\n", r"\[grid\] is one table \(write \[grid\] once"),
        ("settlement = 1999-10-28", "settlement = 1999-10-27", r"'settlement'.*before the securities exist"),
        ("frequency = 2", "frequency = 3", r"key 'frequency'.*3 compoundings a year \(give 1, 2, 4 or 12"),
        ('class = "A-4"\nquotes', 'class = "Z"\nquotes', r"key 'class'.*'Z' is not one of"),
        ("quotes = [99.0", "quotes = [0.0", r"key 'quotes'.*above 0"),
        ('class = "A-2"\nprice', 'class = "B"\nprice', r"table Prices, entry 2, key 'class'.*no class 'B'"),
        (
            'class = "A-2"\nprice',
            'class = "A-1"\nprice',
            r"table Prices, entry 2, key 'class'.*priced twice",
        ),
        ("price = 99.99483", "price = 0", r"table Prices, entry 3, key 'price'.*par is 100"),
        ("price = 99.99483", 'price = "par"', r"table Prices, entry 3, key 'price'.*the text 'par'"),
        (
            'price = 99.99483\nstatus = "stated"\npage = "1"',
            'price = 99.99483\nstatus = "stated"',
            r"table Prices, entry 3, key 'page'.*give the page, or say assumed",
        ),
        ('price = 99.99483\nstatus = "stated"', 'price = 99.99483\nstatus = "read"', r"'read' is not one of"),
        (PRICING_HEAD, "\n[[pricing]]\n", r"\[pricing\] is one table"),
    ],
)
def test_bad_input_is_refused_at_its_place(
    document: str, old: str, new: str, words: str, tmp_path: Path
) -> None:
    assert document.count(old) == 1, old
    with pytest.raises(XlmodelError, match=words) as caught:
        read_folder(written(document.replace(old, new), tmp_path))
    assert str(caught.value.place.file).endswith("deal.toml")


def test_prices_and_pricing_go_together(document: str, tmp_path: Path) -> None:
    head, _, tail = document.partition(PRICING_HEAD)
    prices = tail[tail.index("[[prices]]") :]
    with pytest.raises(XlmodelError, match=r"\[pricing\] is missing"):
        read_folder(written(f"{head}\n{prices}", tmp_path))


def test_a_grid_for_a_cluster_is_no_sheet(document: str, tmp_path: Path) -> None:
    many = f"severity = {[round(0.5 + n / 1000, 3) for n in range(17)]}"
    with pytest.raises(XlmodelError, match=r"408 scenarios .*run xlmodel grid"):
        read_folder(written(document.replace("severity = [0.50, 0.60]", many), tmp_path))


def test_reported_months_leave_nothing_to_ask(document: str, tmp_path: Path) -> None:
    folder = tmp_path / "reported"
    shutil.copytree(DEAL.parent / "carmax_2024_2", folder)
    reported = (folder / "deal.toml").read_text(encoding="utf-8")
    tail = document[document.index(GRID_HEAD) : document.index(PRICING_HEAD)]
    known = read_folder(folder).deal.classes[0].name
    asked = tail.replace("A-4", known).replace("stress", "base")
    asked = asked.replace("loss = [0.00, 0.02, 0.04, 0.06, 0.08, 0.10]", "loss = [0.0]")
    (folder / "deal.toml").write_text(f"{reported}\n{asked}", encoding="utf-8")
    with pytest.raises(XlmodelError, match="months were reported"):
        read_folder(folder)
