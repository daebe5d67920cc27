"""The synthetic tape against the prospectus, read here by itself: csv and exact decimals, no code of ours.

Printed figures are those of workbooks/carmax_1999_1_pool/published/figures.csv.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from xlmodel.errors import TapeNotMade
from xlmodel.pool.synthetic.targets import Figures, read_targets
from xlmodel.workbook.tape_proof import make_tape, prove

ROOT = Path(__file__).parents[2]
PRINTED = ROOT / "workbooks" / "carmax_1999_1_pool" / "published" / "figures.csv"
Contract = dict[str, str]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("tape") / "tape.csv"
    assert make_tape("carmax_1999_1", target, 1999) == 63_556
    return target


@pytest.fixture(scope="module")
def contracts(file: Path) -> list[Contract]:
    with file.open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def printed() -> dict[tuple[str, str, str], str]:
    with PRINTED.open(newline="") as stream:
        return {(r["table"], r["row"], r["measure"]): r["printed"] for r in csv.DictReader(stream)}


def rounded(value: Decimal, like: str) -> str:
    """A value as it would be printed beside ``like``."""
    percent = like.endswith("%")
    unit = Decimal(1).scaleb(Decimal(like.removesuffix("%")).as_tuple().exponent)  # type: ignore[arg-type]  # a number's exponent is an int
    return f"{(value * 100 if percent else value).quantize(unit, ROUND_HALF_UP)}{'%' if percent else ''}"


def whole_years(value: str, first: int) -> str:
    return str(max(int(value), first))


def term_bucket(contract: Contract) -> str:
    start = (int(contract["remaining term"]) - 1) // 12 * 12 + 1
    return f"{start}-{start + 11}"


def rate_bucket(contract: Contract) -> str:
    return str(min(int(Decimal(contract["rate"]) * 100), 18))


NAMED = {"DC", "FL", "GA", "IL", "MD", "NC", "SC", "TX", "VA", "WI"}
BUCKETS: dict[str, Callable[[Contract], str]] = {
    "remaining_term": term_bucket,
    "state": lambda c: c["state"] if c["state"] in NAMED else "other",
    "model_year": lambda c: whole_years(c["model year"], 1988),
    "contract_rate": rate_bucket,
}


@pytest.mark.parametrize("table", BUCKETS)
def test_a_distribution_is_the_printed_one(
    contracts: list[Contract], printed: dict[tuple[str, str, str], str], table: str
) -> None:
    """Counts exact, balances to the cent, both percentages as printed."""
    counts: Counter[str] = Counter()
    balances: dict[str, Decimal] = defaultdict(Decimal)
    for contract in contracts:
        bucket = BUCKETS[table](contract)
        counts[bucket] += 1
        balances[bucket] += Decimal(contract["balance"])
    assert set(counts) == {row for name, row, _ in printed if name == table} - {"total"}
    for row in counts:
        assert str(counts[row]) == printed[table, row, "count"]
        assert str(balances[row]) == printed[table, row, "balance"]
        for measure, part in (("count", Decimal(counts[row]) / 63_556), ("balance", balances[row] / TOTAL)):
            wanted = printed[table, row, f"{measure}_percent"]
            assert rounded(part, wanted) == wanted, (row, measure)
    assert sum(balances.values()) == TOTAL


TOTAL = Decimal("643957759.72")  # page 31


def averages(contracts: list[Contract], heading: str) -> Decimal:
    weight = sum((Decimal(c["balance"]) for c in contracts), Decimal(0))
    return sum((Decimal(c["balance"]) * Decimal(c[heading]) for c in contracts), Decimal(0)) / weight


def test_the_composition_is_the_printed_one(
    contracts: list[Contract], printed: dict[tuple[str, str, str], str]
) -> None:
    for row in ("new", "used", "total"):
        some = [c for c in contracts if row in (c["vehicle"], "total")]
        found = {
            "count": Decimal(len(some)),
            "balance": sum((Decimal(c["balance"]) for c in some), Decimal(0)),
            "original": sum((Decimal(c["original balance"]) for c in some), Decimal(0)),
            "rate": averages(some, "rate"),
            "remaining_term": averages(some, "remaining term"),
            "original_term": averages(some, "original term"),
        }
        for measure, value in found.items():
            wanted = printed["composition", row, measure]
            assert rounded(value, wanted) == wanted, (row, measure)


def hypothetical_pool(contract: Contract) -> str:
    """By original term in years, and months since origination in years; the last open."""
    original, age = (
        int(contract["original term"]),
        int(contract["original term"]) - int(contract["remaining term"]),
    )
    years = {36: 2, 48: 3, 60: 4, 72: 4}
    before = 0
    for longest, ages in years.items():
        if original <= longest:
            return str(before + min((age - 1) // 12 + 1, ages))
        before += ages
    raise AssertionError(original)


def test_the_hypothetical_pools_are_the_printed_ones(
    contracts: list[Contract], printed: dict[tuple[str, str, str], str]
) -> None:
    """Balances to the cent, rates to a thousandth of a percent, terms to the month (page 34)."""
    pools: dict[str, list[Contract]] = defaultdict(list)
    for contract in contracts:
        pools[hypothetical_pool(contract)].append(contract)
    assert sorted(map(int, pools)) == list(range(1, 14))
    for pool, some in pools.items():
        assert str(sum(Decimal(c["balance"]) for c in some)) == printed["hypothetical_pools", pool, "balance"]
        for measure in ("rate", "original_term", "remaining_term"):
            wanted = printed["hypothetical_pools", pool, measure]
            assert rounded(averages(some, measure.replace("_", " ")), wanted) == wanted, (pool, measure)


def test_the_selection_criteria_are_met(contracts: list[Contract]) -> None:
    """Pages 30 and 32."""
    for c in contracts:
        balance, original = Decimal(c["balance"]), Decimal(c["original balance"])
        term, left = int(c["original term"]), int(c["remaining term"])
        assert Decimal(500) <= balance <= original <= Decimal(50_000)
        assert 12 <= term <= 72
        assert 3 <= left <= 70
        assert term - left >= 2
        assert Decimal("0.05") <= Decimal(c["rate"]) <= Decimal("0.25")
        assert 0 <= int(c["days past due"]) <= 30
        assert c["vehicle"] in ("new", "used")


def test_every_other_state_is_small(contracts: list[Contract]) -> None:
    counts: Counter[str] = Counter()
    balances: dict[str, Decimal] = defaultdict(Decimal)
    for c in contracts:
        if c["state"] not in NAMED:
            counts[c["state"]] += 1
            balances[c["state"]] += Decimal(c["balance"])
    assert len(counts) >= 8
    assert max(counts.values()) < Decimal("0.0030") * 63_556
    assert max(balances.values()) < Decimal("0.0030") * TOTAL


def test_payments_amortise_nearly(contracts: list[Contract]) -> None:
    """Level payments pay off the original balance: what is left is within three percent of what is due."""
    for c in contracts[::97]:
        rate, term, left = float(c["rate"]) / 12, int(c["original term"]), int(c["remaining term"])
        due = (1 - (1 + rate) ** -left) / (1 - (1 + rate) ** -term)
        assert float(c["balance"]) / float(c["original balance"]) == pytest.approx(due, rel=0.03)


def test_no_vehicle_is_newer_than_its_contract(contracts: list[Contract]) -> None:
    for c in contracts:
        age = int(c["original term"]) - int(c["remaining term"])
        assert int(c["model year"]) <= (1999 * 12 + 8 - age) // 12 + 1


def test_it_says_that_it_is_synthetic(contracts: list[Contract]) -> None:
    assert next(iter(contracts[0])) == "synthetic contract"
    assert all(c["synthetic contract"].startswith("SYNTHETIC-") for c in contracts)


@pytest.mark.soak
def test_one_seed_gives_one_tape_and_another_seed_another(file: Path, tmp_path: Path) -> None:
    make_tape("carmax_1999_1", tmp_path / "again.csv", 1999)
    make_tape("carmax_1999_1", tmp_path / "other.csv", 7)
    assert (tmp_path / "again.csv").read_bytes() == file.read_bytes()
    assert (tmp_path / "other.csv").read_bytes() != file.read_bytes()
    assert prove("carmax_1999_1", tmp_path / "other.csv").ok


def test_the_proof_counts_every_figure_and_names_a_miss(file: Path, tmp_path: Path) -> None:
    proof = prove("carmax_1999_1", file)
    assert proof.ok
    assert sum(proof.compared.values()) == sum(proof.matched.values()) == 266
    spoiled = file.read_text().replace(",used,1995,", ",used,1994,", 1)
    (tmp_path / "spoiled.csv").write_text(spoiled)
    found = prove("carmax_1999_1", tmp_path / "spoiled.csv")
    assert not found.ok
    assert any(
        line.startswith("model_year/1995:count: printed 17301, the tape shows 17300") for line in found.misses
    )


def test_a_contract_that_breaks_a_criterion_is_counted(file: Path, tmp_path: Path) -> None:
    head, first, *rest = file.read_text().splitlines()
    cells = first.split(",")
    cells[-1] = "31"
    (tmp_path / "late.csv").write_text("\n".join([head, ",".join(cells), *rest]) + "\n")
    found = prove("carmax_1999_1", tmp_path / "late.csv")
    assert found.broken["not more than 30 days delinquent"] == 1
    assert not found.ok


def figures(printed: dict[tuple[str, str, str], str]) -> Figures:
    return {
        key: float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        for key, text in printed.items()
        if "-" not in text
    }


def test_tables_that_do_not_add_up_make_no_tape(printed: dict[tuple[str, str, str], str]) -> None:
    changed = {**printed, ("state", "TX", "balance"): "115056235.32"}
    with pytest.raises(TapeNotMade, match=r"the table state adds up to 643,957,759\.73"):
        read_targets(figures(changed))
    missing = {key: text for key, text in printed.items() if key[0] != "state"}
    with pytest.raises(TapeNotMade, match="state is not printed"):
        read_targets(figures(missing))
