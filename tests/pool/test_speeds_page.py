"""docs/speeds.md lists every model and every curve, in the words of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlmodel.pool.loss import DEFAULTS
from xlmodel.pool.prepayment import PREPAYMENTS

PAGE = (Path(__file__).parents[2] / "docs" / "speeds.md").read_text(encoding="utf-8")
ROWS = {
    line.split("`")[1]: line
    for line in PAGE.splitlines()
    if line.startswith("| `") and not line.startswith("| `XM_")
}


def test_the_tables_hold_the_models_and_curves_in_order() -> None:
    assert list(ROWS) == [*PREPAYMENTS, *DEFAULTS]


@pytest.mark.parametrize("name", [*PREPAYMENTS, *DEFAULTS])
def test_a_row_says_what_the_code_says(name: str) -> None:
    known = PREPAYMENTS.get(name) or DEFAULTS[name]
    assert f"| {known.help} |" in ROWS[name]
    assert f"| {known.source} |" in ROWS[name]
