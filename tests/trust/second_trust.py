"""A second program for card trusts, which shares no line with xlmodel: from a folder to its figures.

Written from docs/trust.md in another style: exact fractions of dollars, one dictionary a series, rounding
where an amount is fixed.  ``python -m tests.trust.second_trust FOLDER`` writes FOLDER/published/figures.csv.
"""

from __future__ import annotations

import csv
import sys
import tomllib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

CENT = Fraction(1, 100)
COLUMNS = (
    "Finance charges",
    "Reallocated finance charges",
    "Excess received",
    "Principal",
    "Shared principal received",
    "Charged off",
    "Reallocated principal",
    "Paid to holders",
    "Principal funding after",
    "Invested amount after",
)


def exact(value: Any) -> Fraction:
    return Fraction(str(value))


def cents(amount: Fraction) -> Fraction:
    """Rounded half up to the cent; amounts are not negative."""
    return Fraction(int(amount / CENT + Fraction(1, 2)), 100)


def divide(amount: Fraction, keys: Sequence[Fraction]) -> list[Fraction]:
    """By largest remainder, one cent at a time to whoever is furthest below its exact share."""
    whole = sum(keys)
    if whole == 0 or amount == 0:
        return [Fraction(0)] * len(keys)
    fair = [amount * key / whole for key in keys]
    got = [Fraction(int(share / CENT), 100) for share in fair]
    while sum(got) < amount:
        behind = [
            share - have if have <= share else Fraction(-1) for share, have in zip(fair, got, strict=True)
        ]
        got[behind.index(max(behind))] += CENT
    return got


def among(amount: Fraction, wants: Sequence[Fraction]) -> list[Fraction]:
    return divide(min(amount, Fraction(sum(wants))), wants)


def read(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, str]]]:
    document = tomllib.loads((folder / "model.toml").read_text(encoding="utf-8"))
    pools = {one["group"]: one["reallocates"] for one in document["groups"]}
    made = []
    for row in document["series"]:
        members = [c for c in document["classes"] if c["series"] == row["series"]]
        made.append(
            row
            | {
                "pools": pools[row["group"]],
                "rates": [exact(c["rate"]) for c in members],
                "owed": [exact(c["amount"]) for c in members],
                "in": [exact(c["amount"]) for c in members],
                "late": [Fraction(0) for _ in members],
                "late fee": Fraction(0),
                "pfa": Fraction(0),
                "reserve kept": Fraction(0),
                "behind": Fraction(0),
                "fixed": None,
                "early": False,
                "spreads": [],
            }
        )
    with (folder / "months.csv").open(encoding="utf-8") as file:
        return document["trust"][0], made, list(csv.DictReader(file))


def figures(folder: Path) -> list[list[str]]:
    trust, series, months = read(folder)
    receivables, special = exact(trust["receivables"]), Fraction(0)
    table = [["month", *(f"{s['series']} {name}" for s in series for name in COLUMNS)]]
    for month in months:
        charges, principal = exact(month["finance charges"]), exact(month["principal"])
        defaults, added = exact(month["defaults"]), exact(month["added"])
        for s in series:
            open_month(s, month["month"], exact(trust["account_rate"]))
        pot = receivables + special
        allocate(series, pot, charges, principal, defaults)
        pool_groups(series)
        for s in series:
            s["need"] = sum(s["interest"]) + s["fee"] + s["dfl"] + s["red"] + s["res need"]
            s["have"] = s["fc2"] + s["earned"] + s["draw"]
        extra = [max(Fraction(0), s["have"] - s["need"]) * s["shares_excess"] for s in series]
        short = [max(Fraction(0), s["need"] - s["have"]) * s["shares_excess"] for s in series]
        for s, got, gave in zip(
            series, among(sum(extra, Fraction(0)), short), among(sum(short, Fraction(0)), extra), strict=True
        ):
            s["excess got"] = got
            spend(s, s["have"] + got - gave)
        over = [max(Fraction(0), s["avail"] - s["want"]) * s["shares_principal"] for s in series]
        lack = [max(Fraction(0), s["want"] - s["avail"]) * s["shares_principal"] for s in series]
        offered = [*over, special]
        given = among(sum(lack, Fraction(0)), offered)
        got_all = among(sum(offered, Fraction(0)), lack)
        left = s_left = principal - sum(s["prin"] for s in series)
        for s, got, gave in zip(series, got_all, given, strict=False):
            s["shared got"] = got
            left += s["avail"] - min(s["avail"], s["want"]) - gave
            close_month(s, got, month["month"], int(trust["months_averaged"]))
        assert s_left >= 0
        special -= given[-1]
        receivables += added - principal - defaults
        invested = sum(sum(s["in"]) - s["pfa"] for s in series)
        gap = cents(receivables * exact(trust["minimum_transferor"])) - (receivables + special - invested)
        special += min(left, gap) if gap > 0 else -min(-gap, special)
        row = [month["month"]]
        for s in series:
            row += [
                f"{float(s[name]):.2f}"
                for name in ("fc", "fc2", "excess got", "prin", "shared got", "lost", "moved", "paid", "pfa")
            ] + [f"{float(sum(s['in'])):.2f}"]
        table.append(row)
    return table


def open_month(s: dict[str, Any], day: str, earns: Fraction) -> None:
    total = sum(s["in"])
    state = "ended" if not total else "early" if s["early"] else "open"
    if state == "open":
        state = "revolving" if day < s["accumulates_from"].isoformat() else "accumulation"
    s["state"], s["total"] = state, total
    current = [cents(owed * rate / 12) for owed, rate in zip(s["owed"], s["rates"], strict=True)]
    fee = cents(total * exact(s["servicing_fee"]) / 12)
    alive = state != "ended"
    s["cost"] = sum(current) + fee
    s["interest"] = [(a + b) * alive for a, b in zip(current, s["late"], strict=True)]
    s["fee"] = (fee + s["late fee"]) * alive
    saving = state in ("accumulation", "early")
    s["earned"] = cents(s["pfa"] * earns / 12) * saving
    carry = cents(s["pfa"] * s["rates"][0] / 12)
    s["draw"] = min(s["reserve kept"], max(Fraction(0), carry - s["earned"])) * saving
    s["red"] = (sum(s["owed"]) - total) * alive
    funded = state in ("revolving", "accumulation") and day >= s["reserve_from"].isoformat()
    target = cents(s["owed"][0] * exact(s["reserve"]))
    s["res need"] = max(Fraction(0), target - s["reserve kept"] + s["draw"]) * funded


def allocate(
    series: list[dict[str, Any]], pot: Fraction, charges: Fraction, principal: Fraction, defaults: Fraction
) -> None:
    floating, other = [], []
    for s in series:
        adjusted = s["total"] - s["pfa"] if s["state"] != "ended" else Fraction(0)
        if s["state"] in ("accumulation", "early") and s["fixed"] is None:
            s["fixed"] = s["total"]
        floating.append(adjusted)
        other.append(s["fixed"] if adjusted and s["state"] in ("accumulation", "early") else adjusted)
    rest = max(pot, sum(floating, Fraction(0))) - sum(floating)
    rest2 = max(pot, sum(other, Fraction(0))) - sum(other)
    for name, amount, keys in (
        ("fc", charges, [*floating, rest]),
        ("dfl", defaults, [*floating, rest]),
        ("prin", principal, [*other, rest2]),
    ):
        for s, share in zip(series, divide(amount, keys), strict=False):
            s[name] = share


def pool_groups(series: list[dict[str, Any]]) -> None:
    for s in series:
        s["fc2"] = s["fc"]
    for group in {s["group"] for s in series if s["pools"]}:
        members = [s for s in series if s["group"] == group]
        money = sum(s["fc"] for s in members)
        for s in members:
            s["fc2"] = Fraction(0)
        for wants in (
            [Fraction(sum(s["interest"])) for s in members],
            [s["fee"] for s in members],
            [s["dfl"] for s in members],
        ):
            for s, part in zip(members, among(money, wants), strict=True):
                s["fc2"] += part
                money -= part
        keys = [s["total"] - s["pfa"] for s in members]
        for s, part in zip(
            members, divide(money, keys if any(keys) else [Fraction(1)] * len(keys)), strict=True
        ):
            s["fc2"] += part


def spend(s: dict[str, Any], money: Fraction) -> None:
    def pay(due: Fraction) -> Fraction:
        nonlocal money
        paid = min(due, money)
        money -= paid
        return paid

    paid = [pay(due) for due in s["interest"]]
    fee = pay(s["fee"])
    good = pay(s["dfl"])
    back = pay(s["red"])
    s["reserve kept"] += pay(s["res need"]) - s["draw"]
    gaps = [a - b for a, b in zip(s["interest"], paid, strict=True)]
    share = divide(s["prin"], s["in"])
    safe, exposed = s["pfa"], []
    for amount in s["in"]:  # what is set aside already belongs to the senior class first
        exposed.append(max(Fraction(0), amount - safe))
        safe = max(Fraction(0), safe - amount)
    room = [min(a, b) for a, b in zip(share, exposed, strict=True)]
    reduced = [owed - left for owed, left in zip(s["owed"], s["in"], strict=True)]
    moved = Fraction(0)
    for senior in range(len(gaps)):
        for junior in reversed(range(senior + 1, len(gaps))):
            step = min(gaps[senior], room[junior])
            gaps[senior] -= step
            room[junior] -= step
            exposed[junior] -= step
            s["in"][junior] -= step
            moved += step
    lost, gone = s["dfl"] - good, Fraction(0)
    for place in reversed(range(len(exposed))):
        step = min(lost, exposed[place])
        s["in"][place] -= step
        lost -= step
        gone += step
    left = back
    for place, amount in enumerate(reduced):
        step = min(left, amount)
        s["in"][place] += step
        left -= step
    s["late"], s["late fee"] = gaps, s["fee"] - fee
    s["lost"], s["moved"] = gone, moved
    s["avail"] = s["prin"] - moved + good + back
    remaining = sum(s["in"]) - s["pfa"]
    s["want"] = {
        "accumulation": min(exact(s["controlled_amount"]) + s["behind"], remaining),
        "early": remaining,
    }.get(s["state"], Fraction(0))


def close_month(s: dict[str, Any], got: Fraction, day: str, averaged: int) -> None:
    put = min(s["avail"], s["want"]) + got
    s["pfa"] += put
    if s["state"] == "accumulation":
        s["behind"] = s["want"] - put
    s["paid"] = Fraction(0)
    due = s["state"] == "accumulation" and day[:7] >= s["expected_payment"].isoformat()[:7]
    if s["state"] == "early" or due:
        for place, amount in enumerate(s["in"]):
            step = min(amount, s["pfa"])
            s["in"][place] -= step
            s["owed"][place] -= step
            s["pfa"] -= step
            s["paid"] += step
        s["early"] = True
    if s["early"] or not sum(s["in"]):
        s["reserve kept"] = Fraction(0)
    if s["state"] != "ended":
        s["spreads"].append(12 * (s["have"] - s["dfl"] - s["cost"]) / s["total"])
        last = s["spreads"][-averaged:]
        if len(last) == averaged and sum(last) < 0:
            s["early"] = True


def main() -> None:
    folder = Path(sys.argv[1])
    with (folder / "published" / "figures.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(figures(folder))


if __name__ == "__main__":
    main()
