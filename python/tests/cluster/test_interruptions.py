"""A time limit of the caller, by a signal, is not a failure of a task or an engine."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

from tabiya.cluster import Coordinator, CounterSpec, DaskCluster, GivenExecutor, Job, Options
from tabiya.cluster.worker import count
from tabiya.interruptions import is_interruption

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="the system has no alarm")


class TimeIsUp(TimeoutError):
    """A time limit of the caller."""


def end(number: int, frame: FrameType | None) -> None:
    raise TimeIsUp


def end_with_any_arguments(*arguments: Any) -> None:
    raise TimeIsUp


class End:
    def __call__(self, number: int, frame: FrameType | None) -> None:
        end_with_any_arguments()


HANDLERS = [end, end_with_any_arguments, End()]
Handler = Callable[[int, FrameType | None], None]


@pytest.fixture(autouse=True, params=HANDLERS)
def handler(request: pytest.FixtureRequest) -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, request.param)
    yield
    signal.signal(signal.SIGALRM, before)


class Interrupted(Future[Any]):
    """A future in one of whose methods a signal arrives."""

    def __init__(self, method: str) -> None:
        super().__init__()
        self.method = method

    def result(self, timeout: float | None = None) -> Any:
        interrupt_in(self.method == "result")
        return super().result(timeout)

    def exception(self, timeout: float | None = None) -> Any:
        interrupt_in(self.method == "exception")
        return super().exception(timeout)


def interrupt_in(is_here: bool) -> None:
    if is_here:
        signal.raise_signal(signal.SIGALRM)


class Interrupting(Executor):
    """Counts, and a signal arrives in one method of it or of its futures."""

    def __init__(self, method: str) -> None:
        self.method = method

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        interrupt_in(self.method == "submit")
        future = Interrupted(self.method)
        future.set_result(count(args[0]))
        return future


@pytest.mark.parametrize("method", ["submit", "result", "exception"])
def test_a_time_limit_goes_to_the_caller(tmp_path: Path, method: str) -> None:
    job = Job(tmp_path / "start-4.tabiya", 4, split=2, verify_share=0.0)
    engine = GivenExecutor(Interrupting(method), 4)
    with pytest.raises(TimeIsUp):
        Coordinator(job, engine, Options(CounterSpec(False, 0, 1))).run()


def test_a_time_limit_is_no_loss_of_a_scheduler() -> None:
    class Client:
        """A connected client, to which a signal comes while it asks."""

        status = "running"
        scheduler = SimpleNamespace(identity=None)

        def sync(self, *_: object, **__: object) -> None:
            interrupt_in(True)

    engine = object.__new__(DaskCluster)
    engine.name, engine.silence = "the scheduler", 1.0
    vars(engine)["_client"] = Client()
    with pytest.raises(TimeIsUp):
        engine.workers()


def test_other_errors_are_no_interruptions() -> None:
    def fail(number: int) -> None:
        raise TimeIsUp

    with pytest.raises(TimeIsUp) as caught:
        fail(1)
    assert not is_interruption(caught.value)
    assert not is_interruption(TimeIsUp())
