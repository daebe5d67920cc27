"""A second deal, unlike the flagship in shape: three classes, two CPR speeds, more pool than securities, no
account, no call, no published figures, a day count that the sheets do not work out natively."""

from __future__ import annotations

from pathlib import Path

DEAL = """
schema = 1

[[terms]]
term = "deal"
value = "Harbor & Sons Auto Trust 2021-A"
status = "assumed"

[[terms]]
term = "cutoff date"
value = 2021-02-28
status = "assumed"

[[terms]]
term = "closing date"
value = 2021-03-18
status = "assumed"

[[terms]]
term = "first payment date"
value = 2021-04-20
status = "assumed"

[[terms]]
term = "payment day"
value = 20
status = "assumed"

[[terms]]
term = "business day roll"
value = "following"
status = "assumed"

[[terms]]
term = "calendar"
value = "FED"
status = "assumed"

[[terms]]
term = "first collection months"
value = 1
status = "assumed"

[[terms]]
term = "prepayment model"
value = "CPR"
status = "assumed"

[[terms]]
term = "average life from"
value = 2021-03-18
status = "assumed"

[[terms]]
term = "average life day count"
value = "actual/365 fixed"
status = "assumed"

[[fees]]
fee = "servicing"
rate = 0.01
of = "pool"
status = "assumed"

[[fees]]
fee = "trustee"
rate = 0.0003
of = "pool"
status = "assumed"

[[classes]]
class = "A"
group = "Notes"
balance = 6_000_000.00
rate = 0.01
day_count = "actual/360"
accrual_dates = "adjusted"
rounding = "half up"
final_date = 2023-12-20
status = "assumed"

[[classes]]
class = "B"
group = "Notes"
balance = 2_500_000.00
rate = 0.02
day_count = "actual/365 fixed"
accrual_dates = "adjusted"
rounding = "half up"
final_date = 2023-12-20
status = "assumed"

[[classes]]
class = "C"
group = "Notes"
balance = 1_000_000.00
rate = 0.03
day_count = "30/360"
accrual_dates = "unadjusted"
rounding = "truncate"
final_date = 2023-12-20
status = "assumed"

[[payments]]
clause = "i"
pay = "fee servicing + trustee"
to = "servicer and trustee"
note = "Side by side."

[[payments]]
clause = "ii"
pay = "interest"
to = "A > B > C"

[[payments]]
clause = "iii"
pay = "principal over pool (Notes)"
to = "A > B > C"

[[payments]]
clause = "iv"
pay = "remainder"
to = "depositor"

[assumptions]
speeds = [0.00, 0.10]
base_speed = 0.12
printed_payment_dates = 6
"""

POOL = """balance,rate,original_term,remaining_term
6000000,0.06,36,30
4000000,0.00,24,18
"""


def write_small_deal(path: Path) -> Path:
    path.mkdir()
    (path / "deal.toml").write_text(DEAL, encoding="utf-8")
    (path / "pool.csv").write_text(POOL, encoding="utf-8")
    return path
