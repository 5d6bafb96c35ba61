"""Counts on a Dask cluster whose parts die, are cut off, and come back."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="Dask is not installed")

from dask_cluster import DaskTestCluster, wait_until
from programs import has_results

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


def test_start_depth_8_while_workers_die_and_links_are_cut(
    cluster: DaskTestCluster, tmp_path: Path
) -> None:
    chance = random.Random(8)
    file = tmp_path / "start-8.tabiya"
    # A fifth of it twice, or a fast machine is done before enough has gone wrong.
    run = start(cluster, file, "8", "--task-seconds", "1", "--verify-share", "20%")
    faults: list[str] = []

    def disturb() -> None:
        """At least three faults, and one every second or so as long as it runs."""
        while run.poll() is None and len(faults) < 6:
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

    wait_until(lambda: has_results(file) or run.poll() is not None)
    disturbance = threading.Thread(target=disturb)
    disturbance.start()
    out, err = run.communicate()
    disturbance.join()
    assert run.returncode == 0, err
    answer = json.loads(out)
    assert answer["nodes"] == "84998978956", faults
    assert answer["complete"] is True
    assert answer["verified"] > 0
    assert len(faults) >= 3


def test_kiwipete_depth_6_while_the_scheduler_dies(
    cluster: DaskTestCluster, tmp_path: Path
) -> None:
    file = tmp_path / "kiwipete-6.tabiya"
    arguments = ["6", "--fen", KIWIPETE, "--split", "3", "--task-seconds", "0.2"]
    run = start(cluster, file, *arguments)
    wait_until(lambda: has_results(file) or run.poll() is not None)
    cluster.kill_scheduler()
    time.sleep(2)
    cluster.start_scheduler()
    for worker in range(4):
        cluster.kill_worker(worker)
        cluster.start_worker(worker)
    out, err = run.communicate()
    assert run.returncode == 0, err
    assert json.loads(out)["nodes"] == "8031647685"


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


def test_the_table_must_fit_into_the_memory_limit(
    cluster: DaskTestCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tabiya.cluster import ClusterError, engines

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
    from tabiya.cluster import DaskCluster

    engine = DaskCluster(cluster.address)
    try:
        cluster.wait_for_workers(4)
        wait_until(lambda: engine.workers() == 4)
        assert set(engine.memory_limits().values()) == {0}
    finally:
        engine.close()
