"""Counts on a Dask cluster whose parts die, are cut off, and come back."""

from __future__ import annotations

import gc
import json
import logging
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="Dask is not installed")

from conftest import LONG as LONG_FORM
from dask_cluster import LONG, DaskTestCluster, wait_until
from programs import has_results
from tabiya.cluster import (
    ClusterError,
    Coordinator,
    CounterSpec,
    DaskCluster,
    EngineLost,
    Job,
    Options,
    Progress,
    engines,
    perft,
)
from tabiya.cluster.engines import QuietLosses

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskTestCluster]:
    with DaskTestCluster(4, tmp_path_factory.mktemp("dask")) as running:
        running.wait_for_workers(4)
        yield running


def command(cluster: DaskTestCluster, file: Path, *arguments: str) -> list[str]:
    base = [sys.executable, "-m", "tabiya.cluster", "perft", *arguments]
    return [*base, "--checkpoint", str(file), "--dask", cluster.address, "--threads", "1", "--json"]


def start(cluster: DaskTestCluster, file: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(cluster, file, *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_count_while_workers_die_and_links_are_cut(
    cluster: DaskTestCluster, tmp_path: Path
) -> None:
    chance = random.Random(8)
    depth, nodes = ("8", "84998978956") if LONG_FORM else ("7", "3195901860")
    file = tmp_path / "start.tabiya"
    faults: list[str] = []

    def disturb() -> None:
        worker = chance.randrange(4)
        match len(faults) % 3:
            case 0:
                cluster.kill_counting_process(worker)
                faults.append(f"process of worker {worker} killed")
            case 1:
                cluster.cut(worker)
                faults.append(f"link of worker {worker} cut")
                time.sleep(chance.uniform(0.5, 2))
                cluster.mend(worker)
            case _:
                cluster.kill_worker(worker)
                faults.append(f"worker {worker} killed")
                time.sleep(chance.uniform(0, 1))
                cluster.start_worker(worker)
        time.sleep(chance.uniform(0.1, 0.5))

    with cluster.closed_gate():
        run = start(cluster, file, depth, "--task-seconds", "0.2", "--verify-share", "20%")
        wait_until(lambda: has_results(file) or run.poll() is not None)
        for _ in range(3):
            assert run.poll() is None, run.communicate()
            disturb()
    # More faults may follow, depending on the machine.
    while run.poll() is None and len(faults) < 6:
        disturb()
    out, err = run.communicate()
    assert run.returncode == 0, err
    answer = json.loads(out)
    assert answer["nodes"] == nodes, faults
    assert answer["complete"] is True
    assert answer["verified"] > 0


def test_a_count_while_the_scheduler_dies(cluster: DaskTestCluster, tmp_path: Path) -> None:
    file = tmp_path / "kiwipete.tabiya"
    depth, split, nodes = ("6", "3", "8031647685") if LONG_FORM else ("5", "2", "193690690")
    arguments = [depth, "--fen", KIWIPETE, "--split", split, "--task-seconds", "0.2"]
    arguments += ["--verify-share", "100%", "--patience", "600"]
    with cluster.closed_gate():
        run = start(cluster, file, *arguments)
        wait_until(lambda: has_results(file) or run.poll() is not None)
        assert run.poll() is None, run.communicate()
        cluster.kill_scheduler()
    cluster.start_again()
    out, err = run.communicate()
    assert run.returncode == 0, err
    assert f"the scheduler at {cluster.address} is back after " in err
    assert "Traceback" not in err and "distributed" not in err, err
    assert json.loads(out)["nodes"] == nodes


def test_a_scheduler_that_is_killed_for_good_ends_the_run(
    cluster: DaskTestCluster, tmp_path: Path
) -> None:
    file = tmp_path / "start-8.tabiya"
    arguments = ["8", "--task-seconds", "0.2", "--verify-share", "100%", "--patience", "1"]
    with cluster.closed_gate():
        run = start(cluster, file, *arguments)
        try:
            wait_until(lambda: has_results(file) or run.poll() is not None)
            assert run.poll() is None, run.communicate()
            cluster.kill_scheduler()
            out, err = run.communicate(timeout=LONG)
        finally:
            run.kill()
            cluster.start_again()
    assert run.returncode == 2, err
    assert f"warning: the scheduler at {cluster.address} is lost; waiting up to 1 s for it" in err
    assert f"error: the scheduler at {cluster.address} is lost: it did not come back within 1 s" in err
    assert "to continue, run: python -m tabiya.cluster perft 8" in err
    assert "Traceback" not in err and "distributed" not in err, err
    known = json.loads(out)
    assert int(known["done"]) > 0 and not known["complete"]
    job = Job(file, 8)
    assert (job.done, job.nodes) == (int(known["done"]), int(known["nodes"]))
    job.close()


@pytest.mark.parametrize("end", ["killed", "stopped"])
def test_a_scheduler_that_is_lost_leaves_no_thread_and_no_client(tmp_path: Path, end: str) -> None:
    """In this process. The scheduler has no workers, so that nothing is ever counted."""
    from distributed import Client

    clients: Any = Client
    said: list[str] = []
    with DaskTestCluster(0, tmp_path) as alone:
        wait_until(lambda: alone.answers())
        threads = set(threading.enumerate())
        engine = DaskCluster(alone.address, silence=1.0)
        job = Job(tmp_path / "start-4.tabiya", 4)

        def lose_it(progress: Progress) -> None:
            # Its tasks are out by now.
            if progress.outstanding:
                alone.kill_scheduler() if end == "killed" else alone.stop_scheduler()

        options = Options(CounterSpec(False, 0, 1), patience=1.0)
        try:
            with pytest.raises(EngineLost, match="is lost: it did not come back within 1 s; 0 of 20"):
                Coordinator(job, engine, options, lose_it, said.append).run()
        finally:
            engine.close()
            job.close()
    assert said == [f"the scheduler at {alone.address} is lost; waiting up to 1 s for it"]
    gc.collect()
    assert not [client for client in clients._instances if client.status != "closed"]
    wait_until(lambda: set(threading.enumerate()) <= threads)
    filterers = [*QuietLosses.loggers(), *logging.root.handlers, logging.lastResort]
    filters = [filter for filterer in filterers if filterer for filter in filterer.filters]
    assert not any(isinstance(filter, QuietLosses) for filter in filters)


@pytest.mark.parametrize(
    "name",
    ["distributed.batched", "distributed.client", "distributed.comm.tcp", "tornado.application"],
)
def test_a_lost_connection_is_not_logged_by_dask(name: str) -> None:
    """Nor is its traceback; all else is."""
    logger, records = logging.getLogger(name), list[logging.LogRecord]()
    loss, trouble = ConnectionResetError("the link is cut"), RuntimeError("something else")

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    keeper, quiet = Keeper(), QuietLosses()
    logger.addHandler(keeper)
    try:
        logger.error("lost", exc_info=loss)
        # Python drops a connection that was lost.
        logger.warning("Closing dangling stream in <TCP >")
        logger.error("broken", exc_info=trouble)
        quiet.close()
        logger.error("lost again", exc_info=loss)
    finally:
        logger.removeHandler(keeper)
    assert [record.msg for record in records] == ["broken", "lost again"]


def test_a_logger_that_comes_later_is_quiet_too() -> None:
    """A module of Dask may be imported when it is needed first."""
    records = list[str]()

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(f"{record.name}: {record.msg}")

    loss, keeper = ConnectionResetError("the link is cut"), Keeper()
    above = [logging.getLogger("distributed"), logging.root]
    for logger in above:
        logger.addHandler(keeper)
    quiet = QuietLosses()
    try:
        for name in ("distributed.imported_later", "tornado.imported_later", "other.imported_later"):
            assert name not in logging.root.manager.loggerDict
            logging.getLogger(name).error("lost", exc_info=loss)
    finally:
        quiet.close()
        for logger in above:
            logger.removeHandler(keeper)
            assert quiet not in keeper.filters
    assert records == ["other.imported_later: lost"]


def test_a_scheduler_that_stays_away_ends_the_run(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tabiya.cluster", "perft", "5", "--dask", "tcp://127.0.0.1:9"]
        + ["--checkpoint", str(tmp_path / "start-5.tabiya")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "tcp://127.0.0.1:9 does not answer" in run.stderr
    assert not list(tmp_path.iterdir())


def test_a_complete_checkpoint_needs_no_scheduler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "FIRST_ATTEMPT", 0.5)
    file, nobody = tmp_path / "start-4.tabiya", "tcp://127.0.0.1:9"
    perft(4, checkpoint=file, verify_share=0)
    status = perft(4, checkpoint=file, dask=nobody, verify_share=0)
    assert (status.nodes, status.is_complete, status.given_up) == (197_281, True, {})
    # Something is left as soon as units are to be verified.
    with pytest.raises(ClusterError, match="does not answer"):
        perft(4, checkpoint=file, dask=nobody, verify_share=1)
    run = subprocess.run(
        [sys.executable, "-m", "tabiya.cluster", "perft", "4", "--checkpoint", str(file)]
        + ["--dask", nobody, "--verify-share", "0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (0, "nodes        197,281\n"), run.stderr
    assert run.stderr == f"{status.units} units, all of them counted\n"


#: Forks while tasks are outstanding. The child ends as programs do.
FORKING = """
import os, sys
from tabiya.cluster import perft

def fork(progress):
    if progress.outstanding:
        child = os.fork()
        if child == 0:
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        raise RuntimeError("the child has ended")

perft(4, checkpoint=sys.argv[1], dask=sys.argv[2], progress=fork)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_forked_process_ends(tmp_path: Path) -> None:
    """The child has no thread of Dask that could answer. Without workers, tasks stay outstanding."""
    with DaskTestCluster(0, tmp_path) as alone:
        wait_until(lambda: alone.answers())
        done = subprocess.run(
            [sys.executable, "-c", FORKING, str(tmp_path / "start-4.tabiya"), alone.address],
            capture_output=True,
            text=True,
            timeout=LONG,
        )
    assert done.returncode == 1
    assert "RuntimeError: the child has ended" in done.stderr, done.stderr


def test_an_address_where_nobody_speaks_ends_the_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is accepted, and then nothing comes."""
    monkeypatch.setattr(engines, "FIRST_ATTEMPT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        threads = set(threading.enumerate())
        with pytest.raises(ClusterError, match="does not answer"):
            DaskCluster(f"tcp://127.0.0.1:{silent.getsockname()[1]}")
    wait_until(lambda: set(threading.enumerate()) <= threads)
    for address in ("nothing://127.0.0.1:1", "tcp://127.0.0.1:port"):
        with pytest.raises(ClusterError, match=address):
            DaskCluster(address)


@pytest.mark.parametrize(
    ("has", "reason"), [("nothing", "tabiya"), ("0.0.1", "has tabiya 0.0.1, this job needs ")]
)
def test_workers_that_cannot_count_are_told(tmp_path: Path, has: str, reason: str) -> None:
    warnings: list[str] = []
    with DaskTestCluster(0, tmp_path) as alone:
        # It comes when the first tasks wait for a worker.
        starter = threading.Timer(1.0, alone.start_other_worker, (1, has))
        starter.start()
        with pytest.raises(ClusterError, match=r"ModuleNotFoundError.*tabiya|have tabiya 0\.0\.1"):
            perft(4, checkpoint=tmp_path / "bad", dask=alone.address, warn=warnings.append, patience=1.0)
        starter.join()
        assert [reason in warning for warning in warnings] == [True]
        alone.start_worker(0)
        alone.wait_for_workers(2)
        warnings.clear()
        # Many small tasks, so that both workers get some.
        done = perft(
            5,
            split=2,
            checkpoint=tmp_path / "good",
            dask=alone.address,
            warn=warnings.append,
            task_seconds=0.1,
            verify_share=0.1,
        )
    assert (done.nodes, done.given_up) == (4_865_609, {})
    # It may be that no task came to the bad one.
    assert all(reason in warning for warning in warnings) and len(warnings) <= 1


def test_the_table_must_fit_into_the_memory_limit(
    cluster: DaskTestCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = {"tcp://10.0.0.1:1": 2 << 30, "tcp://10.0.0.2:1": 0}

    def memory_limits(self: engines.DaskCluster) -> dict[str, int]:
        return limits

    monkeypatch.setattr(engines.DaskCluster, "memory_limits", memory_limits)
    engine = engines.DaskCluster(cluster.address)
    try:
        engine.check_memory(1024)
        with pytest.raises(ClusterError, match=re.escape("tcp://10.0.0.1:1, 2048 MiB")):
            engine.check_memory(1500)
    finally:
        engine.close()


def test_the_limits_of_the_workers_are_known(cluster: DaskTestCluster) -> None:
    engine = DaskCluster(cluster.address)
    try:
        cluster.wait_for_workers(4)
        wait_until(lambda: engine.workers() == 4)
        assert set(engine.memory_limits().values()) == {0}
    finally:
        engine.close()
