"""The checks of a deal's workbook, CHECKS."""

from __future__ import annotations

from collections.abc import Callable

from xlmodel.functions.collateral import COLLECTIONS_HEADER
from xlmodel.workbook.sheets import grid, price_proof, prices, receipts_proof
from xlmodel.workbook.sheets.cash_proof import account_differences, lives_comparable
from xlmodel.workbook.sheets.check_cells import Check, all_zero
from xlmodel.workbook.sheets.contents import Contents
from xlmodel.workbook.sheets.layout import Layout, column_of, row_of


def applicable(contents: Contents) -> list[Check[Contents]]:
    """The checks that a deal's workbook has."""
    return [check for check in CHECKS if check.applies(contents)]


def always(contents: Contents) -> bool:
    return True


def projected(contents: Contents) -> bool:
    """Whether the pool is projected to its end; months that were reported go as far as they go."""
    return not contents.reported


def _tie(name: str) -> Callable[[Contents, Layout], str]:
    """All printed cells are matched."""
    return lambda contents, layout: f"={layout.ref(f'matched {name}')}={layout.ref(f'cells {name}')}"


def _differences(*names: str) -> Callable[[Contents, Layout], str]:
    """Columns that exist once a class are zero throughout."""

    def formula(contents: Contents, layout: Layout) -> str:
        ranges = [layout.ref(f"{name} {n}") for name in names for n in range(contents.classes)]
        return "=" + all_zero(ranges)

    return formula


def _fully_backed(contents: Contents) -> bool:
    """At closing the classes add up to the pool, to the cent."""
    securities = sum(note_class.balance for note_class in contents.deal.classes)
    return securities == contents.folder.pool.cutoff_cents


def _collections(contents: Contents, layout: Layout) -> str:
    whole = layout["Collections"]
    scheduled, prepaid = (
        column_of(whole, COLLECTIONS_HEADER.index(name)).text()
        for name in ("Scheduled principal", "Prepaid principal")
    )
    pool = layout.ref("pool total balance")
    roll = all_zero([layout.ref("collections Balance roll, difference")])
    return f"=AND(ROUND(SUM({scheduled})+SUM({prepaid})-{pool},2)=0,{roll})"


def _accounts(contents: Contents, layout: Layout) -> str:
    return "=" + all_zero([layout.ref(name) for name in account_differences(contents)])


def _paid_in_full(contents: Contents, layout: Layout) -> str:
    last = [row_of(layout[f"balance {n}"], -1).text() for n in range(contents.classes)]
    return f"=ROUND({'+'.join(last)},2)=0"


def _ledger(contents: Contents, layout: Layout) -> str:
    names = ("short difference", "cash left difference", "ledger class difference")
    totals = ("ledger source difference", "ledger use difference")
    return "=" + all_zero([layout.ref(name) for name in (*names, *totals)])


def _statement(contents: Contents, layout: Layout) -> str:
    differences = [layout.ref(f"statement difference {n}") for n in range(len(contents.groups))]
    return f"=ROUND(SUM({','.join(differences)}),7)=0"


def _rows(contents: Contents, layout: Layout) -> str:
    some = len(contents.decrement_classes) < contents.classes
    shown = len(contents.decrement_classes) if some else "(ROWS(Classes)-1)"
    parts = (
        f"ROWS(Collections)={layout.ref('longest term')}",
        f"ROWS(Distributions)={layout.ref('payment dates')}",
        f"ROWS(Decrement)={layout.ref('printed payment dates')}+1",
        f"COLUMNS(Decrement)=COLUMNS(Speeds)*{shown}",
        "ROWS(ScenarioSummary)=ROWS(Scenarios)-1",
    )
    return f"=AND({','.join(parts)})"


def _grid(contents: Contents, layout: Layout) -> str:
    names = ("grid speed difference", "grid loss difference", "grid difference")
    listed = ",".join(layout.ref(name) for name in names)
    parts = (
        f"ROUND(MAX({listed}),9)=0",
        f"ROUND(MIN({listed}),9)=0",
        "ROWS(Grid)=COLUMNS(GridSpeeds)+1",
        "COLUMNS(Grid)=COLUMNS(GridLosses)*COLUMNS(GridSeverities)+1",
    )
    return f"=AND({','.join(parts)})"


def _prices(contents: Contents, layout: Layout) -> str:
    listed = ",".join(layout.ref(name) for name in price_proof.DIFFERENCES)
    return f"=AND(ROUND(MAX({listed}),6)=0,ROUND(MIN({listed}),6)=0)"


CHECKS: tuple[Check[Contents], ...] = (
    Check(
        "check_decrement",
        "Every printed percentage of the decrement tables is met at its printed precision.",
        lambda contents: contents.published.decrement is not None,
        _tie("decrement"),
    ),
    Check(
        "check_average_life",
        "Every printed average life is met at its printed precision.",
        lambda contents: contents.published.average_life is not None,
        _tie("average life"),
    ),
    Check(
        "check_first_interest",
        "Every printed first interest amount is met to the cent.",
        lambda contents: contents.published.first_interest is not None,
        _tie("first interest"),
    ),
    Check(
        "check_certificate",
        "Every figure of the certificates that follows from what is given is met as printed.",
        lambda contents: contents.reported and contents.published.certificate is not None,
        _tie("certificate"),
    ),
    Check(
        "check_roll_forward",
        "Each month opens, as printed, with what the model closed the month before with.",
        lambda contents: contents.reported and contents.published.certificate is not None,
        lambda contents, layout: "=" + all_zero([layout.ref("roll forward difference")]),
    ),
    Check(
        "check_pool_equals_securities",
        "At closing the classes add up to the pool, to the cent.",
        _fully_backed,
        lambda contents, layout: f"=ROUND({layout.ref('pool less securities')},2)=0",
    ),
    Check(
        "check_securities_within_pool",
        "At closing the classes add up to no more than the pool.",
        lambda contents: not _fully_backed(contents),
        lambda contents, layout: f"=ROUND({layout.ref('pool less securities')},2)>=0",
    ),
    Check(
        "check_reported_balances",
        "The pool's balance rolls forward from month to month as reported.",
        lambda contents: contents.reported,
        lambda contents, layout: "=" + all_zero([layout.ref("pool roll difference")]),
    ),
    Check(
        "check_collections",
        "The pool's balance rolls forward and its principal is collected to the last cent.",
        projected,
        _collections,
    ),
    Check(
        "check_available_funds",
        "Available funds and pool on each date follow from Collections and from the call, if any.",
        receipts_proof.applies,
        lambda contents, layout: (
            "=" + all_zero([layout.ref("funds difference"), layout.ref("pool difference")])
        ),
    ),
    Check(
        "check_fees",
        "Fees paid on each date follow from balances, rates and fixed amounts; premiums likewise.",
        receipts_proof.applies,
        lambda contents, layout: (
            "=" + all_zero([layout.ref("fees difference"), layout.ref("premiums difference")])
        ),
    ),
    Check(
        "check_interest_proof",
        "Interest of each class and date = balance × rate × days, rounded as its terms say.",
        always,
        _differences("interest difference"),
    ),
    Check(
        "check_balance_roll",
        "Balance of each class and date = balance before less principal paid.",
        always,
        _differences("balance difference"),
    ),
    Check(
        "check_sources_uses",
        "On each date funds, draws and claims = fees, interest, principal, insurers, deposits, remainder.",
        always,
        lambda contents, layout: "=" + all_zero([layout.ref("sources less uses")]),
    ),
    Check(
        "check_accounts_roll",
        "Each account opens as it closed; opening + deposit - draw - release = closing.",
        lambda contents: contents.accounts > 0,
        _accounts,
    ),
    Check(
        "check_average_life_proof",
        "Average lives at the base speed = principal × years / initial balance.",
        lambda contents: projected(contents) and lives_comparable(contents),
        lambda contents, layout: "=" + all_zero([layout.ref("average life difference")]),
    ),
    Check(
        "check_paid_in_full",
        "After the last payment date no class has a balance.",
        projected,
        _paid_in_full,
    ),
    Check(
        "check_ledger",
        "Ledger: each payment leaves what it should, and all of them together are the sources.",
        projected,
        _ledger,
    ),
    Check(
        "check_statement",
        "Statement: amounts are those distributed; a holder's = amount × denomination / initial balance.",
        projected,
        _statement,
    ),
    Check(
        "check_grid",
        "Grid: each cell stands at its speed, loss and severity; the scenario as it is shows the same there.",
        grid.applies,
        _grid,
    ),
    Check(
        "check_prices",
        "Prices: what a class pays after settlement, discounted at its yield, is price and accrued.",
        prices.applies,
        _prices,
    ),
    Check(
        "check_rows",
        "The arrays have as many rows as the pool's longest term and the table of scenarios imply.",
        projected,
        _rows,
    ),
)
