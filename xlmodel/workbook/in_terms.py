"""A workbook in terms: what its inputs say, entry by entry, without cell addresses.

Only inputs are read, so nothing is evaluated unless an input is a formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from xlmodel.analytics.words import money, percent
from xlmodel.deal.folder import MATURITY
from xlmodel.deal.questions import PRICES
from xlmodel.deal.scenario import SCENARIOS
from xlmodel.deal.schemas import CLASSES, PAYMENTS, STACKED, TERM_LIST
from xlmodel.errors import NamesMissing, XlmodelError
from xlmodel.faces.formula_text import find_calls
from xlmodel.faces.headless import Evaluation, evaluate
from xlmodel.faces.input_cell import argument_block, argument_text
from xlmodel.package.address import Block
from xlmodel.package.number_format import number_format
from xlmodel.package.parts import Package
from xlmodel.package.sheet import read_sheets
from xlmodel.pool.collateral import schema_of
from xlmodel.tables import Kind, RawRows, Record, Schema, convert, heading_text, read, split
from xlmodel.workbook.deal_ranges import NAMES, WorkbookDeal, read_workbook_deal
from xlmodel.workbook.kinds import DEAL, kind_of_workbook

# What a row of each table is called; the others bear the name of their key.
_CALLED = {
    "Terms": "term",
    "Payments": "clause",
    "Pools": "pool line",
    "Measures": "measure",
    "Call": "call",
    "Scenarios": "scenario",
    "Prices": "price of class",
}
# Inputs that are no table, as a reader speaks of them, and what they hold.
_LISTS = {
    "GridItem": ("grid, item", Kind.TEXT),
    "GridScenario": ("grid, scenario", Kind.NAME),
    "GridSpeeds": ("grid, speeds", Kind.RATE),
    "GridLosses": ("grid, losses", Kind.RATE),
    "GridSeverities": ("grid, severities", Kind.NUMBER),
    "Settlement": ("settlement", Kind.DATE),
    "Compounding": ("compoundings a year", Kind.COUNT),
    "PricedClass": ("class of the price-yield table", Kind.NAME),
    "QuotedPrices": ("prices of the price-yield table", Kind.NUMBER),
}


@dataclass(frozen=True)
class Entry:
    """A row of a table: ``name`` as in ``class A-1``, and what it says, by heading, as it is read."""

    table: str
    name: str
    says: Mapping[str, str]


@dataclass(frozen=True)
class Model:
    """A deal workbook in terms.

    ``lists``: inputs that are lists of numbers, such as the speeds.  ``periods``: payment dates of its
    printed table, None where it has none; ``matures``: whether that table leaves the call out; ``decimals``:
    to which it shows a part.
    """

    package: Package = field(repr=False)
    title: str
    entries: tuple[Entry, ...]
    lists: Mapping[str, str]
    deal: WorkbookDeal
    speeds: tuple[float, ...]
    base_speed: float
    periods: int | None
    matures: bool
    decimals: int

    def lines(self) -> Iterator[str]:
        """The model as text, a value a line, in an order that does not depend on the layout."""
        for entry in self.entries:
            for heading, text in entry.says.items():
                yield f"{entry.name}: {heading} = {text}"
        for name, text in self.lists.items():
            yield f"{name}: {text}"


def is_deal(package: Package) -> bool:
    """Whether a workbook holds a deal: its kind, and the names that a deal is read from."""
    return kind_of_workbook(package) is DEAL and all(name in package.defined_names for name in NAMES)


def read_model(package: Package) -> Model:
    """The deal of a workbook.  Raises NamesMissing where there is none, else the error of a table."""
    if not is_deal(package):
        kind = kind_of_workbook(package)
        what = f"a workbook of the kind {kind.name}" if kind is not DEAL else "no deal workbook"
        missing = ", ".join(name for name in NAMES if name not in package.defined_names)
        raise NamesMissing(
            f"it is {what}: it lacks the names {missing}" if kind is DEAL else f"it is {what}, no deal",
            remedy="compare deal workbooks; xlmodel show prints the cells of any other",
        ).at(file=package.name)
    evaluation = _inputs(package)
    found = read_workbook_deal(package, evaluation)

    def rows(name: str) -> list[list[Any]]:
        return evaluation.block(Block.parse(package.defined_names[name]))

    entries = list(_entries(rows))
    if _has(package, "Scenarios"):
        entries += _of_table(SCENARIOS, rows("Scenarios"))
    if _has(package, PRICES.name):
        entries += _of_table(PRICES, rows(PRICES.name))
    speeds = (
        [v for row in rows("Speeds") for v in row if isinstance(v, float)] if _has(package, "Speeds") else []
    )
    base = _argument(package, evaluation, "XM_DISTRIBUTIONS", "speed")
    periods = _argument(package, evaluation, "XM_DECREMENT", "periods")
    shown = Block.parse(package.defined_names["Decrement"]) if _has(package, "Decrement") else None
    code = number_format(package, str(shown.sheet), shown.anchor) if shown else ""
    lists = {"speeds": ", ".join(map(percent, speeds))}
    if base is not None:
        lists["base speed"] = percent(base)
    if periods is not None:
        lists["printed payment dates"] = f"{periods:g}"
    matures = _argument(package, evaluation, "XM_DECREMENT", "to_maturity") is True
    if matures:
        lists["printed to"] = MATURITY
    for name, (called, holds) in _LISTS.items():
        if _has(package, name):
            lists[called] = _list(rows(name), holds)
    return Model(
        package=package,
        title=found.deal.name,
        entries=tuple(entries),
        lists=lists,
        deal=found,
        speeds=tuple(speeds) or (0.0,),
        base_speed=base if base is not None else (speeds or [0.0])[0],
        periods=None if periods is None else int(periods),
        matures=matures,
        decimals=len(code.partition(".")[2].partition("%")[0]) + 2,
    )


def _list(rows: RawRows, kind: Kind) -> str:
    values = [convert(value, kind) for row in rows for value in row]
    return ", ".join(shown(value, kind) for value in values if value is not None)


def _has(package: Package, name: str) -> bool:
    return name in package.defined_names


def _inputs(package: Package) -> Evaluation:
    """The values of the inputs as the file holds them; evaluated where one of them is a formula."""
    sheets = read_sheets(package)
    for name in DEAL.inputs:
        if name in package.defined_names:
            block = Block.parse(package.defined_names[name])
            cells = sheets[str(block.sheet)].cells
            if any(a in cells and cells[a].formula is not None for a in block.cells()):
                return evaluate(package)
    return Evaluation(sheets=sheets, values={}, failures=(), formulas=0, functions=0)


def _argument(package: Package, evaluation: Evaluation, function: str, argument: str) -> float | bool | None:
    """What the first call of a function is given: a number in a cell, TRUE, or None for neither."""
    for name, sheet in evaluation.sheets.items():
        for _, cell in sheet.formulas():
            formula = cell.formula or ""
            if function not in formula.upper():
                continue
            for call in find_calls(formula):
                if call.name != function:
                    continue
                if argument_text(formula, call, argument).upper() == "TRUE":
                    return True
                block = argument_block(package, name, formula, call, argument)
                if block is not None and block.shape == (1, 1):
                    value = evaluation.value(str(block.sheet), block.anchor)
                    return value if isinstance(value, float) else None
    return None


def _entries(rows: Any) -> Iterator[Entry]:
    stacked = split(STACKED, rows("Terms"))
    for schema in STACKED:
        if schema.name in stacked:
            yield from _of_table(schema, stacked[schema.name][1])
    yield from _of_table(CLASSES, rows("Classes"))
    yield from _of_table(PAYMENTS, rows("Payments"))
    pools = rows("Pools")
    yield from _of_table(schema_of(pools), pools)


def _of_table(schema: Schema, rows: RawRows) -> Iterator[Entry]:
    for record in read(schema, rows):
        says = {
            heading: text
            for heading in record.values
            if heading != schema.key and (text := _shown(schema, record, heading)) is not None
        }
        yield Entry(schema.name, _name(schema, record), says)


def _name(schema: Schema, record: Record) -> str:
    called = _CALLED.get(schema.name, schema.key)
    if schema is PAYMENTS:
        priority = record["priority"]
        return f"clause {record['clause']}" + (f" ({priority})" if priority else "")
    key = record[schema.key]
    if isinstance(key, str) and schema.key == "schedule":
        return f"schedule {key}, {record['date']}"
    if schema.name == "Opening":
        return f"opening {key} of {record['of']}"
    return f"{called} {key}" if key is not None else f"{called} in row {record.row}"


def _shown(schema: Schema, record: Record, heading: str) -> str | None:
    value = record[heading]
    if value is None or value == "":
        return None
    column = schema.column(heading)
    kind = column.kind if column else Kind.ANY
    if schema.key == "term" and heading == "value":
        kind = next((t.kind for t in TERM_LIST if t.name == heading_text(record["term"])), kind)
        try:
            value = convert(value, kind)
        except XlmodelError:
            return str(value)
    return shown(value, kind)


def shown(value: Any, kind: Kind) -> str:
    """A value of a table as a reader of the document would write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if kind is Kind.AMOUNT:
            return money(value * 100)
        if kind is Kind.RATE:
            return percent(value)
        return f"{value:,.10g}"
    return " ".join(str(value).split())
