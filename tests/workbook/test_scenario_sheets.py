"""Scenarios, Statement, Ledger and Paths: what the choices show, and that they follow edits."""

from __future__ import annotations

import datetime as dt
import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl import Workbook

from tests.deal.tie import DEAL
from tests.workbook.books import checks, edited, lost, named, refreshed, saved, values_of
from tests.workbook.small_deal import write_small_deal
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.export import accounts_table, ledger_table
from xlmodel.deal.folder import read_folder
from xlmodel.deal.scenario import Scenarios, read_scenarios
from xlmodel.deal.statement import statement
from xlmodel.deal.waterfall import run
from xlmodel.errors import CellFailed, NotWritten
from xlmodel.package.guard import open_package
from xlmodel.pool.projection import Collections
from xlmodel.workbook.build import build_workbook
from xlmodel.workbook.inputs import require_no_edits
from xlmodel.workbook.sheets.layout import Layout

pytestmark = pytest.mark.soak

FIRST = 8  # rows of scenarios that the flagship has; blank ones follow


@pytest.fixture(scope="module")
def data() -> bytes:
    return build_workbook(read_folder(DEAL))


Run = tuple[Deal, Scenarios, Collections, Distributions]


@pytest.fixture(scope="module")
def api() -> Run:
    """The same scenarios by the Python API."""
    folder = read_folder(DEAL)
    scenarios = read_scenarios(folder.scenarios)
    collections = collect(folder.deal, folder.pool, scenarios)
    return folder.deal, scenarios, collections, run(folder.deal, collections, scenarios)


def chosen(api: Run, scenario: str, number: int) -> tuple[tuple[str, int, int, Any], ...]:
    """The edits that choose a scenario and the payment date of a number."""
    date = api[3].dates.adjusted[number - 1].item()
    return ("SelectedScenario", 0, 0, scenario), ("SelectedDate", 0, 0, date)


def column(book: Workbook, layout: Layout, name: str) -> list[Any]:
    return [cell for (cell,) in values_of(book, layout[name])]


def by_item(rows: list[list[Any]], item: int, of: str | None = None) -> list[Any]:
    """Amounts of an item, of a class or of the whole, in order."""
    return [row[3] for row in rows if row[0] == item and row[2] == of]


# --- the first payment date, as the prospectus's terms give it -------------------------------------


def test_the_statement_of_15_december_1999(values: Workbook, layout: Layout) -> None:
    """At 1.5% ABS: fees of October and November, the pool, principal of A-1, worked out by hand."""
    notes, certificates = named(values, "Statement1"), named(values, "Statement2")
    assert named(values, "SelectedScenario") == [["base"]]
    assert named(values, "SelectedDate") == [[dt.datetime(1999, 12, 15)]]
    assert column(values, layout, "collections Fee servicing")[:2] == [536_631.47, 516_535.69]
    assert by_item(notes, 4) == by_item(certificates, 4) == [1_053_167.16]
    assert by_item(notes, 3, "A-1") == [47_843_606.91]
    assert by_item(notes, 6) == by_item(certificates, 6) == [596_114_152.81]
    assert by_item(notes, 1, "A-1") == [1_283_917.50]
    assert by_item(certificates, 1, "Certificates") == [119_724.52]


def test_the_ledger_of_15_december_1999(values: Workbook, layout: Layout) -> None:
    rows = {(row[1], row[2]): row[3:] for row in reversed(named(values, "Ledger"))}  # the first of each
    opening, requirement = 16_098_944.00, 22_354_280.73
    assert rows["1", "servicer"][:3] == [1_053_167.16, 1_053_167.16, 0]
    assert rows["4", "A-1"][:3] == [47_843_606.91, 47_843_606.91, 0]
    assert rows["9", "reserve account"][0] == round(requirement - opening, 2)
    assert column(values, layout, "ledger accounts")[0] == opening
    assert column(values, layout, "ledger accounts")[-1] == requirement


def test_the_stub_of_the_certificates(values: Workbook) -> None:
    """12,879,759.72 is no multiple of 1,000."""
    (row,) = [row for row in named(values, "Statement2") if "stub" in str(row[1])]
    assert row[1:4] == ["of which the stub of 759.72", "Certificates", 759.72]


def test_numbers_of_contracts_are_not_available(values: Workbook) -> None:
    rows = [row for row in named(values, "Statement1") if str(row[1]).startswith("Number of contracts")]
    assert [row[3] for row in rows] == ["#N/A"] * 3


def test_a_holder_of_another_denomination(data: bytes, layout: Layout) -> None:
    """A balance of 107,406,393.09 of 155,250,000: 691.83 for 1,000, 17,295.72 for 25,000."""
    book = edited(data, layout, ("denomination 0", 0, 0, 25_000))
    balance = next(row for row in named(book, "Statement1") if row[0] == 5)
    assert balance[2:] == ["A-1", 107_406_393.09, 691.83, 17_295.72]
    assert lost(checks(book)) == set()


# --- other choices ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "number"),
    [("severe", 4), ("severe, accelerated", 20), ("insurer default", 12), ("sale", 24), ("stress", 65)],
)
def test_a_choice_shows_what_the_python_api_gives(
    data: bytes, layout: Layout, api: Run, scenario: str, number: int
) -> None:
    deal, scenarios, collections, paid = api
    n = scenarios.names.index(scenario)
    book = edited(data, layout, *chosen(api, scenario, number))
    assert lost(checks(book)) == set()

    exported = [row[1:] for row in ledger_table(paid, n, number - 1)[1:]]
    shown = [[*row[:3], *(f"{amount:.2f}" for amount in row[3:])] for row in named(book, "Ledger")]
    left = [row for row in shown if row not in exported]
    assert [row for row in shown if row in exported] == exported
    assert all(row[3:] == ["0.00"] * 4 for row in left)  # of a list that does not govern this date

    for position, group in enumerate(("Notes", "Certificates"), start=1):
        items = statement(
            deal, collections, paid, scenarios.delinquent, group, number - 1, 10_000_000, scenario=n
        )
        expected = [
            [
                item.number,
                item.text,
                item.of or None,
                "#N/A" if item.amount is None else item.amount,
                item.per_thousand,
                item.holder,
            ]
            for item in items
        ]
        assert named(book, f"Statement{position}") == expected

    account = next(row for row in accounts_table(paid, n)[number:] if row[1] == "reserve")
    moves = column(book, layout, "ledger accounts")
    assert [f"{amount:.2f}" for amount in moves[:5]] == account[2:]
    assert moves[5] == paid.accounts.requirement[n, number - 1, 0] / 100


@pytest.mark.parametrize(
    ("number", "first", "last"),
    [
        (1, dt.datetime(1999, 10, 1), dt.datetime(1999, 11, 30)),
        (2, dt.datetime(1999, 12, 1), dt.datetime(1999, 12, 31)),
    ],
)
def test_the_collection_period_of_a_statement(
    data: bytes, layout: Layout, api: Run, number: int, first: dt.datetime, last: dt.datetime
) -> None:
    """Two months make the first payment, one each other."""
    sheet = edited(data, layout, *chosen(api, "base", number))["Statement"]
    assert [sheet.cell(row, 3).value for row in (6, 7)] == [first, last]


def test_a_date_that_is_no_payment_date(data: bytes, layout: Layout) -> None:
    edit = ("SelectedDate", 0, 0, dt.date(1999, 12, 16))
    with pytest.raises(CellFailed, match=r"because of Statement!C5: 1999-12-16 is no payment date"):
        edited(data, layout, edit)


# --- the table of scenarios ------------------------------------------------------------------------


def test_the_summary_is_what_each_scenario_gives(values: Workbook, api: Run) -> None:
    _, scenarios, _, paid = api
    rows = named(values, "ScenarioSummary")
    assert [row[0] for row in rows] == [*scenarios.names, *[None] * 4]
    assert [row[3] for row in rows[:FIRST]] == (paid.accounts.draw.sum(axis=(1, 2)) / 100).tolist()
    assert [row[4] for row in rows[:FIRST]] == (paid.policies.paid.sum(axis=(1, 2)) / 100).tolist()
    by_name = {row[0]: row for row in rows}
    assert by_name["base"][3:11] == [0] * 8
    assert by_name["stress"][3] > 0
    assert by_name["stress"][4] == 0  # the reserve account is drawn, the policy is not
    assert by_name["severe"][4] > 0
    assert by_name["insurer default"][9] == 12
    assert by_name["insurer default"][-1] == "#N/A"
    assert by_name["sale"][10] == 24


def test_events_are_dates(values: Workbook, api: Run) -> None:
    dates = api[3].dates.adjusted
    rows = {row[0]: row[1:] for row in named(values, "ScenarioEvents")}
    assert rows["base"] == [None] * 8
    assert rows["sale"][6] == dt.datetime.combine(dates[23].item(), dt.time())


def test_paths_and_what_is_compared(values: Workbook, layout: Layout, api: Run) -> None:
    _, scenarios, _, paid = api
    n = scenarios.names.index("severe")
    for name, amounts in (
        ("compared balance 0 1", paid.accounts.closing[n, :, 0]),
        ("compared requirement 0 1", paid.accounts.requirement[n, :, 0]),
    ):
        assert column(values, layout, name) == (amounts / 100).tolist()
    claims = values_of(values, layout["path claims"])
    assert [row[n] for row in claims] == (paid.policies.paid[n, :, 0].cumsum() / 100).tolist()
    assert {tuple(row[FIRST:]) for row in claims} == {(None,) * 4}


def test_a_scenario_in_a_blank_row(data: bytes, layout: Layout, api: Run) -> None:
    """It is in all results, and can be chosen."""
    figures = {"scenario": "mild", "speed": 0.014, "default model": "CNL", "default rate": 0.03}
    figures |= {"timing": "50/50", "severity": 0.6, "recovery lag": 2}
    edits = [(f"scenario {heading}", FIRST + 1, 0, value) for heading, value in figures.items()]
    book = edited(data, layout, *edits, *chosen(api, "mild", 7))
    assert lost(checks(book)) == set()
    row = named(book, "ScenarioSummary")[FIRST + 1]
    assert row[:2] == ["mild", 0.014]
    assert row[2] == pytest.approx(0.03)
    assert named(book, "ScenarioSummary")[FIRST][0] is None  # the row before it stayed blank
    assert named(book, "ScenarioEvents")[FIRST + 1][0] == "mild"
    path = [row[FIRST + 1] for row in values_of(book, layout["path net loss"])]
    assert path[-1] == pytest.approx(0.03)


@pytest.mark.parametrize("lag", [0, 9])
def test_another_recovery_lag(data: bytes, layout: Layout, lag: int) -> None:
    """The longest lag was 6: later there is no path, or more of it than is shown."""
    edits = [("scenario recovery lag", row, 0, lag) for row in range(3, FIRST)]
    book = edited(data, layout, *edits)
    assert lost(checks(book)) == set()
    last = values_of(book, layout["path net loss"])[-1]
    assert last[4] == ("#N/A" if lag == 0 else pytest.approx(0.12, abs=0.02))


def test_a_bad_scenario_names_its_cell(data: bytes, layout: Layout) -> None:
    with pytest.raises(
        CellFailed, match=r"because of Scenarios!F12, column 'severity': .*the text 'half'"
    ) as e:
        edited(data, layout, ("scenario severity", 3, 0, "half"))
    assert "XM_SCENARIO_SUMMARY" in str(e.value)


def test_cells_to_choose_in_have_lists(data: bytes, layout: Layout) -> None:
    book = openpyxl.load_workbook(io.BytesIO(data))
    found = {
        f"{sheet.title}!{rule.sqref}": rule.formula1
        for sheet in book
        for rule in sheet.data_validations.dataValidation
    }
    assert found == {
        "Scenarios!A4": "$A$9:$A$20",
        "Scenarios!A5": "$A$9:$A$20",
        "Scenarios!P9:P20": '"none,two thirds,all"',
        "Statement!C5": "Paths!$B$7:$B$71",
        "Grid!A4": "$A$39:$A$52",
        "Grid!A5": "Scenarios!$A$9:$A$20",
        "Prices!B6": '"1,2,4,12"',
        "Prices!B7": "Terms!$A$46:$A$50",
    }


def test_edited_scenarios_are_not_lost_by_a_build(data: bytes, layout: Layout) -> None:
    book = openpyxl.load_workbook(io.BytesIO(data))
    speed = layout["scenario speed"]
    book["Scenarios"].cell(speed.top, speed.left).value = 0.02
    existing, fresh = (open_package(one, name="book.xlsx") for one in (saved(book), data))
    with pytest.raises(NotWritten, match="range Scenarios"):
        require_no_edits(existing, fresh)


def test_a_deal_without_accounts_policies_or_events(tmp_path: Path) -> None:
    path = write_small_deal(tmp_path / "small")
    book = refreshed(build_workbook(read_folder(path)))
    assert lost(checks(book)) == set()
    (row, *blank) = named(book, "ScenarioSummary")
    assert row[:2] == ["base", 0.12]
    assert {cell for line in blank for cell in line} == {None}
    assert named(book, "ScenarioEvents")[0] == ["base", *[None] * 4]
    folder = read_folder(path)
    collections = collect(folder.deal, folder.pool, read_scenarios(folder.scenarios))
    lines = run(folder.deal, collections).ledger.lines
    assert [row[2] for row in named(book, "Ledger")] == [line.payee for line in lines]
