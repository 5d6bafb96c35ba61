"""Shared by the benchmarks: times of contestants, measured in turn, and the name of the machine.

Processor time counts: on a busy machine, the clock goes on while others run.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

#: Instruction sets that matter for chess, the newest first.
INSTRUCTIONS = ["avx512vpopcntdq", "avx512f", "avx2", "bmi2", "popcnt", "sse4_2"]


def machine() -> str:
    """The CPU, its instruction sets and the Python."""
    name, flags = platform.processor() or platform.machine(), ""
    info = Path("/proc/cpuinfo")
    if info.exists():
        fields = dict(
            line.split(":", 1) for line in info.read_text().splitlines() if line.count(":") == 1
        )
        named = {key.strip(): value.strip() for key, value in fields.items()}
        name, flags = named.get("model name", name), named.get("flags", "")
    found = [name for name in INSTRUCTIONS if name in flags.split()]
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{name} ({', '.join(found) or 'instruction sets unknown'}), {python}"


def versions(*packages: str) -> str:
    """The versions of packages; those that are not installed are named."""

    def one(package: str) -> str:
        try:
            return f"{package} {version(package)}"
        except PackageNotFoundError:
            return f"{package} not installed"

    return ", ".join(one(package) for package in packages)


@dataclass(frozen=True)
class Contestant:
    """Something to measure: one call of ``run`` does ``items`` items of work."""

    run: Callable[[], object]
    items: int


@dataclass(frozen=True)
class Measured:
    """Medians of all rounds."""

    #: Seconds of processor time for each item, of all threads together.
    seconds: float
    #: The number of CPUs that worked at a time.
    cpus: float


def interleaved(contestants: Mapping[str, Contestant], *, rounds: int) -> dict[str, Measured]:
    """The median times of each contestant.

    They run in turn, round by round, so that a change in the machine's speed affects all of them.
    The first round does not count.
    """
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name, contestant in contestants.items():
            begin, start = time.perf_counter(), time.process_time()
            contestant.run()
            seconds = time.process_time() - start
            if number > 0:
                cpus = seconds / (time.perf_counter() - begin)
                times[name].append((seconds / contestant.items, cpus))
    return {
        name: Measured(*(statistics.median(column) for column in zip(*found, strict=True)))
        for name, found in times.items()
    }


def table(measured: Mapping[str, Measured], *, against: str, unit: str) -> str:
    """A table of rates by processor time, and of ratios to one contestant."""
    width = max(map(len, measured))
    lines = [f"{'':{width}}  {unit + '/CPU s':>18}  {'ns each':>12}  {'CPUs':>5}  {'ratio':>8}"]
    for name, found in measured.items():
        each, ratio = found.seconds, measured[against].seconds / found.seconds
        numbers = f"{1 / each:18,.0f}  {each * 1e9:12,.1f}  {found.cpus:5.2f}  {ratio:8.2f}"
        lines.append(f"{name:{width}}  {numbers}")
    return "\n".join(lines)
