"""A night and a grid on a Dask cluster: real scheduler and workers, one of them killed in the middle."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from distributed import Client as AnyClient

from tests.night import hostile
from tests.test_cli import xlmodel
from xlmodel.errors import NoScheduler
from xlmodel.night.cluster import cluster
from xlmodel.night.job import Job, Options, find_jobs
from xlmodel.night.result import Result
from xlmodel.night.run import run

REPOSITORY = Path(__file__).parents[2]
WORKBOOK = REPOSITORY / "workbooks" / "carmax_2024_2"

Client: Any = AnyClient  # it has no type hints
Process = subprocess.Popen[bytes]
Start = Callable[..., Process]
# Without a nanny: one that is killed stays dead.
WORKER = ("--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard")


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Starts a part of a cluster; all of it is ended after the tests."""
    folder = tmp_path_factory.mktemp("cluster")
    started: list[Process] = []

    def begin(*arguments: str, **environment: str) -> Process:
        log = (folder / f"log{len(started)}").open("wb")
        command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
        process = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            cwd=folder,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="module")
def address(start: Start) -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    return f"tcp://127.0.0.1:{port}"


@pytest.fixture
def workers(start: Start, address: str) -> Iterator[list[Process]]:
    """Two workers."""
    processes = [start("dask_worker", address, *WORKER) for _ in range(2)]
    with Client(address, timeout=30, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    yield processes
    for process in processes:
        process.terminate()
        process.wait(20)


def desk(folder: Path, copies: int) -> list[Job]:
    """Copies of a workbook that ties, and a file that is none."""
    for number in range(copies):
        place = folder / f"{number:02}"
        shutil.copytree(WORKBOOK, place, ignore=shutil.ignore_patterns("*.json", "*.sqlite"))
    (folder / "none.xlsx").write_text("no workbook")
    return find_jobs([folder])


@pytest.mark.faces
def test_a_night_completes_although_a_worker_is_killed(
    workers: list[Process], address: str, tmp_path: Path
) -> None:
    jobs = desk(tmp_path, 12)
    heard: list[Result] = []

    def hear(result: Result) -> None:
        heard.append(result)
        if len(heard) == 4:
            workers[0].kill()

    with cluster(address, 60) as executor:
        results = run(jobs, executor, Options(), elsewhere=True, done=hear)
    assert workers[0].poll() == -signal.SIGKILL
    assert workers[1].poll() is None
    assert [result.job for result in results] == jobs
    words = [result.status.word for result in results]
    assert words == ["ok"] * 12 + ["refused"]
    # each was written and recorded here, as a run in this process would have
    alone = desk(tmp_path / "alone", 1)
    run(alone, None, Options())
    expected = alone[0].target.read_bytes()
    for result in results[:-1]:
        assert result.job.target.read_bytes() == expected
        record = json.loads(result.job.target.with_name(f"{result.job.target.name}.json").read_text())
        assert record["checks"][0]["matched"] == 188
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".xlmodel-")]
    # and the next night has nothing to do
    with cluster(address, 60) as executor:
        assert all(r.skipped for r in run(jobs, executor, Options(), elsewhere=True)[:-1])


@pytest.mark.faces
def test_a_workbook_that_hangs_or_dies_costs_no_worker(
    workers: list[Process], address: str, tmp_path: Path
) -> None:
    jobs = desk(tmp_path, 2)
    work = [(hostile.evaluate_hang, "XM-702"), (hostile.evaluate_exit, "XM-701")]
    with cluster(address, 12) as executor:
        with Client(address, set_as_default=False) as client:
            client.run(hostile.find_tests, str(REPOSITORY))
        faults = [executor.submit(function) for function, _ in work]
        said = [str(future.exception()) for future in faults]
        results = run(jobs, executor, Options(), elsewhere=True)
    assert [text[:6] for text in said] == [code for _, code in work]
    assert [result.status.word for result in results] == ["ok", "ok", "refused"]
    assert all(worker.poll() is None for worker in workers)


@pytest.mark.faces
@pytest.mark.usefixtures("workers")
def test_the_command_line_and_the_extras_of_a_night(address: str, tmp_path: Path) -> None:
    desk(tmp_path, 2)
    done = xlmodel("regenerate", ".", "--scheduler", address, "--json", "out.json", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    document = json.loads((tmp_path / "out.json").read_text())
    assert [one["status"] for one in document["workbooks"]] == ["ok", "ok", "refused"]
    assert document["workbooks"][0]["path"] == "00/carmax_2024_2.xlsx"


@pytest.fixture
def other_version(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine on which another version of the program is installed."""
    package = tmp_path / "elsewhere" / "xlmodel"
    shutil.copytree(REPOSITORY / "xlmodel", package, ignore=shutil.ignore_patterns("__pycache__"))
    init = package / "__init__.py"
    init.write_text(re.sub(r'(__version__ = )".*"', r'\1"0.0.1"', init.read_text()))
    return {"PYTHONPATH": str(package.parent)}


@pytest.mark.faces
@pytest.mark.usefixtures("workers")
def test_a_grid_on_the_cluster_is_the_grid_of_one_machine(address: str, tmp_path: Path) -> None:
    """The grid is large enough for several blocks."""
    deal = REPOSITORY / "workbooks" / "carmax_1999_1"
    axes = {
        "--scenario": "stress",
        "--speed": "0.005:0.011:20",
        "--loss": "0:0.03:20",
        "--severity": "0.5,0.6",
    }
    asked = [word for option in axes.items() for word in option]
    for name, where in (("here", ()), ("there", ("--scheduler", address))):
        done = xlmodel("grid", deal, *asked, "--out", tmp_path / name, *where)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    assert len((tmp_path / "there").read_text().splitlines()) == 801


@pytest.mark.faces
def test_workers_with_other_functions_are_refused(
    start: Start, workers: list[Process], address: str, other_version: dict[str, str], tmp_path: Path
) -> None:
    jobs = desk(tmp_path / "desk", 1)
    before = jobs[0].source.read_bytes()
    with cluster(address, 60) as executor, Client(address, set_as_default=False) as client:
        # one that joins after the look at the start refuses the work itself
        old = start("dask_worker", address, *WORKER, **other_version)
        client.wait_for_workers(3, timeout=60)
        for worker in workers:
            worker.kill()
            worker.wait()
        (result,) = run(jobs[:1], executor, Options(), elsewhere=True)
    assert result.status.word == "refused"
    assert str(result.error).startswith(f"XM-704 {jobs[0].source}: the worker has functions 0.0.1+")
    assert jobs[0].source.read_bytes() == before
    # one that is there at the start ends the night before it begins
    done = xlmodel("regenerate", "desk", "--scheduler", address, cwd=tmp_path)
    assert done.returncode == 2
    assert f"XM-704 {address}, worker tcp://" in done.stderr
    assert "the worker has functions 0.0.1+" in done.stderr
    assert "install the same version" in done.stderr
    old.kill()
    old.wait()


@pytest.mark.soak
def test_a_scheduler_that_is_not_there(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    (tmp_path / "none.xlsx").write_text("no workbook")
    start = time.perf_counter()
    done = xlmodel("regenerate", ".", "--scheduler", nobody, cwd=tmp_path)
    assert done.returncode == 1
    assert "XM-703" in done.stderr
    assert nobody in done.stderr
    assert time.perf_counter() - start < 30


@pytest.mark.faces
def test_a_scheduler_without_workers(address: str) -> None:
    with pytest.raises(NoScheduler, match="no workers"), cluster(address, 60):
        pass
