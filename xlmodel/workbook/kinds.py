"""The kinds of folder that become workbooks, KINDS: their inputs, and what is compared with what.

A folder is a deal if it holds deal.toml; another kind's document is model.toml, and says which in its first
lines (``kind = "..."``).  The workbook of another kind bears it as the defined name ModelKind.

What a kind's sheets are stands apart, in ``sheets.BOOKS``: a refresh needs none of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlmodel.deal.folder import TOML_REMEDY
from xlmodel.errors import BadDealFolder, NamesMissing
from xlmodel.package.parts import Package
from xlmodel.package.values import Value
from xlmodel.workbook.figures import read_figures
from xlmodel.workbook.printed.compared import table_figures
from xlmodel.workbook.published import (
    AVERAGE_LIFE_FILE,
    CERTIFICATES_FILE,
    CLASSES_FILE,
    DECREMENT_FILE,
    Printed,
    deal_figures,
)

DEAL_DOCUMENT, OTHER_DOCUMENT = DOCUMENTS = ("deal.toml", "model.toml")
KIND_NAME = "ModelKind"

RowsOf = Callable[[str], list[list[Value]]]
"""The values of a named range."""


@dataclass(frozen=True)
class Tie:
    """One comparison: the range that computes, and the range that shows the published figures.

    ``computed`` None: nothing computes these figures, they must only stand as published.
    ``idle``: figures that a wrong model may show as well, so that they prove nothing.  ``unproven``: leading
    rows that are not compared.  ``file``: the file of the folder published/ that holds the figures.
    ``percent``: the document prints as percents what the range holds as fractions.
    """

    computed: str | None
    shown: str
    idle: tuple[float, ...] = ()
    unproven: int = 0
    file: str = ""
    percent: bool = False


@dataclass(frozen=True)
class Kind:
    """One kind of workbook.

    ``inputs``: ranges that the desk edits.  ``required``: names without which nothing is validated.
    ``ties``: by their name in reports.  ``figures``: what a folder ``published`` holds, by tie, None where
    it holds nothing.
    """

    name: str
    inputs: tuple[str, ...]
    required: tuple[str, ...]
    ties: Mapping[str, Tie]
    figures: Callable[[Path, RowsOf], Mapping[str, Printed | None]]


_DEAL_INPUTS = ("Terms", "Classes", "Payments", "Pools", "Speeds")
_GRID_INPUTS = ("GridItem", "GridScenario", "GridSpeeds", "GridLosses", "GridSeverities")
_PRICE_INPUTS = ("Prices", "Settlement", "Compounding", "PricedClass", "QuotedPrices")
DEAL = Kind(
    name="deal",
    inputs=(*_DEAL_INPUTS, "Scenarios", *_GRID_INPUTS, *_PRICE_INPUTS),
    required=(*_DEAL_INPUTS, "Collections", "Distributions"),
    ties={
        "decrement": Tie(
            "Decrement",
            "PublishedDecrement",
            idle=(0.0, 1.0),
            unproven=1,
            file=DECREMENT_FILE,
            percent=True,
        ),
        "average_life": Tie("AverageLife", "PublishedAverageLife", file=AVERAGE_LIFE_FILE),
        "first_interest": Tie("FirstInterest", "PublishedFirstInterest", file=CLASSES_FILE),
        "certificate": Tie("Certificate", "PublishedCertificate", idle=(0.0, 1.0), file=CERTIFICATES_FILE),
    },
    figures=deal_figures,
)


def _tables(ties: Sequence[str]) -> Callable[[Path, RowsOf], Mapping[str, Printed | None]]:
    """Figures that stand in plain tables, a file named after each tie."""
    return lambda path, rows_of: {tie: read_figures(path / f"{tie}.csv") for tie in ties}


CARD_TRUST = Kind(
    name="card master trust",
    inputs=("Trust", "Groups", "Series", "Classes", "Months"),
    required=("Trust", "Groups", "Series", "Classes", "Months", "TrustMonths", "Figures"),
    ties={"figures": Tie("Figures", "PublishedFigures", idle=(0.0,), file="figures.csv")},
    figures=_tables(("figures",)),
)
LOAN_AGREEMENT = Kind(
    name="loan agreement",
    inputs=("Agreement", "Banks", "Providers", "Receipts", "Funds"),
    required=("Agreement", "Banks", "Providers", "Receipts", "Distribution", "Claims"),
    ties={
        "receipts": Tie("ReceiptsPaid", "PublishedReceiptsPaid", idle=(0.0,), file="receipts.csv"),
        "claims": Tie("ClaimsPaid", "PublishedClaimsPaid", idle=(0.0,), file="claims.csv"),
    },
    figures=_tables(("receipts", "claims")),
)
SERVICER = Kind(
    name="servicer advances",
    inputs=("Servicer", "Conditions", "Receipts", "Advances", "Determinations"),
    required=("Servicer", "Conditions", "Receipts", "Advances", "Determinations", "AdvanceLedger"),
    ties={"ledger": Tie("LedgerAmounts", "PublishedLedgerAmounts", idle=(0.0,), file="ledger.csv")},
    figures=_tables(("ledger",)),
)
TABLES = Kind(
    name="tables",
    inputs=("PublishedFigures",),
    required=("PublishedFigures", "ClaimNames", "TieNames"),
    ties={
        "figures": Tie("Claims", "PublishedClaims", file="figures.csv"),
        "ties": Tie("Ties", "PublishedTies", file="figures.csv"),
        "transcription": Tie(None, "PublishedFigures"),
    },
    figures=table_figures,
)

KINDS: dict[str, Kind] = {kind.name: kind for kind in (DEAL, CARD_TRUST, LOAN_AGREEMENT, SERVICER, TABLES)}


def kind_of_folder(path: Path) -> Kind:
    """The kind of a folder.  Raises BadDealFolder for one without a document, or of an unknown kind."""
    if (path / DEAL_DOCUMENT).is_file() or not (path / OTHER_DOCUMENT).exists():
        return DEAL  # a folder without any document is told so when its deal is read
    name = read_document(path / OTHER_DOCUMENT).get("kind")
    if not isinstance(name, str) or name not in KINDS or KINDS[name] is DEAL:
        known = ", ".join(kind for kind in KINDS if KINDS[kind] is not DEAL)
        raise BadDealFolder(f"{name!r} is no kind of folder", remedy=f"write kind = one of: {known}").at(
            file=str(path / OTHER_DOCUMENT)
        )
    return KINDS[name]


def kind_of_workbook(package: Package) -> Kind:
    """The kind of a workbook, a deal's unless it says otherwise.  Raises NamesMissing for an unknown one."""
    text = package.defined_names.get(KIND_NAME)
    if text is None:
        return DEAL
    name = text.removeprefix("=").strip('"')
    if name not in KINDS:
        raise NamesMissing(
            f"the name {KIND_NAME} says {name!r}, which is no kind of workbook",
            remedy=f"use the version that built it; this one knows: {', '.join(KINDS)}",
        ).at(file=package.name)
    return KINDS[name]


def read_document(file: Path) -> dict[str, Any]:
    """A TOML document.  Raises BadDealFolder, with the file, for one that cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadDealFolder(f"cannot be read: {error}").at(file=str(file)) from None
    except tomllib.TOMLDecodeError as error:
        raise BadDealFolder(f"cannot be read as TOML: {error}", remedy=TOML_REMEDY).at(
            file=str(file)
        ) from None
