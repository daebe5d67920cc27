"""Cases of cents: rounding, splits, allocation, for the table in ``cases.py``."""

from __future__ import annotations

from decimal import Decimal

from tests.faces.case import NULL, NUM, VALUE, Case

# fmt: off
MONEY_CASES: tuple[Case, ...] = (
    # --- XM_ROUND -------------------------------------------------------------------------------------
    Case("half up", "XM_ROUND", ([[2.675], [1.005], [0.285], [-2.5]], [[2.0], [2.0], [None], [0.0]]),
         [[2.68], [1.01], [0.29], [-3.0]], "ROUND of the worksheet; a blank is omitted"),
    Case("hundreds", "XM_ROUND", (Decimal("1250.00"), -2), 1300.0, "half up"),
    Case("a text", "XM_ROUND", ("1.5",), VALUE, "a text never counts as a number"),
    Case("decimals omitted", "XM_ROUND", (1.005,), 1.01, "two decimals, half up"),
    Case("as many decimals as a double has", "XM_ROUND", (0.1, 400.0), 0.1, "nothing to round"),
    Case("thousands of a thousand", "XM_ROUND", (499.99, -3.0), 0.0, "less than half"),
    Case("half a decimal", "XM_ROUND", (1.0, 0.5), NUM, "no whole number"),
    # --- XM_TRUNCATE ----------------------------------------------------------------------------------
    Case("toward zero", "XM_TRUNCATE", ([[-8.9, 1.999]], 0.0), [[-8.0, 1.0]], "cut"),
    Case("to the cent", "XM_TRUNCATE", (1.219,), 1.21, "cut after two decimals"),
    Case("decimals omitted, below zero", "XM_TRUNCATE", (-1.009,), -1.0, "toward zero"),
    Case("hundreds", "XM_TRUNCATE", (Decimal("1299.99"), -2.0), 1200.0, "toward zero"),
    Case("a text", "XM_TRUNCATE", ("1.5",), VALUE, "a text never counts as a number"),
    Case("#NULL!", "XM_TRUNCATE", (NULL,), NULL, "passes through"),
    # --- XM_SPLIT -------------------------------------------------------------------------------------
    Case("49 to 51", "XM_SPLIT", (10.03, [[49.0, 51.0]]), [[4.91, 5.12]],
         "491.47 and 511.53 cents: the odd cent to the larger remainder; dinerojs/dinero.js, issue 144"),
    Case("a third each", "XM_SPLIT", (Decimal("10.00"), [[1.0], [1.0], [1.0]]), [[3.34], [3.33], [3.33]],
         "the odd cent to the first"),
    Case("no weight", "XM_SPLIT", (10.0, [[0.0], [0.0]]), NUM, "one above zero"),
    Case("below zero", "XM_SPLIT", (-10.0, [[1.0], [1.0], [1.0]]), [[-3.34], [-3.33], [-3.33]],
         "the odd cent to the first, as for 10.00"),
    Case("one weight", "XM_SPLIT", (10.01, 5.0), [[10.01]], "all of it"),
    Case("a block of weights", "XM_SPLIT", (1.0, [[1.0, 1.0], [1.0, 1.0]]), [[0.25, 0.25], [0.25, 0.25]],
         "in the shape of the weights"),
    Case("a blank among the weights", "XM_SPLIT", (10.0, [[1.0], [None]]), VALUE, "a gap"),
    Case("a negative weight", "XM_SPLIT", (10.0, [[1.0], [-1.0]]), NUM, "zero or more"),
    # --- XM_ALLOCATE ----------------------------------------------------------------------------------
    Case(
        "in order, a column", "XM_ALLOCATE", (100.0, [[60.0], [50.0], [40.0]]),
        [[60.0, 0.0], [40.0, 10.0], [0.0, 40.0]], "60, then the 40 that are left of 100, then nothing",
    ),
    Case(
        "in proportion, a row", "XM_ALLOCATE", (100.0, [[100.0, 100.0, 100.0]], "pro rata"),
        [[33.34, 66.66], [33.33, 66.67], [33.33, 66.67]], "33.333... each; the odd cent to the first",
    ),
    Case(
        "by weights", "XM_ALLOCATE", (40.0, [[50.0], [50.0]], "Pro-rata", [[3.0, 1.0]]),
        [[30.0, 20.0], [10.0, 40.0]], "40 x 3/4 and 40 x 1/4",
    ),
    Case("one claim", "XM_ALLOCATE", (Decimal("10.00"), 25), [[10.0, 15.0]], "10 of 25"),
    Case(
        "a block of currency cells", "XM_ALLOCATE",
        (7, [[Decimal("1.10"), Decimal("2.20")], [Decimal("3.30"), True]], None),
        [[1.10, 0.0], [2.20, 0.0], [3.30, 0.0], [0.40, 0.60]], "7.00 - 1.10 - 2.20 - 3.30 = 0.40; TRUE is 1",
    ),
    Case("a blank among the claims", "XM_ALLOCATE", (100.0, [[60.0], [None]]), VALUE, "a gap"),
    Case("a negative claim", "XM_ALLOCATE", (100.0, [[60.0], [-1.0]]), NUM, "zero or more"),
    Case("an unknown method", "XM_ALLOCATE", (100.0, [[60.0]], "by lot"), VALUE, "no such method"),
    Case("one weight for two claims", "XM_ALLOCATE", (1.0, [[1.0, 1.0]], "pro rata", 1.0), VALUE, "two"),
    Case("#VALUE! among the claims", "XM_ALLOCATE", (100.0, [[60.0, VALUE]]), VALUE, "passes through"),
    Case("nothing to share", "XM_ALLOCATE", (0.0, [[60.0], [50.0]]), [[0.0, 60.0], [0.0, 50.0]], "all short"),
    Case("more than is claimed", "XM_ALLOCATE", (1000.0, [[60.0], [50.0]]), [[60.0, 0.0], [50.0, 0.0]],
         "no claim is paid more than it is"),
    Case("a negative amount", "XM_ALLOCATE", (-1.0, [[60.0]]), NUM, "zero or more"),
    Case("no claims", "XM_ALLOCATE", (1.0, None), VALUE, "required"),
)
# fmt: on
