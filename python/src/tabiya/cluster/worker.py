"""A worker: it counts the units of a task.

A task and its answer are tuples, so every executor can carry them. A worker is a process. It keeps
one counter, with one seed and one table, from task to task; several threads of an executor in one
process take turns.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

from .._tabiya import UnitCounter, __version__

__all__ = [
    "Answer",
    "Counted",
    "CounterSpec",
    "OtherVersionError",
    "Task",
    "Unit",
    "count",
    "end_while_counting",
]

#: The size of the table of the second counter in MiB. It counts few units.
SECOND_TABLE = 64


class CounterSpec(NamedTuple):
    """The options of a worker's counter."""

    #: Count by category?
    by_category: bool
    #: The size of the table in MiB; 0 for none.
    hash_mib: int
    #: The number of threads; ``None`` for all CPUs that the process may use.
    threads: int | None


class Unit(NamedTuple):
    """A unit of a job: a subtree to count."""

    number: int
    #: The position in 32 bytes.
    packed: bytes
    #: Plies from the position to the leaf nodes.
    depth: int


class Task(NamedTuple):
    """Some units for one worker."""

    #: The coordinator's version of tabiya.
    version: str
    spec: CounterSpec
    units: tuple[Unit, ...]
    #: For a second count, the seeds of the first one, or the workers that counted without a table;
    #: ``None`` for a first count.
    avoid: frozenset[str] | None = None
    #: Count by the plain walk, without a table?
    walk: bool = False


class Counted(NamedTuple):
    """The result of a unit."""

    number: int
    #: The leaf nodes, or the leaf nodes and the counts of all categories.
    result: int | tuple[int, ...]
    #: Elapsed time in microseconds.
    micros: int


class Answer(NamedTuple):
    """The answer of a worker."""

    #: What counted: the method, the worker, its seed, and the version.
    counter: str
    #: The results, in the order of the task's units.
    counted: tuple[Counted, ...]
    #: Elapsed time of the task in seconds.
    seconds: float
    #: The number of units that the worker counts at a time.
    threads: int


class OtherVersionError(Exception):
    """A worker has another version of tabiya than the coordinator."""


class _Worker:
    """The counters of this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.spec: CounterSpec | None = None
        self.first: UnitCounter | None = None
        self.second: UnitCounter | None = None
        #: Guards the other two: does this process count, and should it end?
        self.state = threading.Lock()
        self.is_counting = self.is_over = False

    @contextmanager
    def counting(self) -> Generator[None]:
        """One task at a time is counted. This process ends here if it should."""
        with self.lock:
            with self.state:
                if self.is_over:
                    os._exit(1)
                self.is_counting = True
            try:
                yield
            finally:
                with self.state:
                    self.is_counting = False

    def counter(self, task: Task) -> UnitCounter:
        """The counter for a task."""
        spec = task.spec
        if task.walk:
            return UnitCounter.walk(threads=spec.threads, by_category=spec.by_category)
        if self.first is None or self.spec != spec:
            # The old table is freed before the new one is made.
            self.first = self.second = None
            self.first = UnitCounter(
                threads=spec.threads, hash_mib=spec.hash_mib, by_category=spec.by_category
            )
            self.spec = spec
        if task.avoid is None or (self.first.seed or name()) not in task.avoid:
            return self.first
        # This process made the first count. Another seed, and code that was compiled differently,
        # make the second one.
        if self.second is None:
            self.second = UnitCounter(
                threads=spec.threads,
                hash_mib=min(spec.hash_mib, SECOND_TABLE),
                by_category=spec.by_category,
                portable=True,
            )
        return self.second


_THIS = _Worker()


def name() -> str:
    """The name of this worker: host and process."""
    return f"{socket.gethostname()}:{os.getpid()}"


def end_while_counting() -> None:
    """Ends this process now if it counts, otherwise with its next task."""
    with _THIS.state:
        _THIS.is_over = True
        if _THIS.is_counting:
            os._exit(1)


def count(task: Task) -> Answer:
    """Counts the units of a task. Other Python threads can run meanwhile.

    Raises :class:`OtherVersionError` if the coordinator has another version of tabiya, and what
    :class:`UnitCounter` raises, such as ``MemoryError`` if the table does not fit.
    """
    if task.version != __version__:
        raise OtherVersionError(
            f"worker {name()} has tabiya {__version__}, and the coordinator {task.version}: install "
            f"the same version on all machines"
        )
    with _THIS.counting():
        start = time.monotonic()
        counter = _THIS.counter(task)
        results = counter.count([(unit.packed, unit.depth) for unit in task.units])
        seconds = time.monotonic() - start
    counted = tuple(
        Counted(unit.number, result, micros)
        for unit, (result, micros) in zip(task.units, results, strict=True)
    )
    who = f"{counter.name} at {name()}, seed {counter.seed or 'none'}, tabiya {__version__}"
    return Answer(who, counted, seconds, counter.threads)
