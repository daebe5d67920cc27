"""``xlmodel run``: the files follow from each other and from the run, read here by a plain CSV reader."""

from __future__ import annotations

import csv
from collections import defaultdict
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import pytest

from tests.deal.tie import DEAL
from xlmodel.errors import BadUsage, NotAvailable
from xlmodel.workbook.export import csv_bytes, export_run

SCENARIOS = ("base", "stress", "severe", "severe, accelerated", "insurer default", "sale")


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a file; what has a decimal point is a number."""
    with path.open(newline="") as file:
        return [{key: value_of(text) for key, text in row.items()} for row in csv.DictReader(file)]


def value_of(text: str) -> Decimal | str:
    try:
        return Decimal(text) if "." in text else text
    except InvalidOperation:
        return text


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folders = {name: tmp_path_factory.mktemp("run") for name in SCENARIOS}
    for name, folder in folders.items():
        export_run(DEAL, name, folder)
    return folders


def test_the_columns_are_the_documented_ones(runs: dict[str, Path]) -> None:
    headings = {
        "collections": "period month beginning_balance interest scheduled_principal prepaid_principal "
        "defaulted liquidation_proceeds purchase_amount ending_balance",
        "distributions": "payment_date class interest_due interest_paid principal_paid balance factor",
        "ledger": "payment_date account clause payee due paid short cash_left",
        "accounts": "payment_date account opening deposit draw release closing",
    }
    for name, expected in headings.items():
        assert list(read(runs["base"] / f"{name}.csv")[0]) == expected.split()


@pytest.mark.parametrize("name", SCENARIOS)
def test_collections_add_up_by_month(runs: dict[str, Path], name: str) -> None:
    before = None
    for row in read(runs[name] / "collections.csv"):
        gone = (
            row["scheduled_principal"] + row["prepaid_principal"] + row["defaulted"] + row["purchase_amount"]
        )
        assert row["beginning_balance"] - gone == row["ending_balance"]
        assert before in (None, row["beginning_balance"])
        before = row["ending_balance"]


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_ledger_runs_down_and_rebuilds_the_classes(runs: dict[str, Path], name: str) -> None:
    sources: dict[str, Decimal] = {}
    paid: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    left: dict[tuple[str, str], Decimal] = {}
    for row in read(runs[name] / "ledger.csv"):
        key = (row["payment_date"], row["account"])
        if key not in left and row["account"] == "collection account":
            sources[row["payment_date"]] = row["cash_left"] + row["paid"]
        if key in left:
            assert row["cash_left"] == left[key] - row["paid"]
        left[key] = row["cash_left"]
        assert row["short"] == row["due"] - row["paid"] >= 0
        paid[row["payment_date"], row["payee"]] += row["paid"]
    assert all(amount == 0 for amount in left.values())  # the last row of each account takes all that is left
    for row in read(runs[name] / "distributions.csv"):
        assert row["interest_paid"] + row["principal_paid"] == paid[row["payment_date"], row["class"]]
    accounts = read(runs[name] / "accounts.csv")
    for row in accounts:
        assert row["opening"] + row["deposit"] - row["draw"] - row["release"] == row["closing"]
        assert paid[row["payment_date"], "reserve account"] == row["deposit"]


def test_the_first_date_has_two_months_of_collections(runs: dict[str, Path]) -> None:
    """October and November 1999 are paid on 15 December (prospectus, page 59)."""
    months = read(runs["base"] / "collections.csv")[:2]
    assert [row["month"] for row in months] == ["1999-10", "1999-11"]
    parts = (
        "interest",
        "scheduled_principal",
        "prepaid_principal",
        "liquidation_proceeds",
        "purchase_amount",
    )
    collected = sum(row[part] for row in months for part in parts)
    first = read(runs["base"] / "ledger.csv")[0]
    assert (first["payment_date"], first["clause"]) == ("1999-12-15", "1")
    assert first["cash_left"] + first["paid"] == collected
    assert first["paid"] == Decimal("536631.47") + Decimal("516535.69")


def test_a_workbook_runs_like_its_deal_folder(built: Path, tmp_path: Path, runs: dict[str, Path]) -> None:
    export_run(built / f"{DEAL.name}.xlsx", "severe", tmp_path)
    for name in ("collections", "distributions", "ledger", "accounts", "policies", "events"):
        assert (tmp_path / f"{name}.csv").read_text() == (runs["severe"] / f"{name}.csv").read_text()


def test_an_unknown_scenario_or_source_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotAvailable, match="severe"):
        export_run(DEAL, "mild", tmp_path / "out")
    with pytest.raises(BadUsage):
        export_run(tmp_path / "nowhere", None, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_text_that_looks_like_a_formula_stays_text() -> None:
    assert csv_bytes([["=1+1", "-2.50", "@x", "plain"]]) == b"'=1+1,-2.50,'@x,plain\n"
    assert csv_bytes([["\t=1", "-1+cmd", "+2"]]) == b"'\t=1,'-1+cmd,+2\n"
