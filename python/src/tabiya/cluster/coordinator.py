"""The coordinator: it hands out the units of a job and records the results.

The job is in a checkpoint file, which is the only authority. The coordinator knows neither
processes nor networks: an :class:`Engine` has an executor, and knows the number of workers.

Every wait has an end. If an engine is away (:class:`EngineAway`), the coordinator waits for it as
long as the options allow. After that the engine is lost (:class:`EngineLost`), which ends the run.
No part of this package catches :class:`EngineLost` but the command line. A task without an answer
goes out again.
"""

from __future__ import annotations

import math
import os
import queue
import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pickle import PicklingError
from typing import Protocol, TypeVar

from .._tabiya import Job, __version__
from ..errors import CheckpointError
from ..interruptions import is_interruption
from .answers import checked
from .forks import kept_from_forks
from .worker import Answer, CounterSpec, Task, Unit, count

__all__ = [
    "Clock",
    "ClusterError",
    "Coordinator",
    "Engine",
    "EngineAway",
    "EngineLost",
    "NoAnswer",
    "Options",
    "Progress",
]

T = TypeVar("T")

#: A task that fails alone this many times is given up.
TRIES = 3
#: A worker may decline to verify its own result this many times; after that it counts with another
#: seed.
DECLINES = 3
#: Workers may fail to begin a task this many times, and for as long as makes a task late; after
#: that the task is to blame.
SETUP_TRIES = 20
#: The run stops after this many units in a row that cannot be counted, and as many other tasks.
HOPELESS = 4
#: An engine that is lost this many times without an answer in between is lost for good.
LOSSES = 20
#: Seconds between two attempts to find an engine that is away.
PAUSE = 0.5
#: Errors that are due to the worker's installation, not to the units.
#: A task of another version may not even match the function, which is a `TypeError`.
SETUP_ERRORS = (ImportError, AttributeError, PicklingError, MemoryError, TypeError)


# These two are neither `OSError`s nor `RuntimeError`s, so that handlers for errors of executors and
# of the system let them pass.


class ClusterError(Exception):
    """The job cannot go on. Everything that was counted is stored."""


class EngineLost(ClusterError):
    """The engine, such as a scheduler, is lost for good."""


class EngineAway(Exception):
    """The engine, such as a scheduler, does not answer now. It may come back.

    Only the coordinator decides when it is lost for good.
    """

    def __init__(self, message: str, *, comes_back: bool = True) -> None:
        super().__init__(message)
        #: May it come back?
        self.comes_back = comes_back


class NoAnswer(Exception):
    """A task has had no answer for too long."""


class Clock(Protocol):
    """The time, as the module :mod:`time` has it."""

    def monotonic(self) -> float:
        """Seconds since some moment."""
        ...

    def sleep(self, seconds: float, /) -> None:
        """Waits."""
        ...


class Engine(Protocol):
    """A runner of tasks: an executor, and information about its workers."""

    #: The name for messages, such as "the scheduler at tcp://...".
    name: str
    #: Does the failure of a task mean that this task was the cause? In a process pool, all tasks
    #: fail if a process dies.
    blames_task: bool

    def executor(self) -> Executor:
        """The executor, started or repaired if necessary, after one attempt of a few seconds.

        Raises :class:`EngineAway`.
        """
        ...

    def workers(self) -> int:
        """The number of workers now. Raises :class:`EngineAway`."""
        ...

    def max_units(self, by_category: bool) -> int:
        """The greatest number of units in a task."""
        ...

    def check_memory(self, hash_mib: int) -> None:
        """Raises :class:`ClusterError` if a worker has no room for a table of this size.

        Raises :class:`EngineAway` if that cannot be known now.
        """
        ...

    def is_lost(self, error: BaseException) -> bool:
        """Does an error of a task mean that the executor must be repaired?

        The coordinator asks with :class:`NoAnswer` as well.
        """
        ...

    def close(self) -> None:
        """Ends everything that this object has started, at once."""
        ...


@dataclass(frozen=True)
class Options:
    """The options for dividing the work."""

    spec: CounterSpec
    #: The time that a task should take, in seconds.
    task_seconds: float = 20.0
    #: The number of outstanding tasks for each worker.
    tasks_per_worker: int = 2
    #: Units with at most this number of leaf nodes may be verified by the plain walk.
    walk_below: int = 200_000_000
    #: One in this many verifications of small units is a plain walk.
    walk_every: int = 4
    #: The time to wait for an engine that is away, in seconds.
    patience: float = 60.0
    #: A task without an answer for this many seconds goes out a second time when nothing else is
    #: left to hand out; ``None`` for a time that no task of its size should take.
    late_seconds: float | None = None

    def __post_init__(self) -> None:
        """Refuses what would never hand out a task.

        Raises:
            ValueError: A number is out of its range.
        """
        for name, least in (("tasks_per_worker", 1), ("walk_every", 1), ("walk_below", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} is at least {least}, not {getattr(self, name)}")
        for name in ("task_seconds", "patience", "late_seconds"):
            seconds = getattr(self, name)
            if seconds is not None and not 0 <= seconds < math.inf:
                raise ValueError(f"{name} is a number of seconds, not {seconds}")


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


@dataclass
class _Batch:
    """Units that go to a worker together."""

    units: list[Unit]
    is_verification: bool
    avoid: frozenset[str] = frozenset()
    walk: bool = False
    declines: int = 0
    #: The number of times that this batch failed.
    failures: int = 0
    #: The number of times that a worker could not begin it, also because of its version, and the
    #: time of the first one.
    setup_failures: int = 0
    first_setup_failure: float = math.inf
    #: Is it counted?
    is_counted: bool = False
    #: May the worker that has it decline?
    may_decline: bool = False
    #: The time at which it last went out.
    since: float = 0.0


@dataclass
class _State:
    outstanding: dict[Future[Answer], _Batch] = field(default_factory=dict[Future[Answer], _Batch])
    #: Batches that failed and will go out again.
    again: deque[_Batch] = field(default_factory=deque[_Batch])
    #: Batches that may end their workers. They go out one by one.
    suspects: deque[_Batch] = field(default_factory=deque[_Batch])
    #: Verifications that were taken from the job and are not in a batch yet, each a unit and its
    #: first counter: those by another counter, and those by the plain walk.
    verifications: deque[tuple[Unit, str]] = field(default_factory=deque[tuple[Unit, str]])
    walks: deque[tuple[Unit, str]] = field(default_factory=deque[tuple[Unit, str]])
    first_counts: deque[Unit] = field(default_factory=deque[Unit])


class Coordinator:
    """Hands out the units of a job until all of them are counted.

    Results are recorded as they come, once for each unit. At most a few tasks for each worker are
    outstanding. A task that fails is divided and tried again, so that a unit that ends its workers
    is found: after three tries it is set aside, and the rest goes on. An answer that does not
    belong to its task is a failure like any other.
    """

    def __init__(
        self,
        job: Job,
        engine: Engine,
        options: Options,
        report: Callable[[Progress], None] = lambda progress: None,
        warn: Callable[[str], None] = lambda message: None,
        clock: Clock = time,
    ) -> None:
        self.job, self.engine, self.options = job, engine, options
        self.report, self.warn, self.clock = report, warn, clock
        #: The last error of each unit that was given up, by its number.
        self.given_up: dict[int, str] = {}
        #: Workers of another version.
        self.refused: set[str] = set()
        self._setup_messages: set[str] = set()
        self._state = _State()
        self._finished: queue.SimpleQueue[Future[Answer]] = queue.SimpleQueue()
        self._unit_seconds: float | None = None
        self._small_verifications = 0
        #: The numbers of failures to begin and of losses of the engine since a task last succeeded.
        self._setup_failures = 0
        self._losses = 0
        #: The time of the first of these failures to begin.
        self._failing_since = math.inf
        #: Was there such a failure among the last answers?
        self._must_pause = False
        #: Has a task succeeded?
        self._has_counted = False
        #: The reason why it seems that no worker can count.
        self._hopeless: str | None = None
        #: The number of units that were given up since a task last succeeded.
        self._given_up_in_a_row = 0
        #: The number of other batches that have gone out since too many units were given up.
        self._others_tried = 0
        self._disputes_at_start = len(job.disputes)
        #: The number of numbers in the result of a unit.
        self._numbers = 1 if job.categories is None else 1 + len(job.categories)
        self._workers = 0
        self._threads = 1
        self._start = clock.monotonic()
        self._nodes_at_start = job.nodes
        self._done_at_start = job.done
        self._next_look = self._start
        self._executor: Executor | None = None

    def run(self) -> None:
        """Counts what is left.

        Raises :class:`ClusterError` if that is impossible, :class:`tabiya.CheckpointError` if a
        result cannot be stored or a unit was counted twice with different results, and
        :class:`EngineLost`. Everything that was counted is stored then.
        """
        owner = os.getpid()
        try:
            with kept_from_forks(self.job.path):
                self._run()
        except (ClusterError, KeyboardInterrupt):
            self._record(self._arrived())
            raise
        finally:
            # Nobody wants the remaining tasks any more, so the owner of the executor need not wait for
            # them. A process that `report` or `warn` has forked leaves them alone.
            if owner == os.getpid():
                for future in list(self._state.outstanding):
                    self._cancel(future)

    def _run(self) -> None:
        # An earlier coordinator of this job may have ended before all that it took was counted.
        self.job.put_back()
        while self._has_work():
            self._look()
            self._fill()
            try:
                first = self._finished.get(timeout=0.5)
            except queue.Empty:
                # An executor may lose the call that puts a finished task into the queue.
                self._handle([future for future in self._state.outstanding if future.done()])
                continue
            self._handle([first, *self._arrived()])
        if self._hopeless is not None:
            raise ClusterError(self._hopeless)
        # The engine is not asked any more: it may be gone.
        self._report(self.clock.monotonic())

    def _has_work(self) -> bool:
        """Is there a task to wait for or to hand out?"""
        state = self._state
        if state.outstanding or state.again or state.suspects:
            return True
        self._take(1)
        return bool(state.walks or state.verifications or state.first_counts)

    def _arrived(self) -> list[Future[Answer]]:
        """The tasks that are finished and were not looked at yet."""
        finished: list[Future[Answer]] = []
        while True:
            try:
                finished.append(self._finished.get_nowait())
            except queue.Empty:
                return finished

    # The engine

    def _ask(self, question: Callable[[], T]) -> T:
        """The engine's reply. If the engine is away, this waits for it, but not forever."""
        away_since: float | None = None
        while True:
            try:
                answer = question()
            except EngineAway as error:
                if not error.comes_back:
                    raise self._lost(str(error)) from error
                now = self.clock.monotonic()
                patience = self.options.patience
                if away_since is None:
                    away_since = now
                    self._count_loss(error)
                    self.warn(f"{error}; waiting up to {patience:g} s for it")
                left = away_since + patience - now
                if left <= 0:
                    raise self._lost(f"it did not come back within {patience:g} s") from error
                self.clock.sleep(min(PAUSE, left))
            else:
                if away_since is not None:
                    seconds = self.clock.monotonic() - away_since
                    self.warn(f"{self.engine.name} is back after {seconds:.0f} s")
                return answer

    def _count_loss(self, error: BaseException) -> None:
        """An engine that comes back again and again, and never answers, is lost as well."""
        self._forget_failures_to_begin()
        self._losses += 1
        if self._losses >= LOSSES:
            how = f"it was lost {LOSSES} times without an answer between"
            raise self._lost(how) from error

    def _lost(self, how: str) -> EngineLost:
        # Results that have arrived meanwhile are still recorded.
        self._record(self._arrived())
        done, units = self.job.done, self.job.units
        return EngineLost(
            f"{self.engine.name} is lost: {how}; {done:,} of {units:,} units are counted and stored, "
            f"and the same call continues"
        )

    def _repaired_executor(self) -> Executor:
        """The engine's executor. If it is a new one, the tasks of the old one are lost."""
        executor = self.engine.executor()
        if executor is not self._executor:
            self._executor = executor
            if self.engine.blames_task:
                # The lost tasks will never report. (A process pool reports their failure by
                # itself.)
                self._forget(lambda future: not future.done() or future.cancelled())
        return executor

    def _forget(self, is_lost: Callable[[Future[Answer]], bool]) -> None:
        """Hands out again what was lost."""
        outstanding = self._state.outstanding
        for future in [future for future in outstanding if is_lost(future)]:
            batch = outstanding.pop(future, None)
            if batch is not None:
                self._drop(batch)
                self._state.again.append(batch)

    def _drop(self, batch: _Batch) -> None:
        """Nobody waits for a batch any more. It may have gone out more than once."""
        outstanding = self._state.outstanding
        for future in [future for future, other in outstanding.items() if other is batch]:
            del outstanding[future]
            self._cancel(future)
        for waiting in (self._state.again, self._state.suspects):
            for place in reversed([at for at, other in enumerate(waiting) if other is batch]):
                del waiting[place]

    def _cancel(self, future: Future[Answer]) -> None:
        """Asks the executor to leave out a task.

        The processes of a pool may end at any moment: Ctrl-C reaches them as well. Up to Python
        3.12.0, the thread that manages a pool fails then if a cancelled task waits, and the thread
        that hands out tasks waits for ever, even after the end of the program. So an old pool
        counts the task in vain, unless its owner ends it.
        """
        fails = sys.version_info < (3, 12, 1) and isinstance(self._executor, ProcessPoolExecutor)
        if not fails:
            future.cancel()

    def _count_workers(self) -> int:
        self._repaired_executor()
        workers = self.engine.workers()
        self.engine.check_memory(self.options.spec.hash_mib)
        return workers

    # Handing out

    def _fill(self) -> None:
        state = self._state
        if self._hopeless is not None:
            # The tasks that are still running decide.
            if state.outstanding:
                late = self._late_batch_of_all()
                if late is not None:
                    self._submit(late)
                return
            # If units were given up, the reason may be in them after all.
            another = None
            if self._given_up_in_a_row >= HOPELESS and self._others_tried < HOPELESS:
                another = self._next_batch(suspects=False)
            if another is None:
                raise ClusterError(self._hopeless)
            self._others_tried += 1
            self._submit(another)
            return
        while True:
            # While batches are suspected of ending their workers, each goes out alone.
            limit = max(1, self._workers) * self.options.tasks_per_worker
            if state.suspects or any(batch.failures for batch in state.outstanding.values()):
                limit = 1 if not self.engine.blames_task else limit
            if len(state.outstanding) < limit:
                batch = self._next_batch()
            else:
                # If all of them are lost, no answer will ever make room for the next task.
                batch = self._late_batch_of_all()
            if batch is None:
                return
            self._submit(batch)
            if batch.setup_failures:
                self._offer_to_others(batch)

    def _offer_to_others(self, batch: _Batch) -> None:
        """Hands out a task that a worker could not begin to several workers that have none.

        An executor may give a task that is alone always to the same worker. The first one that can
        count it answers.
        """
        # A worker whose answer has arrived is idle, even if the answer has not been handled yet.
        idle = self._workers - sum(not future.done() for future in self._state.outstanding)
        if self.engine.blames_task:
            for _ in range(min(idle, batch.setup_failures)):
                self._submit(batch)

    def _submit(self, batch: _Batch) -> None:
        batch.may_decline = batch.declines < DECLINES and self._workers > 1
        task = Task(
            __version__,
            self.options.spec,
            tuple(batch.units),
            batch.avoid,
            batch.may_decline,
            batch.walk,
        )
        executor = self._ask(self._repaired_executor)
        try:
            future = executor.submit(count, task)
            if future in self._state.outstanding:
                raise ValueError("it gives the same future for two tasks")
            future.add_done_callback(self._finished.put)
        except Exception as error:
            if is_interruption(error):
                raise
            if not self.engine.is_lost(error):
                raise ClusterError(
                    f"{self.engine.name} takes no tasks: {said(error)}"
                ) from error
            # The engine broke between two tasks. The next attempt repairs it.
            self._count_loss(error)
            waiting = self._state.suspects if batch.failures else self._state.again
            waiting.appendleft(batch)
            return
        batch.since = self.clock.monotonic()
        self._state.outstanding[future] = batch

    def _next_batch(self, *, suspects: bool = True) -> _Batch | None:
        state = self._state
        if state.suspects and suspects:
            return state.suspects.popleft()
        if state.again:
            return state.again.popleft()
        size = self._size()
        self._take(size)
        if state.walks:
            return self._verification(state.walks, size, walk=True)
        if state.verifications:
            return self._verification(state.verifications, size, walk=False)
        if not state.first_counts:
            return self._late_batch()
        units = [state.first_counts.popleft() for _ in range(min(size, len(state.first_counts)))]
        return _Batch(units, is_verification=False)

    def _take(self, size: int) -> None:
        """Takes units from the job, until this many wait for their first count."""
        state = self._state
        while len(state.first_counts) < size:
            tasks = self.job.take(size - len(state.first_counts))
            if not tasks:
                break
            for number, packed, depth, first in tasks:
                unit = Unit(number, packed, depth)
                if number in self.given_up:
                    continue
                if first is None:
                    state.first_counts.append(unit)
                else:
                    self._plan_verification(unit, *first)

    def _late_batch(self) -> _Batch | None:
        """A batch that should have been answered long ago.

        Its worker may be stopped, and nobody may ever say so. It goes out a second time, and the
        answer that comes first counts. If the engine has stopped, all tasks go out again.
        """
        if self._workers == 0:
            # It would only wait for a worker a second time.
            return None
        now = self.clock.monotonic()
        outstanding = self._state.outstanding
        answered = {id(batch) for future, batch in outstanding.items() if future.done()}
        for batch in outstanding.values():
            if id(batch) not in answered and self._is_late(batch, now):
                units = "1 unit" if len(batch.units) == 1 else f"{len(batch.units)} units"
                error = NoAnswer(
                    f"a task of {units} has had no answer for {now - batch.since:.0f} s"
                )
                if self.engine.is_lost(error):
                    self._count_loss(error)
                    self.warn(f"{error}; {self.engine.name} has stopped, and starts again")
                    self._forget(lambda future: not future.done())
                    return self._state.again.popleft()
                self.warn(f"{error}; it goes out again, and the first answer counts")
                return batch
        return None

    def _late_batch_of_all(self) -> _Batch | None:
        """A late batch, if all that are outstanding are late."""
        now = self.clock.monotonic()
        # The newest come first: usually, one look is enough.
        outstanding = reversed(self._state.outstanding.items())
        are_late = all(
            not future.done() and self._is_late(batch, now) for future, batch in outstanding
        )
        return self._late_batch() if are_late else None

    def _is_late(self, batch: _Batch, now: float) -> bool:
        """Should a batch have been answered long ago?"""
        return now - batch.since >= self._patience_with(batch)

    def _patience_with(self, batch: _Batch) -> float:
        """The seconds after which a batch should have been answered."""
        late = self.options.late_seconds
        if late is None:
            late = max(60.0, 5 * self.options.task_seconds)
        return max(late, 5 * len(batch.units) * (self._unit_seconds or 0.0))

    def _plan_verification(self, unit: Unit, counter: str, nodes: int) -> None:
        """Decides how a unit is counted a second time."""
        walk = False
        if nodes <= self.options.walk_below:
            walk = self._small_verifications % self.options.walk_every == 0
            self._small_verifications += 1
        (self._state.walks if walk else self._state.verifications).append((unit, counter))

    @staticmethod
    def _verification(waiting: deque[tuple[Unit, str]], size: int, *, walk: bool) -> _Batch:
        """A batch of units to count a second time."""
        taken = [waiting.popleft() for _ in range(min(size, len(waiting)))]
        avoid = frozenset(who_of(counter) for _, counter in taken)
        return _Batch([unit for unit, _ in taken], is_verification=True, avoid=avoid, walk=walk)

    def _size(self) -> int:
        """The number of units for a task: as many as fill its time, but fewer towards the end."""
        workers = max(1, self._workers)
        left = max(1, self.job.units - self.job.done)
        most = self.engine.max_units(self.options.spec.by_category)
        # Each thread of a worker should have a unit, as long as there are enough.
        least = max(1, min(self._threads, left // workers, most))
        share = left // (3 * workers)
        if self._unit_seconds is None:
            return max(least, min(share, 8, most))
        wanted = self.options.task_seconds / max(self._unit_seconds, 1e-6)
        return max(least, min(share, int(wanted), most))

    # Results

    def _handle(self, finished: list[Future[Answer]]) -> None:
        """Records what finished tasks have found, in one transaction, and deals with failures."""
        failed = self._record(finished)
        if failed:
            self._failed(failed)
        if self._must_pause:
            # A worker that fails to begin answers at once, and would be asked again and again.
            self._must_pause = False
            self.clock.sleep(0.05)

    def _record(self, finished: list[Future[Answer]]) -> list[tuple[_Batch, BaseException]]:
        """Records what finished tasks have found, and returns those that failed."""
        found: list[tuple[int, bool, int | tuple[int, ...], int, str]] = []
        failed: list[tuple[_Batch, BaseException]] = []
        for future in finished:
            batch = self._state.outstanding.pop(future, None)
            if batch is None:
                continue
            error = error_of(future)
            if error is not None:
                if not isinstance(error, SETUP_ERRORS):
                    self._drop(batch)
                failed.append((batch, error))
                continue
            try:
                answer = checked(
                    future.result(), batch.units, self._numbers, may_decline=batch.may_decline
                )
            except Exception as bad:
                # The future of some executor may fail to bring the value that it has.
                if isinstance(bad, MemoryError) or is_interruption(bad):
                    raise
                self._drop(batch)
                failed.append((batch, bad))
                continue
            if answer.refusal is not None:
                self._refused(batch, answer)
                continue
            self._drop(batch)
            batch.is_counted = True
            self._losses = self._given_up_in_a_row = self._others_tried = 0
            self._forget_failures_to_begin()
            self._has_counted = True
            if not batch.is_verification:
                self._learn(batch, answer)
            counter = (
                f"{answer.counter} at {answer.worker}, seed {answer.seed or 'none'}, "
                f"tabiya {answer.version}"
            )
            for number, result, micros in answer.counted:
                found.append((number, batch.is_verification, result, micros, counter))
        if found:
            try:
                self.job.record(found)
            except CheckpointError as error:
                if error.is_dispute:
                    # The note names both workers and their seeds.
                    error.add_note(self.job.disputes[self._disputes_at_start])
                raise
        return failed

    def _learn(self, batch: _Batch, answer: Answer) -> None:
        """Adjusts how long a unit takes a worker."""
        self._threads = max(self._threads, answer.threads)
        if answer.counted:
            # A worker whose clock is wrong cannot have counted for longer than the task was out.
            seconds = min(answer.seconds, self.clock.monotonic() - batch.since)
            seconds /= len(answer.counted)
            known = self._unit_seconds
            self._unit_seconds = seconds if known is None else 0.7 * known + 0.3 * seconds

    def _refused(self, batch: _Batch, answer: Answer) -> None:
        if answer.refusal == "seed":
            self._send_again(batch)
            batch.declines += 1
            return
        self._cannot_begin(batch)
        if answer.worker not in self.refused:
            self.refused.add(answer.worker)
            self.warn(
                f"worker {answer.worker} has tabiya {answer.version}, this job needs "
                f"{__version__}: it gets no results in"
            )
        self._setup_failed(f"the workers have tabiya {answer.version}, not {__version__}")

    def _failed(self, failed: list[tuple[_Batch, BaseException]]) -> None:
        broken = [error for _, error in failed if self.engine.is_lost(error)]
        if broken and self.engine.blames_task:
            self._count_loss(broken[0])
        # Batches that went to several workers at a time fail several times.
        settled: list[_Batch] = []
        for batch, error in failed:
            if batch.is_counted or any(batch is other for other in settled):
                continue
            message = said(error)
            if isinstance(error, SETUP_ERRORS) and not self._is_to_blame(batch):
                self._cannot_begin(batch)
                if message not in self._setup_messages:
                    self._setup_messages.add(message)
                    self.warn(f"a worker cannot count: {message}")
                self._setup_failed(message)
                continue
            self._drop(batch)
            settled.append(batch)
            if isinstance(error, OverflowError):
                raise ClusterError(str(error)) from error
            if broken and not self.engine.blames_task:
                self._suspect(batch, error)
            elif self.engine.is_lost(error):
                self._state.again.append(batch)
            else:
                batch.failures += 1
                self._divide(batch, error)

    def _is_to_blame(self, batch: _Batch) -> bool:
        """Have workers failed to begin the task so often, and for so long, that it is the cause?

        One worker may fail at once, again and again, while those that could count are busy, perhaps
        with this task. So time counts from the first failure since a task succeeded, and before the
        first success, nothing is known about the time that a task takes.
        """
        since = max(batch.first_setup_failure, self._failing_since)
        is_long_ago = self.clock.monotonic() - since >= self._patience_with(batch)
        is_often = batch.setup_failures >= SETUP_TRIES
        return self._has_counted and is_often and is_long_ago and not self._is_out(batch)

    def _cannot_begin(self, batch: _Batch) -> None:
        """A worker cannot begin a task that others may well count."""
        batch.setup_failures += 1
        batch.first_setup_failure = min(batch.first_setup_failure, self.clock.monotonic())
        self._send_again(batch)

    def _send_again(self, batch: _Batch) -> None:
        """Hands out a batch another time, unless another worker has it."""
        if not self._is_out(batch) and not any(batch is other for other in self._state.again):
            self._state.again.append(batch)

    def _is_out(self, batch: _Batch) -> bool:
        """Does a worker have the batch?"""
        return any(batch is other for other in self._state.outstanding.values())

    def _suspect(self, batch: _Batch, error: BaseException) -> None:
        """A process died. If the batch was alone, it was the cause; otherwise one of several."""
        was_alone = batch.failures > 0
        batch.failures += 1
        if was_alone:
            self._divide(batch, error)
        else:
            self._state.suspects.append(batch)

    def _divide(self, batch: _Batch, error: BaseException) -> None:
        """Tries the halves of a failed batch; gives up a unit that failed alone too often."""
        units = batch.units
        if len(units) > 1:
            middle = len(units) // 2
            for half in (units[:middle], units[middle:]):
                part = _Batch(half, batch.is_verification, batch.avoid, batch.walk)
                part.failures = 1
                part.setup_failures = batch.setup_failures
                part.first_setup_failure = batch.first_setup_failure
                self._state.suspects.append(part)
        elif batch.failures <= TRIES:
            self._state.suspects.append(batch)
        else:
            (unit,) = units
            self.given_up[unit.number] = said(error)
            self._given_up_in_a_row += 1
            if self._given_up_in_a_row >= HOPELESS:
                self._hopeless = (
                    f"{HOPELESS} units in a row cannot be counted, so the reason is not in the units: "
                    f"{said(error)}"
                )
            self.warn(
                f"unit {unit.number} cannot be counted and is set aside: "
                f"{self.job.fen(unit.number)} to depth {unit.depth}"
            )

    def _setup_failed(self, message: str) -> None:
        self._setup_failures += 1
        # Workers that could count may be gone, busy, or not there yet; but no others come to a pool of
        # processes on this machine that has never counted.
        others_may_come = self.engine.blames_task or self._has_counted
        patience = self.options.patience if others_may_come else 0.0
        now = self.clock.monotonic()
        self._failing_since = min(self._failing_since, now)
        is_long_ago = now - self._failing_since >= patience
        if is_long_ago and self._setup_failures >= 3 * max(1, self._workers):
            self._hopeless = f"no worker can count: {message}"
        self._must_pause = True

    def _forget_failures_to_begin(self) -> None:
        """Starts anew after a time in which no worker could succeed."""
        self._setup_failures, self._failing_since = 0, math.inf
        if self._given_up_in_a_row < HOPELESS:
            self._hopeless = None

    # Reports

    def _look(self) -> None:
        """Updates the number of workers and reports the progress, once a second."""
        moment = self.clock.monotonic()
        if moment < self._next_look:
            return
        self._next_look = moment + 1.0
        self._workers = self._ask(self._count_workers)
        if self._workers == 0:
            self._forget_failures_to_begin()
        self._report(moment)

    def _report(self, moment: float) -> None:
        """Reports the progress."""
        self.job.publish(self._workers)
        seconds = moment - self._start
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
                outstanding=len(self._state.outstanding),
                seconds_left=left * seconds / done if done else None,
            )
        )


def who_of(counter: str) -> str:
    """The seed in the description of a counter, or its worker if it has none."""
    how, _, rest = counter.partition(", seed ")
    seed = rest.partition(",")[0]
    return how.rpartition(" at ")[2] if seed in ("", "none") else seed


def error_of(future: Future[Answer]) -> BaseException | None:
    """The error of a finished task."""
    try:
        return future.exception(timeout=0)
    except Exception as error:
        if isinstance(error, MemoryError) or is_interruption(error):
            raise
        # It was cancelled, or is not finished after all, or the future is not one of Python's own.
        return error


def said(error: BaseException) -> str:
    """The class of an error and its message."""
    name = type(error).__name__
    try:
        return f"{name}: {error}"
    except Exception as wrong:
        if isinstance(wrong, MemoryError) or is_interruption(wrong):
            raise
        # The error of a worker may be of any class.
        return name
