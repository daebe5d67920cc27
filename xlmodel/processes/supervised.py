"""Supervised processes behind the interface of ``concurrent.futures.Executor``.

The standard pool gives up altogether when one process dies, and cannot end a call that hangs.  Here every
process has a thread that watches it: a call that kills its process, or takes too long and is killed with it,
fails alone, and the next call finds a new process.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from xlmodel.errors import TimedOut
from xlmodel.processes.child import Child, answer, call
from xlmodel.processes.worker import Call

_Item = tuple[Future[Any], bytes]


class SupervisedPool(Executor):
    """Processes that are watched; ``prepare`` is called in each before its first work.

    ``timeout``: seconds that a call may take, None for any number.  A call fails with WorkerDied or TimedOut.
    Used as a context, an exception that leaves the block ends the work at once.
    """

    def __init__(self, processes: int, *, timeout: float | None = None, prepare: Call | None = None) -> None:
        self.processes = processes
        self._timeout = timeout
        self._prepare = prepare
        self._items: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._closed = False
        self._seats = [_Seat(self) for _ in range(processes)]

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """As ``Executor.submit``; what is called must be importable by name."""
        if self._closed:
            raise RuntimeError("the pool is closed")
        future: Future[Any] = Future()
        self._items.put((future, call(function, *arguments, **keywords)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As ``Executor.shutdown``."""
        self._closed = True
        if cancel_futures:
            self._cancel_waiting()
        for _ in self._seats:
            self._items.put(None)
        if wait:
            for seat in self._seats:
                seat.thread.join()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            self._cancel_waiting()
            for seat in self._seats:
                seat.end()
        self.shutdown()

    def _cancel_waiting(self) -> None:
        while not self._items.empty():
            try:
                item = self._items.get_nowait()
            except queue.Empty:
                return
            if item is not None:
                item[0].cancel()


class _Seat:
    """A place in the pool: the thread that watches, and the process that sits there now, if any."""

    def __init__(self, pool: SupervisedPool) -> None:
        self._pool = pool
        self._child: Child | None = None
        self.thread = threading.Thread(target=self._serve, name="xlmodel-seat", daemon=True)
        self.thread.start()

    def end(self) -> None:
        """Kill the process, and what it has started; the call under way fails."""
        if self._child is not None:
            self._child.kill()

    def _serve(self) -> None:
        while (item := self._pool._items.get()) is not None:
            future, frame = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result, error = self._ask(frame)
            except BaseException as fault:
                result, error = None, fault
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
        if self._child is not None:
            self._child.dismiss()

    def _ask(self, frame: bytes) -> tuple[Any, BaseException | None]:
        """The answer to a call, or the error of a process that gave none."""
        if self._child is None:
            self._child = Child(self._pool._prepare)
            self._child.await_ready()
        child, late, timer = self._child, threading.Event(), None
        if self._pool._timeout is not None:
            timer = threading.Timer(self._pool._timeout, _give_up, (child, late))
            timer.daemon = True
            timer.start()
        try:
            child.send(frame)
            answered = child.receive()
        finally:
            if timer is not None:
                timer.cancel()
        if answered is None or late.is_set():
            self._child = None
            death = child.death()
        if answered is not None:
            return answer(answered)
        if late.is_set():
            return None, TimedOut(f"it was not done after {self._pool._timeout:g} seconds")
        return None, death


def _give_up(child: Child, late: threading.Event) -> None:
    late.set()
    child.kill()
