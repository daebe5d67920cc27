"""Cases of scenarios, ledgers and statements, for the table in ``cases.py``."""

from __future__ import annotations

from tests.faces.case import CLOSING, FIRST_PAYMENT, LONG_TEXT, NA, NUM, PROSPECTUS, REF, VALUE, Case
from tests.faces.deal_ranges import DEAL, SCENARIOS, changed

# fmt: off
SCENARIOS_CASES: tuple[Case, ...] = (
    # --- XM_LEDGER ------------------------------------------------------------------------------------
    Case(
        "the first clause of the first date", "XM_LEDGER", (*DEAL, 0.015, FIRST_PAYMENT),
        [["1", "servicer", 1053167.16, 1053167.16, 0.0]],
        "1% a year of the pool at the start of two months: 536,631.47 + 516,535.69", at=(1, 2), digits=2,
    ),
    Case(
        "a scenario, headings", "XM_LEDGER", (*DEAL, SCENARIOS, FIRST_PAYMENT, "slow", True),
        [["Due", "Paid", "Short", "Cash left"]], "the columns as documented", at=(1, 4),
    ),
    Case("a day without a payment", "XM_LEDGER", (*DEAL, 0.015, CLOSING), NA, "the closing date"),
    Case("no such scenario", "XM_LEDGER", (*DEAL, SCENARIOS, FIRST_PAYMENT, "storm"), NA, "base and slow"),
    Case("a text for a date", "XM_LEDGER", (*DEAL, 0.015, "1999-12-15"), VALUE, "a text is no date"),
    Case("a scenario without a table", "XM_LEDGER", (*DEAL, 0.015, FIRST_PAYMENT, "base"), VALUE,
         "a speed has no scenarios"),
    # --- XM_STATEMENT ---------------------------------------------------------------------------------
    Case(
        "interest on A-1 per $1,000", "XM_STATEMENT", (*DEAL, 0.015, FIRST_PAYMENT, "Notes"),
        [["A-1", 1283917.50, 8.27]], f"{PROSPECTUS}, first interest; 1,283,917.50 / 155,250 = 8.27",
        at=(1, 3), digits=2,
    ),
    Case(
        "a holder of $25,000", "XM_STATEMENT", (*DEAL, 0.015, FIRST_PAYMENT, "Notes", 25000.0, None, False),
        [[206.75]], "25 x 8.27", at=(1, 6), digits=2,
    ),
    Case("a group that is not there", "XM_STATEMENT", (*DEAL, 0.015, FIRST_PAYMENT, "Bonds"), NA, "none"),
    Case("numbers that the model does not have", "XM_STATEMENT", (*DEAL, 0.015, FIRST_PAYMENT, "Notes")),
    Case("a holder of nothing", "XM_STATEMENT", (*DEAL, 0.015, FIRST_PAYMENT, "Notes", 0.0), NUM,
         "above zero"),
    Case("#REF! for the terms", "XM_STATEMENT", (REF, *DEAL[1:], 0.015, FIRST_PAYMENT, "Notes"), REF,
         "passes through"),
    # --- XM_SCENARIO_SUMMARY --------------------------------------------------------------------------
    Case(
        "average lives of two scenarios", "XM_SCENARIO_SUMMARY", (*DEAL, SCENARIOS),
        [[0.30, 1.00, 2.00, 2.95, 3.05], [0.43, 1.42, 2.64, 3.62, 3.72]],
        f"{PROSPECTUS}, weighted average lives", at=(1, 13), digits=2,
    ),
    Case(
        "headings of a summary", "XM_SCENARIO_SUMMARY", (*DEAL, SCENARIOS, True),
        [["Scenario", "Speed", "Net loss"], ["base", 0.015, 0.0]], "the columns as documented", at=(1, 1),
    ),
    Case(
        "a blank speed", "XM_SCENARIO_SUMMARY", (*DEAL, changed(SCENARIOS, 3, 2, None)), VALUE, "required",
    ),
    Case("a name of many letters", "XM_SCENARIO_SUMMARY",
         (*DEAL, [["scenario", "speed"], ["Überfällig ≥ 60 días 遅延 🙂", 0.015]]),
         [["Überfällig ≥ 60 días 遅延 🙂", 0.015, 0.0]], "the name comes back as it was given", at=(1, 1)),
    Case("a blank row among the scenarios", "XM_SCENARIO_SUMMARY",
         (*DEAL, [*SCENARIOS[:2], [None, None], SCENARIOS[2]]), [["", "", ""], ["slow", 0.005, 0.0]],
         "blank for a blank row", at=(2, 1)),
    Case("no heading speed", "XM_SCENARIO_SUMMARY", (*DEAL, changed(SCENARIOS, 1, 2, "spede")), VALUE,
         "no such column"),
    # --- XM_SCENARIO_PATHS ----------------------------------------------------------------------------
    Case(
        "the pool after the first date", "XM_SCENARIO_PATHS", (*DEAL, SCENARIOS, "pool", 1.0),
        [[596114152.81]], "worked out in tests/deal/test_first_payment_by_hand.py",
        at=(1, 1), digits=2,
    ),
    Case(
        "A-1 under headings", "XM_SCENARIO_PATHS", (*DEAL, SCENARIOS, "a-1", 1.0, True),
        [["base"], [107406393.09]], "155,250,000.00 - 47,843,606.91", at=(1, 1), digits=2,
    ),
    Case("an unknown item", "XM_SCENARIO_PATHS", (*DEAL, SCENARIOS, "moon"), NA, "no such item"),
    Case("#N/A after the last date", "XM_SCENARIO_PATHS", (*DEAL, SCENARIOS, "pool", 90.0), [[NA, NA]],
         "the longest contract of the pool ends before the ninetieth date", at=(90, 1)),
    Case("no payment date", "XM_SCENARIO_PATHS", (*DEAL, SCENARIOS, "pool", 0.0), NUM, "one or more"),
    Case("a blank item", "XM_SCENARIO_PATHS", (*DEAL, SCENARIOS, None), VALUE, "required"),
    # --- XM_EVENTS ------------------------------------------------------------------------------------
    Case(
        "nothing happens without losses", "XM_EVENTS", (*DEAL, SCENARIOS),
        [["base", "", ""], ["slow", "", ""]], "no loss, no event of default", at=(1, 1),
    ),
    Case(
        "headings of the events", "XM_EVENTS", (*DEAL, SCENARIOS, True),
        [["Accelerated", "Rescinded", "Sold", "Sale refused"]], "the columns as documented", at=(1, 6),
    ),
    Case("a name of 300 characters", "XM_EVENTS", (*DEAL, [["scenario", "speed"], [LONG_TEXT, 0.015]]),
         [[LONG_TEXT, "", ""]], "the name comes back as it was given", at=(1, 1)),
    Case("#N/A among the scenarios", "XM_EVENTS", (*DEAL, changed(SCENARIOS, 2, 2, NA)), NA,
         "passes through"),
    Case("a blank table", "XM_EVENTS", (*DEAL, None), VALUE, "required"),
)
# fmt: on
