"""The tag ``TimeControl``."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field


class TimeControlType(enum.Enum):
    """A kind of time control."""

    UNKNOWN = 0
    UNLIMITED = 1
    STANDARD = 2
    RAPID = 3
    BLITZ = 4
    BULLET = 5


@dataclass
class TimeControlPart:
    """A part of a time control. Times are in seconds."""

    #: The number of moves, or 0 for the rest of the game.
    moves: int = 0
    time: int = 0
    #: What is added for each move.
    increment: float = 0
    delay: float = 0


@dataclass
class TimeControl:
    """A time control.

    >>> from tabiya import pgn
    >>> control = pgn.parse_time_control("40/7200:900+30")
    >>> control.type.name, [(part.moves, part.time, part.increment) for part in control.parts]
    ('STANDARD', [(40, 7200, 0), (0, 900, 30.0)])
    """

    parts: list[TimeControlPart] = field(default_factory=list[TimeControlPart])
    type: TimeControlType = TimeControlType.UNKNOWN


#: The number of moves that an increment is counted for.
_MOVES = 60
#: The longest time of each type, in seconds, as in python-chess.
_LIMITS = [
    (180, TimeControlType.BULLET),
    (900, TimeControlType.BLITZ),
    (3600, TimeControlType.RAPID),
]
#: Longer numbers mean nothing, and Python cannot read those of thousands of digits.
_PART = re.compile(
    r"\s*+(?:([0-9]{1,9})\s*+/)?\s*+([0-9]{1,9})\s*+"
    r"(?:\+\s*+([0-9]{1,9}(?:\.[0-9]*)?|\.[0-9]+)([dD])?\s*+)?"
)


def parse_time_control(time_control: str) -> TimeControl:
    """Reads the value of the tag ``TimeControl``.

    Raises ``ValueError`` if it is malformed.
    """
    if time_control in ("", "?"):
        return TimeControl()
    if time_control == "-":
        return TimeControl(type=TimeControlType.UNLIMITED)
    parts = [_part(text) for text in time_control.split(":")]
    if not all(part.moves for part in parts[:-1]):
        raise ValueError(f"only the last part may be for the rest of the game: {time_control!r}")
    first = parts[0]
    expected = first.time + _MOVES * first.increment
    fits = (name for limit, name in _LIMITS if expected < limit)
    return TimeControl(parts, next(fits, TimeControlType.STANDARD))


def _part(text: str) -> TimeControlPart:
    found = _PART.fullmatch(text)
    if not found:
        raise ValueError(f"malformed time control: {text!r}")
    moves, time, added, is_delay = found.groups()
    part = TimeControlPart(moves=int(moves or 0), time=int(time))
    if is_delay:
        part.delay = float(added)
    elif added:
        part.increment = float(added)
    return part
