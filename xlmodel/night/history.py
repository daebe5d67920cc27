"""The history of a workbook: an SQLite file beside it, with every cell as each run found or left it.

A cell has a row in ``state`` only for a run in which it differs from the run before, so that a number that
never moves costs one row.  The file is read whole, extended in memory and replaced whole: nothing of it is
ever half written, and it works on network drives, where SQLite's own locks do not.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlmodel.errors import BadHistory
from xlmodel.package.address import Address
from xlmodel.package.values import ErrorCode, Value, same

if TYPE_CHECKING:
    from xlmodel.faces.headless import Evaluation
    from xlmodel.package.parts import Package

SCHEMA = 1
RUNS_KEPT = 500
"""Runs whose cells are kept; of older ones only what still holds."""

_TABLES = f"""
CREATE TABLE run (
    id INTEGER PRIMARY KEY, time TEXT NOT NULL, status TEXT NOT NULL, error TEXT, seconds REAL,
    input TEXT, output TEXT, published TEXT, functions TEXT, code TEXT
);
CREATE TABLE cell (
    id INTEGER PRIMARY KEY, sheet TEXT NOT NULL, row INTEGER NOT NULL, "column" INTEGER NOT NULL,
    UNIQUE (sheet, row, "column")
);
-- role: i an input, f a formula, r a result that an array formula fills, - no cell any more
-- kind: n number, t text, b boolean, e error, - nothing
CREATE TABLE state (
    cell INTEGER NOT NULL REFERENCES cell, run INTEGER NOT NULL REFERENCES run,
    role TEXT NOT NULL, formula TEXT, fills TEXT, kind TEXT NOT NULL, value,
    PRIMARY KEY (cell, run)
) WITHOUT ROWID;
CREATE TABLE name (name TEXT PRIMARY KEY, reference TEXT NOT NULL);
PRAGMA user_version = {SCHEMA};
"""

_MAGIC = b"SQLite format 3\x00"

INPUT, FORMULA, RESULT, GONE = "i", "f", "r", "-"

Place = tuple[str, Address]


@dataclass(frozen=True)
class State:
    """A cell in a run: its role, its formula with the range that it fills, and its value."""

    role: str
    formula: str | None
    fills: str | None
    value: Value

    def like(self, other: State) -> bool:
        return (
            (self.role, self.formula, self.fills) == (other.role, other.formula, other.fills)
            and same(self.value, other.value)
        )  # fmt: skip


@dataclass(frozen=True)
class Snapshot:
    """All cells of an evaluated workbook, and its names."""

    cells: Mapping[Place, State]
    names: Mapping[str, str]


@dataclass(frozen=True)
class Run:
    """What the history says of a run besides its cells."""

    time: str
    status: str
    error: str | None
    seconds: float
    input: str
    output: str | None
    published: str
    functions: str
    code: str


@dataclass(frozen=True)
class Change:
    """A cell that differs from the run before; None is a cell that was not there, or is not any more."""

    place: Place
    old: State | None
    new: State | None

    @property
    def distance(self) -> float:
        """How far a number moved, as a part of what it was; infinite where it was or is no number."""
        old, new = (state.value if state else None for state in (self.old, self.new))
        if isinstance(old, bool) or not isinstance(old, float):
            return math.inf
        if isinstance(new, bool) or not isinstance(new, float):
            return math.inf
        return abs(new - old) / abs(old) if old else math.inf


@dataclass(frozen=True)
class Changes:
    """What differs from the run before: inputs (formulas' texts included), and results.

    ``since``: the time of that run; None in the first one, in which nothing differs.  The counts are of all,
    even where the lists are cut.
    """

    since: str | None
    inputs: tuple[Change, ...]
    results: tuple[Change, ...]
    input_count: int
    result_count: int

    def most_telling(self, most: int = 100) -> Changes:
        """The same with so many of each list: inputs as they come, results by how far they moved."""
        results = sorted(self.results, key=lambda change: -change.distance)[:most]
        return replace(self, inputs=self.inputs[:most], results=tuple(results))


def history_file(target: Path) -> Path:
    """Where the history of a workbook lies: ``book.xlsx.sqlite``."""
    return target.with_name(f"{target.name}.sqlite")


def take(package: Package, evaluation: Evaluation) -> Snapshot:
    """The snapshot of an evaluated workbook; blank cells are left out."""
    cells: dict[Place, State] = {}
    for name, sheet in evaluation.sheets.items():
        values = evaluation.values.get(name, {})
        for address, cell in sheet.cells.items():
            if cell.formula is not None:
                fills = None if cell.array is None else str(cell.array)
                cells[name, address] = State(FORMULA, cell.formula, fills, values.get(address))
            elif address not in values and cell.value is not None:
                cells[name, address] = State(INPUT, None, None, cell.value)
        for address, value in values.items():
            if (name, address) not in cells:
                cells[name, address] = State(RESULT, None, None, value)
    return Snapshot(cells, dict(package.defined_names))


class History:
    """A history in memory.  ``read`` it, ``add`` to it, put ``data`` in the file's place, ``close`` it."""

    def __init__(self, data: bytes | None = None, *, name: str = "history") -> None:
        self._database = sqlite3.connect(":memory:")
        try:
            if data is None:
                self._database.executescript(_TABLES)
            elif not data.startswith(_MAGIC):
                raise sqlite3.DatabaseError("it does not begin as an SQLite file does")
            else:
                self._database.deserialize(data)
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error as error:
            self.close()
            raise BadHistory(f"it is no history: {error}").at(file=name) from None
        if version != SCHEMA:
            self.close()
            raise BadHistory(f"it has schema {version}, this program knows {SCHEMA}").at(file=name)

    @classmethod
    def read(cls, target: Path) -> History:
        """The history of a workbook; an empty one if it has none.  Raises BadHistory."""
        file = history_file(target)
        try:
            data = file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return cls()
        except OSError as error:
            raise BadHistory(f"it cannot be read: {error.strerror or error}").at(file=str(file)) from None
        return cls(data, name=str(file))

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def data(self) -> bytes:
        """The whole file."""
        return self._database.serialize()

    def add(self, run: Run, snapshot: Snapshot | None) -> Changes | None:
        """Enter a run; without a snapshot (nothing could be evaluated) the cells stay as they were known."""
        with self._database:
            number = self._enter(run)
            if snapshot is None:
                return None
            before = self.latest()
            since = self._database.execute(
                "SELECT max(time) FROM run WHERE id < ? AND output IS NOT NULL", (number,)
            ).fetchone()
            changes = list(_changes(before, snapshot.cells))
            self._write(number, changes)
            self._database.execute("DELETE FROM name")
            self._database.executemany("INSERT INTO name VALUES (?, ?)", snapshot.names.items())
            self._forget(number - RUNS_KEPT)
        if not before:
            return Changes(None, (), (), 0, 0)
        inputs = tuple(change for change in changes if is_input(change))
        results = tuple(change for change in changes if not is_input(change))
        return Changes(since[0], inputs, results, len(inputs), len(results))

    def latest(self, upto: int | None = None) -> dict[Place, State]:
        """Every cell as it was after a run, the last one by default."""
        rows = self._database.execute(
            """SELECT c.sheet, c.row, c."column", s.role, s.formula, s.fills, s.kind, s.value, max(s.run)
               FROM state s JOIN cell c ON c.id = s.cell WHERE s.run <= ? GROUP BY s.cell""",
            (upto if upto is not None else 2**62,),
        )
        return {
            (sheet, Address(row, column)): State(role, formula, fills, _value(kind, value))
            for sheet, row, column, role, formula, fills, kind, value, _ in rows
            if role != GONE
        }

    def runs(self) -> list[tuple[int, Run]]:
        """Every run with its number, the first one first."""
        rows = self._database.execute("SELECT * FROM run ORDER BY id")
        return [
            (number, Run(time, status, error, seconds, *rest))
            for number, time, status, error, seconds, *rest in rows
        ]

    def names(self) -> dict[str, str]:
        """The names of the workbook as the last run found them."""
        return dict(self._database.execute("SELECT name, reference FROM name").fetchall())

    def changes_of(self, run: int) -> list[Change]:
        """What differed in a run from the one before; in the first run every cell."""
        with closing(
            self._database.execute(
                """SELECT c.sheet, c.row, c."column", s.role, s.formula, s.fills, s.kind, s.value,
                          o.role, o.formula, o.fills, o.kind, o.value
                   FROM state s JOIN cell c ON c.id = s.cell
                   LEFT JOIN state o ON o.cell = s.cell
                        AND o.run = (SELECT max(run) FROM state WHERE cell = s.cell AND run < s.run)
                   WHERE s.run = ? ORDER BY c.id""",
                (run,),
            )
        ) as rows:
            return [
                Change((sheet, Address(row, column)), _state(*cells[5:]), _state(*cells[:5]))
                for sheet, row, column, *cells in rows
            ]

    def states_of(self, sheet: str, address: Address) -> list[tuple[int, State | None]]:
        """The states of a cell with the runs in which they began; None where it was taken away."""
        rows = self._database.execute(
            """SELECT s.run, s.role, s.formula, s.fills, s.kind, s.value
               FROM state s JOIN cell c ON c.id = s.cell
               WHERE c.sheet = ? AND c.row = ? AND c."column" = ? ORDER BY s.run""",
            (sheet, *address),
        )
        return [(run, _state(*state)) for run, *state in rows]

    def _enter(self, run: Run) -> int:
        cursor = self._database.execute(
            "INSERT INTO run (time, status, error, seconds, input, output, published, functions, code) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                run.time,
                run.status,
                run.error,
                run.seconds,
                run.input,
                run.output,
                run.published,
                run.functions,
                run.code,
            ),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _write(self, run: int, changes: Sequence[Change]) -> None:
        self._database.executemany(
            'INSERT OR IGNORE INTO cell (sheet, row, "column") VALUES (?, ?, ?)',
            ((sheet, *address) for (sheet, address) in (change.place for change in changes)),
        )
        self._database.executemany(
            """INSERT INTO state SELECT id, ?, ?, ?, ?, ?, ? FROM cell
               WHERE sheet = ? AND row = ? AND "column" = ?""",
            ((run, *_row(change.new), change.place[0], *change.place[1]) for change in changes),
        )

    def _forget(self, run: int) -> None:
        """Of runs up to this one, keep only the cells' last states."""
        if run > 0:
            self._database.execute(
                """DELETE FROM state WHERE run <= ? AND run <
                   (SELECT max(s.run) FROM state s WHERE s.cell = state.cell AND s.run <= ?)""",
                (run, run),
            )


def is_input(change: Change) -> bool:
    """Whether a change is somebody's: of an input, or of a formula's text."""
    old, new = change.old, change.new
    roles = {state.role for state in (old, new) if state is not None}
    if INPUT in roles:
        return True
    formulas = [(state.formula, state.fills) if state else None for state in (old, new)]
    return FORMULA in roles and formulas[0] != formulas[1]


def _changes(before: Mapping[Place, State], after: Mapping[Place, State]) -> list[Change]:
    changed = []
    for place, new in after.items():
        old = before.get(place)
        if old is None or not new.like(old):
            changed.append(Change(place, old, new))
    changed += [Change(place, old, None) for place, old in before.items() if place not in after]
    return changed


def _row(state: State | None) -> tuple[Any, ...]:
    if state is None:
        return GONE, None, None, "-", None
    return state.role, state.formula, state.fills, *_stored(state.value)


def _stored(value: Value) -> tuple[str, Any]:
    match value:
        case bool():
            return "b", int(value)
        case int() | float():
            return "n", float(value)
        case ErrorCode():
            return "e", str(value)
        case str():
            return "t", value
    return "-", None


def _value(kind: str, stored: Any) -> Value:
    match kind:
        case "b":
            return bool(stored)
        case "n":
            return float(stored)
        case "e":
            return ErrorCode(stored)
        case "t":
            return str(stored)
    return None


def _state(role: str | None, formula: Any, fills: Any, kind: Any, value: Any) -> State | None:
    return None if role in (None, GONE) else State(str(role), formula, fills, _value(kind, value))
