"""The waterfall of one run: a row a payment date, every amount a native formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.deal import steps
from xlmodel.deal.definition import Account, Policy
from xlmodel.deal.folder import CALL
from xlmodel.functions.payments import CLASS_COLUMNS
from xlmodel.package.address import Block
from xlmodel.tables import heading_text
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, Sheet, a1, block
from xlmodel.workbook.sheets.native import compared
from xlmodel.workbook.sheets.native.clauses import Books, needs, pay, rows_before_top_ups
from xlmodel.workbook.sheets.native.measures import CUTOFF_POOL, Moment, measure_column, schedule_rows
from xlmodel.workbook.sheets.native.refusals import covered_rows, ordinary
from xlmodel.workbook.sheets.native.runs import BASE, Given, Ours, Run, runs_of
from xlmodel.workbook.sheets.native.template import Column, cents, filled, total
from xlmodel.workbook.sheets.theme import put

_TOP = 7  # first payment date; the row above it is closing
_FIXED = 3  # number and dates stay in sight


def sheets(contents: Contents, ours: Ours) -> list[Sheet[Contents]]:
    """One sheet a run, with what our functions gave for it beside."""
    return [_sheet(one, ours[one.key]) for one in runs_of(contents)]


def _sheet(one: Run, given: Given) -> Sheet[Contents]:
    return Sheet(
        one.sheet,
        lambda contents: place(contents, one),
        lambda sheet, contents, layout: write(sheet, contents, layout, one, given),
    )


def place(contents: Contents, one: Run) -> Mapping[str, Block]:
    columns = columns_of(contents, one)
    blocks = {
        one.at(column.name): block(one.sheet, _TOP, 1 + offset, contents.dates)
        for offset, column in enumerate(columns)
    }
    results = [f"{heading.lower()} {n}" for n in range(contents.classes) for heading in CLASS_COLUMNS]
    first = blocks[one.at(results[0])].left
    if one is BASE:
        # What other sheets of a deal's workbook look for by these names.
        for name in results:
            blocks[name] = blocks[one.at(name)]
        last = blocks[one.at(columns[-1].name)].left
        blocks["Distributions"] = block(one.sheet, _TOP, first, contents.dates, last - first + 1)
    return {**blocks, **compared.place(contents, one, _TOP, len(columns) + 2)}


def write(sheet: Worksheet, contents: Contents, layout: Layout, one: Run, given: Given) -> None:
    columns = columns_of(contents, one)
    places = {column.name: 1 + offset for offset, column in enumerate(columns)}
    theme.head(
        sheet,
        contents.deal.name,
        one.sheet,
        "A row a payment date: from left to right what came in, what is owed, and each clause in its order.",
    )
    put(sheet, 3, 1, "Speed", theme.PLAIN)
    put(sheet, 3, 2, f"={layout.ref(one.at('speed'))}", theme.STRONG, theme.PERCENT)
    ends = _headings(sheet, columns)
    for column in columns:
        at = places[column.name]
        theme.widths(sheet, at, column.width)
        if column.opening:
            opening = filled(column.opening, layout, _TOP - 1, _TOP, places.__getitem__, one.dates)
            put(sheet, _TOP - 1, at, opening, theme.PLAIN, column.shown)
        for row in range(_TOP, _TOP + contents.dates):
            formula = filled(_of_run(column.formula, one), layout, row, _TOP, places.__getitem__, one.dates)
            put(sheet, row, at, formula, theme.PLAIN, column.shown)
    theme.widths(sheet, len(columns) + 1, 3)
    ends += compared.write(sheet, contents, layout, one, given, _TOP)
    sheet.freeze_panes = a1(_TOP, _FIXED + 1)
    theme.lines(sheet, _TOP - 2, 3)
    theme.print_in_groups(
        sheet,
        title=f"{contents.deal.name} – {one.sheet}",
        printed=Block(one.sheet, _TOP - 3, 1, _TOP + contents.dates - 1, ends[-1]),
        title_rows=(_TOP - 3, _TOP - 2),
        title_columns=(1, _FIXED),
        ends=ends,
    )


def _of_run(template: str, one: Run) -> str:
    return template.replace("{run ", f"{{{one.key} ")


def _headings(sheet: Worksheet, columns: Sequence[Column]) -> list[int]:
    """Two rows of headings; the last column of each group."""
    ends, start = [], 1
    for number, column in enumerate(columns, start=1):
        theme.put_text(sheet, _TOP - 2, number, column.heading, theme.HEADING)
        if number == len(columns) or columns[number].group != column.group:
            theme.group(sheet, _TOP - 3, start, number - start + 1, column.group)
            ends.append(number)
            start = number + 1
    return ends


def columns_of(contents: Contents, one: Run) -> list[Column]:
    """Every column, in order."""
    books = Books(contents)
    _dates(books, contents)
    _due(books, contents)
    _call(books, contents, one)
    ready = _measures(books, contents)
    wanted, owed = needs(contents, ready)
    books.columns += wanted.columns
    _draws(books, contents, owed)
    pay(contents, books, ready)
    _results(books, contents, ready)
    return books.columns


def _dates(books: Books, contents: Contents) -> None:
    group = "Payment date"
    opening = {"number": "0", "unadjusted": "{term closing date}", "date": "{term closing date}"}
    for name, heading, formula, shown, width in (
        ("number", "No.", "{date number@}", theme.COUNT, 6.0),
        ("unadjusted", "Unadjusted", "{unadjusted date@}", theme.DATE, 13.0),
        ("date", "Payment date", "{payment date@}", theme.DATE, 13.0),
    ):
        books.columns.append(Column(name, group, heading, formula, shown, width, opening[name]))
    if any(clause.limit is not None for clause in contents.deal.clauses):
        books.columns.append(Column("year", group, "Year", "YEAR([date])", "0", 7.0))


def _due(books: Books, contents: Contents) -> None:
    """What came in, and what comes due with the date; nothing new once the pool has been purchased."""
    deal, gone = contents.deal, "[called^]=1"
    months = '{month number},">="&{first month@},{month number},"<="&{last month@}'
    group = "From the pool"
    books.add("collected", group, "Collected", f"SUMIFS({{run month cash}},{months})")
    books.add("pool month", group, "Pool, end of month", "INDEX({run month pool},{last month@})")
    for n, fee in enumerate(deal.fees):
        new = f"SUMIFS({{run month fee {n}}},{months})"
        if _has(contents, "Fees", "amount"):
            new += f"+{{fee amount#{n}}}"
        if _has(contents, "Fees", "minimum"):
            new = f"MAX({new},{{fee minimum#{n}}})"
        if fee.first_part is not None:
            part = f"{fee.first_part.numerator}/{fee.first_part.denominator}"
            new = f"IF([number]=1,ROUND({CUTOFF_POOL}*{{fee rate#{n}}}*{part},2),{new})"
        if fee.first_amount is not None:
            new = f"IF([number]=1,{fee.first_amount / 100:.2f},{new})"
        if fee.once:
            new = f"IF([number]=1,{new},0)"
        owed = f"[fee owed {n}^]-({total(_paid(contents, 'fee', n))})+IF({gone},0,{new})"
        books.add(f"fee owed {n}", "Owed on this date", f"Fee: {fee.name}", cents(owed))
    for n, schedule in enumerate(deal.schedules):
        paid = _paid(contents, "amount", n)
        if paid:
            rows = f"{schedule_rows(contents, schedule)},{{schedule date}},[unadjusted]"
            new = f"IF({gone},0,MAX(0,ROUND(SUMIFS({{schedule amount}},{rows}),2)))"
            owed = f"[amount owed {n}^]-({total(paid)})+{new}"
            books.add(f"amount owed {n}", "Owed on this date", schedule.capitalize(), cents(owed))
    opening = Moment(contents, "[pool^]", tuple(f"[balance {n}^]" for n in range(contents.classes)))
    for n, policy in enumerate(deal.policies):
        new = f"ROUND({opening.measure(policy.base)}*{{policy premium#{n}}}/12,2)"
        owed = f"[premium owed {n}^]-({total(_paid(contents, 'premium', n))})+IF({gone},0,{new})"
        books.add(f"premium owed {n}", "Owed on this date", f"Premium: {policy.name}", cents(owed))
    for n, note_class in enumerate(deal.classes):
        group = f"Interest owed: {note_class.name}"
        accrued = _interest(contents, n, f"[balance {n}^]")
        overdue = books.add(f"overdue {n}", group, "Overdue", f"ROUND([interest due {n}^]-[interest {n}^],2)")
        new = books.add(f"accrued {n}", group, "Of the period", accrued)
        on = _interest(contents, n, overdue)
        books.add(f"interest due {n}", group, "Due", cents(f"{overdue}+{new}+IF({overdue}=0,0,{on})"))


def _interest(contents: Contents, n: int, amount: str) -> str:
    """Interest on an amount over the days of the period, rounded as the terms of the class say."""
    note_class = contents.deal.classes[n]
    rate = f"{{class rate#{n}}}"
    if note_class.index is not None:
        name, date = f"{{class index#{n}}}", "{schedule date},[unadjusted]"
        index = f"SUMIFS({{schedule amount}},{{schedule schedule}},{name},{date})"
        rate = f"MAX(0,ROUND({index}+{rate},12))"
        if note_class.cap is not None:
            rate = f"MIN({{class cap#{n}}},{rate})"
    raw = f"{amount}*{rate}*{{days {n}@}}/{{year days {n}@}}"
    # A product that should be whole cents may lie a hair below them.
    return f'IF({{class rounding#{n}}}="truncate",ROUNDDOWN(ROUND({raw},6),2),ROUND({raw},2))'


def _call(books: Books, contents: Contents, one: Run) -> None:
    """The purchase of the pool, on the first date that allows it and on which it is worth what is owed."""
    deal, call = contents.deal, contents.deal.call
    group = "Call and funds"
    balances = tuple(f"[balance {n}^]" for n in range(contents.classes))
    owed = [*balances, *(f"[interest due {n}]" for n in range(contents.classes))]
    owed += [f"[premium owed {n}]" for n in range(len(deal.policies))]
    whole = books.add("owed", group, "Owed to holders and insurers", cents(total(owed)))
    called, price = "0", "0"
    if call is not None and one.end == CALL:
        now = Moment(contents, "[pool month]", balances)
        test = f"ROUND({now.measure(call.test)}-{{call at most#0}}*{now.measure(call.base)},6)<=0"
        named = {name for c in ordinary(deal) if isinstance(c.step, steps.Fee) for name in c.step.names}
        fees = [f"[fee owed {n}]" for n, fee in enumerate(deal.fees) if fee.name in named]
        worth = f"ROUND([pool month]+[collected]-{whole}-({total(fees)}),2)>=0"
        out = f"ROUND({total(list(balances))},2)>0"
        called = f"IF([called^]=1,1,IF(AND({{call exercised#0}},{test},{worth},{out}),1,0))"
        paid = "[pool month]" if call.price == "pool" else whole
        price = f"IF([called]-[called^]=1,{paid},0)"
    books.columns.append(Column("called", group, "Called", called, theme.COUNT, 8.0, "0"))
    books.add("price", group, "Call price", price)
    books.add("available", group, "Available funds", cents("IF([called^]=1,0,[collected])+[price]"))
    books.columns.append(
        Column("pool", group, "Pool balance", "IF([called]=1,0,[pool month])", theme.MONEY, 17.0, CUTOFF_POOL)
    )


def _measures(books: Books, contents: Contents) -> frozenset[str]:
    """A column for each measure that does not change within a date."""
    ready: frozenset[str] = frozenset()
    now = Moment(contents, "[pool]", ("0",) * contents.classes)
    for name, measure in contents.deal.measures.items():
        if measure.steady:
            formula = cents(now.measure(name))
            books.add(measure_column(contents, name), "Measures", name.capitalize(), formula)
            ready |= {name}
    return ready


def _draws(books: Books, contents: Contents, owed: list[list[str]]) -> None:
    """What accounts give where collections do not reach what they cover; what policies would have to."""
    deal, group = contents.deal, "Money for the clauses"
    rows = rows_before_top_ups(contents)
    earlier: list[str] = []

    def lacking(source: Account | Policy) -> str:
        count = covered_rows(source.covers, rows, source.name)
        need = total([amount for row in owed[:count] for amount in row])
        less = "-".join([f"({need})-[available]", *earlier])
        return f"MAX(0,ROUND({less},2))"

    for n, account in enumerate(deal.accounts):
        formula = f"MIN([account closing {n}^],{lacking(account)})"
        earlier.append(books.add(f"account draw {n}", group, f"Draw: {account.name}", formula))
    for n, policy in enumerate(deal.policies):
        books.add(f"claim {n}", group, f"Lacking: {policy.name}", lacking(policy))
    books.add("money", group, "Money", cents(total(["[available]", *earlier])))


def _results(books: Books, contents: Contents, ready: frozenset[str]) -> None:
    """What each class got and still has, the accounts, and the cash by payee."""
    deal = contents.deal
    after = tuple(f"[balance {n}]" for n in range(contents.classes))
    now = Moment(contents, "[pool]", after, ready=ready)
    flow: list[str] = []
    for n, note_class in enumerate(deal.classes):
        initial = f"{{class balance#{n}}}"
        rows = (
            ("interest", "Interest", cents(total(books.interest.get(n, []))), theme.MONEY, ""),
            ("principal", "Principal", cents(total(books.principal.get(n, []))), theme.MONEY, ""),
            ("balance", "Balance", f"ROUND([balance {n}^]-[principal {n}],2)", theme.MONEY, initial),
            ("factor", "Factor", f"ROUND([balance {n}]/{initial},7)", theme.FACTOR, "1"),
        )
        for name, heading, formula, shown, opening in rows:
            books.columns.append(
                Column(f"{name} {n}", note_class.name, heading, formula, shown, 16.0, opening)
            )
        flow += [f"[interest {n}]", f"[principal {n}]"]
    released = []
    for n, account in enumerate(deal.accounts):
        group = f"Account: {account.name}"
        draws = [f"[account draw {n}]", *books.given.get(n, [])]
        deposits = cents(total(books.deposits.get(n, [])))
        roll = f"[account opening {n}]+[account deposit {n}]-[account taken {n}]"
        books.add(f"account opening {n}", group, "Opening", f"[account closing {n}^]")
        books.add(f"account deposit {n}", group, "Deposit", deposits)
        books.add(f"account taken {n}", group, "Draw", cents(total(draws)))
        books.add(f"account requirement {n}", group, "Requirement", cents(now.requirement(account)))
        release = cents(f"MAX(0,{roll}-[account requirement {n}])")
        released.append(books.add(f"account release {n}", group, "Release", release))
        books.columns.append(
            Column(
                f"account closing {n}",
                group,
                "Closing",
                cents(f"{roll}-[account release {n}]"),
                theme.MONEY,
                16.0,
                f"{{account initial#{n}}}",
            )
        )
    group = "Cash"

    def booked(book: Mapping[int, list[str]]) -> str:
        return total([amount for amounts in book.values() for amount in amounts])

    books.add("fees paid", group, "Fees paid", cents(booked(books.fees)))
    books.add("released", group, "Released", cents(total(released)))
    books.add("remainder", group, "Remainder", cents(total(books.remainder)))
    books.add("premiums paid", group, "Paid to insurers", cents(booked(books.premiums)))
    others = [booked(books.amounts)] if books.amounts else []
    uses = total([*flow, "[fees paid]", "[remainder]", "[premiums paid]", booked(books.deposits), *others])
    given = [amount for amounts in books.given.values() for amount in amounts]
    books.add(
        "sources less uses", group, "Sources less uses", cents(f"{total(['[money]', *given])}-({uses})")
    )
    books.add("uneven", group, "Short where cents are shared", cents(total(books.uneven)))


def _paid(contents: Contents, kind: str, n: int) -> list[str]:
    """Columns, a row above, in which clauses paid a fee, a named amount or a premium."""
    found = []
    deal = contents.deal
    for number, clause in enumerate(ordinary(deal)):
        step = clause.step
        if kind == "fee" and isinstance(step, steps.Fee):
            names = list(step.names)
            if deal.fees[n].name in names:
                found.append(f"[paid {number} {names.index(deal.fees[n].name)}^]")
        elif (
            kind == "amount" and isinstance(step, steps.Amount) and step.schedule == list(deal.schedules)[n]
        ) or (kind == "premium" and isinstance(step, steps.Premium) and step.policy == deal.policies[n].name):
            found.append(f"[paid {number} 0^]")
    return found


def _has(contents: Contents, table: str, heading: str) -> bool:
    return heading in [heading_text(name) for name in contents.folder.stacked[table][0]]
