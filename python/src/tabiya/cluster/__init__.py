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

import os
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass

from .._tabiya import Job
from ..constants import START
from .coordinator import ClusterError, Coordinator, Progress
from .engines import Workers
from .worker import CounterSpec

__all__ = [
    "ClusterError",
    "Coordinator",
    "CounterSpec",
    "Job",
    "Progress",
    "Status",
    "perft",
]


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
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Status:
    """Counts the leaf nodes ``depth`` plies below a position on many workers.

    The results are kept in the file ``checkpoint``; if it exists, the job in it is continued. The
    workers are those of ``executor`` (with ``workers`` of them), of the Dask scheduler at the address
    ``dask``, or else ``workers`` processes of this machine (1), each with ``threads`` threads (all
    CPUs) and a table of ``hash_mib`` MiB (none). ``verify_share`` of the units, from 0 to 1, is
    counted a second time, with another seed.

    A script must call this under ``if __name__ == "__main__":``, since each worker process imports it.

    Raises :class:`ClusterError` if a task fails or the workers are lost, and
    :class:`tabiya.CheckpointError` if the job cannot go on. What was counted is stored, and the same
    call continues.
    """
    counters = Workers(executor, dask, workers, threads, hash_mib, task_seconds)
    job = Job(
        checkpoint,
        depth,
        fen=fen,
        chess960=chess960,
        by_category=categories,
        split=split,
        verify_share=verify_share,
    )
    with closing(job):
        count(job, counters, progress)
    return status_of(job)


def count(job: Job, counters: Workers, report: Callable[[Progress], None]) -> None:
    """Counts what is left of a job. If nothing is left, no workers are needed."""
    is_finished = not job.take(1)
    job.put_back()
    if is_finished:
        return
    spec, seconds = counters.spec(job.categories is not None), counters.task_seconds
    with counters.start() as (executor, workers):
        Coordinator(job, executor, workers, spec, task_seconds=seconds, report=report).run()


def status_of(job: Job) -> Status:
    """The progress of a job, as a value."""
    categories = None if job.categories is None else dict(job.categories)
    return Status(job.nodes, categories, job.done, job.units, job.status_json())
