"""The supervised pool: a call that hangs, dies or fails does so alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from typing import Any

import pytest

from xlmodel.errors import TimedOut, WorkerDied, XlmodelError
from xlmodel.processes.supervised import SupervisedPool


def double(number: int) -> int:
    return 2 * number


def process_id() -> int:
    return os.getpid()


def die(how: str) -> None:
    if how == "exit":
        os._exit(7)
    os.kill(os.getpid(), signal.SIGKILL)


def sleep_then(path: str, seconds: float) -> None:
    time.sleep(seconds)
    Path(path).write_text("done")


def shell_that_outlives(path: str) -> None:
    """As a conversion by another program: a child of the worker that would go on without it."""
    subprocess.run(["sh", "-c", f"sleep 4; echo done > '{path}'"], check=True)


def shout() -> str:
    print("this is no answer")  # the pipe of the answers is not standard output
    return "answer"


class Unpicklable(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail(kind: str) -> None:
    if kind == "ours":
        raise WorkerDied("on purpose")
    if kind == "exit":
        raise SystemExit(3)
    raise Unpicklable(1, 2)


def remember(path: str) -> None:
    with Path(path).open("a") as file:
        file.write("prepared\n")


def test_it_is_an_executor() -> None:
    with SupervisedPool(2) as pool:
        assert isinstance(pool, Executor)
        assert list(pool.map(double, range(20))) == [0, 2, 4, 6, 8, *range(10, 40, 2)]
        futures: list[Future[int]] = [pool.submit(process_id) for _ in range(20)]
        ids = {future.result() for future in futures}
    assert os.getpid() not in ids
    assert len(ids) <= 2
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(double, 1)


@pytest.mark.parametrize(("how", "says"), [("exit", "exit code 7"), ("signal", "SIGKILL")])
def test_a_process_that_dies_fails_its_call_and_is_replaced(how: str, says: str) -> None:
    with SupervisedPool(1) as pool:
        before, dead, after = pool.submit(process_id), pool.submit(die, how), pool.submit(process_id)
        with pytest.raises(WorkerDied, match=says):
            dead.result()
        assert before.result() != after.result()


@pytest.mark.soak
def test_a_call_that_takes_too_long_is_ended_with_what_it_started(tmp_path: Path) -> None:
    start = time.perf_counter()
    with SupervisedPool(1, timeout=2) as pool:
        late = [
            pool.submit(sleep_then, str(tmp_path / "slept"), 60),
            pool.submit(shell_that_outlives, str(tmp_path / "shell")),
        ]
        quick = pool.submit(double, 4)
        for future in late:
            with pytest.raises(TimedOut, match="after 2 seconds"):
                future.result()
        assert quick.result() == 8
    assert time.perf_counter() - start < 60
    time.sleep(4)
    assert list(tmp_path.iterdir()) == []


def test_errors_and_prints_of_the_work() -> None:
    with SupervisedPool(1) as pool:
        assert pool.submit(shout).result() == "answer"
        with pytest.raises(XlmodelError, match="on purpose"):
            pool.submit(fail, "ours").result()
        with pytest.raises(SystemExit):
            pool.submit(fail, "exit").result()
        with pytest.raises(RuntimeError, match="Unpicklable: 1 and 2"):
            pool.submit(fail, "unpicklable").result()
        assert pool.submit(double, 1).result() == 2


def test_each_process_is_prepared_once(tmp_path: Path) -> None:
    note = tmp_path / "note"
    with SupervisedPool(1, prepare=(remember, (str(note),), {})) as pool:
        assert [pool.submit(double, n).result() for n in (1, 2)] == [2, 4]
        with pytest.raises(WorkerDied):
            pool.submit(die, "exit").result()
        assert pool.submit(double, 3).result() == 6
    assert note.read_text() == "prepared\n" * 2


def test_an_exception_in_the_block_ends_the_work_at_once(tmp_path: Path) -> None:
    start = time.perf_counter()
    futures = []
    with pytest.raises(KeyboardInterrupt), SupervisedPool(1) as pool:  # noqa: PT012
        pool.submit(double, 1).result()
        futures = [pool.submit(sleep_then, str(tmp_path / "slept"), 60) for _ in range(3)]
        time.sleep(0.3)
        raise KeyboardInterrupt
    assert time.perf_counter() - start < 20
    with pytest.raises(WorkerDied, match="SIGKILL"):
        futures[0].result()
    with pytest.raises(CancelledError):
        futures[2].result()


def test_a_parent_that_is_killed_leaves_no_worker_behind(tmp_path: Path) -> None:
    code = (
        "from tests.processes.test_supervised import process_id, sleep_then\n"
        "from xlmodel.processes.supervised import SupervisedPool\n"
        "pool = SupervisedPool(1)\n"
        "print(pool.submit(process_id).result(), flush=True)\n"
        f"pool.submit(sleep_then, {str(tmp_path / 'slept')!r}, 5).result()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        time.sleep(0.5)
        parent.kill()
    for _ in range(50):
        if not runs(worker):
            break
        time.sleep(0.1)
    assert not runs(worker)
    assert not (tmp_path / "slept").exists()


def runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


class ReadElsewhere:
    """An answer that this process cannot read, as of a file that only the other one has."""

    def __reduce__(self) -> tuple[Any, ...]:
        return open, ("/nowhere/at/all",)


def test_an_answer_that_cannot_be_read_is_no_death() -> None:
    with SupervisedPool(1) as pool:
        before = pool.submit(process_id).result()
        with pytest.raises(FileNotFoundError):
            pool.submit(ReadElsewhere).result()
        assert pool.submit(process_id).result() == before
