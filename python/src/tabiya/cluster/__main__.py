"""The command line: ``python -m tabiya.cluster perft 9 --checkpoint start-9.tabiya``."""

from __future__ import annotations

import argparse
import math
import re
import shlex
import shutil
import sys
from collections.abc import Sequence

from .._tabiya import Job, __version__
from ..constants import START
from ..errors import CheckpointError
from . import Status, count, status_of
from .coordinator import ClusterError, Progress
from .engines import Workers

EXAMPLES = """\
examples:
  python -m tabiya.cluster perft 8 --checkpoint start-8.tabiya
  python -m tabiya.cluster perft 9 --checkpoint start-9.tabiya --hash 4096 --verify-share 1%
  python -m tabiya.cluster perft 10 --checkpoint start-10.tabiya --dask tcp://scheduler:8786

The file can be looked at with `tabiya status FILE` at any time, and continued by the same command or by
`tabiya perft DEPTH --checkpoint FILE`.

exit codes: 0 success, 1 two results of a unit differ, or the result could not be printed, 2 a wrong call,
an unusable file, or workers that cannot count or are lost, 130 stopped by Ctrl-C
"""


def mebibytes(text: str) -> int:
    """A size in MiB, or with a unit: 512M, 2G, 1T."""
    match = re.fullmatch(r"([1-9][0-9]{0,12})(?:(m|g|t)(?:ib)?)?", text.strip().lower())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 512 (MiB), 512M or 2G")
    return int(match[1]) << {"m": 0, "g": 10, "t": 20}[match[2] or "m"]


def share(text: str) -> float:
    """A share such as 1% or 0.01."""
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share from 0% to 100%, such as 1%, or from 0 to 1")
    return value


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    top = argparse.ArgumentParser(
        prog="python -m tabiya.cluster",
        description="Perft on as many machines as there are.",
    )
    top.add_argument("--version", action="version", version=f"tabiya {__version__}")
    commands = top.add_subparsers(dest="command", required=True)
    perft = commands.add_parser(
        "perft",
        help="count leaf nodes and keep the results in a file",
        description="Counts the leaf nodes at a depth and keeps the results in a file.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    perft.add_argument("depth", type=int, metavar="DEPTH", help="plies to the leaf nodes")
    perft.add_argument(
        "--checkpoint", required=True, metavar="FILE", help="where the job is kept, or continued"
    )
    perft.add_argument("--fen", default=START, help="the position; the start of a game if not given")
    perft.add_argument("--chess960", action="store_true", help="castling as king takes rook")
    perft.add_argument("--categories", action="store_true", help="count by category as well")
    perft.add_argument("--split", type=int, metavar="PLIES", help="plies to the units")
    perft.add_argument(
        "--verify-share",
        type=share,
        default=0.001,
        metavar="PERCENT",
        help="share of the units to count a second time (0.1%%)",
    )
    workers = perft.add_argument_group("workers")
    workers.add_argument(
        "--dask", metavar="ADDRESS", help="a Dask scheduler, such as tcp://HOST:8786"
    )
    workers.add_argument("--workers", type=int, metavar="N", help="processes of this machine (1)")
    workers.add_argument(
        "--threads",
        type=int,
        metavar="N",
        help="threads of each worker (all CPUs, shared by its processes)",
    )
    workers.add_argument(
        "--hash",
        type=mebibytes,
        default=0,
        metavar="SIZE",
        help="table of each worker, in MiB or such as 2G (none)",
    )
    workers.add_argument(
        "--task-seconds",
        type=float,
        default=20.0,
        metavar="SECONDS",
        help="how long a task should take a worker, from 0.1 to 600 (20)",
    )
    perft.add_argument("--json", action="store_true", help="print a JSON object at the end")
    perft.add_argument("--quiet", action="store_true", help="show no progress")
    return top


class ProgressLine:
    """Progress on standard error: one line that changes on a terminal, otherwise one a minute.

    Off a terminal, the first line comes with the first result, and the last one at the end.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._is_terminal = sys.stderr.isatty()
        self._next = 0.0
        self._width = 0
        #: The progress that has not been written yet.
        self._last: Progress | None = None

    def show(self, progress: Progress) -> None:
        if self._quiet:
            return
        if self._is_terminal:
            # A line that wraps cannot be replaced.
            text = line_of(progress)[: shutil.get_terminal_size().columns - 1]
            print("\r" + text.ljust(self._width), end="", file=sys.stderr, flush=True)
            self._width = len(text)
            return
        self._last = progress
        has_begun = progress.nodes_of_run > 0 or progress.seconds >= 60
        if has_begun and progress.seconds >= self._next:
            self._next = progress.seconds + 60
            self._write_last()

    def _write_last(self) -> None:
        if self._last is not None:
            print(line_of(self._last), file=sys.stderr)
            self._last = None

    def end(self) -> None:
        """Ends the progress. Nothing happens if it has ended."""
        if self._width:
            print(file=sys.stderr)
            self._width = 0
        self._write_last()


def line_of(progress: Progress) -> str:
    """The progress in one line."""
    percent = 100 * progress.done / max(1, progress.units)
    rate = ""
    if progress.nodes_of_run and progress.seconds > 0:
        millions = progress.nodes_of_run / progress.seconds / 1e6
        number = f"{millions:,.0f}" if millions >= 10 else f"{millions:.2g}"
        rate = f"{number} million nodes/s, "
    workers = "worker" if progress.workers == 1 else "workers"
    left = "" if progress.seconds_left is None else f", about {duration(progress.seconds_left)} left"
    return (
        f"{progress.done:,} of {progress.units:,} units ({percent:.1f} %), "
        f"{rate}{progress.workers} {workers}{left}"
    )


def duration(seconds: float) -> str:
    """A time in the units that fit."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    if seconds < 48 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"


def run(args: argparse.Namespace, line: ProgressLine) -> tuple[Job | None, int]:
    """Counts. Returns the job, if there is one, and the exit code."""

    def fail(error: Exception) -> int:
        line.end()
        print("\n  ".join([f"error: {error}", *getattr(error, "__notes__", [])]), file=sys.stderr)
        return 1 if isinstance(error, CheckpointError) and error.is_dispute else 2

    job: Job | None = None
    try:
        counters = Workers(
            dask=args.dask,
            workers=args.workers,
            threads=args.threads,
            hash_mib=args.hash,
            task_seconds=args.task_seconds,
        )
        job = Job(
            args.checkpoint,
            args.depth,
            fen=args.fen,
            chess960=args.chess960,
            by_category=args.categories,
            split=args.split,
            verify_share=args.verify_share,
        )
        if not args.quiet:
            table = f"a table of {args.hash} MiB" if args.hash else "no table"
            print(
                f"{job.units:,} units, {job.done:,} of them counted; each worker has {table}",
                file=sys.stderr,
            )
        count(job, counters, line.show)
    except KeyboardInterrupt:
        return job, 130
    # A `CheckpointError` and a `FenError` are `ValueError`s.
    except (ClusterError, MemoryError, OSError, ValueError) as error:
        return job, fail(error)
    finally:
        line.end()
    return job, 0


def text_of(status: Status) -> str:
    """The progress of the job for people. The result of a finished job is the first line."""
    lines = [f"nodes        {status.nodes:,}"]
    if not status.is_complete:
        counted = f"{status.done:,} of {status.units:,}"
        lines.append(f"units        {counted}; the count is not complete")
    lines += [f"{name:<20} {count:,}" for name, count in (status.categories or {}).items()]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """The program. Returns the exit code."""
    call = list(sys.argv[1:] if argv is None else argv)
    args = parser().parse_args(call)
    job, code = run(args, ProgressLine(quiet=args.quiet))
    if job is None:
        return code
    is_kept = job.is_kept
    job.close()
    status = status_of(job)
    try:
        print(status.json if args.json else text_of(status), flush=True)
    except OSError as error:
        print(f"error: standard output cannot be written: {error}", file=sys.stderr)
        # Python would try it a second time at its end.
        sys.stdout = None
        code = code or 1
    if code and is_kept:
        again = shlex.join(["python", "-m", "tabiya.cluster", *call])
        print(f"to continue, run: {again}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
