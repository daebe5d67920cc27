"""What a contract on a tape is, the names under which tapes give it, and how a cell is read.

FIELDS is the default column map.  A heading fits a name when both agree without regard to case, spaces and
punctuation.  Nothing is guessed: two headings that fit one field, or a rate of 9.5 under a heading that does
not say percent, are told.
"""

from __future__ import annotations

import datetime as dt
import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlmodel.errors import BadTape

_EPOCH = dt.date(1970, 1, 1)


@dataclass(frozen=True)
class Field:
    """One column of a tape.  ``read`` turns a cell that is no plain number into one, or raises ValueError."""

    name: str
    help: str
    aliases: tuple[str, ...]
    required: bool = False
    read: Callable[[Any], float] | None = None


def number(cell: Any) -> float:
    """A number as tapes write it: 1,234.50, $12.00, (3.00) for a negative one."""
    if isinstance(cell, bool):
        raise ValueError(f"{cell} is no number")
    if isinstance(cell, int | float):
        return float(cell)
    text = str(cell).strip()
    negative = text.startswith("(") and text.endswith(")")
    plain = text.strip("()").replace("$", "").replace(",", "").strip()
    if not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", plain):
        raise ValueError(f"{text!r} is no number")
    return -float(plain) if negative else float(plain)


def rate(cell: Any) -> float:
    """A rate as a decimal: 0.0995, or 9.95% with its sign."""
    if isinstance(cell, str) and cell.strip().endswith("%"):
        return number(cell.strip()[:-1]) / 100
    return number(cell)


def date(cell: Any) -> float:
    """A date as days since 1970: ISO, 20231130, or month and year as asset-level filings have it, 11/2023."""
    if isinstance(cell, dt.datetime):
        return float((cell.date() - _EPOCH).days)
    if isinstance(cell, dt.date):
        return float((cell - _EPOCH).days)
    text = str(cell).strip()
    month = re.fullmatch(r"(\d{1,2})[/-](\d{4})", text)
    try:
        if month:
            found = dt.date(int(month[2]), int(month[1]), 1)
        else:
            found = dt.date.fromisoformat(text[:10] if "T" in text or " " in text else text)
    except ValueError:
        raise ValueError(f"{text!r} is no date; write 2023-11-30 or 11/2023") from None
    return float((found - _EPOCH).days)


LOAN, BALANCE, RATE = "loan", "balance", "rate"
ORIGINAL, REMAINING, ORIGINATION = "original term", "remaining term", "origination date"

FIELDS = (
    Field(
        LOAN,
        "number of the contract; the row's own where there is none",
        (
            "loan number",
            "loan id",
            "loan",
            "contract",
            "contract number",
            "contract id",
            "synthetic contract",
            "account number",
            "account",
            "asset number",
            "id",
        ),
    ),
    Field(
        BALANCE,
        "principal balance at the cutoff date, in dollars",
        (
            "balance",
            "current balance",
            "principal balance",
            "outstanding balance",
            "current principal balance",
            "outstanding principal balance",
            "cutoff balance",
            "unpaid principal balance",
            "upb",
            "reporting period actual end balance amount",
        ),
        required=True,
        read=number,
    ),
    Field(
        RATE,
        "contract rate per annum",
        (
            "rate",
            "contract rate",
            "apr",
            "interest rate",
            "note rate",
            "coupon",
            "current rate",
            "annual rate",
            "rate pct",
            "rate percent",
            "contract rate pct",
            "contract rate percent",
            "apr pct",
            "apr percent",
            "interest rate pct",
            "interest rate percent",
            "reporting period interest rate percentage",
        ),
        required=True,
        read=rate,
    ),
    Field(
        ORIGINAL,
        "original term in months",
        (
            "original term",
            "orig term",
            "original term months",
            "original loan term",
            "term",
            "term months",
            "original number of payments",
        ),
        required=True,
        read=number,
    ),
    Field(
        REMAINING,
        "remaining term in months",
        (
            "remaining term",
            "rem term",
            "remaining term months",
            "remaining months",
            "months remaining",
            "remaining number of payments",
            "remaining term to maturity number",
        ),
        required=True,
        read=number,
    ),
    Field(
        ORIGINATION,
        "date of the contract; checked, and not used by the model",
        ("origination date", "contract date", "date of contract", "loan date", "orig date"),
        read=date,
    ),
)


def plain_heading(heading: str) -> str:
    """A heading as it is compared: words in lower case; originalLoanTerm is original loan term."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", str(heading))
    return " ".join(re.findall(r"[a-z0-9]+", apart.lower().replace("%", " pct ")))


def percent_heading(heading: str) -> bool:
    """Whether a heading says that rates are percent.  Filings say percentage and mean a decimal."""
    words = plain_heading(heading).split()
    return "pct" in words or "percent" in words


def find_columns(headings: Sequence[str], given: Mapping[str, str]) -> dict[str, int]:
    """The place of each field among the headings; ``given`` says which heading a field has.

    Raises BadTape for a field that is missing, that two headings fit, or that no tape has.
    """
    names = {field.name for field in FIELDS}
    for wrong in set(given) - names:
        raise BadTape(f"a tape has no field {wrong!r}; it has: {', '.join(sorted(names))}")
    plain = [plain_heading(heading) for heading in headings]
    columns: dict[str, int] = {}
    for field in FIELDS:
        wanted = (plain_heading(given[field.name]),) if field.name in given else field.aliases
        places = [place for place, heading in enumerate(plain) if heading in wanted]
        if len(places) > 1:
            listed = " and ".join(repr(headings[place]) for place in places)
            raise BadTape(
                f"{listed} may both be the {field.name}", remedy=f'say which: --map "{field.name}=HEADING"'
            )
        if places:
            columns[field.name] = places[0]
        elif field.required or field.name in given:
            raise _missing(field, headings, given.get(field.name))
    return columns


def _missing(field: Field, headings: Sequence[str], given: str | None) -> BadTape:
    words = [given] if given else [field.name, *field.aliases]
    plain = {plain_heading(heading): heading for heading in headings}
    near = {
        plain[h]: None for word in words for h in difflib.get_close_matches(plain_heading(word), plain, 1)
    }
    hint = f"; perhaps {', '.join(map(repr, near))}" if near else ""
    what = f"the column {given!r}" if given else f"a column for the {field.name} ({field.help})"
    return BadTape(
        f"{what} is missing; the headings are: {', '.join(map(str, headings))}{hint}",
        remedy=f'name it: --map "{field.name}=HEADING"',
    )
