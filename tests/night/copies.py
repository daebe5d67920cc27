"""Many copies of the flagship with inputs of their own, and the Python API's answers for the same inputs."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.deal.tie import DEAL, SPEEDS, rep_lines
from xlmodel.analytics.life import average_life
from xlmodel.deal.folder import read_folder
from xlmodel.deal.waterfall import run
from xlmodel.night.job import Job
from xlmodel.package.address import Address, Block
from xlmodel.package.guard import open_package
from xlmodel.package.sheet import read_sheets
from xlmodel.pool.projection import project
from xlmodel.workbook.refresh import read_package


@dataclass(frozen=True)
class Inputs:
    """What a copy has of its own: the first of the four speeds, and the rate of class A-1."""

    speed: float
    rate: float


def inputs(count: int) -> list[Inputs]:
    """Speeds from 0.20% to 0.49% ABS and rates from 5% on, no two pairs alike."""
    return [Inputs(round(0.002 + 0.0001 * (n % 30), 4), round(0.05 + 0.0001 * n, 4)) for n in range(count)]


def write_copies(folder: Path, wanted: Sequence[Inputs]) -> list[Job]:
    """The copies, their inputs changed and their results as stale as if a person had typed them."""
    package = read_package(DEAL / f"{DEAL.name}.xlsx")
    speed = Block.parse(package.defined_names["Speeds"])
    classes = Block.parse(package.defined_names["Classes"])
    jobs = []
    for number, one in enumerate(wanted):
        rate = Address(classes.top + 1, classes.left + 3)  # class, group, balance, rate
        new: dict[str, bytes] = {}
        for block, address, value in ((speed, speed.anchor, one.speed), (classes, rate, one.rate)):
            part = package.sheets[str(block.sheet)]
            new[part] = _typed_in(new.get(part, package.read(part)), address, value)
        path = folder / f"copy{number:03}.xlsx"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(package.replace(new))
        jobs.append(Job(path, path, DEAL / "published"))
    return jobs


def _typed_in(xml: bytes, address: Address, value: float) -> bytes:
    """A sheet with another number in a cell that holds one; nothing is recalculated."""
    cell = re.compile(rb'(<c r="%s"[^>]*><v>)[^<]*(</v>)' % str(address).encode())
    changed, count = cell.subn(rb"\g<1>%s\g<2>" % repr(value).encode(), xml)
    assert count == 1, address
    return changed


def difference(book: Path, one: Inputs) -> float:
    """The largest difference of a copy's decrement table, lives and first interest from the Python API's."""
    folder = read_folder(DEAL)
    first, *others = folder.deal.classes
    changed = dataclasses.replace(first, rate=one.rate)
    deal = dataclasses.replace(folder.deal, classes=(changed, *others))
    speeds = np.array([one.speed, *SPEEDS[1:]])
    paid = run(deal, project(rep_lines(folder), speeds))
    package = open_package(book.read_bytes(), name=book.name)
    sheets = read_sheets(package)

    def block(name: str) -> np.ndarray:
        where = Block.parse(package.defined_names[name])
        cells = sheets[str(where.sheet)].cells
        return np.array([float(cells[at].value or 0.0) for at in where.cells()]).reshape(where.shape)

    scenarios, dates, notes = paid.factor.shape
    # a row a date, closing before the first; within a class a column a speed
    factors = paid.factor.transpose(1, 2, 0).reshape(dates, notes * scenarios)
    shown = block("Decrement")[1:]
    apart = [np.abs(shown - factors[: len(shown)]).max()]
    apart.append(np.abs(block("AverageLife") - average_life(deal, paid).T).max())
    apart.append(np.abs(block("FirstInterest")[:, 0] - paid.interest[0, 0] / 100).max())
    return float(max(apart))


def peak_megabytes() -> float:
    """The most memory that this program has had.  What getrusage tells begins with that of its parent."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    highest = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(highest.split()[1]) / 1024
