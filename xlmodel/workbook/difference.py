"""Two deal workbooks compared in terms: what was changed, and what that does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlmodel.package.address import Block
from xlmodel.package.sheet import read_sheets
from xlmodel.workbook.effects import Runs, effects
from xlmodel.workbook.formulas import FORMULAS_NAME
from xlmodel.workbook.in_terms import Entry, Model
from xlmodel.workbook.inputs import INPUTS_NAME
from xlmodel.workbook.kinds import DEAL

# What a row that is gone or new does not repeat.
_UNSAID = ("clause", "priority", "note", "status", "page")
_MOST_LINES = 100  # of a table whose rows are many, such as a tape of loans


@dataclass(frozen=True)
class Difference:
    """Sentences about the inputs, about what is no input, and about the effects."""

    inputs: tuple[str, ...]
    besides: tuple[str, ...]
    effects: tuple[str, ...]

    @property
    def same(self) -> bool:
        return not self.inputs and not self.besides


def difference(old: Model, new: Model) -> Difference:
    """Compare two deals; effects are worked out only where an input differs.

    Raises what running a deal raises.
    """
    inputs = tuple(_inputs(old, new))
    found = tuple(effects(Runs(old), Runs(new))) if inputs else ()
    return Difference(inputs, tuple(_besides(old, new, same_inputs=not inputs)), found)


def _inputs(old: Model, new: Model) -> Iterator[str]:
    tables = dict.fromkeys(entry.table for entry in (*old.entries, *new.entries))
    for table in tables:
        sides = [[e for e in model.entries if e.table == table] for model in (old, new)]
        said = list(_table(*sides))
        yield from said if len(said) <= _MOST_LINES + 1 else said[:_MOST_LINES]
        if len(said) > _MOST_LINES + 1:
            yield f"{table}: {len(said) - _MOST_LINES} more differences"
    for name in dict.fromkeys((*old.lists, *new.lists)):
        before, after = old.lists.get(name, "none"), new.lists.get(name, "none")
        if before != after:
            yield f"{_capital(name)}: {before} -> {after}"


def _table(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[str]:
    """Rows of one name belong together: those that are equal first, then the others in their order."""
    sides: tuple[dict[str, list[Entry]], dict[str, list[Entry]]] = ({}, {})
    for side, entries in zip(sides, (old, new), strict=True):
        for entry in entries:
            side.setdefault(entry.name, []).append(entry)
    for name in dict.fromkeys((*sides[0], *sides[1])):
        before, after = (list(side.get(name, ())) for side in sides)
        for entry in list(before):
            if entry in after:
                before.remove(entry)
                after.remove(entry)
        pairs = min(len(before), len(after))
        for one, other in zip(before[:pairs], after[:pairs], strict=True):
            yield from _entry(one, other)
        for gone in before[pairs:]:
            yield f"{_capital(name)} removed: {_summary(gone)}"
        for added in after[pairs:]:
            yield f"{_capital(name)} added: {_summary(added)}"
    orders = [
        [e.name for e in entries if e.name in there]
        for entries, there in zip((old, new), sides[::-1], strict=True)
    ]
    if orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1]):
        yield f"Order of {old[0].table}: {', '.join(orders[0])} -> {', '.join(orders[1])}"


def _entry(one: Entry, other: Entry) -> Iterator[str]:
    for heading in dict.fromkeys((*one.says, *other.says)):
        before, after = one.says.get(heading, "blank"), other.says.get(heading, "blank")
        if before != after:
            what = "" if (one.table, heading) == ("Terms", "value") else f"{heading} "
            yield f"{_capital(one.name)}: {what}{before} -> {after}"


def _summary(entry: Entry) -> str:
    says = {heading: text for heading, text in entry.says.items() if heading not in _UNSAID}
    return ", ".join(f"{heading} {text}" for heading, text in says.items())


def _besides(old: Model, new: Model, *, same_inputs: bool) -> Iterator[str]:
    """Published figures and formulas that differ although they are no inputs."""
    one, other = read_sheets(old.package), read_sheets(new.package)
    names, others = (
        {
            name: text
            for name, text in package.defined_names.items()
            if name not in (INPUTS_NAME, FORMULAS_NAME)
        }
        for package in (old.package, new.package)
    )
    for name, tie in DEAL.ties.items():
        if tie.shown in names and tie.shown in others:
            blocks = Block.parse(names[tie.shown]), Block.parse(others[tie.shown])
            values = [
                [c.value if (c := sheets[str(b.sheet)].cells.get(a)) else None for a in b.cells()]
                for sheets, b in zip((one, other), blocks, strict=True)
            ]
            changed = sum(a != b for a, b in zip(*values, strict=False)) + abs(
                len(values[0]) - len(values[1])
            )
            if changed:
                yield f"Published figures, {name.replace('_', ' ')}: {changed} differ"
    if names != others:
        if same_inputs:
            yield "The ranges of the workbooks lie elsewhere, although their inputs are the same"
        return  # formulas stand elsewhere too, so that comparing them by cell means nothing
    formulas = [
        {(name, a): c.formula for name, sheet in sheets.items() for a, c in sheet.formulas()}
        for sheets in (one, other)
    ]
    places = sorted(p for p in {*formulas[0], *formulas[1]} if formulas[0].get(p) != formulas[1].get(p))
    if places:
        on = ", ".join(dict.fromkeys(sheet for sheet, _ in places))
        yield f"Formulas: {len(places)} differ, on {on}; xlmodel lint says what may be wrong with one"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
