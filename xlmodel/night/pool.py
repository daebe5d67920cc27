"""Supervised processes behind the interface of ``concurrent.futures.Executor``.

The standard pool gives up altogether when one process dies, and cannot end a call that hangs.  Here every
process has a thread that watches it: a call that kills its process, or takes too long and is killed with it,
fails alone, and the next call finds a new process.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any, BinaryIO, cast

from xlmodel.errors import TimedOut, WorkerDied
from xlmodel.night.worker import Call, receive, send

_COMMAND = [sys.executable, "-c", "from xlmodel.night.worker import main; main()"]

_START = 120.0  # seconds that a process may take to be ready

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
        self._items.put((future, pickle.dumps((function, arguments, keywords), pickle.HIGHEST_PROTOCOL)))
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
        self._process: subprocess.Popen[bytes] | None = None
        self.thread = threading.Thread(target=self._serve, name="xlmodel-seat", daemon=True)
        self.thread.start()

    def end(self) -> None:
        """Kill the process, and what it has started; the call under way fails."""
        if self._process is not None:
            _kill(self._process)

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
        self._dismiss()

    def _ask(self, frame: bytes) -> tuple[Any, BaseException | None]:
        """The answer to a call, or the error of a process that gave none."""
        process = self._process = self._process or self._start()
        late = threading.Event()
        timer = None
        if self._pool._timeout is not None:
            timer = threading.Timer(self._pool._timeout, _give_up, (process, late))
            timer.daemon = True
            timer.start()
        try:
            send(cast(BinaryIO, process.stdin), frame)
            answer = receive(cast(BinaryIO, process.stdout))
        except OSError:  # it died while we spoke
            answer = None
        finally:
            if timer is not None:
                timer.cancel()
        if answer is None or late.is_set():
            self._dismiss(kill=True)
        if answer is not None:
            return cast(tuple[Any, BaseException | None], pickle.loads(answer))
        if late.is_set():
            return None, TimedOut(f"it was not done after {self._pool._timeout:g} seconds")
        return None, WorkerDied(f"its process died {_cause(process.returncode)}")

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # a kill reaches what it has started, Ctrl-C does not reach it
        )
        pipe = cast(BinaryIO, process.stdin)
        with suppress(OSError):  # one that dies at once is found dead by the call
            send(pipe, pickle.dumps(sys.path))
            send(pipe, pickle.dumps(self._pool._prepare))
        # Until it is ready, so that the start of a process is not counted as time of a call.
        guard = threading.Timer(_START, _kill, (process,))
        guard.daemon = True
        guard.start()
        receive(cast(BinaryIO, process.stdout))
        guard.cancel()
        return process

    def _dismiss(self, *, kill: bool = False) -> None:
        """Let the process go: a closed pipe is its sign to stop."""
        process, self._process = self._process, None
        if process is None:
            return
        if kill:
            _kill(process)
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                cast(BinaryIO, pipe).close()
        process.wait()


def _give_up(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it has started, where the system can name them together."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _cause(code: int) -> str:
    if code >= 0:
        return f"with exit code {code}"
    try:
        return f"by {signal.Signals(-code).name}"
    except ValueError:
        return f"by signal {-code}"
