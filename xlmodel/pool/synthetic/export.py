"""A synthetic tape as a CSV file.  Its first heading and every contract's name say what it is."""

from __future__ import annotations

import io

from xlmodel.pool.synthetic.carmax_1999_1 import Tape

HEADINGS = (
    "synthetic contract",
    "state",
    "vehicle",
    "model year",
    "original balance",
    "balance",
    "rate",
    "original term",
    "remaining term",
    "days past due",
)


def as_csv(tape: Tape) -> bytes:
    """The file; equal byte for byte for equal tapes."""
    out = io.StringIO()
    out.write(",".join(HEADINGS) + "\n")
    columns = (
        tape.state,
        tape.new.tolist(),
        tape.model_year.tolist(),
        tape.original.tolist(),
        tape.balance.tolist(),
        tape.rate.tolist(),
        tape.original_term.tolist(),
        tape.remaining_term.tolist(),
        tape.days_past_due.tolist(),
    )
    for number, row in enumerate(zip(*columns, strict=True), start=1):
        state, new, year, original, balance, rate, term, left, days = row
        out.write(
            f"SYNTHETIC-{number:05d},{state},{'new' if new else 'used'},{year},"
            f"{original:.2f},{balance:.2f},{rate:.5f},{term},{left},{days}\n"
        )
    return out.getvalue().encode("ascii")
