"""A tape's stratification for people and for files."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from xlmodel.errors import BadUsage
from xlmodel.functions.strata import BALANCE, STRATA_HEADER, strata_rows
from xlmodel.pool.stratify import Strata, stratify_names, stratify_numbers
from xlmodel.pool.tape.columns import Columns, numbers, texts
from xlmodel.tables import heading_text


def strata_of(columns: Columns, by: str, breaks: Sequence[str] | None, averages: Sequence[str]) -> Strata:
    """Contracts by a column; without breaks by all of its names.

    Raises BadTable for a column that is missing, BadUsage for numbers without breaks, OutsideStrata.
    """
    balance = numbers(columns, BALANCE)
    averaged = {heading: numbers(columns, heading) for heading in averages}
    if isinstance(columns.get(heading_text(by)), list):
        values = texts(columns, by)
        names = sorted(set(values)) if breaks is None else [name.strip() for name in breaks]
        return stratify_names(values, balance, names, averaged)
    found = numbers(columns, by)
    if breaks is None:
        raise BadUsage(
            f"{by!r} holds numbers", remedy="give the least number of each bucket: --breaks 1,13,25"
        )
    try:
        edges = [float(edge) for edge in breaks]
    except ValueError:
        raise BadUsage(f"{','.join(breaks)!r} are no numbers", remedy="write --breaks 1,13,25") from None
    return stratify_numbers(found, balance, edges, averaged)


def as_text(strata: Strata) -> list[list[str]]:
    """Rows as they are printed; parts as percentages, averages with four decimals."""
    return [
        [
            str(label),
            f"{count:,.0f}",
            f"{count_part:.2%}",
            f"{balance:,.2f}",
            f"{balance_part:.2%}",
            *("" if value == "" else f"{value:,.4f}" for value in averages),
        ]
        for label, count, count_part, balance, balance_part, *averages in strata_rows(strata)
    ]


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows of texts as lines; the first column stands to the left, the others to the right, none is cut."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            text.rjust(width) if number else text.ljust(width)
            for number, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def as_csv(strata: Strata, by: str) -> str:
    """The table with its headings; parts as decimals, nothing rounded."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([by, *STRATA_HEADER[1:], *strata.averages])
    for label, count, *rest in strata_rows(strata):
        writer.writerow([label, f"{count:.0f}", *rest])
    return out.getvalue()
