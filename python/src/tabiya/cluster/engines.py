"""The engines that run tasks: the local process pool, Dask, and any other executor."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    InvalidStateError,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeVar

from .._tabiya import available_memory
from ..interruptions import is_interruption
from .coordinator import ClusterError, EngineAway, NoAnswer
from .worker import plain_answer

#: The memory of the interpreter and the counter without the table, in MiB.
BESIDE_THE_TABLE = 300

#: The greatest number of units in a task.
MAX_UNITS = 10_000
#: The time limits of the first attempt to reach a scheduler, and of each later one, in seconds.
FIRST_ATTEMPT = 10.0
ATTEMPT = 5.0
#: Seconds within which a first process of the pool answers.
BEGIN = 120.0
#: Processes with outstanding tasks that take no time of a CPU for this many seconds have stopped.
IDLE = 30.0
#: The packages that log lost connections.
DASK = ("distributed", "tornado")

T = TypeVar("T")

__all__ = ["DaskCluster", "GivenExecutor", "LocalPool"]


class _Context(SpawnContext):
    """Starts fresh processes, and keeps a list of them.

    A forked process would have a copy of the coordinator's threads and locks.
    """

    def __init__(self) -> None:
        super().__init__()
        self.processes: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]
        process = _Process(*args, **kwargs)
        self.processes.append(process)
        return process


class _Process(SpawnProcess):
    """A process that begins with SIGINT blocked.

    Otherwise Ctrl-C during its imports, which take a second, would print their traceback.
    """

    def start(self) -> None:
        if not hasattr(signal, "pthread_sigmask"):
            super().start()
            return
        # The process inherits what its starter blocks. Here, SIGINT waits until it has started.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        try:
            # A signal that came just before raises its exception here, when SIGINT is blocked.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def is_alive(self) -> bool:
        return super().is_alive() and not self._is_reaped()

    def _is_reaped(self) -> bool:
        """Has the system removed the process?

        That happens at its end if SIGCHLD is ignored. Python never learns then that it has ended, and a
        pool waits for it.
        """
        if not hasattr(os, "waitid") or self.ident is None:
            return False
        try:
            os.waitid(os.P_PID, self.ident, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return True
        return False


def _in_worker() -> None:
    """Prepares a worker process."""
    # Ctrl-C ends a worker at once, without a traceback. The coordinator prints the status.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # If the coordinator is killed, nothing else ends the worker, and its table may be large.
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class LocalPool:
    """Processes on this machine. If one of them dies, all are replaced."""

    name = "the pool of processes"
    blames_task = False

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._is_broken = False
        #: Has a process ever answered?
        self._has_begun = False
        self._failures = 0
        self._context = _Context()
        self._owner = os.getpid()
        #: The memory for the tables, in bytes. Later, the tables themselves take it.
        self._memory = available_memory()
        #: The time of the processes on the CPUs when they were last seen to take some, and that
        #: moment.
        self._cpu_seconds, self._cpu_moment = 0.0, time.monotonic()

    def executor(self) -> Executor:
        if self._pool is None or self._is_broken:
            self.close()
            self._pool = self._new_pool()
            self._is_broken = False
            self._cpu_seconds, self._cpu_moment = 0.0, time.monotonic()
            if not self._has_begun:
                try:
                    self._begin(self._pool)
                except BrokenProcessPool:
                    # A process may have been killed. If it happens again, it is not an accident.
                    self._failures += 1
                    self._is_broken = True
                    if self._failures == 1:
                        return self.executor()
                    raise ClusterError(
                        "the worker processes end as soon as they begin: a script must call this under "
                        '`if __name__ == "__main__":`, and cannot be read from standard input'
                    ) from None
                self._has_begun = True
        return self._pool

    def _new_pool(self) -> ProcessPoolExecutor:
        try:
            return ProcessPoolExecutor(self._workers, self._context, _in_worker)
        except (ImportError, OSError, NotImplementedError) as error:
            if is_interruption(error):
                raise
            raise ClusterError(
                f"the worker processes cannot be started: no semaphores or pipes can be made for them: "
                f"{error} (on Linux, semaphores need room in /dev/shm)"
            ) from error

    @staticmethod
    def _begin(pool: ProcessPoolExecutor) -> None:
        """Waits for the first process."""
        try:
            first = pool.submit(os.getpid)
        except (OSError, RuntimeError, AssertionError) as error:
            # It is an assertion that processes of `multiprocessing.Pool` start none.
            if isinstance(error, BrokenProcessPool) or is_interruption(error):
                raise
            raise ClusterError(f"the worker processes cannot be started: {error}") from error
        # The thread that brings the answer ends without a word if the system gives it no memory,
        # or no other thread.
        if not wait([first], BEGIN).done:
            raise ClusterError(
                f"the worker processes cannot be started: none has answered within {BEGIN:g} s; the "
                f"system may allow too few processes and threads"
            )
        first.result()

    def workers(self) -> int:
        return self._workers

    def max_units(self, by_category: bool) -> int:
        # An answer is one write of fewer than 4096 bytes to a pipe, which the system does
        # completely or not at all. If a killed process left half an answer, the pool would wait for
        # the rest.
        return 16 if by_category else 80

    def check_memory(self, hash_mib: int) -> None:
        # Each worker sees only whether its own table fits.
        needed = self._workers * hash_mib
        if self._memory is not None and needed > self._memory >> 20:
            tables = f"{self._workers} tables of {hash_mib} MiB, one for each worker, do"
            if self._workers == 1:
                tables = f"a table of {hash_mib} MiB does"
            raise ClusterError(
                f"{tables} not fit into the {self._memory >> 20} MiB of available memory: start fewer "
                f"workers, or make the tables smaller"
            )

    def is_lost(self, error: BaseException) -> bool:
        if isinstance(error, (BrokenProcessPool, CancelledError)):
            self._is_broken = True
            return True
        if isinstance(error, NoAnswer) and self._has_stopped():
            self._is_broken = True
            return True
        return False

    def _has_stopped(self) -> bool:
        """Has none of the processes counted for some time?

        A process that is stopped while it takes a task keeps the others from getting one.
        """
        seconds = sum(cpu_seconds(process) for process in self._context.processes)
        if seconds - self._cpu_seconds > 0.05:
            self._cpu_seconds, self._cpu_moment = seconds, time.monotonic()
            return False
        return time.monotonic() - self._cpu_moment >= IDLE

    def close(self) -> None:
        pool, self._pool = self._pool, None
        # A process that was forked leaves the pool to the one that made it.
        if pool is None or self._owner != os.getpid():
            return
        # The counts of the processes would be lost anyway, and could take minutes. All processes
        # must end: one that is killed while it waits for a task keeps the others from ever getting
        # one.
        for process in self._context.processes:
            # A process without an identifier has not been started.
            if process.ident is not None:
                process.kill()
        self._context.processes.clear()
        # If the system gave no thread for the pool, there is none to wait for.
        with suppress(RuntimeError):
            pool.shutdown(wait=True, cancel_futures=True)


def cpu_seconds(process: SpawnProcess) -> float:
    """The time that a process has taken on all CPUs; 0 if it has ended.

    Other systems than Linux do not tell. The time that has passed takes its place there, as if the
    process were counting: a count may take longer than expected.
    """
    if process.pid is None:
        return 0.0
    if sys.platform != "linux":
        return time.monotonic()
    try:
        # The number of the clock of a process is made of its identifier.
        return time.clock_gettime(~process.pid << 3 | 2)
    except OSError:
        return 0.0


class GivenExecutor:
    """An executor that the caller has made, and ends."""

    name = "the executor"
    blames_task = True

    def __init__(self, executor: Executor, workers: int) -> None:
        self._executor = executor
        self._workers = workers
        #: The error that ended its work.
        self._end: BaseException | None = None

    def executor(self) -> Executor:
        if self._end is not None:
            raise EngineAway(
                f"it gave up with {type(self._end).__name__} {self._end}".rstrip(), comes_back=False
            )
        return self._executor

    def workers(self) -> int:
        return self._workers

    def max_units(self, by_category: bool) -> int:
        return MAX_UNITS

    def check_memory(self, hash_mib: int) -> None:
        """The workers report by themselves if a table does not fit."""

    def is_lost(self, error: BaseException) -> bool:
        if isinstance(error, BrokenProcessPool):
            self._end = error
            return True
        # An executor may cancel one task and complete the others. The coordinator submits it again,
        # and notices if no answer comes for too long.
        return isinstance(error, CancelledError)

    def close(self) -> None:
        """Leaves the executor to its owner."""


class _Call:
    """Calls a function with a task when it is unpickled, and becomes the answer."""

    def __init__(self, function: Callable[..., object], task: object) -> None:
        self._function, self._task = function, task

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, object]]:
        return plain_answer, (self._function, self._task)


class _DaskTasks(Executor):
    """Hands tasks to Dask as bytes, and has the answers in built-in types.

    A scheduler and its workers read what they are sent as soon as it comes. Without tabiya, a worker
    that reads a function of it ends, and says nothing; so each one gets a function of the standard
    library that reads the bytes. Without tabiya it fails, which is an answer. An answer that the
    coordinator cannot read, such as one of another version, would never arrive.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        (task,) = args
        return self._executor.submit(pickle.loads, pickle.dumps(_Call(fn, task)))


class DaskCluster:
    """The workers of a Dask scheduler.

    If the scheduler is lost, the engine tries the same address again. Another scheduler may be
    there by then.
    """

    blames_task = True

    def __init__(self, address: str, *, silence: float = 30.0) -> None:
        if not address:
            raise ClusterError("the address of the scheduler is empty")
        try:
            # Dask has no type annotations.
            self._distributed: Any = import_module("distributed")
        except ImportError:
            raise ClusterError(
                'Dask is not installed: `pip install "tabiya[cluster]"` installs it'
            ) from None
        self.name = f"the scheduler at {address}"
        self._address = address
        #: A scheduler that does not answer for this many seconds is lost.
        self.silence = silence
        self._client: Any = None
        self._executor: Executor | None = None
        self._owner = os.getpid()
        self._logs = QuietLosses()
        self._loop = Loop()
        try:
            self._connect(FIRST_ATTEMPT)
        except EngineAway:
            self.close()
            raise ClusterError(f"{self.name} does not answer") from None
        except BaseException:
            self.close()
            raise

    def _connect(self, seconds: float) -> None:
        try:
            self._client = self._loop.run(self._new_client(seconds))
        except (OSError, TimeoutError) as error:
            if is_interruption(error):
                raise
            raise EngineAway(f"{self.name} is lost") from error
        except (ImportError, TypeError, ValueError) as error:
            # This is another version of Dask, or the address is not one.
            raise ClusterError(f"{self.name} cannot be used: {error}") from error
        self._executor = _DaskTasks(self._client.get_executor(pure=False))

    async def _new_client(self, seconds: float) -> Any:
        """A connected client. Connecting may take this time, and no longer.

        Dask's own time limits do not apply to a scheduler that accepts a connection and says
        nothing.
        """
        client = self._distributed.Client(
            self._address, asynchronous=True, timeout=seconds, set_as_default=False
        )
        started = asyncio.ensure_future(client)
        try:
            done, _ = await asyncio.wait({started}, timeout=seconds)
            if not done:
                raise TimeoutError
            return await started
        except BaseException:
            started.cancel()
            await asyncio.wait({asyncio.ensure_future(client.close())}, timeout=2)
            forget(client)
            raise

    def executor(self) -> Executor:
        if self._client is None:
            self._connect(ATTEMPT)
        elif not self._is_connected():
            # The next call tries to reach it again. Until then, the caller can report the loss.
            self._disconnect()
            raise EngineAway(f"{self.name} is lost")
        assert self._executor is not None
        return self._executor

    def _is_connected(self) -> bool:
        return self._client is not None and self._client.status == "running"

    def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            try:
                client.close(timeout=2)
            except Exception as error:
                if is_interruption(error):
                    raise
                # There is no scheduler to say goodbye to. The event loop ends what is left of the
                # client.
            finally:
                forget(client)

    def workers(self) -> int:
        return len(self._infos())

    def _infos(self) -> dict[str, dict[str, object]]:
        """The scheduler's information about its workers."""
        if not self._is_connected():
            raise EngineAway(f"{self.name} is lost")
        try:
            identity = self._client.sync(
                self._client.scheduler.identity, callback_timeout=self.silence
            )
            workers: dict[str, dict[str, object]] = identity["workers"]
        except (OSError, TimeoutError, RuntimeError, KeyError) as error:
            if is_interruption(error):
                raise
            # The scheduler may be stopped, or the network to it. The connection itself then looks
            # healthy for hours.
            self._disconnect()
            raise EngineAway(f"{self.name} is lost") from error
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
        return isinstance(error, (CancelledError, ConnectionError)) or not self._is_connected()

    def close(self) -> None:
        # A process that was forked does not have the thread of the loop.
        if self._owner == os.getpid():
            self._disconnect()
            self._loop.close()
        self._logs.close()


def forget(client: Any) -> None:
    """Keeps a client that could not be closed from trying again when its memory is freed."""
    client.status = "closed"


class Loop:
    """The event loop of a cluster's clients, in a thread that ends with it.

    A client that fails leaves its own loop and thread behind.
    """

    def __init__(self) -> None:
        begun = threading.Event()
        self._end: asyncio.Event
        self._asyncio: asyncio.AbstractEventLoop

        async def run() -> None:
            self._end, self._asyncio = asyncio.Event(), asyncio.get_running_loop()
            begun.set()
            await self._end.wait()

        self._thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
        self._thread.start()
        begun.wait()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs something in the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._asyncio).result()

    def close(self) -> None:
        """Ends everything that runs in the loop. Nothing happens if it has ended."""
        if self._thread.is_alive():
            self._asyncio.call_soon_threadsafe(self._end.set)
            self._thread.join(10)


def is_of_dask(name: str) -> bool:
    """Does a logger of this name belong to Dask or its foundations?"""
    return name.split(".")[0] in DASK


#: How messages of Dask about a lost connection begin, besides those with the error.
_OF_LOSSES = ("Failed to reconnect to scheduler", "Closing dangling stream")


class QuietLosses(logging.Filter):
    """Keeps Dask from printing a traceback for each connection that is lost.

    The coordinator reports in one line that the scheduler is lost. All other messages of Dask are
    printed.
    """

    def __init__(self) -> None:
        super().__init__()
        loggers = self.loggers()
        # A module that is imported later has another logger, whose messages go to these handlers.
        above = [logging.root, *map(logging.getLogger, DASK)]
        handlers = [handler for logger in above for handler in logger.handlers]
        last_resort = [logging.lastResort] if logging.lastResort else []
        self._filtered: list[logging.Filterer] = [*loggers, *handlers, *last_resort]
        for filterer in self._filtered:
            filterer.addFilter(self)

    @staticmethod
    def loggers() -> list[logging.Logger]:
        """Every logger of Dask and its foundations: a filter does not apply to loggers below."""
        names = sorted(logging.root.manager.loggerDict)
        return [logging.getLogger(name) for name in names if is_of_dask(name)]

    def filter(self, record: logging.LogRecord) -> bool:
        if not is_of_dask(record.name):
            return True
        error = record.exc_info[1] if record.exc_info else None
        # Dask answers a task that was cancelled.
        is_late = isinstance(error, InvalidStateError)
        is_loss = isinstance(error, (OSError, TimeoutError, asyncio.CancelledError)) or is_late
        return not is_loss and not str(record.msg).startswith(_OF_LOSSES)

    def close(self) -> None:
        """Lets everything through again."""
        for filterer in self._filtered:
            filterer.removeFilter(self)
