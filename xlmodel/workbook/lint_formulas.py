"""Rules about formulas: what changes by itself, what was typed over, what is compared to the last bit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlmodel.errors import ArrayDoesNotFit
from xlmodel.faces.formula_text import find_calls
from xlmodel.faces.input_cell import reference
from xlmodel.package.address import Address, Block
from xlmodel.package.formula import comparisons, references
from xlmodel.package.sheet import Cell
from xlmodel.workbook.lint_reading import Found, Place, Reading

VOLATILE = frozenset(
    ("NOW", "TODAY", "RAND", "RANDBETWEEN", "RANDARRAY", "OFFSET", "INDIRECT", "CELL", "INFO")
)
# What gives a whole number, a truth or a text, or has rounded: compared exactly, it is compared rightly.
EXACT = frozenset(
    """
    ROUND ROUNDUP ROUNDDOWN MROUND INT TRUNC CEILING FLOOR XM_ROUND XM_TRUNCATE XM_DAYS FIXED TEXT
    COUNT COUNTA COUNTIF COUNTIFS COUNTBLANK ROW ROWS COLUMN COLUMNS MATCH LEN YEAR MONTH DAY WEEKDAY DATE
    EDATE EOMONTH WORKDAY DAYS DAYS360 SIGN LEFT RIGHT MID UPPER LOWER TRIM CONCATENATE CONCAT TEXTJOIN TYPE
    ISNUMBER ISERROR ISNA ISBLANK ISTEXT AND OR NOT TRUE FALSE XM_WHY XM_VERSION XM_IS_BUSINESS_DAY
    """.split()  # noqa: SIM905  # a list of words reads better as text
)
# Native functions whose result is a number with a fraction, as a rule; so is that of ours.
COMPUTES = frozenset(
    """
    SUM SUMPRODUCT SUMIF SUMIFS AVERAGE PRODUCT PMT IPMT PPMT PV FV NPV IRR XIRR RATE ABS YEARFRAC
    """.split()  # noqa: SIM905  # as above
)
_AROUND = 2  # formulas of one pattern on either side that make a cell between them an exception

_CALL = re.compile(r"([\w.]+)\(.*\)", re.DOTALL)
_ARITHMETIC = re.compile(r"[\w.)\]%]\s*[-+*/^]")
_TEXT = re.compile(r'"|&')


def volatile(reading: Reading) -> Iterator[Found]:
    """Each cell with a volatile function from which a formula of ours is reached."""
    changing = {
        place: names
        for place, formula in reading.formulas.items()
        if (names := sorted({call.name for call in find_calls(formula)} & VOLATILE))
    }
    if not changing:
        return
    told: set[Place] = set()
    for start in reading.ours:
        seen, open_ = {start}, [start]
        while open_:
            place = open_.pop()
            if place in changing and place not in told:
                told.add(place)
                reached = f"{start[0]}!{start[1]}"
                yield Found(
                    place[0],
                    str(place[1]),
                    f"{', '.join(changing[place])} feeds "
                    + ("the function beside it" if place == start else f"the function in {reached}"),
                )
            for other in reading.feeding(place):
                if other not in seen:
                    seen.add(other)
                    open_.append(other)


def overwritten(reading: Reading) -> Iterator[Found]:
    """Constants in a run of formulas of one pattern, and formulas inside the range of an array."""
    for name, sheet in reading.sheets.items():
        for address, cell in sheet.cells.items():
            if (name, address) in reading.members:
                block = reading.members[name, address]
                if cell.formula is not None and block.anchor != address:
                    yield Found(
                        name,
                        str(address),
                        f"a formula of its own inside the array formula of {block.anchor}",
                        "delete it and enter the array formula over its whole range again",
                    )
            elif _is_exception(reading, name, address, cell):
                yield Found(name, str(address), "a constant among formulas that are all alike")
    broken = reading.changes
    if isinstance(broken, ArrayDoesNotFit):
        yield Found(broken.place.sheet or "", broken.place.cell or "", broken.message, broken.advice)


def compared_exactly(reading: Reading) -> Iterator[Found]:
    """Each cell with = or <> between numbers of which one is computed and not rounded."""
    for (name, address), formula in reading.formulas.items():
        if "=" not in formula and "<>" not in formula:
            continue
        for left, right in comparisons(formula):
            sides = [_side(reading, name, text) for text in (left, right)]
            if "computed" in sides and "text" not in sides:
                yield Found(name, str(address), f"{left} and {right} are compared exactly")
                break


def _is_exception(reading: Reading, name: str, address: Address, cell: Cell) -> bool:
    if cell.formula is not None or cell.value is None or isinstance(cell.value, str):
        return False  # a formula, a blank, a heading or a label
    for down, right in ((1, 0), (0, 1)):
        around = {
            reading.patterns.get((name, Address(address.row + down * step, address.column + right * step)))
            for step in (*range(-_AROUND, 0), *range(1, _AROUND + 1))
        }
        if len(around) == 1 and None not in around:
            return True
    return False


def _side(reading: Reading, sheet: str, text: str) -> str:
    """What one side of a comparison is: ``text``, ``exact`` or ``computed``."""
    text = text.strip()
    while text.startswith("(") and text.endswith(")") and _closes_at_end(text):
        text = text[1:-1].strip()
    call = _CALL.fullmatch(text)
    if call and find_calls(text) and find_calls(text)[0].end == len(text):
        return "exact" if find_calls(text)[0].name in EXACT else _of_call(text)
    if _TEXT.search(text):
        return "text"
    block = reference(reading.package, sheet, text)
    if block is not None:
        return _of_cell(reading, block.sheet or sheet, block.anchor)
    return "computed" if _ARITHMETIC.search(text) and not _whole(reading, sheet, text) else "exact"


def _of_call(text: str) -> str:
    name = find_calls(text)[0].name
    return "computed" if name in COMPUTES or name.startswith("XM_") else "exact"


def _of_cell(reading: Reading, sheet: str, address: Address) -> str:
    """A cell with a formula that computes a number with a fraction is computed; any other is exact."""
    found = reading.sheets.get(sheet)
    cell = found.cells.get(address) if found else None
    if cell is None:
        return "exact"
    if isinstance(cell.value, str):
        return "text"
    if cell.formula is None and (sheet, address) not in reading.members:
        return "exact"
    calls = find_calls(cell.formula or "")
    if calls and calls[0].start == 0 and calls[0].end == len(cell.formula or "") and calls[0].name in EXACT:
        return "exact"
    return "computed" if isinstance(cell.value, float) and not cell.value.is_integer() else "exact"


def _whole(reading: Reading, sheet: str, text: str) -> bool:
    """Whether arithmetic is of whole numbers alone, such as ROWS(A1:A9)-1 or B7+1 where B7 shows 5."""
    if not {call.name for call in find_calls(text)} <= EXACT:
        return False
    plain = re.sub(r"[\w.]+\([^()]*\)", "1", text)
    for written in references(plain):
        block = reference(reading.package, sheet, written)
        if block is None or block.shape != (1, 1) or not _shows_whole(reading, block, sheet):
            return False
        plain = plain.replace(written, "1")
    return re.fullmatch(r"[-+*\s\d()]+", plain) is not None


def _shows_whole(reading: Reading, block: Block, sheet: str) -> bool:
    cells = reading.sheets[block.sheet or sheet].cells if (block.sheet or sheet) in reading.sheets else {}
    cell = cells.get(block.anchor)
    return cell is not None and isinstance(cell.value, float) and cell.value.is_integer()


def _closes_at_end(text: str) -> bool:
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return place == len(text) - 1
    return False
