"""What the lines of a servicer's certificate are, as formulas over the sheets: the table LINES.

Each row of ``published/certificates.csv`` names one of them in its column ``what``; ``of`` names classes (as
an order does), a clause, an account or a schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from xlmodel.deal.orders import parse_classes
from xlmodel.errors import BadPublished, XlmodelError
from xlmodel.functions.scenarios import LEDGER_HEADER
from xlmodel.package.address import Block
from xlmodel.workbook.certificates import Line
from xlmodel.workbook.sheets.class_proof import index_rate, period_rate
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, cell, column_of

_CLAUSE, _DUE = LEDGER_HEADER.index("Clause"), LEDGER_HEADER.index("Due")


@dataclass(frozen=True)
class At:
    """A line on one payment date, ``date`` from 0; ``of`` as the file writes it."""

    contents: Contents
    layout: Layout
    date: int
    of: str

    @property
    def classes(self) -> tuple[int, ...]:
        return parse_classes(self.of, self.contents.deal.groups)

    @property
    def account(self) -> int:
        return [account.name for account in self.contents.deal.accounts].index(self.of.lower())

    def now(self, name: str) -> str:
        """A column of the sheet Distributions on this date."""
        return cell(self.layout[name], self.date, 0).text()

    def before(self, name: str) -> str:
        """The same on the date before, or at closing."""
        found = self.layout[name]
        row = found.top + self.date - 1
        return replace(found, top=row, bottom=row).text()

    def each(self, name: str, *, before: bool = False) -> str:
        """The sum over the classes of a column that each class has."""
        read = self.before if before else self.now
        return "+".join(read(f"{name} {n}") for n in self.classes)

    def factor(self, *, before: bool = False) -> str:
        initial = "+".join(self.layout.class_term(n, "balance") for n in self.classes)
        return f"ROUND(({self.each('balance', before=before)})/({initial}),7)"

    def months(self, name: str) -> str:
        """A column of the reported months, over those of this date; 0 where the table lacks it."""
        if f"pool {name}" not in self.layout:
            return "0"
        found, first = self.layout[f"pool {name}"], self.contents.deal.first_collection_months
        top = found.top + (0 if self.date == 0 else self.date + first - 1)
        rows = replace(found, top=top, bottom=found.top + self.date + first - 1)
        return f"SUM({rows.text()})"

    def clause(self) -> str:
        """What a clause owes, from the ledger of this date."""
        book: Block = self.layout[f"certificate ledger {self.date}"]
        clauses, due = column_of(book, _CLAUSE).text(), column_of(book, _DUE).text()
        return f'SUMIFS({due},{clauses},"{self.of}")'

    def rate(self) -> str:
        (position,) = self.classes
        unadjusted = self.now("unadjusted date")
        return f"100*{period_rate(self.contents, self.layout, position, unadjusted)}"


Formula = Callable[[At], str]

LINES: Mapping[str, Formula] = {
    "pool opening": lambda at: at.before("cash pool balance"),
    "pool closing": lambda at: at.now("cash pool balance"),
    "available funds": lambda at: at.now("cash available funds"),
    "fees": lambda at: at.now("cash fees paid"),
    "rate": At.rate,
    "interest": lambda at: at.each("interest"),
    "clause": At.clause,
    "principal": lambda at: at.each("principal"),
    "remainder": lambda at: at.now("cash remainder"),
    "account opening": lambda at: at.now(f"account opening {at.account}"),
    "account closing": lambda at: at.now(f"account closing {at.account}"),
    "opening balance": lambda at: at.each("balance", before=True),
    "closing balance": lambda at: at.each("balance"),
    "opening factor": lambda at: at.factor(before=True),
    "factor": At.factor,
    "net loss": lambda at: f"{at.months('defaulted')}-{at.months('proceeds')}",
    "principal collected": lambda at: at.months("principal"),
    "interest collected": lambda at: at.months("interest"),
    "defaulted": lambda at: at.months("defaulted"),
    "proceeds": lambda at: at.months("proceeds"),
    "purchase amount": lambda at: at.months("purchase amount"),
    "other": lambda at: at.months("other"),
    "index": lambda at: f"100*{index_rate(at.layout, chr(34) + at.of + chr(34), at.now('unadjusted date'))}",
}
"""By ``what``, without the equals sign.  Rates are percents, as certificates print them."""

# What opens a month, and the column that closed the month before: at its first date, what stood at closing.
CARRIED: Mapping[str, Formula] = {
    "pool opening": LINES["pool opening"],
    "opening balance": LINES["opening balance"],
    "account opening": lambda at: at.before(f"account closing {at.account}"),
}


def formula(contents: Contents, layout: Layout, line: Line, date: int, table: Mapping[str, Formula]) -> str:
    """The formula of a line.  Raises BadPublished for one that the model does not know."""
    if line.what not in table:
        raise BadPublished(
            f"there is no figure {line.what!r}", remedy=f"in the column what, use one of: {', '.join(table)}"
        ).at(heading="what")
    try:
        return f"={table[line.what](At(contents, layout, date, line.of))}"
    except (XlmodelError, ValueError):
        raise BadPublished(
            f"{line.of!r} is nothing that a line {line.what!r} can be of",
            remedy="name classes, a clause, an account or a schedule of the deal",
        ).at(heading="of") from None
