"""The coordinator over executors that answer as a test wants."""

from __future__ import annotations

import random
import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.cluster import ClusterError, Coordinator, CounterSpec, Job, Progress, coordinator
from tabiya.cluster.coordinator import TASKS_PER_WORKER
from tabiya.cluster.worker import Answer, Counted, OtherVersionError, Task, Unit, count

Answering = Callable[[Task], Any]
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


def open_job(
    folder: Path, *, verify_share: float = 0.0, split: int = 2, by_category: bool = False
) -> Job:
    file = folder / "start-4.tabiya"
    return Job(file, 4, split=split, verify_share=verify_share, by_category=by_category)


def run(job: Job, executor: Executor, workers: int = 4, **options: Any) -> None:
    spec = CounterSpec(job.categories is not None, 0, 1)
    Coordinator(job, executor, lambda: workers, spec, **options).run()


def named(worker: str, seed: str) -> Callable[[Task], Answer]:
    """Counts honestly under a name."""

    def answer(task: Task) -> Answer:
        return count(task)._replace(counter=f"walk at {worker}, seed {seed}, tabiya 1")

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
    assert executor.most_waiting <= 5 * TASKS_PER_WORKER


def test_progress_is_reported_to_the_end(tmp_path: Path) -> None:
    seen: list[Progress] = []
    job = open_job(tmp_path)
    run(job, Puppet(count), 3, report=seen.append)
    first, last = seen[0], seen[-1]
    assert (first.done, first.units, first.workers, first.seconds_left) == (0, 400, 3, None)
    assert (last.done, last.nodes, last.nodes_of_run, last.outstanding) == (400, START_4, START_4, 0)


# Verification


def test_verifications_avoid_the_seed_of_the_first_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coordinator, "WALK_EVERY", 1 << 30)
    executor = Puppet(named("a:1", "01" * 32))
    job = open_job(tmp_path, verify_share=1.0)
    run(job, executor)
    assert job.verified == job.units
    assert {seed for task in executor.tasks for seed in task.avoid or ()} == {"01" * 32}


def test_without_a_table_another_worker_is_to_verify(tmp_path: Path) -> None:
    executor = Puppet(named("a:1", "none"))
    run(open_job(tmp_path, verify_share=1.0), executor)
    assert {who for task in executor.tasks for who in task.avoid or ()} == {"a:1"}


@pytest.mark.parametrize("every", [1, 4])
def test_small_units_are_verified_by_a_plain_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    monkeypatch.setattr(coordinator, "WALK_EVERY", every)
    executor = Puppet(count)
    job = open_job(tmp_path, verify_share=1.0)
    run(job, executor)
    assert job.verified == job.units
    assert all(task.avoid for task in executor.tasks if task.walk)
    assert sum(len(task.units) for task in executor.tasks if task.walk) == job.units // every


def test_a_worker_verifies_its_own_count_with_a_second_seed() -> None:
    spec = CounterSpec(False, 1, 1)
    task = Task(tabiya.__version__, spec, (Unit(0, tabiya.Position().packed(), 4),))
    first = count(task)
    seed = coordinator.who_of(first.counter)
    second = count(task._replace(avoid=frozenset({seed})))
    assert len(seed) == 64 and seed not in second.counter and ", seed none" not in second.counter
    assert first.counted[0].result == second.counted[0].result == START_4
    # The first counter, with its table, is still there.
    assert seed in count(task).counter


def plus_one(result: int | tuple[int, ...]) -> int:
    assert isinstance(result, int)
    return result + 1


def test_a_wrong_result_is_a_dispute_that_names_both(tmp_path: Path) -> None:
    def lie(task: Task) -> Answer:
        honest = named("liar:7" if task.avoid else "honest:1", "none")(task)
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


# Failures


def expect_resumable(job: Job, folder: Path) -> None:
    """What was counted is stored, and the same call continues."""
    done = job.done
    job.close()
    again = open_job(folder)
    assert again.done == done
    run(again, Puppet(count))
    assert (again.nodes, again.done) == (START_4, again.units)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (MemoryError("no memory for a table"), "MemoryError: no memory for a table"),
        (ModuleNotFoundError("No module named 'tabiya'"), "No module named 'tabiya'"),
        (OverflowError("begin a new file with a larger split"), "begin a new file with a larger"),
        (RuntimeError("poison"), "RuntimeError: poison"),
    ],
)
def test_a_task_that_raises_ends_the_run_with_place_reason_and_cure(
    tmp_path: Path, error: Exception, reason: str
) -> None:
    def answer(task: Task) -> Answer:
        if any(unit.number == 17 for unit in task.units):
            raise error
        return count(task)

    job = open_job(tmp_path)
    with pytest.raises(ClusterError) as caught:
        run(job, Puppet(answer))
    message = str(caught.value)
    assert message.startswith("a task of 8 units, the first of them unit 16 (")
    assert f"{job.fen(16)} to depth 2), cannot be counted: " in message and reason in message
    assert message.endswith(f"; {job.done} of 400 units are stored, and the same call continues")
    assert caught.value.__cause__ is error
    expect_resumable(job, tmp_path)


def test_what_came_before_a_failure_is_recorded(tmp_path: Path) -> None:
    """And what is outstanding is cancelled."""

    def answer(task: Task) -> Answer:
        if task.units[0].number == 8:
            raise RuntimeError("poison")
        return count(task)

    executor = Puppet(answer, at_once=False)
    job = open_job(tmp_path)
    caught: list[ClusterError] = []

    def run_until_it_fails() -> None:
        with pytest.raises(ClusterError) as error:
            run(job, executor, 2)
        caught.append(error.value)

    thread = threading.Thread(target=run_until_it_fails)
    thread.start()
    while len(executor.waiting) < 4:
        pass
    last, _ = executor.waiting.pop()
    # The failure comes last: an answer after it might come too late.
    executor.waiting.rotate(1)
    for _ in range(3):
        executor.step()
    thread.join()
    assert "unit 8 " in str(caught[0])
    assert job.done >= 16
    assert last.cancelled()
    expect_resumable(job, tmp_path)


def test_workers_of_another_version_end_the_run(tmp_path: Path) -> None:
    task = Task("0.0.1", CounterSpec(False, 0, 1), ())
    with pytest.raises(OtherVersionError, match=r"has tabiya .*, and the coordinator 0\.0\.1"):
        count(task)

    def answer(task: Task) -> Answer:
        return count(task._replace(version="0.0.1"))

    with pytest.raises(ClusterError, match="install the same version on all machines"):
        run(open_job(tmp_path), Puppet(answer))


def test_an_executor_that_loses_a_process_ends_the_run(tmp_path: Path) -> None:
    answers = iter(range(5))

    def answer(task: Task) -> Answer:
        if next(answers, None) is None:
            raise BrokenExecutor("a child process terminated abruptly")
        return count(task)

    job = open_job(tmp_path)
    with pytest.raises(ClusterError, match="a worker process has ended without an answer"):
        run(job, Puppet(answer))
    assert 0 < job.done < job.units
    expect_resumable(job, tmp_path)


def test_a_cluster_that_is_lost_ends_the_run(tmp_path: Path) -> None:
    def answer(task: Task) -> Answer:
        if len(executor.tasks) > 5:
            raise ClusterError("the scheduler is lost")
        return count(task)

    executor, job = Puppet(answer), open_job(tmp_path)
    with pytest.raises(ClusterError, match=f"^the scheduler is lost; .* of {job.units} units are stored"):
        run(job, executor)
    assert 0 < job.done < job.units
    expect_resumable(job, tmp_path)


def test_a_task_that_the_executor_cancels_ends_the_run(tmp_path: Path) -> None:
    class Cancelling(Puppet):
        def step(self) -> None:
            if len(self.tasks) > 5:
                self.waiting[0][0].cancel()
            super().step()

    job = open_job(tmp_path)
    with pytest.raises(ClusterError, match="cannot be counted: CancelledError"):
        run(job, Cancelling(count))
    assert 0 < job.done < job.units
    expect_resumable(job, tmp_path)


@pytest.mark.parametrize("error", [TypeError("no"), ValueError("no"), KeyError("no"), OSError("no")])
def test_an_executor_that_takes_no_tasks_ends_the_run(tmp_path: Path, error: Exception) -> None:
    class Refusing(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise error

    with pytest.raises(ClusterError, match=f"the executor takes no tasks: {type(error).__name__}"):
        run(open_job(tmp_path), Refusing())


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("answers", [0, 3, 7])
def test_a_second_coordinator_counts_the_rest_of_a_job(
    tmp_path: Path, share: float, answers: int
) -> None:
    """A program may go on with the same job after a run has ended early."""

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


@pytest.mark.parametrize("seed", range(5))
def test_runs_that_end_anywhere_give_the_exact_result(tmp_path: Path, seed: int) -> None:
    """Each run ends at some task: by Ctrl-C, by an error of it, or with its executor."""
    chance = random.Random(seed)

    class Ending(Puppet):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if chance.random() < 0.05:
                raise chance.choice([KeyboardInterrupt(), RuntimeError("shut down")])
            return super().submit(fn, *args, **kwargs)

    def answer(task: Task) -> Answer:
        if chance.random() < 0.05:
            raise chance.choice([KeyboardInterrupt(), RuntimeError("poison"), BrokenExecutor()])
        return count(task)

    def is_finished(job: Job) -> bool:
        try:
            run(job, Ending(answer))
        except (ClusterError, KeyboardInterrupt):
            return False
        return True

    stored: list[int] = []
    while True:
        job = open_job(tmp_path, verify_share=0.3)
        assert job.done >= max(stored, default=0)
        ended = is_finished(job)
        stored.append(job.done)
        job.close()
        if ended:
            break
    assert len(stored) > 3
    assert (job.nodes, job.done) == (START_4, job.units)
    assert 0.2 * job.units < job.verified < 0.4 * job.units


# Answers


def altered(answer: Answer, **changes: Any) -> Any:
    """The answer with some fields replaced by anything."""
    return answer._replace(**changes)


def first_of(answer: Answer, **changes: Any) -> Any:
    """The answer with another first result."""
    first, *rest = answer.counted
    return altered(answer, counted=(first._replace(**changes), *rest))


#: Answers of a broken worker, made from an honest answer.
BROKEN: dict[str, Callable[[Answer], Any]] = {
    "nothing": lambda answer: None,
    "no results": lambda answer: altered(answer, counted=()),
    "too few results": lambda answer: altered(answer, counted=answer.counted[:-1]),
    "a result twice": lambda answer: altered(answer, counted=answer.counted + answer.counted[:1]),
    "another order": lambda answer: altered(answer, counted=answer.counted[::-1]),
    "another unit": lambda answer: first_of(answer, number=399),
    "a unit that does not exist": lambda answer: first_of(answer, number=400),
    "a negative count": lambda answer: first_of(answer, result=-1),
    "a count of 65 bits": lambda answer: first_of(answer, result=1 << 64),
    "a count that is a fraction": lambda answer: first_of(answer, result=400.0),
    "a count that is a text": lambda answer: first_of(answer, result="400"),
    "categories": lambda answer: first_of(answer, result=(400,) * 19),
    "too many numbers": lambda answer: first_of(answer, result=(400,) * 20),
    "a time of 65 bits": lambda answer: first_of(answer, micros=1 << 64),
    "a name that is a number": lambda answer: altered(answer, counter=5),
}


@pytest.mark.parametrize("how", BROKEN)
def test_an_answer_that_is_not_one_result_for_each_unit_ends_the_run(
    tmp_path: Path, how: str
) -> None:
    """Nothing in it is used."""

    def answer(task: Task) -> Any:
        honest = count(task)
        return BROKEN[how](honest) if any(unit.number == 17 for unit in task.units) else honest

    job = open_job(tmp_path)
    with pytest.raises((ClusterError, tabiya.CheckpointError)):
        run(job, Puppet(answer))
    # Units 16 to 23 are in one task.
    job.put_back()
    left = {number for number, *_ in job.take(400)}
    assert {16, 17, 23} <= left
    job.put_back()
    expect_resumable(job, tmp_path)


@pytest.mark.parametrize("how", range(3))
def test_results_by_category_have_all_numbers(tmp_path: Path, how: int) -> None:
    def answer(task: Task) -> Any:
        honest = count(task)
        result = honest.counted[0].result
        assert isinstance(result, tuple)
        return first_of(honest, result=(result[:-1], result[0], (*result, 0))[how])

    job = open_job(tmp_path, by_category=True)
    with pytest.raises((ClusterError, tabiya.CheckpointError)):
        run(job, Puppet(answer))
    assert job.done == 0
    run(job, Puppet(count))
    assert job.nodes == START_4
    assert job.categories is not None
    assert dict(job.categories)["captures"] == 1576


# The ledger


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


def test_a_thousand_workers_are_kept_busy(tmp_path: Path) -> None:
    """Each simulated worker has a task at any time until few units are left."""
    executor = Puppet(honest_in_time, at_once=False)
    job = Job(tmp_path / "start-5.tabiya", 5, split=3, verify_share=0.0)
    thread = threading.Thread(target=run, args=(job, executor, 1000), kwargs={"task_seconds": 0.001})
    thread.start()
    steps = 0
    while thread.is_alive():
        if len(executor.waiting) >= 1000:
            executor.step()
            steps += 1
        elif executor.waiting and job.units - job.done <= 4000:
            executor.step()
    assert steps > 500
    assert job.nodes == 4_865_609


def honest_in_time(task: Task) -> Answer:
    """Counts, and says that each unit took a millisecond."""
    answer = count(task)
    counted = tuple(Counted(it.number, it.result, 1000) for it in answer.counted)
    return answer._replace(seconds=0.001 * len(counted), counted=counted)
