"""The engine beside its peers: projection, scenarios, waterfall, solvers.  Writes bench.json.

    python -m benchmarks.engine

Ours and the peer's take turns, so that a busy machine is busy for both, and the medians count.  Work of one
process is measured in processor time, work of two in time on the wall.  Exits with 1 if a target is missed.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks import peers
from benchmarks.tapes import CONTRACTS, random_tape
from tests.deal import prospectus_1999_1 as prospectus
from tests.deal.tie import DEAL, rep_lines
from xlmodel.analytics.life import average_life
from xlmodel.analytics.solve import break_even
from xlmodel.commands import process
from xlmodel.deal.collect import collect
from xlmodel.deal.folder import read_folder
from xlmodel.deal.scenario import Scenarios, at_speeds, read_scenarios, take
from xlmodel.deal.waterfall import run
from xlmodel.pool.contracts import Pool
from xlmodel.pool.mapped import mapped
from xlmodel.pool.ordered import in_order
from xlmodel.pool.projection import project
from xlmodel.processes.crew import Crew

MONTHS, SPEED = 72, 0.015
FILE = Path("bench.json")
_PEAK = """
from benchmarks.tapes import random_tape
from xlmodel.pool.projection import project
project(random_tape(), [0.015])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) / 1024)
"""


@dataclass(frozen=True)
class Line:
    """One comparison; ``ratio`` is ours over the peer's, ``met`` is ratio <= target."""

    name: str
    ours_seconds: float
    peer: str
    peer_seconds: float
    ratio: float
    target: float
    met: bool


def line(name: str, ours: float, peer: str, theirs: float, target: float) -> Line:
    return Line(name, ours, peer, theirs, ours / theirs, target, ours / theirs <= target)


def in_turns(
    *works: Callable[[], object], rounds: int, clock: Callable[[], float] = time.thread_time
) -> list[float]:
    """The median of each, taken in turns; a round before them has filled every cache."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(1 + rounds):
        for each, work in zip(times, works, strict=True):
            start = clock()
            work()
            each.append(clock() - start)
    return [statistics.median(each[1:]) for each in times]


def projection() -> list[Line]:
    pool, ten = random_tape(), random_tape(10 * CONTRACTS)
    speed = np.array([SPEED])
    terms = (pool.balance, pool.rate, pool.age, pool.remaining_term, SPEED, MONTHS)
    interest, principal = peers.compiled_loop(*terms)
    found = project(pool, speed, months=MONTHS)
    np.testing.assert_allclose(found.interest[0], interest, rtol=1e-9)
    paid = found.scheduled_principal + found.prepaid_principal
    np.testing.assert_allclose(paid[0], principal, rtol=1e-9, atol=1e-3)
    ours, loop = in_turns(lambda: project(pool, speed), lambda: peers.compiled_loop(*terms), rounds=15)
    again, matrices = in_turns(
        lambda: project(pool, speed), lambda: peers.full_matrices(pool, SPEED), rounds=5
    )
    small, large = in_turns(lambda: project(pool, speed), lambda: project(ten, speed), rounds=7)
    speeds = np.linspace(0.001, 0.02, 100)
    with mapped(in_order(pool)) as tape, Crew(2, prepare=(process.set_up, (), {})) as crew:
        np.testing.assert_array_equal(
            project(tape, speeds, crew=crew).interest, project(tape, speeds).interest
        )
        both, one = in_turns(
            lambda: project(tape, speeds, crew=crew),
            lambda: project(tape, speeds),
            rounds=25,
            clock=time.perf_counter,
        )
        laid_out, as_read = in_turns(
            lambda: _laid_out_and_shared(pool, speeds, crew),
            lambda: project(pool, speeds),
            rounds=25,
            clock=time.perf_counter,
        )
    peak = subprocess.run([sys.executable, "-c", _PEAK], check=True, capture_output=True, text=True)
    what = f"{CONTRACTS:,} contracts x {MONTHS} months"
    return [
        line(f"{what}, one speed", ours, "numba, plain loop", loop, 2.0),
        line(f"{what}, one speed", again, "numpy, full matrices", matrices, 0.1),
        line(f"{10 * CONTRACTS:,} contracts", large, f"ten times {CONTRACTS:,}", 10 * small, 1.0),
        line(f"{what}, mapped, 100 speeds, two processes", both, "one process", one, 1 / 1.6),
        # For scale: with the time to put contracts in order and to write the file.
        line(f"{what}, as read, 100 speeds, two processes", laid_out, "one process", as_read, 1.5),
        line(f"{what}, peak memory (MB)", float(peak.stdout), "limit (MB)", 200.0, 1.0),
    ]


def _laid_out_and_shared(pool: Pool, speeds: np.ndarray, crew: Crew) -> object:
    with mapped(in_order(pool)) as tape:
        return project(tape, speeds, crew=crew)


def decrements() -> list[Line]:
    folder = read_folder(DEAL)
    deal, pool = folder.deal, rep_lines(folder)
    columns = (pool.balance, pool.rate, pool.remaining_term, pool.age)
    lines = [(b, r, int(n), int(a)) for b, r, n, a in zip(*(c.tolist() for c in columns), strict=True)]
    classes = [note_class.balance / 100 for note_class in deal.classes]
    cutoff = sum(pool.balance.tolist())

    def whole(speeds: np.ndarray) -> object:
        scenarios = at_speeds(speeds)
        paid = run(deal, collect(deal, pool, scenarios), scenarios)
        return paid.factor, average_life(deal, paid)

    def plain(speed: float) -> object:
        _, ending = peers.plain_python(lines, speed)
        return peers.plain_decrement(ending, classes, cutoff, deal.months_in_first_payment, 0.1)

    def repeat(work: Callable[[np.ndarray], object], speeds: np.ndarray) -> None:
        for _ in some:
            work(speeds)

    dates = run(deal, collect(deal, pool, at_speeds([SPEED])), at_speeds([SPEED])).dates

    days = dates.unadjusted.tolist()
    start, initial = deal.average_life_from, prospectus.BALANCES

    def every_clause(speed: float) -> tuple[list[list[float]], list[float]]:
        monthly, ending = peers.plain_python(lines, speed)
        balances = [round(100 * each) for each in (cutoff, *ending)]
        cash = [
            round(100 * interest) + before - after
            for interest, before, after in zip(monthly, balances[:-1], balances[1:], strict=True)
        ]
        collected = prospectus.Collected(balances, cash, dates.adjusted.tolist(), days)
        payments = prospectus.pay(collected, prospectus.Agreement(), prospectus.Decisions()).payments
        return peers.plain_figures(payments, days, start, initial)

    space = peers.modelx_lines(lines)

    def modelx() -> object:
        space.clear_all()
        return [space.interest(n, m) for n, each in enumerate(lines) for m in range(1, each[2] + 1)]

    table, _ = peers.plain_decrement(
        peers.plain_python(lines, SPEED)[1], classes, cutoff, deal.months_in_first_payment, 0.1
    )
    scenarios = at_speeds([SPEED])
    paid = run(deal, collect(deal, pool, scenarios), scenarios)
    np.testing.assert_allclose(paid.factor[0, : len(table)], table, atol=1e-8)
    table, lives = every_clause(SPEED)
    np.testing.assert_allclose(paid.factor[0], table, atol=1e-9)
    np.testing.assert_allclose(average_life(deal, paid)[0], lives, atol=1e-9)
    thousand, one_speed = np.linspace(0.001, 0.02, 1000), np.array([SPEED])
    some = thousand[::50].tolist()
    # Ours as often a turn as the loops run, each for one speed: neither is timed cold.
    many, one, loop, clauses = in_turns(
        lambda: repeat(whole, thousand),
        lambda: repeat(whole, one_speed),
        lambda: [plain(s) for s in some],
        lambda: [every_clause(s) for s in some],
        rounds=3,
    )
    kernel, by_loop, by_modelx = in_turns(
        lambda: project(pool, thousand),
        lambda: [peers.plain_python(lines, speed) for speed in some],
        modelx,
        rounds=5,
    )
    many, one = many / len(some), one / len(some)
    return [
        line("13 rep lines, 1,000 speeds, decrement and lives", many, "one speed, times 100", 100 * one, 1.0),
        line("13 rep lines, 1,000 speeds, decrement and lives", many, "plain Python", 50 * clauses, 0.01),
        # For scale: loops that do less than ours, which prove nothing about the same work.
        line("the same beside principal alone, no clauses", many, "plain Python", 50 * loop, 1.0),
        line("13 rep lines, 1,000 speeds, pool alone", kernel, "plain Python", 50 * by_loop, 1.0),
        line("13 rep lines, projection, a speed", kernel / 1000, "modelx", by_modelx, 1.0),
    ]


def stressed(count: int) -> Scenarios:
    """Random speeds and cumulative net losses."""
    rng = np.random.default_rng(10)
    headings = ["scenario", "speed", "default model", "default rate", "timing", "severity", "recovery lag"]
    rows = [
        [str(n), rng.uniform(0.005, 0.015), "CNL", rng.uniform(0, 0.09), "40/30/20/10", 0.5, 6.0]
        for n in range(count)
    ]
    return read_scenarios([headings, *rows])


def waterfall() -> list[Line]:
    folder = read_folder(DEAL)
    deal, pool = folder.deal, folder.pool
    scenarios = stressed(1000)
    lag = int(scenarios.recovery_lag.max())

    def together() -> object:
        return run(deal, collect(deal, pool, scenarios), scenarios)

    def alone(n: int) -> object:
        single = take(scenarios, [n])
        return run(deal, collect(deal, pool, single, lag), single)

    some = list(range(0, 1000, 50))
    many, few = in_turns(together, lambda: [alone(n) for n in some], rounds=3)
    base = read_scenarios(
        [
            ["scenario", "speed", "severity", "recovery lag", "insurer default"],
            ["stress", 0.013, 0.5, 4.0, 1.0],
        ]
    )
    stress = read_scenarios(
        [
            [
                "scenario",
                "speed",
                "default model",
                "default rate",
                "severity",
                "recovery lag",
                "insurer default",
            ],
            ["stress", 0.013, "CDR", 0.1, 0.5, 4.0, 1.0],
        ]
    )
    solved, single = in_turns(
        lambda: break_even(deal, pool, base), lambda: run(deal, collect(deal, pool, stress), stress), rounds=5
    )
    return [
        line("1,000 scenarios with losses, waterfall of 1999-1", many, "one by one", 50 * few, 1 / 30),
        line("break-even default rate, five classes", solved, "40 single runs", 40 * single, 1.0),
    ]


def main() -> int:
    lines = [*projection(), *decrements(), *waterfall()]
    print(f"\n{'engine':62} {'ours':>10} {'peer':>10}  {'ratio':>8} {'target':>8}")
    for each in lines:
        name = f"{each.name}: {each.peer}"
        print(
            f"{name:80.80} {each.ours_seconds:10.4f} {each.peer_seconds:10.4f}  {each.ratio:8.4f}"
            f" {each.target:8.4f}  {'met' if each.met else 'MISSED'}"
        )
    FILE.write_text(json.dumps([asdict(each) for each in lines], indent=2) + "\n", encoding="utf-8")
    print(f"wrote {FILE}")
    return 0 if all(each.met for each in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
