"""Executors that return anything at all: only an answer to the task counts."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

import tabiya
from lost_engines import Ticking
from tabiya.cluster import ClusterError, Coordinator, CounterSpec, GivenExecutor, Job, Options
from tabiya.cluster.answers import BadAnswer, checked
from tabiya.cluster.worker import Answer, Counted, Task, Unit, count, plain_answer

START_4 = 197_281
#: A task of one unit.
TASK = Task(
    tabiya.__version__,
    CounterSpec(False, 0, 1),
    (Unit(3, tabiya.Position().packed(), 2),),
)


class Bringing(Executor):
    """An executor that returns the value of a function of the task."""

    def __init__(self, bring: Callable[[Task], Any]) -> None:
        self.bring = bring
        self.tasks: list[Task] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        (task,) = args
        assert fn is count
        self.tasks.append(task)
        assert len(self.tasks) < 100_000, "this never ends"
        future: Future[Any] = Future()
        try:
            future.set_result(self.bring(task))
        except BaseException as error:
            future.set_exception(error)
        return future


def open_job(folder: Path, *, by_category: bool = False, verify_share: float = 0.0) -> Job:
    file = folder / "start-4.tabiya"
    return Job(file, 4, split=2, verify_share=verify_share, by_category=by_category)


def run(job: Job, executor: Executor, **changes: Any) -> tuple[Coordinator, list[str]]:
    said: list[str] = []
    clock = Ticking()
    spec = CounterSpec(job.categories is not None, 0, 1)
    options = Options(spec, **changes)
    coordinator = Coordinator(
        job, GivenExecutor(executor, 3), options, warn=said.append, clock=clock
    )
    coordinator.run()
    return coordinator, said


def altered(answer: Answer, **changes: Any) -> Any:
    """The answer with some fields replaced by anything."""
    return answer._replace(**changes)


def first_of(answer: Answer, **changes: Any) -> Any:
    """The answer with another first result."""
    first, *rest = answer.counted
    return altered(answer, counted=(first._replace(**changes), *rest))


def plain(answer: Answer, **changes: Any) -> Any:
    """The answer in built-in types, with some fields replaced by anything."""
    return {**plain_answer(lambda task: answer, TASK), **changes}


#: Answers of a broken worker, made from an honest answer.
BROKEN: dict[str, Callable[[Answer], Any]] = {
    "nothing": lambda answer: None,
    "a number": lambda answer: 7,
    "a plain tuple": tuple,
    "a plain answer without a field": lambda answer: {"worker": "a:1"},
    "a plain answer without results": lambda answer: plain(answer, counted=None),
    "a plain answer with half a result": lambda answer: plain(answer, counted=[(1,)]),
    "a plain answer with another field": lambda answer: plain(answer, news=1),
    "a type": lambda answer: Answer,
    "no results": lambda answer: altered(answer, counted=()),
    "too few results": lambda answer: altered(answer, counted=answer.counted[:-1]),
    "a result twice": lambda answer: altered(answer, counted=answer.counted + answer.counted[:1]),
    "results in a list": lambda answer: altered(answer, counted=list(answer.counted)),
    "a result that is none": lambda answer: altered(answer, counted=(None,)),
    "another unit": lambda answer: first_of(answer, number=399),
    "a unit that does not exist": lambda answer: first_of(answer, number=400),
    "a negative unit": lambda answer: first_of(answer, number=-1),
    "a unit that is a text": lambda answer: first_of(answer, number="1"),
    "a unit that is an array": lambda answer: first_of(answer, number=[1]),
    "a negative count": lambda answer: first_of(answer, result=-1),
    "a count of 65 bits": lambda answer: first_of(answer, result=1 << 64),
    "a count that is a fraction": lambda answer: first_of(answer, result=400.0),
    "a count that is true": lambda answer: first_of(answer, result=True),
    "a count that is a text": lambda answer: first_of(answer, result="400"),
    "categories": lambda answer: first_of(answer, result=(400,) * 19),
    "a negative time": lambda answer: first_of(answer, micros=-1),
    "a time of 65 bits": lambda answer: first_of(answer, micros=1 << 64),
    "seconds that are no number": lambda answer: altered(answer, seconds=float("nan")),
    "endless seconds": lambda answer: altered(answer, seconds=float("inf")),
    "seconds beyond all numbers": lambda answer: altered(answer, seconds=10**400),
    "negative seconds": lambda answer: altered(answer, seconds=-1.0),
    "no threads": lambda answer: altered(answer, threads=0),
    "threads that are a text": lambda answer: altered(answer, threads="many"),
    "a name that is a number": lambda answer: altered(answer, worker=5),
    "a seed with half a character": lambda answer: altered(answer, seed="\ud800"),
    "a name of two lines": lambda answer: altered(answer, worker="a\nb"),
    "a very long name": lambda answer: altered(answer, counter="x" * 1_000_000),
    "an unknown refusal": lambda answer: altered(answer, refusal="mood"),
    "a refusal that is a number": lambda answer: altered(answer, refusal=1),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_bad_answer_is_a_failure_and_its_units_are_counted_again(
    tmp_path: Path, how: str
) -> None:
    chance = random.Random(how)
    broken = 0

    def bring(task: Task) -> Any:
        nonlocal broken
        if chance.random() < 0.2 and broken < 8:
            broken += 1
            return BROKEN[how](count(task))
        return count(task)

    job = open_job(tmp_path)
    coordinator, _ = run(job, Bringing(bring))
    assert broken > 3
    assert (job.nodes, job.done) == (START_4, job.units)
    assert not coordinator.given_up


@pytest.mark.parametrize("how", BROKEN)
def test_a_cluster_that_only_brings_bad_answers_ends_the_run(tmp_path: Path, how: str) -> None:
    job = open_job(tmp_path)
    with pytest.raises(ClusterError, match="not in the units: BadAnswer: "):
        run(job, Bringing(lambda task: BROKEN[how](count(task))))
    assert (job.nodes, job.done) == (0, 0)


class Strange(Exception):
    """An error that has no message."""

    def __str__(self) -> str:
        raise ValueError("no message")


class Forgetful(Future[Any]):
    """A future that never says that it is finished, or does not bring its value."""

    def __init__(self, error: Exception | None) -> None:
        super().__init__()
        self.error = error

    def add_done_callback(self, fn: Any) -> None:
        if self.error is not None:
            super().add_done_callback(fn)

    def result(self, timeout: float | None = None) -> Any:
        if self.error is not None:
            raise self.error
        return super().result(timeout)


@pytest.mark.parametrize("error", [None, ValueError("no"), EOFError(), Strange()])
def test_strange_futures_are_failures_or_answers(tmp_path: Path, error: Exception | None) -> None:
    class Losing(Bringing):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(fn, *args, **kwargs)
            if len(self.tasks) not in (2, 5):
                return future
            strange = Forgetful(error)
            strange.set_result(future.result())
            return strange

    job = open_job(tmp_path)
    coordinator, _ = run(job, Losing(count))
    assert (job.nodes, job.done) == (START_4, job.units)
    assert not coordinator.given_up


def test_an_error_without_a_message_is_named(tmp_path: Path) -> None:
    def bring(task: Task) -> Answer:
        raise Strange

    with pytest.raises(ClusterError, match="not in the units: Strange$"):
        run(open_job(tmp_path), Bringing(bring))


def test_results_by_category_have_all_numbers(tmp_path: Path) -> None:
    chance = random.Random(4)
    bad: set[int] = set()

    def bring(task: Task) -> Any:
        answer = count(task)
        result = answer.counted[0].result
        assert isinstance(result, tuple)
        how = chance.randrange(20)
        if how > 2:
            return answer
        bad.add(how)
        return first_of(answer, result=(result[:-1], result[0], (*result, 0))[how])

    job = open_job(tmp_path, by_category=True)
    run(job, Bringing(bring))
    assert bad == {0, 1, 2}
    assert job.nodes == START_4
    assert job.categories is not None
    assert dict(job.categories)["captures"] == 1576


def test_a_worker_that_declines_for_ever_is_found(tmp_path: Path) -> None:
    def bring(task: Task) -> Answer:
        return count(task)._replace(refusal="seed", counted=())

    with pytest.raises(ClusterError, match="refuses a task for no reason"):
        run(open_job(tmp_path), Bringing(bring))


def test_workers_that_are_replaced_by_others_of_another_version_end_the_run(tmp_path: Path) -> None:
    turns = iter(range(10**9))

    def bring(task: Task) -> Answer:
        answer = count(task)
        return answer if next(turns) < 5 else answer._replace(version="0.0.1")

    job = open_job(tmp_path)
    with pytest.raises(ClusterError, match=r"the workers have tabiya 0\.0\.1"):
        run(job, Bringing(bring))
    assert 5 <= job.done < job.units


@pytest.mark.parametrize("error", [TypeError("no"), ValueError("no"), KeyError("no"), OSError("no")])
def test_an_executor_that_takes_no_tasks_ends_the_run(tmp_path: Path, error: Exception) -> None:
    class Refusing(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise error

    with pytest.raises(ClusterError, match=f"the executor takes no tasks: {type(error).__name__}"):
        run(open_job(tmp_path), Refusing())


def test_an_executor_that_gives_no_future_ends_the_run(tmp_path: Path) -> None:
    class Careless(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            return None

    with pytest.raises(ClusterError, match="the executor takes no tasks: AttributeError"):
        run(open_job(tmp_path), Careless())


def test_an_executor_that_gives_one_future_for_two_tasks_ends_the_run(tmp_path: Path) -> None:
    class Confused(Bringing):
        last: Future[Any] | None = None

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if self.last is None:
                self.last = super().submit(fn, *args, **kwargs)
            return self.last

    job = open_job(tmp_path)
    with pytest.raises(ClusterError, match="the same future for two tasks"):
        run(job, Confused(count))
    # The answer to the first task is kept.
    assert 0 < job.done < job.units


@pytest.mark.parametrize("seconds", [None, 1e18])
def test_a_task_that_is_never_answered_goes_out_again(tmp_path: Path, seconds: float | None) -> None:
    """This happens with a worker that is stopped. The answer that comes in the end is ignored."""
    forgotten: deque[tuple[Future[Any], Task]] = deque()

    class Forgetful(Bringing):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if len(self.tasks) in (3, 7, 8):
                self.tasks.append(args[0])
                future: Future[Any] = Future()
                forgotten.append((future, args[0]))
                return future
            return super().submit(fn, *args, **kwargs)

    def bring(task: Task) -> Any:
        # A worker may have no right clock.
        answer = count(task)
        return answer if seconds is None else altered(answer, seconds=seconds)

    job = open_job(tmp_path)
    _, said = run(job, Forgetful(bring), late_seconds=1.0)
    assert (job.nodes, job.done) == (START_4, job.units)
    assert len(said) == 3 and all("has had no answer" in message for message in said)
    for future, task in forgotten:
        # The future was cancelled, because nobody waits for it.
        assert future.cancelled()
        counted = tuple(Counted(unit.number, 1, 1) for unit in task.units)
        job.record([(it.number, False, it.result, it.micros, "late") for it in counted])
    assert job.nodes == START_4


@pytest.mark.parametrize("method", ["result", "exception"])
def test_a_future_that_cannot_bring_its_value_is_a_failure(tmp_path: Path, method: str) -> None:
    calls = 0

    def fail_at_times(called: str) -> None:
        nonlocal calls
        calls += called == method
        if called == method and calls in (1, 2, 5, 9):
            raise OSError("the connection is lost")

    class Broken(Future[Any]):
        def result(self, timeout: float | None = None) -> Any:
            fail_at_times("result")
            return super().result(timeout)

        def exception(self, timeout: float | None = None) -> Any:
            fail_at_times("exception")
            return super().exception(timeout)

    class Bringer(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = Broken()
            future.set_result(count(args[0]))
            return future

    job = open_job(tmp_path)
    coordinator, _ = run(job, Bringer())
    assert calls > 9
    assert (job.nodes, job.done) == (START_4, job.units)
    assert not coordinator.given_up


def test_tasks_that_are_all_lost_go_out_again(tmp_path: Path) -> None:
    """As many as may be outstanding, so that no answer makes room for another task."""

    class Forgetful(Bringing):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if len(self.tasks) < 6:
                self.tasks.append(args[0])
                return Future()
            return super().submit(fn, *args, **kwargs)

    job = open_job(tmp_path)
    _, said = run(job, Forgetful(count), late_seconds=1.0)
    assert (job.nodes, job.done) == (START_4, job.units)
    assert len(said) == 6 and all("has had no answer" in message for message in said)


def test_no_task_is_late_without_workers(tmp_path: Path) -> None:
    """Such a cluster may wait for its workers for hours, and would get the same task again and again."""
    looks = iter(range(1000))

    class Waiting(Executor):
        """It has workers after some looks, and does all tasks then."""

        def __init__(self) -> None:
            self.waiting: list[tuple[Future[Any], Task]] = []
            self.has_workers = False

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            self.waiting.append((future, args[0]))
            if self.has_workers:
                self.work()
            return future

        def work(self) -> None:
            self.has_workers = True
            for future, task in self.waiting:
                if not future.done():
                    future.set_result(count(task))

    class Engine(GivenExecutor):
        def workers(self) -> int:
            if next(looks) < 5:
                return 0
            executor.work()
            return 1

    executor = Waiting()
    job = open_job(tmp_path)
    said: list[str] = []
    options = Options(CounterSpec(False, 0, 1), late_seconds=1.0)
    engine = Engine(executor, 1)
    Coordinator(job, engine, options, warn=said.append, clock=Ticking()).run()
    assert (job.nodes, job.done) == (START_4, job.units)
    assert said == []


def test_a_task_is_late_after_five_times_its_time(tmp_path: Path) -> None:
    clock = Ticking()
    times: list[float] = []

    class Slow(Executor):
        """The first task is never answered, and every other at once."""

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            if times:
                future.set_result(count(args[0]))
            times.append(clock.now)
            return future

    job = open_job(tmp_path)
    said: list[str] = []
    options = Options(CounterSpec(False, 0, 1), task_seconds=20.0)
    engine = GivenExecutor(Slow(), 1)
    Coordinator(job, engine, options, warn=said.append, clock=clock).run()
    assert job.nodes == START_4
    assert len(said) == 1 and "it goes out again" in said[0]
    assert 100 <= times[-1] - times[0]


def test_what_is_checked_is_what_a_worker_answers() -> None:
    (unit,), answer = TASK.units, count(TASK)
    assert checked(answer, [unit], 1, may_decline=False) is answer
    assert checked(plain(answer), [unit], 1, may_decline=False) == answer
    other = checked(plain(answer, version="9.0", news=1), [unit], 1, may_decline=False)
    assert (other.worker, other.version, other.refusal) == (answer.worker, "9.0", "version")
    with pytest.raises(BadAnswer, match="did not answer unit 4"):
        checked(answer, [unit, unit._replace(number=4)], 1, may_decline=False)
    with pytest.raises(BadAnswer, match="counted unit 3, unasked"):
        checked(answer, [unit._replace(number=4)], 1, may_decline=False)
