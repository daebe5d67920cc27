"""Why a cell shows what it shows, in a paragraph: its clause or formula, its inputs with their cells.

Everything is read from the workbook itself: the formula that fills the cell and the ranges that it names, the
deal tables that stand in these, the ledger of the run, the published figures beside the file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from xlmodel.analytics.words import Cite
from xlmodel.errors import XlmodelError
from xlmodel.faces.formula_text import Call, find_calls
from xlmodel.faces.input_cell import argument_block, reference
from xlmodel.functions import FUNCTIONS
from xlmodel.functions.answers import ANSWERS, answer
from xlmodel.functions.cells import Argument, CellError
from xlmodel.package.address import Address, Block
from xlmodel.package.formula import references
from xlmodel.package.number_format import number_format, shows_date
from xlmodel.package.values import ErrorCode, Value
from xlmodel.tables import Record
from xlmodel.workbook.cell_words import Book, cell_name, plain
from xlmodel.workbook.inputs_words import input_words
from xlmodel.workbook.published_words import published_words, tie_words

_MOST_PRECEDENTS = 12
_DEEPEST = 6  # cells that only repeat another one are followed so far
_TABLES = {"Terms": "terms", "Classes": "classes", "Payments": "payments", "Pools": "pools"}


def why(book: Book, published: Path, target: Block) -> str:
    """The paragraph about a cell, or about a range as a whole."""
    sheet = str(target.sheet)
    if target.shape != (1, 1):
        return _of_range(book, sheet, target)
    address = target.anchor
    return f"{cell_name(sheet, address)} = {book.shown(sheet, address)}. " + _cell(
        book, published, sheet, address, 0
    )


def _of_range(book: Book, sheet: str, block: Block) -> str:
    rows, columns = block.shape
    formula, anchor, array = _formula(book, sheet, block.anchor)
    text = f"{block} is {rows} rows by {columns} columns. "
    if formula is not None and array is not None:
        text += f"It is filled by ={formula} in {cell_name(sheet, anchor)}. "
    return text + f"Name one of its cells, such as {cell_name(sheet, block.anchor)}."


def _cell(book: Book, published: Path, sheet: str, address: Address, depth: int) -> str:
    formula, anchor, array = _formula(book, sheet, address)
    if formula is None:
        return _constant(book, published, sheet, address)
    words = [_by_formula(book, published, sheet, address, formula, anchor, array, depth)]
    value = book.value(sheet, address)
    if isinstance(value, ErrorCode):
        words.insert(0, _failure(book, sheet, anchor, value))
    words += tie_words(book, published, sheet, address)
    return " ".join(word for word in words if word)


def _formula(book: Book, sheet: str, address: Address) -> tuple[str | None, Address, Block | None]:
    """The formula that fills a cell, where it stands, and the range that it fills if it is an array."""
    cells = book.evaluation.sheets[sheet]
    cell = cells.cells.get(address)
    if cell is not None and cell.formula is not None:
        return cell.formula, address, cell.array
    for anchor, block in cells.arrays().items():
        if address in block:
            return cells.cells[anchor].formula, anchor, block
    return None, address, None


def _failure(book: Book, sheet: str, anchor: Address, value: Value) -> str:
    for failure in book.evaluation.failures:
        if (failure.place.sheet, failure.place.cell) == (sheet, str(anchor)):
            return f"It fails: {failure.message}."
    if value == "#N/A":
        return "#N/A here is an answer: there is no such figure."
    return f"It shows {value}: an input below holds an error, or has the wrong kind."


def _constant(book: Book, published: Path, sheet: str, address: Address) -> str:
    value = book.value(sheet, address)
    for words in (
        published_words(book, published, sheet, address),
        input_words(book, sheet, address),
        _named_input(book, sheet, address),
    ):
        if words:
            return words
    label = book.label(sheet, address)
    beside = f" It stands at {label!r}." if label else ""
    if value is None or value == "":
        return f"The cell is empty: nothing is typed in, and no formula fills it.{beside}"
    if isinstance(value, str):
        return "A text, typed in or written when the workbook was built; it is no number."
    return f"Typed in, not computed, in none of the deal's tables: nothing says where it comes from.{beside}"


def _named_input(book: Book, sheet: str, address: Address) -> str | None:
    """An input cell in a range with a name of its own, such as Speeds."""
    value = book.value(sheet, address)
    for name, text in book.package.defined_names.items():
        block = reference(book.package, sheet, text)
        if block and block.sheet == sheet and address in block and value not in (None, ""):
            label = book.label(sheet, address)
            return f"An input, in the range {name}" + (f", at {label!r}." if label else ".")
    return None


def _by_formula(
    book: Book,
    published: Path,
    sheet: str,
    address: Address,
    formula: str,
    anchor: Address,
    array: Block | None,
    depth: int,
) -> str:
    alone = reference(book.package, sheet, formula.strip())
    if alone is not None and alone.shape == (1, 1) and depth < _DEEPEST:
        there, at = str(alone.sheet), alone.anchor
        return f"It repeats {cell_name(there, at)}. " + _cell(book, published, there, at, depth + 1)
    call, row, column = _our_call(book, sheet, formula, address, anchor)
    where = f"={formula}" + (f", which fills {array.text(absolute=False)}" if array else "")
    if call is None:
        return f"Worked by the native formula {where}. {_precedents(book, sheet, formula)}"
    arguments = _arguments(book, sheet, formula, call)
    if call.name in ANSWERS and arguments is not None:
        try:
            words = answer(FUNCTIONS[call.name], arguments, row, column, _cite(book, sheet, formula, call))
        except XlmodelError as error:
            words = f"It cannot be explained: {error.message}."
        return f"Worked by {where}, row {row}, column {column}. {words}"
    function = FUNCTIONS.get(call.name)
    about = f"{call.name}: {function.help} " if function else ""
    return f"Worked by {where}. {about}{_precedents(book, sheet, formula)}"


def _our_call(
    book: Book, sheet: str, formula: str, address: Address, anchor: Address
) -> tuple[Call | None, int, int]:
    """The call of ours that gives the cell, and the row and column of its result; none for another formula.

    INDEX of a call with a row and a column, 0 for all of them, is looked through.
    """
    calls = find_calls(formula)
    row, column = address.row - anchor.row + 1, address.column - anchor.column + 1
    if not calls or (calls[0].start, calls[0].end) != (0, len(formula)):
        return None, row, column
    outer = calls[0]
    if outer.ours:
        return outer, row, column
    inner = next((call for call in calls[1:] if call.ours), None)
    if outer.name != "INDEX" or inner is None or len(outer.arguments) < 2:
        return None, row, column
    begin, end = outer.arguments[0]
    if formula[begin:end].strip() != formula[inner.start : inner.end]:
        return None, row, column
    chosen = [_literal(book, sheet, formula[begin:end].strip()) for begin, end in outer.arguments[1:3]]
    numbers = [int(n) if isinstance(n, float) else 0 for n in chosen]
    wanted_row, wanted_column = (*numbers, 0)[:2]
    return inner, wanted_row or row, wanted_column or column


def _literal(book: Book, sheet: str, text: str) -> Argument:
    """The value of an argument: a range, a cell, a number, a text, TRUE or FALSE; None for a blank one."""
    block = reference(book.package, sheet, text)
    if block is not None:
        rows = [[_as_argument(value) for value in row] for row in book.evaluation.block(block)]
        return rows if block.shape != (1, 1) else rows[0][0]
    if not text:
        return None
    if text.upper() in ("TRUE", "FALSE"):
        return text.upper() == "TRUE"
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('""', '"')
    return float(text)  # ValueError for an expression


def _as_argument(value: Value) -> Any:
    return CellError(str(value)) if isinstance(value, ErrorCode) else value


def _arguments(book: Book, sheet: str, formula: str, call: Call) -> list[Argument] | None:
    """The values of a call's arguments; None where one of them is an expression."""
    try:
        return [_literal(book, sheet, formula[begin:end].strip()) for begin, end in call.arguments]
    except ValueError:
        return None


def _cite(book: Book, sheet: str, formula: str, call: Call) -> Cite:
    """Cells of the ranges that a call names, by table, row and heading."""
    blocks = {
        name: argument_block(book.package, sheet, formula, call, word) for name, word in _TABLES.items()
    }

    def cite(record: Record, heading: str) -> str:
        block, column = blocks.get(record.table), record.columns.get(heading)
        if block is None:
            return f"row {record.row} of {record.table}"
        address = Address(block.top + record.row - 1, block.left + (column or 1) - 1)
        return cell_name(str(block.sheet), address)

    return cite


def _precedents(book: Book, sheet: str, formula: str) -> str:
    """What a native formula reads, with values."""
    texts = dict.fromkeys(text.strip() for text in (*references(formula), *_names(book, formula)))
    listed = []
    for text in texts:
        block = reference(book.package, sheet, text)
        if block is None or str(block.sheet) not in book.package.sheets:
            continue
        listed.append(_precedent(book, block))
    if not listed:
        return "It reads no other cell."
    more = f", and {len(listed) - _MOST_PRECEDENTS} more" if len(listed) > _MOST_PRECEDENTS else ""
    return f"It reads {'; '.join(listed[:_MOST_PRECEDENTS])}{more}."


def _names(book: Book, formula: str) -> list[str]:
    words = set(re.findall(r"(?<![\w!.])[A-Za-z_]\w*(?![\w(!.])", re.sub(r'"[^"]*"', "", formula)))
    return [name for name in book.package.defined_names if name in words]


def _precedent(book: Book, block: Block) -> str:
    sheet = str(block.sheet)
    if block.shape == (1, 1):
        label = book.label(sheet, block.anchor)
        return f"{cell_name(sheet, block.anchor)} = {book.shown(sheet, block.anchor)}" + (
            f" ({label})" if label else ""
        )
    used = Block(sheet, block.top, block.left, min(block.bottom, 100_000), min(block.right, 1_000))
    values = [value for row in book.evaluation.block(used) for value in row]
    numbers = [value for value in values if isinstance(value, float) and not isinstance(value, bool)]
    text = f"{block.text(absolute=False)} ({len(values):,} cells"
    named = next((name for name, at in book.package.defined_names.items() if at == str(block)), None)
    if named is not None:
        return f"the range {named}, {text})"
    if len(numbers) != len(values):  # texts among numbers: a table, whose sum says nothing
        return text + ")"
    ends = [book.shown(sheet, Address(row, column)) for row, column in _ends(block)]
    if shows_date(number_format(book.package, sheet, block.anchor)):
        return f"{text}, from {ends[0]} to {ends[1]})"
    return f"{text} that sum to {plain(sum(numbers))})"


def _ends(block: Block) -> tuple[tuple[int, int], tuple[int, int]]:
    return (block.top, block.left), (block.bottom, block.right)
