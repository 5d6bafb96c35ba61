"""Engines that are lost: for a while, for good, or again and again."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from lost_engines import FakeClock, LostEngine
from tabiya.cluster import ClusterError, Coordinator, CounterSpec, EngineLost, Job, Options

START_4 = 197_281
OPTIONS = Options(CounterSpec(False, 0, 1), patience=60.0)


def coordinator_of(
    job: Job, engine: LostEngine, options: Options = OPTIONS
) -> tuple[Coordinator, list[str]]:
    said: list[str] = []
    return Coordinator(job, engine, options, warn=said.append, clock=engine.clock), said


def open_job(folder: Path) -> Job:
    return Job(folder / "start-4.tabiya", 4, split=2, verify_share=0.0)


@pytest.mark.parametrize("patience", [60.0, 0.0, 0.7])
def test_an_engine_that_is_lost_for_good_ends_the_run_in_time(
    tmp_path: Path, patience: float
) -> None:
    clock = FakeClock()
    engine = LostEngine(clock, tasks=5, away=[math.inf])
    job = open_job(tmp_path)
    options = Options(CounterSpec(False, 0, 1), patience=patience)
    coordinator, said = coordinator_of(job, engine, options)
    begin = clock.now
    with pytest.raises(EngineLost) as caught:
        coordinator.run()
    assert clock.now - begin == pytest.approx(patience)
    assert engine.attempts < 300
    # Each of the five tasks had at least a unit.
    assert 5 <= job.done < job.units
    message = str(caught.value)
    assert message == (
        f"the scheduler at nowhere is lost: it did not come back within {patience:g} s; {job.done} of "
        f"400 units are counted and stored, and the same call continues"
    )
    assert said == [f"the scheduler at nowhere is lost; waiting up to {patience:g} s for it"]
    done = job.done
    job.close()
    again = open_job(tmp_path)
    assert again.done == done
    coordinator_of(again, LostEngine(FakeClock(), tasks=10_000, away=[]))[0].run()
    assert again.nodes == START_4


def test_the_loss_of_an_engine_is_caught_with_no_other_error() -> None:
    assert issubclass(EngineLost, ClusterError)
    for other in (OSError, RuntimeError, ValueError, LookupError, ArithmeticError):
        assert not issubclass(EngineLost, other)


def test_an_engine_that_comes_back_goes_on(tmp_path: Path) -> None:
    clock = FakeClock()
    engine = LostEngine(clock, tasks=15, away=[59.0, 0.0, 3.0, *[1.0] * 100])
    job = open_job(tmp_path)
    coordinator, said = coordinator_of(job, engine)
    coordinator.run()
    assert job.nodes == START_4
    assert said[:4] == [
        "the scheduler at nowhere is lost; waiting up to 60 s for it",
        "the scheduler at nowhere is back after 59 s",
        "the scheduler at nowhere is lost; waiting up to 60 s for it",
        "the scheduler at nowhere is back after 3 s",
    ]


def test_an_engine_that_comes_back_and_never_answers_is_lost(tmp_path: Path) -> None:
    engine = LostEngine(FakeClock(), tasks=0, away=[0.5] * 1000)
    job = open_job(tmp_path)
    coordinator, _ = coordinator_of(job, engine)
    with pytest.raises(EngineLost, match="lost 20 times without an answer between; 0 of 400 units"):
        coordinator.run()
    assert engine.attempts < 200
