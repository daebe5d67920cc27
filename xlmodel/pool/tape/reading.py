"""read_tape(file) -> Tape: the contracts of a file as a pool, and every rejected row with its reason.

Files are read in chunks of rows, so that memory is that of the contracts and not of the file's text.  A file
that is no tape at all (a missing column, a wrong encoding, a broken XML) raises; a row that is no contract
is rejected and listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xlmodel.errors import BadTape, XlmodelError
from xlmodel.pool.contracts import Pool
from xlmodel.pool.tape import fields
from xlmodel.pool.tape.chunks import chunks_of
from xlmodel.pool.tape.fields import BALANCE, FIELDS, LOAN, ORIGINAL, ORIGINATION, RATE, REMAINING
from xlmodel.pool.tape.source import Chunk, Options

Floats = NDArray[np.float64]


class Rejection(NamedTuple):
    """A row that is no contract: its number in the file, its loan number, the field, what is wrong."""

    row: int
    loan: str
    field: str
    reason: str


@dataclass(frozen=True)
class Tape:
    """Contracts as a pool, in the order of the file; ``rows`` are their numbers in it, headings included.

    ``read`` = contracts + rejected.  ``columns`` says which heading each field was found under; of the
    headings in ``unread`` nothing was taken.
    """

    pool: Pool
    rows: NDArray[np.int64]
    read: int
    rejected: tuple[Rejection, ...]
    columns: Mapping[str, str]
    unread: tuple[str, ...]


def read_tape(file: Path, options: Options | None = None) -> Tape:
    """Read a tape; the ending of its name says how.

    Raises BadTape, with the file and where in it, for a file that cannot be read as a tape or in which no row
    is a contract.
    """
    gathered = _Gathered(options or Options())
    try:
        for chunk in chunks_of(file, gathered.options):
            gathered.add(chunk)
        return gathered.tape()
    except XlmodelError as error:
        raise error.at(file=str(file)) from None


class _Gathered:
    """What has been read so far."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.places: dict[str, int] = {}
        self.headings: Sequence[str] = ()
        self.percent = False
        self.read = 0
        self.rejected: list[Rejection] = []
        self.numbers: list[Floats] = []
        self.rows: list[NDArray[np.int64]] = []
        self.loans: list[str] = []
        self.seen: dict[str, int] = {}

    def add(self, chunk: Chunk) -> None:
        if not self.places:
            self.headings = chunk.headings
            self.places = fields.find_columns(chunk.headings, self.options.columns)
            heading = chunk.headings[self.places[RATE]]
            self.percent = self.options.percent or (
                self.options.percent is None and fields.percent_heading(heading)
            )
        self.read += len(chunk.rows)
        reasons: dict[int, tuple[str, str]] = {n: ("", reason) for n, reason in chunk.broken.items()}
        numbers = {
            field.name: _numbers(chunk.columns[self.places[field.name]], field, reasons)
            for field in FIELDS
            if field.read is not None and field.name in self.places
        }
        if self.percent:
            numbers[RATE] = np.round(numbers[RATE] / 100, 12)
        self._check(numbers, reasons)
        loans = self._loans(chunk, reasons)
        good = np.ones(len(chunk.rows), dtype=bool)
        for n in sorted(reasons):
            good[n] = False
            self.rejected.append(Rejection(int(chunk.rows[n]), loans[n], *reasons[n]))
        self.numbers.append(
            np.stack([numbers[name] for name in (BALANCE, RATE, ORIGINAL, REMAINING)])[:, good]
        )
        self.rows.append(chunk.rows[good])
        self.loans += loans if good.all() else [loans[n] for n in np.flatnonzero(good).tolist()]

    def tape(self) -> Tape:
        if not self.loans:
            first = (
                f"; the first: row {self.rejected[0].row}, {self.rejected[0].reason}" if self.rejected else ""
            )
            raise BadTape(f"no row of {self.read:,} is a contract{first}", remedy="check the column map")
        columns = np.concatenate(self.numbers, axis=1)
        return Tape(
            pool=Pool(tuple(self.loans), *columns),
            rows=np.concatenate(self.rows),
            read=self.read,
            rejected=tuple(self.rejected),
            columns={name: str(self.headings[place]) for name, place in self.places.items()},
            unread=tuple(
                str(heading) for n, heading in enumerate(self.headings) if n not in self.places.values()
            ),
        )

    def _loans(self, chunk: Chunk, reasons: dict[int, tuple[str, str]]) -> list[str]:
        """Loan numbers; a second row of one is rejected, because nobody can say which of the two is right."""
        if LOAN not in self.places:
            return [str(row) for row in chunk.rows.tolist()]
        loans = [_text(cell) for cell in chunk.columns[self.places[LOAN]]]
        for n, loan in enumerate(loans):
            if n in reasons:
                continue
            if not loan:
                reasons[n] = (LOAN, "the loan number is blank")
            elif loan in self.seen:
                reasons[n] = (LOAN, f"the loan number {loan} stands in row {self.seen[loan]} already")
            else:
                self.seen[loan] = int(chunk.rows[n])
        return loans

    def _check(self, numbers: dict[str, Floats], reasons: dict[int, tuple[str, str]]) -> None:
        """Numbers that no contract has; the first thing that is wrong with a row is its reason."""
        balance, rate = numbers[BALANCE], numbers[RATE]
        original, remaining = numbers[ORIGINAL], numbers[REMAINING]

        def refuse(bad: NDArray[np.bool_], name: str, sentence: str, shown: Floats) -> None:
            for n in np.flatnonzero(bad).tolist():
                reasons.setdefault(n, (name, sentence.format(shown[n])))

        with np.errstate(invalid="ignore"):
            refuse(balance < 0, BALANCE, "the balance {:,.2f} is negative", balance)
            refuse(balance == 0, BALANCE, "nothing is owed: the balance is {:.0f}", balance)
            refuse(rate < 0, RATE, "the rate {:g} is negative", rate)
            unit = (
                "a rate of {:.0%}" if self.percent else "a rate of {:g} as a decimal; say --percent if it is"
            )
            refuse(rate >= 1, RATE, unit, rate)
            for name, term in ((ORIGINAL, original), (REMAINING, remaining)):
                refuse(term < 1, name, f"the {name} of {{:g}} months is less than 1", term)
                refuse(
                    term != np.floor(term), name, f"the {name} of {{:g}} is no whole number of months", term
                )
                refuse(term > _LONGEST, name, f"the {name} of {{:g}} months is longer than {_LONGEST}", term)
            refuse(
                remaining > original, REMAINING, "{:g} months remain, more than the original term", remaining
            )
        if ORIGINATION in numbers:
            day = numbers[ORIGINATION]
            refuse(day < -25567, ORIGINATION, "the origination date lies before 1900 ({:.0f} days)", day)


_LONGEST = 1200


def _numbers(cells: Sequence[Any], field: fields.Field, reasons: dict[int, tuple[str, str]]) -> Floats:
    """A column of cells as numbers; NaN with a reason where a cell is none."""
    if field.name != ORIGINATION:
        try:
            found = np.array(cells, dtype=np.float64)
            if np.isfinite(found).all() and not any(isinstance(cell, bool) for cell in cells[:1]):
                return found
        except (TypeError, ValueError):
            pass
    assert field.read is not None
    known: dict[Any, float] = {}
    found = np.full(len(cells), np.nan)
    for n, cell in enumerate(cells):
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            if field.required:
                reasons.setdefault(n, (field.name, f"the {field.name} is blank"))
            continue
        try:
            value = known.get(cell)
            if value is None:
                value = known[cell] = field.read(cell)
        except (ValueError, OverflowError) as error:
            reasons.setdefault(n, (field.name, str(error)))
            continue
        if np.isfinite(value):
            found[n] = value
        else:
            reasons.setdefault(n, (field.name, f"{cell} is no finite number"))
        if len(known) > _REMEMBERED:
            known.clear()
    return found


_REMEMBERED = 10_000


def _text(cell: Any) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell).strip()
