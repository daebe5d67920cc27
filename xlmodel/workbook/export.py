"""``xlmodel run``: one scenario of a deal folder or workbook as CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from xlmodel.deal.collect import collect
from xlmodel.deal.export import (
    accounts_table,
    collections_table,
    distributions_table,
    events_table,
    ledger_table,
    policies_table,
)
from xlmodel.deal.folder import read_folder
from xlmodel.deal.scenario import read_scenarios, select
from xlmodel.deal.waterfall import run
from xlmodel.errors import BadUsage
from xlmodel.workbook.deal_ranges import WorkbookDeal, read_workbook_deal
from xlmodel.workbook.refresh import read_package, refresh
from xlmodel.workbook.replace import replace_file
from xlmodel.workbook.sheet_csv import marked


def export_run(source: Path, scenario: str | None, out: Path) -> list[Path]:
    """Run a scenario, the first without a name, and write its tables; -> the files written.

    All tables are computed before the first is written.  Raises BadUsage for a source that does not exist,
    NotAvailable for an unknown scenario, and what reading and running raise.
    """
    found = _read(source)
    chosen = select(found.scenarios, scenario or found.scenarios.names[0])
    collections = collect(found.deal, found.pool, chosen)
    paid = run(found.deal, collections, chosen)
    tables = {
        "collections": collections_table(found.deal, collections),
        "distributions": distributions_table(paid),
        "ledger": ledger_table(paid),
        "accounts": accounts_table(paid),
        "policies": policies_table(paid),
        "events": events_table(found.deal, paid),
    }
    written = []
    for name, table in tables.items():
        if len(table) > 1 or name in ("collections", "distributions", "ledger", "accounts"):
            path = out / f"{name}.csv"
            replace_file(path, csv_bytes(table))
            written.append(path)
    return written


def csv_bytes(table: Sequence[Sequence[Any]]) -> bytes:
    """A table as CSV in UTF-8.  A text that a spreadsheet would take for a formula is marked as text."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for row in table:
        writer.writerow([marked(str(cell)) for cell in row])
    return stream.getvalue().encode()


def _read(source: Path) -> WorkbookDeal:
    if source.is_dir():
        folder = read_folder(source)
        return WorkbookDeal(folder.deal, folder.pool, read_scenarios(folder.scenarios))
    if not source.exists():
        raise BadUsage(f"there is no file or folder {source}")
    package = read_package(source)
    return read_workbook_deal(package, refresh(package).evaluation)
