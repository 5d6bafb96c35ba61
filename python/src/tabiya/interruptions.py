"""Telling an interruption from a failure.

A caller may limit the time of a call by a handler of a signal, such as SIGALRM, which raises an
error. It may raise it anywhere, and a `TimeoutError` is an `OSError`, as that of a lost connection.
"""

from __future__ import annotations

from itertools import pairwise
from traceback import walk_tb
from types import FrameType
from typing import cast

__all__ = ["is_interruption"]


def is_interruption(error: BaseException) -> bool:
    """Was an error raised by a handler of a signal?"""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    return any(is_handler(frame, interrupted) for interrupted, frame in pairwise(frames))


def is_handler(frame: FrameType, interrupted: FrameType) -> bool:
    """Does a handler of a signal run in a frame? Python gives it the frame that it interrupts."""
    for value in frame.f_locals.values():
        # It may take all arguments as one tuple.
        arguments = cast(tuple[object, ...], value) if isinstance(value, tuple) else (value,)
        if any(argument is interrupted for argument in arguments):
            return True
    return False
