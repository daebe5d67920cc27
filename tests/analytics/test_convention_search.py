"""The conventions of two deals, found without being told."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from tests.deal.tie import DEAL, rep_lines
from xlmodel.analytics.convention_search import (
    AT_MOST,
    BELOW,
    CUTOFF,
    ORIGINATION,
    TO_MATURITY,
    PrintedCell,
    Reading,
    search,
    together,
)
from xlmodel.deal.folder import read_folder
from xlmodel.workbook.convention_search import search_folder

pytestmark = pytest.mark.soak


def test_the_conventions_of_1999_1_are_found_blind() -> None:
    found = search_folder(DEAL)
    assert (found.cells, len(found.readings)) == (900, 2 * 3 * 3 * 3 * 7 * 4)
    best = found.ties[0]
    assert (best.age, best.first_months, best.rounding) == (ORIGINATION, 2, "half up")
    assert (best.lives_from, best.day_count) == (dt.date(1999, 10, 27), "30/360")
    # What else ties is printed, not hidden: no printed pool is exactly at the call's limit.
    assert {each.call for each in found.ties} == {AT_MOST, BELOW}
    assert {(each.age, each.first_months, each.day_count) for each in found.ties} == {
        (ORIGINATION, 2, "30/360")
    }
    wrong = next(
        r
        for r in found.readings
        if (r.age, r.first_months, r.call, r.rounding) == (CUTOFF, 2, AT_MOST, "half up")
    )
    assert "printed" in wrong.first_miss
    assert "computed" in wrong.first_miss


def test_the_conventions_of_2010_2_are_found_blind() -> None:
    found = search_folder(Path(DEAL).parent / "carmax_2010_2")
    best = found.ties[0]
    assert (best.age, best.first_months, best.rounding) == (ORIGINATION, 1, "half up")
    assert all(each.first_months == 1 for each in found.ties)


@pytest.mark.parametrize(
    ("reading", "count"),
    [((CUTOFF, 2, AT_MOST), 710), ((ORIGINATION, 1, AT_MOST), 713), ((ORIGINATION, 2, TO_MATURITY), 827)],
)
def test_wrong_readings_tie_as_many_cells_as_an_independent_program_found(
    reading: tuple[str, int, str], count: int
) -> None:
    folder = read_folder(DEAL)
    cells = printed_decrement()
    found = search(folder.deal, rep_lines(folder), folder.speeds, cells)
    ties = {(r.age, r.first_months, r.call): r.tied for r in found.readings if r.rounding == "half up"}
    assert ties[reading] == count
    assert ties[(ORIGINATION, 2, AT_MOST)] == found.cells == 880
    # The terms of the folder play no part.
    spoilt = replace(folder.deal, first_collection_months=1)
    again = search(spoilt, rep_lines(folder), folder.speeds, cells)
    assert again.readings[0] == found.readings[0]


def printed_decrement() -> list[PrintedCell]:
    import csv

    names = [note_class.name for note_class in read_folder(DEAL).deal.classes]
    speeds = ["0.50", "1.00", "1.50", "1.80"]
    with (DEAL / "published" / "decrement_table.csv").open(newline="") as file:
        return [
            PrintedCell(
                names.index(row["class"]),
                speeds.index(row["abs_speed_pct"]),
                int(row["period"]),
                float(row["percent_of_initial"]) / 100,
                3,
            )
            for row in csv.DictReader(file)
            if int(row["period"])
        ]


def test_readings_that_nothing_printed_tells_apart_are_told_together() -> None:
    def reading(call: str, rounding: str, tied: int = 9) -> Reading:
        return Reading(ORIGINATION, 2, call, rounding, None, "30/360", tied, 3, "first miss")

    square = [reading(call, rounding) for call in (AT_MOST, BELOW) for rounding in ("half up", "down")]
    ((words, one),) = together(square)
    assert words == (
        "age from origination, 2 months in the first payment, call at or below or call below, "
        "rounded half up or down"
    )
    assert one is square[0]
    # Three of the four are no "or" of choices, and another count is another line.
    assert [words for words, _ in together(square[:3])] == [each.words for each in square[:3]]
    assert len(list(together([*square, reading(TO_MATURITY, "down", tied=8)]))) == 2
