"""The insurer may pay off the securities once an event of default has occurred (prospectus, page 66)."""

from __future__ import annotations

import numpy as np

from tests.deal.tie import DEAL
from xlmodel.deal.collect import collect
from xlmodel.deal.distributions import Distributions
from xlmodel.deal.folder import read_folder
from xlmodel.deal.scenario import SCENARIOS, read_scenarios
from xlmodel.deal.waterfall import run
from xlmodel.tables import rows_from_mappings

FOLDER = read_folder(DEAL)


def paid(**decisions: int) -> Distributions:
    rows = rows_from_mappings(SCENARIOS, [{"scenario": "one", "speed": 0.015} | decisions])
    assumed = read_scenarios(rows)
    return run(FOLDER.deal, collect(FOLDER.deal, FOLDER.pool, assumed), assumed)


def test_everything_outstanding_after_the_clauses_is_paid_and_owed_to_the_insurer() -> None:
    plain, found = paid(), paid(stated_event=2, insurer_prepays=3)
    # Date 3: the clauses pay as ever; then the insurer pays the balances that they leave.
    assert found.policies.prepayment[0, :, 0].tolist() == [
        0, 0, int(plain.balance[0, 2].sum()), *[0] * (plain.balance.shape[1] - 3)
    ]  # fmt: skip
    assert found.balance[0, 2].tolist() == [0] * 5
    assert (found.interest[0, :3] == plain.interest[0, :3]).all()
    assert (found.interest[0, 3:] == 0).all()
    # From the next date on all that is left after fees goes to the insurer, until it has its money back.
    paid_back = found.ledger.total("reimbursement")[0]
    assert (
        paid_back[3]
        == found.available[0, 3] + found.accounts.draw[0, 3].sum() - found.ledger.total("fee")[0, 3]
    )
    assert paid_back.sum() + found.policies.unreimbursed[0, -1, 0] == found.policies.prepayment[0].sum()


def test_not_without_an_event_of_default_and_not_while_it_is_in_default_itself() -> None:
    assert not paid(insurer_prepays=3).policies.prepayment.any()
    assert not paid(stated_event=2, insurer_prepays=3, insurer_default=3).policies.prepayment.any()
    assert np.array_equal(paid(insurer_prepays=3).balance, paid().balance)
