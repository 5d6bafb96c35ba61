"""A Dask cluster for tests: a scheduler, and workers in network namespaces where that is allowed.

In a namespace of its own, a worker has its own network device, whose link can be cut. Otherwise the
workers are processes of this machine, which are stopped instead.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from gate import GATE
from without_tabiya import HAS

#: With these settings, faults are noticed within seconds; by default it takes minutes.
SETTINGS = {
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s",
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "10s",
}
# Tests of several checkouts may run on one machine at the same time.
NETWORK = f"10.{77 + os.getpid() // 250 % 100}.{os.getpid() % 250}"


def free_port(host: str) -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
    return port


def ip(*arguments: str) -> bool:
    """Runs ``ip`` and says whether it succeeded."""
    command = ["ip", *arguments]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def has_namespaces() -> bool:
    """May this process make network namespaces?"""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"tabiya-probe-{os.getpid()}"
    return ip("netns", "add", name) and ip("netns", "del", name)


#: A time limit in seconds that only a hanging test reaches. It says more than the limit of pytest.
LONG = 300.0


class DaskTestCluster:
    """A scheduler and workers, which can be killed, cut off, and started again."""

    def __init__(self, workers: int, folder: Path) -> None:
        self.folder = folder
        self.gate = folder / "gate"
        # Without workers there is no link to cut.
        self.is_networked = workers > 0 and has_namespaces()
        self.host = f"{NETWORK}.1" if self.is_networked else "127.0.0.1"
        self._scheduler: subprocess.Popen[bytes] | None = None
        self._workers: dict[int, subprocess.Popen[bytes]] = {}
        self._bridge = f"tabiya{os.getpid()}"
        if self.is_networked:
            ip("link", "del", self._bridge)
            assert ip("link", "add", self._bridge, "type", "bridge")
            assert ip("addr", "add", f"{self.host}/24", "dev", self._bridge)
            assert ip("link", "set", self._bridge, "up")
        self._port = free_port(self.host)
        self.address = f"tcp://{self.host}:{self._port}"
        self.start_scheduler()
        for number in range(workers):
            if self.is_networked:
                self._connect(number)
            self.start_worker(number)

    def __enter__(self) -> DaskTestCluster:
        return self

    def __exit__(self, *_: object) -> None:
        for number in list(self._workers):
            self.kill_worker(number)
            if self.is_networked:
                ip("netns", "del", self._namespace(number))
        self.kill_scheduler()
        if self.is_networked:
            ip("link", "del", self._bridge)

    @staticmethod
    def _namespace(number: int) -> str:
        return f"tabiya-{os.getpid()}-{number}"

    @staticmethod
    def _link(number: int) -> str:
        return f"tby{os.getpid()}-{number}"

    def _connect(self, number: int) -> None:
        """Makes the namespace of a worker, with a link to the bridge."""
        name, link = self._namespace(number), self._link(number)
        ip("netns", "del", name)
        ip("link", "del", link)
        assert ip("netns", "add", name)
        assert ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", name)
        assert ip("link", "set", link, "master", self._bridge)
        assert ip("link", "set", link, "up")
        assert ip("-n", name, "addr", "add", f"{NETWORK}.{10 + number}/24", "dev", "eth0")
        assert ip("-n", name, "link", "set", "eth0", "up")
        assert ip("-n", name, "link", "set", "lo", "up")

    def _start(self, name: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{name}.log").open("ab")
        with log:
            return subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                env=os.environ | SETTINGS | {GATE: str(self.gate)},
                cwd=self.folder,
                start_new_session=True,
            )

    def start_scheduler(self) -> None:
        """Starts the scheduler, as its users do."""
        options = ["--host", self.host, "--port", str(self._port), "--no-dashboard"]
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler", *options]
        self._scheduler = self._start("scheduler", command)

    def start_again(self) -> None:
        """Starts a scheduler at the same address, and the workers."""
        self.kill_scheduler()
        workers = list(self._workers)
        for number in workers:
            self.kill_worker(number)
        self.start_scheduler()
        for number in workers:
            self.start_worker(number)

    @contextmanager
    def closed_gate(self) -> Generator[None]:
        """Until the end of this block, each process of a worker does only one task."""
        self.gate.touch()
        try:
            yield
        finally:
            self.gate.unlink()

    def start_worker(self, number: int, memory_limit: str = "0") -> None:
        """Starts a worker and the nanny that watches over it."""
        options = ["--nthreads", "1", "--memory-limit", memory_limit, "--no-dashboard"]
        options += ["--death-timeout", "600", "--local-directory", str(self.folder)]
        options += ["--preload", str(Path(__file__).with_name("gate.py"))]
        command = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, *options]
        if self.is_networked:
            command = ["ip", "netns", "exec", self._namespace(number), *command]
        self._workers[number] = self._start(f"worker-{number}", command)

    def start_other_worker(self, number: int, has: str) -> None:
        """Starts a worker without tabiya, or with another version of it, on this machine."""
        options = ["--nthreads", "1", "--memory-limit", "0", "--no-dashboard", "--no-nanny"]
        options += ["--local-directory", str(self.folder)]
        options += ["--preload", str(Path(__file__).with_name("without_tabiya.py"))]
        command = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, *options]
        variables = ["env", f"{HAS}={has}"]
        self._workers[number] = self._start(f"worker-{number}", [*variables, *command])

    def kill_worker(self, number: int) -> None:
        """Kills a worker and its nanny with SIGKILL."""
        process = self._workers.pop(number)
        kill_group(process)

    def kill_counting_process(self, number: int) -> None:
        """Kills the process that counts with SIGKILL. Its nanny starts another."""
        for process in children(self._workers[number].pid):
            if "spawn_main" in command_of(process):
                os.kill(process, signal.SIGKILL)

    def cut(self, number: int) -> None:
        """Cuts the link of a worker."""
        if self.is_networked:
            assert ip("link", "set", self._link(number), "down")
        else:
            os.killpg(self._workers[number].pid, signal.SIGSTOP)

    def mend(self, number: int) -> None:
        """Mends the link of a worker."""
        if self.is_networked:
            assert ip("link", "set", self._link(number), "up")
        else:
            os.killpg(self._workers[number].pid, signal.SIGCONT)

    def kill_scheduler(self) -> None:
        """Kills the scheduler with SIGKILL."""
        if self._scheduler is not None:
            kill_group(self._scheduler)
            self._scheduler = None

    def wait_for_workers(self, count: int) -> None:
        """Waits until so many workers have announced themselves."""
        client_class: Any = import_module("distributed").Client

        with client_class(self.address, timeout=LONG) as client:
            client.wait_for_workers(count, timeout=LONG)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kills a process and everything that it has started."""
    family = [process.pid, *children(process.pid)]
    for member in family:
        try:
            os.kill(member, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def children(pid: int) -> list[int]:
    """The processes that a process has started, directly or not."""
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            direct = [int(child) for child in path.read_text().split()]
        except OSError:
            continue
        for child in direct:
            found += [child, *children(child)]
    return found


def command_of(pid: int) -> str:
    """The command line of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def wait_until(condition: object, patience: float = LONG) -> None:
    """Waits until a condition holds. The time limit only ends tests that hang."""
    assert callable(condition)
    give_up = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < give_up, "this takes too long"
        time.sleep(0.05)
