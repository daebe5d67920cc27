"""Grid and Prices: what they show, that they follow edits, and that their proofs hold where terms differ.

Yields are compared with QuantLib, which is given the flows and dates of the sheet Distributions.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import QuantLib as ql
from openpyxl import Workbook

from tests.deal.tie import DEAL
from tests.workbook.books import checks, edited, lost, named, values_of
from xlmodel.analytics.class_price import class_flows
from xlmodel.analytics.grid import run_grid
from xlmodel.deal.collect import collect
from xlmodel.deal.folder import DealFolder, read_folder
from xlmodel.deal.scenario import at_speeds, read_scenarios, select
from xlmodel.deal.waterfall import run
from xlmodel.errors import CellFailed
from xlmodel.package.guard import open_package
from xlmodel.workbook.build import build_workbook
from xlmodel.workbook.difference import difference
from xlmodel.workbook.in_terms import read_model
from xlmodel.workbook.refresh import refresh
from xlmodel.workbook.sheets.layout import Layout

pytestmark = pytest.mark.soak

SPEEDS, LOSSES, SEVERITIES = [0.005, 0.01, 0.013, 0.015], [0.0, 0.02, 0.04, 0.06, 0.08, 0.1], [0.5, 0.6]
# Source: prospectus, cover page, price to public in percent.
COVER = {"A-1": 100.0, "A-2": 99.99621, "A-3": 99.99483, "A-4": 99.9788, "Certificates": 99.997}
ADJUSTED = ("A-1", "A-2")  # the others accrue to the 15th whatever day it is


@pytest.fixture(scope="module")
def folder() -> DealFolder:
    return read_folder(DEAL)


@pytest.fixture(scope="module")
def data(folder: DealFolder) -> bytes:
    return build_workbook(folder)


def flows(book: Workbook, layout: Layout) -> Iterator[tuple[str, list[tuple[dt.date, float]]]]:
    """Dates and amounts of each class per 100 of its balance, as the sheet Distributions has them."""
    for position, name in enumerate(COVER):
        date = "payment date" if name in ADJUSTED else "unadjusted date"
        columns = [values_of(book, layout[f"{what} {position}"]) for what in ("interest", "principal")]
        days = [row[0].date() for row in values_of(book, layout[date])]
        balance = sum(row[0] for row in columns[1])
        paid = [(a[0] + b[0]) / balance * 100 for a, b in zip(*columns, strict=True)]
        yield name, list(zip(days, paid, strict=True))


def yield_by_quantlib(
    paid: list[tuple[dt.date, float]],
    price: float,
    settlement: dt.date = dt.date(1999, 10, 28),
    frequency: int = ql.Semiannual,
) -> float:
    day = ql.Date.from_date(settlement)
    leg = [ql.SimpleCashFlow(amount, ql.Date.from_date(date)) for date, amount in paid if amount]
    counter = ql.Thirty360(ql.Thirty360.BondBasis)
    found = ql.CashFlows.yieldRate(
        leg, price, counter, ql.Compounded, frequency, False, day, day, 1e-14, 1000, 0.06
    )
    return float(found)


# --- prices ----------------------------------------------------------------------------------------


def test_the_cover_prices_give_the_yields_of_quantlib(values: Workbook, layout: Layout) -> None:
    assert named(values, "Prices")[0][:2] == ["Class", "Price"]
    assert {row[0]: row[1] for row in named(values, "Prices")[1:]} == COVER
    found = {row[0]: row[1] for row in zip(COVER, named(values, "PriceYields"), strict=True)}
    for name, paid in flows(values, layout):
        row = found[name]
        assert row[0] == COVER[name]
        assert row[1] == pytest.approx(yield_by_quantlib(paid, COVER[name]), abs=1e-10)
        assert (row[2], row[7]) == (0, 0)  # settled at closing; paid in full


def test_the_prices_are_those_of_the_published_file() -> None:
    with (DEAL / "published" / "classes.csv").open(encoding="utf-8") as file:
        printed = {row["class"]: float(row["price_pct"]) for row in csv.DictReader(file)}
    assert printed == COVER


def test_the_table_of_yields_by_price_and_speed(values: Workbook, layout: Layout, folder: DealFolder) -> None:
    """The column of 1.5% against QuantLib; the others from what the Python API pays at their speeds."""
    quotes = [row[0] for row in named(values, "QuotedPrices")]
    shown = values_of(values, layout["price-yield table"])
    paid = dict(flows(values, layout))["A-4"]
    for quote, row in zip(quotes, shown, strict=True):
        assert row[2] == pytest.approx(yield_by_quantlib(paid, quote), abs=1e-10)
        assert row[:2] + row[3:] != [row[2]] * 3
    scenarios = at_speeds(folder.speeds)
    runs = run(folder.deal, collect(folder.deal, folder.pool, scenarios), scenarios)
    for n in range(len(folder.speeds)):
        flow = class_flows(folder.deal, runs, 3, None, n)
        leg = list(zip(flow.dates.tolist(), (flow.amounts / flow.balance * 100).tolist(), strict=True))
        for quote, row in zip(quotes, shown, strict=True):
            assert row[n] == pytest.approx(yield_by_quantlib(leg, quote), abs=1e-10)
    # A speed moves the yield of a discount up and that of a premium down.
    assert shown[0] == sorted(shown[0])
    assert shown[-1] == sorted(shown[-1], reverse=True)


def test_an_edited_price_settlement_and_compounding(data: bytes, layout: Layout) -> None:
    edits = (("price price", 2, 0, 98.5), ("Compounding", 0, 0, 12), ("price price", 4, 0, 101.25))
    book = edited(data, layout, *edits)
    assert lost(checks(book)) == set()
    rows = named(book, "PriceYields")
    paid = dict(flows(book, layout))
    assert rows[2][1] == pytest.approx(yield_by_quantlib(paid["A-3"], 98.5, frequency=ql.Monthly), abs=1e-10)
    price, monthly = rows[4][:2]
    assert price == 101.25
    assert monthly == pytest.approx(
        yield_by_quantlib(paid["Certificates"], 101.25, frequency=ql.Monthly), abs=1e-10
    )


def test_a_later_settlement_accrues(data: bytes, layout: Layout) -> None:
    """25 December 1999: of A-3 ten days since the 15th, 100 x 6.76% x 10 / 360; of A-1 ten days, actual/360,
    of its rate on what is left of it."""
    book = edited(data, layout, ("Settlement", 0, 0, dt.date(1999, 12, 25)))
    assert lost(checks(book)) == set()
    accrued = [row[2] for row in named(book, "PriceYields")]
    assert accrued[2] == pytest.approx(6.76 * 10 / 360, abs=1e-7)
    assert accrued[0] == pytest.approx(6.2025 * 10 / 360, abs=1e-7)
    before = [row[0] for row in values_of(book, layout["proved before"])]
    assert before == [1] * 5
    assert values_of(book, layout["proved balance"])[0] == [107_406_393.09]  # after the first payment


def test_the_proof_follows_edited_terms(data: bytes, layout: Layout) -> None:
    book = edited(
        data,
        layout,
        ("Settlement", 0, 0, dt.date(2000, 3, 3)),
        ("class accrual dates", 0, 0, "unadjusted"),
        ("class day count", 1, 0, "actual/365 fixed"),
        ("class accrual dates", 3, 0, "adjusted"),
        ("class day count", 3, 0, "actual/actual ISDA"),
        ("base speed", 0, 0, 0.01),
    )
    assert {"check_grid", "check_prices"} & lost(checks(book)) == set()


def test_another_class_and_speed_in_the_table(data: bytes, layout: Layout) -> None:
    book = edited(
        data, layout, ("PricedClass", 0, 0, "A-2"), ("Speeds", 0, 2, 0.02), ("base speed", 0, 0, 0.02)
    )
    paid = dict(flows(book, layout))["A-2"]  # Distributions is at 2% too now
    quotes = [row[0] for row in named(book, "QuotedPrices")]
    for quote, row in zip(quotes, values_of(book, layout["price-yield table"]), strict=True):
        assert row[2] == pytest.approx(yield_by_quantlib(paid, quote), abs=1e-10)
    assert "check_prices" not in lost(checks(book))


def test_a_price_without_a_yield_names_its_cell(data: bytes, layout: Layout) -> None:
    with pytest.raises(CellFailed, match=r"sheet Prices.*XM_YIELD.*a price of -1 has no yield"):
        edited(data, layout, ("price price", 1, 0, -1))


# --- the grid --------------------------------------------------------------------------------------


def grid_of(book: Workbook) -> list[list[Any]]:
    """The grid without its headings, which are checked."""
    head, *rows = named(book, "Grid")
    assert head[1:] == named(book, "GridLosses")[0] * len(named(book, "GridSeverities")[0])
    assert [row[0] for row in rows] == named(book, "GridSpeeds")[0]
    return [row[1:] for row in rows]


def test_without_losses_lives_are_the_printed_ones(values: Workbook) -> None:
    """A-4 at 0.50%, 1.00% and 1.50%: printed 3.62, 3.31 and 2.95 years; at both severities."""
    rows = grid_of(values)
    for column in (0, len(LOSSES)):
        assert [round(rows[n][column], 2) for n in (0, 1, 3)] == [3.62, 3.31, 2.95]


def test_the_net_loss_of_a_cumulative_net_loss_is_itself(data: bytes, layout: Layout) -> None:
    book = edited(data, layout, ("GridItem", 0, 0, "net loss"))
    assert lost(checks(book)) == set()
    for row in grid_of(book):
        assert row == pytest.approx(LOSSES * len(SEVERITIES), abs=1e-12)


@pytest.mark.parametrize("item", ["claims", "Certificates average life", "a-4 UNPAID", "called"])
def test_edited_axes_show_what_the_python_api_gives(
    data: bytes, layout: Layout, folder: DealFolder, item: str
) -> None:
    edits = [
        ("GridItem", 0, 0, item),
        ("GridScenario", 0, 0, "severe"),
        ("GridSpeeds", 0, 3, 0.012),
        ("GridLosses", 0, 1, 0.015),
        ("GridSeverities", 0, 0, 0.45),
    ]
    book = edited(data, layout, *edits)
    base = select(read_scenarios(folder.scenarios), "severe")
    axes = {
        "speed": [*SPEEDS[:3], 0.012],
        "severity": [0.45, 0.6],
        "loss": [0.0, 0.015, *LOSSES[2:]],
    }
    expected = run_grid(folder.deal, folder.pool, base, axes).item(item).reshape(4, -1)
    assert grid_of(book) == expected.tolist()
    assert lost(checks(book)) == set()
    maps = [values_of(book, layout[f"heat map {n}"]) for n in range(2)]
    assert [a + b for a, b in zip(*maps, strict=True)] == grid_of(book)


def test_the_scenario_itself_is_found(values: Workbook, layout: Layout) -> None:
    """Stress is 1.30%, 6% and 50%: the third row, the fourth column of the first severity."""
    found = [values_of(values, layout[n])[0][0] for n in ("row of the grid", "column of the grid", "here")]
    assert found[:2] == [3, 4]
    assert found[2] == grid_of(values)[2][3] == named(values, "ScenarioSummary")[3][15]


def test_a_class_that_is_not_paid_is_said_in_the_heat_map(data: bytes, layout: Layout) -> None:
    """The insurer stops paying, and the certificates bear the losses."""
    edits = (("GridScenario", 0, 0, "insurer default"), ("GridItem", 0, 0, "Certificates average life"))
    book = edited(data, layout, *edits, keep_errors=True)
    rows = grid_of(book)
    shown = [values_of(book, layout[f"heat map {n}"]) for n in range(2)]
    assert rows[0][5] == "#N/A"
    assert shown[0][0][5] == "not paid"
    assert shown[0][0][0] == rows[0][0]
    assert "check_grid" not in lost(checks(book))


def test_a_loss_that_no_pool_can_bear_names_its_cause(data: bytes, layout: Layout) -> None:
    with pytest.raises(CellFailed, match=r"sheet Grid.*XM_SCENARIOS.*lower the net loss"):
        edited(data, layout, ("GridLosses", 0, 5, 0.5))


def test_a_heat_map_is_one_scale_over_all_severities(data: bytes, layout: Layout) -> None:
    book = openpyxl.load_workbook(io.BytesIO(data))
    scales = [
        (str(ranges.sqref), [color.rgb for color in rule.colorScale.color])
        for ranges in book["Grid"].conditional_formatting
        for rule in ranges.rules
        if rule.type == "colorScale"
    ]
    ((area, colours),) = scales
    assert len(area.split()) == len(SEVERITIES)
    least, most = (_luminance(colour[-6:]) for colour in colours)
    assert least > 0.9  # white paper to a grey on which black is read: contrast of 7 to 1 and more
    assert (most + 0.05) / 0.05 > 7
    assert least - most > 0.4


def _luminance(colour: str) -> float:
    """Relative luminance.  Source: WCAG 2.1."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# --- in terms, and without ------------------------------------------------------------------------


def test_edits_are_told_in_terms(data: bytes, tmp_path: Path) -> None:
    package = open_package(refresh(open_package(data, name="old")).data, name="old")
    book = openpyxl.load_workbook(io.BytesIO(data))
    book["Prices"]["B13"].value, book["Prices"]["B5"].value = 99.5, dt.date(1999, 11, 1)
    book["Grid"]["C9"].value = 0.03
    file = io.BytesIO()
    book.save(file)
    new = open_package(file.getvalue(), name="new")
    found = difference(read_model(package), read_model(new))
    text = "\n".join(found.inputs)
    assert "rice of class A-2" in text
    assert "99.99621 -> 99.5" in text
    assert "Settlement: 1999-10-28 -> 1999-11-01" in text
    assert "Grid, losses: 0.00%, 2.00%, 4.00%" in text or "Grid, losses: 0%, 2%, 4%" in text
    assert len(found.inputs) == 3


def test_one_without_the_other(tmp_path: Path) -> None:
    """A deal that asks for a grid only has no sheet of prices, and the reverse."""
    text = (DEAL / "deal.toml").read_text(encoding="utf-8")
    grid, prices = text.index("\n[grid]"), text.index("\n[pricing]")
    for name, kept in (("grid", text[:prices]), ("prices", text[:grid] + text[prices:])):
        path = tmp_path / name
        path.mkdir()
        (path / "deal.toml").write_text(kept, encoding="utf-8")
        (path / "pool.csv").write_bytes((DEAL / "pool.csv").read_bytes())
        made = openpyxl.load_workbook(io.BytesIO(refresh(_package(path)).data), data_only=True)
        assert ("Grid" in made.sheetnames, "Prices" in made.sheetnames) == (name == "grid", name == "prices")
        assert lost(checks(made)) == set()


@pytest.mark.parametrize("name", ["carmax_2010_2", "drive_2025_2", "toyota_2025_b"])
def test_any_deal_may_ask(name: str, tmp_path: Path) -> None:
    """Other classes, calls, day counts, a floating class, no default model: the proofs hold as they are."""
    path = Path(shutil.copytree(DEAL.parent / name, tmp_path / name))
    found = read_folder(path)
    known = [note_class.name for note_class in found.deal.classes]
    asked = f"""
[grid]
scenario = "{found.scenarios[1][0]}"
item = "{known[1]} average life"
speed = {list(found.speeds)}
loss = [0.0]
severity = [0.5]

[pricing]
settlement = {found.deal.closing_date}
frequency = 12
class = "{known[1]}"
quotes = [99.0, 100.0, 101.0]
"""
    asked += "".join(f'\n[[prices]]\nclass = "{one}"\nprice = 99.9\nstatus = "assumed"\n' for one in known)
    text = (path / "deal.toml").read_text(encoding="utf-8")
    (path / "deal.toml").write_text(f"{text}{asked}", encoding="utf-8")
    book = openpyxl.load_workbook(io.BytesIO(refresh(_package(path)).data), data_only=True)
    assert lost(checks(book)) == set()
    assert len(named(book, "PriceYields")) == len(known)


def _package(path: Path) -> Any:
    return open_package(build_workbook(read_folder(path)), name=path.name)
