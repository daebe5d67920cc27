"""Cases of defaults and recoveries, for the table in ``cases.py``."""

from __future__ import annotations

from tests.faces.case import BMA, NUM, OMITTED, VALUE, Case

# fmt: off
LOSSES_CASES: tuple[Case, ...] = (
    # --- XM_MDR ---------------------------------------------------------------------------------------
    Case("100% SDA", "XM_MDR", (1.0, [[30.0], [60.0], [97.0], [120.0]], "SDA"),
         [[0.000501], [0.000501], [0.000207], [0.000025]], f"{BMA}, Cash Flow B, pages SF-31 to SF-33",
         digits=6),
    Case("1% MDR", "XM_MDR", (0.01, 7, "mdr"), 0.01, "the speed itself"),
    Case("a curve of amounts", "XM_MDR", (0.01, 7.0, "CNL"), VALUE, "has no rate"),
    Case("CDR of 100%", "XM_MDR", (1.0, 7.0), NUM, "below 1"),
    Case("2% CDR by default", "XM_MDR", (0.02, 7.0), 0.001682, "1 - 0.98 ^ (1/12)", digits=6),
    Case("month 0", "XM_MDR", (0.02, 0.0), NUM, "the first month is 1"),
    Case("a blank speed", "XM_MDR", (None, 1.0), VALUE, "required"),
    # --- XM_DEFAULT_AMOUNTS ---------------------------------------------------------------------------
    Case(
        "a tenth lost", "XM_DEFAULT_AMOUNTS",
        ([[1000.0], [900.0], [800.0]], 1000.0, 0.1, 0.5, [[0.5], [0.25], [0.25]]),
        [[100.0, 0.9], [50.0, 0.844444], [50.0, 0.781944]],
        "200 default: 100 of 1,000; 50 of 900 x 0.9, less 50/900; less 50/800", digits=6,
    ),
    Case("headings", "XM_DEFAULT_AMOUNTS", (100.0, 100.0, 0.1, 0.5, 1.0, True),
         [["Defaults", "Survivors"], [20.0, 0.8]], "10 lost is half of 20"),
    Case("more than performs", "XM_DEFAULT_AMOUNTS",
         ([[1000.0], [100.0]], 1000.0, 0.1, 0.5, [[0.5], [0.5]]), NUM, "100 of 100 x 0.9"),
    Case("a timing of 90%", "XM_DEFAULT_AMOUNTS", (100.0, 100.0, 0.1, 0.5, 0.9), NUM, "sums to 1"),
    Case("no loss", "XM_DEFAULT_AMOUNTS", ([[100.0], [50.0]], 100.0, 0.0, 0.5, [[1.0], [0.0]]),
         [[0.0, 1.0], [0.0, 1.0]], "nothing defaults"),
    Case("a severity of nothing", "XM_DEFAULT_AMOUNTS", (100.0, 100.0, 0.1, 0.0, 1.0), NUM, "above 0"),
    Case("a blank among the balances", "XM_DEFAULT_AMOUNTS",
         ([[100.0], [None]], 100.0, 0.1, 0.5, [[0.5], [0.5]]), VALUE, "a gap"),
    # --- XM_RECOVERIES --------------------------------------------------------------------------------
    Case("two months later", "XM_RECOVERIES", ([[100.0], [50.0]], 0.4, 2.0), [[0.0], [0.0], [60.0], [30.0]],
         "0.6 of each"),
    Case("at once", "XM_RECOVERIES", (100, 1, OMITTED), [[0.0]], "all is lost"),
    Case("a severity of 140%", "XM_RECOVERIES", (100.0, 1.4), NUM, "a part from 0 to 1"),
    Case("nothing lost", "XM_RECOVERIES", ([[100.0], [50.0]], 0.0), [[100.0], [50.0]], "all comes back"),
    Case("half a month later", "XM_RECOVERIES", ([[100.0]], 0.4, 0.5), NUM, "no whole number"),
    Case("#VALUE! among the defaults", "XM_RECOVERIES", ([[100.0], [VALUE]], 0.4), VALUE, "passes through"),
)
# fmt: on
