"""Questions in cells: XM_SCENARIOS, XM_PRICE, XM_YIELD, XM_BREAK_EVEN, XM_SOLVE_SPEED, XM_SOLVE_SIZE."""

from __future__ import annotations

from typing import Any

import numpy as np

from xlmodel.analytics.class_price import ClassFlows, class_flows
from xlmodel.analytics.grid import run_grid
from xlmodel.analytics.solve import BreakEven, break_even, size_for_coverage, speed_for_life
from xlmodel.conventions.money import to_cents
from xlmodel.deal.definition import Deal
from xlmodel.deal.scenario import Scenarios, take
from xlmodel.errors import NotAvailable
from xlmodel.functions.cells import CellError, Rows
from xlmodel.functions.deal_runs import DealRun, Ranges, place_of, runs_of, stated
from xlmodel.functions.kinds import Boolean, Date, DefaultName, Integer, Number, Numbers, Range, Text
from xlmodel.functions.refusals import blaming, refuse
from xlmodel.functions.registry import function
from xlmodel.pool.collateral import Collateral

PRICE_HEADER = ("Price", "Yield", "Accrued", "Modified duration", "Average life", "First", "Last", "Unpaid")
BREAK_EVEN_HEADER = ("Class", "Bears", "Breaks at", "Searched from", "Searched to")


@function("XM_SCENARIOS", "Deal")
def scenarios_grid(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    scenarios: Range,
    item: Text,
    speeds: Numbers,
    losses: Numbers,
    severities: Numbers | None = None,
    scenario: Text | None = None,
    header: Boolean = False,
) -> Rows:
    """One result of a deal over a grid of speeds and losses, for a table or a heat map.

    One row a speed, one column a loss, and where several severities are given as many columns for each.
    Items: net loss (part of the cutoff pool), drawn, claims, called, and a class with "average life" or
    "unpaid". #N/A for the life of a class that is not paid in full.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    scenarios: The range Scenarios, with its headings; one of its rows is varied.
    item: What to show, such as "A-4 average life" or "drawn".
    speeds: Speeds as decimals, in the model that the terms name.
    losses: Default rates or cumulative net losses, in the default model of the scenario.
    severities: Parts of what defaults that are lost; that of the scenario when omitted.
    scenario: Name of the scenario that is varied; the first when omitted.
    header: TRUE adds a row of losses and a column of speeds; FALSE when omitted.
    """
    deal, pool, base = _one(Ranges(terms, classes, payments, pools), scenarios, scenario)
    refuse(
        not base.default_model[0] and any(losses),
        "losses",
        "the scenario has no default model, and a loss of {:g} is asked for",
        max(losses),
        "name CNL, CDR or MDR in its row",
    )
    severe = severities or base.severity.tolist()
    grid = run_grid(deal, pool, base, {"speed": speeds, "severity": severe, "loss": losses})
    with blaming("item"):
        values = grid.item(item).reshape(len(speeds), -1)
    rows: Rows = [[_known(value) for value in row] for row in values.tolist()]
    if not header:
        return rows
    return [["", *losses * len(severe)], *([speed, *row] for speed, row in zip(speeds, rows, strict=True))]


@function("XM_PRICE", "Deal")
def price_at_yield(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    speed: Range,
    security: Text,
    yields: Numbers,
    settlement: Date | None = None,
    frequency: Integer = 2,
    scenario: Text | None = None,
    header: Boolean = False,
) -> Rows:
    """Prices of a class at yields, with what a buyer asks besides.

    One row a yield, for each of several speeds in turn; columns: clean price per 100 of the balance at
    settlement, yield, accrued interest per 100, modified duration, average life from settlement (#N/A where
    the class is not paid in full), numbers of the first and last payment date with principal, principal
    unpaid in dollars. Years are 30/360.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    speed: Pricing speeds as decimals, in the model that the terms name; or the range Scenarios.
    security: Name of the class.
    yields: Yields per annum as decimals, compounded as the frequency says.
    settlement: Settlement date; the closing date when omitted.
    frequency: Compoundings a year: 2 for a bond-equivalent yield, 12 for a monthly one; 2 when omitted.
    scenario: Name of the scenario; the first when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    found, places = runs_of(Ranges(terms, classes, payments, pools), speed, scenario)
    runs = [_flows(found, n, security, settlement) for n in places]
    with blaming("yields"):
        rows = [
            _priced(flows, flows.price(rate, frequency), rate, frequency) for flows in runs for rate in yields
        ]
    return [list(PRICE_HEADER), *rows] if header else rows


@function("XM_YIELD", "Deal")
def yield_at_price(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    speed: Range,
    security: Text,
    prices: Numbers,
    settlement: Date | None = None,
    frequency: Integer = 2,
    scenario: Text | None = None,
    header: Boolean = False,
) -> Rows:
    """Yields of a class at prices, with what a buyer asks besides.

    One row a price, for each of several speeds in turn; columns as those of XM_PRICE. #NUM! where no yield
    gives a price.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    speed: Pricing speeds as decimals, in the model that the terms name; or the range Scenarios.
    security: Name of the class.
    prices: Clean prices per 100 of the balance at settlement.
    settlement: Settlement date; the closing date when omitted.
    frequency: Compoundings a year: 2 for a bond-equivalent yield, 12 for a monthly one; 2 when omitted.
    scenario: Name of the scenario; the first when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    found, places = runs_of(Ranges(terms, classes, payments, pools), speed, scenario)
    runs = [_flows(found, n, security, settlement) for n in places]
    with blaming("prices"):
        rows = [
            _priced(flows, price, flows.yield_at(price, frequency), frequency)
            for flows in runs
            for price in prices
        ]
    return [list(PRICE_HEADER), *rows] if header else rows


@function("XM_BREAK_EVEN", "Deal")
def break_even_rates(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    scenarios: Range,
    scenario: Text | None = None,
    model: DefaultName = "CDR",
    header: Boolean = False,
) -> Rows:
    """The default rate that each class just bears: all its principal and interest are paid.

    One row a class; columns: class, the rate that it bears, the rate at which it breaks (at most 0.0001%
    more; both were run), the bracket of the search. #N/A for a class that no rate breaks.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    scenarios: The range Scenarios, with its headings; severity, lag, speed and events of one row are kept.
    scenario: Name of the scenario that is varied; the first when omitted.
    model: CDR or MDR; CDR when omitted.
    header: TRUE adds a row of headings; FALSE when omitted.
    """
    deal, pool, base = _one(Ranges(terms, classes, payments, pools), scenarios, scenario)
    unbroken = CellError("#N/A", NotAvailable("no rate of the bracket breaks the class"))
    rows: Rows = []
    with blaming("scenarios"):
        for each in break_even(deal, pool, base, model):
            broken = [each.rate, each.breaks] if isinstance(each, BreakEven) else [unbroken, unbroken]
            rows.append([each.name, *broken, *each.searched])
    return [list(BREAK_EVEN_HEADER), *rows] if header else rows


@function("XM_SOLVE_SPEED", "Deal")
def solve_speed(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    scenarios: Range,
    security: Text,
    life: Number,
    low: Number = 0.0,
    high: Number = 0.02,
    scenario: Text | None = None,
) -> float:
    """The prepayment speed at which a class has a given average life.

    #NUM! where no speed of the bracket gives it, or where the life jumps past it because the call comes a
    payment date earlier.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    scenarios: The range Scenarios, with its headings; all but the speed of one row is kept.
    security: Name of the class.
    life: Average life in years.
    low: Least speed of the bracket; 0 when omitted.
    high: Greatest speed of the bracket; 0.02 when omitted.
    scenario: Name of the scenario that is varied; the first when omitted.
    """
    deal, pool, base = _one(Ranges(terms, classes, payments, pools), scenarios, scenario)
    position = _position(deal, security, "security")
    with blaming("life"):
        return speed_for_life(deal, pool, base, position, life, (low, high))


@function("XM_SOLVE_SIZE", "Deal")
def solve_size(
    terms: Range,
    classes: Range,
    payments: Range,
    pools: Range,
    scenarios: Range,
    security: Text,
    support: Text,
    increment: Number = 1000.0,
    scenario: Text | None = None,
) -> float:
    """The largest balance of a class that bears a scenario, in dollars; another class loses what it gains.

    #NUM! where the class bears the scenario at no size.

    terms: The range Terms: terms, fees, accounts, policies, measures, call, events, with their headings.
    classes: The range Classes, with its headings.
    payments: The range Payments, the priority of payments, with its headings.
    pools: The range Pools: contracts or rep lines.
    scenarios: The range Scenarios, with its headings.
    security: Name of the class that is sized.
    support: Name of the class that gives or takes the difference.
    increment: Sizes are multiples of it, in dollars; 1,000 when omitted.
    scenario: Name of the scenario that is borne; the first when omitted.
    """
    deal, pool, base = _one(Ranges(terms, classes, payments, pools), scenarios, scenario)
    sized, given = _position(deal, security, "security"), _position(deal, support, "support")
    refuse(not increment >= 0.01, "increment", "an increment of {:g} is less than a cent", increment)
    refuse(sized == given, "support", "the class {} supports itself", support)
    with blaming("security"):
        return size_for_coverage(deal, pool, base, sized, given, int(to_cents(increment))) / 100


def _one(ranges: Ranges, rows: Rows, scenario: str | None) -> tuple[Deal, Collateral, Scenarios]:
    deal, pool, scenarios = stated(ranges, rows)
    return deal, pool, take(scenarios, [place_of(scenarios, scenario)])


def _position(deal: Deal, name: str, argument: str) -> int:
    names = [note_class.name for note_class in deal.classes]
    for position, known in enumerate(names):
        if known.lower() == name.lower():
            return position
    raise NotAvailable(f"there is no class {name!r}; known: {', '.join(names)}").at(argument=argument)


def _flows(found: DealRun, scenario: int, security: str, settlement: Any) -> ClassFlows:
    position = _position(found.deal, security, "security")
    day = None if settlement is None else np.datetime64(settlement, "D").item()
    with blaming("settlement"):
        return class_flows(found.deal, found.paid, position, day, scenario)


def _priced(flows: ClassFlows, price: float, rate: float, frequency: int) -> list[Any]:
    first, last = flows.window
    duration = flows.duration(rate, frequency)
    accrued = flows.accrued / flows.balance * 100
    return [
        price,
        rate,
        accrued,
        duration,
        _known(flows.average_life),
        float(first),
        float(last),
        flows.unpaid,
    ]


def _known(value: float) -> float | CellError:
    unpaid = CellError("#N/A", NotAvailable("the class is not paid in full"))
    return unpaid if np.isnan(value) else value
