"""Refresh: what the file shows afterwards, read by programs that are not ours."""

from __future__ import annotations

import csv
import hashlib
import math
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest

from tests.deal.tie import DEAL, SPEEDS, rep_lines
from tests.workbook.sheets_of import edit, find, named
from xlmodel.analytics.life import average_life
from xlmodel.conventions import day_count
from xlmodel.deal.definition import Deal
from xlmodel.deal.folder import read_folder
from xlmodel.deal.waterfall import run
from xlmodel.errors import CellFailed
from xlmodel.pool.contracts import Pool
from xlmodel.pool.projection import project
from xlmodel.workbook.refresh import read_package, refresh

CLASSES = ("A-1", "A-2", "A-3", "A-4", "Certificates")


def refreshed(path: Path) -> None:
    path.write_bytes(refresh(read_package(path)).data)


def printed(name: str) -> list[dict[str, str]]:
    with (DEAL / "published" / name).open(newline="") as file:
        return list(csv.DictReader(file))


def half_up(value: float, decimals: int) -> float:
    scale = 10.0**decimals
    return math.floor(value * scale + 0.5) / scale


def test_openpyxl_reads_880_tied_cells_147_of_them_informative(built: Path) -> None:
    block = named(built / "carmax_1999_1.xlsx", "Decrement")
    assert (len(block), {len(row) for row in block}) == (45, {20})
    tied = informative = 0
    for row in printed("decrement_table.csv"):
        if row["period"] != "0":
            column = CLASSES.index(row["class"]) * 4 + SPEEDS.index(
                round(float(row["abs_speed_pct"]) / 100, 6)
            )
            hit = half_up(block[int(row["period"])][column], 3) == round(
                float(row["percent_of_initial"]) / 100, 3
            )
            tied += hit
            informative += hit and float(row["percent_of_initial"]) not in (0, 100)
    assert (tied, informative) == (880, 147)


def test_pandas_reads_the_same_decrement_table(built: Path) -> None:
    path = built / "carmax_1999_1.xlsx"
    ((sheet, reference),) = openpyxl.load_workbook(path).defined_names["Decrement"].destinations
    frame = pd.read_excel(path, sheet_name=sheet, header=None)
    top = int("".join(filter(str.isdigit, reference.split(":")[0])))
    rows = frame.iloc[top - 1 : top + 44].dropna(axis=1, how="all")
    values = rows.iloc[:, -20:].to_numpy(dtype=float)
    assert values.tolist() == named(path, "Decrement")


def test_average_lives_and_first_interest_tie(built: Path) -> None:
    path = built / "carmax_1999_1.xlsx"
    lives = named(path, "AverageLife")
    rows = printed("weighted_average_life.csv")
    hits = [
        half_up(lives[CLASSES.index(r["class"])][SPEEDS.index(round(float(r["abs_speed_pct"]) / 100, 6))], 2)
        == float(r["wal_years"])
        for r in rows
    ]
    assert (len(hits), sum(hits)) == (20, 20)
    interest = [[float(r["first_period_interest"])] for r in printed("classes.csv")]
    assert named(path, "FirstInterest") == interest


def test_a_second_refresh_changes_no_byte(workbook: Path) -> None:
    before = hashlib.sha256(workbook.read_bytes()).hexdigest()
    refreshed(workbook)
    assert hashlib.sha256(workbook.read_bytes()).hexdigest() == before


Change = tuple[dict[tuple[str, int, int], Any], Callable[[Deal, Pool], tuple[Deal, Pool]], tuple[float, ...]]


def with_class(deal: Deal, position: int, **changes: Any) -> Deal:
    changed = replace(deal.classes[position], **changes)
    return replace(deal, classes=(*deal.classes[:position], changed, *deal.classes[position + 1 :]))


def change(name: str, path: Path) -> Change:
    """An edit of the workbook, the same change for the Python API, and the speeds then."""
    unchanged = SPEEDS
    match name:
        case "speed":
            return {("Speeds", 1, 1): 0.0075}, lambda d, p: (d, p), (0.0075, *SPEEDS[1:])
        case "coupon":
            return (
                {find(path, "Classes", 0.0676): 0.0876},
                lambda d, p: (with_class(d, 2, rate=0.0876), p),
                unchanged,
            )
        case "class balance":
            return (
                {find(path, "Classes", 88_278_000): 80_000_000},
                lambda d, p: (with_class(d, 3, balance=8_000_000_000), p),
                unchanged,
            )
        case "pool balance":
            return (
                {find(path, "Pools", 77_544_804.57): 70_000_000},
                lambda d, p: (d, replace(p, balance=np.where(p.balance == 77_544_804.57, 7e7, p.balance))),
                unchanged,
            )
        case "day count":
            return (
                {find(path, "Classes", "actual/360"): "30/360"},
                lambda d, p: (with_class(d, 0, day_count=day_count.find("30/360")), p),
                unchanged,
            )
    raise AssertionError(name)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["speed", "coupon", "class balance", "pool balance", "day count"])
def test_an_edited_input_gives_what_the_python_api_gives(workbook: Path, name: str) -> None:
    edits, same, speeds = change(name, workbook)
    before = named(workbook, "Decrement"), named(workbook, "FirstInterest")
    edit(workbook, edits)
    refreshed(workbook)
    folder = read_folder(DEAL)
    deal, pool = same(folder.deal, rep_lines(folder))
    paid = run(deal, project(pool, np.array(speeds)))
    table = named(workbook, "Decrement")
    factor = paid.factor[:, :44].transpose(1, 2, 0).reshape(44, 20)
    # openpyxl, which made the edit, writes 16 digits of the cells that an array fills.
    np.testing.assert_allclose(table[1:], factor, rtol=1e-14)
    np.testing.assert_allclose(named(workbook, "AverageLife"), average_life(deal, paid).T, rtol=1e-14)
    base = run(deal, project(pool, np.array([folder.base_speed])))
    assert named(workbook, "FirstInterest") == (base.interest[0, 0] / 100)[:, None].tolist()
    assert (table, named(workbook, "FirstInterest")) != before


@pytest.mark.parametrize(
    ("where", "value", "parts"),
    [
        (("Classes", 155_250_000), -155_250_000, ["balance", "negative"]),
        (("Classes", 0.0647), "6.47%", ["text '6.47%'"]),
        (("Classes", "A-2"), None, ["class is blank"]),
        (("Classes", "actual/360"), None, ["day count is blank"]),
        (("Speeds", 0.01), -0.01, ["-0.01", "a speed is zero or more"]),
        (("Speeds", 0.015), 1, ["1 is not between", "write 1.5% as 0.015"]),
        (("Payments", "remainder"), "sweep", ["'sweep' is no kind of amount", "remainder"]),
    ],
)
def test_bad_input_names_the_cell_and_writes_nothing(
    workbook: Path, where: tuple[str, object], value: object, parts: list[str]
) -> None:
    cell = find(workbook, *where)
    ((_, place),) = edit(workbook, {cell: value}).items()
    before = workbook.read_bytes()
    with pytest.raises(CellFailed) as raised:
        refresh(read_package(workbook))
    message = str(raised.value)
    sheet, _, address = place.rpartition("!")
    quoted = f"'{sheet}'" if "-" in sheet or " " in sheet else sheet
    assert f"because of {quoted}!{address}" in message
    assert [part for part in parts if part not in message] == [], message
    assert workbook.read_bytes() == before


@pytest.mark.soak
def test_a_high_speed_that_pays_the_pool_off_early_is_no_bad_input(workbook: Path) -> None:
    edit(workbook, {("Speeds", 1, 4): 0.6})
    refreshed(workbook)
    assert named(workbook, "Decrement")[2][3::4] == [0, 0, 0, 0, 0]


@pytest.mark.soak
def test_keep_errors_writes_them(workbook: Path) -> None:
    edit(workbook, {("Speeds", 1, 1): -1})
    workbook.write_bytes(refresh(read_package(workbook), keep_errors=True).data)
    assert {cell for row in named(workbook, "Decrement") for cell in row} == {"#NUM!"}
    assert named(workbook, "FirstInterest")[0][0] == 1_283_917.5  # at the base speed, which is good


def test_only_sheets_and_charts_with_other_values_are_touched(workbook: Path) -> None:
    """Stale caches in one sheet: that part changes, every other part is the same to the byte."""
    stale = zipfile.ZipFile(workbook)
    package = read_package(workbook)
    part = package.sheets["Decrement"]
    wrong = package.read(part).replace(b"<v>1</v>", b"<v>0.5</v>", 1)
    workbook.write_bytes(package.replace({part: wrong}))
    refreshed(workbook)
    after = zipfile.ZipFile(workbook)
    assert after.namelist() == stale.namelist()
    assert [n for n in stale.namelist() if stale.read(n) != after.read(n)] == []


def test_the_committed_workbook_is_a_fresh_build_and_refresh(built: Path) -> None:
    """Every part alike; numbers to 13 digits, because the last bits of exp differ between processors."""
    committed, fresh = (zipfile.ZipFile(f / "carmax_1999_1.xlsx") for f in (DEAL, built))
    assert committed.namelist() == fresh.namelist()
    for name in fresh.namelist():
        old, new = committed.read(name), fresh.read(name)
        if old != new:
            olds, news = (split_numbers(part) for part in (old, new))
            assert olds[0] == news[0], f"{name} is stale: run make workbooks"
            np.testing.assert_allclose(olds[1], news[1], rtol=1e-13, atol=1e-13, err_msg=name)


def split_numbers(xml: bytes) -> tuple[list[str], list[float]]:
    """A sheet's or chart's XML without its cached numbers, and those numbers."""
    texts, numbers = [], []
    for piece in xml.decode().replace("<c:v>", "<v>").replace("</c:v>", "</v>").split("<v>"):
        value, _, rest = piece.partition("</v>")
        try:
            numbers.append(float(value))
            texts.append(rest)
        except ValueError:
            texts.append(piece)
    return texts, numbers
