"""Engines that are lost: for a while, for good, or again and again."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from lost_engines import FakeClock, FakeEngine, LostEngine, Ticking
from tabiya.cluster import (
    ClusterError,
    Coordinator,
    CounterSpec,
    EngineAway,
    EngineLost,
    GivenExecutor,
    Job,
    NoAnswer,
    Options,
)
from tabiya.cluster.worker import Task

START_4 = 197_281
OPTIONS = Options(CounterSpec(False, 0, 1), patience=60.0)


def coordinator_of(
    job: Job, engine: LostEngine, options: Options = OPTIONS
) -> tuple[Coordinator, list[str]]:
    said: list[str] = []
    return Coordinator(job, engine, options, warn=said.append, clock=engine.clock), said


def open_job(folder: Path) -> Job:
    return Job(folder / "start-4.tabiya", 4, split=2, verify_share=0.0)


@pytest.mark.parametrize("patience", [60.0, 0.0, 0.7])
def test_an_engine_that_is_lost_for_good_ends_the_run_in_time(
    tmp_path: Path, patience: float
) -> None:
    clock = FakeClock()
    engine = LostEngine(clock, tasks=5, away=[math.inf])
    job = open_job(tmp_path)
    options = Options(CounterSpec(False, 0, 1), patience=patience)
    coordinator, said = coordinator_of(job, engine, options)
    begin = clock.now
    with pytest.raises(EngineLost) as caught:
        coordinator.run()
    assert clock.now - begin == pytest.approx(patience)
    assert engine.attempts < 300
    # Each of the five tasks had at least one unit.
    assert 5 <= job.done < job.units
    message = str(caught.value)
    assert message == (
        f"the scheduler at nowhere is lost: it did not come back within {patience:g} s; {job.done} of "
        f"400 units are counted and stored, and the same call continues"
    )
    assert said == [f"the scheduler at nowhere is lost; waiting up to {patience:g} s for it"]
    done = job.done
    job.close()
    again = open_job(tmp_path)
    assert again.done == done
    coordinator_of(again, LostEngine(FakeClock(), tasks=10_000, away=[]))[0].run()
    assert again.nodes == START_4


def test_the_loss_of_an_engine_is_caught_with_no_other_error() -> None:
    assert issubclass(EngineLost, ClusterError)
    for other in (OSError, RuntimeError, ValueError, LookupError, ArithmeticError):
        assert not issubclass(EngineLost, other)


def test_an_engine_that_comes_back_goes_on(tmp_path: Path) -> None:
    clock = FakeClock()
    engine = LostEngine(clock, tasks=15, away=[59.0, 0.0, 3.0, *[1.0] * 100])
    job = open_job(tmp_path)
    coordinator, said = coordinator_of(job, engine)
    coordinator.run()
    assert job.nodes == START_4
    assert said[:4] == [
        "the scheduler at nowhere is lost; waiting up to 60 s for it",
        "the scheduler at nowhere is back after 59 s",
        "the scheduler at nowhere is lost; waiting up to 60 s for it",
        "the scheduler at nowhere is back after 3 s",
    ]


class Cancelling(Executor):
    """An executor that cancels some tasks and does the others."""

    def __init__(self, cancels: Callable[[Task], bool]) -> None:
        self.cancels = cancels
        self.cancelled = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.cancels(*args):
            self.cancelled += 1
            assert self.cancelled < 10_000, "this never ends"
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(fn(*args))
        return future


def run_on(job: Job, executor: Executor) -> None:
    Coordinator(job, GivenExecutor(executor, 4), OPTIONS, clock=FakeClock()).run()


def test_a_cancelled_task_is_submitted_again(tmp_path: Path) -> None:
    chance = random.Random(7)
    executor = Cancelling(lambda task: chance.random() < 0.3)
    job = open_job(tmp_path)
    run_on(job, executor)
    assert executor.cancelled > 5
    assert (job.nodes, job.done) == (START_4, job.units)


def test_a_unit_whose_tasks_are_always_cancelled_ends_the_run_after_all_others(
    tmp_path: Path,
) -> None:
    executor = Cancelling(lambda task: any(unit.number == 17 for unit in task.units))
    job = open_job(tmp_path)
    with pytest.raises(EngineLost, match="the executor is lost: it was lost 20 times without"):
        run_on(job, executor)
    # The tasks with that unit had other units, too.
    assert 0 < job.units - job.done < 100


def test_an_engine_that_comes_back_and_never_answers_is_lost(tmp_path: Path) -> None:
    engine = LostEngine(FakeClock(), tasks=0, away=[0.5] * 1000)
    job = open_job(tmp_path)
    coordinator, _ = coordinator_of(job, engine)
    with pytest.raises(EngineLost, match="lost 20 times without an answer between; 0 of 400 units"):
        coordinator.run()
    assert engine.attempts < 200


def test_a_count_that_is_complete_needs_no_engine(tmp_path: Path) -> None:
    class Leaving(GivenExecutor):
        """It is gone after the last answer."""

        def workers(self) -> int:
            if job.done == job.units:
                raise EngineAway("it is gone", comes_back=False)
            return super().workers()

    def allow(task: Task) -> bool:
        return False

    def forbid(task: Task) -> bool:
        raise AssertionError("the job is complete")

    job = open_job(tmp_path)
    for cancels in (allow, forbid):
        reported: list[int] = []
        engine = Leaving(Cancelling(cancels), 4)
        # A second passes with each look at the clock, so that the coordinator looks at the engine.
        coordinator = Coordinator(
            job, engine, OPTIONS, lambda progress: reported.append(progress.done), clock=Ticking()
        )
        coordinator.run()
        assert (job.nodes, job.done) == (START_4, job.units)
        assert reported[-1] == job.units


class Stopping(FakeEngine):
    """A pool that stops after some tasks, and only notices if the coordinator says so."""

    name = "the pool"
    blames_task = False

    def __init__(self, tasks: list[int]) -> None:
        #: The number of tasks that each of its executors does.
        self.tasks = tasks
        self.stopped = 0
        self._executor: Executor | None = None

    def executor(self) -> Executor:
        if self._executor is None:
            self._executor = Silent(self.tasks.pop(0))
        return self._executor

    def workers(self) -> int:
        return 2

    def is_lost(self, error: BaseException) -> bool:
        assert isinstance(error, NoAnswer)
        self.stopped += 1
        self._executor = None
        return True


class Silent(Executor):
    """An executor that does some tasks, and says nothing about the others."""

    def __init__(self, tasks: int) -> None:
        self.left = tasks
        self.silent = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.left -= 1
        if self.left >= 0:
            future.set_result(fn(*args))
        else:
            self.silent += 1
            assert self.silent < 100, "this never ends"
        return future


def test_a_pool_that_has_stopped_is_replaced(tmp_path: Path) -> None:
    job = open_job(tmp_path)
    engine = Stopping([5, 0, 10_000])
    said: list[str] = []
    options = Options(CounterSpec(False, 0, 1), late_seconds=1.0)
    Coordinator(job, engine, options, warn=said.append, clock=Ticking()).run()
    assert (job.nodes, job.done) == (START_4, job.units)
    assert engine.stopped == len(said) == 2
    assert all("the pool has stopped, and starts again" in message for message in said)


def test_a_pool_that_always_stops_ends_the_run(tmp_path: Path) -> None:
    options = Options(CounterSpec(False, 0, 1), late_seconds=1.0)
    engine = Stopping([0] * 100)
    with pytest.raises(EngineLost, match="the pool is lost: it was lost 20 times without an answer"):
        Coordinator(open_job(tmp_path), engine, options, clock=Ticking()).run()
