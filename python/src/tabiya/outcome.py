"""The outcome of a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["Outcome", "Termination"]


class Termination(Enum):
    """The reason why a game ended."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    INSUFFICIENT_MATERIAL = "insufficient-material"
    #: 75 moves of each side without a capture or a pawn move.
    SEVENTYFIVE_MOVES = "seventy-five-moves"
    FIVEFOLD_REPETITION = "fivefold-repetition"
    #: 50 moves of each side without a capture or a pawn move; the draw must be claimed.
    FIFTY_MOVES = "fifty-moves"
    #: The draw must be claimed.
    THREEFOLD_REPETITION = "threefold-repetition"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game.

    >>> import tabiya
    >>> outcome = tabiya.Position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").outcome()
    >>> outcome.termination, outcome.winner, outcome.result()
    (<Termination.CHECKMATE: 'checkmate'>, True, '1-0')
    """

    termination: Termination
    #: ``WHITE``, ``BLACK``, or ``None`` for a draw.
    winner: bool | None

    def result(self) -> str:
        """``1-0``, ``0-1`` or ``1/2-1/2``."""
        return "1/2-1/2" if self.winner is None else ("1-0" if self.winner else "0-1")

    @property
    def is_automatic(self) -> bool:
        """Does the game end without a claim?"""
        return self.termination not in (
            Termination.FIFTY_MOVES,
            Termination.THREEFOLD_REPETITION,
        )
