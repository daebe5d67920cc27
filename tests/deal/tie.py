"""The published decrement table of CarMax 1999-1, and how many of its cells a run ties."""

from __future__ import annotations

import csv
import math
from pathlib import Path

from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import DealFolder
from xlmodel.pool.contracts import Pool

DEAL = Path(__file__).parents[2] / "workbooks" / "carmax_1999_1"
SPEEDS = (0.0050, 0.0100, 0.0150, 0.0180)


def rep_lines(folder: DealFolder) -> Pool:
    """The pool of a deal folder whose collateral is contracts."""
    assert isinstance(folder.pool, Pool)
    return folder.pool


def tied_cells(paid: Distributions, speeds: tuple[float, ...] = SPEEDS) -> tuple[int, int]:
    """(cells that tie, those of them that are neither 0 nor 100); the closing row does not count.

    Read and rounded here by itself, without the code that validates workbooks.
    """
    tied = informative = 0
    with (DEAL / "published" / "decrement_table.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            period = int(row["period"])
            if period == 0:
                continue
            scenario = [f"{speed * 100:.2f}" for speed in speeds].index(row["abs_speed_pct"])
            factor = paid.factor[scenario, period - 1, paid.classes.index(row["class"])]
            printed = float(row["percent_of_initial"])
            if math.isclose(math.floor(factor * 1000 + 0.5) / 10, printed, abs_tol=1e-9):
                tied += 1
                informative += printed not in (0, 100)
    return tied, informative
