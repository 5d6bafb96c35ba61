"""The command line: ``python -m tabiya.cluster perft 9 --checkpoint start-9.tabiya``."""

from __future__ import annotations

import argparse
import codecs
import io
import math
import os
import queue
import re
import shlex
import signal
import stat
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TextIO

from .._tabiya import Job, __version__
from ..constants import START
from ..errors import CheckpointError, FenError
from ..progress import longest_line
from . import (
    MOST_MIB,
    MOST_PATIENCE,
    MOST_PLIES,
    MOST_THREADS,
    MOST_WORKERS,
    Status,
    is_finished,
    status_of,
    threads_of_each,
)
from .coordinator import ClusterError, Coordinator, Engine, EngineAway, Options, Progress
from .engines import DaskCluster, LocalPool
from .worker import CounterSpec

EXAMPLES = """\
examples:
  python -m tabiya.cluster perft 8 --checkpoint start-8.tabiya
  python -m tabiya.cluster perft 9 --checkpoint start-9.tabiya --hash 4096 --verify-share 1%
  python -m tabiya.cluster perft 10 --checkpoint start-10.tabiya --dask tcp://scheduler:8786

The file can be looked at with `tabiya status FILE` at any time, and continued by the same command or by
`tabiya perft DEPTH --checkpoint FILE`.

exit codes: 0 success, 1 two results of a unit differ, a unit was set aside, or the result could not be
printed, 2 a wrong call or an unusable file or cluster, 130 stopped by Ctrl-C
"""

def mebibytes(text: str) -> int:
    """A size in MiB, or with a unit: 512M, 2G, 1T."""
    match = re.fullmatch(r"([1-9][0-9]{0,12})(?:(m|g|t)(?:ib)?)?", text.strip().lower())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 512 (MiB), 512M or 2G")
    size = int(match[1]) << {"m": 0, "g": 10, "t": 20}[match[2] or "m"]
    if size > MOST_MIB:
        raise argparse.ArgumentTypeError(f"{text!r} is more memory than there is anywhere")
    return size


def share(text: str) -> float:
    """A share such as 1% or 0.01."""
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share from 0 to 100%")
    return value


def number_to(most: int) -> Callable[[str], int]:
    """Reads a number from 1 to ``most``."""

    def read(text: str) -> int:
        # `int` also accepts texts such as "1_0".
        value = int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0
        if not 1 <= value <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {most:,}")
        return value

    return read


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
    perft.add_argument("depth", type=number_to(MOST_PLIES), metavar="DEPTH", help="plies to the leaf nodes")
    perft.add_argument(
        "--checkpoint", required=True, metavar="FILE", help="where the job is kept, or continued"
    )
    perft.add_argument("--fen", default=START, help="the position; the start of a game if not given")
    perft.add_argument("--chess960", action="store_true", help="castling as king takes rook")
    perft.add_argument("--categories", action="store_true", help="count by category as well")
    perft.add_argument("--split", type=number_to(MOST_PLIES), metavar="PLIES", help="plies to the units")
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
    workers.add_argument(
        "--workers",
        type=number_to(MOST_WORKERS),
        metavar="N",
        help="processes of this machine (1)",
    )
    workers.add_argument(
        "--threads",
        type=number_to(MOST_THREADS),
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
    workers.add_argument(
        "--patience",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="how long to wait for a scheduler that is lost, and for a worker that can count (60)",
    )
    perft.add_argument("--json", action="store_true", help="print a JSON object at the end")
    perft.add_argument("--quiet", action="store_true", help="show no progress")
    return top


#: The longest wait for the reader of a message and of a result, in seconds.
PATIENCE = 1.0
RESULT_PATIENCE = 10.0


class Log:
    """Standard error, which may be closed, full, or never read.

    A count of days does not end for a message, and does not wait for its reader. So a thread writes
    the messages.
    """

    #: Messages that may wait for a reader. Later ones are lost.
    MOST_WAITING = 100

    def __init__(self, stream: TextIO | None, patience: float = PATIENCE) -> None:
        self._stream, self._patience = stream, patience
        #: The error of the last message.
        self.error: Exception | None = None
        self._messages: queue.SimpleQueue[tuple[str, threading.Event]] = queue.SimpleQueue()
        #: Set when the last message has been written.
        self._last_is_written = threading.Event()
        self._last_is_written.set()
        self._has_thread = False

    def write(self, text: str) -> None:
        """Writes a message, or leaves it to the thread if nobody reads."""
        if self._stream is None or self._messages.qsize() >= self.MOST_WAITING:
            return
        was_behind = self.is_behind()
        is_written = threading.Event()
        if not self._start():
            self.error = write_to(self._stream, text)
            return
        self._messages.put((text, is_written))
        self._last_is_written = is_written
        if not was_behind:
            is_written.wait(self._patience)

    def is_behind(self) -> bool:
        """Is there a message that nobody has read?"""
        return not self._last_is_written.is_set()

    def end(self) -> None:
        """Waits a little for the reader of the last message."""
        self._last_is_written.wait(self._patience)

    def isatty(self) -> bool:
        return self._stream is not None and self._stream.isatty()

    def longest_line(self) -> int | None:
        """The most characters that fit into a line; ``None`` if there is no limit."""
        return None if self._stream is None else longest_line(self._stream)

    def _start(self) -> bool:
        """Is there a thread that writes? The system may give none."""
        if not self._has_thread:
            # The program ends even if the thread still waits for a reader.
            thread = threading.Thread(target=self._write_all, daemon=True)
            with suppress(RuntimeError):
                thread.start()
                self._has_thread = True
        return self._has_thread

    def _write_all(self) -> None:
        assert self._stream is not None
        stream = own_stream(self._stream)
        while True:
            text, is_written = self._messages.get()
            self.error = write_to(stream, text)
            is_written.set()


def write_to(stream: TextIO, text: str) -> Exception | None:
    """Writes a text. Returns the error if that is impossible."""
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError) as error:
        return error
    return None


def print_result(out: TextIO | None, text: str) -> Exception | None:
    """Prints the result. Returns the error if that is impossible.

    A pipe or a file may take its time. A terminal may never be read again, and the result is kept in
    the checkpoint.
    """
    if out is None:
        return OSError("it is closed")
    if not out.isatty():
        return write_to(out, text)
    terminal = Log(out, RESULT_PATIENCE)
    terminal.write(text)
    return OSError("nobody reads it") if terminal.is_behind() else terminal.error


def own_stream(stream: TextIO) -> TextIO:
    """A stream to the same file.

    At its end, Python waits for the lock of standard error, which a thread that waits for a reader
    would keep for ever.
    """
    try:
        return open(
            stream.fileno(), "w", encoding=stream.encoding, errors=stream.errors, closefd=False
        )
    except (OSError, ValueError):
        # It is not a file of the system.
        return stream


class ProgressLine:
    """Progress on standard error: one line that changes on a terminal, otherwise one a minute.

    Off a terminal, the first line comes with the first result, and the last one at the end.
    """

    def __init__(self, stream: Log, *, quiet: bool) -> None:
        self._stream, self._quiet = stream, quiet
        self._is_terminal = stream.isatty()
        self._next = 0.0
        self._width = 0
        #: The progress that has not been written yet.
        self._last: Progress | None = None

    def show(self, progress: Progress) -> None:
        if self._quiet:
            return
        if self._is_terminal:
            # The next line replaces this one anyway.
            if self._stream.is_behind():
                return
            longest = self._stream.longest_line()
            text = line_of(progress)[:longest]
            self._stream.write("\r" + text.ljust(self._width)[:longest])
            self._width = len(text)
            return
        self._last = progress
        has_begun = progress.nodes_of_run > 0 or progress.seconds >= 60
        if has_begun and progress.seconds >= self._next:
            self._next = progress.seconds + 60
            self._write_last()

    def _write_last(self) -> None:
        if self._last is not None:
            self._stream.write(line_of(self._last) + "\n")
            self._last = None

    def warn(self, message: str) -> None:
        self._end_line()
        self._stream.write(f"warning: {message}\n")

    def _end_line(self) -> None:
        if self._is_terminal and self._width:
            self._stream.write("\n")
            self._width = 0

    def end(self) -> None:
        """Ends the progress. Nothing happens if it has ended."""
        self._end_line()
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


def goes_into(descriptor: int, path: str) -> bool:
    """Does a standard stream go into the checkpoint at this path, or into the file that becomes it?"""
    for name in (path, path + ".new"):
        with suppress(OSError, ValueError):
            stream, file = os.fstat(descriptor), os.stat(name)
            if stat.S_ISREG(file.st_mode) and os.path.samestat(stream, file):
                return True
    return False


def run(args: argparse.Namespace, out: TextIO | None, err: Log, call: Sequence[str]) -> int:
    """Counts, and reports the progress of the job. Returns the exit code."""

    def fail(message: object) -> int:
        line.end()
        err.write(f"error: {message}\n")
        return 2

    line = ProgressLine(err, quiet=args.quiet)
    again = f"to continue, run: python -m tabiya.cluster {shlex.join(call)}\n"
    if args.checkpoint == "-":
        return fail("--checkpoint: expected the name of a file, and - is a stream; ./- names a file")
    if goes_into(1, args.checkpoint):
        return fail("--checkpoint names the file that the output goes to")
    if not 0.1 <= args.task_seconds <= 600:
        return fail("--task-seconds is from 0.1 to 600")
    if not 0 <= args.patience <= MOST_PATIENCE:
        return fail(f"--patience is from 0 to {MOST_PATIENCE:,} seconds")
    if args.dask is not None and args.workers is not None:
        return fail("--workers is for processes of this machine, not for --dask")
    threads = args.threads
    if args.dask is None:
        threads = threads or threads_of_each(args.workers or 1)
    options = Options(
        CounterSpec(args.categories, args.hash, threads),
        task_seconds=args.task_seconds,
        patience=args.patience,
    )
    engine: Engine | None = None
    job: Job | None = None
    #: Known as soon as the count can begin, and if there is nothing left to count.
    given_up: dict[int, str] | None = None

    def open_job() -> Job:
        return Job(
            args.checkpoint,
            args.depth,
            fen=args.fen,
            chess960=args.chess960,
            by_category=args.categories,
            split=args.split,
            verify_share=args.verify_share,
        )

    code = 0
    try:
        # A new job is divided into units only if there is an engine for them.
        if os.path.exists(args.checkpoint):
            job = open_job()
        if job is not None and is_finished(job):
            given_up = {}
            if not args.quiet:
                err.write(f"{job.units:,} units, all of them counted\n")
        else:
            engine = DaskCluster(args.dask) if args.dask is not None else LocalPool(args.workers or 1)
            # The coordinator waits for an engine that is away, and asks it again.
            with suppress(EngineAway):
                engine.check_memory(args.hash)
            job = job or open_job()
            if not args.quiet:
                table = f"a table of {args.hash} MiB" if args.hash else "no table"
                err.write(
                    f"{job.units:,} units, {job.done:,} of them counted; each worker has {table}\n"
                )
            coordinator = Coordinator(job, engine, options, line.show, line.warn)
            given_up = coordinator.given_up
            coordinator.run()
            if given_up:
                code = 1
    except KeyboardInterrupt:
        code = 130
        if job is None:
            err.write(again)
    except CheckpointError as error:
        fail("\n  ".join([str(error), *getattr(error, "__notes__", [])]))
        code = 1 if error.is_dispute else 2
    except (
        ClusterError,
        FenError,
        MemoryError,
        OSError,
        OverflowError,
        ValueError,
    ) as error:
        code = fail(error)
    finally:
        # Closing takes a moment, and the status is printed after it.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        line.end()
        if engine is not None:
            engine.close()
    is_kept = job is not None and job.is_kept
    if job is not None:
        job.close()
    if job is not None and given_up is not None:
        status = status_of(job, given_up)
        text = status.json + "\n" if args.json else text_of(status)
        # A run that is stopped while it counts units a second time is complete, and not finished.
        if is_kept and (code == 130 or not status.is_complete):
            if args.json:
                err.write(again)
            else:
                text += again
        # Nobody may ever read what is printed. So Ctrl-C ends the program at once meanwhile.
        if before != signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        failure = print_result(out, text)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if failure is not None:
            err.write(f"error: standard output cannot be written: {failure}\n{text}")
            if out is sys.stdout:
                # Python would try it a second time at its end.
                sys.stdout = None
            code = code or 1
    return code


def text_of(status: Status) -> str:
    """The progress of the job for people. The result of a finished job is the first line."""
    lines = [f"nodes        {status.nodes:,}"]
    if not status.is_complete:
        counted = f"{status.done:,} of {status.units:,}"
        lines.append(f"units        {counted}; the count is not complete")
    lines += [f"{name:<20} {count:,}" for name, count in (status.categories or {}).items()]
    return "\n".join([*lines, ""])


def open_standard_files() -> None:
    """Opens those of the three standard files that are closed.

    Otherwise the checkpoint would get the number of one of them, and a message the place of its data.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def printable(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replaces characters that an encoding does not have.

    The name of a file need not be UTF-8, and the output need not have all characters of UTF-8.
    """
    try:
        return codecs.lookup_error("surrogateescape")(error)
    except UnicodeError:
        return codecs.backslashreplace_errors(error)


def main(argv: Sequence[str] | None = None) -> int:
    """The program. Returns the exit code."""
    open_standard_files()
    codecs.register_error("tabiya.printable", printable)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="tabiya.printable")
    call = list(sys.argv[1:] if argv is None else argv)
    # The message about a wrong argument would destroy the checkpoint.
    if any(goes_into(2, path) for word in call for path in (word, word.partition("=")[2])):
        return 2
    log = Log(sys.stderr)
    code = run(parser().parse_args(call), sys.stdout, log, call)
    log.end()
    return code


if __name__ == "__main__":
    sys.exit(main())
