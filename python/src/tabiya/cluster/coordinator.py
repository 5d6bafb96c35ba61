"""The coordinator: it hands out the units of a job and records the results.

The job is in a checkpoint file, which is the only authority. What becomes of a task until it has an
answer, such as retries and lost workers, is up to the executor. Here there are only answers, which
are recorded, and errors, which end the run.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from .._tabiya import Job, __version__
from ..errors import CheckpointError
from .worker import Answer, CounterSpec, Task, Unit, count

__all__ = ["ClusterError", "Coordinator", "Progress"]

#: The number of outstanding tasks for each worker: it has the next one when it ends one.
TASKS_PER_WORKER = 2
#: The greatest number of units in a task, and in one whose worker is not known yet.
MOST_UNITS = 10_000
FIRST_UNITS = 8
#: Units with at most this many leaf nodes may be verified by the plain walk, and one in this many is.
WALK_BELOW = 200_000_000
WALK_EVERY = 4

LOST_PROCESS = (
    "a worker process has ended without an answer; it may have been killed, perhaps for lack of memory, "
    'and a script must count under `if __name__ == "__main__":`'
)


class ClusterError(Exception):
    """The job cannot go on now. What was counted is stored, and the same call continues."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    #: Units with a result, and all units.
    done: int
    units: int
    #: Leaf nodes found so far in all runs.
    nodes: int
    #: Leaf nodes found in this run, and its time in seconds.
    nodes_of_run: int
    seconds: float
    #: The number of workers now, and of their outstanding tasks.
    workers: int
    outstanding: int
    #: Seconds that the rest will take at the rate of this run; ``None`` before the first result.
    seconds_left: float | None


class Coordinator:
    """Hands out the units of a job to an executor until all of them are counted.

    ``workers`` returns the number of workers now. It is called once a second, and a
    :class:`ClusterError` of it ends the run. A task should take a worker ``task_seconds``.
    """

    def __init__(
        self,
        job: Job,
        executor: Executor,
        workers: Callable[[], int],
        spec: CounterSpec,
        *,
        task_seconds: float = 20.0,
        report: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self.job, self.executor, self.spec = job, executor, spec
        self.task_seconds, self.report = task_seconds, report
        self._count_workers, self._workers = workers, 0
        #: Tasks of units that were taken from the job and are not handed out yet.
        self._ready: deque[Task] = deque()
        self._outstanding: dict[Future[Answer], Task] = {}
        self._finished: SimpleQueue[Future[Answer]] = SimpleQueue()
        #: The time that a unit takes a worker, and the number of units that a worker counts at a time.
        self._unit_seconds: float | None = None
        self._threads = 1
        self._small_verifications = 0
        self._start = self._next_look = time.monotonic()
        self._nodes_at_start, self._done_at_start = job.nodes, job.done
        self._disputes_at_start = len(job.disputes)

    def run(self) -> None:
        """Counts what is left.

        Raises :class:`ClusterError` if a task fails or the executor is lost, and
        :class:`tabiya.CheckpointError` if a result cannot be stored or a unit was counted twice with
        different results. Everything that was counted is stored then.
        """
        # An earlier coordinator of this job may have ended before all that it took was counted.
        self.job.put_back()
        try:
            self._look()
            self._fill()
            while self._outstanding:
                self._handle(self._answered(1.0))
                self._look()
                self._fill()
        except (ClusterError, KeyboardInterrupt):
            self._record(self._answered(0.0))
            raise
        finally:
            self._cancel()
        self._report()

    def _answered(self, seconds: float) -> list[Future[Answer]]:
        """The tasks that are finished, after waiting at most this long for the first one."""
        finished: list[Future[Answer]] = []
        try:
            finished.append(self._finished.get(timeout=seconds))
            while True:
                finished.append(self._finished.get_nowait())
        except Empty:
            return finished

    def _cancel(self) -> None:
        """Keeps the executor from beginning tasks that are not wanted any more.

        Up to Python 3.12.0, a process pool fails if one of its processes ends while a cancelled task
        waits, as all of them do after Ctrl-C. It counts its tasks in vain, unless its owner ends it.
        """
        if isinstance(self.executor, ProcessPoolExecutor) and sys.version_info < (3, 12, 1):
            return
        for future in self._outstanding:
            future.cancel()

    # Handing out

    def _fill(self) -> None:
        """Hands out tasks as long as workers have room for them."""
        while len(self._outstanding) < TASKS_PER_WORKER * max(1, self._workers):
            if not self._ready:
                self._take()
            if not self._ready:
                return
            task = self._ready.popleft()
            try:
                future = self.executor.submit(count, task)
            except BrokenExecutor as error:
                raise self._error(LOST_PROCESS) from error
            except Exception as error:
                raise self._error(f"the executor takes no tasks: {said(error)}") from error
            self._outstanding[future] = task
            future.add_done_callback(self._finished.put)

    def _take(self) -> None:
        """Takes units from the job, and makes a task of those of each kind."""
        first_counts: list[Unit] = []
        verifications: list[Unit] = []
        walks: list[Unit] = []
        avoid: set[str] = set()
        for number, packed, depth, first in self.job.take(self._size()):
            unit = Unit(number, packed, depth)
            if first is None:
                first_counts.append(unit)
                continue
            counter, nodes = first
            avoid.add(who_of(counter))
            (walks if self._is_for_the_walk(nodes) else verifications).append(unit)
        for units, seeds, walk in (
            (walks, frozenset(avoid), True),
            (verifications, frozenset(avoid), False),
            (first_counts, None, False),
        ):
            if units:
                self._ready.append(Task(__version__, self.spec, tuple(units), seeds, walk))

    def _is_for_the_walk(self, nodes: int) -> bool:
        """Is a unit with so many leaf nodes verified by the plain walk?"""
        if nodes > WALK_BELOW:
            return False
        self._small_verifications += 1
        return (self._small_verifications - 1) % WALK_EVERY == 0

    def _size(self) -> int:
        """The number of units for a task: as many as fill its time, but fewer towards the end."""
        workers = max(1, self._workers)
        left = max(1, self.job.units - self.job.done)
        wanted = FIRST_UNITS
        if self._unit_seconds is not None:
            wanted = int(self.task_seconds / max(self._unit_seconds, 1e-6))
        # Each thread of a worker should have a unit, as long as there are enough.
        least = max(1, min(self._threads, left // workers))
        return min(MOST_UNITS, max(least, min(wanted, left // (3 * workers))))

    # Results

    def _handle(self, finished: list[Future[Answer]]) -> None:
        """Records what finished tasks have found. Raises an error if one of them failed."""
        failures = self._record(finished)
        if failures:
            task, error = failures[0]
            raise self._failed(task, error) from error

    def _record(self, finished: list[Future[Answer]]) -> list[tuple[Task, Exception]]:
        """Records what finished tasks have found, in one transaction, and returns those that failed."""
        found: list[tuple[int, bool, int | tuple[int, ...], int, str]] = []
        failures: list[tuple[Task, Exception]] = []
        for future in finished:
            task = self._outstanding.pop(future)
            is_verification = task.avoid is not None
            try:
                answer = future.result()
                if [it.number for it in answer.counted] != [unit.number for unit in task.units]:
                    raise ValueError("a worker counted other units than those of its task")
            except Exception as error:
                failures.append((task, error))
                continue
            if not is_verification:
                self._learn(answer)
            for number, result, micros in answer.counted:
                found.append((number, is_verification, result, micros, answer.counter))
        try:
            self.job.record(found)
        except CheckpointError as error:
            if error.is_dispute:
                # The note names both workers and their seeds.
                error.add_note(self.job.disputes[self._disputes_at_start])
            raise
        except (TypeError, ValueError, OverflowError) as error:
            raise self._error(f"an answer has the wrong shape: {said(error)}") from error
        return failures

    def _learn(self, answer: Answer) -> None:
        """Adjusts how long a unit takes a worker."""
        self._threads = max(self._threads, answer.threads)
        seconds = answer.seconds / len(answer.counted)
        known = self._unit_seconds
        self._unit_seconds = seconds if known is None else 0.7 * known + 0.3 * seconds

    def _failed(self, task: Task, error: Exception) -> ClusterError:
        """What a failed task means for the run."""
        if isinstance(error, BrokenExecutor):
            return self._error(LOST_PROCESS)
        if isinstance(error, ClusterError):
            return self._error(str(error))
        first, *others = task.units
        where = f"unit {first.number} ({self.job.fen(first.number)} to depth {first.depth})"
        if others:
            where = f"a task of {len(task.units)} units, the first of them {where},"
        return self._error(f"{where} cannot be counted: {said(error)}")

    def _error(self, reason: str) -> ClusterError:
        done, units = self.job.done, self.job.units
        return ClusterError(
            f"{reason}; {done:,} of {units:,} units are stored, and the same call continues"
        )

    # Reports

    def _look(self) -> None:
        """Updates the number of workers and reports the progress, once a second."""
        if time.monotonic() >= self._next_look:
            self._workers = self._count_workers()
            self._report()
            self._next_look = time.monotonic() + 1.0

    def _report(self) -> None:
        """Reports the progress."""
        self.job.publish(self._workers)
        seconds = time.monotonic() - self._start
        done = self.job.done - self._done_at_start
        left = self.job.units - self.job.done
        self.report(
            Progress(
                done=self.job.done,
                units=self.job.units,
                nodes=self.job.nodes,
                nodes_of_run=self.job.nodes - self._nodes_at_start,
                seconds=seconds,
                workers=self._workers,
                outstanding=len(self._outstanding),
                seconds_left=left * seconds / done if done else None,
            )
        )


def who_of(counter: str) -> str:
    """The seed in the description of a counter, or its worker if it has none."""
    how, _, rest = counter.partition(", seed ")
    seed = rest.partition(",")[0]
    return how.rpartition(" at ")[2] if seed in ("", "none") else seed


def said(error: Exception) -> str:
    """The class of an error and its message."""
    return f"{type(error).__name__}: {error}"
