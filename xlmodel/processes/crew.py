"""This process and some beside it, which do the parts of one piece of work at the same time.

For work of milliseconds: who shares it out works too, and waits for the others only at the end.  Work that
may hang or kill its process belongs in a supervised pool (``supervised.py``).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import TracebackType
from typing import Any

from xlmodel.processes.child import Child, answer, call
from xlmodel.processes.worker import Call

_Calls = Sequence[tuple[Any, ...]]
_Answer = tuple[list[Any], BaseException | None]


class Crew:
    """So many processes, this one among them; ``prepare`` is called in each of the others when it starts.

    The others start with the first work that needs them, and anew after work that has failed.  They end with
    the block that the crew is used in.
    """

    def __init__(self, processes: int, *, prepare: Call | None = None) -> None:
        self.processes = processes
        self._prepare = prepare
        self._others: list[Child] = []
        self._at_work = threading.Lock()
        self._closed = False

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        self._dismiss(kill=error is not None)

    def share(self, function: Callable[..., Any], calls: _Calls) -> list[Any]:
        """The results of a function that can be imported by name, for each of the arguments, in their order.

        The last of them are done here.  Raises what the first call that fails has raised, WorkerDied where a
        process died over its calls, and RuntimeError for a crew that is at work already, in another thread
        or by one of the calls, or whose block has ended.
        """
        if self._closed:
            raise RuntimeError("the crew is closed")
        if not self._at_work.acquire(blocking=False):
            raise RuntimeError("the crew is at work; it does one piece of work at a time")
        try:
            *theirs, ours = _dealt(calls, self.processes)
            frames = [call(_all, function, share) for share in theirs]
            others = self._ready(len(frames))
            for other, frame in zip(others, frames, strict=True):
                other.send(frame)
            mine = _tried(function, ours)
            return _joined([*map(_answer_of, others), mine])
        except BaseException:
            self._dismiss(kill=True)  # what they have not answered yet would answer the next call
            raise
        finally:
            self._at_work.release()

    def _ready(self, count: int) -> list[Child]:
        """So many of the others; those that are missing start side by side."""
        new = range(len(self._others), count)
        for _ in new:
            self._others.append(Child(self._prepare, wide=True))
        for place in new:
            self._others[place].await_ready()
        return self._others[:count]

    def _dismiss(self, *, kill: bool) -> None:
        others, self._others = self._others, []
        for other in others:
            other.dismiss(kill=kill)


def _dealt(calls: _Calls, processes: int) -> list[_Calls]:
    """Calls in as many shares as there are processes, or fewer; no share is longer than the last."""
    count = max(1, min(processes, len(calls)))
    ends = [len(calls) * n // count for n in range(count + 1)]
    return [calls[first:last] for first, last in pairwise(ends)]


def _all(function: Callable[..., Any], calls: _Calls) -> list[Any]:
    return [function(*arguments) for arguments in calls]


def _tried(function: Callable[..., Any], calls: _Calls) -> _Answer:
    """Results, or the error: others may have failed at an earlier call."""
    try:
        return _all(function, calls), None
    except Exception as error:
        return [], error


def _answer_of(other: Child) -> _Answer:
    frame = other.receive()
    return ([], other.death()) if frame is None else answer(frame)


def _joined(answers: Sequence[_Answer]) -> list[Any]:
    results: list[Any] = []
    for each, error in answers:
        if error is not None:
            raise error
        results += each
    return results
