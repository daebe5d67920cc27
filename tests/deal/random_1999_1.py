"""Random pools and scenarios of CarMax 1999-1: all that its prospectus provides for happens often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

MONTHS = 78  # The certificates' final scheduled payment date is the 75th payment date, of month 76.
CUTOFF_POOL = 643_957_759_72

# --- random pools -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Months:
    """One scenario's collections in cents, month by month; ``pool`` begins with the cutoff date."""

    pool: list[int]
    interest: list[int]
    defaulted: list[int]
    proceeds: list[int]
    purchase: list[int]

    @property
    def cash(self) -> list[int]:
        """All that Available Funds consist of: what the pool lost was paid, but for defaults."""
        paid = [self.pool[m] - self.pool[m + 1] - self.defaulted[m] for m in range(MONTHS)]
        return [sum(amounts) for amounts in zip(self.interest, paid, self.proceeds, strict=True)]


def months(
    rng: Random,
    repaid: tuple[float, float],
    defaults: tuple[float, float] = (0.0, 0.0),
    coupon: tuple[float, float] = (0.08, 0.12),
    recovered: tuple[float, float] = (0.2, 0.5),
    dry: int = 0,
    drought: tuple[int, int] = (0, 0),
    collapse: float = 0.0,
) -> Months:
    """A random pool.

    ``repaid`` and ``defaults`` are parts of the pool a month, ``dry`` the number of months in which nothing
    is collected, besides those of the ``drought`` (first, last); ``collapse`` is the part of the cutoff pool
    at which all the rest defaults.
    """
    repay, rate, part = rng.uniform(*repaid), rng.uniform(*coupon), rng.uniform(*recovered)
    default = rng.uniform(*defaults)
    lag, first = rng.randint(1, 8), rng.randint(0, 12)
    nothing = {*rng.sample(range(2, 40), dry), *range(*drought)}
    pool, interest, defaulted, proceeds, purchase = [CUTOFF_POOL], [], [], [], []
    for month in range(MONTHS):
        now = pool[-1]
        lost = int(now * default * rng.uniform(0, 2)) if month >= first else 0
        if now <= collapse * CUTOFF_POOL:
            lost = now
        stopped = month in nothing
        paid = 0 if stopped else min(now - lost, int(now * repay * rng.uniform(0.5, 1.5)))
        bought = min(now - lost - paid, rng.choice([0, 0, 0, rng.randint(1, 10**7)])) if not stopped else 0
        pool.append(now - lost - paid - bought)
        interest.append(0 if stopped else int(now * rate / 12 * rng.uniform(0.7, 1.1)))
        defaulted.append(lost)
        proceeds.append(int(part * defaulted[month - lag]) if month >= lag and not stopped else 0)
        purchase.append(bought)
    return Months(pool, interest, defaulted, proceeds, purchase)


# --- random scenarios -------------------------------------------------------------------------------

Case = tuple[Months, dict[str, Any]]


def mild(rng: Random) -> Case:
    """Losses that the reserve account bears, or most of them."""
    return months(rng, (0.02, 0.05), (0.002, 0.012)), {}


def severe(rng: Random) -> Case:
    """Losses that the policy pays for, and nobody does anything about it."""
    return months(rng, (0.02, 0.05), (0.01, 0.05), recovered=(0, 0.3)), {}


def unpaid(rng: Random) -> Case:
    """An insurer in default: the holders go short."""
    pool = months(rng, (0.01, 0.05), (0.005, 0.05), (0.0, 0.09), (0, 0.3), dry=rng.choice([0, 0, 2, 6]))
    return pool, {"insurer default": rng.randint(1, 12)}


def dry(rng: Random) -> Case:
    """Months without any cash, and no insurer: not even the servicer is paid."""
    pool = months(rng, (0.01, 0.04), (0.005, 0.03), (0.03, 0.09), (0, 0.2), dry=rng.randint(4, 14))
    return pool, {"insurer default": rng.randint(1, 6)}


def insurer_declares(rng: Random) -> Case:
    """The insurer accelerates, of a sound trust or of one that claims; at times it defaults later."""
    sound = rng.random() < 0.4
    pool = months(rng, (0.02, 0.05), (0.0, 0.006) if sound else (0.01, 0.04), dry=rng.choice([0, 1, 3]))
    decisions: dict[str, Any] = {"insurer declares": rng.randint(1, 20)}
    if sound:
        decisions["stated event"] = rng.randint(1, 20)
    if rng.random() < 0.4:
        decisions["insurer default"] = rng.randint(10, 40)
    if rng.random() < 0.2:
        decisions["rescinded"] = rng.randint(10, 40)
    return pool, decisions


def holders_declare(rng: Random) -> Case:
    """The insurer is in default and the holders accelerate; most take it back, as soon as they may."""
    default, declared = rng.randint(1, 15), rng.randint(1, 20)
    decisions: dict[str, Any] = {"insurer default": default, "holders declare": declared}
    first = max(default, declared)
    if rng.random() < 0.8:
        decisions["rescinded"] = first + rng.randint(0, 12)
    if rng.random() < 0.5:
        # Note interest stays unpaid for months, at times for good, and the declaration with it.
        drought = (first, first + rng.randint(10, 60))
        pool = months(rng, (0.02, 0.05), (0.01, 0.05), (0.02, 0.12), drought=drought)
    else:
        pool = months(rng, (0.02, 0.05), (0.0, 0.01), dry=rng.choice([0, 0, 2]))
        decisions["stated event"] = rng.randint(1, 20)
    return pool, decisions


def insurer_sells(rng: Random) -> Case:
    """The insurer has the trust property sold: freely after a claim, else only for enough."""
    claimed = rng.random() < 0.3
    pool = months(rng, (0.02, 0.05), (0.02, 0.05) if claimed else (0.0, 0.002), recovered=(0, 0.3))
    declared = rng.randint(1, 20)
    sale = declared + rng.randint(1, 15)
    decisions: dict[str, Any] = {"insurer declares": declared, "sale": sale}
    decisions["sale price"] = round(rng.uniform(0.7, 1.1), 3)
    if not claimed:
        decisions["stated event"] = rng.randint(1, declared)
    if rng.random() < 0.3:
        decisions["insurer default"] = rng.randint(declared + 1, declared + 20)
    return pool, decisions


def trustee_sells(rng: Random) -> Case:
    """The trustee sells: after a payment default, by consent, or for enough."""
    declared = rng.randint(1, 15)
    if rng.random() < 0.65:
        pool = months(rng, (0.02, 0.05), (0.0, 0.003))
    else:
        pool = months(rng, (0.02, 0.05), (0.01, 0.05), drought=(declared, declared + rng.choice([0, 0, 20])))
    decisions: dict[str, Any] = {"insurer default": rng.randint(1, declared), "holders declare": declared}
    decisions["stated event"] = rng.randint(1, declared)
    decisions["sale"] = declared + rng.randint(0, 15)
    price = rng.choice(
        [rng.uniform(0, 0.003), rng.uniform(0, 0.2), rng.uniform(0.7, 1.1), rng.uniform(0.7, 1.1)]
    )
    decisions["sale price"] = round(price, 4)
    decisions["consent"] = rng.choice([None, "none", "none", "two thirds", "all"])
    return pool, decisions


def insurer_is_owed(rng: Random) -> Case:
    """A price that pays the notes but not what the insurer, in default by now, has paid before."""
    decisions: dict[str, Any] = {"preference": rng.randint(10**10, 2 * 10**10) / 100}
    decisions |= {"preference date": rng.randint(1, 3), "insurer default": 4, "stated event": 4}
    decisions |= {
        "holders declare": 4,
        "sale": rng.randint(4, 8),
        "sale price": round(rng.uniform(1, 1.1), 4),
    }
    return months(rng, (0.02, 0.04), (0.0, 0.001)), decisions


def premium_is_owed(rng: Random) -> Case:
    """A price that pays the holders with the reserve account's help; only premium is left unpaid."""
    decisions = {"insurer default": 1, "stated event": 2, "holders declare": 2, "sale": 6, "consent": "all"}
    return months(rng, (0.02, 0.04)), decisions | {"sale price": round(rng.uniform(0.97, 0.98), 4)}


def slow(rng: Random) -> Case:
    """So slow a pool that classes reach their final scheduled payment dates; half without the insurer."""
    pool = months(rng, (0.004, 0.02), (0.0, 0.004), dry=rng.choice([0, 0, 2]))
    return pool, {"insurer default": rng.randint(1, 50)} if rng.random() < 0.5 else {}


def sound(rng: Random) -> Case:
    """Nothing happens but what the insurance agreement asks for; an event that has no consequence."""
    return months(rng, (0.02, 0.06), (0.0, 0.002)), {"stated event": rng.randint(60, 77)}


def thin(rng: Random) -> Case:
    """Just enough for the holders, so that the insurer and the reserve account go short."""
    return months(rng, (0.02, 0.04), (0.001, 0.006), (0.07, 0.085), (0.5, 0.6), dry=rng.choice([0, 1])), {}


def late(rng: Random) -> Case:
    """What is left of the pool defaults when the notes are nearly paid, and no insurer pays."""
    pool = months(rng, (0.05, 0.09), (0.0, 0.001), collapse=rng.uniform(0.008, 0.03), recovered=(0, 0.1))
    return pool, {"insurer default": rng.randint(1, 30)}


KINDS: tuple[tuple[Callable[[Random], Case], int], ...] = (
    (mild, 4),
    (severe, 4),
    (unpaid, 6),
    (dry, 5),
    (insurer_declares, 8),
    (holders_declare, 14),
    (insurer_sells, 20),
    (trustee_sells, 18),
    (insurer_is_owed, 3),
    (premium_is_owed, 1),
    (slow, 5),
    (sound, 5),
    (thin, 4),
    (late, 7),
)


def sometimes(rng: Random, decisions: dict[str, Any]) -> None:
    """What may happen in any scenario: a preference amount, a higher requirement of the agreement."""
    if "preference" not in decisions and rng.random() < 0.3:
        decisions["preference"] = rng.randint(1, 10**9) / 100
        decisions["preference date"] = rng.randint(1, 45)
    if rng.random() < 0.2:
        decisions["agreement requires"] = rng.randint(1, 5 * 10**9) / 100
        decisions["agreement from"] = rng.randint(1, 30)
