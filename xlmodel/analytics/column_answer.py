"""Where an amount of a payment date comes from: what a class gets, what an account moves, the cash."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from xlmodel.analytics.clause_answer import line_answer
from xlmodel.analytics.moment import Moment
from xlmodel.analytics.words import Cite, fact, money, percent

Answer = Callable[[Moment, Cite], str]


def class_answer(what: str, position: int, at: Moment, cite: Cite) -> str:
    """``what``: interest, principal, balance, factor or part (not rounded) of a class on the date."""
    note_class = at.deal.classes[position]
    if what in ("interest", "principal"):
        return f"{what.capitalize()} paid to {note_class.name}. {_payments(at, what, position, cite)}"
    before, now = at.opening_balance(position), int(at.paid.balance[0, at.period, position])
    paid = int(at.paid.principal[0, at.period, position])
    if what in ("factor", "part"):
        initial = fact(cite, note_class.record, "balance", money(note_class.balance))
        rounded = "to seven decimals" if what == "factor" else "not rounded"
        text = f"{note_class.name} has {money(now)} outstanding of {initial}, {rounded}. "
    else:
        text = f"Balance of {note_class.name} after the payment. "
    text += f"{money(before)} before, less principal {money(paid)}, leaves {money(now)}. "
    return text + _payments(at, "principal", position, cite)


def _payments(at: Moment, kind: str, position: int, cite: Cite) -> str:
    """The lines of the ledger that pay a kind to a class, fee or policy; those that matter on the date."""
    book = at.paid.ledger
    lines = [n for n, line in enumerate(book.lines) if line.kind == kind and line.position == position]
    return _lines(at, lines, cite)


def _lines(at: Moment, lines: list[int], cite: Cite) -> str:
    due = at.paid.ledger.due[0, at.period]
    chosen = [n for n in lines if due[n]]
    if not chosen:  # nothing was due: the first clause that could have paid says why
        chosen = [n for n in lines if at.paid.ledger.lines[n].row in at.before][:1]
    if not chosen:
        return "Nothing is left to pay on this date." if lines else "No clause pays it."
    return " ".join(line_answer(at, n, cite) for n in chosen)


def account_answer(what: str, position: int, at: Moment, cite: Cite) -> str:
    """``what``: opening, deposit, draw, release or closing of an account on the date."""
    account, moves = at.deal.accounts[position], at.paid.accounts
    opening, deposit, draw, release, closing, required = (
        int(array[0, at.period, position])
        for array in (
            moves.opening,
            moves.deposit,
            moves.draw,
            moves.release,
            moves.closing,
            moves.requirement,
        )
    )
    if what == "opening":
        if at.period:
            return f"What the {account.name} account held after the payment date before: {money(opening)}."
        initial = fact(cite, account.record, "initial", money(account.initial))
        return f"What the {account.name} account starts with: {initial}."
    if what == "deposit":
        return f"Paid into the {account.name} account. {_payments(at, 'account', position, cite)}"
    if what == "draw":
        covers = fact(cite, account.record, "covers", account.record["covers"])
        text = f"Drawn from the {account.name} account, which covers clauses {covers}. "
        if not draw:
            return text + (
                "Collections were enough for these, so nothing was drawn."
                if opening
                else "The account was empty, so nothing was drawn."
            )
        bound = "all that it held: its balance bound" if draw == opening else "what collections lacked"
        return text + f"It gave {money(draw)} of {money(opening)}, {bound}."
    text = (
        f"{money(opening)} opening, plus {money(deposit)} deposited, less {money(draw)} drawn and "
        f"{money(release)} released to {account.excess_to}, leaves {money(closing)}; it must hold "
        f"{money(required)} ({account.requirement}, {cite(account.record, 'requirement')})."
    )
    if release:
        text += " What is above the requirement is released: the requirement bound."
    return text


def pool_answer(at: Moment, cite: Cite) -> str:
    """The pool's balance that a date looks at."""
    pool = int(at.inputs.pool[0, at.period])
    if not int(at.paid.pool[0, at.period]) and pool:
        why = "It has been purchased under the call" if at.paid.called[0, at.period] else "It has been sold"
        return f"{why}; the contracts themselves would stand at {money(pool)}."
    return (
        f"Pool balance at the end of the last collection month of the date: {money(pool)}, from the range "
        f"Pools at a speed of {percent(at.speed)} ({at.deal.prepayment_model}); defaulted and purchased "
        "contracts count as nothing."
    )


def funds_answer(at: Moment, cite: Cite) -> str:
    """Available funds: what the months of a date bring, and the price of a call or sale."""
    first = at.deal.months_in_first_payment
    months = range(first) if at.period == 0 else range(first + at.period - 1, first + at.period)
    m = at.monthly
    named = (
        ("interest", m.interest),
        ("scheduled principal", m.scheduled),
        ("prepaid principal", m.prepaid),
        ("liquidation proceeds", m.proceeds),
        ("purchase amounts", m.purchase),
        ("other", m.other),
    )
    parts = [(name, int(array[0, list(months)].sum())) for name, array in named]
    collected = sum(amount for _, amount in parts)
    listed = ", ".join(f"{name} {money(amount)}" for name, amount in parts if amount)
    available = int(at.paid.available[0, at.period])
    count = f"{len(months)} collection months" if len(months) > 1 else "its collection month"
    if at.inputs.cash[0, at.period] and not available:
        return "The pool has been purchased or sold before, so nothing comes in."
    text = f"Collected in {count}: {listed or 'nothing'}."
    price = available - collected
    call = at.deal.call
    if price and call is not None and at.paid.called[0, at.period]:
        part = fact(cite, call.record, "at most", percent(call.part))
        text += (
            f" {call.name.capitalize()} exercised: {call.test} was at most {part} of {call.base}; "
            f"the price, {call.price}, is {money(price)}."
        )
    elif price:
        text += f" The sale brings {money(price)}."
    return text


def fees_answer(at: Moment, cite: Cite) -> str:
    """All fees of a date."""
    lines = [n for n, line in enumerate(at.paid.ledger.lines) if line.kind == "fee"]
    return "Fees paid. " + _lines(at, lines, cite)


def remainder_answer(at: Moment, cite: Cite) -> str:
    """What the last clause gets."""
    lines = [n for n, line in enumerate(at.paid.ledger.lines) if line.kind == "party"]
    return "What is left after all clauses. " + _lines(at, lines, cite)


def released_answer(at: Moment, cite: Cite) -> str:
    """What accounts hold above their requirements."""
    if not at.deal.accounts:
        return "The deal has no account that could release anything."
    listed = [account_answer("closing", n, at, cite) for n in range(len(at.deal.accounts))]
    return "Released from accounts. " + " ".join(listed)


def claims_answer(at: Moment, cite: Cite) -> str:
    """What policies pay."""
    if not at.deal.policies:
        return "The deal has no policy."
    parts = []
    for n, policy in enumerate(at.deal.policies):
        covers = fact(cite, policy.record, "covers", policy.record["covers"])
        paid = int(at.paid.policies.claim[0, at.period, n])
        why = "what collections and accounts lacked" if paid else "collections and accounts were enough"
        parts.append(f"The {policy.name} covers clauses {covers} and paid {money(paid)}: {why}.")
        prepaid = int(at.paid.policies.prepayment[0, at.period, n])
        if prepaid:
            parts.append(f"It prepaid the securities with {money(prepaid)}.")
    return " ".join(parts)


def insurers_answer(at: Moment, cite: Cite) -> str:
    """Premium and reimbursement."""
    lines = [n for n, line in enumerate(at.paid.ledger.lines) if line.kind in ("premium", "reimbursement")]
    return "Paid to insurers. " + _lines(at, lines, cite)


CASH: Mapping[str, Answer] = {
    "pool balance": pool_answer,
    "available funds": funds_answer,
    "fees paid": fees_answer,
    "released": released_answer,
    "remainder": remainder_answer,
    "policy claims": claims_answer,
    "paid to insurers": insurers_answer,
}
"""Columns of cash in their order, by their headings in lower case."""


def columns(at: Moment, class_columns: tuple[str, ...], account_columns: tuple[str, ...]) -> list[Answer]:
    """The answers of a row of distributions, column by column: classes, accounts, cash."""
    found: list[Answer] = [
        partial(class_answer, name.lower(), n) for n in range(len(at.deal.classes)) for name in class_columns
    ]
    found += [
        partial(account_answer, name.lower(), n)
        for n in range(len(at.deal.accounts))
        for name in account_columns
    ]
    return [*found, *CASH.values()]
