"""What runs tasks: the local process pool, Dask, and any other executor."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from .coordinator import ClusterError, EngineLost

#: What the interpreter and the counter need beside the table, in MiB.
BESIDE_THE_TABLE = 300

#: No task needs more units than this.
MAX_UNITS = 10_000

__all__ = ["DaskCluster", "GivenExecutor", "LocalPool"]


class _Context(SpawnContext):
    """Starts processes anew, and knows them.

    A forked process would have a copy of the coordinator's threads and locks.
    """

    def __init__(self) -> None:
        super().__init__()
        self.processes: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]
        process = SpawnProcess(*args, **kwargs)
        self.processes.append(process)
        return process


def _in_worker() -> None:
    """Prepares a worker process."""
    # Ctrl-C ends a worker at once, without a traceback. The coordinator says what is known.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Nobody else ends it if the coordinator is killed, and its table may be large.
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class LocalPool:
    """Processes on this machine. They are made anew if one of them dies."""

    blames_task = False

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._is_broken = False
        #: Has a process ever answered?
        self._has_begun = False
        self._context = _Context()

    def executor(self) -> Executor:
        if self._pool is None or self._is_broken:
            self.close()
            self._pool = ProcessPoolExecutor(self._workers, self._context, _in_worker)
            self._is_broken = False
            if not self._has_begun:
                try:
                    self._pool.submit(os.getpid).result()
                except BrokenProcessPool:
                    raise ClusterError(
                        "the worker processes end as soon as they begin: a script must call this under "
                        '`if __name__ == "__main__":`, and cannot be read from standard input'
                    ) from None
                self._has_begun = True
        return self._pool

    def workers(self) -> int:
        return self._workers

    def max_units(self, by_category: bool) -> int:
        # An answer is one write of less than 4096 bytes to a pipe, which the system does whole or not at
        # all. Half an answer of a process that was killed would keep the pool waiting for the rest.
        return 16 if by_category else 80

    def check_memory(self, hash_mib: int) -> None:
        """The workers say themselves if a table does not fit."""

    def is_lost(self, error: BaseException) -> bool:
        if isinstance(error, (BrokenProcessPool, CancelledError)):
            self._is_broken = True
            return True
        return False

    def close(self) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        # What they are counting would be lost anyway, and may take minutes. All of them must end: one
        # that is killed while it waits for a task keeps the others from ever getting one.
        for process in self._context.processes:
            # One that could not be started, or not yet, is not alive.
            if process.ident is not None:
                process.kill()
        self._context.processes.clear()
        pool.shutdown(wait=True, cancel_futures=True)


class GivenExecutor:
    """An executor that the caller has made, and ends."""

    blames_task = True

    def __init__(self, executor: Executor, workers: int) -> None:
        self._executor = executor
        self._workers = workers

    def executor(self) -> Executor:
        return self._executor

    def workers(self) -> int:
        return self._workers

    def max_units(self, by_category: bool) -> int:
        return MAX_UNITS

    def check_memory(self, hash_mib: int) -> None:
        """The workers say themselves if a table does not fit."""

    def is_lost(self, error: BaseException) -> bool:
        if isinstance(error, (BrokenProcessPool, CancelledError)):
            raise EngineLost(f"the executor gave up: {type(error).__name__} {error}") from error
        return False

    def close(self) -> None:
        """Leaves the executor to its owner."""


class DaskCluster:
    """The workers of a Dask scheduler.

    If the scheduler does not answer any more, this waits for it, or for a new one at the same
    address, for ``patience`` seconds.
    """

    blames_task = True

    def __init__(self, address: str, *, patience: float = 60.0) -> None:
        if not address:
            raise ClusterError("the address of the scheduler is empty")
        try:
            # It has no types.
            self._distributed: Any = import_module("distributed")
        except ImportError:
            raise ClusterError(
                'Dask is not installed: `pip install "tabiya[cluster]"` installs it'
            ) from None
        # A lost scheduler is an event that the coordinator deals with, not a page of tracebacks.
        for name in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._address, self._patience = address, patience
        self._client: Any = None
        self._executor: Executor | None = None
        self._connect(min(patience, 10.0))

    def _connect(self, patience: float) -> None:
        give_up = time.monotonic() + patience
        while True:
            try:
                self._client = self._distributed.Client(
                    self._address, timeout=max(1.0, min(5.0, patience)), set_as_default=False
                )
                self._executor = self._client.get_executor(pure=False)
                return
            except (OSError, TimeoutError) as error:
                if time.monotonic() > give_up:
                    raise EngineLost(
                        f"the scheduler at {self._address} does not answer"
                    ) from error
                time.sleep(0.5)

    def executor(self) -> Executor:
        if self._client is None or self._client.status != "running":
            self.close()
            self._connect(self._patience)
        assert self._executor is not None
        return self._executor

    def workers(self) -> int:
        return len(self._infos())

    def _infos(self) -> dict[str, dict[str, object]]:
        if self._client is None or self._client.status != "running":
            return {}
        try:
            workers: dict[str, dict[str, object]] = self._client.scheduler_info(n_workers=-1)[
                "workers"
            ]
        except (OSError, TimeoutError, KeyError):
            return {}
        return workers

    def memory_limits(self) -> dict[str, int]:
        """The memory limits of the workers in bytes; 0 for none."""
        infos = self._infos().items()
        return {name: int(str(info.get("memory_limit", 0) or 0)) for name, info in infos}

    def max_units(self, by_category: bool) -> int:
        return MAX_UNITS

    def check_memory(self, hash_mib: int) -> None:
        needed = hash_mib + BESIDE_THE_TABLE
        for name, limit in self.memory_limits().items():
            mebibytes = limit >> 20
            # Dask pauses a worker at 80 % of its limit.
            if limit and needed > 0.8 * mebibytes:
                raise ClusterError(
                    f"a table of {hash_mib} MiB does not fit into the memory limit of worker {name}, "
                    f"{mebibytes} MiB, of which 80 % may be used: start the workers with "
                    f"--memory-limit 0, or give a smaller --hash"
                )

    def is_lost(self, error: BaseException) -> bool:
        return isinstance(error, (CancelledError, ConnectionError)) or (
            self._client is None or self._client.status != "running"
        )

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            try:
                client.close(timeout=2)
            except (OSError, TimeoutError):
                # It is gone already.
                pass

