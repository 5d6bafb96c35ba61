"""The coordinator over executors that answer as a test wants."""

from __future__ import annotations

import math
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

import tabiya
from lost_engines import FakeClock, Ticking
from tabiya.cluster import ClusterError, Coordinator, CounterSpec, EngineLost, GivenExecutor, Job
from tabiya.cluster import Options as CoordinatorOptions
from tabiya.cluster.coordinator import SETUP_TRIES, Clock
from tabiya.cluster.worker import Answer, Counted, Task, count

Answering = Callable[[Task], Answer]
START_4 = 197_281


class Puppet(Executor):
    """An executor whose tasks are answered when the test says so, or at once."""

    def __init__(self, answer: Answering, *, at_once: bool = True) -> None:
        self.answer = answer
        self.at_once = at_once
        self.waiting: deque[tuple[Future[Answer], Task]] = deque()
        self.most_waiting = 0
        self.tasks: list[Task] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        (task,) = args
        assert fn is count
        self.tasks.append(task)
        future: Future[Answer] = Future()
        self.waiting.append((future, task))
        self.most_waiting = max(self.most_waiting, len(self.waiting))
        if self.at_once:
            self.step()
        return future

    def step(self) -> None:
        future, task = self.waiting.popleft()
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(self.answer(task))
        except BaseException as error:
            future.set_exception(error)


def options(**changes: Any) -> CoordinatorOptions:
    return CoordinatorOptions(CounterSpec(False, 0, 1), **changes)


def open_job(folder: Path, *, verify_share: float = 0.0, split: int = 2) -> Job:
    return Job(folder / "start-4.tabiya", 4, split=split, verify_share=verify_share)


def run(
    job: Job, executor: Executor, workers: int = 4, *, clock: Clock = time, **changes: Any
) -> Coordinator:
    engine = GivenExecutor(executor, workers)
    coordinator = Coordinator(job, engine, options(**changes), clock=clock)
    coordinator.run()
    return coordinator


def named(worker: str, seed: str = "") -> Answering:
    """Counts honestly under a name."""

    def answer(task: Task) -> Answer:
        return count(task)._replace(worker=worker, seed=seed)

    return answer


def test_every_unit_is_counted_once(tmp_path: Path) -> None:
    executor = Puppet(count)
    job = open_job(tmp_path)
    run(job, executor)
    assert (job.nodes, job.done) == (START_4, job.units)
    times = Counter(unit.number for task in executor.tasks for unit in task.units)
    assert set(times.values()) == {1}
    assert len(times) == job.units == 400


def test_only_a_few_tasks_for_each_worker_are_outstanding(tmp_path: Path) -> None:
    executor = Puppet(count, at_once=False)
    job = open_job(tmp_path)
    thread = threading.Thread(target=run, args=(job, executor, 5))
    thread.start()
    while thread.is_alive():
        if executor.waiting:
            executor.step()
    assert job.nodes == START_4
    assert executor.most_waiting <= 5 * CoordinatorOptions.tasks_per_worker


def test_verifications_avoid_the_seed_of_the_first_count(tmp_path: Path) -> None:
    executor = Puppet(named("a:1", "01" * 32))
    job = open_job(tmp_path, verify_share=1.0)
    run(job, executor, walk_every=1 << 30)
    assert job.verified == job.units
    verifications = [task for task in executor.tasks if task.avoid]
    assert {seed for task in verifications for seed in task.avoid} == {"01" * 32}


def test_small_units_are_verified_by_a_plain_walk(tmp_path: Path) -> None:
    executor = Puppet(count)
    job = open_job(tmp_path, verify_share=1.0)
    run(job, executor, walk_every=1)
    assert job.verified == job.units
    assert any(task.walk for task in executor.tasks)


def test_a_worker_declines_its_own_seed_and_then_uses_a_second_one(tmp_path: Path) -> None:
    spec = CounterSpec(False, 1, 1)
    packed = tabiya.Position().packed()
    from tabiya.cluster.worker import Unit

    task = Task(tabiya.__version__, spec, (Unit(0, packed, 4),))
    first = count(task)
    avoiding = task._replace(avoid=frozenset({first.seed}))
    assert count(avoiding._replace(may_decline=True)).refusal == "seed"
    second = count(avoiding)
    assert second.seed not in ("", first.seed)
    assert second.counted[0].result == START_4
    assert count(task).seed == first.seed


def plus_one(result: int | tuple[int, ...]) -> int:
    assert isinstance(result, int)
    return result + 1


def test_a_wrong_result_is_a_dispute_that_names_both(tmp_path: Path) -> None:
    def lie(task: Task) -> Answer:
        honest = count(task)._replace(worker="liar:7" if task.avoid else "honest:1")
        if not task.avoid:
            return honest
        wrong = [it._replace(result=plus_one(it.result)) for it in honest.counted]
        return honest._replace(counted=tuple(wrong))

    job = open_job(tmp_path, verify_share=1.0)
    with pytest.raises(tabiya.CheckpointError) as error:
        run(job, Puppet(lie))
    assert error.value.is_dispute
    (evidence,) = error.value.__notes__
    assert "liar:7" in evidence and "honest:1" in evidence
    assert evidence in job.disputes
    job.close()
    # The evidence is kept, and the unit is counted again.
    again = open_job(tmp_path)
    assert again.disputes
    run(again, Puppet(count))
    assert again.nodes == START_4


def test_a_unit_that_always_fails_is_set_aside(tmp_path: Path) -> None:
    def answer(task: Task) -> Answer:
        if any(unit.number == 17 for unit in task.units):
            raise RuntimeError("this unit is poisonous")
        return count(task)

    warnings: list[str] = []
    job = open_job(tmp_path)
    coordinator = Coordinator(job, GivenExecutor(Puppet(answer), 4), options(), warn=warnings.append)
    coordinator.run()
    assert set(coordinator.given_up) == {17}
    assert job.done == job.units - 1
    assert any(job.fen(17) in warning for warning in warnings)
    job.close()
    # A later run counts it.
    again = open_job(tmp_path)
    run(again, Puppet(count))
    assert again.nodes == START_4


@pytest.mark.parametrize(("split", "workers", "units"), [(1, 1, 6), (1, 2, 6), (2, 1, 26)])
def test_many_bad_units_in_a_row_do_not_end_the_run(
    tmp_path: Path, split: int, workers: int, units: int
) -> None:
    bad = set(range(units))

    def answer(task: Task) -> Answer:
        if any(unit.number in bad for unit in task.units):
            raise RuntimeError("this unit is poisonous")
        return count(task)

    job = open_job(tmp_path, split=split)
    coordinator = run(job, Puppet(answer), workers)
    assert set(coordinator.given_up) == bad
    assert job.done == job.units - len(bad)


def test_failures_that_pass_do_no_harm(tmp_path: Path) -> None:
    chance = random.Random(5)
    failures = 0
    lost: Counter[int] = Counter()

    def answer(task: Task) -> Answer:
        nonlocal failures
        if chance.random() < 0.15:
            failures += 1
            lost.update(unit.number for unit in task.units)
            raise ConnectionResetError("a cable was pulled")
        return count(task)

    job = open_job(tmp_path)
    executor = Puppet(answer)
    coordinator = run(job, executor)
    assert failures > 3
    assert not coordinator.given_up
    # Only the units in flight are counted again.
    times = Counter(unit.number for task in executor.tasks for unit in task.units)
    assert times == Counter(range(job.units)) + lost
    assert job.nodes == START_4


def test_workers_of_another_version_are_refused(tmp_path: Path) -> None:
    turns = iter(range(10**9))

    def answer(task: Task) -> Answer:
        if next(turns) % 2:
            return Answer("old:1", "", "", "0.0.1", 0.0, (), refusal="version")
        return count(task)

    warnings: list[str] = []
    job = open_job(tmp_path)
    coordinator = Coordinator(job, GivenExecutor(Puppet(answer), 2), options(), warn=warnings.append)
    coordinator.run()
    assert job.nodes == START_4
    assert coordinator.refused == {"old:1"}
    assert len(warnings) == 1 and "0.0.1" in warnings[0]


def test_a_cluster_of_another_version_is_an_error(tmp_path: Path) -> None:
    job = open_job(tmp_path)
    other = Answer("old:1", "", "", "0.0.1", 0.0, (), refusal="version")
    with pytest.raises(ClusterError, match=r"the workers have tabiya 0\.0\.1"):
        run(job, Puppet(lambda task: other), clock=FakeClock())


def test_a_slow_worker_saves_a_run_in_which_others_are_refused(tmp_path: Path) -> None:
    """Refusals come at once, and a first result takes long."""
    refusals = 0

    def answer(task: Task) -> Answer:
        nonlocal refusals
        if refusals < 30 and len(executor.tasks) > 1:
            refusals += 1
            return Answer("old:1", "", "", "0.0.1", 0.0, (), refusal="version")
        return count(task)

    executor = Puppet(answer, at_once=False)
    job = open_job(tmp_path)
    thread = threading.Thread(target=run, args=(job, executor, 2))
    thread.start()
    while not executor.waiting:
        pass
    first = [executor.waiting.popleft()]
    while thread.is_alive():
        if executor.waiting:
            executor.step()
        elif refusals and first:
            future, task = first.pop()
            future.set_result(count(task))
    assert job.nodes == START_4


def test_an_error_of_the_setup_that_sticks_to_a_unit_is_found(tmp_path: Path) -> None:
    def answer(task: Task) -> Answer:
        if any(unit.number == 9 for unit in task.units):
            raise MemoryError("too much")
        return count(task)

    # It is blamed as soon as a task may be late.
    coordinator = run(open_job(tmp_path, split=1), Puppet(answer), late_seconds=0.0)
    assert set(coordinator.given_up) == {9}


class Unfair(Puppet):
    """Gives a task that is alone to a worker that cannot count, as Dask does to one that is as idle
    as others and has had fewer tasks. Of several tasks, that worker gets the first one."""

    def __init__(self, fail: Answering) -> None:
        super().__init__(count, at_once=False)
        self.fail = fail

    def step(self) -> None:
        future, task = self.waiting.popleft()
        waiting, self.waiting = self.waiting, deque()
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(self.fail(task))
            except Exception as error:
                future.set_exception(error)
        for future, task in waiting:
            if future.set_running_or_notify_cancel():
                future.set_result(count(task))


def old(task: Task) -> Answer:
    return Answer("old:1", "", "", "0.0.1", 0.0, (), refusal="version")


def without_room(task: Task) -> Answer:
    raise MemoryError("no memory for a table")


@pytest.mark.parametrize("fail", [old, without_room])
def test_a_worker_that_gets_each_lonely_task_does_not_end_the_run(
    tmp_path: Path, fail: Answering
) -> None:
    executor = Unfair(fail)
    job = open_job(tmp_path)
    coordinators: list[Coordinator] = []
    clock = FakeClock()
    thread = threading.Thread(
        target=lambda: coordinators.append(run(job, executor, 2, clock=clock, tasks_per_worker=1))
    )
    thread.start()
    while thread.is_alive():
        # So that all tasks that will come are there.
        before = -1
        while before != len(executor.tasks):
            before = len(executor.tasks)
            thread.join(0.01)
        if executor.waiting:
            executor.step()
    assert job.nodes == START_4
    (coordinator,) = coordinators
    assert not coordinator.given_up


def test_a_worker_without_memory_takes_no_units_from_a_busy_one(tmp_path: Path) -> None:
    """It fails at once, again and again, while the other one counts."""
    failures: list[Task] = []

    def answer(task: Task) -> Answer:
        if busy and len(failures) < 200:
            failures.append(task)
            raise MemoryError("no memory for a table")
        return count(task)

    busy: list[tuple[Future[Answer], Task]] = []
    executor = Puppet(answer, at_once=False)
    job = open_job(tmp_path)
    coordinators: list[Coordinator] = []
    thread = threading.Thread(
        target=lambda: coordinators.append(run(job, executor, 2, clock=FakeClock()))
    )
    thread.start()
    # The first task shows that there is a worker that can count. It keeps the second one.
    while len(executor.waiting) < 2:
        pass
    executor.step()
    busy.append(executor.waiting.popleft())
    while thread.is_alive():
        if len(failures) == 200 and busy:
            future, task = busy.pop()
            assert future.set_running_or_notify_cancel()
            future.set_result(count(task))
        elif executor.waiting:
            executor.step()
    (coordinator,) = coordinators
    assert not coordinator.given_up
    assert job.nodes == START_4


def test_a_task_is_not_blamed_while_others_succeed(tmp_path: Path) -> None:
    """A worker that cannot begin a task may be asked again and again while the others count."""
    clock, job = FakeClock(), open_job(tmp_path)
    begin, failures = clock.now, 0

    def answer(task: Task) -> Answer:
        nonlocal failures
        clock.now += 10.0
        is_first = task.units == executor.tasks[0].units
        if is_first and job.done + len(task.units) < job.units:
            failures += 1
            raise MemoryError("no memory for a table")
        return count(task)

    executor = Puppet(answer)
    coordinator = run(job, executor, clock=clock, task_seconds=1.0)
    assert failures > SETUP_TRIES
    assert clock.now - begin > 10 * SETUP_TRIES
    assert not coordinator.given_up
    first, *others = executor.tasks
    assert all(not {*task.units} & {*first.units} or task.units == first.units for task in others)
    assert job.nodes == START_4


def test_workers_that_fail_to_begin_at_the_same_time_share_a_pause(tmp_path: Path) -> None:
    """Otherwise answers of others would wait longer, the more workers there are."""
    clock, executor = FakeClock(), Puppet(without_room)
    with pytest.raises(ClusterError, match="no worker can count: MemoryError"):
        run(open_job(tmp_path), executor, 10, clock=clock, patience=5.0)
    assert len(executor.tasks) >= 10 * clock.sleeps > 0


def test_a_time_without_workers_is_not_one_of_failures_to_begin(tmp_path: Path) -> None:
    """Workers are started again, and the first one that is back is one that cannot count."""
    clock = FakeClock()

    class Restarted(GivenExecutor):
        looks = 0

        def workers(self) -> int:
            self.looks += 1
            if self.looks != 3:
                return 1
            clock.now += 65.0
            return 0

    def answer(task: Task) -> Answer:
        if 2 <= engine.looks < 5:
            raise MemoryError("no memory for a table")
        # So that the coordinator looks at the engine.
        clock.now += 1.0
        return count(task)

    job, engine = open_job(tmp_path), Restarted(Puppet(answer), 1)
    Coordinator(job, engine, options(), clock=clock).run()
    assert job.nodes == START_4


@pytest.mark.parametrize("is_slow", [True, False])
def test_a_late_task_goes_out_again_if_no_other_can_begin(tmp_path: Path, is_slow: bool) -> None:
    """Its worker may be slow, and answer at last; or a worker that can count may come."""
    late: list[tuple[Future[Answer], Task]] = []

    class Late(Puppet):
        """Does not answer its first task."""

        def step(self) -> None:
            if late:
                super().step()
            else:
                late.append(self.waiting.popleft())

    class Ending(Ticking):
        def monotonic(self) -> float:
            assert self.now < 9000, "this never ends"
            if is_slow and self.now > 1800 and late and not late[0][0].done():
                future, task = late[0]
                future.set_result(count(task))
            return super().monotonic()

    def answer(task: Task) -> Answer:
        if late[0][0].done() or (len(executor.tasks) > 9 and not is_slow):
            return count(task)
        raise MemoryError("no memory for a table")

    job, executor = open_job(tmp_path), Late(answer)
    run(job, executor, 2, clock=Ending(), patience=1.0, late_seconds=10.0)
    assert job.nodes == START_4


def test_what_fails_everywhere_is_not_blamed_on_the_units(tmp_path: Path) -> None:
    def answer(task: Task) -> Answer:
        raise RuntimeError("there is no CPU")

    with pytest.raises(ClusterError, match="not in the units: RuntimeError: there is no CPU"):
        run(open_job(tmp_path), Puppet(answer))


def test_without_a_table_another_worker_verifies(tmp_path: Path) -> None:
    executor = Puppet(named("a:1"))
    run(open_job(tmp_path, verify_share=1.0), executor, walk_every=1 << 30)
    assert {who for task in executor.tasks for who in task.avoid} == {"a:1"}


def test_the_worker_itself_refuses_another_version() -> None:
    task = Task("0.0.1", CounterSpec(False, 0, 1), ())
    assert count(task).refusal == "version"


def test_workers_without_tabiya_are_an_error(tmp_path: Path) -> None:
    def answer(task: Task) -> Answer:
        raise ModuleNotFoundError("No module named 'tabiya'")

    clock = FakeClock()
    begin = clock.now
    with pytest.raises(ClusterError, match="no worker can count: .*No module named 'tabiya'"):
        run(open_job(tmp_path), Puppet(answer), clock=clock)
    # Others may come.
    assert clock.now - begin >= CoordinatorOptions.patience


def test_an_executor_that_gives_up_ends_the_run_with_everything_stored(tmp_path: Path) -> None:
    from concurrent.futures import CancelledError

    turns = iter(range(10**9))

    def answer(task: Task) -> Answer:
        if next(turns) >= 3:
            raise CancelledError
        return count(task)

    job = open_job(tmp_path)
    with pytest.raises(EngineLost):
        run(job, Puppet(answer))
    done = job.done
    assert 0 < done < job.units
    job.close()
    again = open_job(tmp_path)
    assert again.done == done
    run(again, Puppet(count))
    assert again.nodes == START_4


def test_late_and_double_answers_are_ignored(tmp_path: Path) -> None:
    job = open_job(tmp_path)
    units = job.take(3)
    number, _, _, _ = units[0]
    job.record([(number, False, 1000, 5, "first")])
    job.record([(number, False, 2000, 5, "second")])
    assert (job.done, job.nodes) == (1, 1000)
    job.put_back([(number, False), (units[1][0], False)])
    assert job.take(1)[0][0] == units[1][0]


def test_all_that_was_handed_out_can_be_put_back(tmp_path: Path) -> None:
    job = open_job(tmp_path, verify_share=1.0)
    first, *_ = job.take(300)
    job.record([(first[0], False, 1000, 5, "first")])
    taken = job.take(1)
    assert taken[0][3] == ("first", 1000)
    job.put_back()
    again = job.take(400)
    assert again[0] == taken[0]
    assert [number for number, *_ in again] == list(range(400))
    assert not job.take(1)


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("answers", [0, 3, 7])
def test_a_second_coordinator_counts_the_rest_of_a_job(
    tmp_path: Path, share: float, answers: int
) -> None:
    """A program may wait and go on with the same job after its engine was lost."""

    class Ending(Puppet):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if len(self.tasks) == answers:
                raise RuntimeError("cannot schedule new futures after shutdown")
            return super().submit(fn, *args, **kwargs)

    job = open_job(tmp_path, verify_share=share)
    with pytest.raises(ClusterError, match="takes no tasks"):
        run(job, Ending(count))
    assert job.done < job.units
    run(job, Puppet(count))
    assert (job.nodes, job.done) == (START_4, job.units)
    assert job.verified == (job.units if share else 0)


def test_a_thousand_workers_are_kept_busy(tmp_path: Path) -> None:
    """Each simulated worker has a task at any time until few units are left."""
    executor = Puppet(honest_in_time, at_once=False)
    job = Job(tmp_path / "start-5.tabiya", 5, split=3, verify_share=0.0)
    coordinator = Coordinator(job, GivenExecutor(executor, 1000), options(task_seconds=0.001))
    idle = 0
    steps = 0

    def drive() -> None:
        nonlocal idle, steps
        while thread.is_alive():
            if len(executor.waiting) >= 1000:
                executor.step()
                steps += 1
            elif executor.waiting and job.units - job.done <= 4000:
                executor.step()

    thread = threading.Thread(target=coordinator.run)
    thread.start()
    drive()
    assert steps > 500
    assert job.nodes == 4_865_609


def honest_in_time(task: Task) -> Answer:
    """Counts, and says that each unit took a millisecond."""
    answer = count(task)
    counted = tuple(Counted(it.number, it.result, 1000) for it in answer.counted)
    return answer._replace(seconds=0.001 * len(counted), counted=counted)


@pytest.mark.parametrize(
    "changes",
    [
        *({"tasks_per_worker": 0}, {"walk_every": 0}, {"walk_below": -1}),
        *({"task_seconds": math.nan}, {"task_seconds": math.inf}, {"patience": -1.0}),
    ],
)
def test_options_without_a_meaning_are_refused(changes: dict[str, Any]) -> None:
    (name,) = changes
    with pytest.raises(ValueError, match=f"^{name} is "):
        options(**changes)
