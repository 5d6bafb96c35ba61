"""Perft on as many machines as there are.

A job is a checkpoint file, the same that ``tabiya perft --checkpoint`` writes: each program
continues jobs of the other, and ``tabiya status`` shows their progress. The units of the job are
counted by the workers of an executor: processes of this machine, or a Dask cluster.

>>> import tempfile
>>> from tabiya import cluster
>>> with tempfile.TemporaryDirectory() as folder:
...     status = cluster.perft(5, checkpoint=f"{folder}/start-5.tabiya", workers=1)
>>> status.nodes
4865609

On the command line: ``python -m tabiya.cluster perft 9 --checkpoint start-9.tabiya``.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

from .._tabiya import Job
from ..constants import START
from .coordinator import (
    Clock,
    ClusterError,
    Coordinator,
    Engine,
    EngineAway,
    EngineLost,
    NoAnswer,
    Options,
    Progress,
)
from .engines import DaskCluster, GivenExecutor, LocalPool
from .worker import CounterSpec

__all__ = [
    "Clock",
    "ClusterError",
    "Coordinator",
    "CounterSpec",
    "DaskCluster",
    "Engine",
    "EngineAway",
    "EngineLost",
    "GivenExecutor",
    "Job",
    "LocalPool",
    "NoAnswer",
    "Options",
    "Progress",
    "Status",
    "perft",
]


#: The limits of the command ``tabiya``.
MOST_PLIES, MOST_THREADS = 255, 1024
#: This many processes, each with an interpreter of its own, need 30 GiB of memory.
MOST_WORKERS = 1024
#: An exbibyte, in MiB.
MOST_MIB = 1 << 40
#: A week, in seconds: nobody waits longer for a scheduler.
MOST_PATIENCE = 604_800


@dataclass(frozen=True, slots=True)
class Status:
    """The progress of a job."""

    #: Leaf nodes found so far; the perft if the job is complete.
    nodes: int
    #: The leaf nodes by category; ``None`` unless the job counts by category.
    categories: dict[str, int] | None
    #: Units with a result, and all units.
    done: int
    units: int
    #: Units that were given up because they end their workers, with the error.
    given_up: dict[int, str]
    #: The same object as ``tabiya status --json``, as text.
    json: str

    @property
    def is_complete(self) -> bool:
        """Has everything been counted?"""
        return self.done == self.units


def perft(
    depth: int,
    *,
    checkpoint: str | os.PathLike[str],
    fen: str = START,
    chess960: bool = False,
    categories: bool = False,
    executor: Executor | None = None,
    dask: str | None = None,
    workers: int | None = None,
    threads: int | None = None,
    hash_mib: int = 0,
    verify_share: float = 0.001,
    split: int | None = None,
    task_seconds: float = 20.0,
    patience: float = 60.0,
    progress: Callable[[Progress], None] = lambda progress: None,
    warn: Callable[[str], None] = lambda message: None,
) -> Status:
    """Counts the leaf nodes ``depth`` plies below a position on many workers.

    The results are kept in the file ``checkpoint``; if it exists, the job in it is continued. The
    workers are those of ``executor`` (with ``workers`` of them), of the Dask scheduler at the address
    ``dask``, or else ``workers`` processes of this machine (1), each with ``threads`` threads (all
    CPUs) and a table of ``hash_mib`` MiB (none). ``verify_share`` of the units, from 0 to 1, is
    counted a second time, by another worker with another seed. If the scheduler is lost, or none of
    the workers can count, the call waits ``patience`` seconds for it, or for another worker.

    A script must call this under ``if __name__ == "__main__":``, since each worker process imports it.

    Raises :class:`ClusterError` (:class:`EngineLost` if the scheduler or the executor is lost for good)
    or :class:`tabiya.CheckpointError` if the job cannot go on; what was counted is stored, and the same
    call continues.
    """
    if executor is not None and dask is not None:
        raise ValueError("executor and dask: expected one of them, not both")
    if executor is not None and workers is None:
        raise ValueError("workers: expected the number of workers of the executor")
    if dask is not None and workers is not None:
        raise ValueError("workers: the workers of a Dask cluster are counted, not given")
    limits = {
        "depth": (1, depth, MOST_PLIES),
        "split": (1, split, MOST_PLIES),
        "threads": (1, threads, MOST_THREADS),
        "workers": (1, workers, MOST_WORKERS if executor is None else 1_000_000),
        "hash_mib": (0, hash_mib, MOST_MIB),
    }
    for name, (least, value, most) in limits.items():
        if value is not None or name in ("depth", "hash_mib"):
            check_number(name, least, value, most)
    if not 0.1 <= task_seconds <= 600:
        raise ValueError(f"task_seconds: expected 0.1 to 600, not {task_seconds}")
    if not 0 <= patience <= MOST_PATIENCE:
        raise ValueError(f"patience: expected 0 to {MOST_PATIENCE:,} seconds, not {patience}")

    def new_engine() -> Engine:
        if executor is not None:
            return GivenExecutor(executor, workers or 1)
        if dask is not None:
            return DaskCluster(dask)
        return LocalPool(workers or 1)

    def open_job() -> Job:
        job = Job(
            checkpoint,
            depth,
            fen=fen,
            chess960=chess960,
            by_category=categories,
            split=split,
            verify_share=verify_share,
        )
        ending.callback(job.close)
        return job

    if executor is None and dask is None:
        threads = threads or threads_of_each(workers or 1)
    options = Options(CounterSpec(categories, hash_mib, threads), task_seconds=task_seconds, patience=patience)
    with ExitStack() as ending:
        # A new job is divided into units only if there is an engine for them.
        job = open_job() if os.path.exists(checkpoint) else None
        if job is not None and is_finished(job):
            return status_of(job, {})
        engine = new_engine()
        ending.callback(engine.close)
        # The coordinator waits for an engine that is away, and asks it again.
        with suppress(EngineAway):
            engine.check_memory(hash_mib)
        job = job or open_job()
        coordinator = Coordinator(job, engine, options, progress, warn)
        coordinator.run()
    return status_of(job, coordinator.given_up)


def is_finished(job: Job) -> bool:
    """Is there no unit to count or to verify? Then no engine is needed."""
    taken = job.take(1)
    job.put_back()
    return not taken


def check_number(name: str, least: int, value: Any, most: int) -> None:
    """Checks an argument, which each worker would refuse again and again."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an int, not {type(value).__name__}") from None
    if not least <= number <= most:
        raise ValueError(f"{name}: expected {least} to {most:,}, not {number:,}")


def threads_of_each(workers: int) -> int:
    """The threads for each of several processes on this machine, so that they share its CPUs."""
    has_affinity = hasattr(os, "sched_getaffinity")
    cpus = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return max(1, cpus // workers)


def status_of(job: Job, given_up: dict[int, str]) -> Status:
    """The progress of a job, as a value."""
    categories = None if job.categories is None else dict(job.categories)
    return Status(job.nodes, categories, job.done, job.units, given_up, job.status_json())
