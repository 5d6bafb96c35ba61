"""The lines of the moves of a game."""

from __future__ import annotations

from typing import TextIO


class Lines:
    """The lines of the moves of a game."""

    def __init__(self, handle: TextIO, line: str) -> None:
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


def comment(handle: TextIO, line: str, begin: int) -> tuple[str, str | None, int]:
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
