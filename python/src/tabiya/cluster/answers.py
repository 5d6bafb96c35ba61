"""Checks of answers: anything that an executor returns is checked before it counts."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from typing import Any, cast

from .._tabiya import __version__
from .worker import Answer, Counted, Unit

__all__ = ["BadAnswer", "checked"]

#: The greatest count or time: both have 64 bits.
MOST = 2**64 - 1
#: The greatest length of the name of a host, a counter or a version.
LONGEST = 1000


class BadAnswer(Exception):
    """A worker returned something that is not an answer to its task."""


def checked(
    answer: object, units: Collection[Unit], numbers: int, *, may_decline: bool
) -> Answer:
    """The answer, if it answers a task with these units, whose results have this many numbers.

    Raises :class:`BadAnswer`. Each unit has one result, and there is none for another unit: its
    position may be another, too.
    """
    if isinstance(answer, dict):
        answer = from_plain(cast("dict[str, Any]", answer))
    if not isinstance(answer, Answer):
        raise BadAnswer(f"a worker answered a value of the type {type(answer).__name__}")
    texts = (answer.worker, answer.seed, answer.counter, answer.version)
    if not all(is_text(text) for text in texts):
        raise BadAnswer("the answer of a worker has no names")
    if answer.refusal is not None:
        if answer.refusal == "version" or (answer.refusal == "seed" and may_decline):
            return answer
        raise BadAnswer(f"worker {answer.worker} refuses a task for no reason")
    if answer.version != __version__:
        # Results of another version may mean something else.
        return answer._replace(refusal="version")
    if not is_natural(answer.threads) or answer.threads == 0:
        raise BadAnswer(f"worker {answer.worker} counts with {answer.threads!r:.20} threads")
    # The answer may be any object that has the fields.
    is_tuple = isinstance(answer.counted, tuple)  # pyright: ignore[reportUnnecessaryIsInstance]
    if not is_time(answer.seconds) or not is_tuple:
        raise BadAnswer(f"the answer of worker {answer.worker} cannot be read")
    found: set[int] = set()
    wanted = {unit.number for unit in units}
    for counted in answer.counted:
        if not is_result(counted, numbers):
            raise BadAnswer(f"a result of worker {answer.worker} cannot be read")
        if counted.number not in wanted:
            raise BadAnswer(f"worker {answer.worker} counted unit {counted.number}, unasked")
        if counted.number in found:
            raise BadAnswer(f"worker {answer.worker} answered unit {counted.number} twice")
        found.add(counted.number)
    missing = wanted - found
    if missing:
        raise BadAnswer(f"worker {answer.worker} did not answer unit {min(missing)}")
    return answer


def from_plain(fields: dict[str, Any]) -> Answer:
    """The answer of :func:`tabiya.cluster.worker.plain_answer`.

    Raises :class:`BadAnswer`. That of another version may have other fields.
    """
    try:
        if fields["version"] != __version__:
            return Answer(fields["worker"], "", "", fields["version"], 0.0, (), refusal="version")
        counted = tuple(Counted(*result) for result in fields["counted"])
        complete: dict[str, Any] = {**fields, "counted": counted}
        return Answer(**complete)
    except (KeyError, TypeError) as error:
        raise BadAnswer(f"the answer of a worker cannot be read: {error!r:.100}") from error


def is_text(value: object) -> bool:
    """Is this a text that can be printed?"""
    return isinstance(value, str) and len(value) <= LONGEST and value.isprintable()


def is_natural(value: object) -> bool:
    """Is this a number of at most 64 bits?"""
    return type(value) is int and 0 <= value <= MOST


def is_time(value: object) -> bool:
    """Is this a time in seconds?"""
    return isinstance(value, (int, float)) and 0 <= value <= MOST


def is_result(value: object, numbers: int) -> bool:
    """Is this the result of a unit?"""
    if not isinstance(value, Counted):
        return False
    number, result, micros = value
    counts = (result,) if numbers == 1 else result
    return (
        isinstance(counts, tuple)
        and len(counts) == numbers
        and all(is_natural(it) for it in chain((number, micros), counts))
    )
