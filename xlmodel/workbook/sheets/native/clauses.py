"""The clauses of the ordinary priority as columns: what is due, what is paid, what is left.

First the same clauses are run as if there were money enough for all of them: what they owe is what accounts
must cover.  Then they are paid, each from what the ones before it left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from xlmodel.deal import steps
from xlmodel.deal.definition import Clause
from xlmodel.deal.orders import Order
from xlmodel.deal.rows import account_position, fee_position, policy_position, schedule_position
from xlmodel.errors import XlmodelError
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.native.measures import FALSE, TRUE, Moment
from xlmodel.workbook.sheets.native.refusals import clause_refused, covered_rows, ordinary
from xlmodel.workbook.sheets.native.shares import shared
from xlmodel.workbook.sheets.native.template import Column, cents, total


@dataclass
class Books:
    """The columns so far, and by what they were paid: names of columns by class, fee, account and so on.

    ``principal``, ``interest``: by class; ``fees``: by fee; ``deposits``, ``given``: by account;
    ``unpaid``: principal that rows of this date owe and could not pay.
    """

    contents: Contents
    columns: list[Column] = field(default_factory=list)
    principal: dict[int, list[str]] = field(default_factory=dict)
    interest: dict[int, list[str]] = field(default_factory=dict)
    fees: dict[int, list[str]] = field(default_factory=dict)
    amounts: dict[int, list[str]] = field(default_factory=dict)
    premiums: dict[int, list[str]] = field(default_factory=dict)
    deposits: dict[int, list[str]] = field(default_factory=dict)
    given: dict[int, list[str]] = field(default_factory=dict)
    remainder: list[str] = field(default_factory=list)
    unpaid: list[str] = field(default_factory=list)
    uneven: list[str] = field(default_factory=list)
    left: str = "[money]"

    def add(self, name: str, group: str, heading: str, formula: str, shown: str = theme.MONEY) -> str:
        """One more column; its name as a place of a template."""
        self.columns.append(Column(name, group, heading, formula, shown))
        return f"[{name}]"

    def balances(self) -> tuple[str, ...]:
        """Balances now, after what has been paid on this date."""
        return tuple(
            "".join([f"[balance {n}^]", *(f"-{paid}" for paid in self.principal.get(n, []))])
            for n in range(self.contents.classes)
        )

    def account(self, position: int) -> str:
        """What an account holds now."""
        taken = [f"[account draw {position}]", *self.given.get(position, [])]
        added = self.deposits.get(position, [])
        return "".join(
            [f"[account closing {position}^]", *(f"-{x}" for x in taken), *(f"+{x}" for x in added)]
        )


def worked(contents: Contents) -> list[tuple[int, Clause, str | None]]:
    """The clauses with their place in the list; why one has no columns, None where it has."""
    found = []
    for number, clause in enumerate(ordinary(contents.deal)):
        why = None
        if isinstance(clause.step, steps.Reimbursement):
            why = "nothing is owed while the policy pays nothing: check_no_claim"
        elif _when(clause, _now(contents, ("0",) * contents.classes)) == FALSE:
            why = "after an acceleration only, which the printed tables do not assume"
        found.append((number, clause, why))
    return found


def rows_before_top_ups(contents: Contents) -> list[Clause]:
    """Those that sources may cover: what they owe does not depend on the cash."""
    no_claim = (steps.TopUp, steps.Remainder)
    return [
        clause
        for _, clause, why in worked(contents)
        if why is None and not isinstance(clause.step, no_claim) and clause.retires_with is None
    ]


def needs(contents: Contents, ready: frozenset[str]) -> tuple[Books, list[list[str]]]:
    """Columns of what the covered clauses owe, were there money enough; what each of the rows owes."""
    deal, books = contents.deal, Books(contents)
    rows = rows_before_top_ups(contents)
    reach = max((covered_rows(s.covers, rows, s.name) for s in deal.sources), default=0)
    owed = []
    for clause in rows[:reach]:
        now = replace(_now(contents, books.balances()), ready=ready)
        number, when = ordinary(deal).index(clause), _when(clause, now)
        if isinstance(clause.step, steps.Principal):
            assert clause.order is not None
            dues = _principal(books, clause, clause.order, now, f"needed {number}", "Money needed")
            limited = _limited(clause, number, _if_each(when, dues))
            for n, due in zip(clause.order.classes, limited, strict=True):
                name = f"need {number} {n}"
                heading = f"{clause.number}: {deal.classes[n].name}, needed"
                paid = books.add(name, "Money needed", heading, cents(due))
                books.principal.setdefault(n, []).append(paid)
            owed.append([f"[need {number} {n}]" for n in clause.order.classes])
        else:
            dues = _if_each(when, _owed(books, clause))
            owed.append(_limited(clause, number, dues))
            _book(books, clause, owed[-1])
    return books, owed


def pay(contents: Contents, books: Books, ready: frozenset[str]) -> None:
    """Columns of every clause, in order."""
    for number, clause, why in worked(contents):
        if why is None:
            _pay(contents, books, number, clause, ready)


def _pay(contents: Contents, books: Books, number: int, clause: Clause, ready: frozenset[str]) -> None:
    group = f"Clause {clause.number}: {clause.record['pay']}"
    retired = f"[retired {number}]=1" if clause.retires_with else None
    now = replace(_now(contents, books.balances()), ready=ready, retired=retired)
    left = books.left
    if clause.retires_with is not None:
        left = _retire(contents, books, number, clause, now, group)
    when = _when(clause, now)
    payees = _payees(contents, clause)
    if isinstance(clause.step, steps.Principal):
        assert clause.order is not None
        wanted = _principal(books, clause, clause.order, now, f"over {number}", group)
    elif isinstance(clause.step, steps.TopUp):
        position = account_position(contents.deal, clause.step.account)
        required = now.requirement(contents.deal.accounts[position])
        wanted = [f"MAX(0,{required}-({books.account(position)}))"]
    elif isinstance(clause.step, steps.Remainder):
        wanted = [left]
    else:
        wanted = _owed(books, clause)
    dues = []
    limited = _limited(clause, number, _if_each(when, wanted))
    for place, (payee, due) in enumerate(zip(payees, limited, strict=True)):
        dues.append(books.add(f"due {number} {place}", group, f"{payee}, due", cents(due)))
    tiers = _tiers(clause, len(payees))
    weights = dues
    if clause.short == "by balance" and clause.order is not None:
        weights = [f"({now.balances[n]})" for n in clause.order.classes]
    if clause.short == "by balance":
        # A shortage turns the order off: where there is money for all, each gets what it is due.
        by_balance = shared(left, dues, weights, [range(len(dues))])
        formulas = by_balance
    else:
        formulas = shared(left, dues, weights, tiers)
    names = [f"paid {number} {place}" for place in range(len(payees))]
    paid = []
    for name, payee, formula in zip(names, payees, formulas, strict=True):
        paid.append(books.add(name, group, f"{payee}, paid", formula))
    if clause.short == "by balance" or any(len(tier) > 2 for tier in tiers):
        books.uneven.append(f"({total(dues)})-({total(paid)})")
    if isinstance(clause.step, steps.Principal):
        books.unpaid.append(f"(({total(dues)})-({total(paid)}))")
    _book(books, clause, paid)
    books.left = books.add(f"left {number}", group, "Left", cents(f"{left}-({total(paid)})"))


def _retire(contents: Contents, books: Books, number: int, clause: Clause, now: Moment, group: str) -> str:
    """Whether what is left and an account cover all that is outstanding; the money of the row then."""
    assert clause.retires_with is not None
    assert clause.order is not None
    position = account_position(contents.deal, clause.retires_with)
    out, held = now.of_classes(clause.order.classes), books.account(position)
    test = f"AND(ROUND({out},2)>0,ROUND({out}-{books.left}-({held}),2)<=0)"
    flag = books.add(f"retired {number}", group, "Retired", f"IF({test},1,0)", theme.COUNT)
    given = books.add(
        f"given {number}", group, "From the account", cents(f"IF({flag}=1,MAX(0,{out}-{books.left}),0)")
    )
    books.given.setdefault(position, []).append(given)
    return f"({books.left}+{given})"


def _principal(books: Books, clause: Clause, order: Order, now: Moment, name: str, group: str) -> list[str]:
    """Principal due by class of the order."""
    assert isinstance(clause.step, steps.Principal)
    return _principal_of(books, clause.step, clause, order, now, name, group)


def _principal_of(
    books: Books,
    step: steps.Principal,
    clause: Clause,
    order: Order,
    now: Moment,
    name: str,
    group: str,
) -> list[str]:
    balances = [f"({now.balances[n]})" for n in order.classes]
    if isinstance(step, steps.Greatest):
        parts = [
            _principal_of(books, part, clause, order, now, f"{name} {place}", group)
            for place, part in enumerate(step.parts)
        ]
        return [f"MAX({','.join(each)})" for each in zip(*parts, strict=True)]
    if isinstance(step, steps.PrincipalOutstanding):
        return balances
    if isinstance(step, steps.PrincipalAtFinalDate):
        dated = zip(order.classes, balances, strict=True)
        return [f"IF({{class final date#{n}}}<=[date],{balance},0)" for n, balance in dated]
    excess = f"{now.of_classes(step.compared)}-({now.measure(step.measure)})"
    excess = "-".join([excess, *books.unpaid])
    most = total(balances)
    heading = f"{clause.number}: over {step.measure}"
    over = books.add(name, group, heading, cents(f"MIN(MAX(0,{excess}),{most})"))
    return shared(over, balances, balances, _places(order))


def _owed(books: Books, clause: Clause) -> list[str]:
    """What the payees of a row are owed, less what they have had on this date."""
    step, deal = clause.step, books.contents.deal
    if isinstance(step, steps.Fee):
        positions = [fee_position(deal, name) for name in step.names]
        return [_less(f"[fee owed {n}]", books.fees.get(n, [])) for n in positions]
    if isinstance(step, steps.Interest):
        assert clause.order is not None
        return [_less(f"[interest due {n}]", books.interest.get(n, [])) for n in clause.order.classes]
    if isinstance(step, steps.Amount):
        n = schedule_position(deal, step.schedule)
        return [_less(f"[amount owed {n}]", books.amounts.get(n, []))]
    if isinstance(step, steps.Premium):
        n = policy_position(deal, step.policy)
        return [_less(f"[premium owed {n}]", books.premiums.get(n, []))]
    raise clause_refused(clause, "natively there is no formula for this kind of amount")


def _book(books: Books, clause: Clause, paid: Sequence[str]) -> None:
    """Enter what the payees of a row got."""
    step, deal = clause.step, books.contents.deal
    if isinstance(step, steps.Fee):
        places, book = [fee_position(deal, name) for name in step.names], books.fees
    elif isinstance(step, steps.Interest | steps.Principal):
        assert clause.order is not None
        places = clause.order.classes
        book = books.interest if isinstance(step, steps.Interest) else books.principal
    elif isinstance(step, steps.Amount):
        places, book = [schedule_position(deal, step.schedule)], books.amounts
    elif isinstance(step, steps.Premium):
        places, book = [policy_position(deal, step.policy)], books.premiums
    elif isinstance(step, steps.TopUp):
        places, book = [account_position(deal, step.account)], books.deposits
    else:
        books.remainder += paid
        return
    for place, amount in zip(places, paid, strict=True):
        book.setdefault(place, []).append(amount)


def _limited(clause: Clause, number: int, dues: list[str]) -> list[str]:
    """Dues under the limit of a row: what is over it stays due."""
    if clause.limit is None:
        return dues
    paid = [f"paid {number} {place}" for place in range(len(dues))]
    used = {
        "date": "0",
        "total": total([f"SUM([{name}:^])" for name in paid]),
        "calendar year": total([f"SUMIFS([{name}:^],[year:^],[year])" for name in paid]),
    }[clause.limit.per]
    tiers = _tiers(clause, len(dues))
    if any(len(tier) > 2 for tier in tiers):
        raise clause_refused(clause, "three payees or more share what a limit allows, to the cent", "limit")
    allowed = f"MAX(0,{clause.limit.cents / 100:.2f}-({used}))"
    return shared(allowed, dues, dues, tiers)


def _payees(contents: Contents, clause: Clause) -> list[str]:
    step = clause.step
    if isinstance(step, steps.Fee):
        return [f"{name}".capitalize() for name in step.names]
    if clause.order is not None:
        return [contents.deal.classes[n].name for n in clause.order.classes]
    return [clause.to.capitalize()]


def _tiers(clause: Clause, payees: int) -> list[Sequence[int]]:
    """Places of the payees, in the order in which a shortage reaches them."""
    if clause.short == "by amount due":
        return [range(payees)]
    return _places(clause.order) if clause.order is not None else [[place] for place in range(payees)]


def _places(order: Order) -> list[Sequence[int]]:
    found: list[Sequence[int]] = []
    start = 0
    for tier in order.tiers:
        found.append(range(start, start + len(tier)))
        start += len(tier)
    return found


def _now(contents: Contents, balances: tuple[str, ...]) -> Moment:
    return Moment(contents, "[pool]", balances, retired=FALSE)


def _when(clause: Clause, now: Moment) -> str:
    if clause.retires_with is not None and now.retired == FALSE:
        return TRUE  # asked only for whether the row has columns
    try:
        return now.condition(clause.when)
    except XlmodelError as error:
        raise clause_refused(clause, error.message, "when") from None


def _if(when: str, amount: str) -> str:
    return amount if when == TRUE else f"IF({when},{amount},0)"


def _if_each(when: str, amounts: Sequence[str]) -> list[str]:
    return [_if(when, amount) for amount in amounts]


def _less(owed: str, paid: Sequence[str]) -> str:
    return "-".join([owed, *paid])
