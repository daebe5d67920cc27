"""CarMax Auto Owner Trust 1999-1, its cash rules written a second time, straight from the prospectus.

One scenario, one payment date after the other, whole cents and fractions; nothing of the engine is used
here, so that the two can be compared.  Pages are those of the prospectus of 21 October 1999.  Where a page
leaves something open, the reading is the one that the deal's own tables state.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

CLASSES = ("A-1", "A-2", "A-3", "A-4", "Certificates")
NOTES = range(4)
CERTIFICATES = 4

# Page 4: balances in cents, rates, final scheduled payment dates.
BALANCES = (155_250_000_00, 208_650_000_00, 178_900_000_00, 88_278_000_00, 12_879_759_72)
RATES = tuple(Fraction(rate) for rate in ("0.062025", "0.0647", "0.0676", "0.0688", "0.0712"))
FINAL_DATES = (
    dt.date(2000, 11, 15),
    dt.date(2002, 5, 15),
    dt.date(2003, 8, 15),
    dt.date(2004, 8, 16),
    dt.date(2006, 2, 15),
)
CLOSING_DATE = dt.date(1999, 10, 28)
ACTUAL_DAYS = (True, True, False, False, False)  # Pages 43 and 46: count days, the others months.

MONTHLY_FEE = Fraction("0.01") / 12  # Page 79.
FIRST_MONTHS = 2  # Page 59: October and November are paid on 15 December 1999.
INITIAL_RESERVE = 16_098_944_00  # Page 55.
RESERVE_FLOOR = 6_439_577_60  # Page 111.
RESERVE_PART = Fraction("0.0375")  # Page 111.
CALL_PART = Fraction("0.10")  # Page 83.


@dataclass(frozen=True)
class Collected:
    """Cents by collection month, and the payment dates.

    ``pool`` begins with the cutoff date; ``cash`` is all that Available Funds consist of (page 109).
    """

    pool: Sequence[int]
    cash: Sequence[int]
    adjusted: Sequence[dt.date]
    unadjusted: Sequence[dt.date]


@dataclass(frozen=True)
class Agreement:
    """What the unpublished insurance agreement says: two rates per annum."""

    premium: Fraction = Fraction(0)
    reimbursement: Fraction = Fraction(0)


@dataclass(frozen=True)
class Decisions:
    """Payment date numbers, None for never; amounts in cents."""

    stated_event: int | None = None
    insurer_default: int | None = None
    insurer_declares: int | None = None
    holders_declare: int | None = None
    rescinded: int | None = None
    sale: int | None = None
    sale_price: Fraction = Fraction(0)
    consent: str = "none"
    agreement_requires: int = 0
    agreement_from: int | None = None
    preference: int = 0
    preference_date: int | None = None
    servicer_purchases: bool = True  # its option of page 83, exercised as soon as it may be


@dataclass
class Payment:
    """One payment date.  ``owed`` and ``paid`` go by clause; apart what goes directly to the certificates."""

    number: int
    pool: int = 0
    available: int = 0
    pool_is_purchased: bool = False  # by the servicer, on this date or before
    accelerated: bool = False
    sold: bool = False
    accrued: list[int] = field(default_factory=list)
    overdue: list[int] = field(default_factory=list)
    on_overdue: list[int] = field(default_factory=list)
    interest: list[int] = field(default_factory=lambda: [0] * 5)
    principal: list[int] = field(default_factory=lambda: [0] * 5)
    balance: list[int] = field(default_factory=list)
    note_principal: int = 0  # Monthly Note Principal
    final: set[str] = field(default_factory=set)  # classes of whose principal the final date asks for more
    owed: dict[str, int] = field(default_factory=dict)
    paid: dict[str, int] = field(default_factory=dict)
    direct_interest: int = 0
    direct_principal: int = 0
    fee: int = 0
    premium: int = 0
    reimbursement: int = 0
    remainder: int = 0
    requirement: int = 0
    opening: int = 0
    deposit: int = 0
    draw: int = 0
    release: int = 0
    closing: int = 0
    claim: int = 0
    preference: int = 0
    unreimbursed: int = 0

    def short(self, clause: str) -> int:
        """What a clause could not pay, from wherever."""
        direct = {"5": self.direct_interest, "6": self.direct_principal}.get(clause, 0)
        return self.owed.get(clause, 0) - self.paid.get(clause, 0) - direct


@dataclass
class Outcome:
    """All payment dates, and when what happened: payment date numbers, None for never."""

    payments: list[Payment] = field(default_factory=list)
    events: dict[str, int] = field(default_factory=dict)
    accelerated: int | None = None
    by_insurer: bool = False
    rescinded: int | None = None
    sold: int | None = None
    refused: int | None = None


def part(rate: Fraction, amount: int) -> int:
    """A part of an amount, rounded half up to the cent; neither is negative."""
    return (2 * amount * rate.numerator + rate.denominator) // (2 * rate.denominator)


def split(amount: int, weights: Sequence[int]) -> list[int]:
    """Cents in proportion to weights: whole cents first, the rest to the largest remainders, first come."""
    total = sum(weights)
    if total == 0:
        return [0] * len(weights)
    shares = [amount * weight // total for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda n: (-(amount * weights[n] % total), n))
    for n in by_remainder[: amount - sum(shares)]:
        shares[n] += 1
    return shares


def one_after_the_other(amount: int, wanted: Sequence[int]) -> list[int]:
    """Fill in order until nothing is left."""
    filled = []
    for want in wanted:
        filled.append(min(want, amount))
        amount -= filled[-1]
    return filled


def pay(collected: Collected, agreement: Agreement, decisions: Decisions) -> Outcome:
    """All payment dates of one scenario."""
    trust = Trust(collected, agreement, decisions)
    for number in range(1, len(collected.adjusted) + 1):
        trust.pay_date(number)
    return trust.outcome


class Trust:
    """What is outstanding between two payment dates, and the rules of one payment date."""

    def __init__(self, collected: Collected, agreement: Agreement, decisions: Decisions) -> None:
        self.collected = collected
        self.agreement = agreement
        self.decisions = decisions
        self.outcome = Outcome()
        self.balance = list(BALANCES)
        self.unpaid = [0] * 5  # interest
        self.fee_owed = 0
        self.premium_owed = 0
        self.unreimbursed = 0
        self.reserve = INITIAL_RESERVE
        self.accelerated = False
        self.purchased = False  # by the servicer
        self.pool_is_gone = False  # purchased or sold

    def pay_date(self, number: int) -> None:
        p = Payment(number)
        self.collect(p)
        self.accrue(p)
        self.declare(p)
        if not self.call(p):
            self.sell(p)
        p.accelerated, p.pool_is_purchased = self.accelerated, self.purchased
        p.opening = self.reserve
        if p.sold:
            self.pay_after_sale(p)
        else:
            self.pay_clauses(p)
        self.close_accounts(p)
        self.find_events(p)
        self.outcome.payments.append(p)

    # What comes in and what becomes due.

    def collect(self, p: Payment) -> None:
        """Available Funds of the preceding month, the first time of two (pages 59, 109); servicing fees.

        Page 79: one-twelfth of 1.00% of the pool at the end of the month before, month by month.
        """
        if self.pool_is_gone:
            return
        last = p.number + FIRST_MONTHS - 1
        for month in range(1 if p.number == 1 else last, last + 1):
            p.available += self.collected.cash[month - 1]
            self.fee_owed += part(MONTHLY_FEE, self.collected.pool[month - 1])
        p.pool = self.collected.pool[last]

    def accrue(self, p: Payment) -> None:
        """Interest (pages 43, 44 and 46), premium, interest on payments under the policy (page 57)."""
        p.overdue = list(self.unpaid)
        for n in range(5):
            rate = RATES[n] * self.part_of_year(n, p.number)
            p.accrued.append(part(rate, self.balance[n]))
            p.on_overdue.append(part(rate, self.unpaid[n]))
        if not self.pool_is_gone:
            self.premium_owed += part(self.agreement.premium / 12, sum(self.balance))
        self.unreimbursed += part(self.agreement.reimbursement / 12, self.unreimbursed)

    def part_of_year(self, n: int, number: int) -> Fraction:
        """Actual days between payment dates over 360; else twelfths, 47 days of 360 the first time."""
        dates = self.collected.adjusted if ACTUAL_DAYS[n] else self.collected.unadjusted
        start = CLOSING_DATE if number == 1 else dates[number - 2]
        end = dates[number - 1]
        if ACTUAL_DAYS[n]:
            return Fraction((end - start).days, 360)
        months = 12 * (end.year - start.year) + end.month - start.month
        return Fraction(30 * months + end.day - start.day, 360)

    def due(self, p: Payment, n: int) -> int:
        return p.accrued[n] + p.overdue[n] + p.on_overdue[n]

    # Events of default, acceleration, call and sale.

    def insurer_in_default(self, number: int) -> bool:
        return has_begun(self.decisions.insurer_default, number)

    def declare(self, p: Payment) -> None:
        """Pages 65 and 66: the insurer declares the notes due, or the holders once it is in default.

        Only the holders' declaration can be rescinded, and only if interest on the notes has been paid.
        """
        decisions, outcome = self.decisions, self.outcome
        if decisions.stated_event == p.number:
            outcome.events["another event"] = p.number
        if outcome.events and outcome.accelerated is None and any(self.balance[n] for n in NOTES):
            by_insurer = not self.insurer_in_default(p.number)
            declared = decisions.insurer_declares if by_insurer else decisions.holders_declare
            if has_begun(declared, p.number):
                self.accelerated = True
                outcome.accelerated, outcome.by_insurer = p.number, by_insurer
        interest_is_paid = not any(self.unpaid[n] for n in NOTES)
        may_rescind = self.accelerated and not outcome.by_insurer and interest_is_paid
        if may_rescind and has_begun(decisions.rescinded, p.number):
            self.accelerated = False
            outcome.rescinded = p.number

    def call(self, p: Payment) -> bool:
        """Page 83: at 10% of the cutoff pool or less, for what is owed to the holders and the insurer.

        The servicer makes use of it as soon as it does not lose by it: the pool and the collections of the
        date are worth the price and the fees.
        """
        if not self.decisions.servicer_purchases or self.pool_is_gone or self.accelerated:
            return False
        if p.pool > CALL_PART * self.collected.pool[0] or not any(self.balance):
            return False
        price = sum(self.balance) + sum(self.due(p, n) for n in range(5))
        price += self.premium_owed + self.unreimbursed
        if p.pool + p.available < price + self.fee_owed:
            return False
        p.available += price
        self.purchased = self.pool_is_gone = True
        p.pool = 0
        return True

    def sell(self, p: Payment) -> None:
        """Pages 66 and 67: who may sell the property of the trust, and when."""
        decisions, outcome = self.decisions, self.outcome
        if decisions.sale != p.number or not self.accelerated or self.pool_is_gone:
            return
        price = part(decisions.sale_price, p.pool)
        notes = sum(self.balance[n] + self.due(p, n) for n in NOTES)
        if outcome.by_insurer:
            allowed = "policy claim" in outcome.events or price >= notes
        else:
            allowed = (
                "interest unpaid" in outcome.events
                or "principal unpaid" in outcome.events
                or decisions.consent in ("all", "two thirds")
                or price >= notes + self.premium_owed + self.unreimbursed
            )
        if not allowed:
            outcome.refused = p.number
            return
        p.available += price
        p.sold = self.pool_is_gone = True
        p.pool = 0
        outcome.sold = p.number

    # Where the money goes.

    def monthly_note_principal(self, p: Payment) -> list[int]:
        """Page 110, by class in the order of page 44; a class in full on and after its final date."""
        notes = sum(self.balance[n] for n in NOTES)
        over_pool = min(notes, max(0, sum(self.balance) - p.pool))
        portions = one_after_the_other(over_pool, [self.balance[n] for n in NOTES])
        for n in NOTES:
            if self.is_final(n, p) and portions[n] < self.balance[n]:
                portions[n] = self.balance[n]
                p.final.add(CLASSES[n])
        return portions

    def monthly_certificate_principal(self, p: Payment) -> int:
        """Page 109 and 110, on a date on which the notes have been paid in full."""
        balance = self.balance[CERTIFICATES]
        over_pool = min(balance, max(0, balance - p.pool))
        if self.is_final(CERTIFICATES, p):
            if over_pool < balance:
                p.final.add(CLASSES[CERTIFICATES])
            return balance
        return over_pool

    def is_final(self, n: int, p: Payment) -> bool:
        return self.collected.adjusted[p.number - 1] >= FINAL_DATES[n]

    def cover(self, p: Payment) -> None:
        """What the reserve account and the policy pay (pages 55, 64, 110 to 112).

        Both are sized as if the notes had not been declared due, but for certificate interest.
        """
        note_principal = sum(self.monthly_note_principal(p))
        would_be_paid = note_principal == sum(self.balance[n] for n in NOTES)
        certificate_principal = self.monthly_certificate_principal(p) if would_be_paid else 0
        certificate_interest = self.due(p, CERTIFICATES)
        above = self.fee_owed + sum(self.due(p, n) for n in NOTES) + note_principal
        insurance = self.premium_owed + self.unreimbursed
        insured = not self.insurer_in_default(p.number)
        if not self.accelerated:
            required = above + certificate_interest + certificate_principal
            p.draw = min(self.reserve, max(0, required + insurance - p.available))
            p.claim = max(0, required - p.available - p.draw) if insured else 0
            return
        # It is drawn and claimed in full, whatever the funds (pages 111, 112), after what stands above it.
        left = max(0, p.available - above)
        lacking = [
            max(0, above - p.available),
            certificate_interest,
            max(0, certificate_principal - left),
            max(0, insurance - max(0, left - certificate_principal)),
        ]
        drawn = one_after_the_other(min(self.reserve, sum(lacking)), lacking)
        claimed = [lacking[k] - drawn[k] if insured else 0 for k in range(3)]
        p.draw, p.claim = sum(drawn), sum(claimed)
        p.direct_interest = drawn[1] + claimed[1]
        p.direct_principal = drawn[2] + claimed[2]

    def pay_clauses(self, p: Payment) -> None:
        """The ten clauses of page 57.

        What is drawn for the insurer passes through the collection account too (pages 55 and 57), where
        clause (4) comes first once the notes are declared due; page 44 can be read otherwise.
        """
        note_interest = [self.due(p, n) for n in NOTES]
        certificate_interest = self.due(p, CERTIFICATES)
        note_principal = self.monthly_note_principal(p)
        balances = [self.balance[n] for n in NOTES]
        p.note_principal = sum(note_principal)
        self.cover(p)
        cash = p.available + p.draw + p.claim - p.direct_interest - p.direct_principal
        # (1) Servicing fee with overdue fees.
        cash -= self.clause(p, "1", self.fee_owed, cash)
        p.fee = p.paid["1"]
        # (2) Note interest; when short by what is due to each class (page 58).
        cash -= self.clause(p, "2", sum(note_interest), cash)
        p.interest[:CERTIFICATES] = split(p.paid["2"], note_interest)
        # (3) Certificate interest, not once the notes are declared due.
        if not self.accelerated:
            cash -= self.clause(p, "3", certificate_interest, cash)
            p.interest[CERTIFICATES] = p.paid["3"]
        # (4) Note principal: in order, by balance when short, by balance and without limit once declared due.
        paid = self.clause(p, "4", sum(balances) if self.accelerated else p.note_principal, cash)
        cash -= paid
        by_balance = self.accelerated or paid < p.note_principal
        p.principal[:CERTIFICATES] = split(paid, balances) if by_balance else note_principal
        # (5) Certificate interest then, less what went directly to the certificate account.
        if self.accelerated:
            p.owed["5"] = certificate_interest
            p.paid["5"] = min(cash, certificate_interest - p.direct_interest)
            cash -= p.paid["5"]
            p.interest[CERTIFICATES] = p.paid["5"] + p.direct_interest
        # (6) Certificate principal, once the notes are paid in full.
        p.owed["6"] = self.monthly_certificate_principal(p) if sum(p.principal) == sum(balances) else 0
        p.paid["6"] = min(cash, p.owed["6"] - p.direct_principal)
        cash -= p.paid["6"]
        p.principal[CERTIFICATES] = p.paid["6"] + p.direct_principal
        # (7) and (8) The insurer.
        cash -= self.clause(p, "7", self.premium_owed, cash)
        p.premium = p.paid["7"]
        cash -= self.clause(p, "8", self.unreimbursed, cash)
        p.reimbursement = p.paid["8"]
        # (9) The reserve account, up to its requirement after these payments.
        p.requirement = self.required_reserve(p)
        cash -= self.clause(p, "9", max(0, p.requirement - (self.reserve - p.draw)), cash)
        p.deposit = p.paid["9"]
        # (10) The seller.
        cash -= self.clause(p, "10", cash, cash)
        p.remainder = p.paid["10"]
        assert cash == 0

    def pay_after_sale(self, p: Payment) -> None:
        """Page 67: proceeds in eight steps; what the holders lack comes from the reserve and the policy."""
        note_interest = [self.due(p, n) for n in NOTES]
        balances = [self.balance[n] for n in NOTES]
        p.note_principal = sum(balances)
        # The servicer stands before the holders, and the policy guarantees its fee too (page 64).
        owed = self.fee_owed + sum(self.balance) + sum(self.due(p, n) for n in range(5))
        p.draw = min(self.reserve, max(0, owed - p.available))
        if not self.insurer_in_default(p.number):
            p.claim = max(0, owed - p.available - p.draw)
        cash = p.available + p.draw + p.claim
        # (1) The indenture trustee, whose compensation is not published; (2) the servicer.
        cash -= self.clause(p, "S1", 0, cash)
        cash -= self.clause(p, "S2", self.fee_owed, cash)
        p.fee = p.paid["S2"]
        # (3) to (6) The holders.
        cash -= self.clause(p, "S3", sum(note_interest), cash)
        p.interest[:CERTIFICATES] = split(p.paid["S3"], note_interest)
        cash -= self.clause(p, "S4", sum(balances), cash)
        p.principal[:CERTIFICATES] = split(p.paid["S4"], balances)
        cash -= self.clause(p, "S5", self.due(p, CERTIFICATES), cash)
        p.interest[CERTIFICATES] = p.paid["S5"]
        cash -= self.clause(p, "S6", self.balance[CERTIFICATES], cash)
        p.principal[CERTIFICATES] = p.paid["S6"]
        # The insurer, then the seller.
        p.premium = min(cash, self.premium_owed)
        p.reimbursement = min(cash - p.premium, self.unreimbursed)
        cash -= self.clause(p, "S7", self.premium_owed + self.unreimbursed, cash)
        cash -= self.clause(p, "S8", cash, cash)
        p.remainder = p.paid["S8"]
        p.requirement = self.required_reserve(p)
        assert cash == 0

    def clause(self, p: Payment, clause: str, owed: int, cash: int) -> int:
        """Book a clause: as much of what it owes as there is."""
        p.owed[clause] = owed
        p.paid[clause] = min(owed, cash)
        return p.paid[clause]

    def required_reserve(self, p: Payment) -> int:
        """Page 111: the greatest of three, never more than the securities after the payment."""
        agreed = 0
        if has_begun(self.decisions.agreement_from, p.number):
            agreed = self.decisions.agreement_requires
        greatest = max(RESERVE_FLOOR, part(RESERVE_PART, p.pool), agreed)
        return min(greatest, sum(self.balance) - sum(p.principal))

    # What is carried to the next payment date.

    def close_accounts(self, p: Payment) -> None:
        """Balances, overdue amounts, the excess of the reserve account (page 55), payments of the policy."""
        for n in range(5):
            self.unpaid[n] = self.due(p, n) - p.interest[n]
            self.balance[n] -= p.principal[n]
        p.balance = list(self.balance)
        self.fee_owed -= p.fee
        self.premium_owed -= p.premium
        held = self.reserve - p.draw + p.deposit
        p.release = max(0, held - p.requirement)
        p.closing = self.reserve = held - p.release
        if self.decisions.preference_date == p.number and not self.insurer_in_default(p.number):
            p.preference = self.decisions.preference
        self.unreimbursed += p.claim + p.preference - p.reimbursement
        p.unreimbursed = self.unreimbursed

    def find_events(self, p: Payment) -> None:
        """Page 65: interest or required principal of the notes unpaid, a claim under the policy.

        Once the notes are declared due, the principal payable is what is available (page 44).
        """
        found = {
            "interest unpaid": any(self.unpaid[n] for n in NOTES),
            "principal unpaid": not p.accelerated and sum(p.principal[n] for n in NOTES) < p.note_principal,
            "policy claim": p.claim > 0,
        }
        for event, happened in found.items():
            if happened:
                self.outcome.events.setdefault(event, p.number)


def has_begun(start: int | None, number: int) -> bool:
    return start is not None and start <= number
