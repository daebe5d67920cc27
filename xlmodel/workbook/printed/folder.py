"""A folder of printed tables: model.toml, published/figures.csv and published/exceptions.csv."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from xlmodel.errors import BadDealFolder, XlmodelError
from xlmodel.workbook.exceptions import Explained, read_exceptions
from xlmodel.workbook.kinds import OTHER_DOCUMENT, read_document
from xlmodel.workbook.printed.figures import Figure, Figures, Key, read_figures
from xlmodel.workbook.printed.rules import Claim, Rule, Tie, claims_of_rules, claims_of_ties

SCHEMA_VERSION = 1
KEYS: dict[str, dict[str, str]] = {
    "the document": {
        "schema": "1",
        "kind": '`"tables"`',
        "title": "name of the workbook",
        "sentence": "what was printed, and when: the second line of the Summary",
        "tables": "a list: the printed tables",
        "ties": "a list, optional: formulas for figures of other tables",
        "charts": "a list, optional: charts of the sheet Trends",
        "strata": "a list, optional: rep lines cut into buckets, on the sheet Strata",
        "allowance": "a table, optional: the model of the allowance",
    },
    "tables": {
        "table": "name, as in `figures.csv`",
        "sheet": "sheet on which it is shown; tables may share one",
        "title": "its heading there",
        "rows": "a table: name of a row in `figures.csv` = its label, in the printed order",
        "measures": "a table: name of a measure (a column) = its heading, in the printed order",
        "rules": "a list, optional: formulas that hold in it",
        "each_period": "true: a block of its own for each period; false where it is left out",
    },
    "tables.rules": {
        "formula": "what the figure is, with braces for printed figures",
        "row": "of which row or list of rows; of all where it is left out",
        "measure": "of which measure or list of measures; of all where it is left out",
    },
    "ties": {
        "tie": "what is claimed, in words; several ties may share it",
        "figure": "`table/row:measure`, or a list of such; `@` and a relation for another period",
        "formula": "what it is, with braces for printed figures",
        "over": "the figure whose printed periods count, where it is not `figure`",
    },
    "charts": {
        "title": "heading of the chart",
        "axis": "what its values are",
        "form": "`lines` or `areas`",
        "series": "a table: name = `table/row:measure`, with `@3 months` for spans; of a list the first that"
        " prints a date counts",
    },
    "strata": {
        "title": "heading",
        "table": "the printed table whose rows, without its totals, are the rep lines",
        "column": "the measure that is cut",
        "breaks": "least value of each bucket",
        "averages": "measures that are averaged by balance",
    },
    "allowance": {
        "table": "the printed table of receivables: rows are grades, measures vintages",
        "period": "its period",
        "printed": "the printed allowance that the model is set beside",
        "assumed": "a table: the assumptions of the whole model",
        "lifetime_loss": "a table: grade = average lifetime net loss",
        "age": "a table: vintage = its age in months",
    },
    "allowance.assumed": {
        "contract_rate": "rate of the receivables, per annum",
        "term": "original term in months",
        "speed": "prepayment speed, ABS",
        "peak": "age of the most losses, months",
        "factor": "how forecasts of the economy scale losses",
        "forecast_months": "months that the forecasts reach",
        "reversion_months": "months of the return to average",
    },
}
"""What a folder of printed tables can say, by list or table of the document: key and meaning."""


@dataclass(frozen=True)
class Table:
    """A printed table: names and labels of its rows and measures, and the rules that hold in it."""

    name: str
    sheet: str
    title: str
    rows: Mapping[str, str]
    measures: Mapping[str, str]
    rules: tuple[Rule, ...]
    each_period: bool

    def is_total(self, row: str) -> bool:
        """Whether a rule speaks of this row by name."""
        return any(rule.rows is not None and row in rule.rows for rule in self.rules)


@dataclass(frozen=True)
class Part:
    """What one document prints of a table: its rows, and its columns as (period, measure)."""

    table: Table
    document: str
    pages: str
    rows: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]

    def cells(self) -> Iterator[tuple[int, int, Key]]:
        """Row, column and key of every cell, from 0."""
        for row, name in enumerate(self.rows):
            for column, (period, measure) in enumerate(self.columns):
                yield row, column, Key(self.table.name, name, measure, period)


@dataclass(frozen=True)
class TableFolder:
    """The tables of a folder, their figures, and what is claimed of them."""

    path: Path
    title: str
    sentence: str
    tables: tuple[Table, ...]
    figures: Figures
    claims: tuple[Claim, ...]
    ties: tuple[Claim, ...]
    exceptions: tuple[Explained, ...]
    charts: tuple[Mapping[str, Any], ...] = ()
    strata: tuple[Mapping[str, Any], ...] = ()
    allowance: Mapping[str, Any] | None = None

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        return tuple(part for table in self.tables for part in _parts(table, self.figures))

    @cached_property
    def first_claims(self) -> dict[Key, Claim]:
        """The claim that a table shows beside a figure."""
        first: dict[Key, Claim] = {}
        for claim in self.claims:
            first.setdefault(claim.figure, claim)
        return first


def read_table_folder(path: Path) -> TableFolder:
    """Read a folder of printed tables.

    Raises BadDealFolder for a document that does not fit, BadPublished for figures or exceptions that cannot
    be read, BadTable for a rule that names no figure.
    """
    file = path / OTHER_DOCUMENT
    document = read_document(file)
    try:
        if document.get("schema") != SCHEMA_VERSION:
            raise BadDealFolder(f"schema is {document.get('schema')!r}, this version reads {SCHEMA_VERSION}")
        _require_known(document)
        tables = tuple(_table(entry) for entry in document.get("tables", ()))
        ties = tuple(tie for entry in document.get("ties", ()) for tie in _ties(entry))
        title, sentence = _text(document, "title"), _text(document, "sentence")
    except XlmodelError as error:
        raise error.at(file=str(file)) from None
    figures = read_figures(path / "published")
    try:
        _require_places(tables, figures)
        claims = claims_of_rules({table.name: table.rules for table in tables}, figures)
        tied = claims_of_ties(ties, figures)
    except XlmodelError as error:
        raise error.at(file=str(file)) from None
    return TableFolder(
        path=path,
        title=title,
        sentence=sentence,
        tables=tables,
        figures=figures,
        claims=tuple(claims),
        ties=tuple(tied),
        exceptions=read_exceptions(path / "published"),
        charts=tuple(document.get("charts", ())),
        strata=tuple(document.get("strata", ())),
        allowance=document.get("allowance"),
    )


def _table(entry: Mapping[str, Any]) -> Table:
    return Table(
        name=_text(entry, "table"),
        sheet=_text(entry, "sheet"),
        title=_text(entry, "title"),
        rows=entry.get("rows", {}),
        measures=entry.get("measures", {}),
        rules=tuple(
            Rule(_text(rule, "formula"), _several(rule.get("row")), _several(rule.get("measure")))
            for rule in entry.get("rules", ())
        ),
        each_period=bool(entry.get("each_period", False)),
    )


def _ties(entry: Mapping[str, Any]) -> Iterator[Tie]:
    for figure in _several(entry.get("figure")) or ():
        yield Tie(_text(entry, "tie"), figure, _text(entry, "formula"), entry.get("over", figure))


def _parts(table: Table, figures: Figures) -> Iterator[Part]:
    groups: dict[tuple[str, str], list[Figure]] = {}
    for key, figure in figures.items():
        if key.table == table.name:
            groups.setdefault((figure.document, key.period if table.each_period else ""), []).append(figure)
    for (document, _), listed in groups.items():
        keys = {figure.key for figure in listed}
        rows = tuple(row for row in table.rows if any(key.row == row for key in keys))
        periods = tuple(dict.fromkeys(figure.key.period for figure in listed))
        columns = tuple(
            (period, measure)
            for period in periods
            for measure in table.measures
            if any(key.period == period and key.measure == measure for key in keys)
        )
        pages = ", ".join(dict.fromkeys(figure.page for figure in listed))
        yield Part(table, document, pages, rows, columns)


def _require_places(tables: Sequence[Table], figures: Figures) -> None:
    """Every figure has its table, row and measure in the document."""
    known = {table.name: table for table in tables}
    for key in figures:
        table = known.get(key.table)
        if table is None or key.row not in table.rows or key.measure not in table.measures:
            raise BadDealFolder(
                f"the figure {key} has no place: its table, row or measure is not in the document",
                remedy="add it to the table, or correct the row of figures.csv",
            )


def _require_known(document: Mapping[str, Any]) -> None:
    """Every key, wherever it stands, is one of KEYS."""
    _known(document, "the document", "the document")
    for name in KEYS:
        if name == "the document":
            continue
        for number, entry in enumerate(_entries(document, name.split(".")), start=1):
            _known(entry, name, f"{name}, entry {number},")


def _entries(entry: Mapping[str, Any], path: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """The tables of a document at a path of keys; a list stands for each of its entries."""
    if not path:
        yield entry
        return
    below = entry.get(path[0], ())
    for one in [below] if isinstance(below, Mapping) else below:
        if not isinstance(one, Mapping):
            raise BadDealFolder(f"{path[0]} is no table where one is asked for")
        yield from _entries(one, path[1:])


def _known(entry: Mapping[str, Any], of: str, what: str) -> None:
    names = KEYS[of]
    unknown = sorted(set(entry) - set(names))
    if unknown:
        raise BadDealFolder(f"{what} has {unknown[0]!r}, which nothing reads; known: {', '.join(names)}")


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str) or not value:
        raise BadDealFolder(f"{name} is missing where a text is asked for", remedy=f'write {name} = "..."')
    return value


def _several(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    return (value,) if isinstance(value, str) else tuple(value)
