"""The executors: processes of this machine, the workers of a Dask cluster, or the caller's own."""

from __future__ import annotations

import asyncio
import multiprocessing
import operator
import os
import pickle
import signal
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from .._tabiya import available_memory
from .coordinator import ClusterError
from .worker import CounterSpec, end_while_counting

__all__ = ["Workers"]

#: The limits of the command ``tabiya``.
MOST_THREADS = 1024
#: This many processes, each with an interpreter of its own, need 30 GiB of memory.
MOST_PROCESSES = 1024
#: An exbibyte, in MiB.
MOST_MIB = 1 << 40

#: A task that fails on a worker of Dask is tried this many times more.
RETRIES = 3
#: The memory of the interpreter and the counter without the table, in MiB.
BESIDE_THE_TABLE = 300

#: The time that a process of this machine has to send its last answer, which takes milliseconds.
SECONDS_TO_SEND = 30

#: An executor, and a function that returns the number of its workers now.
Started = tuple[Executor, Callable[[], int]]


@dataclass(frozen=True)
class Workers:
    """The workers that a caller asks for.

    Raises ``TypeError`` and ``ValueError`` for arguments that make no sense, and
    :class:`ClusterError` for tables that do not fit into the memory.
    """

    executor: Executor | None = None
    dask: str | None = None
    workers: int | None = None
    threads: int | None = None
    hash_mib: int = 0
    #: How long a task should take a worker.
    task_seconds: float = 20.0

    def __post_init__(self) -> None:
        if self.executor is not None and self.dask is not None:
            raise ValueError("executor and dask: expected one of them, not both")
        if self.executor is not None and self.workers is None:
            raise ValueError("workers: expected the number of workers of the executor")
        if self.dask is not None and self.workers is not None:
            raise ValueError("workers: the workers of a Dask cluster are counted, not given")
        most_workers = MOST_PROCESSES if self.executor is None else 1_000_000
        check_number("workers", 1, self.workers, most_workers)
        check_number("threads", 1, self.threads, MOST_THREADS)
        check_number("hash_mib", 0, self.hash_mib, MOST_MIB)
        if not 0.1 <= self.task_seconds <= 600:
            raise ValueError(f"task_seconds: expected 0.1 to 600, not {self.task_seconds}")
        if self._is_local:
            self._check_memory()

    @property
    def _is_local(self) -> bool:
        """Are the workers processes that this package starts?"""
        return self.executor is None and self.dask is None

    def _check_memory(self) -> None:
        # Each worker sees only whether its own table fits.
        available, workers = available_memory(), self.workers or 1
        if available is not None and workers * self.hash_mib > available >> 20:
            raise ClusterError(
                f"the tables of the workers, {workers} of {self.hash_mib} MiB, do not fit into the "
                f"{available >> 20} MiB of available memory: start fewer workers, or make the tables "
                f"smaller"
            )

    def spec(self, by_category: bool) -> CounterSpec:
        """The counter of each worker."""
        threads = self.threads
        if threads is None and self._is_local:
            has_affinity = hasattr(os, "sched_getaffinity")
            cpus = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
            threads = max(1, cpus // (self.workers or 1))
        return CounterSpec(by_category, self.hash_mib, threads)

    def start(self) -> AbstractContextManager[Started]:
        """Starts what the caller has not started, and ends it with the block."""
        if self.dask is not None:
            return dask_cluster(self.dask, self.hash_mib)
        if self.executor is None:
            return local_pool(self.workers or 1)
        workers = self.workers or 1
        return nullcontext((self.executor, lambda: workers))


def check_number(name: str, least: int, value: int | None, most: int) -> None:
    """Checks an argument, which each worker would refuse again and again."""
    if value is None:
        return
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an int, not {type(value).__name__}") from None
    if not least <= number <= most:
        raise ValueError(f"{name}: expected {least} to {most:,}, not {number:,}")


@contextmanager
def local_pool(workers: int) -> Generator[Started]:
    """Processes of this machine. They end at once when the block ends, or this process."""
    # A forked process would have a copy of this one's threads, locks and files.
    context = multiprocessing.get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, _in_worker, (reader,))
    try:
        _start_processes(pool, workers)
        yield pool, lambda: workers
    finally:
        # What they still count is not wanted, and could take minutes.
        writer.close()
        pool.shutdown()
        reader.close()


def _start_processes(pool: Executor, workers: int) -> None:
    """Starts the processes of a pool with SIGINT blocked, which they inherit.

    Ctrl-C reaches all processes of a terminal, and only the coordinator is to end by it. Those that
    still import their modules would print where.
    """
    if not hasattr(signal, "pthread_sigmask"):
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for _ in range(workers):
            pool.submit(os.getpid)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_worker(parent: Connection) -> None:
    """Prepares a process of the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Connection) -> None:
    """Ends this process when the other end of a pipe is closed, but not while it sends an answer.

    The pool would wait for the rest of the answer for ever. It ends a process that does not count, as
    long as there is a pool.
    """
    with suppress(OSError, EOFError):
        parent.recv_bytes()
    end_while_counting()
    if (process := multiprocessing.parent_process()) is not None:
        process.join(SECONDS_TO_SEND)
    os._exit(1)


class _Call:
    """Calls a function when it is unpickled, and becomes its result."""

    def __init__(self, function: Callable[..., object], arguments: tuple[object, ...]) -> None:
        self._call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self._call


class _DaskTasks(Executor):
    """Hands tasks to Dask as bytes, which a function of the standard library reads and calls.

    A worker without tabiya ends as soon as it is sent a function of it, and no task fails. This one
    fails there, and says why.

    Dask's own executor never ends a future whose result is on its way when the scheduler dies.
    """

    def __init__(self, client: Any, lost: str) -> None:
        self._client, self._lost = client, lost

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        call = pickle.dumps(_Call(fn, args))
        task = self._client.submit(pickle.loads, call, pure=False, retries=RETRIES)
        return asyncio.run_coroutine_threadsafe(self._result(task), self._client.loop.asyncio_loop)

    async def _result(self, task: Any) -> object:
        try:
            result: object = await self._client.gather(task, asynchronous=True)
        except (asyncio.CancelledError, Exception) as error:
            if task.status == "error":
                raise
            # The client lost the scheduler, which had the result.
            raise ClusterError(self._lost) from error
        return result


@contextmanager
def dask_cluster(address: str, hash_mib: int) -> Generator[Started]:
    """The workers of a Dask scheduler. When the client loses it, the run ends."""
    lost = f"the scheduler at {address} is lost"
    try:
        # Dask has no type annotations.
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ClusterError('Dask is not installed: `pip install "tabiya[cluster]"` installs it') from None
    try:
        # A client with an address that cannot be read takes a minute to end.
        distributed.comm.get_address_host_port(address)
        client: Any = distributed.Client.__new__(distributed.Client)
        try:
            client.__init__(address, set_as_default=False)
        except BaseException:
            # If nobody closes it, Python waits for its threads when it ends.
            client.close()
            raise
    except (OSError, ValueError, TypeError, ImportError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address}: {error}") from error

    def count_workers() -> int:
        if client.status != "running":
            raise ClusterError(lost)
        # By default, some versions return a few of the workers only.
        infos: dict[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
        for name, info in infos.items():
            check_limit(name, int(info["memory_limit"] or 0), hash_mib)
        return len(infos)

    try:
        yield _DaskTasks(client, lost), count_workers
    finally:
        client.close()


def check_limit(worker: str, limit: int, hash_mib: int) -> None:
    """Raises an error if a table does not fit into the memory limit of a worker of Dask, in bytes.

    Dask gives no more tasks to a worker that uses 80 % of its limit, and does not say so.
    """
    mebibytes = limit >> 20
    if limit and hash_mib + BESIDE_THE_TABLE > 0.8 * mebibytes:
        raise ClusterError(
            f"a table of {hash_mib} MiB does not fit into the memory limit of worker {worker}, "
            f"{mebibytes} MiB, of which 80 % may be used: start the workers with --memory-limit 0, or "
            f"give a smaller --hash"
        )
