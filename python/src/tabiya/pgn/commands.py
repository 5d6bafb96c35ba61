"""The commands that programs write into comments: times, evaluations, arrows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from .._tabiya import comment_marks
from ..squares import square_name

_COLORS = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}
_LETTERS = {color: letter for letter, color in _COLORS.items()}
#: In seconds: the hours of a time have at most nine digits.
_LONGEST_TIME = 3600e9


@dataclass(frozen=True)
class Arrow:
    """An arrow, or a coloured square if both of its squares are the same.

    >>> import tabiya
    >>> from tabiya.pgn import Arrow
    >>> Arrow(tabiya.G1, tabiya.F3, color="red").pgn(), Arrow(tabiya.E4, tabiya.E4).pgn()
    ('Rg1f3', 'Ge4')
    """

    tail: int
    head: int
    #: ``green``, ``red``, ``yellow`` or ``blue``.
    color: str = "green"

    def pgn(self) -> str:
        """The form in ``[%cal]`` and ``[%csl]``."""
        head = "" if self.head == self.tail else square_name(self.head)
        return f"{_LETTERS.get(self.color, 'G')}{square_name(self.tail)}{head}"


def _command(*names: str) -> re.Pattern[str]:
    # One space, and no bracket in the value: otherwise commands that do not end take quadratic time.
    return re.compile(rf"(\s?)\[%(?:{'|'.join(names)})\s([^\[\]]*)\](\s?)")


_COMMANDS = {name: _command(name) for name in ("clk", "emt", "eval")}
_DRAWINGS = _command("csl", "cal")


def _joint(found: re.Match[str]) -> str:
    """What remains where a command is removed: one space between two words."""
    inside = found.start() > 0 and found.end() < len(found.string)
    return " " if inside and (found[1] or found[3]) else ""


def _replaced(comment: str, pattern: re.Pattern[str], new: str | None) -> str:
    """The comment with a command in place of the first that is there, or at its end."""
    if new is None:
        return pattern.sub(_joint, comment).strip() if pattern.search(comment) else comment
    found = pattern.search(comment)
    if found:
        before, after = comment[: found.start()], comment[found.end() :]
        return f"{before}{found[1]}{new}{found[3]}{pattern.sub(_joint, after)}"
    return f"{comment} {new}" if comment and not comment.endswith(" ") else comment + new


def with_time(comment: str, name: str, seconds: float | None) -> str:
    """The comment with this time. It has at most three digits after the point."""
    if seconds is None:
        return _replaced(comment, _COMMANDS[name], None)
    if not seconds < _LONGEST_TIME:
        # Missing times of arrays are NaN.
        raise ValueError(f"expected the seconds of a time, or None, not {seconds}")
    milliseconds = round(max(0.0, seconds) * 1000)
    whole, rest = divmod(milliseconds, 1000)
    fraction = f".{rest:03d}".rstrip("0") if rest else ""
    text = f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}{fraction}"
    return _replaced(comment, _COMMANDS[name], f"[%{name} {text}]")


def with_evaluation(comment: str, score: Any, depth: int | None) -> str:
    """The comment with this evaluation, or without one."""
    if score is None:
        return _replaced(comment, _COMMANDS["eval"], None)
    white = score.white()
    mate = white.mate()
    text = f"#{mate}" if mate is not None else f"{white.score() / 100:.2f}"
    suffix = "" if depth is None else f",{max(0, depth)}"
    return _replaced(comment, _COMMANDS["eval"], f"[%eval {text}{suffix}]")


def arrows(comment: str) -> list[Arrow]:
    """The arrows and coloured squares of ``[%cal]`` and ``[%csl]``."""
    return [Arrow(tail, head, _COLORS[letter]) for tail, head, letter in comment_marks(comment)]


def with_arrows(comment: str, new: Iterable[Any]) -> str:
    """The comment with these arrows, which stand first, in place of those that it has."""
    squares: list[str] = []
    lines: list[str] = []
    for given in new:
        arrow: Any = given
        if isinstance(given, tuple):
            tail, head = cast("tuple[int, int]", given)
            arrow = Arrow(tail, head)
        text = Arrow(arrow.tail, arrow.head, arrow.color).pgn()
        (squares if arrow.tail == arrow.head else lines).append(text)
    commands = "".join(
        f"[%{name} {','.join(texts)}]" for name, texts in (("csl", squares), ("cal", lines)) if texts
    )
    rest = _replaced(comment, _DRAWINGS, None)
    return f"{commands} {rest}" if commands and rest and not rest.startswith(" ") else commands + rest
