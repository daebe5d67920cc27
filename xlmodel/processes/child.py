"""A process of this Python that answers calls, as its parent sees it; what it does is in ``worker.py``."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, cast

from xlmodel.errors import WorkerDied
from xlmodel.processes.worker import Call, receive, send

_COMMAND = [sys.executable, "-c", "from xlmodel.processes.worker import main; main()"]

_START = 120.0  # seconds that a process may take to be ready
_WIDE = 1 << 20  # bytes; what fits in travels in one go


class Child:
    """A process that is started, and ready once ``await_ready`` has returned; calls go one by one.

    ``prepare`` is called in it before it is ready.  ``wide``: with room in its pipes for a megabyte, where
    the system gives it, so that who writes need not wait for who reads.
    """

    def __init__(self, prepare: Call | None = None, *, wide: bool = False) -> None:
        self._process = process = subprocess.Popen(
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # a kill reaches what it has started, Ctrl-C does not reach it
        )
        self._calls, self._answers = cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout)
        if wide:
            _widen(self._calls)
            _widen(self._answers)
        with suppress(OSError):  # one that dies at once is found dead by the call
            send(self._calls, pickle.dumps(sys.path))
            send(self._calls, pickle.dumps(prepare))

    def await_ready(self) -> None:
        """Wait for it, so that no call is charged with its start; a dead one is found dead by its call."""
        guard = threading.Timer(_START, self.kill)
        guard.daemon = True
        guard.start()
        try:
            receive(self._answers)
        finally:
            guard.cancel()

    def send(self, frame: bytes) -> None:
        """Hand over a call, as :func:`call` makes it; a process that has died is found dead by its answer."""
        with suppress(OSError):
            send(self._calls, frame)

    def receive(self) -> bytes | None:
        """The answer to a call, to be read by :func:`answer`; None from a process that died over it."""
        try:
            return receive(self._answers)
        except OSError:
            return None

    def kill(self) -> None:
        """End the process and what it has started, where the system can name them together."""
        if self._process.poll() is not None:
            return
        if hasattr(os, "killpg"):
            with suppress(OSError):  # it is gone, or no longer ours; its pipes are closed all the same
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def dismiss(self, *, kill: bool = False) -> None:
        """Let the process go: a closed pipe is its sign to stop."""
        if kill:
            self.kill()
        for pipe in (self._calls, self._answers):
            with suppress(OSError):
                pipe.close()
        self._process.wait()

    def death(self) -> WorkerDied:
        """The error of a process that gave no answer; it is dismissed."""
        self.dismiss(kill=True)
        return WorkerDied(f"its process died {_how(self._process.returncode)}")


def call(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> bytes:
    """A call as it travels; the function is one that can be imported by name."""
    return pickle.dumps((function, arguments, keywords), pickle.HIGHEST_PROTOCOL)


def answer(frame: bytes) -> tuple[Any, BaseException | None]:
    """The result of a call, or its error."""
    return cast(tuple[Any, BaseException | None], pickle.loads(frame))


def _how(code: int) -> str:
    if code >= 0:
        return f"with exit code {code}"
    try:
        return f"by {signal.Signals(-code).name}"
    except ValueError:
        return f"by signal {-code}"


def _widen(pipe: BinaryIO) -> None:
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):  # the pipes of one user may have only so much
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _WIDE)
