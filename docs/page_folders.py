"""The page of what other folders can say: model.toml of every kind but a deal's, and published/ of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docs.page_deal import table
from xlmodel.deal import advance_tables
from xlmodel.tables import Schema
from xlmodel.trust import loan_tables
from xlmodel.trust import schemas as trust_tables
from xlmodel.workbook.certificates import STATUSES
from xlmodel.workbook.exceptions import REASONS
from xlmodel.workbook.kinds import CARD_TRUST, DEAL, KINDS, LOAN_AGREEMENT, SERVICER, TABLES, Kind
from xlmodel.workbook.printed.folder import KEYS
from xlmodel.workbook.printed.periods import RELATIONS
from xlmodel.workbook.published import AVERAGE_LIFE_FILE, CERTIFICATES_FILE, CLASSES_FILE, DECREMENT_FILE

SCHEMAS: Mapping[str, Sequence[Schema]] = {
    CARD_TRUST.name: trust_tables.SCHEMAS,
    LOAN_AGREEMENT.name: loan_tables.SCHEMAS,
    SERVICER.name: advance_tables.SCHEMAS,
}
"""The tables of the kinds that are made of tables."""

_WHAT = {
    CARD_TRUST.name: ("Card master trust", "card_master_trust"),
    LOAN_AGREEMENT.name: ("Loan agreement", "loan_agreement"),
    SERVICER.name: ("Servicer advances", "servicer_advances"),
}

_INTRODUCTION = """\
# What other folders can say

A folder with `deal.toml` is a deal ([what a deal can say](deal.md)). A folder of another kind holds
`model.toml`:

```text
schema = 1
kind = "loan agreement"
title = "Tidewater Loan Agreement"
```

`kind` is one of {kinds}. `title` names the workbook. Each table below is a list of entries of `model.toml`
(`[[banks]]`, keys with `_` for blanks), or a file beside it with the table's name in small letters and the
same headings (`receipts.csv`); where there is a file, it counts. Rates are decimals per annum, amounts are
dollars. All is built, refreshed and validated like a deal: `xlmodel build FOLDER`. There is no template for
`xlmodel new`; copy the folder that is named. The rules of the three kinds are in [trust.md](trust.md).
"""

_PRINTED = """\
## Printed tables

`kind = "tables"`, as in `workbooks/carmax_receivables` and `carmax_1999_1_pool`. The figures are in
`published/figures.csv`, one a row, as printed; `model.toml` gives each its place and says which of them
follow from others. Every rule that applies is a comparison.

**In a formula** braces stand for printed figures: `{row}` is the same measure and period, `{row:measure}`
another measure, `{:measure}` the same row, `{table/row}` another table, `{row?}` 0 where it is not printed,
`{months}` the months of the period. After `@` stands a period: as it is printed (`31 Aug 2019`, `6 months
to 31 Aug 2019`) or a relation: RELATIONS. Functions are Excel's and ours. A rule holds wherever all that it
names is printed.
"""

_RELATIONS = {
    "end": "the last day of the period",
    "begin": "the day before it",
    "prior": "the period a year before",
    "next": "the period a year later",
    "year": "the year so far, of a quarter",
}

_PUBLISHED = """\
## The folder published/

What a document prints, for any kind; each file may be absent, and then nothing is compared with it. A
`SOURCE.md` beside the files names the document; of a table in it whose columns are file, what it
holds and page, `xlmodel why` and the tie-out pack quote the rows.

Of a **deal**:

DEALS

Percents are written without the sign, `*` where it is printed. Classes may be left out and tables of a
class may begin late or end early; a class and speed within has no gaps. More columns are not read. Ties are
at the printed precision.

Of the **other kinds**:

FILES

In the plain tables (all but `figures.csv` of printed tables) the first row are headings, the first column
labels; the other cells are numbers, dates, texts that must stand there exactly, or blank where nothing is
printed.

**`exceptions.csv`**, of a deal and of printed tables: a figure that does not tie and why. Columns `check`
(such as `decrement`, `figures`), `figure` (of a deal `row 2, column 4` of the printed range, whose row 1 is
closing; of printed tables `table/row:measure@period`), `printed`, `computed` (with more decimals than are
printed), `reason` (REASONS), `explanation`. If any of it is no longer so, or the figure ties, the exception
is itself a miss. Rounding in the text of a document is a reason; a convention that was not found is none.
"""


_DEAL_FILES = {
    DECREMENT_FILE: (
        "a payment date",
        "`period` (0 is closing), then a column a class and speed: `A-1 1.50%`. Or a row a figure: `period`,"
        " `class`, `abs_speed_pct` (any name that ends with `speed_pct`), `percent_of_initial`",
    ),
    AVERAGE_LIFE_FILE: (
        "a class",
        "`class`, `to` (`call` or `maturity`; to the call where the column is missing), then a column a"
        " speed: `1.50%`. Or a row a figure, with `abs_speed_pct` and `wal_years`",
    ),
    CLASSES_FILE: ("a class, all of them", "`class`, `first_period_interest` in dollars"),
    CERTIFICATES_FILE: (
        "a line of a servicer's certificate on a date",
        "`payment_date`, `line` as printed, `what` and `of` (the figure of the model), `value`, `status`: "
        + ", ".join(f"`{status}`" for status in STATUSES)
        + "; what follows is compared",
    ),
}


def folders_page() -> str:
    """Every kind but a deal with every key, then the files of published/."""
    names = ", ".join(f"`{name}`" for name in KINDS if KINDS[name] is not DEAL)
    parts = [_INTRODUCTION.format(kinds=names)]
    for kind, schemas in SCHEMAS.items():
        title, folder = _WHAT[kind]
        parts += [f"## {title}", "", f'`kind = "{kind}"`, as in `workbooks/{folder}`.', ""]
        for schema in schemas:
            parts += table(schema, level=3)
    relations = ", ".join(f"`@{name}` {_RELATIONS[name]}" for name in RELATIONS)
    parts += [_PRINTED.replace("RELATIONS", relations)]
    for of, keys in KEYS.items():
        heading = "In the document" if of == "the document" else f"In `{of}`"
        parts += [f"### {heading}", "", "| key | meaning |", "|---|---|"]
        parts += [f"| `{key}` | {meaning} |" for key, meaning in keys.items()] + [""]
    reasons = " or ".join(f"`{reason}`" for reason in REASONS)
    files = "\n".join(["| kind | file | holds |", "|---|---|---|", *_files()])
    of_deals = [f"| `{tie.file}` | {' | '.join(_DEAL_FILES[tie.file])} |" for tie in DEAL.ties.values()]
    deals = "\n".join(["| file | a row | columns |", "|---|---|---|", *of_deals])
    parts += [_PUBLISHED.replace("FILES", files).replace("DEALS", deals).replace("REASONS", reasons)]
    return "\n".join(parts).rstrip() + "\n"


_HOLDS = {
    (CARD_TRUST.name, "figures.csv"): "what the sheet Figures shows, by month and series",
    (LOAN_AGREEMENT.name, "receipts.csv"): "what each receipt paid to whom",
    (LOAN_AGREEMENT.name, "claims.csv"): "what is paid of each claim after the event of default",
    (SERVICER.name, "ledger.csv"): "the ledger of advances",
    (TABLES.name, "figures.csv"): "`document`, `page`, `table`, `row`, `period`, `measure`, `printed`",
}


def _files() -> list[str]:
    """A row a file; a file that nobody described is an error."""
    others: list[Kind] = [kind for kind in KINDS.values() if kind is not DEAL]
    found = dict.fromkeys((kind.name, tie.file) for kind in others for tie in kind.ties.values() if tie.file)
    return [f"| {kind} | `{file}` | {_HOLDS[kind, file]} |" for kind, file in found]
