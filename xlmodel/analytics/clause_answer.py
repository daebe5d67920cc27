"""Why a clause paid a payee what it paid: its inputs, what bound it, the cash before and after it."""

from __future__ import annotations

from collections.abc import Iterator

from xlmodel.analytics.moment import Moment
from xlmodel.analytics.words import Cite, fact, money, percent, sentence
from xlmodel.deal.definition import Clause
from xlmodel.deal.distributions import Line
from xlmodel.deal.measures import AT_CUTOFF, BASES, SCHEDULE, Component, Measure
from xlmodel.deal.rows import fee_position, measure, policy_position, requirement, schedule_position
from xlmodel.deal.state import State
from xlmodel.deal.steps import (
    Amount,
    Fee,
    Greatest,
    Interest,
    Premium,
    Principal,
    PrincipalAtFinalDate,
    PrincipalOutstanding,
    Reimbursement,
    TopUp,
)


def line_answer(at: Moment, number: int, cite: Cite) -> str:
    """What a line of the ledger rests on, in a few sentences."""
    line = at.paid.ledger.lines[number]
    due, paid, left = (
        int(array[0, at.period, number])
        for array in (at.paid.ledger.due, at.paid.ledger.paid, at.paid.ledger.cash_left)
    )
    if line.row < 0:
        return f"The insurer prepaid the securities: {money(paid)} to {line.payee}."
    clause = at.deal.clauses[line.row]
    words = [_clause(clause, cite)]
    found = at.before.get(line.row)
    if line.direct:
        words.append(f"Paid past the collection account, by what covers the clause: {money(paid)}.")
    elif found is None:
        words.append("The list it stands in did not govern this date, so it paid nothing.")
    else:
        state, cash = found
        applies = bool(clause.when(state)[0])
        if not applies:
            words.append(
                f"Its condition, {clause.record['when']!r} ({cite(clause.record, 'when')}), did not hold on "
                "this date, so nothing was due."
            )
        else:
            words += [sentence(part) for part in _owed(at, clause, line, state, due, cite)]
            words.append(_bound(at, clause, line, state, due, paid))
            words += [sentence(part) for part in _limited(clause, state, cite)]
        words.append(f"Cash before the clause {money(cash)}, after this payment {money(left)}.")
    return " ".join(words)


def _clause(clause: Clause, cite: Cite) -> str:
    list_name = f" of the {clause.priority} priority" if clause.priority else ""
    where = cite(clause.record, "pay")
    return f"Clause {clause.number}{list_name} ({where}) pays {clause.record['pay']!r} to {clause.to}."


def _owed(at: Moment, clause: Clause, line: Line, state: State, due: int, cite: Cite) -> Iterator[str]:
    """The inputs of what was due."""
    step, position = clause.step, line.position
    if isinstance(step, Fee):
        yield _fee(at, position, state, cite)
    elif isinstance(step, Interest):
        yield interest_words(at, position, cite)
    elif isinstance(step, Principal):
        yield from _principal(at, clause, line, step, state, cite)
    elif isinstance(step, TopUp):
        account = at.deal.accounts[position]
        required, held = int(requirement(at.deal, position, state)[0]), int(state.account[0, position])
        yield from measure_words(at, account.requirement, state, cite)
        yield f"the account held {money(held)} of the {money(required)} that it must hold"
    elif isinstance(step, Amount):
        yield f"the schedule {step.schedule} says {money(due)} with what is overdue"
    elif isinstance(step, Premium):
        policy = at.deal.policies[position]
        rate = fact(cite, policy.record, "premium", percent(policy.premium))
        yield f"a twelfth of {rate} of {policy.base}, with what is overdue: {money(due)}"
    elif isinstance(step, Reimbursement):
        policy = at.deal.policies[position]
        rate = fact(cite, policy.record, "reimbursement", percent(policy.reimbursement))
        yield f"the policy had paid and not been given back {money(due)}, with interest at {rate}"
    else:
        yield "it takes whatever the clauses above leave"


def _fee(at: Moment, position: int, state: State, cite: Cite) -> str:
    fee = at.deal.fees[position]
    new = int(at.inputs.fees[0, at.period, position])
    parts = []
    if fee.rate or not fee.amount:
        rate = fact(cite, fee.record, "rate", percent(fee.rate))
        parts.append(f"a twelfth of {rate} of {fee.base} for each collection month")
    if fee.amount:
        parts.append(fact(cite, fee.record, "amount", money(fee.amount)) + " a date")
    if fee.minimum:
        parts.append("at least " + fact(cite, fee.record, "minimum", money(fee.minimum)))
    overdue = int(state.fees[0, position]) - new
    # The state still holds the fee, overdue amounts included: that is what the clause finds.
    return (
        f"the fee {fee.name} is {' and '.join(parts)}: {money(new)} for this date, {money(overdue)} overdue"
    )


def interest_words(at: Moment, position: int, cite: Cite) -> str:
    """The interest due to a class on a date: balance, rate, part of a year, what is overdue."""
    note_class, due = at.deal.classes[position], at.paid.interest_due
    accrued, overdue, on_overdue = (
        int(array[0, at.period, position]) for array in (due.accrued, due.overdue, due.on_overdue)
    )
    rate = percent(float(at.dates.rate[at.period, position]))
    shown = fact(cite, note_class.record, "rate", rate)
    if note_class.index is not None:
        shown = f"{rate} (the index {note_class.index} and the margin of {cite(note_class.record, 'rate')})"
    days, year = _days(at, position)
    basis = f"{note_class.day_count.name}, {cite(note_class.record, 'day count')}"
    text = (
        f"{money(at.opening_balance(position))} outstanding x {shown} x {days}/{year} of a year ({basis}) "
        f"accrues {money(accrued)}"
    )
    if overdue or on_overdue:
        text += f"; {money(overdue)} is overdue and bears {money(on_overdue)}"
    return text


def _days(at: Moment, position: int) -> tuple[int, int]:
    """The part of a year that a class accrues, in days of a year of 360 or 365 where that is what it is."""
    days, year = (int(part[at.period, position]) for part in (at.dates.numerator, at.dates.denominator))
    scale = next((whole // year for whole in (360, 365) if whole % year == 0), 1)
    return days * scale, year * scale


def _principal(
    at: Moment, clause: Clause, line: Line, step: Principal, state: State, cite: Cite
) -> Iterator[str]:
    """What the kinds of principal ask for: the whole amount, before it is shared among classes."""
    if isinstance(step, Greatest):
        for part in step.parts:
            yield from _principal(at, clause, line, part, state, cite)
        yield "the greatest of these counts, class by class"
    elif isinstance(step, PrincipalAtFinalDate):
        note_class = at.deal.classes[line.position]
        final = note_class.final_date.isoformat()
        yield f"the final date of {line.payee} is {fact(cite, note_class.record, 'final date', final)}" + (
            ", which has come: all of it is due"
            if state.final[line.position]
            else ", which has not come: nothing is due for that"
        )
    elif isinstance(step, PrincipalOutstanding):
        yield f"all that is outstanding is due: {money(int(state.balance[0, line.position]))} of {line.payee}"
    else:
        compared = int(state.balance[0, list(step.compared)].sum())
        level = int(measure(at.deal, step.measure, state)[0])
        names = " + ".join(at.deal.classes[n].name for n in step.compared)
        yield from measure_words(at, step.measure, state, cite)
        unpaid = int(state.principal_unpaid[0])
        less = f", less {money(unpaid)} that clauses above owe and could not pay" if unpaid else ""
        excess = max(compared - unpaid - level, 0)
        yield (
            f"{names} stand at {money(compared)} against {step.measure} of {money(level)}{less}: "
            f"the requirement is {money(excess)}"
        )


def measure_words(at: Moment, name: str, state: State, cite: Cite) -> Iterator[str]:
    """What a measure is now, with its components; nothing for a base that says itself."""
    found = at.deal.measures.get(name)
    if found is None:
        return
    value = money(int(measure(at.deal, name, state)[0]))
    counting = [part for part in found.components if bool(part.when(state)[0])]
    parts = [_component(at, part, state) for part in counting]
    if found.combine == "sum":
        signs = [" less " if part.percent < 0 and part.base else " plus " for part in counting]
        listed = "".join(sign + text for sign, text in zip(signs, parts, strict=True)).removeprefix(" plus ")
    else:
        listed = f"the {found.combine} of {' and '.join(parts)}"
    yield f"{name} ({cite(at.deal.measure_records[name], 'measure')}) is {listed or 'nothing'} = {value}"
    for inner in dict.fromkeys(_bases(found)):
        yield from measure_words(at, inner, state, cite)


def _bases(found: Measure) -> Iterator[str]:
    """The measures that a measure is made of."""
    for part in found.components:
        base = part.base or ""
        if base and base not in BASES and not base.startswith(SCHEDULE) and not base.endswith(AT_CUTOFF):
            yield base


def _component(at: Moment, part: Component, state: State) -> str:
    if part.base is None:
        return money(part.amount)
    base = money(int(measure(at.deal, part.base, state)[0]))
    share_of = "" if abs(part.percent) == 1 else f"{percent(abs(part.percent))} of "
    return f"{share_of}{part.base} ({base})"


def _bound(at: Moment, clause: Clause, line: Line, state: State, due: int, paid: int) -> str:
    """Which limit decided the amount."""
    if paid < due:
        return (
            f"Cash bound: {money(due)} was due to {line.payee} and {money(paid)} was paid, "
            f"{money(due - paid)} short."
        )
    if _capped(clause, state):
        return f"The cap of the clause bound: {money(due)} of what is owed to {line.payee} was due under it."
    if line.kind == "party":
        return f"What was left bound: {money(paid)} to {line.payee}."
    if line.kind == "principal":
        return _principal_bound(at, clause, line, state, due)
    if line.kind == "account":
        if not due:
            return "The requirement bound: the account lacked nothing."
        return f"The requirement bound: all of the {money(due)} that it lacked was paid."
    return f"The amount due bound: {money(due)} was due and paid in full."


def _principal_bound(at: Moment, clause: Clause, line: Line, state: State, due: int) -> str:
    assert clause.order is not None
    balance = int(state.balance[0, line.position])
    if not balance:
        return f"The balance bound: nothing is outstanding of {line.payee}."
    if due == balance:
        return f"The balance of the class bound: all {money(balance)} of {line.payee} was paid."
    ahead = []
    for tier in clause.order.tiers:
        if line.position in tier:
            break
        ahead += [n for n in tier if state.balance[0, n]]
    names = ", ".join(at.deal.classes[n].name for n in ahead)
    book = at.paid.ledger
    asked = [n for n, other in enumerate(book.lines) if other.row == line.row and not other.direct]
    if not book.due[0, at.period, asked].any():
        return f"The requirement bound: it was nil, so nothing was due to {line.payee}."
    if not due:
        return (
            f"The order bound: {names} stand{'s' if len(ahead) == 1 else ''} before {line.payee} and took "
            "all of the requirement."
            if ahead
            else f"The requirement bound: nothing was due to {line.payee}."
        )
    after = f", after {names}" if ahead else ""
    return (
        f"The requirement bound: {money(due)} is what is left of it for {line.payee}{after}, "
        f"of {money(balance)} outstanding, and was paid in full."
    )


def _limited(clause: Clause, state: State, cite: Cite) -> Iterator[str]:
    """The cap of a clause, and what of it was left."""
    if clause.limit is not None:
        where = fact(cite, clause.record, "limit", str(clause.record["limit"]))
        yield f"the cap is {where}, of which {money(_cap_left(clause, state))} was left"


def _cap_left(clause: Clause, state: State) -> int:
    assert clause.limit is not None
    return max(clause.limit.cents - int(state.used[0, state.deal.limited.index(clause)]), 0)


def _capped(clause: Clause, state: State) -> bool:
    """Whether a clause asks for more than its cap leaves."""
    if clause.limit is None:
        return False
    step, deal = clause.step, state.deal
    if isinstance(step, Fee):
        asked = state.fees[0, [fee_position(deal, name) for name in step.names]]
    elif isinstance(step, Interest):
        assert clause.order is not None
        asked = state.interest[0, clause.order.classes]
    elif isinstance(step, Amount):
        asked = state.amounts[0, [schedule_position(deal, step.schedule)]]
    elif isinstance(step, Premium):
        asked = state.premium[0, [policy_position(deal, step.policy)]]
    elif isinstance(step, Reimbursement):
        asked = state.unreimbursed[0, [policy_position(deal, step.policy)]]
    else:
        return False
    return int(asked.sum()) > _cap_left(clause, state)
