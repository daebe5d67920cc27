"""What can go wrong, named by situation, each with a stable code.

The first line of a class is its entry in the generated catalogue (``docs/errors.md``); ``remedy`` is
what the reader can do.  Codes are never reused.  Hundreds: 1 arguments, 2 deal tables, 3 packages,
4 evaluation, 5 published figures, 6 usage, 7 many workbooks, 9 our own faults.

No spreadsheet words here: ``Category`` says what kind of mistake it is, and ``functions/cells.py``
turns a category into the error that a cell shows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar, Self


class Category(Enum):
    """What kind of mistake an error is."""

    WRONG_KIND = "wrong kind"  # a text where a number belongs
    OUT_OF_RANGE = "out of range"  # a number that has no meaning here
    NOT_AVAILABLE = "not available"  # a well-formed question without an answer
    REFUSED = "refused"  # a file that we do not touch
    FAILED = "failed"  # a file that we touched and gave up, unchanged
    USAGE = "usage"  # a command line that makes no sense


@dataclass(frozen=True)
class Place:
    """Where an error lies; whatever is known.  Rows and columns count from 1, the header included.

    ``argument`` and ``table`` are what ``functions/`` and ``deal/`` know; ``file``, ``part``,
    ``sheet`` and ``cell`` are added by ``workbook/``.  ``scenario`` is told where several come of one row.
    """

    file: str | None = None
    part: str | None = None
    sheet: str | None = None
    cell: str | None = None
    argument: str | None = None
    table: str | None = None
    row: int | None = None
    column: int | None = None
    heading: str | None = None
    scenario: str | None = None

    def __str__(self) -> str:
        words = [
            self.file,
            self.part and f"part {self.part}",
            self.sheet and f"sheet {self.sheet}",
            self.cell and f"cell {self.cell}",
            self.argument and f"argument {self.argument}",
            self.table and f"table {self.table}",
            *(self._in_text() if (self.file or "").endswith(".toml") else self._in_rows()),
            self.scenario and f"scenario {self.scenario}",
        ]
        return ", ".join(str(word) for word in words if word)

    def _in_rows(self) -> tuple[object, ...]:
        return (
            self.row and f"row {self.row}",
            f"column {self.heading!r}" if self.heading else self.column and f"column {self.column}",
        )

    def _in_text(self) -> tuple[object, ...]:
        """In a TOML document, where a table is a list of entries with keys, and has no row of headings."""
        return (
            self.row and self.row > 1 and f"entry {self.row - 1}",
            self.heading and f"key {self.heading.replace(' ', '_')!r}",
        )


class XlmodelError(Exception):
    """Any error that xlmodel raises on purpose.

    ``str(error)`` is one line: code, place, what is wrong, what to do.
    """

    code: ClassVar[str] = "XM-000"
    category: ClassVar[Category] = Category.WRONG_KIND
    remedy: ClassVar[str] = ""

    def __init__(self, message: str, *, place: Place | None = None, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place or Place()
        self.advice = self.remedy if remedy is None else remedy

    def at(self, **known: str | int | None) -> Self:
        """The same error with more of its place known; what was known before is kept."""
        missing = {key: value for key, value in known.items() if getattr(self.place, key) is None}
        self.place = replace(self.place, **missing)  # type: ignore[arg-type]  # names are checked by replace
        return self

    def __str__(self) -> str:
        where = str(self.place)
        advice = f" ({self.advice})" if self.advice else ""
        return f"{self.code} {where + ': ' if where else ''}{self.message}{advice}"


# --- 1 arguments ---------------------------------------------------------------------------------


class WrongKind(XlmodelError):
    """A value of the wrong kind, such as a text where a number belongs."""

    code = "XM-101"
    remedy = "enter a value of the kind that is asked for"


class OutOfRange(XlmodelError):
    """A number or date outside the range in which it has a meaning."""

    code = "XM-102"
    category = Category.OUT_OF_RANGE
    remedy = "enter a value inside the stated range"


class UnknownName(XlmodelError):
    """A name that is not in its table: a convention, a model, a column."""

    code = "XM-103"
    remedy = "use one of the names listed"


class MissingValue(XlmodelError):
    """A required value is blank; there is no default for it."""

    code = "XM-104"
    remedy = "fill it in"


class NotAvailable(XlmodelError):
    """A well-formed question that has no answer, such as a class that the deal does not have."""

    code = "XM-105"
    category = Category.NOT_AVAILABLE
    remedy = "ask for something that exists"


class WrongShape(XlmodelError):
    """A range of the wrong shape: a block where one cell belongs, columns of different lengths."""

    code = "XM-106"
    remedy = "select a range of the shape that is asked for"


class WrongArguments(XlmodelError):
    """Too many or too few arguments."""

    code = "XM-107"
    remedy = "compare with the function's help"


class ErrorInput(XlmodelError):
    """An input cell itself holds an error, which is passed through."""

    code = "XM-108"
    remedy = "mend the cell that holds the error"

    def __init__(self, message: str, *, shown: str, place: Place | None = None) -> None:
        super().__init__(message, place=place)
        self.shown = shown


class NoRoot(XlmodelError):
    """A solver found no root, or more than one, in its bracket."""

    code = "XM-109"
    category = Category.OUT_OF_RANGE
    remedy = "check the inputs, or give a bracket that holds one root"


# --- 2 deal tables -------------------------------------------------------------------------------


class BadTable(XlmodelError):
    """A deal table that cannot be read: no header, an unknown or missing column, a duplicate row."""

    code = "XM-201"
    remedy = "compare with the columns in the manual: docs/deal.md, docs/folders.md"


class UnknownStep(XlmodelError):
    """A clause in the Payments table that is no known kind of amount, order or condition."""

    code = "XM-202"
    remedy = "use one of the kinds listed"


class UnsoundDeal(XlmodelError):
    """A deal whose tables can be read but do not fit together."""

    code = "XM-203"
    remedy = "mend the findings listed"


class NotConserved(XlmodelError):
    """Cash paid out is not cash received: the engine's own check failed, nothing is shown."""

    code = "XM-204"
    category = Category.NOT_AVAILABLE
    remedy = "report it with the deal folder; no number of this run may be used"


class BadDealFolder(XlmodelError):
    """A deal folder that lacks a file or holds one that cannot be read."""

    code = "XM-205"
    category = Category.REFUSED
    remedy = "compare with the manual: docs/deal.md, docs/folders.md"


class UnsoundTrust(XlmodelError):
    """Tables of a master trust that do not fit together, such as a series in no group."""

    code = "XM-211"
    category = Category.OUT_OF_RANGE
    remedy = "mend the row named"


class OutOfOrder(XlmodelError):
    """Dates that do not follow each other as they must."""

    code = "XM-212"
    category = Category.OUT_OF_RANGE
    remedy = "put the dates in order"


class BeyondWhole(XlmodelError):
    """Percentages that add up to more, or to other, than 100%."""

    code = "XM-213"
    category = Category.OUT_OF_RANGE
    remedy = "correct the percentages so that they add up to 100%"


class NeverAdvanced(XlmodelError):
    """A reimbursement or a determination about an advance that was never made."""

    code = "XM-214"
    category = Category.NOT_AVAILABLE
    remedy = "enter the advance, or delete the row that speaks of it"


class NothingToShare(XlmodelError):
    """Shortfalls without any amounts that could be shared among them."""

    code = "XM-215"
    category = Category.NOT_AVAILABLE
    remedy = "give the amounts to share, 0 where a series has none"


class OutsideStrata(XlmodelError):
    """A contract that is in none of the buckets of a stratification."""

    code = "XM-220"
    category = Category.OUT_OF_RANGE
    remedy = "add a bucket for it"


class TapeNotMade(XlmodelError):
    """A synthetic tape that cannot be made to fit the printed tables."""

    code = "XM-221"
    category = Category.FAILED
    remedy = "compare the tables with each other: each must count the same contracts and balance"


class BadTape(XlmodelError):
    """A file of contracts that cannot be read as one: a missing column, a wrong encoding, a broken XML."""

    code = "XM-229"
    category = Category.REFUSED
    remedy = "compare with `xlmodel read-tape --help`"


# --- 3 packages ----------------------------------------------------------------------------------


class NotAWorkbook(XlmodelError):
    """A file that is no .xlsx or .xlsm package."""

    code = "XM-301"
    category = Category.REFUSED
    remedy = "save it as .xlsx from the spreadsheet program"


class UnsafePackage(XlmodelError):
    """A package that could harm the reader: too large, a DTD, a traversing or duplicate part."""

    code = "XM-302"
    category = Category.REFUSED
    remedy = "do not open it; ask where it comes from"


class DamagedPackage(XlmodelError):
    """A package with a part that is missing, corrupt or not well-formed."""

    code = "XM-303"
    category = Category.REFUSED
    remedy = "fetch the file again"


class EncryptedPackage(XlmodelError):
    """A workbook that is protected by a password."""

    code = "XM-304"
    category = Category.REFUSED
    remedy = "remove the password, or give it"


class UnsupportedFeature(XlmodelError):
    """A workbook that uses something which cannot be recomputed faithfully, so is not touched."""

    code = "XM-305"
    category = Category.REFUSED
    remedy = "remove the feature named, or keep the workbook out of the run"


class NotWritten(XlmodelError):
    """The result could not be written; the target is as it was."""

    code = "XM-306"
    category = Category.FAILED
    remedy = "check space, permissions and who else has the file open"


class CannotSplice(XlmodelError):
    """A value cannot be put into its cell without losing something; the target is as it was."""

    code = "XM-307"
    category = Category.FAILED
    remedy = "mend the cell named"


class ChangedMeanwhile(XlmodelError):
    """A file that was changed, or replaced, while it was being evaluated; the target is as it was."""

    code = "XM-308"
    category = Category.FAILED
    remedy = "run it again when nobody has the file open"


# --- 4 evaluation --------------------------------------------------------------------------------


class CellFailed(XlmodelError):
    """A cell that calls one of our functions evaluates to an error; nothing is written."""

    code = "XM-401"
    category = Category.FAILED
    remedy = "mend the input cell, or pass --keep-errors to write the error"


class UnknownFunction(XlmodelError):
    """A formula calls an XM_ function that does not exist in this version."""

    code = "XM-402"
    category = Category.FAILED
    remedy = "correct the name, or install the version that has it"


class UnsupportedFormula(XlmodelError):
    """A native formula that the evaluator does not compute rightly, so the workbook is not touched."""

    code = "XM-403"
    category = Category.REFUSED
    remedy = "rewrite the formula as the message says"


class CircularReference(XlmodelError):
    """Formulas that refer to each other in a circle."""

    code = "XM-404"
    category = Category.REFUSED
    remedy = "break the circle at one of the cells listed"


class ArrayDoesNotFit(XlmodelError):
    """An array formula whose result is larger or smaller than its range."""

    code = "XM-405"
    category = Category.FAILED
    remedy = "enter the formula over a range of the size that is stated, or rebuild the workbook"


class NotNative(XlmodelError):
    """A deal with something that plain Excel formulas are not made to say; the native form is not built."""

    code = "XM-406"
    category = Category.REFUSED
    remedy = "build the live form, or the one with values only"


# --- 5 published figures -------------------------------------------------------------------------


class BadPublished(XlmodelError):
    """Published figures that cannot be read, or none where some are needed."""

    code = "XM-501"
    category = Category.REFUSED
    remedy = "compare with the files in the manual: docs/folders.md, The folder published/"


class NamesMissing(XlmodelError):
    """A workbook without the defined names that validation reads."""

    code = "XM-502"
    category = Category.REFUSED
    remedy = "build the workbook with `xlmodel build`, or define the names listed"


# --- 6 usage -------------------------------------------------------------------------------------


class BadUsage(XlmodelError):
    """A command line or a configuration that makes no sense."""

    code = "XM-601"
    category = Category.USAGE
    remedy = "see --help"


class NoLibreOffice(XlmodelError):
    """LibreOffice is not found, or lacks what the add-in needs."""

    code = "XM-610"
    category = Category.FAILED
    remedy = "install LibreOffice Calc and its Python (Debian: apt-get install libreoffice-calc python3-uno)"


class OtherPython(XlmodelError):
    """LibreOffice carries another minor version of Python than the environment of xlmodel."""

    code = "XM-611"
    category = Category.FAILED
    remedy = "install xlmodel in an environment of the version that LibreOffice carries"


class LibreOfficeStuck(XlmodelError):
    """LibreOffice gave no answer in the time allowed and was ended."""

    code = "XM-612"
    category = Category.FAILED
    remedy = "allow more with --timeout, or open the workbook in LibreOffice to see what it waits for"


class LibreOfficeFailed(XlmodelError):
    """LibreOffice ended without an answer, or could not load the workbook."""

    code = "XM-613"
    category = Category.FAILED
    remedy = "open the workbook in LibreOffice to see what it makes of it"


class AddInBroken(XlmodelError):
    """A cell that asks the add-in for its version does not show it, so no value of the session counts."""

    code = "XM-614"
    category = Category.FAILED
    remedy = "mend the installation of xlmodel; `xlmodel call XM_VERSION` shows what the cell should"


class NoRegistration(XlmodelError):
    """The add-in could not be registered with LibreOffice, or removed."""

    code = "XM-615"
    category = Category.FAILED
    remedy = "close LibreOffice and try again"


class SheetTooLarge(XlmodelError):
    """A sheet whose used range is too large to be written from A1 on."""

    code = "XM-616"
    category = Category.FAILED
    remedy = "delete the stray cell"


class CertificateRefused(XlmodelError):
    """A certificate or its key that the server cannot use."""

    code = "XM-620"
    category = Category.REFUSED
    remedy = "give both as PEM files with --cert and --key"


class UnknownHost(XlmodelError):
    """A request for a server of another name, as a page sends that has its own name point here."""

    code = "XM-621"
    category = Category.REFUSED
    remedy = "use the address that the server printed, or give the right one with --public-url"


class ForeignPage(XlmodelError):
    """A web page that is not the server's own asks it to calculate."""

    code = "XM-622"
    category = Category.REFUSED
    remedy = "use the page that the server serves"


class TokenRefused(XlmodelError):
    """A request without the server's token, or with a wrong one."""

    code = "XM-623"
    category = Category.REFUSED
    remedy = "enter the token in the xlmodel pane of Excel"


class MalformedBatch(XlmodelError):
    """A request that is no batch of calls."""

    code = "XM-624"
    category = Category.REFUSED
    remedy = 'send {"calls": [["XM_NAME", argument, ...], ...]} as application/json'


class TooLarge(XlmodelError):
    """A batch or its answers above the server's limit of bytes or calls."""

    code = "XM-625"
    category = Category.REFUSED
    remedy = "ask for less at a time"


class TooSlow(XlmodelError):
    """A batch that takes longer than the server allows; it is stopped and nothing of it is answered."""

    code = "XM-626"
    category = Category.FAILED
    remedy = "recalculate less at a time, or start the server with a larger --max-seconds"


class TooBusy(XlmodelError):
    """More requests at a time than the server takes in hand."""

    code = "XM-627"
    category = Category.FAILED
    remedy = "recalculate again in a moment, or start the server with more --workers"


class EvaluatorLost(XlmodelError):
    """The process that evaluated a batch has ended, perhaps for want of memory; another one takes over."""

    code = "XM-628"
    category = Category.FAILED
    remedy = "recalculate; if it happens again, ask for smaller arrays"


class ServerNotReached(XlmodelError):
    """Excel did not reach the server, or got no answer that it could read; the cells show #N/A."""

    code = "XM-629"
    category = Category.NOT_AVAILABLE
    remedy = "start it with xlmodel serve and recalculate"


class XlwingsMissing(XlmodelError):
    """The add-in for Excel is asked for where xlwings is not installed, or not whole."""

    code = "XM-630"
    category = Category.FAILED
    remedy = "install it: pip install --force-reinstall xlwings"


# --- 7 many workbooks ----------------------------------------------------------------------------


class WorkerDied(XlmodelError):
    """A process that worked for this one died; what it worked on is as it was, other workbooks go on."""

    code = "XM-701"
    category = Category.FAILED
    remedy = "look at the memory that the machine has; run a workbook alone with --verbose"


class TimedOut(XlmodelError):
    """A workbook took longer than --timeout allows and was given up; it is as it was."""

    code = "XM-702"
    category = Category.FAILED
    remedy = "allow more with --timeout, or keep the workbook out of the run"


class NoScheduler(XlmodelError):
    """The scheduler of a cluster cannot be reached, has no workers, or was lost."""

    code = "XM-703"
    category = Category.FAILED
    remedy = "check the address and that its workers run, or leave out --scheduler"


class VersionsDiffer(XlmodelError):
    """A worker of a cluster has other functions than this program, so could answer otherwise."""

    code = "XM-704"
    category = Category.REFUSED
    remedy = "install the same version of xlmodel, and of what it needs, on every machine"


class BadHistory(XlmodelError):
    """The history beside a workbook cannot be read; nothing is written over it."""

    code = "XM-706"
    category = Category.FAILED
    remedy = "move the .sqlite file away; the next run begins a new one"


class NoHistory(XlmodelError):
    """A workbook that has no history yet, or none of the cell that is asked for."""

    code = "XM-707"
    category = Category.NOT_AVAILABLE
    remedy = "run xlmodel regenerate on the workbook first"


# --- 9 our own faults ----------------------------------------------------------------------------


class InternalError(XlmodelError):
    """A fault of xlmodel itself; no number of this run may be used."""

    code = "XM-901"
    category = Category.FAILED
    remedy = "report it with the message and the file"


ERRORS: tuple[type[XlmodelError], ...] = (
    WrongKind,
    OutOfRange,
    UnknownName,
    MissingValue,
    NotAvailable,
    WrongShape,
    WrongArguments,
    ErrorInput,
    NoRoot,
    BadTable,
    UnknownStep,
    UnsoundDeal,
    NotConserved,
    BadDealFolder,
    UnsoundTrust,
    OutOfOrder,
    BeyondWhole,
    NeverAdvanced,
    NothingToShare,
    OutsideStrata,
    TapeNotMade,
    BadTape,
    NotAWorkbook,
    UnsafePackage,
    DamagedPackage,
    EncryptedPackage,
    UnsupportedFeature,
    NotWritten,
    CannotSplice,
    ChangedMeanwhile,
    CellFailed,
    UnknownFunction,
    UnsupportedFormula,
    CircularReference,
    ArrayDoesNotFit,
    NotNative,
    BadPublished,
    NamesMissing,
    BadUsage,
    NoLibreOffice,
    OtherPython,
    LibreOfficeStuck,
    LibreOfficeFailed,
    AddInBroken,
    NoRegistration,
    SheetTooLarge,
    CertificateRefused,
    UnknownHost,
    ForeignPage,
    TokenRefused,
    MalformedBatch,
    TooLarge,
    TooSlow,
    TooBusy,
    EvaluatorLost,
    ServerNotReached,
    XlwingsMissing,
    WorkerDied,
    TimedOut,
    NoScheduler,
    VersionsDiffer,
    BadHistory,
    NoHistory,
    InternalError,
)
