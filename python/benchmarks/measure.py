"""Shared by the benchmarks: times of contestants, measured in turn, and the name of the machine."""

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


def interleaved(contestants: Mapping[str, Contestant], *, rounds: int) -> dict[str, float]:
    """The median time of each contestant in seconds per item.

    They run in turn, round by round, so that a change in the machine's speed affects all of them.
    The first round does not count.
    """
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name, contestant in contestants.items():
            start = time.perf_counter()
            contestant.run()
            seconds = time.perf_counter() - start
            if number > 0:
                times[name].append(seconds / contestant.items)
    return {name: statistics.median(found) for name, found in times.items()}


def table(seconds: Mapping[str, float], *, against: str, unit: str) -> str:
    """A table of rates and of ratios to one contestant."""
    width = max(map(len, seconds))
    lines = [f"{'':{width}}  {unit + '/s':>14}  {'ns each':>10}  {'ratio':>8}"]
    for name, each in seconds.items():
        ratio = seconds[against] / each
        lines.append(f"{name:{width}}  {1 / each:14,.0f}  {each * 1e9:10,.0f}  {ratio:8.2f}")
    return "\n".join(lines)
