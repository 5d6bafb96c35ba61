"""Engines that are lost and may come back, with a clock that the tests control."""

from __future__ import annotations

from concurrent.futures import CancelledError, Executor, Future
from typing import Any

from tabiya.cluster import EngineAway
from tabiya.cluster.worker import count


class FakeClock:
    """Time passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now: float = 1000.0
        self.sleeps = 0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float, /) -> None:
        assert seconds > 0
        self.sleeps += 1
        self.now += seconds


class Ticking(FakeClock):
    """Time passes with each look at the clock."""

    def monotonic(self) -> float:
        self.now += 5.0
        return self.now


class AtOnce(Executor):
    """Does every task at once when it is submitted, until the executor breaks."""

    def __init__(self, tasks: int) -> None:
        self.left = tasks
        self.is_broken = False

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.is_broken:
            raise RuntimeError("cannot schedule new futures")
        assert fn is count
        future: Future[Any] = Future()
        self.left -= 1
        if self.left < 0:
            # Dask does the same: it cancels its tasks and takes no more.
            self.is_broken = True
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(count(*args))
        return future


class FakeEngine:
    """The parts of an engine that are the same in all tests."""

    def max_units(self, by_category: bool) -> int:
        return 10

    def check_memory(self, hash_mib: int) -> None:
        pass

    def close(self) -> None:
        pass


class LostEngine(FakeEngine):
    """An engine that is lost after each few tasks, and away for some seconds."""

    name = "the scheduler at nowhere"
    blames_task = True

    def __init__(self, clock: FakeClock, *, tasks: int, away: list[float]) -> None:
        self.clock = clock
        self._tasks = tasks
        #: The time for which it is away after each loss.
        self._away = away
        self._back = 0.0
        self._executor: AtOnce | None = None
        self.attempts = 0

    def executor(self) -> Executor:
        self.attempts += 1
        assert self.attempts < 10_000, "this never ends"
        if self._executor is not None and self._executor.is_broken:
            self._executor = None
            self._back = self.clock.now + self._away.pop(0)
        if self.clock.now < self._back:
            raise EngineAway(f"{self.name} is lost")
        if self._executor is None:
            self._executor = AtOnce(self._tasks)
        return self._executor

    def workers(self) -> int:
        if self._executor is None or self._executor.is_broken:
            raise EngineAway(f"{self.name} is lost")
        return 2

    def is_lost(self, error: BaseException) -> bool:
        return isinstance(error, (CancelledError, RuntimeError))
