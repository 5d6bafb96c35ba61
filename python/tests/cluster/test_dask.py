"""Counts on a Dask cluster whose parts die, are cut off, and come back."""

from __future__ import annotations

import json
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="Dask is not installed")

from conftest import LONG as LONG_FORM
from dask_cluster import LONG, DaskTestCluster, wait_until
from programs import has_results
from tabiya.cluster import ClusterError, engines, perft

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#: With this setting, Dask soon gives up a scheduler that does not answer.
SHORT = ("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")


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
    out, err = run.communicate(timeout=LONG)
    assert run.returncode == 0, err
    answer = json.loads(out)
    assert answer["nodes"] == nodes, faults
    assert answer["complete"] is True
    assert answer["verified"] > 0


def test_a_lost_scheduler_ends_the_run_and_the_same_call_continues(
    cluster: DaskTestCluster, tmp_path: Path
) -> None:
    file = tmp_path / "kiwipete.tabiya"
    depth, split, nodes = ("6", "3", "8031647685") if LONG_FORM else ("5", "2", "193690690")
    arguments = [depth, "--fen", KIWIPETE, "--split", split, "--task-seconds", "0.2"]
    arguments += ["--verify-share", "100%"]
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
    assert f"error: the scheduler at {cluster.address} is lost; " in err
    assert f"to continue, run: python -m tabiya.cluster perft {depth}" in err
    assert "Traceback" not in err.partition("error: the scheduler")[2]
    known = json.loads(out)
    assert int(known["done"]) > 0 and not known["complete"]
    out, err = start(cluster, file, *arguments).communicate(timeout=LONG)
    assert json.loads(out)["nodes"] == nodes, err


def test_a_scheduler_that_never_answers_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(*SHORT)
    run = subprocess.run(
        [sys.executable, "-m", "tabiya.cluster", "perft", "5", "--dask", "tcp://127.0.0.1:9"]
        + ["--checkpoint", str(tmp_path / "start-5.tabiya")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "error: no Dask scheduler answers at tcp://127.0.0.1:9: " in run.stderr
    assert "to continue, run: python -m tabiya.cluster perft 5" in run.stderr


def test_ctrl_c_ends_the_wait_for_a_scheduler(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        run = subprocess.Popen(
            [sys.executable, "-m", "tabiya.cluster", "perft", "5"]
            + ["--dask", f"tcp://127.0.0.1:{silent.getsockname()[1]}"]
            + ["--checkpoint", str(tmp_path / "start-5.tabiya")],
            stderr=subprocess.PIPE,
            text=True,
        )
        connection, _ = silent.accept()
        with connection:
            run.send_signal(signal.SIGINT)
            _, err = run.communicate()
    assert run.returncode == 130, err
    # A client that isn't closed says so when Python ends, a minute later.
    assert "to continue, run: " in err and "Exception ignored" not in err


@pytest.mark.parametrize("address", ["nothing://127.0.0.1:1", "tcp://127.0.0.1:port", ""])
def test_an_address_that_is_none_is_an_error(tmp_path: Path, address: str) -> None:
    with pytest.raises(ClusterError, match=f"no Dask scheduler answers at {address}"):
        perft(4, checkpoint=tmp_path / "start-4.tabiya", dask=address)


def test_a_complete_checkpoint_needs_no_scheduler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(*SHORT)
    file, nobody = tmp_path / "start-4.tabiya", "tcp://127.0.0.1:9"
    perft(4, checkpoint=file, verify_share=0)
    status = perft(4, checkpoint=file, dask=nobody, verify_share=0)
    assert (status.nodes, status.is_complete) == (197_281, True)
    command = [sys.executable, "-m", "tabiya.cluster", "perft", "4", "--checkpoint", str(file)]
    command += ["--dask", nobody, "--verify-share"]
    run = subprocess.run([*command, "0"], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "nodes        197,281\n"), run.stderr
    assert run.stderr.startswith(f"{status.units} units, {status.units} of them counted; ")
    # Something is left as soon as units are to be verified.
    run = subprocess.run([*command, "100%"], capture_output=True, text=True, check=False)
    assert run.returncode == 2 and "no Dask scheduler answers" in run.stderr


@pytest.mark.parametrize(
    ("has", "reason"),
    [("nothing", "ModuleNotFoundError.*tabiya"), ("0.0.1", "install the same version on all machines")],
)
def test_a_worker_that_cannot_count_ends_the_run(tmp_path: Path, has: str, reason: str) -> None:
    file = tmp_path / "start-4.tabiya"
    with DaskTestCluster(0, tmp_path) as alone:
        # It comes when the first tasks wait for a worker.
        starter = threading.Timer(1.0, alone.start_other_worker, (1, has))
        starter.start()
        with pytest.raises(ClusterError, match=reason):
            perft(4, checkpoint=file, dask=alone.address)
        starter.join()
        alone.kill_worker(1)
        alone.start_worker(0)
        assert perft(4, checkpoint=file, dask=alone.address).nodes == 197_281


def test_a_table_must_fit_into_the_memory_limit() -> None:
    engines.check_limit("tcp://10.0.0.1:1", 2 << 30, 1024)
    engines.check_limit("tcp://10.0.0.1:1", 0, 1 << 40)
    with pytest.raises(ClusterError, match="worker tcp://10.0.0.1:1, 2048 MiB"):
        engines.check_limit("tcp://10.0.0.1:1", 2 << 30, 1500)


def test_a_worker_without_room_for_its_table_ends_the_run(tmp_path: Path) -> None:
    with DaskTestCluster(0, tmp_path) as alone:
        alone.start_worker(0, memory_limit="1GiB")
        alone.wait_for_workers(1)
        with pytest.raises(ClusterError, match="1024 MiB, of which 80 % may be used"):
            perft(4, checkpoint=tmp_path / "start-4.tabiya", dask=alone.address, hash_mib=600)


def test_all_workers_are_known(cluster: DaskTestCluster) -> None:
    """There are more than Dask lists by default in some versions, so this reads its option."""
    cluster.wait_for_workers(4)
    with engines.dask_cluster(cluster.address, 0) as (_, workers):
        wait_until(lambda: workers() == 4)
