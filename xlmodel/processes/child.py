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

from xlmodel.processes.worker import Call, receive, send

_COMMAND = [sys.executable, "-c", "from xlmodel.processes.worker import main; main()"]

_START = 120.0  # seconds that a process may take to be ready
_PIPE = 1 << 20  # bytes; what fits in travels in one go


class Child:
    """A process that is ready; ``prepare`` is called in it before it is."""

    def __init__(self, prepare: Call | None = None) -> None:
        self._process = process = subprocess.Popen(
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # a kill reaches what it has started, Ctrl-C does not reach it
        )
        self._calls, self._answers = cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout)
        for pipe in (self._calls, self._answers):
            _widen(pipe)
        with suppress(OSError):  # one that dies at once is found dead by the call
            send(self._calls, pickle.dumps(sys.path))
            send(self._calls, pickle.dumps(prepare))
        # Until it is ready, so that the start of a process is not counted as time of a call.
        guard = threading.Timer(_START, self.kill)
        guard.daemon = True
        guard.start()
        receive(self._answers)
        guard.cancel()

    def send(self, frame: bytes) -> None:
        """Hand over a call, as :func:`call` makes it.  OSError from a process that has died."""
        send(self._calls, frame)

    def receive(self) -> tuple[Any, BaseException | None] | None:
        """Result and error of the call; None from a process that died over it."""
        answer = receive(self._answers)
        return None if answer is None else cast(tuple[Any, BaseException | None], pickle.loads(answer))

    def kill(self) -> None:
        """End the process and what it has started, where the system can name them together."""
        if self._process.poll() is not None:
            return
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
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

    @property
    def end(self) -> str:
        """How a process that has been dismissed ended, as in "its process died by SIGKILL"."""
        code = self._process.returncode
        if code >= 0:
            return f"with exit code {code}"
        try:
            return f"by {signal.Signals(-code).name}"
        except ValueError:
            return f"by signal {-code}"


def call(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> bytes:
    """A call as it travels; the function is one that can be imported by name."""
    return pickle.dumps((function, arguments, keywords), pickle.HIGHEST_PROTOCOL)


def _widen(pipe: BinaryIO) -> None:
    """Room for more than 64 KB, where the system gives it: who writes need not wait for who reads."""
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):  # one user's pipes may have only so much
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE)
