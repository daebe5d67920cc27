"""This process and some beside it, which do the parts of one piece of work at the same time.

For work of milliseconds: who shares it out works too, and neither a thread nor a queue stands in between.
Work that may hang or kill its process belongs in a supervised pool (``supervised.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from types import TracebackType
from typing import Any

from xlmodel.errors import WorkerDied
from xlmodel.processes.child import Child, call
from xlmodel.processes.worker import Call

Arguments = tuple[Any, ...]


class Crew:
    """So many processes, this one among them; ``prepare`` is called in each of the others when it starts.

    One piece of work at a time, from one thread.  The others start with the first work, and anew after work
    that has failed.
    """

    def __init__(self, processes: int, *, prepare: Call | None = None) -> None:
        self.processes = processes
        self._prepare = prepare
        self._others: list[Child] = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._dismiss(kill=error is not None)

    def share(self, function: Callable[..., Any], calls: Sequence[Arguments]) -> list[Any]:
        """The results of a function that can be imported by name, for each of the arguments, in their order.

        The last of them are done here.  Raises what a call raises, WorkerDied where a process died over its
        calls; whatever has failed, nothing is half done.
        """
        shares = _dealt(calls, self.processes)
        if len(shares) > 1 and not self._others:
            self._others = [Child(self._prepare) for _ in range(self.processes - 1)]
        *theirs, ours = shares
        at_work = self._others[: len(theirs)]
        try:
            for other, share in zip(at_work, theirs, strict=True):
                with suppress(OSError):  # one that has died is found dead by its answer
                    other.send(call(_all, function, share))
            own = _all(function, ours)
            return [result for other in at_work for result in _answer_of(other)] + own
        except BaseException:
            self._dismiss(kill=True)  # what they have not answered yet would answer the next call
            raise

    def _dismiss(self, *, kill: bool) -> None:
        others, self._others = self._others, []
        for other in others:
            other.dismiss(kill=kill)


def _dealt(calls: Sequence[Arguments], processes: int) -> list[Sequence[Arguments]]:
    """Calls in as many shares as there are processes, or fewer; no share is longer than the last."""
    count = max(1, min(processes, len(calls)))
    ends = [len(calls) * n // count for n in range(count + 1)]
    return [calls[first:last] for first, last in pairwise(ends)]


def _all(function: Callable[..., Any], calls: Sequence[Arguments]) -> list[Any]:
    return [function(*arguments) for arguments in calls]


def _answer_of(other: Child) -> list[Any]:
    try:
        answer = other.receive()
    except OSError:
        answer = None
    if answer is None:
        other.dismiss(kill=True)
        raise WorkerDied(f"its process died {other.end}")
    result, error = answer
    if error is not None:
        raise error
    results: list[Any] = result
    return results
