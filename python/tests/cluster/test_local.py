"""Counts on processes of this machine, which die, and go on."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import tabiya
from dask_cluster import children, command_of, wait_until
from gate import GATE
from programs import cluster_command, has_results, published, run_cluster, rust_command
from tabiya._tabiya import UnitCounter, available_memory
from tabiya.cluster import ClusterError, Coordinator, CounterSpec, Job, Progress, engines, perft
from tabiya.cluster.__main__ import ProgressLine

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


def spawning_pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))


@pytest.mark.parametrize("make", [ThreadPoolExecutor, spawning_pool])
def test_any_executor_will_do(tmp_path: Path, make: Callable[[int], Executor]) -> None:
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


def done_of(file: Path) -> int:
    """The first and second counts that a running count has published."""
    status = published(file)
    return int(str(status.get("done", 0))) + int(str(status.get("verified", 0)))


#: A job of 5,362 units.
START_6_ARGUMENTS = ["perft", "6", "--split", "3", "--threads", "1", "--task-seconds", "0.1"]


def start_gated(gate: Path, arguments: Sequence[str]) -> subprocess.Popen[str]:
    """Starts a count whose workers do one task each while the gate is closed."""
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("gated.py")), *arguments],
        env={**os.environ, GATE: str(gate)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_killed_process_ends_the_run_and_the_same_command_continues(tmp_path: Path) -> None:
    file, gate = tmp_path / "start-6.tabiya", tmp_path / "gate"
    arguments = [*START_6_ARGUMENTS, "--checkpoint", str(file), "--workers", "2"]
    gate.touch()
    stored = 0
    for _ in range(3):
        run = start_gated(gate, arguments)
        wait_until(lambda: run.poll() is not None or done_of(file) > stored)
        assert run.poll() is None, run.communicate()
        os.kill(counting_processes(run)[0], signal.SIGKILL)
        out, err = run.communicate()
        assert run.returncode == 2, err
        assert "error: a worker process has ended without an answer" in err
        assert "Traceback" not in err
        assert f"to continue, run: python -m tabiya.cluster {' '.join(arguments)}" in err
        assert "the count is not complete" in out
        job = Job(file, 6, split=3)
        assert stored < job.done < job.units
        stored = job.done
        job.close()
    answer = json.loads(run_cluster(*arguments, "--json").stdout)
    assert (answer["nodes"], answer["complete"]) == (str(START_6), True)


def test_ctrl_c_while_processes_start_prints_no_traceback(tmp_path: Path) -> None:
    """It reaches all processes of a terminal, and they still import their modules."""
    file = tmp_path / "start-9.tabiya"
    run = subprocess.Popen(
        cluster_command("perft", "9", "--split", "3", "--checkpoint", str(file), "--workers", "2"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: len(counting_processes(run)) == 2)
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate()
    assert run.returncode == 130, err
    assert "the count is not complete" in out
    assert "to continue, run: " in err and "Traceback" not in err


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
    with pytest.raises(KeyboardInterrupt):
        Coordinator(job, pool, lambda: 10, CounterSpec(False, 0, 1)).run()
    threads = [thread for thread in threading.enumerate() if thread not in others]
    for process in multiprocessing.active_children():
        process.kill()
    wait_until(lambda: bool(failures) or not any(thread.is_alive() for thread in threads))
    assert failures == []
    pool.shutdown(wait=True)


SLOW = """
import os, sys, time
from multiprocessing.connection import Connection
from pathlib import Path
from tabiya.cluster.engines import local_pool

sent = Path(sys.argv[1])

def answer_slowly():
    send = Connection._send
    def in_two_parts(self, data):
        send(self, data[:10])
        sent.touch()
        time.sleep(1)
        send(self, data[10:])
    Connection._send = in_two_parts
    return bytes(1000)

if __name__ == "__main__":
    with local_pool(1) as (pool, _):
        future = pool.submit(answer_slowly)
        while not sent.exists():
            time.sleep(0.01)
    assert future.result() == bytes(1000)
"""


def test_a_pool_ends_while_an_answer_is_sent(tmp_path: Path) -> None:
    """The pool would wait for the rest of the answer for ever."""
    script = tmp_path / "slow.py"
    script.write_text(SLOW)
    subprocess.run([sys.executable, script, tmp_path / "sent"], check=True, timeout=120)


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
    assert f"to continue, run: python -m tabiya.cluster {' '.join(arguments)}" in err
    assert "Traceback" not in err
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
    assert out.startswith("nodes ") and "to continue, run: " in err


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
    assert "the count is not complete" in out and "to continue" not in err
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
    file, gate = tmp_path / "start-6.tabiya", tmp_path / "gate"
    arguments = [*START_6_ARGUMENTS, "--checkpoint", str(file), "--verify-share", "10%"]
    gate.touch()
    stored = 0
    for _ in range(3):
        run = start_gated(gate, arguments)
        wait_until(lambda: run.poll() is not None or done_of(file) > stored)
        assert run.poll() is None, run.communicate()
        workers = counting_processes(run)
        assert workers
        run.kill()
        run.communicate()
        wait_until(lambda: not any(command_of(pid) for pid in workers))
        job = Job(file, 6, split=3)
        assert job.done < job.units
        assert stored < job.done + job.verified
        stored = job.done + job.verified
        job.close()
    answer = json.loads(run_cluster(*arguments, "--json").stdout)
    assert (answer["nodes"], answer["complete"]) == (str(START_6), True)
    assert int(answer["verified"]) > 0


def test_a_coordinator_that_is_killed_anywhere_is_resumed_exactly(tmp_path: Path) -> None:
    """Not between tasks, but at random."""
    chance = random.Random(3)
    file = tmp_path / "start-6.tabiya"
    arguments = [*START_6_ARGUMENTS, "--checkpoint", str(file), "--verify-share", "10%"]
    for _ in range(10):
        run = start(arguments)
        wait_until(lambda: run.poll() is not None or file.exists())
        time.sleep(chance.uniform(0.3, 1.0))
        run.kill()
        run.communicate()
    answer = json.loads(run_cluster(*arguments, "--json").stdout)
    assert (answer["nodes"], answer["complete"]) == (str(START_6), True)


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
        (["perft", "0", "--checkpoint", "x"], "depth: expected 1 to 255 plies"),
        (["perft", "256", "--checkpoint", "x"], "depth: expected 1 to 255 plies"),
        (["perft", "x", "--checkpoint", "x"], "invalid int value: 'x'"),
        (["perft", "5", "--split", "256", "--checkpoint", "x"], "split: expected 1 to 255 plies"),
        (["perft", "5", "--threads", "1025", "--checkpoint", "x"], "threads: expected 1 to 1,024"),
        (["perft", "5", "--workers", "1025", "--checkpoint", "x"], "workers: expected 1 to 1,024"),
        (["perft", "5", "--hash", "2000000T", "--checkpoint", "x"], "hash_mib: expected 0 to"),
        (["perft", "5", "--patience", "60", "--checkpoint", "x"], "--patience"),
        (["perft", "5"], "--checkpoint"),
        (["perft", "5", "--checkpoint", "x", "--verify-share", "200%"], "not a share"),
        (["perft", "5", "--checkpoint", "x", "--hash", "much"], "'much' is not"),
        (["perft", "5", "--checkpoint", "x", "--task-seconds", "0"], "task_seconds: expected 0.1"),
        (["perft", "5", "--checkpoint", "no/such/folder/x"], "no/such/folder/x"),
        (["perft", "5", "--checkpoint", "x", "--fen", "nonsense"], "nonsense"),
        (["perft", "5", "--checkpoint", "x", "--split", "9"], "cannot be split"),
        (["perft", "5", "--checkpoint", "x", "--dask", "tcp://a:1", "--workers", "2"], "workers: "),
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
        engines.Workers(workers=workers, hash_mib=1000 // workers)
    with pytest.raises(ClusterError, match="1 of 1001 MiB, do not fit into the 1000 MiB"):
        engines.Workers(hash_mib=1001)
    with pytest.raises(ClusterError, match="4 of 251 MiB, do not fit"):
        perft(5, checkpoint=tmp_path / "a.tabiya", workers=4, hash_mib=251)
    monkeypatch.setattr(engines, "available_memory", lambda: None)
    engines.Workers(workers=4, hash_mib=1 << 40)
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
    assert f"the tables of the workers, 3 of {size} MiB, do not fit" in run.stderr
    assert not file.exists()


def test_mistaken_calls_from_python_leave_no_file(tmp_path: Path) -> None:
    file = tmp_path / "a.tabiya"
    with ThreadPoolExecutor(1) as executor:
        calls: dict[str, dict[str, Any]] = {
            "threads": {"threads": 0},
            "depth: expected 1 to 255 plies": {"depth": 300},
            "split: expected 1 to 255 plies": {"split": 256},
            "threads: expected 1 to 1,024": {"threads": 1025},
            "workers": {"workers": -1},
            "workers: expected 1 to 1,024": {"workers": 1025},
            "hash_mib": {"hash_mib": -1},
            "hash_mib: expected 0": {"hash_mib": 1 << 70},
            "task_seconds": {"task_seconds": float("nan")},
            "executor and dask": {"executor": executor, "dask": "tcp://a:1"},
            "number of workers": {"executor": executor},
            "counted, not given": {"dask": "tcp://a:1", "workers": 2},
        }
        for message, arguments in calls.items():
            keywords: dict[str, Any] = {"depth": 4, "checkpoint": file, **arguments}
            with pytest.raises(ValueError, match=message):
                perft(**keywords)
    numbers: dict[str, Any] = {"workers": 1.5, "threads": "2", "hash_mib": 0.5}
    for name, number in numbers.items():
        keywords = {"depth": 4, "checkpoint": file, name: number}
        with pytest.raises(TypeError, match=f"{name}: expected an int, not {type(number).__name__}"):
            perft(**keywords)
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
def test_a_result_that_cannot_be_printed_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "start-5.tabiya"
    with open("/dev/full", "w") as full:
        command = cluster_command("perft", "5", "--checkpoint", str(file))
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert "error: standard output cannot be written: " in run.stderr
    # The same command prints it.
    assert run_cluster(*command[3:]).stdout == "nodes        4,865,609\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progress(done: int, nodes: int, seconds: float) -> Progress:
    return Progress(done, 20, nodes, nodes, seconds, 1, 1, None)


def test_the_line_of_progress_is_not_wider_than_its_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((30, 24)))
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    line = ProgressLine(quiet=False)
    line.show(progress(10, 10**9, 1.0))
    line.end()
    assert terminal.getvalue() == "\r10 of 20 units (50.0 %), 1,00\n"


def test_lines_of_progress_come_with_results_and_once_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    line = ProgressLine(quiet=False)
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
    monkeypatch.setattr(sys, "stderr", quiet := io.StringIO())
    line = ProgressLine(quiet=True)
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
    assert "ClusterError: a worker process has ended" in run.stderr.splitlines()[-1]
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
        lambda: job.close(),
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
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
@pytest.mark.parametrize("end", ["pass", "del job, uses, use", "os._exit(0)"])
def test_a_forked_process_leaves_the_job_alone(end: str, tmp_path: Path) -> None:
    path = tmp_path / "job.tabiya"
    arguments = [sys.executable, "-c", FORKED, str(path), end]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300)
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
