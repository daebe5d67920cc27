"""A crew: results in their order, errors and deaths told, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.processes.test_supervised import Unpicklable, die, remember, runs
from xlmodel.errors import OutOfRange, WorkerDied
from xlmodel.processes.crew import Crew


def square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def even_only(number: int) -> int:
    if number % 2:
        raise OutOfRange(f"{number} is odd")
    return number


def die_at(number: int, doomed: int, how: str) -> int:
    if number == doomed:
        die(how)
    return number


class Untravelling:
    def __reduce__(self) -> str:
        raise FileNotFoundError("it has no form in which it could travel")


def share_again(here: bool, number: int) -> int:
    """A call that shares work of its own, by the crew that is at work."""
    if here:
        NESTED[0].share(square, [(number,)])
    return number


NESTED: list[Crew] = []


def square_or_interrupt(number: int) -> int:
    """The second call is interrupted, as by Ctrl-C."""
    if number == 2:
        raise KeyboardInterrupt
    time.sleep(60)
    return number


def await_end(process: int) -> None:
    """Until a process is gone, or a zombie."""
    for _ in range(100):
        if not runs(process):
            return
        time.sleep(0.05)
    raise AssertionError(f"process {process} still runs")


def wait(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def fail_at(number: int, doomed: int) -> int:
    if number == doomed:
        raise Unpicklable(1, 2)
    return number


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10])
def test_results_come_in_order_and_the_last_are_done_here(count: int) -> None:
    with Crew(3) as crew:
        results = crew.share(square, [(n,) for n in range(count)])
    assert [result for result, _ in results] == [n * n for n in range(count)]
    processes = [process for _, process in results]
    assert len(set(processes)) == min(count, 3)
    if processes:
        assert processes[-1] == os.getpid()


def test_alone_it_starts_no_process() -> None:
    with Crew(1) as crew:
        assert {process for _, process in crew.share(square, [(n,) for n in range(5)])} == {os.getpid()}


@pytest.mark.parametrize("odd", [0, 5])
def test_an_error_there_or_here_is_raised_and_the_next_work_is_sound(odd: int) -> None:
    with Crew(2) as crew:
        numbers = [2 * n + (n == odd) for n in range(6)]
        with pytest.raises(OutOfRange, match=f"{2 * odd + 1} is odd"):
            crew.share(even_only, [(n,) for n in numbers])
        assert crew.share(even_only, [(n,) for n in range(0, 12, 2)]) == [0, 2, 4, 6, 8, 10]


def test_an_error_that_cannot_travel_is_told_in_words() -> None:
    with Crew(2) as crew, pytest.raises(RuntimeError, match="Unpicklable: 1 and 2"):
        crew.share(fail_at, [(0, 0), (1, 0)])


@pytest.mark.parametrize(("how", "says"), [("exit", "exit code 7"), ("signal", "SIGKILL")])
def test_a_process_that_dies_is_told_and_replaced(how: str, says: str) -> None:
    with Crew(2) as crew:
        before = crew.share(square, [(1,), (2,)])[0][1]
        with pytest.raises(WorkerDied, match=says):
            crew.share(die_at, [(0, 0, how), (1, 0, how)])
        assert crew.share(square, [(1,), (2,)])[0][1] not in (before, os.getpid())


def test_a_process_that_died_between_two_works_is_told() -> None:
    with Crew(2) as crew:
        other = crew.share(square, [(1,), (2,)])[0][1]
        os.kill(other, signal.SIGKILL)
        await_end(other)
        with pytest.raises(WorkerDied):
            crew.share(square, [(1,), (2,)])
        assert [result for result, _ in crew.share(square, [(1,), (2,)])] == [1, 4]


def test_the_others_are_prepared_once_and_end_with_the_block(tmp_path: Path) -> None:
    note = tmp_path / "note"
    with Crew(2, prepare=(remember, (str(note),), {})) as crew:
        first = crew.share(square, [(1,), (2,)])[0][1]
        assert crew.share(square, [(1,), (2,)])[0][1] == first
    assert note.read_text() == "prepared\n"
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


@pytest.mark.parametrize(
    ("count", "processes", "shares"),
    [(2, 2, [1, 1]), (3, 2, [1, 2]), (7, 3, [2, 2, 3]), (5, 4, [1, 1, 1, 2]), (2, 6, [1, 1])],
)
def test_no_share_is_longer_than_the_last(count: int, processes: int, shares: list[int]) -> None:
    with Crew(processes) as crew:
        done = [process for _, process in crew.share(square, [(n,) for n in range(count)])]
    assert [len(list(group)) for _, group in groupby(done)] == shares


def test_only_those_start_who_have_work() -> None:
    with Crew(6) as crew:
        crew.share(square, [(1,), (2,), (3,)])
        assert len(crew._others) == 2


def test_the_first_call_that_fails_is_told() -> None:
    with Crew(2) as crew, pytest.raises(OutOfRange, match="3 is odd"):
        crew.share(even_only, [(2,), (3,), (4,), (5,)])


def test_a_crew_at_work_takes_no_other_work() -> None:
    """From another thread, and from one of its own calls."""
    with Crew(2) as crew:
        crew.share(wait, [(0.0,), (0.0,)])
        thread = threading.Thread(target=crew.share, args=(wait, [(0.5,), (0.5,)]))
        thread.start()
        time.sleep(0.1)
        with pytest.raises(RuntimeError, match="at work"):
            crew.share(square, [(1,), (2,)])
        thread.join()
        NESTED[:] = [crew]
        with pytest.raises(RuntimeError, match="at work"):
            crew.share(share_again, [(False, 1), (True, 2)])
        assert [result for result, _ in crew.share(square, [(1,), (2,)])] == [1, 4]


def test_a_crew_is_closed_with_its_block() -> None:
    with Crew(2) as crew:
        crew.share(square, [(1,), (2,)])
    with pytest.raises(RuntimeError, match="closed"):
        crew.share(square, [(1,), (2,)])


def test_what_cannot_travel_is_told_and_leaves_nobody_waiting() -> None:
    with Crew(2) as crew:
        with pytest.raises(FileNotFoundError, match="no form"):
            crew.share(square, [(Untravelling(),), (2,)])
        assert [result for result, _ in crew.share(square, [(1,), (2,)])] == [1, 4]


def test_an_interruption_ends_the_others() -> None:
    with Crew(2) as crew:
        other = crew.share(square, [(1,), (2,)])[0][1]
        with pytest.raises(KeyboardInterrupt):
            crew.share(square_or_interrupt, [(1,), (2,)])
        await_end(other)


def test_a_start_that_fails_leaves_nobody_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    popen = subprocess.Popen

    def once(*arguments: Any, **keywords: Any) -> Any:
        if started:
            raise OSError("no more processes")
        process = popen(*arguments, **keywords)
        started.append(process.pid)
        return process

    with Crew(3) as crew:
        monkeypatch.setattr(subprocess, "Popen", once)
        with pytest.raises(OSError, match="no more processes"):
            crew.share(square, [(1,), (2,), (3,)])
        await_end(started[0])


def test_what_is_larger_than_a_pipe_passes() -> None:
    with Crew(2) as crew:
        large = bytes(5_000_000)
        assert crew.share(bytes.upper, [(large,), (large,)]) == [large, large]
