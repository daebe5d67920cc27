"""Processes that evaluate batches, so that a call which never ends can be stopped and the server goes on.

A thread could not be stopped.  An evaluator has no state beyond its caches; one that is lost is replaced.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from xlmodel.errors import EvaluatorLost, TooLarge, TooSlow, XlmodelError
from xlmodel.faces.officejs.limits import Limits

log = logging.getLogger(__name__)

# Spawned on every system: a fork would copy the threads' locks and the server's sockets.
_processes = get_context("spawn")

_MEMORY = 2 * 2**30  # what the calls of an evaluator may add to what it needs at its start
_START_SECONDS = 60.0


class Evaluators:
    """The evaluators of one server process."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._threads = ThreadPoolExecutor(limits.evaluators, thread_name_prefix="evaluator")
        self._all = [_Evaluator(limits) for _ in range(limits.evaluators)]
        self._free: asyncio.Queue[_Evaluator] = asyncio.Queue()
        for evaluator in self._all:
            self._free.put_nowait(evaluator)

    async def start(self) -> None:
        """Start all, so that the first recalculation does not wait for it."""
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(self._threads, each.start) for each in self._all))

    async def answer(self, body: bytes) -> bytes:
        """The answers of a batch, when an evaluator is free.

        Raises MalformedBatch, TooLarge, TooSlow, EvaluatorLost.
        """
        # shielded: a client that goes away must not set an evaluator free while it works
        return await asyncio.shield(asyncio.create_task(self._answer(body)))

    async def _answer(self, body: bytes) -> bytes:
        evaluator = await self._free.get()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, evaluator.answer, body)
        finally:
            self._free.put_nowait(evaluator)

    def stop(self) -> None:
        for evaluator in self._all:
            evaluator.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Evaluator:
    """One process, used by one thread at a time."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: BaseProcess | None = None

    def start(self) -> None:
        self._connection, theirs = _processes.Pipe()
        process = _processes.Process(target=_evaluate, args=(theirs, self._limits), daemon=True)
        process.start()
        theirs.close()  # or the end of the process would not be noticed
        self._process = process
        if not self._connection.poll(_START_SECONDS):
            raise EvaluatorLost(f"an evaluator did not start within {_START_SECONDS:g} seconds")
        self._connection.recv()

    def answer(self, body: bytes) -> bytes:
        try:
            if self._process is None:
                self.start()
            self._connection.send_bytes(body)
            if not self._connection.poll(self._limits.seconds):
                self.stop()
                raise TooSlow(f"the batch took longer than {self._limits.seconds:g} seconds and was stopped")
            reply = self._connection.recv()
        except (EOFError, OSError) as error:
            self.stop()
            log.warning("an evaluator was lost: %s", error)
            raise EvaluatorLost("the process that evaluated the batch has ended") from None
        if isinstance(reply, XlmodelError):
            raise reply
        return reply  # type: ignore[no-any-return]  # _evaluate sends an error or bytes

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
            self._connection.close()


def _evaluate(connection: Connection, limits: Limits) -> None:
    """What an evaluator does until the server closes the connection."""
    from xlmodel.faces.officejs.batch import answer_batch

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server stops it
    _limit_memory()
    connection.send(b"ready")
    while True:
        try:
            body = connection.recv_bytes()
        except EOFError:
            return
        reply: bytes | XlmodelError
        try:
            reply = answer_batch(body, limits)
        except XlmodelError as error:
            reply = error
        except MemoryError:
            reply = TooLarge("the answers do not fit into memory", remedy="ask for smaller arrays")
        connection.send(reply)
        del body, reply


def _limit_memory() -> None:
    """So that one absurd array is an error of its batch and not the end of the machine; Linux only."""
    if sys.platform != "linux":
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(
        resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
    )
