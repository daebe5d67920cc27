"""Reported months as collateral: refused where they do not add up, else the same in every scenario."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from xlmodel.errors import XlmodelError
from xlmodel.functions import call
from xlmodel.functions.cells import CellError
from xlmodel.pool.cash_flows import CashFlows
from xlmodel.pool.collateral import collateral_from_rows

HEADINGS = ["month", "beginning_balance", "interest", "principal", "defaulted", "proceeds", "other"]
HEADINGS += ["purchase_amount", "ending_balance"]
# By hand: 1,000.00 - 100.10 - 0 = 899.90; - 90.00 - 9.90 - 100.00 = 700.00; - 700.00 = 0.
JANUARY: list[Any] = [dt.date(2001, 1, 31), 1000.0, 10.01, 100.1, None, None, 0.5, None, 899.9]
FEBRUARY: list[Any] = [dt.date(2001, 2, 28), None, 9.0, 90.0, 9.9, 0.0, 0.0, 100.0, 700.0]
MARCH: list[Any] = [dt.date(2001, 3, 31), 700.0, 7.0, 700.0, 0.0, 4.4, 0.0, 0.0, 0.0]


def table(*rows: list[Any]) -> list[list[Any]]:
    return [HEADINGS, *rows]


def changed(row: list[Any], **values: Any) -> list[Any]:
    return [values.get(heading, cell) for heading, cell in zip(HEADINGS, row, strict=True)]


def test_every_scenario_collects_what_was_reported() -> None:
    flows = collateral_from_rows(table(JANUARY, FEBRUARY, MARCH))
    assert isinstance(flows, CashFlows)
    assert (flows.months, flows.cutoff_cents) == (3, 100_000)
    c = flows.collections(2)
    for scenario in range(2):
        assert c.beginning_balance[scenario].tolist() == [1000.0, 899.9, 700.0]
        assert c.ending_balance[scenario].tolist() == [899.9, 700.0, 0.0]
        assert c.interest[scenario].tolist() == [10.01, 9.0, 7.0]
        assert c.scheduled_principal[scenario].tolist() == [100.1, 90.0, 700.0]
        assert c.defaulted[scenario].tolist() == [0.0, 9.9, 0.0]
        assert c.liquidation_proceeds[scenario].tolist() == [0.0, 0.0, 4.4]
        assert c.purchase_amount[scenario].tolist() == [0.0, 100.0, 0.0]
        assert c.other[scenario].tolist() == [0.5, 0.0, 0.0]


def test_recoveries_is_another_word_for_proceeds() -> None:
    rows = table(JANUARY, FEBRUARY, MARCH)
    rows[0] = ["recoveries" if heading == "proceeds" else heading for heading in HEADINGS]
    flows = collateral_from_rows(rows)
    assert isinstance(flows, CashFlows)
    assert flows.proceeds.tolist() == [0, 0, 440]


def test_the_months_from_a_later_one_on_open_with_the_closing_balance() -> None:
    flows = collateral_from_rows(table(JANUARY, FEBRUARY, MARCH))
    assert isinstance(flows, CashFlows)
    later = flows.since(dt.date(2001, 3, 1))
    assert (later.months, later.beginning, later.ending.tolist()) == (1, 70_000, [0])


BAD = {
    "a month missing": (table(JANUARY, MARCH), 3, "month", "add the month that ends on 2001-02-28"),
    "a month twice": (table(JANUARY, JANUARY), 3, "month", "comes twice"),
    "no end of a month": (table(changed(JANUARY, month=dt.date(2001, 1, 30))), 2, "month", "2001-01-31"),
    "months in the wrong order": (table(FEBRUARY, JANUARY), 2, "beginning balance", "before the first month"),
    "a balance that does not roll": (
        table(JANUARY, changed(FEBRUARY, ending_balance=700.01)),
        3,
        "ending balance",
        "does not roll",
    ),
    "a beginning that is not the ending before": (
        table(JANUARY, changed(FEBRUARY, beginning_balance=899.0)),
        3,
        "beginning balance",
        "ended with 899.90",
    ),
    "a negative amount": (table(changed(JANUARY, interest=-10.01)), 2, "interest", "negative"),
    "interest left blank": (table(JANUARY, changed(FEBRUARY, interest=None)), 3, "interest", "is blank"),
    "a text": (table(changed(JANUARY, principal="many")), 2, "principal", "a number is asked for"),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_name_row_and_column(name: str) -> None:
    rows, row, heading, words = BAD[name]
    with pytest.raises(XlmodelError) as caught:
        collateral_from_rows(rows)
    place = caught.value.place
    assert (place.table, place.row, place.heading) == ("Pools", row, heading)
    assert words in str(caught.value)


def test_a_table_without_months_says_so() -> None:
    with pytest.raises(XlmodelError, match="no row"):
        collateral_from_rows(table())


def test_a_month_that_the_table_lacks_is_named() -> None:
    flows = collateral_from_rows(table(JANUARY, FEBRUARY))
    assert isinstance(flows, CashFlows)
    with pytest.raises(XlmodelError, match="first collection month of the deal ends on 2001-03-31"):
        flows.since(dt.date(2001, 3, 1))


def test_collections_in_a_cell() -> None:
    rows = table(JANUARY, FEBRUARY, MARCH)
    found: Any = call("XM_COLLECTIONS", [rows, 0.0])
    assert found[1] == [2.0, 899.9, 9.0, 90.0, 0.0, 700.0]
    assert len(call("XM_COLLECTIONS", [rows, 0.0, "ABS", 2.0])) == 2  # type: ignore[arg-type]
    bad: Any = ([rows, 0.01], [rows, 0.0, "ABS", 4.0])
    for arguments in bad:
        answer: Any = call("XM_COLLECTIONS", arguments)
        assert isinstance(answer, CellError)
        assert answer.code == "#NUM!"
