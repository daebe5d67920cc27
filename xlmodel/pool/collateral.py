"""What stands behind a deal: contracts that are projected, or months that a servicer has reported."""

from __future__ import annotations

from xlmodel.pool.cash_flows import CASH_FLOWS, CashFlows, are_cash_flows, cash_flows_from_rows
from xlmodel.pool.contracts import POOLS, Pool, pool_from_rows
from xlmodel.tables import RawRows, Schema

Collateral = Pool | CashFlows


def collateral_from_rows(rows: RawRows) -> Collateral:
    """The collateral of the range Pools; its headings tell which of the two it is."""
    return cash_flows_from_rows(rows) if are_cash_flows(rows) else pool_from_rows(rows)


def schema_of(rows: RawRows) -> Schema:
    """The schema of a table of collateral."""
    return CASH_FLOWS if are_cash_flows(rows) else POOLS
