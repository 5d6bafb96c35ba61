"""Evaluations by an engine, as comments give them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering
from typing import Any

#: More than any number of hundredths of a pawn.
_MATE = 10**9


@total_ordering
class _Score:
    """The order of evaluations: the side is mated, hundredths of a pawn, it mates, the soonest last.

    python-chess's evaluations have the same methods, so they compare with ours.
    """

    def __eq__(self, other: object) -> bool:
        return _value(self) == _value(other) if hasattr(other, "score") else NotImplemented

    def __lt__(self, other: Any) -> bool:
        return _value(self) < _value(other) if hasattr(other, "score") else NotImplemented

    def __hash__(self) -> int:
        return hash(_value(self))


def _value(score: Any) -> int:
    value: int = score.score(mate_score=_MATE)
    return value


@dataclass(frozen=True, eq=False)
class Cp(_Score):
    """An evaluation in hundredths of a pawn.

    >>> from tabiya.pgn import Cp
    >>> -Cp(25), Cp(25).score(), Cp(25).mate()
    (Cp(-25), 25, None)
    """

    cp: int

    def score(self, *, mate_score: int | None = None) -> int:
        """Hundredths of a pawn."""
        return self.cp

    def mate(self) -> None:
        """No mate."""
        return None

    def is_mate(self) -> bool:
        """Is it a mate?"""
        return False

    def __neg__(self) -> Cp:
        return Cp(-self.cp)

    def __repr__(self) -> str:
        return f"Cp({self.cp:+d})" if self.cp else "Cp(0)"


@dataclass(frozen=True, eq=False)
class Mate(_Score):
    """A mate in a number of moves; a negative number if the side is mated.

    >>> from tabiya.pgn import Cp, Mate
    >>> Mate(-3).mate(), Mate(-3).score(), Mate(-3).score(mate_score=10_000)
    (-3, None, -9997)
    >>> sorted([Mate(1), Cp(20), Mate(-1), Mate(5), Cp(-300), Mate(-7)])
    [Mate(-1), Mate(-7), Cp(-300), Cp(+20), Mate(+5), Mate(+1)]
    """

    moves: int

    def score(self, *, mate_score: int | None = None) -> int | None:
        """``None``, or the given value of a mate, less the number of moves."""
        if mate_score is None:
            return None
        return (mate_score if self.moves > 0 else -mate_score) - self.moves

    def mate(self) -> int:
        """The number of moves."""
        return self.moves

    def is_mate(self) -> bool:
        """Is it a mate?"""
        return True

    def __neg__(self) -> Mate:
        return Mate(-self.moves)

    def __repr__(self) -> str:
        return f"Mate({self.moves:+d})"


@dataclass(frozen=True)
class PovScore:
    """An evaluation from the point of view of a side.

    >>> import tabiya
    >>> from tabiya.pgn import Cp, PovScore
    >>> PovScore(Cp(30), tabiya.BLACK).white()
    Cp(-30)
    """

    relative: Cp | Mate
    #: The side: ``WHITE`` or ``BLACK``.
    turn: bool

    def pov(self, color: bool) -> Cp | Mate:
        """The evaluation from the point of view of a side."""
        return self.relative if color == self.turn else -self.relative

    def white(self) -> Cp | Mate:
        """The evaluation from White's point of view."""
        return self.pov(True)

    def black(self) -> Cp | Mate:
        """The evaluation from Black's point of view."""
        return self.pov(False)

    def is_mate(self) -> bool:
        """Is it a mate?"""
        return self.relative.is_mate()
