"""Measures and conditions as native formulas, at one place of the waterfall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xlmodel.deal import conditions
from xlmodel.deal.conditions import Condition
from xlmodel.deal.definition import Account
from xlmodel.deal.measures import AT_CUTOFF, SCHEDULE, Component, Measure, may_be_below_nothing
from xlmodel.errors import NotNative
from xlmodel.tables import heading_text
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.native.template import cents, total

TRUE, FALSE = "TRUE", "FALSE"
CUTOFF_POOL = "ROUND({pool total balance},2)"


@dataclass(frozen=True)
class Moment:
    """What holds when something is worked out: templates of the pool, of each balance and of the date.

    ``retired``: the condition that the classes are being retired, where it may be asked for.  ``ready``:
    measures that have a column of their own.
    """

    contents: Contents
    pool: str
    balances: tuple[str, ...]
    date: str = "[unadjusted]"
    retired: str | None = None
    ready: frozenset[str] = frozenset()

    @property
    def at_cutoff(self) -> Moment:
        initial = tuple(f"{{class balance#{n}}}" for n in range(len(self.balances)))
        return replace(self, pool=CUTOFF_POOL, balances=initial, date="{term cutoff date}", ready=frozenset())

    def of_classes(self, classes: Sequence[int]) -> str:
        return total([self.balances[n] for n in classes])

    def measure(self, name: str) -> str:
        """A measure or base, in dollars.  Raises NotNative for what has no native formula."""
        if name in self.ready:
            return f"[{measure_column(self.contents, name)}]"
        if name == "pool":
            return self.pool
        if name == "cutoff pool":
            return CUTOFF_POOL
        if name == "securities":
            return f"({self.of_classes(range(len(self.balances)))})"
        if name == "insurance agreement":
            return "0"  # an amount of a scenario; the printed tables assume none
        if name.endswith(AT_CUTOFF):
            return self.at_cutoff.measure(name.removesuffix(AT_CUTOFF))
        if name.startswith(SCHEDULE):
            return _scheduled(self.contents, name.removeprefix(SCHEDULE), self.date)
        groups = self.contents.deal.groups
        if name in groups:
            return f"({self.of_classes(groups[name])})"
        return self._joined(self.contents.deal.measures[name])

    def requirement(self, account: Account) -> str:
        """What an account must hold: a measure, and never less than nothing."""
        held = self.measure(account.requirement)
        return (
            f"MAX(0,{held})"
            if may_be_below_nothing(account.requirement, self.contents.deal.measures)
            else held
        )

    def _joined(self, measure: Measure) -> str:
        rows = measure_rows(self.contents, measure.name)
        parts = [self._component(part, row) for part, row in zip(measure.components, rows, strict=True)]
        when = [self.condition(part.when) for part in measure.components]
        kept = [(part, test) for part, test in zip(parts, when, strict=True) if test != FALSE]
        if measure.combine == "sum":
            terms = [part if test == TRUE else f"IF({test},{part},0)" for part, test in kept]
            return f"({total(terms)})"
        if not kept:
            return "0"
        function, nothing = ("MAX", "-1E+15") if measure.combine == "greatest" else ("MIN", "1E+15")
        listed = ",".join(part if test == TRUE else f"IF({test},{part},{nothing})" for part, test in kept)
        if any(test == TRUE for _, test in kept):
            return f"{function}({listed})"
        return f"IF({_any([test for _, test in kept])},{function}({listed}),0)"

    def _component(self, part: Component, row: int) -> str:
        if part.base is None:
            return f"{{measure amount#{row}}}"
        return cents(f"{{measure percent#{row}}}*{self.measure(part.base)}")

    def condition(self, found: Condition) -> str:
        """A condition; TRUE and FALSE where it does not depend on the run."""
        match found:
            case conditions.Always():
                return TRUE
            case conditions.Flag(name="called"):
                return "[called]=1"
            case conditions.Flag(name="accelerated"):
                return FALSE  # nobody declares anything in the printed tables
            case conditions.Flag(name="can be retired") if self.retired is not None:
                return self.retired
            case conditions.Paid(classes=classes):
                return f"ROUND({self.of_classes(classes)},2)=0"
            case conditions.ByDate(day=day, after=after):
                date = f"DATE({day.year},{day.month},{day.day})"
                return f"{self.date}{'>' if after else '<='}{date}"
            case conditions.Not(part=part):
                inner = self.condition(part)
                return {TRUE: FALSE, FALSE: TRUE}.get(inner, f"NOT({inner})")
            case conditions.Both(parts=parts):
                return _all([self.condition(part) for part in parts])
            case conditions.Either(parts=parts):
                return _any([self.condition(part) for part in parts])
            case conditions.Triggered(name=name):
                raise NotNative(f"the condition {name!r} is a trigger; natively no trigger is worked")
            case _:
                raise NotNative("the condition 'can be retired' is said natively in a clause of its own only")


def measure_rows(contents: Contents, name: str) -> list[int]:
    """Rows of the table Measures, from 0, that hold the components of a measure."""
    headings, *rows = contents.folder.stacked["Measures"]
    column = [heading_text(heading) for heading in headings].index("measure")
    return [n for n, row in enumerate(rows) if heading_text(row[column]) == name]


def measure_column(contents: Contents, name: str) -> str:
    """The column of a measure that does not change within a date."""
    return f"measure {list(contents.deal.measures).index(name)}"


def _scheduled(contents: Contents, schedule: str, date: str) -> str:
    """What a schedule says for a date; #N/A where it says nothing."""
    rows = f"{schedule_rows(contents, schedule)},{{schedule date}},{date}"
    return f"IF(COUNTIFS({rows})=0,NA(),ROUND(SUMIFS({{schedule amount}},{rows}),2))"


def schedule_rows(contents: Contents, schedule: str) -> str:
    """The test for the rows of a schedule; its name is read from its first row."""
    headings, *rows = contents.folder.stacked["Schedules"]
    column = [heading_text(heading) for heading in headings].index("schedule")
    first = [heading_text(row[column]) for row in rows].index(schedule)
    return f"{{schedule schedule}},{{schedule schedule#{first}}}"


def _all(tests: list[str]) -> str:
    open_ = [test for test in tests if test != TRUE]
    if FALSE in open_:
        return FALSE
    return TRUE if not open_ else open_[0] if len(open_) == 1 else f"AND({','.join(open_)})"


def _any(tests: list[str]) -> str:
    open_ = [test for test in tests if test != FALSE]
    if TRUE in open_:
        return TRUE
    return FALSE if not open_ else open_[0] if len(open_) == 1 else f"OR({','.join(open_)})"
