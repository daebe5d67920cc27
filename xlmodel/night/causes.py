"""Why a number moved: the inputs that changed with it, those that it depends on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xlmodel.errors import NoHistory, XlmodelError
from xlmodel.night.history import FORMULA, Change, History, Place, Run, State, is_input
from xlmodel.package.address import Address, Block, quote_sheet
from xlmodel.package.references import references
from xlmodel.package.values import Value


@dataclass(frozen=True)
class Move:
    """A run in which a cell changed.

    ``inputs``: what changed in that run of what the cell depends on; of everything, where ``traced`` is False
    because a formula on the way does not tell what it reads.  ``program``: how the versions changed.
    """

    number: int
    run: Run
    old: State | None
    new: State | None
    first: bool
    inputs: tuple[Change, ...]
    traced: bool
    program: tuple[str, ...]


def find_cell(history: History, text: str) -> Place:
    """The cell that ``Sheet!B5``, ``B5`` or a name means.  Raises NoHistory for one that is not known."""
    cells = history.latest()
    names = {name.lower(): reference for name, reference in history.names().items()}
    try:
        block = Block.parse(names.get(text.lower(), text))
    except XlmodelError:
        raise NoHistory(f"{text!r} is no cell such as Summary!B5, and no name of the workbook") from None
    if block.shape != (1, 1):
        raise NoHistory(f"{text} is a range", remedy=f"ask for one cell of it, such as {_one(block)}")
    sheets = sorted({sheet for sheet, address in cells if address == block.anchor})
    if block.sheet is not None:
        sheets = [sheet for sheet in sheets if sheet.lower() == block.sheet.lower()]
    if not sheets:
        raise NoHistory(f"no run has found a value in {text}")
    if len(sheets) > 1:
        listed = ", ".join(f"{quote_sheet(sheet)}!{block.anchor}" for sheet in sheets)
        raise NoHistory(f"{text} is on several sheets", remedy=f"say which: {listed}")
    return sheets[0], block.anchor


def moves(history: History, place: Place) -> list[Move]:
    """Every run in which a cell changed, the first one first."""
    runs = dict(history.runs())
    found, old = [], None
    states = history.states_of(*place)
    for number, new in states:
        first = number == states[0][0]
        inputs, traced = ((), True) if first else causes(history, number, place)
        program = () if first else _program(runs, number)
        found.append(Move(number, runs[number], old, new, first, tuple(inputs), traced, program))
        old = new
    return found


def causes(history: History, run: int, place: Place) -> tuple[Sequence[Change], bool]:
    """The changed inputs of a run that a cell depends on; all of them, and False, if that is not known."""
    changed = {change.place: change for change in history.changes_of(run) if is_input(change)}
    cells = history.latest(run)
    depended = _dependence(cells, history.names(), place, changed)
    if depended is None:
        return list(changed.values()), False
    return [change for at, change in changed.items() if at in depended], True


def _dependence(
    cells: dict[Place, State], names: dict[str, str], start: Place, among: Iterable[Place]
) -> set[Place] | None:
    """Which of some cells a cell depends on; None where a formula on the way does not tell what it reads."""
    by_name = {name.lower(): reference for name, reference in names.items()}
    formulas = {at: state for at, state in cells.items() if state.role == FORMULA and state.formula}
    filled = _filled(formulas)
    wanted, found = set(among), set()
    seen: set[Place | Block] = set()
    waiting = [start]
    while waiting:
        at = waiting.pop()
        at = filled.get(at, at)
        if at in seen:
            continue
        seen.add(at)
        if at in wanted:
            found.add(at)
        state = formulas.get(at)
        if state is None:
            continue
        blocks = references(str(state.formula), at[0], by_name)
        if blocks is None:
            return None
        for block in blocks:
            if block not in seen:
                seen.add(block)
                waiting += _inside(block, cells, wanted)
    return found


def _filled(formulas: dict[Place, State]) -> dict[Place, Place]:
    """For each cell that an array formula fills, the cell that has the formula."""
    filled = {}
    for (sheet, address), state in formulas.items():
        if state.fills:
            for cell in Block.parse(state.fills).cells():
                filled[sheet, cell] = sheet, address
    return filled


def _inside(block: Block, cells: dict[Place, State], wanted: set[Place]) -> list[Place]:
    """The cells of a range that there are; and those that were taken away, for they were asked about."""
    rows, columns = block.shape
    sheet = str(block.sheet)
    if rows * columns <= len(cells):
        places = ((sheet, address) for address in block.cells())
        return [at for at in places if at in cells or at in wanted]
    return [
        (name, address)
        for name, address in {*cells, *wanted}
        if name == sheet
        and block.top <= address.row <= block.bottom
        and block.left <= address.column <= block.right
    ]


def _program(runs: dict[int, Run], number: int) -> tuple[str, ...]:
    """How the program differs from that of the good run before."""
    earlier = [run for n, run in runs.items() if n < number and run.output]
    if not earlier:
        return ()
    before, now = earlier[-1], runs[number]
    words = []
    if before.functions != now.functions:
        words.append(f"functions {before.functions} became {now.functions}")
    elif before.code != now.code:
        words.append(f"code {before.code[:12]} became {now.code[:12]}")
    return tuple(words)


def cell_text(place: Place) -> str:
    """``Summary!B5``."""
    return f"{quote_sheet(place[0])}!{place[1]}"


def state_text(state: State | None, *, formula: bool = False) -> str:
    """What a cell holds, in full; its formula, if that is asked for and it has one."""
    if state is None:
        return "nothing"
    if formula and state.formula:
        return f"={state.formula}"
    return value_text(state.value)


def value_text(value: Value) -> str:
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def change_text(change: Change) -> str:
    """``Assumptions!B6: 0.015 became 0.018``; of a cell whose formula changed, the formulas."""
    formula = any(state is not None and state.formula for state in (change.old, change.new))
    old, new = (state_text(state, formula=formula) for state in (change.old, change.new))
    return f"{cell_text(change.place)}: {old} became {new}"


def reasons(move: Move) -> list[str]:
    """Why a cell moved, a sentence a line."""
    if move.first:
        return ["first run that found it"]
    words = [change_text(change) for change in move.inputs] + list(move.program)
    if not move.traced:
        words.append("(every input that changed: a formula on the way does not tell what it reads)")
    return words or ["no input of it changed"]


def _one(block: Block) -> str:
    address = Address(block.top, block.left)
    return str(address) if block.sheet is None else cell_text((block.sheet, address))
