"""Files that are read game by game."""

from __future__ import annotations

import io
from typing import TextIO

from .._tabiya import GameText, next_game

#: The attribute of a file that keeps text of the next game, with the places before and after it.
_AHEAD = "_tabiya_ahead"


def place_of(handle: TextIO) -> int | None:
    """The place of the next game in a file, if the file has places."""
    try:
        place = handle.tell()
    except (AttributeError, OSError):
        return None
    ahead = getattr(handle, _AHEAD, None)
    return ahead[1] if ahead and ahead[2] == place else place


def next_text(handle: TextIO, letters: str | None) -> GameText | None:
    """The next game of a file, with these letters of pieces.

    What was read after it is read again. Only a file that goes back at no cost does so. Compressed
    files, for instance, would be read from their beginning: their text is kept beside them.
    """
    start = last_start = place_of(handle)
    line = text = ""
    if ahead := getattr(handle, _AHEAD, None):
        setattr(handle, _AHEAD, None)
        # Whoever has moved in the file meanwhile wants another text.
        text = ahead[0] if place_of(handle) == ahead[2] else ""

    def readline() -> str:
        nonlocal last_start, line
        last_start = place_of(handle)
        line = handle.readline()
        return line

    goes_back = start is not None and _goes_back(handle)
    game, rest, length = next_game(
        handle.readline if goes_back else readline, text, letters
    )
    if rest and goes_back and start is not None:
        handle.seek(start)
        handle.read(length)
    elif rest:
        place = last_start if rest == line else None
        setattr(handle, _AHEAD, (rest, place, place_of(handle)))
    return game


def _goes_back(handle: TextIO) -> bool:
    """Does a file go back at no cost?"""
    buffer = getattr(handle, "buffer", None)
    is_cheap = (
        isinstance(handle, io.StringIO)
        or isinstance(buffer, io.BytesIO)
        or isinstance(getattr(buffer, "raw", None), io.FileIO)
    )
    return is_cheap and handle.seekable()
