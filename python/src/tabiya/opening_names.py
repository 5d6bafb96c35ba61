"""The names of openings, by position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ._tabiya import Board, Game, Position, opening_index, opening_table
from .pgn import Game as TreeOfGame
from .pgn import GameNode

__all__ = ["Opening", "opening", "openings"]


@dataclass(frozen=True, slots=True)
class Opening:
    """A named opening.

    >>> import tabiya
    >>> opening = tabiya.opening(tabiya.Position().play("e4"))
    >>> opening
    Opening(eco='B00', name="King's Pawn Game")
    >>> print(opening)
    B00 King's Pawn Game
    """

    #: The code in the Encyclopaedia of Chess Openings.
    eco: str
    #: The name in English, such as ``Sicilian Defense: Najdorf Variation``.
    name: str

    def __str__(self) -> str:
        """Code and name."""
        return f"{self.eco} {self.name}"


def openings() -> tuple[Opening, ...]:
    """All named openings, by their codes and names. ``Batch.openings()`` has their indices.

    The data is that of lichess-org/chess-openings, in the public domain. The indices may change with a
    new version of this package.

    >>> import tabiya
    >>> len(tabiya.openings()) > 3000
    True
    """
    return _table()


def _make_table() -> tuple[Opening, ...]:
    return tuple(Opening(eco, name) for eco, name in opening_table())


# The type is that of a function without arguments, which the decorator would hide.
_table: Callable[[], tuple[Opening, ...]] = cache(_make_table)


def opening(of: Position | Board | Game | GameNode) -> Opening | None:
    """The name of a position, or of the last named position of a board, a game or a line of a tree.

    Moves may be transposed: what counts is the position. For a ``tabiya.pgn.Game``, the line is the
    main line; for another node, the line that leads to it. ``None`` if no position has a name.

    >>> import tabiya
    >>> board = tabiya.Board()
    >>> for san in ["c4", "Nf6", "Nc3", "g6", "d4", "d5", "Rb1"]:
    ...     move = board.push_san(san)
    >>> print(tabiya.opening(board))
    D80 Grünfeld Defense
    >>> tabiya.opening(board.position) is None
    True
    """
    if isinstance(of, TreeOfGame):
        of = of.end()
    index = opening_index(of.board() if isinstance(of, GameNode) else of)
    return None if index is None else _table()[index]
