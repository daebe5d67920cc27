"""An existing Dask cluster as an executor: the only place that knows ``distributed``.

Workbooks travel as bytes, figures with them, so that the machines need share no disk; what comes back is
written here.  On its machine a worker does the work in a supervised process of its own: a workbook that hangs
or kills its process costs the cluster no worker, and Dask, which can end no work by itself, need not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from xlmodel.errors import BadUsage, NoScheduler
from xlmodel.night.versions import Versions, versions
from xlmodel.night.work import differing
from xlmodel.processes.supervised import SupervisedPool

_PATIENCE = 10.0  # seconds for the scheduler to answer

_pools = threading.local()


@contextmanager
def cluster(address: str, timeout: float | None) -> Iterator[Executor]:
    """The workers of the scheduler at an address, such as ``tcp://10.0.0.5:8786``.

    Raises BadUsage where the extra is not installed, NoScheduler where nobody answers or works,
    VersionsDiffer for a worker with other functions, code or libraries.
    """
    try:
        from distributed import Client as connect
    except ImportError:
        raise BadUsage(
            "--scheduler needs the library distributed", remedy="pip install 'xlmodel[cluster]'"
        ) from None
    make: Any = connect  # it has no type hints
    try:
        client = make(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise NoScheduler(f"{address} does not answer: {error}") from None
    try:
        _require_same(client, address)
        yield _Workers(client, timeout)
    finally:
        client.close()


class _Workers(Executor):
    """Dask's own executor, with every call sent through a supervised process on the worker."""

    def __init__(self, client: Any, timeout: float | None) -> None:
        self._executor = client.get_executor(pure=False)
        self._timeout = timeout

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(supervised, self._timeout, function, arguments, keywords)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait=wait)


def supervised(timeout: float | None, function: Callable[..., Any], arguments: Any, keywords: Any) -> Any:
    """On a worker: a call in a process that is kept for the next one.  Raises WorkerDied, TimedOut."""
    known: tuple[float | None, SupervisedPool] | None = getattr(_pools, "known", None)
    if known is None or known[0] != timeout:
        if known is not None:
            known[1].shutdown()
        known = _pools.known = timeout, SupervisedPool(1, timeout=timeout)
    return known[1].submit(function, *arguments, **keywords).result()


def _require_same(client: Any, address: str) -> None:
    """Every worker answers with the same functions; one that joins later refuses work by itself."""
    try:
        found: dict[str, Versions] = client.run(versions)
    except Exception as error:  # a worker without xlmodel cannot even read the question
        raise NoScheduler(
            f"a worker of {address} cannot tell its version: {type(error).__name__}: {error}",
            remedy="install this version of xlmodel on every machine of the cluster",
        ) from None
    if not found:
        raise NoScheduler(f"{address} has no workers", remedy="start them: dask worker " + address)
    for worker, known in found.items():
        if known != versions():
            raise differing(versions(), known).at(file=f"{address}, worker {worker}")
