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
from collections.abc import Callable
from typing import Any, NamedTuple

from .._tabiya import UnitCounter, __version__

__all__ = ["Answer", "CounterSpec", "Counted", "Task", "Unit", "count", "plain_answer"]

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
    #: The seeds with which the units were counted before, or the workers that counted without a
    #: table.
    avoid: frozenset[str] = frozenset()
    #: May the worker decline if its seed is to be avoided? Otherwise it counts with a second seed.
    may_decline: bool = False
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

    #: The worker: host and process.
    worker: str
    #: The seed of the counter, as 64 hexadecimal digits.
    seed: str
    #: The method by which it counted.
    counter: str
    #: The worker's version of tabiya.
    version: str
    #: Elapsed time of the task in seconds.
    seconds: float
    counted: tuple[Counted, ...]
    #: The number of units that the worker counts at a time.
    threads: int = 1
    #: The reason why nothing was counted: ``"version"`` or ``"seed"``.
    refusal: str | None = None


class _Worker:
    """The counters of this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.spec: CounterSpec | None = None
        self.counter: UnitCounter | None = None
        self.second: UnitCounter | None = None

    def forget(self) -> None:
        """Starts anew in a process that was forked: another thread may have held the lock."""
        self.lock = threading.Lock()
        self.spec = self.counter = self.second = None

    def first(self, spec: CounterSpec) -> UnitCounter:
        """The counter of this process."""
        if self.counter is None or self.spec != spec:
            # The old table is freed before the new one is made.
            self.counter = self.second = None
            self.counter = UnitCounter(
                threads=spec.threads, hash_mib=spec.hash_mib, by_category=spec.by_category
            )
            self.spec = spec
        return self.counter

    def other(self, spec: CounterSpec) -> UnitCounter:
        """A counter with another seed, and code that was compiled differently."""
        if self.second is None:
            self.second = UnitCounter(
                threads=spec.threads,
                hash_mib=min(spec.hash_mib, SECOND_TABLE),
                by_category=spec.by_category,
                portable=True,
            )
        return self.second


_THIS = _Worker()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_THIS.forget)


def name() -> str:
    """The name of this worker: host and process."""
    return f"{socket.gethostname()}:{os.getpid()}"


def count(task: Task) -> Answer:
    """Counts the units of a task. Other Python threads can run meanwhile."""
    if task.version != __version__:
        return Answer(name(), "", "", __version__, 0.0, (), refusal="version")
    with _THIS.lock:
        start = time.monotonic()
        counter = _THIS.first(task.spec)
        if task.walk:
            counter = UnitCounter.walk(
                threads=task.spec.threads, by_category=task.spec.by_category
            )
        elif (counter.seed or name()) in task.avoid:
            if task.may_decline:
                return Answer(name(), counter.seed, "", __version__, 0.0, (), refusal="seed")
            counter = _THIS.other(task.spec)
        results = counter.count([(unit.packed, unit.depth) for unit in task.units])
        counted = tuple(
            Counted(unit.number, result, micros)
            for unit, (result, micros) in zip(task.units, results, strict=True)
        )
        seconds = time.monotonic() - start
    return Answer(
        name(), counter.seed, counter.name, __version__, seconds, counted, counter.threads
    )


def plain_answer(function: Callable[[Task], Answer], task: Task) -> dict[str, Any]:
    """The answer of a function to a task, in built-in types: other versions can read them."""
    answer = function(task)
    return {**answer._asdict(), "counted": [tuple(counted) for counted in answer.counted]}
