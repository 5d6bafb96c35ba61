"""The progress of a count, in a notebook or in a terminal.

>>> import io
>>> from tabiya.progress import ProgressLine
>>> terminal = io.StringIO()
>>> line = ProgressLine("perft 9", terminal)
>>> line(25_000_000, 0.25)
>>> print(terminal.getvalue().strip())
perft 9:  25 %, 25,000,000 leaf nodes...
>>> line.close()
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from html import escape
from importlib import import_module
from typing import Any, Protocol, TextIO

__all__ = ["Display", "NotebookBar", "ProgressLine", "automatic", "longest_line", "shown"]

#: A year, in seconds. A count that seems to take longer has no time left that means anything.
MOST_LEFT = 365 * 86_400


class Display(Protocol):
    """A display of progress. It is called again and again, and closed at the end."""

    def __call__(self, nodes: int, share: float) -> None: ...

    def close(self) -> None: ...


def shown(what: str) -> Display | None:
    """A display of progress: in the notebook if there is one, otherwise on standard error.

    ``None`` if there is no standard error, as in a program without a console.
    """
    if _is_notebook():
        return NotebookBar(what)
    out: TextIO | None = sys.stderr
    return None if out is None else ProgressLine(what, out)


def automatic(what: str) -> Display | None:
    """The same if there is a notebook or a terminal, otherwise ``None``."""
    if _is_notebook():
        return NotebookBar(what)
    try:
        is_terminal = sys.stderr.isatty()
    except (AttributeError, ValueError):
        # There is no standard error, or it is closed.
        return None
    return ProgressLine(what, sys.stderr) if is_terminal else None


def longest_line(stream: TextIO) -> int | None:
    """The most characters that fit into a line of a terminal; ``None`` if there is no limit.

    A line that wraps cannot be replaced: each new one would push the rest off the screen.
    """
    try:
        width = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        # It is not a file of the system, or not a terminal.
        return None
    # Some terminals do not know their width, and say 0.
    return width - 1 if width > 1 else None


def _is_notebook() -> bool:
    """Does the code run in a notebook?"""
    ipython: Any = sys.modules.get("IPython")
    if ipython is None:
        return False
    shell = ipython.get_ipython()
    return shell is not None and getattr(shell, "kernel", None) is not None


class _Clock:
    """The rate of the work, and the time that it will still take."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        # The first call comes after the work has begun, so the rate is measured from that call on.
        self._first: tuple[float, int, float] | None = None

    def text(self, what: str, nodes: int, share: float) -> str:
        text = f"{what}: {share:4.0%}, {nodes:,} leaf nodes".replace("%", " %")
        now = time.monotonic()
        if self._first is None:
            self._first = (now, nodes, share)
        begin, nodes_before, share_before = self._first
        elapsed = now - begin
        if elapsed > 0.5 and share > share_before:
            rate = (nodes - nodes_before) / elapsed
            left = (1 - share) * elapsed / (share - share_before)
            text += f", {rate / 1e6:,.0f} million/s"
            if left <= MOST_LEFT:
                text += f", {_duration(left)} left"
        return text


def _duration(seconds: float) -> str:
    """A time for people.

    >>> _duration(59.7), _duration(3600), _duration(1e6)
    ('1:00', '1:00:00', '277:46:40')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class ProgressLine:
    """A line in a terminal that is written again and again, and removed at the end."""

    def __init__(self, what: str, out: TextIO) -> None:
        self._what, self._out = what, out
        self._clock = _Clock()
        self._width = 0

    def __call__(self, nodes: int, share: float) -> None:
        self._write(self._clock.text(self._what, nodes, share))

    def close(self) -> None:
        """Removes the line."""
        if self._width:
            self._write("")
            # The cursor goes back to the beginning.
            self._write("")

    def _write(self, text: str) -> None:
        longest = longest_line(self._out)
        text = text[:longest]
        # If the terminal is gone, or closed, the count goes on.
        with contextlib.suppress(OSError, ValueError):
            self._out.write("\r" + text.ljust(self._width)[:longest])
            self._out.flush()
        self._width = len(text)


class NotebookBar:
    """A bar below the cell of a notebook, which is removed at the end."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._clock = _Clock()
        self._handle: Any = None

    def __call__(self, nodes: int, share: float) -> None:
        self._show(_Bar(self._clock.text(self._what, nodes, share), share))

    def close(self) -> None:
        """Removes the bar."""
        if self._handle is not None:
            # The count is finished: its result is worth more than a clean notebook.
            with contextlib.suppress(Exception):
                self._show(_Bar("", None))

    def _show(self, bar: _Bar) -> None:
        if self._handle is None:
            # IPython is optional and has no type annotations.
            display: Any = import_module("IPython.display")
            self._handle = display.display(bar, display_id=True)
        else:
            self._handle.update(bar)


class _Bar:
    """A state of the bar."""

    def __init__(self, text: str, share: float | None) -> None:
        self._text, self._share = text, share

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        if self._share is None:
            return ""
        bar = f'<progress max="1" value="{self._share:.4f}" style="width:20em"></progress>'
        return f'<div style="font-variant-numeric:tabular-nums">{bar} {escape(self._text)}</div>'
