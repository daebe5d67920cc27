"""The process of a worker: takes calls from its standard input, one after the other.

A frame is eight bytes of length and a pickle.  The first frame is the search path of the parent, the second a
call that prepares the process, or None, answered by ``ready``.  Each further one is a call ``(function,
arguments, keywords)``, answered by ``(result, None)`` or ``(None, error)``.  What the work prints goes to
standard error.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import struct
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

_LENGTH = struct.Struct(">Q")

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def send(stream: BinaryIO, frame: bytes) -> None:
    """Write a frame."""
    stream.write(_LENGTH.pack(len(frame)))
    stream.write(frame)
    stream.flush()


def receive(stream: BinaryIO) -> bytes | None:
    """The next frame; None when the other side has gone, even in the middle of one."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    frame = stream.read(length)
    return frame if len(frame) == length else None


def main() -> None:
    """Answer calls until the parent closes the pipe, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, frames), daemon=True).start()
    sys.path[:] = pickle.loads(frames.get())
    prepare = pickle.loads(frames.get())
    if prepare is not None:
        _run(prepare)
    send(answers, b"ready")
    while True:
        send(answers, _answer(frames.get()))


def _listen(stream: BinaryIO, frames: queue.SimpleQueue[bytes]) -> None:
    """Hand on what comes; when the parent has gone, so do we, whatever is being worked on."""
    while (frame := receive(stream)) is not None:
        frames.put(frame)
    os._exit(0)


def _answer(frame: bytes) -> bytes:
    try:
        return pickle.dumps((_run(pickle.loads(frame)), None), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:  # SystemExit, too, is an answer of the work and not of this loop
        return _failure(error)


def _run(call: Call) -> Any:
    function, arguments, keywords = call
    return function(*arguments, **keywords)


def _failure(error: BaseException) -> bytes:
    """The error itself if it survives the journey, else what it says."""
    try:
        frame = pickle.dumps((None, error), pickle.HIGHEST_PROTOCOL)
        pickle.loads(frame)
    except Exception:
        return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))
    return frame


if __name__ == "__main__":
    main()
