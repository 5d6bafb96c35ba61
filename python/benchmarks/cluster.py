"""The cost of a cluster in addition to the counting itself.

* The coordinator over an executor that answers at once: processor time for each unit, with 1,000
  simulated workers.
* The same tasks through a process pool and, if Dask is installed, through a Dask cluster of this
  machine: elapsed time for each empty task.

    python benchmarks/cluster.py
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

from tabiya.cluster import Coordinator, CounterSpec, Job
from tabiya.cluster.worker import Answer, Counted, Task


class AtOnce(Executor):
    """Answers every task at once, with counts that mean nothing."""

    def __init__(self, seconds_a_unit: float) -> None:
        self.seconds = seconds_a_unit
        self.tasks = 0
        self.most_outstanding = 0
        self._waiting: deque[tuple[Future[Answer], Task]] = deque()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        (task,) = args
        self.tasks += 1
        future: Future[Answer] = Future()
        self._waiting.append((future, task))
        self.most_outstanding = max(self.most_outstanding, len(self._waiting))
        return future

    def answer_the_rest(self, job: Job) -> None:
        """Answers what is waiting, while no more tasks come."""
        while job.done < job.units:
            if self._waiting:
                self._answer()
            else:
                time.sleep(0.001)

    def _answer(self) -> None:
        future, task = self._waiting.popleft()
        micros = int(self.seconds * 1e6)
        counted = tuple(Counted(unit.number, 1, micros) for unit in task.units)
        seconds = self.seconds * len(counted)
        counter = f"nothing at here:1, seed {'0' * 64}, tabiya 0"
        future.set_result(Answer(counter, counted, seconds, 1))


def coordinator(split: int) -> None:
    """Measures the coordinator alone."""
    print(f"perft 9 of the start position, split after {split} plies, 1,000 workers, tasks of 20 s")
    for seconds in (1.0, 10.0, 60.0):
        with tempfile.TemporaryDirectory() as folder:
            job = Job(Path(folder) / "job.tabiya", 9, split=split, verify_share=0.0)
            executor = AtOnce(seconds)
            spec = CounterSpec(False, 0, 1)
            runner = Coordinator(job, executor, lambda: 1000, spec)
            begin, begin_cpu = time.perf_counter(), time.process_time()
            helper = threading.Thread(target=executor.answer_the_rest, args=(job,))
            helper.start()
            runner.run()
            helper.join()
            elapsed, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
            units = job.units
            print(
                f"  units of {seconds:4.0f} s: {units:,} units in {executor.tasks:,} tasks, "
                f"{cpu / units * 1e3:.3f} ms of processor time a unit, "
                f"{cpu / executor.tasks * 1e3:.3f} ms a task, {elapsed:.1f} s in all, "
                f"at most {executor.most_outstanding:,} tasks outstanding"
            )
            assert job.done == units
            job.close()


def nothing(number: int) -> int:
    """An empty task."""
    return number


def overhead(name: str, submit: Callable[[int], Future[int]], tasks: int) -> None:
    """Measures an executor with empty tasks, at most 64 of them outstanding."""
    submit(0).result()
    begin = time.perf_counter()
    outstanding: deque[Future[int]] = deque()
    for number in range(tasks):
        outstanding.append(submit(number))
        if len(outstanding) >= 64:
            outstanding.popleft().result()
    for future in outstanding:
        future.result()
    elapsed = time.perf_counter() - begin
    print(f"  {name}: {elapsed / tasks * 1e3:.2f} ms a task, {tasks / elapsed:,.0f} tasks/s")


def main() -> None:
    """Prints the measurements."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("--split", type=int, default=4, help="plies to the units (4)")
    arguments.add_argument("--tasks", type=int, default=2000, help="empty tasks (2000)")
    args = arguments.parse_args()
    coordinator(args.split)
    print("empty tasks")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, context) as pool:
        overhead("process pool", lambda number: pool.submit(nothing, number), args.tasks)
    try:
        client_class: Any = import_module("distributed").Client
    except ImportError:
        print("  Dask is not installed")
        return
    with client_class(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        executor = client.get_executor(pure=False)
        overhead("Dask", lambda number: executor.submit(nothing, number), args.tasks)


if __name__ == "__main__":
    main()
