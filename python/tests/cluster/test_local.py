"""Counts on processes of this machine, which die, are stopped, and go on."""

from __future__ import annotations

import errno
import io
import json
import multiprocessing
import os
import pickle
import pty
import resource
import shlex
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import pytest

import tabiya
import tabiya.cluster.coordinator as coordinator_module
import tabiya.cluster.engines as engines
import tabiya.cluster.worker as worker
from dask_cluster import children, command_of, wait_until
from poison import count_or_die
from programs import cluster_command, has_results, published, run_cluster, rust_command
from tabiya._tabiya import UnitCounter, available_memory
from tabiya.cluster import (
    ClusterError,
    Coordinator,
    CounterSpec,
    GivenExecutor,
    Job,
    LocalPool,
    NoAnswer,
    Options,
    Progress,
    perft,
)
from tabiya.cluster.__main__ import Log, ProgressLine
from tabiya.cluster.worker import Answer, Counted

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
START_6, START_7, START_8 = 119_060_324, 3_195_901_860, 84_998_978_956


def start(arguments: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        cluster_command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def counting_processes(run: subprocess.Popen[str]) -> list[int]:
    return [pid for pid in children(run.pid) if "spawn_main" in command_of(pid)]


def test_a_count_is_right_with_and_without_a_table(tmp_path: Path) -> None:
    for hash_mib in (0, 16):
        status = perft(
            6,
            checkpoint=tmp_path / f"start-6-{hash_mib}.tabiya",
            hash_mib=hash_mib,
            verify_share=0.1,
        )
        assert status.is_complete
        assert status.nodes == START_6


def test_categories_are_those_of_the_published_tables(tmp_path: Path) -> None:
    for hash_mib in (0, 16):
        file = tmp_path / f"start-5-{hash_mib}.tabiya"
        status = perft(5, checkpoint=file, categories=True, hash_mib=hash_mib, verify_share=0.2)
        assert status.nodes == 4_865_609
        assert status.categories is not None
        assert status.categories["captures"] == 82_719
        assert status.categories["en_passant"] == 258
        assert status.categories["checks"] == 27_351
        assert status.categories["checkmates"] == 347
    # A job by category is another job.
    run = run_cluster("perft", "5", "--checkpoint", str(tmp_path / "start-5-0.tabiya"))
    assert run.returncode == 2
    assert "another job" in run.stderr
    file = tmp_path / "kiwipete-3.tabiya"
    run = run_cluster("perft", "3", "--checkpoint", str(file), "--categories", "--fen", KIWIPETE)
    assert run.stdout.startswith("nodes        97,862\n")
    assert "captures             17,102\n" in run.stdout


@pytest.mark.parametrize("make", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_will_do(
    tmp_path: Path, make: type[ThreadPoolExecutor] | type[ProcessPoolExecutor]
) -> None:
    with make(2) as executor:
        file = tmp_path / "start-5.tabiya"
        status = perft(5, checkpoint=file, executor=executor, workers=2, threads=1, verify_share=1)
        assert status.nodes == 4_865_609


def test_chess960_and_an_end_of_the_game(tmp_path: Path) -> None:
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    status = perft(4, checkpoint=tmp_path / "a.tabiya", fen=fen, chess960=True)
    assert status.nodes == 326_672
    mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    assert perft(3, checkpoint=tmp_path / "b.tabiya", fen=mate).nodes == 0


def test_processes_that_are_killed_are_replaced(tmp_path: Path) -> None:
    file = tmp_path / "start-8.tabiya"
    run = start(
        ["perft", "8", "--split", "3", "--hash", "64", "--checkpoint", str(file), "--workers", "2"]
        + ["--threads", "1", "--task-seconds", "0.1", "--json"]
    )
    killed = 0
    for _ in range(3):
        before = done_of(file)
        wait_until(lambda: run.poll() is not None or done_of(file) > before)
        for pid in counting_processes(run)[:1]:
            os.kill(pid, signal.SIGKILL)
            killed += 1
    out, err = run.communicate()
    assert run.returncode == 0, err
    assert json.loads(out)["nodes"] == str(START_8)
    assert killed > 0


def done_of(file: Path) -> int:
    return int(str(published(file).get("done", 0)))


def test_a_process_that_is_killed_at_its_start_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    start = SpawnProcess.start

    def start_and_kill_the_first(process: SpawnProcess) -> None:
        start(process)
        if not killed and process.pid is not None:
            killed.append(process.pid)
            os.kill(process.pid, signal.SIGKILL)

    monkeypatch.setattr(SpawnProcess, "start", start_and_kill_the_first)
    engine = LocalPool(1)
    try:
        assert engine.executor().submit(os.getpid).result() not in killed
    finally:
        engine.close()
    assert len(killed) == 1


@pytest.mark.skipif(not hasattr(signal, "SIGCHLD"), reason="the system has no SIGCHLD")
def test_processes_are_replaced_where_sigchld_is_ignored(tmp_path: Path) -> None:
    """The system then removes a process that ends, and its parent is not told."""
    script = tmp_path / "script.py"
    script.write_text(
        """
import os, signal, time
from tabiya.cluster import LocalPool

if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    pool = LocalPool(2)
    for _ in range(3):
        worker = pool.executor().submit(os.getpid).result()
        # More than the queue of the pool has room for.
        tasks = [pool.executor().submit(time.sleep, 1000) for _ in range(20)]
        os.kill(worker, signal.SIGKILL)
        assert pool.is_lost(tasks[-1].exception())
        assert pool.executor().submit(os.getpid).result() != worker
    pool.close()
"""
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the time of a process")
def test_processes_that_are_stopped_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "IDLE", 0.0)
    engine = LocalPool(1)
    try:
        worker = engine.executor().submit(os.getpid).result()
        os.kill(worker, signal.SIGSTOP)
        wait_until(lambda: state_of(worker) == "T")
        # The first question finds the time that the process took to begin.
        engine.is_lost(NoAnswer())
        assert engine.is_lost(NoAnswer())
        assert engine.executor().submit(os.getpid).result() != worker
    finally:
        engine.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the time of a process")
def test_processes_that_count_are_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "IDLE", 0.0)
    stop = tmp_path / "stop"
    engine = LocalPool(1)
    try:
        executor = engine.executor()
        work = executor.submit(exec, f"import os\nwhile not os.path.exists({str(stop)!r}): pass")
        (process,) = multiprocessing.active_children()
        assert isinstance(process, SpawnProcess)
        for _ in range(3):
            before = engines.cpu_seconds(process)
            wait_until(lambda: engines.cpu_seconds(process) > before + 0.1)
            assert not engine.is_lost(NoAnswer())
        assert engine.executor() is executor
        stop.touch()
        work.result()
    finally:
        stop.touch()
        engine.close()


def state_of(process: int) -> str:
    """The state of a process, as the system has it."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]


class NoThread:
    """A pool for which the system has no thread: nothing is answered, or taken."""

    def __init__(self, *arguments: Any) -> None:
        pass

    takes = True

    def submit(self, *arguments: Any) -> Future[Any]:
        if not self.takes:
            raise RuntimeError("can't start new thread")
        return Future()

    def shutdown(self, **arguments: Any) -> None:
        raise RuntimeError("cannot join thread before it is started")


@pytest.mark.parametrize("takes", [False, True])
def test_a_pool_that_does_not_begin_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, takes: bool
) -> None:
    monkeypatch.setattr(engines, "BEGIN", 0.0)
    monkeypatch.setattr(engines, "ProcessPoolExecutor", NoThread)
    monkeypatch.setattr(NoThread, "takes", takes)
    why = "none has answered within 0 s" if takes else "can't start new thread"
    with pytest.raises(ClusterError, match=f"the worker processes cannot be started: {why}"):
        perft(4, checkpoint=tmp_path / "start-4.tabiya")


@pytest.mark.parametrize(
    "why",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        ImportError("This platform lacks a functioning sem_open implementation"),
        NotImplementedError("system provides too few semaphores"),
    ],
)
def test_a_pool_without_semaphores_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: Exception
) -> None:
    def make(*arguments: object) -> None:
        raise why

    monkeypatch.setattr(engines, "ProcessPoolExecutor", make)
    with pytest.raises(ClusterError, match="cannot be started: no semaphores") as caught:
        perft(4, checkpoint=tmp_path / "start-4.tabiya")
    assert f"{why} (on Linux, semaphores need room in /dev/shm)" in str(caught.value)


INTERRUPTED_SCRIPT = """
import os, signal, sys
from pathlib import Path
from tabiya.cluster import perft

folder = Path(sys.argv[1])
if __name__ == "__main__":
    print(perft(4, checkpoint=folder / "start-4.tabiya").nodes)
elif not (folder / "begun").exists():
    # Ctrl-C reaches the first worker process while it imports this script.
    (folder / "begun").touch()
    signal.raise_signal(signal.SIGINT)
    (folder / "went on").touch()
"""


def test_ctrl_c_ends_a_process_that_starts_without_a_traceback(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED_SCRIPT)
    run = subprocess.run(
        [sys.executable, script, tmp_path], capture_output=True, text=True, check=False
    )
    # The pool is made again after the end of the process.
    assert (run.returncode, run.stdout, run.stderr) == (0, "197281\n", "")
    assert (tmp_path / "went on").exists()


def test_a_process_of_a_pool_cannot_start_workers(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        counting = pool.apply_async(perft, (4,), {"checkpoint": str(tmp_path / "start-4.tabiya")})
        with pytest.raises(ClusterError, match="cannot be started: daemonic processes"):
            counting.get()


@pytest.mark.parametrize("new", ["", ".new"])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("depth", ["4", "x"])
def test_what_is_printed_does_not_go_into_the_checkpoint(
    tmp_path: Path, depth: str, stream: str, new: str
) -> None:
    file = tmp_path / "start-4.tabiya"
    perft(4, checkpoint=file)
    before = file.read_bytes()
    command = cluster_command("perft", depth, f"--checkpoint={file}")
    with file.with_name(file.name + new).open("ab") as end:
        done = subprocess.run(
            command,
            stdout=end if stream == "stdout" else subprocess.PIPE,
            stderr=end if stream == "stderr" else subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2 and file.read_bytes() == before
    # A message on standard error would go into the checkpoint as well, so there is none.
    error = b"the file that the output goes to" if depth == "4" else b"'x' is not a number"
    assert stream == "stderr" or error in done.stderr


class Interrupted(ProcessPoolExecutor):
    """A pool during which Ctrl-C is pressed while tasks wait, which end its processes as well."""

    tasks = 0

    def submit(self, *arguments: Any, **options: Any) -> Future[Any]:
        self.tasks += 1
        if self.tasks > 8:
            raise KeyboardInterrupt
        return super().submit(*arguments, **options)


def test_a_pool_whose_processes_end_after_ctrl_c_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before Python 3.12.1, a pool hangs if a process ends while a cancelled task waits."""
    failures: list[BaseException | None] = []

    def keep(failure: threading.ExceptHookArgs) -> None:
        failures.append(failure.exc_value)

    monkeypatch.setattr(threading, "excepthook", keep)
    others = threading.enumerate()
    pool = Interrupted(1)
    # Each task would take hours.
    job = Job(tmp_path / "start-12.tabiya", 12, split=2)
    options = Options(CounterSpec(False, 0, 1), tasks_per_worker=10)
    with pytest.raises(KeyboardInterrupt):
        Coordinator(job, GivenExecutor(pool, 1), options).run()
    threads = [thread for thread in threading.enumerate() if thread not in others]
    for process in multiprocessing.active_children():
        process.kill()
    wait_until(lambda: bool(failures) or not any(thread.is_alive() for thread in threads))
    assert failures == []
    pool.shutdown(wait=True)


def test_a_unit_that_ends_its_process_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABIYA_TEST_POISON", "7")
    monkeypatch.setattr(coordinator_module, "count", count_or_die)
    job = Job(tmp_path / "start-4.tabiya", 4, split=1)
    engine = LocalPool(2)
    warnings: list[str] = []
    try:
        coordinator = Coordinator(
            job, engine, Options(CounterSpec(False, 0, 1)), warn=warnings.append
        )
        coordinator.run()
    finally:
        engine.close()
    assert set(coordinator.given_up) == {7}
    assert job.done == job.units - 1
    assert any(job.fen(7) in warning for warning in warnings)


@pytest.mark.parametrize("by_category", [False, True])
def test_answers_of_the_pool_fit_into_one_write(by_category: bool) -> None:
    """Otherwise a process that is killed may leave half an answer, for whose rest the pool waits."""
    units = LocalPool().max_units(by_category)
    large = 2**64 - 1
    result = (large,) * 19 if by_category else large
    counted = tuple(Counted(2**20 - number, result, 2**31) for number in range(units))
    answer = Answer("h" * 64 + ":1234567", "f" * 64, "avx512 with a table", "0.1.0", 1.5, counted, 64)
    assert len(pickle.dumps(answer)) + 200 < 4096


def test_ctrl_c_says_how_to_go_on_and_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "start-9.tabiya"
    arguments = ["perft", "9", "--split", "4", "--checkpoint", str(file), "--task-seconds", "0.2"]
    run = start(arguments)
    wait_until(lambda: has_results(file))
    workers = counting_processes(run)
    assert workers
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    assert run.returncode == 130, err
    assert "the count is not complete" in out
    assert f"to continue, run: python -m tabiya.cluster {' '.join(arguments)}" in out
    wait_until(lambda: not any(command_of(pid) for pid in workers))
    status = Job(file, 9, split=4)
    assert 0 < status.done < status.units


def test_ctrl_c_while_a_complete_job_is_verified_says_how_to_go_on(tmp_path: Path) -> None:
    """With a table, the first count takes a moment; without one, the second would take years."""
    file = tmp_path / "kings.tabiya"
    arguments = ["perft", "20", "--fen", "k7/8/8/8/8/8/8/K7 w - - 0 1", "--split", "2"]
    arguments += ["--checkpoint", str(file), "--threads", "1"]
    first = run_cluster(*arguments, "--hash", "16", "--verify-share", "0")
    assert first.returncode == 0, first.stderr
    run = start([*arguments, "--verify-share", "100%"])
    wait_until(lambda: bool(published(file)))
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    assert run.returncode == 130, err
    assert out.startswith("nodes ") and "to continue, run: " in out


@pytest.mark.parametrize("how", ["removed", "moved", "replaced"])
def test_a_file_that_is_gone_ends_the_run(tmp_path: Path, how: str) -> None:
    """Otherwise days of counting go into a file that has no name."""
    file, other = tmp_path / "start-9.tabiya", tmp_path / "other"
    arguments = ["perft", "9", "--split", "4", "--checkpoint", str(file), "--task-seconds", "0.2"]
    run = start(arguments)
    wait_until(lambda: has_results(file))
    if how == "removed":
        file.unlink()
    else:
        file.rename(other)
    if how == "replaced":
        file.write_bytes(b"something else")
    out, err = run.communicate()
    assert run.returncode == 2, err
    assert "the checkpoint was moved, replaced or removed while it was open" in err
    assert "the count is not complete" in out and "to continue" not in out
    if how != "removed":
        status = Job(other, 9, split=4)
        assert 0 < status.done < status.units


def test_a_count_that_is_complete_needs_no_file(tmp_path: Path) -> None:
    file = tmp_path / "start-4.tabiya"

    def remove(progress: Progress) -> None:
        if progress.done == progress.units:
            file.unlink()

    with ThreadPoolExecutor(1) as executor:
        status = perft(4, checkpoint=file, executor=executor, workers=1, progress=remove)
    assert status.nodes == 197_281


def test_a_killed_coordinator_is_resumed_exactly(tmp_path: Path) -> None:
    file = tmp_path / "start-7.tabiya"
    arguments = ["perft", "7", "--split", "3", "--checkpoint", str(file), "--task-seconds", "0.1"]
    run = start([*arguments, "--threads", "1"])
    wait_until(lambda: has_results(file) or run.poll() is not None)
    workers = counting_processes(run)
    run.kill()
    run.communicate()
    wait_until(lambda: not any(command_of(pid) for pid in workers))
    job = Job(file, 7, split=3)
    stored = job.done
    job.close()
    assert stored > 0
    answer = json.loads(run_cluster(*arguments, "--json").stdout)
    assert answer["nodes"] == str(START_7)


def test_the_rust_command_goes_on_and_the_other_way_round(tmp_path: Path) -> None:
    tabiya_command = rust_command()
    file = str(tmp_path / "start-8.tabiya")
    run = start(
        ["perft", "8", "--split", "3", "--hash", "64", "--checkpoint", file, "--threads", "1"]
        + ["--task-seconds", "0.1"]
    )
    wait_until(lambda: has_results(Path(file)) or run.poll() is not None)
    # While the coordinator has the file open, the published status is read.
    seen = subprocess.run(
        [tabiya_command, "status", file, "--json"], capture_output=True, text=True, check=True
    )
    assert int(json.loads(seen.stdout)["done"]) > 0
    run.send_signal(signal.SIGINT)
    run.communicate()
    done = subprocess.run(
        [tabiya_command, "perft", "8", "--split", "3", "--hash", "64", "--checkpoint", file, "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    rust = json.loads(done.stdout)
    assert rust["nodes"] == str(START_8)
    python = json.loads(
        run_cluster("perft", "8", "--split", "3", "--hash", "64", "--checkpoint", file, "--json").stdout
    )
    # The objects are the same, except for the time of writing and the order in which times were
    # added.
    assert python.keys() == rust.keys()
    for key in python.keys() - {"time"}:
        same = rust[key] if not isinstance(rust[key], float) else pytest.approx(rust[key])
        assert python[key] == same, key


def test_a_full_disk_ends_the_run_and_nothing_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "start-7.tabiya"
    job = Job(file, 7, split=4)
    job.close()
    limit = file.stat().st_size + 4096

    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    arguments = ["perft", "7", "--split", "4", "--checkpoint", str(file), "--task-seconds", "0.1"]
    run = subprocess.run(
        cluster_command(*arguments),
        preexec_fn=limit_files,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2, run.stderr
    assert str(file) in run.stderr
    answer = json.loads(run_cluster(*arguments, "--json").stdout)
    assert answer["nodes"] == str(START_7)


def test_the_interpreter_is_free_while_units_are_counted() -> None:
    """A worker that does not answer its scheduler meanwhile would be killed."""
    counter = UnitCounter(threads=1)
    packed = tabiya.Position().packed()
    done = threading.Event()
    turns_while_counting = 0

    def count() -> None:
        counter.count([(packed, 7)])
        done.set()

    thread = threading.Thread(target=count)
    thread.start()
    while not done.wait(0.001):
        turns_while_counting += 1
    thread.join()
    assert turns_while_counting > 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perft", "0", "--checkpoint", "x"], "'0' is not"),
        (["perft", "256", "--checkpoint", "x"], "'256' is not a number from 1 to 255"),
        (["perft", "5_0", "--checkpoint", "x"], "'5_0' is not"),
        (["perft", "5", "--split", "256", "--checkpoint", "x"], "from 1 to 255"),
        (["perft", "5", "--threads", "1025", "--checkpoint", "x"], "from 1 to 1,024"),
        (["perft", "5", "--workers", "1025", "--checkpoint", "x"], "from 1 to 1,024"),
        (["perft", "5", "--hash", "2000000T", "--checkpoint", "x"], "more memory than"),
        (["perft", "5", "--patience", "-1", "--checkpoint", "x"], "--patience"),
        (["perft", "5", "--patience", "nan", "--checkpoint", "x"], "--patience"),
        (["perft", "5"], "--checkpoint"),
        (["perft", "5", "--checkpoint", "-"], "./- names a file"),
        (["perft", "5", "--checkpoint", "x", "--verify-share", "200%"], "not a share"),
        (["perft", "5", "--checkpoint", "x", "--hash", "much"], "'much' is not"),
        (["perft", "5", "--checkpoint", "x", "--task-seconds", "0"], "--task-seconds"),
        (["perft", "5", "--checkpoint", "no/such/folder/x"], "no/such/folder/x"),
        (["perft", "5", "--checkpoint", "x", "--fen", "nonsense"], "nonsense"),
        (["perft", "5", "--checkpoint", "x", "--split", "9"], "cannot be split"),
        (["perft", "5", "--checkpoint", "x", "--dask", "tcp://a:1", "--workers", "2"], "--workers"),
        ([], "command"),
    ],
)
def test_mistaken_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run = run_cluster(*arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert not list(tmp_path.iterdir())


def test_the_tables_of_all_processes_must_fit_into_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "available_memory", lambda: 1000 << 20)
    for workers in (1, 4):
        LocalPool(workers).check_memory(1000 // workers)
    with pytest.raises(ClusterError, match="a table of 1001 MiB does not fit into the 1000 MiB"):
        LocalPool(1).check_memory(1001)
    with pytest.raises(ClusterError, match="4 tables of 251 MiB, one for each worker, do not fit"):
        perft(5, checkpoint=tmp_path / "a.tabiya", workers=4, hash_mib=251)
    # While the tables are in memory, less is available.
    pool = LocalPool(4)
    monkeypatch.setattr(engines, "available_memory", lambda: 0)
    pool.check_memory(250)
    monkeypatch.setattr(engines, "available_memory", lambda: None)
    LocalPool(4).check_memory(1 << 40)
    assert not list(tmp_path.iterdir())


def test_tables_that_fit_one_by_one_only_are_refused(tmp_path: Path) -> None:
    available = available_memory()
    if available is None:
        pytest.skip("the available memory is not known")
    # Each fits, and all of them exceed what is there by far.
    size = str((available >> 20) * 2 // 3)
    file = tmp_path / "a.tabiya"
    run = run_cluster("perft", "5", "--checkpoint", str(file), "--workers", "3", "--hash", size)
    assert run.returncode == 2
    assert f"3 tables of {size} MiB" in run.stderr
    assert not file.exists()


def test_mistaken_calls_from_python_leave_no_file(tmp_path: Path) -> None:
    file = tmp_path / "a.tabiya"
    with ThreadPoolExecutor(1) as executor:
        calls: dict[str, dict[str, Any]] = {
            "threads": {"threads": 0},
            "depth: expected 1 to 255, not 300": {"depth": 300},
            "depth: expected 1 to 255, not 0": {"depth": 0},
            "split: expected 1 to 255": {"split": 256},
            "threads: expected 1 to 1,024": {"threads": 1025},
            "workers": {"workers": -1},
            "workers: expected 1 to 1,024": {"workers": 1025},
            "hash_mib": {"hash_mib": -1},
            "hash_mib: expected 0": {"hash_mib": 1 << 70},
            "patience": {"patience": float("nan")},
            "task_seconds": {"task_seconds": float("nan")},
            "executor and dask": {"executor": executor, "dask": "tcp://a:1"},
            "number of workers": {"executor": executor},
            "counted, not given": {"dask": "tcp://a:1", "workers": 2},
        }
        for message, arguments in calls.items():
            keywords: dict[str, Any] = {"depth": 4, "checkpoint": file, **arguments}
            with pytest.raises(ValueError, match=message):
                perft(**keywords)
    numbers: dict[str, Any] = {"workers": 1.5, "threads": "2", "hash_mib": 0.5, "depth": None}
    for name, number in numbers.items():
        keywords = {"depth": 4, "checkpoint": file, name: number}
        with pytest.raises(TypeError, match=f"{name}: expected an int, not {type(number).__name__}"):
            perft(**keywords)
    with pytest.raises(ClusterError, match="empty"):
        perft(4, checkpoint=file, dask="")
    for depth, split in ((256, None), (-1, None), (5, 256), (5, 0)):
        with pytest.raises(ValueError, match="expected 1 to 255 plies"):
            Job(file, depth, split=split)
    assert not file.exists()


@pytest.mark.parametrize("place", ["the middle of a page", "the end"])
def test_a_damaged_file_is_refused_with_advice(tmp_path: Path, place: str) -> None:
    file = tmp_path / "start-4.tabiya"
    perft(4, checkpoint=file, split=2)
    content = bytearray(file.read_bytes())
    if place == "the end":
        del content[len(content) // 2 :]
    else:
        for byte in range(4096, len(content), 512):
            content[byte] ^= 0xFF
    file.write_bytes(content)
    run = run_cluster("perft", "4", "--split", "2", "--checkpoint", str(file))
    assert run.returncode == 2
    assert f"error: {file}: the checkpoint is damaged: " in run.stderr
    assert "put a copy of the file in its place, or begin a new one" in run.stderr
    assert "Traceback" not in run.stderr and "panicked" not in run.stderr
    assert file.read_bytes() == content


def test_off_a_terminal_the_last_line_is_written(tmp_path: Path) -> None:
    run = run_cluster("perft", "5", "--checkpoint", str(tmp_path / "start-5.tabiya"))
    units, *lines = run.stderr.splitlines()
    assert units == "20 units, 0 of them counted; each worker has no table"
    assert lines
    assert lines[-1].startswith("20 of 20 units (100.0 %), ")
    assert all("million nodes/s" in line and ", 0 million" not in line for line in lines)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full file")
@pytest.mark.parametrize(
    ("redirection", "code"),
    [("2>&-", 0), ("2>/dev/full", 0), ("<&- >&- 2>&-", 1), (">&-", 1), (">/dev/full", 1)],
)
def test_closed_and_full_outputs_do_not_end_a_run(
    tmp_path: Path, redirection: str, code: int
) -> None:
    file = tmp_path / "start-5.tabiya"
    command = shlex.join(cluster_command("perft", "5", "--checkpoint", str(file)))
    run = subprocess.run(
        ["sh", "-c", f"{command} {redirection}"], capture_output=True, text=True, check=False
    )
    assert run.returncode == code and "Traceback" not in run.stderr
    job = Job(file, 5)
    assert (job.done, job.nodes) == (20, 4_865_609)
    job.close()
    if "2>" not in redirection:
        assert "error: standard output cannot be written: " in run.stderr
        assert "nodes        4,865,609" in run.stderr


def full_pipe() -> tuple[int, int]:
    """A pipe that takes nothing more until somebody reads it."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 4096)
    os.set_blocking(writer, True)
    return reader, writer


def stopped_terminal() -> tuple[int, int]:
    """A terminal that takes nothing, as after Ctrl-S."""
    reader, writer = pty.openpty()
    termios.tcflow(writer, termios.TCOOFF)
    return reader, writer


def command_with_patience(seconds: float, *arguments: str) -> list[str]:
    """The command line of the package, which waits this long for the reader of the result."""
    lines = [
        "import sys, tabiya.cluster.__main__ as program",
        f"program.RESULT_PATIENCE = {seconds}",
        "sys.exit(program.main())",
    ]
    return [sys.executable, "-c", "; ".join(lines), *arguments]


@pytest.mark.parametrize("has_log", [False, True])
def test_a_run_ends_though_nobody_reads_its_terminal(tmp_path: Path, has_log: bool) -> None:
    """Behind Ctrl-S, or a connection that is frozen."""
    file = tmp_path / "start-4.tabiya"
    reader, terminal = stopped_terminal()
    command = command_with_patience(0.1, "perft", "4", "--checkpoint", str(file), "--threads", "1")
    stderr = subprocess.PIPE if has_log else terminal
    run = subprocess.Popen(command, stdout=terminal, stderr=stderr, text=True)
    _, err = run.communicate(timeout=300)
    assert run.returncode == 1
    if has_log:
        assert "error: standard output cannot be written: nobody reads it\n" in err
        assert "nodes        197,281" in err
    job = Job(file, 4)
    assert (job.done, job.nodes) == (job.units, 197_281)
    os.close(reader)
    os.close(terminal)


@pytest.mark.parametrize("full", [full_pipe, stopped_terminal])
def test_ctrl_c_ends_a_run_that_waits_for_the_reader_of_its_result(
    tmp_path: Path, full: Callable[[], tuple[int, int]]
) -> None:
    file = tmp_path / "start-4.tabiya"
    reader, writer = full()
    command = command_with_patience(1e6, "perft", "4", "--checkpoint", str(file), "--threads", "1")
    run = subprocess.Popen(command, stdout=writer, stderr=subprocess.PIPE, text=True)
    assert run.stderr is not None
    assert any("(100.0 %)" in line for line in run.stderr)

    def is_ended_by_ctrl_c() -> bool:
        run.send_signal(signal.SIGINT)
        return run.poll() is not None

    try:
        wait_until(is_ended_by_ctrl_c)
        assert run.returncode == -signal.SIGINT
    finally:
        run.kill()
        run.communicate()
        os.close(reader)
        os.close(writer)


def test_the_line_of_progress_is_not_wider_than_its_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            return 2

    def size(descriptor: int) -> os.terminal_size:
        return os.terminal_size((30, 24))

    monkeypatch.setattr(os, "get_terminal_size", size)
    terminal = Terminal()
    log = Log(terminal)
    # Without the thread, which would write to the descriptor.
    monkeypatch.setattr(log, "_start", lambda: False)
    line = ProgressLine(log, quiet=False)
    line.show(progress(10, 10**9, 1.0))
    line.end()
    assert terminal.getvalue() == "\r10 of 20 units (50.0 %), 1,00\n"


def test_a_run_does_not_wait_for_the_reader_of_its_progress(tmp_path: Path) -> None:
    """As behind Ctrl-S on a terminal, or with a parent that reads only at the end."""
    file, complete = tmp_path / "start-9.tabiya", tmp_path / "start-4.tabiya"
    reader, writer = full_pipe()

    def start_unread(*arguments: str) -> subprocess.Popen[str]:
        command = cluster_command("perft", *arguments, "--threads", "1")
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=writer, text=True)

    run = start_unread("4", "--checkpoint", str(complete))
    out, _ = run.communicate(timeout=300)
    assert run.returncode == 0 and "197,281" in out
    run = start_unread("9", "--split", "4", "--checkpoint", str(file), "--task-seconds", "0.2")
    wait_until(lambda: has_results(file))
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=300)
    assert run.returncode == 130 and "to continue, run: " in out
    os.close(reader)
    os.close(writer)


def progress(done: int, nodes: int, seconds: float) -> Progress:
    return Progress(done, 20, nodes, nodes, seconds, 1, 1, None)


def test_lines_of_progress_come_with_results_and_once_a_minute() -> None:
    stream = io.StringIO()
    line = ProgressLine(Log(stream), quiet=False)
    for seconds in range(200):
        line.show(progress(max(0, seconds - 5), max(0, seconds - 5) * 1_000_000, float(seconds)))
    line.end()
    line.end()
    assert stream.getvalue().splitlines() == [
        "1 of 20 units (5.0 %), 0.17 million nodes/s, 1 worker",
        "61 of 20 units (305.0 %), 0.92 million nodes/s, 1 worker",
        "121 of 20 units (605.0 %), 0.96 million nodes/s, 1 worker",
        "181 of 20 units (905.0 %), 0.97 million nodes/s, 1 worker",
        "194 of 20 units (970.0 %), 0.97 million nodes/s, 1 worker",
    ]
    quiet = io.StringIO()
    line = ProgressLine(Log(quiet), quiet=True)
    line.show(progress(1, 1, 1.0))
    line.end()
    assert quiet.getvalue() == ""


def test_a_script_without_a_guard_is_told_so(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"from tabiya import cluster\ncluster.perft(4, checkpoint={str(tmp_path / 'a')!r})\n"
    )
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "__main__" in run.stderr.splitlines()[-1]


def test_a_file_of_another_job_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "start-4.tabiya"
    perft(4, checkpoint=file)
    run = run_cluster("perft", "5", "--checkpoint", str(file))
    assert run.returncode == 2
    assert "another job" in run.stderr
    (tmp_path / "text").write_text("this is not a checkpoint")
    run = run_cluster("perft", "5", "--checkpoint", str(tmp_path / "text"))
    assert run.returncode == 2
    assert "not a checkpoint" in run.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_names_are_printed_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "\xe9\u65e5"
    file.write_text("this is not a checkpoint")
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"}
    base = [sys.executable, "-m", "tabiya.cluster", "perft"]
    for arguments in (["4", "--checkpoint", str(file)], ["\xe9", "--checkpoint", "x"]):
        done = subprocess.run([*base, *arguments], capture_output=True, env=environment, check=False)
        error = done.stderr.decode(encoding)
        assert done.returncode == 2
        assert "error: " in error and "Traceback" not in error, error
        assert "\xe9" in error or "\\xe9" in error


#: Forks, records all units, lets the child end, and shows that this has changed nothing.
FORKED = """
import os, subprocess, sys
from tabiya.cluster import Job

path, end = sys.argv[1:]
job = Job(path, 4, split=1, verify_share=0)
units = job.take(20)
reader, writer = os.pipe()
child = os.fork()
if child == 0:
    os.close(writer)
    os.read(reader, 1)
    uses = [
        lambda: job.take(1), lambda: job.record([]), lambda: job.put_back([(0, False)]),
        lambda: job.publish(1), lambda: job.done, lambda: job.nodes, lambda: job.status_json(),
        lambda: job.fen(0), lambda: job.is_kept, lambda: job.categories, lambda: job.disputes,
    ]
    for use in uses:
        try:
            use()
        except RuntimeError as error:
            assert "forked" in str(error)
        else:
            os._exit(5)
    exec(end)
    sys.exit()
os.close(reader)
job.record([(number, False, 1, 0, "test") for number, *_ in units])
before = open(path, "rb").read()
os.close(writer)
assert os.waitpid(child, 0)[1] == 0
assert open(path, "rb").read() == before
again = f"from tabiya.cluster import Job; Job({path!r}, 4, split=1)"
other = subprocess.run([sys.executable, "-c", again], capture_output=True, text=True)
assert "another process is working on the checkpoint" in other.stderr, other.stderr
assert job.done == 20
job.close()
subprocess.run([sys.executable, "-c", again + ".close()"], check=True)
assert Job(path, 4, split=1).done == 20
child = os.fork()
if child == 0:
    # A job that was closed before can be asked.
    os._exit(0 if job.done == 20 else 1)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
@pytest.mark.parametrize("end", ["pass", "del job, uses, use", "job.close()", "os._exit(0)"])
def test_a_forked_process_leaves_the_job_alone(end: str, tmp_path: Path) -> None:
    path = tmp_path / "job.tabiya"
    arguments = [sys.executable, "-c", FORKED, str(path), end]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


#: Counts with a pool that forks.
FORKING = """
import multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
from tabiya.cluster import perft

with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
    perft(9, checkpoint=sys.argv[1], executor=pool, workers=2, split=4, task_seconds=0.1)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not list descriptors")
def test_the_forked_workers_of_a_killed_coordinator_do_not_keep_the_job(tmp_path: Path) -> None:
    file = tmp_path / "start-9.tabiya"
    program = subprocess.Popen([sys.executable, "-c", FORKING, str(file)])
    wait_until(lambda: has_results(file) or program.poll() is not None)
    workers = children(program.pid)
    program.kill()
    program.wait()
    try:
        assert workers and all(command_of(pid) for pid in workers)
        job = Job(file, 9, split=4)
        assert 0 < job.done < job.units
        job.close()
    finally:
        for pid in workers:
            os.kill(pid, signal.SIGKILL)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_forked_worker_does_not_wait_for_a_thread_of_its_parent() -> None:
    lock = vars(worker)["_THIS"].lock
    with lock:
        child = os.fork()
        if child == 0:
            os._exit(0 if vars(worker)["_THIS"].lock.acquire(timeout=10) else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_forked_process_leaves_the_workers_alone(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        """
import os
from tabiya.cluster import LocalPool

if __name__ == "__main__":
    pool = LocalPool(1)
    worker = pool.executor().submit(os.getpid).result()
    child = os.fork()
    if child == 0:
        pool.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert pool.executor().submit(os.getpid).result() == worker
    pool.close()
"""
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


def test_units_that_are_no_positions_are_refused() -> None:
    counter = UnitCounter(threads=1)
    for packed in (b"", bytes(31), b"\xff" * 32):
        with pytest.raises(ValueError):
            counter.count([(packed, 3)])
    with pytest.raises(ValueError, match="expected a depth from 0 to 255, not 256"):
        counter.count([(tabiya.Position().packed(), 256)])
    with pytest.raises(ValueError, match="threads"):
        UnitCounter(threads=0)
    with pytest.raises(MemoryError):
        UnitCounter(hash_mib=1 << 40)
