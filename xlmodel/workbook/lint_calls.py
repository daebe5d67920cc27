"""Rules about the calls of our functions: how many, how they are spelt, whether they exist."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby

from xlmodel.errors import UnknownFunction
from xlmodel.faces.formula_text import Call
from xlmodel.functions import FUNCTIONS, find
from xlmodel.package.address import Address
from xlmodel.workbook.lint_reading import Found, Place, Reading, cell_text, runs

FEWEST_CALLS = 10  # below that an array formula saves nothing that anybody notices
_ANOTHER_WORKBOOK = "[1]!"


def per_cell_calls(reading: Reading) -> Iterator[Found]:
    """Runs of ten or more formulas of one pattern with a function that takes ranges, down or across."""
    places = {
        place: next(call.name for call in calls if _takes_ranges(call))
        for place, calls in reading.ours.items()
        if place in reading.patterns and any(map(_takes_ranges, calls))
    }
    for (sheet, first, last), members in _runs_of_pattern(reading, places):
        count = len(members)
        yield Found(
            sheet,
            f"{first}:{last}",
            f"{count} calls of {places[members[0]]}, one a cell, where one over ranges gives all {count}",
        )


def spellings(reading: Reading) -> Iterator[Found]:
    """Calls whose prefix is not that of most calls, and those that point to another workbook."""
    spelt: defaultdict[str, list[Place]] = defaultdict(list)
    for place, calls in reading.ours.items():
        for spelling in {_spelling(reading.formulas[place], call) for call in calls}:
            spelt[spelling].append(place)
    if not spelt:
        return
    usual = max(spelt, key=lambda spelling: (spelling != _ANOTHER_WORKBOOK, len(spelt[spelling])))
    for spelling, places in spelt.items():
        if spelling in (usual, _ANOTHER_WORKBOOK):
            continue
        for block in runs(places):
            yield Found(
                block.sheet or "",
                cell_text(block),
                f"calls are spelt {_shown(spelling)}, most others {_shown(usual)}",
            )
    for block in runs(spelt.get(_ANOTHER_WORKBOOK, ())):
        yield Found(
            block.sheet or "",
            cell_text(block),
            "calls go to another workbook, [n]!XM_..., and end with it",
            "remove the link: write XM_... without it",
        )


def unknown_names(reading: Reading) -> Iterator[Found]:
    """Each cell that calls an XM_ name which no function has, with the names that are near."""
    for (sheet, address), calls in reading.ours.items():
        for name in sorted({call.name for call in calls} - set(FUNCTIONS)):
            try:
                find(name)
            except UnknownFunction as error:
                yield Found(sheet, str(address), error.message)


def _takes_ranges(call: Call) -> bool:
    function = FUNCTIONS.get(call.name)
    return function is not None and function.elementwise


def _spelling(formula: str, call: Call) -> str:
    written = formula[call.start : call.open]
    prefix = written[: written.upper().index("XM_")].lower()
    return _ANOTHER_WORKBOOK if "!" in prefix else prefix


def _shown(spelling: str) -> str:
    return f"{spelling}XM_..." if spelling else "XM_..."


def _runs_of_pattern(
    reading: Reading, places: dict[Place, str]
) -> Iterator[tuple[tuple[str, Address, Address], list[Place]]]:
    """Unbroken runs of one pattern, down columns first, then across rows among what is left."""
    taken: set[Place] = set()
    for across in (False, True):

        def line(place: Place, across: bool = across) -> tuple[str, int, int]:
            name, address = place
            return (name, address.row, address.column) if across else (name, address.column, address.row)

        left = sorted((place for place in places if place not in taken), key=line)
        numbered = enumerate(left)
        for _, group in groupby(
            numbered,
            key=lambda item: (*line(item[1])[:2], line(item[1])[2] - item[0], reading.patterns[item[1]]),
        ):
            members = [place for _, place in group]
            if len(members) >= FEWEST_CALLS:
                taken.update(members)
                yield (members[0][0], members[0][1], members[-1][1]), members
