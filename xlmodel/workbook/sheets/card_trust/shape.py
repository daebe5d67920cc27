"""The shapes of a card trust's sheets that follow from its tables, and where its series' columns lie."""

from __future__ import annotations

from pathlib import Path

from xlmodel.errors import BadPublished, XlmodelError
from xlmodel.trust.definition import Trust
from xlmodel.trust.reading import read_trust
from xlmodel.trust.run import run_trust
from xlmodel.trust.schemas import SCHEMAS
from xlmodel.trust.tables import SERIES_COLUMNS
from xlmodel.workbook.kinds import CARD_TRUST
from xlmodel.workbook.model_folder import Model, in_folder, read_model
from xlmodel.workbook.sheets.array_block import Heading
from xlmodel.workbook.sheets.layout import Layout, a1

TABLES = "Trust,Groups,Series,Classes,Months"
SERIES_HEADINGS = tuple(Heading(column.heading, column.holds) for column in SERIES_COLUMNS)

# What the sheet Figures shows of each series, and the folder published/ may hold.
FIGURES = (
    "Finance charges",
    "Reallocated finance charges",
    "Excess received",
    "Principal",
    "Shared principal received",
    "Charged off",
    "Reallocated principal",
    "Paid to holders",
    "Principal funding after",
    "Invested amount after",
)


def read_contents(path: Path) -> Model:
    """A card trust's folder, run once so that what is unsound is told before anything is built."""
    model = read_model(path, SCHEMAS, tuple(CARD_TRUST.ties))
    try:
        run_trust(trust_of(model))
    except XlmodelError as error:
        raise in_folder(path, error) from None
    published = model.published.get("figures")
    expected = (trust_months(model), series_count(model) * len(FIGURES))
    if published is not None and published.printed.shape != expected:
        raise BadPublished(
            f"the figures are {published.printed.shape}, the trust's {expected} rows and columns",
            remedy="correct the table, or delete it",
        ).at(file=str(path / "published" / "figures.csv"))
    return model


def trust_of(contents: Model) -> Trust:
    return read_trust(*contents.rows(*SCHEMAS))


def series_count(contents: Model) -> int:
    return len(contents.tables["Series"]) - 1


def trust_months(contents: Model) -> int:
    return len(contents.tables["Months"]) - 1


def series_heading(layout: Layout, series: int, heading: str, row: int) -> str:
    """A cell of a series' array, as a formula on another sheet writes it; rows count from 0."""
    whole = layout[f"Series{series + 1}"]
    column = [one.text for one in SERIES_HEADINGS].index(heading)
    return f"'{whole.sheet}'!{a1(whole.top + row, whole.left + column)}"
