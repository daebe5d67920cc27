"""What native formulas are made of: templates, shares, conditions, measures; expected texts by hand."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from tests.deal.tie import DEAL
from xlmodel.deal.conditions import Condition, parse_condition
from xlmodel.errors import NotNative
from xlmodel.package.address import Block
from xlmodel.workbook.sheets.contents import read_contents
from xlmodel.workbook.sheets.layout import Layout
from xlmodel.workbook.sheets.native.measures import Moment
from xlmodel.workbook.sheets.native.shares import shared
from xlmodel.workbook.sheets.native.template import filled

LAYOUT = Layout(
    {
        "class rate": Block("Terms", 46, 4, 50, 4),
        "table days 0": Block("Dates", 7, 8, 66, 8),
        "pool total balance": Block("Pool", 18, 2, 18, 2),
    }
)
COLUMNS = {"balance 0": 3, "paid 1 0": 4}


@pytest.mark.parametrize(
    ("template", "formula"),
    [
        ("[balance 0]", "=C9"),
        ("[balance 0^]-[paid 1 0]", "=C8-D9"),
        ("SUM([paid 1 0:^])", "=SUM(D$6:D8)"),
        ("{class rate#2}", "=Terms!$D$48"),
        ("SUM({class rate})", "=SUM(Terms!$D$46:$D$50)"),
        ("{days 0@}", "=Dates!$H$9"),  # the third payment date
        ("ROUND({pool total balance},2)", "=ROUND(Pool!$B$18,2)"),
    ],
)
def test_a_template_is_filled_for_a_row(template: str, formula: str) -> None:
    assert filled(template, LAYOUT, 9, 7, COLUMNS.__getitem__, "table ") == formula


def worth(formula: str, **cells: float) -> float:
    """A formula of IF, MIN, MAX, ROUND and cells, as Python works it out."""
    text = formula
    for name, value in cells.items():
        text = text.replace(name, repr(value))
    names = {
        "MIN": min,
        "MAX": max,
        "ROUND": lambda x, n: round(x + 1e-9, n),
        "IF": lambda test, yes, no: yes if test else no,
    }
    return float(eval(text, names))


@pytest.mark.parametrize(
    ("amount", "tiers", "expected"),
    [
        (100.0, [[0], [1]], (60.0, 40.0)),  # enough
        (70.0, [[0], [1]], (60.0, 10.0)),  # one after the other
        (30.0, [[0], [1]], (30.0, 0.0)),
        (50.0, [[0, 1]], (30.0, 20.0)),  # side by side, 60 to 40
        (0.01, [[0, 1]], (0.01, 0.0)),  # the larger remainder has the cent
    ],
)
def test_shares(amount: float, tiers: list[list[int]], expected: tuple[float, ...]) -> None:
    found = shared("aa", ["b1", "b2"], ["b1", "b2"], tiers)
    assert tuple(worth(text, aa=amount, b1=60.0, b2=40.0) for text in found) == expected


GROUPS = {"notes": (0, 1), "a-1": (0,), "b": (1,)}


def condition(text: str, triggers: tuple[str, ...] = ()) -> Condition:
    return parse_condition(text, GROUPS, triggers)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("", "TRUE"),
        ("accelerated", "FALSE"),
        ("not accelerated", "TRUE"),
        ("not accelerated and called", "[called]=1"),
        ("accelerated or Notes paid", "ROUND([x]+[y],2)=0"),
        ("until 2012-12-31", "[unadjusted]<=DATE(2012,12,31)"),
        ("after 2012-12-31 and not B paid", "AND([unadjusted]>DATE(2012,12,31),NOT(ROUND([y],2)=0))"),
    ],
)
def test_conditions(text: str, formula: str) -> None:
    now = Moment(read_contents(DEAL), "[pool]", ("[x]", "[y]"))
    assert now.condition(condition(text)) == formula


@pytest.mark.parametrize("text", ["losses high", "can be retired"])
def test_conditions_that_have_no_formula(text: str) -> None:
    now = Moment(read_contents(DEAL), "[pool]", ("[x]", "[y]"))
    with pytest.raises(NotNative, match=text):
        now.condition(condition(text, ("losses high",)))


def test_a_measure_reads_its_rows() -> None:
    """1999-1: the least of the target and of notes and certificates."""
    now = Moment(read_contents(DEAL), "[pool]", tuple(f"[b{n}]" for n in range(5)))
    target = "MAX({measure amount#0},ROUND({measure percent#1}*[pool],2),ROUND({measure percent#2}*0,2))"
    securities = "([b0]+[b1]+[b2]+[b3]+[b4])"
    least = f"MIN(ROUND({{measure percent#3}}*{target},2),ROUND({{measure percent#4}}*{securities},2))"
    assert now.measure("reserve requirement") == least
    (reserve,) = now.contents.deal.accounts
    assert now.requirement(reserve) == least
    measures = now.contents.deal.measures
    assert not measures["reserve requirement"].steady
    assert measures["reserve target"].steady


def test_a_requirement_that_may_be_below_nothing_is_at_least_nothing() -> None:
    contents = read_contents(DEAL)
    deal = contents.deal
    target = deal.measures["reserve target"]
    floor, part, agreed = target.components
    taken_off = replace(target, components=(floor, replace(part, percent=-0.01), agreed))
    other = replace(deal, measures={**deal.measures, "reserve target": taken_off})
    less = replace(contents, folder=replace(contents.folder, deal=other))
    (reserve,) = deal.accounts
    now = Moment(less, "[pool]", tuple(f"[b{n}]" for n in range(5)))
    assert now.requirement(reserve) == f"MAX(0,{now.measure('reserve requirement')})"


def test_conditions_are_data() -> None:
    assert condition("until 2012-12-31") == condition("until 2012-12-31")
    assert condition("until 2012-12-31") != condition("after 2012-12-31")
    assert getattr(condition("until 2012-12-31"), "day") == dt.date(2012, 12, 31)  # noqa: B009  # the protocol has no days
