"""The lines of a file."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Protocol, TextIO

#: The attribute of a file that keeps the line that was given back, with the places before and after it.
_UNREAD = "_tabiya_unread"


class Readable(Protocol):
    """What is read line by line."""

    def readline(self) -> str:
        """The next line; an empty string at the end."""
        ...


class Ahead:
    """A file of which some lines have been read ahead, each with its place."""

    def __init__(self, handle: TextIO, lines: Iterable[tuple[int | None, str]]) -> None:
        self._handle = handle
        self._lines = list(lines)[::-1]

    def readline(self) -> str:
        """The next line; an empty string at the end."""
        return self._lines.pop()[1] if self._lines else self._handle.readline()

    def place(self) -> int | None:
        """The place of the next line, if the file has places."""
        return self._lines[-1][0] if self._lines else place_of(self._handle)


class Lines:
    """The lines of the moves of a game."""

    def __init__(self, handle: Readable, line: str) -> None:
        self.handle = handle
        #: The next line, if it has been read.
        self.line: str | None = line

    def next(self) -> str | None:
        """The next line, or ``None`` at an empty line or the end of the file."""
        while True:
            line = self.handle.readline() if self.line is None else self.line
            self.line = None
            if line.startswith("%"):
                continue
            return line if line.strip() else None


def comment(handle: Readable, line: str, begin: int) -> tuple[str, str | None, int]:
    """The text of a comment after its brace, the line in which it ends, and where.

    There is no such line if the file ends first.
    """
    parts: list[str] = []
    while True:
        end = line.find("}", begin)
        if end >= 0:
            parts.append(line[begin:end])
            return "".join(parts), line, end + 1
        parts.append(line[begin:])
        line, begin = handle.readline(), 0
        if not line:
            return "".join(parts), None, 0


def place_of(handle: TextIO) -> int | None:
    """The place of the next line in a file, if the file has places."""
    try:
        place = handle.tell()
    except (AttributeError, OSError):
        return None
    unread = getattr(handle, _UNREAD, None)
    return unread[1] if unread and unread[2] == place else place


def unread(handle: TextIO, line: str, place: int | None) -> bool:
    """Gives a line back to a file, in which it begins at this place. Can it be read again?

    Only a file that goes back at no cost does so. Compressed files, for instance, would be read from
    their beginning again: their line is kept beside them.
    """
    if place is not None and _goes_back(handle):
        handle.seek(place)
        return True
    try:
        setattr(handle, _UNREAD, (line, place, place_of(handle)))
    except AttributeError:
        return False
    return True


def first_line(handle: TextIO) -> str:
    """The next line of a file, also one that was given back."""
    if unread := getattr(handle, _UNREAD, None):
        setattr(handle, _UNREAD, None)
        # Whoever has moved in the file meanwhile wants another line.
        if place_of(handle) == unread[2]:
            line: str = unread[0]
            return line
    return handle.readline()


def _goes_back(handle: TextIO) -> bool:
    """Does a file go back at no cost?"""
    buffer = getattr(handle, "buffer", None)
    is_cheap = (
        isinstance(handle, io.StringIO)
        or isinstance(buffer, io.BytesIO)
        or isinstance(getattr(buffer, "raw", None), io.FileIO)
    )
    return is_cheap and handle.seekable()
