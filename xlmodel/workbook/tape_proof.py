"""A synthetic tape against the tables that a prospectus prints: made from them, then read back and compared.

RECIPES names the deals that have one; the printed tables are in the folder DEAL_pool.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from xlmodel.conventions.money import round_half_up
from xlmodel.errors import BadUsage
from xlmodel.pool.synthetic import carmax_1999_1
from xlmodel.pool.synthetic.export import as_csv
from xlmodel.pool.synthetic.proof import criteria, tables
from xlmodel.pool.synthetic.targets import read_targets
from xlmodel.pool.tape.columns import read_columns
from xlmodel.workbook.kinds import OTHER_DOCUMENT
from xlmodel.workbook.new import shipped
from xlmodel.workbook.printed.figures import Figure, read_figures
from xlmodel.workbook.replace import replace_file

RECIPES = {"carmax_1999_1": carmax_1999_1.make}
_TABLES = ("composition", "remaining_term", "state", "model_year", "contract_rate", "hypothetical_pools")
_MISSES_SHOWN = 20


@dataclass(frozen=True)
class Proof:
    """Figures compared and matched by table, those that miss, and contracts that break a criterion."""

    compared: dict[str, int]
    matched: dict[str, int]
    misses: tuple[str, ...]
    broken: dict[str, int]

    @property
    def ok(self) -> bool:
        return not self.misses and not any(self.broken.values())

    def lines(self) -> Iterator[str]:
        """What the command prints."""
        for table, count in self.compared.items():
            yield f"{table}: {self.matched[table]} of {count} printed figures matched"
        yield f"in all: {sum(self.matched.values())} of {sum(self.compared.values())}"
        yield from self.misses[:_MISSES_SHOWN]
        for sentence, count in self.broken.items():
            yield f"{sentence}: {f'{count:,} break it' if count else 'all'}"


def make_tape(deal: str, file: Path, seed: int) -> int:
    """Write the synthetic tape of a deal; -> its number of contracts.

    Raises BadUsage for a deal without a recipe, TapeNotMade for tables that cannot be met, NotWritten.
    """
    tape = RECIPES[_known(deal)](read_targets(_values(_figures(deal))), seed)
    replace_file(file, as_csv(tape))
    return len(tape)


def prove(deal: str, file: Path) -> Proof:
    """Compare a tape's tables with the printed ones, at the printed precision."""
    figures = _figures(_known(deal))
    labels = {
        table: tuple(
            dict.fromkeys(f.key.row for f in figures if f.key.table == table and f.key.row != "total")
        )
        for table in _TABLES
    }
    columns = read_columns(file)
    shown = tables(columns, labels)
    compared = dict.fromkeys(_TABLES, 0)
    matched = dict.fromkeys(_TABLES, 0)
    misses = []
    for figure in figures:
        key = figure.key
        found = shown[key.table, key.row, key.measure]
        compared[key.table] += 1
        if round_half_up(found, figure.decimals) == figure.value:
            matched[key.table] += 1
        else:
            misses.append(f"{key}: printed {figure.value:.{figure.decimals}f}, the tape shows {found:.7f}")
    return Proof(compared, matched, tuple(misses), dict(criteria(columns)))


def _known(deal: str) -> str:
    if deal not in RECIPES:
        raise BadUsage(
            f"there is no recipe for a tape of {deal!r}", remedy=f"use one of: {', '.join(RECIPES)}"
        )
    return deal


def _figures(deal: str) -> list[Figure]:
    """The printed figures of the tables that a tape must show."""
    folder = shipped(OTHER_DOCUMENT)[f"{deal}_pool"]
    return [figure for key, figure in read_figures(folder / "published").items() if key.table in _TABLES]


def _values(figures: list[Figure]) -> dict[tuple[str, str, str], float]:
    return {(f.key.table, f.key.row, f.key.measure): f.value for f in figures}
