"""A deal folder: deal.toml, pool.csv and published/, read into the rows that the tables are made of."""

from __future__ import annotations

import csv
import datetime as dt
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlmodel.deal.check import require_sound
from xlmodel.deal.definition import Deal
from xlmodel.deal.questions import PRICES, Grid, Pricing, read_grid, read_pricing
from xlmodel.deal.reading import read_deal
from xlmodel.deal.scenario import SCENARIOS, read_scenarios
from xlmodel.deal.schemas import CLASSES, PAYMENTS, STACKED
from xlmodel.errors import BadDealFolder, XlmodelError
from xlmodel.pool.cash_flows import CashFlows
from xlmodel.pool.collateral import Collateral, collateral_from_rows, schema_of
from xlmodel.tables import (
    WITH_COMMAS,
    Column,
    Kind,
    RawRows,
    Record,
    Schema,
    has_semicolons,
    heading_text,
    read,
    rows_from_mappings,
)

SCHEMA_VERSION = 1
_BESIDE = {"schema", "assumptions", "scenarios", "grid", "pricing", "prices"}

TOML_REMEDY = (
    "look there and on the line above: texts in quotes, = between key and value, a comma between the entries"
    " of a list; what stands in braces stays on one line"
)

CALL, MATURITY = ENDS = ("call", "maturity")
"""What printed tables run to: the first payment date that allows the call, or the last payment."""

ASSUMPTIONS = Schema(
    "Assumptions",
    (
        Column("speeds", Kind.ANY, "speeds of the printed tables, as decimals", required=True),
        Column("base speed", Kind.RATE, "speed of the sheets Collections and Distributions", required=True),
        Column("printed payment dates", Kind.COUNT, "payment dates in the printed table", required=True),
        Column("printed to", Kind.TEXT, "to what the printed table runs: call, as if blank, or maturity"),
        Column("page", Kind.NAME, "where the document says so"),
    ),
)


@dataclass(frozen=True)
class DealFolder:
    """The rows of a deal folder, as a workbook shows them, and what they mean.

    ``stacked`` holds the tables of the range Terms by name; every table begins with its headings.  ``grid``
    and ``pricing`` are None where the folder does not ask for them.
    """

    path: Path
    name: str
    stacked: Mapping[str, RawRows]
    classes: RawRows
    payments: RawRows
    pools: RawRows
    scenarios: RawRows
    speeds: tuple[float, ...]
    base_speed: float
    printed_payment_dates: int
    printed_to: str
    assumptions_page: str
    grid: Grid | None
    pricing: Pricing | None
    deal: Deal
    pool: Collateral

    @property
    def published(self) -> Path:
        return self.path / "published"


def read_folder(path: Path) -> DealFolder:
    """Read and check a deal folder.

    Raises BadDealFolder for a file that is missing or cannot be parsed, else the error of the table, with
    the file's name.
    """
    document = _document(path / "deal.toml")
    known = {heading_text(schema.name): schema for schema in (*STACKED, CLASSES, PAYMENTS)}
    unknown = set(map(heading_text, document)) - set(known) - _BESIDE
    if unknown:
        names = [*known, *sorted(_BESIDE - {"schema"})]
        raise BadDealFolder(f"unknown table {sorted(unknown)[0]!r}; known: {', '.join(names)}").at(
            file=str(path / "deal.toml")
        )
    try:
        tables = {
            schema.name: rows_from_mappings(schema, _entries(document, schema)) for schema in known.values()
        }
        deal = read_deal(stacked_rows(tables), tables[CLASSES.name], tables[PAYMENTS.name])
        require_sound(deal)
        assumptions = _assumptions(document)
        scenarios = _scenario_rows(document, assumptions["base speed"])
        grid = read_grid(document.get("grid"), deal, read_scenarios(scenarios))
        prices = rows_from_mappings(PRICES, _entries(document, PRICES))
        pricing = read_pricing(document.get("pricing"), prices, deal)
    except XlmodelError as error:
        raise error.at(file=str(path / "deal.toml")) from None
    pools = _pool_rows(path / "pool.csv")
    try:
        pool = collateral_from_rows(pools)
    except XlmodelError as error:
        raise error.at(file=str(path / "pool.csv")) from None
    if isinstance(pool, CashFlows) and (grid or pricing):
        raise BadDealFolder(
            "where months were reported nothing is assumed, so there is no grid and no price",
            remedy="take out [grid], [pricing] and [[prices]]",
        ).at(file=str(path / "deal.toml"))
    return DealFolder(
        path=path,
        name=path.resolve().name,
        stacked={schema.name: tables[schema.name] for schema in STACKED},
        classes=tables[CLASSES.name],
        payments=tables[PAYMENTS.name],
        pools=pools,
        scenarios=scenarios,
        speeds=tuple(assumptions["speeds"]),
        base_speed=assumptions["base speed"],
        printed_payment_dates=int(assumptions["printed payment dates"]),
        printed_to=assumptions["printed to"] or CALL,
        assumptions_page=assumptions["page"] or "",
        grid=grid,
        pricing=pricing,
        deal=deal,
        pool=pool,
    )


def stacked_rows(tables: Mapping[str, RawRows]) -> list[list[Any]]:
    """The tables of the range Terms one below the other, a blank row between them."""
    rows: list[list[Any]] = []
    for schema in STACKED:
        if len(tables[schema.name]) > 1:
            rows += [[], *map(list, tables[schema.name])]
    return rows[1:]


def _document(path: Path) -> dict[str, Any]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadDealFolder("there is no such file; a deal folder has deal.toml and pool.csv").at(
            file=str(path)
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadDealFolder(f"cannot be read: {error}").at(file=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise BadDealFolder(f"cannot be read as TOML: {error}", remedy=TOML_REMEDY).at(
            file=str(path)
        ) from None
    if document.get("schema") != SCHEMA_VERSION:
        raise BadDealFolder(f"schema is {document.get('schema')!r}, this version reads {SCHEMA_VERSION}").at(
            file=str(path)
        )
    return document


def _entries(document: Mapping[str, Any], schema: Schema) -> list[Mapping[str, Any]]:
    entries = document.get(schema.name.lower(), [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadDealFolder(f"write [[{schema.name.lower()}]] once for each row of the table {schema.name}")
    return entries


def _assumptions(document: Mapping[str, Any]) -> Record:
    entry = document.get("assumptions")
    if not isinstance(entry, dict):
        raise BadDealFolder("the table [assumptions] is missing: speeds, base_speed, printed_payment_dates")
    (record,) = read(ASSUMPTIONS, rows_from_mappings(ASSUMPTIONS, [entry]))
    speeds = record["speeds"]
    if (
        not isinstance(speeds, list)
        or not speeds
        or not all(isinstance(s, float) and 0 <= s < 1 for s in speeds)
    ):
        raise BadDealFolder("speeds is a list of decimals from 0 to below 1, such as [0.005, 0.015]")
    if record["printed to"] is not None:
        record.one_of("printed to", ENDS)
    return record


def _scenario_rows(document: Mapping[str, Any], base_speed: float) -> RawRows:
    """The rows of the table Scenarios; the base speed alone where the folder has none."""
    entries = _entries(document, SCENARIOS) or [{"scenario": "base", "speed": base_speed}]
    return rows_from_mappings(SCENARIOS, entries)


def _pool_rows(path: Path) -> list[list[Any]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except FileNotFoundError:
        raise BadDealFolder("there is no such file; it holds rep lines or reported months of the pool").at(
            file=str(path)
        ) from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadDealFolder(f"cannot be read: {error}").at(file=str(path)) from None
    if not rows:
        raise BadDealFolder("the file is empty").at(file=str(path))
    if has_semicolons(rows[0]):
        raise BadDealFolder("semicolons stand between the fields", remedy=WITH_COMMAS).at(
            file=str(path), row=1
        )
    schema = schema_of(rows)
    names = [schema.column(heading_text(cell)) for cell in rows[0]]
    return [rows[0], *([_value(c, n) for c, n in zip(row, names, strict=False)] for row in rows[1:])]


def _value(cell: str, column: Column | None) -> str | float | dt.date:
    """A CSV cell as the number or ISO date it spells, unless its column holds texts."""
    if column is None or column.kind in (Kind.TEXT, Kind.NAME):
        return cell
    try:
        if column.kind is Kind.DATE:
            return dt.date.fromisoformat(cell)
        return float(cell)
    except ValueError:
        return cell
