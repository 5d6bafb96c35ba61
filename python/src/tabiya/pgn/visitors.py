"""Visitors: what is called for each part of a game."""

from __future__ import annotations

import abc
import enum
import logging
from collections.abc import MutableMapping
from typing import Generic, TypeVar

from .._tabiya import Board, Move

LOGGER = logging.getLogger("tabiya.pgn")

ResultT = TypeVar("ResultT", covariant=True)


class SkipType(enum.Enum):
    """The type of ``SKIP``."""

    SKIP = None


#: What the methods of a visitor return to skip a part.
SKIP = SkipType.SKIP


class BaseVisitor(abc.ABC, Generic[ResultT]):
    """Receives the parts of a game in their order.

    It is used by ``read_game(handle, Visitor=...)``, which calls it for a file, and by
    ``game.accept(visitor)``, which calls it for a tree.

    >>> import io, tabiya.pgn
    >>> class Captures(tabiya.pgn.BaseVisitor):
    ...     def begin_game(self):
    ...         self.count = 0
    ...     def begin_variation(self):
    ...         return tabiya.pgn.SKIP
    ...     def visit_move(self, board, move):
    ...         self.count += board.is_capture(move)
    ...     def result(self):
    ...         return self.count
    >>> tabiya.pgn.read_game(io.StringIO("1. e4 d5 2. exd5 (2. e5) Qxd5"), Visitor=Captures)
    2
    """

    def begin_game(self) -> SkipType | None:
        """A game begins. ``SKIP`` skips all of it."""
        return None

    def begin_headers(self) -> MutableMapping[str, str] | None:
        """The headers of a file begin. A mapping that is returned replaces that of the parser.

        It is not called for the headers of a tree.
        """
        return None

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A header."""

    def end_headers(self) -> SkipType | None:
        """The headers end. ``SKIP`` skips the moves."""
        return None

    def begin_parse_san(self, board: Board, san: str) -> SkipType | None:
        """A move of a file, which is legal. ``SKIP`` leaves it out."""
        return None

    def parse_san(self, board: Board, san: str) -> Move:
        """Reads a move of a file. A ``ValueError`` leaves it out."""
        return board.parse_san(san)

    def visit_move(self, board: Board, move: Move) -> None:
        """A move, and the board before it. Do not change the board."""

    def visit_board(self, board: Board) -> None:
        """The board at the start, and after each move. Do not change it."""

    def visit_comment(self, comment: str) -> None:
        """A comment."""

    def visit_nag(self, nag: int) -> None:
        """A glyph of the last move."""

    def begin_variation(self) -> SkipType | None:
        """A variation in place of the last move begins. ``SKIP`` skips it."""
        return None

    def end_variation(self) -> None:
        """A variation ends, also one that was skipped."""

    def visit_result(self, result: str) -> None:
        """The result after the moves."""

    def end_game(self) -> None:
        """The game ends."""

    @abc.abstractmethod
    def result(self) -> ResultT:
        """What ``read_game`` and ``accept`` return."""

    def handle_error(self, error: Exception) -> None:
        """Something cannot be read or is not legal; the rest of the line is a comment.

        By default the error is raised.
        """
        raise error
