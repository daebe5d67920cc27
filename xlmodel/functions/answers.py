"""Where a number of an array comes from: the answer for one cell of what a function gives, by function.

ANSWERS knows the functions that run a deal.  ``cite`` says where a value of a deal table stands: in a
workbook that is a cell, in a function a row of a range.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from xlmodel.analytics.clause_answer import line_answer
from xlmodel.analytics.column_answer import CASH, account_answer, class_answer, columns
from xlmodel.analytics.moment import Moment, moment
from xlmodel.analytics.words import Cite, by_row, money, percent
from xlmodel.deal.collect import collect
from xlmodel.deal.definition import Deal
from xlmodel.deal.scenario import Scenarios, at_speeds, read_scenarios, take
from xlmodel.deal.statement import statement
from xlmodel.errors import OutOfRange
from xlmodel.functions.cells import Argument, Cell, CellError, Rows
from xlmodel.functions.collateral import COLLECTIONS_HEADER
from xlmodel.functions.deal_runs import Ranges, deal_and_pool, period_of, place_of
from xlmodel.functions.payments import ACCOUNT_COLUMNS, CLASS_COLUMNS
from xlmodel.functions.payments import positions as class_positions
from xlmodel.functions.registry import Function

Values = Mapping[str, Any]
"""The values of a call's arguments by parameter, defaults filled in."""

Place = tuple[int, int]
"""Row and column of a cell of the result, from 0, headings not counted."""


def answer(
    function: Function, arguments: Sequence[Argument], row: int, column: int, cite: Cite = by_row
) -> str:
    """Where a cell of a result comes from, in a paragraph; row and column count from 1.

    Raises what the function raises for its arguments, OutOfRange for a cell outside the result.
    """
    values = read(function, arguments)
    result = function.evaluate(arguments)
    shown = result if isinstance(result, list) else [[result]]
    if not (1 <= row <= len(shown) and 1 <= column <= len(shown[0])):
        raise OutOfRange(
            f"{function.name} gives {len(shown)} rows by {len(shown[0])} columns for these arguments; "
            f"there is no row {row}, column {column}"
        )
    body = row - 1 - bool(values.get("header"))
    if body < 0:
        return "A heading of the table below it."
    explain = ANSWERS.get(function.name)
    if explain is None:
        return _generic(function, shown[row - 1][column - 1])
    return explain(values, (body, column - 1), cite)


def read(function: Function, arguments: Sequence[Argument]) -> dict[str, Any]:
    """The values of a call by parameter."""
    given = [*arguments, *[None] * (len(function.parameters) - len(arguments))]
    values = {}
    for parameter, argument in zip(function.parameters, given, strict=False):
        value = parameter.kind.read(argument)
        values[parameter.name] = parameter.default if value is None and not parameter.required else value
    return values


def _generic(function: Function, value: Cell) -> str:
    if isinstance(value, CellError):
        return f"{value.code}: {value.reason}" if value.reason else value.code
    return f"{function.name}: {function.help}"


def _ranges(values: Values) -> Ranges:
    return Ranges(values["terms"], values["classes"], values["payments"], values["pools"])


def _scenario(values: Values) -> tuple[Scenarios, int]:
    """The scenarios that the argument speed stands for, and which of them is asked for."""
    speed: Rows = values["speed"]
    if len(speed) == 1 and len(speed[0]) == 1:
        return at_speeds([float(speed[0][0])]), 0  # type: ignore[arg-type]  # the call itself has read it
    scenarios = read_scenarios(speed)
    return scenarios, place_of(scenarios, values["scenario"])


def _of_one(values: Values, period: int | None = None) -> Moment:
    deal, pool = deal_and_pool(_ranges(values))
    scenarios, n = _scenario(values)
    if period is not None:
        return moment(deal, pool, scenarios, n, period)
    found = moment(deal, pool, scenarios, n, 0)
    return moment(deal, pool, scenarios, n, period_of(found.paid.dates, values["payment_date"]))


def _run_words(at: Moment, values: Values) -> str:
    """Which run, and which date of it."""
    speed = f"{percent(at.speed)} {at.deal.prepayment_model}"
    run = (
        f"in scenario {at.scenario!r} (speed {speed})"
        if len(values["speed"]) > 1
        else f"at a speed of {speed}"
    )
    return f"Payment date {at.period + 1}, {at.day}, {run}."


def _distributions(values: Values, place: Place, cite: Cite) -> str:
    at = _of_one(values, place[0])
    explain = columns(at, CLASS_COLUMNS, ACCOUNT_COLUMNS)[place[1]]
    return f"{_run_words(at, values)} {explain(at, cite)}"


def _ledger(values: Values, place: Place, cite: Cite) -> str:
    at = _of_one(values)
    return f"{_run_words(at, values)} {line_answer(at, place[0], cite)}"


def _statement(values: Values, place: Place, cite: Cite) -> str:
    at = _of_one(values)
    deal, pool = deal_and_pool(_ranges(values))
    scenarios, n = _scenario(values)
    chosen = take(scenarios, [n])
    collections = collect(deal, pool, chosen, int(scenarios.recovery_lag.max()))
    item = statement(deal, collections, at.paid, chosen.delinquent, values["group"], at.period)[place[0]]
    words = [_run_words(at, values), f"Item {item.number} of the statement, {item.text}."]
    position = next((k for k, c in enumerate(at.deal.classes) if c.name == item.of), None)
    kind = {1: "interest", 2: "interest", 3: "principal", 5: "balance"}.get(item.number)
    if place[1] >= 4 and item.amount is not None:
        words.append(f"The whole amount is {item.amount:,.2f}; a holder gets the part of the denomination.")
    if position is not None and kind is not None:
        words.append(class_answer(kind, position, at, cite))
    elif item.number == 7:
        account = next(
            k for k, name in enumerate(at.paid.accounts.names) if f"the {name} account" in item.text
        )
        words.append(account_answer("closing", account, at, cite))
    elif item.number in (4, 6):
        words.append(CASH["fees paid" if item.number == 4 else "pool balance"](at, cite))
    elif item.amount is None:
        words.append("The model has no such figure.")
    return " ".join(words)


def _printed(values: Values) -> tuple[Deal, Any, Scenarios, list[float], list[int]]:
    """The deal under the assumptions of printed tables, its pool, scenarios, speeds, classes shown."""
    deal, pool = deal_and_pool(_ranges(values))
    deal = deal.as_printed
    deal = deal.to_maturity if values["to_maturity"] else deal
    speeds = [float(cell) for row in values["speeds"] for cell in row]
    return deal, pool, at_speeds(speeds), speeds, class_positions(deal, values["names"])


def _decrement(values: Values, place: Place, cite: Cite) -> str:
    deal, pool, scenarios, speeds, shown = _printed(values)
    which, speed = divmod(place[1], len(speeds))
    position = shown[which]
    name = deal.classes[position].name
    if place[0] == 0:
        return f"The closing date: all of {name} is outstanding."
    at = moment(deal, pool, scenarios, speed, place[0] - 1)
    return (
        f"Part of {name} outstanding after payment date {place[0]}, {at.day}, at {percent(speeds[speed])} "
        f"{deal.prepayment_model}, {_end(deal)}. {class_answer('part', position, at, cite)}"
    )


def _end(deal: Deal) -> str:
    return "to the call" if deal.call is not None and deal.call.exercised else "without a call"


def _life(values: Values, place: Place, cite: Cite) -> str:
    deal, pool, scenarios, speeds, shown = _printed(values)
    position, speed = shown[place[0]], place[1]
    at = moment(deal, pool, scenarios, speed, 0)
    principal = at.paid.principal[0, :, position]
    paid = np.flatnonzero(principal)
    note_class, days = deal.classes[position], at.paid.dates.unadjusted
    if not paid.size:
        return f"{note_class.name} is paid no principal in this run."
    largest = int(principal.argmax())
    text = (
        f"Average life of {note_class.name} at {percent(speeds[speed])} {deal.prepayment_model}, "
        f"{_end(deal)}: each payment of principal times the years ({deal.average_life_day_count.name}) from "
        f"{deal.average_life_from.isoformat()}, summed and divided by the initial balance "
        f"{money(note_class.balance)} ({cite(note_class.record, 'balance')}). Principal is paid on "
        f"{paid.size} dates from {days[paid[0]]} to {days[paid[-1]]}, most of it, "
        f"{money(principal[largest])}, on {days[largest]}."
    )
    if at.paid.called[0].any() and deal.call is not None:
        text += f" The {deal.call.name} ({cite(deal.call.record, 'call')}) is exercised on "
        text += f"{days[int(at.paid.called[0].argmax())]}."
    return text


def _collections(values: Values, place: Place, cite: Cite) -> str:
    speeds = values["speed"]
    speed = speeds[min(place[0], len(speeds) - 1)] if speeds else 0.0
    heading = COLLECTIONS_HEADER[place[1]]
    how = {
        "Month": "the number of the collection month",
        "Beginning balance": "the ending balance of the month before, at first the balances of the range",
        "Interest": "a twelfth of each line's rate on its beginning balance",
        "Scheduled principal": "what each line's level payment leaves after interest, less contracts prepaid",
        "Prepaid principal": "the balances of the contracts that the speed prepays in the month",
        "Ending balance": "beginning balance less scheduled and prepaid principal",
    }[heading]
    return (
        f"{heading} of collection month {place[0] + 1}, of the {len(values['pools']) - 1} lines of the range "
        f"Pools at {percent(speed)} {values['model']}: {how}. Summed over the lines, not rounded to cents."
    )


ANSWERS: Mapping[str, Callable[[Values, Place, Cite], str]] = {
    "XM_DISTRIBUTIONS": _distributions,
    "XM_LEDGER": _ledger,
    "XM_STATEMENT": _statement,
    "XM_DECREMENT": _decrement,
    "XM_AVERAGE_LIFE": _life,
    "XM_COLLECTIONS": _collections,
}
