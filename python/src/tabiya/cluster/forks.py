"""Forked processes let go of the file of a job.

A pool of processes that the caller has made may fork the coordinator. Its workers inherit the open
file with its lock, and outlive a coordinator that is killed: the job could not go on while one of
them lives.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress

__all__ = ["kept_from_forks"]

#: The devices and numbers of the files of the jobs that are counted.
_files: set[tuple[int, int]] = set()


@contextmanager
def kept_from_forks(path: str) -> Generator[None]:
    """Processes that are forked meanwhile do not keep the file open, on Linux."""
    file: tuple[int, int] | None = None
    with suppress(OSError):
        data = os.stat(path)
        file = data.st_dev, data.st_ino
        _files.add(file)
    try:
        yield
    finally:
        if file is not None:
            _files.discard(file)


def _let_go() -> None:
    """Puts nothing in the place of the files, in a process that was forked.

    The descriptors stay valid, because the process has the objects to which they belong. The lock
    stays with the parent.
    """
    # Other systems do not list the descriptors of a process, and start their pools without forks.
    with suppress(OSError, ImportError):
        from fcntl import F_GETFL, fcntl

        descriptors = [int(name) for name in os.listdir("/proc/self/fd")] if _files else []
        for descriptor in descriptors:
            with suppress(OSError):
                data = os.fstat(descriptor)
                is_written = fcntl(descriptor, F_GETFL) & os.O_ACCMODE == os.O_RDWR
                if is_written and (data.st_dev, data.st_ino) in _files:
                    nothing = os.open(os.devnull, os.O_RDWR)
                    os.dup2(nothing, descriptor)
                    os.close(nothing)
    _files.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
